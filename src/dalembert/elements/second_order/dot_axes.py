"""The product of two vectors fixed on bodies, c = a·b, a on i and b on j (measures/dot_axes.py); turned.py, x the other vector.

    K:  ii  b̄ āᵀ − (a·b) 1      ij  (a·b) A_iᵀA_j − b̄ āᵀ (b in the axes of i, a in those of j)      jj, ji with a and b exchanged
    ∂c̈/∂φ_i = −∂c̈/∂φ_j: turned together, nothing changes

Linear in a: products with the same b on the same bodies (``twins``) bend K by the sum of their λ a.
"""

from dalembert._jit import inline, kernel
from dalembert.algebra.vectors import add, scale, turn
from dalembert.elements.bodies.markers import NONE, axis, omega

from .turned import add_turn, alpha, cross, curve, drifting, moved, moving, spun, turned


@kernel
def bend_axes(s, w, n, p, bi, bj, a, b, y):
    """K += y ∂²(a·b); a and b may be any vectors fixed on the two bodies."""
    if p.ii != NONE:
        curve(s, w, n.K, p.ii, bi, a, b, y)
    if p.jj != NONE:
        curve(s, w, n.K, p.jj, bj, b, a, y)
    if p.ij != NONE:
        cross(s, w, n.K, p.ij, p.ji, bi, bj, a, b, y)


@kernel
def bend(s, w, n, c, k, y):
    row = s.measures[k]
    bend_axes(s, w, n, c.measures[k], s.markers[row.i].body, s.markers[row.j].body, axis(s, w, row.i, row.axis_i),
              axis(s, w, row.j, row.axis_j), y)


@inline
def change_axes(s, w, n, bi, bj, a, da, dda, b, db, ddb, at_i, at_j, f):
    by_turn = turned(a, da, dda, b, db, ddb)
    if at_i != NONE:
        add_turn(s, w, n.Gq, at_i, bi, f, by_turn)
        add_turn(s, w, n.Gv, at_i, bi, f, spun(omega(s, w, bi), a, da, b, db))
    if at_j != NONE:
        add_turn(s, w, n.Gq, at_j, bj, -f, by_turn)
        add_turn(s, w, n.Gv, at_j, bj, f, spun(omega(s, w, bj), b, db, a, da))


@kernel
def change(s, w, n, k, at_i, at_j, f):
    row = s.measures[k]
    bi, bj = s.markers[row.i].body, s.markers[row.j].body
    a, b = axis(s, w, row.i, row.axis_i), axis(s, w, row.j, row.axis_j)
    da, dda = moving(s, w, bi, a)
    db, ddb = moving(s, w, bj, b)
    change_axes(s, w, n, bi, bj, a, da, dda, b, db, ddb, at_i, at_j, f)


@kernel
def drift(s, w, to, k, at_i, at_j):
    row = s.measures[k]
    bi, bj = s.markers[row.i].body, s.markers[row.j].body
    a, b = axis(s, w, row.i, row.axis_i), axis(s, w, row.j, row.axis_j)
    x = drifting(a, turn(omega(s, w, bi), a), b, turn(omega(s, w, bj), b))
    if at_i != NONE:
        add_turn(s, w, to, at_i, bi, 1.0, x)
    if at_j != NONE:
        add_turn(s, w, to, at_j, bj, -1.0, x)


@kernel
def twins(s, w, n, c, k, l, y, z, at_i, at_j, next_i, next_j):
    """Both of two that are held with λ = y and z: what they share is found once."""
    row = s.measures[k]
    bi, bj = s.markers[row.i].body, s.markers[row.j].body
    a, e, b = axis(s, w, row.i, row.axis_i), axis(s, w, row.i, s.measures[l].axis_i), axis(s, w, row.j, row.axis_j)
    wi, dwi = omega(s, w, bi), alpha(s, w, bi)
    da, dda = moved(wi, dwi, a)
    de, dde = moved(wi, dwi, e)
    db, ddb = moving(s, w, bj, b)
    change_axes(s, w, n, bi, bj, a, da, dda, b, db, ddb, at_i, at_j, 1.0)
    change_axes(s, w, n, bi, bj, e, de, dde, b, db, ddb, next_i, next_j, 1.0)
    bend_axes(s, w, n, c.measures[k], bi, bj, add(scale(a, y), scale(e, z)), b, 1.0)
