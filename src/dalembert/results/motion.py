"""States over time (or a single one) of a compiled mechanism, and all that follows from them, computed when asked for.

q and v belong to the centres of mass; the views (``motion["name"]``) speak of what the user named.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dalembert.elements.given import Ref, Vector
from dalembert.equations.central import central
from dalembert.equations.paths import FIELDS, observe_all
from dalembert.equations.spinless import corrected
from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError, hint
from dalembert.formulations.augmented.form import Augmented
from dalembert.formulations.contract import Form
from dalembert.results.channels.offered import own_word as own_word
from dalembert.results.presenting import Presented, presenter
from dalembert.results.tabled import Tabled
from dalembert.results.views import elements
from dalembert.results.views.bodies import BodyView
from dalembert.results.views.gears import GearView
from dalembert.results.views.signals import SignalView
from dalembert.results.views.view import View
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
    missing: np.ndarray  # M v̇ − Q + Dᵀλ
    report: np.recarray  # system/arrays.REPORT
    residual: np.ndarray
    speed: np.ndarray  # D v − ν
    status: np.ndarray

    def __init__(self, system: System, t, q, v, a=None, form=None):
        found = observe_all(workspace(system), t, q, v, a) if form is None else form.observe_all(t, q, v)
        corrected(system, t, q, v, found, a is not None)
        central(system, t, q, v, found)
        for name, array in found.items():
            setattr(self, name, array)
        self.second = self.residual  # D v̇ − γ



class Placed(NamedTuple):
    """Poses and twists of the bodies, coordinates of elements and their rates, over the samples."""

    pose: np.ndarray
    twist: np.ndarray
    measured: np.ndarray  # by threes, of which the third (accelerations) is not filled


def placed(system: System, t, q, v) -> Placed:
    """As ``observe`` has them, without solving for accelerations."""
    w = workspace(system)
    found = Placed(*(np.empty((len(t), x.size)) for x in (w.pose, w.twist, w.measured)))
    for k in range(len(t)):
        w.set(t[k], q[k], v[k])
        w.run("rows")
        found.pose[k], found.twist[k], found.measured[k] = w.pose, w.twist, w.measured
    return found


class Motion(Presented, Tabled):
    """States with names.  Single: arrays have no time axis.

    ``form`` is the form of the equations that accelerations and reactions are computed with.

    Attributes
    ----------
    t : number or array [s]
        Time, or the times of the samples.
    q, v : array [m, rad; m/s, rad/s]
        All coordinates and speeds as the engine has them: of the centres of mass, body by body.
    multipliers : array
        λ of all rows, in the model's order; by element: ``motion["A"].multipliers``.
    observed : Observed
        Poses, twists, accelerations, λ and reactions of all samples as arrays; what the views read.
    """

    touching: Any = None  # forces of contacts, a Touching, of runs; of joints that rub, a Rubbed
    _form: Form | None = None  # of the analysis; results that have none, or came from another process, take the augmented one

    def __init__(self, model, system: System, t, q, v, single=False):
        self.model, self.system, self.single = model.copy(), system, single  # later changes of the model do not reach it
        self._t, self._q, self._v = np.atleast_1d(np.asarray(t, float)), np.atleast_2d(q), np.atleast_2d(v)

    def __getstate__(self):
        return {**self.__dict__, "_form": None}

    @property
    def form(self) -> Form:
        if self._form is None:
            self._form = Augmented(workspace(self.system))
        return self._form

    @form.setter
    def form(self, form: Form) -> None:
        self._form = form

    def shape(self, array: np.ndarray) -> Any:
        """Drop the time axis of a single state."""
        return array[0] if self.single else array

    @property
    def t(self) -> Any:
        return float(self._t[0]) if self.single else self._t

    @property
    def q(self) -> np.ndarray:
        return self.shape(self._q)

    @property
    def v(self) -> np.ndarray:
        return self.shape(self._v)

    @cached_property
    def observed(self) -> Observed:
        found = Observed(self.system, self._t, self._q, self._v, form=self.form)
        if self.system.rubbing:
            from dalembert.results.rubbing import rubbed_at

            self.touching = rubbed_at(Augmented(workspace(self.system)), self._t, self._q, self._v, vars(found))
        return found

    @cached_property
    def placed(self) -> Placed | Observed:
        """Poses, twists and coordinates of all samples, for who does not ask for forces: of trees these take longer than all."""
        return placed(self.system, self._t, self._q, self._v) if self._dear and "observed" not in vars(self) else self.observed

    @property
    def _dear(self) -> bool:
        """Whether forces are found sample by sample, outside the compiled loop over all of them."""
        return self._form is not None and not isinstance(self._form, Augmented)

    @cached_property
    def signals(self) -> np.ndarray:
        """What laws read by name, over the samples; then the rates of the states: numbers side by side."""
        s, w = self.system, workspace(self.system)
        out = np.zeros((len(self._t), w.read.size + len(s.states)))
        places = list(s.states.values())
        for k, (t, q, v) in enumerate(zip(self._t, self._q, self._v, strict=True)):
            w.set(t, q, v)
            if s.felt:
                w.lam[:], w.held[:] = self.observed.lam[k], self.observed.vdot[k]
            w.run("unbalanced")
            out[k, :w.read.size], out[k, w.read.size:] = w.read, w.qdot[places]
        return out

    def __getitem__(self, name: Ref) -> View:
        name = getattr(name, "name", name)
        if not isinstance(name, str):
            raise AnalysisError(f"a result is read by name, as run['piston']; for one sample use .state(k). Got {name!r}")
        s = self.system
        if name in s.bodies:
            return BodyView(self, name)
        if name in self.model.contacts and self.model.contacts[name].kind == "contact":
            from dalembert.results.contacts import ContactView

            return ContactView(self, name)
        element = self.model.elements.get(name)
        if element is None:
            known = [*s.bodies, *self.model.elements, *(c.name for c in self.model.contacts.values() if c.kind == "contact")]
            if name in self.model.contacts:
                raise AnalysisError(f"{self.model.contacts[name].title} has no results of its own: read the contact that names "
                                    "it, or a body in it, run[contact].on(body)")
            raise AnalysisError(f"there is no '{name}' in the result{hint(name, known)} (it has {', '.join(known)})")
        if element.kind == "signal":
            return SignalView(self, name)
        if element.kind == "drive":
            return elements.DriveView(self, name)
        if name in s.teeth:
            return GearView(self, name)
        if name in s.groups:
            return elements.JointView(self, name)
        return (elements.PressedView if getattr(element, "rubs", False) else elements.ForceView)(self, name)

    def __contains__(self, name) -> bool:
        contact = self.model.contacts.get(name)
        return name in self.system.bodies or name in self.model.elements or (contact is not None and contact.kind == "contact")

    def state(self, k: int = -1) -> State:
        """The k-th sample (default: the last) as a state, to go on from: simulate(m, until, state=s)."""
        if not len(self._t):
            raise AnalysisError(f"nothing was sampled in this run of '{self.model.name}': there is no state to go on from")
        return State(self.model, self.system, float(self._t[k]), self._q[k], self._v[k])

    def point(self, body: Ref, local: Vector) -> np.ndarray:
        """Trajectory of the point ``local`` (body coordinates) of a body, in ground axes."""
        return self[body].point(local)

    def fbd(self, bodies: Ref | Sequence[Ref] | None = None, path: str | os.PathLike[str] | None = None, **options: Any) -> Any:
        """Free-body diagram of a body, of several (a list; together=True: as one system), or of all, to scale.

        With a path (.svg, .png, .pdf) it is written; options: t=, sample=, together=, inertia=, components=, values=, title=.
        """
        return presenter("fbd")(self, bodies, path, **options)

    @property
    def ledger_residual(self) -> dict[str, np.ndarray]:
        """Per body ΣF − m a and ΣM − dH/dt: what Newton's and Euler's equations miss (force, then torque)."""
        missing = self.observed.missing
        return {b: self.shape(-missing[:, self.system.at_v(k)]) for k, b in enumerate(self.system.bodies)}

    @property
    def multipliers(self) -> np.ndarray:
        return self.shape(self.observed.lam)


class State(Motion):
    """One state: t, q, v and the views on it."""

    if TYPE_CHECKING:
        @property
        def t(self) -> float:
            """Time of the state (s)."""

    def __init__(self, model, system, t, q, v):
        super().__init__(model, system, t, q, v, single=True)

    def __repr__(self):
        lines = [f"state of '{self.model.name}' at t = {self.t:g}"]
        for name in self.system.bodies[:12]:
            b = self[name]
            place = ", ".join(f"{x:.6g}" for x in b.position)
            turn = f"angle {b.angle:.6g}" if self.system.dim == 2 else "quaternion " + ", ".join(f"{x:.4g}" for x in b.quaternion)
            lines.append(f"  {name}: ({place})" + ("" if b.is_particle else f", {turn}"))
        if len(self.system.bodies) > 12:
            lines.append(f"  … and {len(self.system.bodies) - 12} more bodies")
        return "\n".join(lines)
