"""Whether any motion begins with these velocities: the second order of dependent rows.

In a singular pose some combination n of rows is empty, nᵀ D = 0, so that D v = ν says nothing of it; but D v̇ = γ still asks for

    nᵀ γ(q, v, t) = 0          a quadratic condition on v: the directions of the branches that meet in the pose

Assembly fixes v by D v = ν, initial rates and least kinetic energy, and what comes out may lie between the branches: no motion
begins so, and an integrator either stands still or follows rows it drops.  The combination is judged against its own terms,
Σ |n_k γ_k|, whatever the forces are.
"""

from __future__ import annotations

import numpy as np

from dalembert.algebra.null_space import left_kernel
from dalembert.analyses.toolbox.closing import metric, scaled_rows

CONTRADICTED = 1e-3  # of the terms of the combination
NOTICED = 1e-9  # of the accelerations: less is rounding


def contradiction(w) -> list[str]:
    """Elements whose rows contradict each other in second order at the workspace's state (accelerations solved); mostly none."""
    report = w.arrays.report
    if not report["dropped"][0] or not report["residual"][0] > NOTICED:
        return []
    gamma = w.gamma.copy()
    _, D, length = scaled_rows(w, metric(w))
    empty, _ = left_kernel(D)
    parts = empty * (gamma / length)[:, None]
    total = parts.sum(axis=0)
    left = np.linalg.norm(total)
    if not left > CONTRADICTED * np.linalg.norm(np.abs(parts).sum(axis=0)):
        return []
    n = np.abs(empty @ (total / left))
    return list(dict.fromkeys(w.system.rows[k].group for k in np.flatnonzero(n > 1e-3 * n.max())))


def refusal(model, t, names) -> str:
    rates = [n for n, e in model.initials.items() if "rate" in e]
    given = f" with the initial rates of {', '.join(rates)}" if rates else ""
    return (f"simulate '{model.name}': no motion begins at t = {t:g}{given}: the start is a singular pose, in which "
            f"{', '.join(names)} depend on each other, and the velocities lie between the motions that branch there. Draw "
            "another pose, or give initial rates of more joints, those of one branch")
