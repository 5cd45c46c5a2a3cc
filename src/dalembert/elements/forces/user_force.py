"""UserForce: a user's own force on a body, as a compiled Python function.

    f(t, x, v, out):  x = position of the point (2 or 3), then the angle (plane) or the quaternion (space);
                      v = velocity of the point, then angular velocity (ground axes);
                      out = force at the point, then torque, both in ground axes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
from dalembert.elements.forces.base import BaseForce
from dalembert.elements.forces.force import Force
from dalembert.elements.given import Ref, Vector
from dalembert.errors import ModelError

ROW = np.dtype([("marker", "u4"), ("element", "u4"), ("handle", "i8")])


@kernel
def evaluate(s, w):
    n = dimension(s)
    for k in range(s.user_force.size):
        e = s.user_force[k]
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


class UserForce(BaseForce):
    """A force of your own on a body: a Python function of its motion, compiled where that can be done.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    body : body or name [–]
        What it acts on.
    function : function f(t, x, v, out) [m, rad, m/s, rad/s → N, N·m]
        Fills ``out`` and returns nothing; arithmetic, ``math``, branches and loops. What Numba cannot compile is called in
        Python instead, slower, and a line says so.
    at : vector [m], optional
        The point, ground coordinates as drawn.
    on : vector [m], optional
        The same in the body's own coordinates; left out both: the reference point.

    Notes
    -----
    Acts: with ``out``: the force at the point (2 or 3 numbers), then the torque (1 or 3), ground axes; ``out`` holds zeros
    when f is called. In the plane x = (x, y, angle), v = (vx, vy, ω), out = (Fx, Fy, T); in space x = (x, y, z, e0, e1, e2,
    e3), v = (velocity of the point, angular velocity in ground axes), out = (force, torque).

    Signs: everything in ground axes. f must give the same for the same arguments: it is tried twice, and state of its own is
    refused.

    Degenerate: where f divides by zero; jumps in f cost steps, ``da.Law(f, breaks=[…])`` tells their times.

    Examples
    --------
    >>> import math
    >>> import dalembert as da
    >>> def drag(t, x, v, out):
    ...     speed = math.hypot(v[0], v[1])
    ...     out[0] = -0.1 * speed * v[0]
    ...     out[1] = -0.1 * speed * v[1]
    >>> m = da.Model("throw", dim=2, gravity=(0, -9.81))
    >>> ball = m.add(da.Body("ball", mass=0.5, inertia=0.001, velocity=(10, 0), shapes=[da.Sphere(0.1)]))
    >>> air = m.add(da.UserForce("air", ball, drag))
    >>> run = da.simulate(m, 1.0)
    >>> da.accelerations(m)["ball"].acceleration.round(3).tolist()       # −0.1·10²/0.5 along x
    [-20.0, -9.81]
    """

    drawn_as = ""  # an arrow
    no_formula = "its force is a Python function of the state"

    def __init__(self, name: str, body: Ref, function: Callable[..., Any], *, at: Vector | None = None,
                 on: Vector | None = None) -> None:
        self.name, self.body, self.function, self.at, self.on = name, body, function, at, on

    def build(self, b):
        body = b.body(self.body, self)
        if body == b.ground:
            raise ModelError(f"{self.title}: acts on the ground, which does not move")
        marker = b.marker(body, b.point_on(self, body, self.at, self.on, "on"), np.eye(b.dim))
        b.at_markers(self, marker, marker)
        b.force("user_force", self, (marker,), marker=marker,
                handle=b.vector_function(self.function, self.title, (3, 3, 3) if b.dim == 2 else (7, 6, 6)))

    def without_functions(self, zero, dim):
        place = {k: self.given[k] for k in ("at", "on") if k in self.given}
        return Force(self.name, self.given["body"], (0.0,) * dim, **place)
