"""Bodies in a scene: their free motion, the way they go in a substep, and where their shapes and points are then.

    free        v̂ = v₀ + h a(x_½, v_½)         a: gravity and, in space, −J⁻¹ ω × J ω; with joints or forces all that the
                                                 equations say (joints.py), asked half a step ahead: second order, and the
                                                 turning of what nothing touches keeps its energy whole (``tumble``)
    way         x₁ = x₀ + h ½ (v₀ + v₁)         second order while sliding
                x₁ = x₀ + h v₁                  where a body was hit (|Δv| far above what the forces do in h): the gap bound
                                                 of the law is one on v₁, so that nothing goes through
                x₁ = x₀ + τ (v₀ + ½ a τ) + (h − τ)(v₁ − ½ a (h − τ))      where it bounced at the time τ (sweep.py)
"""

import math

from dalembert._jit import inline, kernel
from dalembert.contacts.tables import BEND, DRIFT, GAP, GAP0, GIVES, LA, LB, LINK, POSE, RA, RB, ROW

TURNS = 60  # repetitions of what is implicit in a free turn


@inline
def _matrix(R, k, a, x, y, z):
    """Rows of the rotation of a quaternion into R[k:k + 9]."""
    R[k], R[k + 1], R[k + 2] = 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - a * z), 2.0 * (x * z + a * y)
    R[k + 3], R[k + 4], R[k + 5] = 2.0 * (x * y + a * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - a * x)
    R[k + 6], R[k + 7], R[k + 8] = 2.0 * (x * z - a * y), 2.0 * (y * z + a * x), 1.0 - 2.0 * (x * x + y * y)


@inline
def turn_matrix(w, b):
    """R of body b from its quaternion; in the plane from its angle e₀."""
    e, R, k = w.e, w.R, 9 * b
    if w.rules.plane != 0:
        c, s = math.cos(e[4 * b]), math.sin(e[4 * b])
        R[k], R[k + 1], R[k + 3], R[k + 4], R[k + 8] = c, -s, s, c, 1.0
        return
    _matrix(R, k, e[4 * b], e[4 * b + 1], e[4 * b + 2], e[4 * b + 3])


@kernel
def midway(w, h):
    """J⁻¹ of bodies whose moments differ, as they are turned half a substep ahead: there impulses act (``ride``).

    So ½ (ω₀ + ω₁)·J (ω₁ − ω̂) is the work of the impulses, and rolling neither gains nor loses.  Their turn is left in ``turn``.
    """
    for b in range(w.rules.bodies):
        if w.frozen[b] == 0 and w.jointed[b] != 2 and w.rules.plane == 0:
            half(w, b, h)
            _moment(w, w.turn, b)


@inline
def half(w, b, h):
    """The turn of body b half a substep ahead."""
    g, e, o = 0.25 * h, 4 * b, 6 * b + 3
    x, y, z = g * w.before[o], g * w.before[o + 1], g * w.before[o + 2]
    q0, q1, q2, q3 = w.e[e], w.e[e + 1], w.e[e + 2], w.e[e + 3]
    n = 1.0 / math.sqrt(1.0 + x * x + y * y + z * z)
    _matrix(w.turn, 9 * b, n * (q0 - x * q1 - y * q2 - z * q3), n * (q1 + x * q0 + y * q3 - z * q2),
            n * (q2 + y * q0 + z * q1 - x * q3), n * (q3 + z * q0 + x * q2 - y * q1))


@inline
def _moment(w, R, b):
    """R J⁻¹ Rᵀ of body b (xx xy xz yy yz zz)."""
    k, at, I = 9 * b, 6 * b, w.inverse_inertia
    for i in range(3):
        for j in range(i, 3):
            t = 0.0
            for c in range(3):
                for d in range(3):
                    t += R[k + 3 * i + c] * I[k + 3 * c + d] * R[k + 3 * j + d]
            w.moment[at] = t
            at += 1


@kernel
def inertias(w):
    """J⁻¹ in ground axes (xx xy xz yy yz zz); frozen bodies have none."""
    for b in range(w.rules.bodies):
        k, o = 9 * b, 6 * b
        if w.frozen[b] != 0:
            w.W[b] = 0.0
            for c in range(6):
                w.moment[o + c] = 0.0
            continue
        w.W[b] = w.inverse_mass[b]
        _moment(w, w.R, b)
        for c in range(9):
            w.turn[k + c] = w.R[k + c]


