"""The compiled time loop of the explicit Runge-Kutta methods (tableaus.py).

One attempt: stages -> solution -> error -> project the end and take its derivative -> events and outputs ->
commit. A right-hand side or projection that fails at a trial point (singular, not converged, not finite)
makes the attempt fail: it is repeated with a fifth of the step, and the failure is reported if the step
becomes too small.

Where a stage came near to a singular point of the right-hand side, only the part of the error along the manifold counts
(control.py).  A step that would end next to a singular point is shortened, so that the next one steps over that point:
where the right-hand side is nearly singular, rounding alone makes every further step fail.

The derivative k_{s+1} at the projected end of a step is k_1 of the next one.  Dormand-Prince needs it in the
error estimate, so there the projection comes before the error test; DOP853 does not, so a rejected step is
never projected.

``State`` is all the next step depends on, and the point in it moves only when all of a step has succeeded:
stopping after any attempt and continuing gives the same bits.  The loop ends exactly on the last output time.
"""

from __future__ import annotations

from .._jit import call, entry, kernel
from .control import SHRINK, error, factor_after_accept, factor_after_reject, starting_step, watch_stiffness
from .delivery import deliver
from .events import EPSILON
from .layout import (
    AFTER_REJECT,
    CALLS,
    CAUSE,
    DELIVER,
    ERR_OLD,
    ERROR_USES_END,
    EVENT_CALLS,
    EVENTS,
    FIXED,
    H_FIRST,
    H_MAX,
    IS_STIFF,
    LOGGED,
    MAX_STEPS,
    NEXT,
    POOR,
    PROJECT,
    PROJECTIONS,
    QUALITY,
    REJECTED,
    RHS,
    STAGES,
    STARTED,
    STEP_BUDGET,
    STEPS,
    STIFF_HITS,
    STOP_IF_STIFF,
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
from .stages import all_finite, copy, put, stage
from .status import BUDGET, EVENT, NOT_FINITE, OK, STEP_TOO_SMALL, STIFF, STOPPED, TOO_MANY_STEPS

NEAR = 1e-6  # a step is not ended where the right-hand side is this near to singular, if it started far from it
STIFF_EVERY = 10  # accepted steps between two tests for stiffness


@kernel
def run_stages(p, tab, s, work, t0, t1, h):
    """Stages 2 ... s, then the solution into y; work.step[WORST] is how near to singular they came."""
    work.step[WORST] = 1.0
    stages = tab.shape[STAGES]
    rhs = p.handle[RHS]
    for q in range(1, stages + 1):
        stage(p.y, s.x, h, s.k, tab.coef, tab.index, tab.start[q], tab.start[q + 1])
        if q == stages:
            break
        p.t[0] = t1 if tab.c[q] == 1.0 else t0 + tab.c[q] * h
        s.count[CALLS] += 1
        status = call(rhs)
        if status != 0:
            return status
        put(s.k, q, p.ydot)
        work.step[WORST] = min(work.step[WORST], p.quality[0])
    return 0


@kernel
def close_step(p, tab, s, t1):
    """Project y at the end of the step and take its derivative as k_{s+1}."""
    p.t[0] = t1
    if p.handle[PROJECT] != 0:
        s.count[PROJECTIONS] += 1
        status = call(p.handle[PROJECT])
        if status != 0:
            return status
    s.count[CALLS] += 1
    status = call(p.handle[RHS])
    if status != 0:
        return status
    if not (all_finite(p.ydot) and all_finite(p.y)):
        return NOT_FINITE
    put(s.k, tab.shape[STAGES], p.ydot)
    return 0


@kernel
def shrink(s, h, cause):
    """Repeat the attempt with the smaller step h."""
    s.real[H] = h
    s.count[REJECTED] += 1
    s.count[AFTER_REJECT] = 1
    s.count[CAUSE] = cause
    return OK


@kernel
def attempt(p, tab, s, task, work):
    """Try one step; OK means go on (accepted, or to be repeated with a smaller step)."""
    t0, planned = s.real[T], s.real[H]
    t_end = task.times[task.times.size - 1]
    fixed = task.option[FIXED] != 0
    last = t0 + 1.01 * planned >= t_end
    t1 = t_end if last else t0 + planned
    h = t1 - t0
    if not (last or h > 10.0 * EPSILON * abs(t0)):
        return s.count[CAUSE] if s.count[CAUSE] != 0 else STEP_TOO_SMALL
    err, ended = 0.0, False
    status = run_stages(p, tab, s, work, t0, t1, h)
    closed = fixed or tab.shape[ERROR_USES_END] != 0 or (p.handle[TANGENT] != 0 and work.step[WORST] < POOR)
    if status == 0 and closed:
        status = close_step(p, tab, s, t1)
    if status == 0 and not fixed:
        err = error(p, tab, s, task, work, h)
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
        if not fixed and (s.count[STIFF_HITS] > 0 or s.count[STEPS] % STIFF_EVERY == 0):
            watch_stiffness(tab, s, work, h)
        if s.g.size > 0 or task.times[s.count[NEXT]] <= t1:
            status = call(p.handle[DELIVER])
            ended = status == EVENT
    if status != 0 and not ended:
        reducible = not fixed and 0 < status <= NOT_FINITE
        return shrink(s, SHRINK * h, status) if reducible else status
    if not fixed:
        h_new = h * factor_after_accept(tab, s, err, s.count[AFTER_REJECT] != 0)
        if last:
            h_new = max(h_new, planned)
        s.real[H] = min(h_new, task.real[H_MAX]) if task.real[H_MAX] > 0.0 else h_new
    n = s.x.size
    stages = tab.shape[STAGES]
    s.real[T] = work.step[1]
    s.real[QUALITY] = quality
    copy(s.x, work.y_new)
    put(s.k, 0, s.k[stages * n:(stages + 1) * n])
    copy(s.g, work.g_new)
    s.count[STEPS] += 1
    s.count[AFTER_REJECT] = 0
    s.count[CAUSE] = 0
    return EVENT if ended else OK


@kernel
def start(p, tab, s, task, work):
    """Derivative, event functions, first outputs and first step size at the initial point (t, y)."""
    n = p.y.size
    s.real[T] = p.t[0]
    s.real[ERR_OLD] = 1e-4
    s.real[QUALITY] = 0.0
    copy(s.x, p.y)
    s.count[CALLS] += 1
    status = call(p.handle[RHS])
    if status == 0 and s.g.size > 0:
        s.count[EVENT_CALLS] += 1
        status = call(p.handle[EVENTS])
    if status != 0:
        return status
    if not (all_finite(p.ydot) and all_finite(p.y)):
        return NOT_FINITE
    put(s.k, 0, p.ydot)
    copy(s.g, p.g)
    j = 0
    while j < task.times.size and task.times[j] <= s.real[T]:
        copy(task.out[j * n:(j + 1) * n], s.x)
        j += 1
    s.count[NEXT] = j
    s.real[H] = task.real[H_FIRST]
    if task.real[H_FIRST] <= 0.0 and task.times[task.times.size - 1] > s.real[T]:
        s.real[H] = starting_step(p, tab, s, task, work)
    if task.real[H_MAX] > 0.0:
        s.real[H] = min(s.real[H], task.real[H_MAX])
    s.count[STARTED] = 1
    return OK


@kernel
def advance(p, tab, s, task, log, work):
    """Attempts until the end, a reason to stop, or the budget is used up; t, y, ydot hold the last point."""
    t_end = task.times[task.times.size - 1]
    status, budget = OK, task.option[STEP_BUDGET]
    while status == OK and s.real[T] < t_end:
        if task.stop[0] != 0:
            status = STOPPED
        elif s.count[STEPS] + s.count[REJECTED] >= task.option[MAX_STEPS]:
            status = TOO_MANY_STEPS
        elif budget <= 0 or s.count[LOGGED] + s.g.size > log.t.size:
            status = BUDGET
        else:
            status = attempt(p, tab, s, task, work)
            budget -= 1
            if status == OK and s.count[IS_STIFF] != 0 and task.option[STOP_IF_STIFF] != 0:
                status = STIFF
    p.t[0] = s.real[T]
    copy(p.y, s.x)
    copy(p.ydot, s.k[:s.x.size])
    return status


START = entry("integrators", "start", start, Shared, Tableau, State, Task, Work, module=__name__)
ADVANCE = entry("integrators", "advance", advance, Shared, Tableau, State, Task, Log, Work, module=__name__)
DELIVERY = entry("integrators", "deliver", deliver, Shared, Tableau, State, Task, Log, Work, module=__name__)
