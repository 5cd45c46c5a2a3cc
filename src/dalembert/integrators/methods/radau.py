"""Radau IIA with three stages, order 5: one step, for stiff problems.

    Z_i = h Σ_j a_ij f(t + c_j h, x + Z_j),   y = x + Z_3              collocation at c = (4 ∓ √6)/10, 1; L-stable

With A⁻¹ = T Λ T⁻¹ (one real eigenvalue γ, one pair α ± iβ) and W = T⁻¹ Z, Newton's method falls into a real and a complex
system of the size of y, solved by the owner of the equations through handles:

    (γ/h − J) ΔW_1 = (T⁻¹F)_1 − γ/h W_1          ((α − iβ)/h − J)(ΔW_2 + i ΔW_3) = …

J may be old and approximate; it is renewed when the iteration is slow (and is watched
longer when J does not suit the step), factored anew when h changes.  The iteration starts from
the last step's polynomial, carried on.  The error is that of an embedded formula of order 3, filtered by (γ/h − J)⁻¹:

    err = (γ/h − J)⁻¹ (f(t, x) + Σ e_i Z_i / h),   e = (−13 − 7√6, −13 + 7√6, −1)/3

A stiff spring that turns sets a limit to simplified Newton iterations.  With its direction n at a stage and n₀ in J, the
iteration takes K₀ = M/h² + k n₀n₀ᵀ for K = M/h² + k nnᵀ.  Along t₀ ⟂ n₀, where K₀ is M/h², K is larger by k φ² (φ: the angle
between the two), so it converges only while k h²φ²/m < 1 (with a damper c h φ²/m): for steps much shorter than accuracy asks
for.  So J is taken at the guess for the second stage, in the middle of the step (half of φ), and the rate of convergence is
watched: it grows with h² or more, h follows √(wanted rate / rate), and after a step that did not converge the next ones are not
longer.  A tangent that does not suit the step (``suits``) is of another regime, of a stop that is not yet met, say, where it
would hide the error too: then it is taken at the beginning.  Two rods on a strut, rtol 1e-3: 487 attempts, 1,553 iterations and
2.9e-3 m without all this, 350, 1,057 and 2.7e-4 m with it.

The end is projected like that of an explicit step, so position and velocity constraints hold there: on the index-1 form this
does what the stabilised index-2 form (Gear, Gupta, Leimkuhler) does with extra multipliers, and the integrator need not know of
constraints.  Between the ends the collocation polynomial gives the solution (order 3), every point projected.

Source: E. Hairer, G. Wanner, Solving ODEs II, 2nd ed., Springer 1996, sections IV.5, IV.8, VII.2; K. Gustafsson, ACM TOMS 20
(1994) 496-517 (step control).
"""

from __future__ import annotations

import math

import numpy as np

from ..._jit import call, entry, kernel, struct
from ..collocation import ALPHA, BETA, C1, C2, E1, E2, E3, GAMMA, T_ROWS, TI_ROWS, carry_on, polynomial, transform
from ..contract import Linear as Solves
from ..contract import Method, handles, plain_tableau
from ..control import SHRINK, mean_square, tangential
from ..events import EPSILON
from ..layout import (
    AFTER_REJECT,
    ATOL,
    CALLS,
    ERR_OLD,
    FACTORS,
    FIXED,
    FRESH,
    H_FACTORED,
    H_MAX,
    H_OLD,
    NEWTON,
    POOR,
    QUALITY,
    RHS,
    RIDING,
    RTOL,
    SLOW,
    STEPS,
    T_TANGENT,
    TANGENTS,
    WORST,
    H,
    Shared,
    State,
    T,
    Tableau,
    Task,
    Work,
)
from ..loop import ahead, close_step, commit, hand_over, hold, refuse, shrink
from ..stages import all_finite, copy
from ..status import EVENT, NOT_CONVERGED, NOT_FINITE, OK, SINGULAR
from ..tangents import find_again, renew

NEAR = 1e-6  # as in explicit.py: no step ends where the right-hand side is this near to singular
SUITED = 0.1  # what an iteration may leave of a known change; else Newton's method is to show its rate in three
MOST = 8  # Newton iterations of a step
PACE, PACE_AGAIN = 0.3, 0.15  # rates of convergence that the next step, and one that is repeated, are to have
NOTHING = 1e-15  # of the first correction: what rounding leaves of it, which no further iteration makes less
FEW = 30  # components: up to so many a tangent and its factors cost about one iteration, beyond (their cubes) several
QUICK, FAIR = 1e-3, 1e-2  # rates of convergence above which a tangent is renewed, for few components and for more

