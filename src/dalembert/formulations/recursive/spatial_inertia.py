"""Inertia of links in space: articulated (forward dynamics) and composite (mass matrix); the plane's are in planar.py.

    inertia   f = M a + G α,  n = Gᵀ a + J α     stored M (6), G (9, by rows), J (6); symmetric ones as xx, xy, xz, yy, yz, zz
    own       M = m 1,  G = −h̃ (h = A h̄),  J = A J̄ Aᵀ
    to the parent   G' = G − M d̃,   J' = J − Gᵀ d̃ + d̃ G',   n' = n + d × f
"""

from dalembert._jit import get, inline, put
from dalembert.algebra.spatial import add, dot, moment, rotate, scale, sub, unrotate

from .spatial import advance, axes, component, increase, keep, parent_acceleration, symmetric, vec
from .tables import PRISMATIC, SCREW, SPHERICAL


@inline
def turned(link, A):
    """A J̄ Aᵀ."""
    J = link.J
    a = symmetric(J, (A[0], A[1], A[2]))
    b = symmetric(J, (A[3], A[4], A[5]))
    c = symmetric(J, (A[6], A[7], A[8]))
    return (a[0] * A[0] + a[1] * A[1] + a[2] * A[2], a[0] * A[3] + a[1] * A[4] + a[2] * A[5], a[0] * A[6] + a[1] * A[7]
            + a[2] * A[8],
            b[0] * A[3] + b[1] * A[4] + b[2] * A[5], b[0] * A[6] + b[1] * A[7] + b[2] * A[8], c[0] * A[6] + c[1] * A[7]
                    + c[2] * A[8])


@inline
def rigid_inertia(T, one, X, k):
    """Inertia of link k alone, and the force it needs with u̇ = 0 less what is applied (``wrench``)."""
    link = T.links[k]
    A = axes(one, X, k)
    h = rotate(A, (link.h[0], link.h[1], link.h[2]))
    J = turned(link, A)
    w = vec(one, X.omega, 3 * k)
    i = 21 * k
    zero = 0.0 * A[0]
    m = zero + link.mass
    keep(one, X.inertia, i, (m, zero, zero))
    keep(one, X.inertia, i + 3, (m, zero, m))
    keep(one, X.inertia, i + 6, (zero, h[2], -h[1]))
    keep(one, X.inertia, i + 9, (-h[2], zero, h[0]))
    keep(one, X.inertia, i + 12, (h[1], -h[0], zero))
    keep(one, X.inertia, i + 15, (J[0], J[1], J[2]))
    keep(one, X.inertia, i + 18, (J[3], J[4], J[5]))
    keep(one, X.force, 6 * k, sub(moment(w, moment(w, h)), vec(one, X.wrench, 6 * k)))
    keep(one, X.force, 6 * k + 3, sub(moment(w, symmetric(J, w)), vec(one, X.wrench, 6 * k + 3)))


@inline
def inertia(one, X, k):
    """(M, G, J) of link k as three tuples."""
    i = 21 * k
    x = X.inertia
    M = (get(one, x, i), get(one, x, i + 1), get(one, x, i + 2), get(one, x, i + 3), get(one, x, i + 4), get(one, x, i + 5))
    G = (get(one, x, i + 6), get(one, x, i + 7), get(one, x, i + 8), get(one, x, i + 9), get(one, x, i + 10), get(one, x, i + 11),
         get(one, x, i + 12), get(one, x, i + 13), get(one, x, i + 14))
    J = (get(one, x, i + 15), get(one, x, i + 16), get(one, x, i + 17), get(one, x, i + 18), get(one, x, i + 19), get(one, x,
            i + 20))
    return M, G, J


@inline
def reduce_symmetric(S, a, b):
    """S − a bᵀ for a parallel to b."""
    return (S[0] - a[0] * b[0], S[1] - a[0] * b[1], S[2] - a[0] * b[2], S[3] - a[1] * b[1], S[4] - a[1] * b[2], S[5]
            - a[2] * b[2])


