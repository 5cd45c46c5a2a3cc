"""The law at every point, and sweeps over the points: block Gauss–Seidel on exact Coulomb friction.

With u the velocity of the second body's point against the first's after the substep and r the impulse on the second,

    0 ≤ u_n + bound  ⊥  r_n ≥ 0              r_t = proj(|·| ≤ μ r_n) (r_t − ρ u_t)       for any ρ > 0: u_t = 0, or r_t against it

    bound   open, gap > slop      (gap − slop/2)/h: nothing goes through, and nothing is held back that does not arrive
            |gap| ≤ slop          0: no position bias inside the slop, so that rest is rest
            deeper                share (gap + slop)/h in the sweep that moves bodies (``haste`` at most), 0 when relaxing
            a blow with e > 0     the point arrives with u(τ) = u₀ + a τ at gap + u₀ τ + ½ a τ² = 0 and leaves with −e u(τ):
                                  bound = e u(τ) − a (h − τ);  Newton's law, with the substep's share of the forces on either side

One visit: r_n ← max(0, r_n − (u_n + bound)/K_nn), then, with the velocity it gives, r_t ← proj(r_t − u_t/λ_t), λ_t the largest
eigenvalue of the tangential K.  The cone is round and the normal part does not see friction (no dilation); where friction acts
back on u_n strongly, steps of r_n are shorter (stiffness.py).  Sweeps alternate their direction; their order is fixed, so the
same scene gives the same bits.

Where there are many points, manifolds are left out whose bodies both rest (``rests``: slower than EVEN of what counts as rest,
calm.py) and none of whose bounds pushes (``quiet``): what they miss the law by is at most the speed of their points, for
projections do not stretch.  A visit that changes a body by more than that wakes it for the manifolds after it.
"""

import math

import numpy as np

from dalembert._jit import inline, kernel
from dalembert._jit.ahead import fetch
from dalembert.contacts.tables import COLUMN, DRIFT, GRIP, KN, LINK, MN, MT, MU, RA, RB, RN, ROW, RT, SOFT

EVEN = 1e-10  # of the speed that counts as rest: slower bodies are held
MANY = 500  # manifolds: so many stay in the cache by themselves
ALIKE = 32  # visits per point must be allowed, or points of what joints hold are visited one after the other
AHEAD = 6  # manifolds: as long before its visit a manifold's memory is asked for


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


@inline
def rest_of_law(w, m, k, bound):
    """What the point at row k of manifold m misses the law by, along the normal and across, in m/s:

    |r_n − max(0, r_n − (u_n + bound + γ r_n)/K_nn)| K_nn  and  |r_t − proj(r_t − u_t/λ_t)| λ_t
    """
    row = w.row
    nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
    mn, mt, rn = row[k + MN], row[k + MT], row[k + RN]
    x, y, z = slip(w, w.link[LINK * m], w.link[LINK * m + 1], k)
    un = x * nx + y * ny + z * nz
    e = math.fabs(rn - max(0.0, rn - mn * (un + row[k + bound] + row[k + SOFT] * rn))) / mn
    s0, s1, s2 = (row[k + RT] - mt * (x - un * nx), row[k + RT + 1] - mt * (y - un * ny), row[k + RT + 2] - mt * (z - un * nz))
    size, limit = math.sqrt(s0 * s0 + s1 * s1 + s2 * s2), w.grip[GRIP * m + MU] * rn
    f = limit / size if size > limit else 1.0
    return e, math.sqrt((row[k + RT] - f * s0) ** 2 + (row[k + RT + 1] - f * s1) ** 2 + (row[k + RT + 2] - f * s2) ** 2) / mt


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
def asked(w, b):
    """Velocity and J⁻¹ of body b (each may lie in two lines of the cache)."""
    fetch(w.v, 6 * b)
    fetch(w.v, 6 * b + 5)
    fetch(w.moment, 6 * b)
    fetch(w.moment, 6 * b + 5)


@inline
def _fetched(w, m):
    """What a visit of manifold m will read, if there will be one."""
    link, row = w.link, w.row
    a, b = np.uint32(link[LINK * m]), np.uint32(link[LINK * m + 1])
    if w.quiet[m] == 0 or w.rests[a] == 0 or w.rests[b] == 0:
        asked(w, a)
        asked(w, b)
        k = ROW * np.uint32(link[LINK * m + 2])
        for _c in range(link[LINK * m + 3]):
            fetch(row, k)
            fetch(row, k + 8)
            fetch(row, k + 16)
            k += ROW


