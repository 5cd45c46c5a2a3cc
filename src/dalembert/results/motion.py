"""States over time (or a single one) of a compiled mechanism, and all that follows from them, computed when asked for.

q and v belong to the centres of mass; the views (``motion["name"]``) speak of what the user named.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from dalembert.equations.central import central
from dalembert.equations.paths import FIELDS, observe_all
from dalembert.errors import AnalysisError, hint
from dalembert.results import views
from dalembert.results.body_view import BodyView
from dalembert.results.gear_view import GearView
from dalembert.results.presenting import Presented
from dalembert.system.layout import System


class Observed:
    """Arrays over the samples: what the compiled ``observe`` fills."""

    FIELDS = FIELDS

    vdot: np.ndarray
    lam: np.ndarray
    reaction: np.ndarray
    measured: np.ndarray
    nu: np.ndarray
    twist: np.ndarray
    phi: np.ndarray
    pose: np.ndarray
    power: np.ndarray
    Q: np.ndarray
    work: np.ndarray
    report: np.ndarray
    residual: np.ndarray
    speed: np.ndarray  # D v − ν
    status: np.ndarray

    def __init__(self, system: System, t, q, v, a=None, form=None):
        found = observe_all(system.workspace(), t, q, v, a)
        if form is not None:
            _retell(system, t, q, v, form, found)
        central(system, t, q, v, found)
        for name, array in found.items():
            setattr(self, name, array)
        self.second = self.residual  # D v̇ − γ


def _retell(system, t, q, v, form, found) -> None:
    """v̇ and λ of another form of the equations take the place of the augmented ones."""
    w = system.workspace()
    for k in range(len(t)):
        w.set(t[k], q[k], v[k])
        w.run("observe")
        found["status"][k] = form.observe(w)
        w.run("remainder")
        w.run("reactions")
        for name in FIELDS:
            if name != "speed":
                found[name][k] = getattr(w.arrays, name)


def own_word(model, word: str) -> str:
    """"gravity" and "inertia" beside the user's names: "model.gravity" where an element has the name itself."""
    return f"model.{word}" if word in model.elements else word


class Motion(Presented):
    """States with names.  Single: arrays have no time axis.

    ``form`` is the form of the equations that accelerations and reactions are computed with (None: augmented).
    """

    form: Any = None

    def __init__(self, model, system: System, t, q, v, single=False):
        self.model, self.system, self.single = model.copy(), system, single  # later changes of the model do not reach it
        self._t, self._q, self._v = np.atleast_1d(np.asarray(t, float)), np.atleast_2d(q), np.atleast_2d(v)

    def shape(self, array):
        """Drop the time axis of a single state."""
        return array[0] if self.single else array

    @property
    def t(self):
        return float(self._t[0]) if self.single else self._t

    @property
    def q(self):
        return self.shape(self._q)

    @property
    def v(self):
        return self.shape(self._v)

    @cached_property
    def observed(self) -> Observed:
        return Observed(self.system, self._t, self._q, self._v, form=self.form)

    def __getitem__(self, name):
        name = getattr(name, "name", name)
        if not isinstance(name, str):
            raise AnalysisError(f"a result is read by name, as run['piston']; for one sample use .state(k). Got {name!r}")
        s = self.system
        if name in s.bodies:
            return BodyView(self, name)
        element = self.model.elements.get(name)
        if element is None:
            known = [*s.bodies, *self.model.elements]
            raise AnalysisError(f"there is no '{name}' in the result{hint(name, known)} (it has {', '.join(known)})")
        if element.kind == "drive":
            return views.DriveView(self, name)
        if name in s.teeth:
            return GearView(self, name)
        if name in s.groups:
            return views.JointView(self, name)
        return views.ForceView(self, name)

    def __contains__(self, name) -> bool:
        return name in self.system.bodies or name in self.model.elements

    def state(self, k: int = -1) -> State:
        """The k-th sample (default: the last) as a state, to go on from: simulate(m, until, start=s.t, state=s)."""
        return State(self.model, self.system, float(self._t[k]), self._q[k], self._v[k])

    def point(self, body, local):
        """Trajectory of the point ``local`` (body coordinates) of a body, in ground axes."""
        return self[body].point(local)

    @property
    def ledger_residual(self) -> dict[str, np.ndarray]:
        """Per body ΣF − m a and ΣM − dH/dt: what Newton's and Euler's equations miss (force, then torque)."""
        n = self.system.kind.SIZE_V
        work = self.observed.work[:, : self.system.nv]
        return {b: self.shape(-work[:, n * k:n * k + n]) for k, b in enumerate(self.system.bodies)}

    @property
    def multipliers(self):
        return self.shape(self.observed.lam)


class State(Motion):
    """One state: t, q, v and the views on it."""

    def __init__(self, model, system, t, q, v):
        super().__init__(model, system, t, q, v, single=True)
        self._spare = None  # a workspace that assembly left behind

    def __getstate__(self):
        return {**self.__dict__, "_spare": None}

    def take_workspace(self):
        """A fresh workspace of the system, or the one that assembly left behind (given away once)."""
        left, self._spare = self._spare, None
        if left is None:
            return self.system.workspace()
        left.reset()
        return left

    def __repr__(self):
        lines = [f"state of '{self.model.name}' at t = {self.t:g}"]
        for name in self.system.bodies[:12]:
            b = self[name]
            place = ", ".join(f"{x:.6g}" for x in b.position)
            turn = f"angle {b.angle:.6g}" if self.system.dim == 2 else "quaternion " + ", ".join(f"{x:.4g}" for x in b.quaternion)
            lines.append(f"  {name}: ({place}), {turn}")
        if len(self.system.bodies) > 12:
            lines.append(f"  … and {len(self.system.bodies) - 12} more bodies")
        return "\n".join(lines)
