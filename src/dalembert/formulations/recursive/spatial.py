"""One link of a tree in space: where it is, how it moves, what it needs (same names as planar.py; derivation in tables.py).

Wrench (f, n) and acceleration (a, α) are at the link's origin, six numbers each; inertia: spatial_inertia.py.
"""

from dalembert._jit import cos_sin, get, inline, put
from dalembert.algebra.spatial import add, dot, matrix, moment, quaternion_rate, rotate, scale, sub, unrotate

from .tables import PRISMATIC, REVOLUTE, SCREW, SPHERICAL


@inline
def vec(one, x, k):
    return (get(one, x, k), get(one, x, k + 1), get(one, x, k + 2))


@inline
def keep(one, x, k, a):
    put(one, x, k, a[0])
    put(one, x, k + 1, a[1])
    put(one, x, k + 2, a[2])


@inline
def increase(one, x, k, a):
    put(one, x, k, get(one, x, k) + a[0])
    put(one, x, k + 1, get(one, x, k + 1) + a[1])
    put(one, x, k + 2, get(one, x, k + 2) + a[2])


@inline
def axes(one, X, k):
    """A of link k, by rows."""
    b = 12 * k + 3
    x = X.pose
    return (get(one, x, b), get(one, x, b + 1), get(one, x, b + 2), get(one, x, b + 3), get(one, x, b + 4), get(one, x, b + 5),
            get(one, x, b + 6), get(one, x, b + 7), get(one, x, b + 8))


@inline
def row(r):
    return (r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8])


@inline
def product(A, B):
    return (A[0] * B[0] + A[1] * B[3] + A[2] * B[6], A[0] * B[1] + A[1] * B[4] + A[2] * B[7], A[0] * B[2] + A[1] * B[5]
            + A[2] * B[8],
            A[3] * B[0] + A[4] * B[3] + A[5] * B[6], A[3] * B[1] + A[4] * B[4] + A[5] * B[7], A[3] * B[2] + A[4] * B[5]
                    + A[5] * B[8],
            A[6] * B[0] + A[7] * B[3] + A[8] * B[6], A[6] * B[1] + A[7] * B[4] + A[8] * B[7], A[6] * B[2] + A[7] * B[5]
                    + A[8] * B[8])


@inline
def about_z(A, c, s):
    """A R_z."""
    return (c * A[0] + s * A[1], c * A[1] - s * A[0], A[2], c * A[3] + s * A[4], c * A[4] - s * A[3], A[5],
            c * A[6] + s * A[7], c * A[7] - s * A[6], A[8])


@inline
def symmetric(S, a):
    """S a for S stored as xx, xy, xz, yy, yz, zz."""
    return (S[0] * a[0] + S[1] * a[1] + S[2] * a[2], S[1] * a[0] + S[3] * a[1] + S[4] * a[2],
            S[2] * a[0] + S[4] * a[1] + S[5] * a[2])


@inline
def pose(T, one, X, k):
    """Axes of link k and d, from q; keeps the axes of its motion."""
    link = T.links[k]
    p = link.parent
    Ap = axes(one, X, p)
    A = product(Ap, row(link.R))
    d = rotate(Ap, (link.p[0], link.p[1], link.p[2]))
    if link.kind == SPHERICAL:
        A = product(A, matrix(get(one, X.q, link.q), get(one, X.q, link.q + 1), get(one, X.q, link.q + 2), get(one, X.q,
                link.q + 3)))
        keep(one, X.axis, 3 * link.v, (A[0], A[3], A[6]))
        keep(one, X.axis, 3 * link.v + 3, (A[1], A[4], A[7]))
        keep(one, X.axis, 3 * link.v + 6, (A[2], A[5], A[8]))
    elif link.speeds == 1:
        q = link.sign * get(one, X.q, link.q)
        if link.kind != REVOLUTE:
            d = add(d, scale((A[2], A[5], A[8]), q if link.kind == PRISMATIC else link.lead * q))
        if link.kind != PRISMATIC:
            c, s = cos_sin(q)
            A = about_z(A, c, s)
        keep(one, X.axis, 3 * link.v, scale((A[2], A[5], A[8]), link.sign))
    return A, d


@inline
def transform(T, one, X, k):
    """Pose, d and axes of link k from q."""
    A, d = pose(T, one, X, k)
    keep(one, X.d, 3 * k, d)
    keep(one, X.pose, 12 * k, add(vec(one, X.pose, 12 * T.links[k].parent), d))
    b = 12 * k + 3
    keep(one, X.pose, b, (A[0], A[1], A[2]))
    keep(one, X.pose, b + 3, (A[3], A[4], A[5]))
    keep(one, X.pose, b + 6, (A[6], A[7], A[8]))


@inline
def turning(T, one, X, k):
    """ω_J of link k."""
    link = T.links[k]
    a = vec(one, X.axis, 3 * link.v)
    if link.kind == SPHERICAL:
        v = link.v
        a = scale(a, get(one, X.u, v))
        a = add(a, scale(vec(one, X.axis, 3 * v + 3), get(one, X.u, v + 1)))
        return add(a, scale(vec(one, X.axis, 3 * v + 6), get(one, X.u, v + 2)))
    return scale(a, get(one, X.u, link.v))


