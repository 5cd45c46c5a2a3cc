"""equilibrium: a pose in which forces do no work in any displacement the constraints allow; equilibria: several of them.

    r(q) = Nᵀ Q(q) = 0,   Φ(q, t) = 0                      N: free displacements, Nᵀ M N = 1, drives held
    K_r = Nᵀ (∂(Dᵀλ − Q)/∂q) N                             reduced stiffness, geometric part included; Dᵀ λ = Q
    stable when all eigenvalues of K_r are positive (they are squared frequencies, rad²/s², because Nᵀ M N = 1)

The search (descent.py) goes downhill to the next stable pose; kind="any" takes Newton's steps as they are and finds unstable
poses too.
"""

from __future__ import annotations

import numpy as np

from dalembert.analyses.descent import STEPS, Search, descend, wander
from dalembert.analyses.rest import Rest, stopped
from dalembert.errors import AnalysisError, AssemblyError
from dalembert.results.motion import State

NEUTRAL = 1e-7  # eigenvalue of K_r, of the largest (or of weight over size), that counts as none


class Equilibrium(Rest):
    """A pose at rest: ``stable``, ``stability`` in a word, ``residual``, ``stiffness`` and its eigenvalues, reactions by name."""

    def __init__(self, model, system, t, q, v, residual, K, steps):
        super().__init__(model, system, t, q, v)
        self.residual, self.stiffness, self.steps = residual, K, steps
        self.eigenvalues = np.sort(np.linalg.eigvals(K).real) if len(K) else np.zeros(0)

    @property
    def _zero(self) -> float:
        s = self.system
        weight = float(np.linalg.norm(s.tables.gravity)) / max(s.size / np.sqrt(float(s.tables.bodies["mass"].sum())), 1e-300)
        return NEUTRAL * max(float(np.abs(self.eigenvalues).max(initial=0.0)), weight, 1e-300)

    @property
    def stability(self) -> str:
        if not self.eigenvalues.size:
            return "fixed"
        least = self.eigenvalues[0]
        return "stable" if least > self._zero else "neutral" if least >= -self._zero else "unstable"

    @property
    def stable(self) -> bool:
        return self.stability in ("stable", "fixed")

    @property
    def potential(self) -> float:
        """Potential energy of gravity and springs."""
        return float(self.observed.report[0, 7])

    def __repr__(self):
        values = ", ".join(f"{x:.6g}" for x in self.eigenvalues[:6]) + (", …" if self.eigenvalues.size > 6 else "")
        lines = [f"equilibrium of '{self.model.name}' at t = {self.t:g}: {self.stability}, unbalanced {self.residual:.1e}, "
                 f"{self.steps} steps"]
        if self.eigenvalues.size:
            lines.append(f"  eigenvalues of the reduced stiffness (squared frequencies): {values}")
        return "\n".join(lines + super().__repr__().splitlines()[1:])


def equilibrium(model, state=None, *, t=0.0, kind="stable", steps=STEPS) -> Equilibrium:
    """The stable equilibrium downhill from the drawn pose (or a given state); kind="any": the one Newton's method finds."""
    if kind not in ("stable", "any"):
        raise AnalysisError(f"equilibrium: kind is 'stable' or 'any', not {kind!r}")
    still, rest = stopped(model, t, state)
    return _descended(Search(still, rest), kind, steps)


def _descended(search, kind, steps) -> Equilibrium:
    s = search.state

    def judge(point, K, count):
        residual = float(np.linalg.norm(point.r)) / point.scale if point.scale > 0 else 0.0
        return Equilibrium(search.model, s.system, s.t, search.w.q.copy(), np.zeros_like(s.v), residual, K, count)

    return descend(search, kind, steps, judge)


def equilibria(model, *, t=0.0, tries=40, kind="stable", seed=0) -> list[Equilibrium]:
    """Different equilibria, found from random poses the mechanism can reach; lowest potential energy first."""
    still, rest = stopped(model, t)
    random = np.random.default_rng(seed)
    found: list[Equilibrium] = []
    for k in range(tries):
        search = Search(still, rest)
        if k and not wander(search, random):
            continue
        try:
            new = _descended(search, kind, STEPS)
        except (AnalysisError, AssemblyError, np.linalg.LinAlgError):
            continue
        if new.residual < 1e-8 and (kind == "any" or new.stability != "unstable") and not any(_same(new, old) for old in found):
            found.append(new)
    if not found:
        equilibrium(model, t=t, kind=kind)  # says why
    return sorted(found, key=lambda e: e.potential)


def _same(a: State, b: State) -> bool:
    """The same pose, full turns apart."""
    pa, pb = a.observed.pose[0], b.observed.pose[0]
    return bool(np.abs(pa - pb).max() < 1e-6 * max(1.0, np.abs(pa).max()))
