"""Shapes: for the eye, and for mass properties of homogeneous bodies.

``mass_properties`` gives the volume (area × thickness is not asked for: in the plane the shape is seen along z) and the
inertia matrix per unit mass about the centre, along the shape's axes; ``moments`` also says where the centre is (a mesh's is not
its origin).
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np

from dalembert.elements.bodies import mesh_moments, particles
from dalembert.elements.given import Look, Number, Placed, Rotation, Vector, fixed, own
from dalembert.errors import ModelError, hint

PLACED = ("position", "rotation", "material", "surface")


class Touching(Placed, total=False):
    """Where a shape sits on its body, how it looks, and what it touches with."""

    surface: str | None


class Shape:
    """Base: where the shape sits on the body, how it looks (material) and what it touches with (surface)."""

    seen_as = ""  # in line drawings: disc, box or nothing
    touches_as = ""  # where bodies touch: the kind of shape (model/touching.py), or nothing that touches

    def __init__(self, position: Vector | None = None, rotation: Rotation | None = None,
                 material: Look | None = None, surface: str | None = None, **odd: Any) -> None:
        if odd:
            name = next(iter(odd))
            cure = ("rotation= turns it on its body, in the plane by an angle" if name == "angle"
                    else f"it takes position, rotation, material and surface{hint(name, PLACED)}")
            raise ModelError(f"{type(self).__name__} has no {name}=: {cure}")
        self.position, self.rotation, self.material, self.surface = position, rotation, material, surface

    def __setattr__(self, key, value):
        object.__setattr__(self, key, fixed(own(value)))

    def __setstate__(self, state):
        self.__dict__.update(fixed(state))

    def mass_properties(self, b):
        raise ModelError(f"{type(self).__name__} has no volume to take a mass from: give mass= and inertia=")

    def moments(self, b, what):
        """Volume, centre and inertia per unit mass about it, in the shape's own frame."""
        volume, unit = self.mass_properties(b)
        return volume, np.zeros(3), unit

    def quadrature(self, b, order):
        """Points and shares of the volume (bodies/particles.py)."""
        raise ModelError(f"{type(self).__name__} has no volume")

    def __repr__(self):
        inside = ", ".join(f"{k}={v!r}" for k, v in vars(self).items() if v is not None)
        return f"{type(self).__name__}({inside})"

    def __eq__(self, other):
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]


class Box(Shape):
    """A box; in the plane a rectangle of unit thickness.

    Parameters
    ----------
    size : two or three numbers [m]
        Edges along x, y, z.
    position : vector [m], optional
        Where its centre (or origin) sits on the body; left out: the body's origin.
    rotation : quaternion, matrix or ("xyz", angles) [–], optional
        How it is turned on the body.
    material : Material, name or colour [–], optional
        For the eye.
    surface : string [–], optional
        What it touches with: the name of a Surface.
    """

    seen_as = touches_as = "box"

    def __init__(self, size: Vector, **kw: Unpack[Touching]) -> None:
        super().__init__(**kw)
        self.size = size

    def mass_properties(self, b):
        edges = [b.positive(x, "edge of a Box") for x in self.size] + [1.0] * (3 - len(self.size))
        x, y, z = edges
        return x * y * z, np.diag([y * y + z * z, x * x + z * z, x * x + y * y]) / 12

    def quadrature(self, b, order):
        edges = [b.positive(x, "edge of a Box") for x in self.size] + [1.0] * (3 - len(self.size))
        return particles.box(order, edges, b.dim == 2)


class Sphere(Shape):
    """A ball, in space as in the plane.

    Parameters
    ----------
    radius : number or formula [m]
        Radius.
    position : vector [m], optional
        Where its centre (or origin) sits on the body; left out: the body's origin.
    rotation : quaternion, matrix or ("xyz", angles) [–], optional
        How it is turned on the body.
    material : Material, name or colour [–], optional
        For the eye.
    surface : string [–], optional
        What it touches with: the name of a Surface.
    """

    seen_as, touches_as = "disc", "sphere"

    def __init__(self, radius: Number, **kw: Unpack[Touching]) -> None:
        super().__init__(**kw)
        self.radius = radius

    def mass_properties(self, b):
        r = b.positive(self.radius, "radius of a Sphere")
        return 4 / 3 * math.pi * r**3, np.eye(3) * 0.4 * r * r

    def quadrature(self, b, order):
        r = b.positive(self.radius, "radius of a Sphere")
        return particles.stack(order, [(-r, r, lambda z: r * r - z * z)])


