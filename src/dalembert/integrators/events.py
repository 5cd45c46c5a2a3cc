"""Events: zeros of g_k(t, y(t)) found by their changes of sign within a step.

    rising  (+1):  g < 0 at the left end, g >= 0 at the right end
    falling (-1):  g > 0 at the left end, g <= 0 at the right end

Steps may be long (free flight is one step), so g is looked at in eight places inside as well (uneven ones, so that nothing
periodic hides between them), and at the vertex of a parabola through three values in a row where that crosses zero and returns.
Where such a vertex comes near zero it is followed to the very extremum (not for kinks and switches, whose steps end anyway).
A step over which g does more than that can show (a quartic through five of the values misses the other five by much, and they
neither rise nor fall throughout) is repeated with half its length: so every zero is found, however many there are.  A step in
which an event happens more than once, or happens and is undone, ends at the first time (it is cut); the next one begins there.

Events of the kinds CUT and SWITCH are not told to anybody: there the step always ends, because a law has a kink (CUT: end stops)
or switches with the state (SWITCH).  A step that goes far past a kink is repeated up to there, because its stages may all have
missed a short contact.  A step over a switch is repeated until it ends just before it, and a tiny one goes over it: its stages
see one side of the law only, whatever it jumps by.

The left end is the start of the step; where g is exactly zero there (a run started on an event) it is u =
1/16, so that the start itself does not fire but a crossing later in the same step does.  The zero is located
on the dense output, projected like every output, by the ITP bracketing method until the bracket is a few
units in the last place of t wide. The far end of the bracket is reported: there g is zero or has its new
sign, so a run restarted from a terminal event does not meet it again.

Source: I. F. D. Oliveira, R. H. C. Takahashi, ACM Trans. Math. Softw. 47 (2020) 5:1-5:24 (ITP).
"""

from __future__ import annotations

import math

import numpy as np

from .._jit import call, inline, kernel
from .dense import interpolate, point
from .layout import EVENT_CALLS, EVENTS, FIXED, SPAN

EPSILON = 2.220446049250313e-16
NO_ROOT = 2.0
UNSEEN = -1  # instead of a number of crossings: the step is too long to count them
AFTER_START = 1.0 / 16.0
PLACES = (AFTER_START, 0.131, 0.244, 0.379, 0.491, 0.632, 0.748, 0.883, 1.0)  # of a step, where events are looked at
INSIDE = 8  # of them lie inside
STOP, CUT, SWITCH = 1, 2, 3  # kinds of events in Task.terminal besides 0
MISSED = 0.25  # of the largest |g|: a quartic that misses by more has not seen all of g
SHORTEST = 1e-7  # of the span: g may jump, then no step is short enough
FAR = 0.9  # a kink before this place of a step: repeat it
BEFORE, TINY = 1.0 - 1e-3, 1e-9  # a step ends so far on its way to a switch; of the span: the step over it
NEAR, DIPS = 0.25, 12  # of the values beside it: an extremum is that near to zero; parabolas towards it
LEAST = 1e-12  # of a CUT event: m, rad; a body at rest on its stop crosses it by rounding all the time


def _lagrange(nodes, places):
    """Weights of the values at the nodes in the polynomial through them, at other places."""
    return tuple(tuple(float(np.prod([(u - b) / (a - b) for b in nodes if b != a])) for a in nodes) for u in places)


QUARTIC = _lagrange((0.0, *PLACES[1::2][:3], 1.0), (PLACES[0], PLACES[2], PLACES[4], PLACES[6], PLACES[7]))


@inline
def silent(kind):
    """Events that only end steps."""
    return kind >= CUT


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
        status = glimpse(p, s, work, PLACES[j])
        if status != 0:
            return 0, status
        for k in range(e):
            work.inside[j * e + k] = p.g[k]
    if task.option[FIXED] == 0 and work.step[2] > SHORTEST * task.real[SPAN]:
        for k in range(e):
            if unseen(s.g[k], work.inside, k, e):
                return UNSEEN, 0
    found = 0
    for k in range(e):
        crossings = scan(task, work, k, e)
        if crossings > 1:
            work.cut[k] = 1.0
        if crossings == 0 or not silent(task.terminal[k]):
            status = graze(p, s, task, work, k, e)
            if status != 0:
                return 0, status
        found += work.left[k] >= 0.0
    return found, 0


