"""The law at every point, and sweeps over the points: block Gauss–Seidel on exact Coulomb friction.

With u the velocity of the second body's point against the first's after the substep and r the impulse on the second,

    0 ≤ u_n + bound  ⊥  r_n ≥ 0              r_t = proj(|·| ≤ μ r_n) (r_t − ρ u_t)       for any ρ > 0: u_t = 0, or r_t against it

    bound   open, gap > slop      (gap − slop/2)/h: nothing goes through, and nothing is held back that does not arrive
            |gap| ≤ slop          0: no position bias inside the slop, so that rest is rest
            deeper                share (gap + slop)/h in the sweep that moves bodies (``haste`` at most), 0 when relaxing
            a blow with e > 0     the point arrives with u(τ) = u₀ + a τ at gap + u₀ τ + ½ a τ² = 0 and leaves with −e u(τ):
                                  bound = e u(τ) − a (h − τ);  Newton's law, with the substep's share of the forces on either side

One visit: r_n ← max(0, r_n − (u_n + bound)/K_nn), then, with the velocity it gives, r_t ← proj(r_t − u_t/λ_t), λ_t the largest
eigenvalue of the tangential K.  The cone is round and the normal part does not see friction (no dilation).  Sweeps alternate
their direction; their order is fixed, so the same scene gives the same bits.
"""

import math

import numpy as np

from dalembert._jit import inline, kernel
from dalembert.contacts.motion import ride_point
from dalembert.contacts.sums import add, count
from dalembert.contacts.tables import COLUMN, DRIFT, GAP, HOLD, LINK, MN, MT, MU, PUSH, RA, RB, RN, ROW, RT, SLOP, SOFT, U0, E, K

BOUNCE = 0.25  # of g h: slower points do not bounce
NEVER = 1e30
CREEP = 1e-4  # of the speed that counts as rest: points of slower bodies are taken along once in a detection
SETTLED = 1.0 + 1e-7  # of the slop: points this deep are hardly pushed any more, and there is nothing to relax


@inline
def relative(w, v, a, b, k):
    """Velocity of the point at row k of body b against a."""
    row, i, j = w.row, 6 * a, 6 * b
    x1, y1, z1, x2, y2, z2 = (row[k + RA], row[k + RA + 1], row[k + RA + 2], row[k + RB], row[k + RB + 1], row[k + RB + 2])
    return (v[j] + v[j + 4] * z2 - v[j + 5] * y2 - v[i] - v[i + 4] * z1 + v[i + 5] * y1,
            v[j + 1] + v[j + 5] * x2 - v[j + 3] * z2 - v[i + 1] - v[i + 5] * x1 + v[i + 3] * z1,
            v[j + 2] + v[j + 3] * y2 - v[j + 4] * x2 - v[i + 2] - v[i + 3] * y1 + v[i + 4] * x1)


@inline
def slip(w, a, b, k):
    """u of the law: the same at the end of the substep."""
    x, y, z = relative(w, w.v, a, b, k)
    return x + w.row[k + DRIFT], y + w.row[k + DRIFT + 1], z + w.row[k + DRIFT + 2]


@kernel
def push(w, a, b, k, px, py, pz):
    """Velocities after an impulse on body b (and its opposite on a) at the point of row k."""
    row = w.row
    for side in range(2):
        body = a if side == 0 else b
        if w.W[body] == 0.0 or w.jointed[body] == 1:
            continue
        s = -1.0 if side == 0 else 1.0
        o, at = 6 * body, k + 3 * side
        x, y, z, m = row[at], row[at + 1], row[at + 2], s * w.W[body]
        w.v[o] += m * px
        w.v[o + 1] += m * py
        w.v[o + 2] += m * pz
        cx, cy, cz = s * (y * pz - z * py), s * (z * px - x * pz), s * (x * py - y * px)
        I = w.moment
        w.v[o + 3] += I[o] * cx + I[o + 1] * cy + I[o + 2] * cz
        w.v[o + 4] += I[o + 1] * cx + I[o + 3] * cy + I[o + 4] * cz
        w.v[o + 5] += I[o + 2] * cx + I[o + 4] * cy + I[o + 5] * cz
    if row[k + COLUMN] >= 0.0:
        n = 6 * w.rules.bodies + 6
        c = n * np.int64(row[k + COLUMN])
        for i in range(n - 6):
            w.v[i] += w.column[c + i] * px + w.column[c + n + i] * py + w.column[c + 2 * n + i] * pz


