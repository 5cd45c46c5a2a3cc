"""The augmented form on a workspace: y is the workspace's own (q, v, ledger), its entries are those of the equations."""

from __future__ import annotations

import numpy as np

from dalembert.equations.paths import observe_all
from dalembert.equations.workspace import workspace
from dalembert.formulations.contract import Form
from dalembert.formulations.response import answers


class Augmented(Form):
    """[M Dᵀ; D 0] in the coordinates of all bodies (formulations/contract.py)."""

    name = "augmented"

    def __init__(self, work):
        self.work = self.whole = work
        self.system = s = work.system
        self.t, self.y, self.ydot, self.g = work.arrays.t, work.y, work.ydot, work.arrays.g
        self.quality = work.quality
        self.rhs = work.bound("accelerations")
        self.project, self.tangent = (work.bound(name) if s.nc else None for name in ("project", "tangent"))
        self.events = work.bound("events") if self.g.size else None
        self.caps = np.full(self.y.size, np.inf)
        self.caps[s.running] = 1.0  # running angles
        if s.dim == 2:
            s.each_q(self.caps[:s.nq])[:, 2] = 1.0

    def enter(self, t, q, v) -> None:
        self.work.set(t, q, v)
        self.stale()

    def stale(self) -> None:
        self.work.arrays.before[:] = 0.0

    def leave(self):
        return self.work.q.copy(), self.work.v.copy()

    def bodies(self, t, y):
        nq, nv = self.system.nq, self.system.nv
        return y[:, :nq], y[:, nq:nq + nv], y[:, nq + nv:]

    def observe(self, work) -> int:
        return work.run("observe")

    def observe_all(self, t, q, v):
        return observe_all(workspace(self.system), t, q, v)

    @property
    def solved(self) -> bool:
        return not self.system.nc or bool(np.any(self.work.before))

    def respond(self, wrench):
        from dalembert.formulations.augmented.respond import ENTRIES

        s = self.system
        return answers(ENTRIES[s.dim], self, (s.tables, self.work.arrays), wrench, s.nc)
