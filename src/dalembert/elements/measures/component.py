"""How far point j lies from point i along a direction fixed in the ground (course: CD).

    c = n · d,   d = r_j − r_i,   n constant (an axis of a marker on the ground)
    g on j: force n at r_j          g on i: force −n at r_i
    h = n · d̈           (with v̇ = 0)

−λ is the force on j along n.  The forces act at two different points: unless d is along n the pair has a moment,
which the ground takes through whatever fixes n.  Never degenerate.
"""

from dalembert._jit import kernel
from dalembert.algebra.vectors import dot, moment, sub
from dalembert.elements.bodies.markers import NONE, add_row, arm, axis, bias, point, point_velocity

UNIT = "m"



@kernel
def evaluate(s, w, k, at_i, at_j, factor):
    row = s.measures[k]
    n = axis(s, w, row.guide, row.axis_i)
    si = arm(s, w, row.i)
    sj = arm(s, w, row.j)
    d = sub(point(s, w, row.j, sj), point(s, w, row.i, si))
    dd = sub(point_velocity(s, w, row.j, sj), point_velocity(s, w, row.i, si))
    h = dot(n, sub(bias(s, w, row.j, sj), bias(s, w, row.i, si)))
    if at_i != NONE:
        add_row(s, w, at_i, s.markers[row.i].body, -factor, n, moment(si, n))
    if at_j != NONE:
        add_row(s, w, at_j, s.markers[row.j].body, factor, n, moment(sj, n))
    return dot(n, d), dot(n, dd), h


def drawn(b, m):
    """Value in the pose as drawn, before the offset."""
    return b.axes_of(m["guide"])[:, 0] @ (b.point_of(m["j"]) - b.point_of(m["i"]))
