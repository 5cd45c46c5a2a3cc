"""One model, several forms of its equations: make them, measure them, hand them to an analysis.

    augmented   [M Dᵀ; D 0] with the coordinates of all bodies                    equations/saddle.py
    embedded    independent accelerations, v̇ = B v̇_i + γ_i                        formulations/embedded.py
    recursive   joint coordinates along a spanning tree, loops by multipliers     formulations/recursive

"auto" takes the recursive form for open trees of at least FEW bodies; anything else is augmented.  The rule is measured, and
not timed anew in every run, so that the same run gives the same bits.  A step (12 evaluations, one projection) of augmented
over recursive took 2.3 (chain of 4 links in the plane), 2.8 (10), 3.9 (100), in space 6.0 (10 links).  With loops it took
0.9–1.1 in the plane, 1.4–1.7 in space, 0.2 for 40 windows of the N-four-bar, and singular poses are passed more accurately in
the augmented form.  Implicit integrators work on the augmented form.  Embedded is never the fastest: its table is full.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.errors import AnalysisError
from dalembert.formulations.recursive.tables import REVOLUTE, SCREW
from dalembert.system.tables import OPTIONS, REPORT

FORMULATIONS = ("auto", "augmented", "embedded", "recursive")
FEW = 4


@dataclass
class Problem:
    """A form of the equations as an initial value problem: what an integrator shares with it, and the way back to the bodies."""

    name: str
    rhs: Any
    t: np.ndarray
    y: np.ndarray
    ydot: np.ndarray
    project: Any
    tangent: Any
    quality: np.ndarray
    events: Any
    g: np.ndarray
    work: Any  # a workspace of the full system, at the starting state
    bodies: Callable  # (t, y over samples) → q, v, ledger over samples
    caps: np.ndarray  # per component of y: 1 rad for angles, infinite otherwise
    form: Any = None  # None: augmented
    begin: Any = None  # chooses the rows that are left out at the state in t, y (equations/dependence.py)

    @property
    def memory(self) -> dict[str, np.ndarray]:
        """What the equations remember from step to step, by name: part of a run's state."""
        w = getattr(self.form, "work", self.work).arrays
        partition = getattr(self.form, "arrays", None)
        found = {"limit": w.limit, "choice": w.choice}
        return found | {"by": partition.by, "meta": partition.meta} if partition is not None else found

    def choose(self) -> None:
        """A fresh memory, at the state in t, y."""
        if self.begin is not None:
            y = self.y.copy()
            self.begin()
            self.y[:] = y

    def expect(self, dependent: int) -> None:
        """How many rows always depend on others: more of them tell of a singular pose."""
        for w in (self.work, getattr(self.form, "work", self.work)):
            w.options[OPTIONS["dependent"]] = dependent


def check_formulation(formulation, error=AnalysisError) -> None:
    if formulation not in FORMULATIONS:
        raise error(f"formulation '{formulation}' is not known; choose from {', '.join(FORMULATIONS)}")


def solver(model, system, formulation, cut=(), independent=None):
    """The form itself (with ``observe``), or None for augmented."""
    if formulation == "embedded":
        from dalembert.formulations.embedded import Embedded

        return Embedded(system.workspace(), independent)
    if formulation == "recursive":
        from dalembert.formulations.recursive.tree import Recursive
        from dalembert.model.topology import topology

        return Recursive(system, topology(model, system, cut).steps)
    return None


def problem(model, state, formulation="auto", cut=(), independent=None, implicit=False) -> Problem:
    """The model from a state on, in the form asked for."""
    system = state.system
    if implicit and formulation not in ("auto", "augmented"):
        raise AnalysisError(f"implicit integrators work on the augmented form; leave formulation='{formulation}' away, or choose "
                            "integrator='rk8' or 'rk5'")
    if independent and formulation != "embedded":
        raise AnalysisError(f"independent= chooses coordinates of the embedded form; give formulation='embedded' with it, not "
                            f"'{formulation}'")
    if cut and formulation not in ("recursive", "auto"):
        raise AnalysisError(f"cut= opens joints of the recursive form; give formulation='recursive' with it, not '{formulation}'")
    w = state.take_workspace()
    w.set(state.t, state.q, state.v)
    if formulation == "auto":
        return _fastest(model, state, w, cut, implicit)
    if formulation == "recursive":
        return _entered(solver(model, system, "recursive", cut), state, w)
    out = _augmented(w)
    if formulation == "embedded":
        from dalembert.formulations.embedded import Embedded

        out.form = Embedded(w, independent)
        out.name, out.rhs = "embedded", out.form.bound
    return out


