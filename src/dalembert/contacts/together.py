"""Points of what joints hold together at once, where sweeps do not converge: a heavy beam on a pin lies on a light block.

Impulses are the unknowns here (in newton.py velocities are), for joints make one of all that hangs on them: W = C M⁻¹ Cᵀ over
all points of the island, column by column with the answers of joints.py, in the directions (n, t, t′) of each point.  From r₀
with the velocities u₀ and the states of before (open, sticking, sliding along d) the next r is that of one linear system,

    sticks   u₀ + W (r − r₀) + bound n + ε (r − r₀) = 0
    slides   the normal part of that, r = r_n (n + μ d) + s e, and in space, e across d:  e·u + |u|/(μ r_n) s = 0
    open     r = 0

ε is a small part of K_nn: it makes an answer of many (four feet) the one nearest to r₀, and vanishes with r − r₀.  Friction is
against u: turned by s/(μ r_n) d turns u by as much, which is Newton's method for directions (without it what is pressed hard and
hardly slides takes thousands of turns).  Then r is projected, and states and d are read off as a visit of a sweep would.  What
is found counts only if the law is met, or if it is missed by little and by far less than the sweeps leave; otherwise everything
is as they left it.
"""

import math

from dalembert._jit import inline, kernel
from dalembert.algebra.dense import factor
from dalembert.algebra.dense import solve as backsolve
from dalembert.contacts.blocks import OPEN, SLIDE, STICK
from dalembert.contacts.sweep import push, rest_of_law, slip
from dalembert.contacts.tables import GRIP, KN, LINK, MN, MT, MU, RN, ROW, RT, TRACE

LARGEST = 40  # points
PROXIMAL = 1e-8  # of K_nn
MOST = 30  # iterations
FAIR, GAIN = 1e-2, 1e-2  # of the tolerance, of what sweeps leave: so near is near enough where rounding lets nothing come nearer
EDGE = 1e-6  # of the cone: a sliding impulse is that near to it


@kernel
def island(w):
    """The root of what joints hold and its manifolds; ``bodies`` and all manifolds where there are few points in all; −1 and 0
    where there are no joints, or more than LARGEST points."""
    held, points, manifolds = -1, 0, 0
    if w.report.jointed == 0 or 8 * w.report.points > w.kept.size:
        return -1, 0
    if 0 < w.report.points <= LARGEST:
        return w.rules.bodies, w.report.active
    for b in range(w.rules.bodies):
        if held < 0 and w.jointed[b] == 1:
            held = w.root[b]
    for m in range(w.report.active):
        if _inside(w, m, held):
            points += w.link[LINK * m + 3]
            manifolds += 1
    if points == 0 or points > LARGEST:
        return -1, 0
    return held, manifolds


@inline
def _inside(w, m, held):
    a, b = w.link[LINK * m], w.link[LINK * m + 1]
    return held == w.rules.bodies or w.root[a if a < w.rules.bodies else b] == held


@kernel
def at_once(w, held, bound):
    """Impulses and velocities that meet the law to a millionth of the tolerance, or as nearly as rounding lets them, FAIR of it:
    0; else all is as it was: 1."""
    aim = 1e-9 * w.rules.tolerance
    before = miss(w, held, bound)
    if before <= 1e3 * aim:
        return 0
    w.report.solved += 1
    n, best = _seats(w, held), before
    aside(w, held, 0)
    _matrix(w, n)
    for attempt in range(2):
        _first(w, n, bound, attempt)
        for _ in range(MOST):
            w.report.iterations += 1
            if not _step(w, n, bound, aim):
                break
            missed = miss(w, held, bound)
            if missed <= aim or (missed <= 1e3 * aim and missed > 0.5 * best):  # as good as rounding lets it be
                return 0
            if missed == math.inf:
                break
            if missed < best:
                best = missed
                _stored(w, 4 * w.report.points, w.right, False)
        if best <= FAIR * w.rules.tolerance and best < GAIN * before:
            _stored(w, 4 * w.report.points, w.right, True)
            return 0
        aside(w, held, 1)
        best = before
    w.report.failed += 1
    return 1


