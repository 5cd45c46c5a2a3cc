"""The angle of marker j against i (measures/angle.py).  Plane: θ_j − θ_i, nothing changes.  Space: atan2(p, u) of two products

    u = x_i·x_j,   p = y_i·x_j,   R = u² + p²        F_u = −p/R,   F_p = u/R,   F_uu = −F_pp = 2 u p/R²,   F_up = (p² − u²)/R²

δc = E·δx_j + …, E = F_u x_i + F_p y_i, so that with Ė and Ë (the F move in time as x/R does) x_j·E is a product of turned.py for
j, x_i·(F_u x_j) + y_i·(F_p x_j) are two for i, and turned together nothing changes.  K is that of the product of x_j with E, as
if E were fixed on i, and F_uu g_u g_uᵀ + F_up (g_u g_pᵀ + g_p g_uᵀ) + F_pp g_p g_pᵀ with the moments g_u = x_i × x_j and
g_p = y_i × x_j on i, the opposite ones on j.
"""

from dalembert._jit import dispatch, inline, kernel
from dalembert.algebra import spatial as space
from dalembert.elements.bodies.markers import NONE, axis, omega, rotation

from .dot_axes import bend_axes
from .turned import add_turn, drifting, moving, spun, turned


@inline
def add_moments(s, w, K, at, e, f, x, y, u, v, z):
    """z (x̄ ȳᵀ + ū v̄ᵀ) into the turns of e (rows) and f (columns)."""
    A, B = rotation(s, w, e), rotation(s, w, f)
    r, c = space.scale(space.unrotate(A, x), z), space.unrotate(B, y)
    p, q = space.scale(space.unrotate(A, u), z), space.unrotate(B, v)
    for i in range(3):
        for j in range(3):
            K[at + 21 + 6 * i + j] += r[i] * c[j] + p[i] * q[j]


@inline
def over(x, dx, ddx, R, dR, ddR):
    """x/R and its two rates."""
    f = x / R
    df = (dx - f * dR) / R
    return f, df, (ddx - 2.0 * df * dR - f * ddR) / R


@inline
def mixed(x, y, dx, dy, ddx, ddy, f, df, ddf, g, dg, ddg):
    """f x + g y and its two rates."""
    e = space.add(space.scale(x, f), space.scale(y, g))
    de = space.add(space.add(space.scale(x, df), space.scale(dx, f)), space.add(space.scale(y, dg), space.scale(dy, g)))
    a = space.add(space.add(space.scale(x, ddf), space.scale(dx, 2.0 * df)), space.scale(ddx, f))
    b = space.add(space.add(space.scale(y, ddg), space.scale(dy, 2.0 * dg)), space.scale(ddy, g))
    return e, de, space.add(a, b)


@inline
def _planar_bend(s, w, n, c, k, y):
    return


@inline
def _spatial_bend(s, w, n, c, k, y):
    row, q = s.measures[k], c.measures[k]
    bi, bj = s.markers[row.i].body, s.markers[row.j].body
    xi, yi, xj = axis(s, w, row.i, 0), axis(s, w, row.i, 1), axis(s, w, row.j, 0)
    u, p = space.dot(xj, xi), space.dot(xj, yi)
    R = u * u + p * p
    bend_axes(s, w, n, q, bi, bj, space.add(space.scale(xi, -p / R), space.scale(yi, u / R)), xj, y)
    gu, gp = space.moment(xi, xj), space.moment(yi, xj)
    a, b = 2.0 * u * p / (R * R), (p * p - u * u) / (R * R)
    to_u, to_p = space.add(space.scale(gu, a), space.scale(gp, b)), space.sub(space.scale(gu, b), space.scale(gp, a))
    for e in range(4):
        at = q.ii if e == 0 else q.jj if e == 1 else q.ij if e == 2 else q.ji
        if at != NONE:
            rows, columns = (bi if e == 0 or e == 2 else bj), (bi if e == 0 or e == 3 else bj)
            z = y if e < 2 else -y
            add_moments(s, w, n.K, at, rows, columns, gu, to_u, gp, to_p, z)


@inline
def _planar_change(s, w, n, k, at_i, at_j, f):
    return