@kernel
def sweep(w, bound, back, some):
    """One visit of every point (of ``some`` ≥ 0 manifolds of ``calm``); the largest change of a velocity at its point."""
    row, v, link, normal, W, I, quiet, rests = w.row, w.v, w.link, w.normal, w.W, w.moment, w.quiet, w.rests
    most, fine, visited = 0.0, EVEN * w.rules.still, 0
    number = w.report.active if some < 0 else some
    early = number - AHEAD if number > MANY else 0
    for turn in range(number):
        if turn < early:
            m = np.uint32(number - 1 - turn - AHEAD) if back != 0 else np.uint32(turn + AHEAD)
            _fetched(w, np.uint32(w.calm[m]) if some >= 0 else m)
        m = np.uint32(number - 1 - turn) if back != 0 else np.uint32(turn)
        if some >= 0:
            m = np.uint32(w.calm[m])
        a, b = np.uint32(link[LINK * m]), np.uint32(link[LINK * m + 1])
        if quiet[m] != 0:
            if rests[a] != 0 and rests[b] != 0:
                continue
            quiet[m] = 1
        number_of = link[LINK * m + 3]
        visited += number_of
        if link[LINK * m + 7] != 0 or (w.rules.alone == 0 and (w.jointed[a] == 1 or w.jointed[b] == 1)):
            most = max(most, jointed(w, m, bound))
            continue
        nx, ny, nz, mu = normal[3 * m], normal[3 * m + 1], normal[3 * m + 2], w.grip[GRIP * m + MU]
        ma, mb = W[a], W[b]
        i, j = 6 * a, 6 * b
        a0, a1, a2, a3, a4, a5 = I[i], I[i + 1], I[i + 2], I[i + 3], I[i + 4], I[i + 5]
        b0, b1, b2, b3, b4, b5 = I[j], I[j + 1], I[j + 2], I[j + 3], I[j + 4], I[j + 5]
        v0, v1, v2, v3, v4, v5 = v[i], v[i + 1], v[i + 2], v[i + 3], v[i + 4], v[i + 5]
        u0, u1, u2, u3, u4, u5 = v[j], v[j + 1], v[j + 2], v[j + 3], v[j + 4], v[j + 5]
        first, moved = np.uint32(link[LINK * m + 2]), 0.0
        for c in range(number_of):
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
            w0 += dn * row[k + KN]
            w1 += dn * row[k + KN + 1]
            w2 += dn * row[k + KN + 2]
            un = w0 * nx + w1 * ny + w2 * nz
            mt, r0, r1, r2 = row[k + MT], row[k + RT], row[k + RT + 1], row[k + RT + 2]
            s0, s1, s2 = r0 - mt * (w0 - un * nx), r1 - mt * (w1 - un * ny), r2 - mt * (w2 - un * nz)
            limit, square = mu * new, s0 * s0 + s1 * s1 + s2 * s2
            if square > limit * limit:
                f = limit / math.sqrt(square)
                s0, s1, s2 = f * s0, f * s1, f * s2
            row[k + RT], row[k + RT + 1], row[k + RT + 2] = s0, s1, s2
            f0, f1, f2 = s0 - r0, s1 - r1, s2 - r2
            moved = max(moved, max(abs(dn) / mn, math.sqrt(f0 * f0 + f1 * f1 + f2 * f2) / mt))
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
        if moved > fine:
            rests[a] = 0
            if mb > 0.0:
                rests[b] = 0
            if moved > w.rules.tolerance:
                w.stirred[a] = w.stirred[b] = 1
        most = max(most, moved)
    w.report.visited += visited
    return most


@inline
def _answer(w, m, a, b, k, bound, share):
    """The law at one point of what joints hold, or gives way, by a ``share`` of its step: the impulse, and its change in m/s."""
    row = w.row
    nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
    x, y, z = slip(w, a, b, k)
    rn, mn = row[k + RN], share * row[k + MN]
    new = max(0.0, rn - mn * (x * nx + y * ny + z * nz + row[k + bound] + row[k + SOFT] * rn))
    if new == 0.0 and rn == 0.0:
        return 0.0, 0.0, 0.0, 0.0
    dn = new - rn
    row[k + RN] = new
    x += dn * row[k + KN]
    y += dn * row[k + KN + 1]
    z += dn * row[k + KN + 2]
    un = x * nx + y * ny + z * nz
    mt, r0, r1, r2 = share * row[k + MT], row[k + RT], row[k + RT + 1], row[k + RT + 2]
    s0, s1, s2 = r0 - mt * (x - un * nx), r1 - mt * (y - un * ny), r2 - mt * (z - un * nz)
    limit, square = w.grip[GRIP * m + MU] * new, s0 * s0 + s1 * s1 + s2 * s2
    if square > limit * limit:
        f = limit / math.sqrt(square)
        s0, s1, s2 = f * s0, f * s1, f * s2
    row[k + RT], row[k + RT + 1], row[k + RT + 2] = s0, s1, s2
    f0, f1, f2 = s0 - r0, s1 - r1, s2 - r2
    moved = max(abs(dn) / mn, math.sqrt(f0 * f0 + f1 * f1 + f2 * f2) / mt) if mn > 0.0 and mt > 0.0 else 0.0
    return dn * nx + f0, dn * ny + f1, dn * nz + f2, moved


@kernel
def jointed(w, m, bound):
    """The visit of a manifold one of whose bodies is held by joints (impulses act on all that hangs on it), or that gives way.

    Points of one manifold are asked at the same velocity, and each takes 1/n of its step.  One after the other, the first would
    take all the load of a finger that a slide guides (any point can carry it, for the slide takes the moment), and a part between
    two such fingers turned and slipped.  So what is left open by the law is shared alike; one after the other where there are so
    many points that one sweep must do.
    """
    a, b, first, n = w.link[LINK * m], w.link[LINK * m + 1], w.link[LINK * m + 2], w.link[LINK * m + 3]
    most, out = 0.0, w.spare
    alike = n > 1 and w.link[LINK * m + 7] == 0 and ALIKE * w.report.points <= w.rules.visits
    for c in range(n):
        k = ROW * (first + c)
        x, y, z, moved = _answer(w, m, a, b, k, bound, 1.0 / n if alike else 1.0)
        most = max(most, moved)
        if alike:
            out[3 * c], out[3 * c + 1], out[3 * c + 2] = x, y, z
        else:
            push(w, a, b, k, x, y, z)
    if alike:
        for c in range(n):
            push(w, a, b, ROW * (first + c), out[3 * c], out[3 * c + 1], out[3 * c + 2])
    return most
