"""Events and friction by another route: the same forces, the same places.

A wrong rate of a normal, a forgotten bias or another's coefficient may leave gaps, momentum, cones and energy as they are (the
projection mends the drift): it shows only in forces and times, against a scene that is the same and is worked out differently.
"""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

import dalembert as da

G = 9.81


def followed(m, times, **kw):
    return da.simulate(m, times=times, contact="events", **({"rtol": 1e-10, "atol": 1e-13, "max_steps": 5000} | kw))


# -- a run that goes on, on a face that is not the first -----------------------------------------------------
TABLE = [(-1, -0.2), (1, -0.2), (1, 0), (-1, 0)]


@pytest.mark.parametrize("first", range(4))
def test_a_run_goes_on_bit_for_bit_on_whatever_face(tmp_path, first):
    def model():
        m = da.Model("top", dim=2, gravity=(0, -G))
        m.add(da.Fixture("table", shapes=[da.Polygon(TABLE[first:] + TABLE[:first])]))
        m.add(da.Body("box", mass=1.0, inertia=0.01, position=(0, 0.1), velocity=(1.0, 0), shapes=[da.Box((0.2, 0.2))]))
        m.add(da.Contact("c", "table", "box", friction=0.2, restitution=0.0))
        return m

    times = np.linspace(0, 0.8, 11)
    whole = da.simulate(model(), times=times, contact="events")
    with pytest.raises(da.SimulationInterrupted) as caught:
        da.simulate(model(), times=times, contact="events", progress=lambda t: False, checkpoint=tmp_path / "kept.npz")
    part = caught.value.run
    assert 0 < len(part.t) < len(times) and whole["box"].position[-1] == pytest.approx((0.5 / (0.2 * G), 0.1), abs=1e-9)
    for run in (da.resume(part), da.resume(model(), tmp_path / "kept.npz")):
        assert np.array_equal(run._q, whole._q) and np.array_equal(run._v, whole._v)
        assert np.array_equal(run["c"].impulse, whole["c"].impulse)


# -- a left-handed screw is the mirror image of the right-handed one -----------------------------------------
def nut(hand, drive=None, mu=0.1, moment=0.0, load=0.0):
    """Mirrored in x = 0: what has a direction keeps y and z, what turns keeps x."""
    m = da.Model("thread", gravity=(0, 0, -G))
    b = m.add(da.Body("b", mass=2.0, inertia=(0.01, 0.012, 0.02), position=(hand * 0.02, 0.03, 0.0)))
    m.add(da.Screw("s", m.ground, b, at=(0, 0, 0), axis=(0, 0, 1), pitch=hand * 0.1, friction=mu, radius=0.03, length=0.1))
    m.add(da.Force("F", b, (hand * 3.0, -2.0, load), on=(0, 0, 0)))
    m.add(da.Torque("M", b, (0, 0, moment)))
    if drive:
        m.add(da.Drive("d", "s", drive.format(hand)))
    return m


@pytest.mark.parametrize("drive", [None, "{}*(3*t-sin(3*t))"])
def test_a_left_handed_screw_moves_as_the_mirror_image(drive):
    times = np.linspace(0, 0.5, 6)
    right, left = (da.simulate(nut(hand, drive), times=times, rtol=1e-10, atol=1e-12) for hand in (1, -1))
    assert abs(right["b"].position[-1, 2]) > 5e-3
    line, turn = np.array([-1, 1, 1]), np.array([1, -1, -1])
    for name, key, mirror in (("b", "position", line), ("b", "velocity", line), ("b", "omega", turn), ("s", "force", line),
                              ("s", "torque", turn), ("s", "friction_torque", -1), ("s", "normal_force", 1),
                              ("s", "friction_loss", 1)):
        one, other = (np.asarray(getattr(run[name], key)) for run in (right, left))
        assert other == pytest.approx(mirror * one, rel=1e-8, abs=1e-8), key
    assert np.abs(np.asarray(right["s"].friction_torque)).max() > 0.01


