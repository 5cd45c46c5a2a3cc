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
    """Spring, damper and actuator on an angle.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    of : joint or pair of bodies [–]
        A joint that turns, or two bodies of the plane.
    stiffness : number or formula [N·m/rad], default 0.0
        k.
    damping : number or formula [N·m·s/rad], default 0.0
        c.
    angle : number or formula [rad], default 0.0
        Angle θ₀ without torque.
    actuator : law of t, angle, rate [N·m], optional
        Adds to k (θ − θ₀) + c θ̇; positive resists.
    reference : text [–], default 'drawing'
        "drawing": θ is zero as drawn; "bodies" (plane): θ is the difference of the bodies' own angles, as lectures give θ₀.

    Notes
    -----
    Acts: on j with the torque −k (θ − θ₀) − c θ̇ − f(t, θ, θ̇), on i with the opposite.

    Signs: ``force`` and ``torque`` of the result are the torque on j; θ is that of j against i. Viscous friction of a joint
    is this element with ``damping`` alone.

    Degenerate: never; θ counts full turns.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("gate", dim=2)
    >>> rod = m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=3.0))
    >>> pin = m.add(da.Revolute("pin", m.ground, rod, at=(0, 0)))
    >>> coil = m.add(da.TorsionSpring("coil", "pin", stiffness=8.0, angle=0.5))
    >>> float(da.assemble(m)["coil"].torque.round(6))                    # towards its rest angle
    4.0
    """

    arguments: ClassVar[dict[str, str]] = {"reference": "text"}

    law_names = ("t", "angle", "rate")
    unknowns = ("actuator",)

    def __init__(self, name: str, of: Coordinate, *, stiffness: Number = 0.0, damping: Number = 0.0, angle: Number = 0.0,
                 actuator: Law | None = None, reference: str = "drawing") -> None:
        self.name, self.of, self.stiffness, self.damping, self.angle, self.actuator, self.reference = (
            name, of, stiffness, damping, angle, actuator, reference)

    def on_joint(self):
        plain = self.actuator is None and self.reference == "drawing"
        return (self.of, self.stiffness, self.damping, self.angle, 0.0) if plain else None

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
