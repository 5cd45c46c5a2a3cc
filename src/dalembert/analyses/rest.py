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


def stopped(model, t, state=None) -> tuple:
    """A copy of the model whose drives hold their place at t, and its state at rest (assembled, or as given)."""
    other = model.copy()
    other.initials = {k: {"coordinate": v["coordinate"]} for k, v in model.initials.items() if "coordinate" in v}
    base = assemble(other, t) if state is None else adopt(other, state)
    drives = [e for e in model.elements.values() if e.kind == "drive"]
    if drives:
        w = base.system.workspace()
        w.set(base.t, base.q, base.v)
        w.run("rows")
        for e in drives:
            row, measure = base.system.groups[e.name].start, base.system.primary[e.name]
            other.elements[e.name] = Drive(e.name, e.of, float(w.measured[3 * measure] - w.phi[row]))
    still = adopt(other, State(other, base.system, base.t, base.q, np.zeros_like(base.v)))
    return other, State(other, still.system, still.t, still.q, np.zeros_like(still.v))


def workspace(state):
    """A workspace at a state."""
    w = state.system.workspace()
    w.set(state.t, state.q, state.v)
    w.run("rows")
    return w
