"""Ready parts against closed forms and SciPy's integration."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import dalembert as da
from dalembert.errors import ModelError, SimulationError


def rotor(inertia=0.02):
    m = da.Model("rotor", dim=2)
    m.add(da.Body("r", mass=1.0, inertia=inertia))
    m.add(da.Revolute("p", m.ground, "r", at=(0, 0)))
    return m


def test_pid_with_limits_and_anti_windup_against_scipy():
    m = rotor()
    m.parameters["goal"] = 2.0
    m.add(da.parts.pid("u", "goal - p.angle", kp=4.0, ki=6.0, kd=0.5, filter=0.02, limits=(-0.5, 0.5), tracking=0.3))
    m.add(da.Motor("motor", "p", "u - 0.05*rate"))
    run = da.simulate(m, 4.0, rtol=1e-10, atol=1e-12, step=0.05)

    def rates(t, y):
        th, w, f, total = y
        e = 2.0 - th
        df = (e - f) / 0.02
        raw = 4.0 * e + 0.5 * df + total
        u = min(max(raw, -0.5), 0.5)
        return [w, (u - 0.05 * w) / 0.02, df, 6.0 * e + (u - raw) / 0.3]

    want = solve_ivp(rates, (0, 4), [0.0] * 4, rtol=1e-11, atol=1e-13, t_eval=run.t, max_step=1e-3, method="DOP853").y
    assert np.abs(run["p"].coordinate - want[0]).max() < 1e-6
    assert np.abs(run["u_integral"].value - want[3]).max() < 1e-5
    assert run["u"].value.max() <= 0.5 + 1e-12 and run["u_raw"].value.max() > 1.0  # at the limit for a while
    wound = rotor()
    wound.parameters["goal"] = 2.0
    wound.add(da.Differential("total", "6*(goal - p.angle)"))
    wound.add(da.Differential("f", "(goal - p.angle - f)/0.02"))
    wound.add(da.Motor("motor", "p", "min(max(4*(goal - p.angle) + 0.5*f.rate + total, -0.5), 0.5) - 0.05*rate"))
    over = da.simulate(wound, 4.0)["p"].coordinate.max()
    assert run["p"].coordinate.max() < 2.0 + 0.5 * (over - 2.0)  # winding up overshoots more than twice as far


def test_pid_without_limits_is_the_plain_formula():
    m = rotor()
    m.add(da.parts.pid("u", "0.3 - p.angle", kp=4.0))
    assert [e for e in m.elements if e.startswith("u")] == ["u_error", "u"]
    with pytest.raises(ModelError, match="error is a formula"):
        da.parts.pid("u", 3.0, kp=1.0)
    with pytest.raises(ModelError, match="letters, digits and _"):
        da.parts.pid("my controller", "p", kp=1.0)


def test_dc_motor_behind_a_gear():
    m = rotor(0.5)
    m.add(da.parts.dc_motor("drive", "p", voltage=12.0, resistance=2.0, inductance=0.02, constant=0.1, friction=1e-4, gear=10.0))
    run = da.simulate(m, 1.0, rtol=1e-10, atol=1e-12, integrator="radau")
    A = np.array([[-2 / 0.02, -0.1 * 10 / 0.02], [10 * 0.1 / 0.5, -100 * 1e-4 / 0.5]])
    rest = -np.linalg.solve(A, [12 / 0.02, 0.0])
    from scipy.linalg import expm

    want = np.array([rest - expm(A * t) @ rest for t in run.t])
    assert np.abs(run["drive_current"].value - want[:, 0]).max() < 1e-8
    assert np.abs(run["p"].rate - want[:, 1]).max() < 1e-8


def test_first_order_actuator():
    m = rotor()
    m.add(da.parts.first_order("y", "1 + 0*p", time=0.2))
    run = da.simulate(m, 1.0, rtol=1e-10, atol=1e-12)
    assert np.abs(run["y"].value - (1 - np.exp(-run.t / 0.2))).max() < 1e-9


def test_cable_pulls_and_never_pushes():
    m = da.Model("weight", dim=2, gravity=(0, -9.81))
    m.add(da.Particle("w", mass=2.0, position=(0, -0.5)))
    m.add(da.parts.cable("rope", m.ground, "w", at_i=(0, 0), on_j=(0, 0), stiffness=2e4, damping=100.0, length=1.0))
    run = da.simulate(m, 1.5, rtol=1e-8, step=1e-3)
    free = run.t < np.sqrt(2 * 0.5 / 9.81) - 1e-6
    assert np.all(run["rope"].force[free] == 0.0) and run["rope"].force.min() >= 0.0 and run["rope"].force.max() > 200.0
    assert np.abs(run["w"].position[free, 1] - (-0.5 - 0.5 * 9.81 * run.t[free] ** 2)).max() < 1e-9
    assert run["rope"].length[-1] > 0.9


def test_hydraulic_cylinder_with_its_valve_against_scipy():
    m = da.Model("ram", dim=2)
    m.add(da.Body("load", mass=500.0, inertia=1.0, position=(1.0, 0)))
    m.add(da.Prismatic("rail", m.ground, "load", at=(1.0, 0), axis=(1, 0)))
    m.add(da.parts.hydraulic_cylinder("cyl", m.ground, "load", at_i=(0, 0), at_j=(1.0, 0), valve="0.6*sin(8*t)", supply=2e7,
                                      conductance=3e-7, area=2e-3, rod_area=1.2e-3, volume=1e-3, rod_volume=6e-4, stroke=1.0,
                                      friction=2e3, start=4e6, rod_start=6e6))
    run = da.simulate(m, 0.8, rtol=1e-9, atol=1e-11, step=0.02)

    def g(x):
        return x / (x**2 + 1e10) ** 0.25

    def rates(t, y):
        s, v, a, b = y
        u, k = 0.6 * np.sin(8 * t), 3e-7
        qa = k * (max(u, 0) * g(2e7 - a) + min(u, 0) * g(a))
        qb = -k * (max(u, 0) * g(b) + min(u, 0) * g(2e7 - b))
        return [v, (a * 2e-3 - b * 1.2e-3 - 2e3 * v) / 500, 1.4e9 * (qa - 2e-3 * v) / (1e-3 + 2e-3 * s),
                1.4e9 * (qb + 1.2e-3 * v) / (6e-4 - 1.2e-3 * s)]

    want = solve_ivp(rates, (0, 0.8), [0, 0, 4e6, 6e6], rtol=1e-11, atol=1e-9, t_eval=run.t, max_step=1e-3, method="DOP853").y
    assert np.abs(run["rail"].coordinate - want[0]).max() < 1e-8
    assert np.abs(run["cyl_p"].value / want[2] - 1).max() < 1e-6
    assert np.abs(run["cyl"].force + (want[2] * 2e-3 - want[3] * 1.2e-3 - 2e3 * want[1])).max() < 1e-6 * 4e4


@pytest.mark.parametrize("integrator", ["rk8", "rk5", "rk4"])
def test_dc_motor_between_the_steps(integrator):
    """A winding of 5 ms limits the steps; its current, the current's rate and the acceleration keep their digits between them."""
    A = np.array([[-200.0, -10.0], [5.0, -5e-3]])
    rest = -np.linalg.solve(A, [1200.0, 0.0])
    modes, V = np.linalg.eig(A)
    c = np.linalg.solve(V, rest)
    for rtol in (1e-4, 1e-6, 1e-8, 1e-10):
        m = rotor()
        m.add(da.parts.dc_motor("d", "p", voltage=12.0, resistance=2.0, inductance=0.01, constant=0.1, friction=1e-4))
        run = da.simulate(m, 0.5, rtol=rtol, atol=1e-2 * rtol, step=0.5 / 997, integrator=integrator)
        want = rest - ((np.exp(np.outer(run.t, modes)) * c) @ V.T).real
        rates = -((np.exp(np.outer(run.t, modes)) * (modes * c)) @ V.T).real
        allowed = 120.0 * rtol  # twenty times rtol of 6 A; before the interpolant was judged 1e5 times
        assert np.abs(run["d_current"].value - want[:, 0]).max() < allowed
        assert np.abs(run["d_current"].rate - rates[:, 0]).max() < 200.0 * allowed
        assert np.abs(run["r"].angular_acceleration - rates[:, 1]).max() < 5.0 * allowed


