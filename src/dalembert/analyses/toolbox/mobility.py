"""Motions that constraints allow.

    N    basis of the motions that all rows (or some) allow,  D N = 0,  orthonormal in the metric of the masses (Nᵀ M N = 1)
"""

from __future__ import annotations

import numpy as np

from dalembert.algebra.null_space import kernel
from dalembert.analyses.toolbox.closing import metric, scaled_rows


def null_space(work, weight=None, rows=None) -> np.ndarray:
    """N of the rows (all by default) at the workspace's state; columns are velocities (ṙ, ω̄ of every body)."""
    weight = metric(work) if weight is None else weight
    _, D, _ = scaled_rows(work, weight)
    return weight @ kernel(D if rows is None else D[rows])


def coordinates(model, system) -> dict[str, int]:
    """Names of joint coordinates and their measures, those that a drive can name."""
    return {name: k for name, k in system.coordinates.items() if name in model.elements}
