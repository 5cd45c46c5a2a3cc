"""A rigid body in space, and the markers on it (r–ω formulation).

State        q = (r, e) with the quaternion e scalar first,  v = (ṙ, ω̄) with ω̄ in body axes
             ė = ½ (−e·ω̄,  e0 ω̄ + e × ω̄)
Equations    m r̈ = F,   J̄ ω̄̇ = n̄ − ω̄ × J̄ ω̄                    M = diag(m I, J̄), constant: r is the centre of mass
Marker       r = r_c + A s̄,   ṙ = ṙ_c + ω × s,   r̈ = r̈_c + ω̇ × s + ω × (ω × s)        with s = A s̄, ω = A ω̄
Row          a force n at the arm s does work on v through (n, Aᵀ(s × n))      (Φ_r and Π̄ of the course)

Workspace per body: pose (r, rows of A), twist (ṙ, ω in ground axes).  The ground is the body with number nb, at rest.
"""

import math

import numpy as np

from dalembert._jit import inline, kernel
from dalembert.algebra import spatial as alg

SIZE_Q, SIZE_V, POSE, TWIST = 7, 6, 12, 6

BODY = np.dtype([("mass", "f8"), ("inertia", "f8", (9,)), ("inverse_mass", "f8"), ("inverse_inertia", "f8", (9,)),
                 ("com", "f8", (3,))])
MARKER = np.dtype([("s", "f8", (3,)), ("axes", "f8", (9,)), ("body", "u4"), ("_", "u4")])


@inline
def at_q(s, b):
    """Where the coordinates of body b begin in q."""
    return SIZE_Q * np.int64(b)


@inline
def at_v(s, b):
    """Where the velocities of body b begin in v, and all that goes with v (v̇, Q, displacements)."""
    return SIZE_V * np.int64(b)


@inline
def at_pose(s, b):
    return POSE * np.int64(b)


@inline
def at_twist(s, b):
    return TWIST * np.int64(b)


@kernel
def kinematics(s, w):
    """Poses and twists of all bodies from q and v; q̇."""
    for b in range(s.bodies.size):
        k, u, p, o = at_q(s, b), at_v(s, b), at_pose(s, b), at_twist(s, b)
        e0, e1, e2, e3 = w.q[k + 3], w.q[k + 4], w.q[k + 5], w.q[k + 6]
        A = alg.matrix(e0, e1, e2, e3)
        bar = (w.v[u + 3], w.v[u + 4], w.v[u + 5])
        ground = alg.rotate(A, bar)
        for i in range(3):
            w.pose[p + i] = w.q[k + i]
            w.twist[o + i] = w.v[u + i]
            w.qdot[k + i] = w.v[u + i]
        for i in range(9):
            w.pose[p + 3 + i] = A[i]
        w.twist[o + 3] = ground[0]
        w.twist[o + 4] = ground[1]
        w.twist[o + 5] = ground[2]
        rate = alg.quaternion_rate((e0, e1, e2, e3), bar)
        for i in range(4):
            w.qdot[k + 3 + i] = rate[i]


@kernel
def displace(s, w, dv, size):
    """q ← q ⊕ size·dv: move every body by a small twist; the quaternion is multiplied by exp(½ φ̄) and normalised."""
    for b in range(s.bodies.size):
        k, u = at_q(s, b), at_v(s, b)
        for i in range(3):
            w.q[k + i] += size * dv[u + i]
        p = (0.5 * size * dv[u + 3], 0.5 * size * dv[u + 4], 0.5 * size * dv[u + 5])
        e = alg.quaternion_turned((w.q[k + 3], w.q[k + 4], w.q[k + 5], w.q[k + 6]), p)
        for i in range(4):
            w.q[k + 3 + i] = e[i]


@kernel
def as_twist(s, w, change, out):
    """A change (ṙ, ė) of the bodies' coordinates as a twist: ω̄ = 2 (e0 ė − ė0 e − e × ė); a change of length is dropped."""
    for b in range(s.bodies.size):
        k, u = at_q(s, b), at_v(s, b)
        turn = alg.quaternion_turn((w.q[k + 3], w.q[k + 4], w.q[k + 5], w.q[k + 6]),
                                   (change[k + 3], change[k + 4], change[k + 5], change[k + 6]))
        for i in range(3):
            out[u + i] = change[k + i]
            out[u + 3 + i] = turn[i]


@kernel
def from_twist(s, w, x, change):
    """change ← the change of the bodies' coordinates that belongs to the twist x."""
    for b in range(s.bodies.size):
        k, u = at_q(s, b), at_v(s, b)
        rate = alg.quaternion_rate((w.q[k + 3], w.q[k + 4], w.q[k + 5], w.q[k + 6]), (x[u + 3], x[u + 4], x[u + 5]))
        for i in range(3):
            change[k + i] = x[u + i]
        for i in range(4):
            change[k + 3 + i] = rate[i]


