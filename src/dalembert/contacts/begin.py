"""What a substep begins with: points taken along, the bounds of their law, and velocities with the last substep's impulses.

The bounds are those of sweep.py; blows with restitution have theirs from the time at which they arrive.
"""

import math

from dalembert._jit import inline, kernel
from dalembert._jit.ahead import fetch
from dalembert.contacts.motion import ride_point
from dalembert.contacts.sums import add, count
from dalembert.contacts.sweep import AHEAD, MANY, asked, push, relative
from dalembert.contacts.tables import COLUMN, DRIFT, GAP, GRIP, HELD, HOLD, LINK, MN, PUSH, RA, RB, RN, ROW, RT, SLOP, TRACE, E

BOUNCE = 0.25  # of g h: slower points do not bounce
NEVER = 1e30
BRIEF = 1e-3  # of a substep: shorter ones are for blows
HERE = 1e-3  # of the slop: points nearer than that are there when they strike
FORGOTTEN = 1e-100  # N s: what is left of an impulse that nobody knows
CREEP = 1e-4  # of the speed that counts as rest: points of slower bodies are taken along once in a detection
SETTLED = 1.0 + 1e-7  # of the slop: points this deep are not pushed, for pushing would never end, and nothing would relax it


@inline
def _bounds(w, k, slop, h, few):
    """Bounds of the point at row k, by its gap."""
    row, r = w.row, w.rules
    gap = row[k + GAP]
    if few and h < BRIEF * r.h and gap <= slop:  # the short time of a blow: it is there, or it does not come to that; no pushing
        row[k + PUSH] = row[k + HOLD] = gap / h if gap > HERE * slop and row[k + RN] == 0.0 else 0.0  # what carries is there
    elif few and 0.0 < gap <= slop and row[k + RN] <= (TRACE if h >= r.h else 0.0):  # it carries nothing: open until it is there
        row[k + PUSH] = row[k + HOLD] = gap / h
    elif gap > slop:
        row[k + PUSH] = row[k + HOLD] = (gap + slop if few else gap - 0.5 * slop) / h
    elif gap < -SETTLED * slop:
        row[k + PUSH], row[k + HOLD] = max(r.share * (gap + slop) / h, -r.haste), 0.0
        w.report.pushed += 1
        if gap * r.lie < -r.deep * slop:
            w.report.deep += 1
    else:
        row[k + PUSH] = row[k + HOLD] = 0.0


@inline
def _bounce(w, m, a, b, k, nx, ny, nz, h, slow):
    """The bound of a point that bounces; how many do (0 or 1)."""
    x, y, z = relative(w, w.before, a, b, k)
    u0 = x * nx + y * ny + z * nz
    return _blow(w, m, a, b, k, u0, h) if u0 < -slow else 0


@kernel
def begin(w, h):
    """Bounds of all points for this substep, and velocities with the last one's impulses.  The number of blows with e > 0."""
    row, r = w.row, w.rules
    g = r.gravity
    slow = BOUNCE * h * math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])
    few = w.report.points <= r.split  # then substeps end where points arrive
    blows = 0
    w.report.pushed = w.report.deep = 0
    for b in range(r.bodies):
        w.hit[b] = -1.0
        w.goes[b] = 1 if _goes(w, b) else 0
    early = w.report.active - AHEAD if w.report.active > MANY else 0
    for m in range(w.report.active):
        if r.alone != 0:
            if m < early:
                for side in range(2):
                    _asked(w, w.link[LINK * (m + AHEAD) + side])
            blows += _ridden(w, m, h, few, slow)
            continue
        if r.fresh == 0:
            count(w, m, 1.0)
        a, b = w.link[LINK * m], w.link[LINK * m + 1]
        nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
        first = w.link[LINK * m + 2]
        bouncing, slop = w.grip[GRIP * m + E] > 0.0, w.grip[GRIP * m + SLOP]
        w.quiet[m] = 0
        for c in range(first, first + w.link[LINK * m + 3]):
            k = ROW * c
            _bounds(w, k, slop, h, few)
            if bouncing:
                blows += _bounce(w, m, a, b, k, nx, ny, nz, h, slow)
            n = row[k + RN]
            if n > 0.0:
                push(w, a, b, k, n * nx + row[k + RT], n * ny + row[k + RT + 1], n * nz + row[k + RT + 2])
    r.fresh = 0
    return blows


@inline
def _asked(w, b):
    """What ``_ridden`` reads of body b, ahead of time."""
    asked(w, b)
    fetch(w.x, 3 * b)
    fetch(w.R, 9 * b)
    fetch(w.R, 9 * b + 8)
    fetch(w.before, 6 * b)
    fetch(w.before, 6 * b + 5)


