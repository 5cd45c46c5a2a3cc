"""Forces whose laws feel reactions and accelerations: solved together with λ and v̇.

What laws feel, x (elements/signals/felt.py), is affine in λ and v̇, and these follow from the forces Q(t, q, v, x):

    x = h(λ, v̇),   [M Dᵀ; D 0] [v̇; λ] = [Q(x); γ]      so   x = g(x),   g = h ∘ R ∘ Q,   R the response by the factors at hand

Newton's method on the few numbers x:   (I − G) δx = g(x) − x,   G = H R ∂Q/∂x,   H the linear part of h.  Columns of ∂Q/∂x are
differences of the forces, exact where laws are affine in x (then one step is enough); where they are not, they only set the pace:
what is accepted satisfies x = g(x) to rounding.  It begins at g(0), the values without the laws' part, so that the answer depends
on the state alone.  ``inverse`` keeps v̇ and lets only λ respond.

Whether the answer is the only one.
    singular     a pivot of I − G vanishes against its row: x is not fixed by the equations at all                  SINGULAR
    several      det(I − G) has another sign at the answer than where the search began: between them the map x − g(x) folds over,
                 so some right-hand sides have several answers and others none (jamming)                           SEVERAL
    none         no convergence in MOST steps                                                                      LOST
A linear law has one answer or none whatever the sign.  analyses/toolbox/feeling.py starts from other places too.  In all three
cases v̇ and λ are NaN, status 3, and the report tells which; toolbox/blame.py says it in words.

I − G stays factored in ``feedback``: derivatives take it (formulations/augmented/sensitivity.py).
"""

import math

import numpy as np

from dalembert._jit import kernel
from dalembert.algebra import dense
from dalembert.elements.bodies.markers import at_v, weigh
from dalembert.elements.signals import felt
from dalembert.equations.forces import forces
from dalembert.equations.saddle import accelerate, by_factors, multiply, spread

SOLVED, SINGULAR, SEVERAL, LOST = range(4)  # report.felt
MOST = 40
ROUNDING = 1e4  # times these: a gap below, which does not shrink any more, is rounding
CLOSE = 1e-14  # of a number that is felt
NOISE = 1e-15  # of the largest force, or acceleration: rounding in it
STEP = 1e-5  # of the differences
TINY = 1e-11  # of the largest entry of its row: a pivot below it is none
SLOW = 0.01  # part of the gap before: if less is gained, the slopes are taken anew


@kernel
def multipliers(s, w):
    """λ from Dᵀλ = Q − M v̇ with v̇ given:  S λ = D (M⁻¹ Q − v̇)."""
    for k in range(w.lam.size):
        w.lam[k] = 0.0
    for _ in range(2):  # the second time mends the rounding of the first
        for b in range(s.bodies.size):
            weigh(s, b, True, w.Q, at_v(s, b), w.spare_v, at_v(s, b))
        for k in range(w.spare_v.size):
            w.spare_v[k] -= w.vdot[k]
        spread(s, w, w.lam, w.spare_v)  # M⁻¹ (Q − M v̇ − Dᵀ λ)
        multiply(s, w, w.spare_v, w.mu)
        by_factors(s, w, w.wide, w.mu)
        for k in range(w.lam.size):
            w.lam[k] += w.mu[k]
    return 0


@kernel
def natural(s, w, k):
    """The size of what row k of ``felt`` belongs to: of the forces, or of the accelerations that they would give."""
    largest = 0.0
    kind = s.felt[k].kind
    forced = kind == felt.FORCE or kind == felt.TORQUE or kind == felt.MULTIPLIER
    if forced:
        for j in range(w.step.size):
            largest = max(largest, math.fabs(w.step[j]))
        for j in range(w.lam.size):
            largest = max(largest, math.fabs(w.lam[j]))
        return largest
    for b in range(s.bodies.size):
        weigh(s, b, True, w.step, at_v(s, b), w.spare_v, at_v(s, b))
    for j in range(w.spare_v.size):
        largest = max(largest, math.fabs(w.spare_v[j]))
        largest = max(largest, math.fabs(w.vdot[j]))
    return largest


