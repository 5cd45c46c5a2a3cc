"""How far point j lies from point i along an axis fixed on i (course: DP2).

    c = a_i · d,   d = r_j − r_i
    g on j: force a_i at r_j          g on i: force −a_i at r_j (not at r_i: the axis turns with i)
    h = ä_i·d + 2 ȧ_i·ḋ + a_i·d̈           (with v̇ = 0)

−λ is the force on j along a_i, applied at j's point; the opposite force acts on i through the same line.
Never degenerate.
"""

from dalembert._jit import kernel
from dalembert.algebra.vectors import add, dot, moment, sub
from dalembert.elements.bodies.markers import NONE, add_row, arm, axis, bias, point, point_velocity, spun

UNIT = "m"



@kernel
def evaluate(s, w, k, at_i, at_j, factor):
    row = s.measures[k]
    a = axis(s, w, row.i, row.axis_i)
    si = arm(s, w, row.i)
    sj = arm(s, w, row.j)
    d = sub(point(s, w, row.j, sj), point(s, w, row.i, si))
    dd = sub(point_velocity(s, w, row.j, sj), point_velocity(s, w, row.i, si))
    da = spun(s, w, row.i, a)
    ddd = sub(bias(s, w, row.j, sj), bias(s, w, row.i, si))
    h = dot(bias(s, w, row.i, a), d) + 2.0 * dot(da, dd) + dot(a, ddd)
    if at_i != NONE:
        add_row(s, w, at_i, s.markers[row.i].body, -factor, a, moment(add(si, d), a))
    if at_j != NONE:
        add_row(s, w, at_j, s.markers[row.j].body, factor, a, moment(sj, a))
    return dot(a, d), dot(da, d) + dot(a, dd), h


def drawn(b, m):
    """Value in the pose as drawn, before the offset."""
    return b.axes_of(m["i"])[:, m["axis_i"]] @ (b.point_of(m["j"]) - b.point_of(m["i"]))