@inline
def _goes(w, b):
    """Whether body b went anywhere in the last substep, or is about to."""
    square, r, limit = 0.0, w.radius[b], CREEP * w.rules.still
    for c in range(6 * b, 6 * b + 3):
        square += w.way[c] ** 2 + w.before[c] ** 2 + r * r * (w.way[c + 3] ** 2 + w.before[c + 3] ** 2)
    return square > limit * limit


@kernel
def _ridden(w, m, h, few, slow):
    """The same of one manifold of bodies without joints, in one go: impulses counted, points taken along, bounds, impulses."""
    row, v, x, I = w.row, w.v, w.x, w.moment
    a, b = w.link[LINK * m], w.link[LINK * m + 1]
    nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
    dx, dy, dz = x[3 * b] - x[3 * a], x[3 * b + 1] - x[3 * a + 1], x[3 * b + 2] - x[3 * a + 2]
    counted = w.rules.fresh == 0
    riding = not counted or w.goes[a] != 0 or w.goes[b] != 0  # else points are where they were
    if w.quiet[m] == 2 and not riding:
        _as_before(w, m, a, b)
        return 0
    i, j, ma, mb = 6 * a, 6 * b, w.W[a], w.W[b]
    bouncing, slop = w.grip[GRIP * m + E] > 0.0, w.grip[GRIP * m + SLOP]
    quiet = not bouncing
    s0, s1, s2, t0, t1, t2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0  # impulses, and their moments about a
    f0, f1, f2, a0, a1, a2, b0, b1, b2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0  # the same to begin with, about a and b
    g, f, blows = 0.5 * h, 2.0 / h, 0
    first = w.link[LINK * m + 2]
    for c in range(first, first + w.link[LINK * m + 3]):
        k = ROW * c
        n = row[k + RN]
        p0, p1, p2 = n * nx + row[k + RT], n * ny + row[k + RT + 1], n * nz + row[k + RT + 2]
        if counted and n > TRACE:
            y0, y1, y2 = row[k + RA], row[k + RA + 1], row[k + RA + 2]
            s0, s1, s2 = s0 + p0, s1 + p1, s2 + p2
            t0, t1, t2 = t0 + y1 * p2 - y2 * p1, t1 + y2 * p0 - y0 * p2, t2 + y0 * p1 - y1 * p0
        if riding:
            ride_point(w, k, g, f, a, b, nx, ny, nz, dx, dy, dz, w.before)
            _bounds(w, k, slop, h, few)
        if bouncing:
            blows += _bounce(w, m, a, b, k, nx, ny, nz, h, slow)
            n = row[k + RN]
        quiet = quiet and row[k + PUSH] >= 0.0
        if n > 0.0:
            y0, y1, y2 = row[k + RA], row[k + RA + 1], row[k + RA + 2]
            f0, f1, f2 = f0 + p0, f1 + p1, f2 + p2
            a0, a1, a2 = a0 + y1 * p2 - y2 * p1, a1 + y2 * p0 - y0 * p2, a2 + y0 * p1 - y1 * p0
            y0, y1, y2 = row[k + RB], row[k + RB + 1], row[k + RB + 2]
            b0, b1, b2 = b0 + y1 * p2 - y2 * p1, b1 + y2 * p0 - y0 * p2, b2 + y0 * p1 - y1 * p0
    if ma > 0.0:
        v[i], v[i + 1], v[i + 2] = v[i] - ma * f0, v[i + 1] - ma * f1, v[i + 2] - ma * f2
        v[i + 3] -= I[i] * a0 + I[i + 1] * a1 + I[i + 2] * a2
        v[i + 4] -= I[i + 1] * a0 + I[i + 3] * a1 + I[i + 4] * a2
        v[i + 5] -= I[i + 2] * a0 + I[i + 4] * a1 + I[i + 5] * a2
    if mb > 0.0:
        v[j], v[j + 1], v[j + 2] = v[j] + mb * f0, v[j + 1] + mb * f1, v[j + 2] + mb * f2
        v[j + 3] += I[j] * b0 + I[j + 1] * b1 + I[j + 2] * b2
        v[j + 4] += I[j + 1] * b0 + I[j + 3] * b1 + I[j + 4] * b2
        v[j + 5] += I[j + 2] * b0 + I[j + 4] * b1 + I[j + 5] * b2
    if counted:
        add(w, m, 1.0, s0, s1, s2, t0, t1, t2)
    w.quiet[m] = 0
    if quiet and w.link[LINK * m + 7] == 0:
        w.quiet[m], o = 2, HELD * m
        w.held[o], w.held[o + 1], w.held[o + 2] = f0, f1, f2
        w.held[o + 3], w.held[o + 4], w.held[o + 5] = a0, a1, a2
        w.held[o + 6], w.held[o + 7], w.held[o + 8] = b0, b1, b2
    return blows


