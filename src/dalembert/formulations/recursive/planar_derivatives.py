"""Derivatives of a tree in the plane, one link at a time (same names as spatial_derivatives.py; derivation in derivatives.py).

Twists (v_x, v_y, ω) and wrenches (f_x, f_y, n) at c; own and whole: m, h (2), J; drag: p (2), N.  In the plane N = 2 h · v.
"""

import numpy as np

from dalembert._jit import LANES, get, inline, kernel, put

from .tables import PRISMATIC

S, PSI, PSI2, RATE = 0, 3, 6, 9  # places of the columns


@inline
def three(x, k):
    return (x[k], x[k + 1], x[k + 2])


@inline
def keep3(x, k, a):
    x[k] = a[0]
    x[k + 1] = a[1]
    x[k + 2] = a[2]


@inline
def column(Y, v, part):
    at = 12 * LANES * (v // LANES) + LANES * part + v % LANES
    c = Y.columns
    return (c[at], c[at + LANES], c[at + 2 * LANES])


@inline
def keep_column(Y, v, part, x):
    at = 12 * LANES * (v // LANES) + LANES * part + v % LANES
    c = Y.columns
    c[at] = x[0]
    c[at + LANES] = x[1]
    c[at + 2 * LANES] = x[2]


@inline
def total(a, b, k):
    """a + k b."""
    return (a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2])


@inline
def crossed(x, y):
    """x × y of twists."""
    return (x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], 0.0)


@inline
def weighed(m, hx, hy, J, x):
    """I x."""
    return (m * x[0] - x[2] * hy, m * x[1] + x[2] * hx, hx * x[1] - hy * x[0] + J * x[2])


@kernel
def centre(T, X, Y):
    """c (links without mass may be anywhere), and the acceleration of the ground."""
    x, y, count = 0.0, 0.0, 0.0
    for k in range(1, T.links.size):
        if T.links[k].mass > 0.0:
            x += X.pose[4 * k]
            y += X.pose[4 * k + 1]
            count += 1.0
    f = 1.0 / max(count, 1.0)
    keep3(Y.centre, 0, (f * x, f * y, 0.0))
    for c in range(3):
        Y.twist[c] = 0.0
        Y.acc[c] = X.acc[c]


@kernel
def outward(T, X, Y, k):
    """Columns, V, A with u̇ = 0, and what link k alone needs."""
    link = T.links[k]
    p = np.int64(link.parent)
    x, y = X.pose[4 * k] - Y.centre[0], X.pose[4 * k + 1] - Y.centre[1]
    up = three(Y.twist, 3 * p)
    t, a = up, three(Y.acc, 3 * p)
    if link.speeds == 1:
        v = np.int64(link.v)
        s = (link.sign * y, -link.sign * x, link.sign)
        if link.kind == PRISMATIC:
            s = (X.axis[3 * v], X.axis[3 * v + 1], 0.0)
        d = crossed(up, s)
        t, a = total(t, s, X.u[v]), total(a, d, X.u[v])
        keep_column(Y, v, S, s)
        keep_column(Y, v, PSI, d)
        keep_column(Y, v, RATE, (2.0 * d[0], 2.0 * d[1], 0.0))
    keep3(Y.twist, 3 * k, t)
    keep3(Y.acc, 3 * k, a)
    c, s = X.pose[4 * k + 2], X.pose[4 * k + 3]
    m = link.mass
    gx, gy = c * link.h[0] - s * link.h[1], s * link.h[0] + c * link.h[1]
    hx, hy = gx + m * x, gy + m * y
    J = link.J + (gx + hx) * x + (gy + hy) * y
    f, q = weighed(m, hx, hy, J, a), weighed(m, hx, hy, J, t)
    Y.own[4 * k] = m
    Y.own[4 * k + 1] = hx
    Y.own[4 * k + 2] = hy
    Y.own[4 * k + 3] = J
    for i in range(4):
        Y.whole[4 * k + i] = Y.own[4 * k + i]
    keep3(Y.drag, 3 * k, (q[0], q[1], 2.0 * (hx * t[0] + hy * t[1])))
    keep3(Y.force, 3 * k, (f[0] - t[2] * q[1], f[1] + t[2] * q[0], f[2] + t[0] * q[1] - t[1] * q[0]))


