"""All points of an island at once, where sweeps do not converge: towers, heavy on light.

The law is r = P(r − (u + bound)/ε) for any ε > 0, with P the projection onto r_n ≥ 0, |r_t| ≤ μ r_n.  With the state of every
point (open, sticking, sliding) taken from the last linear solution, its proximal step is linear,

    r = r₀ − (C v + bound)/ε      closed: along the normal; sticking: all three;  sliding: r_t = μ r_n d as it was
    (M + Σ Cᵀ C/ε) v = M v̂ + Σ Cᵀ (r₀ − bound/ε)

which is symmetric, positive and as sparse as the island: one Cholesky factorisation within its envelope, bodies in the order of
Cuthill and McKee.  Then r is projected, v = v̂ + M⁻¹ Cᵀ r, and the next state is read off.  ε is a small part of K, so that a few
iterations are enough also where masses differ by 10⁴; where forces are not unique (four feet), the ones nearest to the last are
found.  Islands that do not get below the tolerance keep the better of the two: what they had, or what was found; they are left to
the sweeps the next time they are asked, after a second failure the next three times, then seven … (``waits``: what tumbles and
slides fails again and again, what comes to rest is tried soon enough).
"""

import math

from dalembert._jit import inline, kernel
from dalembert.contacts.envelope import entry_at, factored, substituted
from dalembert.contacts.sweep import push, relative, slip
from dalembert.contacts.tables import DRIFT, GRIP, LINK, MN, MT, MU, RA, RN, ROW, RT

OPEN, STICK, SLIDE = range(3)
PROXIMAL = 1e-5  # of K_nn
MOST = 40  # iterations
LONGEST = 63  # tries that an island is passed over, after it failed six times running


@kernel
def survey(w):
    """Islands of at most ``rules.direct`` bodies that fit into the matrix: their bodies, manifolds and envelopes.

    Roots are those of all points, also open ones (islands.py).
    """
    nb, number = w.rules.bodies, w.report.active
    for b in range(nb + 2):
        w.near_at[b] = 0
        w.bond_at[b] = 0
    for m in range(number):  # neighbours of every body, and manifolds of every root
        a, b = w.link[LINK * m], w.link[LINK * m + 1]
        if a < nb and b < nb:
            w.near_at[a + 1] += 1
            w.near_at[b + 1] += 1
        w.bond_at[w.root[a if a < nb else b] + 1] += 1
    for b in range(nb):
        w.near_at[b + 1] += w.near_at[b]
        w.bond_at[b + 1] += w.bond_at[b]
    for b in range(nb):
        w.fill[b], w.fill_bond[b] = w.near_at[b], w.bond_at[b]
    for m in range(number):
        a, b = w.link[LINK * m], w.link[LINK * m + 1]
        if a < nb and b < nb:
            w.near[w.fill[a]] = b
            w.near[w.fill[b]] = a
            w.fill[a] += 1
            w.fill[b] += 1
        r = w.root[a if a < nb else b]
        w.bond[w.fill_bond[r]] = m
        w.fill_bond[r] += 1
    w.report.islands, w.report.covered = 0, 0
    at = 0
    for b in range(nb):
        w.place_of[b] = -1
    for r in range(nb):
        if w.root[r] == r and w.bond_at[r + 1] > w.bond_at[r] and w.frozen[r] == 0:
            n = _ordered(w, r, at)
            if n > 0:
                w.island[2 * w.report.islands], w.island[2 * w.report.islands + 1] = at, n
                w.report.islands += 1
                w.report.covered += w.bond_at[r + 1] - w.bond_at[r]
                at += n


@kernel
def _ordered(w, r, at):
    """Bodies of the island of root r in breadth-first order from one with few neighbours; their number, 0 if it is not for us."""
    nb = w.rules.bodies
    start = r
    for b in range(r, nb):
        if w.root[b] == r and w.near_at[b + 1] - w.near_at[b] < w.near_at[start + 1] - w.near_at[start]:
            start = b
    w.order[at] = start
    w.place_of[start] = 0
    n, done = 1, 0
    while done < n:
        b = w.order[at + done]
        if w.jointed[b] == 1 or n > w.rules.direct:
            return 0
        for k in range(w.near_at[b], w.near_at[b + 1]):
            o = w.near[k]
            if w.place_of[o] < 0:
                w.place_of[o] = n
                w.order[at + n] = o
                n += 1
        done += 1
    if n > w.rules.direct:
        return 0
    size, work = 0, 0
    for p in range(n):
        b, low = w.order[at + p], p
        for k in range(w.near_at[b], w.near_at[b + 1]):
            low = min(low, w.place_of[w.near[k]])
        w.low[at + p], w.offset[at + p] = low, size
        size += 36 * (p - low + 1)
        work += 36 * (p - low + 1) * 6 * (p - low + 1)
    return n if size <= w.matrix.size and work <= w.rules.effort else 0


