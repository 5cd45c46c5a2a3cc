"""Rows that the tree leaves over: cut joints, gears, equations, drives, velocity-level rows.

They bind the joint coordinates: with the bodies' velocities v = S u, D v = ν becomes J u = ν, J = D S, and

    H u̇ + c + Jᵀλ = τ,   J u̇ = γ − D Ṡu          K λ = J u̇₀ − γ + D Ṡu = D v̇₀ − γ,   K = J H⁻¹ Jᵀ

u̇₀: without the rows.  The elimination of the tree gives K without H: a force Dᵀ_k at the bodies of row k, carried towards the
root by the articulated inertias, leaves ρ_kd = Sᵀp at every speed d it passes, and K_kl = Σ_d ρ_kd ρ_ld / D_d over the speeds
that both pass.  Rows that share a speed form a cluster; each cluster is factored densely (algebra/block_ldl).  K is the Schur
complement of the tree's rows in D M⁻¹ Dᵀ: a pivot of K over (D M⁻¹ Dᵀ)_kk is the squared sine of the angle between row k and
the rows of the tree and the loop rows before it, in the metric M⁻¹, and dependent rows are dropped by the same measure as in
equations/saddle.py (also rows that the tree satisfies by itself: K_kk = 0).  u̇ = u̇₀ − H⁻¹Jᵀλ is one more sweep.

Projection: q ← q ⊕ (−H⁻¹JᵀK⁺Φ) until Φ = 0, u ← u − H⁻¹JᵀK⁺(J u − ν); the tree joints are closed by construction.
"""

import math

import numpy as np

from dalembert._jit import kernel
from dalembert.algebra import block_ldl
from dalembert.algebra.block_rows import width
from dalembert.algebra.spatial import quaternion_turn, quaternion_turned
from dalembert.elements.bodies.markers import block, weigh
from dalembert.equations.saddle import COUNT, multiply

from . import express
from .passes import acceleration, articulated_force, response
from .tables import SPHERICAL


@kernel
def reach(T, S, w, X, Y, C):
    """ρ of every row, then K (into w.S) and the rows' own size (D M⁻¹ Dᵀ)_kk."""
    n = Y.force.size // T.links.size
    size = block(S)
    for g in range(T.groups.size):
        group = T.groups[g]
        rows = np.int64(group.rows)
        for i in range(rows):
            for e in range(group.path, group.path + group.paths):
                to = n * np.int64(T.paths[e].link)
                for c in range(n):
                    Y.force[to + c] = 0.0
            for b in range(group.block, group.block + group.blocks):
                part = S.blocks[b]
                express.add_wrench(T, X, w, w.D, np.int64(part.at) + size * i, np.int64(part.body), -1.0, Y.force)
            for e in range(group.path, group.path + group.paths):
                articulated_force(T, 1.0, Y, np.int64(T.paths[e].link))
                link = T.links[T.paths[e].link]
                for m in range(link.speeds):
                    C.reach[group.offset + (T.paths[e].at + m) * rows + i] = Y.reduced[link.v + m]
    for k in range(w.S.size):
        w.S[k] = 0.0
    for g in range(T.groups.size):
        for h in range(g, T.groups.size):
            if T.groups[g].cluster == T.groups[h].cluster:
                couple(T, w, X, C, g, h)
    for k in range(w.before.size):
        w.before[k] = 0.0
    for k in range(S.blocks.size):
        part = S.blocks[k]
        for i in range(part.count):
            at = np.int64(part.at) + size * i
            weigh(S, np.int64(part.body), True, w.D, at, w.weighed, 0)
            x = 0.0
            for c in range(size):
                x += w.weighed[c] * w.D[at + c]
            w.before[part.row + i] += x


@kernel
def couple(T, w, X, C, g, h):
    """K of the rows of group h (lower) with those of group g."""
    a, b = T.groups[g], T.groups[h]
    col = T.columns[a.cluster]
    step = width(np.int64(col.count))
    corner = np.int64(col.corner) + step * (np.int64(a.row) - np.int64(col.row)) + np.int64(b.row) - np.int64(col.row)
    ra, rb = np.int64(a.rows), np.int64(b.rows)
    x, y = np.int64(a.path), np.int64(b.path)
    xe, ye = x + np.int64(a.paths), y + np.int64(b.paths)
    while x < xe and y < ye:
        kx, ky = T.paths[x].link, T.paths[y].link
        if kx > ky:
            x += 1
        elif ky > kx:
            y += 1
        else:
            link = T.links[kx]
            for m in range(link.speeds):
                inverse = X.Dinv[link.v + m]
                pa = np.int64(a.offset) + (np.int64(T.paths[x].at) + m) * ra
                pb = np.int64(b.offset) + (np.int64(T.paths[y].at) + m) * rb
                for j in range(ra):
                    f = inverse * C.reach[pa + j]
                    for i in range(rb):
                        w.S[corner + step * j + i] += f * C.reach[pb + i]
            x += 1
            y += 1


