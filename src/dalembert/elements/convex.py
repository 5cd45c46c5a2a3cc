"""Convex shapes by their corners: Polygon in the plane, Polyhedron in space.  What is not convex is a list of them.

A polygon may be rounded: all points nearer than ``radius`` to it.  Its moments are sums over the polygon (triangles from a
corner), a rectangle of height r on every edge, and a sector of the disc about every corner between the normals of its edges:

    rectangle  A = l r, middle m + r n/2, polar moment about it A (l² + r²)/12
    sector     A = r² θ/2, ∫ s dA = r³/3 (sin φ₁ − sin φ₀, cos φ₀ − cos φ₁), polar moment about the corner r⁴ θ/4
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Unpack

import numpy as np

from dalembert.elements.bodies import hull, mesh_moments
from dalembert.elements.given import Number, Vector
from dalembert.elements.shapes import Shape, Touching
from dalembert.errors import ModelError


class Polygon(Shape):
    """A convex polygon of the plane by its corners, also rounded.

    Parameters
    ----------
    points : list of vectors [m]
        Corners in the order around it, in the body's own coordinates; two of them with a radius are a bar of round ends.
    radius : number or formula [m], optional
        Everything within this distance of the polygon belongs to it.
    position : vector [m], optional
        Where its centre (or origin) sits on the body; left out: the body's origin.
    rotation : quaternion, matrix or ("xyz", angles) [–], optional
        How it is turned on the body.
    material : Material, name or colour [–], optional
        For the eye.
    surface : string [–], optional
        What it touches with: the name of a Surface.
    """

    touches_as = "polygon"

    def __init__(self, points: Sequence[Vector], radius: Number | None = None, **kw: Unpack[Touching]) -> None:
        super().__init__(**kw)
        self.points, self.radius = points, radius

    def outline(self, b, what):
        """Corners (x, y, 0) counter-clockwise, and the radius."""
        if b.dim != 2:
            raise ModelError(f"{what}: a Polygon is a shape of the plane; in space give a Polyhedron")
        r = 0.0 if self.radius is None else b.positive(self.radius, f"radius of {what}")
        points = [[float(b.number(x, f"point of {what}")) for x in p] for p in self.points]
        return hull.polygon(points, r > 0.0, what), float(r)

    def moments(self, b, what):
        x, r = self.outline(b, what)
        n, o = len(x), x[0, :2]
        p = x[:, :2] - o
        area, first, polar = 0.0, np.zeros(2), 0.0
        for k in range(1, n - 1):
            u, v = p[k], p[k + 1]
            d = float(u[0] * v[1] - u[1] * v[0])
            area, first = area + d / 2, first + d / 6 * (u + v)
            polar += d / 12 * float(u @ u + u @ v + v @ v)
        for k in range(n if r > 0.0 else 0):
            u, v = p[k], p[(k + 1) % n]
            length = float(np.linalg.norm(v - u))
            normal = np.array([v[1] - u[1], u[0] - v[0]]) / length
            a, middle = length * r, (u + v) / 2 + r / 2 * normal
            area, first = area + a, first + a * middle
            polar += a * ((length**2 + r**2) / 12 + float(middle @ middle))
            after = p[(k + 2) % n] - v
            start = math.atan2(normal[1], normal[0])
            angle = math.atan2(normal[0] * after[1] - normal[1] * after[0], float(normal @ after)) - math.pi / 2
            angle = angle % (2 * math.pi) if n > 2 else math.pi  # from this edge's normal to the next one's
            end = start + angle
            s = r**3 / 3 * np.array([math.sin(end) - math.sin(start), math.cos(start) - math.cos(end)])
            a = r * r * angle / 2
            area, first = area + a, first + a * v + s
            polar += r**4 * angle / 4 + 2 * float(v @ s) + a * float(v @ v)
        centre = first / area
        J = polar / area - float(centre @ centre)
        return area, np.array([*(centre + o), 0.0]), np.diag([0.0, 0.0, J])  # in the plane only the last has a meaning

    def mass_properties(self, b):
        volume, _, unit = self.moments(b, "Polygon")
        return volume, unit

    def quadrature(self, b, order):
        x, r = self.outline(b, "Polygon")
        if r > 0.0:
            raise ModelError("a rounded Polygon has no points to act on in a field; give mass= and inertia=, or radius 0")
        y, weights = np.polynomial.legendre.leggauss(order + 1)
        points, shares = [], []
        for k in range(1, len(x) - 1):
            u, v = x[k] - x[0], x[k + 1] - x[0]
            d = u[0] * v[1] - u[1] * v[0]
            for s, i in zip((y + 1) / 2, weights, strict=True):
                for t, j in zip((y + 1) / 2, weights, strict=True):
                    points.append(tuple(x[0] + s * (u + t * (v - u))))
                    shares.append(i * j * s * d)
        total = sum(shares)
        return points, [w / total for w in shares]


class Polyhedron(Shape):
    """A convex polyhedron by its corners.

    Parameters
    ----------
    points : list of vectors [m]
        Corners in any order, in the body's own coordinates.
    faces : list of lists of numbers [–], optional
        Which corners make each face; given, they are checked.
    position : vector [m], optional
        Where its centre (or origin) sits on the body; left out: the body's origin.
    rotation : quaternion, matrix or ("xyz", angles) [–], optional
        How it is turned on the body.
    material : Material, name or colour [–], optional
        For the eye.
    surface : string [–], optional
        What it touches with: the name of a Surface.
    """

    touches_as = "polyhedron"

    def __init__(self, points: Sequence[Vector], faces: Sequence[Sequence[int]] | None = None,
                 **kw: Unpack[Touching]) -> None:
        super().__init__(**kw)
        self.points, self.faces = points, faces

    def surface_of(self, b, what):
        """Corners, faces and triangles."""
        if b.dim != 3:
            raise ModelError(f"{what}: a Polyhedron is a shape of space; in the plane give a Polygon")
        points = [[float(b.number(x, f"point of {what}")) for x in p] for p in self.points]
        if self.faces is None:
            return hull.polyhedron(points, what)
        for f in self.faces:
            if len(f) < 3 or not all(isinstance(i, int) and 0 <= i < len(points) for i in f):
                raise ModelError(f"{what}: a face is three or more numbers of points, 0 … {len(points) - 1}, got {f!r}")
        triangles = [[f[0], f[k], f[k + 1]] for f in self.faces for k in range(1, len(f) - 1)]
        corners, closed = mesh_moments.solid(np.array(points), np.array(triangles), what)
        return hull.polyhedron(corners, what, closed)

    def moments(self, b, what):
        corners, _, triangles = self.surface_of(b, what)
        volume, centre, P = mesh_moments.moments(corners, triangles, what)
        return volume, centre, np.trace(P) * np.eye(3) - P

    def mass_properties(self, b):
        volume, _, unit = self.moments(b, "Polyhedron")
        return volume, unit

    def quadrature(self, b, order):
        corners, _, triangles = self.surface_of(b, "Polyhedron")
        _, centre, second = mesh_moments.moments(corners, triangles, "Polyhedron")
        points, shares = mesh_moments.quadrature(corners, triangles, centre, order) or mesh_moments.by_moments(centre, second)
        return [tuple(x) for x in points.tolist()], shares.tolist()
