"""The points of all pairs, with the impulses they had before.

An old point is the same as a new one if they are near each other on the first body (its axes: the point of a sliding body moves
along with it), nearest first come, one old point used once.  The friction impulse is kept in ground axes and loses what points
along the new normal.  Points whose bodies are frozen are copied as they are, behind the others (``report.active`` is the number
before them).
"""

import math

from dalembert._jit import inline, kernel
from dalembert._jit.ahead import fetch
from dalembert.contacts.grid import margin
from dalembert.contacts.narrow.dispatch import touch
from dalembert.contacts.narrow.seams import bend
from dalembert.contacts.stiffness import stiffness
from dalembert.contacts.sums import count
from dalembert.contacts.tables import (
    BEND,
    COLUMN,
    DRIFT,
    GAP,
    GAP0,
    GRIP,
    HOLD,
    LA,
    LB,
    LINK,
    MN,
    MOST,
    MT,
    MU,
    OLD,
    POSE,
    RA,
    RB,
    RN,
    ROW,
    RT,
    SLOP,
    SOFT,
    SPHERE,
    E,
)

AHEAD = 4  # pairs: as long before it is looked at the places of a pair are asked for
SAME = 0.2  # of the scale of a pair, within which a point is the one it was


@inline
def _hash(a, b, mask):
    return ((a * 40503 + b) * 2654435761 >> 7) & mask


@kernel
def _index(w):
    """Old manifolds by their two shapes, in no more of ``table`` than they need: it is read at random."""
    size = 16
    while size < 2 * w.report.old:
        size *= 2
    mask = w.mask[0] = size - 1
    w.mask[1] = 0
    for k in range(size):
        w.table[k] = -1
    for m in range(w.report.old):
        at = _hash(w.old_link[LINK * m + 5], w.old_link[LINK * m + 6], mask)
        while w.table[at] != -1:
            at = (at + 1) & mask
        w.table[at] = m
        first = w.old_link[LINK * m + 2]
        for c in range(first, first + w.old_link[LINK * m + 3]):
            w.used[c] = 0


@kernel
def _before(w, a, b):
    """The old manifold of two shapes, or −1.  Mostly it is the one after the last that was found: pairs keep their order."""
    mask, m = w.mask[0], w.mask[1]
    if m < w.report.old and w.old_link[LINK * m + 5] == a and w.old_link[LINK * m + 6] == b:
        w.mask[1] = m + 1
        return m
    at = _hash(a, b, mask)
    while w.table[at] != -1:
        m = w.table[at]
        if w.old_link[LINK * m + 5] == a and w.old_link[LINK * m + 6] == b:
            w.mask[1] = m + 1
            return m
        at = (at + 1) & mask
    return -1


@kernel
def _carry(w, k, old, size):
    """Impulse of the old point nearest to the one at row k."""
    best, at = (SAME * size) ** 2, -1
    first = w.old_link[LINK * old + 2]
    for c in range(first, first + w.old_link[LINK * old + 3]):
        o = OLD * c
        t = ((w.old_row[o] - w.row[k + LA]) ** 2 + (w.old_row[o + 1] - w.row[k + LA + 1]) ** 2
             + (w.old_row[o + 2] - w.row[k + LA + 2]) ** 2)
        if t < best and w.used[c] == 0:
            best, at = t, c
    if at < 0:
        return
    w.used[at] = 1
    o = OLD * at
    nx, ny, nz = w.toward[0], w.toward[1], w.toward[2]
    x, y, z = w.old_row[o + 4], w.old_row[o + 5], w.old_row[o + 6]
    t = x * nx + y * ny + z * nz
    w.row[k + RN] = w.old_row[o + 3]
    w.row[k + RT], w.row[k + RT + 1], w.row[k + RT + 2] = x - t * nx, y - t * ny, z - t * nz


