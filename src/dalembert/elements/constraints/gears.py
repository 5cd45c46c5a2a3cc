"""Gear pairs, gears on a rotating link, rack and pinion: linear relations of coordinates.

    Gear            φ_j − K φ_i = C                        external K = −ρ_i/ρ_j; internal, chain, belt K = +ρ_i/ρ_j
    GearOnCarrier   (φ_j − φ_k) − K (φ_i − φ_k) = C        k: the link (carrier) that holds both centres
    RackPinion      x − ρ φ = C                            the rack's travel per turn of the pinion

C is taken from the drawing.  The multiplier −λ is the torque on gear j (on the rack: the force); the tooth force is that
torque over ρ_j.  Gear i gets the torque K λ; on a carrier the three torques −λ, K λ and (1 − K) λ add up to zero.
Only torques are transmitted: the tooth force itself is not put on the bearings (axle and pin reactions leave it out; add a
Force at the pitch point if they matter).
"""

from __future__ import annotations

from dalembert.elements.element import Element, name_of
from dalembert.errors import ModelError


def _terms(b, element, *parts):
    """(measure, factor) of each gear; a gear fixed to the ground does not turn and has no term."""
    moving = [(ref, f) for ref, f in parts if name_of(ref, element.title) != "ground"]
    if not moving:
        raise ModelError(f"{element.title}: all its gears are fixed to the ground")
    return [(b.coordinate(ref, element, "angle"), f) for ref, f in moving]


class _Geared(Element):
    kind = "constraint"
    joins_bodies = False
    ratio: object = None
    radii: tuple | None = None
    internal = False

    def ratio_of(self, b) -> float:
        if (self.ratio is None) == (self.radii is None):
            raise ModelError(f"{self.title}: give radii=(of the first, of the second) or ratio=, one of them")
        if self.ratio is not None:
            k = b.number(self.ratio, f"ratio of {self.title}")
            if k == 0.0:
                raise ModelError(f"{self.title}: a ratio of zero would hold the second gear still")
            return k
        first, second = (b.positive(r, f"radius of {self.title}") for r in self.radii or ())
        return first / second if self.internal else -first / second


class Gear(_Geared):
    """Two gears; i and j are bodies (plane) or joints whose coordinates mesh (plane and space).

    "ground" may stand for a fixed gear (a ring).  Transmits torques only: bearing reactions leave out the tooth force.
    radii=(ρ_i, ρ_j), internal=True for an internal gear, a chain or a belt; or ratio=K with φ_j = K φ_i + C.
    """

    def __init__(self, name, i, j, *, radii=None, ratio=None, internal=False):
        self.name, self.i, self.j, self.radii, self.ratio, self.internal = name, i, j, radii, ratio, internal

    def build(self, b):
        k = self.ratio_of(b)
        terms = _terms(b, self, (self.j, 1.0), (self.i, -k))
        b.combine(terms, b.drawn_sum(terms), "gear ratio")


class GearOnCarrier(_Geared):
    """Two gears whose centres ride on the link ``carrier``; i, j and carrier are bodies (plane) or joints with ground."""

    def __init__(self, name, i, j, carrier, *, radii=None, ratio=None, internal=False):
        self.name, self.i, self.j, self.carrier = name, i, j, carrier
        self.radii, self.ratio, self.internal = radii, ratio, internal

    def build(self, b):
        k = self.ratio_of(b)
        terms = _terms(b, self, (self.j, 1.0), (self.i, -k), (self.carrier, k - 1.0))
        b.combine(terms, b.drawn_sum(terms), "gear ratio")


class RackPinion(_Geared):
    """A rack (its slide joint, or a coordinate such as 'rack.x') driven by a pinion (its hinge, or a body in the plane)."""

    def __init__(self, name, pinion, rack, *, radius):
        self.name, self.pinion, self.rack, self.radius = name, pinion, rack, radius

    def build(self, b):
        r = b.number(self.radius, f"radius of {self.title}")
        if r == 0.0:
            raise ModelError(f"{self.title}: the radius must not be zero (its sign says which way the rack moves)")
        terms = [(b.coordinate(self.rack, self, "slide"), 1.0), (b.coordinate(self.pinion, self, "angle"), -r)]
        b.combine(terms, b.drawn_sum(terms), "rolling of pinion on rack")
