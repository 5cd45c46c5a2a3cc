"""Reactions of every constraint group on every body: −Dᵀλ, block by block, and the ledger of each body.

reaction[n k : n k + n] is the force on the body of block k (ground axes) and the torque about its centre of mass (body
axes).  work holds M v̇ − Q + Dᵀλ: what Newton's and Euler's equations miss, per body.
"""

import numpy as np

from dalembert._jit import kernel
from dalembert.elements.bodies.markers import block, weigh


@kernel
def reactions(s, w):
    n = block(s)
    for b in range(s.bodies.size):
        weigh(s, b, False, w.vdot, n * b, w.work, n * b)
        for c in range(n):
            w.work[n * b + c] -= w.Q[n * b + c]
    for k in range(s.blocks.size):
        b = s.blocks[k]
        at = np.int64(b.at)
        for c in range(n):
            y = 0.0
            for i in range(b.count):
                y -= w.D[at + n * i + c] * w.lam[b.row + i]
            w.reaction[n * k + c] = y
            w.work[n * b.body + c] -= y
    return 0
