"""Where gears sit: hinges as drawn, and the body that carries the axes of both gears of a pair.

A gear turns on a hinge.  The pitch point of a pair can be found, and the force at the teeth put on the two gears, when one body k
(the ground, or a carrier) holds both axes.  k holds the axis of gear g when a hinge joins them there (direct), or when a hinge
joins k to a body X and another one g to X on the same axis: sun and carrier on one shaft of the ground.  Bodies welded together
count as one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.elements.element import name_of

TURNS = {2: {"Rz"}, 3: {"Rz", "Tz", "screw"}}  # a hinge leaves no motions but these, and turns
FIT = 1e-6  # of the length: radii and drawing agree


@dataclass(frozen=True)
class Hinge:
    """A joint that turns about one axis: its name, its bodies and its markers on them."""

    name: str
    bodies: tuple[int, int]
    markers: tuple[int, int]

    def side(self, body) -> int:
        return self.markers[self.bodies.index(body)]


@dataclass(frozen=True)
class Axis:
    """The axis of a gear on its carrier: a point, the direction its coordinate counts about; ground axes as drawn."""

    gear: int
    point: Any
    direction: Any  # a number ±1 in the plane
    hinge: Hinge | None  # that joins gear and carrier
    forward: float = 1.0  # hinge coordinate → turn of the gear about the direction


@dataclass(frozen=True)
class Named:
    """What the user named: a body, or a hinge one of whose bodies is the gear."""

    bodies: tuple[int, ...]  # in the order they are tried
    hinge: Hinge | None = None


class Axes:
    """Hinges and welds of the model that is being built."""

    def __init__(self, b):
        self.b = b
        self.hinges: list[Hinge] = []
        self.same = list(range(b.ground + 1))  # body → the first of those it is welded to
        for name, (i, j) in b.joints.items():
            element = b.model.elements.get(name)
            free = getattr(element, "free", {}).get(b.dim)
            if element is None or element.kind != "joint" or free is None:
                continue
            bodies = (b.markers[i].body, b.markers[j].body)
            if not free:
                old, new = max(self.same[x] for x in bodies), min(self.same[x] for x in bodies)
                self.same = [new if x == old else x for x in self.same]
            elif set(free) <= TURNS[b.dim] and set(free) != {"Tz"}:
                self.hinges.append(Hinge(name, bodies, (i, j)))

    def named(self, ref, element) -> Named | None:
        """The gear that ``ref`` names; None for bare coordinates and pairs of bodies."""
        if isinstance(ref, (tuple, list)):
            return None
        name = name_of(ref, element.title)
        for h in self.hinges:
            if h.name == name:
                i, j = h.bodies
                return Named((i,) if j == self.b.ground else (j,) if i == self.b.ground else (j, i), h)
        return Named((self.b.index[name],)) if name in self.b.index and name not in self.b.joints else None

    def axis(self, named: Named, gear: int, carrier: int) -> list[Axis]:
        """All axes of the gear that the carrier holds, those of a hinge between the two first."""
        same, direct, shared = self.same, [], []
        for h in self.hinges:
            for k, x in (h.bodies, h.bodies[::-1]):
                if same[k] != same[carrier] or same[x] == same[carrier]:
                    continue
                if same[x] == same[gear]:
                    if named.hinge is None or self.coaxial(h, named.hinge):
                        direct.append(self._axis(named, gear, carrier, h, k))
                elif any(self.coaxial(h, o) and {same[y] for y in o.bodies} == {same[gear], same[x]} for o in self.hinges
                         if named.hinge is None or o is named.hinge):
                    shared.append(self._axis(named, gear, carrier, h, k))
        return direct + shared

    def _axis(self, named, gear, carrier, h, k) -> Axis:
        b, own = self.b, named.hinge
        exact = {gear, carrier} == set(h.bodies) and (own is None or own is h)
        lead = own or h
        turn = -1.0 if self.same[lead.bodies[0]] == self.same[gear] else 1.0  # coordinate: turn of the second body
        if b.dim == 2:
            direction: Any = turn if own is not None else 1.0
        else:
            line = b.axes_of(lead.markers[0])[:, 2]
            direction = line * turn if own is not None else line
        return Axis(gear, b.point_of(h.side(k)), direction, h if exact else None, 1.0 if own is not None else turn)

    def coaxial(self, g: Hinge, h: Hinge) -> bool:
        if g is h:
            return True
        p, q = (np.array([float(x) for x in self.b.point_of(x.markers[0])]) for x in (g, h))
        d = q - p
        size = 1e-9 * max(np.abs(p).max(), np.abs(q).max(), 1e-300)
        if self.b.dim == 2:
            return bool(np.abs(d).max() <= size)
        u, w = (np.array([float(v) for v in self.b.axes_of(x.markers[0])[:, 2]]) for x in (g, h))
        return bool(np.abs(np.cross(u, w)).max() <= 1e-9 and np.abs(np.cross(u, d)).max() <= size)

    def carried(self, first: Named, second: Named, carrier=None):
        """(carrier, axis of the first, axis of the second) for every way to read the drawing."""
        ground = self.b.ground
        for i in first.bodies:
            for j in second.bodies:
                for k in [ground, *range(ground)] if carrier is None else [carrier]:
                    if self.same[k] in (self.same[i], self.same[j]) or self.same[i] == self.same[j]:
                        continue
                    for one in self.axis(first, i, k):
                        for other in self.axis(second, j, k):
                            yield k, one, other
