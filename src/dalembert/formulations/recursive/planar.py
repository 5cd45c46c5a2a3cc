"""One link of a planar tree (same names as spatial.py; derivation in tables.py and passes.py).

Wrench and acceleration are triples (f_x, f_y, n) and (a_x, a_y, α) at the link's origin; d⊥ = (−d_y, d_x).

    inertia   f = M a + G α,  n = G·a + J α          stored (M_xx, M_xy, M_yy, G_x, G_y, J)
    own       M = m 1,  G = m c⊥,  J about the origin
    to the parent   G' = G + M d⊥,   J' = J + (G + G')·d⊥,   n' = n + d × f
"""

from dalembert._jit import cos_sin, get, inline, put

from .tables import PRISMATIC, REVOLUTE


@inline
def transform(T, one, X, k):
    """Pose, d and axes of link k from q; the angle is absolute and counts turns."""
    link = T.links[k]
    p = link.parent
    c, s = get(one, X.pose, 4 * p + 2), get(one, X.pose, 4 * p + 3)
    theta = get(one, X.theta, p) + link.angle
    dx = c * link.p[0] - s * link.p[1]
    dy = s * link.p[0] + c * link.p[1]
    if link.kind == REVOLUTE:
        theta = theta + link.sign * get(one, X.q, link.q)
    c, s = cos_sin(theta)
    if link.kind == PRISMATIC:
        shift = link.sign * get(one, X.q, link.q)
        dx = dx + c * shift
        dy = dy + s * shift
        put(one, X.axis, 3 * link.v, c * link.sign)
        put(one, X.axis, 3 * link.v + 1, s * link.sign)
    put(one, X.theta, k, theta)
    put(one, X.pose, 4 * k + 2, c)
    put(one, X.pose, 4 * k + 3, s)
    put(one, X.pose, 4 * k, get(one, X.pose, 4 * p) + dx)
    put(one, X.pose, 4 * k + 1, get(one, X.pose, 4 * p + 1) + dy)
    put(one, X.d, 2 * k, dx)
    put(one, X.d, 2 * k + 1, dy)


@inline
def angular_velocity(T, one, X, k):
    """ω and the bias Ṡu of link k from u."""
    link = T.links[k]
    wp = get(one, X.omega, link.parent)
    ww = wp * wp
    bx = -ww * get(one, X.d, 2 * k)
    by = -ww * get(one, X.d, 2 * k + 1)
    w = wp
    if link.kind == REVOLUTE:
        w = wp + link.sign * get(one, X.u, link.v)
    elif link.kind == PRISMATIC:
        twice = 2.0 * wp * get(one, X.u, link.v)
        bx = bx - twice * get(one, X.axis, 3 * link.v + 1)
        by = by + twice * get(one, X.axis, 3 * link.v)
    put(one, X.omega, k, w)
    put(one, X.bias, 3 * k, bx)
    put(one, X.bias, 3 * k + 1, by)


@inline
def linear_velocity(T, one, X, k):
    """Velocity of the origin of link k."""
    link = T.links[k]
    p = link.parent
    w = get(one, X.omega, p)
    vx = get(one, X.velocity, 2 * p) - w * get(one, X.d, 2 * k + 1)
    vy = get(one, X.velocity, 2 * p + 1) + w * get(one, X.d, 2 * k)
    if link.kind == PRISMATIC:
        u = get(one, X.u, link.v)
        vx = vx + u * get(one, X.axis, 3 * link.v)
        vy = vy + u * get(one, X.axis, 3 * link.v + 1)
    put(one, X.velocity, 2 * k, vx)
    put(one, X.velocity, 2 * k + 1, vy)


@inline
def rates(T, one, X, k):
    """q̇ of link k."""
    link = T.links[k]
    if link.speeds == 1:
        put(one, X.qdot, link.q, get(one, X.u, link.v))


