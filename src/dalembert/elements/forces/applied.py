"""A force at a point or a torque, each component a law of time, in ground axes or in body axes.

    force:   F through the point at the arm s:  Q gets (F, s × F)          torque:  Q gets (0, T)
    body axes: the components are along the marker's axes, which turn with the body (a follower force).
"""

import numpy as np

from dalembert._jit import kernel
from dalembert.algebra.vectors import moment, scale
from dalembert.elements.bodies.markers import (
    arm,
    axis,
    dimension,
    load,
    load_turn,
    push,
    store,
    turn_from_marker,
)
from dalembert.elements.laws import law_value

FORCE = np.dtype([("marker", "u4"), ("follows", "u4"), ("law", "u4", (3,)), ("element", "u4")])
TORQUE = np.dtype([("marker", "u4"), ("follows", "u4"), ("law", "u4", (3,)), ("element", "u4")])


@kernel
def forces(s, w):
    n = dimension(s)
    for k in range(s.force.size):
        f = s.force[k]
        if w.only[0] >= 0 and w.only[0] != f.element:
            continue
        for c in range(n):
            w.wrench[c] = 0.0
        for c in range(n):
            value = law_value(s, w, f.law[c], w.t[0], 0.0, 0.0)
            if f.follows:
                store(s, w.wrench, 3, scale(axis(s, w, f.marker, c), value))
                for m in range(n):
                    w.wrench[m] += w.wrench[3 + m]
            else:
                w.wrench[c] += value
        F = load(s, w.wrench, 0)
        push(s, w, s.markers[f.marker].body, F, moment(arm(s, w, f.marker), F))


@kernel
def torques(s, w):
    n = 2 * dimension(s) - 3
    for k in range(s.torque.size):
        f = s.torque[k]
        if w.only[0] >= 0 and w.only[0] != f.element:
            continue
        for c in range(n):
            w.wrench[c] = law_value(s, w, f.law[c], w.t[0], 0.0, 0.0)
        T = load_turn(s, w.wrench, 0)
        if f.follows:
            T = turn_from_marker(s, w, f.marker, T)
        b = s.markers[f.marker].body
        push(s, w, b, scale(axis(s, w, f.marker, 0), 0.0), T)