RAM = {"valve": 0.0, "supply": 2e7, "conductance": 3e-7, "area": 2e-3, "rod_area": 1.2e-3, "volume": 1e-3, "rod_volume": 6e-4,
       "stroke": 1.0}


def ram(**given):
    m = da.Model("ram", dim=2)
    m.add(da.Body("load", mass=500.0, inertia=1.0, position=(1.0, 0)))
    m.add(da.Prismatic("rail", m.ground, "load", at=(1.0, 0), axis=(1, 0)))
    m.add(da.parts.hydraulic_cylinder("cyl", m.ground, "load", at_i=(0, 0), at_j=(1.0, 0), **{**RAM, **given}))
    m.add(da.Motor("pull", "rail", "2e4*sin(15*t)"))
    return m


def test_oil_parts_instead_of_holding_a_tension_and_comes_together_again():
    """Valve shut: the chamber that is drawn apart stays at vacuum; the void closes where it opened (SciPy, the same law)."""
    run = da.simulate(ram(friction=3e4), 0.5, rtol=1e-9, atol=1e-11, step=0.01)

    def soft(p):
        return 1.4e9 * min(max((p + 1e5) / 2e4, 1e-3), 1.0) ** 2

    def rates(t, y):
        s, v, a, b = y
        return [v, (2e4 * np.sin(15 * t) + a * 2e-3 - b * 1.2e-3 - 3e4 * v) / 500, -soft(a) * 2e-3 * v / (1e-3 + 2e-3 * s),
                soft(b) * 1.2e-3 * v / (6e-4 - 1.2e-3 * s)]

    want = solve_ivp(rates, (0, 0.5), [0, 0, 0, 0], rtol=1e-10, atol=1e-10, t_eval=run.t, max_step=5e-4, method="Radau").y
    a, b = run["cyl_p"].value, run["cyl_p_rod"].value
    assert -1.01e5 < a.min() < -0.99e5 and -1.01e5 < b.min() < -0.99e5 and a.max() > 5e6
    assert np.abs(run["rail"].coordinate - want[0]).max() < 1e-6 * np.abs(want[0]).max()
    assert np.abs(a - want[2]).max() < 1e-4 * want[2].max()
    holds = da.simulate(ram(friction=3e4, cavitation=None), 0.5, step=0.01)
    assert holds["cyl_p"].value.min() < -1e6


