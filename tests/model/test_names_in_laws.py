"""Laws that read the mechanism by name: values against hand-written ones, forms, implicit methods, refusals."""

import math

import numpy as np
import pytest

import dalembert as da
from dalembert.errors import ModelError, SimulationError


def arm(law="0", second="0", **parameters):
    m = da.Model("two joints", dim=2, gravity=(0, -9.81), parameters={"kp": 60.0, "kd": 8.0, "target": 0.4, **parameters})
    m.add(da.Body.rod("up", (0, 0), (0.5, 0), mass=2.0))
    m.add(da.Body.rod("low", (0.5, 0), (1, 0), mass=1.0))
    m.add(da.Revolute("O", m.ground, "up", at=(0, 0)))
    m.add(da.Revolute("A", "up", "low", at=(0.5, 0)))
    m.add(da.Motor("m", "O", law))
    m.add(da.Motor("n", "A", second))
    return m


PD = "kp*(target - A.angle) - kd*O.rate"


def by_hand(t, y, law):
    """Two uniform rods, Lagrange's equations with absolute angles: an independent route."""
    a, b, u, w = y
    m1, m2, l, g = 2.0, 1.0, 0.5, 9.81
    first, second = law(a, b - a, u, w - u)
    c, s = math.cos(b - a), math.sin(b - a)
    M = np.array([[m1 * l**2 / 3 + m2 * l**2, m2 * l**2 / 2 * c], [m2 * l**2 / 2 * c, m2 * l**2 / 3]])
    Q = np.array([first - second + m2 * l**2 / 2 * s * w**2 - g * l * math.cos(a) * (m1 / 2 + m2),
                  second - m2 * l**2 / 2 * s * u**2 - m2 * g * l / 2 * math.cos(b)])
    return [u, w, *np.linalg.solve(M, Q)]


def test_two_joint_pd_against_scipy():
    from scipy.integrate import solve_ivp

    run = da.simulate(arm(PD, "-20*A - 3*A.rate"), 1.0, rtol=1e-10, atol=1e-12, step=0.1)
    want = solve_ivp(by_hand, (0, 1), [0.0] * 4, args=(lambda a, d, u, w: (60 * (0.4 - d) - 8 * u, -20 * d - 3 * w),),
                     rtol=1e-12, atol=1e-13, t_eval=run.t, method="DOP853").y
    assert np.abs(run["up"].angle - want[0]).max() < 1e-9
    assert np.abs(run["low"].angle - want[1]).max() < 1e-9
    assert np.abs(run["m"].torque - (60 * (0.4 - run["A"].coordinate) - 8 * run["O"].rate)).max() < 1e-12


def table(run, column):
    from dalembert.results.channels.reading import columns

    return columns(run, column)[0].values


def test_every_kind_of_name():
    """What a signal says is what the result says of the same channel."""
    m = arm(PD, "0.1*m.torque")
    m.add(da.Spring("s", m.ground, "low", at_i=(0, 1), at_j=(1, 0), stiffness=5.0, length=0.2))
    names = ("O", "O.angle", "A.rate", "A.angle.rate", "up.x", "up.position.y", "low.vx", "low.velocity.y", "low.angle",
             "up.omega",             "s.length", "s.rate", "s.force", "m.torque", "m.angle")
    for k, name in enumerate(names):
        m.add(da.Signal(f"r{k}", name))
    m.add(da.Signal("fast", "low.speed"))
    m.add(da.Signal("tip", "s.x + A.vy"))
    run = da.simulate(m, 0.3, step=0.1)
    for k, name in enumerate(names):
        column = {"O": "O.coordinate", "O.angle": "O.coordinate", "A.angle.rate": "A.rate"}.get(name, name)
        assert np.allclose(run[f"r{k}"].value, table(run, column), rtol=0, atol=1e-13), name
    tip = run["low"].point((0.25, 0))[:, 0] + run["low"].point_velocity((-0.25, 0))[:, 1]
    assert np.allclose(run["tip"].value, tip)
    assert np.allclose(run["fast"].value, np.linalg.norm(run["low"].velocity, axis=1))