def test_a_left_handed_screw_holds_as_the_mirror_image():
    """A torque, and a force along it; with the friction of a jack that holds and of one that runs down."""
    for mu in (0.1, 0.8):
        ranges = {}
        for hand, unknown in itertools.product((1, -1), ("M", "F.z")):
            found = da.hold(nut(hand, mu=mu), "M.z" if unknown == "M" else unknown)
            ranges[hand, unknown] = (found.lower, found.upper)
        lower, upper = ranges[1, "M"]
        assert upper - lower > 0.05 and ranges[-1, "M"] == pytest.approx((-upper, -lower), rel=1e-8)
        assert ranges[-1, "F.z"] == pytest.approx(ranges[1, "F.z"], rel=1e-8)


# -- forces, by shapes that are the same ---------------------------------------------------------------------
TURN = Rotation.from_euler("xyz", (0.3, 0.5, 0.7)).as_matrix()
CORNERS = 0.5 * np.array(list(itertools.product((-0.4, 0.4), (-0.3, 0.3), (-0.2, 0.2))))
AT = {"edge x": ((0.03, 0.15, 0.1), (0, 1, 1), (0.3, 0.2, -0.2)), "edge y": ((0.2, -0.02, 0.1), (1, 0, 1), (0.2, 0.3, -0.2)),
      "edge z": ((0.2, 0.15, 0.0), (1, 1, 0), (0.2, -0.2, 0.3)), "corner": ((0.2, 0.15, 0.1), (1, 1.2, 0.9), (0.1, 0.1, -0.22))}


def ball_on(shapes, start, away, along, mu, reach=0.1, pulled=(0, 0, 0), turned=None, inertia=(0.05, 0.06, 0.07)):
    """A free body that turns, a ball pulled onto it by a spring; places and directions in ground axes."""
    m = da.Model("ball")
    more = {} if turned is None else {"rotation": turned}
    omega = np.array((0.5, 1.0, -0.3))
    spin = omega if turned is None else turned.T @ omega
    m.add(da.Body("b", mass=3.0, inertia=inertia, omega=tuple(spin), shapes=shapes, **more))
    n = np.asarray(away) / np.linalg.norm(away)
    x = np.asarray(start) + reach * n
    u = np.asarray(along) - n * np.dot(along, n) + np.cross(omega, x)  # slides, neither parts nor presses in
    m.add(da.Body("s", mass=1.0, inertia=(0.004,) * 3, position=tuple(x), velocity=tuple(u), shapes=[da.Sphere(0.1)]))
    m.add(da.Spring("p", "b", "s", on_i=pulled, on_j=(0, 0, 0), stiffness=100.0, length=0.0))
    m.add(da.Contact("k", "b", "s", friction=mu, restitution=0.0))
    return m


def same(runs, scale=1.0):
    one, *others = runs
    assert np.linalg.norm(one["k"].force, axis=1).min() > scale
    for other in others:
        for name in ("b", "s"):
            assert other[name].position == pytest.approx(one[name].position, abs=1e-8)
        assert other["k"].force == pytest.approx(one["k"].force, rel=1e-8, abs=1e-8 * scale)


@pytest.mark.parametrize("mu", [0.0, 0.3])
@pytest.mark.parametrize("place", AT)
def test_a_box_that_is_turned_presses_as_the_polyhedron_of_its_corners(place, mu):
    """And as one that is not turned, on a body that is."""
    start, away, along = (TURN @ np.array(x) for x in AT[place])
    even = (0.06,) * 3
    routes = [([da.Box((0.4, 0.3, 0.2), rotation=TURN)], None), ([da.Polyhedron((CORNERS @ TURN.T).tolist())], None),
              ([da.Polyhedron(CORNERS.tolist(), rotation=TURN)], None), ([da.Box((0.4, 0.3, 0.2))], TURN)]
    times = np.linspace(0, 0.06, 7)
    runs = [followed(ball_on(shapes, start, away, along, mu, turned=turned, inertia=even), times) for shapes, turned in routes]
    same(runs)
    at = runs[0]["s"].position - runs[0]["b"].position
    there = np.einsum("tji,tj->ti", np.asarray(runs[0]["b"].rotation) @ TURN, at)
    beyond = np.abs(there) > 0.5 * np.array((0.4, 0.3, 0.2))
    assert (beyond.sum(axis=1) == (3 if place == "corner" else 2)).all()  # it stays where it was put


