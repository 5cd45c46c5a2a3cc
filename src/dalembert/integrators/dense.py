"""Dense output: the solution anywhere inside an accepted step (formulas in tableaus.py).

``prepare`` evaluates the extra stages, if the method has any, and the coefficients r_1 ... r_{3+m}; it is
called only for steps in which an output time or an event falls.  With a projection, y and k_{s+1} belong to
the projected end of the step, so the interpolant is continuous with its derivative from step to step, and
every point is projected itself.
"""

from __future__ import annotations

from .._jit import call, inline, kernel
from .layout import CALLS, DENSE, ERRORS, EXTRA, PROJECT, PROJECTIONS, RHS, STAGES
from .stages import copy, put, row_sum, stage


@kernel
def prepare(p, tab, s, work):
    """Coefficients of the interpolant of the step from x to y_new; status of the right-hand side."""
    if tab.shape[DENSE] < 0:  # the method has laid down its own polynomial
        return 0
    t0, h = work.step[0], work.step[2]
    stages, extra = tab.shape[STAGES], tab.shape[EXTRA]
    n = s.x.size
    for q in range(stages + 1, stages + 1 + extra):
        stage(p.y, s.x, h, s.k, tab.coef, tab.index, tab.start[q], tab.start[q + 1])
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
