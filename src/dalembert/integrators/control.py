"""Step size: error norm, PI controller, starting step, stiffness test.

    sc_i  = atol w_i + rtol min(cap_i, max(|x_i|, |y_i|))   cap: 1 rad for angles, which must not lose accuracy by turning
    |e|   = sqrt(1/n sum (e_i/sc_i)^2)
    err   = h |e|                                       one error row
    err   = h |e5|^2 / sqrt(|e5|^2 + 0.01 |e3|^2)       DOP853: orders 5 and 3 combined, behaves like order 7
    h_new = h clip(0.9 err^-alpha err_old^beta, 0.2, 6) after an accepted step (beta = 0: plain I controller)

Not larger than h right after a rejection.  The starting step makes an explicit Euler step of about 1 % of
|y|/|f| and takes a second derivative from it.  Stiffness: |h lambda| ~ h |k_{s+1} - k_s| / |y - y_s| beyond
the border of stability in 15 tests, without six results below in a row.

Source: Hairer, Norsett, Wanner, Solving ODEs I, sections II.4 (starting step, controller), II.10; Solving
ODEs II, section IV.2 (stiffness); K. Gustafsson, ACM TOMS 17 (1991) 533-554.
"""

from __future__ import annotations

import math

from .._jit import call, kernel
from .layout import (
    ALPHA,
    ATOL,
    BETA,
    CALLS,
    ERR_OLD,
    ERROR_ORDER,
    ERRORS,
    EXTRA,
    H_MAX,
    IS_STIFF,
    POOR,
    RHS,
    ROUGH,
    RTOL,
    STAGES,
    STIFF_BORDER,
    STIFF_HITS,
    STIFF_MISSES,
    TANGENT,
    WORST,
    T,
)
from .stages import all_finite, copy, row_sum, stage, total

SAFETY, SHRINK, GROW = 0.9, 0.2, 6.0
SOME = 0.3  # an interpolant with more than this part of its allowed error holds the step size back
HELD_BACK = 0.6  # |h lambda| over the border of stability that makes steps held back count as stiff
TINY = 1e-300  # keeps a component with zero scale and zero error harmless


@kernel
def mean_square(e, x, y, weight, cap, atol, rtol):
    """Mean of (e_i/sc_i)^2; e is overwritten."""
    n = e.size
    for i in range(n):
        a, b = abs(x[i]), abs(y[i])
        size = min(max(a, b), cap[i])
        q = e[i] / (atol * weight[i] + rtol * size + TINY)
        e[i] = q * q
    return total(e) / n


@kernel
def tangential(p, work, e):
    """If a stage was nearly singular: the part of e along the manifold.  The rest is taken away by the projection."""
    if p.handle[TANGENT] != 0 and work.step[WORST] < POOR:
        cut(p, e)


@kernel
def cut(p, e):
    """The part of e along the manifold."""
    copy(p.ydot, e)
    call(p.handle[TANGENT])
    copy(e, p.ydot)


@kernel
def judged(p, work, e):
    """The part of a step's error that counts: along the manifold where its equations are redundant, or nearly singular.

    There the rest is no measure of the motion: components that the redundant equations hold at zero would be judged by the
    absolute tolerance alone, and rule the step size.
    """
    if p.handle[TANGENT] != 0 and p.quality[1] != 0.0:
        cut(p, e)
    else:
        tangential(p, work, e)


@kernel
def error(p, tab, s, task, work, h):
    """Error of the step to y relative to the tolerance: accept if <= 1."""
    y = p.y
    row = tab.shape[STAGES] + tab.shape[EXTRA] + 1
    atol, rtol = task.real[ATOL], task.real[RTOL]
    row_sum(work.e, s.k, tab.coef, tab.index, tab.start[row], tab.start[row + 1])
    judged(p, work, work.e)
    e5 = mean_square(work.e, s.x, y, task.weight, task.cap, atol, rtol)
    if tab.shape[ERRORS] == 1:
        return h * math.sqrt(e5)
    row_sum(work.e3, s.k, tab.coef, tab.index, tab.start[row + 1], tab.start[row + 2])
    judged(p, work, work.e3)
    e3 = mean_square(work.e3, s.x, y, task.weight, task.cap, atol, rtol)
    both = e5 + 0.01 * e3
    if both == 0.0:
        return 0.0
    return h * e5 / math.sqrt(both)


