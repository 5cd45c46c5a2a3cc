"""One detection and its substeps.

    detect     shapes to their places, pairs, manifolds with the impulses of the last detection, K of every point
    substep    free motion v̂ and bounds → impulses of before → sweep (bodies are pushed apart) → way → relaxing sweep (no push)
               → the way again where it would gain energy (balance.py)

Two sweeps per substep where there are many points.  Where there are few, sweeps repeat until they have converged, and substeps
end where a point arrives, so that a blow is at its own time: what held the body before holds it until then.
"""

import math

from dalembert._jit import entry, kernel
from dalembert.contacts import (
    balance,
    begin,
    blow,
    calm,
    certify,
    driven,
    islands,
    joints,
    manifolds,
    motion,
    newton,
    soft,
    sweep,
    together,
)
from dalembert.contacts.grid import pairs
from dalembert.contacts.tables import HOLD, LINK, MOST, PUSH, ROW, World

NO_ROOM, SINGULAR, NOT_FINITE, NO_MEMORY = 1, 2, 3, 4
PARTS = 40  # of a substep at most
SHORT = 1e-6  # of a substep: in so short a time points that are there bounce, so that the next ones see what became of it
STALE = 1e-3  # of a substep: a blow this long after the last detection has normals of its own
NEARER = 15.0 / 16.0  # of the time of an arrival as the normals of before have it, then they are looked at again
BEYOND = 1.25  # of what is left of a substep: arrivals that old normals see so late may be within it
FRESH = 0.02  # of a substep: an arrival is believed this soon after a detection
FEW = 4  # sweeps before islands are solved at once
AGAIN = 4  # times at most that sweeps go on where they would leave a doubt
PATIENCE = 6  # times that sweeps found no end where there are joints: then they are not asked for more than FEW
NEARS = 0.7  # of what was missed before: sweeps that go on so come to an end
FINE = 1e-11  # of the tolerance: a change of no account


@kernel
def detect(w):
    """Manifolds of this moment.  Status 1: no room for all of them (nothing is lost: the last ones are still there)."""
    length = w.rules.h * w.rules.substeps
    motion.shapes(w)
    w.report.pairs = pairs(w, length)
    if 2 * w.report.pairs > w.pair.size:
        return NO_ROOM
    manifolds.standing(w)
    status = 2
    while status == 2:
        status = manifolds.manifolds(w, length)
    if status != 0 or (w.report.jointed != 0 and 3 * (6 * w.rules.bodies + 6) * w.report.points > w.column.size):
        return NO_ROOM
    motion.inertias(w)
    manifolds.prepare(w)
    w.rules.fresh = 1
    w.report.islands = 0
    islands.join(w, True)
    if w.rules.direct > 0:
        newton.survey(w)
    return 0