@kernel
def miss(w, held, bound):
    """The largest residual of the island's points (certify.py), with the bound in use; 0 where there is no island."""
    worst = 0.0
    for m in range(w.report.active if held >= 0 else 0):
        if not _inside(w, m, held):
            continue
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            if w.row[ROW * c + MN] > 0.0 and w.row[ROW * c + MT] > 0.0:
                normal, across = rest_of_law(w, m, ROW * c, bound)
                if not normal + across < math.inf:
                    return math.inf
                worst = max(worst, max(normal, across))
    return worst


@kernel
def _seats(w, held):
    """The island's points that can give way, with two directions across; their number."""
    n = 0
    for m in range(w.report.active):
        if not _inside(w, m, held):
            continue
        x, y, z = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
        ex, ey, ez = (0.0, 0.0, 1.0) if abs(z) < 0.8 else (1.0, 0.0, 0.0)
        t0, t1, t2 = ey * z - ez * y, ez * x - ex * z, ex * y - ey * x
        size = math.sqrt(t0 * t0 + t1 * t1 + t2 * t2)
        t0, t1, t2 = t0 / size, t1 / size, t2 / size
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            if w.row[ROW * c + MN] <= 0.0 or w.row[ROW * c + MT] <= 0.0:
                continue
            w.seat[3 * n], w.seat[3 * n + 1] = c, m
            f, o = w.frame, 9 * n
            f[o], f[o + 1], f[o + 2], f[o + 3], f[o + 4], f[o + 5] = x, y, z, t0, t1, t2
            f[o + 6], f[o + 7], f[o + 8] = y * t2 - z * t1, z * t0 - x * t2, x * t1 - y * t0
            n += 1
    return n


@kernel
def aside(w, held, back):
    """All impulses and velocities aside, or as they were (back = 1); nothing where there is no island."""
    if held >= 0:
        _stored(w, 0, w.slip, back != 0)


@kernel
def _stored(w, at, velocities, back):
    """Impulses to ``kept[at:]`` and velocities, or from there."""
    for c in range(w.report.points):
        for e in range(4):
            if back:
                w.row[ROW * c + RN + e] = w.kept[at + 4 * c + e]
            else:
                w.kept[at + 4 * c + e] = w.row[ROW * c + RN + e]
    for i in range(6 * w.rules.bodies):
        if back:
            w.v[i] = velocities[i]
        else:
            velocities[i] = w.v[i]


@inline
def _directions(w):
    return 2 if w.rules.plane != 0 else 3


@inline
def _pushed(w, s, r0, r1, r2):
    """Velocities after an impulse at the point of seat s, in its directions."""
    f, o, m = w.frame, 9 * s, w.seat[3 * s + 1]
    push(w, w.link[LINK * m], w.link[LINK * m + 1], ROW * w.seat[3 * s], r0 * f[o] + r1 * f[o + 3] + r2 * f[o + 6],
         r0 * f[o + 1] + r1 * f[o + 4] + r2 * f[o + 7], r0 * f[o + 2] + r1 * f[o + 5] + r2 * f[o + 8])


@inline
def _along(w, s, x, y, z, i):
    o = 9 * s + 3 * i
    return x * w.frame[o] + y * w.frame[o + 1] + z * w.frame[o + 2]


@inline
def _slip(w, s):
    m = w.seat[3 * s + 1]
    return slip(w, w.link[LINK * m], w.link[LINK * m + 1], ROW * w.seat[3 * s])


@kernel
def _matrix(w, n):
    """W, row by row: what an impulse of one at each point does to the velocities of all (drift cancels)."""
    d, nv = _directions(w), 6 * w.rules.bodies
    for i in range(nv):
        w.v[i] = 0.0
    for p in range(n):
        x, y, z = _slip(w, p)
        w.still[3 * p], w.still[3 * p + 1], w.still[3 * p + 2] = x, y, z
    for q in range(n):
        for e in range(d):
            _pushed(w, q, 1.0 if e == 0 else 0.0, 1.0 if e == 1 else 0.0, 1.0 if e == 2 else 0.0)
            for p in range(n):
                x, y, z = _slip(w, p)
                x, y, z = x - w.still[3 * p], y - w.still[3 * p + 1], z - w.still[3 * p + 2]
                for i in range(d):
                    w.delassus[(d * p + i) * d * n + d * q + e] = _along(w, p, x, y, z, i)
            for i in range(nv):
                w.v[i] = 0.0
    for i in range(nv):
        w.v[i] = w.slip[i]