@inline
def inward(T, Y, k):
    """I, (p, N) and F of link k, whole by now, to its parent's."""
    p = np.int64(T.links[k].parent)
    if p > 0:
        for c in range(4):
            Y.whole[4 * p + c] += Y.whole[4 * k + c]
        for c in range(3):
            Y.drag[3 * p + c] += Y.drag[3 * k + c]
            Y.force[3 * p + c] += Y.force[3 * k + c]


@kernel
def accelerated(T, X, Y, k):
    """What u̇ adds to A and F, and Ψ̈."""
    link = T.links[k]
    p = np.int64(link.parent)
    more = three(Y.more, 3 * p)
    if link.speeds == 1:
        v = np.int64(link.v)
        s = column(Y, v, S)
        x = crossed(total(three(Y.acc, 3 * p), more, 1.0), s)
        keep_column(Y, v, PSI2, total(x, crossed(three(Y.twist, 3 * p), column(Y, v, PSI)), 1.0))
        more = total(more, s, X.udot[v])
    keep3(Y.more, 3 * k, more)
    keep3(Y.gain, 3 * k, weighed(Y.own[4 * k], Y.own[4 * k + 1], Y.own[4 * k + 2], Y.own[4 * k + 3], more))


@inline
def force_inward(T, Y, k):
    """F with u̇ of link k and all that hangs on it."""
    p = np.int64(T.links[k].parent)
    for c in range(3):
        Y.force[3 * k + c] += Y.gain[3 * k + c]
    if p > 0:
        for c in range(3):
            Y.gain[3 * p + c] += Y.gain[3 * k + c]


@inline
def against(one, x, at, a):
    """Three numbers with LANES columns."""
    return a[0] * get(one, x, at) + a[1] * get(one, x, at + 1) + a[2] * get(one, x, at + 2)


@kernel
def mass_row(T, one, Y, k, v, blocks):
    """Row v of H, and c of v."""
    s = column(Y, v, S)
    Y.bias[v] = s[0] * Y.force[3 * k] + s[1] * Y.force[3 * k + 1] + s[2] * Y.force[3 * k + 2]
    a = weighed(Y.whole[4 * k], Y.whole[4 * k + 1], Y.whole[4 * k + 2], Y.whole[4 * k + 3], s)
    for block in range(Y.last[v] // LANES + 1):
        at = blocks * v + block
        put(one, Y.H, at, get(one, Y.mask, at) * against(one, Y.columns, 12 * block + S, a))


@kernel
def slope_row(T, one, Y, k, v, blocks):
    """Row v of ∂τ/∂q and ∂τ/∂u over the speeds on the way to the root, and column v of their rows."""
    m, hx, hy, J = Y.whole[4 * k], Y.whole[4 * k + 1], Y.whole[4 * k + 2], Y.whole[4 * k + 3]
    px, py, N = Y.drag[3 * k], Y.drag[3 * k + 1], Y.drag[3 * k + 2]
    fx, fy = Y.force[3 * k], Y.force[3 * k + 1]
    s = column(Y, v, S)
    a = weighed(m, hx, hy, J, s)
    g = 2.0 * (px * s[1] - py * s[0]) + N * s[2]
    x = weighed(m, hx, hy, J, column(Y, v, PSI2))  # Ψ̇ has no turn: 2B Ψ̇ = 0
    c = (x[0] - s[2] * fy, x[1] + s[2] * fx, x[2] + s[0] * fy - s[1] * fx)
    x = weighed(m, hx, hy, J, column(Y, v, RATE))
    e = (x[0] - 2.0 * s[2] * py, x[1] + 2.0 * s[2] * px, x[2] + N * s[2])
    z = Y.columns
    for block in range(Y.last[v] // LANES + 1):
        at = 12 * block
        mask = get(one, Y.mask, blocks * v + block)
        put(one, Y.right, 3 * blocks * v + block, mask * against(one, z, at + PSI2, a))
        put(one, Y.right, 3 * blocks * v + blocks + block, mask * (against(one, z, at + RATE, a) + g * get(one, z, at + S + 2)))
        put(one, Y.below, 2 * blocks * v + block, against(one, z, at + S, c))
        put(one, Y.below, 2 * blocks * v + blocks + block, against(one, z, at + S, e))
