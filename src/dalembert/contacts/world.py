"""A scene with its arrays, and the loop that carries it from sample to sample."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dalembert.contacts import hulls
from dalembert.contacts.step import ADVANCE, NO_MEMORY, NO_ROOM, TELL
from dalembert.contacts.sums import SUM
from dalembert.contacts.tables import (
    GAP0,
    GRIP,
    HELD,
    LA,
    LB,
    LINK,
    MOST,
    MU,
    OLD,
    PLANE,
    POSE,
    RA,
    RB,
    REPORT,
    RN,
    ROW,
    RT,
    RULES,
    SLOP,
    TRACE,
    World,
)
from dalembert.contacts.together import LARGEST

LARGE = 4.0  # times the middle size of moving shapes: larger ones are compared with all others
ENVELOPE = 60_000  # numbers of the largest island's factors
PART = 0.037  # of √(size/g): one detection


@dataclass
class Shapes:
    """What may touch (model/touching.py): shapes on bodies, moving ones first, and the contacts that name them."""

    kind: list[int] = field(default_factory=list)
    body: list[int] = field(default_factory=list)  # nb: stands still
    size: list[Any] = field(default_factory=list)  # three numbers each
    local: list[Any] = field(default_factory=list)  # place from the centre of mass, rows of the rotation
    bound: list[float] = field(default_factory=list)  # radius of the sphere about its middle that holds it
    scale: list[float] = field(default_factory=list)  # smallest extent
    group: list[int] = field(default_factory=list)
    owner: list[str] = field(default_factory=list)
    round: list[float] = field(default_factory=list)  # rounding of the core (narrow/cores.py)
    solids: dict[int, tuple] = field(default_factory=dict)  # corners and faces of polygons and polyhedra, by shape
    contacts: list[str] = field(default_factory=list)  # names
    contact: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.int64))  # groups × groups: which contact, or −1
    friction: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    restitution: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    stiffness: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))  # N/m of contacts that give way, else 0
    damping: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))  # N s/m
    facing: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))  # 1 where the second shape is on the contact's side b
    apart: set[tuple[int, int]] = field(default_factory=set)  # bodies that do not touch each other

    @property
    def length(self) -> float:
        """The smallest size of a moving shape."""
        return min(s for s, k in zip(self.scale, self.kind, strict=True) if k != PLANE)


@dataclass
class Options:
    """How a scene is stepped; times in s, speeds in m/s."""

    h: float
    substeps: int = 4
    sweeps: int = 1
    relaxing: int = 1
    visits: int = 4000
    tolerance: float = 1e-3
    share: float = 0.2
    haste: float = 3.0
    freeze: int = 0
    still: float = 1e-3
    direct: int = 0
    effort: int = 300_000
    lie: float = 4e-4
    deep: float = 4e-3
    split: int = 100


def usual_step(shapes: Shapes, gravity) -> float | None:
    """Length of a detection that suits the smallest shape in this gravity; None without gravity."""
    g = float(np.linalg.norm(gravity))
    return PART * math.sqrt(shapes.length / g) if g > 0.0 else None


def quickest(shapes: Shapes, system) -> float:
    """A twentieth of √(m/k) of the lightest body that touches what gives way; no limit where all contacts are rigid."""
    k = shapes.stiffness.max(axis=1)[np.array(shapes.group)] if shapes.stiffness.any() else np.zeros(len(shapes.body))
    masses = system.tables.bodies["mass"]
    return min((0.05 * math.sqrt(masses[b] / s) for b, s in zip(shapes.body, k, strict=True) if s > 0.0 and b < system.nb),
               default=math.inf)


class Scene:
    """The bodies of a system with their shapes; ``equations``: the arrays of its workspace where joints or forces act."""

    def __init__(self, system, shapes: Shapes, options: Options, equations: dict[str, Any] | None, jointed, gravity):
        self.system, self.shapes, self.options = system, shapes, options
        self.nb, self.dim = system.nb, system.dim
        self.equations = equations
        self.arrays = self._made(jointed, np.asarray(gravity, float))
        self._bind()

    def _bind(self) -> None:
        a = self.arrays
        self.rules, self.report = (a[n].view(np.recarray)[0] for n in ("rules", "report"))
        self._world = World(**a)
        self._advance, self._tell = ADVANCE.bind(self._world), TELL.bind(self._world)

    def _made(self, jointed, gravity) -> dict[str, np.ndarray]:
        s, n, nb, o = self.shapes, len(self.shapes.kind), self.nb, self.options
        f, i = np.zeros, lambda size: np.zeros(size, np.int64)
        moving = sum(b < nb for b in s.body)
        a: dict[str, np.ndarray] = {"rules": np.zeros(1, RULES), "report": np.zeros(1, REPORT)}
        for name, size in {"x": 3, "e": 4, "R": 9, "v": 6, "before": 6, "free": 6, "way": 6, "trend": 6, "mass": 1, "inertia": 9,
                           "inverse_mass": 1, "inverse_inertia": 9, "W": 1, "moment": 6, "turn": 9, "radius": 1, "hit": 1,
                           "speed": 1, "stray": 1, "lost": 1, "loss": 1, "worth": 1, "spared": 1, "stood": 7,
                           "by_body": 6}.items():
            a[name] = f(size * (nb + 1))
        for name in ("frozen", "rest", "root", "jointed", "unmoved", "rests", "goes", "stirred", "guided"):
            a[name] = i(nb + 1)
        b = self.system.tables.bodies
        a["mass"][:nb], a["inverse_mass"][:nb] = b["mass"], b["inverse_mass"]
        J, inverse = a["inertia"].reshape(-1, 3, 3), a["inverse_inertia"].reshape(-1, 3, 3)
        if self.dim == 2:
            J[:nb, 2, 2], inverse[:nb, 2, 2] = b["inertia"], b["inverse_inertia"]
        else:
            J[:nb], inverse[:nb] = b["inertia"].reshape(-1, 3, 3), b["inverse_inertia"].reshape(-1, 3, 3)
        for k in self.system.particles:
            inverse[k], J[k] = 0.0, 0.0
        a["jointed"][:nb] = jointed
        for k in range(nb):  # 2: a body whose moments are all the same does not wobble
            m = np.linalg.eigvalsh(J[k])
            if not a["jointed"][k] and np.ptp(m) <= 1e-13 * m[-1]:
                a["jointed"][k] = 2
        a["R"].reshape(-1, 9)[nb] = np.eye(3).ravel()
        a["e"].reshape(-1, 4)[nb, 0] = 0.0 if self.dim == 2 else 1.0
        a["kind"], a["body"], a["group"] = (np.array(x, np.int64) for x in (s.kind, s.body, s.group))
        a["size"], a["local"] = np.array(s.size, float).reshape(-1), np.array(s.local, float).reshape(-1)
        a["bound"], a["scale"] = np.array(s.bound, float), np.array(s.scale, float)
        a.update(hulls.tables(s.kind, s.size, s.round, s.solids))
        a["place"] = a["local"].copy()  # of those that stand still; the others are placed at every detection
        for k in range(n):
            at = np.linalg.norm(np.array(s.local[k][:3]))
            if s.body[k] < nb:
                a["radius"][s.body[k]] = max(a["radius"][s.body[k]], at + s.bound[k])
        a["apart_at"], a["apart"] = _lists(s.apart, nb + 1)
        a["beside_at"], a["beside"] = _lists(hulls.neighbours(a, o.lie), n)
        a["groups"] = np.array([len(s.contact)], np.int64)
        for name in ("contact", "friction", "restitution", "facing", "stiffness", "damping"):
            a[name] = np.ascontiguousarray(getattr(s, name)).ravel()
        bounds = a["bound"][:moving]
        small = bounds <= LARGE * np.median(bounds)
        a["large"] = np.zeros(n, np.int64)
        a["large"][:moving] = ~small
        a["broad"] = np.array([k for k in range(n) if k >= moving or a["large"][k]], np.int64)
        a["head"], a["member"], a["key"] = i(1 << max(4, math.ceil(math.log2(2 * moving + 2)))), i(n), i(n)
        a["packed"], a["lined"], a["path"], a["rank"] = f(4 * n), f(4 * n), i(3 * n), i(257)
        a["found"], a["toward"], a["spare"], a["polygon"], a["clipped"] = f(5 * MOST), f(3), f(64), f(64), f(64)
        a["sum"] = f(SUM * max(len(s.contacts), 1))
        e = self.equations or {}
        rows = 3 * (nb + 1) * 6
        for name in ("q", "u", "udot", "shift", "time", "wrench", "answer", "power"):
            a[name] = e.get(name, f(0))
        a["ledger"] = f(a["power"].size)
        a["handle"], a["count"] = e.get("handle", i(4)), e.get("count", i(1))
        a["column"] = f(rows * 64 if np.any(np.asarray(jointed) == 1) else 0)
        a["stood"][:] = 1e100
        for name in ("order", "place_of", "low", "offset", "near_at", "bond_at", "fill", "fill_bond"):
            a[name] = i(nb + 3)
        a["island"], a["waits"] = i(2 * nb + 2), i(2 * nb + 2)
        few = LARGEST if o.direct and np.any(np.asarray(jointed) == 1) else 0
        for name, size in {"frame": 9, "unknown": 3, "still": 3, "heading": 2, "delassus": 9 * few, "dense": 9 * few}.items():
            a[name] = f(size * few)
        a["seat"], a["swaps"] = i(3 * few), i(3 * few)
        a["matrix"], a["right"], a["slip"] = f(ENVELOPE if o.direct else 0), f(6 * nb + 6), f(6 * nb + 6)
        r = a["rules"].view(np.recarray)[0]
        for name in ("h", "substeps", "sweeps", "relaxing", "visits", "tolerance", "share", "haste", "freeze", "still", "direct",
                     "effort", "lie", "deep", "split"):
            r[name] = getattr(o, name)
        r["gravity"][:] = gravity
        reach = 0.5 * float(np.max(bounds[small], initial=0.0))
        r.cell, r.reach = 2.1 * float(np.max(bounds[small], initial=1.0)) + reach, reach  # 2.1: with the margin of grid.py
        r.least, r.softness = s.length, int(np.any(s.stiffness > 0.0))
        r.moving, r.bodies, r.plane, r.alone = moving, nb, self.dim == 2, self.equations is None
        a["report"].view(np.recarray)[0].jointed = int(np.any(np.asarray(jointed) == 1))
        self._rooms(a, 24 * n + 64, 60 * n + 256)
        return a

    def _rooms(self, a, manifolds: int, points: int) -> None:
        """Places for so many manifolds and points; what is there is kept.  MemoryError: there are none, and nothing changed."""
        i = np.int64
        sizes = (("pair", 2 * manifolds, i), ("link", LINK * manifolds, i), ("old_link", LINK * manifolds, i),
                 ("normal", 3 * manifolds, float), ("grip", GRIP * manifolds, float), ("old_normal", 3 * manifolds, float),
                 ("row", ROW * points, float), ("old_row", OLD * points, float), ("used", points, i),
                 ("mask", 2, i), ("near", 2 * manifolds, i), ("bond", manifolds, i), ("state", points, i),
                 ("calm", manifolds, i), ("quiet", manifolds, i), ("held", HELD * manifolds, float), ("kept", 4 * points, float),
                 ("table", 1 << math.ceil(math.log2(2 * manifolds)), i))
        if 8 * sum(size for _, size, _ in sizes) > memory_left():
            raise MemoryError
        new = {name: _lined(size) if name == "row" else np.zeros(size, kind) for name, size, kind in sizes}
        for name, old in ((n, a[n]) for n in new if n in a and n != "table"):
            new[name][:old.size] = old
        a.update(new)
        self.room = manifolds, points

    # ---------------------------------------------------------------------------------------------------- state

    def enter(self, t: float, q, v) -> None:
        """Begin at a state of the system."""
        a, nb, s = self.arrays, self.nb, self.system
        eq, ev = s.each_q(q), s.each_v(v)
        x, e, R, u = (a[n].reshape(nb + 1, -1) for n in ("x", "e", "R", "v"))
        x[:nb, :self.dim] = eq[:, :self.dim]
        if self.dim == 2:
            e[:nb, 0] = eq[:, 2]
            c, d = np.cos(eq[:, 2]), np.sin(eq[:, 2])
            R[:nb] = 0.0
            R[:nb, 0], R[:nb, 1], R[:nb, 3], R[:nb, 4], R[:nb, 8] = c, -d, d, c, 1.0
            u[:nb, :2], u[:nb, 5] = ev[:, :2], ev[:, 2]
        else:
            e[:nb] = eq[:, 3:]
            R[:nb] = _matrices(eq[:, 3:])
            u[:nb, :3] = ev[:, :3]
            u[:nb, 3:] = np.einsum("bij,bj->bi", R[:nb].reshape(-1, 3, 3), ev[:, 3:])
        self.rules.time = t
        if self.equations is not None:
            self.equations["q"][:] = q

    def leave(self) -> tuple[np.ndarray, np.ndarray]:
        """q and v of the system."""
        a, nb, s = self.arrays, self.nb, self.system
        q, v = np.zeros(s.nq), np.zeros(s.nv)
        if self.equations is not None:
            q[:] = self.equations["q"]
        x, e, R, u = (a[n].reshape(nb + 1, -1)[:nb] for n in ("x", "e", "R", "v"))
        eq, ev = s.each_q(q), s.each_v(v)
        eq[:, :self.dim] = x[:, :self.dim]
        if self.dim == 2:
            eq[:, 2] = e[:, 0]
            ev[:, :2], ev[:, 2] = u[:, :2], u[:, 5]
        else:
            eq[:, 3:] = e
            ev[:, :3] = u[:, :3]
            ev[:, 3:] = np.einsum("bji,bj->bi", R.reshape(-1, 3, 3), u[:, 3:])
        return q, v

    KEPT = ("x", "e", "R", "v", "free", "trend", "frozen", "rest", "old_link", "old_normal", "old_row", "sum", "report", "rules",
            "way", "q", "stood", "ledger", "link", "normal", "grip", "row", "waits")

    def memory(self) -> dict[str, np.ndarray]:
        """All that makes a run go on bit for bit."""
        r = self.report
        m, n = int(r.manifolds), int(r.points)
        cut = {"old_link": LINK * m, "old_normal": 3 * m, "old_row": OLD * n, "link": LINK * m, "normal": 3 * m, "grip": GRIP * m,
               "row": ROW * n}
        return {n: np.array(self.arrays[n][:cut.get(n)]).view("f8" if n in ("rules", "report") else self.arrays[n].dtype)
                for n in self.KEPT}

    def fits(self, memory: dict[str, np.ndarray]) -> bool:
        """Whether a memory has this version's layout."""
        per = {"row": ROW, "old_row": OLD, "link": LINK, "old_link": LINK, "normal": 3, "old_normal": 3, "grip": GRIP}
        whole = (set(memory) >= set(self.KEPT) and all(memory[n].nbytes == self.arrays[n].nbytes for n in ("rules", "report"))
                 and all(memory[n].size % k == 0 for n, k in per.items()))
        return whole and memory["row"].size // ROW == memory["old_row"].size // OLD and all(
            memory[n].size == self.arrays[n].size for n in self.KEPT if n not in (*per, "rules", "report"))

    def remember(self, memory: dict[str, np.ndarray]) -> None:
        while memory["row"].size > self.arrays["row"].size or memory["link"].size > self.arrays["link"].size:
            self.grow()
        for n in self.KEPT:
            to = self.arrays[n]
            to[:memory[n].size] = memory[n].view(to.dtype) if n in ("rules", "report") else memory[n]

    # ----------------------------------------------------------------------------------------------------- steps

    def grow(self) -> None:
        """Twice the room; MemoryError where there is none, and all is as it was."""
        column = np.zeros(2 * self.arrays["column"].size)
        self._rooms(self.arrays, 2 * self.room[0], 2 * self.room[1])
        self.arrays["column"] = column
        self._bind()

    def advance(self, detections: int, h: float) -> int:
        """So many detections with substeps of length h; the status is that of step.py."""
        self.rules.h = h
        self.report.back = detections
        while True:
            status = self._advance()
            if status != NO_ROOM:
                return status
            try:
                self.grow()
            except MemoryError:
                return NO_MEMORY

    def gaps(self) -> np.ndarray:
        """Gaps of all points where the bodies are now (those of the rows are of the beginning of the last substep)."""
        a, r = self.arrays, self.report
        link, rows = a["link"].reshape(-1, LINK)[:int(r.manifolds)], a["row"].reshape(-1, ROW)[:int(r.points)]
        of = np.repeat(np.arange(len(link)), link[:, 3])
        x, R = a["x"].reshape(-1, 3), a["R"].reshape(-1, 3, 3)
        one, other = (x[link[of, k]] + np.einsum("nij,nj->ni", R[link[of, k]], rows[:, at:at + 3])
                      for k, at in ((0, LA), (1, LB)))
        return rows[:, GAP0] + np.sum((other - one) * a["normal"].reshape(-1, 3)[of], axis=1)

    def stored(self) -> float:
        """Energy in the springs of contacts that give way, J."""
        if not self.rules.softness:
            return 0.0
        a, r = self.arrays, self.report
        link = a["link"].reshape(-1, LINK)[:int(r.manifolds)]
        stiffness = self.shapes.stiffness[a["group"][link[:, 5]], a["group"][link[:, 6]]]
        return float(0.5 * np.sum(np.repeat(stiffness, link[:, 3]) * np.minimum(self.gaps(), 0.0)**2))

    def points(self) -> dict[str, np.ndarray]:
        """The points that carry something or touch at rest, after the last substep; state: 1 sticks, + 2 where it gives way."""
        self._tell()
        a, r = self.arrays, self.report
        m, n, h = int(r.manifolds), int(r.points), float(self.rules.last) or 1.0
        link, rows = a["link"].reshape(-1, LINK)[:m], a["row"].reshape(-1, ROW)[:n]
        of = np.repeat(np.arange(m), link[:, 3])
        normals, gaps = a["normal"].reshape(-1, 3)[of], self.gaps()
        v = a["v"].reshape(-1, 6)
        first, second = (v[link[of, k], :3] + np.cross(v[link[of, k], 3:], rows[:, at:at + 3]) for k, at in ((0, RA), (1, RB)))
        apart = np.abs(np.sum((second - first) * normals, axis=1)) > 1e-3 * self.rules.tolerance
        grip = a["grip"].reshape(-1, GRIP)[of]
        rows = np.where((rows[:, RN] <= TRACE)[:, None] & (np.arange(ROW) == RN), 0.0, rows)
        keep = np.flatnonzero((rows[:, RN] > 0.0) | ((np.abs(gaps) <= grip[:, SLOP]) & ~apart))
        of, rows, gaps, grip = of[keep], rows[keep], gaps[keep], grip[keep]
        normal = a["normal"].reshape(-1, 3)[of]
        force = (rows[:, RN:RN + 1] * normal + rows[:, RT:RT + 3]) / h
        limit = grip[:, MU] * rows[:, RN]
        across, idle = np.linalg.norm(rows[:, RT:RT + 3], axis=1), (rows[:, RN] == 0.0) & (grip[:, MU] > 0.0)
        sticks = (across < (1.0 - 1e-6) * limit) | idle
        x = a["x"].reshape(-1, 3)[link[of, 0]] + rows[:, RA:RA + 3]
        return {"contact": link[of, 4].copy(), "first": link[of, 0].copy(),
                "second": link[of, 1].copy(), "x": x, "normal": normal, "force": force, "gap": gaps,
                "state": sticks.astype(np.int64) + 2 * link[of, 7]}

    @property
    def sums(self) -> np.ndarray:
        """Per contact: force, torque about the origin, power, impulse, its moment (certify.py)."""
        return self.arrays["sum"].reshape(-1, SUM)[:len(self.shapes.contacts)]


