"""TorsionSpring: spring, damper and actuator on an angle.

    torque on j: −k (θ − θ₀) − c θ̇ − f_a(t, θ, θ̇), the opposite on i          (rows/effort.py on an angle)
"""

from __future__ import annotations

from dalembert.elements.forces.base import BaseForce


class TorsionSpring(BaseForce):
    """Rotational spring–damper on a joint's angle (or between two bodies of the plane): torque on j −k (θ − θ₀) − c θ̇.

    ``of`` is a joint, or a pair of bodies (plane); the angle is measured from the drawn pose; ``actuator`` is a law of
    t, angle, rate that adds to the spring's torque k (θ − θ₀) + c θ̇ (positive resists).
    """

    law_names = ("t", "angle", "rate")
    unknowns = ("actuator",)

    def __init__(self, name, of, *, stiffness=0.0, damping=0.0, angle=0.0, actuator=None):
        self.name, self.of, self.stiffness, self.damping, self.angle, self.actuator = (
            name, of, stiffness, damping, angle, actuator)

    def build(self, b):
        measure = b.coordinate(self.of, self, "angle")
        b.effort(self, measure, b.number(self.angle, f"angle of {self.title}"), self.actuator, -1.0, self.law_names)
