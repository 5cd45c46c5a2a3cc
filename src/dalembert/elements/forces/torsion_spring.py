"""TorsionSpring: spring, damper and actuator on an angle.

    torque on j: −k (θ − θ₀) − c θ̇ − f_a(t, θ, θ̇), the opposite on i          (rows/effort.py on an angle)

θ is a joint's coordinate, zero as drawn.  With reference="bodies" (plane) it is the difference of the bodies' own angles, θ of
the second less θ of the first, whatever the drawing: the text's θ = θ^i − θ^j with ``of=("j", "i")`` and θ₀ as it is printed.
"""

from __future__ import annotations

from typing import ClassVar

from dalembert.elements.forces.base import BaseForce
from dalembert.elements.given import Coordinate, Law, Number
from dalembert.elements.measures.table import ANGLE
from dalembert.errors import ModelError, hint

REFERENCES = ("drawing", "bodies")


class TorsionSpring(BaseForce):
    """Rotational spring–damper on a joint's angle (or between two bodies of the plane): torque on j −k (θ − θ₀) − c θ̇.

    ``of`` is a joint, or a pair of bodies (plane); the angle is measured from the drawn pose, or with reference="bodies" (plane)
    it is the difference of the bodies' own angles, as lectures give θ₀; ``actuator`` is a law of t, angle, rate that adds to the
    spring's torque k (θ − θ₀) + c θ̇ (positive resists).
    """

    arguments: ClassVar[dict[str, str]] = {"reference": "text"}

    law_names = ("t", "angle", "rate")
    unknowns = ("actuator",)

    def __init__(self, name: str, of: Coordinate, *, stiffness: Number = 0.0, damping: Number = 0.0, angle: Number = 0.0,
                 actuator: Law | None = None, reference: str = "drawing") -> None:
        self.name, self.of, self.stiffness, self.damping, self.angle, self.actuator, self.reference = (
            name, of, stiffness, damping, angle, actuator, reference)

    def build(self, b):
        if self.reference not in REFERENCES:
            raise ModelError(f"{self.title}: reference is {' or '.join(map(repr, REFERENCES))}, not {self.reference!r}"
                             f"{hint(str(self.reference), REFERENCES)}")
        measure = b.coordinate(self.of, self, "angle")
        if self.reference == "bodies":
            measure = self._between_bodies(b, measure)
        b.effort(self, measure, b.number(self.angle, f"angle of {self.title}"), self.actuator, -1.0, self.law_names)

    def _between_bodies(self, b, measure) -> int:
        """The angle between the same two bodies, counted from where their own angles are equal."""
        m = b.measures[measure]
        if b.dim == 3:
            raise ModelError(f"{self.title}: reference='bodies' is the difference of two angles in the plane; in space give θ₀ "
                             "from the drawn pose (reference='drawing')")
        if m["kind"] != ANGLE:
            raise ModelError(f"{self.title}: what it acts on has no angle; name a joint that turns, or two bodies")
        return b.measure("angle", m["i"], m["j"])