@inline
def _bounds(w, k, h, few):
    """Bounds of the point at row k, by its gap."""
    row, r = w.row, w.rules
    gap, slop = row[k + GAP], row[k + SLOP]
    if few and h < 1e-3 * r.h and gap > 1e-3 * slop:  # so short a time: it does not come to that
        row[k + PUSH] = row[k + HOLD] = gap / h
    elif gap > slop:
        row[k + PUSH] = row[k + HOLD] = (gap + slop if few else gap - 0.5 * slop) / h
    elif gap < -slop:
        row[k + PUSH], row[k + HOLD] = max(r.share * (gap + slop) / h, -r.haste), 0.0
        if gap < -SETTLED * slop:
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
    w.row[k + U0] = u0
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
    for m in range(w.report.active):
        if r.alone != 0:
            blows += _ridden(w, m, h, few, slow)
            continue
        if r.fresh == 0:
            count(w, m, 1.0)
        a, b = w.link[LINK * m], w.link[LINK * m + 1]
        nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            k = ROW * c
            _bounds(w, k, h, few)
            if row[k + E] > 0.0:
                blows += _bounce(w, m, a, b, k, nx, ny, nz, h, slow)
            n = row[k + RN]
            if n > 0.0:
                push(w, a, b, k, n * nx + row[k + RT], n * ny + row[k + RT + 1], n * nz + row[k + RT + 2])
    r.fresh = 0
    return blows


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
    riding = not counted or _goes(w, a) or _goes(w, b)  # else points are where they were
    i, j, ma, mb = 6 * a, 6 * b, w.W[a], w.W[b]
    s0, s1, s2, t0, t1, t2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0  # impulses, and their moments about a
    f0, f1, f2, a0, a1, a2, b0, b1, b2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0  # the same to begin with, about a and b
    g, f, blows = 0.5 * h, 2.0 / h, 0
    first = w.link[LINK * m + 2]
    for c in range(first, first + w.link[LINK * m + 3]):
        k = ROW * c
        n = row[k + RN]
        p0, p1, p2 = n * nx + row[k + RT], n * ny + row[k + RT + 1], n * nz + row[k + RT + 2]
        if counted and n > 0.0:
            y0, y1, y2 = row[k + RA], row[k + RA + 1], row[k + RA + 2]
            s0, s1, s2 = s0 + p0, s1 + p1, s2 + p2
            t0, t1, t2 = t0 + y1 * p2 - y2 * p1, t1 + y2 * p0 - y0 * p2, t2 + y0 * p1 - y1 * p0
        if riding:
            ride_point(w, k, g, f, a, b, nx, ny, nz, dx, dy, dz, w.before)
            _bounds(w, k, h, few)
        if row[k + E] > 0.0:
            blows += _bounce(w, m, a, b, k, nx, ny, nz, h, slow)
            n = row[k + RN]
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
    return blows


@kernel
def rescale(w, ratio):
    """Impulses and changes of velocity of the last substep for one of another length."""
    for m in range(w.report.active):
        if w.rules.fresh == 0:
            count(w, m, 1.0)
    w.rules.fresh = 1
    for c in range(w.report.points):
        blow = ratio > 1e3 or (w.row[ROW * c + E] > 0.0 and w.row[ROW * c + HOLD] < 0.0)  # it is over
        for e in range(4):
            w.row[ROW * c + RN + e] *= 0.0 if blow else ratio
    for k in range(6 * w.rules.bodies):
        w.trend[k] *= ratio


@kernel
def striking(w, h):
    """Whether a point is there that bounces."""
    row, found = w.row, False
    g = w.rules.gravity
    slow = 2.0 * h * math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) + 1e-3 * w.rules.tolerance
    for m in range(w.report.active):
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            k = ROW * c
            if row[k + E] > 0.0 and row[k + GAP] < 0.1 * row[k + SLOP]:
                x, y, z = relative(w, w.v, w.link[LINK * m], w.link[LINK * m + 1], k)
                u = x * w.normal[3 * m] + y * w.normal[3 * m + 1] + z * w.normal[3 * m + 2]
                found = found or u < -slow
    return found


@kernel
def earliest(w, h):
    """The first time within h at which an open point arrives, going on as in the last substep; h if none does."""
    row, first_time = w.row, h
    g = w.rules.gravity
    slow = 2.0 * h * math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])
    for m in range(w.report.active):
        a, b = w.link[LINK * m], w.link[LINK * m + 1]
        nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            k = ROW * c
            gap = row[k + GAP]
            if gap < 0.1 * row[k + SLOP]:
                continue
            x, y, z = relative(w, w.v, a, b, k)
            u = x * nx + y * ny + z * nz
            x, y, z = relative(w, w.trend, a, b, k)
            acc = (x * nx + y * ny + z * nz) / w.rules.last if w.rules.last > 0.0 else 0.0
            if u > -slow or gap + h * u + 0.5 * h * h * acc > 0.0:
                continue
            root = math.sqrt(max(u * u - 2.0 * acc * gap, 0.0))
            first_time = min(first_time, 2.0 * gap / (root - u))
    return first_time