@inline
def angular_velocity(T, one, X, k):
    """ω and the bias Ṡu of link k from u."""
    link = T.links[k]
    wp = vec(one, X.omega, 3 * link.parent)
    d = vec(one, X.d, 3 * k)
    b = moment(wp, moment(wp, d))
    w = wp
    turn = scale(d, 0.0)
    if link.speeds > 0:
        rel = turning(T, one, X, k)
        if link.kind == PRISMATIC:
            b = add(b, scale(moment(wp, rel), 2.0))
        else:
            w = add(wp, rel)
            turn = moment(wp, rel)
            if link.kind == SCREW:
                b = add(b, scale(turn, 2.0 * link.lead))
    keep(one, X.omega, 3 * k, w)
    keep(one, X.bias, 6 * k, b)
    keep(one, X.bias, 6 * k + 3, turn)


@inline
def linear_velocity(T, one, X, k):
    """Velocity of the origin of link k."""
    link = T.links[k]
    p = link.parent
    v = add(vec(one, X.velocity, 3 * p), moment(vec(one, X.omega, 3 * p), vec(one, X.d, 3 * k)))
    if link.kind == PRISMATIC or link.kind == SCREW:
        rel = turning(T, one, X, k)
        v = add(v, scale(rel, 1.0 if link.kind == PRISMATIC else link.lead))
    keep(one, X.velocity, 3 * k, v)


@inline
def rates(T, one, X, k):
    """q̇ of link k."""
    link = T.links[k]
    if link.kind == SPHERICAL:
        q, v = link.q, link.v
        rate = quaternion_rate((get(one, X.q, q), get(one, X.q, q + 1), get(one, X.q, q + 2), get(one, X.q, q + 3)),
                               (get(one, X.u, v), get(one, X.u, v + 1), get(one, X.u, v + 2)))
        keep(one, X.qdot, q, (rate[0], rate[1], rate[2]))
        put(one, X.qdot, q + 3, rate[3])
    elif link.speeds == 1:
        put(one, X.qdot, link.q, get(one, X.u, link.v))


@inline
def component(one, link, X, v, f, n):
    """Sᵀ (f, n) of one speed."""
    a = vec(one, X.axis, 3 * v)
    if link.kind == PRISMATIC:
        return dot(a, f)
    if link.kind == SCREW:
        return dot(a, n) + link.lead * dot(a, f)
    return dot(a, n)


@inline
def advance(one, link, X, v, a, alpha, x):
    """(a, α) + S x for one speed."""
    e = scale(vec(one, X.axis, 3 * v), x)
    if link.kind == PRISMATIC:
        return add(a, e), alpha
    if link.kind == SCREW:
        return add(a, scale(e, link.lead)), add(alpha, e)
    return a, add(alpha, e)


@inline
def parent_acceleration(T, one, X, k):
    """Acceleration of the parent at link k's origin."""
    p = T.links[k].parent
    alpha = vec(one, X.acc, 6 * p + 3)
    return add(vec(one, X.acc, 6 * p), moment(alpha, vec(one, X.d, 3 * k))), alpha


@inline
def acceleration(T, one, X, k):
    """Acceleration of link k from its parent's and u̇ (given)."""
    link = T.links[k]
    a, alpha = parent_acceleration(T, one, X, k)
    if link.speeds > 0:
        a, alpha = advance(one, link, X, link.v, a, alpha, get(one, X.udot, link.v))
    if link.kind == SPHERICAL:
        a, alpha = advance(one, link, X, link.v + 1, a, alpha, get(one, X.udot, link.v + 1))
        a, alpha = advance(one, link, X, link.v + 2, a, alpha, get(one, X.udot, link.v + 2))
    keep(one, X.acc, 6 * k, add(a, vec(one, X.bias, 6 * k)))
    keep(one, X.acc, 6 * k + 3, add(alpha, vec(one, X.bias, 6 * k + 3)))


@inline
def newton_euler(T, one, X, k):
    """Force and moment at the origin that link k alone needs, less what is applied."""
    link = T.links[k]
    A = axes(one, X, k)
    h = rotate(A, (link.h[0], link.h[1], link.h[2]))
    w = vec(one, X.omega, 3 * k)
    a, alpha = vec(one, X.acc, 6 * k), vec(one, X.acc, 6 * k + 3)
    own = unrotate(A, w)
    N = rotate(A, add(symmetric(link.J, unrotate(A, alpha)), moment(own, symmetric(link.J, own))))
    f = add(add(scale(a, link.mass), moment(alpha, h)), moment(w, moment(w, h)))
    keep(one, X.force, 6 * k, sub(f, vec(one, X.wrench, 6 * k)))
    keep(one, X.force, 6 * k + 3, sub(add(N, moment(h, a)), vec(one, X.wrench, 6 * k + 3)))


@inline
def joint_force(T, one, X, k):
    """τ of joint k from the force through it, which is handed on to the parent."""
    link = T.links[k]
    f, n = vec(one, X.force, 6 * k), vec(one, X.force, 6 * k + 3)
    for i in range(link.speeds):
        put(one, X.tau, link.v + i, component(one, link, X, link.v + i, f, n))
    increase(one, X.force, 6 * link.parent, f)
    increase(one, X.force, 6 * link.parent + 3, add(n, moment(vec(one, X.d, 3 * k), f)))


@inline
def joint_component(T, one, X, k, i, F):
    """Sᵀ F for speed i of link k."""
    link = T.links[k]
    return component(one, link, X, link.v + i, (F[0], F[1], F[2]), (F[3], F[4], F[5]))


@inline
def to_parent(T, one, X, k, F):
    """The force at link k's origin, given at its parent's."""
    t = moment(vec(one, X.d, 3 * k), (F[0], F[1], F[2]))
    return (F[0], F[1], F[2], F[3] + t[0], F[4] + t[1], F[5] + t[2])
