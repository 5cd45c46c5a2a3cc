"""Bodies as the derivation sees them: partial velocities of the centre of mass and of the rotation, points and axes as jets.

Plane    (x, y) of the centre of mass and θ are jets; a point is r + A s with A from cos θ, sin θ.
Space    A is a matrix of formulas; ω̄ has components along the body's axes; the velocity of the centre of mass is along the
         body's axes (joint coordinates: shortest formulas) or along the ground's (absolute coordinates, as in the engine's
         r–ω form).
             point at s:   ∂: A (v̄_k + ω̄_k × s)      rate: A (v̄ + ω̄ × s)      bias: A (ā + ᾱ × s + ω̄ × (ω̄ × s))

``trans`` and ``turn`` list the components whose products with (m, J̄) make the inertia: T = ½ m v·v + ½ ω̄·J̄ ω̄.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from dalembert.symbolic.kinematics.jet import ZERO, Jet
from dalembert.symbolic.simplify import tidy


class Twist:
    """A vector of speeds: partial velocities by speed number, rate, and bias (its derivative where no speed changes)."""

    def __init__(self, grad, rate, bias):
        self.grad, self.rate, self.bias = grad, rate, bias

    @classmethod
    def rest(cls, n=3):
        return cls({}, zeros(n), zeros(n))

    def turned(self, R) -> Twist:
        """Components along other axes: R times each vector."""
        return Twist({k: R @ g for k, g in self.grad.items()}, R @ self.rate, R @ self.bias)

    def __add__(self, o) -> Twist:
        grad = dict(self.grad)
        for k, g in o.grad.items():
            grad[k] = grad[k] + g if k in grad else g
        return Twist(grad, self.rate + o.rate, self.bias + o.bias)

    def tidied(self) -> Twist:
        """The same, each component in a short form."""
        def short(v):
            return np.array([tidy(x) for x in v], dtype=object)

        return Twist({k: short(g) for k, g in self.grad.items()}, short(self.rate), short(self.bias))

    def __neg__(self) -> Twist:
        return Twist({k: -g for k, g in self.grad.items()}, -self.rate, -self.bias)


def zeros(n):
    return np.array([ZERO] * n, dtype=object)


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]], dtype=object)


class PlaneFrame:
    """A body (or the ground) in the plane."""

    def __init__(self, mass, inertia, com, x: Jet, y: Jet, theta: Jet):
        self.mass, self.inertia, self.com_local = mass, inertia, com
        self.com, self.theta = [x, y], theta
        self.c, self.s = theta.cos(), theta.sin()
        self.A = np.array([[self.c.value, -self.s.value], [self.s.value, self.c.value]], dtype=object)

    def _turn(self, a) -> list[Jet]:
        return [self.c * a[0] - self.s * a[1], self.s * a[0] + self.c * a[1]]

    def point(self, local) -> list[Jet]:
        """A point given in the body's own frame."""
        arm = self._turn([local[k] - self.com_local[k] for k in range(2)])
        return [self.com[k] + arm[k] for k in range(2)]

    def axis(self, a) -> list[Jet]:
        return self._turn(a)

    @property
    def trans(self) -> Twist:
        return _twist(self.com)

    @property
    def turn(self) -> Twist:
        return _twist([self.theta])

    @property
    def spin(self) -> Twist:
        """Angular velocity along ground axes."""
        return self.turn

    def ground_force(self, F):
        """A force along ground axes, along those of ``trans``."""
        return F

    def momentum_bias(self):
        return zeros(1)

    def weigh(self, w):
        return np.array([self.inertia * w[0]], dtype=object)


def _twist(jets) -> Twist:
    numbers = dict.fromkeys(k for j in jets for k in j.grad)
    grad = {k: np.array([j.grad.get(k, ZERO) for j in jets], dtype=object) for k in numbers}
    return Twist(grad, np.array([j.rate for j in jets], dtype=object), np.array([j.bias for j in jets], dtype=object))


class SpaceFrame:
    """A body (or the ground) in space: A, r of the centre of mass, ω̄ along body axes, v along body or ground axes."""

    def __init__(self, mass, inertia, com, A, r, turn: Twist, trans: Twist, body_axes=True):
        self.mass, self.inertia, self.com_local = mass, inertia, com
        self.A, self.r, self.turn, self.trans, self.body_axes = A, r, turn, trans, body_axes

    @property
    def com(self) -> list[Jet]:
        return self.point(self.com_local)

    def point(self, local) -> list[Jet]:
        s = np.array([local[k] - self.com_local[k] for k in range(3)], dtype=object)
        w = self.turn
        numbers = dict.fromkeys([*self.trans.grad, *w.grad])
        still = all(x == 0 for x in s)
        R = self.A
        inner = {k: zeros(3) if still or k not in w.grad else cross(w.grad[k], s) for k in numbers}
        v = zeros(3) if still else cross(w.rate, s)
        b = zeros(3) if still else cross(w.bias, s) + cross(w.rate, cross(w.rate, s))
        if self.body_axes:
            grad = {k: R @ (inner[k] + self.trans.grad.get(k, zeros(3))) for k in numbers}
            rate, bias = R @ (v + self.trans.rate), R @ (b + self.trans.bias)
        else:
            grad = {k: R @ inner[k] + self.trans.grad.get(k, zeros(3)) for k in numbers}
            rate, bias = R @ v + self.trans.rate, R @ b + self.trans.bias
        return _jets(self.r + R @ s, grad, rate, bias)

    def axis(self, a) -> list[Jet]:
        a = np.array(list(a), dtype=object)
        w, R = self.turn, self.A
        return _jets(
            R @ a,
            {k: R @ cross(g, a) for k, g in w.grad.items()},
            R @ cross(w.rate, a),
            R @ (cross(w.bias, a) + cross(w.rate, cross(w.rate, a))),
        )

    @property
    def spin(self) -> Twist:
        return self.turn.turned(self.A)

    def ground_force(self, F):
        return self.A.T @ F if self.body_axes else F

    def momentum_bias(self):
        """ω̄ × J̄ ω̄."""
        return cross(self.turn.rate, self.weigh(self.turn.rate))

    def weigh(self, w):
        return self.inertia @ w


def _jets(value, grad, rate, bias) -> list[Jet]:
    return [Jet(value[c], {k: g[c] for k, g in grad.items() if g[c] != 0}, rate[c], bias[c]) for c in range(len(value))]


def ground(dim):
    """The fixed frame."""
    if dim == 2:
        return PlaneFrame(ZERO, ZERO, zeros(2), Jet(ZERO), Jet(ZERO), Jet(ZERO))
    one = np.array(sp.eye(3).tolist(), dtype=object)
    return SpaceFrame(ZERO, sp.zeros(3), zeros(3), one, zeros(3), Twist.rest(), Twist.rest())
