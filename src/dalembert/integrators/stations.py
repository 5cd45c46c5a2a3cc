"""Stations: times at which steps end, known before the run.

    left < right    a break: a law of time jumps or has a kink between these two floats (or within a few of them)
    left = right    a mark: the step ends there, nothing else (zeros of events of t; where a law grows lively)

No step goes past ``left``, so its stages see the law before the break only; the run goes on at ``right``, with the derivative
found anew there, so the stages of the next step see the law after it only.  Between the two, a few units in the last place of t,
the state stays: an error of rounding size.  What methods remember of earlier steps (extrapolation, auxiliary accelerations,
tangents) is forgotten: H_OLD = −1 tells them.  A run in pieces by hand does the same.

The third number of a station is the longest step right after it: where a narrow feature begins, the controller must not come
with the step of the quiet time before; once inside, it sees the feature.

Events that change sign from left to right happen at right.
"""

from __future__ import annotations

from .._jit import call, kernel
from .events import CUT, SWITCH, crosses
from .layout import EVENT_CALLS, EVENTS, GOES_ON, H_OLD, LOGGED, NEXT, SLOW, STAGES, H, T
from .stages import copy, put
from .status import EVENT, OK


@kernel
def upcoming(stations, t):
    """Number of the first station whose right side lies after t; the count if there is none."""
    low, high = 0, stations.size // 3
    while low < high:
        mid = (low + high) // 2
        if stations[3 * mid + 1] > t:
            high = mid
        else:
            low = mid + 1
    return low


@kernel
def hold_back(s, task, k):
    """At station k: not too long a step after it."""
    after = task.stations[3 * k + 2]
    if after > 0.0:
        s.real[H] = min(s.real[H], after)


@kernel
def settle_events(p, s, task, log, work, t):
    """Events that changed sign across the break; EVENT if one ends the run."""
    if s.g.size == 0:
        return OK
    s.count[EVENT_CALLS] += 1
    status = call(p.handle[EVENTS])
    if status != 0:
        return status
    n = s.x.size
    copy(work.g_new, p.g)
    for k in range(s.g.size):
        told = task.terminal[k] != CUT and task.terminal[k] != SWITCH
        if told and crosses(s.g[k], work.g_new[k], task.direction[k]):
            size = s.count[LOGGED]
            log.t[size] = t
            log.index[size] = k
            copy(log.y[size * n:(size + 1) * n], work.y_new)
            s.count[LOGGED] = size + 1
            if task.terminal[k] != 0:
                status = EVENT
    copy(s.g, work.g_new)
    return status


@kernel
def arrive(p, tab, s, task, log, work, k):
    """The state on the right side of break k: p holds it, projected, with its derivative in row STAGES of k."""
    n = s.x.size
    right = task.stations[3 * k + 1]
    copy(work.y_new, p.y)
    work.step[GOES_ON] = 0.0
    status = settle_events(p, s, task, log, work, right)
    if status != 0 and status != EVENT:
        return status
    j = s.count[NEXT]
    while j < task.times.size and task.times[j] <= right:
        copy(task.out[j * n:(j + 1) * n], work.y_new)
        j += 1
    s.count[NEXT] = j
    stages = tab.shape[STAGES]
    s.real[T] = right
    copy(s.x, work.y_new)
    put(s.k, 0, s.k[stages * n:(stages + 1) * n])
    s.real[H_OLD] = -1.0
    s.count[SLOW] = 1
    hold_back(s, task, k)
    return status