@inline
def _round(w, k, shape, at, r, sign):
    """The point of a sphere does not ride on its turning body: its middle does, and the rest of the way is put into GAP0.

    Likewise of all that is round there: a point of the core rides (of a lying cylinder, one of its axis).
    """
    row, R, o = w.row, w.R, POSE * shape
    if w.kind[shape] != SPHERE:
        s = bend(w, shape, w.toward[0], w.toward[1], w.toward[2])
        row[k + BEND + (0 if at == LA else 1)] = s
        if s > 0.0:
            for e in range(3):
                row[k + at + e] += sign * s * (R[r + e] * w.toward[0] + R[r + 3 + e] * w.toward[1] + R[r + 6 + e] * w.toward[2])
            row[k + GAP0] -= s
        return
    row[k + BEND + (0 if at == LA else 1)] = w.size[3 * shape]
    away = 0.0
    for e in range(3):
        t = 0.0
        for c in range(3):
            t += R[r + 3 * e + c] * (row[k + at + c] - w.local[o + c])
        away += t * w.toward[e]
    for e in range(3):
        row[k + at + e] = w.local[o + e]
    row[k + GAP0] += sign * away


@kernel
def _points(w, m, n, a, b):
    """Rows of the n points just found between shapes a and b."""
    i, j = w.body[a], w.body[b]
    g = w.groups[0] * w.group[a] + w.group[b]
    size = min(w.scale[a], w.scale[b])
    old = _before(w, a, b)
    p, q, row = 9 * i, 9 * j, w.row
    for c in range(n):
        k = ROW * (w.report.points + c)
        gap = w.found[5 * c + 3]
        for e in range(3):  # each body's own point, on its surface
            row[k + RA + e] = w.found[5 * c + e] - 0.5 * gap * w.toward[e] - w.x[3 * i + e]
            row[k + RB + e] = w.found[5 * c + e] + 0.5 * gap * w.toward[e] - w.x[3 * j + e]
            row[k + RT + e] = 0.0
        for e in range(3):
            row[k + LA + e] = w.R[p + e] * row[k + RA] + w.R[p + 3 + e] * row[k + RA + 1] + w.R[p + 6 + e] * row[k + RA + 2]
            row[k + LB + e] = w.R[q + e] * row[k + RB] + w.R[q + 3 + e] * row[k + RB + 1] + w.R[q + 6 + e] * row[k + RB + 2]
        row[k + GAP], row[k + GAP0] = gap, 0.0
        _round(w, k, a, LA, p, -1.0)
        _round(w, k, b, LB, q, 1.0)
        row[k + RN] = row[k + SOFT] = 0.0
        row[k + COLUMN] = -1.0
        if old >= 0:
            _carry(w, k, old, size)
    o = LINK * m
    w.link[o], w.link[o + 1], w.link[o + 2], w.link[o + 3] = i, j, w.report.points, n
    w.link[o + 4], w.link[o + 5], w.link[o + 6], w.link[o + 7] = w.contact[g], a, b, 1 if w.stiffness[g] > 0.0 else 0
    for e in range(3):
        w.normal[3 * m + e] = w.toward[e]
    _grip(w, m, g, size)


@inline
def _grip(w, m, g, size):
    """What the points of manifold m share, of two groups and a pair of this scale."""
    o = GRIP * m
    w.grip[o + MU], w.grip[o + E], w.grip[o + SLOP] = w.friction[g], w.restitution[g], w.rules.lie * size


@kernel
def _copy(w, m, old):
    """A manifold whose bodies stand as they stood: its points ride along, nothing is looked for again."""
    n, first = w.old_link[LINK * old + 3], w.old_link[LINK * old + 2]
    for e in range(LINK):
        w.link[LINK * m + e] = w.old_link[LINK * old + e]
    w.link[LINK * m + 2] = w.report.points
    nx, ny, nz = w.old_normal[3 * old], w.old_normal[3 * old + 1], w.old_normal[3 * old + 2]
    w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2] = nx, ny, nz
    i, j, a, b = w.link[LINK * m], w.link[LINK * m + 1], w.link[LINK * m + 5], w.link[LINK * m + 6]
    g = w.groups[0] * w.group[a] + w.group[b]
    row, R = w.row, w.R
    _grip(w, m, g, min(w.scale[a], w.scale[b]))
    for c in range(n):
        k, o = ROW * (w.report.points + c), OLD * (first + c)
        for e in range(3):
            row[k + LA + e], row[k + RT + e], row[k + LB + e] = w.old_row[o + e], w.old_row[o + 4 + e], w.old_row[o + 8 + e]
        gap = w.old_row[o + 7]
        for e in range(3):
            p, q = 9 * i + 3 * e, 9 * j + 3 * e
            row[k + RA + e] = R[p] * row[k + LA] + R[p + 1] * row[k + LA + 1] + R[p + 2] * row[k + LA + 2]
            row[k + RB + e] = R[q] * row[k + LB] + R[q + 1] * row[k + LB + 1] + R[q + 2] * row[k + LB + 2]
            gap += w.normal[3 * m + e] * (w.x[3 * j + e] - w.x[3 * i + e] + row[k + RB + e] - row[k + RA + e])
        row[k + GAP0], row[k + GAP], row[k + RN] = w.old_row[o + 7], gap, w.old_row[o + 3]
        row[k + BEND], row[k + BEND + 1] = w.old_row[o + 11], w.old_row[o + 12]
        _middle(w, k, a, b, i, j, m, gap)
        row[k + MN], row[k + MT], row[k + HOLD], row[k + COLUMN], row[k + SOFT] = 1.0, 1.0, 0.0, -1.0, 0.0
        row[k + DRIFT] = row[k + DRIFT + 1] = row[k + DRIFT + 2] = 0.0
    return n


