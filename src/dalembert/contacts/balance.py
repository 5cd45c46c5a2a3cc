"""What contacts take from the bodies in a substep, and that they never give: no way is gone that would gain energy.

    lost     of a body: F·(way − ½ (v₀ + v₁)) − ½ (v₀ + v₁)·M (v₁ − v̂),  F = M (v̂ − v₀): by the loads along the way, less T₁ − T₀
             (of turning T₀ − T₁ itself, turned as its way says, where no other torque acts)
    gain     an island (bodies that hang together by points) whose bodies lost less than nothing, by more than rounding

Where energy can come from, v₁ being right: a way that pushes bodies apart lifts them; half the old velocity does work against
what holds now.  Such an island goes without being pushed; if that gains as well, its centres go with v₁ instead, and it cannot:

    E₁ − E₀ = u₁·r − ½ (v₁ − v₀)·M (v₁ − v₀),   and u₁·r ≤ 0 by the law

or rather with so much of v₁ that nothing is gained (what is lost is linear in the way): turning about an edge stays of second
order.  u₁·r ≤ 0 where the law is met; sweeps that did not converge may leave impulses of the blow before that push on.  Islands
that gain more than MUCH of what moves them are swept again until they do not, LAST turns at most, but for scenes of so many
points that one sweep must do (calm.many; bounces of bodies that others hold may gain even so: the substep is done again without
restitution, step.py).  What is gained in spite of all this is told.
So a point that a blow left too deep comes out while its island loses energy, else it stays.  Those deeper than ``rules.deep`` are
pushed out as long as all islands together lose more in this substep (violent phases of many points; what that puts in is told);
overlaps at the start, which are said, whatever it costs.
Springs of contacts (soft.py) give back what they took: scenes with such are not held to it.
A gain of SPARE of what moves, in all, counts as none.
"""

from dalembert._jit import inline, kernel
from dalembert.contacts.calm import many
from dalembert.contacts.motion import end, spun, ways
from dalembert.contacts.sweep import relative, sweep
from dalembert.contacts.tables import GAP, GRIP, HOLD, LINK, RN, ROW, SLOP, TRACE

SPARE = 1e-10
ROUNDING = 1e-14
DEEPER = 1.0 + 1e-6  # of the slop
MUCH = 1e-9  # of an island's energy, with that which loads give it in a substep: rest gains less, and is not disturbed
LAST = 35  # sixteen sweeps of islands that gain, with the ways after each


@kernel
def _turning(w, b, lost, worth):
    """With what turning lost: the energy before less that after, if it goes its way."""
    o, k, h, R, J = 6 * b + 3, 9 * b, w.rules.last, w.R, w.inertia
    for side in range(2):
        if side == 0:
            f0, f1, f2 = w.before[o], w.before[o + 1], w.before[o + 2]
        else:
            f0, f1, f2 = spun(-h * w.way[o], -h * w.way[o + 1], -h * w.way[o + 2], w.v[o], w.v[o + 1], w.v[o + 2])
        x, y, z = (R[k] * f0 + R[k + 3] * f1 + R[k + 6] * f2, R[k + 1] * f0 + R[k + 4] * f1 + R[k + 7] * f2,
                   R[k + 2] * f0 + R[k + 5] * f1 + R[k + 8] * f2)
        t = 0.5 * (x * (J[k] * x + J[k + 1] * y + J[k + 2] * z) + y * (J[k + 3] * x + J[k + 4] * y + J[k + 5] * z)
                   + z * (J[k + 6] * x + J[k + 7] * y + J[k + 8] * z))
        lost += t if side == 0 else -t
        worth += t
    return lost, worth


