"""One measure held at a law of time: every basic constraint and every driver.

    Φ = c − f(t) = 0          D = g          ν = ḟ          γ = f̈ − h

The multiplier means what the measure's header says: −λ is the force (or torque) on j that the measure works against.
Power supplied by a driver: −λ ḟ.
"""

import numpy as np

from dalembert._jit import kernel
from dalembert.elements.laws import law_jet
from dalembert.elements.measures import table

ROW = np.dtype([("measure", "u4"), ("law", "u4"), ("row", "u4"), ("at_i", "u4"), ("at_j", "u4")])


@kernel
def evaluate(s, w):
    for k in range(s.hold.size):
        c = s.hold[k]
        value, rate, h = table.evaluate(s, w, c.measure, c.at_i, c.at_j, 1.0)
        f, f1, f2 = law_jet(s, w, c.law, w.t[0])
        w.phi[c.row] = value - f
        w.nu[c.row] = f1
        w.gamma[c.row] = f2 - h
