"""Which loop rows are left out where they depend on each other and on the tree: as equations/dependence.py, with K for S.

    z' = z − K⁺ K z,      squared sine = z'ᵀ K z'          K z = −D (links' accelerations by H⁻¹Jᵀz), one sweep over the tree
"""

import math

from dalembert._jit import kernel
from dalembert.algebra import block_ldl
from dalembert.equations.dependence import COUNT, FAIR, adopt, restore, standing, weight, worth
from dalembert.equations.saddle import multiply

from . import express
from .loops import correct, factor, reach


@kernel
def pull(T, S, w, X, Y):
    """spare_c = −K z, z in mu."""
    correct(T, S, w, X, Y, w.mu)
    for b in range(S.bodies.size):
        express.accelerate_body(T, X, w, Y.acc, b, w.spare_v, False)
    multiply(S, w, w.spare_v, w.spare_c)


@kernel
def apart(T, S, w, X, Y, row):
    """Squared sine between row ``row`` and the rows kept; row −1: of a combination of all dropped rows."""
    for k in range(w.mu.size):
        z = 0.0
        if w.delta[k] == 0.0 and w.before[k] > 0.0 and row in (-1, k):
            z = (weight(k) if row < 0 else 1.0) / math.sqrt(w.before[k])
        w.mu[k] = z
    for _ in range(2):  # the second time mends the rounding of the first
        pull(T, S, w, X, Y)
        block_ldl.solve(T.columns, T.below, w.S, w.delta, w.spare_c)
        for k in range(w.spare_c.size):
            w.mu[k] += w.spare_c[k]
    pull(T, S, w, X, Y)
    size = 0.0
    for k in range(w.spare_c.size):
        size -= w.mu[k] * w.spare_c[k]
    return size


@kernel
def farthest(T, S, w, X, Y):
    """The dropped row that is farthest from the rows kept; −1 if all depend on them."""
    if apart(T, S, w, X, Y, -1) <= w.options.drop:
        return -1
    most, row = w.options.drop, -1
    for k in range(w.delta.size):
        if w.delta[k] == 0.0 and w.before[k] > 0.0:
            x = apart(T, S, w, X, Y, k)
            if x > most:
                most, row = x, k
    return row


@kernel
def choose(T, S, w, X, Y, C):
    """A fresh choice at the state whose D and tree are at hand, with its factors."""
    for k in range(w.limit.size):
        w.limit[k] = FAIR
    for _ in range(w.limit.size):
        reach(T, S, w, X, Y, C)
        factor(T, w)
        row = farthest(T, S, w, X, Y)
        if row < 0:
            break
        w.limit[row] = w.options.drop
    adopt(w)


@kernel
def decide(T, S, w, X, Y, C):
    """As in equations/dependence.py."""
    dropped, pivot = w.report.dropped, w.report.pivot
    if dropped == 0.0 or w.options.dependent == 0.0:
        return
    if apart(T, S, w, X, Y, -1) > w.options.drop:
        choose(T, S, w, X, Y, C)
        return
    if standing(w, dropped, pivot):
        return
    count = w.choice[COUNT]
    choose(T, S, w, X, Y, C)
    if not worth(w, count, dropped, pivot):
        restore(w, count, pivot)
        reach(T, S, w, X, Y, C)
        factor(T, w)
