"""Outlines of bodies on paper, from the shapes that pages and pictures show (given ones, or those made from the joints).

In the plane the paper is the x, y plane; in space it is seen as in the usual oblique view.  A convex part is the hull of its
projected corners, another one all its facets; the union is what a first stroke and a second fill leave of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dalembert.viewer.meshes.solids import Triangles
from dalembert.viewer.scene.from_results import scene_of
from dalembert.viewer.scene.scene import rotate
from dalembert.viewer.scene.surroundings import surroundings_of

MOST = 1500  # facets of a part that is not convex, drawn one by one
FEW = 64  # facets of a part whose edges are drawn


@dataclass
class Outline:
    """Polygons (anticlockwise, y upwards) and edges of a body in paper coordinates, metres."""

    rings: list[np.ndarray] = field(default_factory=list)
    edges: list[np.ndarray] = field(default_factory=list)


@dataclass
class Drawn:
    """All bodies, and the matrix (dim × 2) from ground axes to the paper; ``back`` points to the reader."""

    outlines: dict[str, Outline]
    paper: np.ndarray
    back: np.ndarray
    size: float


def drawn(state) -> Drawn:
    """Outlines of all bodies of a state."""
    scene = scene_of(state, traces=[], forces=False, channels=False)
    dim = scene.dim
    around = surroundings_of(scene)
    back = np.array([0.0, 0.0, 1.0]) if dim == 2 else around.views()["iso"]
    right = np.array([1.0, 0.0, 0.0]) if dim == 2 else np.cross(around.up, back)
    right = right / np.linalg.norm(right)
    paper = np.stack([right, np.cross(back, right)], 1)
    convex: dict[int, bool] = {}
    found = {n: Outline() for n in scene.names}
    for p in scene.parts:
        if p.body < 0 or p.role != "body":
            continue
        mesh = scene.meshes[p.mesh]
        v = rotate(p.quaternion, mesh.vertices * p.scale) + p.position
        v = rotate(scene.quaternion[0, p.body], v) + scene.position[0, p.body]
        if p.mesh not in convex:
            convex[p.mesh] = _convex(mesh)
        outline, flat = found[scene.names[p.body]], v @ paper
        if convex[p.mesh] or len(mesh.triangles) > MOST:
            outline.rings.append(hull(flat))
        else:
            outline.rings += _facets(flat, mesh.triangles)
        if dim == 3 and convex[p.mesh] and len(mesh.triangles) <= FEW:
            outline.edges += _edges(v, mesh.triangles, back, paper)
    return Drawn(found, paper[:dim], back[:dim], float(around.radius))


def hull(points: np.ndarray) -> np.ndarray:
    """Convex hull, anticlockwise (monotone chain)."""
    p = np.unique(np.round(points, 12), axis=0)
    if len(p) < 3:
        return p

    def chain(rows):
        out: list[np.ndarray] = []
        for q in rows:
            while len(out) > 1:
                a, b = out[-1] - out[-2], q - out[-2]
                if a[0] * b[1] > a[1] * b[0]:
                    break
                out.pop()
            out.append(q)
        return out[:-1]

    return np.array(chain(p) + chain(p[::-1]))


def _convex(mesh: Triangles) -> bool:
    v, t = mesh.vertices, mesh.triangles
    if not mesh.closed or len(t) > 6000:
        return False
    corners = np.unique(np.round(v, 9), axis=0)
    n = np.cross(v[t[:, 1]] - v[t[:, 0]], v[t[:, 2]] - v[t[:, 0]])
    size = np.linalg.norm(n, axis=1)
    n, first = n[size > 0] / size[size > 0, None], v[t[size > 0, 0]]
    slack = 4e-3 * float(np.ptp(v, axis=0).max(initial=1e-300))
    some = np.linspace(0, len(n) - 1, min(len(n), 400)).astype(int)
    return bool((corners @ n[some].T - (first[some] * n[some]).sum(axis=1)).max(initial=0.0) <= slack)


def _facets(flat: np.ndarray, triangles: np.ndarray) -> list[np.ndarray]:
    corners = flat[triangles]
    a, b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    area = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return list(corners[area > 1e-9 * max(float(area.max(initial=0.0)), 1e-300)])  # those that face the reader


def _edges(v: np.ndarray, triangles: np.ndarray, back: np.ndarray, paper: np.ndarray) -> list[np.ndarray]:
    """Sharp edges that the reader sees."""
    _, same = np.unique(np.round(v / max(float(np.abs(v).max()), 1e-300), 9), axis=0, return_inverse=True)
    same = np.ravel(same)
    sides: dict[tuple[int, int], list[tuple[np.ndarray, int, int]]] = {}
    for t in triangles:
        n = np.cross(v[t[1]] - v[t[0]], v[t[2]] - v[t[0]])
        n = n / max(float(np.linalg.norm(n)), 1e-300)
        for a, b in ((t[0], t[1]), (t[1], t[2]), (t[2], t[0])):
            key = (min(same[a], same[b]), max(same[a], same[b]))
            sides.setdefault(key, []).append((n, a, b))
    out = []
    for faces in sides.values():
        if len(faces) == 2 and faces[0][0] @ faces[1][0] < 0.85 and max(f[0] @ back for f in faces) > 1e-6:
            out.append(np.array([v[faces[0][1]], v[faces[0][2]]]) @ paper)
    return out
