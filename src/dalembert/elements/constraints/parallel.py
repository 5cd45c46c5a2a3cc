"""Parallel: a vector on i and one on j stay parallel.

    plane: (normal of a_i) · a_j = 0 (1 row)          space: both normals of a_i perpendicular to a_j (2 rows)

−λ is a torque on j (for unit vectors).  Parallel and antiparallel are both solutions: the one as drawn is kept.
"""

from __future__ import annotations

from dalembert.elements.element import Element
from dalembert.elements.given import Ref, Vector


class Parallel(Element):
    """Two vectors stay parallel: ``axis`` in ground coordinates as drawn, or axis_i= and axis_j= on the bodies."""

    kind = "constraint"
    drawn_as = ""

    def __init__(self, name: str, i: Ref, j: Ref, *, axis: Vector | None = None, axis_i: Vector | None = None,
                 axis_j: Vector | None = None) -> None:
        self.name, self.i, self.j, self.axis, self.axis_i, self.axis_j = name, i, j, axis, axis_i, axis_j
        self.axis2 = axis

    def build(self, b):
        i, j = b.axis_markers(self)
        for normal in b.normals:
            b.hold(b.dot_axes(i, normal, j, b.main_axis), 0.0, "rotation", about=(i, normal, j, b.main_axis))
