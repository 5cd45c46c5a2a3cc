"""Embedded formulation: dependent accelerations expressed by independent ones (coordinate partitioning).

D v̇ = γ is solved for as many components of v̇ as D has independent rows (the dependent ones, d), the others (i) are free:

    v̇ = B v̇_i + γ_i,      B = [1; −D_d⁻¹ D_i],   γ_i = [0; D_d⁻¹ γ]
    Bᵀ M B v̇_i = Bᵀ (Q − M γ_i)                    constraint forces do no work on B: Bᵀ Dᵀ = 0
    D_dᵀ λ = (Q − M v̇)_d                            the reactions, afterwards

The solution is found by exchanges: a row y_r = Σ a_rj x_j is solved for x_c and put into the others,

    a_rc ← 1/p,   a_rj ← −a_rj/p,   a_ic ← a_ic/p,   a_ij ← a_ij − a_ic a_rj/p          (p = a_rc)

until no pivot is left above the threshold: what then stands in the table is D_d⁻¹ (pivot columns), B (the other columns) and, in
the rows that were never solved, how they depend on the others.  Rows and columns are scaled (M_jj^(−1/2), unit rows), so pivots
and entries of B are pure numbers.  A fresh choice takes the largest entry of the table each time (complete pivoting, rank
revealing); a choice made before is kept as long as no entry of B exceeds LIMIT: near θ = π/2 of a crank whose x was taken for
independent that entry grows without bound, and another set is chosen.  The choice never changes v̇, only its accuracy.

Columns of a user's own choice are passed over as long as other pivots are left, until the choice has gone bad once.

What points out of the constraints is taken from a displacement x by the same factors, those of the last solve:

    x ← g + B (BᵀMB)⁻¹ Bᵀ M (x − g),      g = [0; D_d⁻¹ D x]  for rows of drivers, whose motion stays, and 0 for the others
"""

from __future__ import annotations

import math

import numpy as np

from dalembert._jit import call, entry, kernel, struct
from dalembert.algebra import pivoted
from dalembert.elements.bodies.markers import as_twist, at_v, block, from_twist, weigh
from dalembert.equations.saddle import multiply
from dalembert.formulations.response import Response
from dalembert.system.arrays import Arrays
from dalembert.system.tables import PlanarSystem, SpatialSystem

LIMIT = 10.0  # largest entry of B, scaled, that a kept choice may have
SMALL = 1e-5  # pivots below this are zero: the sine of the angle to the rows solved (equations/saddle.py: its square, 1e-10)

Partition = struct("Partition", {
    "handle": "i8",  # terms, powers of the full system
    "table": "f8",  # nc × nv
    "row": "f8", "column": "f8",  # scales
    "solved": "i8",  # per row: the column it was solved for, or −1
    "by": "i8",  # per column: the row that gives it, or −1 (independent)
    "free": "i8",  # the independent columns
    "wish": "i8",  # per column: 1 = the user wants it independent
    "B": "f8", "MB": "f8", "drift": "f8", "M": "f8", "x": "f8", "rhs": "f8", "order": "i8", "scale": "f8",
    "mass_rank": "i8",  # of BᵀMB
    "meta": "i8"})  # rank, how often a choice was made, wishes that could not be kept
RANK, CHOICES, REFUSED = range(3)


@kernel
def fill(s, w, e):
    """The scaled table from D."""
    n = block(s)
    nv = w.v.size
    for k in range(e.table.size):
        e.table[k] = 0.0
    for k in range(s.blocks.size):
        b = s.blocks[k]
        for i in range(b.count):
            at = np.int64(b.at) + n * i
            body = at_v(s, b.body)
            to = nv * (np.int64(b.row) + i) + body
            for c in range(n):
                e.table[to + c] = w.D[at + c] * e.column[body + c]
    for r in range(w.lam.size):
        x = 0.0
        for j in range(nv):
            x += e.table[nv * r + j] ** 2
        f = 1.0 / math.sqrt(x) if x > 0.0 and w.limit[r] < np.inf else 0.0  # 0: left out (equations/dependence.py)
        e.row[r] = f
        for j in range(nv):
            e.table[nv * r + j] *= f
        e.solved[r] = -1


@kernel
def exchange(w, e, r, c):
    """Solve row r for column c."""
    nv = w.v.size
    inverse = 1.0 / e.table[nv * r + c]
    for j in range(nv):
        e.table[nv * r + j] *= -inverse
    e.table[nv * r + c] = inverse
    for i in range(w.lam.size):
        f = e.table[nv * i + c]
        if i != r and f != 0.0:
            e.table[nv * i + c] = 0.0
            for j in range(nv):
                e.table[nv * i + j] += f * e.table[nv * r + j]
    e.solved[r] = c
    e.by[c] = r


