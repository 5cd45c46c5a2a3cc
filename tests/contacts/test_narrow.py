"""Points of two shapes against another route: distances by sampling, symmetry, and no nonsense for any pose."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from dalembert.algebra.rotations import matrix_of_quaternion
from dalembert.contacts.narrow.dispatch import touch
from dalembert.contacts.tables import BOX, PLANE, PLATE, SPHERE


class Two:
    """Two shapes, as the kernels see them."""

    def __init__(self, kinds, sizes, places):
        self.kind = np.array(kinds)
        self.size, self.place = np.array(sizes, float).ravel(), np.array(places, float).ravel()
        self.scale, self.rules = 2.0 * self.size.reshape(-1, 3).min(axis=1), SimpleNamespace(lie=4e-4, softness=0)
        self.found, self.toward = np.zeros(40), np.zeros(3)
        self.spare, self.polygon, self.clipped = np.zeros(64), np.zeros(64), np.zeros(64)
        self.body, self.inverse_mass = np.arange(len(kinds)), np.ones(len(kinds))
        self.beside_at = np.zeros(len(kinds) + 1, np.int64)

    def touch(self, a, b, margin):
        n = touch(self, a, b, margin)
        return self.found[:5 * n].reshape(-1, 5).copy(), self.toward.copy()


def pose(random, flat, spread):
    x = np.zeros(3)
    x[: 2 if flat else 3] = random.uniform(-spread, spread, 2 if flat else 3)
    if flat:
        a = random.uniform(-math.pi, math.pi)
        R = np.array([[math.cos(a), -math.sin(a), 0], [math.sin(a), math.cos(a), 0], [0, 0, 1]])
    else:
        e = random.normal(size=4)
        R = np.asarray(matrix_of_quaternion(e / np.linalg.norm(e)))
    return [*x, *R.ravel()]


PAIRS = [(SPHERE, SPHERE), (SPHERE, BOX), (SPHERE, PLANE), (BOX, BOX), (BOX, PLANE), (PLATE, PLATE), (SPHERE, PLATE), (PLATE,
                                                                                                                       PLANE)]


def extreme(kind, size, place, n):
    """The farthest point of a shape along n: its support."""
    x, R = np.array(place[:3]), np.array(place[3:]).reshape(3, 3)
    if kind == SPHERE:
        return x @ n + size[0]
    half = np.array([*size[:2], 0.0]) if kind == PLATE else np.array(size)
    return x @ n + np.abs(n @ R) @ half


@pytest.mark.parametrize("kinds", PAIRS)
def test_points_of_random_pairs(kinds):
    """The gap is the distance of the supports along the normal; swapped shapes give the opposite normal and the same gap."""
    random = np.random.default_rng(kinds[0] * 10 + kinds[1])
    flat = PLATE in kinds
    touching = 0
    for _ in range(300):
        scale = 10.0 ** random.uniform(-4, 4)
        sizes = []
        for kind in kinds:
            half = scale * random.uniform(0.2, 1.0, 3) * 10.0 ** random.uniform(-1.5, 0.0, 3)
            sizes.append((half[0],) * 3 if kind == SPHERE else (*half[:2], 1e30) if kind == PLATE else tuple(half))
        places = [pose(random, flat and kind != PLANE, 0.7 * scale) for kind in kinds]
        if flat and kinds[1] == PLANE:
            n = np.array([*random.normal(size=2), 0.0])
            n /= np.linalg.norm(n)
            places[1][3:] = np.column_stack([[0, 0, 1], np.cross(n, [0, 0, 1]), n]).ravel()
        two = Two(kinds, sizes, places)
        points, normal = two.touch(0, 1, 0.05 * scale)
        back, opposite = two.touch(1, 0, 0.05 * scale)
        assert len(points) == len(back)
        assert np.isfinite(points).all()
        if not len(points):
            continue
        touching += 1
        assert abs(np.linalg.norm(normal) - 1.0) < 1e-9
        gap = points[:, 3].min()
        assert abs(back[:, 3].min() - gap) < 0.02 * scale
        if kinds[1] != PLANE:
            supports = (-extreme(kinds[1], sizes[1], places[1], -normal)) - extreme(kinds[0], sizes[0], places[0], normal)
            if gap < 0.0 or kinds != (SPHERE, BOX):
                assert gap >= supports - 1e-9 * scale
        else:
            lowest = -extreme(kinds[0], sizes[0], places[0], normal) + np.array(places[1][:3]) @ normal
            assert gap == pytest.approx(lowest, abs=1e-9 * scale)
        if kinds == (SPHERE, SPHERE):
            assert np.allclose(normal, -opposite)
    assert touching > 20


def test_coincident_thin_and_tiny_shapes_give_numbers():
    eye = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
    for kinds in PAIRS:
        for size in ((1e-9, 1.0, 1e9), (1.0, 1.0, 1.0), (1e-12, 1e-12, 1e-12)):
            sizes = [(size[0],) * 3 if k == SPHERE else (*size[:2], 1e30) if k == PLATE else size for k in kinds]
            points, normal = Two(kinds, sizes, [eye, eye]).touch(0, 1, 1e-3)
            assert np.isfinite(points).all()
            assert np.isfinite(normal).all()


def test_a_box_on_a_box_has_the_four_corners_of_their_overlap():
    eye = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    two = Two((BOX, BOX), ((1, 1, 1), (0.5, 0.5, 0.5)), ([0, 0, 0, *eye], [0.8, 0.0, 1.5 - 1e-3, *eye]))
    points, normal = two.touch(0, 1, 0.01)
    assert np.allclose(normal, [0, 0, 1])
    assert np.allclose(sorted(map(tuple, np.round(points[:, :2], 12))), [(0.3, -0.5), (0.3, 0.5), (1.0, -0.5), (1.0, 0.5)])
    assert np.allclose(points[:, 3], -1e-3)


def test_two_plates_have_the_two_ends_of_their_overlap():
    eye = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    two = Two((PLATE, PLATE), ((1, 0.2, 1e30), (0.5, 0.5, 1e30)), ([0, 0, 0, *eye], [0.8, 0.7, 0, *eye]))
    points, normal = two.touch(0, 1, 0.01)
    assert np.allclose(normal, [0, 1, 0])
    assert sorted(points[:, 0]) == pytest.approx([0.3, 1.0])
    assert np.allclose(points[:, 3], 0.0)


@pytest.mark.parametrize("flat", [False, True])
def test_a_sphere_whose_middle_is_inside_is_as_deep_as_its_way_out(flat):
    """The gap is that of the farthest points of both along the normal, the radius and all."""
    random = np.random.default_rng(11)
    for _ in range(20):
        box, inside = pose(random, flat, 1.0), 0.99 * random.uniform(-1, 1, 3) * (0.5, 0.3, 0.0 if flat else 0.2)
        size = (0.5, 0.3, 1e9 if flat else 0.2)
        R = np.reshape(box[3:], (3, 3))
        at = np.array([*(np.array(box[:3]) + R @ inside), *np.eye(3).ravel()])
        kind = PLATE if flat else BOX
        (point,), n = Two((SPHERE, kind), ((0.1, 0, 0), size), (at, box)).touch(0, 1, 0.5)
        assert point[3] == pytest.approx(-extreme(kind, size, box, -n) - extreme(SPHERE, (0.1,), at, n), abs=1e-12)
        assert point[3] < -0.1
