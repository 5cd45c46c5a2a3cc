"""Directional derivatives of the equations by duals (formulations/augmented/sensitivity.py), with the names of tangents.py.

Exact: nothing is missed by a step, and what rounding does is measured on the derivatives themselves, at points a few roundings of
the coordinates apart (``Sampled`` of thresholds.py).  Laws of users that only run as Python callbacks are asked by differences
as before: ``tangent`` then gives a Tangent of tangents.py, the other opinion of the tests.
"""

from __future__ import annotations

import numpy as np

from dalembert._jit.duals import WIDTH
from dalembert.analyses.toolbox.tangents import Tangent
from dalembert.analyses.toolbox.thresholds import EPS
from dalembert.errors import AnalysisError
from dalembert.formulations.augmented.derivatives import Derivatives, derivatives_of, displacements

SAMPLES = 4  # of the noise


def tangent(work) -> Tangent:
    """Derivatives at the workspace's state: exact ones, if all laws allow it."""
    d = derivatives_of(work)
    if d.notes and work.system.felt:
        raise AnalysisError(f"derivatives: the laws of {', '.join(work.system.feeling[:3]) or 'signals'} read reactions or "
                            f"accelerations ({', '.join(work.system.felt[:3])}), which has exact derivatives only, and "
                            f"{d.notes[0]}")
    return Tangent(work) if d.notes else Exact(work, d)


class Exact(Tangent):
    """Tangent without differences."""

    exact = True

    def __init__(self, work, derivatives: Derivatives):
        super().__init__(work)
        self.d = derivatives
        self._displaced: tuple = (None, [])  # q; displacements, each with the changes of q that belong to them

    def suit(self, N) -> Tangent:
        return self

    def columns(self, X, Y, entry, *names, v=None) -> list[np.ndarray]:
        """Tangents of these arrays along all columns of (X, Y), one of which may be None; ``v``: the velocities of "measured"."""
        count = (Y if X is None else X).shape[1]
        parts: list[list[np.ndarray]] = [[] for _ in names]
        self.restore()
        for first in range(0, count, WIDTH):
            cut = slice(first, min(first + WIDTH, count))
            self.d.seeds(None if X is None else X[:, cut], None if Y is None else Y[:, cut],
                         None if X is None else self._changes(X)[:, cut])
            if v is not None:
                self.d.values.set(self.t, self.q, v)
            self.d.run(entry)
            for part, name in zip(parts, names, strict=True):
                part.append(self.d.found[name][:, :cut.stop - cut.start].copy())
        self.restore()
        return [p[0] if len(p) == 1 else np.hstack([np.zeros((len(self.d.found[n]), 0)), *p])
                for p, n in zip(parts, names, strict=True)]

    def _changes(self, X) -> np.ndarray:
        """Of q, along displacements: several questions are asked along the same ones."""
        if self._displaced[0] is not self.q:
            self._displaced = (self.q, [])
        for known, found in self._displaced[1]:
            if known is X:
                return found
        return self._keep(X, displacements(self.w.system, self.q, X))

    def _keep(self, X, found) -> np.ndarray:
        self._displaced[1].append((X, found))
        del self._displaced[1][:-2]
        return found

    def widened(self, X, more) -> np.ndarray:
        """X with that many columns of zeros behind it, whose changes of q are known with those of X."""
        out = np.hstack([X, np.zeros((len(X), more))])
        known = self._changes(X)
        self._keep(out, np.hstack([known, np.zeros((len(known), more))]))
        return out

    def changes(self, X, Y) -> np.ndarray:
        """δu, then δρ (rows) along all columns."""
        entry = "directions" if self.w.system.felt else "balanced"  # what laws feel changes u through the answer
        return np.vstack(self.columns(X, Y, entry, "u", "rho"))

    def along(self, x, y, evaluate) -> np.ndarray:
        X, Y = (None if a is None else np.asarray(a, float)[:, None] for a in (x, y))
        if evaluate == self.forces:
            return self.changes(X, Y)[:, 0]
        if evaluate == self.speeds:
            return self.columns(X, Y, "speeds", "speed")[0][:, 0]
        return super().along(x, y, evaluate)

    def nearby(self):
        """Once for every sample of the noise: the state a few roundings away (and back in the end)."""
        s, d = self.w.system, self.w.system.dim
        kept, random = (self.q, self.v), np.random.default_rng(7)
        bodies = s.each_q(self.q)
        tiny = np.ones_like(s.each_v(self.v))
        tiny[:, :d] = np.abs(bodies[:, :d]).max(axis=1, initial=0.0)[:, None] + 1e-3 * self.far
        tiny[:, d:] += np.abs(bodies[:, 2:3]) if d == 2 else 0.0
        for _ in range(SAMPLES):
            self.q, self.v = kept
            self.restore()
            self.w.move(2 * EPS * tiny.ravel() * random.uniform(-1, 1, s.nv))
            self.q, self.v = self.w.q.copy(), kept[1] * (1 + 2 * EPS * random.uniform(-1, 1, s.nv))
            yield
        self.q, self.v = kept
        self.restore()

    def sampled(self, matrix) -> list[np.ndarray]:
        """What rounding does to a matrix of derivatives: its differences from the mean."""
        found = np.array([matrix() for _ in self.nearby()])
        return list(np.where(np.isfinite(found), found - found.mean(axis=0), 0.0))
