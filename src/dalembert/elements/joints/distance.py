"""Distance and DoubleRevolute: a massless link of constant length between two points.

    |d| − l = 0, d = r_j − r_i (1 row); measure: distance.  In the plane it is the course's double revolute, in space a
    spherical–spherical link.

−λ is the force that pushes the ends apart: positive when the link is compressed.

The notes write the row as dᵀd − l² = 0.  Its gradient is 2 d = 2 l u where ours is u = d/|d|, and the reaction −Φ_qᵀλ is the
same, so λ of the notes is ours over 2 l: what pushes the ends apart is −2 l λ_notes.  ``squared=True`` takes the notes' row.
"""

from __future__ import annotations

from typing import ClassVar

from dalembert.elements.element import Element
from dalembert.elements.given import Number, Ref, Vector
from dalembert.errors import ModelError


class Distance(Element):
    """Two points at a constant distance; ``length`` defaults to the distance as drawn.

    The row is |d| − l, its −λ the force that pushes the ends apart; with ``squared`` it is the notes' dᵀd − l², whose λ is that
    of |d| − l over 2 l.  Forces and motion are the same.
    """

    drawn_as = "link"
    kind = "joint"
    coordinate_name = {"distance": "distance"}

    arguments: ClassVar[dict[str, str]] = {"squared": "flag"}

    def __init__(self, name: str, i: Ref, j: Ref, *, at_i: Vector | None = None, at_j: Vector | None = None,
                 on_i: Vector | None = None, on_j: Vector | None = None, length: Number | None = None,
                 squared: bool = False) -> None:
        self.name, self.i, self.j, self.at_i, self.at_j = name, i, j, at_i, at_j
        self.on_i, self.on_j, self.length, self.squared = on_i, on_j, length, squared

    def build(self, b):
        i, j = b.point_markers(self)
        length = self.held_length(b, i, j)
        if self.squared:
            b.hold(b.square_distance(i, j), length**2, "square of the distance")
        else:
            b.hold(b.distance(i, j), length, "distance")

    def held_length(self, b, i, j) -> float:
        length = (b.drawn_distance(i, j) if self.length is None
                  else b.positive(self.length, f"length of {self.title}"))
        if length == 0.0:
            raise ModelError(f"{self.title}: its two points are the same as drawn, so it has no direction; give "
                             "length=, or use a joint that keeps points together")
        return length


class DoubleRevolute(Distance):
    """A massless link with a pin on both ends (plane); its row is |d| − l, with ``squared`` the notes' dᵀd − l² (λ over 2 l)."""

    dims = (2,)
