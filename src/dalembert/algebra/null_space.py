"""Rank and null space: decided here (for many rows, with bounds, in sparse_null_space.py) and nowhere else, by one rule.

Rows are first brought to unit length (in a metric in which displacements of all bodies compare, where there is one), so that the
singular values σ of a matrix are sines of angles between its rows, whatever the units of the model.  Then

    rank = number of  σ_k > RANK_TOLERANCE · max(1, σ₁)

RANK_TOLERANCE is the sine at which the solver of the equations of motion drops a row as dependent on those before it (DROP is
its square), so that a count of freedoms and a solve never disagree on what is redundant.  σ₁ counts where many rows are alike:
√m of them in one direction have the length √m.
"""

from __future__ import annotations

import numpy as np

DROP = 1e-10  # squared sine of the angle to the rows before it, below which a row counts as dependent
RANK_TOLERANCE = DROP**0.5
MANY = 250_000  # numbers in a matrix from which on D Dᵀ is quicker than its singular values
SMALL = 1e-2  # singular values that D Dᵀ tells from zero, with room: its rounding, 1e-15, beside their square
NEARLY = 30.0  # factor from RANK_TOLERANCE within which a small change of the pose, or of a length, would decide otherwise


def unit_rows(D) -> tuple[np.ndarray, np.ndarray]:
    """The rows of D with length one (empty rows stay), and their lengths (1 for empty ones)."""
    length = np.linalg.norm(D, axis=1)
    length = np.where(length > 0.0, length, 1.0)
    return D / length[:, None], length


def decided(sigma) -> int:
    """How many of these singular values (largest first) are there."""
    return int((sigma > RANK_TOLERANCE * max(1.0, sigma[0])).sum()) if len(sigma) else 0


def rank(D) -> int:
    """Rank of a matrix with rows of unit length."""
    return decided(np.linalg.svd(D, compute_uv=False)) if D.size else 0


def gram_rank(W) -> int:
    """Rank of rows J by what they do to each other, W = J M⁻¹ Jᵀ, each row scaled to unit length.

    Its eigenvalues are squares of sines.
    """
    length = np.sqrt(np.maximum(np.diag(W), 1e-300))
    values = np.linalg.eigvalsh(W / length / length[:, None])
    return int((values > DROP * max(1.0, values[-1])).sum())


def _independent(D) -> bool:
    """Surely all rows count: D Dᵀ − c² 1 is positive, with c twice what the rule asks for at most (σ₁ ≤ the length of D).

    Cholesky tells that for a tenth of the singular values' price; where it does not, they decide.
    """
    S = D @ D.T
    if len(D) > D.shape[1] or not np.all(np.isfinite(S)):
        return False
    S[np.diag_indices_from(S)] -= (2.0 * RANK_TOLERANCE) ** 2 * max(1.0, float(np.trace(S)))
    try:
        np.linalg.cholesky(S)
    except np.linalg.LinAlgError:
        return False
    return True


def kernel(D) -> np.ndarray:
    """Orthonormal basis (columns) of the vectors x with D x = 0."""
    if not D.size:
        return np.eye(D.shape[1])
    if _independent(D):
        return np.linalg.qr(D.T, mode="complete")[0][:, len(D):]
    _, sigma, vt = np.linalg.svd(D)
    return vt[decided(sigma):].T


def left_kernel(D) -> tuple[np.ndarray, np.ndarray]:
    """Orthonormal basis (columns) of the combinations y of rows with yᵀ D = 0, and the singular values.

    Of many rows, dense or sparse, the singular values are the largest and those below SMALL.
    """
    if not isinstance(D, np.ndarray) or D.size > MANY:
        return _left_kernel_of_many(D)
    if not D.size:
        return np.eye(len(D)), np.zeros(0)
    u, sigma, _ = np.linalg.svd(D, full_matrices=len(D) > D.shape[1])  # all of u is needed, not all of v
    return u[:, decided(sigma):], sigma


def _left_kernel_of_many(D) -> tuple[np.ndarray, np.ndarray]:
    """The same by D Dᵀ, for a fifth of the price.

    Its eigenvectors Y to values below SMALL² span those of D to rounding over SMALL² (1e-11).  Singular values of Yᵀ D, few rows,
    are those of D again, without the loss that squares bring.
    """
    from scipy.linalg import eigh
    from scipy.sparse.linalg import eigsh

    product = D @ D.T
    S = product if isinstance(D, np.ndarray) else product.toarray()
    start = np.random.default_rng(1).standard_normal(len(S))
    most = np.sqrt(max(float(eigsh(product, k=1, which="LA", return_eigenvectors=False, v0=start, tol=1e-10)[0]), 0.0))
    _, Y = eigh(S, subset_by_value=(-np.inf, SMALL**2))
    u, small, _ = np.linalg.svd((D.T @ Y).T, full_matrices=Y.shape[1] > D.shape[1])
    sigma = np.concatenate([[most], small])
    return Y @ u[:, max(decided(sigma) - 1, 0):], sigma


def doubtful(sigma) -> list[float]:
    """Sines so near the one that decides that a small change would decide otherwise."""
    return [float(x) for x in sigma if RANK_TOLERANCE / NEARLY <= x <= RANK_TOLERANCE * NEARLY]