@inline
def _spatial_change(s, w, n, k, at_i, at_j, f):
    row = s.measures[k]
    bi, bj = s.markers[row.i].body, s.markers[row.j].body
    x, y, z = axis(s, w, row.i, 0), axis(s, w, row.i, 1), axis(s, w, row.j, 0)
    dx, ddx = moving(s, w, bi, x)
    dy, ddy = moving(s, w, bi, y)
    dz, ddz = moving(s, w, bj, z)
    u, p = space.dot(x, z), space.dot(y, z)
    du, dp = space.dot(dx, z) + space.dot(x, dz), space.dot(dy, z) + space.dot(y, dz)
    ddu = space.dot(ddx, z) + 2.0 * space.dot(dx, dz) + space.dot(x, ddz)
    ddp = space.dot(ddy, z) + 2.0 * space.dot(dy, dz) + space.dot(y, ddz)
    R, dR, ddR = u * u + p * p, 2.0 * (u * du + p * dp), 2.0 * (du * du + u * ddu + dp * dp + p * ddp)
    fu, dfu, ddfu = over(-p, -dp, -ddp, R, dR, ddR)
    fp, dfp, ddfp = over(u, du, ddu, R, dR, ddR)
    E, dE, ddE = mixed(x, y, dx, dy, ddx, ddy, fu, dfu, ddfu, fp, dfp, ddfp)
    by_turn = turned(z, dz, ddz, E, dE, ddE)
    if at_j != NONE:
        add_turn(s, w, n.Gq, at_j, bj, f, by_turn)
        add_turn(s, w, n.Gv, at_j, bj, f, spun(omega(s, w, bj), z, dz, E, dE))
    if at_i != NONE:
        add_turn(s, w, n.Gq, at_i, bi, -f, by_turn)
        rate = omega(s, w, bi)
        by_u = spun(rate, x, dx, space.scale(z, fu), space.add(space.scale(z, dfu), space.scale(dz, fu)))
        by_p = spun(rate, y, dy, space.scale(z, fp), space.add(space.scale(z, dfp), space.scale(dz, fp)))
        add_turn(s, w, n.Gv, at_i, bi, f, space.add(by_u, by_p))


@inline
def _planar_drift(s, w, to, k, at_i, at_j):
    return


@inline
def _spatial_drift(s, w, to, k, at_i, at_j):
    row = s.measures[k]
    bi, bj = s.markers[row.i].body, s.markers[row.j].body
    x, y, z = axis(s, w, row.i, 0), axis(s, w, row.i, 1), axis(s, w, row.j, 0)
    dx, ddx = moving(s, w, bi, x)
    dy, ddy = moving(s, w, bi, y)
    dz, ddz = moving(s, w, bj, z)
    u, p = space.dot(x, z), space.dot(y, z)
    du, dp = space.dot(dx, z) + space.dot(x, dz), space.dot(dy, z) + space.dot(y, dz)
    R, dR = u * u + p * p, 2.0 * (u * du + p * dp)
    fu, dfu, ddfu = over(-p, -dp, 0.0, R, dR, 0.0)
    fp, dfp, ddfp = over(u, du, 0.0, R, dR, 0.0)
    E, dE, ddE = mixed(x, y, dx, dy, ddx, ddy, fu, dfu, 0.0, fp, dfp, 0.0)
    moment = drifting(z, dz, E, dE)
    if at_i != NONE:
        add_turn(s, w, to, at_i, bi, -1.0, moment)
    if at_j != NONE:
        add_turn(s, w, to, at_j, bj, 1.0, moment)


_bend = dispatch(_planar_bend, _spatial_bend)
_change = dispatch(_planar_change, _spatial_change)
_drift = dispatch(_planar_drift, _spatial_drift)


@kernel
def bend(s, w, n, c, k, y):
    _bend(s, w, n, c, k, y)


@kernel
def change(s, w, n, k, at_i, at_j, f):
    _change(s, w, n, k, at_i, at_j, f)


@kernel
def drift(s, w, to, k, at_i, at_j):
    _drift(s, w, to, k, at_i, at_j)
