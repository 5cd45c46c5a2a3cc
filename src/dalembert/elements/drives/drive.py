"""Drive: a coordinate follows a law of time.

    Φ = c − f(t) = 0 (rows/hold.py); c is a joint's own coordinate, measured from the drawn pose, or a body
    coordinate such as 'piston.x' (absolute).

−λ is the force or torque that the drive must supply on the coordinate; its power is −λ ḟ.
"""

from __future__ import annotations

from dalembert.elements.element import Element
from dalembert.elements.given import Coordinate, Law


class Drive(Element):
    """Prescribe a coordinate: ``law`` is a number, an expression of t, a table or a Python function of t."""

    kind = "drive"

    def __init__(self, name: str, of: Coordinate, law: Law) -> None:
        self.name, self.of, self.law = name, of, law

    def at_value(self, value):
        """The same drive holding a number."""
        return Drive(self.name, self.of, value)

    def build(self, b):
        b.hold(b.coordinate(self.of, self), self.law, "drive", driver=True)
