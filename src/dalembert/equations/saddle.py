"""The saddle-point system [M Dᵀ; D 0][v̇; λ] = [Q; γ], bodies eliminated first.

    T = D M⁻¹ (M is block diagonal and constant),    S = D M⁻¹ Dᵀ = T Dᵀ,
    S λ = T Q − γ,    v̇ = M⁻¹ (Q − Dᵀ λ)

S is factored by the block LDLᵀ of algebra/block_ldl in an order found once per model.  Rows are compared with others
in the metric M⁻¹, so thresholds are pure numbers: the same answer in millimetres and in kilometres.  The residual
D v̇ − γ, each row over √S_kk, is measured against |v̇| and |M⁻¹Q| in the metric M; one step of refinement is taken when it is
large (always when a state is observed: thin rods, whose inertias differ by 1e6, lose seven digits without), and a dense
factorisation with pivoting when that does not help.  Both are asked for by the rows that were kept: what a dropped row misses
is a contradiction of the state (a stage off the constraints), which no other factorisation removes.
"""

import math

import numpy as np

from dalembert._jit import kernel
from dalembert.algebra import block_ldl, pivoted
from dalembert.elements.bodies.markers import at_v, block, weigh

COUNT, PIVOT = range(2)  # w.choice (equations/dependence.py): rows left out, smallest pivot when last chosen


@kernel
def assemble(s, w):
    """T, S and the diagonal of S before elimination."""
    n = block(s)
    for k in range(s.blocks.size):
        b = s.blocks[k]
        for i in range(b.count):
            weigh(s, b.body, True, w.D, b.at + n * i, w.T, b.at + n * i)
    for k in range(w.S.size):
        w.S[k] = 0.0
    for k in range(s.pairs.size):
        p = s.pairs[k]
        left = np.int64(p.left)
        right = np.int64(p.right)
        width = np.int64(p.width)
        to = np.int64(p.to)
        if width == 2 and p.count == 2:  # pins of the plane: written out
            a = b = c = d = 0.0
            for m in range(n):
                t, u, x, y = w.T[left + m], w.T[left + n + m], w.D[right + m], w.D[right + n + m]
                a += t * x
                b += t * y
                c += u * x
                d += u * y
            w.S[to] += a
            w.S[to + 1] += b
            w.S[to + 2] += c
            w.S[to + 3] += d
            continue
        for i in range(p.count):
            for j in range(width):
                x = 0.0
                for c in range(n):
                    x += w.T[left + n * i + c] * w.D[right + n * j + c]
                w.S[to + width * i + j] += x
    for k in range(s.columns.size):
        c = s.columns[k]
        for i in range(c.count):
            w.before[c.row + i] = w.S[c.corner + c.count * i + i]


@kernel
def factor(s, w):
    """LDLᵀ of S; reports the number of dependent rows and the smallest pivot ratio (squared sine) kept.

    More dependent rows than the mechanism always has (an option) tell of a singular pose: the ratio is reported as zero.
    """
    dropped, smallest = block_ldl.factor(s.columns, s.below, s.targets, w.S, w.delta, w.scaled, w.before, w.limit)
    w.report.dropped = dropped
    w.report.pivot = smallest if dropped <= w.options.dependent else 0.0
    w.report.left_out = w.choice[COUNT]


@kernel
def multiply(s, w, x, out):
    """out = D x."""
    n = block(s)
    for k in range(out.size):
        out[k] = 0.0
    for k in range(s.blocks.size):
        b = s.blocks[k]
        at = np.int64(b.at)
        to = at_v(s, b.body)
        for i in range(b.count):
            y = 0.0
            for c in range(n):
                y += w.D[at + n * i + c] * x[to + c]
            out[b.row + i] += y


@kernel
def spread(s, w, lam, out):
    """out −= M⁻¹ Dᵀ λ = Tᵀ λ."""
    n = block(s)
    for k in range(s.blocks.size):
        b = s.blocks[k]
        at = np.int64(b.at)
        to = at_v(s, b.body)
        for i in range(b.count):
            y = lam[b.row + i]
            for c in range(n):
                out[to + c] -= w.T[at + n * i + c] * y


