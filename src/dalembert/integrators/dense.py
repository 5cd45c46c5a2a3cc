"""Dense output: the solution anywhere inside an accepted step (formulas in tableaus.py).

``prepare`` evaluates the extra stages, if the method has any, and the coefficients r_1 ... r_{3+m}; it is
called only for steps in which an output time or an event falls.  With a projection, y and k_{s+1} belong to
the projected end of the step, so the interpolant is continuous with its derivative from step to step, and
every point is projected itself.

Is the interpolant as good as the step?  Error control sees the ends alone.  Where a time constant of the system holds the steps
at the border of stability (h lambda = -5 ... -7), the estimate of DOP853 passes through zero, and a deviation that it misses is
multiplied by 10 ... 100 between the ends: values there missed by 1e3 ... 1e5 tolerances, ends by less than one.  The
interpolant u takes its extra stages in by collocation, u'(c_q) = f(t_q, Y_q), so its defect at the last of them (c = 7/9, next to
where its error is largest) is

    delta = u' - f(u) = f(Y_q) - f(u(c_q))

For y' = lambda (y - g(t)) + g', h lambda in the left half plane, |h lambda| <= 14, and g from slow to one radian per step, the
largest error in the step lies between h |delta| / 17 and h |delta| / 5, and below |Y_q - u(c_q)|, which costs nothing.  So:

    |Y_q - u(c_q)| <= INSIDE                     no further question (1 is the tolerance of a step, in the norm of its error)
    else one evaluation of f at u(c_q):          rough = h |delta| / 8 / INSIDE
    rough > 1                                    the step is repeated, shorter: part 0.9 rough^-alpha
    rough > 0.3                                  the next step is at most this part of it (control.py)

INSIDE = 10 tolerances of a step: steps of models that are not stiff stay the same to the bit, for 1 ... 5 % more evaluations.
Methods without extra stages need nothing of that: the interpolants of DP54 and Kutta's rule stay below 4 estimates
(tests/integrators/test_between.py).
Shorter steps, and not points found in another way: the interpolant is what events are looked for in, and what the discrete
adjoint goes back through (backward.py).  With FIXED nothing is judged.
"""

from __future__ import annotations

import math

from .._jit import call, inline, kernel
from .control import judged, mean_square
from .layout import ATOL, CALLS, DENSE, ERRORS, EXTRA, FIXED, INSIDE, PROJECT, PROJECTIONS, RHS, ROUGH, RTOL, STAGES
from .stages import copy, put, row_sum, stage

DEFECT = 8.0  # h |delta| over the largest error in the step


@kernel
def prepare(p, tab, s, task, work):
    """Coefficients of the interpolant of the step from x to y_new; status of the right-hand side."""
    if tab.shape[DENSE] < 0:  # the method has laid down its own polynomial
        return 0
    t0, h = work.step[0], work.step[2]
    stages, extra = tab.shape[STAGES], tab.shape[EXTRA]
    n = s.x.size
    for q in range(stages + 1, stages + 1 + extra):
        stage(p.y, s.x, h, s.k, tab.coef, tab.index, tab.start[q], tab.start[q + 1])
        if q == stages + extra:
            copy(work.e, p.y)
        p.t[0] = t0 + tab.c[q] * h
        status = call(p.handle[RHS])
        s.count[CALLS] += 1
        if status != 0:
            return status
        put(s.k, q, p.ydot)
    k1 = s.k[:n]
    end = s.k[stages * n:(stages + 1) * n]
    r1, r2, r3 = work.r[:n], work.r[n:2 * n], work.r[2 * n:3 * n]
    for i in range(n):
        difference = work.y_new[i] - s.x[i]
        r1[i] = difference
        r2[i] = h * k1[i] - difference
        r3[i] = difference - h * end[i] - r2[i]
    row = stages + 1 + extra + tab.shape[ERRORS]
    for m in range(tab.shape[DENSE]):
        r = work.r[(3 + m) * n:(4 + m) * n]
        row_sum(r, s.k, tab.coef, tab.index, tab.start[row + m], tab.start[row + m + 1])
        for i in range(n):
            r[i] *= h
    if extra > 0 and task.option[FIXED] == 0:
        return judge(p, tab, s, task, work, stages + extra)
    return 0


@kernel
def judge(p, tab, s, task, work, q):
    """How rough the interpolant is, into work.step[ROUGH]; work.e holds the last extra stage, whose number is q."""
    t0, h = work.step[0], work.step[2]
    n = s.x.size
    e, atol, rtol, allowed = work.e, task.real[ATOL], task.real[RTOL], tab.real[INSIDE]
    interpolate(p.y, s.x, work.r, work.r.size // n, tab.c[q])
    for i in range(n):
        e[i] -= p.y[i]
    if mean_square(e, s.x, work.y_new, task.weight, task.cap, atol, rtol) <= allowed * allowed:
        return 0
    p.t[0] = t0 + tab.c[q] * h
    status = call(p.handle[RHS])
    s.count[CALLS] += 1
    if status != 0:
        return status
    last = s.k[q * n:(q + 1) * n]
    for i in range(n):
        e[i] = h * (p.ydot[i] - last[i])
    judged(p, work, e)
    work.step[ROUGH] = math.sqrt(mean_square(e, s.x, work.y_new, task.weight, task.cap, atol, rtol)) / (DEFECT * allowed)
    return 0


@kernel
def interpolate(y, x, r, terms, u):
    """y = x + u (r_1 + (1 - u) (r_2 + u (r_3 + ...)))."""
    n = y.size
    top = r[(terms - 1) * n:terms * n]
    for i in range(n):
        y[i] = top[i]
    for m in range(terms - 2, -1, -1):
        weight = u if m % 2 == 1 else 1.0 - u
        row = r[m * n:(m + 1) * n]
        for i in range(n):
            y[i] = row[i] + weight * y[i]
    for i in range(n):
        y[i] = x[i] + u * y[i]
    return 0


@kernel
def place(t, y, step, x, y_new, r, count, project, u):
    """Body of ``point``, with single arrays: they cross a call far faster than whole structs."""
    if u >= 1.0:
        t[0] = step[1]
        copy(y, y_new)
        return 0
    t[0] = step[0] + u * step[2]
    interpolate(y, x, r, r.size // x.size, u)
    if project == 0:
        return 0
    count[PROJECTIONS] += 1
    return call(project)


@inline
def point(p, s, work, u):
    """Put time and state at u in [0, 1] of the step into t and y, projected; u = 1 needs no ``prepare``."""
    return place(p.t, p.y, work.step, s.x, work.y_new, work.r, s.count, p.handle[PROJECT], u)
