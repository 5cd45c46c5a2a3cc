"""Two points stay together (a pin in the plane, a ball in space).

    Φ = r_j − r_i = 0          D on j: velocity of the point,  on i: the opposite          ν = 0
    γ = −(ω_j × (ω_j × s_j) − ω_i × (ω_i × s_i))

−λ is the force on j at the point, in ground axes; λ acts on i.  Never degenerate.
"""

import numpy as np

from dalembert._jit import kernel
from dalembert.algebra.vectors import sub
from dalembert.elements.bodies.markers import NONE, arm, bias, point, store, write_point

ROW = np.dtype([("i", "u4"), ("j", "u4"), ("row", "u4"), ("at_i", "u4"), ("at_j", "u4")])


@kernel
def evaluate(s, w):
    for k in range(s.coincide.size):
        c = s.coincide[k]
        si = arm(s, w, c.i)
        sj = arm(s, w, c.j)
        store(s, w.phi, c.row, sub(point(s, w, c.j, sj), point(s, w, c.i, si)))
        store(s, w.gamma, c.row, sub(bias(s, w, c.i, si), bias(s, w, c.j, sj)))
        if c.at_i != NONE:
            write_point(s, w, c.at_i, c.i, -1.0, si)
        if c.at_j != NONE:
            write_point(s, w, c.at_j, c.j, 1.0, sj)
