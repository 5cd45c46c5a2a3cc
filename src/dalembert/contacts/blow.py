"""A blow in a short time of its own, where Newton's restitution is no answer: Poisson's, or none.

    compression   e = 0: impulses r of the law at rest, v₁ = v̂ + M⁻¹ Cᵀ r, of many the least (below)
    restitution   e r_n given back, with friction of its own:  s_n ≥ e r_n,  0 ≤ u_n ⊥ s_n − e r_n ≥ 0,  |s_t| ≤ μ s_n

Newton's is no answer where it would gain energy, or where no impulse within the cone reaches it.  The latter is common where K
has no inverse: of an arm on a pin K = j jᵀ, points only move along j, and with μ |j_t| > j_n nothing within the cone parts what
comes in against that; sweeps go on along the null direction without end.  There s moves nothing either: s ∝ (j_t, −j_n)
is self-stress, and left out.  Poisson's is kept where it meets its law and gains no energy; else there is no restitution.

    self-stress   r_z with W r_z = 0, W = C M⁻¹ Cᵀ of the points that stick.  W is symmetric, and conjugate gradients from zero
                  for W y = W r stay in its range: they end at the least y, |r|² = |y|² + |r_z|²

It is taken if all its points are still within their cones.  What is left open is told, if it does not cancel.
"""

import math

from dalembert._jit import inline, kernel
from dalembert.contacts.sweep import push, relative, rest_of_law, slip
from dalembert.contacts.tables import GAP, GRIP, HOLD, KN, LINK, MN, MT, MU, PUSH, RN, ROW, RT, SLOP, TRACE, E

UNREACHED = 1e-4  # of the speed with which it comes: a point that misses Newton's law by more
MISSED = 1e-2  # of that speed, and above the tolerance: sweeps should have converged and did not
STILL = 1e-8  # of the speed with which it comes: a point that slides no faster sticks
NOTHING = 1e-9  # of what changes: moves nothing
EACH = 12  # numbers of a point in ``kept``


@kernel
def missed(w, bound):
    """Of all points: the largest part of its own speed by which one misses the law, that residual, and its manifold."""
    row, part, worst, at = w.row, 0.0, 0.0, -1
    for m in range(w.report.active):
        if w.link[LINK * m + 7] != 0:
            continue
        a, b = w.link[LINK * m], w.link[LINK * m + 1]
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            k = ROW * c
            if row[k + MN] <= 0.0 or row[k + MT] <= 0.0:
                continue
            normal, across = rest_of_law(w, m, k, bound)
            e = max(normal, across)
            if e > 1e-9 * w.rules.tolerance:
                x, y, z = relative(w, w.free, a, b, k)
                speed = max(math.sqrt(x * x + y * y + z * z), e)
                if e > part * speed:
                    part, worst, at = e / speed, e, m
    return part, worst, at


@kernel
def watch(w, bound):
    """Where sweeps should have converged, and a point misses the law by a good part of its speed: the worst is told."""
    part, worst, m = missed(w, bound)
    r = w.report
    if part > MISSED and worst > w.rules.tolerance:
        r.missed += 1
        if worst > r.miss:
            r.miss, r.miss_a, r.miss_b, r.miss_time = worst, w.link[LINK * m + 5], w.link[LINK * m + 6], w.rules.time


@kernel
def gains(w):
    """Whether the impulses put energy in: Σ r·½ (û + u) over all points, above rounding (what drives do is theirs)."""
    work, size, row = 0.0, 0.0, w.row
    for m in range(w.report.active):
        a, b = w.link[LINK * m], w.link[LINK * m + 1]
        nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            k = ROW * c
            n = row[k + RN]
            if n <= TRACE:
                continue
            r0, r1, r2 = n * nx + row[k + RT], n * ny + row[k + RT + 1], n * nz + row[k + RT + 2]
            x, y, z = relative(w, w.free, a, b, k)
            x1, y1, z1 = relative(w, w.v, a, b, k)
            work += 0.5 * (r0 * (x + x1) + r1 * (y + y1) + r2 * (z + z1))
            size += math.sqrt((r0 * r0 + r1 * r1 + r2 * r2) * (x * x + y * y + z * z))
    return work > 1e-10 * size


@kernel
def told(w, m, kind):
    """The two shapes of manifold m, the first time: kind 0 not reached, 1 left open."""
    r = w.report
    if kind == 0:
        r.unreached += 1
        if r.unreached == 1:
            r.un_a, r.un_b, r.un_time = w.link[LINK * m + 5], w.link[LINK * m + 6], w.rules.time
    else:
        r.loose += 1
        if r.loose == 1:
            r.loose_a, r.loose_b, r.loose_time = w.link[LINK * m + 5], w.link[LINK * m + 6], w.rules.time


@kernel
def anew(w):
    """No impulse, and free motion."""
    for m in range(w.report.active):
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            k = ROW * c
            if w.row[k + RN] > TRACE:
                w.row[k + RN] = 0.0
            w.row[k + RT] = w.row[k + RT + 1] = w.row[k + RT + 2] = 0.0
    for b in range(w.rules.bodies):
        if w.frozen[b] == 0:
            for c in range(6 * b, 6 * b + 6):
                w.v[c] = w.free[c]