def test_in_space():
    m = da.Model("top", dim=3, gravity=(0, 0, -9.81))
    m.add(da.Body("b", mass=1.0, inertia=(0.1, 0.2, 0.3), position=(0.3, 0, 0), omega=(1.0, 2.0, 3.0)))
    m.add(da.Spherical("ball", m.ground, "b", at=(0, 0, 0)))
    names = ("b.wx", "b.omega.y", "b.omega_ground.z", "b.e0", "b.quaternion.e3", "b.z", "b.vz")
    for k, name in enumerate(names):
        m.add(da.Signal(f"r{k}", name))
    m.add(da.Torque("load", "b", ("-0.1*b.wx", "-0.1*r1", "0"), frame="body"))
    ends = []
    for form in ("augmented", "recursive"):
        run = da.simulate(m, 0.2, step=0.1, formulation=form, rtol=1e-9)
        ends.append(run["b"].omega[-1])
        b = run["b"]
        want = [b.omega[:, 0], b.omega[:, 1], b.omega_ground[:, 2], b.quaternion[:, 0], b.quaternion[:, 3], b.position[:, 2],
                b.velocity[:, 2]]
        for k, values in enumerate(want):
            assert np.allclose(run[f"r{k}"].value, values, atol=1e-13), names[k]
    assert np.abs(ends[0] - ends[1]).max() < 1e-8


def test_forms_and_methods_agree():
    runs = [da.simulate(arm(PD, "-20*A.angle - 3*A.rate + 0.2*up.vx"), 0.5, step=0.1, rtol=1e-9, atol=1e-11, **kw)
            for kw in ({"formulation": "augmented"}, {"formulation": "recursive"}, {"formulation": "embedded"},
                       {"integrator": "radau"})]
    for run in runs[1:]:
        assert np.abs(run["low"].angle - runs[0]["low"].angle).max() < 1e-8


def test_newton_converges_as_with_own_coordinates():
    """A coupling that K and C missed would cost iterations: a stiff controller of another joint's angle."""
    stiff = [da.simulate(arm(law, "-1e5*A.angle - 1e3*A.rate"), 0.2, integrator="radau") for law in
             ("1e5*(0.1 - O.angle - 0.3*A.angle) - 2e3*O.rate - 100*A.rate", "1e5*(0.1 - coordinate) - 2e3*rate")]
    per_step = [r.stats["newton"] / r.stats["steps"] for r in stiff]
    assert per_step[0] < per_step[1] + 1.0


def test_python_laws_say_what_they_read():
    def smooth(t, angle, rate):
        return 60.0 * (0.4 - angle) - 8.0 * rate

    def branched(t, angle, rate):
        if angle > 10.0:
            return 0.0
        return 60.0 * (0.4 - angle) - 8.0 * rate

    reference = da.simulate(arm(PD), 0.3)
    for f in (smooth, branched):
        m = arm(da.Law(f, reads=["A.angle", "O.rate"]))
        run = da.simulate(m, 0.3)
        assert np.abs(run["up"].angle - reference["up"].angle).max() < 1e-9, f.__name__
        assert abs(da.linearize(m).A - da.linearize(arm(PD)).A).max() < 1e-7
    with pytest.raises(ModelError, match="called with t and 1 more"):
        arm(da.Law(smooth, reads=["A.angle"])).compile()
    with pytest.raises(ModelError, match="a formula names what it reads itself"):
        da.Law("A.angle", reads=["A.angle"])


