"""Rank and null space of many rows, each of which knows few columns: the rule of null_space.py, proved instead of computed.

D has rows of unit length, S = D Dᵀ is sparse, and a set of rows K is given that should be independent, with all others
depending on it (the equations' own elimination finds one).  Singular values are expensive, bounds on them are not:

    σ_min(D_K)² > θ      when S_KK − θ 1 has only positive pivots (Sylvester); then |K| singular values of D are above √θ, because
                         taking rows in makes none of them smaller
    k values ≤ ε         when N = [−S_KK⁻¹ S_Kd; 1], one column for each other row, has |Dᵀ N| ≤ ε: its columns span k
                         dimensions and |N x| ≥ |x| (Courant and Fischer)

σ₁ of D, by which the rule measures, lies between 1 (the length of a row) and the root of the largest row sum of |S| (Gershgorin).
Where the bounds leave no doubt about the rank and about singular values near the border, the answer is that of the singular
values; where they leave any, there is no answer, and ``left_kernel`` of null_space.py has to be asked.
"""

from __future__ import annotations

import numpy as np

from dalembert.algebra.null_space import NEARLY, RANK_TOLERANCE

FEW = 40  # singular values near the border that are worth computing
AT_ONCE = 256  # columns of N that are solved for together
NOTHING = 1e-12  # of the largest entry of a column of N: rounding


def unit_rows(D):
    """The rows of a sparse D with length one (empty rows stay), and their lengths (1 for empty ones)."""
    from scipy import sparse

    length = np.sqrt(np.asarray(D.multiply(D).sum(axis=1)).ravel())
    length = np.where(length > 0.0, length, 1.0)
    return sparse.csr_matrix(sparse.diags(1.0 / length) @ D), length


def left_kernel(D, kept):
    """Basis (columns, sparse) of the combinations y of rows with yᵀ D = 0, and the singular values near the border.

    ``kept``: for each row, whether it belongs to K.  None where the bounds do not decide.
    """
    from scipy import sparse

    K, others = np.flatnonzero(kept), np.flatnonzero(~kept)
    D = sparse.csr_matrix(D)
    S = sparse.csc_matrix(D[K] @ D[K].T)
    sums = np.asarray(abs(S).sum(axis=1)).ravel()
    high = RANK_TOLERANCE * np.sqrt(max(1.0, sums.max(initial=0.0)) + (len(others) > 0) * _excess(D, others))
    solve = _factors(S, high**2)
    if solve is None:
        return None
    N = _combinations(D, S, K, others)
    left = np.sqrt((D.T @ N).power(2).sum()) if len(others) else 0.0
    if left > RANK_TOLERANCE:
        return None
    if left > RANK_TOLERANCE / NEARLY or _factors(S, (RANK_TOLERANCE * NEARLY) ** 2) is None:
        return (N, _small(S)) if not len(others) and _small(S) is not None else None
    return N, []


def _excess(D, others) -> float:
    """What the rows besides K can add to σ₁²: the largest row sum of |D_d D_dᵀ|."""
    return float(np.asarray(abs(D[others] @ D[others].T).sum(axis=1)).max(initial=0.0))


def _factors(S, shift):
    """Factors of S − shift without a change of order by size; None when a pivot is not positive."""
    from scipy import sparse
    from scipy.sparse.linalg import splu

    if not S.shape[0]:
        return lambda b: b
    moved = sparse.csc_matrix(S - shift * sparse.identity(S.shape[0], format="csc"))
    try:
        factors = splu(moved, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    except RuntimeError:  # exactly singular
        return None
    same = np.array_equal(factors.perm_r, factors.perm_c)  # else a pivot was taken off the diagonal
    return factors.solve if same and factors.U.diagonal().min() > 0.0 else None


def _combinations(D, S, K, others):
    """N, its columns in the order of the rows besides K."""
    from scipy import sparse

    count = D.shape[0]
    if not len(others):
        return sparse.csc_matrix((count, 0))
    solve, right, parts = _factors(S, 0.0), sparse.csc_matrix(D[K] @ D[others].T), []
    for start in range(0, len(others), AT_ONCE):
        mine = others[start:start + AT_ONCE]
        y = -solve(right[:, start:start + AT_ONCE].toarray())
        y[np.abs(y) < NOTHING * np.abs(y).max(axis=0, initial=1.0)] = 0.0
        full = sparse.lil_matrix((count, len(mine)))
        full[K] = y
        full[mine, np.arange(len(mine))] = 1.0
        parts.append(full.tocsc())
    return sparse.hstack(parts, format="csc")


def _small(S):
    """Singular values of D (all rows independent) near the border, the largest first; None where they are too many."""
    from scipy.sparse.linalg import eigsh

    wanted = min(FEW, S.shape[0] - 1)
    values = eigsh(S, k=wanted, sigma=0.0, which="LM", return_eigenvectors=False, v0=np.ones(S.shape[0]))
    sigma = np.sqrt(np.maximum(values, 0.0))
    inside = np.sort(sigma[sigma <= RANK_TOLERANCE * NEARLY])[::-1]
    return [float(x) for x in inside] if len(inside) < wanted else None


def entangled(N) -> list[np.ndarray]:
    """Rows that take part in dependencies, in sets that have none in common: rows of the same set are joined by columns of N."""
    from scipy import sparse

    rows, columns = N.shape
    if not columns:
        return []
    pattern = sparse.bmat([[None, N], [N.T, None]], format="csr")
    _, label = sparse.csgraph.connected_components(pattern, directed=False)
    used = np.unique(label[rows:])
    return [np.flatnonzero(label[:rows] == k) for k in used]


def nearest(D, z):
    """The vector nearest to z among those with D x = 0 (to 1e-6 of z)."""
    from scipy import sparse
    from scipy.sparse.linalg import splu

    S = sparse.csc_matrix(D @ D.T)
    solve = splu(sparse.csc_matrix(S + RANK_TOLERANCE**2 * sparse.identity(S.shape[0]))).solve  # dependent rows do no harm
    for _ in range(3):
        z = z - D.T @ solve(D @ z)
    return z
