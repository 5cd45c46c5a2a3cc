"""What hardly moves comes to rest: sweeps over its points, as often as the visits of one sweep over all allow.

One sweep per substep, begun with the last impulses, holds a heap as an integrator would.  Of one mode of its points, u its speed,
y = K (r − r*) what its impulse is wrong by and β ≤ 1 the share of its error that a sweep takes:

    y′ = (1 − β) y − β u,     u′ = (1 − β) (u + y)          eigenvalues 1 − β ± i √(β (1 − β)), of size √(1 − β)

so u and r swing about rest in 2π/√β substeps, and die away by e in 2/β of them.  Where β is small (a cube on corners of two
others: 0.004) that is a second, and every decade of rest costs two.  n sweeps make of β nearly n β: points of bodies that rest
change nothing, so they are left out, and the few that hardly move are visited again and again.
Sweeps need not converge where points slide and jam: they end when changes grow.

To hardly move is to be slower than what counts as rest, or than what gravity gives a body in two substeps, 2 g h.  That is what
one sweep leaves of a tower in a heap: where its points open and close within the slop, it swings at g h and never dies away.
"""

import math

from dalembert._jit import kernel
from dalembert.contacts import sweep
from dalembert.contacts.sweep import EVEN
from dalembert.contacts.tables import HOLD, LINK

LEAST = 1e-8  # of the speed that counts as rest: slower bodies do
SHARE = 8  # visits of a sweep over all, over those made beside one
MOST = 32  # sweeps
FEW = 4  # of them must have room, or it is no use to begin
FALLS = 2.0  # of g h: a body that is slower hardly moves
GROWS = 2.0  # times the first change: no more sweeps


@kernel
def many(w):
    """Whether there are more points than sweeps until convergence are made for."""
    return w.rules.visits < MOST * w.report.points and (w.rules.direct == 0 or w.report.jointed != 0)


@kernel
def rest(w):
    """Bodies that the impulses of before hold: sweeps leave these out where there are many points (sweep.py).

    What is left of their velocity, EVEN of what counts as rest (some 1e-11 of g h), is rounded to none: else it would add up from
    substep to substep, and all would swing at that limit for ever.
    """
    n, most = w.rules.bodies, (EVEN * w.rules.still) ** 2 if many(w) and w.rules.alone != 0 else -1.0
    for b in range(n):
        square, r = 0.0, w.radius[b]
        for c in range(6 * b, 6 * b + 3):
            square += w.v[c] ** 2 + r * r * w.v[c + 3] ** 2
        w.rests[b] = w.stirred[b] = 0
        if square <= most:
            w.rests[b] = 1
            for c in range(6 * b, 6 * b + 6):
                w.v[c] = 0.0
    w.rests[n] = 1


@kernel
def mark(w):
    """``spared`` of a body: 0 rests, 1 hardly moves, 2 moves."""
    g, still = w.rules.gravity, w.rules.still
    most = max(still, FALLS * w.rules.h * math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])) ** 2
    least = (LEAST * still) ** 2
    for b in range(w.rules.bodies):
        square, r = 0.0, w.radius[b]
        for c in range(6 * b, 6 * b + 3):
            square += w.v[c] ** 2 + r * r * w.v[c + 3] ** 2
        w.spared[b] = 0.0 if square <= least or w.frozen[b] != 0 else 1.0 if square < most else 2.0


@kernel
def picked(w, most, only):
    """Manifolds of bodies that hardly move, into ``calm``: how many, and their points; −1 if these are more than ``most``.

    Those of bodies that move are left out; with ``only`` there may be none.
    """
    count, points = 0, 0
    for m in range(w.report.active):
        s = max(w.spared[w.link[LINK * m]], w.spared[w.link[LINK * m + 1]])
        if s == 1.0:
            points += w.link[LINK * m + 3]
            if points > most:
                return count, -1
            w.calm[count] = m
            count += 1
        elif s == 2.0 and only:
            return count, -1
    return count, points


@kernel
def calm(w, room, only):
    """Sweeps over what hardly moves, ``room`` visits at most; False where it is too much, or not all that moves (``only``)."""
    mark(w)
    count, points = picked(w, room // 2, only)
    if points <= 0:
        return points == 0
    first, fine = 0.0, LEAST * w.rules.still
    for turn in range(min(MOST, room // points)):
        change = sweep.sweep(w, HOLD, (turn + 1) & 1, count)
        if turn == 0:
            first = change
        if change <= fine or change > GROWS * first:
            break
    return True


@kernel
def _stirred(w):
    """Manifolds of bodies that the last sweep changed by much, into ``calm``: how many, and their points."""
    n, count, points = w.rules.bodies, 0, 0
    w.stirred[n] = 0
    for m in range(w.report.active):
        if w.stirred[w.link[LINK * m]] != 0 or w.stirred[w.link[LINK * m + 1]] != 0:
            w.calm[count] = m
            count += 1
            points += w.link[LINK * m + 3]
    for b in range(n):
        w.stirred[b] = 0
    return count, points


@kernel
def again(w, bound, room):
    """Where a blow meets what rests: sweeps over the points about it until these change little, ``room`` visits at most."""
    turn, most = 1, room
    while turn < MOST and room > 0:
        count, points = _stirred(w)
        if count == 0 or points > room or (turn == 1 and points > most // FEW):
            break
        sweep.sweep(w, bound, turn & 1, count)
        room -= points
        turn += 1
