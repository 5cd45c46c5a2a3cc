"""Views on a motion by name: bodies, joints and constraints, drives, forces.

Forces are what the element exerts on its second body, at its marker on that body, in ground axes; ``on``, ``at`` and
``axes`` give the same wrench on another body, at another point, in other axes.
"""

from __future__ import annotations

import numpy as np

from dalembert.elements.element import name_of
from dalembert.errors import AnalysisError


def _cross(a, b, dim):
    """a × b per sample: a number in the plane."""
    if dim == 3:
        return np.cross(a, b)
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def _spin(w, s, dim):
    """w × s per sample."""
    if dim == 3:
        return np.cross(w, s)
    return np.stack([-w * s[..., 1], w * s[..., 0]], axis=-1)


class Frames:
    """Poses of one body over the samples."""

    def __init__(self, motion, body: int):
        s, o = motion.system, motion.observed
        d, pose, twist, n = s.dim, s.kind.POSE, s.kind.TWIST, s.kind.SIZE_V
        p = o.pose[:, pose * body:pose * body + pose]
        self.r = p[:, :d]
        if d == 2:
            c, z = p[:, 2], p[:, 3]
            self.A = np.stack([np.stack([c, -z], -1), np.stack([z, c], -1)], -2)
            self.omega = o.twist[:, twist * body + 2]
        else:
            self.A = p[:, 3:].reshape(-1, 3, 3)
            self.omega = o.twist[:, twist * body + 3:twist * body + 6]
        self.v = o.twist[:, twist * body:twist * body + d]
        if body < s.nb:
            self.com = s.tables.bodies["com"][body]
            a = o.vdot[:, n * body:n * body + n]
            self.a = a[:, :d]
            self.alpha = a[:, 2] if d == 2 else np.einsum("tij,tj->ti", self.A, a[:, 3:])
        else:
            self.com, self.a, self.alpha = np.zeros(d), np.zeros_like(self.r), np.zeros_like(self.omega)

    def arm(self, local):
        return self.A @ (np.asarray(local, float) - self.com)


class BodyView:
    """Where a body is and how it moves; position and velocity are those of its reference point, in ground axes."""

    def __init__(self, motion, name):
        self._m, self.name = motion, name
        self._k = motion.system.bodies.index(name)
        self._f = Frames(motion, self._k)
        self._dim = motion.system.dim

    def _at(self, local):
        local = np.asarray(local, float)
        if local.shape != (self._dim,):
            raise AnalysisError(f"a point of body '{self.name}' has {self._dim} coordinates, got {local.tolist()}")
        return self._f.arm(local)

    def point(self, local):
        return self._m.shape(self._f.r + self._at(local))

    def point_velocity(self, local):
        f, s = self._f, self._at(local)
        return self._m.shape(f.v + _spin(f.omega, s, self._dim))

    def point_acceleration(self, local):
        f, s = self._f, self._at(local)
        spin = _spin(f.omega, _spin(f.omega, s, self._dim), self._dim)
        return self._m.shape(f.a + _spin(f.alpha, s, self._dim) + spin)

    @property
    def position(self):
        return self.point(np.zeros(self._dim))

    @property
    def velocity(self):
        return self.point_velocity(np.zeros(self._dim))

    @property
    def acceleration(self):
        return self.point_acceleration(np.zeros(self._dim))

    @property
    def angle(self):
        if self._dim == 3:
            raise AnalysisError(f"body '{self.name}' lives in space: read .quaternion or .rotation, not .angle")
        return self._m.shape(self._m._q[:, 3 * self._k + 2])

    @property
    def quaternion(self):
        if self._dim == 2:
            raise AnalysisError(f"body '{self.name}' lives in the plane: read .angle, not .quaternion")
        e = self._m._q[:, 7 * self._k + 3:7 * self._k + 7]
        e = e / np.linalg.norm(e, axis=1, keepdims=True)
        flips = np.cumprod(np.where(np.einsum("ti,ti->t", e[1:], e[:-1]) < 0, -1.0, 1.0))
        return self._m.shape(e * np.concatenate([[1.0], flips])[:, None])

    @property
    def rotation(self):
        """Rotation matrix, body axes to ground axes."""
        return self._m.shape(self._f.A)

    @property
    def omega(self):
        """Angular velocity in body axes (a number in the plane)."""
        f = self._f
        return self._m.shape(f.omega if self._dim == 2 else np.einsum("tji,tj->ti", f.A, f.omega))

    @property
    def omega_ground(self):
        return self._m.shape(self._f.omega)

    @property
    def angular_acceleration(self):
        """In body axes (a number in the plane)."""
        f = self._f
        return self._m.shape(f.alpha if self._dim == 2 else np.einsum("tji,tj->ti", f.A, f.alpha))

    @property
    def x(self):
        return self.position[..., 0]

    @property
    def y(self):
        return self.position[..., 1]

    @property
    def z(self):
        return self.position[..., 2]


