"""Initial rates of joints by one dense solve: the common case, without a second system.

    minimise ½ (v − v₀)ᵀ M (v − v₀)   with   D v = ν,  G v = r          [M  Aᵀ; A  0] [v − v₀; μ] = [0; b − A v₀],  A = (D; G)

Row k of G is the gradient of a joint's coordinate.  Only small systems without dependent rows are treated here, and the answer is
tested; in all other cases (None) assembly goes the general way, which also finds out who contradicts whom.
"""

from __future__ import annotations

import numpy as np

from dalembert.expressions import number

LARGEST = 40  # velocities up to which the dense solve is the cheaper way
EXACT = 1e-11


def met(model, system, work, t, q) -> np.ndarray | None:
    """Velocities nearest to the drawn ones that meet all constraints and rates; the workspace is used as scratch."""
    wanted = {name: entry["rate"] for name, entry in model.initials.items() if "rate" in entry}
    if not wanted or system.nv > LARGEST or not all(name in system.coordinates for name in wanted):
        return None
    values = model.parameter_values()
    rates = [number(x, values, f"initial rate of {name}") for name, x in wanted.items()]
    w, nv, nc = work.arrays, system.nv, system.nc
    work.set(t, q, 0.0)
    work.run("rows")
    if w.report["dropped"][0] or not np.isfinite(w.D).all():
        return None
    A, b = np.zeros((nc + len(rates), nv)), np.empty(nc + len(rates))
    source, to = system.dense_rows
    A.ravel()[to] = w.D[source]
    b[:nc], b[nc:] = w.nu, rates
    A[nc:] = work.gradients_of([system.coordinates[name] for name in wanted])
    return _nearest(work.metric_mass() if system.spinless else system.dense_mass, A, b, system.v_drawn)


def _nearest(M, A, b, v0) -> np.ndarray | None:
    n, m = len(v0), len(b)
    scale = np.sqrt(np.einsum("ij,j,ij->i", A, 1.0 / M.diagonal(), A))  # rows in the metric of the masses
    if not scale.min() > 0.0:
        return None
    A, b = A / scale[:, None], b / scale
    K, right = np.zeros((n + m, n + m)), np.zeros(n + m)
    K[:n, :n], K[:n, n:], K[n:, :n] = M, A.T, A
    before = A @ v0
    right[n:] = b - before
    try:
        x = np.linalg.solve(K, right)
    except np.linalg.LinAlgError:
        return None
    v = v0 + x[:n]
    size = _most(b) + _most(before)
    if not _most(A @ v - b) <= EXACT * size or _most(x[n:]) > 1e6 * size:
        return None
    return v


def _most(x: np.ndarray) -> float:
    """The largest size; not a number where one of them is none."""
    return max(-float(x.min()), float(x.max()))