@kernel
def _sticks(w, m, k):
    """Whether the point at row k carries something and does not slide; its impulse may be on the cone's edge."""
    row, a, b = w.row, w.link[LINK * m], w.link[LINK * m + 1]
    if row[k + RN] <= TRACE or row[k + MN] <= 0.0:
        return False
    nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
    x, y, z = relative(w, w.free, a, b, k)
    speed = math.sqrt(x * x + y * y + z * z)
    x, y, z = slip(w, a, b, k)
    un = x * nx + y * ny + z * nz
    return math.sqrt((x - un * nx) ** 2 + (y - un * ny) ** 2 + (z - un * nz) ** 2) <= STILL * speed


@kernel
def _through(w, source, to):
    """W times the vector at ``source`` of all points that stick (``state``), to ``to``; velocities are left as they were."""
    kept, n = w.kept, 6 * w.rules.bodies
    for i in range(n):
        w.slip[i] = w.v[i]
        w.v[i] = 0.0
    for turn in range(2):
        for m in range(w.report.active):
            a, b, first = w.link[LINK * m], w.link[LINK * m + 1], w.link[LINK * m + 2]
            for c in range(first, first + w.link[LINK * m + 3]):
                o = EACH * c
                if w.state[c] == 0:
                    continue
                if turn == 0:
                    push(w, a, b, ROW * c, kept[o + source], kept[o + source + 1], kept[o + source + 2])
                else:
                    kept[o + to], kept[o + to + 1], kept[o + to + 2] = relative(w, w.v, a, b, ROW * c)
    for i in range(n):
        w.v[i] = w.slip[i]


@inline
def _times(w, one, other):
    """The product of two such vectors."""
    total = 0.0
    for c in range(w.report.points):
        if w.state[c] != 0:
            for i in range(3):
                total += w.kept[EACH * c + one + i] * w.kept[EACH * c + other + i]
    return total


@kernel
def least(w):
    """Impulses of points that stick without self-stress, if that leaves them in their cones; the first manifold whose impulse
    the law leaves open, or −1."""
    row, kept, count = w.row, w.kept, 0
    if EACH * w.report.points > kept.size:
        return -1
    for m in range(w.report.active):
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            k, o = ROW * c, EACH * c
            w.state[c] = 1 if w.link[LINK * m + 7] == 0 and _sticks(w, m, k) else 0
            count += w.state[c]
            for i in range(3):
                kept[o + i] = 0.0  # y
                kept[o + 6 + i] = row[k + RN] * w.normal[3 * m + i] + row[k + RT + i]  # r, then the direction
    if count == 0:
        return -1
    size = math.sqrt(_times(w, 6, 6))
    _through(w, 6, 3)  # the residual W r
    for c in range(w.report.points):
        for i in range(3):
            kept[EACH * c + 6 + i] = kept[EACH * c + 3 + i]
    rho = _times(w, 3, 3)
    begun = rho
    for _ in range(6 * count):
        if rho <= 1e-26 * begun:
            break
        _through(w, 6, 9)
        curve = _times(w, 6, 9)
        if curve <= 0.0:
            break
        f = rho / curve
        for c in range(w.report.points):
            for i in range(3):
                kept[EACH * c + i] += f * kept[EACH * c + 6 + i]
                kept[EACH * c + 3 + i] -= f * kept[EACH * c + 9 + i]
        old, rho = rho, _times(w, 3, 3)
        for c in range(w.report.points):
            for i in range(3):
                kept[EACH * c + 6 + i] = kept[EACH * c + 3 + i] + rho / old * kept[EACH * c + 6 + i]
    if rho > 1e-20 * begun:
        return -1
    return _taken(w, size)


@kernel
def _taken(w, size):
    """y in place of r, where all points are within their cones; the first manifold for which r − y is more than rounding."""
    row, kept, inside, open_ = w.row, w.kept, True, -1
    for m in range(w.report.active):
        first, x, y, z = w.link[LINK * m + 2], 0.0, 0.0, 0.0
        nx, ny, nz, mu = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2], w.grip[GRIP * m + MU]
        for c in range(first, first + w.link[LINK * m + 3]):
            if w.state[c] == 0:
                continue
            k, o = ROW * c, EACH * c
            n = kept[o] * nx + kept[o + 1] * ny + kept[o + 2] * nz
            t0, t1, t2 = kept[o] - n * nx, kept[o + 1] - n * ny, kept[o + 2] - n * nz
            inside = inside and n >= 0.0 and t0 * t0 + t1 * t1 + t2 * t2 <= mu * mu * n * n
            x += row[k + RN] * nx + row[k + RT] - kept[o]
            y += row[k + RN] * ny + row[k + RT + 1] - kept[o + 1]
            z += row[k + RN] * nz + row[k + RT + 2] - kept[o + 2]
        if open_ < 0 and math.sqrt(x * x + y * y + z * z) > 1e-7 * size:
            open_ = m
    if not inside or open_ < 0:
        return open_
    for m in range(w.report.active):
        first = w.link[LINK * m + 2]
        nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            if w.state[c] == 0:
                continue
            k, o = ROW * c, EACH * c
            n = kept[o] * nx + kept[o + 1] * ny + kept[o + 2] * nz
            row[k + RN] = n
            row[k + RT], row[k + RT + 1], row[k + RT + 2] = kept[o] - n * nx, kept[o + 1] - n * ny, kept[o + 2] - n * nz
    return open_


