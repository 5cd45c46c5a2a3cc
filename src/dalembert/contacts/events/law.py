"""Coulomb's law at all points at once, for impulses (z: velocities after a blow) and for forces (z: rates of velocities).

    z = W r + b,    0 ≤ z_n ⊥ r_n ≥ 0,    |r_t| ≤ μ (r_n + more),  with = against z_t where z_t ≠ 0

A point that slides already (``sliding``: its direction) has r_t = −μ r_n d whatever z_t is: forces of the next instant.  ``more``
is the impulse that friction counts beside r_n (second phase of Poisson's law).

How: sweeps point by point find which points are open, stick or slide; the equations of these modes are solved at once and every
inequality is looked at.  Where that fails, all combinations of modes are tried, as long as there are not too many.  A point at
which W_nn − μ W_nd ≤ 0 is Painlevé's: friction presses it together more than it gives way, and solutions may be none or several.
Of several one is taken in which no such point slides closed: with r = −k gap in place of rigid bodies,
gap¨ = b − (W_nn − μ W_nd) k gap runs away from it at a rate that grows with k, to one of the others.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from dalembert.contacts.events.sharing import OPEN, SINGULAR, SLIP, STICK, columns, moved_by_shares, shared

SWEEPS, TRIES = 400, 5000
TURNS, TURN = 40, 1e-7  # directions of slip: rounds; rad, for differences
GOOD, PASSABLE = 1e-12, 1e-9  # of forces and rates: what inequalities may be missed by; the second if nothing else is found


@dataclass
class Answer:
    """r and z by point, modes, directions of slip; ``painleve``: points of that kind; ``several``: other solutions exist;
    ``lead``: rates of r, where it is one of many (leading.py); ``loose``: sliding points could share a load
    so that they move otherwise."""

    r: np.ndarray
    z: np.ndarray
    modes: list[int]
    directions: np.ndarray
    good: bool = True
    painleve: list[int] = field(default_factory=list)
    several: bool = False
    lead: np.ndarray | None = None
    loose: bool = False


def coulomb(W, b, mu, sliding=None, more=None, guess=None) -> Answer:
    """``W`` (k n × k n) and ``b`` (k n) of k points with n = 2 or 3 directions, the normal first; ``guess``: modes and
    directions that are taken if they hold."""
    k = len(mu)
    n = len(b) // k if k else 2
    sliding = [None] * k if sliding is None else sliding
    more = np.zeros(k) if more is None else np.asarray(more, float)
    p = _Problem(np.asarray(W, float), np.asarray(b, float), np.asarray(mu, float), sliding, more, k, n)
    found = p.found(guess)
    painleve = p.painleve(found)
    if found is None or painleve:
        others = p.by_trial()
        if found is None:
            found = others[0] if others else None
        several = found is not None and any(np.abs(o.z - found.z).max() > 1e-6 * p.size for o in others)
        if found is None:
            r = np.zeros((k, n))
            return Answer(r, p.b.reshape(k, n), [OPEN] * k, np.zeros((k, n - 1)), False, painleve)
        calm = [o for o in others if not p.pressing(o)]
        if calm and p.pressing(found):
            found = calm[0]
        found.several = several or found.several
    found = p.touching(found)
    found.painleve = painleve
    return found


class _Problem:
    def __init__(self, W, b, mu, sliding, more, k, n):
        self.W, self.b, self.mu, self.sliding, self.more, self.k, self.n = W, b, mu, sliding, more, k, n
        self.size = float(np.abs(b).max(initial=0.0))
        self.blocks = W.reshape(k, n, k, n)
        self.good, self.loose = PASSABLE, False
        self.closed = [SLIP if way is not None or m == 0.0 else STICK for way, m in zip(sliding, mu, strict=True)]

    def painleve(self, found) -> list[int]:
        """Points where friction of sliding presses more than it gives way."""
        out = []
        for i in range(self.k):
            d = self.sliding[i]
            if d is None and found is not None and found.modes[i] == SLIP:
                d = found.directions[i]
            own = self.blocks[i, :, i, :]
            if d is not None and own[0, 0] > 0.0 and own[0, 0] - self.mu[i] * own[0, 1:] @ d <= 1e-12 * own[0, 0]:
                out.append(i)
        return out

    def pressing(self, answer) -> list[int]:
        """Those of them that an answer lets slide."""
        return [i for i in self.painleve(answer) if answer.modes[i] == SLIP]

    def touching(self, answer) -> Answer:
        """A place that neither presses nor parts stays closed, if others can share their load with it: open, its gap would be
        zero for as long as that lasts, and rounding would close it without end."""
        idle = [i for i in range(self.k) if answer.modes[i] == OPEN and abs(answer.z[i, 0]) <= self.good * self.size]
        if not idle or self.size == 0.0 or np.any(self.more > 0.0):
            return answer
        modes, d = list(answer.modes), answer.directions.copy()
        for i in idle:
            moves = self.sliding[i] is not None or self.mu[i] == 0.0 or np.linalg.norm(answer.z[i, 1:]) > self.good * self.size
            modes[i], d[i] = SLIP if moves else STICK, _unit(answer.z[i, 1:], d[i])
        closed = self.solved(modes, d)
        if closed is None:
            return answer
        if np.abs(closed.z - answer.z).max() > 1e-6 * self.size:  # with its share they move otherwise
            answer.loose = True
            return answer
        closed.several = answer.several
        return closed

    # --------------------------------------------------------------------------------------------------- sweeps

    def found(self, guess) -> Answer | None:
        """The guess if it holds, or what sweeps find.  What misses an inequality by more than event functions see is taken only
        where nothing else holds: a load that grows would be carried beyond the limit, and let go and caught without end."""
        for self.good in (GOOD, PASSABLE):
            answer = None if guess is None else self.held() or self.solved(*guess)
            answer = self.by_sweeps() if answer is None else answer
            if answer is not None:
                return answer
        return None

    def held(self) -> Answer | None:
        """Whatever does not slide already sticks."""
        r, z = self._sticking
        d = np.array([np.zeros(self.n - 1) if way is None else way for way in self.sliding]).reshape(self.k, self.n - 1)
        return Answer(r, z, list(self.closed), d) if self._holds(self.closed, d, r, z) else None

    @cached_property
    def _sticking(self):
        """Its forces and rates, which may mean to share a load among many points: found once."""
        return self._equations(self.closed, [np.zeros(self.n - 1) if way is None else way for way in self.sliding])

    def by_sweeps(self) -> Answer | None:
        k, n = self.k, self.n
        r, z = np.zeros((k, n)), self.b.reshape(k, n).copy()
        seen: set[tuple] = set()
        parted = [OPEN if z[i, 0] >= 0.0 and self.more[i] == 0.0 else self.closed[i] for i in range(k)]
        holding = self.held()
        letting = self.solved(parted, np.zeros((k, n - 1))) if parted != self.closed else None
        if holding is not None:  # what holds goes before what lets go
            holding.several = letting is not None and bool(np.abs(letting.z - holding.z).max() > 1e-6 * self.size)
            return holding
        if letting is not None:
            return letting
        edge = self.solved(*self.read(*self._sticking))  # it sticks but for a hair
        if edge is not None:
            return edge
        for sweep in range(SWEEPS):
            for i in (range(k) if sweep % 2 == 0 else reversed(range(k))):
                own = self.blocks[i, :, i, :]
                new = self.local(i, own, z[i] - own @ r[i])
                change = new - r[i]
                if np.any(change):
                    z += self.blocks[:, :, i, :] @ change
                    r[i] = new
            if sweep < 8 or sweep % 8 == 0:
                modes, directions = self.read(r, z)
                key = (*modes, *(np.round(directions, 1).ravel() if n == 2 or sweep < 64 else [sweep]))
                if key not in seen:
                    seen.add(key)
                    answer = self.solved(modes, directions)
                    if answer is not None:
                        return answer
        return None

    def local(self, i, own, b):
        """The law of one point alone."""
        n, mu = self.n, self.mu[i]
        out = np.zeros(n)
        if own[0, 0] <= 0.0:
            return out
        d = self.sliding[i]
        if d is not None:
            give = own[0, 0] - mu * own[0, 1:] @ d
            if b[0] < 0.0 and give > 0.0:
                out[0] = -b[0] / give
                out[1:] = -mu * out[0] * d
            return out
        if b[0] >= 0.0 and self.more[i] == 0.0:
            return out
        stick = np.linalg.lstsq(own, -b, rcond=SINGULAR)[0]
        if stick[0] >= 0.0 and np.linalg.norm(stick[1:]) <= mu * (stick[0] + self.more[i]):
            return stick
        d = -stick[1:] / (np.linalg.norm(stick[1:]) or 1.0)
        d = -d if n == 2 and stick[0] < 0.0 else d
        for _ in range(30):
            give = own[0, 0] - mu * own[0, 1:] @ d
            extra = -mu * self.more[i] * (own[0, 1:] @ d)
            normal = max(0.0, -(b[0] + extra) / give) if give > 0.0 else 0.0
            out[0], out[1:] = normal, -mu * (normal + self.more[i]) * d
            z = b[1:] + own[1:] @ out
            size = np.linalg.norm(z)
            if size == 0.0 or np.linalg.norm(z / size - d) < 1e-12:
                break
            d = z / size if n == 2 else _unit(0.5 * d + 0.5 * z / size, d)
        return out

    def read(self, r, z):
        modes, directions = [], np.zeros((self.k, self.n - 1))
        largest = np.abs(r).max(initial=0.0)
        for i in range(self.k):
            limit = self.mu[i] * (r[i, 0] + self.more[i])
            if r[i, 0] <= 1e-10 * largest and self.more[i] == 0.0:
                modes.append(OPEN)
            elif self.sliding[i] is not None or np.linalg.norm(r[i, 1:]) >= (1.0 - 1e-6) * limit:
                modes.append(SLIP)
                size = np.linalg.norm(r[i, 1:])
                directions[i] = -r[i, 1:] / size if size > 0.0 else _unit(z[i, 1:], np.eye(self.n - 1)[0])
            else:
                modes.append(STICK)
        return modes, directions

    # ------------------------------------------------------------------------------------------ modes at once

    def solved(self, modes, directions) -> Answer | None:
        """The solution with these modes, if every inequality holds."""
        k, n = self.k, self.n
        d = np.array([self.sliding[i] if self.sliding[i] is not None else directions[i] for i in range(k)]).reshape(k, n - 1)
        free = [i for i in range(k) if modes[i] == SLIP and self.sliding[i] is None and self.mu[i] > 0.0]
        if n == 3 and free:
            settled = self._by_turns(modes, d, free)
            d = settled if settled is not None else self._by_newton(modes, d, free)
        r, z = self._equations(modes, d)
        return Answer(r, z, list(modes), d, loose=self.loose) if self._holds(modes, d, r, z) else None

    def _by_turns(self, modes, d, free):
        """Directions of slip, d = z_t/|z_t|: each from the motion that the last ones gave; None where that does not settle, as
        next to sticking, where friction changes the motion more than the loads do."""
        for _ in range(TURNS):
            _, z = self._equations(modes, d)
            new = d.copy()
            for i in free:
                new[i] = _unit(z[i, 1:], d[i])
            if np.abs(new - d).max(initial=0.0) < 1e-14:
                return new
            d = new
        return None

    def _by_newton(self, modes, d, free):
        """The same by Newton's method on the angles: what a point moves across its direction is zero."""
        d = d.copy()

        def across(angles):
            for i, a in zip(free, angles, strict=True):
                d[i] = np.cos(a), np.sin(a)
            _, z = self._equations(modes, d)
            return np.array([z[i, 2] * d[i, 0] - z[i, 1] * d[i, 1] for i in free])

        angles = np.array([np.arctan2(d[i, 1], d[i, 0]) for i in free])
        rest = across(angles)
        for _ in range(TURNS):
            if np.abs(rest).max() <= 1e-3 * self.good * self.size:
                break
            slope = np.array([across(angles + TURN * e) - rest for e in np.eye(len(free))]).T / TURN
            step = np.linalg.lstsq(slope, -rest, rcond=SINGULAR)[0]
            angles = angles + step * min(1.0, 0.5 / max(np.abs(step).max(), 1e-300))
            rest = across(angles)
        return d

    def _equations(self, modes, d):
        k, n = self.k, self.n
        rows, K = columns(modes, self.mu, d, n)
        offset = self.b.copy()
        for i in range(k):
            if modes[i] == SLIP and self.more[i] > 0.0:
                offset -= self.mu[i] * self.more[i] * (self.W[:, n * i + 1:n * i + n] @ d[i])
        r = np.zeros(n * k)
        if rows:
            G = (self.W @ K)[rows]
            x, _, rank, _ = np.linalg.lstsq(G, -offset[rows], rcond=SINGULAR)
            self.loose = False
            if rank < len(rows):
                self.loose = any(mode == SLIP for mode in modes) and moved_by_shares(self.W @ K, G)
                x = shared(modes, self.mu, n, rows, G, offset[rows], x)
            r = K @ x
        for i in range(k):
            if modes[i] == SLIP and self.more[i] > 0.0:
                r[n * i + 1:n * i + n] -= self.mu[i] * self.more[i] * d[i]
        return r.reshape(k, n), (self.W @ r + self.b).reshape(k, n)

    def _holds(self, modes, d, r, z) -> bool:
        force, rate = self.good * np.abs(r).max(initial=0.0), self.good * max(self.size, 1e-300)
        for i, mode in enumerate(modes):
            limit = self.mu[i] * (r[i, 0] + self.more[i])
            if mode == OPEN:
                if z[i, 0] < -rate or self.more[i] > 0.0:  # it rubs, by more
                    return False
                continue
            if abs(z[i, 0]) > rate or r[i, 0] < -force:
                return False
            if mode == STICK and (np.abs(z[i, 1:]).max() > rate or np.linalg.norm(r[i, 1:]) > limit + force):
                return False
            if mode == SLIP and self.sliding[i] is None and self.mu[i] > 0.0:
                across = np.linalg.norm(z[i, 1:])
                if z[i, 1:] @ d[i] < -rate or across - z[i, 1:] @ d[i] > rate:
                    return False
        return True

    def by_trial(self) -> list[Answer]:
        """All combinations of modes, as long as they are few."""
        k, n = self.k, self.n
        each = []
        for i in range(k):
            ways = [np.array([1.0]), np.array([-1.0])] if n == 2 else [_unit(self.b.reshape(k, n)[i, 1:], np.eye(2)[0])]
            if self.sliding[i] is not None:
                each.append([(OPEN, ways[0]), (SLIP, self.sliding[i])])
            elif self.mu[i] == 0.0:
                each.append([(OPEN, ways[0]), (SLIP, ways[0])])
            else:
                each.append([(OPEN, ways[0]), (STICK, ways[0]), *((SLIP, d) for d in ways)])
        if np.prod([float(len(e)) for e in each]) > TRIES:
            return []
        found = []
        for choice in itertools.product(*each):
            answer = self.solved([m for m, _ in choice], np.array([d for _, d in choice]))
            if answer is not None:
                found.append(answer)
        return found


def _unit(x, otherwise):
    size = np.linalg.norm(x)
    return x / size if size > 1e-300 else otherwise
