"""Reactions of every constraint group on every body: −Dᵀλ, block by block, and the ledger of each body.

reaction[n k : n k + n] is the force on the body of block k (ground axes) and the torque about its centre of mass (body
axes).  missing holds M v̇ − Q + Dᵀλ: what Newton's and Euler's equations miss, per body.
"""

import numpy as np

from dalembert._jit import kernel
from dalembert.elements.bodies.markers import at_v, block, weigh


@kernel
def reactions(s, w):
    n = block(s)
    for b in range(s.bodies.size):
        at = at_v(s, b)
        weigh(s, b, False, w.vdot, at, w.missing, at)
        for c in range(n):
            w.missing[at + c] -= w.Q[at + c]
    for k in range(s.blocks.size):
        b = s.blocks[k]
        at = np.int64(b.at)
        for c in range(n):
            y = 0.0
            for i in range(b.count):
                y -= w.D[at + n * i + c] * w.lam[b.row + i]
            w.reaction[n * k + c] = y
            w.missing[at_v(s, b.body) + c] -= y
    return 0
