"""What joints share: two bodies, where they meet, and along which axis."""

from __future__ import annotations

from typing import ClassVar

from dalembert.elements.element import Element
from dalembert.elements.given import Ref, Vector


class BaseJoint(Element, listed=False):
    """A joint between the bodies i and j.

    at, axis: point and direction in ground coordinates, in the pose as drawn; or
    on_i, on_j, axis_i, axis_j: the same on each body in its own coordinates (then ``assemble`` closes the joint).
    """

    kind = "joint"
    place_optional: ClassVar[bool] = False  # without a place it sits at the reference point of the second body
    needs_axis: ClassVar[tuple[int, ...]] = (3,)

    def __init__(self, name: str, i: Ref, j: Ref, *, at: Vector | None = None, axis: Vector | None = None,
                 on_i: Vector | None = None, on_j: Vector | None = None, axis_i: Vector | None = None,
                 axis_j: Vector | None = None) -> None:
        self.name, self.i, self.j, self.at, self.axis = name, i, j, at, axis
        self.on_i, self.on_j, self.axis_i, self.axis_j = on_i, on_j, axis_i, axis_j

    def build(self, b):
        i, j = b.joint_markers(self)
        self.recipe(b, i, j)

    def recipe(self, b, i, j):
        raise TypeError(self.title)
