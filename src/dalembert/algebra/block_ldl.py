"""Block-sparse LDLᵀ with a fixed pattern, dropping dependent rows.

The matrix is symmetric positive semi-definite, in blocks (one per constraint group); blocks are stored by columns in one
array, each column padded with zeros to ``lanes`` numbers, so that it is one vector (block_rows.py has what is done with one
column, written out for its number of rows).  Columns are listed in elimination order; each knows its diagonal block, the
blocks below it, and the targets of its updates.  With W_ik the unscaled column (L = W δ, δ = 1/d):

    factor   A_kk = L_kk d L_kkᵀ,    W_ik = A_ik L_kk⁻ᵀ,    A_ij ← A_ij − W_ik δ_k W_jkᵀ
    solve    forward z_k = δ_k (b_k − Σ W_km z_m),  then backward x_k = z_k − δ_k Σ W_ikᵀ x_i      (z = δ L⁻¹ b)

A pivot smaller than its limit × its diagonal before elimination belongs to a row that depends on earlier ones: the
ratio is the squared sine of the angle between the row and their span, whatever the units.  Its δ is set to zero, so
its unknown is zero and the others are solved without it.  An infinite limit leaves a row out whatever its pivot is; where all
rows of a block are left out so, nobody asks for its column, and in long columns nothing is taken from it.

A matrix may have further unknowns behind the rows, with negative pivots (equations/saddle.py: bodies that are eliminated late).
Their ``before`` is −∞: they are never dropped.  Their right-hand side is zero and nobody asks for them (``solve_late``).
"""

import numpy as np

from dalembert._jit import chosen, kernel
from dalembert._jit.rows import by_numbers
from dalembert.algebra import block_rows
from dalembert.algebra.block_rows import WRITTEN, column_any, stride

COLUMN = np.dtype([("corner", "u4"), ("count", "u4"), ("row", "u4"), ("below", "u4"), ("end", "u4"), ("target", "u4"),
                   ("step", "u4")])  # in a panel (panels.py): numbers from one column to the next; else 0, every block by itself
BELOW = np.dtype([("at", "u4"), ("count", "u4"), ("row", "u4")])


@kernel
def factor(columns, below, targets, A, delta, scaled, before, limit):
    """Factor in place; before[row] is the diagonal before elimination, limit[row] the tolerance.

    Returns the number of dropped rows and the smallest ratio of a pivot that was kept.
    """
    dropped = 0
    smallest = 1.0
    for k in range(columns.size):
        lost, smallest = _column(columns[k].count, columns[k], below, targets, A, delta, scaled, before, limit, smallest)
        dropped += lost
    return dropped, smallest


@kernel
def down_any(col, below, A, delta, x):
    """The forward half of a solve in one column of any size, on any numbers."""
    n, d0, r0 = np.int64(col.count), np.int64(col.corner), np.int64(col.row)
    own = stride(col, n)
    for p in range(n):
        y = x[r0 + p]
        for m in range(p):
            y -= A[d0 + own * m + p] * x[r0 + m]
        x[r0 + p] = y * delta[r0 + p]
    for b in range(col.below, col.end):
        rows, w0, to = np.int64(below[b].count), np.int64(below[b].at), np.int64(below[b].row)
        step = stride(col, rows)
        for i in range(rows):
            y = x[to + i]
            for p in range(n):
                y -= A[w0 + step * p + i] * x[r0 + p]
            x[to + i] = y


@kernel
def up_any(col, below, A, delta, x):
    """The backward half."""
    n, d0, r0 = np.int64(col.count), np.int64(col.corner), np.int64(col.row)
    own = stride(col, n)
    for p in range(n - 1, -1, -1):
        y = 0.0
        for m in range(p + 1, n):
            y += A[d0 + own * p + m] * x[r0 + m]
        for b in range(col.below, col.end):
            rows, w0, to = np.int64(below[b].count), np.int64(below[b].at), np.int64(below[b].row)
            step = stride(col, rows)
            for i in range(rows):
                y += A[w0 + step * p + i] * x[to + i]
        x[r0 + p] -= y * delta[r0 + p]


@kernel
def solve_any(columns, below, A, delta, x):
    """Solve in place with the factored matrix; dropped rows get zero.  On any numbers."""
    for k in range(columns.size):
        down_any(columns[k], below, A, delta, x)
    for k in range(columns.size - 1, -1, -1):
        up_any(columns[k], below, A, delta, x)


_column = chosen((column_any, *map(block_rows.column, WRITTEN), column_any),
                 "col, below, targets, A, delta, scaled, before, limit, smallest")
_down = chosen((down_any, *map(block_rows.down, WRITTEN), down_any), "col, below, A, delta, x")
_up = chosen((up_any, *map(block_rows.up, WRITTEN), up_any), "col, below, A, delta, x")


@kernel
def solve_rows(columns, below, A, delta, x):
    """The same on doubles: rows in lanes."""
    for k in range(columns.size):
        _down(columns[k].count, columns[k], below, A, delta, x)
    for k in range(columns.size - 1, -1, -1):
        _up(columns[k].count, columns[k], below, A, delta, x)


solve = by_numbers(solve_rows, solve_any)


@kernel
def solve_late(columns, below, A, delta, x, wide):
    """Solve with unknowns behind those of x, whose right-hand side is zero; ``wide`` has room for all."""
    for k in range(x.size):
        wide[k] = x[k]
    for k in range(x.size, wide.size):
        wide[k] = 0.0
    solve(columns, below, A, delta, wide)
    for k in range(x.size):
        x[k] = wide[k]
