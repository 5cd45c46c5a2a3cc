"""Generalized-α for second-order systems with constraints at position level (index 3): one step.

Unknown at the end of the step are the accelerations a and the multipliers λ; with the auxiliary accelerations b

    (1 − α_m) b₁ + α_m b₀ = (1 − α_f) a₁ + α_f a₀
    q₁ = q₀ ⊕ (h v₀ + h²((½ − β) b₀ + β b₁)),      v₁ = v₀ + h((1 − γ) b₀ + γ b₁)
    α_m = (2ρ − 1)/(ρ + 1),   α_f = ρ/(ρ + 1),   γ = ½ + α_f − α_m,   β = ¼ (γ + ½)²

the equations of motion and Φ(q₁) = 0 hold at the end.  Second order; ρ is what is left of infinitely fast vibrations in one
step (ρ = 0.8 here: little damping; with ρ = 1 the multipliers are not stable).  Rotations are advanced on their group (⊕).

When h changes, b₀ ← a₀ + (h/h_old)(b₀ − a₀): b lies (α_m − α_f) h off in time, and must lie so for the new h, or the order is
lost.  The error is measured against rules of higher order on the same accelerations:

    e_q = Δq − (h v₀ + h²(a₀/3 + a₁/6))          e_v = v₁ − (v₀ + ½ h (a₀ + a₁))

Inside a step this is the index-3 form.  Its velocities miss Φ̇ = 0 by O(h²), and a shorter step after a longer one would turn
that into accelerations O(h_old²/h): with step control every rejection makes the next attempt worse (measured: none of ten
mechanisms came through).  So the end of a step is projected like that of the other methods, and a₁ is the acceleration there.
Sums that ride along are integrated by the trapezoidal rule.

Components z of q with rates ż = f of their own (``states``) are unknown by ζ = ż at the end; b, z₁ and the error are those of the
velocities, with ζ in the place of a (K. Jansen, C. Whiting, G. Hulbert, Comput. Methods Appl. Mech. Eng. 190 (2000) 305-319).

Source: J. Chung, G. M. Hulbert, J. Appl. Mech. 60 (1993) 371-375; M. Arnold, O. Brüls, Multibody Syst. Dyn. 18 (2007) 185-202;
O. Brüls, A. Cardona, M. Arnold, Mech. Mach. Theory 48 (2012) 121-137 (rotations).
"""

from __future__ import annotations

import math

import numpy as np

