"""Points of two shapes are points of two sets: whatever axes, order of corners or frame they are described in.

    a box with its axes named anew (24 ways), a capsule or cylinder upside down and turned about its axis, a polyhedron or polygon
    with its corners in another order: the same set, so the same points (of a rim, of which any points do, the deepest)
    every point lies on both surfaces: found ∓ ½ gap n
    where faces lie on each other the points span the polygon that the faces have in common
"""

import itertools

import numpy as np
import pytest
from convex_pairs import Two, outside, place_of, polygon_of, polyhedron_of, turn
from scipy.optimize import linprog
from scipy.spatial import ConvexHull

from dalembert.contacts.tables import BOX, CAPSULE, CYLINDER, PLANE, PLATE, POLYGON, POLYHEDRON, SPHERE

AXES = [P * np.array(s) for P in (np.eye(3)[list(p)] for p in itertools.permutations(range(3))) for s in
        itertools.product((1, -1), repeat=3) if np.linalg.det(P * np.array(s)) > 0]


def shape(random, kind):
    half = random.uniform(0.2, 0.6, 3)
    if kind == SPHERE:
        return (SPHERE, (half[0],) * 3)
    if kind == BOX:
        return (BOX, tuple(half))
    if kind == PLATE:
        return (PLATE, (half[0], half[1], 1e30))
    if kind == PLANE:
        return (PLANE, (0.0, 0.0, 0.0))
    if kind in (CAPSULE, CYLINDER):
        return (kind, (half[0], half[1], 0.0))
    if kind == POLYGON:
        angles = np.sort(random.uniform(0, 2 * np.pi, 5)) + 1e-2 * np.arange(5)
        return polygon_of(np.column_stack([half[0] * np.cos(angles), half[1] * np.sin(angles)]))
    n = 6
    ring = np.array([(half[0] * np.cos(a), half[1] * np.sin(a)) for a in 2 * np.pi * np.arange(n) / n + random.uniform(0, 1)])
    return polyhedron_of(np.vstack([np.column_stack([f * ring, np.full(n, z)]) for f, z in ((1.0, -half[2]), (0.8, half[2]))]))


def named_anew(random, s, R):
    """The same set with another description."""
    kind = s[0]
    if kind == BOX:
        P = AXES[random.integers(24)]
        return (BOX, tuple(np.abs(P.T @ np.array(s[1])))), R @ P
    if kind == PLATE:
        quarter = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
        return (PLATE, (s[1][1], s[1][0], 1e30)), R @ quarter
    if kind in (CAPSULE, CYLINDER):
        a = random.uniform(0, 6)
        about = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
        return s, R @ np.diag([1.0, -1, -1]) @ about
    if kind == SPHERE:
        return s, turn(random)
    if kind == POLYHEDRON:
        x, loops = s[2]
        order = random.permutation(len(x))
        to = np.argsort(order)
        turned = [[int(to[i]) for i in (*loop[1:], loop[0])] for loop in loops]
        return (kind, s[1], (x[order], [turned[k] for k in random.permutation(len(turned))])), R
    if kind == POLYGON:
        return (kind, s[1], (np.roll(s[2][0], 2, axis=0),), s[3]), R
    return s, R


def same(points, others, size, what):
    """As sets: places and gaps."""
    assert len(points) == len(others), (what, len(points), len(others))
    far = np.abs(points[:, None, :4] - others[None, :, :4]).max(axis=2)
    assert far.min(axis=1).max() < size and far.min(axis=0).max() < size, (what, far.min(axis=1).max())


def apart(random, two, flat, gap, x=None):
    """The second shape moved along its way from the first, ``x``, until it is as far (or deep) as asked."""
    if x is None:
        x = np.zeros(3)
        x[:2 if flat else 3] = random.normal(size=2 if flat else 3)
    x = x / np.linalg.norm(x)
    low, high = 0.0, 3.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        two.place[12:15] = two.place[:3] + middle * x
        points, _ = two.touch(margin=5.0)
        if not len(points) or points[:, 3].min() > gap:
            high = middle
        else:
            low = middle
    return two.place[12:15].copy()


