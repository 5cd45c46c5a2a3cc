"""The angle of marker j against marker i, counting full turns.

    plane:  c = θ_j − θ_i            space:  c = atan2(x_j·y_i, x_j·x_i), on the turn kept in q     (bodies/spatial.py)
    g on j: moment z                 g on i: moment −z               (z: the common axis; exact also when not aligned)

−λ is the torque on j about the axis; the opposite torque acts on i.
In space it degenerates when x_j is along z_i: the angle has no meaning there.
"""

from dalembert._jit import kernel
from dalembert.algebra.vectors import turn_dot
from dalembert.elements.bodies.markers import NONE, add_turn, angle, omega, unit_turn

UNIT = "rad"



@kernel
def evaluate(s, w, k, at_i, at_j, factor):
    row = s.measures[k]
    bi = s.markers[row.i].body
    bj = s.markers[row.j].body
    g, h = unit_turn(s, w, row.i, row.j)
    if at_i != NONE:
        add_turn(s, w, at_i, bi, -factor, g)
    if at_j != NONE:
        add_turn(s, w, at_j, bj, factor, g)
    rate = turn_dot(omega(s, w, bj), g) - turn_dot(omega(s, w, bi), g)
    return angle(s, w, k, row.i, row.j), rate, h


def drawn(b, m):
    """Value in the pose as drawn, before the offset."""
    return b.raw_angle(m["i"], m["j"])
