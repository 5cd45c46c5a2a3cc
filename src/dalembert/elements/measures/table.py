"""The table of measures and the choice of the kernel for a row of it.

A measure is a file of this folder, and a line of MEASURES below.  It offers

    UNIT                                   m, rad, m² or "" (a pure number)
    evaluate(s, w, k, at_i, at_j, factor)  kernel: value, rate, bias; factor × gradient is added to D at the two places
    drawn(b, m)                            its value in the pose as drawn, b the builder and m its row; floats and formulas alike

Its number (``kind`` in the table) is its place in MEASURES; everyone else knows it by the file's name: ``number("angle")``.
"""

import numpy as np

from dalembert._jit import chosen, kernel
from dalembert.elements.bodies.markers import NONE, turn_rate

from . import angle, component, distance, dot_axes, dot_offset, square_distance

MEASURES = (dot_axes, dot_offset, angle, distance, component, square_distance)
NAMES = tuple(m.__name__.rpartition(".")[2] for m in MEASURES)
AXES = NAMES.index("dot_axes")
ANGLE = NAMES.index("angle")  # the one that counts turns: in space it has a slot in q

MEASURE = np.dtype([("kind", "u4"), ("i", "u4"), ("j", "u4"), ("axis_i", "u4"), ("axis_j", "u4"), ("guide", "u4"),
                    ("slot", "u4"), ("_", "u4"), ("offset", "f8")])


def number(name: str) -> int:
    """Number of the measure in the file of that name."""
    return NAMES.index(name)


def unit(kind: int) -> str:
    """Unit of a kind of measure."""
    return MEASURES[kind].UNIT


_of_kind = chosen([m.evaluate for m in MEASURES], "s, w, k, at_i, at_j, factor")


@kernel
def evaluate(s, w, k, at_i, at_j, factor):
    """Value (less the measure's offset), rate and bias of measure k; factor × gradient is added to D at the places.

    Callers make k, at_i and at_j np.int64 (tables have u4, NONE is a literal): it is compiled again for every other type.
    """
    c, rate, h = _of_kind(s.measures[k].kind, s, w, k, at_i, at_j, factor)
    return c - s.measures[k].offset, rate, h


@kernel
def value(s, w, k):
    """Value (less the measure's offset), rate and bias of measure k."""
    return evaluate(s, w, np.int64(k), np.int64(NONE), np.int64(NONE), 0.0)


@kernel
def evaluate_all(s, w):
    """Values and rates of every measure, for channels and for the running angles."""
    for k in range(s.measures.size):
        c, rate, h = value(s, w, k)
        w.measured[3 * k] = c
        w.measured[3 * k + 1] = rate
        w.measured[3 * k + 2] = h


@kernel
def track(s, w):
    """Rates of the running angles kept in q."""
    for k in range(s.tracked.size):
        m = s.measures[s.tracked[k]]
        w.qdot[m.slot] = turn_rate(s, w, m.i, m.j)


@kernel
def settle(s, w):
    """Running angles ← the measured ones, on the same turn."""
    for k in range(s.tracked.size):
        m = s.tracked[k]
        c, rate, h = value(s, w, m)
        w.q[s.measures[m].slot] = c + s.measures[m].offset
