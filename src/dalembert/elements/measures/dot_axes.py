"""The product of two body-fixed unit vectors (course: DP1).

    c = a_i · a_j
    g on j: moment a_j × a_i          g on i: moment a_i × a_j           no force: a pure torque
    h = ä_i·a_j + 2 ȧ_i·ȧ_j + a_i·ä_j           (with v̇ = 0)

Held at zero (perpendicular vectors), −λ is the torque on j about a_j × a_i, the one rotation that is forbidden.
Degenerates when the vectors are parallel: the gradient vanishes, so hold it near zero, not near ±1.
"""

from dalembert._jit import kernel
from dalembert.algebra.vectors import dot, moment, turn
from dalembert.elements.bodies.markers import NONE, add_turn, axis, bias, omega, spun

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
        add_turn(s, w, at_i, s.markers[row.i].body, factor, moment(a, b))
    if at_j != NONE:
        add_turn(s, w, at_j, s.markers[row.j].body, factor, moment(b, a))
    return dot(a, b), dot(da, b) + dot(a, db), h


@kernel
def twins(s, k, l):
    """Whether both are products with the same vector on j: those of an axis that is held in line (hinges, guides)."""
    a, b = s.measures[k], s.measures[l]
    return a.kind == b.kind and a.i == b.i and a.j == b.j and a.axis_j == b.axis_j


@kernel
def evaluate_twins(s, w, k, l, at_i, at_j, next_i, next_j):
    """Values and biases of both, their gradients into D: what they share is found once."""
    row = s.measures[k]
    bi, bj = s.markers[row.i].body, s.markers[row.j].body
    wi, wj = omega(s, w, bi), omega(s, w, bj)
    a, c, b = axis(s, w, row.i, row.axis_i), axis(s, w, row.i, s.measures[l].axis_i), axis(s, w, row.j, row.axis_j)
    da, dc, db = turn(wi, a), turn(wi, c), turn(wj, b)
    ddb = turn(wj, db)
    if at_i != NONE:
        add_turn(s, w, at_i, bi, 1.0, moment(a, b))
        add_turn(s, w, next_i, bi, 1.0, moment(c, b))
    if at_j != NONE:
        add_turn(s, w, at_j, bj, 1.0, moment(b, a))
        add_turn(s, w, next_j, bj, 1.0, moment(b, c))
    return (dot(a, b) - row.offset, dot(turn(wi, da), b) + 2.0 * dot(da, db) + dot(a, ddb),
            dot(c, b) - s.measures[l].offset, dot(turn(wi, dc), b) + 2.0 * dot(dc, db) + dot(c, ddb))


def drawn(b, m):
    """Value in the pose as drawn, before the offset."""
    return b.axes_of(m["i"])[:, m["axis_i"]] @ b.axes_of(m["j"])[:, m["axis_j"]]
