"""Events: zeros of g_k(t, y(t)) found by their changes of sign within a step.

    rising  (+1):  g < 0 at the left end, g >= 0 at the right end
    falling (-1):  g > 0 at the left end, g <= 0 at the right end

Steps may be long (free flight is one step), so g is looked at in eight places inside as well, and at the vertex of a parabola
through three values in a row where that crosses zero and returns.  A step in which an event happens more than once, or happens
and is undone, ends at the first time (it is cut); the next step begins there.  Events of the kind CUT are not told to anybody:
there the step always ends, because a law has a kink (end stops); and one that goes far past a kink is repeated up to there,
because its stages may all have missed a short contact.

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
from .dense import interpolate, point
from .layout import EVENT_CALLS, EVENTS

EPSILON = 2.220446049250313e-16
NO_ROOT = 2.0
AFTER_START = 1.0 / 16.0
INSIDE = 8  # parts of a step at whose ends events are looked at
STOP, CUT = 1, 2  # kinds of events in Task.terminal besides 0
FAR = 0.9  # a kink before this place of a step: repeat it
LEAST = 1e-12  # of a CUT event: m, rad; a body at rest on its stop crosses it by rounding all the time


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
def glimpse(p, s, work, u):
    """Event functions at u of the interpolant as it is, not projected: enough to see a sign."""
    p.t[0] = work.step[0] + u * work.step[2]
    interpolate(p.y, s.x, work.r, work.r.size // s.x.size, u)
    s.count[EVENT_CALLS] += 1
    return call(p.handle[EVENTS])


@kernel
def look_inside(p, s, task, work):
    """Bracket the first crossing of every event in this step: how many there are, and a status.  Needs the interpolant."""
    e = s.g.size
    for k in range(e):
        work.root[k] = NO_ROOT
        work.left[k] = -1.0
        work.cut[k] = 0.0
        work.g_left[k] = s.g[k]
        work.inside[INSIDE * e + k] = work.g_new[k]
    for j in range(INSIDE):  # j = 0: just after the start
        status = glimpse(p, s, work, j / INSIDE if j > 0 else AFTER_START)
        if status != 0:
            return 0, status
        for k in range(e):
            work.inside[j * e + k] = p.g[k]
    found = 0
    for k in range(e):
        crossings = scan(task, work, k, e)
        if crossings == 0:
            status = graze(p, s, task, work, k, e)
            if status != 0:
                return 0, status
        elif crossings > 1:
            work.cut[k] = 1.0
        found += work.left[k] >= 0.0
    return found, 0


@kernel
def scan(task, work, k, e):
    """Number of changes of sign of g_k between the places looked at; the first in the wanted direction is bracketed."""
    a, ga = 0.0, work.g_left[k]
    if ga == 0.0:
        a, ga = AFTER_START, work.inside[k]
    least = LEAST if task.terminal[k] == CUT else 0.0
    crossings = 0
    for j in range(1, INSIDE + 1):
        b, gb = j / INSIDE, work.inside[j * e + k]
        if crosses(ga, gb, 0) and max(abs(ga), abs(gb)) > least:
            crossings += 1
            if work.left[k] < 0.0 and crosses(ga, gb, task.direction[k]):
                bracket(work, k, a, ga, b, gb)
        a, ga = b, gb
    return crossings


@kernel
def bracket(work, k, a, ga, b, gb):
    work.left[k], work.g_left[k], work.right[k], work.g_right[k] = a, ga, b, gb


@kernel
def graze(p, s, task, work, k, e):
    """g_k has one sign wherever it was looked at: look where a parabola through three values crosses zero and returns."""
    for j in range(INSIDE):
        middle = j / INSIDE if j > 0 else AFTER_START
        width = 1.0 / INSIDE if j > 0 else AFTER_START
        left = s.g[k] if j < 2 else work.inside[(j - 1) * e + k]
        g, right = work.inside[j * e + k], work.inside[(j + 1) * e + k]
        bend = left - 2.0 * g + right
        slope = 0.5 * (right - left)
        if g == 0.0 or bend * g <= 0.0 or abs(slope) >= abs(bend) or (g - 0.5 * slope * slope / bend) * g > 0.0:
            continue
        u = middle - width * slope / bend
        status = glimpse(p, s, work, u)
        if status != 0:
            return status
        if p.g[k] * g < 0.0 and (task.terminal[k] != CUT or abs(p.g[k]) > LEAST):
            work.cut[k] = 1.0
            if crosses(left, p.g[k], task.direction[k]):
                bracket(work, k, middle - width, left, u, p.g[k])
            elif crosses(p.g[k], right, task.direction[k]):
                bracket(work, k, u, p.g[k], middle + width, right)
            return 0
    return 0


@kernel
def locate(p, s, work, k):
    """Place u of the zero of g_k in (left, right], and a status."""
    t0, t1, h = work.step[0], work.step[1], work.step[2]
    a, b = work.left[k], work.right[k]
    ga, gb = work.g_left[k], work.g_right[k]
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
        if work.left[k] >= 0.0:
            u, status = locate(p, s, work, k)
            if status != 0:
                return status
            work.root[k] = u
    return 0


@kernel
def first_ending(task, work):
    """The first event at which the step ends, or -1; one that stops the run goes before others at the same place."""
    first = -1
    for k in range(work.root.size):
        if work.root[k] < NO_ROOT and (task.terminal[k] != 0 or work.cut[k] != 0.0):
            tie = first >= 0 and work.root[k] == work.root[first] and task.terminal[k] == STOP
            if first < 0 or work.root[k] < work.root[first] or tie:
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