@inline
def rigid_inertia(T, one, X, k):
    """Inertia of link k alone, and the force it needs with u̇ = 0 less what is applied (``wrench``)."""
    link = T.links[k]
    c, s = get(one, X.pose, 4 * k + 2), get(one, X.pose, 4 * k + 3)
    hx = c * link.h[0] - s * link.h[1]
    hy = s * link.h[0] + c * link.h[1]
    ww = get(one, X.omega, k) * get(one, X.omega, k)
    m = 0.0 * c + link.mass
    put(one, X.inertia, 6 * k, m)
    put(one, X.inertia, 6 * k + 1, 0.0 * c)
    put(one, X.inertia, 6 * k + 2, m)
    put(one, X.inertia, 6 * k + 3, -hy)
    put(one, X.inertia, 6 * k + 4, hx)
    put(one, X.inertia, 6 * k + 5, 0.0 * c + link.J)
    put(one, X.force, 3 * k, -ww * hx - get(one, X.wrench, 3 * k))
    put(one, X.force, 3 * k + 1, -ww * hy - get(one, X.wrench, 3 * k + 1))
    put(one, X.force, 3 * k + 2, -get(one, X.wrench, 3 * k + 2))


@inline
def articulated_inertia(T, one, X, k):
    """Articulated inertia: take the motion of link k out and add the rest to the parent; keeps U = I S and 1/D = 1/SᵀU."""
    link = T.links[k]
    i = 6 * k
    mxx, mxy, myy = get(one, X.inertia, i), get(one, X.inertia, i + 1), get(one, X.inertia, i + 2)
    gx, gy, J = get(one, X.inertia, i + 3), get(one, X.inertia, i + 4), get(one, X.inertia, i + 5)
    if link.speeds == 1:
        v = link.v
        if link.kind == REVOLUTE:
            ux, uy, un = link.sign * gx, link.sign * gy, link.sign * J
            inverse = 1.0 / J
        else:
            ax, ay = get(one, X.axis, 3 * v), get(one, X.axis, 3 * v + 1)
            ux, uy, un = mxx * ax + mxy * ay, mxy * ax + myy * ay, gx * ax + gy * ay
            inverse = 1.0 / (ax * ux + ay * uy)
        put(one, X.U, 3 * v, ux)
        put(one, X.U, 3 * v + 1, uy)
        put(one, X.U, 3 * v + 2, un)
        put(one, X.Dinv, v, inverse)
        sx, sy, sn = inverse * ux, inverse * uy, inverse * un
        mxx, mxy, myy = mxx - ux * sx, mxy - ux * sy, myy - uy * sy
        gx, gy, J = gx - un * sx, gy - un * sy, J - un * sn
    dx, dy = get(one, X.d, 2 * k), get(one, X.d, 2 * k + 1)
    hx, hy = gx - mxx * dy + mxy * dx, gy - mxy * dy + myy * dx
    i = 6 * link.parent
    put(one, X.inertia, i, get(one, X.inertia, i) + mxx)
    put(one, X.inertia, i + 1, get(one, X.inertia, i + 1) + mxy)
    put(one, X.inertia, i + 2, get(one, X.inertia, i + 2) + myy)
    put(one, X.inertia, i + 3, get(one, X.inertia, i + 3) + hx)
    put(one, X.inertia, i + 4, get(one, X.inertia, i + 4) + hy)
    put(one, X.inertia, i + 5, get(one, X.inertia, i + 5) + J + (gy + hy) * dx - (gx + hx) * dy)


@inline
def bias_force(T, one, X, k):
    """force += (own inertia as it stands) × bias: after rigid_inertia, before articulated_inertia has changed it."""
    i = 6 * k
    bx, by = get(one, X.bias, 3 * k), get(one, X.bias, 3 * k + 1)
    mxx, mxy, myy = get(one, X.inertia, i), get(one, X.inertia, i + 1), get(one, X.inertia, i + 2)
    gx, gy = get(one, X.inertia, i + 3), get(one, X.inertia, i + 4)
    put(one, X.force, 3 * k, get(one, X.force, 3 * k) + mxx * bx + mxy * by)
    put(one, X.force, 3 * k + 1, get(one, X.force, 3 * k + 1) + mxy * bx + myy * by)
    put(one, X.force, 3 * k + 2, get(one, X.force, 3 * k + 2) + gx * bx + gy * by)


