"""Drives of orientation and of poses: against rotations written out, Euler's equations by differences, Stewart's closed form."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.catalog.stewart_platform import MOTION
from dalembert.errors import ModelError

ANGLES = ("0.3 + 0.7*t", "0.4*sin(2*t)", "-0.2*t**2")
J = np.diag([0.3, 0.2, 0.1])


def dish(**how):
    m = da.Model("dish", dim=3, gravity=(0, 0, -9.81), parameters={"w": 0.7})
    m.add(da.Body("dish", mass=2.0, inertia=(0.3, 0.2, 0.1)))
    m.add(da.Spherical("ball", m.ground, "dish", at=(0, 0, 0)))
    m.add(da.Orientation("aim", m.ground, "dish", **how))
    return m


def about(axis, angle):
    k, out = "xyz".index(axis), np.eye(3)
    i, j = (k + 1) % 3, (k + 2) % 3
    out[i, i] = out[j, j] = np.cos(angle)
    out[i, j], out[j, i] = -np.sin(angle), np.sin(angle)
    return out


def wanted(t, sequence="zyx"):
    angles = (0.3 + 0.7 * t, 0.4 * np.sin(2 * t), -0.2 * t**2)
    return np.linalg.multi_dot([about(a, x) for a, x in zip(sequence, angles, strict=True)])


def slope(f, t, h=1e-3):
    return (8 * (f(t + h) - f(t - h)) - f(t + 2 * h) + f(t - 2 * h)) / (12 * h)


@pytest.mark.parametrize("sequence", ["zyx", "zxz", "xyz"])
def test_euler_laws_are_met_and_the_torque_is_eulers(sequence):
    inv = da.inverse_dynamics(dish(euler=ANGLES, sequence=sequence), until=2.0, step=0.25)

    def omega(t):
        W = slope(lambda u: wanted(u, sequence), t) @ wanted(t, sequence).T
        return np.array([W[2, 1], W[0, 2], W[1, 0]])

    for k, t in enumerate(inv.t):
        A = wanted(t, sequence)
        assert np.abs(inv["dish"].rotation[k] - A).max() < 1e-12
        torque = slope(lambda u: wanted(u, sequence) @ J @ wanted(u, sequence).T @ omega(u), t)
        assert np.abs(inv["aim"].torque[k] - torque).max() < 1e-8
        assert abs(inv["aim"].power[k] - torque @ omega(t)) < 1e-8
    run = da.simulate(dish(euler=ANGLES, sequence=sequence), 2.0)
    assert np.abs(run["dish"].rotation[-1] - wanted(2.0, sequence)).max() < 1e-10
    assert abs(run.energy.residual).max() < 1e-6


def test_quaternions_of_any_length_and_signals_and_functions():
    run = da.simulate(dish(quaternion=("2*cos(t)", "0.4*sin(t)", "2*sin(t)", "0.2*t")), 1.0)
    e = np.array([np.cos(1), 0.2 * np.sin(1), np.sin(1), 0.1])
    found = run["dish"].quaternion[-1]
    assert np.abs(np.abs(found @ e) / np.linalg.norm(e) - 1) < 1e-12
    m = dish(euler=("yaw", lambda t: 0.4 * t, 0))
    m.add(da.Signal("yaw", "w*t"))
    A = da.kinematics(m, until=1.0, step=0.5)["dish"].rotation[-1]
    assert np.abs(A - about("z", 0.7) @ about("y", 0.4)).max() < 1e-12


def test_against_a_moving_body():
    m = dish(euler=ANGLES)
    m.add(da.Body("arm", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(1, 0, 0)))
    m.add(da.Spherical("wrist", "dish", "arm", at=(1, 0, 0)))
    m.add(da.Orientation("bend", "dish", "arm", euler=(0, 0, "0.5*t")))
    kin = da.kinematics(m, until=1.0, step=0.5)
    assert np.abs(kin["arm"].rotation[-1] - wanted(1.0) @ about("x", 0.5)).max() < 1e-12


def test_drawn_far_from_its_laws_it_is_found():
    for angle in (1.5, 2.5, 2.9, -2.9):
        found = da.assemble(dish(euler=(angle, 0, 0)))
        assert np.abs(found["dish"].rotation - about("z", angle)).max() < 1e-10


def test_one_pose_gives_the_strokes_of_a_stewart_platform():
    """Against the closed form by which the catalogue drives its pumps: same strokes, same forces, added up."""
    pumped, posed = catalog.make("stewart-platform"), catalog.make("stewart-platform")
    for k in range(1, 7):
        posed.remove(f"pump {k}")
    x, y, z, turn = MOTION
    posed.add(da.Pose("path", posed.ground, "platform", position=(x, y, f"height + {z}"), euler=(turn, 0, 0)))
    a, b = da.inverse_dynamics(pumped, until=1.0, step=0.25), da.inverse_dynamics(posed, until=1.0, step=0.25)
    for k in range(1, 7):
        assert np.abs(a[f"stroke {k}"].coordinate - b[f"stroke {k}"].coordinate).max() < 1e-12
        assert np.abs(a[f"stroke {k}"].rate - b[f"stroke {k}"].rate).max() < 1e-11
    done = sum(a[f"pump {k}"].power for k in range(1, 7))
    assert np.abs(done - b["path"].power).max() < 1e-9 * np.abs(done).max()


def test_files_keep_them(tmp_path):
    for m in (dish(euler=ANGLES, sequence="zxz"), dish(quaternion=(1, "0.1*t", 0, 0))):
        m.save(tmp_path / "m.toml")
        again = da.load_model(tmp_path / "m.toml")
        assert np.array_equal(da.accelerations(again)["aim"].torque, da.accelerations(m)["aim"].torque)


@pytest.mark.parametrize("how, text", [
    ({}, "give quaternion= .* or euler="), ({"euler": ("t", 0)}, "euler= has 3 laws"),
    ({"euler": ("t", 0, 0), "sequence": "zzx"}, "sequence= is three of x, y, z"), ({"quaternion": "t"}, "quaternion= has 4 laws"),
    ({"euler": ("dish.x", 0, 0)}, "'dish.x' in its law is no function of time"), ({"euler": ("tt", 0, 0)}, "did you mean 't'"),
    ({"euler": (da.Table([0, 1, 2, 3], [0, 1, 2, 3]), 0, 0)}, "its laws are numbers, formulas"),
    ({"quaternion": (0, 0, 0, 0)}, "no rotation there"), ({"euler": (0, "pi", 0)}, "turned by 180°"),
    ({"euler": (0, 3.1, 0)}, "turned by 178°")])
def test_what_is_no_orientation_is_refused(how, text):
    with pytest.raises(ModelError, match=text):
        dish(**how).compile()