@kernel
def residual(s, w):
    """residual = D v̇ − γ; returns its scaled largest entry, of all rows and of those kept, against |v̇| and |M⁻¹Q|.

    (At rest only the forces set the scale.)
    """
    n = block(s)
    multiply(s, w, w.vdot, w.residual)
    size = 0.0
    free = 0.0
    for b in range(s.bodies.size):
        at = at_v(s, b)
        weigh(s, b, False, w.vdot, at, w.weighed, 0)
        for c in range(n):
            size += w.weighed[c] * w.vdot[at + c]
        weigh(s, b, True, w.Q, at, w.weighed, 0)
        for c in range(n):
            free += w.weighed[c] * w.Q[at + c]
    size = math.sqrt(size) + math.sqrt(free) + 1e-300
    worst = 0.0
    kept = 0.0
    for k in range(w.residual.size):
        w.residual[k] -= w.gamma[k]
        if w.before[k] > 0.0:
            scale = 1.0 / math.sqrt(w.before[k])
            size = max(size, math.fabs(w.gamma[k]) * scale)
            x = math.fabs(w.residual[k]) * scale
            worst = max(worst, x)
            if w.delta[k] != 0.0:
                kept = max(kept, x)
    return worst / size, kept / size


@kernel
def accelerate(s, w, wanted):
    """v̇ and λ from Q, γ and the factored S, refined once if the residual is above ``wanted``.  Status 0, or 3 when not finite."""
    for b in range(s.bodies.size):
        weigh(s, b, True, w.Q, at_v(s, b), w.vdot, at_v(s, b))
    multiply(s, w, w.vdot, w.lam)
    for k in range(w.lam.size):
        w.lam[k] -= w.gamma[k]
    block_ldl.solve(s.columns, s.below, w.S, w.delta, w.lam)
    spread(s, w, w.lam, w.vdot)
    error, kept = residual(s, w)
    if kept > wanted:
        for k in range(w.lam.size):
            w.mu[k] = w.residual[k]
        block_ldl.solve(s.columns, s.below, w.S, w.delta, w.mu)
        for k in range(w.lam.size):
            w.lam[k] += w.mu[k]
        spread(s, w, w.mu, w.vdot)
        error, kept = residual(s, w)
        if not kept < w.options.poor and w.dense.size > 0:
            error = fallback(s, w)
    w.report.residual = error
    if not math.isfinite(error):
        return 3
    return 0


@kernel
def fallback(s, w):
    """Dense pivoted solve; returns the new residual."""
    n = block(s)
    rows = w.lam.size
    for k in range(rows * rows):
        w.dense[k] = 0.0
    for a in range(s.blocks.size):
        p = s.blocks[a]
        for b in range(s.blocks.size):
            o = s.blocks[b]
            if p.body == o.body:
                for i in range(p.count):
                    for j in range(o.count):
                        x = 0.0
                        for c in range(n):
                            x += w.T[p.at + n * i + c] * w.D[o.at + n * j + c]
                        w.dense[rows * (p.row + i) + o.row + j] += x
    for b in range(s.bodies.size):
        weigh(s, b, True, w.Q, at_v(s, b), w.vdot, at_v(s, b))
    multiply(s, w, w.vdot, w.mu)
    for k in range(rows):
        w.mu[k] -= w.gamma[k]
    for k in range(rows):
        if not w.limit[k] < np.inf:  # left out: a zero on the diagonal
            w.dense[(rows + 1) * k] = 0.0
    rank = pivoted.factor(w.dense, rows, w.order, w.dense_scale, w.options.drop)
    pivoted.solve(w.dense, rows, w.order, w.dense_scale, rank, w.mu, w.lam)
    spread(s, w, w.lam, w.vdot)
    w.report.fallback += 1.0
    w.report.rank = rank
    error, kept = residual(s, w)
    return error