@kernel
def _blow(w, m, a, b, k, u0, h):
    """The bound of a point that arrives within this substep and bounces; one that does not is left alone."""
    row = w.row
    x, y, z = relative(w, w.free, a, b, k)
    u1 = x * w.normal[3 * m] + y * w.normal[3 * m + 1] + z * w.normal[3 * m + 2]
    gap, acc = max(row[k + GAP], 0.0), (u1 - u0) / h
    if gap + 0.5 * h * (u0 + u1) > 0.0:
        row[k + PUSH] = row[k + HOLD] = NEVER
        return 0
    root = math.sqrt(max(u0 * u0 - 2.0 * acc * gap, 0.0))
    tau = min(2.0 * gap / (root - u0), h)  # the earlier zero of gap + u₀ τ + ½ a τ²
    leaving = row[k + E] * (u0 + acc * tau) - acc * (h - tau)
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
    for c in range(w.report.points):
        k = ROW * c
        if w.row[k + E] > 0.0 and w.row[k + HOLD] < 0.0:
            _bounds(w, k, h, few)


@kernel
def sweep(w, bound, back, some):
    """One visit of every point (of ``some`` ≥ 0 manifolds of ``calm``); the largest change of a velocity at its point."""
    row, v, link, normal, W, I = w.row, w.v, w.link, w.normal, w.W, w.moment
    most = 0.0
    number = w.report.active if some < 0 else some
    for turn in range(number):
        m = np.uint32(number - 1 - turn) if back != 0 else np.uint32(turn)
        if some >= 0:
            m = np.uint32(w.calm[m])
        if link[LINK * m + 7] != 0:
            most = max(most, jointed(w, m, bound))
            continue
        if w.rules.alone == 0 and (w.jointed[link[LINK * m]] == 1 or w.jointed[link[LINK * m + 1]] == 1):
            most = max(most, jointed(w, m, bound))
            continue
        a, b = np.uint32(link[LINK * m]), np.uint32(link[LINK * m + 1])
        nx, ny, nz = normal[3 * m], normal[3 * m + 1], normal[3 * m + 2]
        ma, mb = W[a], W[b]
        i, j = 6 * a, 6 * b
        a0, a1, a2, a3, a4, a5 = I[i], I[i + 1], I[i + 2], I[i + 3], I[i + 4], I[i + 5]
        b0, b1, b2, b3, b4, b5 = I[j], I[j + 1], I[j + 2], I[j + 3], I[j + 4], I[j + 5]
        v0, v1, v2, v3, v4, v5 = v[i], v[i + 1], v[i + 2], v[i + 3], v[i + 4], v[i + 5]
        u0, u1, u2, u3, u4, u5 = v[j], v[j + 1], v[j + 2], v[j + 3], v[j + 4], v[j + 5]
        first = np.uint32(link[LINK * m + 2])
        for c in range(link[LINK * m + 3]):
            k = ROW * first + ROW * np.uint32(c)
            x1, y1, z1, x2, y2, z2 = (row[k + RA], row[k + RA + 1], row[k + RA + 2],
                                      row[k + RB], row[k + RB + 1], row[k + RB + 2])
            w0 = u0 + u4 * z2 - u5 * y2 - v0 - v4 * z1 + v5 * y1 + row[k + DRIFT]
            w1 = u1 + u5 * x2 - u3 * z2 - v1 - v5 * x1 + v3 * z1 + row[k + DRIFT + 1]
            w2 = u2 + u3 * y2 - u4 * x2 - v2 - v3 * y1 + v4 * x1 + row[k + DRIFT + 2]
            rn, mn = row[k + RN], row[k + MN]
            new = max(0.0, rn - mn * (w0 * nx + w1 * ny + w2 * nz + row[k + bound]))
            if new == 0.0 and rn == 0.0:
                continue
            dn = new - rn
            row[k + RN] = new
            p0, p1, p2 = dn * nx, dn * ny, dn * nz
            k0, k1, k2, k3, k4, k5 = row[k + K], row[k + K + 1], row[k + K + 2], row[k + K + 3], row[k + K + 4], row[k + K + 5]
            w0 += k0 * p0 + k1 * p1 + k2 * p2
            w1 += k1 * p0 + k3 * p1 + k4 * p2
            w2 += k2 * p0 + k4 * p1 + k5 * p2
            un = w0 * nx + w1 * ny + w2 * nz
            mt, r0, r1, r2 = row[k + MT], row[k + RT], row[k + RT + 1], row[k + RT + 2]
            s0, s1, s2 = r0 - mt * (w0 - un * nx), r1 - mt * (w1 - un * ny), r2 - mt * (w2 - un * nz)
            limit, square = row[k + MU] * new, s0 * s0 + s1 * s1 + s2 * s2
            if square > limit * limit:
                f = limit / math.sqrt(square)
                s0, s1, s2 = f * s0, f * s1, f * s2
            row[k + RT], row[k + RT + 1], row[k + RT + 2] = s0, s1, s2
            f0, f1, f2 = s0 - r0, s1 - r1, s2 - r2
            most = max(most, max(abs(dn) / mn, math.sqrt(f0 * f0 + f1 * f1 + f2 * f2) / mt))
            p0, p1, p2 = p0 + f0, p1 + f1, p2 + f2
            u0, u1, u2 = u0 + mb * p0, u1 + mb * p1, u2 + mb * p2
            v0, v1, v2 = v0 - ma * p0, v1 - ma * p1, v2 - ma * p2
            c0, c1, c2 = y1 * p2 - z1 * p1, z1 * p0 - x1 * p2, x1 * p1 - y1 * p0
            v3 -= a0 * c0 + a1 * c1 + a2 * c2
            v4 -= a1 * c0 + a3 * c1 + a4 * c2
            v5 -= a2 * c0 + a4 * c1 + a5 * c2
            c0, c1, c2 = y2 * p2 - z2 * p1, z2 * p0 - x2 * p2, x2 * p1 - y2 * p0
            u3 += b0 * c0 + b1 * c1 + b2 * c2
            u4 += b1 * c0 + b3 * c1 + b4 * c2
            u5 += b2 * c0 + b4 * c1 + b5 * c2
        v[i], v[i + 1], v[i + 2], v[i + 3], v[i + 4], v[i + 5] = v0, v1, v2, v3, v4, v5
        if mb > 0.0:
            v[j], v[j + 1], v[j + 2], v[j + 3], v[j + 4], v[j + 5] = u0, u1, u2, u3, u4, u5
    return most


