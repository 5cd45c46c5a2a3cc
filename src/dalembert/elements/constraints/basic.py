"""The four basic constraints of the course, each with an optional law f(t).

    DP1  a_i · a_j = f(t)          DP2  a_i · (r_j − r_i) = f(t)          CD  n · (r_j − r_i) = f(t)          D  d · d = f(t)

Φ, Φ_r, Π̄, ν and γ are those of the measures (dot_axes, dot_offset, component, square distance) under ``hold``.
``law`` defaults to the value as drawn.
"""

from __future__ import annotations

from dalembert.elements.element import Element
from dalembert.elements.given import Law, Ref, Vector
from dalembert.errors import ModelError


class _Basic(Element):
    kind = "constraint"
    drawn_as = ""
    law: Law | None = None

    def held(self, b, measure, label):
        law = b.drawn_value(measure) if self.law is None else self.law
        b.hold(measure, law, label)


class DP1(_Basic):
    """The product of a unit vector on i and one on j; vectors in ground coordinates as drawn or axis_i=, axis_j=."""

    dims = (3,)

    def __init__(self, name: str, i: Ref, j: Ref, *, axis: Vector | None = None, axis2: Vector | None = None,
                 axis_i: Vector | None = None, axis_j: Vector | None = None, law: Law | None = None) -> None:
        self.name, self.i, self.j, self.axis, self.axis2 = name, i, j, axis, axis2
        self.axis_i, self.axis_j, self.law = axis_i, axis_j, law

    def build(self, b):
        if self.axis is not None and self.axis2 is None and self.law is None:
            raise ModelError(f"{self.title}: give axis2=, the vector on the second body; the product of a vector with "
                             "itself is 1 and holds nothing")
        i, j = b.axis_markers(self)
        self.held(b, b.dot_axes(i, b.main_axis, j, b.main_axis), "product of the two axes")


class DP2(_Basic):
    """Offset of j's point from i's along a unit vector on i."""

    dims = (3,)

    def __init__(self, name: str, i: Ref, j: Ref, *, axis: Vector | None = None, axis_i: Vector | None = None,
                 at_i: Vector | None = None, at_j: Vector | None = None, on_i: Vector | None = None, on_j: Vector | None = None,
                 law: Law | None = None) -> None:
        self.name, self.i, self.j, self.axis, self.axis_i = name, i, j, axis, axis_i
        self.at_i, self.at_j, self.on_i, self.on_j, self.law = at_i, at_j, on_i, on_j, law

    def build(self, b):
        i, j = b.point_markers(self, axis=self.axis, axis_i=self.axis_i)
        self.held(b, b.dot_offset(i, b.main_axis, j), "offset along the axis")


class CD(_Basic):
    """Offset of j's point from i's along a direction fixed in the ground."""

    dims = (3,)

    def __init__(self, name: str, i: Ref, j: Ref, *, axis: Vector, at_i: Vector | None = None, at_j: Vector | None = None,
                 on_i: Vector | None = None, on_j: Vector | None = None, law: Law | None = None) -> None:
        self.name, self.i, self.j, self.axis = name, i, j, axis
        self.at_i, self.at_j, self.on_i, self.on_j, self.law = at_i, at_j, on_i, on_j, law

    def build(self, b):
        i, j = b.point_markers(self)
        guide = b.ground_marker(b.direction(self.axis, f"axis of {self.title}"))
        self.held(b, b.component(i, j, guide), "offset along the fixed direction")


class D(_Basic):
    """Square of the distance of two points."""

    dims = (3,)

    def __init__(self, name: str, i: Ref, j: Ref, *, at_i: Vector | None = None, at_j: Vector | None = None,
                 on_i: Vector | None = None, on_j: Vector | None = None, law: Law | None = None) -> None:
        self.name, self.i, self.j = name, i, j
        self.at_i, self.at_j, self.on_i, self.on_j, self.law = at_i, at_j, on_i, on_j, law

    def build(self, b):
        i, j = b.point_markers(self)
        if self.law is None and b.drawn_distance(i, j) == 0.0:
            raise ModelError(f"{self.title}: its two points are the same as drawn, so it has no direction; give law=, or "
                             "use a joint that keeps points together")
        self.held(b, b.square_distance(i, j), "square of the distance")
