"""What a form of the equations of motion must do: the contract that analyses, results, contacts and derivatives rely on.

A form writes M v̇ + Dᵀλ = Q, D v̇ = γ in coordinates of its own and hands integrators an initial value problem ẏ = f(t, y).  Who
writes a fourth one keeps these rules and adds it to FORMS; tests/formulations/test_contract.py holds each form to each of them.

 1. State.     ``t`` (1), ``y`` and ``ydot`` are arrays that stay where they are: integrators share them.  y = (coordinates,
               speeds, ledger): the last RIDING are the sums of the energy ledger, with their rates at the end of ydot.
 2. rhs        fills ydot at (t, y) and returns a status (0: good; errors.describe names the others); y is not changed.  What
               it gives depends on t, y and ``memory`` alone, not on what was computed before.
 3. Memory.    ``memory`` names the arrays that are kept from step to step (rows left out, columns chosen).  ``begin()`` makes a
               fresh one at the state in t, y; written back, it makes a run go on bit for bit.
 4. enter, leave   ``enter(t, q, v)`` puts a state of the bodies into t, y; ``leave()`` gives q, v of the bodies at t, y.  They
               are inverse to each other (a quaternion keeps its side).  ``check`` enters too, and refuses what is off the form's
               coordinates; ``bodies(t, y)`` is leave for samples.
 5. project, tangent   None where the form satisfies every row by construction.  ``project`` brings y onto the constraints and
               changes nothing that is on them; ``tangent`` takes out of ydot (a small displacement) what points out of
               them, by the factors of the last rhs.
 6. events     None without events.  Fills ``g`` at (t, y).
 7. observe    ``observe(work)`` solves at the state of a workspace of the whole system, whose rows are evaluated, and puts
               v̇ and all multipliers into it; y may be left at that state.  ``observe_all(t, q, v)`` is all there is to know of
               samples.  Forms agree.
 8. respond    ``respond(wrench)``: the accelerations of all bodies (v̇) that answer to generalised forces on them, at the state
               of the last rhs and by its factors: nothing is factored anew, ydot stays; columns are answered in one call.
               ``enter`` and ``bodies`` drop the factors (``stale``); without them (``solved`` is False) it refuses.  Who changes
               y by hand, or projects, asks rhs again first.

                   respond(w) = v̇(Q + w) − v̇(Q) = (M⁻¹ − M⁻¹Dᵀ S⁺ D M⁻¹) w        linear, symmetric, wᵀ respond(w) ≥ 0,
                                                                                   D respond(w) = 0

               So K = J H⁻¹ Jᵀ of rows J above the form (contacts) is J respond(Jᵀ), and linear answers to changed forces
               (derivatives) need no other solve.  v and v̇ have the same components: an impulse w gives Δv = respond(w).
 9. Jumps.     y may be changed from outside between two steps (an impact: speeds by an impulse, rule 8; a state kept before).
               Nothing but rule 3 remembers what was before: rhs at the new y is right, project brings it onto the constraints,
               and an event that changes y is a map y⁻ → y⁺ made of leave, respond and enter.
10. Quality.   ``quality`` is (squared sine of the worst row kept, rows left out) of the last solve, in place; ``expect(n)`` says
               how many rows always depend on others, so that more of them tell of a singular pose.  ``caps``: per component of
               y how far one step may carry it, 1 rad for angles.
11. Workspaces.  ``work`` is the one the form computes on, ``whole`` one of all rows of the system (the same, where the form has
               all of them), for questions beside the motion.  One form per thread; results sent to other processes go without.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache
from importlib import import_module
from typing import Any, ClassVar

import numpy as np

from dalembert._jit import Bound
from dalembert.equations.paths import FIELDS, observe_all
from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError
from dalembert.system.tables import RIDING

FORMS = {"augmented": "augmented.form:Augmented", "embedded": "embedded.form:Embedded", "recursive": "recursive.tree:Recursive"}


@cache
def form_class(name: str) -> Any:
    """The class of a form by its name in FORMS."""
    module, cls = FORMS[name].split(":")
    return getattr(import_module(f"dalembert.formulations.{module}"), cls)


class Form(ABC):
    """A form of the equations of one system, with its state; the rules are in the head of this file."""

    name: ClassVar[str]
    system: Any
    work: Any
    whole: Any
    t: np.ndarray
    y: np.ndarray
    ydot: np.ndarray
    g: np.ndarray
    quality: np.ndarray
    caps: np.ndarray
    rhs: Bound
    project: Bound | None
    tangent: Bound | None
    events: Bound | None

    @abstractmethod
    def enter(self, t: float, q: np.ndarray, v: np.ndarray) -> None:
        """A state of the bodies into t, y."""

    def check(self, t: float, q: np.ndarray, v: np.ndarray) -> None:
        """Enter a state, and refuse it where the form has no coordinates for it."""
        self.enter(t, q, v)

    @abstractmethod
    def leave(self) -> tuple[np.ndarray, np.ndarray]:
        """q and v of the bodies at t, y."""

    @abstractmethod
    def observe(self, work) -> int:
        """v̇ and λ at the state of ``work``, into it."""

    @abstractmethod
    def respond(self, wrench: np.ndarray) -> np.ndarray:
        """v̇ of all bodies that answers to generalised forces on them (nv, or nv × columns)."""

    @property
    def memory(self) -> dict[str, np.ndarray]:
        """What the equations remember from step to step, by name."""
        return {"limit": self.work.arrays.limit, "choice": self.work.arrays.choice}

    def begin(self) -> None:
        """A fresh memory, at the state in t, y."""
        if self.project is not None:
            y = self.y.copy()
            self.work.run("begin")
            self.y[:] = y

    @abstractmethod
    def stale(self) -> None:
        """The factors do not belong to t, y any more: ``solved`` is False until the next rhs."""

    def expect(self, dependent: int) -> None:
        """So many rows depend on others in every pose: more of them tell of a singular one."""
        self.work.arrays.options["dependent"] = dependent
        if self.whole is not self.work:
            self.whole.arrays.options["dependent"] = dependent

    def bodies(self, t, y) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """q, v and the ledger over samples."""
        q, v = np.empty((len(t), self.system.nq)), np.empty((len(t), self.system.nv))
        for k in range(len(t)):
            self.t[0] = t[k]
            self.y[:] = y[k]
            q[k], v[k] = self.leave()
        self.stale()
        return q, v, y[:, y.shape[1] - RIDING:]

    def observe_all(self, t, q, v) -> dict[str, np.ndarray]:
        """Everything about samples (equations/paths.py), with this form's v̇ and λ."""
        found = observe_all(workspace(self.system), t, q, v)
        w = workspace(self.system)
        for k in range(len(t)):
            w.set(t[k], q[k], v[k])
            w.run("observe")
            found["status"][k] = self.observe(w)
            w.run("remainder")
            w.run("reactions")
            for name in FIELDS:
                if name != "speed":
                    found[name][k] = getattr(w.arrays, name)
        return found

    @property
    @abstractmethod
    def solved(self) -> bool:
        """Whether there are factors to answer with."""

    def _columns(self, wrench) -> np.ndarray:
        """Wrenches as rows of their own, one after the other."""
        if not self.solved:
            raise AnalysisError("respond answers by the factors of the last solve; there is none: enter a state and call rhs()")
        columns = np.asarray(wrench, float)
        if columns.ndim not in (1, 2) or columns.shape[0] != self.system.nv:
            raise AnalysisError(f"respond takes forces on the {self.system.nv} speeds of the bodies (or columns of them), got an "
                                f"array of shape {columns.shape}")
        return np.ascontiguousarray(columns.T).reshape(-1)