@kernel
def back(w):
    """Impulses and velocities of the compression, where the second phase was no answer either."""
    for c in range(w.report.points):
        for i in range(4):
            w.row[ROW * c + RN + i] = w.kept[EACH * c + i]
    for i in range(6 * w.rules.bodies):
        w.v[i] = w.slip[i]


@inline
def _given(w, m, k, more):
    """One visit in the second phase: the change in m/s."""
    row = w.row
    a, b = w.link[LINK * m], w.link[LINK * m + 1]
    nx, ny, nz, mn, mt = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2], row[k + MN], row[k + MT]
    x, y, z = slip(w, a, b, k)
    dn = max(more, row[k + RN] - mn * (x * nx + y * ny + z * nz)) - row[k + RN]
    row[k + RN] += dn
    x, y, z = x + dn * row[k + KN], y + dn * row[k + KN + 1], z + dn * row[k + KN + 2]
    un = x * nx + y * ny + z * nz
    r0, r1, r2 = row[k + RT], row[k + RT + 1], row[k + RT + 2]
    s0, s1, s2 = r0 - mt * (x - un * nx), r1 - mt * (y - un * ny), r2 - mt * (z - un * nz)
    limit, size = w.grip[GRIP * m + MU] * row[k + RN], math.sqrt(s0 * s0 + s1 * s1 + s2 * s2)
    if size > limit:
        f = limit / size
        s0, s1, s2 = f * s0, f * s1, f * s2
    row[k + RT], row[k + RT + 1], row[k + RT + 2] = s0, s1, s2
    f0, f1, f2 = s0 - r0, s1 - r1, s2 - r2
    push(w, a, b, k, dn * nx + f0, dn * ny + f1, dn * nz + f2)
    return max(abs(dn) / mn, math.sqrt(f0 * f0 + f1 * f1 + f2 * f2) / mt)


@kernel
def restituted(w):
    """The second phase after a compression: False, and as that left it, where it moves nothing or finds no end."""
    row, kept = w.row, w.kept
    if EACH * w.report.points > kept.size:
        return False
    for i in range(6 * w.rules.bodies):
        w.slip[i] = w.v[i]
    for m in range(w.report.active):
        first, e = w.link[LINK * m + 2], w.grip[GRIP * m + E]
        for c in range(first, first + w.link[LINK * m + 3]):
            k, o = ROW * c, EACH * c
            for i in range(4):
                kept[o + i] = row[k + RN + i]
            more = e * row[k + RN] if row[k + RN] > TRACE else 0.0
            kept[o + 4] = more
            row[k + RN], row[k + RT], row[k + RT + 1], row[k + RT + 2] = more, 0.0, 0.0, 0.0
            if more > 0.0:
                push(w, w.link[LINK * m], w.link[LINK * m + 1], k, more * w.normal[3 * m], more * w.normal[3 * m + 1],
                     more * w.normal[3 * m + 2])
    change, turn = 1e300, 0
    while change > 1e-11 * w.rules.tolerance and turn * w.report.points < w.rules.visits:
        change = 0.0
        for i in range(w.report.active):
            m = w.report.active - 1 - i if turn & 1 else i
            first = w.link[LINK * m + 2]
            for c in range(first, first + w.link[LINK * m + 3]):
                here = row[ROW * c + HOLD] <= 0.0 and row[ROW * c + GAP] <= w.grip[GRIP * m + SLOP]
                if row[ROW * c + MN] > 0.0 and w.link[LINK * m + 7] == 0 and here:
                    change = max(change, _given(w, m, ROW * c, kept[EACH * c + 4]))
        turn += 1
    moved, whole = 0.0, 0.0
    for b in range(w.rules.bodies):
        for i in range(6 * b, 6 * b + 6):
            s = 1.0 if i < 6 * b + 3 else w.radius[b]
            moved, whole = max(moved, s * abs(w.v[i] - w.slip[i])), max(whole, s * abs(w.slip[i] - w.free[i]))
    if change > UNREACHED * whole or moved <= NOTHING * whole:
        back(w)
        return False
    for m in range(w.report.active):
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            k, o = ROW * c, EACH * c
            for i in range(4):
                row[k + RN + i] += kept[o + i]
    return True


@kernel
def parted(w):
    """After both phases: bounds by which the points that part meet their law."""
    for m in range(w.report.active):
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            k = ROW * c
            if w.kept[EACH * c + 4] > 0.0:
                x, y, z = slip(w, w.link[LINK * m], w.link[LINK * m + 1], k)
                un = x * w.normal[3 * m] + y * w.normal[3 * m + 1] + z * w.normal[3 * m + 2]
                w.row[k + PUSH] = w.row[k + HOLD] = -un if un > w.rules.tolerance * 1e-9 else 0.0