Linear = struct("Linear", {
    "a": "f8", "b": "f8",  # right-hand side and answer of the solves: real, or real and imaginary part
    "coefficient": "f8",  # γ/h, α/h, −β/h
    "handle": "i8",  # DIFFERENTIATE ...
    "choice": "f8", "then": "f8",  # integrators/tangents.py
    "size": "i8",  # [0]: how many components Newton's method watches (sums that nothing depends on come behind them)
    "Z": "f8", "W": "f8", "F": "f8",  # 3 n each
})
DIFFERENTIATE, FACTOR_REAL, FACTOR_COMPLEX, SOLVE_REAL, SOLVE_COMPLEX = range(5)
END, POLY, POINT = 1, 2, 5  # rows of State.k: derivative at the end, Z of the last step, point of the tangent; 6 in all


@kernel
def refactor(s, lin, h):
    lin.coefficient[0] = GAMMA / h
    lin.coefficient[1] = ALPHA / h
    lin.coefficient[2] = -BETA / h
    s.count[FACTORS] += 1
    s.real[H_FACTORED] = 0.0
    if call(lin.handle[FACTOR_REAL]) != 0 or call(lin.handle[FACTOR_COMPLEX]) != 0:
        return SINGULAR
    s.real[H_FACTORED] = h
    return 0


@kernel
def begin(p, s, lin):
    """Going on from a saved state: its tangent and factors."""
    if s.count[TANGENTS] == 0 or s.count[SLOW] != 0:
        return 0
    status = find_again(p, s, lin, POINT)
    if status == 0 and s.real[H_FACTORED] > 0.0:
        status = refactor(s, lin, s.real[H_FACTORED])
        s.count[FACTORS] -= 1
    return status


@kernel
def evaluate(p, s, lin, work, t0, t1, h):
    """F from Z."""
    n = s.x.size
    work.step[WORST] = 1.0
    for q in range(3):
        z = lin.Z[q * n:(q + 1) * n]
        for i in range(n):
            p.y[i] = s.x[i] + z[i]
        p.t[0] = t0 + C1 * h if q == 0 else t0 + C2 * h if q == 1 else t1
        s.count[CALLS] += 1
        status = call(p.handle[RHS])
        if status != 0:
            return status
        if not all_finite(p.ydot):
            return NOT_FINITE
        copy(lin.F[q * n:(q + 1) * n], p.ydot)
        work.step[WORST] = min(work.step[WORST], p.quality[0])
    return 0


@kernel
def size_of(p, s, lin, task, work, vector):
    """Mean square of a correction against the tolerance, over the components that matter."""
    m = lin.size[0]
    copy(work.e, vector)
    tangential(p, work, work.e)
    e = work.e[:m]
    return mean_square(e, s.x[:m], s.x[:m], task.weight[:m], task.cap[:m], task.real[ATOL], task.real[RTOL])


@kernel
def correct(p, s, lin, task, work, h):
    """One Newton correction from F; returns its size."""
    n = s.x.size
    transform(TI_ROWS, lin.F, lin.F)
    g, al, be = GAMMA / h, ALPHA / h, BETA / h
    w1, w2, w3 = lin.W[:n], lin.W[n:2 * n], lin.W[2 * n:]
    f1, f2, f3 = lin.F[:n], lin.F[n:2 * n], lin.F[2 * n:]
    copy(p.y, s.x)
    for i in range(n):
        lin.a[i] = f1[i] - g * w1[i]
    call(lin.handle[SOLVE_REAL])
    total = size_of(p, s, lin, task, work, lin.a)
    for i in range(n):
        w1[i] += lin.a[i]
        lin.a[i] = f2[i] - al * w2[i] - be * w3[i]
        lin.b[i] = f3[i] + be * w2[i] - al * w3[i]
    call(lin.handle[SOLVE_COMPLEX])
    total += size_of(p, s, lin, task, work, lin.a) + size_of(p, s, lin, task, work, lin.b)
    for i in range(n):
        w2[i] += lin.a[i]
        w3[i] += lin.b[i]
    transform(T_ROWS, lin.W, lin.Z)
    return math.sqrt(total / 3.0)


@kernel
def suits(p, s, lin, task, work, h):
    """Whether the tangent tells how f changed from x to the guess x + z at the end of the step.

    With z̃ = (γ/h − J)⁻¹ (γ/h z − f(x + z) + f(x)), z̃ − z is what one iteration leaves of z.  A tangent that is much too stiff (of
    an end stop just left) makes corrections small from the first or second on, and the stages are not found for all that.
    """
    n = s.x.size
    z, f = lin.Z[2 * n:], lin.F[2 * n:]
    for i in range(n):
        lin.a[i] = GAMMA / h * z[i] - (f[i] - s.k[i])
    copy(p.y, s.x)
    call(lin.handle[SOLVE_REAL])
    for i in range(n):
        lin.a[i] -= z[i]
    left = size_of(p, s, lin, task, work, lin.a)
    return left < SUITED * SUITED * size_of(p, s, lin, task, work, z)


