"""RackPinion: a pinion rolls along a rack.

    x − r φ = C          x: travel of the rack, φ: turn of the pinion (coordinates of their joints);  r = ± ρ

Where the drawing shows both (the pinion's hinge and the rack's slide on one body, the slide's line at the distance ρ from the
pinion's centre) the teeth act at the pitch point.  With a the direction in which x counts, u the axis about which φ counts,
n from the pinion's centre to the rack, all fixed on the rack, and ξ the pinion's centre along a:

    Φ = −ξ − r φ' − C,   r = ρ (u × n)·a,   φ': turn of the pinion against the rack

D: the force a on the rack and −a on the pinion at its centre, and the torques ∓ r: one force along a at the pitch point.
So the drawing says which way the rack goes: above the pinion (n = +y) a positive turn moves it towards −x.  −λ is the force on
the rack along a.  pressure_angle α: |λ| tan α along n on the rack, the opposite on the pinion (equations/central.py).

Otherwise (bare coordinates, another distance) x − radius · φ is held by a force on the rack and a torque on the pinion alone,
the sign of ``radius`` says which way, and a note says that bearing reactions leave out the tooth force.
"""

from __future__ import annotations

import numpy as np

from dalembert.elements.constraints.axes import Axes, Hinge
from dalembert.elements.constraints.gears import BaseGear
from dalembert.elements.constraints.mesh import Teeth, fits, numbers, ratio
from dalembert.elements.element import Element, name_of
from dalembert.elements.given import Number, Ref
from dalembert.errors import ModelError