KINDS = [(BOX, BOX), (BOX, SPHERE), (BOX, CAPSULE), (BOX, CYLINDER), (BOX, POLYHEDRON), (CAPSULE, CAPSULE), (CAPSULE, CYLINDER),
         (CYLINDER, CYLINDER), (CYLINDER, POLYHEDRON), (POLYHEDRON, POLYHEDRON), (CAPSULE, POLYHEDRON), (SPHERE, POLYHEDRON),
         (SPHERE, CYLINDER), (PLATE, PLATE), (PLATE, POLYGON), (POLYGON, POLYGON), (SPHERE, PLATE), (SPHERE, POLYGON),
         (BOX, PLANE), (SPHERE, PLANE), (CAPSULE, PLANE), (CYLINDER, PLANE), (POLYHEDRON, PLANE), (SPHERE, SPHERE)]
NAMES = {k: n for n, k in globals().items() if n.isupper() and isinstance(k, int)}


def lying(random, kinds, T):
    """Two solids with a face of each on the plane z = 0 of a frame T, turned about its normal and shifted along it."""
    shapes, places = [shape(random, k) for k in kinds], []
    for k, s in enumerate(shapes):
        a = random.uniform(0, 6)
        about = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
        P = AXES[random.integers(24)] if s[0] == BOX else np.diag([1.0, -1, -1]) if s[0] == POLYHEDRON and k == 1 else np.eye(3)
        half = np.abs(P @ np.array(s[1]))[2] if s[0] == BOX else s[1][1] if s[0] == CYLINDER else s[2][0][:, 2].max()
        x = np.array([*random.uniform(-0.1, 0.1, 2), half if k else -half])
        places.append((x, about @ P))
    return shapes, [(T @ x, T @ R) for x, R in places]


@pytest.mark.parametrize("kinds", KINDS, ids=["-".join(NAMES[k].lower() for k in pair) for pair in KINDS])
@pytest.mark.parametrize("gap", [-2e-3, 3e-3])
def test_other_names_of_the_same_sets_have_the_same_points(kinds, gap):
    random = np.random.default_rng(100 * kinds[0] + kinds[1])
    flat, found = PLATE in kinds or POLYGON in kinds, 0
    for _ in range(6):
        shapes, R = [shape(random, k) for k in kinds], [turn(random, flat and k != PLANE) for k in kinds]
        two = Two(shapes, [place_of(np.zeros(3), r) for r in R])
        if kinds[1] == PLANE:
            two.place[12:15] = -R[1][:, 2] * 0.0
            points, n = two.touch(margin=5.0)
            two.place[:3] += R[1][:, 2] * (gap - points[:, 3].min())
        else:
            apart(random, two, flat, gap)
        x = two.place.reshape(2, 12)[:, :3].copy()
        points, n = two.touch(margin=0.02)
        if not len(points):  # rectangles of the plane that are near with their corners only: apart along no side's normal
            assert kinds == (PLATE, PLATE)
            continue
        assert points[:, 3].min() == pytest.approx(gap, abs=1e-9)
        found += len(points)
        rims = CYLINDER in kinds
        deep = points[np.argmin(points[:, 3])]
        for k, sign in ((0, -1.0), (1, 1.0)):
            if kinds[k] != PLANE:
                for p in [deep] if rims or kinds[k] == CAPSULE else points:
                    assert abs(outside(two, k, p[:3] + sign * 0.5 * p[3] * n)) < 2e-6, (NAMES[kinds[k]], p)
        renamed = [named_anew(random, s, r) if s[0] != PLANE else (s, r) for s, r in zip(shapes, R, strict=True)]
        again, m = Two([s for s, _ in renamed], [place_of(y, r) for y, (_, r) in zip(x, renamed, strict=True)]).touch(margin=0.02)
        assert np.abs(m - n).max() < 1e-5
        if rims:
            assert again[:, 3].min() == pytest.approx(deep[3], abs=1e-9)
        else:
            same(points, again, 1e-6, "renamed")
        if kinds[1] != PLANE:
            back, m = two.touch(1, 0, margin=0.02)
            assert np.abs(m + n).max() < 1e-5
            if len(points) == 1:
                same(points, back, 1e-6, "swapped")
    assert found >= 6


