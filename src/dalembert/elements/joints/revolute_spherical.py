"""RevoluteSpherical: a massless link hinged on i and with a ball on j.

    axis_i · d = 0 (DP2) and |d| = l (2 rows): j's point moves on a circle about the hinge axis.

Reaction: −λ of the distance pushes along the link; −λ of the other row is the force on j along the hinge axis.
"""

from __future__ import annotations

from dalembert.elements.given import Number, Ref, Vector
from dalembert.elements.joints.distance import Distance


class RevoluteSpherical(Distance):
    """A massless link: hinge about ``axis`` on i at at_i, ball on j at at_j."""

    drawn_as = "hinged link"
    dims = (3,)

    def __init__(self, name: str, i: Ref, j: Ref, *, axis: Vector | None = None, axis_i: Vector | None = None,
                 at_i: Vector | None = None, at_j: Vector | None = None, on_i: Vector | None = None, on_j: Vector | None = None,
                 length: Number | None = None) -> None:
        super().__init__(name, i, j, at_i=at_i, at_j=at_j, on_i=on_i, on_j=on_j, length=length)
        self.axis, self.axis_i = axis, axis_i

    def build(self, b):
        i, j = b.point_markers(self, axis=self.axis, axis_i=self.axis_i)
        b.hold(b.distance(i, j), self.held_length(b, i, j), "distance")
        b.hold(b.dot_offset(i, 2, j), 0.0, "translation along the hinge axis")