@kernel
def slopes(s, w, given):
    """feedback ← I − G at the x in felt and the forces in step, factored.  Sign of its determinant; 0 where it is singular."""
    m = s.felt.size
    for j in range(m):
        size = max(natural(s, w, j), math.fabs(w.felt[j]))
        w.sizes[j] = size if size > 0.0 else 1.0
    for j in range(m):
        x = w.felt[j]
        h = STEP * w.sizes[j]
        w.felt[j] = x + h
        h = w.felt[j] - x
        forces(s, w)
        for k in range(w.Q.size):
            w.Q[k] = (w.Q[k] - w.step[k]) / h
        w.felt[j] = x
        for b in range(s.bodies.size):
            weigh(s, b, True, w.Q, at_v(s, b), w.spare_v, at_v(s, b))
        multiply(s, w, w.spare_v, w.mu)
        by_factors(s, w, w.wide, w.mu)
        spread(s, w, w.mu, w.spare_v)
        if given:
            for k in range(w.spare_v.size):
                w.spare_v[k] = 0.0
        felt.evaluate(s, w, w.spare_v, w.mu, w.sensed, 0.0)
        for i in range(m):
            w.feedback[m * i + j] = (1.0 if i == j else 0.0) - w.sensed[i]
    return factored(w, m)


@kernel
def factored(w, m):
    for i in range(m):  # rows and columns have units of their own: compared as parts of the sizes
        for j in range(m):
            w.feedback[m * i + j] *= w.sizes[j] / w.sizes[i]
    sign = 1.0
    smallest = 1.0
    for i in range(m):
        largest = 0.0
        for j in range(m):
            largest = max(largest, math.fabs(w.feedback[m * i + j]))
        w.sensed[i] = largest
    if dense.factor(w.feedback, m, w.felt_order) != 0:
        w.report.feedback = 0.0
        return 0.0
    for k in range(m):
        u = w.feedback[m * k + k]
        swap = w.felt_order[k]
        x = w.sensed[k]
        w.sensed[k] = w.sensed[swap]
        w.sensed[swap] = x
        smallest = min(smallest, math.fabs(u) / max(w.sensed[k], 1.0))
        if (u < 0.0) != (swap != k):
            sign = -sign
    w.report.feedback = smallest
    return sign if smallest > TINY else 0.0


@kernel
def respond(w, x):
    """x ← (I − G)⁻¹ x, with the factors at hand."""
    m = w.felt_order.size
    for i in range(m):
        x[i] /= w.sizes[i]
    dense.solve(w.feedback, m, w.felt_order, x)
    for i in range(m):
        x[i] *= w.sizes[i]


@kernel
def refuse(w, why):
    w.report.felt = why
    for k in range(w.vdot.size):
        w.vdot[k] = np.nan
    for k in range(w.lam.size):
        w.lam[k] = np.nan
    return 3


@kernel
def answer(s, w, wanted, given):
    """Forces at the x in felt, kept in step, and what answers to them."""
    forces(s, w)
    for k in range(w.Q.size):
        w.step[k] = w.Q[k]
    return multipliers(s, w) if given else accelerate(s, w, wanted)


@kernel
def solve(s, w, wanted, given):
    """v̇ (unless it is given) and λ with all that is felt, on the factors at hand.  Status 0 or 3."""
    m = s.felt.size
    w.report.felt = SOLVED
    for k in range(m):
        w.felt[k] = 0.0
    status = answer(s, w, wanted, given)
    if status != 0:
        return status
    felt.evaluate(s, w, w.vdot, w.lam, w.sensed, 1.0)
    for k in range(m):
        w.felt[k] = w.options.probe * w.sensed[k]
    first = sign = 0.0
    before = np.inf
    for turn in range(MOST):
        status = answer(s, w, wanted, given)
        if status != 0:
            return status
        felt.evaluate(s, w, w.vdot, w.lam, w.sensed, 1.0)
        gap = 0.0
        for k in range(m):
            scale = CLOSE * math.fabs(w.felt[k]) + NOISE * natural(s, w, k)
            left = math.fabs(w.sensed[k] - w.felt[k])
            if left > 0.0:
                gap = max(gap, left / scale if scale > 0.0 else np.inf)
            w.gaps[k] = w.sensed[k] - w.felt[k]
        if not math.isfinite(gap) and gap != np.inf:
            return refuse(w, LOST)
        if turn > 0 and (gap <= 1.0 or (turn > 1 and gap <= ROUNDING and gap > 0.5 * before)):
            return 0 if sign * first > 0.0 else refuse(w, SEVERAL)
        if turn == 0 or gap > SLOW * before:
            sign = slopes(s, w, given)
            if sign == 0.0:
                return refuse(w, SINGULAR)
            if turn == 0:
                first = sign
        before = gap
        respond(w, w.gaps)
        for k in range(m):
            w.felt[k] += w.gaps[k]
    return refuse(w, LOST)
