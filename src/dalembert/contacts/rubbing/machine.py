"""Modes of joints that rub, and how they change: the part that happens at instants.

At an event (sliding ends, or what sticks reaches its limit) velocities stay; the forces decide what follows:

    1  a surface with a velocity slides along it; one at rest whose sliding other bodies or drives prescribe (its own friction does
       not change it: a pin at its dead centre) slides where its rate points, or is left without force
    2  the others stick.  Where rows of these depend on each other (all pins of a linkage at rest), forces are shared by what each
       can hold: the least Σ (f/limit)²; a set of independent ones holds, the others keep their share
    3  the one furthest over its limit is set full (at its limit, against its force); full ones that the answer accelerates along d
       slide, those it accelerates against d stick again; until all inequalities hold
    4  where that goes round in circles, all combinations are tried, while they are few

Answers are looked at for uniqueness: other combinations with another motion, and other forces of the same modes (a search that
begins far away).  Where reactions are not unique, friction is not either: refused by name.
"""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any

import numpy as np

from dalembert.algebra.null_space import left_kernel, unit_rows
from dalembert.contacts.events.machine import Counts
from dalembert.contacts.events.words import Stuck
from dalembert.contacts.rubbing import words
from dalembert.contacts.rubbing.entries import ENTRIES
from dalembert.contacts.rubbing.tables import (
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
    MODE,
    NORMAL,
    PREFER,
    PRELOAD,
    PRESS,
    REAL,
    ROW,
    SEVERAL,
    SLACK,
    SLIP,
    STATIC,
    STICK,
    STRIBECK,
    WHY,
    I,
    J,
    Rub,
)
from dalembert.elements.signals.felt import FELT

STILL, ZERO = 1e-10, 1e-12  # speeds below which there is none, slack of event functions: of their size
OVER, RATE = 1e-9, 1e-9  # of a limit, of the rates at hand
TRIES, LOOKED = 729, 27  # combinations of modes: tried where the search fails, looked at for other answers
FAR = 1e3
BOUND = 1e-12  # of J M⁻¹ Jᵀ: J A below it is none


