"""Which rows are left out where rows depend on each other, and how long that choice stands.

A redundant mechanism (Sarrus, Bennett, a planar linkage with hinges of space) has rows that depend on others in every pose:
D has fewer independent rows than rows, and some must be left out.  Off the constraints, at a stage of a step, the same rows
are not quite dependent any more (off by e: pivot e²); kept there, they ask for accelerations of order 1 that no neighbour
knows of, and which of several is dropped changes from stage to stage with rounding.  So the choice is made on the
constraints and stands:

    limit[k]   the squared sine below which row k counts as dependent when it is eliminated; infinite: row k is left out

``choose``: rows with a squared sine below FAIR to the rows before them are left out at first.  Then each of these is
measured against the span of *all* rows kept: with z its unit vector over √S_kk,

    z' = z − S⁺ S z,      squared sine = |M^(−1/2) Dᵀ z'|²

and as long as the largest of them is above the tolerance, that row is taken in (a large pivot late in the order can make a
poor one early in the order needless, so the kept rows are as well conditioned as the pose allows), and the rest is measured
again.  What is left out then depends on the rows kept, and those come in the order of elimination where that order is fair.

``decide`` is called on the constraints only: at the end of a projection, when one state is observed.  It does nothing where
nothing was dropped.  A choice stands as long as the rows left out still depend on the others (one random combination of them
is measured with one more solve) and the smallest pivot is not ten times smaller than when it was made; a new one is taken
for the second reason only if it is much better.  In a run no more rows are left out than the mechanism always has dependent
(options, "dependent"): what a singular pose adds is dropped by its pivot, pose by pose, as in mechanisms without redundant
rows.
"""

import math

import numpy as np

from dalembert._jit import kernel
from dalembert.elements.bodies.markers import at_v, block, weigh
from dalembert.equations.saddle import COUNT, PIVOT, assemble, by_factors, factor, multiply, spread

FAIR = 1e-4  # squared sine that a row should have to the rows before it
WORN = 0.1  # part of its smallest pivot that a choice may lose before another is tried
TINY = 1e-12  # pivots below this are all the same
BETTER = 4.0  # times the smallest pivot: what another choice must gain


@kernel
def weight(k):
    """Some number between ½ and 1½ for row k: the combination of rows that is measured."""
    return 1.0 + 0.5 * math.cos(1.0 + 1.7 * k)


@kernel
def apart(s, w, row):
    """Squared sine between row ``row`` and the rows kept; row −1: of a combination of all dropped rows."""
    n = block(s)
    for k in range(w.mu.size):
        z = 0.0
        if w.delta[k] == 0.0 and w.before[k] > 0.0 and row in (-1, k):
            z = (weight(k) if row < 0 else 1.0) / math.sqrt(w.before[k])
        w.mu[k] = -z
    for k in range(w.spare_v.size):
        w.spare_v[k] = 0.0
    spread(s, w, w.mu, w.spare_v)
    for _ in range(2):  # the second time mends the rounding of the first
        multiply(s, w, w.spare_v, w.mu)
        by_factors(s, w, w.wide, w.mu)
        spread(s, w, w.mu, w.spare_v)
    size = 0.0
    for b in range(s.bodies.size):
        at = at_v(s, b)
        weigh(s, b, False, w.spare_v, at, w.weighed, 0)
        for c in range(n):
            size += w.weighed[c] * w.spare_v[at + c]
    return size


@kernel
def farthest(s, w):
    """The dropped row that is farthest from the rows kept; −1 if all depend on them."""
    if apart(s, w, -1) <= w.options.drop:
        return -1
    most, row = w.options.drop, -1
    for k in range(w.delta.size):
        if w.delta[k] == 0.0 and w.before[k] > 0.0:
            x = apart(s, w, k)
            if x > most:
                most, row = x, k
    return row


@kernel
def refactor(s, w):
    assemble(s, w)
    factor(s, w)


@kernel
def choose(s, w):
    """A fresh choice at the state whose D is at hand, with its factors."""
    for k in range(w.limit.size):
        w.limit[k] = FAIR
    for _ in range(w.limit.size):
        refactor(s, w)
        row = farthest(s, w)
        if row < 0:
            break
        w.limit[row] = w.options.drop
    adopt(w)


@kernel
def adopt(w):
    """What the factors at hand dropped is left out from now on."""
    w.choice[COUNT] = w.report.dropped
    w.choice[PIVOT] = w.report.pivot
    for k in range(w.limit.size):
        w.limit[k] = np.inf if w.delta[k] == 0.0 else w.options.drop


@kernel
def forget(w):
    """No row is left out beforehand."""
    for k in range(w.limit.size):
        w.limit[k] = w.options.drop
    w.choice[COUNT] = 0.0
    w.choice[PIVOT] = 1.0


@kernel
def standing(w, dropped, pivot):
    """Whether the choice stands, its rows being dependent still; if not, it is put aside."""
    wanting = w.choice[COUNT] < min(dropped, w.options.dependent)
    if not wanting and (dropped > w.options.dependent or not pivot < WORN * w.choice[PIVOT]):
        w.choice[PIVOT] = max(w.choice[PIVOT], pivot)
        return True
    for k in range(w.limit.size):
        w.aside[k] = 0 if w.limit[k] < np.inf else 1
    return False


@kernel
def worth(w, count, dropped, pivot):
    """Whether the choice just made takes the place of the one before, which left out ``count`` rows."""
    if w.choice[COUNT] > w.options.dependent:
        return False
    return count < min(dropped, w.options.dependent) or w.choice[PIVOT] > BETTER * pivot


@kernel
def restore(w, count, pivot):
    """The choice put aside."""
    for k in range(w.limit.size):
        w.limit[k] = np.inf if w.aside[k] != 0 else w.options.drop
    w.choice[COUNT] = count
    w.choice[PIVOT] = max(pivot, TINY)


@kernel
def decide(s, w):
    """With the factors of a state on the constraints: let the choice stand, or make a better one."""
    dropped, pivot = w.report.dropped, w.report.pivot
    if dropped == 0.0 or w.options.dependent == 0.0:
        return
    if apart(s, w, -1) > w.options.drop:  # a row left out has become independent
        choose(s, w)
        return
    if standing(w, dropped, pivot):
        return
    count = w.choice[COUNT]
    choose(s, w)
    if not worth(w, count, dropped, pivot):
        restore(w, count, pivot)
        refactor(s, w)
