"""One step of the explicit Runge-Kutta methods (tableaus.py).

One attempt: stages -> solution -> error -> project the end and take its derivative -> events and outputs ->
commit. A right-hand side or projection that fails at a trial point (singular, not converged, not finite)
makes the attempt fail: it is repeated with a fifth of the step, and the failure is reported if the step
becomes too small.

Where a stage came near to a singular point of the right-hand side, only the part of the error along the manifold counts
(control.py).  A step that would end next to a singular point is shortened, so that the next one steps over that point:
where the right-hand side is nearly singular, rounding alone makes every further step fail.

The derivative k_{s+1} at the projected end of a step is k_1 of the next one.  Dormand-Prince needs it in the
error estimate, so there the projection comes before the error test; DOP853 does not, so a rejected step is
never projected.
"""

from __future__ import annotations

from .._jit import call, entry, kernel
from .contract import Method
from .control import error, factor_after_accept, factor_after_reject, factor_inside, stiffness, watch_stiffness
from .layout import (
    AFTER_REJECT,
    CALLS,
    ERROR_USES_END,
    FIXED,
    H_MAX,
    POOR,
    QUALITY,
    RHS,
    ROUGH,
    STAGES,
    STEPS,
    STIFF_HITS,
    TANGENT,
    WORST,
    H,
    Log,
    Shared,
    State,
    T,
    Tableau,
    Task,
    Work,
)
from .loop import ahead, close_step, commit, hand_over, refuse, shrink
from .stages import copy, put, stage
from .status import EVENT, NOT_FINITE, OK
from .tableaus import Coefficients, packed

NEAR = 1e-6  # a step is not ended where the right-hand side is this near to singular, if it started far from it
STIFF_EVERY = 10  # accepted steps between two tests for stiffness


@kernel
def run_stages(p, tab, s, work, t0, t1, h):
    """Stages 2 ... s, then the solution into y; work.step[WORST] is how near to singular they came."""
    work.step[WORST] = 1.0
    stages = tab.shape[STAGES]
    rhs = p.handle[RHS]
    for q in range(1, stages + 1):
        stage(p.y, s.x, h, s.k, tab.coef, tab.index, tab.start[q], tab.start[q + 1])
        if q == stages:
            break
        p.t[0] = t1 if tab.c[q] == 1.0 else t0 + tab.c[q] * h
        s.count[CALLS] += 1
        status = call(rhs)
        if status != 0:
            return status
        put(s.k, q, p.ydot)
        work.step[WORST] = min(work.step[WORST], p.quality[0])
    return 0


@kernel
def attempt(p, tab, s, task, log, work):
    """Try one step; OK means go on (accepted, or to be repeated with a smaller step)."""
    t0, planned = s.real[T], s.real[H]
    fixed = task.option[FIXED] != 0
    status, t1, h, last = ahead(s, work)
    if status != OK:
        return status
    err, ended = 0.0, False
    status = run_stages(p, tab, s, work, t0, t1, h)
    closed = fixed or tab.shape[ERROR_USES_END] != 0 or (p.handle[TANGENT] != 0 and work.step[WORST] < POOR)
    if status == 0 and closed:
        status = close_step(p, tab, s, t1)
    if status == 0 and not fixed:
        err = error(p, tab, s, task, work, h)
        if not err < 1e300:
            status = NOT_FINITE
        elif err > 1.0:
            return shrink(s, h * factor_after_reject(tab, err), OK)
        elif closed and not last and p.quality[0] < min(NEAR, 0.01 * s.real[QUALITY]):
            return shrink(s, 0.8 * h, OK)
    if status == 0 and not closed:
        status = close_step(p, tab, s, t1)
    quality = p.quality[0]
    if status == 0:
        copy(work.y_new, p.y)
        work.step[0], work.step[1], work.step[2] = t0, t1, h
        work.step[ROUGH] = 0.0
        watched = not fixed and (s.count[STIFF_HITS] > 0 or s.count[STEPS] % STIFF_EVERY == 0)
        size = stiffness(tab, s, work, h) if watched else 0.0
        status = hand_over(p, s, task, work)
        if watched:
            watch_stiffness(tab, s, work, size)
        ended = status == EVENT
    if status != 0 and not ended:
        return refuse(s, work, h, fixed, status)
    if not fixed:
        h_new = h * min(factor_after_accept(tab, s, err, s.count[AFTER_REJECT] != 0), factor_inside(tab, work))
        if last:
            h_new = max(h_new, planned)
        s.real[H] = min(h_new, task.real[H_MAX]) if task.real[H_MAX] > 0.0 else h_new
    commit(tab, s, work, quality)
    return EVENT if ended else OK


ATTEMPT = entry("integrators", "attempt", attempt, Shared, Tableau, State, Task, Log, Work, module=__name__)


def explicit_method(coefficients: Coefficients, name: str, names: tuple[str, ...], *, order: int, dense: int, text: str,
                    aim: float = 1 / 30) -> Method:
    """The record of a method that is coefficients only.

    ``aim``: steps of order 8 are so long that their errors add up to 10-30 times the tolerance.
    """
    return Method(name, names, order, dense, text, lambda: packed(coefficients), rows=len(coefficients.rows), kept=1,
                  terms=3 + len(coefficients.dense), bind=_bind, aim=aim)


def _bind(deliver, shared, tableau, state, task, work, needed):
    return deliver.sibling(ATTEMPT), None
