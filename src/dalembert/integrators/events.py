"""Events: zeros of g_k(t, y(t)) found by their change of sign over a step.

    rising  (+1):  g < 0 at the left end, g >= 0 at the right end
    falling (-1):  g > 0 at the left end, g <= 0 at the right end

The left end is the start of the step; where g is exactly zero there (a run started on an event) it is u =
1/16, so that the start itself does not fire but a crossing later in the same step does.  The zero is located
on the dense output, projected like every output, by the ITP bracketing method until the bracket is a few
units in the last place of t wide. The far end of the bracket is reported: there g is zero or has its new
sign, so a run restarted from a terminal event does not meet it again.

Source: I. F. D. Oliveira, R. H. C. Takahashi, ACM Trans. Math. Softw. 47 (2020) 5:1-5:24 (ITP).
"""

from __future__ import annotations

import math

from .._jit import call, inline, kernel
from .dense import point
from .layout import EVENT_CALLS, EVENTS

EPSILON = 2.220446049250313e-16
NO_ROOT = 2.0
AFTER_START = 1.0 / 16.0


@inline
def crosses(left, right, direction):
    """Does the sign change in the wanted direction?"""
    return (direction >= 0 and left < 0.0 <= right) or (direction <= 0 and left > 0.0 >= right)


@kernel
def evaluate(p, s, work, u):
    """Event functions at u of the step, into g; status of the projection or of the event functions."""
    status = point(p, s, work, u)
    if status != 0:
        return status
    s.count[EVENT_CALLS] += 1
    return call(p.handle[EVENTS])


@kernel
def suspects(s, task, work):
    """Number of events that fire in this step, or may fire since they started at zero."""
    found = 0
    for k in range(s.g.size):
        work.root[k] = NO_ROOT
        work.left[k] = 0.0
        work.g_left[k] = s.g[k]
        if s.g[k] == 0.0:
            if work.g_new[k] != 0.0:
                work.left[k] = AFTER_START
                found += 1
        elif crosses(s.g[k], work.g_new[k], task.direction[k]):
            found += 1
    return found


@kernel
def locate(p, s, work, k):
    """Place u of the zero of g_k in (left, 1], and a status."""
    t0, t1, h = work.step[0], work.step[1], work.step[2]
    a, b = work.left[k], 1.0
    ga, gb = work.g_left[k], work.g_new[k]
    tolerance = max(EPSILON, EPSILON * max(abs(t0), abs(t1)) / h)
    slack = 0.2 / (b - a)
    radius = tolerance * 2.0 ** math.ceil(math.log2((b - a) / tolerance))
    for _ in range(120):
        if b - a <= 2.0 * tolerance or gb == 0.0:
            break
        middle = 0.5 * (a + b)
        u = (gb * a - ga * b) / (gb - ga)
        if not a < u < b:
            u = middle
        side = 1.0 if u <= middle else -1.0
        shift = slack * (b - a) * (b - a)
        u = u + side * shift if shift <= abs(middle - u) else middle
        reach = radius - 0.5 * (b - a)
        radius *= 0.5
        if abs(u - middle) > reach:
            u = middle - side * max(reach, 0.0)
        if not a < u < b:
            u = middle
        status = evaluate(p, s, work, u)
        if status != 0:
            return u, status
        g = p.g[k]
        if (g < 0.0 and ga < 0.0) or (g > 0.0 and ga > 0.0):
            a, ga = u, g
        else:
            b, gb = u, g
    return b, 0


@kernel
def locate_all(p, s, task, work):
    """Fill ``root`` for every event of this step; the interpolant must be prepared."""
    for k in range(s.g.size):
        if work.left[k] > 0.0:
            status = evaluate(p, s, work, work.left[k])
            if status != 0:
                return status
            work.g_left[k] = p.g[k]
        if crosses(work.g_left[k], work.g_new[k], task.direction[k]):
            u, status = locate(p, s, work, k)
            if status != 0:
                return status
            work.root[k] = u
    return 0


@kernel
def first_terminal(task, work):
    """The terminal event that comes first, or -1."""
    first = -1
    for k in range(work.root.size):
        earlier = first < 0 or work.root[k] < work.root[first]
        if task.terminal[k] != 0 and work.root[k] < NO_ROOT and earlier:
            first = k
    return first


@kernel
def next_event(work, limit):
    """The earliest event not yet taken at or before u = limit, or -1."""
    first = -1
    for k in range(work.root.size):
        if work.root[k] <= limit and (first < 0 or work.root[k] < work.root[first]):
            first = k
    return first
