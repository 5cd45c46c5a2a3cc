"""Directional derivatives of the equations, to nearly full precision.

Along a small change of state, q ⊕ ε x and v + ε y, with λ and v̇ kept:

    δu = d/dε (Q − Dᵀλ)          δρ = d/dε (D v̇ − γ)          δν = d/dε (D v − ν)          (ε = 0)

    [M Dᵀ; D 0] [δv̇; δλ] = [δu; −δρ]          how accelerations and multipliers follow

Differences of eighth order (nine points) on the compiled equations: every element takes part, user laws too.  The step is 0.02 of
the mechanism's size (0.02 rad), so truncation is about 1e-13 and rounding about 1e-14 of the forces.  Forces that change over
much shorter lengths (end stops) want smaller steps: ``suit`` tries the forces along a mixture of directions with ever smaller
steps until two agree, and takes the larger of these.
"""

from __future__ import annotations

import numpy as np

WEIGHTS = np.array([4 / 5, -1 / 5, 4 / 105, -1 / 280])  # f′ = Σ w_k (f(k h) − f(−k h)) / h + O(h⁸)
REACH = 0.02
AGREE = 1e-6  # relative difference of derivatives with steps a tenth apart


class Tangent:
    """Derivatives at one state of a workspace; the state is put back after each question."""

    def __init__(self, work, reach=REACH):
        self.w, s = work, work.system
        self.t, self.q, self.v = float(work.t[0]), work.q.copy(), work.v.copy()
        self.lam, self.vdot = work.lam.copy(), work.vdot.copy()
        self.length = s.size / np.sqrt(float(s.tables.bodies["mass"].sum()))
        n, d = s.kind.SIZE_V, s.dim
        self.unit = np.tile([self.length] * d + [1.0] * (n - d), s.nb)
        self.reach = reach
        self.speed = max(float(np.abs(self.v / self.unit).max(initial=0.0)), 1e-3)

    def suit(self, N) -> Tangent:
        """Choose the step for displacements along the columns of N."""
        if N.shape[1]:
            x = N @ np.cos(1.0 + 1.7 * np.arange(N.shape[1]))
            nv, last = len(self.v), None
            for reach in (REACH, REACH / 10, REACH / 100, REACH / 1e3, REACH / 1e4, REACH / 1e5):
                self.reach = reach
                found = self.along(x, None, self.forces)[:nv]
                if last is not None and np.linalg.norm(found - last) <= AGREE * np.linalg.norm(found) + 1e-300:
                    self.reach = 10 * reach
                    return self
                last = found
            self.reach = REACH  # no two agree: nothing speaks for small steps, which are all rounding
        return self

    def restore(self) -> None:
        self.w.set(self.t, self.q, self.v)
        self.w.lam[:], self.w.vdot[:], self.w.held[:] = self.lam, self.vdot, self.vdot

    def place(self, x, y, size) -> None:
        """The workspace at q ⊕ size·x, v + size·y."""
        self.restore()
        if x is not None:
            self.w.vdot[:] = size * x
            self.w.run("move")
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

    def forces(self):
        """u, then ρ."""
        self.w.run("unbalanced")
        return np.concatenate([self.w.Q, self.w.residual])

    def speeds(self):
        """D v − ν."""
        self.w.run("speeds")
        return self.w.residual

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
    return -np.column_stack([tangent.along(x, None, tangent.forces)[:nv] for x in N.T]) if N.shape[1] else np.zeros((nv, 0))