@inline
def _middle(w, k, a, b, i, j, m, gap):
    """Arms of a point of what is round, whose LA and LB are points of the cores."""
    row = w.row
    if row[k + BEND] > 0.0:
        for e in range(3):
            row[k + RA + e] += row[k + BEND] * w.normal[3 * m + e]
            row[k + RB + e] = row[k + RA + e] + w.x[3 * i + e] - w.x[3 * j + e] + gap * w.normal[3 * m + e]
    elif row[k + BEND + 1] > 0.0:
        for e in range(3):
            row[k + RB + e] -= row[k + BEND + 1] * w.normal[3 * m + e]
            row[k + RA + e] = row[k + RB + e] + w.x[3 * j + e] - w.x[3 * i + e] - gap * w.normal[3 * m + e]


@kernel
def standing(w):
    """Which bodies stand, to a tenth of what a gap may lie, where they stood when their manifolds were found."""
    for b in range(w.rules.bodies):
        limit = 0.1 * w.rules.lie * w.rules.least
        o, d = 7 * b, 0.0
        for e in range(3):
            d += (w.x[3 * b + e] - w.stood[o + e]) ** 2
        for e in range(4):
            d += 4.0 * w.radius[b] ** 2 * (w.e[4 * b + e] - w.stood[o + 3 + e]) ** 2
        w.unmoved[b] = 1 if d < limit * limit else 0
        if w.unmoved[b] == 0:
            for e in range(3):
                w.stood[o + e] = w.x[3 * b + e]
            for e in range(4):
                w.stood[o + 3 + e] = w.e[4 * b + e]
    w.unmoved[w.rules.bodies] = 1


