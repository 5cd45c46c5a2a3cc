"""RelativeAngle: the angle between two bodies follows a law (course: φ_j − φ_i − C − f(t) = 0).

−λ is the torque on j that the driver (or the lock, for a constant law) supplies.
"""

from __future__ import annotations

from dalembert.elements.element import Element
from dalembert.elements.given import Law, Ref


class RelativeAngle(Element):
    """The angle between two bodies of the plane follows a law.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    i, j : body or name [–]
        First and second body; "ground" is the fixed frame.
    law : law of t [rad], default 0.0
        Angle of j against i, from the drawn pose.

    Notes
    -----
    Holds: φ_j − φ_i − C − f(t) = 0, one row, C from the drawing.

    Signs: −λ is the torque on j that the driver (or the lock, for a constant law) supplies; the opposite acts on i.

    Degenerate: never.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("turntable", dim=2)
    >>> disc = m.add(da.Body("disc", mass=1.0, inertia=0.5, shapes=[da.Cylinder(0.3, 0.05)]))
    >>> turn = m.add(da.RelativeAngle("turn", m.ground, disc, law="2*t**2"))
    >>> da.accelerations(m)["turn"].multipliers.round(3).tolist()       # −λ = J · 4 rad/s²
    [-2.0]
    """

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
