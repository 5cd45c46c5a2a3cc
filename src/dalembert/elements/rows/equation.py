"""A user's own equation over measures and time.

    Φ = F(c_1 … c_n, t) = 0          D = Σ F_k g_k          ν = −F_t
    γ = −(ċᵀ F_cc ċ + 2 F_ct ċ + F_tt + Σ F_k h_k)

All derivatives come from one jet of F along the motion: with c(τ) = c + ċ τ + h τ²/2, t(τ) = t + τ the second
derivative of F is exactly −γ.  F_k and F_t are jets along single variables.
−λ F_k is the generalised force on measure k.
"""

import numpy as np

from dalembert._jit import kernel
from dalembert.elements.laws import program
from dalembert.elements.measures import table

ROW = np.dtype([("start", "u4"), ("stop", "u4"), ("law", "u4"), ("row", "u4")])


@kernel
def motion(s, w, start, stop):
    """Jets of the measures of terms start..stop, then of t, into x0, x1, x2."""
    for n in range(start, stop):
        value, rate, h = table.value(s, w, s.terms[n].measure)
        w.x0[n - start] = value
        w.x1[n - start] = rate
        w.x2[n - start] = h
    w.x0[stop - start] = w.t[0]
    w.x1[stop - start] = 1.0
    w.x2[stop - start] = 0.0


@kernel
def evaluate(s, w):
    for k in range(s.equation.size):
        c = s.equation[k]
        row = s.laws[c.law]
        count = c.stop - c.start
        motion(s, w, c.start, c.stop)
        f, f1, f2 = program(s, w, row)
        w.phi[c.row] = f
        w.gamma[c.row] = -f2
        for n in range(count + 1):
            w.x1[n] = 0.0
            w.x2[n] = 0.0
        for n in range(count + 1):
            w.x1[n] = 1.0
            g, slope, second = program(s, w, row)
            w.x1[n] = 0.0
            if n < count:
                term = s.terms[c.start + n]
                table.evaluate(s, w, np.int64(term.measure), np.int64(term.at_i), np.int64(term.at_j), slope)
            else:
                w.nu[c.row] = -slope
