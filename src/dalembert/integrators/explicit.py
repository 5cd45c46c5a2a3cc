"""The compiled time loop of the explicit Runge-Kutta methods (tableaus.py).

One attempt: stages -> solution -> error -> project the end and take its derivative -> events and outputs -> commit.
A right-hand side or projection that fails at a trial point (singular, not converged, not finite) makes the attempt
fail: it is repeated with a fifth of the step, and the failure is reported if the step becomes too small.

The derivative k_{s+1} at the projected end of a step is k_1 of the next one.  Dormand-Prince needs it in the error
estimate, so there the projection comes before the error test; DOP853 does not, so a rejected step is never projected.

Nothing is committed to ``State`` before all of a step has succeeded, and ``State`` is all the next step depends on:
stopping after any step and continuing gives the same bits.  The loop ends exactly on the last output time.
"""

from __future__ import annotations

from .._jit import call, entry, kernel
from .control import (
    SHRINK,
    error,
    factor_after_accept,
    factor_after_reject,
    starting_step,
    watch_stiffness,
)
from .dense import point, prepare
from .events import EPSILON, first_terminal, locate_all, next_event, suspects
from .layout import (
    AFTER_REJECT,
    CALLS,
    CAUSE,
    ERR_OLD,
    ERROR_USES_END,
    EVENT_CALLS,
    EVENTS,
    FIXED,
    H_FIRST,
    H_MAX,
    LOGGED,
    MAX_STEPS,
    NEXT,
    PROJECT,
    PROJECTIONS,
    REJECTED,
    RHS,
    STAGES,
    STARTED,
    STEP_BUDGET,
    STEPS,
    STIFF_HITS,
    STOP_IF_STIFF,
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

STIFF_EVERY = 10  # accepted steps between two tests for stiffness


@kernel
def derivative(p, s, t):
    """Evaluate the right-hand side at (t, y)."""
    p.t[0] = t
    s.count[CALLS] += 1
    return call(p.handle[RHS])


@kernel
def run_stages(p, tab, s, t0, t1, h):
    """Stages 2 ... s, then the solution into y."""
    stages = tab.shape[STAGES]
    rhs = p.handle[RHS]
    for q in range(1, stages):
        stage(p.y, s.x, h, s.k, tab.coef, tab.index, tab.start[q], tab.start[q + 1])
        p.t[0] = t1 if tab.c[q] == 1.0 else t0 + tab.c[q] * h
        status = call(rhs)
        if status != 0:
            s.count[CALLS] += q
            return status
        put(s.k, q, p.ydot)
    s.count[CALLS] += stages - 1
    stage(p.y, s.x, h, s.k, tab.coef, tab.index, tab.start[stages], tab.start[stages + 1])
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
    status = derivative(p, s, t1)
    if status != 0:
        return status
    if not (all_finite(p.ydot) and all_finite(p.y)):
        return NOT_FINITE
    put(s.k, tab.shape[STAGES], p.ydot)
    return 0


@kernel
def failed(s, task, status, h):
    """A trial point could not be evaluated: a smaller step, or the end of the run."""
    if task.option[FIXED] != 0 or status > NOT_FINITE or status < 0:
        return status
    s.real[H] = SHRINK * h
    s.count[REJECTED] += 1
    s.count[AFTER_REJECT] = 1
    s.count[CAUSE] = status
    return OK


@kernel
def store_outputs(p, tab, s, task, work, t0, t1, h, t_stop, ready):
    """Outputs at the requested times up to t_stop; returns the next output's number and a status."""
    n = s.x.size
    j = s.count[NEXT]
    while j < task.times.size and task.times[j] <= t_stop:
        u = 1.0
        if task.times[j] < t1:
            u = (task.times[j] - t0) / h
            if not ready:
                status = prepare(p, tab, s, work, t0, h)
                if status != 0:
                    return j, status
                ready = True
        status = point(p, tab, s, work, t0, t1, h, u)
        if status != 0:
            return j, status
        copy(task.out[j * n:(j + 1) * n], p.y)
        j += 1
    return j, 0


@kernel
def log_events(p, tab, s, log, work, t0, t1, h, u_stop):
    """Append the events of this step up to u_stop in order of time; returns the length of the log and a status."""
    n = s.x.size
    size = s.count[LOGGED]
    k = next_event(work, u_stop)
    while k >= 0:
        status = point(p, tab, s, work, t0, t1, h, work.root[k])
        if status != 0:
            return size, status
        log.t[size] = p.t[0]
        log.index[size] = k
        copy(log.y[size * n:(size + 1) * n], p.y)
        size += 1
        work.root[k] = 3.0  # taken
        k = next_event(work, u_stop)
    return size, 0


@kernel
def deliver(p, tab, s, task, log, work, t0, t1, h):
    """Events and outputs of an accepted step; leaves the point where the step ends in t, y.  Returns (ended, status)."""
    u_stop, t_stop, ready, found, ended = 1.0, t1, False, 0, False
    if s.g.size > 0:
        s.count[EVENT_CALLS] += 1
        p.t[0] = t1
        status = call(p.handle[EVENTS])
        if status != 0:
            return ended, status
        copy(work.g_new, p.g)
        found = suspects(s, task, work)
    if found > 0:
        status = prepare(p, tab, s, work, t0, h)
        if status != 0:
            return ended, status
        ready = True
        status = locate_all(p, tab, s, task, work, t0, t1, h)
        if status != 0:
            return ended, status
        first = first_terminal(task, work)
        if first >= 0:
            ended = True
            u_stop = work.root[first]
            t_stop = t1 if u_stop >= 1.0 else t0 + u_stop * h
    j, status = store_outputs(p, tab, s, task, work, t0, t1, h, t_stop, ready)
    if status != 0:
        return ended, status
    size = s.count[LOGGED]
    if found > 0:
        size, status = log_events(p, tab, s, log, work, t0, t1, h, u_stop)
        if status != 0:
            return ended, status
    if ended:
        status = point(p, tab, s, work, t0, t1, h, u_stop)
        if status != 0:
            return ended, status
        status = call(p.handle[EVENTS])
        if status != 0:
            return ended, status
        copy(work.y_new, p.y)
        copy(work.g_new, p.g)
        status = derivative(p, s, t_stop)
        if status != 0:
            return ended, status
        put(s.k, tab.shape[STAGES], p.ydot)
    s.count[NEXT] = j
    s.count[LOGGED] = size
    p.t[0] = t_stop
    return ended, 0


@kernel
def attempt(p, tab, s, task, log, work):
    """Try one step; OK means go on (accepted, or to be repeated with a smaller step)."""
    t0, planned = s.real[T], s.real[H]
    t_end = task.times[task.times.size - 1]
    fixed = task.option[FIXED] != 0
    last = t0 + 1.01 * planned >= t_end
    t1 = t_end if last else t0 + planned
    h = t1 - t0
    if not (last or h > 10.0 * EPSILON * abs(t0)):
        return s.count[CAUSE] if s.count[CAUSE] != 0 else STEP_TOO_SMALL
    status = run_stages(p, tab, s, t0, t1, h)
    closed = fixed or tab.shape[ERROR_USES_END] != 0
    if status == 0 and closed:
        status = close_step(p, tab, s, t1)
    if status != 0:
        return failed(s, task, status, h)
    err = 0.0
    if not fixed:
        err = error(tab, s, task, work, p.y, h)
        if not err <= 1.0:
            if not err < 1e300:
                return failed(s, task, NOT_FINITE, h)
            s.real[H] = h * factor_after_reject(tab, err)
            s.count[REJECTED] += 1
            s.count[AFTER_REJECT] = 1
            s.count[CAUSE] = 0
            return OK
    if not closed:
        status = close_step(p, tab, s, t1)
        if status != 0:
            return failed(s, task, status, h)
    copy(work.y_new, p.y)
    stiff = 0
    if not fixed and (s.count[STIFF_HITS] > 0 or s.count[STEPS] % STIFF_EVERY == 0):
        stiff = watch_stiffness(tab, s, work, h)
    ended, status = deliver(p, tab, s, task, log, work, t0, t1, h)
    if status != 0:
        return failed(s, task, status, h)
    if not fixed:
        h_new = h * factor_after_accept(tab, s, err, s.count[AFTER_REJECT] != 0)
        if last:
            h_new = max(h_new, planned)
        s.real[H] = min(h_new, task.real[H_MAX]) if task.real[H_MAX] > 0.0 else h_new
    n = s.x.size
    stages = tab.shape[STAGES]
    s.real[T] = p.t[0]
    copy(s.x, work.y_new)
    put(s.k, 0, s.k[stages * n:(stages + 1) * n])
    copy(s.g, work.g_new)
    s.count[STEPS] += 1
    s.count[AFTER_REJECT] = 0
    s.count[CAUSE] = 0
    if ended:
        return EVENT
    return STIFF if stiff != 0 and task.option[STOP_IF_STIFF] != 0 else OK


@kernel
def start(p, tab, s, task, work):
    """Derivative, event functions, first outputs and first step size at the initial point (t, y)."""
    n = p.y.size
    s.real[T] = p.t[0]
    s.real[ERR_OLD] = 1e-4
    copy(s.x, p.y)
    status = derivative(p, s, s.real[T])
    if status != 0:
        return status
    if not (all_finite(p.ydot) and all_finite(p.y)):
        return NOT_FINITE
    put(s.k, 0, p.ydot)
    if s.g.size > 0:
        s.count[EVENT_CALLS] += 1
        status = call(p.handle[EVENTS])
        if status != 0:
            return status
        copy(s.g, p.g)
    j = s.count[NEXT]
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
def loop(p, tab, s, task, log, work):
    """Attempts until the end, a reason to stop, or the budget of this call is used up."""
    t_end = task.times[task.times.size - 1]
    for _ in range(task.option[STEP_BUDGET]):
        if s.real[T] >= t_end:
            return OK
        if task.stop[0] != 0:
            return STOPPED
        if s.count[STEPS] + s.count[REJECTED] >= task.option[MAX_STEPS]:
            return TOO_MANY_STEPS
        if s.count[LOGGED] + s.g.size > log.t.size:
            return BUDGET
        status = attempt(p, tab, s, task, log, work)
        if status != OK:
            return status
    return OK if s.real[T] >= t_end else BUDGET


@kernel
def advance(p, tab, s, task, log, work):
    """Integrate on from ``State``; afterwards t, y and ydot hold the last accepted point."""
    if s.count[STARTED] == 0:
        status = start(p, tab, s, task, work)
        if status != OK:
            return status
    status = loop(p, tab, s, task, log, work)
    p.t[0] = s.real[T]
    copy(p.y, s.x)
    copy(p.ydot, s.k[:s.x.size])
    return status


ADVANCE = entry("integrators", "advance", advance, Shared, Tableau, State, Task, Log, Work, module=__name__)
