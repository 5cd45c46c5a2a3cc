"""verify=True: the estimate belongs to the run that was asked for, and tells its error."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.algebra.rotations import apart, quaternion_of_matrix
from dalembert.analyses.simulation import verification
from dalembert.results.trust.estimate import QUANTITIES

SHORT = {"pendulum": 3.0, "bricard": 2.0, "car-axis": 1.0, "lagrange-top": 1.0, "n-four-bar": 2.0, "whipple": 1.0}


def largest(estimate, name):
    return {q: np.nanmax(getattr(estimate[name], q)) for q in QUANTITIES}


def errors(run, best, name):
    """Against a reference, the same quantities."""
    a, b = run[name], best[name]
    turn = np.abs(a.angle - b.angle) if run.system.dim == 2 else apart(a.quaternion, b.quaternion)
    spin = np.atleast_2d((a.omega - b.omega).T).T
    return {"position": np.linalg.norm(a.position - b.position, axis=1).max(), "rotation": turn.max(),
            "velocity": np.linalg.norm(a.velocity - b.velocity, axis=1).max(), "omega": np.linalg.norm(spin, axis=1).max()}


def within(run, best, low=0.1, high=10.0, floor=1e-11):
    """How many estimates there are, and those that are not good."""
    bad, count = [], 0
    for name in run.system.bodies:
        told, true = largest(run.certificate.error_estimate, name), errors(run, best, name)
        for q in QUANTITIES:
            if true[q] > floor * max(1.0, np.abs(run.v).max()):
                count += 1
                if not low <= told[q] / true[q] <= high:
                    bad.append((name, q, told[q], true[q]))
    return count, bad


CASES = [(name, "rk8", 1e-6) for name in SHORT] + [
    ("slider-crank", "rk5", 1e-5), ("slider-crank", "radau", 1e-5), ("slider-crank", "alpha", 1e-3), ("bricard", "rk5", 1e-6),
    ("car-axis", "radau", 1e-6), ("dzhanibekov", "alpha", 1e-4), ("rolling-disc", "rk8", 1e-4), ("double-pendulum", "auto", 1e-7),
    ("chain", "auto", 1e-5), ("four-bar-springs", "auto", 1e-3)]


@pytest.mark.parametrize(("name", "integrator", "rtol"), CASES)
def test_estimates_are_near_the_true_errors(name, integrator, rtol):
    m, until = catalog.make(name), SHORT.get(name, 1.0)
    run = da.simulate(m, until, integrator=integrator, rtol=rtol, verify=True)
    plain = da.simulate(m, until, integrator=integrator, rtol=rtol)
    np.testing.assert_array_equal(run.q, plain.q)  # the run itself is the one without verify
    best = da.simulate(m, until, integrator="rk8", rtol=1e-12, atol=1e-14)
    count, bad = within(run, best)
    assert count and not bad
    true = np.abs(run.energy.total - best.energy.total).max()
    told = np.nanmax(run.certificate.error_estimate.energy["total"])
    assert told >= true / 10


def test_exact_motion():
    """A pendulum in closed form would do; free fall is exact, and the estimate claims no less than rounding."""
    m = da.Model("fall", dim=2, gravity=(0, -9.81))
    m.add(da.Body("ball", mass=1, inertia=1, position=(0, 10)))
    run = da.simulate(m, 1.0, verify=True)
    e = run.certificate.error_estimate["ball"]
    true = np.abs(run["ball"].y - (10 - 0.5 * 9.81 * run.t**2)).max()
    assert true <= 3 * e.position[-1] and e.position[-1] < 1e-8


@pytest.mark.parametrize("form", ["augmented", "embedded", "recursive"])
def test_every_form(form):
    run = da.simulate(catalog.make("chain", n=4), 0.5, rtol=1e-4, formulation=form, verify=True)
    assert run.stats["formulation"] == run._finer.stats["formulation"] == form
    best = da.simulate(catalog.make("chain", n=4), 0.5, rtol=1e-11, atol=1e-13)
    assert within(run, best)[1] == []


def test_fixed_steps():
    for integrator, step in (("rk8", 0.05), ("rk5", 0.02), ("radau", 0.02), ("alpha", 0.005)):
        m = catalog.make("pendulum")
        run = da.simulate(m, 1.0, integrator=integrator, fixed_step=step, verify=True)
        best = da.simulate(m, 1.0, integrator="rk8", rtol=1e-12, atol=1e-14)
        assert within(run, best)[1] == [], integrator


def test_switched_run():
    m = da.Model("stiff", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("a", (0, 0), (1, 0), mass=1))
    m.add(da.Revolute("O", m.ground, "a", at=(0, 0)))
    m.add(da.TorsionSpring("hinge", "O", stiffness=1e6, damping=1e4))
    run = da.simulate(m, 1.0, verify=True)
    assert run.stats["switched"] is not None
    assert run.certificate.doubts() == [] and np.nanmax(run.certificate.error_estimate["a"].position) < 1e-5


def test_events_and_their_times():
    m = catalog.make("slider-crank")
    run = da.simulate(m, 2.0, events="piston.x - 0.4", stop="crank.angle - 12", rtol=1e-4, verify=True)
    best = da.simulate(m, 2.0, events="piston.x - 0.4", stop="crank.angle - 12", rtol=1e-11, atol=1e-13)
    told = run.certificate.error_estimate.event_times
    assert len(told) == len(run.events) == len(best.events)
    true = np.abs([a[1] - b[1] for a, b in zip(run.events, best.events, strict=True)])
    assert np.all(true <= 10 * told) and told.max() < 1e-3
    assert np.isfinite(run.certificate.error_estimate["piston"].position).all()


def again(run):
    """The certificate, computed anew."""
    for key in ("certificate", "error_estimate"):
        run.__dict__.pop(key, None)
    return run.certificate


def test_events_that_differ_are_a_doubt():
    """In number, or in an order that the errors of their times do not explain."""
    run = da.simulate(catalog.make("pendulum"), 1.0, events="bob.y + 0.5", verify=True)
    assert len(run.events) == 2 and again(run).doubts() == []
    run._finer.events = run._finer.events[:-1]
    (doubt,) = again(run).doubts()
    assert "crosses zero 2 times in this run and 1 times" in doubt
    run.events, run._finer.events = [("a", 0.2), ("b", 0.3)], [("a", 0.2001), ("b", 0.2999)]
    assert again(run).doubts() == []
    run.events, run._finer.events = [("a", 0.2), ("b", 0.2001)], [("b", 0.20005), ("a", 0.2001)]  # close: either may be first
    assert again(run).doubts() == []
    run.events = [("a", 0.2), ("b", 0.3), ("a", 0.4), ("b", 0.5)]
    run._finer.events = [("a", 0.2), ("a", 0.4), ("b", 0.5), ("b", 0.5001)]
    assert again(run).error_estimate.event_times[1] > 0.1  # one that moved that far


def test_a_finer_run_that_fails_is_a_doubt(monkeypatch):
    original = verification._finer

    def few(options):
        r, out = original(options)
        return r, {**out, "max_steps": 40}

    monkeypatch.setattr(verification, "_finer", few)
    run = da.simulate(catalog.make("slider-crank"), 2.0, verify=True)
    e = run.certificate.error_estimate
    (doubt,) = run.certificate.doubts()
    assert run.status == "complete" and "stopped at t =" in doubt
    known = np.isfinite(e["piston"].position)
    assert known[:5].all() and not known[-1]


def test_a_run_that_fails_is_verified_as_far_as_it_came():
    with pytest.raises(da.SimulationError) as caught:
        da.simulate(catalog.make("slider-crank"), 2.0, verify=True, max_steps=30)
    run = caught.value.run
    e = run.certificate.error_estimate
    assert len(run.t) > 3 and np.all(np.isfinite(e["piston"].position)) and e.doubts == []


def test_sensitive_motion_is_named():
    """A double pendulum over a long time: growth, and until when positions are known."""
    run = da.simulate(catalog.make("chain", n=3), 8.0, rtol=1e-5, verify=True)
    e = run.certificate.error_estimate
    best = da.simulate(catalog.make("chain", n=3), 8.0, rtol=1e-12, atol=1e-14)
    apart_ = max(np.linalg.norm(run[b].position - best[b].position, axis=1).max() for b in run.system.bodies)
    assert e.growth is not None and e.growth > 0.5
    assert e.notes and "e^(" in e.notes[0] and e.notes[0] in str(run.certificate)
    assert (e.trusted is not None) == (apart_ > 1e-2 * run.certificate.scales.length)
    calm = da.simulate(catalog.make("slider-crank"), 2.0, verify=True).certificate.error_estimate
    assert calm.growth is None and calm.trusted is None and calm.notes == []


def test_costs():
    """Evaluations of both runs over those of one: at most 2.5 (rk8), 3 (rk5, radau), 4.5 (alpha)."""
    for integrator, most in (("rk8", 2.5), ("rk5", 3.0), ("radau", 3.0), ("alpha", 4.5)):
        cost = []
        for name in ("slider-crank", "bricard", "car-axis", "lagrange-top"):
            run = da.simulate(catalog.make(name), 0.5, integrator=integrator, rtol=1e-5, verify=True)
            one, two = (sum(r.stats[k] for k in ("rhs_calls", "newton", "factorisations")) for r in (run, run._finer))
            cost.append(1 + two / one)
        assert np.median(cost) <= most, (integrator, cost)


def test_checkpoint_and_resume_say_so(tmp_path):
    m, file = catalog.make("slider-crank"), tmp_path / "run.npz"
    run = da.simulate(m, 0.5, verify=True, checkpoint=file)
    assert run.certificate.error_estimate is not None
    again = da.resume(m, file, until=1.0)
    assert again.certificate.error_estimate is None and "not estimated" in str(again.certificate)


def test_files_keep_it(tmp_path):
    run = da.simulate(catalog.make("bricard"), 0.5, rtol=1e-4, verify=True, events="t - 0.2")
    run.save(tmp_path / "run.h5")
    again = da.load(tmp_path / "run.h5")
    assert str(again.certificate) == str(run.certificate)
    a, b = run.certificate.error_estimate, again.certificate.error_estimate
    for name in run.system.bodies:
        for q in QUANTITIES:
            np.testing.assert_array_equal(getattr(a[name], q), getattr(b[name], q))
    np.testing.assert_array_equal(a.energy["total"], b.energy["total"])
    assert list(a.bodies) == list(b.bodies) and a.notes == b.notes


def test_derived_equations_refuse():
    class Derived:
        """What integrates itself."""

        def verify(self, model):
            """Not reached."""

    with pytest.raises(da.SimulationError, match="needs the model"):
        da.simulate(Derived(), 1.0, verify=True)


def test_angle_between_attitudes():
    random = np.random.default_rng(0)
    e = random.standard_normal((5, 4))
    assert np.all(apart(e, -e) < 1e-15)
    for angle in (1e-9, 1e-3, 1.0, 3.0):
        c, s = np.cos(angle), np.sin(angle)
        turned = quaternion_of_matrix(np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]))
        assert apart(np.array([1.0, 0, 0, 0]), turned) == pytest.approx(angle, rel=1e-7)


def test_alpha_follows_two_thirds_of_the_tolerance():
    """A smooth pendulum: the exponent of α shows in the estimate, which is near the true error, not only on its safe side."""
    m = catalog.make("pendulum")
    best = da.simulate(m, 2.0, integrator="rk8", rtol=1e-12, atol=1e-14)
    for rtol in (1e-3, 1e-4):
        run = da.simulate(m, 2.0, integrator="alpha", rtol=rtol, verify=True)
        count, bad = within(run, best, 0.94, 1.06)  # p = 1 would tell 9 % less, p = 1/3 a third more
        assert count and not bad
