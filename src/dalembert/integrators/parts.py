"""A step in two parts: the motion alone first, what is carried with it only where the motion is accepted.

z = (y, what is carried), as in runs with tangents: the rates of y do not depend on what is carried, and those of what is carried
cost more than those of y.  A quarter of all attempts is rejected; of these only y is computed.

    1   stages and error of y alone:  Σ_y (e_i/sc_i)² / n,  a part of the whole sum, as large as in a run of y by itself
    2   stages of what is carried, at the stages of y (kept, as their rates); its part of the error; then on as any explicit
        step (explicit.py)

The owner of the equations gives, for each stage, the entry that computes the rates of y and the entry that computes those of what
is carried, with whatever the first found (its factors) still there.  The last stage is computed where the integrator's other
entries look: errors along a manifold are cut by it (control.py: cut).

What is carried is a multiple of LANES numbers long (tangents of WIDTH lanes); its sums go by bundles.  Methods whose error needs
the end of the step or has one estimate alone, and fixed steps, take their steps in one part.
"""

from __future__ import annotations

import math

import numpy as np

from .._jit import LANES, Bound, bundle, call, entry, get, kernel, put, struct
from .contract import Parted
from .control import error, factor_after_accept, factor_after_reject, factor_inside, mean_square, stiffness, watch_stiffness
from .explicit import NEAR, STIFF_EVERY
from .layout import (
    AFTER_REJECT,
    ATOL,
    CALLS,
    ERROR_USES_END,
    ERRORS,
    EXTRA,
    FIXED,
    H_MAX,
    POOR,
    QUALITY,
    ROUGH,
    RTOL,
    STAGES,
    STEPS,
    STIFF_HITS,
    TANGENT,
    WORST,
    H,
    Log,
    Shared,
    State,
    T,
    Tableau,
    Task,
    Work,
)
from .loop import ahead, close_step, commit, hand_over, refuse, shrink
from .stages import copy
from .status import EVENT, NOT_FINITE, OK

Parts = struct("Parts", {"motion": "i8", "carried": "i8",  # rates of y, by stages; of what is carried, by groups and stages
                         "size": "i8",  # of y; of a group of what is carried
                         "stages": "f8", "zero": "f8"})  # of y; as long as what is carried


@kernel
def part_sum(out, k, n, coef, index, first, last):
    """row_sum (stages.py) of the first out.size components of rows of n."""
    m = out.size
    for b in range(first, last, 4):
        c0, c1, c2, c3 = coef[b], coef[b + 1], coef[b + 2], coef[b + 3]
        i0, i1, i2, i3 = index[b] * n, index[b + 1] * n, index[b + 2] * n, index[b + 3] * n
        k0, k1, k2, k3 = k[i0:i0 + m], k[i1:i1 + m], k[i2:i2 + m], k[i3:i3 + m]
        if b == first:
            for i in range(m):
                out[i] = (c0 * k0[i] + c1 * k1[i]) + (c2 * k2[i] + c3 * k3[i])
        else:
            for i in range(m):
                out[i] += (c0 * k0[i] + c1 * k1[i]) + (c2 * k2[i] + c3 * k3[i])


@kernel
def wide_sum(out, x, h, k, n, coef, index, first, last):
    """out = x + h * row_sum of the first out.size components of rows of n: as many bundles (_jit/lanes.py)."""
    one, m = bundle(), out.size
    count = m // LANES
    before = x
    for b in range(first, last, 8):
        c0, c1, c2, c3 = h * coef[b], h * coef[b + 1], h * coef[b + 2], h * coef[b + 3]
        i0, i1, i2, i3 = index[b] * n, index[b + 1] * n, index[b + 2] * n, index[b + 3] * n
        k0, k1, k2, k3 = k[i0:i0 + m], k[i1:i1 + m], k[i2:i2 + m], k[i3:i3 + m]
        if b + 4 < last:
            c4, c5, c6, c7 = h * coef[b + 4], h * coef[b + 5], h * coef[b + 6], h * coef[b + 7]
            i4, i5, i6, i7 = index[b + 4] * n, index[b + 5] * n, index[b + 6] * n, index[b + 7] * n
            k4, k5, k6, k7 = k[i4:i4 + m], k[i5:i5 + m], k[i6:i6 + m], k[i7:i7 + m]
            for i in range(count):
                z = (c0 * get(one, k0, i) + c1 * get(one, k1, i)) + (c2 * get(one, k2, i) + c3 * get(one, k3, i))
                u = (c4 * get(one, k4, i) + c5 * get(one, k5, i)) + (c6 * get(one, k6, i) + c7 * get(one, k7, i))
                put(one, out, i, get(one, before, i) + (z + u))
        else:
            for i in range(count):
                z = (c0 * get(one, k0, i) + c1 * get(one, k1, i)) + (c2 * get(one, k2, i) + c3 * get(one, k3, i))
                put(one, out, i, get(one, before, i) + z)
        before = out


