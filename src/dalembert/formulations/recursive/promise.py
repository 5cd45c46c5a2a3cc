"""Do a joint's equations allow the motions that its class promises (``free``)?

The recursion takes the promised motions as coordinates and drops the joint's rows: D S u = 0 must hold for every u, in every
pose.  It is tried with random speeds at the drawing and at a pose moved along the promised motions.  Joints of the package are
held to it by the contract tests; a user's own joint is looked at when a tree is made of it.
"""

from __future__ import annotations

import numpy as np

from dalembert.errors import AnalysisError

from .tables import SPHERICAL

ALLOWED = 1e-8  # of |D_k| |v|
SHIFT = 0.3  # rad, and parts of the mechanism's size


def check_promises(model, form) -> None:
    """Refuse a user's joint whose equations do not allow what its ``free`` says."""
    own = [step for step in form.steps if step.name and not model.elements[step.name].of_the_package]
    if not own:
        return
    s, w, random = form.system, form.whole, np.random.default_rng(7)
    kept = form.y.copy()
    form.enter(0.0, s.q_drawn, np.zeros(s.nv))
    for moved in (False, True):
        if moved:
            form.motion.q[:] += SHIFT * min(1.0, s.size) * random.uniform(0.5, 1.0, form.nq)
            for link in form.links.table[form.links.table["kind"] == SPHERICAL]:
                e = form.motion.q[int(link["q"]):int(link["q"]) + 4]
                e /= np.linalg.norm(e)
        form.motion.u[:] = random.uniform(0.5, 1.0, form.nv)
        w.set(0.0, *form.leave())
        w.run("rows")
        D, v = w.jacobian(), w.v
        for step in own:
            rows = D[s.groups[step.name].start:s.groups[step.name].stop]
            if np.any(np.abs(rows @ v) > ALLOWED * np.linalg.norm(rows, axis=1) * np.linalg.norm(v)):
                raise AnalysisError(f"{model.elements[step.name].title}: its equations do not allow the motions that `free` of "
                                    f"its class promises ({', '.join(step.free) or 'none'}) in every pose. Correct `free`, or "
                                    "leave it out: then its equations are kept")
    form.y[:] = kept
