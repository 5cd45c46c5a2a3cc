"""Modes of contacts and how they change: the part of event-driven contact that happens at instants.

At an event, with the features that touch (closed ones, and gaps that are zero):

    1  a velocity that closes a gap is a blow: one Coulomb problem on momentum for all that touch (law.py),
           u⁺ = u⁻ + W p,   0 ≤ u_n⁺ + e u_n⁻ ⊥ p_n ≥ 0                                        Newton's restitution
       If that would gain energy, Poisson's: first without restitution, then e times the impulses of that phase once more;
       both are counted.  What the blow takes is −½ p·(u⁺ + u⁻), drives may give some.
    2  features that part stay open, unless they part so slowly that the way of the bounce, u²/(2 a), is below 1e-12 of the size:
       the rest of the series of bounces is τ = 2 u/a (1 + e + e² + …) = 2 u/(a (1 − e)), its end is written down, the gap closed
    3  with those that stay, one Coulomb problem on forces says which open, stick, or slide and whereto
       where sliding ended at one place, what is left of it at others of the same two bodies is over too if it lasts less than a
       billionth of √(size/acceleration) and the law lets it stick (giving.py)
    4  event functions that begin at zero get a slack, so that the next stretch does not begin with an event by rounding
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dalembert.contacts.events import beginnings, blows, giving, law, leading, words
from dalembert.contacts.events.candidates import Features
from dalembert.contacts.events.directions import directions
from dalembert.contacts.events.entries import ENTRIES
from dalembert.contacts.events.sharing import SINGULAR, columns
from dalembert.contacts.events.tables import (
    CLOSED,
    CONTACT,
    CORE_KIND,
    CREEP,
    DIR,
    EVENTS_EACH,
    FACE,
    GAP,
    GEO,
    HALF,
    LEAD,
    LINK,
    MODE,
    MU,
    OPEN,
    PICKED,
    PREFER,
    REAL,
    REST,
    RIM,
    ROWS,
    SINCE,
    SLIP,
    STICK,
    TOUCH,
    A,
    B,
    N,
    Rows,
    U,
)

MOST = 400  # features
OVERLAP = 1e-8  # of the size: more is refused at the start
SLOW = 1e-12  # of the size: the way of a bounce that is not followed any more
STILL = 1e-10  # of the speeds at hand: less is none
RESTLESS = 400  # changes in a millionth of √(size/acceleration): no series of bounces is that quick


@dataclass
class Counts:
    """What happened so far."""

    impacts: int = 0
    changes: int = 0
    poisson: int = 0
    plastic: int = 0
    several: int = 0
    impact: float = 0.0  # J lost in blows
    zeno: list[tuple[str, float]] = field(default_factory=list)  # contacts, and when their series of bounces end
    notes: list[str] = field(default_factory=list)
    together: list[float] = field(default_factory=list)  # when several places first struck at one moment
    unsure: list[float] = field(default_factory=list)  # when the law first had several answers


class Machine:
    """A system with contact rows above its equations; ``equations``: arrays and handles of a workspace (analyses)."""

    def __init__(self, system, shapes, equations: dict[str, Any]):
        self.system, self.shapes = system, shapes
        self.features = Features(shapes, system.dim == 2, MOST)
        e, nb, nv, F = equations, system.nb, system.nv, len(self.features)
        reach = self._reach(nb)
        places = zip(shapes.local, shapes.body, shapes.bound, strict=True)  # ``swing``: bodies whose places have a lever
        self.swing = sorted({int(body) for x, body, bound in places if body < nb and bound > 0.0 and np.any(x[:3] != 0.0)})
        self.size, self.n = max(float(shapes.length), 1e-5 * float(reach.max())), system.dim  # tips of rods are no measure
        contacts = len(shapes.contacts)
        sums = 1 + 6 * contacts
        base = e["y"].size
        rows = min(3 * F, 3 * CLOSED) + 3
        f, i = np.zeros, lambda size: np.zeros(size, np.int64)
        self.events_of = EVENTS_EACH * F + 1
        self.a: dict[str, np.ndarray] = {
            "size": np.array([system.dim == 2, nb, F, system.nq, nv, base, sums, 0, 0], np.int64), "handle": e["handle"],
            "t": e["t"], "y": f(base + sums), "ydot": f(base + sums), "g": f(EVENTS_EACH * F + 1 + e["g"].size),
            "base_y": e["y"], "base_ydot": e["ydot"], "base_g": e["g"], "q": e["q"], "v": e["v"], "vdot": e["vdot"],
            "mass": np.ascontiguousarray(e["mass"]).ravel() if system.nc else f(0), "shift": e["shift"],
            "wrench": e["wrench"], "answer": e["answer"], "count": e["count"],
            "x": f(3 * (nb + 1)), "R": f(9 * (nb + 1)), "twist": f(6 * (nb + 1)), "turns": f(nb + 1),
            **self.features.arrays(), "geo": f(GEO * F),
            "reach": reach, "pace": f(1), "pick": i(max(F, 1)),
            "J": f(rows * nv), "bias": f(rows), "speed": f(rows), "of": i(2 * rows),
            "matrix": f(rows * rows), "factor": f(rows * rows), "pivot": i(rows), "right": f(rows), "found": f(rows),
            "rest": f(rows)}
        assert self.a["wrench"].size >= rows * nv
        self.a["R"][-9:] = np.eye(3).ravel()
        self.a["turns"][:], self.a["turns"][system.particles] = 1.0, 0.0
        self.link, self.real, self.geo = (self.a[k].reshape(-1, w) for k, w in (("link", LINK), ("real", REAL), ("geo", GEO)))
        struct = Rows(**self.a)
        self.rhs = ENTRIES["rhs"].bind(struct)
        self.events, self.project, self._survey = (self.rhs.sibling(ENTRIES[k]) for k in ("events", "project", "survey"))
        self.t, self.y, self.ydot, self.g = (self.a[k] for k in ("t", "y", "ydot", "g"))
        self.M = equations["mass"]
        self.counts = Counts()
        self.last: tuple[float, int] = (-np.inf, 0)
        self.recent: deque[float] = deque(maxlen=RESTLESS)  # times of the last events
        self.apex = np.inf
        self.gives: dict[int, np.ndarray | None] = {}  # places that open (None) or begin to slide (whereto) at this event
        self.way: tuple[float, np.ndarray, np.ndarray] | None = None  # how far sliding is launched; v̇, v¨ then (launch.py)
        self.struck = False  # whether there was a blow at this event
        self.ended: set[int] = set()  # places whose sliding ended at this event
        self.over: dict[int, float] = {}  # speeds below which a slide is over now, where they are not ``still``

    def _reach(self, nb: int) -> np.ndarray:
        out = np.zeros(nb + 1)
        for place, body, bound in zip(self.shapes.local, self.shapes.body, self.shapes.bound, strict=True):
            if body < nb:
                out[body] = max(out[body], float(np.linalg.norm(place[:3])) + bound)
        return out

    @property
    def longest(self) -> float:
        """The longest step that cannot jump over a body: 3 sizes at the speed that ends the stretch.  No step can go over a
        half-space, but where a place on a lever turns, and dips into it: ½ rad there, 0 (any step) where nothing turns."""
        if self.a["pace"][0] > 0.0:
            return 3.0 * self.size / (2.0 * self.a["pace"][0])
        spins = np.linalg.norm(self.a["twist"].reshape(-1, 6)[self.swing, 3:], axis=1).max(initial=0.0)
        return 0.5 / spins if spins * self.size > 1e-3 * self.pace() else 0.0

    def _pace(self) -> None:
        """A stretch ends where something moves twice as fast as now."""
        if np.all(np.isin(self.link[:, CORE_KIND], (HALF, RIM))):
            return
        twist, reach = self.a["twist"].reshape(-1, 6), self.a["reach"]
        fastest = float(np.max(np.linalg.norm(twist[:, :3], axis=1) + reach * np.linalg.norm(twist[:, 3:], axis=1)))
        self.a["pace"][0] = 2.0 * max(fastest, 0.1 * self.pace())

    @staticmethod
    def rows_for(shapes, dim: int) -> int:
        """Columns that ``respond`` must have room for."""
        return min(3 * len(Features(shapes, dim == 2, MOST)), 3 * CLOSED) + 3

    # ----------------------------------------------------------------------------------------------------- looking

    @property
    def modes(self) -> np.ndarray:
        return self.link[:, MODE]

    def name(self, f: int) -> str:
        a, b = (self.features.shapes[f][k] for k in (0, 1))
        s = self.shapes
        return f"contact '{s.contacts[self.link[f, CONTACT]]}' between '{s.owner[a]}' and '{s.owner[b]}'"

    def survey(self, picked=()) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """W, u and rates of u without contact forces of the picked features; all features are measured."""
        picked = list(picked)
        if len(picked) > CLOSED:
            raise words.Stuck(f"more than {CLOSED} places touch at once; contact=\"stepping\" is for that")
        self.a["pick"][:len(picked)] = picked
        self.a["size"][PICKED] = len(picked)
        status = self._survey()
        if status:
            raise words.Stuck("the equations of the joints could not be solved")
        m = int(self.a["size"][ROWS])
        W = self.a["matrix"][:m * m].reshape(m, m)
        return 0.5 * (W + W.T), self.a["speed"][:m].copy(), self.a["right"][:m].copy()

    def normal_speed(self) -> np.ndarray:
        return np.einsum("fi,fi->f", self.geo[:, N:N + 3], self.geo[:, U:U + 3])

    def apart(self) -> None:
        """All features are measured; an open one inside the other shape went there unnoticed, which ends the run."""
        self.survey()
        gaps = np.where(self.modes == OPEN, self.geo[:, GAP], np.inf)
        if gaps.min(initial=np.inf) < -OVERLAP * self.size:
            raise words.Stuck(words.unnoticed(self, int(np.argmin(gaps))))

    def kinetic(self) -> float:
        v = self.a["v"]
        return 0.5 * float(v @ self.M @ v)

    # ----------------------------------------------------------------------------------------------- the beginning

    def begin(self) -> None:
        """Modes at the state in t, y: what touches there is closed; overlaps are refused by name."""
        self.modes[:] = OPEN
        self.survey()
        gaps = self.geo[:, GAP]
        deep = int(np.argmin(gaps)) if len(gaps) else -1
        if deep >= 0 and gaps[deep] < -OVERLAP * self.size:
            raise words.Stuck(f"{self.name(deep)}: they overlap by {-gaps[deep]:.3g} m at the start; set them apart, or use "
                        "contact=\"stepping\", which pushes them apart slowly")
        self.change([f for f in range(len(gaps)) if gaps[f] <= OVERLAP * self.size])

    # --------------------------------------------------------------------------------------------------- an instant

    def at_event(self, fired) -> None:
        """The state in t, y is at the zero of event functions ``fired`` (numbers): new velocities and modes."""
        t, times = float(self.t[0]), self.last[1]
        same = t - self.last[0] <= 4e-16 * max(abs(t), 1e-300)
        self.last = (t, times + 1 if same else 0)
        if self.last[1] > 50:
            names = {self.name(k // EVENTS_EACH) for k in fired if k < self.events_of}
            raise words.Stuck(f"{', '.join(sorted(names))}: modes change without end at t = {t:.6g}; contact=\"stepping\" goes "
                              "through")
        self.recent.append(t)
        if len(self.recent) == RESTLESS and t - self.recent[0] < 1e-6 * self.size / self.pace():
            names = {self.name(k // EVENTS_EACH) for k in fired if k < self.events_of - 1}
            raise words.Stuck(f"{', '.join(sorted(names))}: {RESTLESS} changes of modes in {t - self.recent[0]:.1e} s at t = "
                              f"{t:.6g}; contact=\"stepping\" goes through")
        self.apart()
        if all(k == self.events_of - 1 for k in fired):  # faster: shorter steps from here on
            self._pace()
            self.apex = np.inf
            return
        self.gives, self.ended = giving.giving(self, fired), giving.ended(self, fired)
        first = {k // EVENTS_EACH for k in fired if k < self.events_of - 1}
        for f in {k // EVENTS_EACH for k in fired if k < self.events_of - 1 and k % EVENTS_EACH == 2}:
            words.flat(self, [f])
            if self.modes[f] != OPEN:  # it slid off the end of its face
                self.modes[f] = OPEN
                first.discard(f)
                self.counts.changes += 1
        self.survey()
        limit = TOUCH * self.size
        touching = [f for f in range(len(self.geo)) if self.modes[f] != OPEN or f in first or self.geo[f, GAP] <= limit]
        self.change([f for f in touching if self.geo[f, GAP] <= 1e3 * limit])

    def change(self, touching: list[int]) -> None:
        """Blows, series of bounces, and the modes that follow, with the features that touch."""
        before, self.struck, self.over = self.modes.copy(), False, {}  # what was over at an event before says nothing now
        words.flat(self, touching)
        giving.faces(self, touching)
        self.modes[touching] = np.where(self.modes[touching] == OPEN, SLIP, self.modes[touching])  # so that faces stay
        self.survey()
        u = self.normal_speed()
        for _ in range(20):
            if not any(u[f] < -self.still(f) for f in touching):
                break
            blows.blow(self, touching)
            self.struck = True
            self.ended = set()
            self.survey()
            u = self.normal_speed()
        self._settle(touching, before)

    def still(self, f: int) -> float:
        """The speed below which there is none at feature f."""
        a, b = self.link[f, A], self.link[f, B]
        twist = self.a["twist"].reshape(-1, 6)
        speed = max(np.abs(twist[k, :3]).max() + self.size * np.abs(twist[k, 3:]).max() for k in (a, b))
        return STILL * max(speed, 1e-3 * self.pace())

    def pace(self) -> float:
        """√(size · acceleration) at hand."""
        vdot = self.system.each_v(self.a["vdot"])[:, :self.n]
        pull = float(np.linalg.norm(self.system.tables.gravity))
        return float(np.sqrt(self.size * max(np.abs(vdot).max(initial=0.0), pull))) or self.size

    # -------------------------------------------------------------------------------------------------- what follows

    def _settle(self, touching, before) -> None:
        """Modes of the next stretch."""
        kept, slow = [], []
        u = self.normal_speed()
        for f in touching:
            if abs(u[f]) <= self.still(f):
                kept.append(f)
            elif u[f] > 0.0 and self.real[f, REST] < 1.0 and (u[f]**2 <= 2.0 * SLOW * self.size * self._pull(f)):
                slow.append(f)
        answer, rates = self._forces(kept, slow)
        while slow:
            back = [f for f in slow if rates[f] < 0.0]
            if not back:
                break
            for f in back:
                e = self.real[f, REST]
                if e > 0.0:
                    self.counts.zeno.append((self.name(f), float(self.t[0]) + 2.0 * u[f] / (-rates[f] * (1.0 - e))))
            kept += back
            slow = [f for f in slow if f not in back]
            self._still(kept)
            answer, rates = self._forces(kept, slow)
        self._adopt(kept, answer)
        self.apex = beginnings.apex(self, [f for f in touching if self.modes[f] == OPEN])
        if np.any(before != self.modes):
            self.counts.changes += 1

    def _pull(self, f: int) -> float:
        """Largest acceleration that may bring a feature back."""
        return self.pace()**2 / self.size

    def _still(self, kept) -> None:
        """Take the last of the normal velocities out of the features that are kept: an impulse, which pulls where they parted.

        The rest of the series would have pressed by what the closed contact presses in that time, less this pull.  So friction
        of what slides goes with the pull as well, and what has no velocity across keeps none: else 1e-6 of the speeds is lost."""
        faces, n = self.link[:, FACE].copy(), self.n
        W, u, _ = self.survey(kept)
        across, mu = u.reshape(-1, n)[:, 1:], self.real[kept, MU]
        size = np.linalg.norm(across, axis=1)
        slides = (size > [self.still(f) for f in kept]) | (mu == 0.0)
        ways = across / np.where(slides & (size > 0.0), size, 1.0)[:, None]
        rows, K = columns([SLIP if s else STICK for s in slides], mu, ways, n)
        p = K @ np.linalg.lstsq((W @ K)[rows], -u[rows], rcond=SINGULAR)[0]
        blows.strike(self, kept, p, -0.5 * float(p @ (2.0 * u + W @ p)))
        self.link[:, FACE] = faces
        self.survey()

    def _forces(self, kept, slow) -> tuple[law.Answer | None, dict[int, float]]:
        """Coulomb's law on forces for what is kept, and the normal rates of the slow ones."""
        n, both = self.n, [*kept, *slow]
        if not both:
            return None, {}
        W, u, rates = self.survey(both)
        k = len(kept)
        m = n * k
        answer = self.way = None
        r = np.zeros(0)
        if k:
            part = W[:m, :m], u[:m].reshape(k, n)[:, 1:], rates[:m]
            answer = (None if slow else leading.anew(self, kept, *part)) or giving.asked(self, kept, *part)
            if not answer.good:
                raise words.no_answer(self, kept, W, rates[:m:n], answer, "forces")
            self.way = self.way or leading.from_rest(self, kept, answer, *part[1:])
            if answer.several:
                words.several(self, kept, answer)
            if answer.loose:
                words.loose(self, kept, answer)
            r = answer.r.ravel()
        z = rates[m:] + (W[m:, :m] @ r if k else 0.0)
        return answer, {f: float(z[n * i]) for i, f in enumerate(slow)}

    def _adopt(self, kept, answer) -> None:
        """Modes and directions of slip; y is brought onto what is held; slacks."""
        start = []
        self.modes[:] = OPEN
        for i, f in enumerate(kept):
            mode = answer.modes[i]
            self.modes[f] = mode
            self.real[f, CREEP] = 1e-2 * self.still(f)
            self.real[f, PREFER:PREFER + self.n] = answer.r[i]
            self.real[f, LEAD:LEAD + self.n] = 0.0 if answer.lead is None else answer.lead[i]
            self.real[f, SINCE] = self.t[0]
            t = directions(self, f)[1:self.n]
            if mode == SLIP:
                speed = self.geo[f, U:U + 3] - self.normal_speed()[f] * self.geo[f, N:N + 3]
                size = float(np.linalg.norm(speed))
                if size > self.over.get(f, self.still(f)):
                    self.real[f, DIR:DIR + 3] = speed / size
                else:
                    self.real[f, DIR:DIR + 3] = t.T @ answer.directions[i]
                    start.append(f)
                if self.real[f, MU] == 0.0 and not np.any(self.real[f, DIR:DIR + 3]):
                    self.real[f, DIR:DIR + 3] = t[0]
        for f in start:
            if self.real[f, MU] > 0.0:
                self.modes[f] = STICK
        self.project()
        for f in start:
            self.modes[f] = SLIP
        beginnings.slacks(self)
