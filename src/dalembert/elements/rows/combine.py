"""A linear combination of measures held at a law: gears, rack and pinion, screw.

    Φ = Σ a_k c_k − f(t) = 0          D = Σ a_k g_k          ν = ḟ          γ = f̈ − Σ a_k h_k

−λ a_k is the generalised force on measure k: for a gear pair φ_j − K φ_i, −λ is the torque on gear j and K λ that on
gear i; the tooth force is the torque over the radius.
"""

import numpy as np

from dalembert._jit import kernel
from dalembert.elements.laws import law_jet
from dalembert.elements.measures import table

ROW = np.dtype([("start", "u4"), ("stop", "u4"), ("law", "u4"), ("row", "u4")])
TERM = np.dtype([("measure", "u4"), ("at_i", "u4"), ("at_j", "u4"), ("law", "u4"), ("factor", "f8")])
TABLES = {"terms": TERM}


@kernel
def evaluate(s, w):
    for k in range(s.combine.size):
        c = s.combine[k]
        f, f1, f2 = law_jet(s, w, c.law, w.t[0])
        phi = -f
        gamma = f2
        for n in range(c.start, c.stop):
            term = s.terms[n]
            value, rate, h = table.evaluate(s, w, np.int64(term.measure), np.int64(term.at_i), np.int64(term.at_j), term.factor)
            phi += term.factor * value
            gamma -= term.factor * h
        w.phi[c.row] = phi
        w.nu[c.row] = f1
        w.gamma[c.row] = gamma
