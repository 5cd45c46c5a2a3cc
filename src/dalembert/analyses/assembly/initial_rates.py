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
    rates = np.array([number(x, values, f"initial rate of {name}") for name, x in wanted.items()])
    w, nv, nc = work, system.nv, system.nc
    w.set(t, q, np.zeros(nv))
    w.run("rows")
    if w.report.dropped or not np.all(np.isfinite(w.D)):
        return None
    A = np.empty((nc + len(rates), nv))
    A[:nc] = w.jacobian()
    b = np.concatenate([w.nu, rates])
    A[nc:] = w.gradients_of([system.coordinates[name] for name in wanted])
    return _nearest(w.metric_mass(), A, b, system.v_drawn)


def _nearest(M, A, b, v0) -> np.ndarray | None:
    n, m = len(v0), len(b)
    scale = np.sqrt(np.einsum("ij,j,ij->i", A, 1.0 / np.diag(M), A))  # rows in the metric of the masses
    if not np.all(scale > 0.0):
        return None
    A, b = A / scale[:, None], b / scale
    K = np.zeros((n + m, n + m))
    K[:n, :n], K[:n, n:], K[n:, :n] = M, A.T, A
    try:
        x = np.linalg.solve(K, np.concatenate([np.zeros(n), b - A @ v0]))
    except np.linalg.LinAlgError:
        return None
    v = v0 + x[:n]
    size = np.abs(b).max() + np.abs(A @ v0).max()
    if not np.abs(A @ v - b).max() <= EXACT * size or np.abs(x[n:]).max() > 1e6 * size:
        return None
    return v
