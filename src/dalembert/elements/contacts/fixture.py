"""Fixture: shapes that stand still on the ground, for bodies to touch: floors, walls, trays."""

from __future__ import annotations

from dalembert.elements.element import Element
from dalembert.errors import ModelError


class Fixture(Element):
    """Shapes fixed to the ground; position, angle (plane) or rotation (space) place them together."""

    kind = "fixture"
    joins_bodies = False

    def __init__(self, name, *, shapes, position=None, angle=None, rotation=None, material=None):
        self.name, self.position, self.angle, self.rotation, self.material = name, position, angle, rotation, material
        self.shapes = tuple(shapes) if isinstance(shapes, (list, tuple)) else (shapes,)
        if not self.shapes:
            raise ModelError(f"{self.title}: give it shapes=, as da.HalfSpace((0, 0, 1))")
