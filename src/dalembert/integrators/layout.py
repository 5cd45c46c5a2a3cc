"""The arrays an explicit integration reads and writes, and the names of their places.

* ``Shared``: what the integrator and the right-hand side have in common.  Before ``call(handle[RHS])`` the
  integrator writes t and y, afterwards it reads ydot; PROJECT moves y onto its manifold; EVENTS fills g;
  DELIVER and ATTEMPT are the integrator's own (delivery.py; explicit.py, methods/);
  TANGENT takes from the vector in ydot what points out of the manifold at (t, y) of the last RHS call.  Handle 0 = absent.
* ``Tableau``: the method (tableaus.py).
* ``State``: everything the next step depends on.  Saving these arrays and continuing later, in any process,
  gives the same bits as an uninterrupted run.
* ``Task``: what is asked for.  ``Log``: events found.  ``Work``: scratch, nothing in it outlives a step.

n components, m output times, e events, s stages, capacity c of the log.
"""

from __future__ import annotations

from .._jit import struct

Shared = struct("Shared", {
    "t": "f8", "y": "f8", "ydot": "f8", "g": "f8", "handle": "i8",  # 1, n, n, e, 6
    "quality": "f8",  # [0]: how far the last right-hand side was from singular, 1 good, 0 singular; [1]: not 0 where equations
                      # of the manifold are left out as dependent: only errors along it are judged (explicit methods)
})
RHS, PROJECT, EVENTS, DELIVER, TANGENT, ATTEMPT = range(6)

Tableau = struct("Tableau", {
    "shape": "i8",  # STAGES ...
    "real": "f8",  # ALPHA ...
    "c": "f8",  # nodes
    "start": "i8",  # where each row begins in coef and index
    "coef": "f8", "index": "i8",
})
STAGES, EXTRA, ERRORS, DENSE, ERROR_ORDER, ERROR_USES_END = range(6)  # the last: error rows contain k_{s+1}
ALPHA, BETA, STIFF_BORDER, INSIDE = range(4)  # INSIDE: of methods with EXTRA stages (dense.py)

State = struct("State", {
    "real": "f8",  # T ...
    "count": "i8",  # STARTED ...
    "x": "f8",  # n: state at time T
    "k": "f8",  # rows of n; the first is the derivative at (T, x); the rest is scratch of explicit methods
    "g": "f8",  # e: event functions at (T, x)
})
T, H, ERR_OLD, QUALITY, H_OLD, H_FACTORED, T_TANGENT, T_WINDOW, H_BEFORE = range(9)  # H_OLD … T_TANGENT: implicit methods
(STARTED, STEPS, REJECTED, CALLS, PROJECTIONS, EVENT_CALLS, NEXT, AFTER_REJECT, CAUSE, STIFF_HITS,
 STIFF_MISSES, IS_STIFF, LOGGED, NEWTON, TANGENTS, FACTORS, FRESH, SLOW, ATTEMPTS) = range(19)

Task = struct("Task", {
    "real": "f8",  # RTOL ...
    "option": "i8",  # FIXED ...
    "weight": "f8",  # n: absolute scale of each component; the absolute tolerance is atol * weight
    "cap": "f8",  # n: the relative tolerance counts from this size at most
    "times": "f8",  # m: output times, increasing; the last one is the end
    "out": "f8",  # m x n
    "direction": "i8",  # e: -1 falling, +1 rising, 0 both
    "terminal": "i8",  # e: 1 stops the run; 2 ends the step there, and is not told; 3 likewise, and switches a law
    "stop": "i8",  # 1: set to nonzero from outside to stop after the step under way
    "stations": "f8",  # 3 per station, see stations.py: left, right, longest step after it
})
RTOL, ATOL, H_FIRST, H_MAX, SPAN, UNTIL = range(6)  # SPAN: of the whole run, also when it goes on in pieces; UNTIL: stand there
# (an instant at which somebody outside acts), even before the last output time
FIXED, STOP_IF_STIFF, MAX_STEPS, STEP_BUDGET, MAY_STICK, RIDING, CHANGED = range(7)  # MAY_STICK: laws that nobody can look into
# take part; RIDING: how many sums that nothing depends on ride along at the end of y; CHANGED from outside: the state or a law

Log = struct("Log", {"t": "f8", "index": "i8", "y": "f8"})  # c, c, c x n

Work = struct("Work", {
    "step": "f8",  # 7: t0, t1, h of the step under way, WORST, GOES_ON, HORIZON, ROUGH
    "y_new": "f8",  # n: its end
    "e": "f8",  # n: error estimate, also other temporaries
    "e3": "f8",  # n: second error estimate
    "r": "f8",  # dense-output coefficients r_1 ..., each n
    "g_new": "f8",  # e: at the end of the step
    "g_left": "f8", "left": "f8",  # e: left end of the bracket, value and place u in [0, 1); -1 if there is none
    "g_right": "f8", "right": "f8",  # e: right end
    "cut": "f8",  # e: 1 if the step must end at this event
    "inside": "f8",  # 9 e: event functions in places inside the step
    "root": "f8",  # e: place u of the event in this step, 2 if none
})

WORST = 3  # place in Work.step: smallest quality among the stages of the step
GOES_ON = 4  # place in Work.step: the event that ended the step does not end the run; at a KINK: the part of the step to repeat
HORIZON = 5  # place in Work.step: no step goes past this time (the next station, or the end)
ROUGH = 6  # place in Work.step: error of the interpolant over what is allowed; 0 where it is small, or none was asked for
POOR = 1e-2  # a stage with less quality than this is nearly singular
