"""Modes of joints that rub, and how they change: the part that happens at instants.

At an event (sliding ends, or what sticks reaches its limit) velocities stay; the forces decide what follows:

    1  a surface with a velocity slides along it; one at rest whose sliding other bodies or drives prescribe (its own friction
       does not change it: a pin at its dead centre) slides where its rate points; without a rate it has no force until it moves
    2  the others stick.  Where rows of these depend on each other (all pins of a linkage at rest), forces are shared by what each
       can hold: the least Σ (f/limit)²; a set of independent ones holds, the others keep their share
    3  the one furthest over its limit is set full (at its limit, against its force); full ones that the answer accelerates along
       d, or that nothing else holds, slide; those it accelerates against d stick again; until all inequalities hold
    4  where that goes round in circles, sweeps find who is at its limit (search.py), or all combinations are tried

Answers are looked at for uniqueness: other combinations with another motion, and other forces of the same modes (a search that
begins far away).  Where reactions are not unique, friction is not either: refused by name.
"""

from __future__ import annotations

from collections import deque
from types import SimpleNamespace

import numpy as np

from dalembert.algebra.null_space import gram_rank, left_kernel, unit_rows
from dalembert.contacts.events.machine import Counts
from dalembert.contacts.events.words import Stuck
from dalembert.contacts.rubbing import granted, words
from dalembert.contacts.rubbing.entries import ENTRIES
from dalembert.contacts.rubbing.search import RATE, Search
from dalembert.contacts.rubbing.tables import (
    BAND,
    CLUTCH,
    COULOMB,
    CREEP,
    DIR,
    DIRECTIONS,
    DIRS,
    FULL,
    GIVEN,
    KIND,
    KINDS,
    LINK,
    MORE,
    NORMAL,
    OWN,
    PREFER,
    PRESS,
    REAL,
    ROLL,
    ROPE,
    ROW,
    SEVERAL,
    SLACK,
    SLIP,
    STATIC,
    STICK,
    STRIBECK,
    TIED,
    WHY,
    I,
    J,
    Rub,
)
from dalembert.elements.signals.felt import FELT

STILL, ZERO = 1e-10, 1e-12  # speeds below which there is none, slack of event functions: of their size
SLOW = 1e-7  # of the speeds at hand: below it a velocity of several components keeps the direction it had
RESTLESS = 400  # changes in a millionth of √(size/acceleration), as of contacts/events/machine.py
LOOKED = 27  # combinations of modes that are looked at for other answers
FAR = 1e3
CALLED = {CLUTCH: "clutch", BAND: "band brake", ROLL: "disc", ROPE: "rope"}  # in messages; others are joints
BOUND = 1e-12  # of J M⁻¹ Jᵀ: J A below it is none


def _told(sentence: str) -> str:
    """Of whom a sentence tells what, without when."""
    return sentence.split(":")[0].split(" at t = ")[0]