class JointView:
    """Reaction and coordinate of a joint or constraint."""

    def __init__(self, motion, name, body=None, point=None, frame="ground"):
        self._m, self.name = motion, name
        self._info = motion.system.groups[name]
        self._element = motion.model.elements[name]
        self._body, self._point, self._frame = body, point, frame

    # ------------------------------------------------------------------------------------------------ the wrench

    def on(self, body) -> JointView:
        """The same on another body of the joint."""
        return JointView(self._m, self.name, name_of(body, "on"), self._point, self._frame)

    def at(self, point) -> JointView:
        """The same at another point (ground coordinates; the torque changes)."""
        return JointView(self._m, self.name, self._body, np.asarray(point, float), self._frame)

    def axes(self, frame) -> JointView:
        """The same along the axes of a body ('ground' is the default)."""
        return JointView(self._m, self.name, self._body, self._point, name_of(frame, "axes"))

    def _bodies(self):
        s = self._m.system
        return [s.bodies[b] for b in self._info.blocks]

    def _target(self) -> str:
        if self._body is not None:
            return self._body
        second = getattr(self._element, "j", None)
        name = name_of(second, self.name) if second is not None else ""
        if name == "ground" or name in self._m.system.bodies:
            return name
        return self._bodies()[-1]

    def _com_wrench(self, body: int):
        """Force and torque (ground axes) on a body about its centre of mass."""
        s, o = self._m.system, self._m.observed
        n, d = s.kind.SIZE_V, s.dim
        block = self._info.blocks[body]
        w = o.reaction[:, n * block:n * block + n]
        f = Frames(self._m, body)
        torque = w[:, 2] if d == 2 else np.einsum("tij,tj->ti", f.A, w[:, 3:])
        return w[:, :d], torque, f.r

    def _where(self, target):
        """Point at which the wrench is given: the marker on the target body, in ground coordinates."""
        s = self._m.system
        if self._point is not None:
            return np.broadcast_to(self._point, (len(self._m._t), s.dim))
        markers = self._info.markers
        index = s.nb if target == "ground" else s.bodies.index(target)
        if markers is not None:
            for m in reversed(markers):
                row = s.tables.markers[m]
                if int(row["body"]) == index:
                    f = Frames(self._m, index)
                    return f.r + f.A @ np.asarray(row["s"])
        return Frames(self._m, index).r

    def _wrench(self):
        s, d, target = self._m.system, self._m.system.dim, self._target()
        involved = {s.bodies[b]: b for b in self._info.blocks}
        if target not in involved and target != "ground":
            raise AnalysisError(f"{self._element.title} does not act on '{target}'; it acts on {', '.join(involved)}")
        point = self._where(target)
        if target == "ground":  # the ground takes what the bodies do not keep
            parts = [(-1.0, *self._com_wrench(b)) for b in involved.values()]
        else:
            parts = [(1.0, *self._com_wrench(involved[target]))]
        force = sum(k * F for k, F, _, _ in parts)
        torque = sum(k * (T + _cross(r - point, F, d)) for k, F, T, r in parts)
        return self._along(force, True), self._along(torque, d == 3)

    def _along(self, vector, turns):
        if self._frame == "ground" or not turns:
            return vector
        s = self._m.system
        if self._frame not in s.bodies:
            raise AnalysisError(f"axes('{self._frame}'): there is no such body")
        A = Frames(self._m, s.bodies.index(self._frame)).A
        return np.einsum("tji,tj->ti", A, vector)

    @property
    def force(self):
        return self._m.shape(self._wrench()[0])

    @property
    def torque(self):
        return self._m.shape(self._wrench()[1])

    @property
    def multipliers(self):
        return self._m.shape(self._m.observed.lam[:, self._info.start:self._info.stop])

    @property
    def labels(self) -> list[str]:
        """What each multiplier belongs to, in words."""
        return [r.label for r in self._m.system.rows[self._info.start:self._info.stop]]

    def rows(self) -> list[dict]:
        """Per basic row and body: −Φ_rᵀλ (ground axes) and −Π̄ᵀλ (about the centre of mass, body axes)."""
        s = self._m.system
        n, d = s.kind.SIZE_V, s.dim
        w = s.workspace()
        out = [{"label": label, "multiplier": self._m.observed.lam[:, self._info.start + k].copy(), "on": {}}
               for k, label in enumerate(self.labels)]
        store = {b: np.empty((len(self._m._t), self._info.stop - self._info.start, n)) for b in self._info.blocks}
        for k in range(len(self._m._t)):
            w.set(self._m._t[k], self._m._q[k], self._m._v[k])
            w.run("rows")
            for b, number in self._info.blocks.items():
                at = int(s.tables.blocks[number]["at"])
                store[b][k] = w.D[at:at + store[b][k].size].reshape(-1, n)
        for k, item in enumerate(out):
            lam = item["multiplier"][:, None]
            item["multiplier"] = self._m.shape(item["multiplier"])
            for b, rows in store.items():
                item["on"][s.bodies[b]] = (self._m.shape(-rows[:, k, :d] * lam), self._m.shape(-rows[:, k, d:] * lam))
        return out

    # ------------------------------------------------------------------------------------------ the coordinate

    def _measure(self):
        s = self._m.system
        k = s.coordinates.get(self.name, s.primary.get(self.name) if not getattr(
            self._element, "coordinate_name", None) else None)
        return k

    def _measured(self, column):
        k = self._measure()
        if k is not None:
            values = self._m.observed.measured[:, 3 * k + column]
            return self._m.shape(np.array(values))
        raise AnalysisError(f"{self._element.title} has no single coordinate")

    @property
    def coordinate(self):
        return self._measured(0)

    @property
    def rate(self):
        return self._measured(1)