@pytest.mark.parametrize("make,said", [
    (lambda: da.parts.pid("u", "1 - p.angle", kp=1.0, limits=(1, -1)), "lowest output, then the highest"),
    (lambda: da.parts.pid("u", "1 - p.angle", kp=1.0, limits=3.0), "two numbers, the lowest"),
    (lambda: da.parts.pid("u", "1 - p.angle", kp=1.0, kd=1.0, filter=0), "filter of pid 'u' must be more than 0"),
    (lambda: da.parts.pid("u", "1 - p.angle", kp=1.0, ki=1.0, limits=(-1, 1), tracking=-1.0), "tracking of pid 'u' must be more"),
    (lambda: da.parts.pid("u", "1 - p.angle", kp=-1.0, ki=1.0, limits=(-1, 1)), "kp and ki have different signs"),
    (lambda: da.parts.first_order("y", 1.0, time=-1), "time of first_order 'y' must be more than 0"),
    (lambda: da.parts.first_order("y", 1.0, time="1 - 1"), "time of first_order 'y' must be more than 0"),
    (lambda: da.parts.dc_motor("d", "p", voltage=1.0, resistance=1.0, inductance=0, constant=1.0), "inductance .* more than 0"),
    (lambda: da.parts.dc_motor("d", "p", voltage=1.0, resistance=-1, inductance=1.0, constant=1.0), "resistance .* 0 or more"),
    (lambda: da.parts.dc_motor("d", "p", voltage=1.0, resistance=1.0, inductance=1.0, constant=0.0), "constant .* not 0"),
    (lambda: da.parts.cable("c", "ground", "r", stiffness=-5, length=1.0), "stiffness of cable 'c' must be more than 0"),
    (lambda: da.parts.cable("c", "ground", "r", stiffness=5, length=-1.0), "length of cable 'c' must be 0 or more"),
    (lambda: ram(volume=0.0), "volume of hydraulic_cylinder 'cyl' must be more than 0"),
    (lambda: ram(bulk=-1.0), "bulk of hydraulic_cylinder 'cyl' must be more than 0"),
])
def test_numbers_that_make_no_sense_are_refused_where_they_are_given(make, said):
    with pytest.raises(ModelError, match=said):
        make()


def test_formulas_over_parameters_are_taken():
    m = rotor()
    m.parameters.update({"T": 0.1, "top": 2.0})
    m.add(da.parts.pid("u", "1 - p.angle", kp="top", ki="1/T", kd=0.1, filter="T", limits=("-top", "top")))
    m.add(da.parts.first_order("y", "u", time="T"))
    m.compile()


@pytest.mark.parametrize("valve,state", [(1.0, "cyl_p_rod"), (-1.0, "cyl_p")])
def test_a_chamber_that_runs_empty_is_named(valve, state):
    with pytest.raises(SimulationError, match=rf"the state '{state}' = .* runs away: .*a chamber that is empty"):
        da.simulate(ram(valve=valve, friction=1e3), 20.0, step=0.1)


def test_a_state_that_grows_without_bounds_is_named():
    m = rotor()
    m.add(da.Differential("z", "z**2", start=1.0))
    with pytest.raises(SimulationError, match=r"stopped at t = 1 of 2: .*the state 'z' = .* runs away"):
        da.simulate(m, 2.0)
