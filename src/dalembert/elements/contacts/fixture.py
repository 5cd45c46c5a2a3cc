"""Fixture: shapes that stand still on the ground, for bodies to touch: floors, walls, trays."""

from __future__ import annotations

from collections.abc import Sequence

from dalembert.elements.element import Element
from dalembert.elements.given import Look, Number, Rotation, Vector
from dalembert.elements.shapes import Shape
from dalembert.errors import ModelError


class Fixture(Element):
    """Shapes that stand still on the ground, for bodies to touch: floors, walls, trays.

    Parameters
    ----------
    name : string [–]
        Its name; contacts name it.
    shapes : shape or list of shapes [–]
        What it is made of; a HalfSpace is a floor without end.
    position : vector [m], optional
        Places all shapes together; left out: the origin.
    angle : number [rad], optional
        Plane only: turns them together.
    rotation : quaternion, matrix or ("xyz", angles) [–], optional
        Space only: turns them together.
    material : Material, name or colour [–], optional
        For the eye.

    Notes
    -----
    Acts: nothing by itself; a Contact says who touches it. It has no mass, no coordinates and no equations.

    Signs: none. What it carries is read from the contact, or on a body by ``.on()``.

    Degenerate: never.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("tray", dim=2, gravity=(0, -10.0))
    >>> bottom, wall = da.Box((1.0, 0.1), position=(0, -0.05)), da.Box((0.1, 0.4), position=(-0.55, 0.1))
    >>> tray = m.add(da.Fixture("tray", shapes=[bottom, wall]))
    >>> ball = m.add(da.Body.from_shape("ball", da.Sphere(0.1), density=100.0, position=(0, 0.1)))
    >>> lies = m.add(da.Contact("lies", tray, ball, friction=0.3))
    >>> run = da.simulate(m, 0.1)
    >>> abs(run["ball"].position[-1]).round(3).tolist()                  # stays
    [0.0, 0.1]
    """

    kind = "fixture"
    joins_bodies = False

    def __init__(self, name: str, *, shapes: Shape | Sequence[Shape], position: Vector | None = None, angle: Number | None = None,
                 rotation: Rotation | None = None, material: Look | None = None) -> None:
        self.name, self.position, self.angle, self.rotation, self.material = name, position, angle, rotation, material
        self.shapes = tuple(shapes) if isinstance(shapes, (list, tuple)) else (shapes,)
        if not self.shapes:
            raise ModelError(f"{self.title}: give it shapes=, as da.HalfSpace((0, 0, 1))")
        odd = [x for x in self.shapes if not isinstance(x, Shape)]
        if odd:
            raise ModelError(f"{self.title}: shapes= are da.Box, da.HalfSpace and the like, one or a list, got {odd[0]!r}")
