"""Bodies with a zero principal moment: M has no inverse.

The tables hold the true J̄ and, where an inverse is asked for as a metric (shortest corrections, ranks), that of a stand-in J̄ₛ
with the zero moments filled (model/compile.py).  Positions, velocities and accelerations of driven motions do not depend on it.
Their multipliers, found with M⁻¹, belong to Mₛ v̇ + Dᵀλ = Q; what the stand-in added, E = (Mₛ − M) v̇, is taken back:

    Dᵀ μ = E,   λ ← λ + μ          S μ = D Mₛ⁻¹ E

Without given accelerations nothing here fixes them (a spin without inertia answers to no moment): they, λ and reactions are not
numbers.  Analyses that need them refuse first (``regular``).
"""

from __future__ import annotations

import numpy as np

from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError


def regular(system, question: str) -> None:
    """Refuse a question that needs M⁻¹ for a model that has none."""
    if system.spinless:
        names = ", ".join(f"'{system.bodies[k]}'" for k in system.spinless)
        raise AnalysisError(f"{question} needs the inverse of the mass matrix, and body {names} has a zero principal moment of "
                            "inertia; give it a small one (Body.rod does: ½ m r² with r = length/50), or take a Particle for a "
                            "point mass. kinematics, inverse_dynamics, hold and check work without")


def corrected(system, t, q, v, found, given: bool) -> None:
    """Take the stand-in out of the multipliers and reactions of driven motions; of others these are not numbers."""
    if not system.spinless:
        return
    if not given:
        for name in ("vdot", "lam", "reaction", "missing", "residual"):
            found[name][:] = np.nan
        return
    w, n = workspace(system), system.kind.SIZE_V
    Ms, M = w.metric_mass(), w.mass()
    inverse = np.linalg.inv(Ms)
    for k in range(len(t)):
        w.set(t[k], q[k], v[k])
        w.run("rows")
        D, E = w.jacobian(), (Ms - M) @ found["vdot"][k]
        mu = np.zeros(len(D))
        for _ in range(2):  # the second time mends the rounding of the first
            mu += w.solve(D @ (inverse @ (E - D.T @ mu)))
        found["lam"][k] += mu
        found["missing"][k] += D.T @ mu
        found["power"][k, 2] -= mu @ w.nu
        for g in system.groups.values():
            for body, block in g.blocks.items():
                found["reaction"][k, n * block:n * block + n] -= D[g.start:g.stop, system.at_v(body)].T @ mu[g.start:g.stop]