class DriveView(JointView):
    """What a drive does: the coordinate it prescribes and the effort it supplies, −λ."""

    @property
    def _effort(self):
        return self._m.shape(-self._m.observed.lam[:, self._info.start])

    @property
    def force(self):
        return self._effort

    @property
    def torque(self):
        return self._effort

    @property
    def power(self):
        k = self._info.start
        return self._m.shape(-self._m.observed.lam[:, k] * self._m.observed.nu[:, k])


class ForceView:
    """A force element: its share of the generalised forces; for springs and motors also length (or angle), rate, force."""

    def __init__(self, motion, name):
        self._m, self.name = motion, name

    def _column(self, column):
        k = self._m.system.primary.get(self.name)
        if k is None:
            raise AnalysisError(f"{self._m.model.elements[self.name].title} has no length or angle")
        return np.array(self._m.observed.measured[:, 3 * k + column])

    @property
    def length(self):
        return self._m.shape(self._column(0))

    angle = coordinate = length

    @property
    def rate(self):
        return self._m.shape(self._column(1))

    @property
    def force(self):
        """Tension of a spring (positive pulls); torque of a torsion spring on its second body, effort of a motor;
        for applied forces the force itself (ground axes)."""
        s = self._m.system
        if self.name in s.primary:
            row = np.flatnonzero(s.tables.effort["element"] == s.numbers[self.name])[0]
            p = self._m.observed.strength[:, row]
            return self._m.shape(-p if type(self._m.model.elements[self.name]).__name__ == "Spring" else p)
        if self.name not in s.markers:
            raise AnalysisError(f"{self._m.model.elements[self.name].title} acts on all bodies: read .generalized")
        n, d = s.kind.SIZE_V, s.dim
        body = int(s.tables.markers[s.markers[self.name][-1]]["body"])
        return self._m.shape(self._generalized()[:, n * body:n * body + d])

    torque = force

    def _generalized(self):
        """Q of this element alone, over the samples."""
        s = self._m.system
        w = s.workspace()
        w.only[0] = s.numbers[self.name]
        out = np.empty((len(self._m._t), s.nv))
        for n in range(len(out)):
            w.set(self._m._t[n], self._m._q[n], self._m._v[n])
            w.run("generalized_forces")
            out[n] = w.Q
        return out

    @property
    def generalized(self):
        return self._m.shape(self._generalized())

