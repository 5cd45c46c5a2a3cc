"""Block-sparse LDLᵀ with a fixed pattern, dropping dependent rows.

The matrix is symmetric positive semi-definite, in blocks (one per constraint group); blocks are stored by rows in one
array.  Columns are listed in elimination order; each knows its diagonal block, the blocks below it, and the targets of
its updates.  With W_ik the unscaled column (L = W δ, δ = 1/d):

    factor   A_kk = L_kk d L_kkᵀ,    W_ik = A_ik L_kk⁻ᵀ,    A_ij ← A_ij − W_ik δ_k W_jkᵀ
    solve    forward z_k = δ_k (b_k − Σ W_km z_m),  then backward x_k = z_k − δ_k Σ W_ikᵀ x_i      (z = δ L⁻¹ b)

A pivot smaller than its limit × its diagonal before elimination belongs to a row that depends on earlier ones: the
ratio is the squared sine of the angle between the row and their span, whatever the units.  Its δ is set to zero, so
its unknown is zero and the others are solved without it.  An infinite limit leaves a row out whatever its pivot is.
"""

import numpy as np

from dalembert._jit import inline, kernel

COLUMN = np.dtype([("corner", "u4"), ("count", "u4"), ("row", "u4"), ("below", "u4"), ("end", "u4"), ("target", "u4")])
BELOW = np.dtype([("at", "u4"), ("count", "u4"), ("row", "u4")])


@inline
def eliminate_pair(at, target, d0, r0, A, delta):
    """A column of two rows with one block of two rows below it (chains, windows of pins): the general loops, written out."""
    w = np.int64(at)
    t = np.int64(target)
    d, e, l = delta[r0], delta[r0 + 1], A[d0 + 2]
    a, b = A[w], A[w + 2]
    f = a * d
    g = b * d
    p = A[w + 1] - f * l
    q = A[w + 3] - g * l
    A[w + 1] = p
    A[w + 3] = q
    x = p * e
    y = q * e
    A[t] -= a * f + p * x
    A[t + 1] -= a * g + p * y
    A[t + 2] -= b * f + q * x
    A[t + 3] -= b * g + q * y


@inline
def update_pair(w, t, done, A, scaled):
    """A_ij −= W_ik δ_k W_jkᵀ for blocks of two rows and columns, written out."""
    a, b, c, d = A[w], A[w + 1], A[w + 2], A[w + 3]
    f, g, p, q = scaled[done], scaled[done + 1], scaled[done + 2], scaled[done + 3]
    A[t] -= a * f + b * g
    A[t + 1] -= a * p + b * q
    A[t + 2] -= c * f + d * g
    A[t + 3] -= c * p + d * q


@kernel
def factor(columns, below, targets, A, delta, scaled, before, limit):
    """Factor in place; before[row] is the diagonal before elimination, limit[row] the tolerance.

    Returns the number of dropped rows and the smallest ratio of a pivot that was kept.
    """
    dropped = 0
    smallest = 1.0
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
            if pivot > limit[r0 + p] * before[r0 + p]:
                delta[r0 + p] = 1.0 / pivot
                if pivot < smallest * before[r0 + p]:
                    smallest = pivot / before[r0 + p]
            else:
                delta[r0 + p] = 0.0
                dropped += 1
        if n == 2 and col.end == col.below + 1 and below[col.below].count == 2:
            eliminate_pair(below[col.below].at, targets[col.target], d0, r0, A, delta)
            continue
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
                if n == 2 and rb == 2 and row.count == 2:
                    update_pair(w0, to, done, A, scaled)
                    continue
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
            if n == 2:
                u, v = x[r0], x[r0 + 1]
                for i in range(row.count):
                    x[row.row + i] -= A[w0 + 2 * i] * u + A[w0 + 2 * i + 1] * v
                continue
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
        if n == 2:
            u = v = 0.0
            for b in range(col.below, col.end):
                row = below[b]
                w0 = np.int64(row.at)
                for i in range(row.count):
                    y = x[row.row + i]
                    u += A[w0 + 2 * i] * y
                    v += A[w0 + 2 * i + 1] * y
            x[r0 + 1] -= v * delta[r0 + 1]
            x[r0] -= (u + A[d0 + 2] * x[r0 + 1]) * delta[r0]
            continue
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
