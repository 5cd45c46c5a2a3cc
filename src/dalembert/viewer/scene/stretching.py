"""What moves with several bodies or changes its size: springs, massless links, arrows.  Per frame: a mesh and a 3×4 matrix.

An arrow's length is |F| · scale: by default the largest one is about a third of the scene's radius long; torques are rings
about their axes.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dalembert.elements.materials import Material, colour
from dalembert.viewer.meshes import solids
from dalembert.viewer.scene.scene import Arrow, Scene

INKS = {"force": "#d6453d", "torque": "#c2571a", "reaction": "#1f7a4d", "reaction torque": "#0f766e"}
SHARE = 0.34  # of the radius of what is around: the longest arrow


def paints() -> dict[str, Material]:
    """Materials of arrows by kind: they shine a little by themselves, so that they read in the shade."""
    return {k: Material(c, emissive=tuple(0.12 * x for x in colour(c)), specular="#222222") for k, c in INKS.items()}


@lru_cache
def ring() -> solids.Triangles:
    """Three quarters of a ring of radius 1 about z with an arrow head."""
    wire, count = 0.07, 40
    a = np.linspace(0, 1.5 * np.pi, count + 1)
    b = np.arange(10) * 2 * np.pi / 10
    out = np.stack([np.cos(a), np.sin(a), 0 * a], 1)
    normals = np.cos(b)[None, :, None] * out[:, None] + np.sin(b)[None, :, None] * np.array([0, 0, 1.0])
    vertices = out[:, None] + wire * normals
    i = np.arange(count)[:, None] * 10 + np.arange(10)
    j = np.arange(count)[:, None] * 10 + (np.arange(10) + 1) % 10
    faces = np.concatenate([np.stack([i, i + 10, j], 2).reshape(-1, 3), np.stack([j, i + 10, j + 10], 2).reshape(-1, 3)])
    tube = solids.Triangles(vertices.reshape(-1, 3), normals.reshape(-1, 3), faces, False)
    head = solids.cone().moved((0, -1, 0), np.array([[0, 0, 1.0], [0, 1, 0], [-1, 0, 0]]), (0.2, 0.2, 0.42))
    return solids.joined([tube, head])


def lengths(arrows: list[Arrow], radius: float) -> dict[str, float]:
    """Metres per newton and per newton metre."""
    found = {}
    for unit in ("N", "N m"):
        sizes = [_usual(np.linalg.norm(a.vectors, axis=1)) for a in arrows if a.unit == unit]
        found[unit] = SHARE * radius / max(sizes) if sizes and max(sizes) > 0 else 0.0
    found["N m"] *= 0.5
    return found


def _usual(size: np.ndarray) -> float:
    """What an arrow's length goes by: 1.5 of its root mean square, or that while it acts; blows of a moment do not count."""
    acting = size[size > 0.0]
    if not len(acting):
        return 0.0
    mean = max(1.5 * float(np.sqrt((size**2).mean())), float(np.sqrt((acting**2).mean())))  # peaks may be longer
    return min(mean, 3.0 * float(np.quantile(acting, 0.9)))


def frame_along(d: np.ndarray) -> np.ndarray:
    """Frames (…, 3, 3) whose third column is along the vectors d (…, 3)."""
    z = d / np.maximum(np.linalg.norm(d, axis=-1, keepdims=True), 1e-300)
    helper = np.where(np.abs(z[..., :1]) < 0.9, np.array([1.0, 0, 0]), np.array([0, 1.0, 0]))
    x = np.cross(helper, z)
    x /= np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-300)
    return np.stack([x, np.cross(z, x), z], axis=-1)


def tie_matrices(scene: Scene) -> list[np.ndarray]:
    """Per tie (frames, 3, 4): a unit mesh along z from 0 to 1 (radius 1) between its ends."""
    found = []
    for tie in scene.ties:
        p, q = (scene.points(b, local) for b, local in tie.ends)
        d = q - p
        A = frame_along(d)
        size = np.stack([np.full(len(d), tie.radius)] * 2 + [np.linalg.norm(d, axis=1)], 1)
        found.append(np.concatenate([A * size[:, None, :], p[:, :, None]], axis=2))
    return found


def arrow_matrices(scene: Scene, arrow: Arrow, per_unit: float, thick: float) -> list[np.ndarray]:
    """(frames, 3, 4) of shaft (unit cylinder about its middle) and head (unit cone), or of the ring of a torque."""
    at = scene.points(arrow.body, arrow.local)
    size = np.linalg.norm(arrow.vectors, axis=1) * per_unit
    A = frame_along(np.where(size[:, None] > 0, arrow.vectors, [0, 0, 1.0]))
    if arrow.unit == "N m":
        return [np.concatenate([A * size[:, None, None], at[:, :, None]], axis=2)]
    head = np.minimum(3.4 * thick, 0.55 * size)
    wide = thick * np.minimum(1.0, size / (3.4 * thick))
    z = A[:, :, 2]
    shaft = size - head
    middle = at + z * (shaft / 2)[:, None]
    return [np.concatenate([A * np.stack([wide * 0.45, wide * 0.45, shaft], 1)[:, None, :], middle[:, :, None]], axis=2),
            np.concatenate([A * np.stack([wide * 1.25, wide * 1.25, head], 1)[:, None, :], (at + z * shaft[:, None])[:, :, None]],
                           axis=2)]