@pytest.mark.parametrize("ratio", [1.0, 0.01])
@pytest.mark.parametrize("kinds", [(BOX, BOX), (BOX, POLYHEDRON), (POLYHEDRON, POLYHEDRON)],
                         ids=["boxes", "box and polyhedron", "polyhedra"])
def test_the_normal_is_that_of_the_least_overlap_to_the_slop_of_the_smaller(kinds, ratio):
    """Among the normals of faces and the products of edges none has an overlap smaller by more than faces are preferred by."""
    random = np.random.default_rng(5 + kinds[0] + 3 * kinds[1])
    for _ in range(12):
        shapes = [shape(random, k) for k in kinds]
        small = int(random.integers(2))
        kind, size, solid = (*shapes[small], None)[:3]
        shapes[small] = (kind, tuple(ratio * s for s in size), None if solid is None else (ratio * solid[0], *solid[1:]))
        R = [turn(random) for _ in range(2)]
        two = Two(shapes, [place_of(np.zeros(3), r) for r in R])
        x, faces, _ = two.cores[1 - small]  # over the middle of an edge of the larger one, where normals differ
        f = faces[random.integers(len(faces))]
        apart(random, two, False, -0.05 * ratio, (1 if small else -1) * R[1 - small] @ (0.5 * (x[f[0]] + x[f[1]])))
        points, n = two.touch(margin=0.02)
        x = two.place.reshape(2, 12)[:, :3]
        world = [x[k] + two.cores[k][0] @ R[k].T for k in range(2)]
        normals = [R[k] @ f for k in range(2) for f in two.cores[k][2]]
        ways = [[R[k] @ (two.cores[k][0][f[i]] - two.cores[k][0][f[i - 1]]) for f in two.cores[k][1] for i in range(len(f))]
                for k in range(2)]
        crossed = np.array([np.cross(e / np.linalg.norm(e), f / np.linalg.norm(f)) for e in ways[0] for f in ways[1]])
        sines = np.linalg.norm(crossed, axis=1)  # edges that are nearly parallel have no normal of their own
        crossed = crossed[sines > 0.06] / sines[sines > 0.06][:, None]
        axes = np.vstack([normals, crossed, -crossed, -np.array(normals)])
        parted = (world[1] @ axes.T).min(axis=0) - (world[0] @ axes.T).max(axis=0)
        assert points[:, 3].min() == pytest.approx(-chord(two, n), abs=1e-9)
        assert parted.max() - points[:, 3].min() < 6 * 4e-4 * min(two.scale), (parted.max(), points[:, 3].min())


def chord(two, n):
    """The longest way along n that lies in both solids: as far one has to go along n to be out of the other.

    Not what their extents along n have in common: a corner that reaches farther may be beside the face.
    """
    rows, limits = [], []
    for k, part in ((0, 0.0), (1, 1.0)):
        x, R = two.place[12 * k:12 * k + 3], two.place[12 * k + 3:12 * k + 12].reshape(3, 3)
        A = two.cores[k][2] @ R.T
        top = (two.cores[k][0] @ two.cores[k][2].T).max(axis=0)
        rows.append(np.column_stack([A, -part * (A @ n)]))
        limits.append(top + A @ x)
    return -linprog([0, 0, 0, -1], np.vstack(rows), np.concatenate(limits), bounds=[(None, None)] * 3 + [(0, None)]).fun


SLAB = np.array([(x, y, z) for x in (-3, 3) for y in (-3, 3) for z in (-1, 1)], float)


