"""Which surfaces stick and which slide: the search for modes that fulfil every inequality (machine.py says how)."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from dalembert.algebra.null_space import gram_rank
from dalembert.contacts.rubbing.tables import (
    COULOMB,
    DIR,
    DIRS,
    FULL,
    GIVEN,
    KIND,
    MODE,
    NORMAL,
    PREFER,
    PRELOAD,
    PRESS,
    ROW,
    SIDED,
    SLIP,
    STATIC,
    STICK,
    STRIBECK,
    VISCOUS,
)

OVER, RATE = 1e-9, 1e-9  # of a limit, of the rates at hand
TRIES = 729  # combinations of modes that are tried where the search fails
SWEEPS, FAR = 3000, 1e6  # rounds; of the force that would stop the loosest surface


def lengths(parts, sided) -> np.ndarray:
    """N of surfaces from what presses them (surfaces, parts, 3); ``sided``: those that press one way only (tables.py)."""
    return np.where(sided, np.maximum(parts[..., 0, 0], 0.0), np.linalg.norm(parts, axis=-1).sum(axis=-1))


def _within(W, b, limit):
    """f with |f| ≤ limit that leaves least of ½ f·W f + f·b: −W⁻¹b, or (W + s) f = −b with s > 0 such that |f| = limit."""
    values, vectors = np.linalg.eigh(W)
    values, c = np.maximum(values, 0.0), vectors.T @ b
    size = float(np.abs(c).max())
    if size == 0.0 or limit <= 0.0:
        return np.zeros(len(b))
    with np.errstate(divide="ignore", invalid="ignore"):
        free = np.where(c == 0.0, 0.0, -c / values)
    if np.all(np.isfinite(free)) and np.linalg.norm(free) <= limit:
        return vectors @ free
    low, high = 0.0, float(np.linalg.norm(c)) / limit
    for _ in range(200):
        s = 0.5 * (low + high)
        if s in (low, high):
            break
        low, high = (s, high) if np.linalg.norm(c / (values + s)) > limit else (low, s)
    f = -c / (values + high)
    return vectors @ (f * limit / np.linalg.norm(f))


class Search:
    """What of a machine looks for modes; a, link, real, W, right, u, bound: machine.py."""

    a: dict[str, np.ndarray]
    link: np.ndarray
    real: np.ndarray
    W: np.ndarray
    right: np.ndarray
    u: np.ndarray
    bound: np.ndarray  # surfaces whose sliding others prescribe

    @property
    def modes(self) -> np.ndarray:
        return self.link[:, MODE]

    @property
    def sided(self) -> np.ndarray:
        return np.isin(self.link[:, KIND], SIDED)

    def rows(self, k: int) -> slice:
        return slice(int(self.link[k, ROW]), int(self.link[k, ROW] + self.link[k, DIRS]))

    _forces: Callable[[], int]  # forces with the modes at hand: 0 where found

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
        basis: list[int] = []
        count = 0  # surfaces that hold, one after the other while they are independent
        for k in sorted(stuck, key=lambda k: -limits[k]):
            test = [*basis, k]
            at = np.concatenate([np.arange(len(rows))[np.isin(rows, np.arange(len(self.u))[self.rows(n)])] for n in test])
            rank = gram_rank(G[np.ix_(at, at)])
            if rank == len(at):
                basis, count = test, rank
        if count < int(good.sum()):
            return self._forces() == 0
        for _ in range(4):
            others = np.setdiff1d(np.arange(len(self.u)), rows)
            b = self.right[rows] + self.W[np.ix_(rows, others)] @ self.a["f"][others]
            share = -C * (vectors[:, good] @ ((vectors[:, good].T @ (C * b)) / values[good]))
            place = 0
            for k in stuck:
                n = int(self.link[k, DIRS])
                self.real[k, PREFER:PREFER + n] = share[place:place + n]
                self.modes[k] = STICK if k in basis else GIVEN
                place += n
            if self._forces():
                return False
        return True

    def _pressed(self) -> np.ndarray:
        """N of all surfaces without friction."""
        m = len(self.u)
        parts = self.a["press"].reshape(len(self.link), m + 1, PRESS // 3, 3)[:, 0]
        return lengths(parts, self.sided) + self.real[:, PRELOAD]

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
            if self.modes[k] != FULL and float(np.linalg.norm(z[own] - along * d)) > 1e-8 * max(along, 0.0) + 1e-3 * rate:
                straight = False
        return [k for _, k in sorted(over, reverse=True)], on, back, straight

    def search(self, rest, giving=None):
        """Modes by trial and mending, beginning with ``giving`` at their limits; None where it fails."""
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
        stuck = [int(n) for n in np.flatnonzero(self.modes == STICK) if not self.bound[n]]
        if not stuck:
            return False
        at = np.concatenate([np.arange(len(self.u))[self.rows(n)] for n in stuck])
        own, across, block = self.W[self.rows(k), self.rows(k)], self.W[self.rows(k)][:, at], self.W[np.ix_(at, at)]
        left = own - across @ np.linalg.pinv(block, rcond=1e-10, hermitian=True) @ across.T
        return bool(np.linalg.eigvalsh(left).min() <= 1e-9 * np.linalg.eigvalsh(own).max())

    def _straighten(self, rest) -> None:
        """Directions of what begins to slide: f = −L d with L = μ N at hand, and z = b + W f = s d with s ≥ 0 are
        (W + s/L) f = −b, |f| = L: the force within L that leaves least of ½ f·W f + f·b."""
        f = self.a["f"]
        for k in rest:
            own = self.rows(k)
            limit = float(np.linalg.norm(f[own]))
            if self.modes[k] == SLIP and self.link[k, DIRS] > 1 and limit > 0.0:
                block = self.W[own, own]
                new = -_within(0.5 * (block + block.T), self.right[own] + self.W[own] @ f - block @ f[own], limit)
                self.real[k, DIR:DIR + self.link[k, DIRS]] = new / (np.linalg.norm(new) or 1.0)

    def swept(self, rest) -> dict[int, np.ndarray]:
        """Surfaces at their limits, and whereto they slide, by sweeps: each in turn takes the force within its limit that leaves
        least of ½ f·W f + f·b, the limits those of the forces at hand (a convex problem in every round)."""
        K, m = len(self.link), len(self.u)
        parts = self.a["press"].reshape(K, m + 1, PRESS // 3, 3)
        f, pressed = np.zeros(m), np.zeros(K)
        for _ in range(SWEEPS):
            before = f.copy()
            pressed = lengths(parts[:, 0] + np.einsum("kopc,o->kpc", parts[:, 1:], f), self.sided)
            for k in range(K):
                own, limit = self.rows(k), self.real[k, STATIC] * (pressed[k] + self.real[k, PRELOAD])
                if k in rest:
                    block = self.W[own, own]
                    f[own] = _within(block, self.right[own] + self.W[own] @ f - block @ f[own], limit)
                elif self.modes[k] == SLIP:
                    d, speed = self.real[k, DIR:DIR + self.link[k, DIRS]], float(np.linalg.norm(self.u[own]))
                    mu, static, slow = self.real[k, COULOMB], self.real[k, STATIC], self.real[k, STRIBECK]
                    mu += (static - mu) * np.exp(-(speed / slow) ** 2) if slow > 0.0 else 0.0
                    f[own] = -mu * (pressed[k] + self.real[k, PRELOAD]) * d - self.real[k, VISCOUS] * self.u[own]
            size = float(np.abs(f).max())
            if size > FAR * float(np.abs(self.right).max()) / max(float(np.diag(self.W).min()), 1e-300):
                return {}  # limits grow without end: it jams
            if np.abs(f - before).max() <= 1e-14 * size:
                break
        limits = self.real[:, STATIC] * (pressed + self.real[:, PRELOAD])
        sizes = np.array([np.linalg.norm(f[self.rows(k)]) for k in range(K)])
        return {k: -f[self.rows(k)] / sizes[k] for k in rest if sizes[k] > 0.0 and sizes[k] >= (1.0 - 1e-9) * limits[k]}

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