@kernel
def islands_at_once(w, bound):
    """Every surveyed island whose points miss the law by more than a millionth of the tolerance.  How many still do."""
    left = 0
    for k in range(w.report.islands):
        left += _solve(w, w.island[2 * k], w.island[2 * k + 1], bound)
    return left


@kernel
def worst(w, bound):
    """The largest residual of all islands; more than any where islands are not all there is."""
    if w.report.covered != w.report.active:
        return 1e300
    found = 0.0
    for k in range(w.report.islands):
        found = max(found, _miss(w, w.root[w.order[w.island[2 * k]]], bound))
    return found


@kernel
def aside(w, back):
    """Impulses and velocities of all islands aside, or as they were."""
    for k in range(w.report.islands):
        at = w.island[2 * k]
        _store(w, w.root[w.order[at]], at, w.island[2 * k + 1], back)


@kernel
def _miss(w, r, bound):
    """The largest residual of the island of root r (certify.py), with the bound in use."""
    row, worst = w.row, 0.0
    for i in range(w.bond_at[r], w.bond_at[r + 1]):
        m = w.bond[i]
        a, b = w.link[LINK * m], w.link[LINK * m + 1]
        nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            k = ROW * c
            mn, mt, rn = row[k + MN], row[k + MT], row[k + RN]
            x, y, z = slip(w, a, b, k)
            un = x * nx + y * ny + z * nz
            worst = max(worst, math.fabs(rn - max(0.0, rn - mn * (un + row[k + bound]))) / mn)
            s0, s1, s2 = (row[k + RT] - mt * (x - un * nx), row[k + RT + 1] - mt * (y - un * ny),
                          row[k + RT + 2] - mt * (z - un * nz))
            size, limit = math.sqrt(s0 * s0 + s1 * s1 + s2 * s2), w.grip[GRIP * m + MU] * rn
            f = limit / size if size > limit else 1.0
            worst = max(worst, math.sqrt((row[k + RT] - f * s0) ** 2 + (row[k + RT + 1] - f * s1) ** 2
                                         + (row[k + RT + 2] - f * s2) ** 2) / mt)
    return worst


@kernel
def _solve(w, at, n, bound):
    """One island, unless it failed of late: 1 if it is left to the sweeps."""
    r = w.root[w.order[at]]
    aim = 1e-9 * w.rules.tolerance
    best = _miss(w, r, bound)
    if best <= 1e3 * aim:
        return 0
    if w.waits[2 * r] > 0:
        w.waits[2 * r] -= 1
        return 1
    w.report.solved += 1
    _store(w, r, at, n, 0)
    _first(w, r, bound)
    for _ in range(MOST):
        w.report.iterations += 1
        _assemble(w, r, at, n, bound)
        if not factored(w, at, n):
            break
        substituted(w, at, n)
        _impulses(w, r, at, n, bound, aim)
        miss = _miss(w, r, bound)
        stuck = best <= 1e3 * aim and miss > 0.5 * best  # as good as rounding lets it be
        if miss < best:
            best = miss
            _store(w, r, at, n, 0)
        if miss <= aim or stuck:
            break
    _store(w, r, at, n, 1)
    if best <= 1e3 * aim:
        w.waits[2 * r + 1] = 0
        return 0
    w.report.failed += 1
    w.waits[2 * r + 1] = min(2 * w.waits[2 * r + 1] + 1, LONGEST)
    w.waits[2 * r] = w.waits[2 * r + 1]
    return 1


