"""Implicit methods: tangents against differences of the compiled solve, orders, stiffness, redundancy, singular poses."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.analyses.assemble import assemble
from dalembert.equations.workspace import workspace
from dalembert.formulations.augmented.newton.engine import NewtonWork

ORDERS = {"rk5": (5, 2e-3), "rk8": (8, 8e-3), "radau": (5, 4e-3), "alpha": (2, 1e-3)}


@pytest.mark.parametrize("name", ["rod-on-block", "four-bar", "slider-crank", "slider-crank-spring", "car-axis", "planetary-gear",
                                  "chaplygin-sleigh", "driven-bar", "double-pendulum", "chain", "chain-in-space"])
def test_linear_solve_inverts_the_derivative_of_the_accelerations(name):
    """(c − J) x by central differences of the compiled right-hand side, then solved: x again."""
    state = assemble(catalog.make(name))
    s = state.system
    w = workspace(s)
    w.set(0.1, state.q, state.v)
    w.run("project")
    assert w.run("accelerations") == 0
    newton = NewtonWork(w)
    assert newton.bound("differentiate")() == 0
    y0, rng, c, eps = w.y.copy(), np.random.default_rng(3), 37.0, 1e-6
    newton.arrays.coefficient[:] = [c, c, 11.0]
    assert newton.bound("factor_real")() == 0
    assert newton.bound("factor_complex")() == 0

    def twist_and_velocity():
        w.y[:] = y0
        w.v[:] = rng.standard_normal(s.nv)
        w.run("rates")
        return np.concatenate([w.qdot, rng.standard_normal(s.nv), np.zeros(3)])

    def slope(x):
        out = []
        for sign in (1, -1):
            w.y[:] = y0 + sign * eps * x
            w.run("accelerations")
            out.append(w.ydot.copy())
        return (out[0] - out[1]) / (2 * eps)

    def assert_same_motion(a, b):
        """Velocities agree, and coordinates but for the lengths of quaternions, which mean nothing."""
        w.y[:], w.change[:] = y0, (a - b)[:s.nq]
        w.run("twist")
        np.testing.assert_allclose(w.shift, 0.0, atol=1e-5)
        np.testing.assert_allclose(a[s.nq:-3], b[s.nq:-3], atol=1e-5)

    x, z = twist_and_velocity(), twist_and_velocity()
    fx, fz = slope(x), slope(z)
    w.y[:] = y0
    newton.arrays.a[:] = c * x - fx
    newton.bound("solve_real")()
    assert_same_motion(newton.arrays.a, x)
    w.y[:] = y0  # (c + 11 i − J)(x + i z)
    newton.arrays.a[:] = c * x - 11.0 * z - fx
    newton.arrays.b[:] = c * z + 11.0 * x - fz
    newton.bound("solve_complex")()
    assert_same_motion(newton.arrays.a, x)
    assert_same_motion(newton.arrays.b, z)


def test_stiffness_of_a_spring_in_closed_form():
    """Two free bodies, a spring at angle 0 between their centres: k along it, tension/length across."""
    m = da.Model("pair", dim=2, gravity=(0, 0))
    m.add(da.Body("a", mass=1, inertia=1))
    m.add(da.Body("b", mass=2, inertia=1, position=(2, 0)))
    m.add(da.Spring("s", "a", "b", on_i=(0, 0), on_j=(0, 0), stiffness=7.0, damping=3.0, length=1.5))
    w = workspace(m.compile())
    w.run("accelerations")
    newton = NewtonWork(w)
    newton.bound("differentiate")()
    block = np.diag([7.0, 7.0 * 0.5 / 2.0, 0.0])
    np.testing.assert_allclose(newton.matrix("K"), np.block([[block, -block], [-block, block]]), atol=1e-8)
    block = np.diag([3.0, 0.0, 0.0])
    np.testing.assert_allclose(newton.matrix("C"), np.block([[block, -block], [-block, block]]), atol=1e-9)


@pytest.mark.parametrize("integrator", ORDERS)
@pytest.mark.parametrize("name", ["four-bar", "spatial-four-bar"])
def test_order_on_a_closed_loop(name, integrator):
    """Error against step on loops, one of them with redundant constraints; the slope is the order."""
    order, step = ORDERS[integrator]
    if name == "spatial-four-bar":
        step *= {2: 1, 5: 5, 8: 2.5}[order]  # a slower mechanism: with short steps only rounding is left
    m = catalog.make(name)
    exact = da.simulate(m, 0.2, times=[0.2], rtol=1e-12, atol=1e-13, integrator="rk8")._q[-1]
    sizes = step * np.array([1.0, 0.5, 0.25]) if order < 8 else step * np.array([2.0, 1.4, 1.0])
    errors = [np.abs(da.simulate(m, 0.2, times=[0.2], integrator=integrator, fixed_step=h, rtol=1e-12)._q[-1] - exact).max()
              for h in sizes]
    slope = np.polyfit(np.log(sizes), np.log(errors), 1)[0]
    assert slope > order - 0.5, f"order {slope:.2f}, errors {errors}"


@pytest.mark.parametrize("integrator", ["auto", "radau", "alpha"])
def test_stiff_motion(stiff_arm, integrator):
    reference = da.simulate(stiff_arm, 1.0, times=[0.5, 1.0], integrator="radau", rtol=1e-10, atol=1e-12)
    run = da.simulate(stiff_arm, 1.0, times=[0.5, 1.0], integrator=integrator)
    assert np.abs(run["b"].angle - reference["b"].angle).max() < (2e-5 if integrator == "alpha" else 2e-6)
    assert run.certificate.doubts() == []


def test_auto_switches_and_says_so(stiff_arm):
    run = da.simulate(stiff_arm, 3.0)
    explicit = da.simulate(stiff_arm, 3.0, integrator="rk8")
    assert 0.0 < run.stats["switched"] < 3.0
    assert "stiff from t =" in str(run.certificate)
    assert run.stats["rhs_calls"] < explicit.stats["rhs_calls"]
    assert np.abs(run["b"].angle - explicit["b"].angle).max() < 1e-5
    assert da.simulate(catalog.make("four-bar"), 1.0).stats["switched"] is None


@pytest.mark.parametrize(("integrator", "rtol"), [("radau", 1e-4), ("radau", 1e-7), ("alpha", 1e-4)])
@pytest.mark.parametrize("twice", [False, True])
def test_singular_poses_from_many_starts(integrator, rtol, twice):
    """N-four-bar, N = 2: passes its singular pose twice per turn; also with two joints doubled."""
    rng = np.random.default_rng(5)
    for rate in rng.uniform(1.0, 6.0, 6) * rng.choice([-1, 1], 6):
        m = catalog.make("n-four-bar", n=2, rate=float(rate))
        if twice:
            m.add(da.Revolute("A0 again", m.ground, "crank 0", at=(0, 0)))
            m.add(da.Revolute("A1 again", m.ground, "crank 1", at=(1, 0)))
        run = da.simulate(m, 5.0, integrator=integrator, rtol=rtol, atol=1e-3 * rtol)
        assert run.certificate.position_error < 1e-9
        assert run.certificate.energy_relative < 50 * rtol ** (2 / 3 if integrator == "alpha" else 1)


@pytest.mark.parametrize("name", ["bricard", "lagrange-top", "rolling-disc", "car-axis", "slider-crank-driven"])
def test_radau_agrees_with_the_explicit_method(name):
    m = catalog.make(name)
    a = da.simulate(m, 1.0, times=[0.3, 1.0], integrator="radau", rtol=1e-8, atol=1e-11)
    b = da.simulate(m, 1.0, times=[0.3, 1.0], integrator="rk8", rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(a._q, b._q, atol=3e-8)
    assert a.certificate.energy_relative < 1e-6


@pytest.mark.parametrize("integrator", ["rk8", "rk5", "radau"])
def test_turning_fast_does_not_cost_accuracy(integrator):
    """Two coaxial discs at 1000 rad/s and a torsion spring between them: their relative angle is a milliradian."""
    m = da.Model("discs", dim=2, gravity=(0, 0))
    m.add(da.Body("a", mass=1, inertia=1.0))
    m.add(da.Body("b", mass=1, inertia=1.0))
    m.add(da.Revolute("O", m.ground, "a", at=(0, 0)))
    m.add(da.Revolute("P", "a", "b", at=(0, 0)))
    m.add(da.TorsionSpring("s", "P", stiffness=50.0))
    m.initial("O", rate=1000.0)
    m.initial("P", rate=0.01)
    run = da.simulate(m, 20.0, integrator=integrator, rtol=1e-7)
    np.testing.assert_allclose(run["P"].coordinate, 1e-3 * np.sin(10.0 * run.t), atol=1e-4)


# --------------------------------------------------------------------------------------------------- stiff directions that turn


def held_by(strut):
    """Two rods whose tip is held by ``strut`` (a function of the model, the post and the tip): nearly a four-bar, from rest."""
    knee, tip = (0.955, 0.296), (1.577, -0.488)
    post = (tip[0] + 0.737, tip[1] + 0.312)
    m = da.Model("two rods on a strut", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("upper", (0, 0), knee, mass=1.0))
    m.add(da.Body.rod("lower", knee, tip, mass=1.0))
    m.add(da.Revolute("hip", m.ground, "upper", at=(0, 0)))
    m.add(da.Revolute("knee", "upper", "lower", at=knee))
    m.add(strut(m, post, tip))
    return m


def stiff_strut(stiffness, damping):
    return lambda m, post, tip: da.Spring("strut", m.ground, "lower", at_i=post, at_j=tip, stiffness=stiffness, damping=damping)


@pytest.mark.parametrize("stiffness, damping", [(1e7, 1e5), (1e9, 1e6), (1e6, 1e5), (1e8, 0.0)])
def test_newton_keeps_pace_with_stiff_directions_that_turn(stiffness, damping):
    """Steps are what Newton's method can do (radau.py): it is not asked in vain, and the motion is that of a rigid strut."""
    def rigid(m, post, tip):
        return da.Distance("strut", m.ground, "lower", at_i=post, at_j=tip)

    run = da.simulate(held_by(stiff_strut(stiffness, damping)), 1.0, integrator="radau", rtol=1e-4)
    assert run.stats["rejected"] < 0.3 * run.stats["steps"] + 10
    assert run.stats["newton"] < 5 * run.stats["steps"]
    other = da.simulate(held_by(rigid), 1.0, rtol=1e-9)
    assert np.abs(run["lower"].position - other["lower"].position).max() < 3e-4 + 3e4 / stiffness


