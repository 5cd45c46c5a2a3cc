"""The square of the distance of two points (course: D holds d·d − f = 0).

    c = d·d:    g on j: force 2 d at r_j,   on i: −2 d at r_i;    h = 2 (ḋ·ḋ + d·d̈)           (with v̇ = 0; kernel: distance.py)

−2 λ |d| is the force that pushes j away from i.  Degenerates when the points coincide: no direction is left.
"""

from dalembert._jit import kernel

from .distance import pair

UNIT = "m²"



@kernel
def evaluate(s, w, k, at_i, at_j, factor):
    return pair(s, w, k, at_i, at_j, factor, True)


def drawn(b, m):
    """Value in the pose as drawn, before the offset."""
    d = b.point_of(m["j"]) - b.point_of(m["i"])
    return d @ d
