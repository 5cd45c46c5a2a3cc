"""Points of convex shapes: closed forms, symmetry, any frame and unit, and ten thousand random pairs.

A gap of shapes apart is certified from both sides: no direction n parts them by less than support to support (a lower bound of
the distance), and the two points given lie in the two shapes (an upper bound).  A few hundred are also worked out by another
route, least squares with positive unknowns (Lawson and Hanson's least distance programming).
"""

import math

import numpy as np
import pytest
from convex_pairs import EYE, Two, any_shape, outside, place_of, polygon_of, polyhedron_of, support, turn
from scipy.optimize import nnls

from dalembert.contacts.narrow.preferred import preferred
from dalembert.contacts.tables import BOX, CAPSULE, CYLINDER, PLANE, PLATE, POLYHEDRON, SPHERE

LYING = (1, 0, 0, 0, 0, -1, 0, 1, 0)  # the third axis along −y
FLOOR = (PLANE, (0, 0, 0))
CAP, CYL = (CAPSULE, (0.1, 0.5, 0)), (CYLINDER, (0.3, 0.5, 0))
CUBE = [(i, j, k) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]


def rounded(points, digits=9):
    return sorted(map(tuple, np.round(points, digits) + 0.0))


def test_lying_and_standing_on_a_half_space():
    points, n = Two((CAP, FLOOR), ([0, 0, 0.1 + 1e-3, *LYING], [0, 0, 0, *EYE])).touch(margin=0.02)
    assert np.allclose(n, [0, 0, -1])
    assert rounded(points[:, :4]) == rounded([[0, -0.5, 5e-4, 1e-3], [0, 0.5, 5e-4, 1e-3]])
    points, _ = Two((CAP, FLOOR), ([0, 0, 0.6 - 1e-3, *EYE], [0, 0, 0, *EYE])).touch(margin=0.02)
    assert rounded(points[:, :4]) == rounded([[0, 0, -5e-4, -1e-3]])
    points, _ = Two((CYL, FLOOR), ([0, 0, 0.3, *LYING], [0, 0, 0, *EYE])).touch(margin=0.02)
    assert rounded(points[:, :4]) == rounded([[0, -0.5, 0, 0], [0, 0.5, 0, 0]])
    points, _ = Two((CYL, FLOOR), ([0, 0, 0.5, *EYE], [0, 0, 0, *EYE])).touch(margin=0.02)
    assert rounded(points[:, :4]) == rounded([[0.3, 0, 0, 0], [-0.3, 0, 0, 0], [0, 0.3, 0, 0], [0, -0.3, 0, 0]])


@pytest.mark.parametrize("tilt", [1e-7, 1e-3, 0.3, 0.9, 1.4])
def test_a_tilted_cylinder_stands_on_its_rim(tilt):
    """Its lowest point is h cos t + r sin t below its middle, whatever way it leans and has turned."""
    c, s = math.cos(tilt), math.sin(tilt)
    R = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) @ turn(np.random.default_rng(4), flat=True)
    low = 0.5 * c + 0.3 * s
    for other in (FLOOR, (BOX, (2, 2, 0.5))):
        at = [0.0, 0, 0] if other is FLOOR else [0.0, 0, -0.5]
        for gap in (1e-3, -1e-4):
            points, n = Two((CYL, other), (place_of([0, 0, low + gap], R), [*at, *EYE])).touch(margin=0.01)
            assert np.allclose(n, [0, 0, -1], atol=1e-12)
            assert points[:, 3].min() == pytest.approx(gap, abs=1e-11)


def test_distances_of_capsules():
    r = 0.1
    cases = [([0.7, 0, 0.3], EYE, 0.7 - 2 * r, 2), ([0, 0, 1.3], EYE, 0.3 - 2 * r, 1), ([0.4, 0.2, 0.1], LYING, 0.4 - 2 * r, 1),
             ([0.3, 0.9, 0], LYING, math.hypot(0.3, 0.4) - 2 * r, 1), ([0.1, 0, 0], EYE, 0.1 - 2 * r, 2),
             ([0, 0, 0.2], LYING, -2 * r, 1)]
    for at, turned, gap, count in cases:
        points, n = Two((CAP, CAP), ([0, 0, 0, *EYE], [*at, *turned])).touch(margin=1.0)
        assert points[:, 3].min() == pytest.approx(gap, abs=1e-12), at
        assert len(points) == count, at
        assert np.linalg.norm(n) == pytest.approx(1.0)


