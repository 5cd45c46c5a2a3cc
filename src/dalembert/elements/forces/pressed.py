"""What clutches and bands share: two bodies on one axis that rub, pressed by a force which is given, not by a reaction."""

from __future__ import annotations

import math
from typing import ClassVar

from dalembert.elements.forces.base import BaseForce
from dalembert.elements.friction import Rubbing, Rubs
from dalembert.elements.given import Law, Number, Ref, Vector
from dalembert.elements.laws import CONSTANT
from dalembert.errors import ModelError


class Pressed(BaseForce, Rubs, listed=False):
    """Friction between i and j about an axis, at a radius; ``force``: what presses, a law of time and of names."""

    place_optional: ClassVar[bool] = True  # without a place it is drawn at the reference point of the second body
    needs_axis: ClassVar[tuple[int, ...]] = (3,)
    drawn_as = "joint"
    surface: ClassVar[str] = ""

    def __init__(self, name: str, i: Ref, j: Ref, *, force: Law, friction: Rubbing, radius: Number, at: Vector | None = None,
                 axis: Vector | None = None) -> None:
        self.name, self.i, self.j, self.force, self.friction, self.radius = name, i, j, force, friction, radius
        self.at, self.axis = at, axis
        self.on_i = self.on_j = self.axis_i = self.axis_j = None
        if friction is None:
            raise ModelError(f"{self.title}: friction=None; give its coefficient, such as friction=0.3 (0: it does nothing)")
        self._known(friction)

    def smooth(self) -> None:
        return None

    def build(self, b):
        b.joint_markers(self)
        row = b.law(self.force, self)
        radius = b.positive(self.radius, f"radius of {self.title}")
        more = self._more(b)
        if not self.rubs:
            return  # what presses without friction does nothing
        if b.laws[row]["kind"] == CONSTANT:
            value = float(b.laws[row]["value"])
            if not (math.isfinite(value) and value >= 0.0):
                raise ModelError(f"{self.title}: force is {value!r}; what presses must be zero or more")
        b.switch(row)
        b.rub(self, self.surface, **self._law(b), radius=radius, length=1.0, lead=0.0, law=row, **more)

    def _more(self, b) -> dict[str, float]:
        """Numbers of its own (model/rubbing.py)."""
        return {}
