"""The user's body: mass, inertia about the centre of mass, where it is drawn, and how it moves at the start.

The body's own frame has its origin at the reference point ``position``; ``com`` is the centre of mass in that frame
(default: the origin).  Inertia is about the centre of mass along the body's axes: a number in the plane, three principal
moments or a full 3×3 matrix in space.  Inside, the state is that of the centre of mass, so M is constant.

A principal moment may be zero (a thin rod about its own axis): positions, velocities, accelerations of driven motions and the
forces that go with them need no M⁻¹.  What does (simulate, accelerations …) refuses such a body by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import numpy as np

from dalembert.elements.bodies import composite, particles
from dalembert.elements.element import Element
from dalembert.elements.given import Look, Number, Rotation, Vector
from dalembert.errors import ModelError

if TYPE_CHECKING:
    from dalembert.elements.shapes import Shape


class Ground:
    """The fixed frame.  ``ground.shapes = [...]`` stand on it: the fixture called "ground" (model/standing.py)."""

    name = "ground"
    kind = "ground"

    def __init__(self) -> None:
        self._shapes: tuple = ()

    @property
    def shapes(self) -> tuple:
        """Seen, and touched where a contact names "ground" or "all"; give one shape or a list."""
        return self._shapes

    @shapes.setter
    def shapes(self, given) -> None:
        found = tuple(given) if isinstance(given, (list, tuple)) else (given,)
        odd = [x for x in found if not hasattr(x, "touches_as")]
        if odd:
            raise ModelError(f"shapes of the ground: give da.Box, da.HalfSpace and the like, one or a list, got {odd[0]!r}")
        self._shapes = found

    def __repr__(self):
        return "ground"


class Options(TypedDict, total=False):
    """What else a body may be given."""

    inertia: Number | Sequence[Any] | np.ndarray | None
    position: Vector | None
    angle: Number | None
    rotation: Rotation | None
    velocity: Vector | None
    omega: Number | Vector | None
    com: Vector | None
    shapes: Shape | Sequence[Shape]
    material: Look | None
    second_moments: Vector | None
    trust_inertia: bool


class Body(Element):
    """A rigid body: mass, inertia about its centre of mass, where it is drawn and how it moves at the start.

    ``Body.rod`` and ``Body.from_shape`` work out mass properties.

    Parameters
    ----------
    name : string [–]
        Name of the body; results are read by it.
    mass : number or formula [kg], optional
        Mass; with ``shape`` the whole mass, or one for each shape.
    inertia : number, three or matrix [kg·m²], optional
        About the centre of mass along the body's axes: a number in the plane; three principal moments or a 3×3 matrix in space.
    position : vector [m], optional
        Where its reference point (the origin of its own frame) is drawn, ground axes; left out: the origin.
    angle : number or formula [rad], optional
        How it is drawn (plane), counter-clockwise.
    rotation : quaternion, matrix or ("xyz", angles) [–], optional
        How it is drawn (space): body axes to ground axes, quaternions scalar first; angles in rad.
    velocity : vector [m/s], optional
        Of the reference point (with ``com=`` not of the centre of mass), ground axes: where assembly of velocities starts from.
    omega : number or vector [rad/s], optional
        Angular velocity, body axes: where assembly of velocities starts from.
    com : vector [m], optional
        Centre of mass in its own frame; left out: the origin, or where shapes put it.
    start, end : vector [m], optional
        Ends of a uniform rod as drawn (``Body.rod``).
    radius : number or formula [m], optional
        Of such a rod in space, a full cylinder; left out: slender.
    shape : shape or list of shapes [–], optional
        What mass, centre and inertia are taken from (``Body.from_shape``).
    density : number, or one for each shape [kg/m³], optional
        Of these shapes.
    shapes : shape or list of shapes [–], default ()
        Seen, and touched where a Contact names the body; without mass of their own.
    material : Material [–], optional
        For the eye only.
    second_moments : three numbers [kg·m²], optional
        ∫x² dm, ∫y² dm, ∫xy dm about the centre of mass (plane), for fields.
    trust_inertia : flag [–], default False
        Take moments that no body has (printed ones that break the triangle inequality) as they are; ``check`` says so.

    Notes
    -----
    Frame: its own, with the origin at ``position``; ``on_i=``, ``on=`` and ``com=`` of elements are in it. State and mass
    matrix are those of the centre of mass.

    Signs: angles counter-clockwise, quaternions scalar first, ``omega`` in body axes (``omega_ground`` in results is in
    ground axes). A rod's local x runs from start to end, its origin is the middle.

    Degenerate: a principal moment of zero (a thin rod about its axis) has no M⁻¹: driven motions and their forces work,
    ``simulate`` refuses by name. Velocities that joints do not allow are taken away, and ``check`` says so.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("top", dim=3, gravity=(0, 0, -9.81))
    >>> top = m.add(da.Body.from_shape("top", [da.Cylinder(0.2, 0.05), da.Cylinder(0.02, 0.4)], density=2700.0,
    ...                                rotation=("x", [0.3]), omega=(0, 0, 30)))
    >>> stand = m.add(da.Body("stand", mass=5.0, inertia=(0.1, 0.1, 0.1), position=(0.6, 0, 0), shapes=[da.Box((0.2, 0.2, 0.3))]))
    >>> float(da.check(m).dof)
    12.0
    """

    kind = "body"
    is_particle = False  # a point mass: no orientation (point_mass.py)
    arguments = {"shape": "shapes", "density": "each", "mass": "each", "trust_inertia": "flag"}

    def __init__(self, name: str, *, mass: Number | Vector | None = None,
                 inertia: Number | Sequence[Any] | np.ndarray | None = None, position: Vector | None = None,
                 angle: Number | None = None, rotation: Rotation | None = None, velocity: Vector | None = None,
                 omega: Number | Vector | None = None, com: Vector | None = None, start: Vector | None = None,
                 end: Vector | None = None, radius: Number | None = None, shape: Shape | Sequence[Shape] | None = None,
                 density: Number | Vector | None = None, shapes: Shape | Sequence[Shape] = (), material: Look | None = None,
                 second_moments: Vector | None = None, trust_inertia: bool = False) -> None:
        self.name = name
        self.mass, self.inertia, self.position = mass, inertia, position
        self.angle, self.rotation, self.velocity, self.omega, self.com = angle, rotation, velocity, omega, com
        self.start, self.end, self.radius = start, end, radius
        self.shape, self.density, self.material, self.second_moments = shape, density, material, second_moments
        self.shapes = tuple(shapes) if isinstance(shapes, (list, tuple)) else (shapes,)
        self.trust_inertia = trust_inertia

    @classmethod
    def rod(cls, name: str, start: Vector, end: Vector, *, mass: Number, radius: Number | None = None,
            **kw: Unpack[Options]) -> Body:
        """Uniform slender rod: local x from start to end, origin at the middle, inertia m l²/12.

        In space a rod needs some inertia about its own axis: ½ m r² with r = length/50.  With ``radius`` it is a full
        cylinder, ½ m r² about its axis and m l²/12 + m r²/4 across.
        """
        return cls(name, mass=mass, start=start, end=end, radius=radius, **kw)

    @classmethod
    def from_shape(cls, name: str, shape: Shape | Sequence[Shape], *, density: Number | Vector | None = None,
                   mass: Number | Vector | None = None, **kw: Unpack[Options]) -> Body:
        """Mass, centre and inertia of a shape (Box, Cylinder, Sphere, Capsule, a closed Mesh), or of a list of them.

        density: one, or one for each; or mass: of the whole (alike in density), or one for each.  Shapes sit on the body by their
        own position and rotation; where the centre of mass is follows from them.
        """
        return cls(name, shape=shape, density=density, mass=mass, **kw)

    @property
    def solids(self) -> tuple:
        """The shapes it takes its mass from."""
        return () if self.shape is None else tuple(self.shape) if isinstance(self.shape, (list, tuple)) else (self.shape,)

    def principal(self, parameters: Mapping[str, float] | None = None) -> Any:
        """Principal moments and axes in space (model/principal.py); ``parameters``: numbers for its formulas, as m.parameters."""
        import dalembert

        return dalembert.presenter("principal")(self, dict(parameters or {}))

    # ------------------------------------------------------------------------------------------------ numbers

    def resolve(self, b) -> dict:
        """Numbers of this body in the plane or in space: mass, inertia, pose, twist, com."""
        dim = b.dim
        what = self.title
        self._refuse_mixtures(dim)
        if self.start is not None:
            r, A, inertia = self._rod(b)
        else:
            r = np.zeros(dim) if self.position is None else b.vector(self.position, f"position of {what}")
            A = b.rotation(self.angle, self.rotation, what)
            inertia = None
        mass, inertia = self._mass(b, inertia)
        com = np.zeros(dim) if self.com is None else b.vector(self.com, f"com of {what}")
        if self.solids and self.com is None:
            com = self._whole(b).com[:dim]
        omega = b.turn(self.omega, f"omega of {what}")
        velocity = np.zeros(dim) if self.velocity is None else b.vector(self.velocity, f"velocity of {what}")
        return {"mass": mass, "inertia": inertia, "r": r, "A": A, "com": com, "velocity": velocity, "omega": omega}

    def quadrature(self, b, order):
        """Points about the centre of mass (body axes) and shares of the mass; None when how the mass lies is not known."""
        if self.inertia is not None or self.com is not None:
            return None
        if self.solids:
            return self._whole(b).quadrature(b, order)
        if self.start is not None:
            p, q = (b.vector(x, f"end of {self.title}") for x in (self.start, self.end))
            length = b.length(q - p)
            if b.dim == 2 or self.radius is None:
                return particles.rod(order, length)
            square = b.positive(self.radius, f"radius of {self.title}") ** 2
            points, shares = particles.stack(order, [(-length / 2, length / 2, lambda z: square)])
            return [(z, x, y) for x, y, z in points], shares
        return None

    def _whole(self, b) -> composite.Whole:
        strange = [s for s in self.solids if not hasattr(s, "moments")]
        if strange or not self.solids:
            raise ModelError(f"{self.title}: takes its mass from a Box, Cylinder, Sphere, Capsule or closed Mesh, or a list of "
                             f"them, got {strange[0] if strange else self.shape!r}")
        return composite.whole(b, self, self.solids, self.density, self.mass)

    def _refuse_mixtures(self, dim):
        if dim == 2 and self.rotation is not None:
            raise ModelError(f"{self.title}: in the plane give angle=, not rotation=")
        if dim == 3 and self.angle is not None:
            raise ModelError(f"{self.title}: in space give rotation= (quaternion, matrix or ('xyz', angles)), not angle=")
        if self.start is not None and (self.position is not None or self.angle is not None or self.rotation is not None):
            raise ModelError(f"{self.title}: a rod is placed by start and end; position and angle follow from them")
        if (self.start is None) != (self.end is None):
            raise ModelError(f"{self.title}: a rod needs both start= and end=")

    def _rod(self, b):
        p = b.vector(self.start, f"start of {self.title}")
        q = b.vector(self.end, f"end of {self.title}")
        d = q - p
        length = b.length(d)
        if length == 0.0:
            raise ModelError(f"{self.title}: start and end are the same point; a rod needs a length")
        mass = b.positive(self.mass, f"mass of {self.title}")
        transverse = mass * length**2 / 12
        if b.dim == 2:
            return (p + q) / 2, b.heading(d[1], d[0]), transverse
        frame = b.frame_along(d / length, 0)
        if self.radius is None:  # slender: m l²/12 as in the plane, and just enough about its own axis
            return (p + q) / 2, frame, b.diagonal([0.5 * mass * (length / 50) ** 2, transverse, transverse])
        square = b.positive(self.radius, f"radius of {self.title}") ** 2
        across = transverse + 0.25 * mass * square
        return (p + q) / 2, frame, b.diagonal([0.5 * mass * square, across, across])

    def _mass(self, b, inertia):
        what = self.title
        if self.shape is not None:
            found = self._whole(b)
            moved = any(float(x) != 0.0 for x in found.com)
            if self.com is not None and (moved or len(self.solids) > 1):
                raise ModelError(f"{what}: its centre of mass follows from its shapes, com= says it again; leave com= out, or "
                                 "give mass=, com= and inertia= and put the shapes into shapes=")
            mass, inertia = found.mass, found.inertia[2, 2] if b.dim == 2 else found.inertia
        else:
            if self.mass is None:
                raise ModelError(f"{what}: give its mass=")
            mass = b.positive(self.mass, f"mass of {what}")
        if self.inertia is not None:
            inertia = b.inertia(self.inertia, what, trusted=bool(self.trust_inertia), zeros=True)
        if inertia is None:
            raise ModelError(f"{what}: give inertia= about its centre of mass (or use Body.rod or Body.from_shape; a point mass "
                             "is a Particle)")
        return mass, inertia