def test_a_tetrahedron_on_a_half_space_has_three_points():
    corners = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1.0]])
    z = np.array([1, 1, 1]) / math.sqrt(3)  # the face opposite to the first corner looks along −z
    x = np.array([1, -1, 0]) / math.sqrt(2)
    R = np.array([x, np.cross(z, x), z])
    points, _ = Two((polyhedron_of(corners), FLOOR), (place_of([0, 0, 1 / math.sqrt(3)], R), [0, 0, 0, *EYE])).touch(margin=0.01)
    assert rounded(points[:, :3]) == rounded(corners[1:] @ R.T + np.array([0, 0, 1 / math.sqrt(3)]))
    assert np.abs(points[:, 3]).max() < 1e-12


@pytest.mark.parametrize("gap", [3e-3, 0.0, -1e-3])
@pytest.mark.parametrize("spun", [False, True])
def test_a_box_as_a_polyhedron_has_the_manifold_of_a_box(gap, spun):
    """The same gap and normal; of an overlap with four corners the same four points (of more, other four may be kept)."""
    random = np.random.default_rng(8)
    for _ in range(20):
        sizes = [random.uniform(0.3, 1.0, 3) for _ in range(2)]
        T, spin, lean = turn(random), turn(random, flat=True) if spun else np.eye(3), 1e-4 * random.normal()
        lean = np.array([[math.cos(lean), 0, math.sin(lean)], [0, 1, 0], [-math.sin(lean), 0, math.cos(lean)]])
        shift = np.array([*random.uniform(-0.3, 0.3, 2), sizes[0][2] + sizes[1][2] + gap])
        places = [place_of([0, 0, 0], T), place_of(T @ shift, T @ spin @ lean)]
        found = []
        for kinds in ((BOX, BOX), (POLYHEDRON, POLYHEDRON), (BOX, POLYHEDRON)):
            shapes = [(BOX, tuple(s)) if k == BOX else polyhedron_of(np.array(CUBE) * s)
                      for k, s in zip(kinds, sizes, strict=True)]
            found.append(Two(shapes, places).touch(margin=0.02))
        want, n = found[0]
        for points, m in found[1:]:
            assert np.allclose(n, m, atol=1e-3)
            assert points[:, 3].min() == pytest.approx(want[:, 3].min(), abs=2e-6)
            if not spun:
                assert len(points) == len(want) == 4
                assert max(np.linalg.norm(want[:, :3] - p, axis=1).min() for p in points[:, :3]) < 1e-3
            assert (np.abs(points[:, :3] @ T)[:, :2] <= sizes[0][:2] + 1e-3).all()


def test_a_polygon_as_a_rectangle():
    plate, square = (PLATE, (0.5, 0.2, 1e30)), polygon_of([(-0.5, -0.2), (0.5, -0.2), (0.5, 0.2), (-0.5, 0.2)])
    places = ([0, 0, 0, *EYE], place_of([0.3, 0.4 - 1e-3, 0], EYE))
    want, n = Two((plate, plate), places).touch(margin=0.02)
    for shapes in ((square, square), (plate, square), (square, plate)):
        points, m = Two(shapes, places).touch(margin=0.02)
        assert np.allclose(n, m)
        assert rounded(points[:, :4]) == rounded(want[:, :4])


def test_any_frame_and_unit_and_order_give_the_same():
    """Turned, moved, in other units, and swapped: the same gaps; the normal turns along."""
    random = np.random.default_rng(12)
    for k in range(300):
        flat = bool(k % 2)
        shapes = [any_shape(random, 1.0, flat), any_shape(random, 1.0, flat)]
        x, turns = np.zeros((2, 3)), [turn(random, flat) for _ in range(2)]
        x[1, :2 if flat else 3] = random.uniform(-1, 1, 2 if flat else 3)
        two = Two(shapes, [place_of(x[i], turns[i]) for i in range(2)])
        points, n = two.touch(margin=0.3)
        T, away = turn(random, flat), np.array([*random.uniform(-1, 1, 2), 0.0])
        moved = Two(shapes, [place_of(T @ x[i] + away, T @ turns[i]) for i in range(2)])
        again, m = moved.touch(margin=0.3)
        swapped, opposite = two.touch(1, 0, margin=0.3)
        millimetres = Two([_scaled(s, 1e3) for s in shapes], [place_of(1e3 * x[i], turns[i]) for i in range(2)])
        large, also = millimetres.touch(margin=300.0)
        assert (len(points) > 0) == (len(again) > 0) == (len(swapped) > 0) == (len(large) > 0)
        if not len(points):
            continue
        gap, slack = points[:, 3].min(), preferred(two, 0, 1)[1] + 1e-9
        close = 1e-9 if gap > 0 else slack
        assert again[:, 3].min() == pytest.approx(gap, abs=close)
        assert large[:, 3].min() / 1e3 == pytest.approx(gap, abs=close)
        assert (swapped[:, 3].min() - gap) == pytest.approx(0.0, abs=close if gap > 0 else 0.3)
        if gap > 1e-6:
            assert np.allclose(T @ n, m, atol=1e-6)
            assert np.allclose(n, also, atol=1e-6)
            assert np.allclose(n, -opposite, atol=1e-6)


