"""A user's own force on a body, as a compiled Python function.

    f(t, x, v, out):  x = position of the point (2 or 3), then the angle (plane) or the quaternion (space);
                      v = velocity of the point, then angular velocity (ground axes);
                      out = force at the point, then torque, both in ground axes.
"""

import numpy as np

from dalembert._jit import call_vector, kernel
from dalembert.algebra.vectors import moment, turn_add
from dalembert.elements.bodies.markers import (
    arm,
    dimension,
    load,
    load_turn,
    omega,
    orientation,
    point,
    point_velocity,
    push,
    store,
    store_turn,
)

USER = np.dtype([("marker", "u4"), ("element", "u4"), ("handle", "i8")])


@kernel
def user_forces(s, w):
    n = dimension(s)
    for k in range(s.user.size):
        e = s.user[k]
        if w.only[0] >= 0 and w.only[0] != e.element:
            continue
        b = s.markers[e.marker].body
        a = arm(s, w, e.marker)
        store(s, w.x0, 0, point(s, w, e.marker, a))
        orientation(s, w, b, w.x0, n)
        store(s, w.x1, 0, point_velocity(s, w, e.marker, a))
        store_turn(s, w.x1, n, omega(s, w, b))
        for c in range(6):
            w.wrench[c] = 0.0
        call_vector(e.handle, w.t[0], w.x0, w.x1, w.wrench)
        F = load(s, w.wrench, 0)
        push(s, w, b, F, turn_add(load_turn(s, w.wrench, n), moment(a, F)))
