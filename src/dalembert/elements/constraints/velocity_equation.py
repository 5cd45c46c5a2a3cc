"""A user's own velocity-level equation, holonomic or not (course: Σ a_jk q̇_k + a_j0 = 0).

    Σ a_k(c, t) ċ_k + a_0(c, t) = 0          D = Σ a_k g_k          ν = −a_0
    γ = −(Σ (ȧ_k ċ_k + a_k h_k) + ȧ_0)          ȧ along the motion, from jets

No position equation: Φ = 0 by definition.  −λ a_k is the generalised force on measure k.
"""

import numpy as np

from dalembert._jit import kernel
from dalembert.elements.constraints.equation import motion
from dalembert.elements.laws import program
from dalembert.elements.measures import table

VELOCITY_EQUATION = np.dtype([("start", "u4"), ("stop", "u4"), ("law", "u4"), ("row", "u4")])


@kernel
def evaluate(s, w):
    for k in range(s.velocity_equation.size):
        c = s.velocity_equation[k]
        motion(s, w, c.start, c.stop)
        a0, slope, second = program(s, w, s.laws[c.law])
        gamma = -slope
        for n in range(c.start, c.stop):
            term = s.terms[n]
            a, slope, second = program(s, w, s.laws[term.law])
            gamma -= slope * w.x1[n - c.start] + a * w.x2[n - c.start]
            table.evaluate(s, w, term.measure, term.at_i, term.at_j, a)
        w.phi[c.row] = 0.0
        w.nu[c.row] = -a0
        w.gamma[c.row] = gamma
