"""Signals, states and algebraic unknowns: closed forms, SciPy, linearize, derivatives, resume, refusals."""

import numpy as np
import pytest

import dalembert as da
from dalembert.errors import AnalysisError, ModelError, SimulationError


def winding(**given):
    m = da.Model("dc", dim=2, parameters={"U": 12.0, "R": 2.0, "L": 0.05, "k": 0.1, "J": 0.002, "d": 0.001, "i0": 0.0, **given})
    m.add(da.Body("rotor", mass=1.0, inertia="J"))
    m.add(da.Revolute("shaft", m.ground, "rotor", at=(0, 0)))
    m.add(da.Differential("i", "(U - R*i - k*shaft.rate)/L", start="i0"))
    m.add(da.Motor("motor", "shaft", "k*i - d*rate"))
    return m


def exact(m, times):
    """x = (i, ω): x' = A x + b."""
    from scipy.linalg import expm

    v = m.parameter_values()
    A = np.array([[-v["R"] / v["L"], -v["k"] / v["L"]], [v["k"] / v["J"], -v["d"] / v["J"]]])
    rest = -np.linalg.solve(A, [v["U"] / v["L"], 0.0])
    return np.array([rest + expm(A * t) @ (np.array([v["i0"], 0.0]) - rest) for t in times]), A


@pytest.mark.parametrize("integrator", ["auto", "rk5", "radau"])
def test_motor_with_current(integrator):
    run = da.simulate(winding(), 0.5, integrator=integrator, rtol=1e-10, atol=1e-12)
    want, _ = exact(run.model, run.t)
    assert np.abs(run["i"].value - want[:, 0]).max() < 1e-8
    assert np.abs(run["shaft"].rate - want[:, 1]).max() < 1e-8
    assert np.abs(run["i"].rate - (12 - 2 * want[:, 0] - 0.1 * want[:, 1]) / 0.05).max() < 1e-6
    assert run.energy.residual.max() < 1e-8


@pytest.mark.parametrize(("integrator", "order", "step"), [("alpha", 2, 1e-3), ("radau", 5, 8e-3), ("rk5", 5, 4e-3)])
def test_order_with_states(integrator, order, step):
    found = []
    for h in (step, step / 2):
        run = da.simulate(winding(), 0.128, times=[0.128], integrator=integrator, fixed_step=h)
        found.append(abs(run["i"].value[-1] - exact(run.model, run.t)[0][-1, 0]))
    assert abs(np.log2(found[0] / found[1]) - order) < 0.3


def test_newton_knows_the_states():
    """A current a thousand times faster than the shaft: Radau needs two iterations a step for a linear problem, not more; a first
    step that is too long by ten orders is found too, to the rounding of its first correction, and judged by its error."""
    run = da.simulate(winding(L=2e-6), 0.5, integrator="radau")
    assert run.stats["newton"] <= 2.2 * run.stats["steps"] and run.stats["steps"] < 120
    slow = da.simulate(winding(L=2e-6), 0.5)
    assert slow.stats["method"] == "radau" and np.abs(slow["shaft"].rate - run["shaft"].rate).max() < 1e-3


def test_exact_and_differenced_tangents_agree():
    from dalembert.equations.workspace import workspace
    from dalembert.formulations.augmented.newton.engine import NewtonWork

    m = winding()
    m.add(da.Differential("w", "sin(3*w) + i*shaft.angle - 0.2*rotor.omega*w", start=0.4))
    m.add(da.Torque("load", "rotor", "0.3*w**2 - 0.1*i*shaft.rate"))
    m.initial("shaft", rate=2.0)
    state, found = da.assemble(m), []
    for exactly in (True, False):
        w = workspace(state.system)
        w.set(0.3, state.q, state.v)
        w.q[list(state.system.states.values())] = 0.7, 0.4
        w.run("accelerations")
        n = NewtonWork(w, exactly)
        assert n.bound("differentiate")() == 0
        found.append({name: getattr(n.arrays, name).copy() for name in ("B", "Eq", "Ev", "F", "K", "C")})
    for name, values in found[0].items():
        assert np.abs(values - found[1][name]).max() < 1e-6 * max(np.abs(values).max(), 1.0), name
    assert np.abs(found[0]["B"]).max() > 0.1 and np.abs(found[0]["Eq"]).max() > 0.1


