"""Contacts that give way: springs and dampers at points, against closed forms."""

import math

import numpy as np
import pytest

import dalembert as da

G, MASS, K = 9.81, 2.0, 1e4


def ball(dim=2, drop=0.0, damping=None, shape=None, **contact):
    m = da.Model("soft", dim=dim, gravity=(0, 0, -G)[3 - dim:])
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0, 0, 1)[3 - dim:])]))
    m.add(da.Body("ball", mass=MASS, inertia=0.01 if dim == 2 else (0.01,) * 3, shapes=[shape or da.Sphere(0.1)],
                  position=(0, 0, 0.1 + drop)[3 - dim:]))
    m.add(da.Contact("c", "floor", "ball", **{"friction": 0.3, "stiffness_N_per_m": K, "damping_N_s_per_m": damping, **contact}))
    return m


@pytest.mark.parametrize("dim", [2, 3])
def test_it_swings_on_its_spring_and_no_energy_is_lost(dim):
    run = da.simulate(ball(dim), 0.5, step=0.01)
    omega = math.sqrt(K / MASS)
    z = run["ball"].position[:, -1] - 0.1
    assert z == pytest.approx(-MASS * G / K * (1 - np.cos(omega * run.t)), abs=1e-2 * MASS * G / K)  # (ω h)²/12 of the phase
    assert np.ptp(run.energy.total) < 1e-12 * run.energy.exchanged
    assert abs(run.energy.dissipated[-1]) < 1e-12
    assert run.stats["contact"]["gained"] == 0.0  # what springs give back was theirs
    assert run.energy.potential == pytest.approx(MASS * G * (z + 0.1) + 0.5 * K * z**2, abs=1e-12)
    force = run["c"].force[:, -1]
    assert force[len(force) // 2] == pytest.approx(-K * z[len(force) // 2], rel=5e-2)


def test_a_damper_brings_it_to_rest_at_its_deflection():
    run = da.simulate(ball(damping=50.0), 3.0, step=0.1)
    assert run["ball"].position[-1, 1] - 0.1 == pytest.approx(-MASS * G / K, rel=1e-9)
    assert run["c"].force[-1, 1] == pytest.approx(MASS * G, rel=1e-9)
    assert run["c"].points()["gap"] == pytest.approx([-MASS * G / K], rel=1e-9)
    lost = MASS * G * MASS * G / K - 0.5 * K * (MASS * G / K) ** 2  # m g δ − ½ k δ²
    assert run.energy.dissipated[-1] == pytest.approx(lost, rel=1e-6)
    assert run.touching.friction[-1] == pytest.approx(lost, rel=1e-6)
    assert run.certificate.stats["contact"]["penetration"] == 0.0
    assert abs(run.energy.residual).max() < 1e-12


def test_it_bounces_as_a_damped_oscillator_does():
    """Without gravity: v⁺/v⁻ where the force, not the gap, comes to zero: f = k δ + d δ̇ ≥ 0."""
    d, v = 30.0, 1.0
    m = ball(damping=d)
    m.gravity = (0, 0)
    m.bodies["ball"] = da.Body("ball", mass=MASS, inertia=0.01, shapes=[da.Sphere(0.1)], position=(0, 0.11), velocity=(0, -v))
    run = da.simulate(m, 0.2, step=0.01, fixed_step=2e-5)
    a = d / (2 * MASS)
    w = math.sqrt(K / MASS - a * a)
    t = math.atan2(2 * a * w, a * a - w * w) / w  # x = v e^{−at} sin wt/w has ẍ = 0 there: the force is zero
    left = math.exp(-a * t) * (math.cos(w * t) - a / w * math.sin(w * t))
    assert run["ball"].velocity[-1, 1] == pytest.approx(-left * v, rel=1e-3)
    assert run.energy.dissipated[-1] == pytest.approx(0.5 * MASS * v * v * (1 - left * left), rel=2e-3)


def test_four_points_are_four_springs_and_a_rigid_wall_stays_rigid():
    m = ball(3, shape=da.Box((0.2, 0.2, 0.2)), damping=100.0)
    m.add(da.Fixture("wall", shapes=[da.HalfSpace((1, 0, 0), position=(-0.1, 0, 0))]))
    m.add(da.Contact("w", "wall", "ball", friction=0.0))
    run = da.simulate(m, 1.0, step=0.1)
    assert run["ball"].position[-1, 2] - 0.1 == pytest.approx(-MASS * G / (4 * K), rel=1e-6)
    assert abs(run["ball"].position[-1, 0]) < 1e-6
    assert sorted(set(run["c"].points()["gap"].round(9))) == [round(-MASS * G / (4 * K), 9)]


def test_resume_and_files_hold_it(tmp_path):
    m = ball(drop=0.05, damping=5.0)
    whole = da.simulate(m, 0.4, step=0.02)
    m.save(tmp_path / "m.toml")
    again = da.load_model(tmp_path / "m.toml")
    with pytest.raises(da.SimulationInterrupted) as stopped:
        da.simulate(again, 0.4, step=0.02, checkpoint=tmp_path / "c", progress=lambda t: t < 0.2)
    part = stopped.value.run
    longer = da.resume(again, tmp_path / "c")
    assert np.array_equal(whole.q, longer.q)
    assert np.array_equal(whole.energy.dissipated, longer.energy.dissipated)
    part.save(tmp_path / "r.h5")
    assert np.array_equal(da.load(tmp_path / "r.h5").energy.potential, part.energy.potential)


@pytest.mark.parametrize(("contact", "words"), [
    ({"stiffness_N_per_m": -1.0}, "stiffness_N_per_m of Contact 'c' must be positive"),
    ({"stiffness_N_per_m": 0.0}, "leave it out for a rigid contact"),
    ({"stiffness_N_per_m": None, "damping_N_s_per_m": 3.0}, "needs stiffness_N_per_m beside it"),
    ({"damping_N_s_per_m": -3.0}, "damping_N_s_per_m of Contact 'c' must be 0 or more"),
    ({"restitution": 0.5}, "restitution= is for rigid contacts")])
def test_refusals(contact, words):
    with pytest.raises(da.ModelError, match=words):
        ball(**contact)


@pytest.mark.parametrize("direction", ["x", "y", "xy"])
def test_a_standing_cylinder_has_the_same_springs_however_little_it_leans(direction):
    """Four of them: it sinks by m g/4k at tilts of 0, 1e-12, 1e-9 and 1e-6, whatever the direction."""
    for tilt in (0.0, 1e-12, 1e-9, 1e-6):
        m = da.Model("can", gravity=(0, 0, -9.81))
        m.ground.shapes = [da.HalfSpace((0, 0, 1))]
        m.add(da.Body.from_shape("b", da.Cylinder(0.2, 0.3), mass=10, position=(0, 0, 0.15),
                                 rotation=(direction, [tilt, 0.7 * tilt][:len(direction)])))
        m.add(da.Contact("c", "ground", "b", friction=0.5, stiffness_N_per_m=1e5, damping_N_s_per_m=500))
        run = da.simulate(m, 1.0, step=0.5, contact="stepping")
        assert len(run["c"].points()["gap"]) == 4
        assert 0.15 - run["b"].position[-1][2] == pytest.approx(10 * 9.81 / 4e5, rel=1e-6)


def test_a_hinged_arm_on_a_spring_loses_nothing():
    """No friction and no damper: what is missing is of the second order of the step."""
    m = da.Model("arm on a spring", dim=2, gravity=(0, -10.0))
    m.ground.shapes = [da.HalfSpace((0, 1), position=(0, -0.2))]
    m.add(da.Body.from_shape("arm", da.Polygon([(-0.5, 0), (0.5, 0)], radius=0.05), mass=1.0, position=(0.5, 0.0)))
    m.add(da.Revolute("pin", m.ground, "arm", at=(0, 0)))
    m.add(da.Contact("c", "ground", "arm", friction=0.0, stiffness_N_per_m=2000.0))
    missing = {}
    for h in (4e-4, 1e-4):
        run = da.simulate(m, 2.0, step=0.02, contact="stepping", fixed_step=h)
        missing[h] = np.abs(run.energy.dissipated).max()
        assert run["pin"].coordinate.max() < 1e-3
    assert missing[1e-4] < 1e-4 and missing[1e-4] < 0.15 * missing[4e-4]