@kernel
def solve(w, bound, least, start, most):
    """Sweeps: ``least`` of them, and more (``most``) while there is a change and few points.  The last change."""
    r = w.report
    if r.points == 0:
        return 0.0
    done, change = 0, 0.0
    budget = min(w.rules.visits // max(r.points, 1), most)
    while True:
        change = sweep.sweep(w, bound, (start + done) & 1, -1)
        done += 1
        if change <= w.rules.tolerance * FINE or (done >= least and (done >= budget)):
            break
    return change


@kernel
def patient(w, bound, least, start, change):
    """Where there are few points and they miss the law by so much that it would be a doubt: as many sweeps again, some times."""
    for _ in range(AGAIN):
        part, worst, _m = blow.missed(w, bound)
        if part <= blow.MISSED or worst <= w.rules.tolerance:
            break
        change = solve(w, bound, least, start, 1 << 40)
    return change


@kernel
def settle(w, bound, least, start):
    """Sweeps, then islands at once; sweeps again where these failed.  The last change of a sweep.

    Islands that meet the law are left alone; where they nearly do, sweeps may not make it worse (as with heavy on light).
    Where there are joints sweeps are asked first, until they found no end PATIENCE times running and islands did: sweeps share
    alike what the law leaves open (sweep.py).
    """
    endless, aim = 2 * w.rules.bodies, 1e-9 * w.rules.tolerance  # ``waits`` of no body: how often
    held, part = together.island(w)
    few = held == w.rules.bodies  # then ``together`` has them all
    whole = w.rules.direct > 0 and (few or w.report.covered + part == w.report.active)
    at_once = whole and w.waits[endless] >= PATIENCE if w.report.jointed != 0 else w.rules.direct > 0
    if at_once and whole:
        miss = max(0.0 if few else newton.worst(w, bound), together.miss(w, held, bound))
        if miss <= FINE * w.rules.tolerance:
            return 0.0
        if miss <= 1e3 * aim:
            newton.aside(w, 0)
            together.aside(w, held, 0)
            solve(w, bound, least, start, max(FEW, 400 // max(w.report.points, 1)))
            if max(0.0 if few else newton.worst(w, bound), together.miss(w, held, bound)) > miss:
                newton.aside(w, 1)
                together.aside(w, held, 1)
            return 0.0
    change = solve(w, bound, least, start, FEW if at_once else 1 << 40)
    if change <= aim or not (at_once or whole):
        w.waits[endless] = w.waits[endless] if at_once else 0
        return change
    if w.report.jointed != 0 and max(0.0 if few else newton.worst(w, bound), together.miss(w, held, bound)) <= 1e3 * aim:
        w.waits[endless] = w.waits[endless] if at_once else 0
        return change
    left = 0 if few else newton.islands_at_once(w, bound)
    if held >= 0:
        left += together.at_once(w, held, bound)
    if w.report.jointed != 0:
        w.waits[endless] = min(w.waits[endless] + 1, PATIENCE) if left == 0 else 0
        if left == 0:
            return 0.0
    if at_once and left > 0:
        change = solve(w, bound, least, start, 1 << 40)
        if w.report.jointed == 0 and w.report.points <= w.rules.split:
            change = patient(w, bound, least, start, change)
    return change


@kernel
def soften(w, h):
    """The blows of this substep without restitution."""
    w.report.softened += 1
    begin.soften(w, h)


@kernel
def restitution(w, h):
    """After Newton's law in the short time of a blow: 0 it stands, 1 Poisson's was taken instead, 2 there is no restitution."""
    part, _, at = blow.missed(w, PUSH)
    before = math.inf
    while blow.UNREACHED < part < NEARS * before:  # where K is nearly singular sweeps take long
        settle(w, PUSH, w.rules.sweeps, 0)
        before = part
        part, _, at = blow.missed(w, PUSH)
    gains = blow.gains(w)
    if part <= blow.UNREACHED and not gains:
        return 0
    begin.soften(w, h)
    blow.anew(w)
    settle(w, PUSH, w.rules.sweeps, 0)
    opened(w)
    if blow.restituted(w):
        if not blow.gains(w):
            w.report.poisson += 1
            blow.parted(w)
            return 1
        blow.back(w)
    if part > blow.UNREACHED:
        blow.told(w, at, 0)
    else:
        w.report.softened += 1
    return 2


@kernel
def opened(w):
    """Impulses at jointed bodies without self-stress; what the law leaves open is told."""
    if w.report.jointed != 0:
        at = blow.least(w)
        if at >= 0:
            blow.told(w, at, 1)


@kernel
def impulses(w, h, bounces):
    """Impulses and ways of a substep; the energy that they put in."""
    many, visited = calm.many(w), w.report.visited
    change, own = settle(w, PUSH, w.rules.sweeps, 0), w.report.points <= w.rules.split and h < begin.BRIEF * w.rules.h
    kind = restitution(w, h) if own and bounces else 0
    if own and kind == 0:
        opened(w)
    if not own and bounces and gained(w):
        soften(w, h)
        change = settle(w, PUSH, w.rules.sweeps, 0)
    if many:
        calm.again(w, PUSH, w.report.points - (w.report.visited - visited))
    motion.ways(w, h, 0)
    balance.pressed(w, h)
    asked, points = w.report.pushed > 0 or change > 1e-6 * w.rules.tolerance, w.report.points  # else there is nothing to relax
    asked = asked and kind == 0
    calmed = many and w.report.pushed == 0 and calm.calm(w, max(points, w.rules.visits) if asked else points // calm.SHARE, True)
    if asked and not calmed:
        settle(w, HOLD, w.rules.relaxing, 1)
        if many:
            calm.calm(w, points // calm.SHARE, False)
    return balance.repaid(w, h)


@kernel
def substep(w, h):
    """One substep.  Status 0, or what the equations said."""
    alone = w.rules.alone != 0
    if w.rules.last > 0.0 and (w.rules.last != h or begin.brief(w)):
        begin.rescale(w, h / w.rules.last)
    w.rules.last = h
    w.report.since += h
    if alone:
        motion.fall(w, h)
    else:
        motion.ride_all(w, h)
        if joints.free_motion(w, h) != 0:
            return SINGULAR
        if w.report.jointed != 0:
            joints.columns(w)
        joints.back(w)
        joints.turning(w, h)
    motion.midway(w, h)
    blows, poisson = begin.begin(w, h), w.report.poisson
    calm.rest(w)
    if w.rules.softness != 0:
        soft.bounds(w, h)
    gain = impulses(w, h, blows > 0)
    if blows > 0 and w.report.deep == 0 and w.rules.softness == 0 and not balance.small(w, gain):
        soften(w, h)
        gain = impulses(w, h, False)
    if w.rules.softness == 0:  # springs give back what they took: that is no gain
        w.report.gained += gain
    if w.report.points <= w.rules.split and w.report.poisson == poisson:
        blow.watch(w, HOLD)
    if alone:
        motion.let_go(w, h)
    motion.go(w, h)
    balance.account(w)
    if w.report.jointed != 0:
        driven.through_contacts(w)
    if not alone and joints.projected(w, h) != 0:
        return SINGULAR
    w.rules.time += h
    if w.rules.freeze > 0:
        islands.borne(w)
    return 0


@kernel
def to_the_end(w, h, age):
    """Substeps of the length h in all: one, or several that end where a point arrives, if there are few points.

    Gaps are along the normals of the last detection, ``age`` ago.  As normals turn, an arrival at τ is missed by ½ ṅ·u τ², which
    no shorter substep mends while it falls between the same two detections: so bodies go nearly there and are looked at again.
    """
    left, parts = h, 0
    while True:
        part, w.rules.arrives = left, 0
        if 0 < w.report.points <= w.rules.split and parts < PARTS:
            motion.ride_all(w, left)
            if left > 2.0 * SHORT * h and begin.striking(w, left):
                part = SHORT * h
            else:
                old = age > STALE * h
                time = begin.earliest(w, left, BEYOND * left if old else left)
                if old and time < BEYOND * left:
                    status = look_again(w)
                    if status != 0:
                        return status
                    age = 0.0
                    parts += 1
                    continue
                if time < left:  # up to just before: it strikes in a short time of its own
                    sure = age + time <= FRESH * h or parts > PARTS - 8
                    part, w.rules.arrives = min(max((1.0 - SHORT if sure else NEARER) * time, 0.1 * SHORT * h), left), 1
        status = substep(w, part)
        if w.report.points <= w.rules.split:
            begin.trace(w)
        if status != 0 or part == left:
            return status
        left -= part
        parts += 1
        age += part
        if age > STALE * h:  # something is about to strike: with the normals of now
            status = look_again(w)
            if status != 0:
                return status
            age = 0.0


@kernel
def look_again(w):
    """A detection within a substep; where there might be no room for it, the normals of before must do."""
    r, most = w.report, MOST * w.report.manifolds + 2 * MOST
    columns = 3 * (6 * w.rules.bodies + 6) * most if r.jointed != 0 else 0
    if 4 * r.pairs + 16 > w.pair.size or 2 * LINK * r.manifolds + 2 * LINK > w.link.size or ROW * most > w.row.size or (
            columns > w.column.size):
        return 0
    manifolds.swap(w)
    return NO_MEMORY if detect(w) != 0 else 0


@kernel
def gained(w):
    """Whether the contacts of this substep put energy in: ½ (v̂ + v)·M (v − v̂) over all bodies, above rounding."""
    work, size = 0.0, 0.0
    for b in range(w.rules.bodies):
        o, k = 6 * b, 9 * b
        for c in range(3):
            d, s = w.v[o + c] - w.free[o + c], 0.5 * (w.v[o + c] + w.free[o + c])
            work += w.mass[b] * d * s
            size += w.mass[b] * (w.v[o + c] ** 2 + w.free[o + c] ** 2)
            l, n = 0.0, 0.0
            for i in range(3):
                for j in range(3):
                    t = 0.0  # J in ground axes, entry (c, i)
                    for e in range(3):
                        t += w.turn[k + 3 * c + j] * w.inertia[k + 3 * j + e] * w.turn[k + 3 * i + e]
                    l += t * (w.v[o + 3 + i] - w.free[o + 3 + i])
                    n += t * (w.v[o + 3 + i] + w.free[o + 3 + i])
            work += 0.5 * l * (w.v[o + 3 + c] + w.free[o + 3 + c])
            size += math.fabs(n * (w.v[o + 3 + c] + w.free[o + 3 + c]))
    return work > 1e-10 * size


@kernel
def advance(w):
    """``rules.back`` detections; the report tells how far it came.  Status 0, 1 no room, 2 the equations failed, 3 not finite."""
    r = w.report
    h = w.rules.h
    for _ in range(r.back):
        status = detect(w)
        if status != 0:
            return status
        r.depth = 0.0
        if r.detections == 0:
            certify.deepest(w)
        for k in range(w.rules.substeps):
            status = to_the_end(w, h, k * h)
            if status != 0:
                return status
        certify.residual(w)
        r.detections += 1
        if r.normal > w.rules.tolerance or r.tangential > w.rules.tolerance:
            r.above += 1
        if not (r.square < 1e300 and r.depth < 1e300):
            return NOT_FINITE
        manifolds.swap(w)
        if w.rules.freeze > 0:
            for b in range(w.rules.bodies):
                if w.frozen[b] != 0 and w.rest[b] < 0:
                    manifolds.wake(w, b)
            islands.freeze(w)
        r.back -= 1
    return 0


@kernel
def tell(w):
    """Forces by name, of the last substep."""
    return certify.forces(w, w.rules.last)


ADVANCE = entry("contacts", "advance", advance, World, module=__name__)
TELL = entry("contacts", "tell", tell, World, module=__name__)
