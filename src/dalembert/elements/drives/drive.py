"""Drive: a coordinate follows a law of time.

    Φ = c − f(t) = 0 (rows/hold.py); c is a joint's own coordinate, measured from the drawn pose, or a body
    coordinate such as 'piston.x' (absolute).

−λ is the force or torque that the drive must supply on the coordinate; its power is −λ ḟ.
"""

from __future__ import annotations

from dalembert.elements.element import Element
from dalembert.elements.given import Coordinate, Law


class Drive(Element):
    """A coordinate follows a law of time.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    of : joint, coordinate or pair of bodies [–]
        What is prescribed: a joint (its own coordinate, from the drawing) or a body's coordinate such as "piston.x" (absolute).
    law : law of t [m or rad]
        Number, formula of t, ``da.Table`` or Python function of t.

    Notes
    -----
    Holds: c − f(t) = 0, one row, with its exact ḟ and f̈ for formulas, tables and functions that can be traced.

    Signs: −λ is the force or torque that the drive supplies along the coordinate, on the second body; ``torque`` and
    ``force`` of the result are that number, ``power`` is −λ ḟ.

    Degenerate: in singular poses of the mechanism (dead centres), which ``kinematics`` and ``simulate`` name.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("driven rod", dim=2)
    >>> rod = m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=3.0))
    >>> pin = m.add(da.Revolute("pin", m.ground, rod, at=(0, 0)))
    >>> motor = m.add(da.Drive("motor", "pin", "0.5*t**2"))
    >>> round(float(da.accelerations(m)["motor"].torque), 6)            # J about the pin, m l²/3, times 1 rad/s²
    1.0
    """

    kind = "drive"

    def __init__(self, name: str, of: Coordinate, law: Law) -> None:
        self.name, self.of, self.law = name, of, law

    def at_value(self, value):
        """The same drive holding a number."""
        return Drive(self.name, self.of, value)

    def build(self, b):
        b.hold(b.coordinate(self.of, self), self.law, "drive", driver=True)