@inline
def _limit(w, s, normal):
    return w.grip[GRIP * w.seat[3 * s + 1] + MU] * normal


@kernel
def _first(w, n, bound, attempt):
    """States to begin with: as the sweeps left them, then with all that carries something sticking."""
    for s in range(n):
        k = ROW * w.seat[3 * s]
        w.seat[3 * s + 2] = OPEN
        if w.row[k + RN] <= TRACE:
            x, y, z = _slip(w, s)
            if _along(w, s, x, y, z, 0) + w.row[k + bound] < 0.0:
                w.seat[3 * s + 2] = STICK
            continue
        t0, t1, t2 = w.row[k + RT], w.row[k + RT + 1], w.row[k + RT + 2]
        size = math.sqrt(t0 * t0 + t1 * t1 + t2 * t2)
        slides = attempt == 0 and size >= (1.0 - EDGE) * _limit(w, s, w.row[k + RN])
        w.seat[3 * s + 2] = SLIDE if slides else STICK
        for i in range(2):
            w.heading[2 * s + i] = _along(w, s, t0, t1, t2, 1 + i) / size if slides and size > 0.0 else 0.0


@inline
def _rows(w, s):
    """How many numbers the impulse at seat s has."""
    state, d = w.seat[3 * s + 2], _directions(w)
    if state == SLIDE:
        return 2 if d == 3 and _limit(w, s, w.still[3 * s]) > TRACE and w.row[ROW * w.seat[3 * s] + RN] > TRACE else 1
    return d if state == STICK else 0


@inline
def _tested(w, s, j):
    """The direction of equation j of seat s."""
    if j == 0:
        return 1.0, 0.0, 0.0
    if w.seat[3 * s + 2] == SLIDE:
        return 0.0, -w.heading[2 * s + 1], w.heading[2 * s]
    return 0.0, 1.0 if j == 1 else 0.0, 1.0 if j == 2 else 0.0


@inline
def _given(w, s, j):
    """The impulse of one of number j of seat s."""
    if j == 0 and w.seat[3 * s + 2] == SLIDE:
        return 1.0, _limit(w, s, w.heading[2 * s]), _limit(w, s, w.heading[2 * s + 1])
    return _tested(w, s, j)


@inline
def _turns(w, s, x, y, z):
    """|u|/(μ r_n) of a point that slides with the velocity (x, y, z): what its direction gives way."""
    along = _along(w, s, x, y, z, 1) * w.heading[2 * s] + _along(w, s, x, y, z, 2) * w.heading[2 * s + 1]
    return max(0.0, -along) / _limit(w, s, w.still[3 * s])


@kernel
def _linear(w, n, bound):
    """Matrix and right-hand side with the states as they are; the number of unknowns."""
    d, W, A, x = _directions(w), w.delassus, w.dense, w.unknown
    size = 0
    for s in range(n):  # r₀ in the points' directions
        k = ROW * w.seat[3 * s]
        w.still[3 * s] = w.row[k + RN]
        for i in range(1, 3):
            w.still[3 * s + i] = _along(w, s, w.row[k + RT], w.row[k + RT + 1], w.row[k + RT + 2], i)
        size += _rows(w, s)
    at = 0
    for p in range(n):
        k = ROW * w.seat[3 * p]
        ux, uy, uz = _slip(w, p)
        eps = PROXIMAL * (w.row[k + KN] * w.frame[9 * p] + w.row[k + KN + 1] * w.frame[9 * p + 1]
                          + w.row[k + KN + 2] * w.frame[9 * p + 2])
        for j in range(_rows(w, p)):
            a0, a1, a2 = _tested(w, p, j)
            b = -(a0 * (_along(w, p, ux, uy, uz, 0) + w.row[k + bound]) + a1 * _along(w, p, ux, uy, uz, 1)
                  + a2 * _along(w, p, ux, uy, uz, 2))
            b += eps * (a0 * w.still[3 * p] + a1 * w.still[3 * p + 1] + a2 * w.still[3 * p + 2])
            to = 0
            for q in range(n):
                o = d * p * d * n + d * q
                c0, c1, c2 = 0.0, 0.0, 0.0  # row of W
                for e in range(d):
                    f = a0 if e == 0 else a1 if e == 1 else a2
                    c0 += f * W[o + e * d * n]
                    c1 += f * W[o + e * d * n + 1]
                    c2 += f * W[o + e * d * n + 2] if d == 3 else 0.0
                b += c0 * w.still[3 * q] + c1 * w.still[3 * q + 1] + c2 * w.still[3 * q + 2]
                for i in range(_rows(w, q)):
                    g0, g1, g2 = _given(w, q, i)
                    A[size * at + to] = c0 * g0 + c1 * g1 + c2 * g2
                    if q == p and i == j:
                        A[size * at + to] += eps
                        if j == 1 and w.seat[3 * p + 2] == SLIDE:
                            A[size * at + to] += _turns(w, p, ux, uy, uz)
                    to += 1
            x[at] = b
            at += 1
    return size