@kernel
def shapes(w):
    """Where every moving shape is."""
    for a in range(w.rules.moving):
        b = w.body[a]
        p, k, o = POSE * a, 9 * b, POSE * a
        for i in range(3):
            t = w.x[3 * b + i]
            for j in range(3):
                t += w.R[k + 3 * i + j] * w.local[o + j]
            w.place[p + i] = t
            for j in range(3):
                t = 0.0
                for c in range(3):
                    t += w.R[k + 3 * i + c] * w.local[o + 3 + 3 * c + j]
                w.place[p + 3 + 3 * i + j] = t


@inline
def sway(w, b, h, x, y, z):
    """−h J⁻¹ (Ω × J Ω) in body axes, Ω = (x, y, z)."""
    k, J, I = 9 * b, w.inertia, w.inverse_inertia
    l0, l1, l2 = (J[k] * x + J[k + 1] * y + J[k + 2] * z, J[k + 3] * x + J[k + 4] * y + J[k + 5] * z,
                  J[k + 6] * x + J[k + 7] * y + J[k + 8] * z)
    c0, c1, c2 = h * (z * l1 - y * l2), h * (x * l2 - z * l0), h * (y * l0 - x * l1)
    return (I[k] * c0 + I[k + 1] * c1 + I[k + 2] * c2, I[k + 3] * c0 + I[k + 4] * c1 + I[k + 5] * c2,
            I[k + 6] * c0 + I[k + 7] * c1 + I[k + 8] * c2)


@inline
def spun(a0, a1, a2, x, y, z):
    """The vector (x, y, z) turned by the rotation vector a."""
    t = a0 * a0 + a1 * a1 + a2 * a2
    if t < 0.04:
        s = 1.0 - t / 6.0 * (1.0 - t / 20.0 * (1.0 - t / 42.0 * (1.0 - t / 72.0)))
        c = 0.5 * (1.0 - t / 12.0 * (1.0 - t / 30.0 * (1.0 - t / 56.0 * (1.0 - t / 90.0))))
    else:
        r = math.sqrt(t)
        s, c = math.sin(r) / r, (1.0 - math.cos(r)) / t
    p0, p1, p2 = a1 * z - a2 * y, a2 * x - a0 * z, a0 * y - a1 * x
    return (x + s * p0 + c * (a1 * p2 - a2 * p1), y + s * p1 + c * (a2 * p0 - a0 * p2), z + s * p2 + c * (a0 * p1 - a1 * p0))


@kernel
def tumble(w, b, h):
    """v̂_ω of a body that nothing touches: the midpoint rule for Ω in body axes, which keeps ½ Ω·J Ω and |J Ω| whole:

        Ω₁ = Ω₀ − h J⁻¹ (Ω̄ × J Ω̄),  Ω̄ = ½ (Ω₀ + Ω₁);      ω₁ = e^θ Ω₁,  θ = ½ h (Ω₀ + ω₁)       (axes of the start)

    θ is the way that the body goes if it stays free.  Both by repeating; where that does not converge (h |Ω| ≫ 1) the last.
    """
    k, o, R = 9 * b, 6 * b + 3, w.R
    f0, f1, f2 = w.v[o], w.v[o + 1], w.v[o + 2]
    x, y, z = (R[k] * f0 + R[k + 3] * f1 + R[k + 6] * f2, R[k + 1] * f0 + R[k + 4] * f1 + R[k + 7] * f2,
               R[k + 2] * f0 + R[k + 5] * f1 + R[k + 8] * f2)
    fine = 1e-15 * (math.fabs(x) + math.fabs(y) + math.fabs(z))
    d0, d1, d2 = 0.0, 0.0, 0.0
    for _ in range(TURNS):
        e0, e1, e2 = sway(w, b, h, x + 0.5 * d0, y + 0.5 * d1, z + 0.5 * d2)
        change = math.fabs(e0 - d0) + math.fabs(e1 - d1) + math.fabs(e2 - d2)
        d0, d1, d2 = e0, e1, e2
        if change <= fine:
            break
    p0, p1, p2 = x + d0, y + d1, z + d2
    u0, u1, u2 = p0, p1, p2
    for _ in range(TURNS):
        e0, e1, e2 = spun(0.5 * h * (x + u0), 0.5 * h * (y + u1), 0.5 * h * (z + u2), p0, p1, p2)
        change = math.fabs(e0 - u0) + math.fabs(e1 - u1) + math.fabs(e2 - u2)
        u0, u1, u2 = e0, e1, e2
        if change <= fine:
            break
    for i in range(3):
        w.v[o + i] = R[k + 3 * i] * u0 + R[k + 3 * i + 1] * u1 + R[k + 3 * i + 2] * u2


