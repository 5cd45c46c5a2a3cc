"""One measure held at a law of time: every basic constraint and every driver.

    Φ = c − f(t) = 0          D = g          ν = ḟ          γ = f̈ − h

The multiplier means what the measure's header says: −λ is the force (or torque) on j that the measure works against.
Power supplied by a driver: −λ ḟ.
"""

import numpy as np

from dalembert._jit import inline, kernel
from dalembert.elements.laws import law_jet
from dalembert.elements.measures import dot_axes, table

ROW = np.dtype([("measure", "u4"), ("law", "u4"), ("row", "u4"), ("at_i", "u4"), ("at_j", "u4")])


@inline
def write(s, w, row, law, value, h):
    f, f1, f2 = law_jet(s, w, law, w.t[0])
    w.phi[row] = value - f
    w.nu[row] = f1
    w.gamma[row] = f2 - h


@kernel
def evaluate(s, w):
    k = 0
    while k < s.hold.size:
        c = s.hold[k]
        m = np.int64(c.measure)
        if k + 1 < s.hold.size and s.measures[m].kind == table.AXES:
            d = s.hold[k + 1]
            n = np.int64(d.measure)
            if dot_axes.twins(s, m, n):
                x, g, y, h = dot_axes.evaluate_twins(s, w, m, n, np.int64(c.at_i), np.int64(c.at_j), np.int64(d.at_i),
                                                     np.int64(d.at_j))
                write(s, w, c.row, c.law, x, g)
                write(s, w, d.row, d.law, y, h)
                k += 2
                continue
        value, rate, h = table.evaluate(s, w, m, np.int64(c.at_i), np.int64(c.at_j), 1.0)
        write(s, w, c.row, c.law, value, h)
        k += 1
