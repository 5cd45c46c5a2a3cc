"""Gear pairs and gears on a rotating link.

    Gear            φ_j − K φ_i = C                        external K = −ρ_i/ρ_j; internal, chain, belt K = +ρ_i/ρ_j
    GearOnCarrier   (φ_j − φ_k) − K (φ_i − φ_k) = C        k: the link (carrier) that holds both centres

C is taken from the drawing.  −λ is the torque on gear j about its axis, K λ that on gear i; with the carrier's (1 − K) λ they
add up to zero.  The tooth force is −λ/ρ_j.

Where the drawing shows the pitch point (mesh.py: hinges of both gears on one body, radii that fit the centres) the force at the
teeth acts on the gears and so on their bearings; the carrier is turned by the pins.  Otherwise the relation holds by torques
alone, as written above, and a note says why: bearing reactions then leave out the tooth force.  ``internal=True`` (which also
stands for chains and belts), ``ratio=`` without ``kind=`` and bare coordinates say nothing about teeth and stay such ratios.
"""

from __future__ import annotations

import math

from dalembert.elements.constraints import mesh
from dalembert.elements.constraints.axes import Axes
from dalembert.elements.element import Element, name_of
from dalembert.elements.given import Number, Ref, Vector
from dalembert.errors import ModelError, hint

KINDS = ("external", "internal", "chain", "belt")


def _terms(b, element, *parts):
    """(measure, factor) of each gear; a gear fixed to the ground does not turn and has no term."""
    moving = [(ref, f) for ref, f in parts if isinstance(ref, (tuple, list)) or name_of(ref, element.title) != "ground"]
    if not moving:
        raise ModelError(f"{element.title}: all its gears are fixed to the ground")
    return [(b.coordinate(ref, element, "angle"), f) for ref, f in moving]


class BaseGear(Element, listed=False):
    kind = "constraint"
    joins_bodies = False
    arguments = {"kind": "gearing", "pressure_angle": "number", "preload": "number"}
    carrier: object = None
    preload: object = None
    pressure_angle: object = 0.0

    def tangent_of(self, b):
        """tan α."""
        angle = b.number(self.pressure_angle, f"pressure_angle of {self.title}")
        if not 0.0 <= float(angle) < 0.5 * math.pi:
            raise ModelError(f"{self.title}: pressure_angle is {float(angle):g} rad; give 0 … π/2, as math.radians(20)")
        return b.tangent(angle)


