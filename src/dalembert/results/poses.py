"""Several states of one model as one result: poses at rest one after the other, to be written and shown like a motion.

A sample is a state, not a moment: all times are that of the states, velocities and accelerations are those given.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dalembert.results.driven import Driven
from dalembert.results.motion import State


class Poses(Driven):
    """States one after the other; poses["A"].force has one row per state."""

    label = "poses"


def poses(states: Sequence[State], label: str, message: str) -> Poses:
    """States at rest of one model as samples."""
    first = states[0]
    q, v = np.vstack([s._q for s in states]), np.vstack([s._v for s in states])
    stats = {"method": label, "configurations": len(states), "steps": len(states), "refused": 0}
    found = Poses(first.model, first.system, [s.t for s in states], q, v, stats, message=message)
    found.label = label
    return found
