"""Poses and orders of shapes that few scenes have, each against its own law: a wrong one would change answers in silence."""

import math

import numpy as np
import pytest
from convex_pairs import EYE, Two, place_of, turn

import dalembert as da
from dalembert.contacts.hulls import neighbours
from dalembert.contacts.tables import BOX, CYLINDER, PLANE, PLATE

G = 9.81
CUBE = np.array([[i, j, k] for k in (-1, 1) for j in (-1, 1) for i in (-1, 1)], float)


def test_tiles_that_share_a_side_are_neighbours_however_they_are_turned():
    """A row of long tiles, end to end, turned as a whole about any axis: each knows the next (contacts/hulls.py)."""
    random, half = np.random.default_rng(21), np.array([1.0, 0.05, 0.2])
    for _ in range(20):
        R = turn(random)
        a = {"kind": np.full(4, BOX), "round": np.zeros(4), "hull": np.array([[8 * k, 8, 0, 0] for k in range(4)]).ravel(),
             "corner": np.tile(half * CUBE, (4, 1)).ravel(), "body": np.zeros(4, int), "scale": np.full(4, 0.1),
             "local": np.array([place_of(R @ (2.0 * k, 0, 0), R) for k in range(4)]).ravel()}
        assert {tuple(sorted(p)) for p in neighbours(a, 4e-4)} >= {(0, 1), (1, 2), (2, 3)}


@pytest.mark.parametrize("gap", [1e-3, -1e-3])
def test_the_point_of_two_edges_that_cross_is_on_both_whatever_their_lengths(gap):
    """Boxes of all sizes, put so that a point of an edge of the one is over a point of an edge of the other: that is it."""
    random, crossings = np.random.default_rng(22), 0
    for _ in range(200):
        sizes = 10.0 ** random.uniform(-1.0, 0.0, (2, 3))
        A, B = turn(random), turn(random)
        i, j = random.integers(3, size=2)
        n = np.cross(A[:, i], B[:, j])
        n /= np.linalg.norm(n)
        on_a, on_b = np.sign(n @ A) * sizes[0], -np.sign(n @ B) * sizes[1]
        on_a[i], on_b[j] = (0.9 * s * random.uniform(-1, 1) for s in (sizes[0, i], sizes[1, j]))
        at = A @ on_a + gap * n - B @ on_b
        points, normal = Two([(BOX, tuple(s)) for s in sizes], [place_of((0, 0, 0), A), place_of(at, B)]).touch(margin=0.01)
        if len(points) == 1 and abs(normal @ n) > 1.0 - 1e-12:  # else a face is within the slop of it, or nearer
            crossings += 1
            assert points[0, :4] == pytest.approx([*(A @ on_a + 0.5 * gap * n), gap], abs=1e-8)
    assert crossings > 100


def test_corner_on_corner_the_normal_is_out_of_what_stands_from_either_side():
    """A box at any angle whose corner meets that of a tile, to the slop: whatever is found is no deeper than that, and the
    scene seen in a mirror, or the shapes in the other order, have the same points in the mirror."""
    random, slop, half, found = np.random.default_rng(23), 4e-4 * 0.1, np.array([0.15, 0.05, 0.0]), 0
    for _ in range(40):
        angle, beside, over = random.uniform(-1.4, 1.4), *(slop * random.uniform(-0.9, 0.9, 2))
        seen = []
        for way, order in ((1, 1), (-1, 1), (1, -1), (-1, -1)):
            c, s = math.cos(angle), way * math.sin(angle)
            R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
            low = min((half * (i, j, 0) for i in (-1, 1) for j in (-1, 1)), key=lambda v, R=R: (R @ v)[1])
            box, tile = place_of(np.array([way * beside, over, 0]) - R @ low, R), place_of((way * 0.25, -0.1, 0), EYE)
            two = Two([(PLATE, (*half[:2], 1e30)), (PLATE, (0.25, 0.1, 1e30))][::order], (box, tile)[::order])
            two.inverse_mass = np.array([1.0, 0.0][::order])
            points, n = two.touch(margin=2 * slop)
            assert (points[:, 3] > -2 * slop).all()
            seen.append([len(points), *((order * way * n[0], order * n[1], points[:, 3].min()) if len(points) else ())])
        found += seen[0][0] > 0
        for other in seen[1:]:
            assert other == pytest.approx(seen[0], abs=1e-9)
    assert found > 10