@inline
def _as_before(w, m, a, b):
    """A manifold that no sweep has visited since, of bodies that do not go: its impulses are those that were summed up then."""
    v, I, o, i, j, ma, mb = w.v, w.moment, HELD * m, 6 * a, 6 * b, w.W[a], w.W[b]
    f0, f1, f2, a0, a1, a2 = w.held[o], w.held[o + 1], w.held[o + 2], w.held[o + 3], w.held[o + 4], w.held[o + 5]
    if ma > 0.0:
        v[i], v[i + 1], v[i + 2] = v[i] - ma * f0, v[i + 1] - ma * f1, v[i + 2] - ma * f2
        v[i + 3] -= I[i] * a0 + I[i + 1] * a1 + I[i + 2] * a2
        v[i + 4] -= I[i + 1] * a0 + I[i + 3] * a1 + I[i + 4] * a2
        v[i + 5] -= I[i + 2] * a0 + I[i + 4] * a1 + I[i + 5] * a2
    if mb > 0.0:
        b0, b1, b2 = w.held[o + 6], w.held[o + 7], w.held[o + 8]
        v[j], v[j + 1], v[j + 2] = v[j] + mb * f0, v[j + 1] + mb * f1, v[j + 2] + mb * f2
        v[j + 3] += I[j] * b0 + I[j + 1] * b1 + I[j + 2] * b2
        v[j + 4] += I[j + 1] * b0 + I[j + 3] * b1 + I[j + 4] * b2
        v[j + 5] += I[j + 2] * b0 + I[j + 4] * b1 + I[j + 5] * b2
    add(w, m, 1.0, f0, f1, f2, a0, a1, a2)


@inline
def brief(w):
    """Whether the last substep was the short time of a blow: its impulses say nothing of the next, however long that is."""
    return w.rules.last < BRIEF * w.rules.h


@kernel
def rescale(w, ratio):
    """Impulses and changes of velocity of the last substep for one of another length, or after the short time of a blow.

    Those of a blow say nothing of what follows, but that a point carries: a trace is left of them.
    """
    over = brief(w)
    for m in range(w.report.active):
        if w.rules.fresh == 0:
            count(w, m, 1.0)
    w.rules.fresh = 1
    for m in range(w.report.manifolds):
        first, asleep = w.link[LINK * m + 2], m >= w.report.active  # what is frozen takes no part in a blow
        bouncing = w.grip[GRIP * m + E] > 0.0 and not asleep
        for c in range(first, first + w.link[LINK * m + 3]):
            bounced = bouncing and w.row[ROW * c + HOLD] < 0.0  # it is over
            carries = w.row[ROW * c + RN] > 0.0 and not bounced
            for e in range(4):
                w.row[ROW * c + RN + e] *= 0.0 if (over and not asleep) or bounced else ratio
            if over and carries and not asleep:
                w.row[ROW * c + RN] = FORGOTTEN
    for k in range(6 * w.rules.bodies):
        w.trend[k] *= ratio


@kernel
def trace(w):
    """Points that were closed in the last part of a substep and part no faster than forces move bodies in two keep a trace of an
    impulse: as normals turn with every detection, what rests on a point leaves it by as much and is back at once.

    With a trace a point is held at the gap that it has (up to the slop) in parts of a substep, so also when something strikes;
    in a whole substep it is open again until it is there.
    """
    row, g = w.row, w.rules.gravity
    slow = 2.0 * w.rules.h * math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])
    for m in range(w.report.active):
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            k = ROW * c
            if row[k + RN] <= TRACE:
                row[k + RN] = 0.0
                x, y, z = relative(w, w.v, w.link[LINK * m], w.link[LINK * m + 1], k)
                u = x * w.normal[3 * m] + y * w.normal[3 * m + 1] + z * w.normal[3 * m + 2]
                if row[k + MN] > 0.0 and row[k + HOLD] == 0.0 and row[k + GAP] <= w.grip[GRIP * m + SLOP] and u <= slow:
                    row[k + RN] = FORGOTTEN