@pytest.mark.parametrize("slab", [BOX, POLYHEDRON, PLANE], ids=["box", "polyhedron", "half-space"])
@pytest.mark.parametrize("kind", [BOX, POLYHEDRON], ids=["box", "polyhedron"])
def test_what_lies_on_any_of_its_edges_has_points_at_both_ends(kind, slab):
    """Balanced on the edge between two of its faces, in any frame, with any names of its corners."""
    random = np.random.default_rng(11 + kind)
    for _ in range(2):
        s = shape(random, kind)
        two = Two([s, (SPHERE, (1.0,) * 3)], [place_of(np.zeros(3), np.eye(3))] * 2)
        x, faces, normals = two.cores[0]
        for f, g in itertools.combinations(range(len(faces)), 2):
            ends = [i for i in faces[f] if i in faces[g]]
            if len(ends) != 2:
                continue
            T, part = turn(random), random.uniform(0.35, 0.65)
            down = part * normals[f] + (1 - part) * normals[g]
            down /= np.linalg.norm(down)
            along = (x[ends[1]] - x[ends[0]]) / np.linalg.norm(x[ends[1]] - x[ends[0]])
            R = T @ np.vstack([along, np.cross(-down, along), -down])  # down is −z of the frame T
            at = T @ np.array([*random.uniform(-0.2, 0.2, 2), -1e-3]) - R @ (0.5 * (x[ends[0]] + x[ends[1]]))
            floor = (BOX, (3.0, 3.0, 1.0)) if slab == BOX else polyhedron_of(SLAB) if slab == POLYHEDRON else (PLANE, (0.0,) * 3)
            under = place_of(np.zeros(3) if slab == PLANE else -T[:, 2], T)
            for own, turned in ((s, R), named_anew(random, s, R)):
                points, n = Two([own, floor], [place_of(at, turned), under]).touch(margin=0.0)
                assert np.abs(n + T[:, 2]).max() < 1e-9
                want = [at + R @ x[i] for i in ends]
                assert len(points) == 2
                assert points[:, 3] == pytest.approx(-1e-3, abs=1e-9)
                assert min(np.abs(points[:, :3] - order).max() for order in (want, want[::-1])) < 1e-3


FACES = list(itertools.combinations_with_replacement((BOX, CYLINDER, POLYHEDRON), 2))


def common(two, T):
    """The polygon that two faces on the plane z = 0 of the frame T have in common: its extent along directions of the plane."""
    rows, limits = [], []
    angles = 2 * np.pi * np.arange(64) / 64
    for k in range(2):
        x, R = two.place[12 * k:12 * k + 3], two.place[12 * k + 3:12 * k + 12].reshape(3, 3)
        if two.kind[k] == CYLINDER:
            circle = np.column_stack([np.cos(angles), np.sin(angles), 0 * angles])
            corners = x + two.size[3 * k] * circle @ T.T
        else:
            corners = x + two.cores[k][0] @ R.T
        z = (corners @ T)[:, 2]
        flat = (corners @ T)[np.abs(z) < 1e-6 if two.kind[k] != CYLINDER else slice(None)][:, :2]
        hull = ConvexHull(flat)
        rows.append(hull.equations[:, :2])
        limits.append(-hull.equations[:, 2])
    A, b = np.vstack(rows), np.concatenate(limits)
    ways = np.column_stack([np.cos(angles[::4]), np.sin(angles[::4])])
    return np.array([linprog(-t, A, b, bounds=(None, None)).x for t in ways])


@pytest.mark.parametrize("kinds", FACES, ids=["-".join(NAMES[k].lower() for k in pair) for pair in FACES])
@pytest.mark.parametrize("tilt", [0.0, 1e-5])
def test_faces_on_faces_have_points_all_around_what_they_share(kinds, tilt):
    random = np.random.default_rng(7 * kinds[0] + kinds[1])
    for _ in range(4):
        T = turn(random)
        shapes, places = lying(random, kinds, T)
        corners = common(Two(shapes, [place_of(*p) for p in places]), T)
        axis = T @ np.array([*random.normal(size=2), 0.0])
        K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
        places[1] = (places[1][0], (np.eye(3) + tilt * K) @ places[1][1])
        two = Two(shapes, [place_of(*p) for p in places])
        for a, b in ((0, 1), (1, 0)):
            points, n = two.touch(a, b, margin=0.01)
            assert np.abs(n * (1 if a == 0 else -1) - T[:, 2]).max() < 3 * tilt + 1e-9
            assert np.abs(points[:, 3]).max() < 3 * tilt + 1e-9
            at, inside = (points[:, :3] @ T)[:, :2], ConvexHull(corners)
            assert ConvexHull(at).volume > 0.55 * inside.volume, (len(points), ConvexHull(at).volume / inside.volume)
            assert (at @ inside.equations[:, :2].T + inside.equations[:, 2]).max() < 0.02