class _Pair(BaseGear):
    i: object
    j: object
    ratio: object = None
    radii: Vector | None = None
    internal = False
    form: str | None = None  # what the user gave as kind=

    def ratio_of(self, b) -> float:
        if (self.ratio is None) == (self.radii is None):
            raise ModelError(f"{self.title}: give radii=(of the first, of the second) or ratio=, one of them")
        if self.ratio is not None:
            k = b.number(self.ratio, f"ratio of {self.title}")
            if k == 0.0:
                raise ModelError(f"{self.title}: a ratio of zero would hold the second gear still")
            return k
        first, second = self.radii_of(b)
        return first / second if self.internal or self.form in KINDS[1:] else -first / second

    def radii_of(self, b):
        return tuple(b.positive(r, f"radius of {self.title}") for r in self.radii or ())

    def build(self, b):
        self._refuse(b)
        reason = self._meshes(b)
        if reason is None:
            return
        given = "pressure_angle" if float(self.tangent_of(b)) else "preload" if self.preload is not None else None
        if given:
            raise ModelError(f"{self.title}: {given}= needs to know where the gears meet, but {reason}")
        terms = self.relation(b)
        b.combine(terms, b.drawn_sum(terms), "gear ratio")
        mesh.ratio(b, self, (self.j, "angle"), (self.i, "angle"), self.carrier, self.ratio_of(b))
        b.note(f"{self.title} is a pure ratio of torques, bearing reactions leave out the tooth force: {reason}")

    def relation(self, b):
        raise TypeError(self.title)

    def pitch_radius(self, names):
        sides = zip((self.i, self.j), self.radii or (), strict=False)
        return next((r for side, r in sides if isinstance(side, (str, Element)) and name_of(side, self.title) in names), None)

    def teeth(self):
        if self.radii is None or self.form in ("chain", "belt") or (self.internal and self.form is None):
            return None  # a chain or a belt, or it may be one
        return self.i, self.j, self.radii, self.form == "internal"

    def _refuse(self, b):
        self.ratio_of(b)
        if self.form is not None and self.form not in KINDS:
            raise ModelError(f"{self.title}: kind is {', '.join(KINDS)}, not {self.form!r}{hint(str(self.form), KINDS)}")
        if self.internal and self.form == "external":
            raise ModelError(f"{self.title}: internal=True and kind=\"external\" contradict each other")
        if self.preload is not None and self.form != "belt":
            raise ModelError(f"{self.title}: preload= is the tension of a belt at rest; give kind=\"belt\" with it")
        if self.form in ("chain", "belt") and float(self.tangent_of(b)):
            raise ModelError(f"{self.title}: a {self.form} has no pressure_angle")

    def _meshes(self, b) -> str | None:
        """Write the row with its tooth force; or say why it cannot be done."""
        if self.form is None and self.internal:
            return "internal=True may be an internal gear, a chain or a belt; give kind= to have it"
        if self.form is None and self.radii is None:
            return "ratio= alone says nothing about teeth; give radii= or kind= to have it"
        axes = Axes(b)
        one, two = axes.named(self.i, self), axes.named(self.j, self)
        if one is None or two is None:
            return "it relates bare coordinates; name the gears (bodies or hinges) to have it"
        carrier = self._carrier(b, axes)
        if carrier is None:
            return "its carrier is no body"
        kind, reasons = self.form or "external", []
        for k, first, second in axes.carried(one, two, *([] if carrier < 0 else [carrier])):
            found = mesh.pitch(b, self, kind, first, second)
            if isinstance(found, str):
                reasons.append(found)
                continue
            preload = 0.0 if self.preload is None else b.number(self.preload, f"preload of {self.title}")
            if float(preload) < 0.0:
                raise ModelError(f"{self.title}: preload is {float(preload):g} N; a belt cannot push")
            if kind == "belt" and self.preload is None:
                b.note(f"{self.title}: the belt's pull on its bearings is left out; give preload= (T₁ + T₂ = 2 T₀) to have it")
            if self.radii is not None and float(found.ratio) * float(self.ratio_of(b)) < 0:
                b.note(f"{self.title}: the axes are drawn in opposite directions, so the second coordinate is "
                       f"{float(found.ratio):+.6g} times the first")
            mesh.rows(b, self, kind, k, first, second, found, self.tangent_of(b), preload)
            return None
        return reasons[0] if reasons else "no body carries the axes of both gears"

    def _carrier(self, b, axes) -> int | None:
        if self.carrier is None:
            return -1
        named = axes.named(self.carrier, self)
        return None if named is None else named.bodies[0]


