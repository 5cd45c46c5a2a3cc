"""Distance and DoubleRevolute: a massless link of constant length between two points.

    |r_j − r_i| = l (1 row); measure: distance.  In the plane it is the course's double revolute, in space a
    spherical–spherical link.

−λ is the force that pushes the ends apart: positive when the link is compressed.
"""

from dalembert.elements.element import Element
from dalembert.errors import ModelError


class Distance(Element):
    """Two points at a constant distance; ``length`` defaults to the distance as drawn."""

    drawn_as = "link"
    kind = "joint"
    coordinate_name = {"distance": "distance"}

    def __init__(self, name, i, j, *, at_i=None, at_j=None, on_i=None, on_j=None, length=None):
        self.name, self.i, self.j, self.at_i, self.at_j = name, i, j, at_i, at_j
        self.on_i, self.on_j, self.length = on_i, on_j, length

    def build(self, b):
        i, j = b.point_markers(self)
        b.hold(b.distance(i, j), self.held_length(b, i, j), "distance")

    def held_length(self, b, i, j) -> float:
        length = (b.drawn_distance(i, j) if self.length is None
                  else b.positive(self.length, f"length of {self.title}"))
        if length == 0.0:
            raise ModelError(f"{self.title}: its two points are the same as drawn, so it has no direction; give "
                             "length=, or use a joint that keeps points together")
        return length


class DoubleRevolute(Distance):
    """A massless link with a pin on both ends (plane)."""

    dims = (2,)