from ..._jit import call, entry, kernel, struct
from ..contract import Method, handles, plain_tableau
from ..contract import Second as Equations
from ..control import SHRINK, mean_square, tangential
from ..events import EPSILON
from ..layout import (
    AFTER_REJECT,
    ATOL,
    CALLS,
    FACTORS,
    FIXED,
    FRESH,
    H_FACTORED,
    H_MAX,
    H_OLD,
    NEWTON,
    POOR,
    QUALITY,
    RIDING,
    RTOL,
    SLOW,
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
from ..loop import ahead, close_step, commit, hand_over, refuse, shrink
from ..stages import copy
from ..status import EVENT, NOT_CONVERGED, NOT_FINITE, OK, SINGULAR
from ..tangents import find_again, renew, solve_at

RHO = 0.8
ALPHA_M, ALPHA_F = (2 * RHO - 1) / (RHO + 1), RHO / (RHO + 1)
GAMMA = 0.5 + ALPHA_F - ALPHA_M
BETA = 0.25 * (GAMMA + 0.5) ** 2
RATIO = (1 - ALPHA_F) / (1 - ALPHA_M)  # ∂b₁/∂a₁
MOST = 10
GOAL = 0.01  # corrections of Newton's method, in units of the tolerance
NEAR = 1e-6
ROUNDING = 64.0  # units in the last place of the largest coordinate

Second = struct("Second", {
    "q": "f8", "v": "f8", "qdot": "f8", "vdot": "f8",  # views of y and its rate
    "shift": "f8",  # the displacement that MOVE takes
    "lam": "f8", "multipliers": "f8",  # those of the equations, at the beginning of the step
    "a": "f8",  # accelerations, the iterate (nv used)
    "x": "f8",  # correction (δa, δλ)
    "choice": "f8", "then": "f8",  # integrators/tangents.py
    "coefficient": "f8", "handle": "i8", "d": "f8", "last": "f8",  # Δq (nv), and b₁ (nv, then of the states)
    "states": "u4",  # ζ is the tail of a and of x; in rows of State.k it follows the accelerations
})
DIFFERENTIATE, FACTOR, CORRECT, MOVE, RATES = range(5)
POINT, ACCELERATION, AUXILIARY = 2, 3, 4  # rows of State.k: point of the tangent, a₀, b₀; 5 in all


@kernel
def begin(p, s, sec):
    """At the very start: accelerations, multipliers.  To go on from a saved state: the tangent with its factors, and multipliers
    after a break (``begin_again`` takes them from the equations) and where a state of before has none."""
    n, nv = s.x.size, sec.v.size
    a = s.k[ACCELERATION * n:]
    if s.count[TANGENTS] == 0:
        s.count[CALLS] += 1
        status = solve_at(p, s.real[T], s.x)
        if status != 0:
            return status
        for k in range(nv):
            a[k] = sec.vdot[k]
            a[n + k] = sec.vdot[k]
        for k in range(sec.states.size):
            a[nv + k] = sec.qdot[sec.states[k]]
            a[n + nv + k] = a[nv + k]
        s.count[SLOW] = 1
        copy(sec.multipliers, sec.lam)
        return 0
    status = 0
    if s.count[SLOW] == 0:
        status = find_again(p, s, sec, POINT)
        if status == 0 and s.real[H_FACTORED] > 0.0:
            status = refactor(s, sec, s.real[H_FACTORED])
            s.count[FACTORS] -= 1
    unknown = sec.multipliers.size > 0 and sec.multipliers[0] != sec.multipliers[0]
    if status == 0 and (unknown or s.real[H_OLD] < 0.0):
        status = solve_at(p, s.real[T], s.x)
        copy(sec.multipliers, sec.lam)
    return status


@kernel
def refactor(s, sec, h):
    sec.coefficient[0] = h * h * BETA * RATIO
    sec.coefficient[1] = h * GAMMA * RATIO
    s.count[FACTORS] += 1
    s.real[H_FACTORED] = 0.0
    if call(sec.handle[FACTOR]) != 0:
        return SINGULAR
    s.real[H_FACTORED] = h
    return 0


@kernel
def place(p, s, sec, h, b0):
    """y ← the end of the step for the accelerations at hand; Δq in d, b₁ in last."""
    n, nq, nv = s.x.size, sec.q.size, sec.v.size
    a0 = s.k[ACCELERATION * n:]
    v0 = s.x[nq:nq + nv]
    for k in range(nv):
        b1 = ((1.0 - ALPHA_F) * sec.a[k] + ALPHA_F * a0[k] - ALPHA_M * b0[k]) / (1.0 - ALPHA_M)
        sec.last[k] = b1
        sec.d[k] = h * (v0[k] + h * ((0.5 - BETA) * b0[k] + BETA * b1))
        sec.v[k] = v0[k] + h * ((1.0 - GAMMA) * b0[k] + GAMMA * b1)
        sec.shift[k] = sec.d[k]
    for k in range(nq):
        sec.q[k] = s.x[k]
    tail = sec.a.size - sec.states.size
    for k in range(sec.states.size):
        b1 = ((1.0 - ALPHA_F) * sec.a[tail + k] + ALPHA_F * a0[nv + k] - ALPHA_M * b0[nv + k]) / (1.0 - ALPHA_M)
        sec.last[nv + k] = b1
        sec.q[sec.states[k]] += h * ((1.0 - GAMMA) * b0[nv + k] + GAMMA * b1)
    return call(sec.handle[MOVE])


@kernel
def as_change(p, s, sec, work, d_factor, d, v_factor, dv):
    """work.e ← the change of y by a displacement d (a twist) and a change of velocity dv; that of the states is the tail of x."""
    nq, nv = sec.q.size, sec.v.size
    copy(p.y, s.x)
    for k in range(nv):
        sec.v[k] = d_factor * d[k]
    call(sec.handle[RATES])
    for k in range(nq):
        work.e[k] = sec.qdot[k]
    tail = sec.x.size - sec.states.size
    for k in range(sec.states.size):
        work.e[sec.states[k]] = v_factor * sec.x[tail + k]
    for k in range(nv):
        work.e[nq + k] = v_factor * dv[k]
    for k in range(nq + nv, work.e.size):
        work.e[k] = 0.0


@kernel
def only_rounding(d, x):
    """Is the change d of positions no more than rounding?  Over a small h it is still a large change of velocities."""
    moved, size = 0.0, 0.0
    for k in range(d.size):
        moved = max(moved, abs(d[k]))
        size = max(size, abs(x[k]))
    return moved <= ROUNDING * EPSILON * size


@kernel
def newton(p, s, task, work, sec, h, t1, b0):
    """a and λ at the end; y is there afterwards.  Status, iterations, rate."""
    nv = sec.v.size
    n = s.x.size
    a0 = s.k[ACCELERATION * n:]
    tail, end = sec.a.size - sec.states.size, sec.x.size - sec.states.size
    for k in range(nv):
        sec.a[k] = a0[k]
    for k in range(sec.states.size):
        sec.a[tail + k] = a0[nv + k]
    copy(sec.lam, sec.multipliers)
    poor = work.step[WORST] < 10.0 * POOR
    sec.coefficient[2] = 1.0 if poor else 0.0
    if poor:
        s.real[H_FACTORED] = 0.0
    p.t[0] = t1
    before, rate = -1.0, 0.0
    for k in range(MOST):
        status = place(p, s, sec, h, b0)
        if status == 0:
            status = call(sec.handle[CORRECT])
        if status != 0:
            return status, k + 1, 1.0
        s.count[NEWTON] += 1
        for i in range(nv):
            sec.a[i] += sec.x[i]
        for i in range(sec.lam.size):
            sec.lam[i] += sec.x[nv + i]
        for i in range(sec.states.size):
            sec.a[tail + i] += sec.x[end + i]
        as_change(p, s, sec, work, h * h * BETA * RATIO, sec.x, h * GAMMA * RATIO, sec.x)
        tangential(p, work, work.e)
        rounding = k > 1 and only_rounding(work.e[:sec.q.size], s.x)
        moved = math.sqrt(mean_square(work.e, s.x, s.x, task.weight, task.cap, task.real[ATOL], task.real[RTOL]))
        if not moved < 1e300:
            return NOT_FINITE, k + 1, 1.0
        if k > 0:
            rate = moved / before if before > 0.0 else 0.0
            if rounding:
                return place(p, s, sec, h, b0), k + 1, min(rate, 0.1)
            if rate >= 2.0 or (k > 2 and rate > 0.9 and not poor):
                return NOT_CONVERGED, k + 1, rate
        done = moved < 1e-3 * GOAL
        if k > 0 and rate < 1.0:
            done = done or rate / (1.0 - rate) * moved < GOAL
        if done:
            return place(p, s, sec, h, b0), k + 1, rate
        before = moved
    return NOT_CONVERGED, MOST, rate


@kernel
def close(p, tab, s, task, work, sec, h, t1, b0):
    """The end projected, its accelerations, b₁ and Δq with them, and the sums that ride along."""
    n, nv = s.x.size, sec.v.size
    status = close_step(p, tab, s, t1)
    if status != 0:
        return status
    copy(sec.x[nv:nv + sec.lam.size], sec.lam)
    copy(work.y_new, p.y)
    for k in range(n - task.option[RIDING], n):
        work.y_new[k] = s.x[k] + 0.5 * h * (s.k[k] + p.ydot[k])
    a0 = s.k[ACCELERATION * n:]
    for k in range(nv):
        sec.a[k] = sec.vdot[k]
        sec.last[k] = ((1.0 - ALPHA_F) * sec.a[k] + ALPHA_F * a0[k] - ALPHA_M * b0[k]) / (1.0 - ALPHA_M)
    tail = sec.a.size - sec.states.size
    for k in range(sec.states.size):
        sec.a[tail + k] = sec.qdot[sec.states[k]]
        sec.last[nv + k] = ((1.0 - ALPHA_F) * sec.a[tail + k] + ALPHA_F * a0[nv + k] - ALPHA_M * b0[nv + k]) / (1.0 - ALPHA_M)
    return 0


@kernel
def error(p, s, task, work, sec, h):
    """Error of the step against the tolerance."""
    n, nq, nv = s.x.size, sec.q.size, sec.v.size
    a0 = s.k[ACCELERATION * n:]
    v0 = s.x[nq:nq + nv]
    v1 = work.y_new[nq:nq + nv]
    for k in range(nv):
        sec.d[k] -= h * (v0[k] + h * (a0[k] / 3.0 + sec.a[k] / 6.0))
        sec.x[k] = v1[k] - (v0[k] + 0.5 * h * (a0[k] + sec.a[k]))
    tail, end = sec.a.size - sec.states.size, sec.x.size - sec.states.size
    for k in range(sec.states.size):
        z = sec.states[k]
        sec.x[end + k] = work.y_new[z] - (s.x[z] + 0.5 * h * (a0[nv + k] + sec.a[tail + k]))
    as_change(p, s, sec, work, 1.0, sec.d, 1.0, sec.x)
    tangential(p, work, work.e)
    return math.sqrt(mean_square(work.e, s.x, work.y_new, task.weight, task.cap, task.real[ATOL], task.real[RTOL]))


@kernel
def attempt(p, tab, s, task, work, sec):
    """Try one step; OK means go on (accepted, or to be repeated with a smaller step)."""
    n, nv = s.x.size, sec.v.size
    t0, planned = s.real[T], s.real[H]
    fixed = task.option[FIXED] != 0
    status, t1, h, last = ahead(s, work)
    if status != OK:
        return status
    both = nv + sec.states.size
    a0, b0 = s.k[ACCELERATION * n:ACCELERATION * n + both], s.k[AUXILIARY * n:AUXILIARY * n + both]
    if s.real[H_OLD] < 0.0:  # a break of a law was crossed
        begin_again(s, sec, 0)
    elif s.real[H_OLD] > 0.0 and abs(h - s.real[H_OLD]) > 1e-12 * h:
        for k in range(both):
            b0[k] = a0[k] + h / s.real[H_OLD] * (b0[k] - a0[k])
    s.real[H_OLD] = h
    status, count, rate = 0, 0, 0.0
    work.step[WORST] = s.real[QUALITY]
    if s.count[SLOW] != 0:
        copy(p.y, s.x)
        status = renew(p, s, sec, POINT, t0)
        if status == 0:
            s.count[SLOW] = 0
    elif work.step[WORST] < POOR:  # corrections are cut down by the factors there, not by those of an attempt that was refused
        s.count[CALLS] += 1
        status = solve_at(p, t0, s.x)
    if status == 0 and abs(h - s.real[H_FACTORED]) > 1e-12 * h:
        status = refactor(s, sec, h)
    if status == 0:
        status, count, rate = newton(p, s, task, work, sec, h, t1, b0)
    if status != 0:
        if s.count[FRESH] == 0:
            s.count[SLOW] = 1
            return OK
        slowly = 0.85 if s.real[QUALITY] < POOR else 0.5  # next to a singular pose: do not creep there
        return status if fixed else shrink(s, (slowly if status == NOT_CONVERGED else SHRINK) * h, status)
    status = close(p, tab, s, task, work, sec, h, t1, b0)
    quality = p.quality[0]
    work.step[WORST] = quality
    err = 0.0
    ended = False
    if status == 0 and not fixed:
        err = error(p, s, task, work, sec, h)
        if not err < 1e300:
            status = NOT_FINITE
        elif err > 1.0:
            return shrink(s, h * max(SHRINK, 0.9 * err ** (-1.0 / 3.0)), OK)
        elif not last and quality < min(NEAR, 0.01 * s.real[QUALITY]):
            return shrink(s, 0.8 * h, OK)
    if status == 0:
        copy(p.y, work.y_new)
        work.step[0], work.step[1], work.step[2] = t0, t1, h
        status = hand_over(p, s, task, work)
        ended = status == EVENT
    if status != 0 and not ended:
        return refuse(s, work, h, fixed, status)
    if not fixed:
        factor = min(4.0, max(SHRINK, 0.9 * max(err, 1e-9) ** (-1.0 / 3.0)))
        if s.count[AFTER_REJECT] != 0:
            factor = min(1.0, factor)
        if 1.0 <= factor < 1.3:
            factor = 1.0
        h_new = max(h * factor, planned) if last else h * factor
        s.real[H] = min(h_new, task.real[H_MAX]) if task.real[H_MAX] > 0.0 else h_new
    if count > 3 or rate > 0.1 or sec.coefficient[2] != 0.0:
        s.count[SLOW] = 1
    for k in range(nv):
        a0[k] = sec.a[k]
    tail = sec.a.size - sec.states.size
    for k in range(sec.states.size):
        a0[nv + k] = sec.a[tail + k]
    for k in range(both):
        b0[k] = sec.last[k]
    copy(sec.multipliers, sec.x[nv:nv + sec.lam.size])
    if ended:  # the step was cut at an event: start afresh from there
        s.real[H_OLD] = 0.0
        begin_again(s, sec, 1)
    s.count[FRESH] = 0
    commit(tab, s, work, quality)
    return EVENT if ended else OK


@kernel
def begin_again(s, sec, row):
    """Accelerations (row of k) and multipliers behind a break, or where an event ended the step: solved for there last."""
    n, nv = s.x.size, sec.v.size
    a = s.k[ACCELERATION * n:]
    end = s.k[row * n:(row + 1) * n]
    for k in range(nv):
        a[k] = end[sec.q.size + k]
        a[n + k] = end[sec.q.size + k]
    for k in range(sec.states.size):
        a[nv + k] = end[sec.states[k]]
        a[n + nv + k] = end[sec.states[k]]
    copy(sec.multipliers, sec.lam)
    s.count[SLOW] = 1


BEGIN = entry("alpha", "begin", begin, Shared, State, Second, module=__name__)
ATTEMPT = entry("alpha", "attempt", attempt, Shared, Tableau, State, Task, Work, Second, module=__name__)


def _bind(deliver, shared, tableau, state, task, work, needed: Equations):
    nv = needed.v.size
    sec = Second(needed.q, needed.v, needed.qdot, needed.vdot, needed.shift, needed.lam, needed.multipliers, needed.a, needed.x,
                 needed.choice, needed.then, needed.coefficient, handles(needed.entries), np.zeros(nv),
                 np.zeros(nv + needed.states.size), needed.states)
    return ATTEMPT.bind(shared, tableau, state, task, work, sec), BEGIN.bind(shared, state, sec)


METHOD = Method("alpha", ("alpha", "generalized-alpha"), 2, 3,
                "generalized-alpha on second-order equations with multipliers (index 3), dense output of order 3",
                lambda: plain_tableau(0, 2), rows=5, kept=5, terms=3, bind=_bind, needs="second", sums=2, finer=20.0,
                exponent=2 / 3, eased=True)
