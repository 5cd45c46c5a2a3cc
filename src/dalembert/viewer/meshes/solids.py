"""Triangles of the simple shapes: unit box, cylinder, sphere; capsules, flat bars and plates of given size.

A mesh has corners with normals (split where an edge is sharp) and triangles, anticlockwise seen from outside.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

ROUND = 96  # facets around a circle


@dataclass(eq=False)
class Triangles:
    """vertices and normals (n, 3), triangles (m, 3); closed: no back face can be seen."""

    vertices: np.ndarray
    normals: np.ndarray
    triangles: np.ndarray
    closed: bool = True

    def moved(self, position=(0, 0, 0), rotation=None, scale=(1, 1, 1)) -> Triangles:
        """The same scaled, then turned (a matrix), then moved."""
        k = np.asarray(scale, float)
        A = np.eye(3) if rotation is None else np.asarray(rotation, float)
        n = self.normals / np.where(k == 0, 1.0, k)
        n /= np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-300)
        faces = self.triangles[:, ::-1] if np.prod(k) < 0 else self.triangles
        return Triangles(self.vertices * k @ A.T + np.asarray(position, float), n @ A.T, faces, self.closed)


def joined(parts: list[Triangles]) -> Triangles:
    """Several meshes as one."""
    at = np.cumsum([0] + [len(p.vertices) for p in parts])
    return Triangles(np.concatenate([p.vertices for p in parts]), np.concatenate([p.normals for p in parts]),
                     np.concatenate([p.triangles + k for p, k in zip(parts, at)]), all(p.closed for p in parts))


def flat(vertices, triangles, closed=False) -> Triangles:
    """Facets with their own normals, from corners without any."""
    corners = np.asarray(vertices, float)[np.asarray(triangles, int)]
    n = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    n /= np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-300)
    return Triangles(corners.reshape(-1, 3), np.repeat(n, 3, axis=0), np.arange(3 * len(corners)).reshape(-1, 3), closed)


def smooth(vertices, triangles, crease=0.6, closed=False) -> Triangles:
    """Normals averaged over neighbouring facets unless they meet at more than ``crease`` radians."""
    f = flat(vertices, triangles, closed)
    v = f.vertices.reshape(-1, 3, 3)
    area = np.linalg.norm(np.cross(v[:, 1] - v[:, 0], v[:, 2] - v[:, 0]), axis=1)
    own = f.normals[::3]
    _, group = np.unique(np.round(f.vertices / max(np.abs(f.vertices).max(), 1e-300), 7), axis=0, return_inverse=True)
    group = np.ravel(group)
    order = np.argsort(group, kind="stable")
    bounds = np.flatnonzero(np.diff(group[order])) + 1
    out = f.normals.copy()
    limit = np.cos(crease)
    for members in np.split(order, bounds):
        if len(members) < 2:
            continue
        n, w = own[members // 3], area[members // 3]
        near = (n @ n.T) >= limit
        mixed = (near * w) @ n
        out[members] = mixed / np.maximum(np.linalg.norm(mixed, axis=1, keepdims=True), 1e-300)
    return Triangles(f.vertices, out, f.triangles, closed)


@lru_cache
def box() -> Triangles:
    """Edges of length 1 about the origin."""
    vertices: list[np.ndarray] = []
    normals: list[np.ndarray] = []
    faces: list[tuple[int, int, int]] = []
    for axis in range(3):
        for sign in (1.0, -1.0):
            n = np.zeros(3)
            n[axis] = sign
            u, v = np.roll(n, 1) * sign, np.roll(n, 2) * sign
            if np.dot(np.cross(u, v), n) < 0:
                u, v = v, u
            k = len(vertices)
            vertices += [0.5 * (n + a * u + b * v) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            normals += [n] * 4
            faces += [(k, k + 1, k + 2), (k, k + 2, k + 3)]
    return Triangles(np.array(vertices), np.array(normals), np.array(faces))


def turned(profile, count=ROUND, crease=0.6) -> Triangles:
    """A solid of revolution about z: profile of (radius, height) from the bottom to the top, outside to the right."""
    p = np.asarray(profile, float)
    angle = np.arange(count + 1) * 2 * np.pi / count
    c, s = np.cos(angle), np.sin(angle)
    parts = []
    d = np.diff(p, axis=0)
    n = np.stack([d[:, 1], -d[:, 0]], 1)
    n /= np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-300)
    for k in range(len(d)):
        ends = []
        for end, other in ((k, k - 1), (k + 1, k + 1)):  # smooth with the neighbour where it bends little
            m = n[k]
            if 0 <= other < len(n) and m @ n[other] > np.cos(crease):
                m = m + n[other]
                m = m / np.linalg.norm(m)
            ends.append((p[end], m))
        vertices = np.concatenate([np.stack([r * c, r * s, np.full_like(c, z)], 1) for (r, z), _ in ends])
        normals = np.concatenate([np.stack([m[0] * c, m[0] * s, np.full_like(c, m[1])], 1) for _, m in ends])
        a = np.arange(count)
        up = a + count + 1
        faces = []
        if p[k, 0] > 0:
            faces.append(np.stack([a, a + 1, up], 1))
        if p[k + 1, 0] > 0:
            faces.append(np.stack([a + 1, up + 1, up], 1))
        parts.append(Triangles(vertices, normals, np.concatenate(faces)))
    return joined(parts)


@lru_cache
def cylinder() -> Triangles:
    """Radius 1, height 1 along z."""
    return turned([(0, -0.5), (1, -0.5), (1, 0.5), (0, 0.5)])


@lru_cache
def sphere() -> Triangles:
    """Radius 1."""
    a = np.linspace(-np.pi / 2, np.pi / 2, 25)
    profile = np.stack([np.cos(a), np.sin(a)], 1)
    profile[[0, -1], 0] = 0.0
    return turned(profile, 48, crease=1.0)


@lru_cache
def cone() -> Triangles:
    """Base of radius 1 at z = 0, tip at z = 1."""
    return turned([(0, 0), (1, 0), (0, 1)], count=24)


@lru_cache(maxsize=256)
def capsule(radius: float, length: float) -> Triangles:
    """A cylinder along z with half spheres on its ends; length without them."""
    a = np.linspace(0, np.pi / 2, 9)
    top = np.stack([radius * np.cos(a), length / 2 + radius * np.sin(a)], 1)
    top[-1, 0] = 0.0
    bottom = top[::-1] * [1, -1]
    return turned(np.concatenate([bottom, top]), count=24, crease=0.4)


@lru_cache(maxsize=256)
def bar(length: float, width: float, depth: float) -> Triangles:
    """A flat bar from (0, 0) to (length, 0) with round ends, depth along z."""
    a = np.linspace(-np.pi / 2, np.pi / 2, 15)
    right = np.stack([length + width / 2 * np.cos(a), width / 2 * np.sin(a)], 1)
    left = np.stack([-width / 2 * np.cos(a), -width / 2 * np.sin(a)], 1)
    return plate(np.concatenate([right, left]), depth, soft=True)


def plate(outline, depth: float, soft=False, chamfer=0.12) -> Triangles:
    """A plane outline (anticlockwise, star-shaped about its mean), depth along z; soft: its rim is smooth."""
    p = np.asarray(outline, float)
    p = p[np.linalg.norm(p - np.roll(p, 1, axis=0), axis=1) > 1e-12]
    middle, n = p.mean(axis=0), len(p)
    d = np.roll(p, -1, axis=0) - p
    side = np.stack([d[:, 1], -d[:, 0]], 1)
    side /= np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-300)
    corner = side + np.roll(side, 1, axis=0)
    corner /= np.maximum(np.linalg.norm(corner, axis=1, keepdims=True), 1e-300)
    cut = chamfer * min(depth, float(np.ptp(p, axis=0).min()))
    inner = p - corner * cut
    h = depth / 2
    rings = [(inner, -h), (p, -h + cut), (p, h - cut), (inner, h)]
    parts = []
    k = np.arange(n)
    for (low, z0), (high, z1), tilt in ((rings[0], rings[1], -1.0), (rings[1], rings[2], 0.0), (rings[2], rings[3], 1.0)):
        at = [np.c_[ring[j], np.full(n, z)] for ring, z, j in
              ((low, z0, k), (low, z0, (k + 1) % n), (high, z1, (k + 1) % n), (high, z1, k))]
        quad = np.stack(at, 1)
        normal = np.stack([corner[k], corner[(k + 1) % n]] * 2, 1)[:, [0, 1, 3, 2]] if soft else np.repeat(side[:, None], 4, 1)
        normal = np.concatenate([normal, np.full((n, 4, 1), tilt)], 2)
        normal /= np.linalg.norm(normal, axis=2, keepdims=True)
        base = 4 * k[:, None]
        parts.append(Triangles(quad.reshape(-1, 3), normal.reshape(-1, 3),
                               np.concatenate([base + np.array(c) for c in ((0, 1, 2), (0, 2, 3))])))
    for z, sign in ((h, 1.0), (-h, -1.0)):
        v = np.vstack([np.c_[inner, np.full(n, z)], [*middle, z]])
        fan = np.stack([np.full(n, n), k, (k + 1) % n], 1)
        parts.append(Triangles(v, np.tile([0, 0, sign], (n + 1, 1)), fan if sign > 0 else fan[:, ::-1]))
    return joined(parts)


def _toothed(radius: float, teeth: int, inward: bool = False) -> np.ndarray:
    """Outline of plain teeth about the pitch radius, module 2 r / teeth; a tooth points along x (inward: to the centre)."""
    add, pitch = radius * 2.0 / teeth, 2 * np.pi / teeth
    steps = np.array([(-0.34, -1.1), (-0.19, 0.95), (0.19, 0.95), (0.34, -1.1)])
    angle = (np.arange(teeth)[:, None] + steps[:, 0]) * pitch
    r = radius + (-add if inward else add) * np.broadcast_to(steps[:, 1], angle.shape)
    return np.stack([r * np.cos(angle), r * np.sin(angle)], 2).reshape(-1, 2)


def gear(radius: float, depth: float, teeth: int) -> Triangles:
    """A spur gear of pitch ``radius`` with plain teeth; a tooth points along x."""
    return plate(_toothed(radius, teeth), depth, chamfer=0.05)


def ring_gear(radius: float, depth: float, teeth: int) -> Triangles:
    """A ring with teeth inside, of pitch ``radius``, open in the middle; a tooth at x points to the centre."""
    inner = _toothed(radius, teeth, inward=True)
    return band(inner, inner / np.linalg.norm(inner, axis=1, keepdims=True) * radius * (1 + max(6.0 / teeth, 0.1)), depth)


def band(inner: np.ndarray, outer: np.ndarray, depth: float) -> Triangles:
    """What lies between two closed lines of as many points each, both anticlockwise, point beside point."""
    n, h = len(inner), depth / 2
    k, parts = np.arange(n), []
    for line, out in ((inner, -1.0), (outer, 1.0)):
        d = np.roll(line, -1, axis=0) - line
        side = out * np.stack([d[:, 1], -d[:, 0]], 1) / np.linalg.norm(d, axis=1, keepdims=True)
        at = [np.c_[line[j], np.full(n, z)] for z, j in ((-h, k), (-h, (k + 1) % n), (h, (k + 1) % n), (h, k))]
        corners = ((0, 1, 2), (0, 2, 3)) if out > 0 else ((0, 2, 1), (0, 3, 2))
        parts.append(Triangles(np.stack(at, 1).reshape(-1, 3), np.repeat(np.c_[side, np.zeros(n)], 4, axis=0),
                               np.concatenate([4 * k[:, None] + np.array(c) for c in corners])))
    for z, sign in ((h, 1.0), (-h, -1.0)):
        v = np.vstack([np.c_[inner, np.full(n, z)], np.c_[outer, np.full(n, z)]])
        j = (k + 1) % n
        faces = np.concatenate([np.stack([k, n + k, n + j], 1), np.stack([k, n + j, j], 1)])
        parts.append(Triangles(v, np.tile([0, 0, sign], (2 * n, 1)), faces if sign > 0 else faces[:, ::-1]))
    return joined(parts)


def spring(coils=9, turns_points=14, wire=0.09) -> Triangles:
    """A coil of radius 1 along z from 0 to 1, to be stretched along z."""
    count = coils * turns_points
    s = np.linspace(0, 1, count + 1)
    angle = 2 * np.pi * coils * s
    z = 0.08 + 0.84 * s
    centre = np.stack([np.cos(angle), np.sin(angle), z], 1)
    ring = np.arange(8) * np.pi / 4
    out = np.stack([np.cos(angle), np.sin(angle), 0 * s], 1)
    up = np.array([0, 0, 1.0])
    wires = (np.cos(ring)[None, :, None] * out[:, None] + np.sin(ring)[None, :, None] * up)
    thin = np.array([wire * 2.0, wire * 2.0, wire * 0.22])
    vertices = (centre[:, None] + wires * thin).reshape(-1, 3)
    a = np.arange(count)[:, None] * 8 + np.arange(8)
    b = np.arange(count)[:, None] * 8 + (np.arange(8) + 1) % 8
    faces = np.concatenate([np.stack([a, a + 8, b], 2).reshape(-1, 3), np.stack([b, a + 8, b + 8], 2).reshape(-1, 3)])
    body = Triangles(vertices, wires.reshape(-1, 3), faces, False)
    ends = [cylinder().moved((0, 0, z0), scale=(0.16, 0.16, 0.09)) for z0 in (0.045, 0.955)]
    return joined([body, *ends])
