"""The saddle-point system [M Dᵀ; D 0][v̇; λ] = [Q; γ], bodies eliminated first.

    T = D M⁻¹ (M is block diagonal and constant),    S = D M⁻¹ Dᵀ = T Dᵀ,
    S λ = T Q − γ,    v̇ = M⁻¹ (Q − Dᵀ λ)

Bodies with many branches (model/hubs.py) are eliminated late: S of n arms on one hub would be full, n³/6 blocks; with the hub's
velocity u among the unknowns it has n blocks.  With S′ and T′ those of all other bodies, D the hub's columns and M its mass,

    [S′ D; Dᵀ −M] [λ; u] = [b; 0]          u = M⁻¹ Dᵀ λ,  (S′ + D M⁻¹ Dᵀ) λ = b:  the same λ = S⁺ b

Rows that come before the hub are measured with the hub held fast: S′_kk and pivots of S′.  model/hubs.py says why the same rows
depend on each other then.  Scales of residuals are those of S as ever.

T and S are stored by columns of blocks, rows in vector lanes (algebra/block_rows.py); D by rows.

S is factored by the block LDLᵀ of algebra/block_ldl, or by panels where it fills (algebra/panels), in an order found once per
model.  Rows are compared with others in the metric M⁻¹, so thresholds are pure numbers: the same answer in millimetres and in
kilometres.  The residual D v̇ − γ, each row over √S_kk, is measured against |v̇| and |M⁻¹Q| in the metric M; one step of
refinement is taken when it is large (always when a state is observed: thin rods, whose inertias differ by 1e6, lose seven
digits without), and a dense factorisation with pivoting when that does not help.  Both are asked for by the rows that were
kept: what a dropped row misses is a contradiction of the state (a stage off the constraints), which no other factorisation
removes.
"""

import math

import numpy as np

from dalembert._jit import kernel
from dalembert.algebra import block_ldl, panels, pivoted
from dalembert.algebra.block_rows import left_out, stride, width
from dalembert.elements.bodies.blocks import less_mass, multiply_block, multiply_blocks, spread_block, weigh_block
from dalembert.elements.bodies.markers import NONE, at_v, block, weigh

COUNT, PIVOT = range(2)  # w.choice (equations/dependence.py): rows left out, smallest pivot when last chosen


@kernel
def assemble(s, w):
    """T, S and the diagonal of S before elimination; nobody reads a column whose rows are all left out, but for its corner."""
    for k in range(s.blocks.size):
        b = s.blocks[k]
        weigh_block(s, b.body, w.D, np.int64(b.at), np.int64(b.count), w.T, np.int64(b.weighed))
    for k in range(w.S.size):
        w.S[k] = 0.0
    some = w.choice[COUNT] > 0.0
    for k in range(s.pairs.size):
        p = s.pairs[k]
        rows, columns = np.int64(p.count), np.int64(p.width)
        if some and p.row != NONE and left_out(w.limit, np.int64(p.row), columns):
            continue
        multiply_blocks(s, w.T, np.int64(p.left), w.D, np.int64(p.right), rows, columns, w.S, np.int64(p.to), np.int64(p.step))
    if s.hubs.size == 0:
        diagonal(s, w, w.before)
    else:
        assemble_late(s, w)


@kernel
def diagonal(s, w, out):
    for k in range(s.columns.size):
        c = s.columns[k]
        step = stride(c, np.int64(c.count)) + 1
        for i in range(c.count):
            out[c.row + i] = w.S[c.corner + step * i]


@kernel
def assemble_late(s, w):
    """What belongs to bodies eliminated late; the diagonal of S (before), and without bodies that come later (befores)."""
    n = block(s)
    rows = w.before.size
    for k in range(s.hubs.size):
        less_mass(s, s.hubs[k].body, w.S, np.int64(s.hubs[k].corner))
    own = width(n)
    for k in range(s.spokes.size):
        p = s.spokes[k]
        step = width(np.int64(p.count))
        for i in range(p.count):
            for c in range(n):  # the body's rows below those of the element, or these below the body's
                w.S[p.to + (step * c + i if p.first else own * i + c)] = w.D[p.at + n * i + c]
    diagonal(s, w, w.befores)
    for k in range(rows):
        w.before[k] = w.befores[k]
    for k in range(rows, w.befores.size):
        w.befores[k] = -np.inf
    for k in range(s.spokes.size):
        p = s.spokes[k]
        step = width(np.int64(p.count))
        for i in range(p.count):
            x = 0.0
            for c in range(n):
                x += w.T[p.weighed + step * c + i] * w.D[p.at + n * i + c]
            w.before[p.row + i] += x
            if p.first:
                w.befores[p.row + i] += x


@kernel
def factor(s, w):
    """LDLᵀ of S; reports the number of dependent rows and the smallest pivot ratio (squared sine) kept.

    More dependent rows than the mechanism always has (an option) tell of a singular pose: the ratio is reported as zero.
    """
    if s.panels.size > 0:
        dropped, smallest = panels.factor(s, w.S, w.delta, w.scaled, w.order, w.before, w.limit)
    elif s.hubs.size == 0:
        dropped, smallest = block_ldl.factor(s.columns, s.below, s.targets, w.S, w.delta, w.scaled, w.before, w.limit)
    else:
        for k in range(w.limit.size):
            w.limits[k] = w.limit[k]
        for k in range(w.limit.size, w.limits.size):
            w.limits[k] = 1.0
        dropped, smallest = block_ldl.factor(s.columns, s.below, s.targets, w.S, w.deltas, w.scaled, w.befores, w.limits)
        for k in range(w.delta.size):
            w.delta[k] = w.deltas[k]
    w.report.dropped = dropped
    w.report.pivot = smallest if dropped <= w.options.dependent else 0.0
    w.report.left_out = w.choice[COUNT]