@kernel
def _driven(w, b, lost, worth):
    """The same where other torques act: ½ (ω₀ + ω₁)·J (ω₁ − ω̂), in body axes at mid-step."""
    o, k, L = 6 * b + 3, 9 * b, w.spare[0:3]
    for c in range(3):
        t = 0.0
        for d in range(3):
            t += w.turn[k + 3 * d + c] * (w.v[o + d] - w.free[o + d])
        L[c] = t
    l0, l1, l2 = L[0], L[1], L[2]
    for c in range(3):
        mean = 0.0
        for d in range(3):
            mean += 0.5 * w.turn[k + 3 * d + c] * (w.before[o + d] + w.v[o + d])
        t = mean * (w.inertia[k + 3 * c] * l0 + w.inertia[k + 3 * c + 1] * l1 + w.inertia[k + 3 * c + 2] * l2)
        lost -= t
        worth += abs(t)
    return lost, worth


@kernel
def _carried(w):
    """Nor are those that rest on what a drive moves: no impulse changes its velocity, and what it lifts gains by right."""
    n, row = w.rules.bodies, w.row
    for m in range(w.report.active):
        for side in range(2):
            b = w.link[LINK * m + side]
            if b < n and w.jointed[b] == 1 and w.loss[w.root[b]] < 1e299:
                first = w.link[LINK * m + 2]
                for c in range(first, first + w.link[LINK * m + 3]):
                    if row[ROW * c + RN] > TRACE:
                        w.loss[w.root[b]] += 1e300


@kernel
def losses(w):
    """``lost`` of every body, sums by islands in ``loss``; the gain of all islands that gain, and what all lose together."""
    n = w.rules.bodies
    for b in range(n):
        w.loss[b] = w.lost[b] = w.worth[b] = 0.0
    for b in range(n):
        if w.frozen[b] != 0:
            continue
        o, k, m = 6 * b, 9 * b, w.mass[b]
        touched = w.hit[b] != -1.0
        for c in range(6):
            touched = touched or w.v[o + c] != w.free[o + c] or w.way[o + c] != 0.5 * (w.before[o + c] + w.v[o + c])
        if not touched:  # nothing was taken
            continue
        lost, worth = 0.0, 0.0
        for c in range(3):
            mean = 0.5 * (w.before[o + c] + w.v[o + c])
            lost += m * (w.free[o + c] - w.before[o + c]) * (w.way[o + c] - mean) - mean * m * (w.v[o + c] - w.free[o + c])
            worth += m * (w.v[o + c] ** 2 + w.before[o + c] ** 2 + w.free[o + c] ** 2)
        if w.jointed[b] == 2:  # moments that are all the same
            for c in range(3, 6):
                t = 0.5 * w.inertia[k] * (w.before[o + c] + w.v[o + c]) * (w.v[o + c] - w.free[o + c])
                lost -= t
                worth += abs(t)
        elif w.rules.alone != 0 and w.rules.plane == 0:
            lost, worth = _turning(w, b, lost, worth)
        else:
            lost, worth = _driven(w, b, lost, worth)
        w.lost[b] = lost
        if w.jointed[b] == 1:  # known to the order of the projection only: islands with joints are not held to it
            w.loss[w.root[b]] += 1e300
        else:
            w.loss[w.root[b]] += lost
            w.worth[w.root[b]] += worth
    if w.report.jointed != 0:
        _carried(w)
    gain, total = 0.0, 0.0
    for b in range(n):
        if w.loss[b] < 1e299:
            total += w.loss[b]
        if w.loss[b] < -ROUNDING * w.worth[b]:
            gain -= w.loss[b]
        else:
            w.loss[b] = 0.0
    return gain, total