@inline
def position(s, w, b):
    p = at_pose(s, b)
    return (w.pose[p], w.pose[p + 1], w.pose[p + 2])


@inline
def rotation(s, w, b):
    p = at_pose(s, b) + 3
    return (w.pose[p], w.pose[p + 1], w.pose[p + 2], w.pose[p + 3], w.pose[p + 4], w.pose[p + 5],
            w.pose[p + 6], w.pose[p + 7], w.pose[p + 8])


@inline
def velocity(s, w, b):
    o = at_twist(s, b)
    return (w.twist[o], w.twist[o + 1], w.twist[o + 2])


@inline
def omega(s, w, b):
    o = at_twist(s, b)
    return (w.twist[o + 3], w.twist[o + 4], w.twist[o + 5])


@inline
def arm(s, w, m):
    """A s̄ of marker m, in ground axes."""
    row = s.markers[m]
    return alg.rotate(rotation(s, w, row.body), (row.s[0], row.s[1], row.s[2]))


@inline
def axis(s, w, m, k):
    """Axis k (column of the marker's matrix) of marker m, in ground axes."""
    row = s.markers[m]
    return alg.rotate(rotation(s, w, row.body), (row.axes[k], row.axes[3 + k], row.axes[6 + k]))


@inline
def add_row(s, w, at, b, sign, n, m):
    """Add sign × a row to D on body b: translation part n, rotation part m (a moment in ground axes)."""
    bar = alg.turn_to_body(rotation(s, w, b), m)
    w.D[at] += sign * n[0]
    w.D[at + 1] += sign * n[1]
    w.D[at + 2] += sign * n[2]
    w.D[at + 3] += sign * bar[0]
    w.D[at + 4] += sign * bar[1]
    w.D[at + 5] += sign * bar[2]


@inline
def add_turn(s, w, at, b, sign, m):
    """The same without a translation part."""
    bar = alg.turn_to_body(rotation(s, w, b), m)
    w.D[at + 3] += sign * bar[0]
    w.D[at + 4] += sign * bar[1]
    w.D[at + 5] += sign * bar[2]


@inline
def write_point(s, w, at, m, sign, a):
    """Three rows of D (zero before): the velocity of marker m; row k is (e_k, Aᵀ(a × e_k)) = (e_k, s̄ × row k of A)."""
    row = s.markers[m]
    A = rotation(s, w, row.body)
    arm = (sign * row.s[0], sign * row.s[1], sign * row.s[2])
    for k in range(3):
        bar = alg.moment(arm, (A[3 * k], A[3 * k + 1], A[3 * k + 2]))
        w.D[at + 7 * k] = sign
        w.D[at + 6 * k + 3] = bar[0]
        w.D[at + 6 * k + 4] = bar[1]
        w.D[at + 6 * k + 5] = bar[2]


@inline
def store(s, out, at, vector):
    out[at] = vector[0]
    out[at + 1] = vector[1]
    out[at + 2] = vector[2]


@inline
def load(s, source, at):
    return (source[at], source[at + 1], source[at + 2])


@inline
def load_turn(s, source, at):
    return (source[at], source[at + 1], source[at + 2])


@inline
def store_turn(s, out, at, turn):
    out[at] = turn[0]
    out[at + 1] = turn[1]
    out[at + 2] = turn[2]


@inline
def relative_turn(s, w, i, j):
    """Rotation vector (angle × unit axis) of marker j against marker i, about i's axes."""
    xi, yi, zi = axis(s, w, i, 0), axis(s, w, i, 1), axis(s, w, i, 2)
    xj, yj, zj = axis(s, w, j, 0), axis(s, w, j, 1), axis(s, w, j, 2)
    h = (0.5 * (alg.dot(zi, yj) - alg.dot(yi, zj)), 0.5 * (alg.dot(xi, zj) - alg.dot(zi, xj)),
         0.5 * (alg.dot(yi, xj) - alg.dot(xi, yj)))
    sine = math.sqrt(alg.dot(h, h))
    cosine = 0.5 * (alg.dot(xi, xj) + alg.dot(yi, yj) + alg.dot(zi, zj) - 1.0)
    return alg.scale(h, math.atan2(sine, cosine) / sine if sine > 1e-9 else 1.0)


@inline
def turn_from_marker(s, w, m, turn):
    """A turn given about the marker's axes, in ground axes."""
    x = alg.scale(axis(s, w, m, 0), turn[0])
    y = alg.scale(axis(s, w, m, 1), turn[1])
    return alg.add(alg.add(x, y), alg.scale(axis(s, w, m, 2), turn[2]))


@inline
def orientation(s, w, b, out, at):
    """Orientation coordinates of body b for user laws: the quaternion."""
    for k in range(4):
        out[at + k] = w.q[at_q(s, b) + 3 + k]
    return 4


@inline
def dimension(s):
    return 3


@inline
def block(s):
    """Velocities per body."""
    return 6


