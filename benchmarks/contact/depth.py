"""How deep boxes are in each other: one judge for all engines (separating axes in NumPy, nothing of the engines' own).

Of two boxes that overlap, the depth is the smallest overlap over the 15 axes (three normals of each, nine products of edges).
"""

from __future__ import annotations

import numpy as np

LEAST = 1e-6  # sine: products of edges that are more parallel say no more than the faces


def matrices(turns) -> np.ndarray:
    a, x, y, z = np.asarray(turns, float).T / np.linalg.norm(turns, axis=1)
    return np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - a * z), 2 * (x * z + a * y), 2 * (x * y + a * z),
                     1 - 2 * (x * x + z * z), 2 * (y * z - a * x), 2 * (x * z - a * y), 2 * (y * z + a * x),
                     1 - 2 * (x * x + y * y)], axis=1).reshape(-1, 3, 3)


def depths(scene, positions, turns) -> np.ndarray:
    """Depths > 0 of all pairs of boxes that overlap (moving against moving and standing)."""
    solids = [s for s in scene.solids if s.kind == "box"]
    moving = {s.name: k for k, s in enumerate(scene.moving)}
    x = np.array([positions[moving[s.name]] if s.mass > 0 else s.position for s in solids], float)
    R = matrices(np.array([turns[moving[s.name]] if s.mass > 0 else s.turn for s in solids], float))
    half = np.array([s.size for s in solids], float)
    free = np.array([s.mass > 0 for s in solids])
    reach = np.linalg.norm(half, axis=1)
    found = []
    for i in np.flatnonzero(free):
        d = x - x[i]
        near = np.where(free, np.sum(d * d, axis=1) < (reach + reach[i]) ** 2, True)
        near[i] = False
        near[:i] &= ~free[:i]
        j = np.flatnonzero(near)
        if j.size:
            found.append(_depth(x[i], R[i], half[i], x[j], R[j], half[j]))
    all_of = np.concatenate(found) if found else np.zeros(0)
    return all_of[all_of > 0.0]


def _depth(x, R, h, y, S, g) -> np.ndarray:
    d = y - x
    a, b = R.T, np.swapaxes(S, 1, 2)  # rows: axes
    n = len(d)
    axes = np.concatenate([np.broadcast_to(a, (n, 3, 3)), b, np.cross(a[None, :, None, :], b[:, None, :, :]).reshape(n, 9, 3)],
                          axis=1)
    size = np.linalg.norm(axes, axis=2)
    axes = axes / np.where(size > LEAST, size, 1.0)[..., None]
    width = np.abs(axes @ R) @ h + np.einsum("nkj,nj->nk", np.abs(np.einsum("nkc,ncj->nkj", axes, S)), g)
    gap = np.abs(np.einsum("nkc,nc->nk", axes, d)) - width
    return -np.max(np.where(size > LEAST, gap, -np.inf), axis=1)
