"""RelativeAngle: the angle between two bodies follows a law (course: φ_j − φ_i − C − f(t) = 0).

−λ is the torque on j that the driver (or the lock, for a constant law) supplies.
"""

from __future__ import annotations

from dalembert.elements.element import Element
from dalembert.elements.given import Law, Ref


class RelativeAngle(Element):
    """Angle of j against i, measured from the drawn pose, equal to ``law`` (default 0: locked)."""

    kind = "constraint"
    drawn_as = ""
    dims = (2,)

    def __init__(self, name: str, i: Ref, j: Ref, *, law: Law = 0.0) -> None:
        self.name, self.i, self.j, self.law = name, i, j, law
        self.axis = self.axis2 = (1.0, 0.0)
        self.axis_i = self.axis_j = None

    def build(self, b):
        i, j = b.axis_markers(self)
        b.hold(b.angle(i, j, from_drawing=True), self.law, "relative angle")
