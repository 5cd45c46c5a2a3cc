"""UserForce: a user's own force on a body, or between two, as a compiled Python function.

    f(t, x, v, out):  x = position of the point (2 or 3), then the angle (plane) or the quaternion (space);
                      v = velocity of the point, then angular velocity (ground axes);
                      out = force F at the point, then torque T, in ground axes or along the body's own.

With another body x and v go on with its point and motion, and (−F, −T) act on it, at the same place p in space: about its centre
r they are −T − (p − r) × F.  The pair has no resultant and no moment, so momentum stays; its power is that of F at the velocity
of the point of the first body against the point of the second that is there just now, and of T at the difference of the turns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dalembert._jit import call_vector, kernel
from dalembert.algebra.vectors import moment, scale, sub, turn_add, turn_scale
from dalembert.elements.bodies.markers import (
    NONE,
    arm,
    axis,
    dimension,
    load,
    load_turn,
    omega,
    orientation,
    point,
    point_velocity,
    position,
    push,
    store,
    store_turn,
    turn_from_marker,
)
from dalembert.elements.forces.base import BaseForce
from dalembert.elements.forces.force import Force
from dalembert.elements.given import Ref, Vector
from dalembert.errors import ModelError

ROW = np.dtype([("marker", "u4"), ("element", "u4"), ("other", "u4"), ("follows", "u4"), ("handle", "i8")])


@kernel
def along(s, w, marker, n):
    """F from its components along the marker's axes, which are at the head of wrench."""
    for c in range(n):
        w.wrench[9 + c] = 0.0
    for c in range(n):
        store(s, w.wrench, 6, scale(axis(s, w, marker, c), w.wrench[c]))
        for m in range(n):
            w.wrench[9 + m] += w.wrench[6 + m]
    return load(s, w.wrench, 9)


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
        if e.other != NONE:
            o = s.markers[e.other].body
            far = arm(s, w, e.other)
            at = 3 if n == 2 else 7
            store(s, w.x0, at, point(s, w, e.other, far))
            orientation(s, w, o, w.x0, at + n)
            at = 3 if n == 2 else 6
            store(s, w.x1, at, point_velocity(s, w, e.other, far))
            store_turn(s, w.x1, at + n, omega(s, w, o))
        for c in range(6):
            w.wrench[c] = 0.0
        call_vector(e.handle, w.t[0], w.x0, w.x1, w.wrench)
        T = load_turn(s, w.wrench, n)
        F = load(s, w.wrench, 0)
        if e.follows != 0:
            T = turn_from_marker(s, w, e.marker, T)
            F = along(s, w, e.marker, n)
        push(s, w, b, F, turn_add(T, moment(a, F)))
        if e.other != NONE:
            o = s.markers[e.other].body
            back = scale(F, -1.0)
            across = sub(point(s, w, e.marker, a), position(s, w, o))
            push(s, w, o, back, turn_add(turn_scale(T, -1.0), moment(across, back)))


class UserForce(BaseForce):
    """A force of your own on a body, or between two: a Python function of their motion, compiled where that can be done.

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
    other : body or name [–], optional
        A second body, on which the opposite acts; x and v then go on with its point and motion.
    at_other : vector [m], optional
        The point of the other body that f is told about, ground coordinates as drawn.
    on_other : vector [m], optional
        The same in the other body's own coordinates; left out both: its reference point.
    frame : text [–], default 'ground'
        What ``out`` is along: "ground", or "body": the axes of ``body``, so that the force follows it.

    Notes
    -----
    Acts: with ``out``: the force at the point (2 or 3 numbers), then the torque (1 or 3); ``out`` holds zeros when f is
    called. In the plane x = (x, y, angle), v = (vx, vy, ω), out = (Fx, Fy, T); in space x = (x, y, z, e0, e1, e2, e3),
    v = (velocity of the point, angular velocity in ground axes), out = (force, torque). With ``other`` the opposite force and
    torque act on it at the same place in space, so that the two have no resultant and no moment; in the ledger their power is
    that of one law.

    Signs: x and v in ground axes, ``out`` as ``frame`` says; ``out`` acts on ``body``. f must give the same for the
    same arguments: it is tried twice, and state of its own is refused.

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
    arguments = {"other": "reference", "at_other": "vector", "on_other": "vector"}

    def __init__(self, name: str, body: Ref, function: Callable[..., Any], *, at: Vector | None = None,
                 on: Vector | None = None, other: Ref | None = None, at_other: Vector | None = None,
                 on_other: Vector | None = None, frame: str = "ground") -> None:
        self.name, self.body, self.function, self.at, self.on = name, body, function, at, on
        self.other, self.at_other, self.on_other, self.frame = other, at_other, on_other, frame

    def build(self, b):
        body = b.body(self.body, self)
        if body == b.ground:
            raise ModelError(f"{self.title}: acts on the ground, which does not move")
        if self.frame not in ("ground", "body"):
            raise ModelError(f"{self.title}: frame is 'ground' or 'body', not {self.frame!r}")
        marker = b.marker(body, b.point_on(self, body, self.at, self.on, "on"), np.eye(b.dim))
        sizes, far = ((3, 3, 3) if b.dim == 2 else (7, 6, 6)), None
        if self.other is not None:
            second = b.body(self.other, self)
            if second == b.ground or second == body:
                raise ModelError(f"{self.title}: other= is a second body that moves; on the ground leave it out: what acts there "
                                 "moves nothing")
            far = b.marker(second, b.point_on(self, second, self.at_other, self.on_other, "on_other"), np.eye(b.dim))
            sizes = (2 * sizes[0], 2 * sizes[1], sizes[2])
        elif self.at_other is not None or self.on_other is not None:
            raise ModelError(f"{self.title}: at_other= and on_other= say where on the other body; name it with other=")
        b.at_markers(self, marker if far is None else far, marker)
        b.force("user_force", self, (marker,) if far is None else (marker, far), marker=marker,
                other=NONE if far is None else far, follows=int(self.frame == "body"),
                handle=b.vector_function(self.function, self.title, sizes))

    def without_functions(self, zero, dim):
        place = {k: self.given[k] for k in ("at", "on") if k in self.given}
        return Force(self.name, self.given["body"], (0.0,) * dim, **place)
