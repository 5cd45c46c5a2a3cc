"""KnifeEdge and RollingDisc: the user's side of constraints/knife_edge.py and constraints/rolling.py."""

from __future__ import annotations

from dalembert.elements.element import Element, name_of
from dalembert.errors import ModelError


class KnifeEdge(Element):
    """A blade on j at the point ``at`` along ``axis``: no sideways velocity against i.

    In space ``normal`` is the sideways direction fixed on j (default: across the axis and the vertical z).
    """

    kind = "constraint"

    def __init__(self, name, i, j, *, axis, at=None, on_j=None, normal=None):
        self.name, self.i, self.j, self.axis, self.at, self.on_j, self.normal = name, i, j, axis, at, on_j, normal

    def build(self, b):
        b.knife_edge(self)


class RollingDisc(Element):
    """Disc j rolls without slip on a fixed line (plane) or plane (space) through ``ground_point`` with ``ground_normal``.

    ``at`` is the disc's centre as drawn (default: its reference point), ``axis`` its axis (space), ``radius`` its radius.
    """

    kind = "constraint"

    def __init__(self, name, i, j, *, radius, axis=None, at=None, on_j=None, axis_j=None, ground_point=None,
                 ground_normal=None):
        self.name, self.i, self.j, self.radius, self.axis, self.at = name, i, j, radius, axis, at
        self.on_j, self.axis_j, self.ground_point, self.ground_normal = on_j, axis_j, ground_point, ground_normal

    def build(self, b):
        if name_of(self.i, self.title) != "ground":
            raise ModelError(f"{self.title}: a disc rolls on the ground; its first body must be ground (for a wheel on a "
                             "moving body use Gear, RackPinion or VelocityEquation)")
        b.rolling(self)
