"""Corners and faces of convex polygons and polyhedra from what users give, and refusals of what is none.

Polygon: corners in their order, either sense; every corner turns the same way and all turns together are one.
Polyhedron: corners in any order; one that lies inside the hull of the others shows a shape that is not convex.  With faces (or
from a mesh) the surface must close, and its volume is that of its hull.  Corners within FLAT of an edge or face of the
hull, or of each other, are none and are left out.  Triangles whose normals agree are one face, its corners in order
about the normal.
"""

from __future__ import annotations

import numpy as np

from dalembert.elements.bodies import mesh_moments
from dalembert.errors import ModelError

FLAT = 1e-9  # of the extent
SPLIT = "split it into convex parts and give the body all of them in a list"


def _checked(points, dim: int, least: int, what: str) -> tuple[np.ndarray, float]:
    x = np.asarray(points, float)
    if x.ndim != 2 or x.shape[1] != dim:
        raise ModelError(f"{what}: its points have {dim} coordinates each, got {points!r:.80}")
    if not np.isfinite(x).all():
        raise ModelError(f"{what}: a coordinate of its points is not finite")
    extent = float(np.ptp(x, axis=0).max()) if len(x) else 0.0
    if len(x) < least or extent == 0.0:
        raise ModelError(f"{what}: needs {least} points or more that do not coincide, got {len(x)}")
    return x, extent


def polygon(points, rounded: bool, what: str) -> np.ndarray:
    """Corners of a convex polygon counter-clockwise, (x, y, 0) each; two are enough where it is rounded."""
    x, extent = _checked(points, 2, 2 if rounded else 3, what)
    keep = [i for i in range(len(x)) if np.linalg.norm(x[i] - x[i - 1]) > FLAT * extent]
    x = x[keep]
    if len(x) >= 3:
        before, after = x - np.roll(x, 1, axis=0), np.roll(x, -1, axis=0) - x
        cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
        turns = np.arctan2(cross, np.einsum("ni,ni->n", before, after))
        area = 0.5 * abs(float(np.sum(x[:, 0] * np.roll(x[:, 1], -1) - x[:, 1] * np.roll(x[:, 0], -1))))
        if area <= FLAT * extent**2:
            raise ModelError(f"{what}: its points lie on one line; a polygon has an area"
                             + ("; for a bar of round ends give its two ends only" if rounded else ""))
        straight = np.abs(cross) <= FLAT * extent * np.maximum(np.linalg.norm(before, axis=1), np.linalg.norm(after, axis=1))
        sign = 1.0 if turns.sum() > 0 else -1.0
        odd = np.flatnonzero(~straight & (sign * turns < 0))
        if len(odd):
            raise ModelError(f"{what}: it is not convex at its point {tuple(x[odd[0]].tolist())}; {SPLIT}")
        if abs(abs(turns.sum()) - 2 * np.pi) > 1e-6:
            raise ModelError(f"{what}: its edges cross each other; give the corners in their order around it")
        x = x[~straight][:: int(sign)]
    if len(x) < (2 if rounded else 3):
        raise ModelError(f"{what}: its points coincide or lie on one line; a polygon has an area")
    return np.column_stack([x, np.zeros(len(x))])


def polyhedron(points, what: str, faces=None) -> tuple[np.ndarray, list[list[int]], np.ndarray]:
    """Corners, faces (counter-clockwise from outside) and triangles of a convex polyhedron; faces: triangles that were given."""
    from scipy.spatial import ConvexHull, QhullError

    x, extent = _checked(points, 3, 4, what)
    try:
        hull = ConvexHull((x - x[0]) / extent)
    except QhullError:
        raise ModelError(f"{what}: its points lie in one plane (or on one line); a polyhedron has a volume") from None
    if hull.volume <= 1e-3 * FLAT:
        raise ModelError(f"{what}: it is flat: its volume is {hull.volume:.1e} of its extent cubed")
    if faces is None:
        y = (x - x[0]) / extent
        inside = (y @ hull.equations[:, :3].T + hull.equations[:, 3]).max(axis=1)
        odd = np.flatnonzero(inside < -1e-7)
        if len(odd):
            raise ModelError(f"{what}: its point {tuple(x[odd[0]].tolist())} lies inside the hull of the others, so it is not "
                             f"convex; {SPLIT}, or leave such points out")
    else:
        own = abs(mesh_moments.moments(x, faces, what)[0])
        more = hull.volume * extent**3 / own - 1.0
        if more > 1e-6:
            raise ModelError(f"{what}: it is not convex: its hull has {100 * more:.2g} % more volume; {SPLIT}")
    loops: list[list[int]] = []
    left = list(range(len(hull.simplices)))
    while left:
        e = hull.equations[left[0]]
        same = [f for f in left if np.abs(hull.equations[f] - e).max() <= 1e-8]
        left = [f for f in left if f not in set(same)]
        loops.append(_around(hull.points, np.unique(hull.simplices[same]), e[:3]))
    used = sorted({i for loop in loops for i in loop})
    number = {old: new for new, old in enumerate(used)}
    loops = [[number[i] for i in loop] for loop in loops]
    triangles = np.array([[loop[0], loop[k], loop[k + 1]] for loop in loops for k in range(1, len(loop) - 1)])
    return x[used], loops, triangles


def _around(x, corners, normal) -> list[int]:
    """Corners of a face in order about its normal, without those on its edges."""
    middle = x[corners].mean(axis=0)
    u = x[corners[0]] - middle
    u /= np.linalg.norm(u)
    v = np.cross(normal, u)
    order = corners[np.argsort(np.arctan2((x[corners] - middle) @ v, (x[corners] - middle) @ u))]
    before, after = x[order] - x[np.roll(order, 1)], x[np.roll(order, -1)] - x[order]
    bend = np.cross(before, after) @ normal
    keep = bend > FLAT * np.maximum(np.linalg.norm(before, axis=1), np.linalg.norm(after, axis=1))
    return [int(i) for i in order[keep]]