@kernel
def largest(w, e, allowed):
    """The largest entry of unsolved rows, its row and column; allowed: 0 all columns, 1 not the wished, 2 the standing choice."""
    nv = w.v.size
    best, row, column = 0.0, -1, -1
    for r in range(w.lam.size):
        if e.solved[r] >= 0:
            continue
        for j in range(nv):
            if e.by[j] >= 0 or (allowed == 1 and e.wish[j] != 0) or (allowed == 2 and e.by[j] != -2):
                continue
            x = math.fabs(e.table[nv * r + j])
            if x > best:
                best, row, column = x, r, j
    return best, row, column


@kernel
def keep(w, e):
    """Solve with the standing choice.  Returns whether it is still good."""
    for j in range(w.v.size):
        e.by[j] = -2 if e.by[j] >= 0 else -1  # −2: to be solved for
    for _ in range(e.meta[RANK]):
        x, r, c = largest(w, e, 2)
        if x <= SMALL:
            return False
        exchange(w, e, r, c)
    return good(w, e) <= LIMIT and largest(w, e, 0)[0] <= SMALL


@kernel
def choose(w, e, first):
    """A fresh choice, from phase ``first`` on (0: the wished columns are passed over); returns the smallest pivot."""
    smallest = 1.0
    rank = 0
    e.meta[REFUSED] = 0
    for j in range(w.v.size):
        e.by[j] = -1
    for phase in range(first, 2):
        while rank < w.lam.size:
            x, r, c = largest(w, e, 1 - phase)
            if x <= SMALL:
                break
            e.meta[REFUSED] += phase * e.wish[c]
            exchange(w, e, r, c)
            smallest = min(smallest, x)
            rank += 1
    e.meta[RANK] = rank
    e.meta[CHOICES] += 1
    return smallest


@kernel
def good(w, e):
    """Largest entry of B in solved rows (scaled)."""
    nv = w.v.size
    worst = 0.0
    for r in range(w.lam.size):
        if e.solved[r] >= 0:
            for j in range(nv):
                if e.by[j] < 0:
                    worst = max(worst, math.fabs(e.table[nv * r + j]))
    return worst


@kernel
def by_dependent(w, e, rates, out):
    """D out = rates with the dependent components alone: [0; D_d⁻¹ rates]."""
    nv, nc = w.v.size, w.lam.size
    for j in range(nv):
        if e.by[j] < 0:
            out[j] = 0.0
    for r in range(nc):
        c = e.solved[r]
        if c < 0:
            continue
        x = 0.0
        for m in range(nc):
            if e.solved[m] >= 0:
                x += e.table[nv * r + e.solved[m]] * e.row[m] * rates[m]
        out[c] = x * e.column[c]


@kernel
def partition(s, w, e):
    """The table solved, B and γ_i in user units; report: smallest pivot squared, dropped rows."""
    nv, nc = w.v.size, w.lam.size
    fill(s, w, e)
    fine = e.meta[CHOICES] > 0 and keep(w, e)
    if not fine:
        fill(s, w, e)
        again = e.meta[CHOICES] > 0
        smallest = choose(w, e, 0)
        if again and good(w, e) > LIMIT:  # the user's wish has gone bad
            fill(s, w, e)
            e.meta[CHOICES] -= 1
            smallest = choose(w, e, 1)
        w.report.pivot = smallest**2
    ni = 0
    for j in range(nv):
        if e.by[j] < 0:
            e.free[ni] = j
            ni += 1
    for k in range(nv * ni):
        e.B[k] = 0.0
    for i in range(ni):
        e.B[ni * e.free[i] + i] = 1.0
    for r in range(nc):
        c = e.solved[r]
        if c < 0:
            continue
        for i in range(ni):
            j = e.free[i]
            e.B[ni * c + i] = e.table[nv * r + j] * e.column[c] / e.column[j]
    by_dependent(w, e, w.gamma, e.drift)
    w.report.dropped = nc - e.meta[RANK]
    if w.report.dropped > w.options.dependent:  # as in equations/saddle.py
        w.report.pivot = 0.0
    return ni


@kernel
def reduce(s, w, e, ni):
    """M_i = BᵀMB and Bᵀ(Q − M γ_i)."""
    n = block(s)
    nv = w.v.size
    for b in range(s.bodies.size):
        weigh(s, b, False, e.drift, at_v(s, b), e.x, at_v(s, b))
    for k in range(nv):
        e.x[k] = w.Q[k] - e.x[k]
    for i in range(ni):
        for b in range(s.bodies.size):  # column i of M B
            at = at_v(s, b)
            for c in range(n):
                w.weighed[c] = e.B[ni * (at + c) + i]
            weigh(s, b, False, w.weighed, 0, e.scale, 0)
            for c in range(n):
                e.MB[ni * (at + c) + i] = e.scale[c]
        y = 0.0
        for k in range(nv):
            y += e.B[ni * k + i] * e.x[k]
        e.rhs[i] = y
    for k in range(ni * ni):
        e.M[k] = 0.0
    for k in range(nv):
        for i in range(ni):
            f = e.B[ni * k + i]
            if f != 0.0:
                for j in range(ni):
                    e.M[ni * i + j] += f * e.MB[ni * k + j]


