"""Bright things in bright light: white cubes on white trays stay readable.

Under the sun a white face sends back more than a screen can show, so that all bright faces look alike.  Colours whose darkest
channel is above KNEE (as light, not as on the screen) are pressed together, white to 0.70, and their gloss is taken back; the
shades between faces are then seen.  The brightest of them are also drawn with their sharp edges.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from dalembert.elements.materials import Material
from dalembert.viewer.meshes.solids import Triangles

KNEE, SLOPE = 0.45, 0.45
BRIGHT = 0.55  # light of materials whose edges are drawn
CREASE = 0.85  # cosine of the angle of an edge that counts as sharp


def linear(rgb) -> np.ndarray:
    """Screen colours to light."""
    c = np.asarray(rgb, float)
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def _screen(light: np.ndarray) -> tuple[float, float, float]:
    s = np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.maximum(light, 1e-9) ** (1 / 2.4) - 0.055)
    return (float(s[0]), float(s[1]), float(s[2]))


def bright(m: Material) -> bool:
    """Whether a material is near white, or at least as bright in all its colours."""
    return bool(linear(m.diffuse).min() >= BRIGHT)


@lru_cache(maxsize=1024)
def toned(m: Material) -> Material:
    """The material as it is lit."""
    white = float(linear(m.diffuse).min())
    if white <= KNEE:
        return m
    share = (KNEE + SLOPE * (white - KNEE)) / white
    gloss = 1.0 - 0.8 * (white - KNEE) / (1.0 - KNEE)
    diffuse: Any = _screen(linear(m.diffuse) * share)
    return replace(m, diffuse=diffuse, ambient=_screen(linear(m.ambient) * share), specular=_screen(linear(m.specular) * gloss))


def sharp_edges(mesh: Triangles) -> np.ndarray:
    """Ends (n, 2, 3) of the edges where facets meet at an angle, or that have one facet only."""
    v, t = mesh.vertices, mesh.triangles
    _, same = np.unique(np.round(v / max(float(np.abs(v).max(initial=0.0)), 1e-300), 6), axis=0, return_inverse=True)
    same = np.ravel(same)
    n = np.cross(v[t[:, 1]] - v[t[:, 0]], v[t[:, 2]] - v[t[:, 0]])
    n /= np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-300)
    ends = np.concatenate([t[:, [0, 1]], t[:, [1, 2]], t[:, [2, 0]]])
    owner = np.tile(np.arange(len(t)), 3)
    key = np.sort(same[ends], axis=1)
    real = key[:, 0] != key[:, 1]
    ends, owner, key = ends[real], owner[real], key[real]
    _, first, group = np.unique(key, axis=0, return_index=True, return_inverse=True)
    total = np.zeros((len(first), 3))
    np.add.at(total, np.ravel(group), n[owner])
    count = np.bincount(np.ravel(group), minlength=len(first))
    # two unit normals at the angle φ: |n₁ + n₂|² = 2 + 2 cos φ
    sharp = (count != 2) | ((total**2).sum(axis=1) < 2 + 2 * CREASE)
    return v[ends[first[sharp]]]
