"""Balls on polyhedra from event to event: closed forms at faces, edges and corners, and the same motion as on a box."""

import itertools

import numpy as np
import pytest
from scenes import G

import dalembert as da
from dalembert.algebra.rotations import matrix_of_quaternion

R = 0.1


def turned(seed):
    e = np.random.default_rng(seed).normal(size=4)
    return tuple(e / np.linalg.norm(e))


def block(a, b, c):
    return da.Polyhedron([(x * a / 2, y * b / 2, z * c / 2) for x, y, z in itertools.product((-1, 1), repeat=3)])


def thrown(solid, rotation, at, velocity, omega=(0, 0, 0), friction=0.0, restitution=1.0, gravity=(0, 0, 0)):
    m = da.Model("thrown", gravity=gravity)
    m.add(da.Body("ball", mass=1.0, inertia=(0.4 * R * R,) * 3, shapes=[da.Sphere(R)], position=tuple(at),
                  velocity=tuple(velocity), omega=omega))
    m.add(da.Fixture("solid", rotation=rotation, shapes=[solid]))
    m.add(da.Contact("c", "solid", "ball", friction=friction, restitution=restitution))
    return m


TETRA = np.array([(0.5, 0.5, 0.5), (-0.5, -0.5, 0.5), (-0.5, 0.5, -0.5), (0.5, -0.5, -0.5)])


@pytest.mark.parametrize("corners", [1, 2, 3])
def test_a_ball_bounces_off_a_corner_an_edge_a_face(corners):
    """The normal is that from the nearest point of the solid to the centre; v⁺ = v − (1 + e)(v·n) n without friction."""
    rotation = turned(corners)
    turn = np.asarray(matrix_of_quaternion(rotation))
    random = np.random.default_rng(3)
    foot = TETRA[:corners].mean(axis=0) if corners > 1 else TETRA[0]
    n = foot / np.linalg.norm(foot)
    if corners < 3:  # beside the line from the middle, still within what this part is nearest to
        n = n + 0.2 * (random.normal(size=3) if corners == 1 else np.cross(n, TETRA[1] - TETRA[0]))
        n /= np.linalg.norm(n)
    v = -3.0 * n + 0.4 * np.cross(n, (0.3, 0.7, 0.1))
    at = foot + R * n - 0.1 * v  # there after 0.1 s
    m = thrown(da.Polyhedron([tuple(x) for x in TETRA]), rotation, turn @ at, turn @ v, restitution=0.7)
    run = da.simulate(m, times=[0.1 - 1e-9, 0.2], contact="events", rtol=1e-10, atol=1e-12)
    assert run["ball"].velocity[0] == pytest.approx(turn @ v, abs=1e-12)
    assert run["ball"].velocity[1] == pytest.approx(turn @ (v - 1.7 * (v @ n) * n), abs=1e-9)
    assert run.stats["contact"]["impacts"] == 1


def on_the_edge(start, friction, along=0.0, solid=None):
    return thrown(solid or block(1.0, 1.0, 1.0), (1, 0, 0, 0), (0.5 + R * np.sin(start), 0.1, 0.5 + R * np.cos(start)),
                  (0, along, 0), friction=friction, restitution=0.0, gravity=(0, 0, -G))


def duration(start, end, inertia):
    """From rest at the angle ``start`` to ``end``: (1 + inertia) v² = 2 g R (cos θ₀ − cos θ), θ = θ₀ + (θ₁ − θ₀) s²."""
    s, weight = np.polynomial.legendre.leggauss(80)
    s = 0.5 * (s + 1)
    theta = start + (end - start) * s * s
    speed = np.sqrt(4 * G * R * np.sin((theta + start) / 2) * np.sin((theta - start) / 2) / (1 + inertia))
    return float(0.5 * weight @ (2 * (end - start) * s * R / speed))