class Gear(_Pair):
    """Two gears, a chain or a belt: the turn of one is a multiple of the turn of the other.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    i, j : body, hinge or name [–]
        The gears, or the hinges they turn on; "ground" is a fixed gear (a ring).
    radii : pair of numbers [m], optional
        Pitch radii (ρ_i, ρ_j).
    ratio : number or formula [–], optional
        K in φ_j = K φ_i + C, instead of ``radii``; alone it says nothing about teeth.
    internal : flag [–], default False
        The ratio of an internal gear without its tooth force.
    kind : text [–], optional
        "external" (as without it), "internal", "chain" or "belt".
    pressure_angle : number or formula [rad], default 0.0
        Adds the force that separates the teeth, |λ|/ρ_j tan α.
    preload : number or formula [N], optional
        Tension T₀ of a belt at rest.

    Notes
    -----
    Holds: φ_j − K φ_i = C, one row; K = −ρ_i/ρ_j for external gears, +ρ_i/ρ_j for internal ones, chains and belts.

    Signs: −λ is the torque on gear j about its axis, K λ that on gear i; the tooth force is −λ/ρ_j. Where the drawing shows
    the pitch point (both hinges on one body, radii that fit the centres) the teeth also load the bearings; otherwise a note
    says why not.

    Degenerate: never; a ratio or radius of zero is refused.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("gears", dim=2)
    >>> small = m.add(da.Body("small", mass=1.0, inertia=0.005, shapes=[da.Cylinder(0.1, 0.05)]))
    >>> large = m.add(da.Body("large", mass=4.0, inertia=0.08, position=(0.3, 0), shapes=[da.Cylinder(0.2, 0.05)]))
    >>> a = m.add(da.Revolute("A", m.ground, small, at=(0, 0)))
    >>> b = m.add(da.Revolute("B", m.ground, large, at=(0.3, 0)))
    >>> mesh = m.add(da.Gear("mesh", "A", "B", radii=(0.1, 0.2)))
    >>> twist = m.add(da.Torque("twist", small, 1.0))
    >>> now = da.accelerations(m)
    >>> round(float(now["small"].angular_acceleration), 3)              # 1/(0.005 + 0.08/4)
    40.0
    """

    def __init__(self, name: str, i: Ref, j: Ref, *, radii: Vector | None = None, ratio: Number | None = None,
                 internal: bool = False, kind: str | None = None, pressure_angle: Number = 0.0,
                 preload: Number | None = None) -> None:
        self.name, self.i, self.j, self.radii, self.ratio, self.internal = name, i, j, radii, ratio, internal
        self.form, self.pressure_angle, self.preload = kind, pressure_angle, preload

    def relation(self, b):
        return _terms(b, self, (self.j, 1.0), (self.i, -self.ratio_of(b)))


class GearOnCarrier(_Pair):
    """Two gears whose centres ride on a link: planets, and gears on a swinging arm.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    i, j : body, hinge or name [–]
        The gears, or the hinges they turn on; "ground" is a fixed gear (a sun or ring).
    carrier : body, hinge or name [–]
        The link that holds both centres.
    radii : pair of numbers [m], optional
        Pitch radii (ρ_i, ρ_j).
    ratio : number or formula [–], optional
        K of the turns against the carrier, instead of ``radii``.
    internal : flag [–], default False
        The ratio of an internal gear without its tooth force.
    kind : text [–], optional
        "external" (as without it), "internal", "chain" or "belt".
    pressure_angle : number or formula [rad], default 0.0
        Adds the force that separates the teeth, |λ|/ρ_j tan α.
    preload : number or formula [N], optional
        Tension T₀ of a belt at rest.

    Notes
    -----
    Holds: (φ_j − φ_k) − K (φ_i − φ_k) = C, one row, k the carrier.

    Signs: −λ is the torque on gear j, K λ that on gear i, (1 − K) λ that on the carrier; they add up to zero. ``.torques`` of the
    result has all three.

    Degenerate: never; a ratio or radius of zero is refused.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("planet on a fixed sun", dim=2)
    >>> arm = m.add(da.Body.rod("arm", (0, 0), (0.3, 0), mass=1.0))
    >>> planet = m.add(da.Body("planet", mass=1.0, inertia=0.005, position=(0.3, 0), shapes=[da.Cylinder(0.1, 0.05)]))
    >>> hub = m.add(da.Revolute("hub", m.ground, arm, at=(0, 0)))
    >>> pin = m.add(da.Revolute("pin", arm, planet, at=(0.3, 0)))
    >>> mesh = m.add(da.GearOnCarrier("mesh", "ground", planet, arm, radii=(0.2, 0.1)))
    >>> m.initial("hub", rate=1.0)
    >>> round(float(da.assemble(m)["planet"].omega), 6)                 # 1 + ρ_sun/ρ_planet
    3.0
    """

    def __init__(self, name: str, i: Ref, j: Ref, carrier: Ref, *, radii: Vector | None = None, ratio: Number | None = None,
                 internal: bool = False, kind: str | None = None, pressure_angle: Number = 0.0,
                 preload: Number | None = None) -> None:
        self.name, self.i, self.j, self.carrier = name, i, j, carrier
        self.radii, self.ratio, self.internal = radii, ratio, internal
        self.form, self.pressure_angle, self.preload = kind, pressure_angle, preload

    def relation(self, b):
        k = self.ratio_of(b)
        return _terms(b, self, (self.j, 1.0), (self.i, -k), (self.carrier, k - 1.0))