@kernel
def _step(w, n, bound, aim):
    """The next impulses, velocities and states; False where the system has no answer."""
    size = _linear(w, n, bound)
    if factor(w.dense, size, w.swaps) != 0:
        return False
    backsolve(w.dense, size, w.swaps, w.unknown)
    at = 0
    for s in range(n):  # the answer, in place of r₀; velocities with it
        r0, r1, r2 = 0.0, 0.0, 0.0
        rows = _rows(w, s)
        for j in range(rows):
            g0, g1, g2 = _given(w, s, j)
            f = w.unknown[at]
            r0, r1, r2 = r0 + f * g0, r1 + f * g1, r2 + f * g2
            at += 1
        _pushed(w, s, r0 - w.still[3 * s], r1 - w.still[3 * s + 1], r2 - w.still[3 * s + 2])
        w.still[3 * s], w.still[3 * s + 1], w.still[3 * s + 2] = r0, r1, r2
    for s in range(n):
        k, state = ROW * w.seat[3 * s], w.seat[3 * s + 2]
        x, y, z = _slip(w, s)
        normal, w.heading[2 * s], w.heading[2 * s + 1], w.seat[3 * s + 2] = _read_off(w, s, k, state, bound, aim, x, y, z)
        w.unknown[s] = normal
    for s in range(n):  # projected
        k, state, normal = ROW * w.seat[3 * s], w.seat[3 * s + 2], w.unknown[s]
        t1, t2 = w.still[3 * s + 1], w.still[3 * s + 2]
        if state != STICK:
            t1, t2 = _limit(w, s, normal) * w.heading[2 * s], _limit(w, s, normal) * w.heading[2 * s + 1]
        _pushed(w, s, normal - w.still[3 * s], t1 - w.still[3 * s + 1], t2 - w.still[3 * s + 2])
        f, o = w.frame, 9 * s
        w.row[k + RN] = normal
        for i in range(3):
            w.row[k + RT + i] = t1 * f[o + 3 + i] + t2 * f[o + 6 + i]
    return True


@inline
def _read_off(w, s, k, state, bound, aim, x, y, z):
    """Of the answer at a point whose velocity is (x, y, z): normal impulse, direction of friction, state."""
    un = _along(w, s, x, y, z, 0)
    if state == OPEN:
        return 0.0, 0.0, 0.0, STICK if un + w.row[k + bound] < -1e-3 * aim else OPEN
    normal, t1, t2 = w.still[3 * s], w.still[3 * s + 1], w.still[3 * s + 2]
    if not normal > 0.0:
        return 0.0, 0.0, 0.0, OPEN
    if state == SLIDE:  # as a visit has it
        t1 -= w.row[k + MT] * _along(w, s, x, y, z, 1)
        t2 -= w.row[k + MT] * _along(w, s, x, y, z, 2)
    size = math.sqrt(t1 * t1 + t2 * t2)
    if size > _limit(w, s, normal):
        return normal, t1 / size, t2 / size, SLIDE
    return normal, 0.0, 0.0, STICK