@kernel
def factor(T, w):
    dropped, smallest = block_ldl.factor(T.columns, T.below, T.targets, w.S, w.delta, w.scaled, w.before, w.limit)
    w.report.dropped = dropped
    w.report.pivot = smallest if dropped <= w.options.dependent else 0.0  # as in equations/saddle.py
    w.report.left_out = w.choice[COUNT]


@kernel
def correct(T, S, w, X, Y, lam):
    """Y.udot = −H⁻¹Jᵀλ, and what it does to the links (Y.acc)."""
    n = block(S)
    for k in range(Y.force.size):
        Y.force[k] = 0.0
    for k in range(S.blocks.size):
        b = S.blocks[k]
        for i in range(b.count):
            express.add_wrench(T, X, w, w.D, np.int64(b.at) + n * i, np.int64(b.body), lam[b.row + i], Y.force)
    response(T, 1.0, Y)


@kernel
def missed(T, S, w, X, free):
    """residual = D v̇ − γ; returns its largest entry over the row's size, against ``free`` and |γ|."""
    for b in range(S.bodies.size):
        express.accelerate_body(T, X, w, X.acc, b, w.vdot, True)
    multiply(S, w, w.vdot, w.residual)
    size = free + 1e-300
    worst = 0.0
    for k in range(w.residual.size):
        w.residual[k] -= w.gamma[k]
        if w.before[k] > 0.0:
            scale = 1.0 / math.sqrt(w.before[k])
            size = max(size, math.fabs(w.gamma[k]) * scale)
            worst = max(worst, math.fabs(w.residual[k]) * scale)
    return worst / size


@kernel
def close(T, S, w, X, Y, C):
    """λ of the loop rows, and u̇ and the links' accelerations with them."""
    free = 0.0  # size of the accelerations without the rows, √(Σ u̇² D)
    for k in range(X.udot.size):
        free += X.udot[k] * X.udot[k] / X.Dinv[k]
    free = math.sqrt(free)
    for k in range(w.lam.size):
        w.lam[k] = 0.0
    error = missed(T, S, w, X, free)
    for attempt in range(2):  # the second one refines
        if attempt > 0 and error < w.options.residual:
            break
        for k in range(w.lam.size):
            w.mu[k] = w.residual[k]
        block_ldl.solve(T.columns, T.below, w.S, w.delta, w.mu)
        correct(T, S, w, X, Y, w.mu)
        for k in range(w.lam.size):
            w.lam[k] += w.mu[k]
        for k in range(X.udot.size):
            X.udot[k] += Y.udot[k]
        for k in range(X.acc.size):
            X.acc[k] += Y.acc[k]
        error = missed(T, S, w, X, free)
    w.report.residual = error
    if not math.isfinite(error):
        return 3
    return 0


@kernel
def drift(T, S, w):
    """mu = D v − ν; returns its largest entry over the row's size."""
    for b in range(S.bodies.size):
        express.speed_body(T, w, b, w.spare_v)
    multiply(S, w, w.spare_v, w.mu)
    worst = 0.0
    for k in range(w.mu.size):
        w.mu[k] -= w.nu[k]
        if w.before[k] > 0.0:
            worst = max(worst, math.fabs(w.mu[k]) / math.sqrt(w.before[k]))
    return worst


@kernel
def displace(T, X, du):
    """q ← q ⊕ du."""
    for k in range(1, T.links.size):
        link = T.links[k]
        if link.kind == SPHERICAL:
            q, v = np.int64(link.q), np.int64(link.v)
            e = quaternion_turned((X.q[q], X.q[q + 1], X.q[q + 2], X.q[q + 3]), (0.5 * du[v], 0.5 * du[v + 1], 0.5 * du[v + 2]))
            for i in range(4):
                X.q[q + i] = e[i]
        elif link.speeds == 1:
            X.q[link.q] += du[link.v]


@kernel
def as_speeds(T, X, out):
    """The change q̇ of the coordinates as speeds."""
    for k in range(1, T.links.size):
        link = T.links[k]
        if link.kind == SPHERICAL:
            q, v = np.int64(link.q), np.int64(link.v)
            turn = quaternion_turn((X.q[q], X.q[q + 1], X.q[q + 2], X.q[q + 3]),
                                   (X.qdot[q], X.qdot[q + 1], X.qdot[q + 2], X.qdot[q + 3]))
            for i in range(3):
                out[v + i] = turn[i]
        elif link.speeds == 1:
            out[link.v] = X.qdot[link.q]


@kernel
def tangential(T, S, w, X, Y, x):
    """x (speeds) loses what points out of the loop rows; motion along drivers stays."""
    for k in range(Y.udot.size):  # x may be longer
        Y.udot[k] = x[k]
    for k in range(1, T.links.size):
        acceleration(T, 1.0, Y, k)
    for b in range(S.bodies.size):
        express.accelerate_body(T, X, w, Y.acc, b, w.spare_v, False)
    multiply(S, w, w.spare_v, w.mu)
    for k in range(w.mu.size):
        if S.levels[k] >= 2 or w.nu[k] != 0.0:
            w.mu[k] = 0.0
    block_ldl.solve(T.columns, T.below, w.S, w.delta, w.mu)
    correct(T, S, w, X, Y, w.mu)
    for k in range(Y.udot.size):
        x[k] += Y.udot[k]