class Cylinder(Shape):
    """A cylinder with its axis along z; in the plane a disc with the length as thickness.

    Parameters
    ----------
    radius : number or formula [m]
        Radius.
    length : number or formula [m], default 1.0
        Along z.
    position : vector [m], optional
        Where its centre (or origin) sits on the body; left out: the body's origin.
    rotation : quaternion, matrix or ("xyz", angles) [–], optional
        How it is turned on the body.
    material : Material, name or colour [–], optional
        For the eye.
    surface : string [–], optional
        What it touches with: the name of a Surface.
    """

    seen_as, touches_as = "disc", "cylinder"

    def __init__(self, radius: Number, length: Number = 1.0, **kw: Unpack[Touching]) -> None:
        super().__init__(**kw)
        self.radius, self.length = radius, length

    def mass_properties(self, b):
        r = b.positive(self.radius, "radius of a Cylinder")
        h = b.positive(self.length, "length of a Cylinder")
        side = r * r / 4 + h * h / 12
        return math.pi * r * r * h, np.diag([side, side, r * r / 2])

    def quadrature(self, b, order):
        r, h = b.positive(self.radius, "radius of a Cylinder"), b.positive(self.length, "length of a Cylinder")
        if b.dim == 2:
            points, shares = particles.disc(order)
            return [(x * r, y * r, 0.0) for x, y in points], shares
        return particles.stack(order, [(-h / 2, h / 2, lambda z: r * r)])


class Capsule(Shape):
    """A cylinder along z with half spheres on both ends.

    Parameters
    ----------
    radius : number or formula [m]
        Radius.
    length : number or formula [m]
        Of the cylinder between the half spheres.
    position : vector [m], optional
        Where its centre (or origin) sits on the body; left out: the body's origin.
    rotation : quaternion, matrix or ("xyz", angles) [–], optional
        How it is turned on the body.
    material : Material, name or colour [–], optional
        For the eye.
    surface : string [–], optional
        What it touches with: the name of a Surface.
    """

    seen_as, touches_as = "disc", "capsule"

    def __init__(self, radius: Number, length: Number, **kw: Unpack[Touching]) -> None:
        super().__init__(**kw)
        self.radius, self.length = radius, length

    def mass_properties(self, b):
        r = b.positive(self.radius, "radius of a Capsule")
        h = b.positive(self.length, "length of a Capsule")
        tube, ball = math.pi * r * r * h, 4 / 3 * math.pi * r**3
        axial = tube * r * r / 2 + ball * 0.4 * r * r
        side = tube * (r * r / 4 + h * h / 12) + ball * (0.4 * r * r + h * h / 4 + 3 * h * r / 8)
        return tube + ball, np.diag([side, side, axial]) / (tube + ball)

    def quadrature(self, b, order):
        r, h = b.positive(self.radius, "radius of a Capsule"), b.positive(self.length, "length of a Capsule") / 2
        return particles.stack(order, [(-h - r, -h, lambda z: r * r - (z + h) ** 2), (-h, h, lambda z: r * r),
                                       (h, h + r, lambda z: r * r - (z - h) ** 2)])


class HalfSpace(Shape):
    """All that lies behind a plane (in the plane: a line); for a Fixture.

    Parameters
    ----------
    normal : vector [–]
        Points out of it; its length does not matter.
    position : vector [m], optional
        A point of the plane; left out: the origin.
    rotation : quaternion, matrix or ("xyz", angles) [–], optional
        Turns the normal.
    material : Material, name or colour [–], optional
        For the eye.
    surface : string [–], optional
        What it touches with: the name of a Surface.
    """

    touches_as = "plane"

    def __init__(self, normal: Vector, **kw: Unpack[Touching]) -> None:
        super().__init__(**kw)
        self.normal = normal


class Link(Shape):
    """A bar with round ends through points on the body; for the eye only.

    Parameters
    ----------
    points : list of vectors [m]
        In the body's own coordinates.
    width : number [m], optional
        Left out: chosen by the size of the scene.
    position : vector [m], optional
        Where its centre (or origin) sits on the body; left out: the body's origin.
    rotation : quaternion, matrix or ("xyz", angles) [–], optional
        How it is turned on the body.
    material : Material, name or colour [–], optional
        For the eye.
    surface : name of a Surface [–], optional
        Kept, though this shape touches nothing.
    """

    def __init__(self, points: Sequence[Vector], width: Number | None = None, **kw: Unpack[Touching]) -> None:
        super().__init__(**kw)
        self.points, self.width = points, width