@kernel
def gyroscopic(w, b, h):
    """v̂_ω += −h J⁻¹ (ω × J ω), at ω and R half a step ahead, of a body that points hold (``trend`` knows what they do)."""
    o, k = 6 * b + 3, 9 * b
    half(w, b, h)
    R = w.turn
    f0, f1, f2 = w.v[o] + 0.5 * w.trend[o], w.v[o + 1] + 0.5 * w.trend[o + 1], w.v[o + 2] + 0.5 * w.trend[o + 2]
    d0, d1, d2 = sway(w, b, h, R[k] * f0 + R[k + 3] * f1 + R[k + 6] * f2, R[k + 1] * f0 + R[k + 4] * f1 + R[k + 7] * f2,
                       R[k + 2] * f0 + R[k + 5] * f1 + R[k + 8] * f2)
    for i in range(3):
        w.v[o + i] += R[k + 3 * i] * d0 + R[k + 3 * i + 1] * d1 + R[k + 3 * i + 2] * d2


@inline
def _held(w, b):
    """Whether points changed how b turns in the last substep, other than by a blow."""
    o = 6 * b + 3
    return ((w.v[o] != w.free[o] or w.v[o + 1] != w.free[o + 1] or w.v[o + 2] != w.free[o + 2])
            and (w.trend[o] != 0.0 or w.trend[o + 1] != 0.0 or w.trend[o + 2] != 0.0))


@kernel
def fall(w, h):
    """Free motion of bodies without joints and forces: v₀ kept in ``before``, v̂ in v and ``free``."""
    g = w.rules.gravity
    for b in range(w.rules.bodies):
        o = 6 * b
        for c in range(6):
            w.before[o + c] = w.v[o + c]
        if w.frozen[b] != 0:
            continue
        w.guided[b] = 0
        if w.rules.plane == 0 and w.jointed[b] != 2:  # 2: all moments of inertia are the same
            if _held(w, b):
                w.guided[b] = 1
                gyroscopic(w, b, h)
            else:
                tumble(w, b, h)
        w.v[o] += h * g[0]
        w.v[o + 1] += h * g[1]
        w.v[o + 2] += h * g[2]
        for c in range(6):
            w.free[o + c] = w.v[o + c]


@kernel
def let_go(w, h):
    """Bodies that points held in the last substep and no impulse acts on in this one turn as free ones do.

    ``gyroscopic`` is right to second order only: what they gained by it (5e-9 of a scene's energy) was nobody's loss.
    """
    for b in range(w.rules.bodies):
        o = 6 * b
        if w.guided[b] == 0 or w.frozen[b] != 0:
            continue
        touched = False
        for c in range(o, o + 6):
            touched = touched or w.v[c] != w.free[c]
        if touched:
            continue
        w.v[o + 3], w.v[o + 4], w.v[o + 5] = w.before[o + 3], w.before[o + 4], w.before[o + 5]
        tumble(w, b, h)
        for c in range(o + 3, o + 6):
            w.free[c] = w.v[c]
            w.way[c] = 0.5 * (w.before[c] + w.v[c])