@kernel
def newton(p, s, lin, task, work, t0, t1, h):
    """Stages by Newton's method: status, iterations, rate of convergence, and whether the tangent suits the step."""
    rtol = task.real[RTOL]
    goal = max(10.0 * EPSILON / max(rtol, 1e-14), min(0.03, max(2e-3, math.sqrt(rtol))))
    carry_on(s.real[H_OLD], s.k, POLY * s.x.size, h, lin.Z)
    transform(TI_ROWS, lin.Z, lin.W)
    before, rate, first, suited = -1.0, 0.0, 0.0, False
    for k in range(MOST):
        status = evaluate(p, s, lin, work, t0, t1, h)
        if status != 0:
            return status, k + 1, 1.0, suited
        if k == 0:
            suited = suits(p, s, lin, task, work, h)
        moved = correct(p, s, lin, task, work, h)
        s.count[NEWTON] += 1
        if not moved < 1e300:
            return NOT_FINITE, k + 1, 1.0, suited
        if k == 0:
            first = moved
        else:
            rate = moved / before if before > 0.0 else 0.0
            left = rate ** (MOST - 1 - k) / (1.0 - rate) * moved if rate < 1.0 else 1e300
            hopeless = rate > 3.0 if k == 1 else left > goal  # the first correction brings the guess onto the manifold
            if hopeless and not (moved < goal and moved <= first):
                return NOT_CONVERGED, k + 1, rate, suited
        done = rate < 1.0 and rate / (1.0 - rate) * moved < goal if k > 0 else moved < 1e-3 * goal
        if moved <= NOTHING * first or (done and (suited or k > 1)):
            return 0, k + 1, rate, suited
        before = moved
    return NOT_CONVERGED, MOST, rate, suited


@kernel
def error(p, s, lin, task, work, h, again):
    """Filtered error of the step relative to the tolerance; with ``again`` filtered twice, for very stiff starts."""
    n = s.x.size
    z1, z2, z3 = lin.Z[:n], lin.Z[n:2 * n], lin.Z[2 * n:]
    k = s.k[:n]
    if again:
        k = p.ydot
    for i in range(n):
        lin.a[i] = k[i] + (E1 * z1[i] + E2 * z2[i] + E3 * z3[i]) / h
    copy(p.y, s.x)
    call(lin.handle[SOLVE_REAL])
    copy(work.e, lin.a)
    tangential(p, work, work.e)
    for i in range(n):
        p.y[i] = s.x[i] + z3[i]
    return math.sqrt(mean_square(work.e, s.x, p.y, task.weight, task.cap, task.real[ATOL], task.real[RTOL]))


@kernel
def judged(p, s, lin, task, work, h, t0):
    err = error(p, s, lin, task, work, h, False)
    if err >= 1.0 and (s.count[STEPS] == 0 or s.count[AFTER_REJECT] != 0):
        p.t[0] = t0
        for i in range(s.x.size):
            p.y[i] = s.x[i] + lin.a[i]
        s.count[CALLS] += 1
        if call(p.handle[RHS]) == 0:
            err = error(p, s, lin, task, work, h, True)
    return err


@kernel
def look_ahead(p, s, lin, t0, h):
    """The tangent at the guess for the second stage; at the beginning of the step if there is none, or nothing can be."""
    n = s.x.size
    status = NOT_FINITE
    if s.real[H_OLD] > 0.0:
        carry_on(s.real[H_OLD], s.k, POLY * n, h, lin.Z)
        for i in range(n):
            p.y[i] = s.x[i] + lin.Z[n + i]
        status = renew(p, s, lin, POINT, t0 + C2 * h)
    if status != 0:
        copy(p.y, s.x)
        status = renew(p, s, lin, POINT, t0)
    return status