@inline
def eliminate(one, link, X, v, M, G, J):
    """One speed taken out of (M, G, J); keeps U = I S and 1/D."""
    a = vec(one, X.axis, 3 * v)
    if link.kind == PRISMATIC:
        f, n = symmetric(M, a), unrotate(G, a)
        inverse = 1.0 / dot(a, f)
    else:
        f, n = rotate(G, a), symmetric(J, a)
        if link.kind == SCREW:
            f = add(f, scale(symmetric(M, a), link.lead))
            n = add(n, scale(unrotate(G, a), link.lead))
            inverse = 1.0 / (dot(a, n) + link.lead * dot(a, f))
        else:
            inverse = 1.0 / dot(a, n)
    keep(one, X.U, 6 * v, f)
    keep(one, X.U, 6 * v + 3, n)
    put(one, X.Dinv, v, inverse)
    g, m = scale(f, inverse), scale(n, inverse)
    G = (G[0] - g[0] * n[0], G[1] - g[0] * n[1], G[2] - g[0] * n[2], G[3] - g[1] * n[0], G[4] - g[1] * n[1], G[5] - g[1] * n[2],
         G[6] - g[2] * n[0], G[7] - g[2] * n[1], G[8] - g[2] * n[2])
    return reduce_symmetric(M, f, g), G, reduce_symmetric(J, n, m)


@inline
def articulated_inertia(T, one, X, k):
    """Articulated inertia: take the motion of link k out and add the rest to the parent."""
    link = T.links[k]
    M, G, J = inertia(one, X, k)
    if link.kind == SPHERICAL:
        M, G, J = eliminate(one, link, X, link.v + 2, M, G, J)
        M, G, J = eliminate(one, link, X, link.v + 1, M, G, J)
    if link.speeds > 0:
        M, G, J = eliminate(one, link, X, link.v, M, G, J)
    d = vec(one, X.d, 3 * k)
    # rows of M d̃: m × d for each row m of M
    a, b, c = moment((M[0], M[1], M[2]), d), moment((M[1], M[3], M[4]), d), moment((M[2], M[4], M[5]), d)
    N = (G[0] - a[0], G[1] - a[1], G[2] - a[2], G[3] - b[0], G[4] - b[1], G[5] - b[2], G[6] - c[0], G[7] - c[1], G[8] - c[2])
    # Gᵀ d̃: column j of G crossed with d; d̃ G': d crossed with the columns of G'
    x, y, z = moment((G[0], G[3], G[6]), d), moment((G[1], G[4], G[7]), d), moment((G[2], G[5], G[8]), d)
    u, v, w = moment(d, (N[0], N[3], N[6])), moment(d, (N[1], N[4], N[7])), moment(d, (N[2], N[5], N[8]))
    i = 21 * link.parent
    increase(one, X.inertia, i, (M[0], M[1], M[2]))
    increase(one, X.inertia, i + 3, (M[3], M[4], M[5]))
    increase(one, X.inertia, i + 6, (N[0], N[1], N[2]))
    increase(one, X.inertia, i + 9, (N[3], N[4], N[5]))
    increase(one, X.inertia, i + 12, (N[6], N[7], N[8]))
    increase(one, X.inertia, i + 15, (J[0] - x[0] + u[0], J[1] - x[1] + v[0], J[2] - x[2] + w[0]))
    increase(one, X.inertia, i + 18, (J[3] - y[1] + v[1], J[4] - y[2] + w[1], J[5] - z[2] + w[2]))


@inline
def bias_force(T, one, X, k):
    """force += (inertia as it stands) × bias: after the children have been added, before articulated_inertia."""
    M, G, J = inertia(one, X, k)
    a, alpha = vec(one, X.bias, 6 * k), vec(one, X.bias, 6 * k + 3)
    increase(one, X.force, 6 * k, add(symmetric(M, a), rotate(G, alpha)))
    increase(one, X.force, 6 * k + 3, add(unrotate(G, a), symmetric(J, alpha)))


@inline
def eliminate_force(one, link, X, v, f, n):
    """reduced = τ − Sᵀp of one speed, and the force with U reduced/D added."""
    reduced = get(one, X.tau, v) - component(one, link, X, v, f, n)
    put(one, X.reduced, v, reduced)
    e = reduced * get(one, X.Dinv, v)
    return add(f, scale(vec(one, X.U, 6 * v), e)), add(n, scale(vec(one, X.U, 6 * v + 3), e))


