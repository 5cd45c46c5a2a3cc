"""Universal: a cross between two shafts; it passes torque along them and lets both bend.

    coincide + one DP1: the arm of the cross on i stays perpendicular to the arm on j (4 rows).

``axis`` is the arm fixed on i, ``axis2`` the arm fixed on j, perpendicular as drawn (or axis_i and axis_j).
Reaction: a force at the centre and a torque along the normal of the cross.
"""

from __future__ import annotations

import numpy as np

from dalembert.elements.given import Ref, Vector
from dalembert.elements.joints.joint import BaseJoint
from dalembert.errors import ModelError


class Universal(BaseJoint):
    """A cross between two shafts: arm ``axis`` on i, arm ``axis2`` on j."""

    drawn_as = "cross"
    dims = (3,)
    free = {3: ("arm i", "arm j")}

    def __init__(self, name: str, i: Ref, j: Ref, *, at: Vector | None = None, axis: Vector | None = None,
                 axis2: Vector | None = None, on_i: Vector | None = None, on_j: Vector | None = None,
                 axis_i: Vector | None = None, axis_j: Vector | None = None) -> None:
        super().__init__(name, i, j, at=at, axis=axis, on_i=on_i, on_j=on_j, axis_i=axis_i, axis_j=axis_j)
        self.axis2 = axis2

    def build(self, b):
        if self.axis_j is None and self.axis2 is None:
            raise ModelError(f"{self.title}: give both arms of the cross, axis= (on the first body) and axis2= (on the "
                             "second), perpendicular to each other")
        i, j = b.joint_markers(self, axis_j=self.axis2)
        if self.axis is not None and self.axis2 is not None:
            a, c = b.direction(self.axis, f"axis of {self.title}"), b.direction(self.axis2, f"axis2 of {self.title}")
            if abs(np.dot(a, c)) > 1e-6:
                raise ModelError(f"{self.title}: axis and axis2 must be perpendicular as drawn")
        b.coincide(i, j)
        b.hold(b.dot_axes(i, 2, j, 2), 0.0, "rotation about the normal of the cross")
