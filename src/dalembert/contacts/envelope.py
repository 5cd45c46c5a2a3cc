"""Cholesky factors within the envelope of an island's matrix: six rows per body, from its first neighbour's columns to its own.

``low``: the first body a body's rows reach to;  ``offset``: where its rows begin.  Entries to the left of the envelope are zero
and stay so.
"""

import math

from dalembert._jit import inline, kernel


@inline
def entry_at(w, at, p, i, q, j):
    """Place of the entry (6 p + i, 6 q + j), q ≤ p, in the envelope of the island at ``at``."""
    low = w.low[at + p]
    return w.offset[at + p] + 6 * (p - low + 1) * i + 6 * (q - low) + j


@kernel
def factored(w, at, n):
    """Cholesky within the envelope, row by row; False where a pivot is lost."""
    A = w.matrix
    for p in range(n):
        low = w.low[at + p]
        for i in range(6):
            row = entry_at(w, at, p, i, low, 0) - 6 * low  # A[row + column]
            for q in range(low, p + 1):
                lowest, last = w.low[at + q], i + 1 if q == p else 6
                start, other, width = 6 * max(low, lowest), w.offset[at + q] - 6 * lowest, 6 * (q - lowest + 1)
                for column in range(6 * q, 6 * q + last):
                    t = A[row + column]
                    for k in range(start, column):
                        t -= A[row + k] * A[other + k]
                    if column < 6 * p + i:
                        A[row + column] = t / A[other + column]
                    else:
                        if not t > 0.0:
                            return False
                        A[row + column] = math.sqrt(t)
                    other += width
    return True


@kernel
def substituted(w, at, n):
    """right ← A⁻¹ right."""
    A, x = w.matrix, w.right
    for p in range(n):
        low = w.low[at + p]
        for i in range(6):
            row = entry_at(w, at, p, i, low, 0) - 6 * low
            t = x[6 * p + i]
            for k in range(6 * low, 6 * p + i):
                t -= A[row + k] * x[k]
            x[6 * p + i] = t / A[row + 6 * p + i]
    for p in range(n - 1, -1, -1):
        low = w.low[at + p]
        for i in range(5, -1, -1):
            row = entry_at(w, at, p, i, low, 0) - 6 * low
            t = x[6 * p + i] / A[row + 6 * p + i]
            x[6 * p + i] = t
            for k in range(6 * low, 6 * p + i):
                x[k] -= A[row + k] * t
