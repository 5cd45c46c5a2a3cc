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


def length_of(system) -> float:
    """The mechanism's size as a length: its size in the metric of the masses, over the root of all mass."""
    return system.size / math.sqrt(float(system.tables.bodies["mass"].sum()))


def _places(system) -> np.ndarray:
    """Rows that hold positions, not only velocities."""
    return np.array([row.level == 0 for row in system.rows], dtype=bool)


def _gap(w, system) -> tuple[float, int]:
    """The largest residual of the position equations, of the mechanism's size, and its row."""
    w.run("rows")
    places = _places(system)
    if not places.any():
        return 0.0, 0
    length = length_of(system) or 1.0
    row = int(np.argmax(np.where(places, np.abs(w.phi), 0.0)))
    return abs(float(w.phi[row])) / length, row


def _placed(state):
    w = workspace(state.system)
    w.set(state.t, state.q, state.v)
    return w


def met(state, question) -> State:
    """The state, or a refusal that names the joint it leaves open."""
    gap, row = _gap(_placed(state), state.system)
    if not gap <= OPEN:
        name = state.system.rows[row].group
        raise AnalysisError(f"{question} of '{state.model.name}': the state given leaves '{name}' open (by {gap:.1e} of the "
                            "mechanism's size): it belongs to a model with other dimensions, or to another time. Assemble, "
                            "simulate or find an equilibrium of this model, and take the state from there")
    return state


def near(state, question) -> State:
    """The nearest state whose joints meet."""
    w = _placed(state)
    if _gap(w, state.system)[0] <= CLOSED:
        return state
    close(w, _places(state.system))
    gap, row = _gap(w, state.system)
    if not gap <= OPEN:
        name = state.system.rows[row].group
        raise AnalysisError(f"{question} of '{state.model.name}': the state given does not close '{name}', and no pose near it "
                            "does; start from assemble(model), or leave state= away")
    return State(state.model, state.system, state.t, w.q.copy(), state.v)