@kernel
def by_factors(s, w, wide, x):
    """x ← S⁺ x with the factors of w; ``wide``: room for all unknowns, on the numbers of x."""
    if s.hubs.size == 0:
        block_ldl.solve(s.columns, s.below, w.S, w.delta, x)
    else:
        block_ldl.solve_late(s.columns, s.below, w.S, w.deltas, x, wide)


@kernel
def multiply(s, w, x, out):
    """out = D x."""
    for k in range(out.size):
        out[k] = 0.0
    for k in range(s.blocks.size):
        b = s.blocks[k]
        multiply_block(s, w.D, np.int64(b.at), np.int64(b.count), x, at_v(s, b.body), out, np.int64(b.row))


@kernel
def spread(s, w, lam, out):
    """out −= M⁻¹ Dᵀ λ = Tᵀ λ."""
    for k in range(s.blocks.size):
        b = s.blocks[k]
        spread_block(s, w.T, np.int64(b.weighed), np.int64(b.count), lam, np.int64(b.row), out, at_v(s, b.body))


@kernel
def sizes(s, w):
    """|v̇|² and |M⁻¹Q|², in the metric M."""
    n = block(s)
    size = 0.0
    free = 0.0
    for b in range(s.bodies.size):
        at = at_v(s, b)
        weigh(s, b, False, w.vdot, at, w.weighed, 0)
        part = 0.0
        for c in range(n):
            part += w.weighed[c] * w.vdot[at + c]
        size += part
        weigh(s, b, True, w.Q, at, w.weighed, 0)
        part = 0.0
        for c in range(n):
            part += w.weighed[c] * w.Q[at + c]
        free += part
    return size, free


@kernel
def inner(s, x, y):
    """x · y over the velocities of all bodies."""
    n = block(s)
    total = 0.0
    for b in range(s.bodies.size):
        at = at_v(s, b)
        part = 0.0
        for c in range(n):
            part += x[at + c] * y[at + c]
        total += part
    return total


@kernel
def residual(s, w):
    """residual = D v̇ − γ; returns its scaled largest entry, of all rows and of those kept, against |v̇| and |M⁻¹Q|.

    (At rest only the forces set the scale.)
    """
    multiply(s, w, w.vdot, w.residual)
    size, free = sizes(s, w)
    return compare(w, math.sqrt(size) + math.sqrt(free) + 1e-300)


@kernel
def remains(s, w, free):
    """The same for v̇ = M⁻¹(Q − Dᵀλ), with free = |M⁻¹Q|² at hand: |v̇|² = Q·v̇ − λ·D v̇."""
    multiply(s, w, w.vdot, w.residual)
    size = inner(s, w.Q, w.vdot)
    for k in range(w.residual.size):
        size -= w.lam[k] * w.residual[k]
    return compare(w, math.sqrt(max(size, 0.0)) + math.sqrt(free) + 1e-300)


@kernel
def compare(w, size):
    """residual −= γ; its largest entry over √S_kk, of all rows and of those kept, against ``size`` and |γ| (by squares)."""
    worst = 0.0
    kept = 0.0
    most = 0.0
    for k in range(w.residual.size):
        x = w.residual[k] - w.gamma[k]
        w.residual[k] = x
        if w.before[k] > 0.0:
            scale = 1.0 / w.before[k]
            most = max(most, w.gamma[k] * w.gamma[k] * scale)
            x = x * x * scale
            worst = worst if x <= worst else x  # not finite: so is what is returned
            if w.delta[k] != 0.0:
                kept = kept if x <= kept else x
    size = max(size, math.sqrt(most))
    return math.sqrt(worst) / size, math.sqrt(kept) / size


@kernel
def accelerate(s, w, wanted):
    """v̇ and λ from Q, γ and the factored S, refined once if the residual is above ``wanted``.  Status 0, or 3 when not finite."""
    for b in range(s.bodies.size):
        weigh(s, b, True, w.Q, at_v(s, b), w.vdot, at_v(s, b))
    free = inner(s, w.Q, w.vdot)
    multiply(s, w, w.vdot, w.lam)
    for k in range(w.lam.size):
        w.lam[k] -= w.gamma[k]
    by_factors(s, w, w.wide, w.lam)
    spread(s, w, w.lam, w.vdot)
    error, kept = remains(s, w, free)
    if kept > wanted:
        for k in range(w.lam.size):
            w.mu[k] = w.residual[k]
        by_factors(s, w, w.wide, w.mu)
        for k in range(w.lam.size):
            w.lam[k] += w.mu[k]
        spread(s, w, w.mu, w.vdot)
        error, kept = remains(s, w, free)
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
        step = width(np.int64(p.count))
        for b in range(s.blocks.size):
            o = s.blocks[b]
            if p.body == o.body:
                for i in range(p.count):
                    for j in range(o.count):
                        x = 0.0
                        for c in range(n):
                            x += w.T[p.weighed + step * c + i] * w.D[o.at + n * j + c]
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