@pytest.mark.parametrize("mu", [0.0, 0.3])
@pytest.mark.parametrize("end", [1, -1])
def test_the_end_of_a_capsule_presses_as_a_sphere_there(end, mu):
    far = np.array((0, 0, 0.2 * end))
    args = (far, (1.0, 0.1, end * 0.5), (0.2, 0.3, 0.0), mu, 0.15, tuple(far))
    same([followed(ball_on([shape], *args), np.linspace(0, 0.2, 9))
          for shape in (da.Capsule(0.05, 0.4), da.Sphere(0.05, position=tuple(far)))])


@pytest.mark.parametrize("mu", [0.0, 0.3])
def test_a_turned_rectangle_presses_as_the_polygon_of_its_corners(mu):
    c, s = math.cos(0.7), math.sin(0.7)
    R = np.array([[c, -s], [s, c]])
    corners = np.array([(-0.2, -0.1), (0.2, -0.1), (0.2, 0.1), (-0.2, 0.1)])

    def model(shape, turned=0.0):
        m = da.Model("ball", dim=2)
        m.add(da.Body("b", mass=3.0, inertia=0.05, omega=0.8, angle=turned, shapes=[shape]))
        n = R @ np.array((0.8, 0.6))
        x = R @ corners[2] + 0.1 * n
        u = np.array((-n[1], n[0])) * 0.15 + 0.8 * np.array((-x[1], x[0]))
        m.add(da.Body("s", mass=1.0, inertia=0.004, position=tuple(x), velocity=tuple(u), shapes=[da.Sphere(0.1)]))
        m.add(da.Spring("p", "b", "s", on_i=(0, 0), on_j=(0, 0), stiffness=100.0, length=0.0))
        m.add(da.Contact("k", "b", "s", friction=mu, restitution=0.0))
        return m

    same([followed(model(*a), np.linspace(0, 0.05, 9)) for a in (
        (da.Box((0.4, 0.2), rotation=0.7),), (da.Polygon((corners @ R.T).tolist()),), (da.Box((0.4, 0.2)), 0.7))])


# -- islands of different friction ---------------------------------------------------------------------------
def pulled(mus, places, dim):
    """Boxes far from each other on one floor, each pulled by 20 t in its middle."""
    m = da.Model("islands", dim=dim, gravity=(0,) * (dim - 1) + (-G,))
    m.add(da.Fixture("floor", shapes=[da.HalfSpace((0,) * (dim - 1) + (1,))]))
    for mu, k in zip(mus, places, strict=True):
        size, inertia = ((0.4, 0.2), 0.02) if dim == 2 else ((0.4, 0.4, 0.2), (0.02, 0.02, 0.03))
        m.add(da.Body(f"b{k}", mass=1.0, inertia=inertia, position=(5.0 * k,) + (0,) * (dim - 2) + (0.1,), shapes=[da.Box(size)]))
        m.add(da.Contact(f"c{k}", "floor", f"b{k}", friction=mu, restitution=0.0))
        m.add(da.Force(f"p{k}", f"b{k}", components=("20*t",) + (0,) * (dim - 1), on=(0,) * dim))
    return m


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("mus", [*itertools.permutations((0.2, 0.5, 0.8)), (0.4, 0.5), (0.5, 0.4)])
def test_islands_of_different_friction_are_as_each_alone(mus, dim):
    times = np.linspace(0, 0.6, 13)
    run = followed(pulled(mus, range(len(mus)), dim), times)
    for k, mu in enumerate(mus):
        late = np.maximum(times - mu * G / 20, 0)
        assert run[f"b{k}"].position[:, 0] - 5.0 * k == pytest.approx(20 * late**3 / 6, abs=1e-9)
        alone = followed(pulled([mu], [k], dim), times)
        assert run[f"b{k}"].position == pytest.approx(alone[f"b{k}"].position, abs=1e-9)
        assert run[f"c{k}"].force == pytest.approx(alone[f"c{k}"].force, abs=1e-8)


# -- blows do not depend on max_step -------------------------------------------------------------------------
BALL, AWAY, INERTIA = 0.1, 0.05, 0.05  # radius, how far behind the centre of mass its middle is, moment of inertia (mass 1)


