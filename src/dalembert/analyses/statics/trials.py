"""The forces along the free motions as a function of unknown values: what ``hold`` brings to zero.

    g(p) = N(p)ᵀ Q(p)          at the pose that belongs to p

Every trial is a mechanism of its own: the model is built again with p, and assembled again (or a given state is taken over:
bodies keep their reference points, then close the joints), so lengths, pivots, centres of mass and angles of the drawing count
with all they do.  N (Nᵀ M N = 1) is turned as near as possible to that of the first trial, so that g changes continuously.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.analyses.assemble import adopt
from dalembert.analyses.driven import actuators
from dalembert.analyses.statics.at_rest import acting, frozen, stopped, workspace_at
from dalembert.analyses.toolbox.closing import close, metric
from dalembert.analyses.toolbox.independent import rotation
from dalembert.analyses.toolbox.mobility import null_space
from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError, AssemblyError, ModelError
from dalembert.results.motion import State


@dataclass
class Trial:
    """One set of values: the model at rest with them, and what its forces do along the free motions."""

    p: np.ndarray
    model: Any
    state: State
    work: Any
    weight: np.ndarray
    N: np.ndarray
    Q: np.ndarray
    g: np.ndarray
    scale: float

    @property
    def left(self) -> float:
        """What is unbalanced, of all forces that act."""
        return float(np.linalg.norm(self.g)) / self.scale if self.scale > 0 else 0.0


class Trials:
    """Trials by their values; those that cannot be built, assembled or evaluated are None."""

    def __init__(self, model, names, t, state):
        self.model, self.names, self.t, self.state = model, names, t, state
        labels = {c.label: c for c in actuators.components(model)}
        self.parameters = [n for n in names if n in model.parameters]
        self.parts = {n: actuators.chosen(model, n, "hold")[0] for n in names if n not in self.parameters and n in labels}
        for n in names:
            if n not in self.parameters and n not in self.parts:
                others = f"; the parameters are {', '.join(model.parameters)}" if model.parameters else ""
                try:
                    actuators.chosen(model, n, "hold")  # says what there is
                except AnalysisError as error:
                    raise AnalysisError(f"{error}{others}") from None
        known = model.parameter_values()
        self.start = np.array([known[n] if n in self.parameters else 0.0 for n in names])
        self.unit = np.where(self.start != 0.0, np.abs(self.start), 1.0)
        self.first: Trial | None = None
        self.count = 0

    def away(self, trial) -> float:
        """How far the values are from the present ones."""
        return float(np.linalg.norm((trial.p - self.start) / self.unit))

    def put(self, p):
        """The model with these values."""
        given = dict(zip(self.names, map(float, p), strict=True))
        other = actuators.with_laws(self.model, {c: given[n] for n, c in self.parts.items()})
        for n in self.parameters:
            other.parameters[n] = given[n]
        return other

    def pose(self, p) -> tuple:
        """The model at rest and its state, for these values."""
        model = self.put(p)
        if self.state is None:
            return stopped(model, self.t)
        still = frozen(model, self.state.t)
        return still, carried(still, self.state)

    def at(self, p) -> Trial:
        """The trial at these values; errors of building and assembling pass."""
        p = np.asarray(p, dtype=float)
        self.count += 1
        still, state = self.pose(p)
        w = workspace_at(state)
        weight = metric(w)
        N = null_space(w, weight)
        w.run("generalized_forces")
        Q = w.Q.copy()
        if self.first is not None and N.shape == self.first.N.shape:
            u, _, vt = np.linalg.svd(N.T @ (w.mass() @ self.first.N))
            N = N @ (u @ vt)
        out = Trial(p, still, state, w, weight, N, Q, N.T @ Q, acting(w, weight))
        self.first = out if self.first is None else self.first
        return out

    def __call__(self, p) -> Trial | None:
        try:
            with np.errstate(all="ignore"):
                found = self.at(p)
        except (ModelError, AssemblyError, np.linalg.LinAlgError):
            return None
        same = self.first is not None and found.N.shape[1] == self.first.N.shape[1]
        return found if same and np.all(np.isfinite(found.g)) and np.isfinite(found.scale) else None


def carried(model, state) -> State:
    """A given state on a model whose lengths may have changed: reference points stay, then the joints are closed."""
    out = adopt(model, state)
    s, old = out.system, state.system
    q = out.q.copy()
    shift = np.asarray(s.tables.bodies["com"]) - np.asarray(old.tables.bodies["com"])
    w = workspace(s)
    w.set(out.t, q, np.zeros_like(out.v))
    w.run("rows")
    if np.any(shift):
        for b in np.flatnonzero(np.abs(shift).max(axis=1)):
            q[s.at_q(int(b))][: s.dim] += rotation(w, b) @ shift[b]
        w.set(out.t, q, np.zeros_like(out.v))
        w.run("rows")
    mask = np.array([r.level == 0 for r in s.rows], dtype=bool)
    length = np.sqrt(np.where(w.before > 0, w.before, np.inf))
    if mask.any() and float((np.abs(w.phi) / length)[mask].max()) > 1e-9 * s.size and close(w, mask) > 1e-10 * s.size:
        raise AssemblyError(f"model '{model.name}': the joints do not close from the given state")
    return State(model, s, out.t, w.q.copy(), np.zeros_like(out.v))
