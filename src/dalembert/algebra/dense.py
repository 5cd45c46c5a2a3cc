"""Small dense systems by Gaussian elimination with partial pivoting: real, complex or dual numbers.

``eliminate`` solves in place; ``factor`` keeps L and U (rows exchanged as told by ``swaps``) for ``solve``.
"""

from dalembert._jit import kernel

TINY = 1e-14  # of the largest entry of its row: a pivot below it is none


@kernel
def eliminate(A, n):
    """A (n × n, row by row, its right-hand side behind it) ← its answer behind it.  Status 0, 1 singular."""
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(A[n * i + k]) > abs(A[n * best + k]):
                best = i
        if best != k:
            for j in range(n):
                x = A[n * k + j]
                A[n * k + j] = A[n * best + j]
                A[n * best + j] = x
            x = A[n * n + k]
            A[n * n + k] = A[n * n + best]
            A[n * n + best] = x
        size = 0.0
        for j in range(n):
            size += abs(A[n * k + j])
        if not abs(A[n * k + k]) > TINY * size:
            return 1
        for i in range(k + 1, n):
            f = A[n * i + k] / A[n * k + k]
            for j in range(k + 1, n):
                A[n * i + j] -= f * A[n * k + j]
            A[n * n + i] -= f * A[n * n + k]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            A[n * n + k] -= A[n * k + j] * A[n * n + j]
        A[n * n + k] /= A[n * k + k]
    return 0


@kernel
def factor(A, n, swaps):
    """A (n × n, row by row) ← L and U.  Status 0, 1 singular."""
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(A[n * i + k]) > abs(A[n * best + k]):
                best = i
        swaps[k] = best
        if best != k:
            for j in range(n):
                x = A[n * k + j]
                A[n * k + j] = A[n * best + j]
                A[n * best + j] = x
        if not abs(A[n * k + k]) > 0.0:
            return 1
        for i in range(k + 1, n):
            f = A[n * i + k] / A[n * k + k]
            A[n * i + k] = f
            for j in range(k + 1, n):
                A[n * i + j] -= f * A[n * k + j]
    return 0


@kernel
def solve(A, n, swaps, x):
    """x ← A⁻¹ x with the factors."""
    for k in range(n):
        best = swaps[k]
        if best != k:
            y = x[k]
            x[k] = x[best]
            x[best] = y
    for k in range(n):
        for j in range(k):
            x[k] -= A[n * k + j] * x[j]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            x[k] -= A[n * k + j] * x[j]
        x[k] /= A[n * k + k]