@inline
def turned(w, b, x, y, z):
    """Body b turned by the vector (x, y, z), ground axes."""
    e = w.e
    if w.rules.plane != 0:
        e[4 * b] += z
        turn_matrix(w, b)
        return
    x, y, z = 0.5 * x, 0.5 * y, 0.5 * z
    t = x * x + y * y + z * z
    if t < 0.04:
        s = 1.0 - t / 6.0 * (1.0 - t / 20.0 * (1.0 - t / 42.0 * (1.0 - t / 72.0)))
        c = 1.0 - t / 2.0 * (1.0 - t / 12.0 * (1.0 - t / 30.0 * (1.0 - t / 56.0)))
    else:
        r = math.sqrt(t)
        s, c = math.sin(r) / r, math.cos(r)
    x, y, z = s * x, s * y, s * z
    q0, q1, q2, q3 = e[4 * b], e[4 * b + 1], e[4 * b + 2], e[4 * b + 3]
    r0 = c * q0 - x * q1 - y * q2 - z * q3
    r1 = c * q1 + x * q0 + y * q3 - z * q2
    r2 = c * q2 + y * q0 + z * q1 - x * q3
    r3 = c * q3 + z * q0 + x * q2 - y * q1
    n = 1.0 / math.sqrt(r0 * r0 + r1 * r1 + r2 * r2 + r3 * r3)
    e[4 * b], e[4 * b + 1], e[4 * b + 2], e[4 * b + 3] = n * r0, n * r1, n * r2, n * r3
    turn_matrix(w, b)


@kernel
def ways(w, h, choice):
    """The mean velocity of every body's way in this substep; ``hit`` is the time of a bounce, or −1 (then −2 for other blows).

    choice 0: of all bodies; 1: of islands that would gain energy (balance.py), with the velocities as they are now (not pushed).
    """
    g = w.rules.gravity
    pull = math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])
    sudden = False
    if w.rules.alone == 0:  # what hangs together goes one way, and one force on it moves all of it
        most = 0.0
        for b in range(w.rules.bodies):
            if w.jointed[b] == 1:
                most = max(most, _driven(w, b))
        for b in range(w.rules.bodies):
            if w.jointed[b] == 1 and (w.rules.softness == 0 or w.hit[b] not in (GIVES, -1.0)) and _sudden(w, b, h, pull, most):
                sudden = True
    for b in range(w.rules.bodies):
        o = 6 * b
        if w.frozen[b] != 0 or (choice > 0 and (w.loss[w.root[b]] >= 0.0 or w.jointed[b] == 1)):
            continue
        tau = w.hit[b]
        hard = sudden if w.jointed[b] == 1 else tau >= 0.0 or (tau != GIVES and _sudden(w, b, h, pull, _driven(w, b)))
        if not hard:
            for c in range(6):
                w.way[o + c] = 0.5 * (w.before[o + c] + w.v[o + c])
            w.hit[b] = -1.0
        elif tau < 0.0:
            end(w, b)
        else:
            for c in range(6):
                v0, v1 = w.before[o + c], w.v[o + c]
                a = (w.free[o + c] - v0) / h
                w.way[o + c] = (tau * (v0 + 0.5 * a * tau) + (h - tau) * (v1 - 0.5 * a * (h - tau))) / h


@inline
def end(w, b):
    """Body b goes with its velocity at the end of the substep."""
    for c in range(6 * b, 6 * b + 6):
        w.way[c] = w.v[c]
    w.hit[b] = -2.0


@inline
def _driven(w, b):
    """The square of what forces change of a body's velocity in this substep."""
    o, r, f = 6 * b, w.radius[b], 0.0
    for c in range(3):
        f += (w.free[o + c] - w.before[o + c]) ** 2 + r * r * (w.free[o + 3 + c] - w.before[o + 3 + c]) ** 2
    return f


@inline
def _sudden(w, b, h, pull, f):
    """Whether a body's velocity changed by far more than forces do (f: the square of that)."""
    o = 6 * b
    d, r = 0.0, w.radius[b]
    for c in range(3):
        d += (w.v[o + c] - w.before[o + c]) ** 2 + r * r * (w.v[o + 3 + c] - w.before[o + 3 + c]) ** 2
    limit = 2.0 * (h * pull + math.sqrt(f))
    return d > limit * limit


@kernel
def go(w, h):
    """Every body along its way."""
    for b in range(w.rules.bodies):
        if w.frozen[b] != 0:
            continue
        o = 6 * b
        for c in range(3):
            w.x[3 * b + c] += h * w.way[o + c]
        turned(w, b, h * w.way[o + 3], h * w.way[o + 4], h * w.way[o + 5])


@inline
def _ahead(row, k, at, sign, x, y, z, ox, oy, oz):
    """An arm after half a substep's turn (ox, oy, oz), and what its end's velocity changes from there on, over h/2."""
    cx, cy, cz = oy * z - oz * y, oz * x - ox * z, ox * y - oy * x
    row[k + at], row[k + at + 1], row[k + at + 2] = x + cx, y + cy, z + cz
    row[k + DRIFT] += sign * (oy * cz - oz * cy)
    row[k + DRIFT + 1] += sign * (oz * cx - ox * cz)
    row[k + DRIFT + 2] += sign * (ox * cy - oy * cx)