def turning(speed, omega, dim):
    """A ball whose middle is away from its centre of mass, just touching a wall from which that middle is turned away."""
    m = da.Model("eccentric", dim=dim, gravity=(0,) * dim)
    up, no = ((0, 1), ()) if dim == 2 else ((0, 1, 0), (0,))
    m.add(da.Fixture("wall", shapes=[da.HalfSpace(up)]))
    m.add(da.Body("b", mass=1.0, inertia=INERTIA if dim == 2 else (INERTIA,) * 3, position=(0, BALL - AWAY, *no),
                  velocity=(0, speed, *no), omega=omega if dim == 2 else (0, 0, omega),
                  shapes=[da.Sphere(BALL, position=(0, AWAY, *no))]))
    m.add(da.Contact("c", "wall", "b", friction=0.0, restitution=0.5))
    return m


def blows(speed, omega, end, most):
    """Times and impulses without friction: between blows y + e cos φ − r is v t + e (cos(ω t + φ) − cos φ)."""
    t, v, w, phi, out = 0.0, speed, omega, 0.0, []
    while len(out) < most:
        arm = -AWAY * math.sin(phi)
        impulse = -1.5 * (v + w * arm) / (1.0 + arm**2 / INERTIA)
        out.append((t, impulse))
        v, w = v + impulse, w + arm * impulse / INERTIA
        gap = lambda s: v * s + AWAY * (math.cos(w * s + phi) - math.cos(phi))  # noqa: B023, E731
        s = np.geomspace(1e-7, 2 * end, 200001)
        under = np.flatnonzero(v * s + AWAY * (np.cos(w * s + phi) - math.cos(phi)) < 0)
        if not len(under):
            break
        dt = brentq(gap, s[under[0] - 1], s[under[0]], xtol=1e-15)
        if t + dt > end:
            break
        t, phi = t + dt, phi + w * dt
    return out


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize(("speed", "omega"), [(-0.05, 5.0), (-0.3, 5.0), (-0.05, -50.0), (-0.3, 50.0)])
def test_blows_of_what_turns_beside_a_wall_do_not_depend_on_max_step(speed, omega, dim):
    expected = blows(speed, omega, 1.0, 5)
    assert len(expected) >= 2
    near = 1e-6
    times = np.array([0.0, *(t + s for t, _ in expected[1:] for s in (-near, near)), 1.0])
    runs = [followed(turning(speed, omega, dim), times, **kw) for kw in ({}, {"max_step": 2e-3}, {"rtol": 1e-6, "atol": 1e-9})]
    for run in runs:
        given = np.diff(np.asarray(run["c"].impulse)[:, 1])[1:-1:2]  # over each moment of a blow
        assert np.abs(given) == pytest.approx([p for _, p in expected[1:]], rel=1e-5)
        assert run.stats["contact"]["impacts"] == runs[0].stats["contact"]["impacts"]
        assert run["b"].position[-1] == pytest.approx(runs[0]["b"].position[-1], abs=1e-6)


@pytest.mark.parametrize("omega, v, arm, angle, e, inertia, end", [
    (-81.1938958378246, -0.0136158423881111, 0.14771157578872185, 1.178048966772082, 0.0, 0.0521277135863903, 0.7389718079),
    (-39.69835184239966, -0.0309536959293774, 0.15059020934180653, 0.792366609587841, 0.9, 0.00755573489267223, 1.511397758)])
def test_what_spins_between_two_walls_misses_none(omega, v, arm, angle, e, inertia, end):
    """Free flight is integrated exactly at any step, and a step of radians went over dips into the wall, without a word."""
    at, found = arm * np.array([np.cos(angle), np.sin(angle)]), []
    for longest in ({}, {"max_step": end / 700}):
        m = da.Model("between walls", dim=2, gravity=(0, 0))
        m.add(da.Fixture("walls", shapes=[da.HalfSpace((0, 1)), da.HalfSpace((0, -1), position=(0, 1.0))]))
        m.add(da.Body("b", mass=1.0, inertia=inertia, position=(0, 0.101 - at[1]), velocity=(0, v), omega=omega,
                      shapes=[da.Sphere(0.1, position=tuple(at))]))
        m.add(da.Contact("c", "walls", "b", friction=0.0, restitution=e))
        found.append(da.simulate(m, end, step=end / 3, contact="events", rtol=1e-9, **longest))
    assert found[0].stats["contact"]["impacts"] == found[1].stats["contact"]["impacts"] > 4
    assert np.abs(found[0]["b"].position - found[1]["b"].position).max() < 1e-6
