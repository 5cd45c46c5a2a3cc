"""States of a simulated motion at times beside its samples: integrated again from a sample, in the augmented form, tightly."""

from __future__ import annotations

import numpy as np

from dalembert.equations.workspace import workspace
from dalembert.formulations.contract import form_class
from dalembert.system.tables import RIDING

RTOL, ATOL = 1e-10, 1e-12
MOST_STEPS = 20_000


def integrated(system, begin, at, dependent):
    """(times, q, v, None) of the motion from begin = (t, q, v) at the times ``at``, as many as are reached."""
    from dalembert.integrators.solve import solve

    form = form_class("augmented")(workspace(system))
    form.enter(*begin)
    form.expect(dependent)
    weights = np.ones(form.y.size)
    weights[form.y.size - RIDING:] = 1e30  # the ledger rides along
    found = solve(form.rhs, form.t, form.y, form.ydot, at, rtol=RTOL, atol=ATOL, weights=weights, caps=form.caps,
                  project=form.project, tangent=form.tangent, quality=form.quality, max_steps=MOST_STEPS)
    y = found.y.T
    return found.t, y[:, : system.nq], y[:, system.nq:system.nq + system.nv], None