class RackPinion(BaseGear):
    """A pinion rolls along a rack: the rack's travel is a multiple of the pinion's turn.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    pinion : body, hinge or name [–]
        The pinion, or the hinge it turns on.
    rack : slide joint or name [–]
        The rack's slide joint, or a coordinate such as "rack.x".
    radius : number or formula [m]
        Pitch radius of the pinion; for bare coordinates its sign says which way the rack goes.
    pressure_angle : number or formula [rad], default 0.0
        Adds the force that separates the teeth, |λ| tan α.

    Notes
    -----
    Holds: x − r φ = C, one row: x the travel of the rack, φ the turn of the pinion, coordinates of their joints.

    Signs: −λ is the force on the rack along its slide. Where the drawing shows where they meet, it also says which way the
    rack goes (above the pinion a positive turn moves it towards −x), and the teeth load the bearings; otherwise a note says
    why not.

    Degenerate: never; a radius of zero is refused.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("steering", dim=2)
    >>> pinion = m.add(da.Body("pinion", mass=1.0, inertia=0.005, shapes=[da.Cylinder(0.1, 0.05)]))
    >>> rack = m.add(da.Body("rack", mass=2.0, inertia=0.1, position=(0, -0.1), shapes=[da.Box((0.8, 0.04))]))
    >>> hinge = m.add(da.Revolute("hinge", m.ground, pinion, at=(0, 0)))
    >>> slide = m.add(da.Prismatic("slide", m.ground, rack, axis=(1, 0)))
    >>> teeth = m.add(da.RackPinion("teeth", hinge, slide, radius=0.1))
    >>> m.initial("hinge", rate=1.0)
    >>> da.assemble(m)["rack"].velocity.round(6).tolist()               # below the pinion: with the turn
    [0.1, 0.0]
    """

    def __init__(self, name: str, pinion: Ref, rack: Ref, *, radius: Number, pressure_angle: Number = 0.0) -> None:
        self.name, self.pinion, self.rack, self.radius, self.pressure_angle = name, pinion, rack, radius, pressure_angle

    def pitch_radius(self, names):
        one = isinstance(self.pinion, (str, Element))
        return self.radius if one and name_of(self.pinion, self.title).partition(".")[0] in names else None

    def build(self, b):
        r = b.number(self.radius, f"radius of {self.title}")
        if r == 0.0:
            raise ModelError(f"{self.title}: the radius must not be zero (its sign says which way the rack moves)")
        reason = self._meshes(b, r)
        if reason is None:
            return
        if float(self.tangent_of(b)):
            raise ModelError(f"{self.title}: pressure_angle= needs to know where pinion and rack meet, but {reason}")
        terms = [(b.coordinate(self.rack, self, "slide"), 1.0), (b.coordinate(self.pinion, self, "angle"), -r)]
        b.combine(terms, b.drawn_sum(terms), "rolling of pinion on rack")
        ratio(b, self, (self.rack, "slide"), (self.pinion, "angle"), None, r)
        b.note(f"{self.title} is a pure ratio, bearing reactions leave out the tooth force: {reason}")

    def _meshes(self, b, r) -> str | None:
        axes = Axes(b)
        named = axes.named(self.pinion, self)
        slide = self._slide(b)
        if named is None or slide is None:
            return "it relates bare coordinates; name the pinion (body or hinge) and the rack's slide joint to have it"
        reasons = []
        for base, rack in (slide.bodies, slide.bodies[::-1]):
            for pinion in named.bodies:
                for axis in axes.axis(named, pinion, base):
                    if axes.same[pinion] in (axes.same[base], axes.same[rack]):
                        continue
                    found = self._fit(b, slide, rack, axis, r)
                    if isinstance(found, str):
                        reasons.append(found)
                        continue
                    self._rows(b, rack, base, axis, r, *found)
                    return None
        return reasons[0] if reasons else "pinion and rack do not ride on one body"

    def _slide(self, b) -> Hinge | None:
        name = None if isinstance(self.rack, (tuple, list)) else name_of(self.rack, self.title)
        joint = b.model.elements.get(name)
        free = getattr(joint, "free", {}).get(b.dim, ())
        if name is None or name not in b.joints or set(free) != ({"Tx"} if b.dim == 2 else {"Tz"}):
            return None
        i, j = b.joints[name]
        return Hinge(name, (b.markers[i].body, b.markers[j].body), (i, j))

    def _fit(self, b, slide, rack, axis, r):
        """Direction of x, from the pinion's centre to the rack, the signed radius, and a point of the rack's line."""
        m = slide.side(rack)
        a = b.axes_of(m)[:, b.main_axis]
        if slide.bodies[0] == rack:  # the coordinate is the travel of the second body
            a = -a
        u = axis.direction
        if b.dim == 3 and abs(float(u @ a)) > 1e-9:
            return "the rack's slide is not square to the pinion's axis"
        for point in (b.point_of(m), b.placed[rack].r):
            w = point - axis.point
            w = w - a * (a @ w)
            if b.dim == 3:
                w = w - u * (u @ w)
            gap = float(np.linalg.norm(numbers(w)))
            if not fits(gap, abs(r), r):
                continue
            n = b.direction(tuple(w), f"side of {self.title}")
            turned = np.array([-n[1], n[0]]) * u if b.dim == 2 else np.cross(u, n)
            side = 1.0 if float(turned @ a) > 0 else -1.0
            if float(r) < 0 < side:
                raise ModelError(f"{self.title}: radius = {float(r):g} moves the rack against the turn, but as drawn (the "
                                 "rack on that side of the pinion) they go together; give a positive radius, or draw the rack "
                                 "on the other side")
            if float(r) > 0 > side:
                b.note(f"{self.title}: as drawn, a positive turn of the pinion moves the rack's coordinate backwards")
            return a, n, abs(r) * side
        return f"no line of the rack is drawn {abs(float(r)):.6g} from the pinion's centre"

    def _rows(self, b, rack, base, axis, given, a, n, r):
        foot, pinion = axis.point, axis.gear
        frame = (np.column_stack([a, [-a[1], a[0]]]) if b.dim == 2
                 else np.column_stack([a, np.cross(axis.direction, a), axis.direction]))
        on_rack = b.marker(rack, b.local(rack, foot), b.placed[rack].A.T @ frame)
        local = b.local(pinion, foot) if axis.hinge is None else b.markers[axis.hinge.side(pinion)].local
        on_pinion = b.marker(pinion, local, b.placed[pinion].A.T @ frame)
        turn = axis.direction if b.dim == 2 else 1.0
        terms = [(b.dot_offset(on_rack, 0, on_pinion), -1.0), (b.angle(on_rack, on_pinion), -r * turn)]
        b.combine(terms, b.drawn_sum(terms), "rolling of pinion on rack")
        frame = np.column_stack([n, [-n[1], n[0]]]) if b.dim == 2 else np.column_stack([n, np.cross(axis.direction, n),
                                                                                       axis.direction])
        guide = b.marker(rack, b.local(rack, foot + n * abs(r)), b.placed[rack].A.T @ frame)
        b.centres[self.name] = (on_pinion, guide)
        b.teeth[self.name] = Teeth("rack", pinion, rack, base, r, 0.0, on_pinion, guide, self.tangent_of(b), 0.0,
                                   0.0, (pinion, rack))
