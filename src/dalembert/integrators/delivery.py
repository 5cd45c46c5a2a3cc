"""What an accepted step delivers: events found in it and outputs at the requested times.

An entry of its own, called by the loop only for steps in which an output time falls, or for every step if
there are event functions.  The step is described by ``work.step`` = (t0, t1, h) and ``work.y_new``.  Nothing
is kept unless all of it succeeded; a failure makes the loop repeat the step with a smaller h.
"""

from __future__ import annotations

from .._jit import call, kernel
from .control import factor_inside
from .dense import point, prepare
from .events import BEFORE, EPSILON, FAR, STOP, SWITCH, TINY, UNSEEN, first_ending, locate_all, look_inside, next_event, silent
from .layout import CALLS, EVENT_CALLS, EVENTS, FIXED, GOES_ON, H_BEFORE, LOGGED, NEXT, RHS, ROUGH, SPAN, STAGES
from .stages import copy, put
from .status import EVENT, KINK, OK

TAKEN = 3.0


@kernel
def store_outputs(p, s, task, work, t_stop):
    """Outputs at the requested times up to t_stop; returns the next output's number and a status."""
    t0, t1, h = work.step[0], work.step[1], work.step[2]
    n = s.x.size
    j = s.count[NEXT]
    while j < task.times.size and task.times[j] <= t_stop:
        u = 1.0
        if task.times[j] < t1:
            u = (task.times[j] - t0) / h
        status = point(p, s, work, u)
        if status != 0:
            return j, status
        copy(task.out[j * n:(j + 1) * n], p.y)
        j += 1
    return j, 0


@kernel
def log_events(p, s, task, log, work, u_stop):
    """Append the events up to u_stop in order of time; returns the length of the log and a status."""
    n = s.x.size
    size = s.count[LOGGED]
    k = next_event(work, u_stop)
    while k >= 0:
        if silent(task.terminal[k]):
            work.root[k] = TAKEN
            k = next_event(work, u_stop)
            continue
        status = point(p, s, work, work.root[k])
        if status != 0:
            return size, status
        log.t[size] = p.t[0]
        log.index[size] = k
        copy(log.y[size * n:(size + 1) * n], p.y)
        size += 1
        work.root[k] = TAKEN
        k = next_event(work, u_stop)
    return size, 0


@kernel
def end_at(p, tab, s, work, u):
    """Let the step end at u: y_new, g_new and k_{s+1} there."""
    status = point(p, s, work, u)
    if status == 0:
        status = call(p.handle[EVENTS])
    if status == 0:
        status = call(p.handle[RHS])
    s.count[CALLS] += 1
    s.count[EVENT_CALLS] += 1
    if status == 0:
        copy(work.y_new, p.y)
        copy(work.g_new, p.g)
        put(s.k, tab.shape[STAGES], p.ydot)
    return status


@kernel
def deliver(p, tab, s, task, log, work):
    """Events and outputs of an accepted step; EVENT if one ends it, at time work.step[1] (GOES_ON: the step, not the run)."""
    t0, t1, h = work.step[0], work.step[1], work.step[2]
    found, first, u_stop, t_stop, size = 0, -1, 1.0, t1, s.count[LOGGED]
    if s.g.size > 0:
        s.count[EVENT_CALLS] += 1
        p.t[0] = t1
        status = call(p.handle[EVENTS])
        if status != 0:
            return status
        copy(work.g_new, p.g)
    if s.g.size > 0 or task.times[s.count[NEXT]] < t1:
        status = prepare(p, tab, s, task, work)
        if status != 0:
            return status
        if work.step[ROUGH] > 1.0:
            work.step[GOES_ON] = factor_inside(tab, work)
            return KINK
    if s.g.size > 0:
        found, status = look_inside(p, s, task, work)
        if status == 0 and found == UNSEEN:
            work.step[GOES_ON] = 0.5
            return KINK
        if status == 0 and found > 0:
            status = locate_all(p, s, task, work)
        if status != 0:
            return status
    if found > 0:
        first = first_ending(task, work)
        if first >= 0 and task.terminal[first] != STOP and t0 + work.root[first] * h <= t0:
            first = -1  # no way forward: a crossing by rounding
        if first >= 0:
            u_stop = work.root[first]
            if task.terminal[first] == SWITCH and h > TINY * task.real[SPAN] and task.option[FIXED] == 0:
                s.real[H_BEFORE] = max(s.real[H_BEFORE], h)
                work.step[GOES_ON] = max(BEFORE * u_stop, 0.5 * TINY * task.real[SPAN] / h)
                return KINK
            if silent(task.terminal[first]) and u_stop < FAR and task.option[FIXED] == 0:
                if 1.05 * u_stop * h > 11.0 * EPSILON * abs(t0):
                    work.step[GOES_ON] = min(1.05 * u_stop, FAR)
                    return KINK
                first = -1  # no step is as short as that, after a break at the same moment: this one goes over it
            else:
                t_stop = t1 if u_stop >= 1.0 else t0 + u_stop * h
    j, status = store_outputs(p, s, task, work, t_stop)
    if status == 0 and found > 0:
        size, status = log_events(p, s, task, log, work, u_stop)
    if status == 0 and first >= 0:
        status = end_at(p, tab, s, work, u_stop)
    if status != 0:
        return status
    if first >= 0 and task.terminal[first] == SWITCH:
        s.real[H_BEFORE] = -s.real[H_BEFORE]
    s.count[NEXT] = j
    s.count[LOGGED] = size
    work.step[1] = t_stop
    work.step[GOES_ON] = 1.0 if first >= 0 and task.terminal[first] != STOP else 0.0
    return OK if first < 0 else EVENT
