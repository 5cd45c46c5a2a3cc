"""Real machines of the catalogue, each against a fact that was not used to make it; mobility and redundancy as they should be."""

import itertools
from math import acos, cos, pi, sin, sqrt

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.catalog import engine, jansen_leg

MACHINES = [n for n, e in catalog.CATALOG.items() if "machine" in e.tags]
FREE = {"jansen-leg": 1, "peaucellier": 1, "watt-linkage": 1, "scissor-lift": 1, "windshield-wiper": 1, "engine": 1,
        "excavator": 3, "stewart-platform": 6, "delta-robot": 3, "double-wishbone": 4,
        "differential": 2, "cardan-shaft": 1, "gyroscope": 3,
        "six-axis-arm": 6, "balanced-arm": 1}


@pytest.mark.parametrize("name", MACHINES)
def test_mobility_without_drives_and_no_redundancy(name):
    m = catalog.make(name)
    for element in [e for e in m.elements.values() if e.kind == "drive"]:
        m.remove(element)
    found = da.check(m)
    assert (found.dof, found.gruebler, found.redundant) == (FREE[name], FREE[name], [])


def motion(name, until, step, **kw):
    return da.kinematics(catalog.make(name, **kw), until=until, step=step)


def test_jansen_against_circles():
    """The foot by assembly of bodies against intersecting circles; and it walks: two fifths of the cycle on the ground."""
    run = motion("jansen-leg", 1.0, 0.02)
    values = run.model.parameter_values()
    local = np.array([values["low_x"], values["low_y"]])
    foot = run["foot"].position + run["foot"].rotation @ local
    n = {k: 0.01 * x for k, x in jansen_leg.NUMBERS.items()}
    expected = np.array([jansen_leg.points(2 * pi * t, n)["E"] for t in run.t])
    np.testing.assert_allclose(foot, expected, atol=1e-11)
    height, stride = np.ptp(foot[:, 1]), np.ptp(foot[:, 0])
    low = foot[:, 1] < foot[:, 1].min() + 0.1 * height
    assert low.mean() > 0.4 and np.ptp(foot[low, 0]) > 0.6 * stride  # on the ground for most of the way


def test_peaucellier_draws_a_straight_line():
    run = motion("peaucellier", 2.0, 0.02)
    D = run["AD"].position + run["AD"].rotation @ np.array([0.3, 0])
    np.testing.assert_allclose(D[:, 0], (1.0 - 0.36) / 0.6, atol=1e-9)
    assert np.ptp(D[:, 1]) > 0.5


def test_watt_runs_on_his_curve():
    run = motion("watt-linkage", 1.5, 0.02)
    x, y = run["coupler"].position.T
    a, b, c = 0.5, sqrt(0.245), 0.07
    r2, angle = x * x + y * y, np.arctan2(y, x)
    root = np.sqrt(c * c - (a * np.cos(angle)) ** 2)
    miss = [r2 - (b * b - (a * np.sin(angle) + sign * root) ** 2) for sign in (1, -1)]
    assert np.abs(np.array(miss)).min(axis=0).max() < 1e-9


def test_scissor_lift_rises():
    """Height n √(l² − x²), and the cylinder's force by virtual work, moved slowly."""
    m = catalog.make("scissor-lift", speed=1e-3)
    run = da.inverse_dynamics(m, until=2000.0, step=200.0)
    x = 0.8 - 0.15 * (1 - np.cos(1e-3 * run.t))
    np.testing.assert_allclose(run["platform"].position[:, 1], 3 * np.sqrt(1 - x * x), rtol=1e-12)
    np.testing.assert_allclose(run["cylinder"].force, -(50 * 3 + 4 * 9) * 9.81 * x / np.sqrt(1 - x * x), rtol=1e-6)


def test_wiper_swings_between_its_dead_points():
    run = motion("windshield-wiper", 1.0, 1e-3)
    d, r, c, b = 0.3, 0.05, 0.3, 0.09
    swing = acos((d * d + b * b - (c + r) ** 2) / (2 * d * b)) - acos((d * d + b * b - (c - r) ** 2) / (2 * d * b))
    left = run["left arm"].angle
    assert np.ptp(left) == pytest.approx(abs(swing), rel=1e-5)
    np.testing.assert_allclose(run["right arm"].angle, left, atol=1e-10)  # a parallelogram


