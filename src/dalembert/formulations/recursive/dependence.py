"""Which loop rows are left out where they depend on each other and on the tree: as equations/dependence.py, with K for S.

    z' = z − K⁺ K z,      squared sine = z'ᵀ K z'          K z = −D (links' accelerations by H⁻¹Jᵀz), one sweep over the tree
"""

import math

from dalembert._jit import kernel
from dalembert.algebra import block_ldl
from dalembert.equations.dependence import FAIR, adopt, restore, standing, weight, worth

from . import express
from .loops import correct, factor, multiply, reach


@kernel
def pull(T, S, w, X, Y):
    """lam = −K z, z in residual."""
    correct(T, S, w, X, Y, w.residual)
    for b in range(S.bodies.size):
        express.accelerate_body(T, X, w, Y.acc, b, w.spare, False)
    multiply(S, w, w.spare, w.lam)


@kernel
def apart(T, S, w, X, Y, row):
    """Squared sine between row ``row`` and the rows kept; row −1: of a combination of all dropped rows."""
    for k in range(w.residual.size):
        z = 0.0
        if w.delta[k] == 0.0 and w.before[k] > 0.0 and row in (-1, k):
            z = (weight(k) if row < 0 else 1.0) / math.sqrt(w.before[k])
        w.residual[k] = z
    for _ in range(2):  # the second time mends the rounding of the first
        pull(T, S, w, X, Y)
        block_ldl.solve(T.columns, T.below, w.S, w.delta, w.lam)
        for k in range(w.lam.size):
            w.residual[k] += w.lam[k]
    pull(T, S, w, X, Y)
    size = 0.0
    for k in range(w.lam.size):
        size -= w.residual[k] * w.lam[k]
    return size


@kernel
def farthest(T, S, w, X, Y):
    """The dropped row that is farthest from the rows kept; −1 if all depend on them."""
    if apart(T, S, w, X, Y, -1) <= w.options[0]:
        return -1
    most, row = w.options[0], -1
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
        w.limit[row] = w.options[0]
    adopt(w)


@kernel
def decide(T, S, w, X, Y, C):
    """As in equations/dependence.py."""
    dropped, pivot = w.report[0], w.report[8]
    if dropped == 0.0 or w.options[5] == 0.0:
        return
    if apart(T, S, w, X, Y, -1) > w.options[0]:
        choose(T, S, w, X, Y, C)
        return
    if standing(w, dropped, pivot):
        return
    count = w.choice[0]
    choose(T, S, w, X, Y, C)
    if not worth(w, count, dropped, pivot):
        restore(w, count, pivot)
        reach(T, S, w, X, Y, C)
        factor(T, w)
