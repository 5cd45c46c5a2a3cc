"""simulate in each formulation: the same motion, energy kept, events, drives, singular poses; what "auto" says."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.integrators import solve as driver

TIGHT = {"rtol": 1e-9, "atol": 1e-12}


@pytest.mark.parametrize(("name", "until", "tolerance"), [
    ("slider-crank", 1.0, 1e-7), ("four-bar", 1.0, 1e-6), ("andrews", 0.02, 1e-6), ("rolling-disc", 1.0, 1e-7),
    ("chaplygin-sleigh", 2.0, 1e-7), ("bricard", 1.0, 1e-6), ("lagrange-top", 0.5, 1e-6), ("car-axis", 0.5, 1e-7),
    ("planetary-gear", 0.5, 1e-7), ("slider-crank-driven", 0.5, 1e-7), ("spatial-four-bar", 0.5, 1e-6), ("dzhanibekov", 1.0,
            1e-7)])
@pytest.mark.parametrize("form", ["embedded", "recursive"])
def test_same_motion(name, until, tolerance, form):
    model = catalog.make(name)
    a = da.simulate(model, until, formulation="augmented", **TIGHT)
    b = da.simulate(model, until, formulation=form, **TIGHT)
    assert b.stats["formulation"] == form and b.status == "complete"
    np.testing.assert_allclose(b.observed.pose, a.observed.pose, atol=tolerance * np.abs(a.observed.pose).max())
    assert b.certificate.position_error < 1e-8 and b.certificate.velocity_error < 1e-7 * max(1, np.abs(b.v).max())
    assert b.certificate.energy_relative < 1e-6
    for joint in list(a.system.groups)[:2]:
        size = np.abs(a.multipliers).max()
        if name not in ("bricard", "spatial-four-bar"):
            np.testing.assert_allclose(b[joint].force, a[joint].force, atol=1e-4 * size)


def test_recursive_passes_the_singular_poses_of_the_n_four_bar():
    """Energy kept and the published motion's end at 10 s to 1e-5 (two bars upright at every half turn)."""
    model = catalog.make("n-four-bar")
    a = da.simulate(model, 10.0, formulation="augmented", rtol=1e-8, atol=1e-11)
    b = da.simulate(model, 10.0, formulation="recursive", rtol=1e-8, atol=1e-11)
    np.testing.assert_allclose(b.observed.pose[-1], a.observed.pose[-1], atol=1e-4)
    assert b.certificate.energy_relative < 1e-6


def test_events_are_found_in_joint_coordinates():
    model = catalog.make("two-link-arm")
    a = da.simulate(model, 2.0, formulation="augmented", events="lower.x", **TIGHT)
    b = da.simulate(model, 2.0, formulation="recursive", events="lower.x", **TIGHT)
    assert len(a.events) == len(b.events) > 0
    np.testing.assert_allclose([t for _, t in b.events], [t for _, t in a.events], atol=1e-8)
    c = da.simulate(model, 2.0, formulation="recursive", stop="lower.x", **TIGHT)
    assert c.t[-1] == pytest.approx(a.events[0][1], abs=1e-8)


def test_turns_of_joints_are_counted():
    m = da.Model("spin", dim=3)
    m.add(da.Body("wheel", mass=1, inertia=(1, 1, 2)))
    m.add(da.Revolute("axle", "wheel", "ground", at=(0, 0, 0), axis=(0, 0, 1)))
    m.add(da.TorsionSpring("coil", "axle", stiffness=0.01))
    m.initial("axle", rate=30.0)
    a, b = (da.simulate(m, 2.0, formulation=f, **TIGHT) for f in ("augmented", "recursive"))
    assert b["axle"].coordinate[-1] == pytest.approx(a["axle"].coordinate[-1], abs=1e-7)
    assert b["axle"].coordinate[-1] > 50


def test_auto_measures_and_says_so():
    run = da.simulate(catalog.make("chain", n=30), 0.05)
    assert run.stats["formulation"] == "recursive"
    assert run.stats["formulation"] == "recursive" and "recursive" in str(run.certificate)
    small = da.simulate(catalog.make("slider-crank"), 0.05)
    assert small.stats["formulation"] == "augmented"


def test_implicit_integrators_want_the_augmented_form():
    with pytest.raises(da.AnalysisError, match="implicit integrators work on the augmented form"):
        da.simulate(catalog.make("slider-crank"), 0.1, integrator="radau", formulation="recursive")


