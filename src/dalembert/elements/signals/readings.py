"""Readings: the numbers that laws read by name, and the rates of states.

A row of ``reading`` fills one slot; rows stand in an order in which each comes after what it reads itself.

    VALUE, RATE     of the measure ``first``
    PLACE, TWIST    component ``first`` of q, of the bodies' twists
    SPIN            component ``second`` of the angular velocity of body ``first``, body axes
    LAW             law ``law`` (a signal: constant, formula over other slots, table or function of t)
    EFFORT          what row ``first`` of the efforts gives along its measure, times ``factor`` (a spring's tension: −1)
    CALL            a Python function of t and of the slots arguments[first : first + second]
    FELT            what is felt, row ``first`` of ``felt`` (felt.py): given before, by who solves for it
    SOLVE           all unknowns of ``algebraic`` at once (below); a row of every other unknown is GIVEN

Slots are the tail of x0, behind what laws and rows put there themselves, so that programs take them as variables.  ``read`` keeps
them for channels.

Unknowns a_1 … a_n of algebraic equations g_j(t, slots, a) = 0 are found by Newton's method from their starts, with g and its
slopes from one jet each.  After it has converged one more iteration is made: on duals x ← x − J⁻¹ g then has the exact tangents
−J⁻¹ ∂g.  A step has converged when it is nothing beside the unknown and its start; next to zero that is never met, for g has the
rounding of its terms, so also when it shrinks no more and is nothing beside the length in which the slope changes, |g′/g″|
(several unknowns, or no curvature: beside 1 + |a| + |start|).  Where J is
singular, or 50 iterations do not converge, the unknowns are NaN (toolbox/blame.py tells the names).

States: ż = law, z a component of q behind the running angles.
"""

import math

import numpy as np

from dalembert._jit import call_vector, kernel
from dalembert.algebra import dense, jets
from dalembert.algebra.vectors import turn_to_body
from dalembert.elements.bodies.markers import omega, rotation, store_turn
from dalembert.elements.laws import law_value
from dalembert.elements.measures import table
from dalembert.elements.rows.effort import deflection, resistance

VALUE, RATE, PLACE, SPIN, TWIST, LAW, EFFORT, CALL, SOLVE, GIVEN, FELT = range(11)

READING = np.dtype([("kind", "u4"), ("slot", "u4"), ("first", "u4"), ("second", "u4"), ("law", "u4"), ("_", "u4"),
                    ("factor", "f8"), ("handle", "i8")])
DIFFERENTIAL = np.dtype([("place", "u4"), ("law", "u4")])
ALGEBRAIC = np.dtype([("slot", "u4"), ("law", "u4"), ("start", "f8")])
TABLES = {"reading": READING, "differential": DIFFERENTIAL, "algebraic": ALGEBRAIC, "arguments": "u4"}
MOST = 50
CLOSE = 1e-12  # relative change of the unknowns at which Newton's method has converged
ROUNDING = 1e-13  # of the length in which slopes change: a step below, which does not shrink, is rounding


@kernel
def evaluate(s, w):
    """All slots, at poses and twists already evaluated."""
    base = w.x0.size - w.read.size
    for k in range(s.reading.size):
        r = s.reading[k]
        to = base + np.int64(r.slot)
        if r.kind == VALUE or r.kind == RATE:
            value, rate, h = table.value(s, w, r.first)
            w.x0[to] = value if r.kind == VALUE else rate
        elif r.kind == PLACE:
            w.x0[to] = w.q[r.first]
        elif r.kind == SPIN:
            store_turn(s, w.wrench, 0, turn_to_body(rotation(s, w, r.first), omega(s, w, r.first)))
            w.x0[to] = w.wrench[r.second]
        elif r.kind == TWIST:
            w.x0[to] = w.twist[r.first]
        elif r.kind == LAW:
            w.x0[to] = law_value(s, w, r.law, w.t[0], 0.0, 0.0)
        elif r.kind == EFFORT:
            e = s.effort[r.first]
            value, rate, h = table.value(s, w, e.measure)
            elastic, damping = resistance(e, deflection(e, value), rate)
            w.x0[to] = r.factor * (elastic + damping + e.sign * law_value(s, w, e.law, w.t[0], value, rate))
        elif r.kind == CALL:
            for n in range(np.int64(r.second)):
                w.x0[n] = w.x0[base + np.int64(s.arguments[np.int64(r.first) + n])]
            w.wrench[0] = 0.0
            call_vector(r.handle, w.t[0], w.x0, w.x1, w.wrench)
            w.x0[to] = w.wrench[0]
        elif r.kind == FELT:
            w.x0[to] = w.felt[r.first]
        elif r.kind == SOLVE:
            unknowns(s, w, base)
        w.read[r.slot] = w.x0[to]


@kernel
def linear(s, w, base):
    """Equations and slopes at the unknowns in x0 into ``loop``; behind them the lengths in which slopes change."""
    n = s.algebraic.size
    w.x0[0] = w.t[0]
    for c in range(n):
        at = base + np.int64(s.algebraic[c].slot)
        w.loop[n * n + n + c] = 1.0 + math.fabs(w.x0[at]) + math.fabs(s.algebraic[c].start)
    for j in range(n):
        row = s.laws[s.algebraic[j].law]
        for c in range(n):
            at = base + np.int64(s.algebraic[c].slot)
            w.x1[at] = 1.0
            g, slope, second = jets.run(s.code, s.constants, row.start, row.stop, row.constants, w.x0, w.x1, w.x2, 0, w.stack, 0)
            w.x1[at] = 0.0
            w.loop[n * j + c] = slope
            w.loop[n * n + j] = g
            if n == 1 and math.fabs(second) > 0.0:
                w.loop[2] = math.fabs(slope) / math.fabs(second)


@kernel
def unknowns(s, w, base):
    """Newton's method on the algebraic equations."""
    n = s.algebraic.size
    for k in range(w.x1.size):
        w.x1[k] = 0.0
        w.x2[k] = 0.0
    for c in range(n):
        w.x0[base + np.int64(s.algebraic[c].slot)] = s.algebraic[c].start
    last = False
    before = np.inf
    for _ in range(MOST):
        linear(s, w, base)
        if dense.eliminate(w.loop, n) != 0:
            break
        close = True
        part = 0.0
        for c in range(n):
            at = base + np.int64(s.algebraic[c].slot)
            w.x0[at] -= w.loop[n * n + c]
            size = math.fabs(w.loop[n * n + c])
            if not size <= CLOSE * (math.fabs(w.x0[at]) + math.fabs(s.algebraic[c].start) + 1e-100):
                close = False
            ratio = size / w.loop[n * n + n + c]
            if not ratio <= part:
                part = ratio
        if last:
            return
        last = close or (part <= ROUNDING and part > 0.5 * before)
        before = part
    for c in range(n):
        w.x0[base + np.int64(s.algebraic[c].slot)] = np.nan


@kernel
def changes(s, w):
    """Rates of the states, with all slots at hand."""
    for k in range(s.differential.size):
        d = s.differential[k]
        w.qdot[d.place] = law_value(s, w, d.law, w.t[0], 0.0, 0.0)
