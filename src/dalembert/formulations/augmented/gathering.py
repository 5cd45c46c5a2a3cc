"""Columns of K, C, G_q, G_v and of the rates of states, from one lane of a pass on duals (sensitivity.py: jacobians).

Blocks in closed form (newton/closed.py) are there before: columns are added.  Only the speed of Newton's method is lost where a
derivative is not finite: it counts as zero.
"""

import math

from dalembert._jit import kernel
from dalembert._jit.duals import tangent
from dalembert.elements.bodies.markers import at_v


@kernel
def gather_states(s, w, d, n, body, c, lane, rates):
    """How the rates of the states change with component c of a body that is alone in its lane."""
    column = at_v(s, body) + c
    for i in range(n.states.size):
        x = tangent(d.qdot, n.states[i], lane)
        rates[w.v.size * i + column] = x if math.isfinite(x) else 0.0


@kernel
def gather(s, d, n, column, c, lane, forces, rows):
    """Column c of the body's blocks, from one lane."""
    size = n.shape[0]
    for e in range(n.columns[column].first, n.columns[column].last):
        row = at_v(s, n.couples[e].row)
        for i in range(size):
            x = -tangent(d.u, row + i, lane)
            forces[n.couples[e].at + size * i + c] += x if math.isfinite(x) else 0.0
    for e in range(n.of[column].first, n.of[column].last):
        p = n.places[e]
        for i in range(p.count):
            x = tangent(d.rho, p.row + i, lane)
            rows[p.at + size * i + c] += x if math.isfinite(x) else 0.0
