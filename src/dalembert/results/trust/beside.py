"""States of a simulated motion at times beside its samples: integrated again from a sample, in the augmented form, tightly."""

from __future__ import annotations

import numpy as np

from dalembert.equations.workspace import workspace
from dalembert.system.tables import RIDING

RTOL, ATOL = 1e-10, 1e-12
MOST_STEPS = 20_000


def integrated(system, begin, at, dependent):
    """(times, q, v, None) of the motion from begin = (t, q, v) at the times ``at``, as many as are reached."""
    from dalembert.integrators.solve import solve

    w = workspace(system)
    w.set(*begin)
    w.options.dependent = dependent
    caps = np.full(w.y.size, np.inf)
    caps[system.running] = 1.0
    if system.dim == 2:
        caps[2:3 * system.nb:3] = 1.0
    weights = np.ones(w.y.size)
    weights[w.y.size - RIDING:] = 1e30  # the ledger rides along
    bound = (w.bound("project"), w.bound("tangent")) if system.nc else (None, None)
    found = solve(w.bound("accelerations"), w.arrays.t, w.y, w.ydot, at, rtol=RTOL, atol=ATOL, weights=weights, caps=caps,
                  project=bound[0], tangent=bound[1], quality=w.quality[:1], max_steps=MOST_STEPS)
    y = found.y.T
    return found.t, y[:, : system.nq], y[:, system.nq:system.nq + system.nv], None