def _scaled(shape, f):
    kind, size, solid, away = (*shape, None, None)[:4]
    size = (f * size[0], f * size[1], 1e30) if kind == PLATE else tuple(f * s for s in size)
    return (kind, size, None if solid is None else (f * solid[0], *solid[1:]), None if away is None else f * away)


def _by_least_squares(two):
    """Distance of the cores as hulls of points: the smallest x with (q − p)·x ≥ 1 for all p and q is 1/distance long."""
    world = [two.cores[k][0] @ two.place[12 * k + 3:12 * k + 12].reshape(3, 3).T + two.place[12 * k:12 * k + 3] for k in range(2)]
    G = (world[1][None] - world[0][:, None]).reshape(-1, 3)
    size = np.abs(G).max()
    E = np.vstack([G.T / size, np.ones(len(G))])
    u, _ = nnls(E, np.array([0, 0, 0, 1.0]), maxiter=10_000)
    r = E @ u - [0, 0, 0, 1.0]
    return size / np.linalg.norm(r[:3] / r[3]) if abs(r[3]) > 1e-12 else 0.0


@pytest.mark.parametrize("seed", range(4))
def test_ten_thousand_random_pairs(seed):
    random = np.random.default_rng(2026 + seed)
    apart = overlapping = compared = 0
    directions = random.normal(size=(40, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    for k in range(2_500):
        flat = bool(k % 2)
        size = 10.0 ** random.uniform(-6, 6)
        other = size * 10.0 ** random.uniform(-1.5, 1.5)
        shapes = [any_shape(random, size, flat), any_shape(random, other, flat)]
        x, d = np.zeros((2, 3)), 2 if flat else 3
        x[:, :d] = random.uniform(-1, 1, (2, d)) * max(size, other) * random.choice([0, 1e-9, 0.3, 1.0])
        two = Two(shapes, [place_of(x[i], EYE if random.integers(4) == 0 else turn(random, flat)) for i in range(2)])
        extent = float(two.bound.sum())
        points, n = two.touch(margin=0.5 * extent)
        assert np.isfinite(points).all(), k
        if not len(points):
            continue
        assert len(points) <= 8
        assert np.linalg.norm(n) == pytest.approx(1.0, abs=1e-12), k
        least = points[:, 3].argmin()
        gap, at = points[least, 3], points[least, :3]
        between = -support(two, 1, -n) - support(two, 0, n)
        if gap > 0.0 and set(two.kind.tolist()) not in ({BOX}, {PLATE}):  # those go by fifteen axes (four): a lower bound
            apart += 1
            assert between == pytest.approx(gap, abs=1e-9 * extent), k
            assert outside(two, 0, at - 0.5 * gap * n) < 1e-7 * extent, k
            assert outside(two, 1, at + 0.5 * gap * n) < 1e-7 * extent, k
            if CYLINDER not in two.kind and compared < 100:
                compared += 1
                assert _by_least_squares(two) - two.round.sum() == pytest.approx(gap, abs=1e-9 * extent), k
        elif gap <= 0.0:
            overlapping += 1
            assert gap >= between - 1e-9 * extent, k
            known = set(two.kind.tolist()) <= {SPHERE, BOX, PLATE}  # pairs of their own have their own preferences
            slack = (0.05 * two.scale.min() if known else sum(preferred(two, 0, 1)[:2])) + 1e-8 * extent
            if CYLINDER in two.kind:
                slack += 5e-3 * abs(between)  # all directions across alike: depth.py
            m = directions * [1, 1, 0] if flat else directions
            m = m / np.linalg.norm(m, axis=1)[:, None]
            assert -between <= (support(two, 0, m) + support(two, 1, -m)).min() + slack, k
    assert apart > 150
    assert overlapping > 500
    assert compared == 100
