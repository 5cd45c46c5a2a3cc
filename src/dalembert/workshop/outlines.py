"""Outlines of bodies in the plane as closed lines: their shapes seen from above, holes too.

Of the triangles of a shape that face the reader, an edge whose other direction is no edge is part of the outline.  Chained, these
edges go anticlockwise round a shape and clockwise round its holes, so that filling by winding number leaves holes open.
"""

from __future__ import annotations

import numpy as np

from dalembert.viewer.scene.from_results import scene_of
from dalembert.viewer.scene.scene import rotate


def outlines(state) -> dict[str, list[np.ndarray]]:
    """Rings of every body of a state, ground axes."""
    scene = scene_of(state, traces=[], forces=False, channels=False)
    found: dict[str, list[np.ndarray]] = {name: [] for name in scene.names}
    for p in scene.parts:
        if p.body >= 0 and p.role == "body":
            mesh = scene.meshes[p.mesh]
            v = rotate(p.quaternion, mesh.vertices * p.scale) + p.position
            v = rotate(scene.quaternion[0, p.body], v) + scene.position[0, p.body]
            found[scene.names[p.body]] += rings(v[:, :2], mesh.triangles)
    return found


def rings(flat: np.ndarray, triangles: np.ndarray) -> list[np.ndarray]:
    """Closed lines round the triangles that face the reader."""
    size = float(np.ptp(flat, axis=0).max(initial=0.0))
    if not size > 0.0:
        return []
    places, same = np.unique(np.round(flat / (1e-9 * size)), axis=0, return_inverse=True)
    points = np.zeros_like(places)
    points[same.ravel()] = flat
    t = same.ravel()[triangles]
    a, b = points[t[:, 1]] - points[t[:, 0]], points[t[:, 2]] - points[t[:, 0]]
    t = t[a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0] > 1e-12 * size**2]
    edges = {(int(i), int(j)) for k in t for i, j in zip(k, np.roll(k, -1), strict=True)}
    after: dict[int, list[int]] = {}
    for i, j in sorted(edges):
        if (j, i) not in edges:
            after.setdefault(i, []).append(j)
    out = []
    while after:
        start = at = next(iter(after))
        ring = []
        while at in after:
            ring.append(at)
            following = after[at].pop()
            if not after[at]:
                del after[at]
            at = following
            if at == start:
                break
        if len(ring) > 2:
            out.append(_straight(points[ring], size))
    return out


def _straight(ring: np.ndarray, size: float) -> np.ndarray:
    """Without corners in the middle of straight sides."""
    before, behind = ring - np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0) - ring
    bend = np.abs(before[:, 0] * behind[:, 1] - before[:, 1] * behind[:, 0])
    kept = ring[bend > 1e-9 * size * np.maximum(np.linalg.norm(before, axis=1), np.linalg.norm(behind, axis=1))]
    return kept if len(kept) > 2 else ring
