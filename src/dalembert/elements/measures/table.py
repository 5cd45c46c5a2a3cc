"""The table of measures and the choice of the kernel for a row of it."""

import numpy as np

from dalembert._jit import kernel
from dalembert.elements.bodies.markers import NONE

from . import angle, component, distance, dot_axes, dot_offset

DOT_AXES, DOT_OFFSET, COMPONENT, DISTANCE, SQUARE, ANGLE = range(6)

MEASURE = np.dtype([("kind", "u4"), ("i", "u4"), ("j", "u4"), ("axis_i", "u4"), ("axis_j", "u4"), ("guide", "u4"),
                    ("slot", "u4"), ("_", "u4"), ("offset", "f8")])


@kernel
def evaluate(s, w, k, at_i, at_j, factor):
    """Value (less the measure's offset), rate and bias of measure k; factor × gradient is added to D at the places."""
    k, at_i, at_j = np.int64(k), np.int64(at_i), np.int64(at_j)  # one specialisation of each measure
    kind = s.measures[k].kind
    if kind == DOT_AXES:
        c, rate, h = dot_axes.evaluate(s, w, k, at_i, at_j, factor)
    elif kind == DOT_OFFSET:
        c, rate, h = dot_offset.evaluate(s, w, k, at_i, at_j, factor)
    elif kind == ANGLE:
        c, rate, h = angle.evaluate(s, w, k, at_i, at_j, factor)
    elif kind == DISTANCE:
        c, rate, h = distance.evaluate(s, w, k, at_i, at_j, factor)
    elif kind == COMPONENT:
        c, rate, h = component.evaluate(s, w, k, at_i, at_j, factor)
    else:
        c, rate, h = distance.evaluate_square(s, w, k, at_i, at_j, factor)
    return c - s.measures[k].offset, rate, h


@kernel
def evaluate_all(s, w):
    """Values and rates of every measure, for channels and for the running angles."""
    for k in range(s.measures.size):
        c, rate, h = evaluate(s, w, k, NONE, NONE, 0.0)
        w.measured[3 * k] = c
        w.measured[3 * k + 1] = rate
        w.measured[3 * k + 2] = h


@kernel
def track(s, w):
    """Rates of the running angles kept in q."""
    for k in range(s.tracked.size):
        m = s.tracked[k]
        c, rate, h = evaluate(s, w, m, NONE, NONE, 0.0)
        w.qdot[s.measures[m].slot] = rate


@kernel
def settle(s, w):
    """Running angles ← the measured ones, on the same turn."""
    for k in range(s.tracked.size):
        m = s.tracked[k]
        c, rate, h = evaluate(s, w, m, NONE, NONE, 0.0)
        w.q[s.measures[m].slot] = c + s.measures[m].offset
