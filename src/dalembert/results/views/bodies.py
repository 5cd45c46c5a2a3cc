"""Bodies of a motion: poses over the samples, and the view by name."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from dalembert.errors import AnalysisError
from dalembert.results.views.view import Array, View
from dalembert.system import poses


def cross(a, b, dim):
    """a × b per sample: a number in the plane."""
    if dim == 3:
        return np.cross(a, b)
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def spin(w, s, dim):
    """w × s per sample."""
    if dim == 3:
        return np.cross(w, s)
    return np.stack([-w * s[..., 1], w * s[..., 0]], axis=-1)


class Frames:
    """Poses of one body over the samples; accelerations are asked for when they are read."""

    def __init__(self, motion, body: int):
        s, placed = motion.system, motion.placed
        self._m, self._body = motion, body
        self.r, self.A = poses.body(s, placed.pose, body)
        self.v, self.omega = poses.motion(s, placed.twist, body)
        self.com = s.tables.bodies["com"][body] if body < s.nb else np.zeros(s.dim)
        self._still = body in s.particles  # the turn of a point is idle: as drawn, at rest
        if self._still:
            self.A = np.broadcast_to(np.eye(s.dim), self.A.shape)
            self.omega = np.zeros_like(self.omega)

    @cached_property
    def _rates(self) -> np.ndarray:
        return self._m.observed.vdot[:, self._m.system.at_v(self._body)]

    @property
    def a(self) -> np.ndarray:
        """Acceleration of the centre of mass."""
        s = self._m.system
        return self._rates[:, : s.dim] if self._body < s.nb else np.zeros_like(self.r)

    @property
    def alpha(self) -> np.ndarray:
        """Angular acceleration, ground axes."""
        s = self._m.system
        if self._body >= s.nb or self._still:
            return np.zeros_like(self.omega)
        return self._rates[:, 2] if s.dim == 2 else np.einsum("tij,tj->ti", self.A, self._rates[:, 3:])

    def arm(self, local):
        return self.A @ (np.asarray(local, float) - self.com)


class BodyView(View):
    """Where a body is and how it moves; position and velocity are those of its reference point, in ground axes.

    Attributes
    ----------
    position, velocity, acceleration : array [m, m/s, m/s²]
        Of the reference point, ground axes; (nt, 2) or (nt, 3), without the first axis in a state.
    x, y, z : array [m]
        Components of the position.
    angle : array [rad]
        Plane only; counts full turns.
    quaternion : array [–]
        Space only; scalar first, body axes to ground axes, without jumps of sign.
    omega_ground : array [rad/s]
        Angular velocity in ground axes (``omega``: in body axes).
    point, point_velocity, point_acceleration : methods of a place in body coordinates [m, m/s, m/s²]
        Of any point of the body, ground axes.
    """

    def __init__(self, motion, name):
        self._m, self.name = motion, name
        self._k = motion.system.bodies.index(name)
        self._dim = motion.system.dim

    @property
    def is_particle(self) -> bool:
        """A point mass: its turn is that of the drawing and means nothing."""
        return self._k in self._m.system.particles

    @cached_property
    def _f(self) -> Frames:
        return Frames(self._m, self._k)

    def _at(self, local):
        local = np.asarray(local, float)
        if local.shape != (self._dim,):
            raise AnalysisError(f"a point of body '{self.name}' has {self._dim} coordinates, got {local.tolist()}")
        return self._f.arm(local)

    def point(self, local: Any) -> Array:
        return self._m.shape(self._f.r + self._at(local))

    def point_velocity(self, local: Any) -> Array:
        f, s = self._f, self._at(local)
        return self._m.shape(f.v + spin(f.omega, s, self._dim))

    def point_acceleration(self, local: Any) -> Array:
        f, s = self._f, self._at(local)
        bias = spin(f.omega, spin(f.omega, s, self._dim), self._dim)
        return self._m.shape(f.a + spin(f.alpha, s, self._dim) + bias)

    @property
    def position(self) -> Array:
        return self.point(np.zeros(self._dim))

    @property
    def velocity(self) -> Array:
        return self.point_velocity(np.zeros(self._dim))

    @property
    def acceleration(self) -> Array:
        return self.point_acceleration(np.zeros(self._dim))

    @property
    def angle(self) -> Array:
        if self._dim == 3:
            raise AnalysisError(f"body '{self.name}' lives in space: read .quaternion or .rotation, not .angle")
        if self.is_particle:
            return self._m.shape(np.zeros(len(self._m._t)))
        return self._m.shape(self._m._q[:, 3 * self._k + 2])

    @property
    def quaternion(self) -> Array:
        if self._dim == 2:
            raise AnalysisError(f"body '{self.name}' lives in the plane: read .angle, not .quaternion")
        if self.is_particle:
            return self._m.shape(np.tile([1.0, 0.0, 0.0, 0.0], (len(self._m._t), 1)))
        e = self._m._q[:, 7 * self._k + 3:7 * self._k + 7]
        e = e / np.linalg.norm(e, axis=1, keepdims=True)
        flips = np.cumprod(np.where(np.einsum("ti,ti->t", e[1:], e[:-1]) < 0, -1.0, 1.0))
        return self._m.shape(e * np.concatenate([[1.0], flips])[:, None])

    @property
    def rotation(self) -> Array:
        """Rotation matrix, body axes to ground axes."""
        return self._m.shape(self._f.A)

    @property
    def omega(self) -> Array:
        """Angular velocity in body axes (a number in the plane)."""
        f = self._f
        return self._m.shape(f.omega if self._dim == 2 else np.einsum("tji,tj->ti", f.A, f.omega))

    @property
    def omega_ground(self) -> Array:
        """Angular velocity in ground axes (a number in the plane)."""
        return self._m.shape(self._f.omega)

    @property
    def angular_acceleration(self) -> Array:
        """ω̇ in body axes, as ``omega`` is (a number in the plane); ``angular_acceleration_ground`` is the same in ground axes."""
        f = self._f
        return self._m.shape(f.alpha if self._dim == 2 else np.einsum("tji,tj->ti", f.A, f.alpha))

    @property
    def angular_acceleration_ground(self) -> Array:
        """ω̇ in ground axes: the same vector (ω × ω = 0, so both are the rate of ω in their own axes)."""
        return self._m.shape(self._f.alpha)

    @property
    def _inertia(self):
        return self._m.system.tables.bodies[self._k]

    @property
    def kinetic_energy(self) -> Array:
        """T of this body: ½ m v_G² + ½ ω·J ω, v_G that of its centre of mass."""
        f, m, J = self._f, self._inertia["mass"], self._inertia["inertia"]
        if self._dim == 2:
            turning = J * f.omega**2
        else:
            turning = np.einsum("ti,ij,tj->t", self._spin(), np.reshape(J, (3, 3)), self._spin())
        return self._m.shape(0.5 * m * (f.v * f.v).sum(axis=1) + 0.5 * turning)

    @property
    def momentum(self) -> Array:
        """m v_G, ground axes."""
        return self._m.shape(self._inertia["mass"] * self._f.v)

    @property
    def angular_momentum(self) -> Array:
        """H_G = J̄ω̄ about the centre of mass, in body axes (a number in the plane)."""
        J = self._inertia["inertia"]
        return self._m.shape(J * self._f.omega if self._dim == 2 else self._spin() @ np.reshape(J, (3, 3)).T)

    @property
    def angular_momentum_ground(self) -> Array:
        """H_G in ground axes; its rate is the moment of all forces about the centre of mass."""
        if self._dim == 2:
            return self.angular_momentum
        J = np.reshape(self._inertia["inertia"], (3, 3))
        return self._m.shape(np.einsum("tij,jk,tk->ti", self._f.A, J, self._spin()))

    def _spin(self):
        """ω in body axes, over the samples (space)."""
        return np.einsum("tji,tj->ti", self._f.A, self._f.omega)

    @property
    def x(self) -> Array:
        return self.position[..., 0]

    @property
    def y(self) -> Array:
        return self.position[..., 1]

    @property
    def z(self) -> Array:
        if self._dim == 2:
            raise AnalysisError(f"body '{self.name}' lives in the plane: it has x and y, no z")
        return self.position[..., 2]