@kernel
def jointed(w, m, bound):
    """The visit of a manifold one of whose bodies is held by joints (impulses act on all that hangs on it), or that gives way."""
    row, most = w.row, 0.0
    a, b = w.link[LINK * m], w.link[LINK * m + 1]
    nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
    first = w.link[LINK * m + 2]
    for c in range(first, first + w.link[LINK * m + 3]):
        k = ROW * c
        x, y, z = slip(w, a, b, k)
        rn, mn = row[k + RN], row[k + MN]
        new = max(0.0, rn - mn * (x * nx + y * ny + z * nz + row[k + bound] + row[k + SOFT] * rn))
        if new == 0.0 and rn == 0.0:
            continue
        dn = new - rn
        row[k + RN] = new
        p0, p1, p2 = dn * nx, dn * ny, dn * nz
        x += row[k + K] * p0 + row[k + K + 1] * p1 + row[k + K + 2] * p2
        y += row[k + K + 1] * p0 + row[k + K + 3] * p1 + row[k + K + 4] * p2
        z += row[k + K + 2] * p0 + row[k + K + 4] * p1 + row[k + K + 5] * p2
        un = x * nx + y * ny + z * nz
        mt, r0, r1, r2 = row[k + MT], row[k + RT], row[k + RT + 1], row[k + RT + 2]
        s0, s1, s2 = r0 - mt * (x - un * nx), r1 - mt * (y - un * ny), r2 - mt * (z - un * nz)
        limit, square = row[k + MU] * new, s0 * s0 + s1 * s1 + s2 * s2
        if square > limit * limit:
            f = limit / math.sqrt(square)
            s0, s1, s2 = f * s0, f * s1, f * s2
        row[k + RT], row[k + RT + 1], row[k + RT + 2] = s0, s1, s2
        f0, f1, f2 = s0 - r0, s1 - r1, s2 - r2
        if mn > 0.0 and mt > 0.0:
            most = max(most, max(abs(dn) / mn, math.sqrt(f0 * f0 + f1 * f1 + f2 * f2) / mt))
        push(w, a, b, k, p0 + f0, p1 + f1, p2 + f2)
    return most