@kernel
def pressed(w, h):
    """Bodies whose way would bring a point deeper than the slop go with v₁ instead: the law is one on v₁."""
    row, again, turn = w.row, w.report.points <= w.rules.split and w.rules.softness == 0, 0
    while again and turn < 3:
        again = False
        for m in range(w.report.active):
            a, b = w.link[LINK * m], w.link[LINK * m + 1]
            if w.jointed[a] == 1 or w.jointed[b] == 1:
                continue
            first = w.link[LINK * m + 2]
            for c in range(first, first + w.link[LINK * m + 3]):
                k = ROW * c
                gap, slop = row[k + GAP], w.grip[GRIP * m + SLOP]
                if row[k + RN] == 0.0 or gap < -slop:
                    continue
                x, y, z = relative(w, w.way, a, b, k)
                u = x * w.normal[3 * m] + y * w.normal[3 * m + 1] + z * w.normal[3 * m + 2]
                if gap + h * u < -DEEPER * slop and (w.hit[a] == -1.0 or (w.W[b] > 0.0 and w.hit[b] == -1.0)):
                    again = True
                    for body in (a, b):
                        if w.W[body] > 0.0 and w.hit[body] == -1.0:
                            end(w, body)
        turn += 1


@kernel
def _mixed(w):
    """Ways of islands that gain: so much of v₁ that they do not."""
    n = w.rules.bodies
    for b in range(n):
        w.spared[b] = 0.0
    for b in range(n):
        if w.loss[w.root[b]] < 0.0 and w.frozen[b] == 0 and w.jointed[b] != 1:
            w.spared[w.root[b]] += _spares(w, b)
    for b in range(n):
        r = w.root[b]
        if w.loss[r] < 0.0 and w.frozen[b] == 0 and w.jointed[b] != 1 and w.spared[r] > 0.0 and _spares(w, b) != 0.0:
            part = min(-w.loss[r] / w.spared[r], 1.0)
            for c in range(6 * b, 6 * b + 3):
                w.way[c] += part * (w.v[c] - w.way[c])


@inline
def _spares(w, b):
    """What body b loses more if it goes with v₁; nothing where no impulse acts on it."""
    more, found = 0.0, False
    for c in range(6 * b, 6 * b + 3):
        more += w.mass[b] * (w.free[c] - w.before[c]) * (w.v[c] - w.way[c])
        found = found or w.v[c] != w.free[c]
    return more if found else 0.0


@kernel
def _swept(w, back):
    """One more sweep, without being pushed, over the points of islands that gain much; False where there are none."""
    n, count = w.rules.bodies, 0
    for m in range(w.report.active):
        a, b = w.link[LINK * m], w.link[LINK * m + 1]
        r = w.root[a if a < n else b]
        if w.loss[r] < -MUCH * w.worth[r]:
            w.calm[count] = m
            count += 1
    if count > 0:
        sweep(w, HOLD, back, count)
    return count > 0


@kernel
def repaid(w, h):
    """Ways without gain; what they gain all the same."""
    gain, total = losses(w)
    turn = 1
    while turn < LAST and not _paid(w, total) and w.rules.softness == 0 and not small(w, gain):
        if turn == 1:
            ways(w, h, 1)
            pressed(w, h)
        elif turn % 2 == 0:
            _mixed(w)
        else:
            if w.rules.alone == 0 or many(w) or not _swept(w, (turn // 2) & 1):
                break
            ways(w, h, 1)
        gain, total = losses(w)
        turn += 1
    return gain


@inline
def _paid(w, total):
    """Whether deep points may be pushed out: overlaps at the start (``deep`` is then the slop itself), or all lose ``total``."""
    return w.report.deep > 0 and (total > 0.0 or w.rules.deep <= w.rules.lie)


@kernel
def small(w, gain):
    """Whether a gain counts as none."""
    moves = 0.0
    for b in range(w.rules.bodies):
        moves += w.worth[b]
    return gain == 0.0 or w.report.gained + gain <= SPARE * moves


@kernel
def account(w):
    """Losses into the report: of bodies that were hit to the impact (with the friction in it), of others to friction."""
    for b in range(w.rules.bodies):
        if w.frozen[b] != 0:
            continue
        o = 6 * b
        if w.hit[b] == -1.0:
            w.report.friction += w.lost[b]
            for c in range(6):
                w.trend[o + c] = w.v[o + c] - w.before[o + c]
        else:
            w.report.impact += w.lost[b]
            for c in range(6):
                w.trend[o + c] = 0.0
