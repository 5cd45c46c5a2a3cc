"""The square of a distance (measures/square_distance.py): p = 2 d, α = 2 (offsets.py)."""

from dalembert._jit import inline
from dalembert.algebra.vectors import scale


@inline
def direction(s, w, row, d, dd, ddd):
    return scale(d, 2.0), scale(dd, 2.0), scale(ddd, 2.0), 2.0, 0.0
