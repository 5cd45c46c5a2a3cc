"""A run and its derivatives by one integration; a step in two parts is the step."""

import numpy as np
import pytest

import dalembert as da
import dalembert.integrators.solve as integrators
from dalembert import catalog
from dalembert.analyses.derived.forward import Forward

NAMES = ["l1", "l2", "m3", "omega2"]
FINE = {"rtol": 1e-9, "atol": 1e-12, "formulation": "augmented"}


def last(run):
    return run["A"].coordinate[-1]


@pytest.fixture
def solved(monkeypatch):
    """The sizes of the states that were integrated, one for each integration."""
    sizes, old = [], integrators.solve

    def counted(rhs, t, y, *args, **options):
        sizes.append(y.size)
        return old(rhs, t, y, *args, **options)

    monkeypatch.setattr(integrators, "solve", counted)
    return sizes


@pytest.mark.parametrize("method", ["forward", "adjoint"])
def test_one_integration_gives_the_run_and_its_derivatives(method, solved):
    m = catalog.make("four-bar")
    s = da.sensitivities(m, NAMES, da.simulate, 1.0, step=0.1, method=method, outputs={"x": last}, **FINE)
    assert len(solved) == 1
    run = da.simulate(m, 1.0, step=0.1, **FINE)
    assert np.array_equal(s.result.t, run.t) and s.result.stats["formulation"] == run.stats["formulation"]
    for a, b in ((s.result._q, run._q), (s.result._v, run._v), (s.result._ledger, run._ledger)):
        assert np.abs(a - b).max() < 2e-8 * max(1.0, np.abs(b).max())
    assert s.result.certificate and s.result["A"].force.shape == run["A"].force.shape
    later = run.derivative("l2")  # of a run that was there before
    assert s["x"]["l2"] == pytest.approx(later["A"].coordinate[-1], rel=1e-7)


def test_what_was_carried_goes_on_as_a_run_does():
    m = catalog.make("four-bar")
    s = da.sensitivities(m, NAMES, da.simulate, 0.5, times=[0.0, 0.5], **FINE)
    further, whole = da.resume(s.result, until=1.0), da.simulate(m, 1.0, times=[0.0, 0.5, 1.0], **FINE)
    assert last(further) == pytest.approx(last(whole), abs=2e-8)
    assert further.stats["rhs_calls"] > s.result.stats["rhs_calls"] > 0


@pytest.mark.parametrize("options", [{"stop": ["A.angle - 3"]}, {"integrator": "radau"}, {"formulation": "embedded"}])
def test_elsewhere_the_motion_is_integrated_alone(options, solved):
    """Events, implicit methods, other coordinates: the run is that of simulate, to the bit."""
    m = catalog.make("four-bar")
    s = da.sensitivities(m, ["m3"], da.simulate, 0.3, times=[0.0, 0.3], rtol=1e-7, outputs={"x": last}, **options)
    assert len(solved) > 1
    assert np.array_equal(s.result._q, da.simulate(m, 0.3, times=[0.0, 0.3], rtol=1e-7, **options)._q)


def star():
    """Twelve arms of two links on a plate, which is eliminated late."""
    m = da.Model("star", dim=3, gravity=(0, 0, -9.81), parameters={"l": 0.5, "h": 0.3, "M": 5.0})
    m.add(da.Body("hub", mass="M", inertia=(1, 1.5, 2), position=(0, 0, "h"), omega=(0.3, -0.2, 0.5)))
    for k, a in enumerate(np.linspace(0, 2 * np.pi, 12, endpoint=False)):
        before = "hub"
        for name, at, joint in (("a", 1.0, 0.8), ("b", 2.0, 1.5)):
            place, pin = ((f"{x}*l*{np.cos(a)}", f"{x}*l*{np.sin(a)}", "h") for x in (at, joint))
            m.add(da.Body(f"{name}{k}", mass=0.3, inertia=(0.01, 0.02, 0.01), position=place))
            m.add(da.Spherical(f"{name}{k} ball", before, f"{name}{k}", at=pin))
            before = f"{name}{k}"
    return m


@pytest.mark.parametrize(("name", "until", "step", "many"), [("four-bar", 0.3, 0.003, 3), ("andrews", 0.01, 2e-4, 3),
                                                             ("andrews", 0.005, 2e-4, 20), ("bricard", 0.5, 0.02, 3),
                                                             ("star", 0.2, 0.01, 3)])
def test_a_step_in_two_parts_is_the_step(name, until, step, many, monkeypatch):
    """On the same steps (short ones, none rejected) tangents are those of steps in one part; loops, redundant rows, hubs, and
    several groups of lanes, which take the parts one after the other."""
    m, found = star() if name == "star" else catalog.make(name), []
    assert name != "star" or m.compile().tables.hubs.size
    names = [n for n, x in m.parameters.items() if not isinstance(x, str) and x][:many]
    assert len(names) == many
    for parts in (True, False):
        if not parts:
            monkeypatch.setattr(Forward, "_implicit", lambda self, method: (None, None))
        s = da.sensitivities(m, names, da.simulate, until, times=[0.5 * until, until], max_step=step, method="forward", **FINE)
        assert s.result.stats["rejected"] == 0
        found.append([s.result._q, *(s._derivatives[n]._tangents[w] for n in names for w in ("q", "v"))])
    for a, b in zip(*found, strict=True):
        assert np.abs(a - b).max() <= 1e-11 * max(np.abs(b).max(), 1e-3)