def test_pid_against_scipy():
    from scipy.integrate import solve_ivp

    m = pid()
    run = da.simulate(m, 2.0, rtol=1e-11, atol=1e-13, step=0.1)

    def rates(t, y):
        th, w, f, total = y
        e = 0.3 - th
        df = (e - f) / 0.01
        return [w, (4 * e + 6 * total + 0.4 * df - 1.5 * np.sin(th) - 0.05 * w) / 0.02, df, e]

    want = solve_ivp(rates, (0, 2), [0.0] * 4, rtol=1e-12, atol=1e-14, t_eval=run.t, method="DOP853").y
    assert np.abs(run["p"].coordinate - want[0]).max() < 1e-9
    assert np.abs(run["total"].value - want[3]).max() < 1e-9
    assert np.abs(run["u"].value - run["mot"].torque).max() < 1e-12


def pid(goal=0.3, start=0.0):
    m = da.Model("pid", dim=2, parameters={"k": 1.5, "c": 0.05, "kp": 4.0, "ki": 6.0, "kd": 0.4, "tf": 0.01, "goal": goal,
                                           "start": start})
    m.add(da.Body("r", mass=1.0, inertia=0.02))
    m.add(da.Revolute("p", m.ground, "r", at=(0, 0)))
    m.add(da.Motor("load", "p", "-k*sin(coordinate) - c*rate"))
    m.add(da.Signal("target", "goal"))
    m.add(da.Signal("miss", "target - p.angle"))
    m.add(da.Differential("f", "(miss - f)/tf"))
    m.add(da.Differential("total", "miss", start="start"))
    m.add(da.Signal("u", "kp*miss + ki*total + kd*f.rate"))
    m.add(da.Motor("mot", "p", "u"))
    return m


def test_closed_loop_eigenvalues_by_hand():
    m = pid(start=1.5 * np.sin(0.3) / 6.0)
    m.initial("p", coordinate="goal")
    lin = da.linearize(m, inputs=["target", "p"], outputs=["p", "u", "p acceleration", "f"])
    k, c, kp, ki, kd, tf, J = 1.5 * np.cos(0.3), 0.05, 4.0, 6.0, 0.4, 0.01, 0.02
    A = np.array([[0, 1, 0, 0], [-(k + kp + kd / tf) / J, -c / J, -kd / tf / J, ki / J], [-1 / tf, 0, -1 / tf, 0], [-1, 0, 0, 0]])
    B = np.array([[0, 0], [(kp + kd / tf) / J, 1 / J], [1 / tf, 0], [1, 0]])
    u = np.array([-(kp + kd / tf), 0, -kd / tf, ki])
    assert lin.states == ["p", "p rate", "f", "total"] and lin.steady
    assert np.abs(lin.A - A).max() < 1e-11 * np.abs(A).max() and np.abs(lin.B - B).max() < 1e-10
    assert np.abs(lin.C - np.array([[1, 0, 0, 0], u, A[1], [0, 0, 1, 0]])).max() < 1e-10
    assert np.abs(lin.D - np.array([[0, 0], [kp + kd / tf, 0], B[1], [0, 0]])).max() < 1e-10
    want = np.sort_complex(np.linalg.eigvals(A))
    assert (np.abs(np.sort_complex(lin.eigenvalues) - want) / np.abs(want)).max() < 1e-9
    assert all(set(mode.shape) == {"p", "p rate", "f", "total"} for mode in lin.modes())
    assert not da.linearize(pid()).steady


