"""A mechanism at rest: drives hold the place they have at time t, nothing moves, reactions balance the forces.

    v = v̇ = 0,   Dᵀ λ = Q(t, q, 0)
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from dalembert.analyses.assemble import adopt, assemble
from dalembert.elements.drivers.drive import Drive
from dalembert.results.motion import Observed, State


class Rest(State):
    """A state at rest with its reactions: rest["A"].force, rest["motor"].torque."""

    @cached_property
    def observed(self) -> Observed:
        return Observed(self.system, self._t, self._q, self._v, np.zeros_like(self._v))


def frozen(model, t):
    """A copy of the model whose drives hold the value their laws have at t; initial rates are dropped."""
    other = model.copy()
    other.initials = {k: {"coordinate": v["coordinate"]} for k, v in model.initials.items() if "coordinate" in v}
    drives = [e for e in model.elements.values() if e.kind == "drive"]
    if drives:
        system = model.compile()
        w = system.workspace()
        w.t[0] = t
        w.run("rows")
        for e in drives:  # Φ = c − f(t) in any pose
            row, measure = system.groups[e.name].start, system.primary[e.name]
            other.elements[e.name] = Drive(e.name, e.of, float(w.measured[3 * measure] - w.phi[row]))
    return other


def stopped(model, t, state=None) -> tuple:
    """The frozen model, and its state at rest (assembled, or as given)."""
    other = frozen(model, t if state is None else state.t)
    base = assemble(other, t) if state is None else adopt(other, state)
    return other, State(other, base.system, base.t, base.q, np.zeros_like(base.v))


def workspace(state):
    """A workspace at a state."""
    w = state.system.workspace()
    w.set(state.t, state.q, state.v)
    w.run("rows")
    return w
