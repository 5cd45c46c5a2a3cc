"""Spring: spring, damper and actuator between two points.

    tension k (l − l₀) + c l̇ + f_a(t, l, l̇), along the line of the points          (rows/effort.py on the measure distance)
"""

from __future__ import annotations

from dalembert.elements.forces.base import BaseForce
from dalembert.elements.given import Law, Number, Ref, Vector
from dalembert.errors import ModelError


class Spring(BaseForce):
    """Spring–damper–actuator between two points: tension k (l − l₀) + c l̇ + actuator(t, length, rate).

    ``length`` is l₀ (default: as drawn).  ``actuator`` is a law of t, length, rate; positive pulls the ends together.
    """

    pulls = True
    drawn_as = "spring"
    law_names = ("t", "length", "rate")
    unknowns = ("actuator",)

    def __init__(self, name: str, i: Ref, j: Ref, *, at_i: Vector | None = None, at_j: Vector | None = None,
                 on_i: Vector | None = None, on_j: Vector | None = None, stiffness: Number = 0.0, damping: Number = 0.0,
                 length: Number | None = None, actuator: Law | None = None) -> None:
        self.name, self.i, self.j, self.at_i, self.at_j, self.on_i, self.on_j = name, i, j, at_i, at_j, on_i, on_j
        self.stiffness, self.damping, self.length, self.actuator = stiffness, damping, length, actuator

    def build(self, b):
        i, j = b.point_markers(self)
        rest = b.drawn_distance(i, j) if self.length is None else b.number(self.length, f"length of {self.title}")
        if b.drawn_distance(i, j) == 0.0:
            raise ModelError(f"{self.title}: its two points are the same as drawn, so the spring has no direction; draw them "
                             "apart, length= says where it is slack (even 0), or hold two points together by a Bushing, which "
                             "pulls along every axis")
        b.effort(self, b.distance(i, j), rest, self.actuator, -1.0, self.law_names)
