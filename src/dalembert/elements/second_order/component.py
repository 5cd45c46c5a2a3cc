"""An offset along a fixed direction (measures/component.py): p = n, constant (offsets.py)."""

from dalembert._jit import inline
from dalembert.algebra.vectors import scale
from dalembert.elements.bodies.markers import axis


@inline
def direction(s, w, row, d, dd, ddd):
    p = axis(s, w, row.guide, row.axis_i)
    zero = scale(p, 0.0)
    return p, zero, zero, 0.0, 0.0
