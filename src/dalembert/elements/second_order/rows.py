"""Measures that are held (rows/hold.py) and sums of them (rows/combine.py): Φ = Σ a c − f(t), K gets λ a times each measure's."""

import numpy as np

from dalembert._jit import kernel
from dalembert.elements.measures import dot_axes as axes
from dalembert.elements.measures.table import AXES

from . import dot_axes
from .table import bend, change


@kernel
def holds(s, w, n, c):
    k = 0
    while k < s.hold.size:
        e = s.hold[k]
        m = np.int64(e.measure)
        if k + 1 < s.hold.size and s.measures[m].kind == AXES:
            o = s.hold[k + 1]
            l = np.int64(o.measure)
            if axes.twins(s, m, l):
                dot_axes.twins(s, w, n, c, m, l, w.lam[e.row], w.lam[o.row], np.int64(e.at_i), np.int64(e.at_j),
                               np.int64(o.at_i), np.int64(o.at_j))
                k += 2
                continue
        bend(s, w, n, c, m, w.lam[e.row])
        change(s, w, n, m, np.int64(e.at_i), np.int64(e.at_j), 1.0)
        k += 1


@kernel
def combines(s, w, n, c):
    for k in range(s.combine.size):
        e = s.combine[k]
        for m in range(e.start, e.stop):
            term = s.terms[m]
            of = np.int64(term.measure)
            bend(s, w, n, c, of, term.factor * w.lam[e.row])
            change(s, w, n, of, np.int64(term.at_i), np.int64(term.at_j), term.factor)
