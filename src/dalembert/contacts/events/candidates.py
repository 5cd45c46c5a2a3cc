"""Features of a scene: every place where two shapes can touch, and what this mode refuses by name.

    round points (Sphere, discs, ends of a Capsule, corners of rounded polygons)   against all cores
    corners of Box, Polygon, Polyhedron      against half-spaces; in the plane against each other's faces
    rims of a Cylinder                       against half-spaces, while it does not lie flat on its end

Not there: two edged shapes in space (edges that cross; a capsule is an edge), cylinders on anything else.
"""

from __future__ import annotations

import numpy as np

from dalembert.contacts.events.tables import BLOCK, DIR, DOT, FACES, HALF, LINK, REAL, RIM, SEGMENT, SOLID
from dalembert.contacts.hulls import core
from dalembert.contacts.tables import BOX, CAPSULE, CYLINDER, PLANE, PLATE, POLYGON, POLYHEDRON, SPHERE

WORDS = {SPHERE: "a sphere", BOX: "a box", PLATE: "a rectangle", PLANE: "a half-space", CAPSULE: "a capsule",
         CYLINDER: "a cylinder", POLYGON: "a polygon", POLYHEDRON: "a polyhedron"}


class Unsupported(Exception):
    """A pair of shapes, a law or a number of places that is for time stepping only."""


class Features:
    """Tables of features (tables.py), with the shapes they belong to."""

    def __init__(self, shapes, plane: bool, most: int):
        self.s, self.plane = shapes, plane
        self.link: list[list[int]] = []
        self.real: list[list[float]] = []
        self.core: list[list[float]] = []
        self.shapes: list[tuple[int, int]] = []  # shape a, shape b of every feature
        self._kept: dict[int, tuple[int, int, int]] = {}
        n = len(shapes.kind)
        for i in range(n):
            for j in range(i):
                self._pair(i, j)
                if len(self.link) > most:
                    raise Unsupported(f"shapes can touch at more than {most} places")

    def arrays(self) -> dict[str, np.ndarray]:
        return {"link": np.array(self.link, np.int64).reshape(-1), "real": np.array(self.real, float).reshape(-1),
                "core": np.array(self.core, float).reshape(-1)}

    def __len__(self):
        return len(self.link)

    def _pair(self, i: int, j: int) -> None:
        s = self.s
        a, b = s.body[i], s.body[j]
        contact = int(s.contact[s.group[i], s.group[j]])
        if a == b or contact < 0 or (min(a, b), max(a, b)) in s.apart:
            return
        name = f"contact '{s.contacts[contact]}'"
        if s.stiffness[s.group[i], s.group[j]] > 0.0:
            raise Unsupported(f"{name} gives way (stiffness_N_per_m)")
        kinds = {s.kind[i], s.kind[j]}
        what = f"{name}: {WORDS[s.kind[i]]} of '{s.owner[i]}' and {WORDS[s.kind[j]]} of '{s.owner[j]}'"
        if kinds == {CYLINDER, PLANE}:
            return self._rims(*((i, j) if s.kind[i] == PLANE else (j, i)), contact)
        if CYLINDER in kinds:
            raise Unsupported(f"{what}: places of a cylinder are followed event by event on half-spaces only")
        edged = {BOX, POLYHEDRON}
        if not self.plane and (kinds <= edged or (kinds & edged and CAPSULE in kinds) or kinds == {CAPSULE}):
            raise Unsupported(f"{what}: edges that cross in space are not followed event by event")
        for one, other in ((i, j), (j, i)):
            self._points(one, other, contact)

    def _points(self, a: int, b: int, contact: int) -> None:
        """Points of shape b against the core of shape a, where that is the way round to look at them."""
        s = self.s
        if s.kind[b] == PLANE:
            return
        points = self._corners(b)
        cores = self._corners(a) if s.kind[a] != PLANE else ()
        if len(points) == 1 and len(cores) == 1 and a < b:
            return  # two balls: once
        if len(cores) == 1 and len(points) > 1:
            return  # the ball against the other's core says it all
        at, count, kind = self._core(a)
        away = s.round[a] if s.kind[a] != PLANE else 0.0
        mu, e = (float(x[s.group[a], s.group[b]]) for x in (s.friction, s.restitution))
        facing = float(s.facing[s.group[a], s.group[b]])
        for p in points:
            self.link.append([s.body[a], s.body[b], at, count, kind, contact, 0, 0])
            self.real.append([*p, s.round[b], away, mu, e, facing, *([0.0] * (REAL - DIR))])
            self.shapes.append((a, b))
        assert len(self.link[-1]) == LINK and len(self.real[-1]) == REAL

    def _rims(self, a: int, b: int, contact: int) -> None:
        """Both rims of a cylinder b over the half-space a."""
        s, (at, turn), (place, own) = self.s, self._frame(a), self._frame(b)
        mu, e = (float(x[s.group[a], s.group[b]]) for x in (s.friction, s.restitution))
        for side in (-1.0, 1.0):
            self.link.append([s.body[a], s.body[b], len(self.core), 1, RIM, contact, 0, 0])
            self.core.append([*turn[:, 2], *at, *own[:, 2]])
            self.real.append([*(place + side * s.size[b][1] * own[:, 2]), s.size[b][0], 0.0, mu, e,
                              float(s.facing[s.group[a], s.group[b]]), *([0.0] * (REAL - DIR))])
            self.shapes.append((a, b))

    def _frame(self, k: int):
        place = np.array(self.s.local[k], float)
        return place[:3], place[3:].reshape(3, 3)

    def _corners(self, k: int) -> np.ndarray:
        s = self.s
        x = core(s.kind[k], s.size[k], *s.solids.get(k, ()))[0]
        place, turn = self._frame(k)
        return place + x @ turn.T

    def _core(self, k: int) -> tuple[int, int, int]:
        if k in self._kept:
            return self._kept[k]
        s, at = self.s, len(self.core)
        place, turn = self._frame(k)
        kind = s.kind[k]
        if kind == PLANE:
            self.core.append([*turn[:, 2], *place, 0.0, 0.0, 0.0])
            found = (at, 1, HALF)
        elif kind == SPHERE:
            self.core.append([*place, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
            found = (at, 1, DOT)
        elif kind == CAPSULE:
            x = self._corners(k)
            self.core.append([*x[0], *x[1], 0.0, 0.0, 0.0])
            found = (at, 1, SEGMENT)
        elif kind == BOX:
            self.core.append([*place, *s.size[k], 0.0, 0.0, 0.0])
            self.core.append(list(turn.ravel()))
            found = (at, 1, BLOCK)
        else:
            x, faces, normals = core(kind, s.size[k], *s.solids.get(k, ()))
            x, normals = place + x @ turn.T, normals @ turn.T
            if kind == POLYHEDRON:
                edges = {(min(e), max(e)) for loop in faces for e in zip(loop, [*loop[1:], loop[0]], strict=True)}
                self.core += [[*normal, *x[loop[0]], 0.0, 0.0, 0.0] for normal, loop in zip(normals, faces, strict=True)]
                self.core += [[*x[i], *x[j], 0.0, 0.0, 1.0] for i, j in sorted(edges)]
                found = (at, len(faces) + len(edges), SOLID)
            elif len(x) == 2:
                self.core.append([*x[0], *x[1], 0.0, 0.0, 0.0])
                found = (at, 1, SEGMENT)
            else:
                for normal, (i, j) in zip(normals, faces, strict=True):
                    self.core.append([*normal, *x[i], *x[j]])
                found = (at, len(faces), FACES)
        self._kept[k] = found
        return found
