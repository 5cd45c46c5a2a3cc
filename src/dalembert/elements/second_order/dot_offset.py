"""An offset along an axis fixed on i (measures/dot_offset.py): c = a·d, a on i, d between the points (offsets.py with p = a).

To the rows of the two ends comes what turning a does, the product a·d of turned.py.  K, with e = s_i + d from i's centre to j's
point, y = 1: forces ±a turn with i, the moment on i is a × e, that on j s_j × a:

    r_j, φ_i  φ × a      φ_i, r_j  a × δr       φ_j, φ_j  ā s̄_jᵀ − (s_j·a) 1       φ_j, φ_i  s_j × (φ × a)
    r_i, φ_i  −φ × a     φ_i, r_i  −a × δr      φ_i, φ_i  ē āᵀ − (a·e) 1           φ_i, φ_j  a × (φ × s_j)
"""

from dalembert._jit import inline, kernel
from dalembert.algebra.vectors import sub
from dalembert.elements.bodies.markers import NONE, arm, axis, point, position

from .turned import arm_of, cross, curve, lever, moving


@inline
def direction(s, w, row, d, dd, ddd):
    a = axis(s, w, row.i, row.axis_i)
    da, dda = moving(s, w, s.markers[row.i].body, a)
    return a, da, dda, 0.0, 0.0


@kernel
def bend(s, w, n, c, k, y):
    row, q = s.measures[k], c.measures[k]
    bi, bj = s.markers[row.i].body, s.markers[row.j].body
    a, sj = axis(s, w, row.i, row.axis_i), arm(s, w, row.j)
    if q.ii != NONE:
        lever(s, w, n.K, q.ii, bi, a, -y)
        arm_of(s, w, n.K, q.ii, bi, a, -y)
        curve(s, w, n.K, q.ii, bi, a, sub(point(s, w, row.j, sj), position(s, w, bi)), y)
    if q.jj != NONE:
        curve(s, w, n.K, q.jj, bj, sj, a, y)
    if q.ij != NONE:
        lever(s, w, n.K, q.ji, bi, a, y)
        arm_of(s, w, n.K, q.ij, bi, a, y)
        cross(s, w, n.K, q.ij, q.ji, bi, bj, a, sj, y)
