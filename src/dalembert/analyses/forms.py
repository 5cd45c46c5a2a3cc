"""One model, several forms of its equations: make them, measure them, hand them to an analysis.

    augmented   [M Dᵀ; D 0] with the coordinates of all bodies                    equations/saddle.py
    embedded    independent accelerations, v̇ = B v̇_i + γ_i                        formulations/embedded.py
    recursive   joint coordinates along a spanning tree, loops by multipliers     formulations/recursive

"auto" times one step of augmented and recursive on the model itself and takes recursive when it is at least GAIN times faster.
With fewer than FEW bodies the tree costs more than it saves in most runs, and augmented is taken at once; so it is with
loops, where the gain was 0.2 to 1.5 and singular poses are passed more accurately.  Implicit integrators work on the augmented
form.  Embedded is never the fastest: its table is full.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.errors import AnalysisError
from dalembert.system.tables import OPTIONS, REPORT

FORMULATIONS = ("auto", "augmented", "embedded", "recursive")
STAGES = 12  # evaluations per step and projection of the default integrator
GAIN = 1.5
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
    form: Any = None  # None: augmented
    note: str = ""

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


def problem(model, state, formulation="auto", cut=(), independent=None, implicit=False, watched=False) -> Problem:
    """The model from a state on, in the form asked for."""
    system = state.system
    if implicit and formulation not in ("auto", "augmented"):
        raise AnalysisError(f"implicit integrators work on the augmented form; leave formulation='{formulation}' away, or choose "
                            "integrator='rk8' or 'rk5'")
    w = state.take_workspace()
    w.set(state.t, state.q, state.v)
    if formulation == "auto":
        return _fastest(model, state, w, cut, implicit, watched)
    if formulation == "recursive":
        return _entered(solver(model, system, "recursive", cut), state, w, watched)
    out = _augmented(w, watched)
    if formulation == "embedded":
        from dalembert.formulations.embedded import Embedded

        out.form = Embedded(w, independent)
        out.name, out.rhs = "embedded", out.form.bound
    return out


def drawn_problem(model, system, formulation, cut=(), independent=None, watched=False) -> Problem:
    """The form asked for, at the drawing: to be filled with a state kept from before."""
    w = system.workspace()
    out = _augmented(w, watched)
    if formulation == "embedded":
        from dalembert.formulations.embedded import Embedded

        out.form = Embedded(w, independent)
        out.name, out.rhs = "embedded", out.form.bound
    if formulation == "recursive":
        out = _recursive(solver(model, system, "recursive", cut), w, watched)
    return out


def _augmented(w, watched) -> Problem:
    s = w.system
    nq, nv = s.nq, s.nv

    def bodies(t, y):
        return y[:, :nq], y[:, nq:nq + nv], y[:, nq + nv:]

    return Problem("augmented", w.bound("accelerations"), w.arrays.t, w.y, w.ydot, w.bound("project") if s.nc else None,
                   w.bound("tangent") if s.nc else None, w.report[REPORT["pivot"]:REPORT["pivot"] + 1],
                   w.bound("events") if watched else None, w.g, w, bodies)


def _entered(r, state, w, watched) -> Problem:
    r.enter(state.t, state.q, state.v)
    _check_tree(r, w)
    return _recursive(r, w, watched)


def _recursive(r, w, watched) -> Problem:

    def bodies(t, y):
        r.work.q[:] = r.system.q_drawn  # quaternions begin on the side of the drawing, whatever was computed before
        q, v = np.empty((len(t), r.system.nq)), np.empty((len(t), r.system.nv))
        for k in range(len(t)):
            r.t[0] = t[k]
            r.y[:] = y[k]
            q[k], v[k] = r.leave()
        return q, v, y[:, -3:]

    return Problem("recursive", r.bound("accelerations"), r.t, r.y, r.ydot, r.bound("project") if r.closed else None,
                   r.bound("tangent") if r.closed else None, r.quality, r.bound("events") if watched else None, r.work.g, w,
                           bodies, r)


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


def _fastest(model, state, w, cut, implicit, watched) -> Problem:
    plain = _augmented(w, watched)
    if implicit or not state.system.nc or state.system.nb < FEW:
        return plain
    other = _entered(solver(model, state.system, "recursive", cut), state, w, watched)
    if other.form.closed:
        return plain
    a, b = (_step_seconds(p) for p in (plain, other))
    chosen = other if b * GAIN < a else plain
    chosen.note = f"augmented {1e6 * a:.3g} µs a step, recursive {1e6 * b:.3g} µs"
    return chosen


def _step_seconds(p: Problem) -> float:
    """Time of the evaluations and the projection of one step; the state stays as it is."""
    kept = p.y.copy()
    total = 0.0
    for run, times in ((p.rhs, STAGES), (p.project, 1)):
        if run is None:
            continue
        run()
        begin = time.perf_counter()
        run()
        number = max(1, min(20, int(2e-4 / max(time.perf_counter() - begin, 1e-7))))
        best = np.inf
        for _ in range(5):
            begin = time.perf_counter()
            for _ in range(number):
                run()
            best = min(best, (time.perf_counter() - begin) / number)
        total += times * best
    p.y[:] = kept
    return total
