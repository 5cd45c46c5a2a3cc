"""Sums over stages: the inner loops of every Runge-Kutta method.

    row_sum:  out_i = sum_j coef_j k_{index_j, i}          (error estimates, dense output)
    stage:    out_i = x_i + h sum_j coef_j k_{index_j, i}  (stage and solution)

Rows are padded to a multiple of four (tableaus.py), so each pass over the components adds four stages and
vectorises; the increment is summed before x is added, which rounds the state once.
"""

from __future__ import annotations

import math

from .._jit import inline, kernel


@kernel
def row_sum(out, k, coef, index, first, last):
    """out = sum of coef_j times stage index_j for j in [first, last), a multiple of four."""
    n = out.size
    for b in range(first, last, 4):
        c0, c1, c2, c3 = coef[b], coef[b + 1], coef[b + 2], coef[b + 3]
        k0 = k[index[b] * n:(index[b] + 1) * n]
        k1 = k[index[b + 1] * n:(index[b + 1] + 1) * n]
        k2 = k[index[b + 2] * n:(index[b + 2] + 1) * n]
        k3 = k[index[b + 3] * n:(index[b + 3] + 1) * n]
        if b == first:
            for i in range(n):
                out[i] = (c0 * k0[i] + c1 * k1[i]) + (c2 * k2[i] + c3 * k3[i])
        else:
            for i in range(n):
                out[i] += (c0 * k0[i] + c1 * k1[i]) + (c2 * k2[i] + c3 * k3[i])
    return 0


@kernel
def stage(out, x, h, k, coef, index, first, last):
    """out = x + h * row_sum."""
    row_sum(out, k, coef, index, first, last)
    for i in range(out.size):
        out[i] = x[i] + h * out[i]
    return 0


@inline
def copy(out, x):
    for i in range(out.size):
        out[i] = x[i]
    return 0


@inline
def put(k, place, x):
    """Store x as stage number ``place``."""
    n = x.size
    row = k[place * n:(place + 1) * n]
    for i in range(n):
        row[i] = x[i]
    return 0


@kernel
def total(x):
    """Sum of the components, in four interleaved partial sums."""
    n = x.size
    a0, a1, a2, a3 = 0.0, 0.0, 0.0, 0.0
    for q in range(n // 4):
        i = 4 * q
        a0 += x[i]
        a1 += x[i + 1]
        a2 += x[i + 2]
        a3 += x[i + 3]
    for i in range(4 * (n // 4), n):
        a0 += x[i]
    return (a0 + a1) + (a2 + a3)


@kernel
def all_finite(x):
    bad = 0
    for i in range(x.size):
        if not math.isfinite(x[i]):
            bad += 1
    return bad == 0