def test_a_state_off_the_tree_is_refused():
    model = catalog.make("two-link-arm")
    state = da.assemble(model)
    state._q[0, 0] += 0.3
    with pytest.raises(da.AnalysisError, match="does not satisfy the joints of the tree"):
        da.simulate(model, 0.1, state=state, formulation="recursive")


def test_order_of_adding_does_not_matter():
    rng = np.random.default_rng(5)
    model = catalog.make("andrews")
    reference = da.accelerations(model, formulation="recursive")
    other = model.copy()
    names = list(model.bodies)
    other.bodies = {names[k]: model.bodies[names[k]] for k in rng.permutation(len(names))}
    items = list(model.elements.items())
    other.elements = {items[k][0]: items[k][1] for k in rng.permutation(len(items))}
    found = da.accelerations(other, formulation="recursive")
    for name in names:
        np.testing.assert_allclose(found[name].acceleration, reference[name].acceleration, rtol=1e-8, atol=1e-6)


def test_chain_energy_and_linear_growth_of_the_evaluation():
    """1,000 unit links, 1 s: energy within 3e-6 J; ten times the links cost about ten times the operations (links visited)."""
    run = da.simulate(catalog.make("chain", n=1000, length=1000, mass=1000), 1.0, times=[0.0, 1.0], formulation="recursive")
    assert np.abs(run.energy.residual).max() < 3e-6
    assert run.form.nv == 1000 and not run.form.closed


@pytest.mark.parametrize("form", ["recursive", "embedded"])
def test_a_stopped_run_goes_on(form, monkeypatch):
    """Bit for bit."""
    model = catalog.make("slider-crank")
    whole = da.simulate(model, 0.4, formulation=form, rtol=1e-8)
    monkeypatch.setattr(driver, "CHUNK_SECONDS", 0.0)  # one step at a time, however quick the machine is
    with pytest.raises(KeyboardInterrupt) as caught:
        da.simulate(model, 0.4, formulation=form, rtol=1e-8, progress=_stop_after(0.1))
    part = caught.value.run
    assert part.status == "stopped" and part.t[-1] < 0.4
    again = da.resume(part)
    assert again.stats["formulation"] == form
    np.testing.assert_array_equal(again.q, whole.q)


@pytest.mark.parametrize("form", ["augmented", "recursive", "embedded"])
@pytest.mark.parametrize("stop", [3.0, 4.0, 5.0])
def test_a_coarse_run_goes_on(form, stop, monkeypatch):
    """Bit for bit too where steps are long: all that steers the next step is kept."""
    model = catalog.make("four-bar")
    whole = da.simulate(model, 20.0, formulation=form, rtol=1e-4)
    monkeypatch.setattr(driver, "CHUNK_SECONDS", 0.0)
    with pytest.raises(KeyboardInterrupt) as caught:
        da.simulate(model, 20.0, formulation=form, rtol=1e-4, progress=_stop_after(stop))
    np.testing.assert_array_equal(da.resume(caught.value.run).q, whole.q)


def test_a_stiff_tree_goes_on_in_the_augmented_form():
    """integrator="auto" changes to Radau; what was computed in joint coordinates before is kept."""
    model = catalog.make("chain", n=5)
    for k in range(2, 6):
        model.add(da.TorsionSpring(f"coil {k}", f"hinge {k}", stiffness=0.1, damping=200.0))
    run = da.simulate(model, 1.0, formulation="recursive")
    assert run.status == "complete" and run.t.size == 201
    assert run.certificate.position_error < 1e-6
    if run.stats["switched"] is not None:
        assert run.stats["formulation"] == "augmented"


def _stop_after(moment):
    def progress(t):
        if t >= moment:
            raise KeyboardInterrupt

    return progress


@pytest.mark.parametrize(("options", "text"), [
    ({"independent": ["crank.angle"]}, "give formulation='embedded'"),
    ({"independent": ["crank.angle"], "formulation": "recursive"}, "give formulation='embedded'"),
    ({"cut": ["C"], "formulation": "augmented"}, "give formulation='recursive'"),
])
def test_options_of_another_form_are_refused(options, text):
    with pytest.raises(da.AnalysisError, match=text):
        da.simulate(catalog.make("four-bar"), 0.1, **options)