@inline
def articulated_force(T, one, X, k):
    """What joint k has left (``reduced`` = τ − Sᵀp), and the force handed on to the parent."""
    link = T.links[k]
    f, n = vec(one, X.force, 6 * k), vec(one, X.force, 6 * k + 3)
    if link.kind == SPHERICAL:
        f, n = eliminate_force(one, link, X, link.v + 2, f, n)
        f, n = eliminate_force(one, link, X, link.v + 1, f, n)
    if link.speeds > 0:
        f, n = eliminate_force(one, link, X, link.v, f, n)
    increase(one, X.force, 6 * link.parent, f)
    increase(one, X.force, 6 * link.parent + 3, add(n, moment(vec(one, X.d, 3 * k), f)))


@inline
def joint_acceleration(one, link, X, v, a, alpha):
    """u̇ of one speed, and the acceleration with it."""
    left = get(one, X.reduced, v) - dot(vec(one, X.U, 6 * v), a) - dot(vec(one, X.U, 6 * v + 3), alpha)
    x = left * get(one, X.Dinv, v)
    put(one, X.udot, v, x)
    return advance(one, link, X, v, a, alpha, x)


@inline
def articulated_acceleration(T, one, X, k):
    """u̇ of joint k and the acceleration of link k, from the parent's."""
    link = T.links[k]
    a, alpha = parent_acceleration(T, one, X, k)
    if link.speeds > 0:
        a, alpha = joint_acceleration(one, link, X, link.v, a, alpha)
    if link.kind == SPHERICAL:
        a, alpha = joint_acceleration(one, link, X, link.v + 1, a, alpha)
        a, alpha = joint_acceleration(one, link, X, link.v + 2, a, alpha)
    keep(one, X.acc, 6 * k, add(a, vec(one, X.bias, 6 * k)))
    keep(one, X.acc, 6 * k + 3, add(alpha, vec(one, X.bias, 6 * k + 3)))


@inline
def rigid_composite(T, one, X, k):
    """Own composite inertia of link k: m, h (3), J (6) in the first ten places."""
    link = T.links[k]
    A = axes(one, X, k)
    J = turned(link, A)
    i = 21 * k
    put(one, X.inertia, i, 0.0 * A[0] + link.mass)
    keep(one, X.inertia, i + 1, rotate(A, (link.h[0], link.h[1], link.h[2])))
    keep(one, X.inertia, i + 4, (J[0], J[1], J[2]))
    keep(one, X.inertia, i + 7, (J[3], J[4], J[5]))


@inline
def composite_inertia(T, one, X, k):
    """Composite inertia of link k handed on to the parent: J' = J + 2 (h·d) 1 − h dᵀ − d hᵀ + m (d·d 1 − d dᵀ)."""
    i = 21 * k
    m, h = get(one, X.inertia, i), vec(one, X.inertia, i + 1)
    d = vec(one, X.d, 3 * k)
    g = add(h, scale(d, m))
    s = dot(add(h, g), d)
    p = 21 * T.links[k].parent
    put(one, X.inertia, p, get(one, X.inertia, p) + m)
    increase(one, X.inertia, p + 1, g)
    a, b = vec(one, X.inertia, i + 4), vec(one, X.inertia, i + 7)
    # h dᵀ + d gᵀ is symmetric in sum: h_i d_j + d_i h_j + m d_i d_j
    increase(one, X.inertia, p + 4, (a[0] + s - h[0] * d[0] - d[0] * g[0], a[1] - h[0] * d[1] - d[0] * g[1], a[2]
            - h[0] * d[2] - d[0] * g[2]))
    increase(one, X.inertia, p + 7, (b[0] + s - h[1] * d[1] - d[1] * g[1], b[1] - h[1] * d[2] - d[1] * g[2], b[2] + s
            - h[2] * d[2] - d[2] * g[2]))


@inline
def composite_force(T, one, X, k, i):
    """Force (f, n) that a unit acceleration along speed i of link k needs from all that hangs on it."""
    link = T.links[k]
    b = 21 * k
    x = X.inertia
    m, h = get(one, x, b), vec(one, x, b + 1)
    J = (get(one, x, b + 4), get(one, x, b + 5), get(one, x, b + 6), get(one, x, b + 7), get(one, x, b + 8), get(one, x, b + 9))
    a = vec(one, X.axis, 3 * (link.v + i))
    if link.kind == PRISMATIC:
        f, n = scale(a, m), moment(h, a)
    else:
        f, n = moment(a, h), symmetric(J, a)
        if link.kind == SCREW:
            f, n = add(f, scale(a, m * link.lead)), add(n, scale(moment(h, a), link.lead))
    return (f[0], f[1], f[2], n[0], n[1], n[2])
