"""Block-sparse LDLᵀ with a fixed pattern, dropping dependent rows.

The matrix is symmetric positive semi-definite, in blocks (one per constraint group); blocks are stored by rows in one
array.  Columns are listed in elimination order; each knows its diagonal block, the blocks below it, and the targets of
its updates.  With W_ik the unscaled column (L = W δ, δ = 1/d):

    factor   A_kk = L_kk d L_kkᵀ,    W_ik = A_ik L_kk⁻ᵀ,    A_ij ← A_ij − W_ik δ_k W_jkᵀ
    solve    forward z_k = δ_k (b_k − Σ W_km z_m),  then backward x_k = z_k − δ_k Σ W_ikᵀ x_i      (z = δ L⁻¹ b)

A pivot smaller than tolerance × its diagonal before elimination belongs to a row that depends on earlier ones: the
ratio is the squared sine of the angle between the row and their span, whatever the units.  Its δ is set to zero, so
its unknown is zero and the others are solved without it.  Rows that always depend on others show ratios of rounding size
(below NOISE over the smallest pivot ratio kept before them, which magnifies rounding); larger ones that are dropped tell of a
singular pose nearby.
"""

import numpy as np

from dalembert._jit import kernel

NOISE = 1e-13

COLUMN = np.dtype([("corner", "u4"), ("count", "u4"), ("row", "u4"), ("below", "u4"), ("end", "u4"), ("target", "u4")])
BELOW = np.dtype([("at", "u4"), ("count", "u4"), ("row", "u4")])


@kernel
def factor(columns, below, targets, A, delta, scaled, before, tolerance):
    """Factor in place; before[row] is the diagonal before elimination.

    Returns the number of dropped rows and the smallest ratio of a pivot above NOISE.
    """
    dropped = 0
    smallest = 1.0
    kept = 1.0
    for k in range(columns.size):
        col = columns[k]
        n = np.int64(col.count)
        d0 = np.int64(col.corner)
        r0 = np.int64(col.row)
        for p in range(n):
            for m in range(p):  # row p of L: solve with the rows above
                x = A[d0 + n * p + m]
                for u in range(m):
                    x -= A[d0 + n * p + u] * delta[r0 + u] * A[d0 + n * m + u]
                A[d0 + n * p + m] = x
            pivot = A[d0 + n * p + p]
            for m in range(p):
                x = A[d0 + n * p + m]
                pivot -= x * x * delta[r0 + m]
            if pivot > tolerance * before[r0 + p]:
                delta[r0 + p] = 1.0 / pivot
                if pivot < kept * before[r0 + p]:
                    kept = pivot / before[r0 + p]
                    smallest = min(smallest, kept)
            else:
                delta[r0 + p] = 0.0
                dropped += 1
                if pivot * kept > NOISE * before[r0 + p]:  # dropped for now, but not dependent for good
                    smallest = min(smallest, pivot / before[r0 + p])
        at = np.int64(0)
        for b in range(col.below, col.end):
            row = below[b]
            w0 = np.int64(row.at)
            for i in range(row.count):
                base = w0 + n * i
                for p in range(n):
                    x = A[base + p]
                    for m in range(p):
                        x -= A[base + m] * delta[r0 + m] * A[d0 + n * p + m]
                    A[base + p] = x
                    scaled[at + p] = x * delta[r0 + p]
                at += n
        t = np.int64(col.target)
        done = np.int64(0)
        for b in range(col.below, col.end):
            rb = np.int64(below[b].count)
            for a in range(b, col.end):
                row = below[a]
                w0 = np.int64(row.at)
                to = np.int64(targets[t])
                t += 1
                for i in range(row.count):
                    for j in range(rb):
                        x = 0.0
                        for p in range(n):
                            x += A[w0 + n * i + p] * scaled[done + n * j + p]
                        A[to + rb * i + j] -= x
            done += n * rb
    return dropped, smallest


@kernel
def solve(columns, below, A, delta, x):
    """Solve in place with the factored matrix; dropped rows get zero."""
    for k in range(columns.size):
        col = columns[k]
        n = np.int64(col.count)
        d0 = np.int64(col.corner)
        r0 = np.int64(col.row)
        for p in range(n):
            y = x[r0 + p]
            for m in range(p):
                y -= A[d0 + n * p + m] * x[r0 + m]
            x[r0 + p] = y * delta[r0 + p]
        for b in range(col.below, col.end):
            row = below[b]
            w0 = np.int64(row.at)
            for i in range(row.count):
                y = 0.0
                for p in range(n):
                    y += A[w0 + n * i + p] * x[r0 + p]
                x[row.row + i] -= y
    for k in range(columns.size - 1, -1, -1):
        col = columns[k]
        n = np.int64(col.count)
        d0 = np.int64(col.corner)
        r0 = np.int64(col.row)
        for p in range(n - 1, -1, -1):
            y = 0.0
            for m in range(p + 1, n):
                y += A[d0 + n * m + p] * x[r0 + m]
            for b in range(col.below, col.end):
                row = below[b]
                w0 = np.int64(row.at)
                for i in range(row.count):
                    y += A[w0 + n * i + p] * x[row.row + i]
            x[r0 + p] -= y * delta[r0 + p]
