"""The choice of the kernel for a measure: products of axes, angles, and what goes by the offset of two points.

Integers are handed over as int64 everywhere: one specialisation of each.
"""

from dalembert._jit import kernel
from dalembert.elements.measures.table import ANGLE, AXES

from . import angle, dot_axes, dot_offset, offsets


@kernel
def bend(s, w, n, c, k, y):
    """K += y ∂²c_k/∂q²."""
    kind = s.measures[k].kind
    if kind == AXES:
        dot_axes.bend(s, w, n, c, k, y)
    elif kind == ANGLE:
        angle.bend(s, w, n, c, k, y)
    elif kind == offsets.AXIS:
        dot_offset.bend(s, w, n, c, k, y)
    else:
        offsets.bend(s, w, n, c, k, y)


@kernel
def change(s, w, n, k, at_i, at_j, f):
    """f ∂c̈_k/∂q and f ∂c̈_k/∂v, added to G_q and G_v at the places of the two bodies."""
    kind = s.measures[k].kind
    if kind == AXES:
        dot_axes.change(s, w, n, k, at_i, at_j, f)
    elif kind == ANGLE:
        angle.change(s, w, n, k, at_i, at_j, f)
    else:
        offsets.change(s, w, n, k, at_i, at_j, f)


@kernel
def drift(s, w, to, k, at_i, at_j):
    """∂ċ_k/∂q, added to ``to``."""
    kind = s.measures[k].kind
    if kind == AXES:
        dot_axes.drift(s, w, to, k, at_i, at_j)
    elif kind == ANGLE:
        angle.drift(s, w, to, k, at_i, at_j)
    else:
        offsets.drift(s, w, to, k, at_i, at_j)