@kernel
def motion(p, tab, s, work, c, t0, t1, h):
    """Stages 2 … s of y alone, and its solution, kept one behind the other; work.step[WORST] as in explicit.py."""
    stages, n, m = tab.shape[STAGES], s.x.size, c.size[0]
    work.step[WORST] = 1.0
    y, x, rates = p.y[:m], s.x[:m], p.ydot[:m]
    for q in range(1, stages + 1):
        part_sum(y, s.k, n, tab.coef, tab.index, tab.start[q], tab.start[q + 1])
        for i in range(m):
            y[i] = x[i] + h * y[i]
        copy(c.stages[q * m:(q + 1) * m], y)
        if q == stages:
            break
        p.t[0] = t1 if tab.c[q] == 1.0 else t0 + tab.c[q] * h
        s.count[CALLS] += 1
        status = call(c.motion[q])
        if status != 0:
            return status
        copy(s.k[q * n:q * n + m], rates)
        work.step[WORST] = min(work.step[WORST], p.quality[0])
    return 0


@kernel
def carried(p, tab, s, c, t0, t1, h):
    """The same stages of what is carried, and its solution; one group of it after the other, whose arrays stay near."""
    stages, n, m = tab.shape[STAGES], s.x.size, c.size[0]
    y, rates, each = p.y[:m], p.ydot[:m], c.size[1]
    for first in range(m, n, each):
        last, at = first + each, (first - m) // each * stages
        z, x, slopes = p.y[first:last], s.x[first:last], p.ydot[first:last]
        for q in range(1, stages + 1):
            wide_sum(z, x, h, s.k[first:], n, tab.coef, tab.index, tab.start[q], tab.start[q + 1])
            if q == stages:
                break
            copy(y, c.stages[q * m:(q + 1) * m])
            copy(rates, s.k[q * n:q * n + m])
            p.t[0] = t1 if tab.c[q] == 1.0 else t0 + tab.c[q] * h
            status = call(c.carried[at + q])
            if status != 0:
                return status
            copy(s.k[q * n + first:q * n + last], slopes)
    copy(y, c.stages[stages * m:(stages + 1) * m])
    return 0


@kernel
def motion_square(p, tab, s, task, e, row):
    """Σ_y (e_i/sc_i)² of an error row; along the manifold where equations of it are left out, or singular (control.py)."""
    m = e.size
    part_sum(e, s.k, s.x.size, tab.coef, tab.index, tab.start[row], tab.start[row + 1])
    if p.handle[TANGENT] != 0 and p.quality[1] != 0.0:
        copy(p.ydot[:m], e)
        call(p.handle[TANGENT])
        copy(e, p.ydot[:m])
    return m * mean_square(e, s.x[:m], p.y[:m], task.weight[:m], task.cap[:m], task.real[ATOL], task.real[RTOL])


@kernel
def carried_square(p, tab, s, task, c, e, row):
    """The same sum over what is carried."""
    m = c.size[0]
    wide_sum(e, c.zero, 1.0, s.k[m:], s.x.size, tab.coef, tab.index, tab.start[row], tab.start[row + 1])
    return e.size * mean_square(e, s.x[m:], p.y[m:], task.weight[m:], task.cap[m:], task.real[ATOL], task.real[RTOL])


@kernel
def combined(e5, e3, h):
    """The error of a step from the mean squares of its two estimates (control.py: error)."""
    both = e5 + 0.01 * e3
    return h * e5 / math.sqrt(both) if both != 0.0 else 0.0


