"""Directional derivatives of the equations by differences, to nearly full precision (without differences: exact.py).

Along a small change of state, q ⊕ ε x and v + ε y, with λ and v̇ kept:

    δu = d/dε (Q − Dᵀλ)          δρ = d/dε (D v̇ − γ)          δν = d/dε (D v − ν)          (ε = 0)

    [M Dᵀ; D 0] [δv̇; δλ] = [δu; −δρ]          how accelerations and multipliers follow

Differences of eighth order (nine points) on the compiled equations: every element takes part, user laws too.  The step is 0.02
of the mechanism's size (0.02 rad), so truncation is about 1e-13 and rounding about 1e-14 of the forces.  Forces that change
over much shorter lengths (end stops) want smaller steps: ``suit`` tries the forces along a mixture of directions with ever
smaller steps until two agree, and takes the one with the smaller error.  ``noise`` measures what rounding does to the values
(thresholds.py says what follows from it).  Lengths: the mechanism's size, at least the longest arm of a body; speeds at rest:
what the stiffness makes of a small displacement, so that steps are the same in all units.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.analyses.statics.at_rest import acting
from dalembert.analyses.toolbox.thresholds import COARSE, EPS, Noise

WEIGHTS = np.array([4 / 5, -1 / 5, 4 / 105, -1 / 280])  # f′ = Σ w_k (f(k h) − f(−k h)) / h + O(h⁸)
REACH = 0.02
SAMPLES = 6  # of the noise
AGREE = 1e-6  # relative difference of derivatives with steps a tenth apart


class Tangent:
    """Derivatives at one state of a workspace; the state is put back after each question."""

    exact = False
    d: Any  # of exact.py: the duals

    def __init__(self, work, reach=REACH):
        self.w, s = work, work.system
        self.t, self.q, self.v = float(work.t[0]), work.q.copy(), work.v.copy()
        self.lam, self.vdot = work.lam.copy(), work.vdot.copy()
        markers = s.tables.markers
        arms = np.abs(markers["s"][markers["body"] < s.nb]) if markers.size else np.zeros(0)
        self.length = s.size / np.sqrt(float(s.tables.bodies["mass"].sum()))
        self.far = max(self.length, float(arms.max(initial=0.0)))
        self.unit = s.units(self.far)
        self.reach = reach
        self.speed = max(float(np.abs(self.v / self.unit).max(initial=0.0)), 1e-3)

    def suit(self, N) -> Tangent:
        """Choose the step for displacements along the columns of N (Nᵀ M N = 1)."""
        if not N.shape[1]:
            return self
        y = np.cos(1.0 + 1.7 * np.arange(N.shape[1]))
        x, nv, tried = N @ y, len(self.v), []
        self.reach = REACH
        floor = 5 * float(np.linalg.norm(N.T @ self.rounding(self.forces, x)[:nv], axis=0).max())
        for reach in (REACH, REACH / 10, REACH / 100, REACH / 1e3, REACH / 1e4, REACH / 1e5):
            self.reach = reach
            tried.append(self.along(x, None, self.forces)[:nv])
            if len(tried) > 1:
                apart, rounding = float(np.linalg.norm(N.T @ (tried[-1] - tried[-2]))), floor * self.slope(x)
                if apart <= max(AGREE * float(np.linalg.norm(N.T @ tried[-1])), rounding):
                    self.reach = reach if apart > rounding else 10 * reach  # the larger one unless it is seen to be off
                    break
        else:  # no two agree: nothing speaks for small steps, which are all rounding
            self.reach = REACH
        found = tried[-1]
        if not np.any(self.v):
            pull = float(np.linalg.norm(N.T @ found)) / float(np.linalg.norm(y))
            self.speed = 1e-3 * pull**0.5 if pull > 0 and np.isfinite(pull) else 1e-3
        return self

    def slope(self, x) -> float:
        """1/h of a displacement."""
        return float(np.abs(x / self.unit).max()) / self.reach

    def rounding(self, evaluate, x, samples=SAMPLES) -> np.ndarray:
        """Noise of the values (columns: samples): at points a few roundings of the coordinates apart, a step along x away."""
        s, d = self.w.system, self.w.system.dim
        random = np.random.default_rng(7)
        bodies = s.each_q(self.q)
        tiny = np.ones_like(s.each_v(self.v))
        tiny[:, :d] = np.abs(bodies[:, :d]).max(axis=1, initial=0.0)[:, None] + self.reach * self.far
        tiny[:, d:] += np.abs(bodies[:, 2:3]) if d == 2 else 0.0
        out = []
        for _ in range(samples):
            self.restore()
            step = 4 * x / self.slope(x) if np.any(x) else np.zeros(s.nv)
            self.w.move(step + 2 * EPS * tiny.ravel() * random.uniform(-1, 1, s.nv))
            if np.any(self.v):
                self.w.v *= 1 + 2 * EPS * random.uniform(-1, 1, s.nv)
            out.append(np.array(evaluate()))
        self.restore()
        values = np.array(out).T
        return np.where(np.isfinite(values), values - values.mean(axis=1, keepdims=True), 0.0)

    def restore(self) -> None:
        self.w.set(self.t, self.q, self.v)
        self.w.lam[:], self.w.vdot[:], self.w.held[:] = self.lam, self.vdot, self.vdot

    def place(self, x, y, size) -> None:
        """The workspace at q ⊕ size·x, v + size·y."""
        self.restore()
        if x is not None:
            self.w.move(size * x)
        if y is not None:
            self.w.v += size * y

    def along(self, x, y, evaluate) -> np.ndarray:
        """d/dε of what ``evaluate()`` returns (a flat array), along (x, y)."""
        steps = []
        if x is not None and np.any(x):
            steps.append(self.reach / np.abs(x / self.unit).max())
        if y is not None and np.any(y):
            steps.append(5 * self.reach * self.speed / np.abs(y / self.unit).max())
        if not steps:
            self.restore()
            return np.zeros_like(evaluate())
        h, total = min(steps), 0.0
        for k, weight in enumerate(WEIGHTS, start=1):
            self.place(x, y, k * h)
            plus = np.array(evaluate())
            self.place(x, y, -k * h)
            total = total + weight * (plus - evaluate())
        self.restore()
        return total / h

    def changes(self, X, Y) -> np.ndarray:
        """δu, then δρ (rows) along all columns of (X, Y), one of which may be None."""
        count = (Y if X is None else X).shape[1]
        pairs = [(None if X is None else X[:, k], None if Y is None else Y[:, k]) for k in range(count)]
        return np.column_stack([self.along(x, y, self.forces) for x, y in pairs])

    def columns(self, X, Y, entry, *names, v=None) -> list[np.ndarray]:
        raise NotImplementedError("exact.py")

    def widened(self, X, more) -> np.ndarray:
        """X with that many columns of zeros behind it."""
        return np.hstack([X, np.zeros((len(X), more))])

    def sampled(self, matrix) -> list[np.ndarray]:
        raise NotImplementedError("exact.py")

    def forces(self):
        """u, then ρ."""
        self.w.run("unbalanced")
        return np.concatenate([self.w.u, self.w.rho])

    def speeds(self):
        """D v − ν."""
        self.w.run("speeds")
        return self.w.speed

    def measures(self):
        """Values, rates and biases of all measures, then their rates with v̇ in place of v (that is g·v̇)."""
        self.w.run("rows")
        found = self.w.measured.copy()
        self.w.v[:] = self.vdot
        self.w.run("rows")
        return np.concatenate([found, self.w.measured[1::3]])


def stiffness(tangent, N) -> np.ndarray:
    """−∂u/∂q along the columns of N (nv × columns), the multipliers kept: geometric stiffness included."""
    nv = len(tangent.v)
    return -tangent.changes(N, None)[:nv] if N.shape[1] else np.zeros((nv, 0))


def damping(tangent, N) -> np.ndarray:
    """−∂u/∂v along the columns of N (nv × columns); nothing when forces do not depend on velocities."""
    nv, n = len(tangent.v), N.shape[1]
    if not n:
        return np.zeros((nv, 0))
    mixed = tangent.along(None, N @ np.cos(1.0 + 1.7 * np.arange(n)), tangent.forces)[:nv]
    if not np.any(mixed):
        return np.zeros((nv, n))
    return -tangent.changes(None, N)[:nv]


def halved(tangent, matrix) -> tuple[np.ndarray, np.ndarray]:
    """A matrix of derivatives with half the steps (which stay), and a bound of what it misses."""
    whole = matrix()
    tangent.reach *= 0.5
    half = matrix()
    return half, (whole - half) / COARSE


def noise(tangent, N, missed=None) -> Noise:
    """Of the reduced stiffness Nᵀ ∂u/∂q N."""
    n = N.shape[1]
    if not n:
        return Noise(np.zeros((0, 0)), np.zeros(0))
    x = N @ np.cos(1.0 + 1.7 * np.arange(n))
    values = tangent.rounding(tangent.forces, x)[: len(tangent.v)]
    return Noise(N.T @ values, np.array([tangent.slope(c) for c in N.T]), missed)


def softness(tangent, N, weight) -> dict[str, float]:
    """What each force element adds to the stiffness, about (rad²/s², along a mixture of N's columns); loads: over the size."""
    w, y = tangent.w, np.cos(1.0 + 1.7 * np.arange(N.shape[1]))
    x = N @ y
    h, parts = 1.0 / tangent.slope(x), []
    for at in (0.0, h):
        tangent.place(x, None, at)
        parts.append(acting(w, weight, each=True))
    tangent.restore()
    size, weighed = w.system.size, acting(w, weight) - sum(float(np.linalg.norm(Q)) for Q in parts[0].values())
    tangent.restore()
    found = {name: float(np.linalg.norm(parts[1][name] - parts[0][name])) / (h * float(np.linalg.norm(y))) for name in parts[0]}
    loads = [float(np.linalg.norm(Q)) for name, Q in parts[0].items()]  # a relaxed spring's force is rounding, not a load
    loads = [x for x, k in zip(loads, found.values(), strict=True) if x > 1e-12 * k * size]
    return {**found, "the loads": (max(weighed, 0.0) + sum(loads)) / size}