def test_a_ball_slides_off_an_edge():
    """Without friction it leaves where cos θ = 2/3 cos θ₀."""
    start = 0.2
    leaves = np.arccos(2 / 3 * np.cos(start))
    time, v = duration(start, leaves, 0.0), np.sqrt(2 * G * R * (np.cos(start) - np.cos(leaves)))
    run = da.simulate(on_the_edge(start, 0.0), times=[time - 1e-6, time + 1e-6, time + 0.05], contact="events", rtol=1e-11,
                      atol=1e-13)
    assert run["c"].force[0] @ (np.sin(leaves), 0, np.cos(leaves)) > 1e-6 and not np.any(run["c"].force[1:])
    away = run["ball"].position[1] - (0.5, 0.1, 0.5) - 1e-6 * run["ball"].velocity[1]
    assert away == pytest.approx((R * np.sin(leaves), 0, R * np.cos(leaves)), abs=1e-9)
    assert run["ball"].velocity[2] == pytest.approx((v * np.cos(leaves), 0, -v * np.sin(leaves) - 0.05 * G), abs=1e-8)


@pytest.mark.parametrize("solid", [None, da.Box((1.0, 1.0, 1.0))])
def test_going_along_an_edge_changes_nothing_across_it(solid):
    still, goes = (da.simulate(on_the_edge(0.2, 0.0, v, solid), times=[0.05, 0.1], contact="events", rtol=1e-11, atol=1e-13)
                   for v in (0.0, 0.9))
    assert goes["ball"].position - still["ball"].position == pytest.approx(np.outer([0.05, 0.1], (0, 0.9, 0)), abs=1e-9)
    assert goes["c"].force == pytest.approx(still["c"].force, abs=1e-7)
    assert np.abs(goes["c"].force).max() > 1.0


def test_a_ball_rolls_about_an_edge():
    """Pressed by m g cos θ − m v²/R, held by 2/7 m g sin θ."""
    start, end = 0.2, 0.7
    time, square = duration(start, end, 0.4), 10 / 7 * G * R * (np.cos(start) - np.cos(end))
    run = da.simulate(on_the_edge(start, 2.0), times=[time], contact="events", rtol=1e-11, atol=1e-13)
    n, t = np.array([np.sin(end), 0, np.cos(end)]), np.array([np.cos(end), 0, -np.sin(end)])
    assert run["ball"].position[0] == pytest.approx(np.array([0.5, 0.1, 0.5]) + R * n, abs=1e-9)
    assert run["ball"].velocity[0] == pytest.approx(np.sqrt(square) * t, abs=1e-9)
    assert np.linalg.norm(run["ball"].omega[0]) == pytest.approx(np.sqrt(square) / R, rel=1e-9)
    assert run["c"].force[0] == pytest.approx((G * np.cos(end) - square / R) * n - 2 / 7 * G * np.sin(end) * t, abs=1e-7)


@pytest.mark.parametrize("seed", range(4))
def test_a_polyhedron_like_a_box_is_that_box(seed):
    """Bounces and slides over faces, edges and corners, with friction and spin, onto a body that moves too."""
    random = np.random.default_rng(seed)
    size, rotation = tuple(random.uniform(0.3, 0.6, 3)), turned(seed + 20)
    spin, push = random.normal(size=3), random.normal(size=3)

    def run(shape):
        m = da.Model("two", gravity=(0, 0, -G))
        m.add(da.Body("solid", mass=3.0, inertia=(0.1, 0.12, 0.14), rotation=rotation, omega=tuple(spin), shapes=[shape],
                      velocity=(0, 0, 1.0)))
        m.add(da.Body("ball", mass=1.0, inertia=(0.4 * R * R,) * 3, shapes=[da.Sphere(R)], position=(0.05, 0.02, 0.6),
                      velocity=(0.3 * push[0], 0.3 * push[1], -2.0)))
        m.add(da.Contact("c", "solid", "ball", friction=0.4, restitution=0.3))
        return da.simulate(m, 0.6, step=0.05, contact="events", rtol=1e-10, atol=1e-12)

    one, other = run(block(*size)), run(da.Box(size))
    assert one.stats["contact"]["impacts"] >= 1
    assert one._q == pytest.approx(other._q, abs=1e-8)
    assert one.stats["contact"]["impacts"] == other.stats["contact"]["impacts"]