def drawn_problem(model, system, formulation, cut=(), independent=None) -> Problem:
    """The form asked for, at the drawing: to be filled with a state kept from before."""
    w = system.workspace()
    out = _augmented(w)
    if formulation == "embedded":
        from dalembert.formulations.embedded import Embedded

        out.form = Embedded(w, independent)
        out.name, out.rhs = "embedded", out.form.bound
    if formulation == "recursive":
        out = _recursive(solver(model, system, "recursive", cut), w)
    return out


def _augmented(w) -> Problem:
    s = w.system
    nq, nv = s.nq, s.nv

    caps = np.full(w.y.size, np.inf)
    caps[s.kind.SIZE_Q * s.nb:nq] = 1.0
    if s.dim == 2:
        caps[2:3 * s.nb:3] = 1.0

    def bodies(t, y):
        return y[:, :nq], y[:, nq:nq + nv], y[:, nq + nv:]

    return Problem("augmented", w.bound("accelerations"), w.arrays.t, w.y, w.ydot, w.bound("project") if s.nc else None,
                   w.bound("tangent") if s.nc else None, w.report[REPORT["pivot"]:REPORT["pivot"] + 2],
                   w.bound("events") if w.g.size else None, w.g, w, bodies, caps,
                   begin=w.bound("begin") if s.nc else None)


def _entered(r, state, w) -> Problem:
    r.enter(state.t, state.q, state.v)
    _check_tree(r, w)
    return _recursive(r, w)


def _recursive(r, w) -> Problem:
    caps = np.full(r.y.size, np.inf)
    caps[r.links.table["q"][np.isin(r.links.table["kind"], (REVOLUTE, SCREW))]] = 1.0
    caps[r.nq:r.nq + r.slots] = 1.0

    def bodies(t, y):
        r.work.q[:] = r.system.q_drawn  # quaternions begin on the side of the drawing, whatever was computed before
        q, v = np.empty((len(t), r.system.nq)), np.empty((len(t), r.system.nv))
        for k in range(len(t)):
            r.t[0] = t[k]
            r.y[:] = y[k]
            q[k], v[k] = r.leave()
        return q, v, y[:, -3:]

    return Problem("recursive", r.bound("accelerations"), r.t, r.y, r.ydot, r.bound("project") if r.closed else None,
                   r.bound("tangent") if r.closed else None, r.quality, r.bound("events") if r.work.g.size else None, r.work.g, w,
                   bodies, caps, r, r.bound("begin") if r.closed else None)


def _check_tree(r, w) -> None:
    """A state off the tree's joints (or with axes opposite) has no joint coordinates."""
    w.run("observe")
    pose = w.pose.copy()
    r.run("bodies")
    off = np.abs(r.work.pose - pose).reshape(-1, r.system.kind.POSE).max(axis=1)
    body = int(np.argmax(off))
    if not off[body] <= 1e-6 * max(1.0, np.abs(pose).max()):
        raise AnalysisError(f"the state does not satisfy the joints of the tree: body '{r.system.bodies[body]}' would move by "
                            f"{off[body]:.3g}. Assemble the model first, or use formulation='augmented'")


def _fastest(model, state, w, cut, implicit) -> Problem:
    s = state.system
    plain = _augmented(w)
    if implicit or not s.nc or s.nb < FEW or len(s.groups) > s.nb:
        return plain
    r = solver(model, s, "recursive", cut)
    return plain if r.closed else _entered(r, state, w)
