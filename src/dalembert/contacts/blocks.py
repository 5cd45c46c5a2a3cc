"""The equations of an island's proximal step (newton.py), six rows per body within the envelope (envelope.py).

    (M + Σ ρ Cᵀ P C) v = M v̂ + Σ Cᵀ f        C = ±(1, −r̃) of a point: its second body +, its first −

    sticks      P = 1         f = r₀ − ρ (bound n + drift)
    slides      P = n nᵀ      f = (r_n − ρ (bound + n·drift)) n + r_t
    open        nothing

Of a point that sticks Cᵀ C is known in closed form: 1, r̃, r̃ r̃ᵀ = |r|² − r rᵀ, and between two bodies
r̃_a r̃_bᵀ = r_a·r_b − r_b r_aᵀ.  The matrix depends on states and arms alone, so it is made anew only where a
state has changed.
"""

from dalembert._jit import inline, kernel
from dalembert.contacts.envelope import entry_at
from dalembert.contacts.tables import DRIFT, LINK, MN, RA, RB, RN, ROW, RT

OPEN, STICK, SLIDE = range(3)
PROXIMAL = 1e-5  # of K_nn: ρ = 1/(PROXIMAL K_nn)


@inline
def _inertia(w, b):
    """J of body b in ground axes (xx yx yy zx zy zz); what does not turn has a very large one."""
    I, o = w.moment, 6 * b
    xx, xy, xz, yy, yz, zz = I[o], I[o + 1], I[o + 2], I[o + 3], I[o + 4], I[o + 5]
    if w.rules.plane != 0 or xx <= 0.0:
        J = 1.0 / zz if zz > 0.0 else 1e30
        return J, 0.0, J, 0.0, 0.0, J
    c00, c01, c02 = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    det = xx * c00 + xy * c01 + xz * c02
    c11, c12, c22 = xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy
    return c00 / det, c01 / det, c11 / det, c02 / det, c12 / det, c22 / det


@inline
def _of_one(w, o, n, rho, x, y, z):
    """ρ Cᵀ C of a point that sticks, one body (arm x y z): its block begins at o, rows are n apart."""
    A = w.matrix
    A[o] += rho
    A[o + n + 1] += rho
    A[o + 2 * n + 2] += rho
    k = o + 3 * n
    A[k + 1] -= rho * z
    A[k + 2] += rho * y
    A[k + 3] += rho * (y * y + z * z)
    k += n
    A[k] += rho * z
    A[k + 2] -= rho * x
    A[k + 3] -= rho * x * y
    A[k + 4] += rho * (x * x + z * z)
    k += n
    A[k] -= rho * y
    A[k + 1] += rho * x
    A[k + 3] -= rho * x * z
    A[k + 4] -= rho * y * z
    A[k + 5] += rho * (x * x + y * y)


@inline
def _of_two(w, o, d, g, rho, ax, ay, az, bx, by, bz):
    """The same between first and second body: entry (i, j) of the block is at o + d i + g j."""
    A, s = w.matrix, ax * bx + ay * by + az * bz
    for i in range(3):
        A[o + d * i + g * i] -= rho
        A[o + d * (3 + i) + g * (3 + i)] -= rho * s
    A[o + 4 * g] -= rho * bz
    A[o + 5 * g] += rho * by
    A[o + d + 3 * g] += rho * bz
    A[o + d + 5 * g] -= rho * bx
    A[o + 2 * d + 3 * g] -= rho * by
    A[o + 2 * d + 4 * g] += rho * bx
    k = o + 3 * d
    A[k + g] += rho * az
    A[k + 2 * g] -= rho * ay
    A[k + 3 * g] += rho * bx * ax
    A[k + 4 * g] += rho * bx * ay
    A[k + 5 * g] += rho * bx * az
    k += d
    A[k] -= rho * az
    A[k + 2 * g] += rho * ax
    A[k + 3 * g] += rho * by * ax
    A[k + 4 * g] += rho * by * ay
    A[k + 5 * g] += rho * by * az
    k += d
    A[k] += rho * ay
    A[k + g] -= rho * ax
    A[k + 3 * g] += rho * bz * ax
    A[k + 4 * g] += rho * bz * ay
    A[k + 5 * g] += rho * bz * az


@inline
def _across(w, k, arm, sign, nx, ny, nz, to):
    """±(n, r × n) of one body's arm, into ``spare`` from ``to`` on."""
    x, y, z, out = w.row[k + arm], w.row[k + arm + 1], w.row[k + arm + 2], w.spare
    out[to], out[to + 1], out[to + 2] = sign * nx, sign * ny, sign * nz
    out[to + 3], out[to + 4], out[to + 5] = sign * (y * nz - z * ny), sign * (z * nx - x * nz), sign * (x * ny - y * nx)


