"""Motor: a given torque or force on a coordinate.

    p = f(t, c, ċ) on the second body, −p on the first          (rows/effort.py on the coordinate)
"""

from __future__ import annotations

from dalembert.elements.forces.base import BaseForce
from dalembert.elements.given import Coordinate, Law


class Motor(BaseForce):
    """A given torque or force on a coordinate: ``law`` of t, coordinate, rate; positive drives the second body forward."""

    law_names = ("t", "coordinate", "rate")
    unknowns = ("law",)

    def __init__(self, name: str, of: Coordinate, law: Law) -> None:
        self.name, self.of, self.law = name, of, law
        self.stiffness = self.damping = 0.0

    def build(self, b):
        b.effort(self, b.coordinate(self.of, self), 0.0, self.law, 1.0, self.law_names)