@kernel
def _wakes(w, a, b, n, length):
    """Whether one of two bodies is frozen and the other comes near enough, fast enough, to wake it."""
    i, j = w.body[a], w.body[b]
    nb = w.rules.bodies
    if j == nb or (w.frozen[i] != 0) == (w.frozen[j] != 0):
        return False
    o = 6 * (j if w.frozen[i] != 0 else i)
    speed = 0.0
    for c in range(3):
        speed += w.v[o + c] ** 2 + w.radius[o // 6] ** 2 * w.v[o + 3 + c] ** 2
    speed = math.sqrt(speed)
    low = 1e300
    for c in range(n):
        low = min(low, w.found[5 * c + 3])
    return speed > 20.0 * w.rules.still and low < 0.004 * min(w.scale[a], w.scale[b]) + length * speed


@kernel
def wake(w, b):
    """Everybody frozen together with body b."""
    number = w.frozen[b]
    for k in range(w.rules.bodies):
        if w.frozen[k] == number:
            w.frozen[k], w.rest[k] = 0, 0


@inline
def _asked(w, a):
    """What is read of shape a and its body where pairs are looked at, ahead of time."""
    b = w.body[a]
    fetch(w.place, POSE * a)
    fetch(w.place, POSE * a + 8)
    fetch(w.v, 6 * b)
    fetch(w.R, 9 * b)
    fetch(w.R, 9 * b + 8)
    fetch(w.x, 3 * b)


@kernel
def manifolds(w, length):
    """All manifolds of w.pair.  Status 0; 1: no room; 2: somebody was woken, once more."""
    _index(w)
    r, nb = w.report, w.rules.bodies
    r.manifolds, r.points = 0, 0
    room, rows = w.link.size // LINK, w.row.size // ROW
    for late in range(2):
        if late == 1:
            r.active = r.manifolds
        for p in range(r.pairs):
            a, b = w.pair[2 * p], w.pair[2 * p + 1]
            i, j = w.body[a], w.body[b]
            if p + AHEAD < r.pairs:
                _asked(w, w.pair[2 * (p + AHEAD)])
                _asked(w, w.pair[2 * (p + AHEAD) + 1])
            asleep = (w.frozen[i] != 0 or i == nb) and (w.frozen[j] != 0 or j == nb)
            if asleep != (late == 1):
                continue
            if r.manifolds >= room or r.points + MOST > rows:
                return 1
            if asleep:
                old = _before(w, a, b)
                if old >= 0:
                    r.points += _copy(w, r.manifolds, old)
                    r.manifolds += 1
                continue
            if w.unmoved[i] != 0 and w.unmoved[j] != 0:
                old = _before(w, a, b)
                if old >= 0:
                    r.points += _copy(w, r.manifolds, old)
                    r.manifolds += 1
                continue
            n = touch(w, a, b, margin(w, a, b, length))
            if n == 0:
                continue
            if _wakes(w, a, b, n, length):
                wake(w, i if w.frozen[i] != 0 else j)
                return 2
            _points(w, r.manifolds, n, a, b)
            r.manifolds += 1
            r.points += n
        if w.rules.freeze == 0:
            r.active = r.manifolds
            break
    return 0


@kernel
def prepare(w):
    """K, 1/K_nn and 1/(largest tangential eigenvalue) of the points of free bodies."""
    row = w.row
    for m in range(w.report.active):
        a, b = w.link[LINK * m], w.link[LINK * m + 1]
        nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            k = ROW * c
            mass = 0.0
            xx, xy, xz, yy, yz, zz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
            for side in range(2):
                body = a if side == 0 else b
                if w.W[body] == 0.0 or w.jointed[body] == 1:
                    continue
                mass += w.W[body]
                x, y, z = row[k + 3 * side], row[k + 3 * side + 1], row[k + 3 * side + 2]
                o = 6 * body
                i0, i1, i2, i3, i4, i5 = (w.moment[o], w.moment[o + 1], w.moment[o + 2], w.moment[o + 3], w.moment[o + 4],
                                          w.moment[o + 5])
                xx += y * y * i5 + z * z * i3 - 2.0 * y * z * i4  # −r̃ J⁻¹ r̃
                yy += x * x * i5 + z * z * i0 - 2.0 * x * z * i2
                zz += x * x * i3 + y * y * i0 - 2.0 * x * y * i1
                xy += -x * y * i5 + x * z * i4 + y * z * i2 - z * z * i1
                xz += x * y * i4 - x * z * i3 - y * y * i2 + y * z * i1
                yz += -x * x * i4 + x * y * i2 + x * z * i1 - y * z * i0
            stiffness(row, k, nx, ny, nz, xx + mass, xy, xz, yy + mass, yz, zz + mass, w.grip[GRIP * m + MU])


@kernel
def swap(w):
    """This detection's manifolds become the old ones."""
    r = w.report
    r.old = r.manifolds
    for m in range(r.manifolds):  # the last substep's impulses are counted here, those of frozen points for all the time since
        count(w, m, 1.0 if m < r.active or w.rules.last <= 0.0 else r.since / w.rules.last)
    r.since = 0.0
    for k in range(LINK * r.manifolds):
        w.old_link[k] = w.link[k]
    for k in range(3 * r.manifolds):
        w.old_normal[k] = w.normal[k]
    for c in range(r.points):
        k, o = ROW * c, OLD * c
        for e in range(3):
            w.old_row[o + e], w.old_row[o + 4 + e] = w.row[k + LA + e], w.row[k + RT + e]
            w.old_row[o + 8 + e] = w.row[k + LB + e]
        w.old_row[o + 3], w.old_row[o + 7] = w.row[k + RN], w.row[k + GAP0]
        w.old_row[o + 11], w.old_row[o + 12] = w.row[k + BEND], w.row[k + BEND + 1]