@kernel
def striking(w, h):
    """Whether a point is there that strikes: faster than what forces do in two substeps, and something gives way."""
    row, found = w.row, False
    g = w.rules.gravity
    slow = 2.0 * h * math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) + 1e-3 * w.rules.tolerance
    for m in range(w.report.active):
        if w.link[LINK * m + 7] != 0:
            continue
        jointed = w.jointed[w.link[LINK * m]] == 1 or w.jointed[w.link[LINK * m + 1]] == 1
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            k = ROW * c
            gives = row[k + MN] > 0.0 or (jointed and row[k + COLUMN] < 0.0)  # K of jointed bodies is known in the substep only
            if gives and row[k + GAP] < HERE * w.grip[GRIP * m + SLOP]:
                found = found or _approach(w, m, k, h)[0] < -slow
    return found


@inline
def _approach(w, m, k, h):
    """u_n of a point where it is, and its rate as the bodies turn and go on as in the last substep (arms are h/2 ahead)."""
    a, b = w.link[LINK * m], w.link[LINK * m + 1]
    nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
    x, y, z = relative(w, w.v, a, b, k)
    drift = w.row[k + DRIFT] * nx + w.row[k + DRIFT + 1] * ny + w.row[k + DRIFT + 2] * nz
    u = x * nx + y * ny + z * nz - drift
    x, y, z = relative(w, w.trend, a, b, k)
    return u, 2.0 * drift / h + ((x * nx + y * ny + z * nz) / w.rules.last if w.rules.last > 0.0 else 0.0)


@kernel
def earliest(w, h, within):
    """The first time at which an open point arrives, going on as in the last substep, of length h; ``within`` if none does.

    gap + u τ + ½ a τ² = 0; a with what turning adds, ω × (ω × arm): a corner comes in on a circle, and the times of its blows are
    of the order h³ like the way of its body.
    """
    row, first_time = w.row, within
    g = w.rules.gravity
    slow = 2.0 * h * math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])
    for m in range(w.report.active):
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            k = ROW * c
            gap = row[k + GAP]
            if gap < HERE * w.grip[GRIP * m + SLOP]:
                continue
            u, acc = _approach(w, m, k, h)
            if (u > -slow and u + h * acc > -slow) or u * u < 2.0 * acc * gap:
                continue
            root = math.sqrt(u * u - 2.0 * acc * gap)
            if root - u > 0.0:
                first_time = min(first_time, 2.0 * gap / (root - u))
    return first_time


@kernel
def _blow(w, m, a, b, k, u0, h):
    """The bound of a point that arrives within this substep and bounces; one that does not is left alone, or is open until then.

    What carries is there already, whatever its gap (``_bounds``): it comes nearer only by as much as normals turn from detection
    to detection, and opened in the short time of a blow it would not hold the body that is struck elsewhere.
    """
    row = w.row
    carries = row[k + RN] > 0.0 and row[k + HOLD] == 0.0
    x, y, z = relative(w, w.free, a, b, k)
    u1 = x * w.normal[3 * m] + y * w.normal[3 * m + 1] + z * w.normal[3 * m + 2]
    gap, acc, here = max(row[k + GAP], 0.0), (u1 - u0) / h, HERE * w.grip[GRIP * m + SLOP]
    if h < BRIEF * w.rules.h and gap <= here:  # the short time of a blow: it is there
        gap = 0.0
    if gap + 0.5 * h * (u0 + u1) > 0.0 or (w.rules.arrives != 0 and gap > here):
        if not carries:
            row[k + PUSH] = row[k + HOLD] = NEVER
        return 0
    root = math.sqrt(max(u0 * u0 - 2.0 * acc * gap, 0.0))
    tau = min(2.0 * gap / (root - u0), h)  # the earlier zero of gap + u₀ τ + ½ a τ²
    leaving = w.grip[GRIP * m + E] * (u0 + acc * tau) - acc * (h - tau)
    if leaving >= 0.0:  # it would be back within the substep: it stays
        return 0
    row[k + PUSH], row[k + HOLD] = leaving, leaving
    row[k + RN] = row[k + RT] = row[k + RT + 1] = row[k + RT + 2] = 0.0
    for body in (a, b):
        if w.hit[body] < 0.0 or tau < w.hit[body]:
            w.hit[body] = tau
    return 1


@kernel
def soften(w, h):
    """No bounce in this substep: the bounds of blows become those without restitution."""
    few = w.report.points <= w.rules.split
    for b in range(w.rules.bodies):
        w.hit[b] = -1.0
    for m in range(w.report.active):
        first, bouncing, slop = w.link[LINK * m + 2], w.grip[GRIP * m + E] > 0.0, w.grip[GRIP * m + SLOP]
        for c in range(first, first + w.link[LINK * m + 3]):
            if bouncing and w.row[ROW * c + HOLD] < 0.0:
                _bounds(w, ROW * c, slop, h, few)
