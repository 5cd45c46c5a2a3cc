"""The product of two body-fixed unit vectors (course: DP1).

    c = a_i · a_j
    g on j: moment a_j × a_i          g on i: moment a_i × a_j           no force: a pure torque
    h = ä_i·a_j + 2 ȧ_i·ȧ_j + a_i·ä_j           (with v̇ = 0)

Held at zero (perpendicular vectors), −λ is the torque on j about a_j × a_i, the one rotation that is forbidden.
Degenerates when the vectors are parallel: the gradient vanishes, so hold it near zero, not near ±1.
"""

from dalembert._jit import kernel
from dalembert.algebra.vectors import dot, moment, scale
from dalembert.elements.bodies.markers import NONE, add_row, axis, bias, spun

UNIT = ""



@kernel
def evaluate(s, w, k, at_i, at_j, factor):
    row = s.measures[k]
    a = axis(s, w, row.i, row.axis_i)
    b = axis(s, w, row.j, row.axis_j)
    da = spun(s, w, row.i, a)
    db = spun(s, w, row.j, b)
    h = dot(bias(s, w, row.i, a), b) + 2.0 * dot(da, db) + dot(a, bias(s, w, row.j, b))
    if at_i != NONE:
        add_row(s, w, at_i, s.markers[row.i].body, factor, scale(a, 0.0), moment(a, b))
    if at_j != NONE:
        add_row(s, w, at_j, s.markers[row.j].body, factor, scale(a, 0.0), moment(b, a))
    return dot(a, b), dot(da, b) + dot(a, db), h


def drawn(b, m):
    """Value in the pose as drawn, before the offset."""
    return b.axes_of(m["i"])[:, m["axis_i"]] @ b.axes_of(m["j"])[:, m["axis_j"]]