@pytest.mark.parametrize("start, steady", [(1.0, True), (0.2, False)])
def test_a_state_that_changes_beside_a_mechanism_at_rest(start, steady):
    """Nothing moves, and the state may be on its way all the same."""
    m = da.Model("hanging", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("bar", (0, 0), (0, -1.0), mass=1.0))
    m.add(da.Revolute("O", m.ground, "bar", at=(0, 0)))
    m.add(da.Differential("z", "1 - z", start=start))
    lin = da.linearize(m)
    assert lin.steady is steady and any("not steady" in d for d in lin.doubts) is not steady


def test_hydraulic_cylinder_step_response():
    """p' = (q − A v)/C with a mass on the rod: an oscillator, by its closed form."""
    m = da.Model("cylinder", dim=2, parameters={"A": 2e-3, "C": 4e-13, "q": 1e-4, "mass": 200.0})
    m.add(da.Body("rod", mass="mass", inertia=1.0))
    m.add(da.Prismatic("guide", m.ground, "rod", at=(0, 0), axis=(1, 0)))
    m.add(da.Differential("p", "(q - A*guide.rate)/C"))
    m.add(da.Motor("push", "guide", "A*p"))
    run = da.simulate(m, 0.3, rtol=1e-11, atol=1e-13)
    w = 2e-3 / np.sqrt(4e-13 * 200.0)
    v = 1e-4 / 2e-3
    assert np.abs(run["guide"].rate - v * (1 - np.cos(w * run.t))).max() < 1e-8
    assert np.abs(run["p"].value / (v * np.sqrt(200.0 / 4e-13)) - np.sin(w * run.t)).max() < 1e-8


def test_derivatives_of_runs_with_states():
    run = da.simulate(winding(i0=0.5), 0.2, rtol=1e-9, atol=1e-12)
    h = 1e-6
    for name in ("R", "k", "i0"):
        at = run.model.parameter_values()[name]
        ends = [exact(winding(**({"i0": 0.5} | {name: at + s * h})), [0.2])[0][-1] for s in (1, -1)]
        want = (ends[0] - ends[1]) / (2 * h)
        found = run.derivative(name)
        assert abs(found["i"].value[-1] - want[0]) < 1e-6 * max(1, abs(want[0]))
        assert abs(found["shaft"].rate[-1] - want[1]) < 1e-6 * max(1, abs(want[1]))