@inline
def push(s, w, b, F, T):
    """Add a force F through the centre of mass and a moment T (both ground axes) to Q; the ground takes none."""
    if b < s.bodies.size:
        bar = alg.turn_to_body(rotation(s, w, b), T)
        k = at_v(s, b)
        w.Q[k] += F[0]
        w.Q[k + 1] += F[1]
        w.Q[k + 2] += F[2]
        w.Q[k + 3] += bar[0]
        w.Q[k + 4] += bar[1]
        w.Q[k + 5] += bar[2]


@inline
def apply_matrix(J, x, at):
    """J x[at:at+3] for a 3×3 matrix stored by rows in a record field."""
    a, b, c = x[at], x[at + 1], x[at + 2]
    return (J[0] * a + J[1] * b + J[2] * c, J[3] * a + J[4] * b + J[5] * c, J[6] * a + J[7] * b + J[8] * c)


@inline
def inertia_forces(s, w, b):
    """Q gets −ω̄ × J̄ ω̄."""
    k = at_v(s, b) + 3
    h = apply_matrix(s.bodies[b].inertia, w.v, k)
    g = alg.turn((w.v[k], w.v[k + 1], w.v[k + 2]), h)
    w.Q[k] -= g[0]
    w.Q[k + 1] -= g[1]
    w.Q[k + 2] -= g[2]


@inline
def weigh(s, b, inverse, x, at, out, to):
    """out[to:] = M x[at:] or M⁻¹ x[at:] for body b."""
    row = s.bodies[b]
    if inverse:
        m = row.inverse_mass
        h = apply_matrix(row.inverse_inertia, x, at + 3)
    else:
        m = row.mass
        h = apply_matrix(row.inertia, x, at + 3)
    out[to] = m * x[at]
    out[to + 1] = m * x[at + 1]
    out[to + 2] = m * x[at + 2]
    out[to + 3] = h[0]
    out[to + 4] = h[1]
    out[to + 5] = h[2]


@inline
def angle(s, w, measure, i, j):
    """Angle of marker j's first axis against marker i's, about i's third axis, on the turn kept in q.

    atan2 knows the angle up to full turns; q keeps, beside the bodies, a running value of every angle that is asked
    for (its rate is integrated with the rest), and the nearest turn to it is taken.
    """
    xi = axis(s, w, i, 0)
    yi = axis(s, w, i, 1)
    xj = axis(s, w, j, 0)
    raw = math.atan2(alg.dot(xj, yi), alg.dot(xj, xi))
    kept = w.q[s.measures[measure].slot]
    return raw + 2.0 * math.pi * math.floor((kept - raw) / (2.0 * math.pi) + 0.5)


@inline
def turn_rate(s, w, i, j):
    """Rate of the angle alone: (ω_j − ω_i)·g, with the gradient g of ``unit_turn``."""
    xi = axis(s, w, i, 0)
    yi = axis(s, w, i, 1)
    xj = axis(s, w, j, 0)
    u = alg.dot(xj, xi)
    p = alg.dot(xj, yi)
    rel = alg.sub(omega(s, w, s.markers[j].body), omega(s, w, s.markers[i].body))
    return (u * alg.dot(rel, alg.moment(xj, yi)) - p * alg.dot(rel, alg.moment(xj, xi))) / (u * u + p * p)


@inline
def unit_turn(s, w, i, j):
    """Gradient of the angle on j (its opposite acts on i) and the terms quadratic in velocity.

    With u = x_j·x_i, p = x_j·y_i, ρ² = u² + p²:   θ̇ = (u ṗ − p u̇)/ρ²,   ṗ = (ω_j − ω_i)·(x_j × y_i)
    so the gradient is g = (u x_j × y_i − p x_j × x_i)/ρ², which is the common axis z when the z axes are aligned.
    """
    wi = omega(s, w, s.markers[i].body)
    wj = omega(s, w, s.markers[j].body)
    xi = axis(s, w, i, 0)
    yi = axis(s, w, i, 1)
    xj = axis(s, w, j, 0)
    u = alg.dot(xj, xi)
    p = alg.dot(xj, yi)
    rho = u * u + p * p
    gu = alg.moment(xj, xi)
    gp = alg.moment(xj, yi)
    g = alg.sub(alg.scale(gp, u / rho), alg.scale(gu, p / rho))
    rel = alg.sub(wj, wi)
    ud = alg.dot(rel, gu)
    pd = alg.dot(rel, gp)
    dxi = alg.turn(wi, xi)
    dyi = alg.turn(wi, yi)
    dxj = alg.turn(wj, xj)
    ddxj = alg.turn(wj, dxj)
    udd = alg.dot(ddxj, xi) + 2.0 * alg.dot(dxj, dxi) + alg.dot(xj, alg.turn(wi, dxi))
    pdd = alg.dot(ddxj, yi) + 2.0 * alg.dot(dxj, dyi) + alg.dot(xj, alg.turn(wi, dyi))
    rate = (u * pd - p * ud) / rho
    return g, (u * pdd - p * udd) / rho - 2.0 * rate * (u * ud + p * pd) / rho