@kernel
def unseen(first, inside, k, e):
    """Does g_k do more in this step than ten values of it can show?"""
    a, b, c, d = inside[e + k], inside[3 * e + k], inside[5 * e + k], inside[8 * e + k]
    size = max(max(abs(first), abs(a)), max(abs(b), max(abs(c), abs(d))))
    miss = 0.0
    for j in range(5):
        row = QUARTIC[j]
        at = 2 * j if j < 4 else 7
        g = inside[at * e + k]
        size = max(size, abs(g))
        miss = max(miss, abs(g - (row[0] * first + row[1] * a + row[2] * b + row[3] * c + row[4] * d)))
    if not miss > MISSED * size:
        return False
    rises, falls, before = False, False, first
    for j in range(INSIDE + 1):
        g = inside[j * e + k]
        rises = rises or g > before
        falls = falls or g < before
        before = g
    return rises and falls


@kernel
def scan(task, work, k, e):
    """Number of changes of sign of g_k between the places looked at; the first in the wanted direction is bracketed."""
    a, ga = 0.0, work.g_left[k]
    if ga == 0.0:
        a, ga = AFTER_START, work.inside[k]
    least = LEAST if silent(task.terminal[k]) else 0.0
    crossings = 0
    for j in range(1, INSIDE + 1):
        b, gb = PLACES[j], work.inside[j * e + k]
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
def dip(p, s, work, k, x, gx, y, gy, z, gz, once):
    """A place between x and z where g_k has the other sign than at these and y, or -1, and a status; g is there then.

    The vertex of the parabola through the three, again and again with the place that it gives, while it may come to zero.
    """
    sign = 1.0 if gy > 0.0 else -1.0
    for _ in range(DIPS):
        rise, fall = (gy - gx) / (y - x), (gz - gy) / (z - y)
        bend = 2.0 * (fall - rise) / (z - x)
        if bend * sign <= 0.0:
            return -1.0, 0
        slope = (rise * (z - y) + fall * (y - x)) / (z - x)  # of the parabola, in the middle
        u = y - slope / bend
        low = (gy - 0.5 * slope * slope / bend) * sign
        near = 0.0 if once else NEAR * max(abs(gx - gy), abs(gz - gy))
        if not x < u < z or low > near or u == y:
            return -1.0, 0
        status = glimpse(p, s, work, u)
        if status != 0:
            return u, status
        g = p.g[k]
        if g * sign < 0.0:
            return u, 0
        if once:
            return -1.0, 0
        if g * sign < gy * sign:
            if u > y:
                x, gx = y, gy
            else:
                z, gz = y, gy
            y, gy = u, g
        elif u > y:
            z, gz = u, g
        else:
            x, gx = u, g
    return -1.0, 0


@kernel
def graze(p, s, task, work, k, e):
    """g_k has one sign wherever it was looked at (before its first crossing): look where it may cross zero and return."""
    until = work.left[k] if work.left[k] >= 0.0 else 1.0
    for j in range(INSIDE):
        before, middle, after = PLACES[j - 1] if j > 0 else 0.0, PLACES[j], PLACES[j + 1]
        left = s.g[k] if j < 1 else work.inside[(j - 1) * e + k]
        g, right = work.inside[j * e + k], work.inside[(j + 1) * e + k]
        if after > until:
            return 0
        if j == 0 and left * g < 0.0 and g * right < 0.0 and not silent(task.terminal[k]):  # scan does not look there
            work.cut[k] = 1.0
            if crosses(left, g, task.direction[k]):
                bracket(work, k, before, left, middle, g)
            else:
                bracket(work, k, middle, g, after, right)
            return 0
        if g == 0.0 or left * g < 0.0 or g * right < 0.0:
            continue
        u, status = dip(p, s, work, k, before, left, middle, g, after, right, silent(task.terminal[k]))
        if status != 0:
            return status
        if u >= 0.0 and (not silent(task.terminal[k]) or abs(p.g[k]) > LEAST):
            work.cut[k] = 1.0
            if crosses(left, p.g[k], task.direction[k]):
                bracket(work, k, before, left, u, p.g[k])
            elif crosses(p.g[k], right, task.direction[k]):
                bracket(work, k, u, p.g[k], after, right)
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
