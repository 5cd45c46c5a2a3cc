"""Closing position equations by least squares: for drawings that Newton's method cannot close, and to find out why.

Levenberg–Marquardt in the metric of the masses: displacement x with q = q₀ ⊕ M^(−1/2) x, rows over √S_kk, so that all
residuals are displacements in one metric, whatever the units.
"""

from __future__ import annotations

import numpy as np

from dalembert.algebra import sparse_null_space
from dalembert.algebra.null_space import unit_rows

MANY = 250_000  # numbers in a dense Jacobian from which on sparse matrices are quicker


def metric(work, sparse=False):
    """M^(−1/2) (block diagonal); without the columns of the particles' idle turns (nv × freedoms)."""
    blocks = work.metric_blocks()
    values, vectors = np.linalg.eigh(blocks)
    blocks = (vectors / np.sqrt(values)[:, None, :]) @ vectors.transpose(0, 2, 1)
    out = _sparse_diagonal(blocks) if sparse else _diagonal(blocks)
    return out[:, work.system.moving] if work.system.particles else out


def _diagonal(blocks) -> np.ndarray:
    count, n = blocks.shape[:2]
    out = np.zeros((count, n, count, n))
    out[np.arange(count), :, np.arange(count), :] = blocks
    return out.reshape(count * n, count * n)


def _sparse_diagonal(blocks):
    from scipy import sparse

    count, n = blocks.shape[:2]
    return sparse.bsr_matrix((blocks, np.arange(count), np.arange(count + 1)), shape=(count * n, count * n)).tocsc()


def many(work) -> bool:
    """Whether sparse matrices are quicker than dense ones."""
    return work.system.nc * work.system.nv > MANY


def scaled_rows(work, weight):
    """Residuals and Jacobian in the metric, and the lengths of the rows, at the workspace's state; sparse if the metric is."""
    work.run("rows")
    if isinstance(weight, np.ndarray):
        D, length = unit_rows(work.jacobian() @ weight)
    else:
        D, length = sparse_null_space.unit_rows(work.sparse_jacobian() @ weight)
    return work.phi / length, D, length


def close(work, mask, iterations=200, tolerance=1e-12, weight=None) -> float:
    """Move the workspace's q to the nearest closed pose of the rows in mask; returns the residual left (in the metric)."""
    weight = metric(work, many(work)) if weight is None else weight
    damping = 1e-6
    phi, D, length = (x[mask] for x in scaled_rows(work, weight))
    error = float(phi @ phi)
    scale = 1.0 + np.sqrt(error)
    for _ in range(iterations):
        if not np.isfinite(error) or np.sqrt(error) <= tolerance * scale:
            break
        kept = work.q.copy()
        try:
            x = -weight @ (D.T @ _damped(D, damping, phi))
        except (np.linalg.LinAlgError, RuntimeError):
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


def _damped(D, damping, phi):
    """(D Dᵀ + damping)⁻¹ φ; both kinds of matrices raise when that is singular."""
    S = D @ D.T
    if isinstance(D, np.ndarray):
        return np.linalg.solve(S + damping * np.eye(len(S)), phi)
    from scipy import sparse
    from scipy.sparse.linalg import splu

    return splu(sparse.csc_matrix(S + damping * sparse.identity(S.shape[0]))).solve(phi)


def _limited(x, work):
    """Turns of at most half a radian a step."""
    turns = work.system.each_v(x)[:, work.system.dim:]
    largest = np.abs(turns).max(initial=0.0)
    return x * (0.5 / largest) if largest > 0.5 else x