@pytest.mark.parametrize("cylinders", [1, 4, 6])
def test_engine_shakes_as_derived(cylinders):
    """Force on the mounts against the closed form of catalog/engine.py; its first order vanishes for four and six cylinders."""
    w, r, l, k, mp, mr = 100.0, 0.045, 0.14, 0.3, 0.4, 0.6
    m = catalog.make("engine", cylinders=cylinders)
    run = da.inverse_dynamics(m, until=2 * pi / w, step=2 * pi / w / 40)
    mounts = ["main bearing", *(f"cylinder {n + 1}" for n in range(cylinders))]
    force = -sum(np.asarray(run[n].force).reshape(len(run.t), -1)[:, :2] for n in mounts)  # joints push on the second body
    expected = np.zeros_like(force)
    for offset in engine.OFFSETS[cylinders]:
        a = w * run.t + offset
        root = np.sqrt(l * l - (r * np.sin(a)) ** 2)
        second = -r * np.cos(a) - r * r * (np.cos(2 * a) / root + (r * np.sin(2 * a)) ** 2 / (4 * root**3))
        expected[:, 0] -= w * w * ((mp + k * mr) * second - (1 - k) * mr * r * np.cos(a))
        expected[:, 1] += w * w * (1 - k) * mr * r * np.sin(a)
    np.testing.assert_allclose(force, expected, atol=1e-8 * mp * r * w * w * 10)
    first = abs(2 * np.mean(force[:-1, 0] * np.exp(-1j * w * run.t[:-1])))
    assert (first > 100) == (cylinders == 1)
    if cylinders == 6:
        assert np.abs(force).max() < 1.0  # sixth order and beyond only


def test_excavator_cylinders_obey_the_cosine_law():
    m = catalog.make("excavator")
    run = da.inverse_dynamics(m, until=6.2, step=0.1)
    p, q = np.hypot(0.5, 0.3), np.hypot(1.7, 0.1)
    s = m.parameter_values()["s_boom"] + 0.15 * (1 - np.cos(run.t))
    between = np.arccos((p * p + q * q - s * s) / (2 * p * q))
    np.testing.assert_allclose(run["boom"].angle - np.arctan2(0.1, 1.7), np.arctan2(-0.3, 0.5) + between, atol=1e-10)
    assert np.isfinite(run["boom pump"].force).all()


def test_stewart_follows_its_inverse_kinematics():
    run = motion("stewart-platform", 3.0, 0.1)
    t, top = run.t, run["platform"]
    np.testing.assert_allclose(top.position, np.array([0.1 * np.sin(2 * t), 0.1 * (1 - np.cos(2 * t)), 1 + 0.15 * np.sin(t)]).T,
                               atol=1e-10)
    turn = 0.2 * np.sin(2 * t)
    zero, one = 0 * t, 1 + 0 * t
    R = np.array([[np.cos(turn), -np.sin(turn), zero], [np.sin(turn), np.cos(turn), zero], [zero, zero, one]]).transpose(2, 0, 1)
    np.testing.assert_allclose(top.rotation, R, atol=1e-10)


def test_delta_is_where_three_spheres_meet():
    run = motion("delta-robot", 2.0, 0.1)
    np.testing.assert_allclose(run["platform"].rotation, np.broadcast_to(np.eye(3), (len(run.t), 3, 3)), atol=1e-10)
    for k, t in enumerate(run.t):
        theta = 0.3 + np.array([0.3 * sin(3 * t), 0.3 * sin(3 * t + 1) - 0.3 * sin(1), 0.2 * sin(6 * t)])
        E = [np.array([(0.14 + 0.25 * cos(a)) * cos(f), (0.14 + 0.25 * cos(a)) * sin(f), -0.25 * sin(a)])
             for a, f in zip(theta, (0, 2 * pi / 3, 4 * pi / 3), strict=True)]
        A = 2 * np.array([E[1] - E[0], E[2] - E[0]])
        b = np.array([E[1] @ E[1] - E[0] @ E[0], E[2] @ E[2] - E[0] @ E[0]])
        n = np.cross(A[0], A[1])
        p = np.linalg.solve(np.array([*A, n]), np.array([*b, 0.0])) - E[0]
        n = n / np.linalg.norm(n)
        across = p - (p @ n) * n
        roots = [E[0] + across + s * sqrt(0.55**2 - across @ across) * n for s in (1, -1)]
        np.testing.assert_allclose(run["platform"].position[k], min(roots, key=lambda x: x[2]), atol=1e-10)


def test_the_tyre_carries_the_car():
    rest = da.equilibrium(catalog.make("double-wishbone"))
    assert abs(rest["tyre"].force) == pytest.approx((350 + 6 + 8 + 14 + 20) * 9.81, rel=1e-3)  # it leans by millimetres
    weight = rest["tyre"].force * (rest["upright"].position[2] - rest["road"].position[2]) / rest["tyre"].length
    assert abs(weight) == pytest.approx((350 + 6 + 8 + 14 + 20) * 9.81, rel=1e-9)


