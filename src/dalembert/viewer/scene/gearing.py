"""Gears of the plane that mesh: how many teeth each has, and how its teeth stand, so that a tooth meets a gap.

Gears in contact share the module 2r/N.  N of the smallest is the one of 12 … 24 for which those of the others are nearest to
whole numbers.
Along the common tangent, in units of the pitch, let u be where a point of contact lies between the teeth of a gear
(a whole number: on a tooth), β the direction from its centre to the contact, θ the body's angle, φ that of a tooth on the body:

    u = N (β − θ − φ)/2π        external: the two run against each other,  u_i + u_j = ½      internal: u_j − u_i = ½   (mod 1)

Chains and belts have wheels without teeth of each other, and so has what may be one of them (internal=True without kind=).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dalembert.elements import shapes
from dalembert.elements.element import Element, name_of
from dalembert.expressions import number
from dalembert.viewer.meshes import solids
from dalembert.viewer.scene.scene import lifted


@dataclass
class Wheel:
    """A toothed body."""

    radius: float
    teeth: int
    ring: bool = False  # its teeth point inwards
    phase: float = 0.0  # angle of a tooth on the body

    def is_drawn_by(self, shape, numbers) -> bool:
        """The user's cylinder of the pitch radius about the body's origin stands for the gear."""
        if not isinstance(shape, shapes.Cylinder) or shape.position is not None:
            return False
        return abs(numbers.positive(shape.radius, "radius of a gear") - self.radius) <= 1e-6 * self.radius

    def put(self, w, body: int, paint: int, depth: float, z: float) -> None:
        """Its mesh on a body."""
        r, h, n = self.radius, depth, self.teeth
        make = solids.ring_gear if self.ring else solids.gear
        mesh = w.mesh((make.__name__, r, h, n), lambda: make(r, h, n))
        half = self.phase / 2
        w.put(body, mesh, paint, lifted(np.zeros(3), z), (math.cos(half), 0, 0, math.sin(half)))


def wheels(motion) -> dict[str, Wheel]:
    """Toothed bodies by name, as they stand in the first frame."""
    pairs = _pairs(motion)
    found: dict[str, Wheel] = {}
    for group in _groups(pairs):
        mine = [p for p in pairs if p[0] in group]
        radii = {name: r for a, b, ra, rb, _ in mine for name, r in ((a, ra), (b, rb))}
        small = min(radii.values())
        count = min(range(12, 25), key=lambda n: (_off([r / small * n for r in radii.values()]), abs(n - 16)))
        made = {name: Wheel(r, max(6, round(r / small * count))) for name, r in radii.items()}
        for a, b, ra, rb, internal in mine:
            if internal:
                made[a if ra > rb else b].ring = True
        _turn(motion, mine, made)
        found |= made
    return found


def _off(numbers) -> float:
    """How far they are from whole numbers."""
    return sum(abs(x - round(x)) for x in numbers)


def _pairs(motion) -> list[tuple[str, str, float, float, bool]]:
    """Bodies that mesh, their radii, whether one is inside the other."""
    model, values = motion.model, motion.model.parameter_values()
    found = []
    for e in model.elements.values():
        given = e.teeth()
        if given is None:
            continue
        ends = [body_of(motion, x, e) for x in given[:2]]
        if None in ends or ends[0] == ends[1]:
            continue
        r = [abs(float(number(x, values, e.title))) for x in given[2]]
        found.append((str(ends[0]), str(ends[1]), r[0], r[1], given[3]))
    return found


def body_of(motion, side, gear) -> str | None:
    """The body a side of a gear names: itself, or the one that turns on the joint."""
    if not isinstance(side, (str, Element)) and not hasattr(side, "name"):
        return None
    name = name_of(side, gear.title)
    if name in motion.system.bodies:
        return name
    joint = motion.model.elements.get(name)
    if joint is None or getattr(joint, "j", None) is None:
        return None
    ends = [name_of(x, joint.title) for x in (joint.j, joint.i)]
    return next((n for n in ends if n in motion.system.bodies), None)


def _groups(pairs) -> list[set[str]]:
    groups: list[set[str]] = []
    for a, b, *_ in pairs:
        near = [g for g in groups if a in g or b in g]
        groups = [g for g in groups if g not in near] + [{a, b}.union(*near)]
    return groups


def _turn(motion, pairs, made: dict[str, Wheel]) -> None:
    """Phases, from gear to gear, by the equations above."""
    at = {n: np.reshape(motion[n].position, (-1, 2))[0] for n in made}
    angle = {n: float(np.reshape(motion[n].angle, -1)[0]) for n in made}
    known = {next(iter(made))}
    for _ in pairs:
        for a, b, _ra, _rb, internal in pairs:
            if (a in known) == (b in known):
                continue
            i, j = (a, b) if a in known else (b, a)
            d = at[j] - at[i]
            out = math.atan2(d[1], d[0])
            ring = made[i].ring or made[j].ring
            beta_i = out + math.pi if ring and made[j].ring else out  # a ring is met beyond the smaller one, on the same side
            beta_j = beta_i if internal else out + math.pi
            u = made[i].teeth * (beta_i - angle[i] - made[i].phase) / (2 * math.pi)
            target = u + 0.5 if internal else 0.5 - u
            made[j].phase = beta_j - angle[j] - 2 * math.pi / made[j].teeth * target
            known.add(j)