@inline
def ride_point(w, k, g, f, a, b, nx, ny, nz, dx, dy, dz, v):
    """The point at row k of bodies a and b, d from one to the other: its gap, and its arms at mid-step; ``ride`` says more."""
    R, row = w.R, w.row
    p, q, i, j = 9 * a, 9 * b, 6 * a + 3, 6 * b + 3
    row[k + DRIFT] = row[k + DRIFT + 1] = row[k + DRIFT + 2] = 0.0
    l0, l1, l2 = row[k + LA], row[k + LA + 1], row[k + LA + 2]
    a0, a1, a2 = (R[p] * l0 + R[p + 1] * l1 + R[p + 2] * l2, R[p + 3] * l0 + R[p + 4] * l1 + R[p + 5] * l2,
                  R[p + 6] * l0 + R[p + 7] * l1 + R[p + 8] * l2)
    l0, l1, l2 = row[k + LB], row[k + LB + 1], row[k + LB + 2]
    b0, b1, b2 = (R[q] * l0 + R[q + 1] * l1 + R[q + 2] * l2, R[q + 3] * l0 + R[q + 4] * l1 + R[q + 5] * l2,
                  R[q + 6] * l0 + R[q + 7] * l1 + R[q + 8] * l2)
    gap = row[k + GAP0] + (dx + b0 - a0) * nx + (dy + b1 - a1) * ny + (dz + b2 - a2) * nz
    row[k + GAP] = gap
    if row[k + BEND] > 0.0:  # the point of what is round is always below its core; the other's is opposite
        s = row[k + BEND]
        _ahead(row, k, RA, -f, a0, a1, a2, g * v[i], g * v[i + 1], g * v[i + 2])
        a0, a1, a2 = row[k + RA], row[k + RA + 1], row[k + RA + 2]
        row[k + RA], row[k + RA + 1], row[k + RA + 2] = a0 + s * nx, a1 + s * ny, a2 + s * nz
        s += gap
        row[k + RB], row[k + RB + 1], row[k + RB + 2] = a0 + s * nx - dx, a1 + s * ny - dy, a2 + s * nz - dz
    elif row[k + BEND + 1] > 0.0:
        s = row[k + BEND + 1]
        _ahead(row, k, RB, f, b0, b1, b2, g * v[j], g * v[j + 1], g * v[j + 2])
        b0, b1, b2 = row[k + RB], row[k + RB + 1], row[k + RB + 2]
        row[k + RB], row[k + RB + 1], row[k + RB + 2] = b0 - s * nx, b1 - s * ny, b2 - s * nz
        s += gap
        row[k + RA], row[k + RA + 1], row[k + RA + 2] = b0 - s * nx + dx, b1 - s * ny + dy, b2 - s * nz + dz
    else:
        _ahead(row, k, RA, -f, a0, a1, a2, g * v[i], g * v[i + 1], g * v[i + 2])
        _ahead(row, k, RB, f, b0, b1, b2, g * v[j], g * v[j + 1], g * v[j + 2])


@kernel
def ride(w, m, h, v):
    """Gaps of a manifold by the points that ride on its bodies (the normal stays that of the detection), and arms at mid-step.

    Impulses act there; the law holds for the velocity of the point at the end, which differs by DRIFT.  So turning about a point
    is of second order, and the impulses that hold it do no work: ½ (u₀ + u₁) = 0 at the middle.  v: velocities before it.
    """
    x = w.x
    a, b = w.link[LINK * m], w.link[LINK * m + 1]
    nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
    dx, dy, dz = x[3 * b] - x[3 * a], x[3 * b + 1] - x[3 * a + 1], x[3 * b + 2] - x[3 * a + 2]
    first = w.link[LINK * m + 2]
    for c in range(first, first + w.link[LINK * m + 3]):
        ride_point(w, ROW * c, 0.5 * h, 2.0 / h, a, b, nx, ny, nz, dx, dy, dz, v)


@kernel
def ride_all(w, h):
    """The same of all manifolds."""
    for m in range(w.report.active):
        ride(w, m, h, w.v)