@kernel
def attempt(p, tab, s, task, log, work, c):
    """Try one step, in two parts; OK means go on (accepted, or to be repeated with a smaller step)."""
    t0, planned, m = s.real[T], s.real[H], c.size[0]
    status, t1, h, last = ahead(s, work)
    if status != OK:
        return status
    n, row = s.x.size, tab.shape[STAGES] + tab.shape[EXTRA] + 1
    err, ended, e5, e3 = 0.0, False, 0.0, 0.0
    status = motion(p, tab, s, work, c, t0, t1, h)
    closed = p.handle[TANGENT] != 0 and work.step[WORST] < POOR
    if status == 0 and not closed:
        e5 = motion_square(p, tab, s, task, work.e[:m], row) / n
        e3 = motion_square(p, tab, s, task, work.e3[:m], row + 1) / n
        err = combined(e5, e3, h)
        if not err < 1e300:
            status = NOT_FINITE
        elif err > 1.0:
            return shrink(s, h * factor_after_reject(tab, err), OK)
    if status == 0:
        status = carried(p, tab, s, c, t0, t1, h)
    if status == 0 and closed:
        status = close_step(p, tab, s, t1)
    if status == 0:
        if closed:
            err = error(p, tab, s, task, work, h)
        else:
            e5 += carried_square(p, tab, s, task, c, work.e[m:], row) / n
            e3 += carried_square(p, tab, s, task, c, work.e3[m:], row + 1) / n
            err = combined(e5, e3, h)
        if not err < 1e300:
            status = NOT_FINITE
        elif err > 1.0:
            return shrink(s, h * factor_after_reject(tab, err), OK)
        elif closed and not last and p.quality[0] < min(NEAR, 0.01 * s.real[QUALITY]):
            return shrink(s, 0.8 * h, OK)
    if status == 0 and not closed:
        status = close_step(p, tab, s, t1)
    quality = p.quality[0]
    if status == 0:
        copy(work.y_new, p.y)
        work.step[0], work.step[1], work.step[2] = t0, t1, h
        work.step[ROUGH] = 0.0
        watched = s.count[STIFF_HITS] > 0 or s.count[STEPS] % STIFF_EVERY == 0
        size = stiffness(tab, s, work, h) if watched else 0.0
        status = hand_over(p, s, task, work)
        if watched:
            watch_stiffness(tab, s, work, size)
        ended = status == EVENT
    if status != 0 and not ended:
        return refuse(s, work, h, False, status)
    h_new = h * min(factor_after_accept(tab, s, err, s.count[AFTER_REJECT] != 0), factor_inside(tab, work))
    if last:
        h_new = max(h_new, planned)
    s.real[H] = min(h_new, task.real[H_MAX]) if task.real[H_MAX] > 0.0 else h_new
    commit(tab, s, work, quality)
    return EVENT if ended else OK


ATTEMPT = entry("parts", "attempt", attempt, Shared, Tableau, State, Task, Log, Work, Parts, module=__name__)


class InParts(Parted):
    """What an explicit method needs to take its steps in two parts: ``linear`` of solve."""

    def __init__(self, size: int, motion: list[Bound], carried: list[list[Bound]]):
        """``size``: of y; ``motion``: the entries of the stages, from the second on; ``carried``: those of each group of what is
        carried, which all are as long."""
        self._alive = motion, carried
        handles = [np.array([x for some in groups for x in (0, *(b.handle for b in some))], np.int64)
                   for groups in ([motion], carried)]
        self.parts = Parts(*handles, np.array([size, 0], np.int64), np.zeros(0), np.zeros(0))
        self.groups = len(carried)

    def attempt(self, shared, tableau, state, task, log, work) -> Bound | None:
        if task.option[FIXED] or tableau.shape[ERROR_USES_END] or tableau.shape[ERRORS] != 2:
            return None
        size = int(self.parts.size[0])
        rest = state.x.size - size
        parts = self.parts._replace(stages=np.zeros(size * (int(tableau.shape[STAGES]) + 1)), zero=np.zeros(rest),
                                    size=np.array([size, rest // self.groups], np.int64))
        return ATTEMPT.bind(shared, tableau, state, task, log, work, parts)
