"""The distance of two points (its square, course: D: square_distance.py).

    c = |d|:    g on j: force u = d/|d| at r_j,  on i: −u at r_i;      h = u·d̈ + (ḋ·ḋ − ċ²)/|d|
    c = d·d:    g on j: force 2 d at r_j,        on i: −2 d at r_i;    h = 2 (ḋ·ḋ + d·d̈)           (with v̇ = 0)

For |d|, −λ is the force that pushes j away from i (a strut in compression: positive).  For d·d, −2 λ |d| is.
Degenerates when the points coincide: no direction is left.
"""

import math

import numpy as np

from dalembert._jit import kernel
from dalembert.algebra.vectors import dot, moment, scale, sub
from dalembert.elements.bodies.markers import NONE, add_row, arm, bias, point, point_velocity

UNIT = "m"



@kernel
def evaluate(s, w, k, at_i, at_j, factor):
    return pair(s, w, k, at_i, at_j, factor, False)


@kernel
def pair(s, w, k, at_i, at_j, factor, squared):
    row = s.measures[k]
    si = arm(s, w, row.i)
    sj = arm(s, w, row.j)
    d = sub(point(s, w, row.j, sj), point(s, w, row.i, si))
    dd = sub(point_velocity(s, w, row.j, sj), point_velocity(s, w, row.i, si))
    ddd = sub(bias(s, w, row.j, sj), bias(s, w, row.i, si))
    if squared:
        n = scale(d, 2.0)
        c = dot(d, d)
        rate = dot(n, dd)
        h = 2.0 * (dot(dd, dd) + dot(d, ddd))
    else:
        c = math.sqrt(dot(d, d))
        n = scale(d, 1.0 / c)
        rate = dot(n, dd)
        h = dot(n, ddd) + (dot(dd, dd) - rate * rate) / c
    if at_i != NONE:
        add_row(s, w, at_i, s.markers[row.i].body, -factor, n, moment(si, n))
    if at_j != NONE:
        add_row(s, w, at_j, s.markers[row.j].body, factor, n, moment(sj, n))
    return c, rate, h


def drawn(b, m):
    """Value in the pose as drawn, before the offset."""
    return np.linalg.norm(b.point_of(m["j"]) - b.point_of(m["i"]))