@kernel
def _first(w, r, bound):
    """States to begin with: what carries something, or would, sticks."""
    row = w.row
    for i in range(w.bond_at[r], w.bond_at[r + 1]):
        m = w.bond[i]
        nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            k = ROW * c
            x, y, z = relative(w, w.free, w.link[LINK * m], w.link[LINK * m + 1], k)
            near = row[k + bound] <= 0.0 and row[k + RN] >= 0.0
            w.state[c] = STICK if near or row[k + RN] > 0.0 or x * nx + y * ny + z * nz + row[k + bound] < 0.0 else OPEN


@kernel
def _store(w, r, at, n, back):
    """Impulses and velocities of the island aside (back = 0), or as they were stored."""
    row = w.row
    for i in range(w.bond_at[r], w.bond_at[r + 1]):
        m = w.bond[i]
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            for e in range(4):
                if back == 0:
                    w.kept[4 * c + e] = row[ROW * c + RN + e]
                else:
                    row[ROW * c + RN + e] = w.kept[4 * c + e]
    for p in range(n):
        b = w.order[at + p]
        for e in range(6):
            if back == 0:
                w.slip[6 * b + e] = w.v[6 * b + e]
            else:
                w.v[6 * b + e] = w.slip[6 * b + e]


@kernel
def _mass(w, b, p, at):
    """M of body b, and M v̂, into the matrix and the right-hand side."""
    m, I, o = 1.0 / w.W[b], w.moment, 6 * b
    for i in range(3):
        w.matrix[entry_at(w, at, p, i, p, i)] = m
        w.right[6 * p + i] = m * w.free[o + i]
    xx, xy, xz, yy, yz, zz = I[o], I[o + 1], I[o + 2], I[o + 3], I[o + 4], I[o + 5]
    if w.rules.plane != 0 or xx <= 0.0:
        J = 1.0 / zz if zz > 0.0 else 1e30
        for i in range(3):
            w.matrix[entry_at(w, at, p, 3 + i, p, 3 + i)] = J
            w.right[6 * p + 3 + i] = J * w.free[o + 3 + i]
        return
    c00, c01, c02 = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    det = xx * c00 + xy * c01 + xz * c02
    c11, c12, c22 = xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy
    a, b1, c, d, e, f = c00 / det, c01 / det, c02 / det, c11 / det, c12 / det, c22 / det
    w.matrix[entry_at(w, at, p, 3, p, 3)] = a
    w.matrix[entry_at(w, at, p, 4, p, 3)] = b1
    w.matrix[entry_at(w, at, p, 4, p, 4)] = d
    w.matrix[entry_at(w, at, p, 5, p, 3)] = c
    w.matrix[entry_at(w, at, p, 5, p, 4)] = e
    w.matrix[entry_at(w, at, p, 5, p, 5)] = f
    x, y, z = w.free[o + 3], w.free[o + 4], w.free[o + 5]
    w.right[6 * p + 3] = a * x + b1 * y + c * z
    w.right[6 * p + 4] = b1 * x + d * y + e * z
    w.right[6 * p + 5] = c * x + e * y + f * z


@inline
def _arms(w, k, side, dx, dy, dz, out):
    """Row of C for one side and one direction: ±(d, arm × d)."""
    s = -1.0 if side == 0 else 1.0
    x, y, z = w.row[k + RA + 3 * side], w.row[k + RA + 3 * side + 1], w.row[k + RA + 3 * side + 2]
    out[0], out[1], out[2] = s * dx, s * dy, s * dz
    out[3], out[4], out[5] = s * (y * dz - z * dy), s * (z * dx - x * dz), s * (x * dy - y * dx)


