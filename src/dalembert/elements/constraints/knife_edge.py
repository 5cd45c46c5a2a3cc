"""A blade that cannot slip sideways: skate, sleigh runner, thin wheel seen from above (nonholonomic).

    n · (ṙ_j − u) = 0,   n an axis fixed on j, u the velocity of i's material at the point:  u = ṙ_i + ω_i × ρ
    D on j: force n at r_j,   on i: force −n at the same point          ν = 0
    γ = −(ṅ·(ṙ_j − u) + n·(ω_j × (ω_j × s_j) − ω_i × (ṙ_j − ṙ_i)))

−λ is the sideways force on j.  No position equation.  Never degenerate.
"""

import numpy as np

from dalembert._jit import kernel
from dalembert.algebra.vectors import add, dot, moment, sub, turn
from dalembert.elements.bodies.markers import (
    NONE,
    add_row,
    arm,
    axis,
    bias,
    omega,
    point,
    point_velocity,
    position,
    spun,
    velocity,
)

KNIFE_EDGE = np.dtype([("i", "u4"), ("j", "u4"), ("axis_j", "u4"), ("row", "u4"), ("at_i", "u4"), ("at_j", "u4")])


@kernel
def evaluate(s, w):
    for k in range(s.knife_edge.size):
        c = s.knife_edge[k]
        bi = s.markers[c.i].body
        n = axis(s, w, c.j, c.axis_j)
        sj = arm(s, w, c.j)
        rho = sub(point(s, w, c.j, sj), position(s, w, bi))
        vj = point_velocity(s, w, c.j, sj)
        wi = omega(s, w, bi)
        u = add(velocity(s, w, bi), turn(wi, rho))
        carried = turn(wi, sub(vj, velocity(s, w, bi)))
        w.phi[c.row] = 0.0
        w.nu[c.row] = 0.0
        w.gamma[c.row] = -dot(spun(s, w, c.j, n), sub(vj, u)) - dot(n, sub(bias(s, w, c.j, sj), carried))
        if c.at_i != NONE:
            add_row(s, w, c.at_i, bi, -1.0, n, moment(rho, n))
        if c.at_j != NONE:
            add_row(s, w, c.at_j, s.markers[c.j].body, 1.0, n, moment(sj, n))
