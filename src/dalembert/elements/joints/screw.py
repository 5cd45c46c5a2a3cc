"""Screw: a nut on a thread; j advances by the pitch per turn.

    on_line + align + (slide − pitch/2π · angle) held at zero (5 rows)

Reaction: as a cylindrical joint's, and along the thread a force −λ with the torque pitch/2π · λ.
"""

from __future__ import annotations

import math

from dalembert.elements.given import Number, Ref, Vector
from dalembert.elements.joints.joint import BaseJoint


class Screw(BaseJoint):
    """A thread along the axis: ``pitch`` is the advance of j per full turn (right-handed when positive)."""

    drawn_as = "slide"
    dims = (3,)
    free = {3: ("screw",)}
    coordinate_name = {"angle": "angle", "slide": "slide"}

    def __init__(self, name: str, i: Ref, j: Ref, *, pitch: Number, at: Vector | None = None, axis: Vector | None = None,
                 on_i: Vector | None = None, on_j: Vector | None = None, axis_i: Vector | None = None,
                 axis_j: Vector | None = None) -> None:
        super().__init__(name, i, j, at=at, axis=axis, on_i=on_i, on_j=on_j, axis_i=axis_i, axis_j=axis_j)
        self.pitch = pitch

    def recipe(self, b, i, j):
        lead = b.number(self.pitch, f"pitch of {self.title}") / (2 * math.pi)
        b.on_line(i, j)
        b.align(i, j)
        b.combine([(b.slide(i, j), 1.0), (b.angle(i, j), -lead)], 0.0, "advance along the thread")
