"""The loop every method shares: start, attempts until the end or a reason to stop, and what an accepted step leaves.

One attempt of a step is an entry of the method itself (explicit.py, methods/), called by handle.  It returns OK when
it was accepted or is to be repeated with a smaller step.

``State`` is all the next step depends on, and the point in it moves only when all of a step has succeeded:
stopping after any attempt and continuing gives the same bits.  The loop ends exactly on the last output time.
"""

from __future__ import annotations

from .._jit import call, entry, kernel
from .control import SHRINK, starting_step
from .delivery import deliver
from .events import EPSILON, SWITCH
from .layout import (
    AFTER_REJECT,
    ATTEMPT,
    ATTEMPTS,
    CALLS,
    CAUSE,
    CHANGED,
    DELIVER,
    ERR_OLD,
    EVENT_CALLS,
    EVENTS,
    GOES_ON,
    H_BEFORE,
    H_FIRST,
    H_MAX,
    H_OLD,
    HORIZON,
    IS_STIFF,
    LOGGED,
    MAX_STEPS,
    MAY_STICK,
    NEXT,
    PROJECT,
    PROJECTIONS,
    QUALITY,
    REJECTED,
    RHS,
    SLOW,
    SPAN,
    STAGES,
    STARTED,
    STEP_BUDGET,
    STEPS,
    STOP_IF_STIFF,
    T_WINDOW,
    UNTIL,
    H,
    Log,
    Shared,
    State,
    T,
    Tableau,
    Task,
    Work,
)
from .stages import all_finite, copy, put
from .stations import arrive, hold_back, upcoming
from .status import BUDGET, CHATTER, EVENT, KINK, NOT_CONVERGED, NOT_FINITE, OK, STEP_TOO_SMALL, STIFF, STOPPED, TOO_MANY_STEPS

LESS = 0.1
PATIENCE = 4  # accepted steps after one that did not converge of which none is longer than the one before
WINDOW, CHATTER_SPAN, AT_SWITCH = 500, 1e-6, 1e-6  # less than this part of the span in so many attempts, at a switch: chattering
LONG = 20_000  # attempts: where switches are inside functions


@kernel
def ahead(s, work):
    """Where the next step ends: a status, its end t1, its size h, and whether it arrives (rule 1 of contract.py)."""
    t0, planned, t_end = s.real[T], s.real[H], work.step[HORIZON]
    last = t0 + 1.01 * planned >= t_end
    t1 = t_end if last else t0 + planned
    h = t1 - t0
    status = OK
    if not (last or h > 10.0 * EPSILON * abs(t0)):
        status = s.count[CAUSE] if s.count[CAUSE] != 0 else STEP_TOO_SMALL
    return status, t1, h, last


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
def hold(s, h):
    """The same where Newton's method did not converge: the accepted steps that follow are no longer, for a while.

    What keeps it from converging (how far a stiff direction turns) changes slowly, while errors that are small ask for long
    steps: they would fail in turn, a third of all attempts.
    """
    shrink(s, h, NOT_CONVERGED)
    s.count[AFTER_REJECT] = PATIENCE
    return OK


@kernel
def refuse(s, work, h, fixed, status):
    """A step that failed after its error was judged: again with a smaller one, or the end."""
    if status == KINK:
        return shrink(s, work.step[GOES_ON] * h, OK)
    return shrink(s, SHRINK * h, status) if not fixed and 0 < status <= NOT_FINITE else status


@kernel
def hand_over(p, s, task, work):
    """Events and outputs of the step just computed, if there is anything to hand over: a status, EVENT when it ends there."""
    if s.g.size > 0 or task.times[s.count[NEXT]] <= work.step[1]:
        return call(p.handle[DELIVER])
    return OK


@kernel
def commit(tab, s, work, quality):
    """The step is accepted: its end, at work.step[1], is the new point."""
    n = s.x.size
    stages = tab.shape[STAGES]
    s.real[T] = work.step[1]
    s.real[QUALITY] = quality
    copy(s.x, work.y_new)
    put(s.k, 0, s.k[stages * n:(stages + 1) * n])
    copy(s.g, work.g_new)
    s.count[STEPS] += 1
    s.count[AFTER_REJECT] = max(s.count[AFTER_REJECT] - 1, 0)
    s.count[CAUSE] = 0


@kernel
def start(p, tab, s, task, log, work):
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
def cross(p, tab, s, task, log, work, k):
    """Over break k of a law, from its left side to its right."""
    copy(p.y, s.x)
    status = close_step(p, tab, s, task.stations[3 * k + 1])
    if status == 0:
        status = arrive(p, tab, s, task, log, work, k)
    return status