@pytest.mark.parametrize("integrator", ["rk8", "radau", "alpha"])
def test_resume_gives_the_same_bits(integrator, tmp_path):
    times, file = np.linspace(0, 0.3, 31), tmp_path / "c.h5"
    whole = da.simulate(winding(), 0.3, times=times, integrator=integrator)
    with pytest.raises(SimulationError) as caught:
        da.simulate(winding(), 0.3, times=times, integrator=integrator, max_steps=max(3, whole.stats["steps"] // 2),
                    checkpoint=file)
    assert 0 < len(caught.value.run.t) < 31
    kept = caught.value.run._state
    kept["options"]["max_steps"] = 10**6
    on = da.resume(caught.value.run)
    assert np.array_equal(on.q, whole.q) and np.array_equal(on.v, whole.v)


def test_files_and_states_carry_over(tmp_path):
    run = da.simulate(winding(), 0.2)
    run.save(tmp_path / "r.h5")
    back = da.load(tmp_path / "r.h5")
    assert np.array_equal(back["i"].value, run["i"].value) and np.array_equal(back["i"].rate, run["i"].rate)
    assert [c for c in run.channels() if str(c).startswith("i.")]
    half = da.simulate(winding(), 0.1, rtol=1e-9)
    on = da.simulate(winding(), 0.2, start=0.1, state=half.state(), rtol=1e-9)
    assert abs(on["i"].value[-1] - exact(on.model, [0.2])[0][-1, 0]) < 1e-6
    table = da.sweep(winding(), {"R": [1.0, 2.0]}, da.simulate, 0.1, outputs={"i": "i.value"}) if hasattr(da, "sweep") else None
    assert table is not None


def test_algebraic_loop_and_singular_one():
    m = da.Model("loop", dim=2, parameters={"k": 3.0})
    m.add(da.Body("cart", mass=2.0, inertia=0.1))
    m.add(da.Prismatic("rail", m.ground, "cart", at=(0, 0), axis=(1, 0)))
    m.add(da.Algebraic("u", "u + 0.2*u**3 - k*(1 - rail.slide - 0.5*w)", start=1.0))
    m.add(da.Algebraic("w", "w - u + 0.1*rail.rate"))
    m.add(da.Signal("twice", "2*u"))
    m.add(da.Motor("push", "rail", "twice - 2*rail.rate"))
    run = da.simulate(m, 1.0, rtol=1e-9)
    u, w = run["u"].value, run["w"].value
    assert np.abs(u + 0.2 * u**3 - 3 * (1 - run["rail"].coordinate - 0.5 * w)).max() < 1e-12
    assert np.abs(w - u + 0.1 * run["rail"].rate).max() < 1e-13 and np.allclose(run["twice"].value, 2 * u)
    lin = da.linearize(m, at=run.state(0))
    slope = np.linalg.solve([[1 + 0.6 * u[0] ** 2, 1.5], [-1.0, 1.0]], [[-3.0, 0.0], [0.0, -0.1]])
    assert np.abs(lin.A[1] - np.array([2 * slope[0, 0], 2 * slope[0, 1] - 2.0]) / 2.0).max() < 1e-12
    radau = da.simulate(m, 1.0, rtol=1e-9, integrator="radau")
    assert np.abs(radau["rail"].coordinate - run["rail"].coordinate).max() < 1e-8
    m.add(da.Algebraic("x", "(x - rail.slide)*(t - 0.5)*0 + 0*x"))
    with pytest.raises(SimulationError, match="the algebraic equations of 'u', 'w', 'x' cannot be solved at t = 0"):
        da.simulate(m, 1.0)
    with pytest.raises(ModelError, match="its equation is a formula in which 'z' occurs"):
        n = winding()
        n.add(da.Algebraic("z", "i - 1"))
        n.compile()


def test_analyses_without_a_place_for_states_say_so():
    driven = winding()
    driven.add(da.Drive("turn", "shaft", "3*t"))
    for ask in (lambda: da.equilibria(winding()), lambda: da.hold(winding(), unknown="U"),
                lambda: da.kinematics(driven, until=0.1, step=0.05), lambda: da.inverse_dynamics(driven, until=0.1, step=0.05),
                lambda: da.simulate(winding(), 0.1, formulation="recursive"), lambda: da.compare(winding()),
                lambda: da.derive(winding(), method="lagrange")):
        with pytest.raises(AnalysisError, match=r"i change by rates|states of differentials|rate of its own"):
            ask()


def test_matrices_have_rows_of_states_and_unknowns():
    m = winding(i0=0.5)
    m.add(da.Algebraic("u", "u + 0.2*u**3 - 3*(1 - shaft.rate - 0.5*i)", start=1.0))
    m.add(da.Motor("also", "shaft", "u"))
    m.initial("shaft", rate=3.0)
    found = da.matrices(m)
    u = found.unknowns["u"]
    assert abs(u + 0.2 * u**3 - 3 * (1 - 3.0 - 0.25)) < 1e-12
    assert found.states["i"] == 0.5 and abs(found.rates["i"] - (12 - 2 * 0.5 - 0.1 * 3.0) / 0.05) < 1e-9
    assert abs(found.acceleration["rotor.angle"] - (0.1 * 0.5 - 0.001 * 3.0 + u) / 0.002) < 1e-8
    assert "states, .states: i = 0.5" in str(found) and ".rates: i = 214" in str(found) and ".unknowns: u = " in str(found)
    plain = da.matrices(da.catalog.make("four-bar"))
    assert not len(plain.states) and not len(plain.unknowns) and "states" not in str(plain)