@inline
def articulated_force(T, one, X, k):
    """What joint k has left (``reduced`` = τ − Sᵀp), and the force handed on to the parent."""
    link = T.links[k]
    fx, fy, n = get(one, X.force, 3 * k), get(one, X.force, 3 * k + 1), get(one, X.force, 3 * k + 2)
    if link.speeds == 1:
        v = link.v
        if link.kind == REVOLUTE:
            reduced = get(one, X.tau, v) - link.sign * n
        else:
            reduced = get(one, X.tau, v) - get(one, X.axis, 3 * v) * fx - get(one, X.axis, 3 * v + 1) * fy
        put(one, X.reduced, v, reduced)
        e = reduced * get(one, X.Dinv, v)
        fx = fx + e * get(one, X.U, 3 * v)
        fy = fy + e * get(one, X.U, 3 * v + 1)
        n = n + e * get(one, X.U, 3 * v + 2)
    i = 3 * link.parent
    put(one, X.force, i, get(one, X.force, i) + fx)
    put(one, X.force, i + 1, get(one, X.force, i + 1) + fy)
    put(one, X.force, i + 2, get(one, X.force, i + 2) + n + get(one, X.d, 2 * k) * fy - get(one, X.d, 2 * k + 1) * fx)


@inline
def articulated_acceleration(T, one, X, k):
    """u̇ of joint k and the acceleration of link k, from the parent's."""
    link = T.links[k]
    p = link.parent
    alpha = get(one, X.acc, 3 * p + 2)
    ax = get(one, X.acc, 3 * p) - alpha * get(one, X.d, 2 * k + 1)
    ay = get(one, X.acc, 3 * p + 1) + alpha * get(one, X.d, 2 * k)
    if link.speeds == 1:
        v = link.v
        left = (get(one, X.reduced, v) - get(one, X.U, 3 * v) * ax - get(one, X.U, 3 * v + 1) * ay
                - get(one, X.U, 3 * v + 2) * alpha)
        x = left * get(one, X.Dinv, v)
        put(one, X.udot, v, x)
        if link.kind == REVOLUTE:
            alpha = alpha + link.sign * x
        else:
            ax = ax + x * get(one, X.axis, 3 * v)
            ay = ay + x * get(one, X.axis, 3 * v + 1)
    put(one, X.acc, 3 * k, ax + get(one, X.bias, 3 * k))
    put(one, X.acc, 3 * k + 1, ay + get(one, X.bias, 3 * k + 1))
    put(one, X.acc, 3 * k + 2, alpha)


@inline
def acceleration(T, one, X, k):
    """Acceleration of link k from its parent's and u̇ (given)."""
    link = T.links[k]
    p = link.parent
    alpha = get(one, X.acc, 3 * p + 2)
    ax = get(one, X.acc, 3 * p) - alpha * get(one, X.d, 2 * k + 1) + get(one, X.bias, 3 * k)
    ay = get(one, X.acc, 3 * p + 1) + alpha * get(one, X.d, 2 * k) + get(one, X.bias, 3 * k + 1)
    if link.speeds == 1:
        v = link.v
        x = get(one, X.udot, v)
        if link.kind == REVOLUTE:
            alpha = alpha + link.sign * x
        else:
            ax = ax + x * get(one, X.axis, 3 * v)
            ay = ay + x * get(one, X.axis, 3 * v + 1)
    put(one, X.acc, 3 * k, ax)
    put(one, X.acc, 3 * k + 1, ay)
    put(one, X.acc, 3 * k + 2, alpha)


@inline
def newton_euler(T, one, X, k):
    """Force and moment at the origin that link k alone needs, less what is applied."""
    link = T.links[k]
    c, s = get(one, X.pose, 4 * k + 2), get(one, X.pose, 4 * k + 3)
    hx = c * link.h[0] - s * link.h[1]
    hy = s * link.h[0] + c * link.h[1]
    w = get(one, X.omega, k)
    ww = w * w
    ax, ay, alpha = get(one, X.acc, 3 * k), get(one, X.acc, 3 * k + 1), get(one, X.acc, 3 * k + 2)
    put(one, X.force, 3 * k, link.mass * ax - alpha * hy - ww * hx - get(one, X.wrench, 3 * k))
    put(one, X.force, 3 * k + 1, link.mass * ay + alpha * hx - ww * hy - get(one, X.wrench, 3 * k + 1))
    put(one, X.force, 3 * k + 2, link.J * alpha + hx * ay - hy * ax - get(one, X.wrench, 3 * k + 2))