@kernel
def go_on(p, tab, s, task, log, work, t_end):
    """One attempt, up to the next station at most; or the way across the break the run stands at."""
    k = upcoming(task.stations, s.real[T])
    some = 3 * k < task.stations.size
    if some and task.stations[3 * k] <= s.real[T]:
        if task.stations[3 * k + 1] <= t_end:
            return cross(p, tab, s, task, log, work, k)
        some = False  # the end lies inside the break
    work.step[HORIZON] = min(t_end, task.stations[3 * k]) if some else t_end
    status = call(p.handle[ATTEMPT])
    if s.real[H_BEFORE] < 0.0:  # a switch was passed by tiny steps: go on about as before
        s.real[H] = max(s.real[H], -LESS * s.real[H_BEFORE])
        s.real[H_BEFORE] = 0.0
    if some and s.real[T] == task.stations[3 * k]:
        hold_back(s, task, k)
    return status


@kernel
def chatters(s, task, t_end):
    """Does the run stand still at a switch of a law?  Looked at every WINDOW attempts; switches come last among the events.

    Switches inside functions are not known: there a run that would not arrive within its steps, at the pace of many attempts,
    stands still.
    """
    e = s.g.size
    switches = e > 0 and task.terminal[e - 1] == SWITCH
    if not switches and task.option[MAY_STICK] == 0:
        return False
    window = WINDOW if switches else LONG
    s.count[ATTEMPTS] += 1
    if s.count[ATTEMPTS] < window:
        return False
    moved = s.real[T] - s.real[T_WINDOW]
    s.count[ATTEMPTS] = 0
    s.real[T_WINDOW] = s.real[T]
    if not switches:
        return moved * task.option[MAX_STEPS] < window * (t_end - s.real[T])
    there = False
    for k in range(e):
        there = there or (task.terminal[k] == SWITCH and abs(s.g[k]) < AT_SWITCH)
    return there and moved < CHATTER_SPAN * task.real[SPAN]


@kernel
def again(p, s):
    """The state, or a law, was changed from outside: derivative and event functions anew, nothing from before is used."""
    p.t[0] = s.real[T]
    copy(p.y, s.x)
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
    s.real[H_OLD] = -1.0
    s.count[SLOW] = 1
    s.count[AFTER_REJECT] = 0
    s.count[CAUSE] = 0
    return OK


@kernel
def advance(p, tab, s, task, log, work):
    """Attempts until the end, a reason to stop, or the budget is used up; t, y, ydot hold the last point."""
    t_end = min(task.times[task.times.size - 1], task.real[UNTIL])
    status, budget = OK, task.option[STEP_BUDGET]
    if task.option[CHANGED] != 0:
        task.option[CHANGED] = 0
        status = again(p, s)
    while status == OK and s.real[T] < t_end:
        if task.stop[0] != 0:
            status = STOPPED
        elif s.count[STEPS] + s.count[REJECTED] >= task.option[MAX_STEPS]:
            status = TOO_MANY_STEPS
        elif budget <= 0 or s.count[LOGGED] + s.g.size > log.t.size:
            status = BUDGET
        else:
            status = go_on(p, tab, s, task, log, work, t_end)
            budget -= 1
            if status == EVENT and work.step[GOES_ON] != 0.0:
                status = OK
            if status == OK and s.count[IS_STIFF] != 0 and task.option[STOP_IF_STIFF] != 0 and s.real[T] < t_end:
                status = STIFF
            if status == OK and chatters(s, task, t_end):
                status = CHATTER
    p.t[0] = s.real[T]
    copy(p.y, s.x)
    copy(p.ydot, s.k[:s.x.size])
    return status


@kernel
def step_on(p, tab, s, task, log, work):
    """One stretch of a stepper, to times[0]: nothing is listed but the state there."""
    s.count[NEXT] = 0
    s.count[LOGGED] = 0
    return advance(p, tab, s, task, log, work)


STEP_ON = entry("integrators", "step_on", step_on, Shared, Tableau, State, Task, Log, Work,
                module="dalembert.integrators.explicit")
START = entry("integrators", "start", start, Shared, Tableau, State, Task, Log, Work,
              module="dalembert.integrators.explicit")
ADVANCE = entry("integrators", "advance", advance, Shared, Tableau, State, Task, Log, Work,
                module="dalembert.integrators.explicit")
DELIVERY = entry("integrators", "deliver", deliver, Shared, Tableau, State, Task, Log, Work,
                 module="dalembert.integrators.explicit")