def test_switches_of_what_is_read_are_events():
    """A valve that opens at another joint's angle: the step ends there, so the answer is that of two runs."""
    m = da.Model("valve", dim=2)
    for k, name in enumerate(("a", "b")):
        m.add(da.Body(name, mass=1.0, inertia=1.0, position=(0, k)))
        m.add(da.Revolute(f"p{name}", m.ground, name, at=(0, k)))
    m.initial("pa", rate=1.0)
    m.add(da.Torque("load", "b", "2*step(pa.angle - 0.377)"))
    run = da.simulate(m, 1.0, times=[0.5, 1.0])
    assert abs(run["pb"].rate[-1] - 2 * (1.0 - 0.377)) < 1e-7
    assert abs(run["pb"].coordinate[-1] - (1.0 - 0.377) ** 2) < 1e-7


def test_unknown_names_are_told_with_the_nearest():
    with pytest.raises(ModelError, match=r"Motor 'm': 'Aa.angle' in 'kp\*Aa.angle' is not known: did you mean 'A'\?"):
        arm("kp*Aa.angle").compile()
    with pytest.raises(ModelError, match=r"'A.angel' in its law: did you mean 'angle'\?: of Revolute 'A' laws read A.angle"):
        arm("kp*A.angel").compile()
    with pytest.raises(ModelError, match=r"of body 'up' laws read up.x"):
        arm("kp*up.length").compile()
    with pytest.raises(ModelError, match=r"reads 'A.power', which laws do not read"):
        arm("kp*A.power").compile()


def test_circles_are_refused_with_their_names():
    with pytest.raises(ModelError, match=r"'m.torque' depends on itself: m.torque reads m.torque"):
        arm("2*m.torque").compile()
    m = arm()
    m.add(da.Signal("a", "b + 1"))
    m.add(da.Signal("b", "2*c"))
    m.add(da.Signal("c", "a - O"))
    with pytest.raises(ModelError, match=r"'a' depends on itself: a reads b reads c reads a"):
        m.compile()


def test_prescribed_motions_read_signals_of_time_only():
    m = arm()
    m.add(da.Signal("wave", "0.1*sin(speed*t)"))
    m.parameters["speed"] = 3.0
    m.add(da.Drive("d", "O", "2*wave"))
    assert np.allclose(da.simulate(m, 0.5)["O"].coordinate, 0.2 * np.sin(3 * da.simulate(m, 0.5).t), atol=1e-9)
    m.remove("d")
    m.add(da.Drive("d", "O", "A.angle"))
    with pytest.raises(ModelError, match="is no function of time, and a prescribed motion must be one"):
        m.compile()


def test_not_a_number_is_named_with_its_time_and_keeps_the_part_before():
    m = arm()
    m.add(da.Signal("root", "sqrt(0.3 - t)"))
    m.add(da.Torque("load", "low", "root"))
    with pytest.raises(SimulationError, match=r"'root', which laws read, has a value that is not finite at t = 0\.3") as caught:
        da.simulate(m, 1.0)
    assert 0.25 < caught.value.run.t[-1] <= 0.3

    def fails(t, x):
        if t > 0.2:
            raise ValueError("the table ends")
        return 0.0 * x

    m = arm(da.Law(fails, reads=["A.angle"]))
    with pytest.raises(SimulationError, match="Motor 'm'"):
        da.simulate(m, 1.0)


def test_names_with_other_meanings_are_refused():
    for name in ("rate", "sin", "pi", "length"):
        m = arm()
        m.add(da.Signal(name, "1"))
        with pytest.raises(ModelError, match="means something else already"):
            m.compile()


def test_files_hold_formulas_with_names(tmp_path):
    m = arm(PD, "gain*m.torque", gain=0.1)
    m.add(da.Signal("s", da.Law(lambda t, x: 2 * x + t, reads=["A.angle"])))
    m.save(tmp_path / "m.toml")
    n = da.load_model(tmp_path / "m.toml")
    assert n.elements["m"].given["law"] == PD and "A.angle" in n.elements["s"].given["formula"]
    assert np.array_equal(da.simulate(m, 0.2).q, da.simulate(n, 0.2).q)
