"""Closing position equations by least squares: for drawings that Newton's method cannot close, and to find out why.

Levenberg–Marquardt in the metric of the masses: displacement x with q = q₀ ⊕ M^(−1/2) x, rows over √S_kk, so that all
residuals are displacements in one metric, whatever the units.
"""

from __future__ import annotations

import numpy as np

from dalembert.algebra.null_space import unit_rows


def metric(work) -> np.ndarray:
    """M^(−1/2) (block diagonal); without the columns of the particles' idle turns (nv × freedoms)."""
    M = work.metric_mass()
    out = np.zeros_like(M)
    places = [work.system.at_v(b) for b in range(work.system.nb)]
    if places:
        values, vectors = np.linalg.eigh(np.array([M[at, at] for at in places]))
        for at, block in zip(places, (vectors / np.sqrt(values)[:, None, :]) @ vectors.transpose(0, 2, 1), strict=True):
            out[at, at] = block
    return out[:, work.system.moving] if work.system.particles else out


def scaled_rows(work, weight) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Residuals and Jacobian in the metric, and the lengths of the rows, at the workspace's state."""
    work.run("rows")
    D, length = unit_rows(work.jacobian() @ weight)
    return work.phi / length, D, length


def close(work, mask, iterations=200, tolerance=1e-12, weight=None) -> float:
    """Move the workspace's q to the nearest closed pose of the rows in mask; returns the residual left (in the metric)."""
    weight = metric(work) if weight is None else weight
    damping = 1e-6
    phi, D, length = (x[mask] for x in scaled_rows(work, weight))
    error = float(phi @ phi)
    scale = 1.0 + np.sqrt(error)
    for _ in range(iterations):
        if not np.isfinite(error) or np.sqrt(error) <= tolerance * scale:
            break
        kept = work.q.copy()
        S = D @ D.T
        try:
            x = -weight @ (D.T @ np.linalg.solve(S + damping * np.eye(len(S)), phi))
        except np.linalg.LinAlgError:
            damping = max(1e-8, 10 * damping)
            continue
        work.move(_limited(x, work))
        new_phi, new_D, new_length = (x[mask] for x in scaled_rows(work, weight))
        seen = new_phi * new_length / length  # with the old lengths: these are what the step was to reduce
        gain = float(seen @ seen) / error
        if gain < 1.0:
            phi, D, length, error = new_phi, new_D, new_length, float(new_phi @ new_phi)
            damping = max(damping * 0.1, 1e-15)
            if gain > 1 - 1e-10 and damping < 1e-3:
                break
        else:
            work.q[:] = kept
            damping *= 10
            if damping > 1e8:
                break
    work.run("rows")
    return float(np.sqrt(error))


def _limited(x, work):
    """Turns of at most half a radian a step."""
    turns = work.system.each_v(x)[:, work.system.dim:]
    largest = np.abs(turns).max(initial=0.0)
    return x * (0.5 / largest) if largest > 0.5 else x
