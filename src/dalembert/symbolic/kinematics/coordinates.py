"""Coordinates and the frames of all bodies: absolute, or along a tree of joints with the remaining joints as loop equations.

Tree     Starting from the ground, bodies are attached joint by joint: named joints first, then those nearest to the ground,
         in the order they were added.  Each joint brings the coordinates it leaves free; a joint that would close a loop
         brings equations instead (equations/rows.py).  A body that no joint reaches is free: x, y(, z) and its angle(s).
Given    A coordinate with a drive is not a coordinate but a given motion z(t): symbols z, ż, z̈, whose laws are in
         ``given``.
Names    "O" or "C.slide" (joint coordinates), "rod.angle", "piston.x" (of a body, in place of its joint's), "tip.zxz" or
         "top.zxz" (Euler angles φ, θ, ψ, or any other order of axes, between the bodies' own frames, for a ball joint or a
         free body).
Links    Angles of the bodies themselves, θ from the ground's x axis, in place of the angles of their joints (plane).  A loop is
         then a sum of vectors, each turned by one angle.  Asked for by ``links``, or by naming the angle of any body: joints
         that are named, and driven ones, keep their own.
Short    ``abbreviations`` are symbols of loads that stand for formulas (the length l of a spring, its rate, its force).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import sympy as sp

from dalembert.elements.element import name_of
from dalembert.errors import AnalysisError, hint
from dalembert.symbolic.builder import TIME, SymbolicBuilder
from dalembert.symbolic.kinematics import joint_frames
from dalembert.symbolic.kinematics.frames import PlaneFrame, SpaceFrame, Twist, ground, zeros
from dalembert.symbolic.kinematics.jet import ONE, Jet
from dalembert.symbolic.kinematics.joint_frames import EULER, GREEK
from dalembert.symbolic.kinematics.valued import formula


@dataclass
class Coordinate:
    """One speed of the derivation: its coordinate (None for components of ω̄), rate and acceleration."""

    name: str
    q: Any
    u: sp.Symbol
    a: sp.Symbol
    read: Callable = field(repr=False, default=lambda poses: 0.0)  # its value in a state of the engine (states.py)


class Names:
    """Symbols and how they are shown: letter, index, number of dots.  Parameters called like one stay other symbols."""

    def __init__(self, taken=()):
        self.shown: dict[sp.Symbol, tuple[str, str, int]] = {}
        self.taken = set(taken)

    def symbols(self, letter: str, index: str, orders=(0, 1, 2)):
        tail = f"_{index}" if index else ""
        found = []
        for n in orders:
            s = sp.Symbol(f"{letter}{'d' * n and '_' + 'd' * n}{tail}" if n else f"{letter}{tail}", real=True)
            while s in self.taken:
                s = sp.Symbol(s.name + "'", real=True)
            self.shown[s] = (letter, index, n)
            found.append(s)
        return found


class Kinematics:
    """Frames of all bodies as functions of coordinates, and what is needed to read them."""

    def __init__(self, builder: SymbolicBuilder, coordinates=None, keep_drives=False, links=False):
        self.b, self.dim = builder, builder.dim
        self.names = Names(builder.symbols.values())
        self.coordinates: list[Coordinate] = []
        self.given: dict[sp.Symbol, Any] = {}
        self.matrices: dict[str, list[sp.Symbol]] = {}  # absolute, space: the nine entries of A
        self.frames: dict[int, Any] = {builder.ground: ground(self.dim)}
        self.positive: dict[Any, str] = {}  # formulas taken as positive, and why
        self.settled: set[str] = set()  # groups whose rows hold by the choice of coordinates
        self.known: dict[int, Jet] = {}  # measures that are coordinates
        self.tree: list[tuple[str, str, str]] = []  # joint, parent, child
        self.abbreviations: dict[sp.Symbol, Any] = {}
        self.links = self.slides = links
        self.absolute = isinstance(coordinates, str)
        self._drives = (
            {}
            if keep_drives
            else {
                m: n
                for n, m in builder.primary.items()
                if n in builder.model.elements and builder.model.elements[n].kind == "drive"
            }
        )
        if self.absolute:
            self._absolute()
        else:
            self.requested = list(coordinates or ())
            self._taken: set[str] = set()
            self.links = links or any(n.endswith(".angle") and n[:-6] in builder.body_names for n in self.requested)
            self._grow()
            left = [n for n in self.requested if n not in self._taken]
            if left:
                self._refuse(left[0])

    @property
    def n(self) -> int:
        return len(self.coordinates)

    @property
    def positions(self) -> list[tuple[sp.Symbol, Any, Callable]]:
        """Position variables with their rates and how they are read: the coordinates, and Euler parameters where ω̄ is used."""
        found = [(c.q, c.u, c.read) for c in self.coordinates if c.q is not None]
        speed = {c.name: c.u for c in self.coordinates}
        for body in self.matrices:
            e0, e1, e2, e3 = self.quaternion(body)
            x, y, z = (speed[f"{body}.omega {c}"] for c in "xyz")
            rates = (
                -(e1 * x + e2 * y + e3 * z) / 2,
                (e0 * x + e2 * z - e3 * y) / 2,
                (e0 * y + e3 * x - e1 * z) / 2,
                (e0 * z + e1 * y - e2 * x) / 2,
            )
            at = 7 * self.b.index[body] + 3
            found += [(e, r, joint_frames.read_state(at + k))
                      for k, (e, r) in enumerate(zip((e0, e1, e2, e3), rates, strict=True))]
        return found

    def quaternion(self, body):
        found = [sp.Symbol(f"e{k}_{body}", real=True) for k in range(4)]
        for k, s in enumerate(found):
            self.names.shown[s] = (f"e{k}", body, 0)
        return found

    @property
    def definitions(self) -> dict[sp.Symbol, Any]:
        """Symbols that stand for formulas: given motions, and the rotation matrices in Euler parameters."""
        found = dict(self.given)
        for body, entries in self.matrices.items():
            e0, e1, e2, e3 = self.quaternion(body)
            formulas = (
                1 - 2 * (e2**2 + e3**2),
                2 * (e1 * e2 - e0 * e3),
                2 * (e1 * e3 + e0 * e2),
                2 * (e1 * e2 + e0 * e3),
                1 - 2 * (e1**2 + e3**2),
                2 * (e2 * e3 - e0 * e1),
                2 * (e1 * e3 - e0 * e2),
                2 * (e2 * e3 + e0 * e1),
                1 - 2 * (e1**2 + e2**2),
            )
            found |= dict(zip(entries, formulas, strict=True))
        return found

    def title(self, body: int) -> str:
        return [*self.b.body_names, "ground"][body]

    # ------------------------------------------------------------------------------------------------ variables

    def variable(self, name, letter, index, read, measure=None) -> Jet:
        """A new coordinate, or the given motion of the drive on it."""
        drive = self._drives.get(measure) if measure is not None else None
        if drive is not None:
            found = self.given_motion(drive)
            self.settled.add(drive)
        else:
            q, u, a = self.names.symbols(letter, index)
            self.coordinates.append(Coordinate(name, q, u, a, read))
            found = Jet(q, {len(self.coordinates) - 1: ONE}, u)
        self._taken.add(name)
        if measure is not None:
            self.known[measure] = found
        return found

    def given_motion(self, drive: str) -> Jet:
        """The law of a drive as a jet of time: symbols for a motion, a number for a constant."""
        law = next(c["law"] for g in self.b.groups if g.name == drive for f, _, c in g.pieces if f == "hold")
        expr = self.b.formulas[law].at(f"Drive '{drive}'", TIME)
        return self.motion(drive, expr)

    def motion(self, name: str, expr) -> Jet:
        """f(t) as a jet; a function of time gets the symbols z, ż, z̈."""
        if not expr.has(TIME):
            return Jet(expr)
        z = self.names.symbols(name, "")
        for k, s in enumerate(z):
            self.given[s] = expr.diff(TIME, k) if k else expr
        return Jet(z[0], {}, z[1], z[2])

    def inertia(self, k: int):
        x = self.b.resolved[k]
        return formula(x["mass"]), formula(x["inertia"]), formula(x["com"])

    # ------------------------------------------------------------------------------------------------- absolute

    def _absolute(self):
        self._taken = set()
        self._drives = {}
        for k, body in enumerate(self.b.body_names):
            mass, J, com = self.inertia(k)
            if joint_frames.point(self.b, k):
                joint_frames.free_point(self, k, [joint_frames.read_state((3 if self.dim == 2 else 7) * k + i)
                                                  for i in range(self.dim)])
                continue
            if self.dim == 2:
                letters = (("x", "x", 0), ("y", "y", 1), ("angle", "theta", 2))
                x, y, theta = (
                    self.variable(f"{body}.{n}", letter, body, joint_frames.read_state(3 * k + c)) for n, letter, c in letters
                )
                self.frames[k] = PlaneFrame(mass, J, com, x, y, theta)
                continue
            r = [self.variable(f"{body}.{c}", c, body, joint_frames.read_state(7 * k + i)) for i, c in enumerate("xyz")]
            first = len(self.coordinates)
            for c in "xyz":
                u, a = self.names.symbols(f"omega{c}", body, (0, 1))
                self.coordinates.append(Coordinate(f"{body}.omega {c}", None, u, a))
            u = np.array([c.u for c in self.coordinates[first:]], dtype=object)
            entries = [sp.Symbol(f"A{i}{j}_{body}", real=True) for i in (1, 2, 3) for j in (1, 2, 3)]
            for s in entries:
                self.names.shown[s] = (s.name.split("_")[0], body, 0)
            self.matrices[body] = entries
            unit = np.array(sp.eye(3).tolist(), dtype=object)
            turn = Twist({first + c: unit[c] for c in range(3)}, u, zeros(3))
            trans = Twist({first - 3 + c: unit[c] for c in range(3)}, np.array([j.rate for j in r], dtype=object), zeros(3))
            self.frames[k] = SpaceFrame(
                mass,
                J,
                com,
                np.array(entries, dtype=object).reshape(3, 3),
                np.array([j.value for j in r], dtype=object),
                turn,
                trans,
                body_axes=False,
            )

    # ---------------------------------------------------------------------------------------------------- tree

    def _grow(self):
        b = self.b
        joints = []
        for element in b.model.elements.values():
            free = getattr(element, "free", {}).get(self.dim)
            if element.kind == "joint" and free is not None and joint_frames.supported(free):
                i, j = (b.index[name_of(x, element.title)] for x in (element.i, element.j))
                if not (joint_frames.point(b, i) or joint_frames.point(b, j)) or joint_frames.carries_point(free):
                    joints.append((element, i, j))
        depth = {b.ground: 0}
        driven = {b.model.elements[n].given.get("of") for n in self._drives.values()}
        driven = {getattr(x, "name", x) for x in driven}
        wanted = {n.partition(".")[0] for n in self.requested}
        while len(depth) <= len(b.body_names):
            found = [(e, i, j) for e, i, j in joints if (i in depth) != (j in depth)
                     and not joint_frames.point(b, i if i in depth else j)]  # a point carries no axes to count from
            if not found:
                body = self._next_free(depth)
                joint_frames.free(self, body)
                depth[body] = 1
                continue

            def rank(item):
                e, i, j = item
                return (
                    e.name not in wanted,
                    e.name.partition(".")[0] not in driven,
                    depth[i if i in depth else j],
                    joints.index(item),
                )

            element, i, j = min(found, key=rank)
            parent, child = (i, j) if i in depth else (j, i)
            joint_frames.joint(self, element, i, j, parent)
            self.settled.add(element.name)
            self.tree.append((element.name, self.title(parent), self.title(child)))
            depth[child] = depth[parent] + 1
            joints.remove((element, i, j))

    def _next_free(self, depth):
        left = [k for k in range(len(self.b.body_names)) if k not in depth]
        named = {n.partition(".")[0] for n in self.requested}
        return min(left, key=lambda k: (self.title(k) not in named, joint_frames.point(self.b, k), k))

    def ask(self, *names) -> str | None:
        """The first of these names that the user asked for."""
        return next((n for n in names if n in self.requested), None)

    def own_angle(self, body: str, joint: str) -> bool:
        """Whether a body attached by a hinge is told by its own angle."""
        return bool(self.ask(f"{body}.angle")) or (self.links and not self.ask(joint, f"{joint}.angle"))

    def sequence(self, base: str) -> str | None:
        """The order of axes asked for in 'base.zxz', if any."""
        for n in self.requested:
            head, _, tail = n.partition(".")
            if head == base and len(tail) == 3 and set(tail) <= set("xyz") and tail[0] != tail[1] != tail[2]:
                self._taken.add(n)
                return tail
        return None

    def spelled(self, names) -> list[str]:
        """Names with 'base.zxz' written out as the three angles."""
        out: list[str] = []
        for n in names or ():
            base, _, tail = n.partition(".")
            angles = EULER if tail[:1] == tail[-1:] else GREEK
            out += [f"{base}.{g}" for g in angles] if len(tail) == 3 and set(tail) <= set("xyz") else [n]
        known = {c.name for c in self.coordinates}
        return [n for n in out if n in known]

    def _refuse(self, name):
        known = [c.name for c in self.coordinates]
        model = self.b.model
        base = name.partition(".")[0]
        if base not in model:
            every = [*model.bodies, *model.elements]
            raise AnalysisError(
                f"coordinates: there is no joint or body '{base}'{hint(base, every)} (coordinates are named as "
                f"{', '.join(known[:8])})"
            )
        raise AnalysisError(
            f"coordinates: '{name}' cannot be a coordinate here: {model[base].title} either closes a loop, is driven, or "
            f"has no coordinate of that name. The coordinates of this choice are {', '.join(known)}; name another "
            "joint, or leave coordinates= out"
        )
