"""Two convex shapes as the kernels see them, for the tests of the narrow phase."""

import math
from types import SimpleNamespace

import numpy as np
from scipy.spatial import ConvexHull

from dalembert.algebra.rotations import matrix_of_quaternion
from dalembert.contacts.hulls import core, extent, tables, usual_round
from dalembert.contacts.narrow.dispatch import touch
from dalembert.contacts.tables import BOX, CAPSULE, CYLINDER, PLANE, PLATE, POLYGON, POLYHEDRON, SPHERE
from dalembert.elements.bodies import hull

EYE = (1, 0, 0, 0, 1, 0, 0, 0, 1)


class Two:
    """Shapes (kind, size, corners and faces if any, rounding if any) at places (x, y, z, rows of the rotation)."""

    def __init__(self, shapes, places):
        self.shapes = [(*s, None, None)[:4] for s in shapes]
        kinds, sizes = [s[0] for s in shapes], [s[1] for s in shapes]
        rounds = [s[3] if s[3] is not None else usual_round(s[0], s[1]) for s in self.shapes]
        solids = {k: s[2] for k, s in enumerate(self.shapes) if s[2] is not None}
        self.kind, self.size = np.array(kinds, np.int64), np.array(sizes, float).ravel()
        self.place, self.rules = np.array(places, float).ravel(), SimpleNamespace(lie=4e-4, softness=0)
        self.found, self.toward = np.zeros(40), np.zeros(3)
        self.spare, self.polygon, self.clipped = np.zeros(64), np.zeros(64), np.zeros(64)
        self.body, self.inverse_mass = np.arange(len(kinds)), np.ones(len(kinds))
        self.beside_at = np.zeros(len(kinds) + 1, np.int64)
        self.arrays = tables(kinds, sizes, rounds, solids)
        self.__dict__.update(self.arrays)
        self.cores = [core(k, s, *solids.get(i, ())) for i, (k, s) in enumerate(zip(kinds, sizes, strict=True))]
        self.bound = np.array([self._bound(i) for i in range(len(kinds))])
        self.scale = np.array([self._scale(i) for i in range(len(kinds))])

    def _bound(self, k):
        x = self.cores[k][0]
        return (np.linalg.norm(x, axis=1).max() if len(x) else 0.0) + self.round[k]

    def _scale(self, k):
        kind, size = self.kind[k], self.size[3 * k:3 * k + 3]
        if kind == PLANE:
            return math.inf
        if kind == CYLINDER:
            return 2 * min(size[0], size[1])
        if kind in (SPHERE, CAPSULE):
            return 2 * size[0]
        return extent(self.cores[k][0], self.cores[k][2]) + 2 * self.round[k]

    def touch(self, a=0, b=1, margin=math.inf):
        n = touch(self, a, b, margin)
        return self.found[:5 * n].reshape(-1, 5).copy(), self.toward.copy()


def turn(random, flat=False):
    if flat:
        a = random.uniform(-math.pi, math.pi)
        return np.array([[math.cos(a), -math.sin(a), 0], [math.sin(a), math.cos(a), 0], [0, 0, 1]])
    e = random.normal(size=4)
    return np.asarray(matrix_of_quaternion(e / np.linalg.norm(e)))


def polyhedron_of(points):
    """Shape record of the hull of points."""
    points = np.asarray(points)
    x, loops, _ = hull.polyhedron(points[ConvexHull(points / np.abs(points).max()).vertices], "test")
    middle = (x.min(axis=0) + x.max(axis=0)) / 2
    return (POLYHEDRON, (0, 0, 0), (x - middle, loops))


def polygon_of(points, radius=0.0):
    """Shape record of the hull of points of the plane."""
    x = hull.polygon(np.asarray(points)[ConvexHull(points).vertices] if len(points) > 2 else points, radius > 0.0, "test")
    middle = (x.min(axis=0) + x.max(axis=0)) / 2
    return (POLYGON, (0, 0, 0), (x - middle,), radius)


def any_shape(random, size, flat, thin=1.5):
    """A shape of about this size, its proportions over 10^thin."""
    part = lambda n: size * random.uniform(0.3, 1.0, n) * 10.0 ** random.uniform(-thin, 0.0, n)  # noqa: E731
    if flat:
        k = random.integers(4)
        if k == 0:
            return (SPHERE, (part(1)[0],) * 3)
        if k == 1:
            return (PLATE, (*part(2), 1e30))
        if k == 2:
            return polygon_of(random.normal(size=(2, 2)) * part(2), part(1)[0])
        return polygon_of(random.normal(size=(random.integers(3, 9), 2)) * part(2), part(1)[0] if random.integers(2) else 0.0)
    k = random.integers(5)
    if k == 0:
        return (SPHERE, (part(1)[0],) * 3)
    if k == 1:
        return (BOX, tuple(part(3)))
    if k == 2:
        return (CAPSULE, (*part(2), 0.0))
    if k == 3:
        return (CYLINDER, (*part(2), 0.0))
    return polyhedron_of(random.normal(size=(random.integers(4, 14), 3)) * part(3))


def place_of(x, R):
    return [*x, *np.asarray(R).ravel()]


def support(two, k, n):
    """The farthest extent of shape k along n (or along several), from its definition."""
    x, R = two.place[12 * k:12 * k + 3], two.place[12 * k + 3:12 * k + 12].reshape(3, 3)
    m = n @ R
    if two.kind[k] == CYLINDER:
        r, h = two.size[3 * k:3 * k + 2]
        return n @ x + r * np.hypot(m[..., 0], m[..., 1]) + h * np.abs(m[..., 2])
    return n @ x + (m @ two.cores[k][0].T).max(axis=-1) + two.round[k]


def outside(two, k, point):
    """How far a point lies outside shape k, from its definition (negative: inside; on the safe side near corners)."""
    y = (point - two.place[12 * k:12 * k + 3]) @ two.place[12 * k + 3:12 * k + 12].reshape(3, 3)
    corners, faces, normals = two.cores[k]
    if two.kind[k] == CYLINDER:
        return max(math.hypot(y[0], y[1]) - two.size[3 * k], abs(y[2]) - two.size[3 * k + 1])
    if two.round[k] > 0.0:
        inside = len(faces) > 2 and all((y - corners[f[0]]) @ n <= 0 for f, n in zip(faces, normals, strict=True))
        edges = [(corners[f[0]], corners[f[1]]) for f in faces] or [(corners[0], corners[-1])]
        return -two.round[k] if inside else min(_to_segment(y, a, b) for a, b in edges) - two.round[k]
    return max((y - corners[f[0]]) @ n for f, n in zip(faces, normals, strict=True))


def _to_segment(y, a, b):
    d = b - a
    t = min(max((y - a) @ d / (d @ d), 0.0), 1.0) if d @ d > 0 else 0.0
    return float(np.linalg.norm(y - a - t * d))