def test_a_cylinder_that_leans_has_its_lowest_point_whatever_it_has_turned_by():
    """All around its axis: the least gap is z − h cos t − r sin t, and the point of it is under the way that it leans."""
    for tilt in (1e-6, 0.02, 0.3):
        c, s = math.cos(tilt), math.sin(tilt)
        low = 0.5 * c + 0.3 * s
        for a in np.arange(16) * math.pi / 8 + 0.1:
            spin = np.array([[math.cos(a), -math.sin(a), 0], [math.sin(a), math.cos(a), 0], [0, 0, 1]])
            R = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) @ spin
            two = Two(((CYLINDER, (0.3, 0.5, 0)), (PLANE, (0, 0, 0))), (place_of([0, 0, low], R), [0, 0, 0, *EYE]))
            points, _ = two.touch(margin=1.0)
            least = points[points[:, 3].argmin()]
            assert least[3] == pytest.approx(0.0, abs=1e-11)
            assert least[:2] == pytest.approx([0.3 * c - 0.5 * s, 0.0], abs=1e-6)


@pytest.mark.parametrize("dim", [2, 3])
def test_what_turns_about_its_middle_strikes(dim):
    """A paddle on a pin at its centre of mass, whose centre never moves, turns into a stop: ½ J ω² are lost, and it stands."""
    rest = (0,) * (dim - 2)
    m = da.Model("paddle", dim=dim, gravity=(0,) * dim)
    spin = -2.0 if dim == 2 else (0, 0, -2.0)
    paddle = m.add(da.Body.from_shape("paddle", da.Box((1.0, 0.1, 0.1)[:dim]), mass=1.0, omega=spin))
    m.add(da.Revolute("pin", m.ground, paddle, at=(0, 0, *rest), **({} if dim == 2 else {"axis": (0, 0, 1)})))
    m.add(da.Fixture("stop", shapes=[da.Sphere(0.1)], position=(0.4, -0.4, *rest)))
    m.add(da.Contact("c", "stop", "paddle", friction=0.0))
    run = da.simulate(m, 0.6, step=0.3, contact="stepping")
    assert run.touching.impact[-1] == pytest.approx(0.5 * 1.01 / 12 * 4.0, rel=1e-9)
    assert np.abs(run["paddle"].omega[-1]).max() < 1e-9


@pytest.mark.parametrize("moves", ["turns", "lifts"])
@pytest.mark.parametrize("order", [1, -1])
def test_a_driven_table_carries_a_block_and_contacts_take_nothing(moves, order):
    """Whichever of the two came first into the model: the drive does the work, the block keeps its place on the table."""
    m = da.Model("table", gravity=(0, 0, -G))
    bodies = [da.Body.from_shape("table", da.Box((1.0, 1.0, 0.1)), mass=5.0, position=(0, 0, -0.05)),
              da.Body.from_shape("block", da.Box((0.1, 0.1, 0.1)), mass=2.0, position=(0.3, 0, 0.05))]
    for body in bodies[::order]:
        m.add(body)
    if moves == "turns":
        m.add(da.Revolute("joint", m.ground, "table", at=(0, 0, 0), axis=(0, 0, 1)))
    else:
        m.add(da.Prismatic("joint", m.ground, "table", axis=(0, 0, 1)))
    m.add(da.Drive("motor", "joint", "0.5*t**2"))
    m.add(da.Contact("c", "table", "block", friction=0.8))
    run = da.simulate(m, 0.5, step=0.25, contact="stepping")
    assert abs(run.touching.friction[-1]) < 1e-6 and run.touching.impact[-1] == 0.0
    assert run.stats["contact"]["gained"] == 0.0
    assert np.linalg.norm(run["block"].position[-1] - run["table"].position[-1]) == pytest.approx(math.hypot(0.3, 0.1), abs=1e-6)