def test_differential_halves_the_sum():
    run = da.simulate(catalog.make("differential", start=5.0), 0.5, rtol=1e-9, atol=1e-11)
    left, right = run["left"].rate, run["right"].rate
    np.testing.assert_allclose((left + right) / 2, 20.0, rtol=1e-9)
    assert left[0] == pytest.approx(25.0)
    slip = 0.1 + 2e-5 / 1.6**2  # J of δ = ω_l − ω_c: two axles and the pinion;  J δ̇ = −d_l (ω + δ) + d_r (ω − δ)
    settled = 20.0 * (1 - 2) / 3
    np.testing.assert_allclose(left - 20.0, settled + (5.0 - settled) * np.exp(-3 * run.t / slip), atol=1e-6)


def test_cardan_runs_unevenly():
    run = motion("cardan-shaft", 0.6, 0.01)
    t1 = 0.5 + 10 * run.t
    R = np.array([[cos(0.5), -sin(0.5), 0], [sin(0.5), cos(0.5), 0], [0, 0, 1]]).T @ run["shaft 2"].rotation
    t2 = np.unwrap(np.arctan2(R[:, 2, 1], R[:, 1, 1]))
    np.testing.assert_allclose(np.sin(t2) * np.cos(t1), np.cos(t2) * np.sin(t1) * cos(0.5), atol=1e-10)  # tan θ₂ = tan θ₁ cos β
    speed = run["shaft 2"].omega[:, 0]
    np.testing.assert_allclose(speed, 10 * cos(0.5) / (1 - sin(0.5) ** 2 * np.sin(t1) ** 2), rtol=1e-8)


def test_gyroscope_precesses():
    run = da.simulate(catalog.make("gyroscope"), 1.0, rtol=1e-9, atol=1e-11)
    C = 0.5 * 0.06**2
    np.testing.assert_allclose(run["column"].rate, 0.1 * 9.81 * 0.12 / (C * 200.0), rtol=1e-8)
    np.testing.assert_allclose(run["tilt"].coordinate, 0.0, atol=1e-8)


def test_six_axes_reach_where_the_matrices_say():
    run = motion("six-axis-arm", 3.0, 0.25)

    def R(axis, a):
        i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
        M = np.eye(3)
        M[i, i] = M[j, j] = cos(a)
        M[i, j], M[j, i] = -sin(a), sin(a)
        return M

    x, z = np.array([1.0, 0, 0]), np.array([0, 0, 1.0])
    for k, t in enumerate(run.t):
        q = [0.8 * sin(t), 0.3 * (1 - cos(t)), 0.4 * sin(2 * t), sin(2 * t), 0.5 * sin(3 * t), 2 * sin(t)]
        inner = 0.55 * x + R("x", q[3]) @ R("y", q[4]) @ R("x", q[5]) @ (0.12 * x)
        tool = R("z", q[0]) @ (0.45 * z + R("y", q[1]) @ (0.6 * z + R("y", q[2]) @ inner))
        np.testing.assert_allclose(run["flange"].position[k] + run["flange"].rotation[k] @ (0.12 * x), tool, atol=1e-11)


def test_machines_are_quick():
    """Few bodies, short runs: the laws over the catalogue stay cheap."""
    assert all(len(catalog.make(n).bodies) <= 13 for n in MACHINES)
    assert all(a != b for a, b in itertools.combinations([catalog.CATALOG[n].title for n in MACHINES], 2))


def test_balanced_arm_turns_evenly_and_is_where_the_gradient_vanishes():
    run = da.simulate(catalog.make("balanced-arm"), 2.8, rtol=1e-10)
    np.testing.assert_allclose(run["O"].coordinate - run["O"].coordinate[0], 0.5 * run.t, atol=1e-9)
    m = catalog.make("balanced-arm", stiffness=90.0, rate=0.7)
    m.add(da.Drive("motor", "O", "theta0 + 0.7*sin(t)"))
    times = np.linspace(0.0, 2 * pi, 13)

    def goal(motion):
        return (motion["motor"].torque + 4.0 * 0.8**2 / 3 * 0.7 * np.sin(motion.t)) ** 2  # what turning the arm takes is no load

    asked = {"times": times, "outputs": {"load": ("sum", goal)}}
    found = da.optimize(m, {"k": (60.0, 200.0)}, da.inverse_dynamics, times=times, goal=("sum", goal))
    assert abs(found.values["k"] - 4.0 * 9.81 * 0.8 / (2 * 0.4 * 0.3)) < 1e-5
    slopes = [da.sensitivities(other, "k", da.inverse_dynamics, **asked)["load"]["k"] for other in (m, _with(m, k=130.8))]
    assert abs(slopes[1]) < 1e-10 * abs(slopes[0])


def _with(model, **values):
    other = model.copy()
    other.parameters |= values
    return other
