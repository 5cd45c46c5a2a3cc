"""A state that was found on a model as it was then, taken by the model as it is now: do its joints still meet?

Lengths may have changed since.  What looks for a pose closes the joints from there (``near``); what answers for the very state it
is given refuses one that leaves them open (``met``).
"""

from __future__ import annotations

import math

import numpy as np

from dalembert.analyses.toolbox.closing import close
from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError
from dalembert.results.motion import State

OPEN = 1e-6  # of the mechanism's size: states of runs and files are far closer
CLOSED = 1e-9


def _gap(w, system) -> tuple[float, int]:
    """The largest residual of the position equations, of the mechanism's size, and its row."""
    w.run("rows")
    if not system.nc:
        return 0.0, 0
    length = system.size / math.sqrt(float(system.tables.bodies["mass"].sum())) or 1.0
    row = int(np.argmax(np.abs(w.phi)))
    return abs(float(w.phi[row])) / length, row


def _placed(state):
    w = workspace(state.system)
    w.set(state.t, state.q, state.v)
    return w


def met(state, question) -> State:
    """The state, or a refusal that names the joint it leaves open."""
    gap, row = _gap(_placed(state), state.system)
    if not gap <= OPEN:
        name = next((n for n, rows in state.system.groups.items() if row in range(rows.start, rows.stop)), "?")
        raise AnalysisError(f"{question} of '{state.model.name}': the state given leaves '{name}' open (by {gap:.1e} of the "
                            "mechanism's size): it belongs to a model with other dimensions, or to another time. Assemble, "
                            "simulate or find an equilibrium of this model, and take the state from there")
    return state


def near(state, question) -> State:
    """The nearest state whose joints meet."""
    w = _placed(state)
    if _gap(w, state.system)[0] <= CLOSED:
        return state
    close(w, np.ones(state.system.nc, bool))
    if not _gap(w, state.system)[0] <= OPEN:
        return met(state, question)
    return State(state.model, state.system, state.t, w.q.copy(), state.v)
