"""Dense Cholesky with diagonal pivoting: the fallback when the fixed order fails, and it reveals the rank.

    P (E A E) Pᵀ = L Lᵀ,   E = diag(A)^(−1/2),   stopped at the first pivot below the tolerance; the rest is dependent.
"""

import math

from dalembert._jit import kernel


@kernel
def factor(A, n, order, scale, tolerance):
    """In place, A full n×n (lower used, scaled to unit diagonal here).  Returns the rank."""
    for i in range(n):
        order[i] = i
        d = A[n * i + i]
        scale[i] = 1.0 / math.sqrt(d) if d > 0.0 else 0.0
    for i in range(n):
        for j in range(i + 1):
            A[n * i + j] *= scale[i] * scale[j]
            A[n * j + i] = A[n * i + j]
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if A[n * i + i] > A[n * best + best]:
                best = i
        if not A[n * best + best] > tolerance:
            return k
        if best != k:
            for j in range(n):
                x = A[n * k + j]
                A[n * k + j] = A[n * best + j]
                A[n * best + j] = x
            for j in range(n):
                x = A[n * j + k]
                A[n * j + k] = A[n * j + best]
                A[n * j + best] = x
            m = order[k]
            order[k] = order[best]
            order[best] = m
        d = math.sqrt(A[n * k + k])
        A[n * k + k] = d
        for i in range(k + 1, n):
            A[n * i + k] /= d
        for j in range(k + 1, n):
            x = A[n * j + k]
            for i in range(j, n):
                A[n * i + j] -= A[n * i + k] * x
            for i in range(j, n):
                A[n * j + i] = A[n * i + j]
    return n


@kernel
def solve(A, n, order, scale, rank, b, x):
    """x from b with the first `rank` pivots; the dependent unknowns are zero."""
    for k in range(n):
        x[k] = 0.0
    for k in range(rank):
        y = b[order[k]] * scale[order[k]]
        for m in range(k):
            y -= A[n * k + m] * x[order[m]]
        x[order[k]] = y / A[n * k + k]
    for k in range(rank - 1, -1, -1):
        y = x[order[k]]
        for m in range(k + 1, rank):
            y -= A[n * m + k] * x[order[m]]
        x[order[k]] = y / A[n * k + k]
    for k in range(rank):
        x[order[k]] *= scale[order[k]]
