"""A rigid body in the plane, and the markers on it.

State        q = (x, y, θ) of the centre of mass,  v = (ẋ, ẏ, θ̇),  q̇ = v
Equations    m r̈ = F,   J θ̈ = n                    M = diag(m, m, J)
Marker       r = r_c + A s̄,   ṙ = ṙ_c + ω × s,   r̈ = r̈_c + ω̇ × s − ω² s        with s = A s̄
Row          a force n at the arm s does work on v through (n, s × n)

Workspace per body: pose (x, y, cos θ, sin θ), twist (ẋ, ẏ, ω).  The ground is the body with number nb, at rest.
"""

import math

import numpy as np

from dalembert._jit import inline, kernel
from dalembert.algebra import planar as alg

SIZE_Q, SIZE_V, POSE, TWIST = 3, 3, 4, 3

BODY = np.dtype([("mass", "f8"), ("inertia", "f8"), ("inverse_mass", "f8"), ("inverse_inertia", "f8"),
                 ("com", "f8", (2,))])
MARKER = np.dtype([("s", "f8", (2,)), ("axes", "f8", (2,)), ("body", "u4"), ("_", "u4")])


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
        theta = w.q[k + 2]
        w.pose[p] = w.q[k]
        w.pose[p + 1] = w.q[k + 1]
        w.pose[p + 2] = math.cos(theta)
        w.pose[p + 3] = math.sin(theta)
        for i in range(3):
            w.twist[o + i] = w.v[u + i]
            w.qdot[k + i] = w.v[u + i]


@kernel
def displace(s, w, dv, size):
    """q ← q ⊕ size·dv: move every body by a small twist."""
    for b in range(s.bodies.size):
        k, u = at_q(s, b), at_v(s, b)
        for i in range(3):
            w.q[k + i] += size * dv[u + i]


@kernel
def as_twist(s, w, change, out):
    """A change of the bodies' coordinates as a twist."""
    for b in range(s.bodies.size):
        k, u = at_q(s, b), at_v(s, b)
        for i in range(3):
            out[u + i] = change[k + i]


@kernel
def from_twist(s, w, x, change):
    """change ← the change of the bodies' coordinates that belongs to the twist x."""
    for b in range(s.bodies.size):
        k, u = at_q(s, b), at_v(s, b)
        for i in range(3):
            change[k + i] = x[u + i]


@inline
def position(s, w, b):
    p = at_pose(s, b)
    return (w.pose[p], w.pose[p + 1])


@inline
def rotation(s, w, b):
    p = at_pose(s, b)
    return (w.pose[p + 2], w.pose[p + 3])


@inline
def velocity(s, w, b):
    o = at_twist(s, b)
    return (w.twist[o], w.twist[o + 1])


@inline
def omega(s, w, b):
    return (w.twist[at_twist(s, b) + 2],)


@inline
def arm(s, w, m):
    """A s̄ of marker m, in ground axes."""
    row = s.markers[m]
    return alg.rotate(rotation(s, w, row.body), (row.s[0], row.s[1]))


@inline
def axis(s, w, m, k):
    """Axis k (0: along, 1: across) of marker m, in ground axes."""
    row = s.markers[m]
    local = (row.axes[0], row.axes[1]) if k == 0 else (-row.axes[1], row.axes[0])
    return alg.rotate(rotation(s, w, row.body), local)


@inline
def add_row(s, w, at, b, sign, n, m):
    """Add sign × a row to D on body b: translation part n, rotation part m (a moment)."""
    w.D[at] += sign * n[0]
    w.D[at + 1] += sign * n[1]
    w.D[at + 2] += sign * m[0]


@inline
def add_turn(s, w, at, b, sign, m):
    """The same without a translation part."""
    w.D[at + 2] += sign * m[0]


@inline
def write_point(s, w, at, m, sign, a):
    """Two rows of D: the velocity of marker m, at arm a, along x and y."""
    w.D[at] = sign
    w.D[at + 1] = 0.0
    w.D[at + 2] = -sign * a[1]
    w.D[at + 3] = 0.0
    w.D[at + 4] = sign
    w.D[at + 5] = sign * a[0]


@inline
def store(s, out, at, vector):
    out[at] = vector[0]
    out[at + 1] = vector[1]


@inline
def load(s, source, at):
    return (source[at], source[at + 1])


@inline
def load_turn(s, source, at):
    return (source[at],)


@inline
def store_turn(s, out, at, turn):
    out[at] = turn[0]


@inline
def relative_turn(s, w, i, j):
    """Rotation of marker j against marker i, between −π and π as in space."""
    x = axis(s, w, i, 0)
    y = axis(s, w, i, 1)
    e = axis(s, w, j, 0)
    return (math.atan2(alg.dot(e, y), alg.dot(e, x)),)


@inline
def turn_from_marker(s, w, m, turn):
    """A turn given about the marker's axes, in ground axes."""
    return turn


@inline
def orientation(s, w, b, out, at):
    """Orientation coordinates of body b for user laws: the angle."""
    out[at] = w.q[at_q(s, b) + 2]
    return 1


@inline
def dimension(s):
    return 2


@inline
def block(s):
    """Velocities per body."""
    return 3


@inline
def push(s, w, b, F, T):
    """Add a force F (ground axes) through the centre of mass and a moment T to Q; the ground takes none."""
    if b < s.bodies.size:
        k = at_v(s, b)
        w.Q[k] += F[0]
        w.Q[k + 1] += F[1]
        w.Q[k + 2] += T[0]


@inline
def inertia_forces(s, w, b):
    """Velocity-dependent inertia forces: none about the centre of mass in the plane."""


@inline
def weigh(s, b, inverse, x, at, out, to):
    """out[to:] = M x[at:] or M⁻¹ x[at:] for body b."""
    row = s.bodies[b]
    m = row.inverse_mass if inverse else row.mass
    J = row.inverse_inertia if inverse else row.inertia
    out[to] = m * x[at]
    out[to + 1] = m * x[at + 1]
    out[to + 2] = J * x[at + 2]


@inline
def angle(s, w, measure, i, j):
    """Angle of marker j against marker i; body angles count turns by themselves."""
    nb = s.bodies.size
    mi = s.markers[i]
    mj = s.markers[j]
    a = w.q[at_q(s, mj.body) + 2] if mj.body < nb else 0.0
    b = w.q[at_q(s, mi.body) + 2] if mi.body < nb else 0.0
    return a - b


@inline
def turn_rate(s, w, i, j):
    """Rate of the angle alone."""
    return omega(s, w, s.markers[j].body)[0] - omega(s, w, s.markers[i].body)[0]


@inline
def unit_turn(s, w, i, j):
    """Gradient of the angle on j (its opposite acts on i) and the terms quadratic in velocity."""
    return (1.0,), 0.0