@kernel
def attempt(p, tab, s, task, work, lin):
    """Try one step; OK means go on (accepted, or to be repeated with a smaller step)."""
    n = s.x.size
    t0, planned = s.real[T], s.real[H]
    fixed = task.option[FIXED] != 0
    status, t1, h, last = ahead(s, work)
    if status != OK:
        return status
    status, count, rate, suited = 0, 0, 0.0, True
    if s.count[TANGENTS] == 0 or s.count[SLOW] != 0:
        status = look_ahead(p, s, lin, t0, h)
        s.count[SLOW] = 0
        if status != 0:  # not even where the step begins: no step is short enough
            return status
    if status == 0 and abs(h - s.real[H_FACTORED]) > 1e-12 * h:
        status = refactor(s, lin, h)
    if status == 0:
        status, count, rate, suited = newton(p, s, lin, task, work, t0, t1, h)
    if not suited and s.count[FRESH] != 0 and s.real[T_TANGENT] > t0:  # ahead is another regime
        copy(p.y, s.x)
        status = renew(p, s, lin, POINT, t0)
        if status == 0:
            status = refactor(s, lin, h)
        if status == 0:
            status, count, rate, suited = newton(p, s, lin, task, work, t0, t1, h)
    if status != 0:
        if fixed and s.count[FRESH] != 0:
            return status
        if s.count[FRESH] == 0:  # an old tangent: take a new one before the step is cut
            s.count[SLOW] = 1
            return OK
        singular = min(work.step[WORST], s.real[QUALITY]) < POOR  # a stage next to a singular pose: move it, do not creep there
        s.count[SLOW] = 1  # in the middle of the shorter step
        if singular or status != NOT_CONVERGED:
            return shrink(s, (0.85 if status == NOT_CONVERGED else SHRINK) * h, status)
        return hold(s, max(0.25, min(0.7, math.sqrt(PACE_AGAIN / max(rate, PACE_AGAIN)))) * h)
    err = 0.0
    if not fixed:
        err = judged(p, s, lin, task, work, h, t0)
        if not err < 1e300:
            return shrink(s, SHRINK * h, NOT_FINITE)
    safety = 0.9 * (2 * MOST + 1) / (2 * MOST + count)
    factor = min(8.0, max(SHRINK, safety * max(err, 1e-12) ** -0.25))
    if err > 1.0:
        return shrink(s, h * min(factor, 0.9), OK)
    z3 = lin.Z[2 * n:]
    for i in range(n):
        p.y[i] = s.x[i] + z3[i]
    status = close_step(p, tab, s, t1)
    quality = p.quality[0]
    if status == 0 and not (fixed or last) and quality < min(NEAR, 0.01 * s.real[QUALITY]):
        return shrink(s, 0.8 * h, OK)
    ended = False
    if status == 0:
        copy(work.y_new, p.y)
        work.step[0], work.step[1], work.step[2] = t0, t1, h
        polynomial(s.x, lin.Z, work.y_new, work.r)
        status = hand_over(p, s, task, work)
        ended = status == EVENT
    if status != 0 and not ended:
        return refuse(s, work, h, fixed, status)
    if not fixed:
        next_step(s, task, h, err, factor, count, rate, last, planned)
    copy(s.k[POLY * n:(POLY + 3) * n], lin.Z)
    for i in range(n):  # carried on from the projected end
        s.k[(POLY + 2) * n + i] = z3[i]
    s.real[H_OLD] = 0.0 if ended else h
    if ended:  # the law may change there
        s.count[SLOW] = 1
    s.count[FRESH] = 0
    commit(tab, s, work, quality)
    return EVENT if ended else OK


@kernel
def next_step(s, task, h, err, factor, count, rate, last, planned):
    """Step size for the next step, and whether tangent and factors may stay."""
    if s.count[STEPS] > 0 and s.real[H_OLD] > 0.0:  # Gustafsson: what the error did since the last step
        factor = min(factor, factor * h / s.real[H_OLD] * (s.real[ERR_OLD] / max(err, 1e-12)) ** 0.25)
    factor = max(SHRINK, factor)
    if s.real[QUALITY] > POOR:
        factor = min(factor, math.sqrt(PACE / max(rate, 1e-6)))
    if count > 2:  # Newton's method works hard already: it would fail with much longer steps
        factor = min(factor, 1.0 if count > 4 else 1.5)
    if s.count[AFTER_REJECT] != 0:
        factor = min(1.0, factor)
    s.real[ERR_OLD] = max(err, 1e-2)
    renewed = count > 2 and rate > (QUICK if s.x.size <= FEW else FAIR)
    if renewed:
        s.count[SLOW] = 1
    elif 1.0 <= factor < 1.2:
        factor = 1.0
    h_new = max(h * factor, planned) if last else h * factor
    s.real[H] = min(h_new, task.real[H_MAX]) if task.real[H_MAX] > 0.0 else h_new


BEGIN = entry("radau", "begin", begin, Shared, State, Linear, module=__name__)
ATTEMPT = entry("radau", "attempt", attempt, Shared, Tableau, State, Task, Work, Linear, module=__name__)


def _bind(deliver, shared, tableau, state, task, work, needed: Solves):
    n = shared.y.size
    lin = Linear(needed.a, needed.b, needed.coefficient, handles(needed.entries), needed.choice, needed.then,
                 np.array([n - task.option[RIDING]], np.int64), np.zeros(3 * n), np.zeros(3 * n), np.zeros(3 * n))
    return ATTEMPT.bind(shared, tableau, state, task, work, lin), BEGIN.bind(shared, state, lin)


METHOD = Method("radau5", ("radau",), 5, 3,
                "Radau IIA with three stages, implicit, for stiff problems, dense output of order 3",
                lambda: plain_tableau(-1, 3), rows=6, kept=6, terms=3, bind=_bind, needs="linear")
