"""Motions that constraints allow, and what they do to the measures.

    N    basis of the motions that all rows (or some) allow,  D N = 0,  orthonormal in the metric of the masses (Nᵀ M N = 1)
    G    rates of all measures per unit of each velocity
"""

from __future__ import annotations

import numpy as np

from dalembert.analyses.closing import metric, scaled_rows
from dalembert.analyses.thresholds import RANK_TOLERANCE


def null_space(work, weight=None, rows=None) -> np.ndarray:
    """N of the rows (all by default) at the workspace's state; columns are velocities (ṙ, ω̄ of every body)."""
    weight = metric(work) if weight is None else weight
    _, D, _ = scaled_rows(work, weight)
    return weight @ kernel(D if rows is None else D[rows])


def kernel(D) -> np.ndarray:
    """Orthonormal basis of the vectors x with D x = 0."""
    if not len(D):
        return np.eye(D.shape[1])
    _, sigma, vt = np.linalg.svd(D)
    return vt[int((sigma > RANK_TOLERANCE * max(1.0, sigma[0])).sum()):].T


def gradients(work) -> np.ndarray:
    """Rates of all measures per unit of each velocity (measures × nv), at the workspace's state."""
    s = work.system
    v = work.v.copy()
    G = np.empty((s.tables.measures.size, s.nv))
    for k in range(s.nv):
        work.v[:] = 0.0
        work.v[k] = 1.0
        work.run("rows")
        G[:, k] = work.measured[1::3]
    work.v[:] = v
    work.run("rows")
    return G


def coordinates(model, system) -> dict[str, int]:
    """Names of joint coordinates and their measures, those that a drive can name."""
    return {name: k for name, k in system.coordinates.items() if name in model.elements}
