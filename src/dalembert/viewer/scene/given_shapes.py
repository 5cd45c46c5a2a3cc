"""The user's shapes as parts of a scene: same meshes and materials are kept once."""

from __future__ import annotations

import itertools
import math
import os

import numpy as np

from dalembert.algebra.rotations import frame_along, quaternion_of_matrix
from dalembert.elements import convex, shapes
from dalembert.elements.materials import Material, material
from dalembert.errors import ModelError
from dalembert.model.numbers import Numbers
from dalembert.viewer.meshes import solids
from dalembert.viewer.meshes.files import read_mesh
from dalembert.viewer.scene.scene import PALETTE, Part, Scene, lifted, rotate

DARK = Material("#4b525c", specular="#33373d", shininess=60.0)  # pins
GREY = Material("#9aa3ad", specular="#3a3d41", shininess=30.0)  # what stands on the ground
WIRE = Material("#8b939d", specular="#77797d", shininess=80.0)  # springs
ONE = np.array([1.0, 0.0, 0.0, 0.0])


class GivenShapes:
    """Adds meshes, materials and parts to a scene."""

    def __init__(self, scene: Scene, dim: int, values: dict[str, float]):
        self.scene, self.dim, self.numbers = scene, dim, Numbers(dim, values)
        self.owner = ""  # the element whose marks are drawn
        self.way: np.ndarray | None = None  # outermost points of the scene, once half-spaces are asked for
        self._meshes: dict = {}
        self._materials: dict[Material, int] = {}

    def colour(self, value, index: int = 0) -> int:
        """Number of a material; without one, the next colour of the palette."""
        found = Material(PALETTE[index % len(PALETTE)]) if value is None else material(value)
        if found not in self._materials:
            self._materials[found] = len(self.scene.materials)
            self.scene.materials.append(found)
        return self._materials[found]

    def mesh(self, key, make) -> int:
        if key not in self._meshes:
            self._meshes[key] = len(self.scene.meshes)
            self.scene.meshes.append(make())
        return self._meshes[key]

    def put(self, body, mesh, paint, position=(0, 0, 0), quaternion=ONE, scale=(1, 1, 1), role="body") -> None:
        p = np.zeros(3)
        p[: len(position)] = position
        self.scene.parts.append(Part(body, mesh, paint, p, np.asarray(quaternion, float), np.asarray(scale, float), role,
                                     self.owner))

    # ------------------------------------------------------------------------------------------ simple solids

    def box(self, body, paint, size, position=(0, 0, 0), quaternion=ONE, role="body"):
        self.put(body, self.mesh("box", solids.box), paint, position, quaternion, size, role)

    def cylinder(self, body, paint, radius, length, position=(0, 0, 0), quaternion=ONE, role="body"):
        self.put(body, self.mesh("cylinder", solids.cylinder), paint, position, quaternion, (radius, radius, length), role)

    def sphere(self, body, paint, radius, position=(0, 0, 0), role="body"):
        self.put(body, self.mesh("sphere", solids.sphere), paint, position, ONE, (radius,) * 3, role)

    def capsule(self, body, paint, radius, length, position=(0, 0, 0), quaternion=ONE, role="body"):
        r, h = _key(radius), _key(length)
        self.put(body, self.mesh(("capsule", r, h), lambda: solids.capsule(r, h)), paint, position, quaternion, role=role)

    def bar(self, body, paint, start, end, width, depth, z=0.0, role="body"):
        """A flat bar between two points of the plane."""
        d = np.asarray(end, float)[:2] - np.asarray(start, float)[:2]
        length, w, h = _key(float(np.hypot(*d))), _key(width), _key(depth)
        half = math.atan2(d[1], d[0]) / 2
        mesh = self.mesh(("bar", length, w, h), lambda: solids.bar(length, w, h))
        self.put(body, mesh, paint, (start[0], start[1], z), (math.cos(half), 0, 0, math.sin(half)), role=role)

    def round_bar(self, body, paint, start, end, radius, role="body"):
        """A capsule between two points of space."""
        start, end = np.asarray(start, float), np.asarray(end, float)
        d = end - start
        length = float(np.linalg.norm(d))
        if length < 1e-12:
            return self.sphere(body, paint, radius, start, role)
        return self.capsule(body, paint, radius, length, (start + end) / 2, along(d / length), role)

    # ---------------------------------------------------------------------------------------- the user's shapes

    def add(self, body: int, shape, paint: int, z: float, depth: float, width: float, owner: str) -> None:
        """Put one shape of the user on a body; in the plane it is ``depth`` thick and lies at height z."""
        n = self.numbers
        what = f"{type(shape).__name__} of body '{owner}'"
        if not isinstance(shape, shapes.Shape):
            raise ModelError(f"body '{owner}': shapes are Box, Cylinder, Sphere, Capsule, Polygon, Polyhedron, Link or Mesh, "
                             f"got {shape!r}")
        if shape.material is not None:
            paint = self.colour(shape.material)
        place, turn = self._place(shape, what)
        flat = self.dim == 2
        if flat:
            place = lifted(place, z)
        if isinstance(shape, shapes.Box):
            size = [n.positive(x, f"edge of {what}") for x in shape.size]
            size = [*size[:2], depth] if flat else size + [depth] * (3 - len(size))
            self.box(body, paint, size, place, turn)
        elif isinstance(shape, shapes.Sphere):
            self.sphere(body, paint, n.positive(shape.radius, f"radius of {what}"), place)
        elif isinstance(shape, shapes.Cylinder):
            radius = n.positive(shape.radius, f"radius of {what}")
            length = depth if flat else n.positive(shape.length, f"length of {what}")
            self.disc(body, paint, radius, length, place, turn)
        elif isinstance(shape, shapes.Capsule):
            radius, length = n.positive(shape.radius, f"radius of {what}"), n.positive(shape.length, f"length of {what}")
            self.capsule(body, paint, radius, length, place, turn)
        elif isinstance(shape, shapes.Link):
            self._link(body, shape, paint, place, turn, depth, width, what)
        elif isinstance(shape, convex.Polygon):
            outline = _rounded(*shape.outline(n, what))
            mesh = self.mesh(("polygon", outline.tobytes(), _key(depth)), lambda: solids.plate(outline, depth))
            self.put(body, mesh, paint, place, turn)
        elif isinstance(shape, convex.Polyhedron):
            corners, _, triangles = shape.surface_of(n, what)
            key = ("polyhedron", corners.tobytes(), triangles.tobytes())
            self.put(body, self.mesh(key, lambda: solids.flat(corners, triangles, closed=True)), paint, place, turn)
        elif isinstance(shape, shapes.HalfSpace):
            self._plate(body, shape, paint, place, turn, depth, width, what)
        elif isinstance(shape, shapes.Mesh):
            k = shape.scale
            several = hasattr(k, "__len__") and not isinstance(k, str)
            scale = [n.number(x, f"scale of {what}") for x in (k if several else (k,) * 3)]
            path = os.fspath(shape.file)
            self.put(body, self.mesh(("file", path), lambda: read_mesh(path, what)), paint, place, turn, scale)
        else:
            raise ModelError(f"{what} cannot be drawn")

    def disc(self, body, paint, radius, length, place=(0, 0, 0), turn=ONE, role="body"):
        """A cylinder; a flat one gets a stripe on its faces, so that its turning can be seen."""
        self.cylinder(body, paint, radius, length, place, turn, role)
        if length < 1.5 * radius:
            base = self.scene.materials[paint]
            dark = self.colour(Material(tuple(0.55 * c for c in base.diffuse), specular=base.specular, opacity=base.opacity))
            offset = rotate(turn, [0.48 * radius, 0, 0])
            self.box(body, dark, (0.8 * radius, 0.07 * radius, 1.02 * length), np.asarray(place) + offset, turn, role)

    def _plate(self, body, shape, paint, place, turn, depth, width, what):
        """A half-space: a plate below what moves, as large as its way."""
        n, flat = self.numbers, self.dim == 2
        normal = np.zeros(3)
        normal[: self.dim] = n.direction(shape.normal, f"normal of {what}")
        across = np.array([normal[1], -normal[0], 0.0])
        frame = np.column_stack([across, np.cross(normal, across), normal]) if flat else frame_along(normal, 2)
        A = Numbers(3, n.parameters).rotation(None, turn, what) @ frame
        if self.way is None:  # of what moves, with its parts; half-spaces do not count each other
            self.way = self.scene.cloud()
        way = self.way
        if body >= 0:  # in the frame of the fixture
            way = rotate(self.scene.quaternion[0, body] * [1, -1, -1, -1], way - self.scene.position[0, body])
        way = (way - place) @ A
        low, high = way.min(axis=0), way.max(axis=0)
        reach = 1.1 * (high - low)[:2] + max(6.0 * width, 0.25 * float((high - low)[:2].max()))
        thick = 0.02 * float(reach.max())
        size = [reach[0], depth if flat else reach[1], thick]
        middle = np.array([*((low + high) / 2)[:2], -0.5 * thick])
        if flat:
            middle[1] = 0.0
        self.box(body, paint, size, place + A @ middle, quaternion_of_matrix(A))

    def _link(self, body, shape, paint, place, turn, depth, width, what):
        n = self.numbers
        points = []
        for p in shape.points:
            q = np.zeros(3)
            q[: len(p)] = [n.number(x, f"point of {what}") for x in p]
            points.append(place + rotate(turn, q))
        if len(points) < 2:
            raise ModelError(f"{what}: a link goes through two points or more, got {len(points)}")
        width = width if shape.width is None else n.positive(shape.width, f"width of {what}")
        for start, end in itertools.pairwise(points):
            if self.dim == 2:
                self.bar(body, paint, start, end, width, depth, place[2])
            else:
                self.round_bar(body, paint, start, end, width / 2)

    def _place(self, shape, what):
        n = self.numbers
        place = np.zeros(3)
        if shape.position is not None:
            place[: len(shape.position)] = [n.number(x, f"position of {what}") for x in shape.position]
        if shape.rotation is None:
            return place, ONE
        if self.dim == 2 and not hasattr(shape.rotation, "__len__"):
            half = n.number(shape.rotation, f"rotation of {what}") / 2
            return place, np.array([math.cos(half), 0, 0, math.sin(half)])
        return place, quaternion_of_matrix(Numbers(3, n.parameters).rotation(None, shape.rotation, what))


def along(direction) -> np.ndarray:
    """Quaternion that turns z into a unit direction of space."""
    return quaternion_of_matrix(frame_along(np.asarray(direction, float), 2))


def _rounded(corners, radius) -> np.ndarray:
    """Outline of a polygon, with arcs about its corners where it is rounded."""
    p = corners[:, :2]
    if radius == 0.0:
        return p
    d = np.roll(p, -1, axis=0) - p
    angle = np.arctan2(-d[:, 0], d[:, 1])  # of the normal of each edge
    parts = []
    for k in range(len(p)):
        turn = (angle[k] - angle[k - 1]) % (2 * math.pi) or 2 * math.pi
        a = angle[k - 1] + np.linspace(0.0, turn, 9)
        parts.append(p[k] + radius * np.stack([np.cos(a), np.sin(a)], 1))
    return np.concatenate(parts)


def _key(x: float) -> float:
    return float(f"{x:.6g}")