def memory_left() -> float:
    """Bytes that this machine can still give, by its own word; no limit where it does not say."""
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            return next(1024.0 * int(x.split()[1]) for x in lines if x.startswith("MemAvailable"))
    except (OSError, StopIteration, ValueError):
        return math.inf


def _lined(size: int) -> np.ndarray:
    """Zeros that begin at a line of the processor's cache (tables.py: what a sweep reads of a point are three of them)."""
    room = np.zeros(size + 8)
    at = -room.ctypes.data // 8 % 8
    return room[at:at + size]


def _lists(pairs: set[tuple[int, int]], n: int) -> tuple[np.ndarray, np.ndarray]:
    """Pairs as a list per body."""
    both = sorted({*pairs, *((b, a) for a, b in pairs)})
    at = np.searchsorted([a for a, _ in both], np.arange(n + 1)) if both else np.zeros(n + 1)
    return at.astype(np.int64), np.array([b for _, b in both], np.int64)


def _matrices(e) -> np.ndarray:
    a, x, y, z = e.T / np.linalg.norm(e, axis=1)
    return np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - a * z), 2 * (x * z + a * y), 2 * (x * y + a * z),
                     1 - 2 * (x * x + z * z),
                     2 * (y * z - a * x), 2 * (x * z - a * y), 2 * (y * z + a * x), 1 - 2 * (x * x + y * y)], axis=1)


__all__ = ["POSE", "Options", "Scene", "Shapes", "quickest", "usual_step"]