class Machine(Search):
    """A system with joints that rub above its equations; ``equations``: its workspace and form's handles (analyses)."""

    def __init__(self, system, work, handles):
        self.system, self.work = system, work
        found = system.rubbing
        K, nv, nc, base = len(found), system.nv, system.nc, work.y.size
        m = sum(DIRECTIONS[KINDS.index(x["kind"])] for x in found)
        f, i = np.zeros, lambda size: np.zeros(size, np.int64)
        self.names = [x["element"] for x in found]
        self.size = system.size / np.sqrt(float(system.tables.bodies["mass"].sum())) or 1.0
        self.events_of = K
        felt = np.zeros(K, FELT)
        for k, x in enumerate(found):
            for key, value in x["reaction"].items():
                felt[k][key] = value
        self.a: dict[str, np.ndarray] = {
            "size": np.array([K, m, system.nq, nv, nc, base, 0, 0], np.int64), "handle": np.array(handles, np.int64),
            "y": f(base + 1 + K), "ydot": f(base + 1 + K), "g": f(K + work.arrays.g.size), "base_y": work.y,
            "base_ydot": work.ydot, "base_g": work.arrays.g, "link": i(LINK * K), "real": f(REAL * K),
            "felt": felt, "own": f(OWN * K), "more": i(MORE * K),
            "J": f(m * nv), "answer": f(m * nv), "reply": f(m * nc), "mu": f(nc), "bias": f(m), "speed": f(m),
            "right": f(m), "matrix": f(m * m), "press": f(K * (m + 1) * PRESS), "probe": f(1), "f": f(m), "jac": f(m * m),
            "order": i(m), "rest": f(m), "slope": f(m)}
        self.link, self.real = self.a["link"].reshape(-1, LINK), self.a["real"].reshape(-1, REAL)
        row = 0
        own, more = self.a["own"].reshape(-1, OWN), self.a["more"].reshape(-1, MORE)
        for k, x in enumerate(found):
            own[k], more[k] = x["own"], x["more"]
            kind = KINDS.index(x["kind"])
            self.link[k, [KIND, I, J, DIRS, ROW]] = kind, x["i"], x["j"], DIRECTIONS[kind], row
            self.real[k, :DIR] = [x[key] for key in ("radius", "length", "lead", "coulomb", "static", "stribeck", "viscous",
                                                     "preload")]
            row += DIRECTIONS[kind]
        self.struct = Rub(**self.a)
        entries = ENTRIES[system.dim]
        self.rhs = entries["rhs"].bind(system.tables, work.arrays, self.struct)
        self.events, self.project, self._survey, self._forces = (
            self.rhs.sibling(entries[k]) for k in ("events", "project", "survey", "forces"))
        self.t, self.y, self.ydot, self.g = work.arrays.t, self.a["y"], self.a["ydot"], self.a["g"]
        self.counts, self.apex, self.longest = Counts(), np.inf, 0.0
        self.a["pace"] = np.zeros(1)
        self.shapes = SimpleNamespace(contacts=self._titles())
        self.last: tuple[float, int] = (-np.inf, 0)
        self.recent: deque[float] = deque(maxlen=RESTLESS)  # times of the last events
        self.doubts: list[str] = []

    def _titles(self) -> list[str]:
        """One name per pair of surfaces."""
        return [n if self.names.count(n) == 1 else f"{n}, {KINDS[self.link[k, KIND]]}" for k, n in enumerate(self.names)]

    # ----------------------------------------------------------------------------------------------------- looking

    def pace(self) -> float:
        """√(size · acceleration) at hand."""
        vdot = self.system.each_v(self.work.vdot)[:, :self.system.dim]
        pull = float(np.linalg.norm(self.system.tables.gravity))
        return float(np.sqrt(self.size * max(np.abs(vdot).max(initial=0.0), pull))) or self.size

    def fastest(self) -> float:
        v = self.system.each_v(self.work.v)
        d = self.system.dim
        return float(np.abs(v[:, :d]).max(initial=0.0) + self.size * np.abs(v[:, d:]).max(initial=0.0))

    def still(self) -> float:
        return STILL * max(self.fastest(), 1e-3 * self.pace())

    def look(self) -> None:
        if self._survey():
            raise Stuck("the equations of the joints could not be solved")
        m = len(self.a["f"])
        self.W = self.a["matrix"].reshape(m, m).copy()
        self.right, self.u = self.a["right"].copy(), self.a["speed"].copy()
        J = self.a["J"].reshape(m, -1)
        own = np.einsum("ij,ij->i", J @ np.linalg.inv(self.work.metric_mass()), J)
        self.bound = np.array([wide == 1 and self.W[at, at] <= BOUND * own[at] for at, wide in self.link[:, [ROW, DIRS]]], bool)
        if np.any(self.bound != self.link[:, TIED]):  # speeds of these are found in another way
            self.link[:, TIED] = self.bound
            self._survey()
            self.u = self.a["speed"].copy()

    def titled(self, which) -> str:
        return ", ".join(dict.fromkeys(f"{CALLED.get(self.link[k, KIND], 'joint')} '{self.names[k]}'" for k in which))

    def unique(self) -> None:
        """Refuse friction by reactions that are not unique: a null vector of Dᵀ that reaches into rows of a joint that rubs."""
        w, s = self.work, self.system
        if not w.report.dropped:
            return
        D = np.linalg.solve(np.linalg.cholesky(w.mass()), w.jacobian().T).T
        empty, _ = left_kernel(unit_rows(D)[0])
        bad = []
        for k, name in enumerate(self.names):
            if name not in s.groups:  # pressed by a force that is given
                continue
            group = s.groups[name]
            needs = self.real[k, STATIC] > 0.0
            if needs and np.abs(empty[group.start:group.stop]).max(initial=0.0) > 1e-6:
                bad.append(k)
        if bad:
            raise Stuck(words.reaction(self.titled(bad)))

    # --------------------------------------------------------------------------------------------------- an instant

    def begin(self) -> None:
        """Modes at the state in t, y."""
        self.look()
        self.unique()
        granted.look(self)
        self.change(())

    def at_event(self, fired) -> None:
        """The state in t, y is at the zero of event functions ``fired`` (numbers)."""
        t = float(self.t[0])
        same = t - self.last[0] <= 4e-16 * max(abs(t), 1e-300)
        self.last = (t, self.last[1] + 1 if same else 0)
        if self.last[1] > 50:
            raise Stuck(f"{self.titled(fired)}: friction changes between sticking and sliding without end at t = {t:.6g}")
        self.recent.append(t)
        if len(self.recent) == RESTLESS and t - self.recent[0] < 1e-6 * self.size / self.pace():
            raise Stuck(words.restless(self.titled(fired), RESTLESS, t - self.recent[0], t))
        self.look()
        self._forces()
        giving = {int(k): self.real[k, DIR:DIR + self.link[k, DIRS]].copy() for k in np.flatnonzero(self.modes == FULL)}
        for k in fired:
            f = self.a["f"][self.rows(k)]
            if self.modes[k] in (STICK, GIVEN) and np.any(f):
                giving[k] = -f / np.linalg.norm(f)
        moved = [k for k in fired if self.modes[k] == GIVEN and self.bound[k]]
        self.change([k for k in fired if self.modes[k] == SLIP and self.link[k, DIRS] == 1], giving, moved)

    def change(self, stopped, giving=None, moved=()) -> None:
        """New modes; ``stopped``: surfaces whose sliding just ended; ``giving``: those at their limit, and whereto they slide;
        ``moved``: those that others just began to move."""
        still, t, before = self.still(), float(self.t[0]), self.modes.copy()
        speeds = np.array([np.linalg.norm(self.u[self.rows(k)]) for k in range(len(self.link))])
        self.real[:, CREEP] = SLOW / STILL * still
        self.real[:, PREFER:PREFER + 3] = 0.0
        rest: list[int] = []
        bound: list[int] = []
        for k in range(len(self.link)):
            self.modes[k] = SLIP
            if self.real[k, STATIC] == 0.0:
                continue
            if (speeds[k] > still and k not in stopped) or (k in moved and speeds[k] > 0.0):
                self.real[k, DIR:DIR + 3] = 0.0
                self.real[k, DIR:DIR + self.link[k, DIRS]] = self.u[self.rows(k)] / speeds[k]
            elif self.bound[k]:
                rate = float(self.right[self.rows(k)][0])
                self.real[k, DIR:DIR + 3] = np.sign(rate), 0.0, 0.0
                least = max(float(np.abs(self.right).max()), self.pace() ** 2 / self.size)  # rates that are rounding are none
                self.modes[k] = SLIP if abs(rate) > RATE * least else GIVEN
                bound.append(k)
            else:
                rest.append(k)
        found = (self.search(rest, giving) if giving else None) or self.search(rest)
        found = found or self.search(rest, self.swept(rest)) or self.trial(rest, first=True)
        if not found:
            names = self.titled(rest or np.flatnonzero(self.real[:, STATIC] > 0.0))
            why = {SEVERAL: words.fold}.get(int(self.a["size"][WHY]), words.none) if not rest else words.no_modes
            partly = [k for k in rest if self.link[k, DIRS] > 1 and self._partly(k)]
            raise Stuck(words.partly(self.titled(partly), t) if partly else why(names, t))
        self.take(found)
        self._others(rest, found, t)
        self.take(found)
        self._slacks(rest, [*rest, *bound], still)
        self.counts.changes += bool(np.any(before != self.modes))

    def _partly(self, k: int) -> bool:
        """Whether others prescribe some of the directions of surface k."""
        own = np.linalg.eigvalsh(self.W[self.rows(k), self.rows(k)])
        return bool(own[0] <= 1e-9 * max(own[-1], 1e-300))

    def _others(self, rest, found, t) -> None:
        """Say where the answer is not the only one."""
        z = self.right + self.W @ self.a["f"]
        size = max(float(np.abs(self.right).max()), float(np.abs(z).max()), 1e-300)
        forces = self.a["f"].copy()
        simple = all(self.real[k, STATIC] == self.real[k, COULOMB] or self.real[k, STRIBECK] > 0.0 for k in rest)
        if np.any((self.modes == GIVEN) & ~self.bound) or np.any(self.modes == FULL):
            self.note(words.shared(self.titled(np.flatnonzero((self.modes != SLIP) & ~self.bound)), t), "notes")
        elif rest and simple and 3 ** len(rest) <= LOOKED:
            if any(np.abs(other - z).max() > 1e-6 * size for _, other in self.trial(rest) or ()):
                self.note(words.several(self.titled(rest), t), "doubts")
            self.take(found)
        sliding = np.flatnonzero(((self.modes == SLIP) | (self.modes == FULL)) & (self.real[:, STATIC] > 0.0))
        if sliding.size:
            for far in (FAR, -FAR):
                self.a["probe"][0] = far
                good = self._forces() == 0
                self.a["probe"][0] = 0.0
                apart = np.abs(self.a["f"] - forces).max() > 1e-6 * max(np.abs(forces).max(), 1e-300)
                if good and apart and self._right_way(sliding):
                    self.note(words.several(self.titled(sliding), t), "doubts")
            self._forces()

    def _right_way(self, sliding) -> bool:
        """Whether the forces found oppose the sliding, as friction does."""
        return all(float(self.a["f"][self.rows(k)] @ self.real[k, DIR:DIR + self.link[k, DIRS]]) <= 0.0 for k in sliding)

    def note(self, sentence: str, where: str) -> None:
        """Once per set of names: at whatever time it is the same."""
        kept = self.counts.notes if where == "notes" else self.doubts
        if not any(_told(sentence) == _told(s) for s in kept):
            kept.append(sentence)

    # -------------------------------------------------------------------------------------------------- what follows

    def _slacks(self, rest, resting, still) -> None:
        """Velocities that are zero are made so; event functions that begin at zero, or below by rounding, begin above it."""
        modes = self.modes.copy()
        begun = [k for k in rest if modes[k] == SLIP]
        if begun:
            self.modes[begun] = STICK
            self._hold()
            self.modes[:] = modes
        else:
            self._hold()
        self.real[:, SLACK] = 0.0
        self.events()
        scale = np.where(modes == SLIP, still / STILL, np.maximum(self.real[:, STATIC] * self.real[:, NORMAL], 1e-300))
        for k in range(len(self.link)):
            least = ZERO * scale[k]
            if modes[k] == GIVEN and self.bound[k]:
                self.real[k, SLACK] = max(still, -2.0 * self.g[k])
                continue
            if self.g[k] < least and (modes[k] != SLIP or k in resting):
                self.real[k, SLACK] = least - self.g[k]

    def _hold(self) -> None:
        """Project, with what sticks held as far as it is independent."""
        stuck = [int(k) for k in np.flatnonzero(self.modes == STICK)]
        keep: list[int] = []
        for k in stuck:
            at = np.concatenate([np.arange(len(self.u))[self.rows(n)] for n in (*keep, k)])
            if gram_rank(self.W[np.ix_(at, at)]) == len(at):
                keep.append(k)
        modes = self.modes.copy()
        self.modes[[k for k in stuck if k not in keep]] = GIVEN
        self.project()
        self.modes[:] = modes