@inline
def joint_force(T, one, X, k):
    """τ of joint k from the force through it, which is handed on to the parent."""
    link = T.links[k]
    fx, fy, n = get(one, X.force, 3 * k), get(one, X.force, 3 * k + 1), get(one, X.force, 3 * k + 2)
    if link.speeds == 1:
        v = link.v
        if link.kind == REVOLUTE:
            put(one, X.tau, v, link.sign * n)
        else:
            put(one, X.tau, v, get(one, X.axis, 3 * v) * fx + get(one, X.axis, 3 * v + 1) * fy)
    i = 3 * link.parent
    put(one, X.force, i, get(one, X.force, i) + fx)
    put(one, X.force, i + 1, get(one, X.force, i + 1) + fy)
    put(one, X.force, i + 2, get(one, X.force, i + 2) + n + get(one, X.d, 2 * k) * fy - get(one, X.d, 2 * k + 1) * fx)


@inline
def composite_inertia(T, one, X, k):
    """Composite inertia: (m, h_x, h_y, J) in the first four places; link k handed on to the parent."""
    i = 6 * k
    m, hx, hy, J = get(one, X.inertia, i), get(one, X.inertia, i + 1), get(one, X.inertia, i + 2), get(one, X.inertia, i + 3)
    dx, dy = get(one, X.d, 2 * k), get(one, X.d, 2 * k + 1)
    i = 6 * T.links[k].parent
    put(one, X.inertia, i, get(one, X.inertia, i) + m)
    put(one, X.inertia, i + 1, get(one, X.inertia, i + 1) + hx + m * dx)
    put(one, X.inertia, i + 2, get(one, X.inertia, i + 2) + hy + m * dy)
    put(one, X.inertia, i + 3, get(one, X.inertia, i + 3) + J + (2.0 * hx + m * dx) * dx + (2.0 * hy + m * dy) * dy)


@inline
def rigid_composite(T, one, X, k):
    """Own composite inertia of link k."""
    link = T.links[k]
    c, s = get(one, X.pose, 4 * k + 2), get(one, X.pose, 4 * k + 3)
    i = 6 * k
    put(one, X.inertia, i, 0.0 * c + link.mass)
    put(one, X.inertia, i + 1, c * link.h[0] - s * link.h[1])
    put(one, X.inertia, i + 2, s * link.h[0] + c * link.h[1])
    put(one, X.inertia, i + 3, 0.0 * c + link.J)


@inline
def composite_force(T, one, X, k, i):
    """Force (f_x, f_y, n) that a unit acceleration along speed i of link k needs from all that hangs on it."""
    link = T.links[k]
    a = 6 * k
    m, hx, hy, J = get(one, X.inertia, a), get(one, X.inertia, a + 1), get(one, X.inertia, a + 2), get(one, X.inertia, a + 3)
    if link.kind == REVOLUTE:
        return (-link.sign * hy, link.sign * hx, link.sign * J)
    ax, ay = get(one, X.axis, 3 * link.v), get(one, X.axis, 3 * link.v + 1)
    return (m * ax, m * ay, hx * ay - hy * ax)


@inline
def joint_component(T, one, X, k, i, F):
    """Sᵀ F for speed i of link k."""
    link = T.links[k]
    if link.kind == REVOLUTE:
        return link.sign * F[2]
    return get(one, X.axis, 3 * link.v) * F[0] + get(one, X.axis, 3 * link.v + 1) * F[1]


@inline
def to_parent(T, one, X, k, F):
    """The force at link k's origin, given at its parent's."""
    return (F[0], F[1], F[2] + get(one, X.d, 2 * k) * F[1] - get(one, X.d, 2 * k + 1) * F[0])