def test_a_stiff_turning_strut_goes_on_from_any_attempt():
    """The tangent is that of a guess ahead: a run that is stopped and resumed anywhere finds it again, to the bit."""
    m = held_by(stiff_strut(1e7, 1e5))
    whole = da.simulate(m, 0.6, integrator="radau", rtol=1e-4, step=0.1)
    total = whole.stats["steps"] + whole.stats["rejected"]
    for stop in (1, 7, total // 3, total // 2, total - 5):
        with pytest.raises(da.SimulationError) as caught:
            da.simulate(m, 0.6, integrator="radau", rtol=1e-4, step=0.1, max_steps=stop)
        part = caught.value.run
        part._state["options"]["max_steps"] = 10 ** 6
        assert da.resume(part).q.tobytes() == whole.q.tobytes(), stop


def test_an_iteration_that_nothing_helps_is_named():
    """A torque that swings by 10⁶ within 1e-15 rad/s: no step is short enough for Newton's method, and that is what is said."""
    m = da.Model("frantic", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("a", (0, 0), (1, 0), mass=1.0))
    m.add(da.Revolute("A", m.ground, "a", at=(0, 0)))
    m.add(da.Motor("w", "A", "-1000.0*tanh(1000000000.0*sin(1000000000.0*rate))"))
    with pytest.raises(da.SimulationError, match="did not converge, even with small steps"):
        da.simulate(m, 2.0, integrator="radau", rtol=1e-6, max_steps=5000)
