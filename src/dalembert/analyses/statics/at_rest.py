"""A mechanism at rest: drives hold the place they have at time t, nothing moves, reactions balance the forces.

    v = v̇ = 0,   Dᵀ λ = Q(t, q, 0)
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np

from dalembert.analyses.assemble import adopt, assembled
from dalembert.analyses.assembly.adopted import near
from dalembert.elements.families import FORCES
from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError
from dalembert.model.model import Model
from dalembert.results.motion import Observed, State


class Rest(State):
    """A state at rest with its reactions: rest["A"].force, rest["motor"].torque."""

    @cached_property
    def observed(self) -> Observed:
        return Observed(self.system, self._t, self._q, self._v, np.zeros_like(self._v))


def frozen(model, t):
    """A copy of the model whose drives hold the value their laws have at t; initial rates are dropped."""
    if not isinstance(model, Model):
        raise AnalysisError(f"expected a Model, got {model!r}")
    if not isinstance(t, (int, float)) or not math.isfinite(t):
        raise AnalysisError(f"t= takes a time, not {t!r}")
    other = model.copy()
    other.initials = {k: {"coordinate": v["coordinate"]} for k, v in model.initials.items() if "coordinate" in v}
    drives: list[Any] = [e for e in model.elements.values() if e.kind == "drive"]
    if drives:
        system = model.compile()
        w = workspace(system)
        w.t[0] = t
        w.run("rows")
        for e in drives:  # Φ = c − f(t) in any pose
            row, measure = system.groups[e.name].start, system.primary[e.name]
            other.elements[e.name] = e.at_value(float(w.measured[3 * measure] - w.phi[row]))
    return other


def stopped(model, t, state=None) -> tuple:
    """The frozen model, and its state at rest (assembled, or as given)."""
    if state is not None and not isinstance(state, State):
        raise AnalysisError(f"state= takes what assemble(), equilibrium() or run.state() returned, not {type(state).__name__}")
    other = frozen(model, t if state is None else state.t)
    base = assembled(other, t, shared=True)[0] if state is None else near(adopt(other, state), "at rest")
    return other, State(other, base.system, base.t, base.q, np.zeros_like(base.v))


def acting(w, weight, each=False):
    """Size of all forces at the workspace's state, in the metric of the masses: gravity, and each force element on its own.

    They may cancel in Q; what is left is small against this.  each: the force of every element by name instead (without gravity).
    """
    s = w.system
    names = {number: name for name, number in s.numbers.items()}
    total = float(np.linalg.norm(s.tables.gravity)) * float(np.sqrt(s.tables.bodies["mass"].sum()))
    found = {}
    for number in sorted({int(n) for family in FORCES for n in getattr(s.tables, family)["element"]}):
        w.only[0] = number
        w.run("generalized_forces")
        found[names.get(number, str(number))] = weight.T @ w.Q
    w.only[0] = -1
    return found if each else total + sum(float(np.linalg.norm(Q)) for Q in found.values())


def workspace_at(state):
    """A workspace at a state."""
    w = workspace(state.system)
    w.set(state.t, state.q, state.v)
    w.run("rows")
    return w
