"""Views on a motion by name: joints and constraints, drives, forces (bodies: bodies.py).

Forces are what the element exerts on its second body, at its marker on that body, in ground axes; ``on``, ``at`` and
``axes`` give the same wrench on another body, at another point, in other axes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.elements.element import name_of
from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError
from dalembert.results.views.bodies import Frames, cross
from dalembert.results.views.rubbed import RubbedView
from dalembert.results.views.view import Array, View
from dalembert.system import poses


class JointView(RubbedView):
    """Reaction and coordinate of a joint or constraint.

    Attributes
    ----------
    force : array [N]
        What the joint exerts on its second body to hold it, at its marker there, ground axes; friction is apart.
    torque : array [N·m]
        The same for the torque about that point; a number in the plane.
    coordinate, rate : array [m or rad; m/s or rad/s]
        The joint's own coordinate, zero as drawn, and its rate.
    multipliers : array
        λ of its rows; ``labels`` says what each belongs to.
    friction, friction_torque, normal_force, sticking, friction_loss : array [N, N·m, N, –, J]
        Of a joint with ``friction=``: at its surfaces, on j; what presses them; 1 or 0; lost since the start.
    tensions : array [N]
        Of a rope, at i and at j.
    """

    def __init__(self, motion, name, body=None, point=None, frame="ground"):
        self._m, self.name = motion, name
        self._info = motion.system.groups[name]
        self._element = motion.model.elements[name]
        self._body, self._point, self._frame = body, point, frame

    # ------------------------------------------------------------------------------------------------ the wrench

    def on(self, body: Any) -> JointView:
        """The same on another body of the joint."""
        return type(self)(self._m, self.name, name_of(body, "on"), self._point, self._frame)

    def at(self, point: Any) -> JointView:
        """The same at another point (ground coordinates; the torque changes)."""
        if np.shape(point)[-1:] != (self._m.system.dim,):
            raise AnalysisError(f"at(): a point has {self._m.system.dim} coordinates here, got {point!r}")
        return type(self)(self._m, self.name, self._body, np.asarray(point, float), self._frame)

    def axes(self, frame: Any) -> JointView:
        """The same along the axes of a body ('ground' is the default)."""
        return type(self)(self._m, self.name, self._body, self._point, name_of(frame, "axes"))

    def _bodies(self):
        s = self._m.system
        return [s.bodies[b] for b in self._info.blocks]

    def _target(self) -> str:
        if self._body is not None:
            return self._body
        if self._info.second is not None:
            return (*self._m.system.bodies, "ground")[self._info.second]
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
                if poses.carrier(s, m) == index:
                    return poses.marker(s, self._m.observed.pose, m)[0]
        return Frames(self._m, index).r

    def _touches_ground(self) -> bool:
        refs = (getattr(self._element, side, None) for side in ("i", "j"))
        named = [name_of(r, self.name) for r in refs if r is not None]
        return "ground" in named or not all(n in self._m.system.bodies for n in named) or not named

    def _wrench(self):
        s, d, target = self._m.system, self._m.system.dim, self._target()
        involved = {s.bodies[b]: b for b in self._info.blocks}
        if target not in involved and target != "ground":
            raise AnalysisError(f"{self._element.title} does not act on '{target}'; it acts on {', '.join(involved)}")
        point = self._where(target)
        if target == "ground" and not self._touches_ground():
            raise AnalysisError(f"{self._element.title} does not act on the ground; it acts on {', '.join(involved)}")
        if target == "ground":  # the ground takes what the bodies do not keep
            parts = [(-1.0, *self._com_wrench(b)) for b in involved.values()]
        else:
            parts = [(1.0, *self._com_wrench(involved[target]))]
        force = sum(k * F for k, F, _, _ in parts)
        torque = sum(k * (T + cross(r - point, F, d)) for k, F, T, r in parts)
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
    def force(self) -> Array:
        return self._m.shape(self._wrench()[0])

    @property
    def torque(self) -> Array:
        return self._m.shape(self._wrench()[1])

    @property
    def multipliers(self) -> Array:
        return self._m.shape(self._m.observed.lam[:, self._info.start:self._info.stop])

    @property
    def power(self) -> Array:
        """What its rows put in, −λ·ν, which is what its reactions do to the bodies: zero but for drivers (explicit time)."""
        a, b, o = self._info.start, self._info.stop, self._m.observed
        return self._m.shape(-(o.lam[:, a:b] * o.nu[:, a:b]).sum(axis=1))

    @property
    def labels(self) -> list[str]:
        """What each multiplier belongs to, in words."""
        return [r.label for r in self._m.system.rows[self._info.start:self._info.stop]]

    def rows(self) -> list[dict]:
        """Per basic row and body: −Φ_rᵀλ (ground axes) and −Π̄ᵀλ (about the centre of mass, body axes)."""
        s = self._m.system
        n, d = s.kind.SIZE_V, s.dim
        w = workspace(s)
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
        k = s.coordinates.get(self.name, s.primary.get(self.name) if not self._element.coordinate_name else None)
        return k

    def _measured(self, column):
        if self._element.kind == "joint" and not self._element.coordinate_name:
            raise AnalysisError(f"{self._element.title} has no single coordinate")
        k = self._measure()
        if k is not None:
            values = self._m.placed.measured[:, 3 * k + column]  # 0: the coordinate, 1: its rate
            return self._m.shape(np.array(values))
        raise AnalysisError(f"{self._element.title} has no single coordinate")

    @property
    def coordinate(self) -> Array:
        return self._measured(0)

    @property
    def rate(self) -> Array:
        return self._measured(1)


class DriveView(JointView):
    """What a drive does: the coordinate it prescribes and the effort it supplies, −λ.

    Attributes
    ----------
    force, torque : array [N or N·m]
        What it supplies along its coordinate, −λ: one number per sample under both names.
    """

    @property
    def _effort(self):
        return self._m.shape(-self._m.observed.lam[:, self._info.start])

    @property
    def force(self) -> Array:
        return self._effort

    @property
    def torque(self) -> Array:
        return self._effort


class ForceView(View):
    """A force element: its share of the generalised forces; for springs and motors also length (or angle), rate, force.

    Attributes
    ----------
    length, angle, coordinate : array [m or rad]
        What a spring, torsion spring, motor or stop measures; three names for the same.
    rate : array [m/s or rad/s]
        Its rate.
    generalized : array
        Its share of the generalised forces Q of all bodies.
    """

    def __init__(self, motion, name):
        self._m, self.name = motion, name

    def _column(self, column):
        k = self._m.system.primary.get(self.name)
        if k is None:
            raise AnalysisError(f"{self._m.model.elements[self.name].title} has no length or angle")
        return np.array(self._m.observed.measured[:, 3 * k + column])

    @property
    def length(self) -> Array:
        return self._m.shape(self._column(0))

    angle = coordinate = length

    @property
    def rate(self) -> Array:
        return self._m.shape(self._column(1))

    @property
    def force(self) -> Array:
        """Tension of a spring (positive pulls); torque of a torsion spring on its second body, effort of a motor;
        for applied forces the force itself (ground axes)."""
        s = self._m.system
        if self.name in s.primary:
            row = np.flatnonzero(s.tables.effort["element"] == s.numbers[self.name])[0]
            p = self._m.observed.strength[:, row]
            return self._m.shape(-p if self._m.model.elements[self.name].pulls else p)
        if self.name in s.markers and self._m.model.elements[self.name].pulls:
            return self._m.shape(self._pull())
        return self._m.shape(self._acting()[0])

    def _acting(self):
        """Force and torque on the (second) body, about the place of its marker, ground axes.  Two bodies are acted upon by
        opposite forces on one line, so the ground as the second takes the opposite of what the first does."""
        s, d = self._m.system, self._m.system.dim
        body, marker = self._place()
        point, sign = poses.marker(s, self._m.observed.pose, marker)[0], 1.0
        if body == s.nb:
            body, sign = poses.carrier(s, s.markers[self.name][0]), -1.0
        f = Frames(self._m, body)
        Q = self._generalized()[:, s.at_v(body)]
        about_com = Q[:, 2] if d == 2 else np.einsum("tij,tj->ti", f.A, Q[:, 3:])
        force = sign * Q[:, :d]
        return force, sign * about_com + cross(f.r - point, force, d)

    def _pull(self):
        """What a force with a kernel of its own pulls its two points together with: its part along the line between them."""
        s = self._m.system
        ends = s.markers[self.name]
        near, far = ends if poses.carrier(s, ends[1]) == s.nb else ends[::-1]  # the first of them on a body that moves
        line = poses.marker(s, self._m.observed.pose, far)[0] - poses.marker(s, self._m.observed.pose, near)[0]
        force = self._generalized()[:, s.at_v(poses.carrier(s, near))][:, : s.dim]
        return np.einsum("ij,ij->i", force, line) / np.maximum(np.linalg.norm(line, axis=1), 1e-300)

    @property
    def torque(self) -> Array:
        """Torque of a torsion spring or motor on its second body; for applied forces, torques, user forces and bushings the
        torque on the (second) body about the point where the element acts, in ground axes."""
        s = self._m.system
        if self.name in s.primary:
            return self.force
        return self._m.shape(self._acting()[1])

    def _place(self):
        """Body and marker on which the element acts (the second one of two)."""
        if self.name not in self._m.system.markers:
            raise AnalysisError(f"{self._m.model.elements[self.name].title} acts on all bodies: read .generalized")
        marker = self._m.system.markers[self.name][-1]
        return poses.carrier(self._m.system, marker), marker

    def _generalized(self):
        """Q of this element alone, over the samples."""
        if self.name in getattr(self._m, "lost", ()):
            raise AnalysisError(f"{self._m.model.elements[self.name].title}: its law was a Python function, which the file does "
                                "not hold, so its force cannot be computed again")
        s = self._m.system
        w = workspace(s)
        w.only[0] = s.numbers[self.name]
        out = np.empty((len(self._m._t), s.nv))
        for n in range(len(out)):
            w.set(self._m._t[n], self._m._q[n], self._m._v[n])
            if s.felt:
                w.lam[:], w.held[:] = self._m.observed.lam[n], self._m.observed.vdot[n]
                w.run("unbalanced")
            w.run("generalized_forces")
            out[n] = w.Q
        return out

    @property
    def generalized(self) -> Array:
        return self._m.shape(self._generalized())


class PressedView(RubbedView, ForceView):
    """A clutch or a band: its torque is that of its friction.

    Attributes
    ----------
    torque : array [N·m]
        On j about the axis, ground axes; a number in the plane. ``force`` is zero: it is a couple.
    friction, friction_torque, normal_force, sticking, friction_loss : array [N, N·m, N, –, J]
        At its surfaces, on j; what presses them; 1 or 0; lost since the start.
    tensions : array [N]
        Of a band, at the held and at the pulled end.
    """

    def _torque(self):
        s = self._m.system
        size = self._friction().torque()
        return size if s.dim == 2 else size[:, None] * poses.marker(s, self._m.observed.pose, s.markers[self.name][0])[1][:, :, 2]

    @property
    def torque(self) -> Array:
        return self._m.shape(self._torque())

    def _generalized(self):
        s, torque = self._m.system, self._torque()
        out = np.zeros((len(self._m._t), s.nv))
        for m, sign in zip(s.markers[self.name], (-1.0, 1.0), strict=True):
            body = poses.carrier(s, m)
            if body < s.nb:
                own = torque[:, None] if s.dim == 2 else np.einsum("tji,tj->ti", Frames(self._m, body).A, torque)
                out[:, s.at_v(body)][:, s.dim:] += sign * own
        return out
