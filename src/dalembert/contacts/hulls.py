"""Cores of a scene's shapes as tables (narrow/cores.py): corners, faces and their normals, and scratch for the pairs.

Corners and faces of polygons and polyhedra come with the shapes (elements/bodies/hull.py); those of the others follow from their
sizes.
"""

from __future__ import annotations

import numpy as np

from dalembert.contacts.narrow.cores import SIDES
from dalembert.contacts.narrow.depth import CLOUD, RIM, SKIN
from dalembert.contacts.tables import BOX, CAPSULE, CYLINDER, PLATE, POLYGON, POLYHEDRON, SPHERE

Core = tuple[np.ndarray, list[list[int]], np.ndarray]  # corners, faces, their normals


def core(kind: int, size, corners=None, faces=None) -> Core:
    """The core of a shape in its own axes; ``corners`` and ``faces`` of a polygon or polyhedron."""
    none = np.zeros((0, 3))
    if kind == SPHERE:
        return np.zeros((1, 3)), [], none
    if kind == CAPSULE:
        return np.array([[0, 0, -size[1]], [0, 0, size[1]]], float), [], none
    if kind == CYLINDER:
        a = 2 * np.pi * np.arange(SIDES) / SIDES
        rim = np.column_stack([size[0] * np.cos(a), size[0] * np.sin(a), np.full(SIDES, size[1])])
        top = list(range(SIDES))
        return (np.concatenate([rim, rim * [1, 1, -1]]), [top, [SIDES + i for i in reversed(top)]],
                np.array([[0, 0, 1.0], [0, 0, -1.0]]))
    if kind == BOX:
        x = np.array([[i, j, k] for k in (-1, 1) for j in (-1, 1) for i in (-1, 1)]) * np.asarray(size, float)
        loops = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]
        return x, loops, np.array([[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1.0]])
    if kind == PLATE:
        a, b = size[:2]
        return edged(np.array([[-a, -b, 0], [a, -b, 0], [a, b, 0], [-a, b, 0]], float))
    if kind == POLYGON:
        return edged(np.asarray(corners, float))
    if kind == POLYHEDRON:
        x, normals = np.asarray(corners, float), []
        for loop in faces:
            middle = x[loop].mean(axis=0)
            n = sum(np.cross(x[i] - middle, x[j] - middle) for i, j in zip(loop, [*loop[1:], loop[0]], strict=True))
            normals.append(n / np.linalg.norm(n))
        return x, [list(f) for f in faces], np.array(normals)
    return none, [], none


def edged(x: np.ndarray) -> Core:
    """A polygon of the plane, counter-clockwise: its edges are its faces."""
    n = len(x)
    loops = [[i, (i + 1) % n] for i in range(n)] if n > 1 else []
    normals = [np.array([x[j, 1] - x[i, 1], x[i, 0] - x[j, 0], 0.0]) for i, j in loops]
    return x, loops, np.array([v / np.linalg.norm(v) for v in normals]).reshape(-1, 3)


def tables(kinds, sizes, rounds, solids) -> dict[str, np.ndarray]:
    """The arrays of all cores; ``solids``: corners and faces by shape, of polygons and polyhedra."""
    hull: list[int] = []
    corners: list[list[float]] = []
    face: list[int] = []
    loop: list[int] = []
    outward: list[list[float]] = []
    for k, kind in enumerate(kinds):
        x, faces, normals = core(kind, sizes[k], *solids.get(k, ()))
        hull += [len(corners), len(x), len(face) // 2, len(faces)]
        for around in faces:
            face += [len(loop), len(around)]
            loop += [hull[-4] + i for i in around]
        corners += x.tolist()
        outward += normals.tolist()
    longest = max(face[1::2], default=2)
    room = 2 * longest + 8
    f, i = np.zeros, lambda n: np.zeros(n, np.int64)
    return {"round": np.array(rounds, float), "hull": np.array(hull, np.int64), "corner": np.array(corners, float).ravel(),
            "face": np.array(face, np.int64), "loop": np.array(loop, np.int64), "outward": np.array(outward, float).ravel(),
            "simplex": f(45), "weight": f(4), "witness": f(9), "cloud": f(9 * CLOUD + 9), "skin": f(4 * SKIN),
            "knot": i(3 * SKIN), "rim": i(2 * RIM), "least": f(4), "points": f(4 * max(64, room, max(hull[1::4], default=1))),
            "loops": f(9 * room)}


def neighbours(a: dict[str, np.ndarray], lie: float) -> set[tuple[int, int]]:
    """Pairs of shapes with flat faces on one body that may touch: their boxes in its axes do, to the slop (``lie`` of a size)."""
    flat = np.flatnonzero(np.isin(a["kind"], (BOX, PLATE, POLYGON, POLYHEDRON)) & (a["round"] == 0.0))
    hull, corner, local = a["hull"].reshape(-1, 4), a["corner"].reshape(-1, 3), a["local"].reshape(-1, 12)
    found: set[tuple[int, int]] = set()
    for body in np.unique(a["body"][flat]):
        of = flat[a["body"][flat] == body]
        if len(of) < 2:
            continue
        x = [local[k, :3] + corner[hull[k, 0]:hull[k, 0] + hull[k, 1]] @ local[k, 3:].reshape(3, 3).T for k in of]
        low = np.array([c.min(axis=0) for c in x]) - lie * a["scale"][of, None]
        high = np.array([c.max(axis=0) for c in x]) + lie * a["scale"][of, None]
        order = np.argsort(low[:, 0])
        low, high, of = low[order], high[order], of[order]
        for i in range(len(of)):
            end = np.searchsorted(low[:, 0], high[i, 0], side="right")
            near = np.all((low[i + 1:end] <= high[i]) & (high[i + 1:end] >= low[i]), axis=1)
            found.update((int(of[i]), int(k)) for k in of[i + 1:end][near])
    return found


def flush(s, lie: float = 1e-5) -> str:
    """Whose shapes lie flush, or "": neighbours on one body with faces in one plane, to the slop, that look the same way."""
    a = {"kind": np.array(s.kind), "body": np.array(s.body), "scale": np.array(s.scale, float), "local": np.array(s.local, float),
         **tables(s.kind, s.size, s.round, s.solids)}
    faces = {}
    for pair in sorted(neighbours(a, lie)):
        for k in pair:
            if k not in faces:
                x, loops, normals = core(s.kind[k], s.size[k], *s.solids.get(k, ()))
                at, turn = a["local"][k][:3], a["local"][k][3:].reshape(3, 3)
                n = normals @ turn.T
                faces[k] = n, np.array([m @ (at + turn @ x[loop[0]]) for m, loop in zip(n, loops, strict=True)])
        (n, h), (m, g) = (faces[k] for k in pair)
        if np.any((n @ m.T > 1.0 - 1e-9) & (np.abs(h[:, None] - g) <= lie * a["scale"][list(pair)].max())):
            return str(s.owner[pair[0]])
    return ""


def extent(corners: np.ndarray, normals: np.ndarray) -> float:
    """The smallest extent of a core across its faces."""
    if not len(normals):
        return 0.0
    heights = corners @ normals.T
    return float((heights.max(axis=0) - heights.min(axis=0)).min())


def usual_round(kind: int, size) -> float:
    """The rounding that a kind has by its size."""
    return float(size[0]) if kind in (SPHERE, CAPSULE) else 0.0


__all__ = ["Core", "core", "edged", "extent", "flush", "neighbours", "tables", "usual_round"]