class Machine:
    """A system with joints that rub above its equations; ``equations``: its workspace and form's handles (analyses)."""

    def __init__(self, system, work, handles):
        self.system, self.work = system, work
        found = [x for x in system.rubbing if x["static"] > 0.0 or x["viscous"] > 0.0]
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
            "felt": felt, "J": f(m * nv), "answer": f(m * nv), "reply": f(m * nc), "mu": f(nc), "bias": f(m), "speed": f(m),
            "right": f(m), "matrix": f(m * m), "press": f(K * (m + 1) * PRESS), "probe": f(1), "f": f(m), "jac": f(m * m),
            "order": i(m), "rest": f(m), "slope": f(m)}
        self.link, self.real = self.a["link"].reshape(-1, LINK), self.a["real"].reshape(-1, REAL)
        row = 0
        for k, x in enumerate(found):
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
        self.doubts: list[str] = []

    def _titles(self) -> list[str]:
        """One name per pair of surfaces."""
        return [n if self.names.count(n) == 1 else f"{n}, {KINDS[self.link[k, KIND]]}" for k, n in enumerate(self.names)]

    # ----------------------------------------------------------------------------------------------------- looking

    @property
    def modes(self) -> np.ndarray:
        return self.link[:, MODE]

    def rows(self, k: int) -> slice:
        return slice(int(self.link[k, ROW]), int(self.link[k, ROW] + self.link[k, DIRS]))

    def pace(self) -> float:
        """√(size · acceleration) at hand."""
        vdot = self.system.each_v(self.work.vdot)[:, :self.system.dim]
        pull = float(np.linalg.norm(self.system.tables.gravity))
        return float(np.sqrt(self.size * max(np.abs(vdot).max(initial=0.0), pull))) or self.size

    def still(self) -> float:
        v = self.system.each_v(self.work.v)
        d = self.system.dim
        speed = np.abs(v[:, :d]).max(initial=0.0) + self.size * np.abs(v[:, d:]).max(initial=0.0)
        return STILL * float(max(speed, 1e-3 * self.pace()))

    def look(self) -> None:
        if self._survey():
            raise Stuck("the equations of the joints could not be solved")
        m = len(self.a["f"])
        self.W = self.a["matrix"].reshape(m, m).copy()
        self.right, self.u = self.a["right"].copy(), self.a["speed"].copy()
        J = self.a["J"].reshape(m, -1)
        own = np.einsum("ij,ij->i", J @ np.linalg.inv(self.work.metric_mass()), J)
        self.bound = np.array([self.link[k, DIRS] == 1 and self.W[self.rows(k), self.rows(k)][0, 0] <= BOUND * own[self.rows(k)][0]
                               for k in range(len(self.link))])

    def titled(self, which) -> str:
        return ", ".join(dict.fromkeys(f"joint '{self.names[k]}'" for k in which))

    def unique(self) -> None:
        """Refuse friction by reactions that are not unique: a null vector of Dᵀ that reaches into rows of a joint that rubs."""
        w, s = self.work, self.system
        if not w.report.dropped:
            return
        D = np.linalg.solve(np.linalg.cholesky(w.mass()), w.jacobian().T).T
        empty, _ = left_kernel(unit_rows(D)[0])
        bad = []
        for k, name in enumerate(self.names):
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
        self.change(())

    def at_event(self, fired) -> None:
        """The state in t, y is at the zero of event functions ``fired`` (numbers)."""
        t = float(self.t[0])
        same = t - self.last[0] <= 4e-16 * max(abs(t), 1e-300)
        self.last = (t, self.last[1] + 1 if same else 0)
        if self.last[1] > 50:
            raise Stuck(f"{self.titled(fired)}: friction changes between sticking and sliding without end at t = {t:.6g}")
        self.look()
        self._forces()
        giving = {}
        for k in fired:
            f = self.a["f"][self.rows(k)]
            if self.modes[k] in (STICK, GIVEN) and np.any(f):
                giving[k] = -f / np.linalg.norm(f)
        self.change([k for k in fired if self.modes[k] == SLIP and self.link[k, DIRS] == 1], giving)

    def change(self, stopped, giving=None) -> None:
        """New modes; ``stopped``: surfaces whose sliding just ended; ``giving``: those at their limit, and whereto they slide."""
        still, t = self.still(), float(self.t[0])
        speeds = np.array([np.linalg.norm(self.u[self.rows(k)]) for k in range(len(self.link))])
        self.real[:, CREEP] = 1e-2 * still
        self.real[:, PREFER:PREFER + 3] = 0.0
        rest: list[int] = []
        bound: list[int] = []
        for k in range(len(self.link)):
            self.modes[k] = SLIP
            if self.real[k, STATIC] == 0.0:
                continue
            if speeds[k] > still and k not in stopped:
                self.real[k, DIR:DIR + 3] = 0.0
                self.real[k, DIR:DIR + self.link[k, DIRS]] = self.u[self.rows(k)] / speeds[k]
            elif self.bound[k]:
                rate = float(self.right[self.rows(k)][0])
                self.real[k, DIR:DIR + 3] = np.sign(rate), 0.0, 0.0
                self.modes[k] = SLIP if abs(rate) > RATE * float(np.abs(self.right).max()) else GIVEN
                bound.append(k)
            else:
                rest.append(k)
        before = self.modes.copy()
        found = (self.search(rest, giving) if giving else None) or self.search(rest) or self.trial(rest, first=True)
        if not found:
            names = self.titled(rest or np.flatnonzero(self.real[:, STATIC] > 0.0))
            why = {SEVERAL: words.fold}.get(int(self.a["size"][WHY]), words.none) if not rest else words.no_modes
            raise Stuck(why(names, t))
        self.take(found)
        self._others(rest, found, t)
        self.take(found)
        self._slacks(rest, [*rest, *bound], still)
        self.counts.changes += bool(np.any(before != self.modes))

    def take(self, found) -> None:
        modes, ways, forces = found
        self.modes[:], self.real[:, DIR:DIR + 3], self.real[:, PREFER:PREFER + 3] = modes, ways, forces
        self._forces()

    def kept(self) -> tuple:
        """Modes, directions and forces as they are."""
        prefer = self.real[:, PREFER:PREFER + 3].copy()
        for k in range(len(self.link)):
            if self.modes[k] in (STICK, GIVEN):
                prefer[k, :self.link[k, DIRS]] = self.a["f"][self.rows(k)]
        return self.modes.copy(), self.real[:, DIR:DIR + 3].copy(), prefer

    # --------------------------------------------------------------------------------------------------- the answer

    def solved(self) -> bool:
        """Forces with the modes at hand; sticking rows that depend on others are shared out first."""
        stuck = [k for k in range(len(self.link)) if self.modes[k] in (STICK, GIVEN) and not self.bound[k]]
        self.modes[stuck] = STICK
        if len(stuck) < 2:
            return self._forces() == 0
        rows = np.concatenate([np.arange(len(self.u))[self.rows(k)] for k in stuck])
        limits = self.real[:, STATIC] * np.maximum(self._pressed(), 0.0)
        C = np.concatenate([[limits[k] or 1e-12 * (limits.max() or 1.0)] * int(self.link[k, DIRS]) for k in stuck])
        G = C[:, None] * self.W[np.ix_(rows, rows)] * C[None, :]
        values, vectors = np.linalg.eigh(0.5 * (G + G.T))
        good = values > 1e-10 * max(values.max(), 1e-300)
        if good.all():
            return self._forces() == 0
        basis, count = [], 0  # surfaces that hold, one after the other while they are independent
        for k in sorted(stuck, key=lambda k: -limits[k]):
            test = [*basis, k]
            at = np.concatenate([np.arange(len(rows))[np.isin(rows, np.arange(len(self.u))[self.rows(n)])] for n in test])
            rank = int(np.linalg.matrix_rank(G[np.ix_(at, at)], tol=1e-10 * values.max(), hermitian=True))
            if rank == len(at):
                basis, count = test, rank
        if count < int(good.sum()):
            return self._forces() == 0
        for _ in range(4):
            others = np.setdiff1d(np.arange(len(self.u)), rows)
            b = self.right[rows] + self.W[np.ix_(rows, others)] @ self.a["f"][others]
            share = -C * (vectors[:, good] @ ((vectors[:, good].T @ (C * b)) / values[good]))
            at = 0
            for k in stuck:
                n = int(self.link[k, DIRS])
                self.real[k, PREFER:PREFER + n] = share[at:at + n]
                self.modes[k] = STICK if k in basis else GIVEN
                at += n
            if self._forces():
                return False
        return True

    def _pressed(self) -> np.ndarray:
        """N of all surfaces without friction."""
        m = len(self.u)
        parts = self.a["press"].reshape(len(self.link), m + 1, PRESS // 3, 3)[:, 0]
        return np.linalg.norm(parts, axis=2).sum(axis=1) + self.real[:, PRELOAD]

    def judge(self, rest) -> tuple[list[int], list[int], list[int], bool]:
        """Of the forces found: surfaces over their limit (the furthest first), full ones that move on, that turn back; whether
        directions are those of the motion."""
        f, z = self.a["f"], self.right + self.W @ self.a["f"]
        rate = RATE * max(float(np.abs(self.right).max()), float(np.abs(self.W * f[None, :]).max()), 1e-300)
        over, on, back, straight = [], [], [], True
        for k in rest:
            own, d = self.rows(k), self.real[k, DIR:DIR + self.link[k, DIRS]]
            limit = self.real[k, STATIC] * self.real[k, NORMAL]
            if self.modes[k] in (STICK, GIVEN):
                excess = float(np.linalg.norm(f[own])) - limit
                if excess > OVER * limit + 1e-300:
                    over.append((excess / max(limit, 1e-300), k))
                continue
            along = float(z[own] @ d)
            if along < -rate:
                back.append(k)
            elif self.modes[k] == FULL and along > rate:
                on.append(k)
            if self.modes[k] != FULL and float(np.linalg.norm(z[own] - along * d)) > 1e-8 * max(along, rate):
                straight = False
        return [k for _, k in sorted(over, reverse=True)], on, back, straight

    def search(self, rest, giving=None):
        """Modes by trial and mending; None where it fails."""
        self.modes[rest] = STICK
        for k, way in (giving or {}).items():
            if k in rest:
                self.real[k, DIR:DIR + 3] = 0.0
                self.real[k, DIR:DIR + len(way)] = way
                self.modes[k] = FULL
        seen = set()
        for _ in range(200):
            if not self.solved():
                return None
            over, on, back, straight = self.judge(rest)
            if over:
                k = over[0]
                f = self.a["f"][self.rows(k)]
                self.real[k, DIR:DIR + 3] = 0.0
                self.real[k, DIR:DIR + len(f)] = -f / np.linalg.norm(f)
                self.modes[k] = FULL
            elif on:
                self.modes[on] = SLIP
            elif back:
                self.modes[back[0]] = STICK
            elif not straight:
                self._straighten(rest)
                continue
            elif loose := [k for k in rest if self.modes[k] == FULL and not self._held(k)]:
                self.modes[loose] = SLIP
            else:
                return self.kept()
            key = (tuple(self.modes), tuple(np.sign(np.round(self.real[:, DIR:DIR + 3], 6)).ravel()))
            if key in seen:
                return None
            seen.add(key)
        return None

    def _held(self, k: int) -> bool:
        """Whether what sticks holds surface k as well."""
        stuck = [n for n in np.flatnonzero(self.modes == STICK) if not self.bound[n]]
        if not stuck:
            return False
        at = np.concatenate([np.arange(len(self.u))[self.rows(n)] for n in stuck])
        own, across, block = self.W[self.rows(k), self.rows(k)], self.W[self.rows(k)][:, at], self.W[np.ix_(at, at)]
        left = own - across @ np.linalg.pinv(block, rcond=1e-10, hermitian=True) @ across.T
        return bool(np.linalg.eigvalsh(left).min() <= 1e-9 * np.linalg.eigvalsh(own).max())

    def _straighten(self, rest) -> None:
        z = self.right + self.W @ self.a["f"]
        for k in rest:
            own = self.rows(k)
            size = np.linalg.norm(z[own])
            if self.modes[k] == SLIP and size > 0.0:
                new = self.real[k, DIR:DIR + self.link[k, DIRS]] + z[own] / size
                self.real[k, DIR:DIR + self.link[k, DIRS]] = new / (np.linalg.norm(new) or 1.0)

    def trial(self, rest, first=False) -> list | tuple | None:
        """All combinations of modes that hold; ``first``: one is enough."""
        found: list = []
        if any(self.link[k, DIRS] > 1 for k in rest) or 3 ** len(rest) > TRIES:
            return None if first else found
        for choice in itertools.product((STICK, 1.0, -1.0), repeat=len(rest)):
            for k, c in zip(rest, choice, strict=True):
                self.modes[k] = STICK if c is STICK else SLIP
                if c is not STICK:
                    self.real[k, DIR:DIR + 3] = c, 0.0, 0.0
            if self.solved():
                over, on, back, _ = self.judge(rest)
                if not (over or on or back):
                    if first:
                        return self.kept()
                    found.append((self.kept(), self.right + self.W @ self.a["f"]))
        return None if first else found

    def _others(self, rest, found, t) -> None:
        """Say where the answer is not the only one."""
        z = self.right + self.W @ self.a["f"]
        size = max(float(np.abs(self.right).max()), float(np.abs(z).max()), 1e-300)
        forces = self.a["f"].copy()
        simple = all(self.real[k, STATIC] == self.real[k, COULOMB] or self.real[k, STRIBECK] > 0.0 for k in rest)
        if np.any(self.modes == GIVEN) or np.any(self.modes == FULL):
            self.note(words.shared(self.titled(np.flatnonzero((self.modes == GIVEN) | (self.modes == FULL) | (self.modes == STICK))),
                                   t), "notes")
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
                if good and np.abs(self.a["f"] - forces).max() > 1e-6 * max(np.abs(forces).max(), 1e-300) and self._right_way(sliding):
                    self.note(words.several(self.titled(sliding), t), "doubts")
            self._forces()

    def _right_way(self, sliding) -> bool:
        """Whether the forces found oppose the sliding, as friction does."""
        return all(float(self.a["f"][self.rows(k)] @ self.real[k, DIR:DIR + self.link[k, DIRS]]) <= 0.0 for k in sliding)

    def note(self, sentence: str, where: str) -> None:
        """Once per set of names."""
        kept = self.counts.notes if where == "notes" else self.doubts
        if not any(sentence.split(":")[0] == s.split(":")[0] for s in kept):
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
            if self.g[k] < least and (modes[k] != SLIP or k in resting):
                self.real[k, SLACK] = least - self.g[k]

    def _hold(self) -> None:
        """Project, with what sticks held as far as it is independent."""
        stuck = np.flatnonzero(self.modes == STICK)
        keep: list[int] = []
        for k in stuck:
            at = np.concatenate([np.arange(len(self.u))[self.rows(n)] for n in (*keep, k)])
            block = self.W[np.ix_(at, at)]
            d = np.sqrt(np.maximum(np.diag(block), 1e-300))
            if np.linalg.matrix_rank(block / d / d[:, None], tol=1e-9, hermitian=True) == len(at):
                keep.append(int(k))
        modes = self.modes.copy()
        self.modes[[k for k in stuck if k not in keep]] = GIVEN
        self.project()
        self.modes[:] = modes