@kernel
def _assemble(w, r, at, n, bound):
    """Matrix and right-hand side with the states and impulses of the last iterate."""
    nb, row = w.rules.bodies, w.row
    top = w.offset[at + n - 1] + 36 * (n - 1 - w.low[at + n - 1] + 1)
    for i in range(top):
        w.matrix[i] = 0.0
    for p in range(n):
        _mass(w, w.order[at + p], p, at)
    one, other = w.spare[0:6], w.spare[6:12]
    for i in range(w.bond_at[r], w.bond_at[r + 1]):
        m = w.bond[i]
        a, b = w.link[LINK * m], w.link[LINK * m + 1]
        nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            k = ROW * c
            rho = row[k + MN] / PROXIMAL
            if w.state[c] == OPEN:
                continue
            for d in range(3):
                dx, dy, dz = 1.0 if d == 0 else 0.0, 1.0 if d == 1 else 0.0, 1.0 if d == 2 else 0.0
                along = nx if d == 0 else ny if d == 1 else nz
                if w.state[c] == SLIDE:
                    if d > 0:
                        break
                    dx, dy, dz, along = nx, ny, nz, 1.0
                drift = row[k + DRIFT] * dx + row[k + DRIFT + 1] * dy + row[k + DRIFT + 2] * dz
                push_in = row[k + RN] * along - rho * (row[k + bound] * along + drift)
                if w.state[c] == STICK:
                    push_in += row[k + RT + d]
                for side in range(2):
                    body = a if side == 0 else b
                    if body == nb or w.W[body] == 0.0:
                        continue
                    p = w.place_of[body]
                    _arms(w, k, side, dx, dy, dz, one)
                    for e in range(6):
                        w.right[6 * p + e] += one[e] * push_in
                        for g in range(e + 1):
                            w.matrix[entry_at(w, at, p, e, p, g)] += rho * one[e] * one[g]
                if a < nb and b < nb and w.W[a] > 0.0 and w.W[b] > 0.0:
                    p, q = w.place_of[a], w.place_of[b]
                    _arms(w, k, 0, dx, dy, dz, one)
                    _arms(w, k, 1, dx, dy, dz, other)
                    for e in range(6):
                        for g in range(6):
                            if p > q:
                                w.matrix[entry_at(w, at, p, e, q, g)] += rho * one[e] * other[g]
                            else:
                                w.matrix[entry_at(w, at, q, g, p, e)] += rho * one[e] * other[g]
            if w.state[c] == SLIDE:  # friction as it is at this slip
                for side in range(2):
                    body = a if side == 0 else b
                    if body == nb or w.W[body] == 0.0:
                        continue
                    p = w.place_of[body]
                    _arms(w, k, side, row[k + RT], row[k + RT + 1], row[k + RT + 2], one)
                    for e in range(6):
                        w.right[6 * p + e] += one[e]


@kernel
def _impulses(w, r, at, n, bound, aim):
    """r of the proximal step, projected, and the next states; then v = v̂ + M⁻¹ Cᵀ r."""
    row = w.row
    for p in range(n):
        b = w.order[at + p]
        for e in range(6):
            w.v[6 * b + e] = w.right[6 * p + e]
    for i in range(w.bond_at[r], w.bond_at[r + 1]):
        m = w.bond[i]
        a, b = w.link[LINK * m], w.link[LINK * m + 1]
        nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            k = ROW * c
            rho = row[k + MN] / PROXIMAL
            x, y, z = slip(w, a, b, k)
            un = x * nx + y * ny + z * nz
            if w.state[c] == OPEN:
                row[k + RN] = row[k + RT] = row[k + RT + 1] = row[k + RT + 2] = 0.0
                if un + row[k + bound] < -1e-3 * aim:
                    w.state[c] = STICK
                continue
            new = row[k + RN] - rho * (un + row[k + bound])
            if new <= 0.0:
                row[k + RN] = row[k + RT] = row[k + RT + 1] = row[k + RT + 2] = 0.0
                w.state[c] = OPEN
                continue
            f = rho if w.state[c] == STICK else row[k + MT]
            tx, ty, tz = (row[k + RT] - f * (x - un * nx), row[k + RT + 1] - f * (y - un * ny),
                          row[k + RT + 2] - f * (z - un * nz))
            size, limit = math.sqrt(tx * tx + ty * ty + tz * tz), w.grip[GRIP * m + MU] * new
            w.state[c] = STICK
            if size > limit:
                f = limit / size
                tx, ty, tz = f * tx, f * ty, f * tz
                w.state[c] = SLIDE
            row[k + RN], row[k + RT], row[k + RT + 1], row[k + RT + 2] = new, tx, ty, tz
    for p in range(n):
        b = w.order[at + p]
        for e in range(6):
            w.v[6 * b + e] = w.free[6 * b + e]
    for i in range(w.bond_at[r], w.bond_at[r + 1]):
        m = w.bond[i]
        nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            k = ROW * c
            s = row[k + RN]
            if s > 0.0:
                push(w, w.link[LINK * m], w.link[LINK * m + 1], k, s * nx + row[k + RT], s * ny + row[k + RT + 1],
                     s * nz + row[k + RT + 2])