@kernel
def factor_after_accept(tab, s, err, after_reject):
    """Step size factor after an accepted step; remembers the error."""
    factor = GROW
    if err > 0.0:
        factor = SAFETY * err ** -tab.real[ALPHA]
        if tab.real[BETA] != 0.0:
            factor *= s.real[ERR_OLD] ** tab.real[BETA]
    s.real[ERR_OLD] = max(err, 1e-4)
    return max(SHRINK, min(factor, 1.0 if after_reject else GROW))


@kernel
def factor_inside(tab, work):
    """Step size factor that the interpolant of the step allows."""
    rough = work.step[ROUGH]
    return max(SHRINK, SAFETY * rough ** -tab.real[ALPHA]) if rough > SOME else GROW


@kernel
def factor_after_reject(tab, err):
    """Step size factor after a step whose error was too large (err > 1)."""
    return max(SHRINK, SAFETY * err ** -tab.real[ALPHA])


@kernel
def starting_step(p, tab, s, task, work):
    """First step size from (T, x) with derivative k_1; uses one or a few calls of the right-hand side."""
    atol, rtol, t0 = task.real[ATOL], task.real[RTOL], s.real[T]
    x, e = s.x, work.e
    f = s.k[:x.size]
    span = task.times[task.times.size - 1] - t0
    limit = min(span, task.real[H_MAX]) if task.real[H_MAX] > 0.0 else span
    copy(e, x)
    d0 = math.sqrt(mean_square(e, x, x, task.weight, task.cap, atol, rtol))
    copy(e, f)
    d1 = math.sqrt(mean_square(e, x, x, task.weight, task.cap, atol, rtol))
    h0 = 1e-6
    if d0 > 1e-5 and d1 > 1e-5:
        h0 = 0.01 * d0 / d1
    h0 = min(h0, limit)
    d2 = 0.0
    for _ in range(10):
        for i in range(x.size):
            p.y[i] = x[i] + h0 * f[i]
        p.t[0] = t0 + h0
        status = call(p.handle[RHS])
        s.count[CALLS] += 1
        if status == 0 and all_finite(p.ydot):
            for i in range(x.size):
                e[i] = p.ydot[i] - f[i]
            d2 = math.sqrt(mean_square(e, x, x, task.weight, task.cap, atol, rtol)) / h0
            break
        h0 *= 0.1
    rate = max(d1, d2)
    h1 = max(1e-6, h0 * 1e-3)
    if rate > 1e-15:
        h1 = (0.01 / rate) ** (1.0 / (tab.shape[ERROR_ORDER] + 1.0))
    return min(min(100.0 * h0, h1), limit)


@kernel
def stiffness(tab, s, work, h):
    """|h lambda| of a step whose solution is y_new, before anything is handed over."""
    stages = tab.shape[STAGES]
    n = s.x.size
    y, e = work.y_new, work.e
    stage(e, s.x, h, s.k, tab.coef, tab.index, tab.start[stages - 1], tab.start[stages])
    last = s.k[(stages - 1) * n:stages * n]
    end = s.k[stages * n:(stages + 1) * n]
    dy, df = 0.0, 0.0
    for i in range(n):
        a = y[i] - e[i]
        b = end[i] - last[i]
        dy += a * a
        df += b * b
    return h * math.sqrt(df / dy) if dy > 0.0 else 0.0


@kernel
def watch_stiffness(tab, s, work, size):
    """Count a step with this |h lambda|; the problem is stiff once enough of them lie beyond the border.

    Where the interpolant holds the steps back (dense.py), they never reach the border of stability: there less is enough.
    """
    border = tab.real[STIFF_BORDER]
    if work.step[ROUGH] > SOME:
        border *= HELD_BACK
    if size > border:
        s.count[STIFF_HITS] += 1
        s.count[STIFF_MISSES] = 0
        if s.count[STIFF_HITS] >= 15:
            s.count[IS_STIFF] = 1
    elif s.count[STIFF_HITS] > 0:
        s.count[STIFF_MISSES] += 1
        if s.count[STIFF_MISSES] >= 6:
            s.count[STIFF_HITS] = 0
            s.count[STIFF_MISSES] = 0
    return s.count[IS_STIFF]