_SOLIDS: dict[tuple, tuple] = {}  # mesh files that bodies took their mass from


class Mesh(Shape):
    """A mesh file (STL, OBJ, glTF); a closed one can give a body its mass.

    Parameters
    ----------
    file : path [–]
        The file.
    scale : number, or one per axis [–], default 1.0
        Times its own coordinates: 0.001 for a file in mm.
    position : vector [m], optional
        Where its centre (or origin) sits on the body; left out: the body's origin.
    rotation : quaternion, matrix or ("xyz", angles) [–], optional
        How it is turned on the body.
    material : Material, name or colour [–], optional
        For the eye.
    surface : string [–], optional
        What it touches with: the name of a Surface.
    """

    touches_as = "mesh"

    def __init__(self, file: str | os.PathLike[str], scale: Number | Vector = 1.0, **kw: Unpack[Touching]) -> None:
        super().__init__(**kw)
        self.file: str | os.PathLike[str] = file
        self.scale: Any = scale

    def mass_properties(self, b):
        volume, _, unit = self.moments(b, "Mesh")
        return volume, unit

    def moments(self, b, what):
        """Of the solid inside: volume ∏ s, centre s c, ∫ x_i x_k dm ∝ s_i s_k under the scale s of each axis."""
        volume, centre, second = self._solid(what)[2:]
        s = self._scales(b, what)
        P = np.array([[s[i] * s[k] * second[i, k] for k in range(3)] for i in range(3)])
        J = (P[0, 0] + P[1, 1] + P[2, 2]) * np.eye(3) - P
        return abs(s[0] * s[1] * s[2]) * volume, np.array([s[k] * centre[k] for k in range(3)]), J

    def quadrature(self, b, order):
        """Of tetrahedra where these are few and lie inside; else six points with the solid's second moments, and a note."""
        corners, faces, _, centre, second = self._solid("Mesh")
        found = mesh_moments.quadrature(corners, faces, centre, order)
        if found is None:
            found = mesh_moments.by_moments(centre, second)
            note = (f"fields act on the mesh '{os.fspath(self.file)}' by its second moments of mass (right for fields quadratic "
                    f"over it): it has more than {mesh_moments.MOST_FACES} faces, or is not star-shaped about its centre")
            if note not in b.notes:
                b.note(note)
        s = self._scales(b, "Mesh")
        return [tuple(s[k] * x[k] for k in range(3)) for x in found[0].tolist()], found[1].tolist()

    def surface_of(self, b, what):
        """Corners and faces of the closed surface, scaled."""
        corners, faces = self._solid(what)[:2]
        return corners * np.array([float(x) for x in self._scales(b, what)]), faces

    def _what(self, what):
        return f"{what} ('{os.fspath(self.file)}')"

    def _solid(self, what):
        """Corners and faces (outwards) of the file, its volume, centre and second moments; read once while it is the same."""
        path = os.path.abspath(os.fspath(self.file))
        try:
            status = os.stat(path)
            stamp = status.st_mtime_ns, status.st_size
        except OSError:
            stamp = None  # the reader says what is wrong with it
        if (path, stamp) not in _SOLIDS:
            import dalembert

            found = dalembert.presenter("mesh")(path, self._what(what))
            surface = mesh_moments.solid(found[0], found[1], self._what(what))
            while len(_SOLIDS) >= 32:
                _SOLIDS.pop(next(iter(_SOLIDS)))
            _SOLIDS[path, stamp] = (*surface, *mesh_moments.moments(*surface, self._what(what)))
        return _SOLIDS[path, stamp]

    def _scales(self, b, what):
        given = self.scale if hasattr(self.scale, "__len__") and not isinstance(self.scale, str) else (self.scale,) * 3
        found = [b.number(x, f"scale of the mesh of {what}") for x in given]
        if len(found) != 3 or any(float(x) == 0.0 for x in found):
            raise ModelError(f"{self._what(what)}: its scale is a number or three, none of them zero, got {self.scale!r}")
        return found
