"""Derivatives of a tree in space, one link at a time (same names as planar_derivatives.py; derivation in derivatives.py).

Twists and wrenches: six numbers, linear part first; own and whole: m, h (3), J (6); drag: p (3), N (9, by rows).
"""

import numpy as np

from dalembert._jit import LANES, get, inline, kernel, put
from dalembert.algebra.spatial import add, dot, moment, rotate, scale, sub, unrotate

from .spatial import axes, symmetric
from .spatial_inertia import turned
from .tables import PRISMATIC, SCREW, SPHERICAL

S, PSI, PSI2, RATE = 0, 6, 12, 18  # places of the columns


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
    """Six numbers of speed v, as two vectors."""
    at = 24 * LANES * (v // LANES) + LANES * part + v % LANES
    c = Y.columns
    return ((c[at], c[at + LANES], c[at + 2 * LANES]), (c[at + 3 * LANES], c[at + 4 * LANES], c[at + 5 * LANES]))


@inline
def keep_column(Y, v, part, x, y):
    at = 24 * LANES * (v // LANES) + LANES * part + v % LANES
    c = Y.columns
    c[at] = x[0]
    c[at + LANES] = x[1]
    c[at + 2 * LANES] = x[2]
    c[at + 3 * LANES] = y[0]
    c[at + 4 * LANES] = y[1]
    c[at + 5 * LANES] = y[2]


@inline
def crossed(xv, xw, yv, yw):
    """x × y of twists."""
    return add(moment(xw, yv), moment(xv, yw)), moment(xw, yw)


@inline
def weighed(m, h, J, xv, xw):
    """I x."""
    return add(scale(xv, m), moment(xw, h)), add(moment(h, xv), symmetric(J, xw))


@inline
def six(x, k):
    return (x[k], x[k + 1], x[k + 2], x[k + 3], x[k + 4], x[k + 5])


@kernel
def centre(T, X, Y):
    """c (links without mass may be anywhere), and the acceleration of the ground."""
    x, y, z, count = 0.0, 0.0, 0.0, 0.0
    for k in range(1, T.links.size):
        if T.links[k].mass > 0.0:
            x += X.pose[12 * k]
            y += X.pose[12 * k + 1]
            z += X.pose[12 * k + 2]
            count += 1.0
    f = 1.0 / max(count, 1.0)
    keep3(Y.centre, 0, (f * x, f * y, f * z))
    for c in range(6):
        Y.twist[c] = 0.0
        Y.acc[c] = X.acc[c]


@kernel
def outward(T, X, Y, k):
    """Columns, V, A with u̇ = 0, and what link k alone needs."""
    link = T.links[k]
    p = np.int64(link.parent)
    rho = sub(three(X.pose, 12 * k), three(Y.centre, 0))
    pv, pw = three(Y.twist, 6 * p), three(Y.twist, 6 * p + 3)
    jv, jw = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    bv, bw = jv, jw
    for i in range(link.speeds):
        v = np.int64(link.v) + i
        a = three(X.axis, 3 * v)
        sv, sw = a, a
        if link.kind == PRISMATIC:
            sw = (0.0, 0.0, 0.0)
        else:
            sv = moment(rho, a)
            if link.kind == SCREW:
                sv = add(sv, scale(a, link.lead))
        dv, dw = crossed(pv, pw, sv, sw)
        u = X.u[v]
        jv, jw = add(jv, scale(sv, u)), add(jw, scale(sw, u))
        bv, bw = add(bv, scale(dv, u)), add(bw, scale(dw, u))
        keep_column(Y, v, S, sv, sw)
        keep_column(Y, v, PSI, dv, dw)
        keep_column(Y, v, RATE, scale(dv, 2.0), scale(dw, 2.0))
    if link.kind == SPHERICAL:
        for i in range(3):
            v = np.int64(link.v) + i
            sv, sw = column(Y, v, S)
            ev, ew = crossed(add(scale(pv, 2.0), jv), add(scale(pw, 2.0), jw), sv, sw)
            keep_column(Y, v, RATE, ev, ew)
    tv, tw = add(pv, jv), add(pw, jw)
    av, aw = add(three(Y.acc, 6 * p), bv), add(three(Y.acc, 6 * p + 3), bw)
    keep3(Y.twist, 6 * k, tv)
    keep3(Y.twist, 6 * k + 3, tw)
    keep3(Y.acc, 6 * k, av)
    keep3(Y.acc, 6 * k + 3, aw)
    alone(link, X, Y, k, rho, tv, tw, av, aw)


@inline
def alone(link, X, Y, k, rho, tv, tw, av, aw):
    """I, p, N and F of link k by itself, at c."""
    A = axes(1.0, X, k)
    m = link.mass
    g = rotate(A, (link.h[0], link.h[1], link.h[2]))
    h = add(g, scale(rho, m))
    s = dot(add(g, h), rho)
    o = turned(link, A)
    J = (o[0] + s - g[0] * rho[0] - rho[0] * h[0], o[1] - g[0] * rho[1] - rho[0] * h[1], o[2] - g[0] * rho[2] - rho[0] * h[2],
         o[3] + s - g[1] * rho[1] - rho[1] * h[1], o[4] - g[1] * rho[2] - rho[1] * h[2], o[5] + s - g[2] * rho[2] - rho[2] * h[2])
    mv, mw = weighed(m, h, J, tv, tw)
    fv, fw = weighed(m, h, J, av, aw)
    fv = add(fv, moment(tw, mv))
    fw = add(fw, add(moment(tw, mw), moment(tv, mv)))
    half = 0.5 * (J[0] + J[3] + J[5])
    x, y = moment(tw, (half - J[0], -J[1], -J[2])), moment(tw, (-J[1], half - J[3], -J[4]))
    z = moment(tw, (-J[2], -J[4], half - J[5]))
    hv = dot(h, tv)
    i = 10 * k
    Y.own[i] = m
    keep3(Y.own, i + 1, h)
    keep3(Y.own, i + 4, (J[0], J[1], J[2]))
    keep3(Y.own, i + 7, (J[3], J[4], J[5]))
    for c in range(10):
        Y.whole[i + c] = Y.own[i + c]
    i = 12 * k
    keep3(Y.drag, i, mv)
    keep3(Y.drag, i + 3, (2.0 * (hv - tv[0] * h[0] - x[0]), -2.0 * (tv[0] * h[1] + y[0]), -2.0 * (tv[0] * h[2] + z[0])))
    keep3(Y.drag, i + 6, (-2.0 * (tv[1] * h[0] + x[1]), 2.0 * (hv - tv[1] * h[1] - y[1]), -2.0 * (tv[1] * h[2] + z[1])))
    keep3(Y.drag, i + 9, (-2.0 * (tv[2] * h[0] + x[2]), -2.0 * (tv[2] * h[1] + y[2]), 2.0 * (hv - tv[2] * h[2] - z[2])))
    keep3(Y.force, 6 * k, fv)
    keep3(Y.force, 6 * k + 3, fw)


@inline
def inward(T, Y, k):
    """I, (p, N) and F of link k, whole by now, to its parent's."""
    p = np.int64(T.links[k].parent)
    if p > 0:
        for c in range(10):
            Y.whole[10 * p + c] += Y.whole[10 * k + c]
        for c in range(12):
            Y.drag[12 * p + c] += Y.drag[12 * k + c]
        for c in range(6):
            Y.force[6 * p + c] += Y.force[6 * k + c]


@kernel
def accelerated(T, X, Y, k):
    """What u̇ adds to A and F, and Ψ̈."""
    link = T.links[k]
    p = np.int64(link.parent)
    pv, pw = three(Y.twist, 6 * p), three(Y.twist, 6 * p + 3)
    gv, gw = three(Y.more, 6 * p), three(Y.more, 6 * p + 3)
    av, aw = add(three(Y.acc, 6 * p), gv), add(three(Y.acc, 6 * p + 3), gw)
    for i in range(link.speeds):
        v = np.int64(link.v) + i
        sv, sw = column(Y, v, S)
        dv, dw = column(Y, v, PSI)
        xv, xw = crossed(av, aw, sv, sw)
        yv, yw = crossed(pv, pw, dv, dw)
        keep_column(Y, v, PSI2, add(xv, yv), add(xw, yw))
        gv, gw = add(gv, scale(sv, X.udot[v])), add(gw, scale(sw, X.udot[v]))
    keep3(Y.more, 6 * k, gv)
    keep3(Y.more, 6 * k + 3, gw)
    i = 10 * k
    fv, fw = weighed(Y.own[i], three(Y.own, i + 1), six(Y.own, i + 4), gv, gw)
    keep3(Y.gain, 6 * k, fv)
    keep3(Y.gain, 6 * k + 3, fw)


@inline
def force_inward(T, Y, k):
    """F with u̇ of link k and all that hangs on it."""
    p = np.int64(T.links[k].parent)
    for c in range(6):
        Y.force[6 * k + c] += Y.gain[6 * k + c]
    if p > 0:
        for c in range(6):
            Y.gain[6 * p + c] += Y.gain[6 * k + c]


@inline
def against(one, x, at, a):
    """Six numbers with LANES columns."""
    return (a[0] * get(one, x, at) + a[1] * get(one, x, at + 1) + a[2] * get(one, x, at + 2) + a[3] * get(one, x, at + 3)
            + a[4] * get(one, x, at + 4) + a[5] * get(one, x, at + 5))


@kernel
def mass_row(T, one, Y, k, v, blocks):
    """Row v of H, and c of v."""
    i = 10 * k
    sv, sw = column(Y, v, S)
    Y.bias[v] = dot(sv, three(Y.force, 6 * k)) + dot(sw, three(Y.force, 6 * k + 3))
    x, y = weighed(Y.whole[i], three(Y.whole, i + 1), six(Y.whole, i + 4), sv, sw)
    a = (x[0], x[1], x[2], y[0], y[1], y[2])
    for block in range(Y.last[v] // LANES + 1):
        at = blocks * v + block
        put(one, Y.H, at, get(one, Y.mask, at) * against(one, Y.columns, 24 * block + S, a))


@kernel
def slope_row(T, one, Y, k, v, blocks):
    """Row v of ∂τ/∂q and ∂τ/∂u over the speeds on the way to the root, and column v of their rows."""
    i, d = 10 * k, 12 * k
    m, h, J = Y.whole[i], three(Y.whole, i + 1), six(Y.whole, i + 4)
    p = three(Y.drag, d)
    N = (Y.drag[d + 3], Y.drag[d + 4], Y.drag[d + 5], Y.drag[d + 6], Y.drag[d + 7], Y.drag[d + 8], Y.drag[d + 9], Y.drag[d + 10],
         Y.drag[d + 11])
    f, n = three(Y.force, 6 * k), three(Y.force, 6 * k + 3)
    sv, sw = column(Y, v, S)
    qv, qw = column(Y, v, PSI)
    rv, rw = column(Y, v, PSI2)
    ev, ew = column(Y, v, RATE)
    x, y = weighed(m, h, J, sv, sw)
    a = (x[0], x[1], x[2], y[0], y[1], y[2])
    g = add(scale(moment(p, sv), 2.0), unrotate(N, sw))
    x, y = weighed(m, h, J, rv, rw)
    x = add(add(x, scale(moment(qw, p), 2.0)), moment(sw, f))
    y = add(add(y, rotate(N, qw)), add(moment(sw, n), moment(sv, f)))
    c = (x[0], x[1], x[2], y[0], y[1], y[2])
    x, y = weighed(m, h, J, ev, ew)
    x, y = add(x, scale(moment(sw, p), 2.0)), add(y, rotate(N, sw))
    e = (x[0], x[1], x[2], y[0], y[1], y[2])
    z = Y.columns
    for block in range(Y.last[v] // LANES + 1):
        at = 24 * block
        mask = get(one, Y.mask, blocks * v + block)
        q = (against(one, z, at + PSI2, a) + g[0] * get(one, z, at + PSI + 3) + g[1] * get(one, z, at + PSI + 4)
             + g[2] * get(one, z, at + PSI + 5))
        u = (against(one, z, at + RATE, a) + g[0] * get(one, z, at + S + 3) + g[1] * get(one, z, at + S + 4)
             + g[2] * get(one, z, at + S + 5))
        put(one, Y.right, 3 * blocks * v + block, mask * q)
        put(one, Y.right, 3 * blocks * v + blocks + block, mask * u)
        put(one, Y.below, 2 * blocks * v + block, against(one, z, at + S, c))
        put(one, Y.below, 2 * blocks * v + blocks + block, against(one, z, at + S, e))
