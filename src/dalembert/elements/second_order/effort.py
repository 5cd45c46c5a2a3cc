"""A force p(t, c, ċ) along a measure (rows/effort.py): Q gets p g, g = ∂c/∂q = ∂ċ/∂v, so

    K = −p ∂²c/∂q² − g (p_c gᵀ + p_ċ (∂ċ/∂q)ᵀ)          C = −p_ċ g gᵀ

Slopes p_c and p_ċ: of springs and dampers at hand, else those of the law and of the stop on duals, c in one lane and ċ in
another; where they are not finite they count as zero.
"""

import math

import numpy as np

from dalembert._jit import inline, kernel
from dalembert._jit.duals import put_tangent, tangent
from dalembert._jit.duals import value as number
from dalembert.elements.bodies.markers import NONE, block
from dalembert.elements.laws import CONSTANT, law_value
from dalembert.elements.measures.table import evaluate
from dalembert.elements.rows.effort import deflection, resistance

from .table import bend, drift
from .turned import dyad


@inline
def slopes(s, w, sd, d, k, value, rate):
    """p, p_c, p_ċ of effort k."""
    e = s.effort[k]
    law = s.laws[e.law]
    if e.lower == e.upper and law.kind == CONSTANT:
        return -e.stiffness * (value - e.upper) - e.damping * rate + e.sign * law.value, -e.stiffness, -e.damping
    d.spare_v[0] = value
    d.spare_v[1] = rate
    put_tangent(d.spare_v, 0, 0, 1.0)
    put_tangent(d.spare_v, 1, 1, 1.0)
    c, dc = d.spare_v[0], d.spare_v[1]
    elastic, damping = resistance(e, deflection(e, c), dc)
    p = elastic + damping + e.sign * law_value(sd, d, e.law, d.t[0], c, dc)
    d.spare_v[0] = p
    by_value, by_rate = tangent(d.spare_v, 0, 0), tangent(d.spare_v, 0, 1)
    return number(p), by_value if math.isfinite(by_value) else 0.0, by_rate if math.isfinite(by_rate) else 0.0


@kernel
def second(s, w, sd, d, n, c):
    size = block(s)
    at = w.D.size - 2 * size  # two blocks behind the rows: gradients of c, and of ċ
    for k in range(s.effort.size):
        e = s.effort[k]
        if w.only[0] >= 0 and w.only[0] != e.element:
            continue
        for i in range(2 * size):
            w.D[at + i] = 0.0
        of = np.int64(e.measure)
        value, rate, h = evaluate(s, w, of, np.int64(at), np.int64(at + size), 1.0)
        p, by_value, by_rate = slopes(s, w, sd, d, k, value, rate)
        worth = p
        for i in range(2 * size):
            worth += w.D[at + i]
        if not math.isfinite(worth):
            continue
        bend(s, w, n, c, of, -p)
        if by_rate != 0.0:
            for i in range(2 * size):
                n.Gq[at + i] = 0.0
            drift(s, w, n.Gq, of, at, at + size)
        q = c.measures[of]
        for side in range(4):
            to = q.ii if side == 0 else q.jj if side == 1 else q.ij if side == 2 else q.ji
            if to == NONE:
                continue
            row, column = (at if side == 0 or side == 2 else at + size), (at if side == 0 or side == 3 else at + size)
            dyad(n.K, to, size, w.D, row, w.D, column, -by_value)
            if by_rate != 0.0:
                dyad(n.K, to, size, w.D, row, n.Gq, column, -by_rate)
                dyad(n.C, to, size, w.D, row, w.D, column, -by_rate)