@kernel
def _slides(w, k, rho, nx, ny, nz, i, j, p, width_p, q, width_q, o, d, g):
    """ρ Cᵀ n nᵀ C of a point that slides; i, j: whether its bodies move."""
    A, c = w.matrix, w.spare
    _across(w, k, RA, -1.0, nx, ny, nz, 0)
    _across(w, k, RB, 1.0, nx, ny, nz, 6)
    for e in range(6):
        for f in range(e + 1):
            if i:
                A[p + width_p * e + f] += rho * c[e] * c[f]
            if j:
                A[q + width_q * e + f] += rho * c[6 + e] * c[6 + f]
        if i and j:
            for f in range(6):
                A[o + d * e + g * f] += rho * c[e] * c[6 + f]


@kernel
def matrix(w, r, at, n):
    """The matrix of the island of root r, n bodies from ``order[at]`` on, with the states as they are."""
    nb, row, A = w.rules.bodies, w.row, w.matrix
    for i in range(w.offset[at + n - 1] + 36 * (n - w.low[at + n - 1])):
        A[i] = 0.0
    for p in range(n):
        b, o, width = w.order[at + p], entry_at(w, at, p, 0, p, 0), 6 * (p - w.low[at + p] + 1)
        m = 1.0 / w.W[b]
        A[o] = A[o + width + 1] = A[o + 2 * width + 2] = m
        xx, yx, yy, zx, zy, zz = _inertia(w, b)
        A[o + 3 * width + 3], A[o + 4 * width + 3], A[o + 4 * width + 4] = xx, yx, yy
        A[o + 5 * width + 3], A[o + 5 * width + 4], A[o + 5 * width + 5] = zx, zy, zz
    for s in range(w.bond_at[r], w.bond_at[r + 1]):
        m = w.bond[s]
        a, b = w.link[LINK * m], w.link[LINK * m + 1]
        nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
        i, j = a < nb and w.W[a] > 0.0, b < nb and w.W[b] > 0.0
        p, q = w.place_of[a] if i else 0, w.place_of[b] if j else 0
        op, oq, wide, other = (entry_at(w, at, p, 0, p, 0), entry_at(w, at, q, 0, q, 0), 6 * (p - w.low[at + p] + 1),
                               6 * (q - w.low[at + q] + 1))
        o, d, g = 0, 0, 0
        if i and j:  # the later body's rows hold the block of both
            o, d, g = (entry_at(w, at, p, 0, q, 0), wide, 1) if p > q else (entry_at(w, at, q, 0, p, 0), 1, other)
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            k = ROW * c
            rho = row[k + MN] / PROXIMAL
            if w.state[c] == SLIDE:
                _slides(w, k, rho, nx, ny, nz, i, j, op, wide, oq, other, o, d, g)
            elif w.state[c] == STICK:
                ax, ay, az, bx, by, bz = (row[k + RA], row[k + RA + 1], row[k + RA + 2], row[k + RB], row[k + RB + 1],
                                          row[k + RB + 2])
                if i:
                    _of_one(w, op, wide, rho, ax, ay, az)
                if j:
                    _of_one(w, oq, other, rho, bx, by, bz)
                if i and j:
                    _of_two(w, o, d, g, rho, ax, ay, az, bx, by, bz)


@kernel
def right(w, r, at, n, bound):
    """The right-hand side with the states and impulses of the last iterate."""
    nb, row, y = w.rules.bodies, w.row, w.right
    for p in range(n):
        b = w.order[at + p]
        o, m = 6 * b, 1.0 / w.W[b]
        xx, yx, yy, zx, zy, zz = _inertia(w, b)
        u0, u1, u2 = w.free[o + 3], w.free[o + 4], w.free[o + 5]
        y[6 * p], y[6 * p + 1], y[6 * p + 2] = m * w.free[o], m * w.free[o + 1], m * w.free[o + 2]
        y[6 * p + 3], y[6 * p + 4], y[6 * p + 5] = (xx * u0 + yx * u1 + zx * u2, yx * u0 + yy * u1 + zy * u2,
                                                    zx * u0 + zy * u1 + zz * u2)
    for s in range(w.bond_at[r], w.bond_at[r + 1]):
        m = w.bond[s]
        nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            if w.state[c] == OPEN:
                continue
            k = ROW * c
            rho = row[k + MN] / PROXIMAL
            dx, dy, dz = row[k + DRIFT], row[k + DRIFT + 1], row[k + DRIFT + 2]
            if w.state[c] == SLIDE:
                t = dx * nx + dy * ny + dz * nz
                dx, dy, dz = t * nx, t * ny, t * nz
            f = row[k + RN] - rho * row[k + bound]
            fx, fy, fz = (f * nx + row[k + RT] - rho * dx, f * ny + row[k + RT + 1] - rho * dy,
                          f * nz + row[k + RT + 2] - rho * dz)
            for side in range(2):
                body = w.link[LINK * m + side]
                if body == nb or w.W[body] == 0.0:
                    continue
                p, e, o = 6 * w.place_of[body], -1.0 if side == 0 else 1.0, k + RA + 3 * side
                y[p] += e * fx
                y[p + 1] += e * fy
                y[p + 2] += e * fz
                y[p + 3] += e * (row[o + 1] * fz - row[o + 2] * fy)
                y[p + 4] += e * (row[o + 2] * fx - row[o] * fz)
                y[p + 5] += e * (row[o] * fy - row[o + 1] * fx)
