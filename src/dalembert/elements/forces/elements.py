"""The user's force elements: Force, Torque, Spring, TorsionSpring, Motor, Limit, Bushing, UserForce.

Kernels and equations: applied.py, effort.py, bushing.py, user.py.
"""

from __future__ import annotations

import math

from dalembert.elements.element import Element
from dalembert.errors import ModelError


class _Force(Element):
    kind = "force"


class Force(_Force):
    """A force on a body at a point: ``at`` (ground, as drawn) or ``on`` (body coordinates; default reference point).

    Components are laws of t, in ground axes or, with frame="body", along the body's axes.
    """

    def __init__(self, name, body, components, *, at=None, on=None, frame="ground"):
        self.name, self.body, self.components, self.at, self.on, self.frame = name, body, components, at, on, frame

    def build(self, b):
        b.applied("force", self, self.components, b.dim)


class Torque(_Force):
    """A torque on a body: a number in the plane, a vector in space; laws of t, in ground axes or frame="body"."""

    def __init__(self, name, body, components, *, frame="ground"):
        self.name, self.body, self.components, self.frame = name, body, components, frame
        self.at = self.on = None

    def build(self, b):
        components = [self.components] if b.dim == 2 and not isinstance(self.components, (list, tuple)) else self.components
        b.applied("torque", self, components, 1 if b.dim == 2 else 3)


class Spring(_Force):
    """Spring–damper–actuator between two points: tension k (l − l₀) + c l̇ + actuator(t, length, rate).

    ``length`` is l₀ (default: as drawn).  ``actuator`` is a law of t, length, rate; positive pulls the ends together.
    """

    pulls = True
    law_names = ("t", "length", "rate")

    def __init__(self, name, i, j, *, at_i=None, at_j=None, on_i=None, on_j=None, stiffness=0.0, damping=0.0, length=None,
                 actuator=None):
        self.name, self.i, self.j, self.at_i, self.at_j, self.on_i, self.on_j = name, i, j, at_i, at_j, on_i, on_j
        self.stiffness, self.damping, self.length, self.actuator = stiffness, damping, length, actuator

    def build(self, b):
        i, j = b.point_markers(self)
        rest = b.drawn_distance(i, j) if self.length is None else b.number(self.length, f"length of {self.title}")
        if b.drawn_distance(i, j) == 0.0:
            raise ModelError(f"{self.title}: its two points are the same as drawn, so the spring has no direction")
        b.effort(self, b.distance(i, j), rest, self.actuator, -1.0, self.law_names)


class TorsionSpring(_Force):
    """Rotational spring–damper on a joint's angle (or between two bodies of the plane): torque on j −k (θ − θ₀) − c θ̇.

    ``of`` is a joint, or a pair of bodies (plane); the angle is measured from the drawn pose; ``actuator`` is a law of
    t, angle, rate that adds to the spring's torque k (θ − θ₀) + c θ̇ (positive resists).
    """

    law_names = ("t", "angle", "rate")

    def __init__(self, name, of, *, stiffness=0.0, damping=0.0, angle=0.0, actuator=None):
        self.name, self.of, self.stiffness, self.damping, self.angle, self.actuator = (
            name, of, stiffness, damping, angle, actuator)

    def build(self, b):
        measure = b.coordinate(self.of, self, "angle")
        b.effort(self, measure, b.number(self.angle, f"angle of {self.title}"), self.actuator, -1.0, self.law_names)


class Motor(_Force):
    """A given torque or force on a coordinate: ``law`` of t, coordinate, rate; positive drives the second body forward."""

    law_names = ("t", "coordinate", "rate")

    def __init__(self, name, of, law):
        self.name, self.of, self.law = name, of, law
        self.stiffness = self.damping = 0.0

    def build(self, b):
        b.effort(self, b.coordinate(self.of, self), 0.0, self.law, 1.0, self.law_names)


class Limit(_Force):
    """End stops of a coordinate: free between ``lower`` and ``upper`` (one may be left out), a stiff spring beyond.

    ``of`` is a joint, a body's coordinate, or whatever a drive takes.  Beyond an end by δ the stop pushes back with
    ``stiffness`` δ + ``damping`` δ δ̇; it never pulls.  What hits it at speed v comes back with about
    1 − ⅔ (damping/stiffness) v of its speed.  Lengths in m and angles in rad, from where the coordinate counts.
    """

    def __init__(self, name, of, *, lower=None, upper=None, stiffness, damping=0.0):
        self.name, self.of, self.lower, self.upper = name, of, lower, upper
        self.stiffness, self.damping = stiffness, damping

    def build(self, b):
        if self.lower is None and self.upper is None:
            raise ModelError(f"{self.title}: give lower=, upper=, or both")
        lower = -math.inf if self.lower is None else b.number(self.lower, f"lower of {self.title}")
        upper = math.inf if self.upper is None else b.number(self.upper, f"upper of {self.title}")
        if lower >= upper:
            raise ModelError(f"{self.title}: lower is {lower:g} and upper is {upper:g}; there is no room between them")
        b.positive(self.stiffness, f"stiffness of {self.title}")
        if b.number(self.damping, f"damping of {self.title}") < 0:
            raise ModelError(f"{self.title}: damping is negative; a stop would put energy in")
        b.effort(self, b.coordinate(self.of, self), (lower, upper), None, 1.0, ("t", "coordinate", "rate"))


class Bushing(_Force):
    """Elastic block at a point: stiffness and damping along, torsion and torsion_damping about the ground axes as drawn.

    Numbers or one number per axis; torsion in the plane is a single number.
    """

    def __init__(self, name, i, j, *, at=None, on_i=None, on_j=None, stiffness=0.0, damping=0.0, torsion=0.0,
                 torsion_damping=0.0):
        self.name, self.i, self.j, self.at, self.on_i, self.on_j = name, i, j, at, on_i, on_j
        self.stiffness, self.damping, self.torsion, self.torsion_damping = stiffness, damping, torsion, torsion_damping
        self.axis = self.axis_i = self.axis_j = None

    def build(self, b):
        b.bushing(self)


class UserForce(_Force):
    """A Python function f(t, x, v, out), compiled: see elements/forces/user.py for what x, v and out hold."""

    def __init__(self, name, body, function, *, at=None, on=None):
        self.name, self.body, self.function, self.at, self.on = name, body, function, at, on

    def build(self, b):
        b.user_force(self)