@kernel
def accelerations(s, w, e):
    """v̇ and λ at (t, q, v)."""
    nv, nc = w.v.size, w.lam.size
    call(e.handle[0])
    ni = partition(s, w, e)
    reduce(s, w, e, ni)
    if ni > 0:
        e.mass_rank[0] = pivoted.factor(e.M[:ni * ni], ni, e.order, e.scale, 1e-14)
        pivoted.solve(e.M[:ni * ni], ni, e.order, e.scale, e.mass_rank[0], e.rhs, e.x)
    for k in range(nv):
        y = e.drift[k]
        for i in range(ni):
            y += e.B[ni * k + i] * e.x[i]
        w.vdot[k] = y
    for b in range(s.bodies.size):
        weigh(s, b, False, w.vdot, at_v(s, b), e.x, at_v(s, b))
    worst = 0.0
    for m in range(nc):
        y = 0.0
        c = e.solved[m]
        if c >= 0:
            for r in range(nc):
                d = e.solved[r]
                if d >= 0:
                    y += e.table[nv * r + c] * e.column[d] * (w.Q[d] - e.x[d])
        else:  # a dependent row: it must be met by itself
            x = -e.row[m] * w.gamma[m]
            size = math.fabs(x)
            for r in range(nc):
                if e.solved[r] >= 0:
                    part = e.table[nv * m + e.solved[r]] * e.row[r] * w.gamma[r]
                    x += part
                    size = max(size, math.fabs(part))
            worst = max(worst, math.fabs(x) / (size + 1e-300) if size > 1e-12 else 0.0)
        w.lam[m] = y * e.row[m]
    w.report.residual = worst
    call(e.handle[1])
    for k in range(nv):
        if not math.isfinite(w.vdot[k]):
            return 3
    return 0


@kernel
def freely(w, e, ni, wrench, first, out, to):
    """out[to:] ← B (BᵀMB)⁻¹ Bᵀ wrench[first:] with the factors of the last solve."""
    nv = w.v.size
    for i in range(ni):
        y = 0.0
        for c in range(nv):
            y += e.B[ni * c + i] * wrench[first + c]
        e.rhs[i] = y
    if ni > 0:
        pivoted.solve(e.M[:ni * ni], ni, e.order, e.scale, e.mass_rank[0], e.rhs, e.x)
    for c in range(nv):
        y = 0.0
        for i in range(ni):
            y += e.B[ni * c + i] * e.x[i]
        out[to + c] = y


@kernel
def respond(s, w, e, r):
    """What the constraints let through of each wrench."""
    nv = w.v.size
    ni = nv - e.meta[RANK]
    for k in range(r.count[0]):
        freely(w, e, ni, r.wrench, nv * k, r.answer, nv * k)
    return 0


@kernel
def tangent(s, w, e):
    """(q̇, v̇), taken as two small displacements, lose what points out of the constraints (equations/projection.py: tangent)."""
    nv = w.v.size
    ni = nv - e.meta[RANK]
    as_twist(s, w, w.qdot, w.spare_v)
    for part in range(2):
        x = w.spare_v if part == 0 else w.vdot
        multiply(s, w, x, w.mu)
        for k in range(w.mu.size):
            if s.levels[k] < 2 and w.nu[k] == 0.0:
                w.mu[k] = 0.0
        by_dependent(w, e, w.mu, w.step)
        for k in range(nv):
            x[k] -= w.step[k]
        for b in range(s.bodies.size):
            weigh(s, b, False, x, at_v(s, b), e.x, at_v(s, b))
        freely(w, e, ni, e.x, 0, x, 0)
        for k in range(nv):
            x[k] += w.step[k]
    from_twist(s, w, w.spare_v, w.qdot)
    return 0


ENTRIES = {}
for _dim, _group, _system in ((2, "planar_embedded", PlanarSystem), (3, "spatial_embedded", SpatialSystem)):
    ENTRIES[_dim, "accelerations"] = entry(_group, "accelerations", accelerations, _system, Arrays, Partition, module=__name__)
    ENTRIES[_dim, "tangent"] = entry(_group, "tangent", tangent, _system, Arrays, Partition, module=__name__)
    ENTRIES[_dim, "respond"] = entry(_group, "respond", respond, _system, Arrays, Partition, Response, module=__name__)
