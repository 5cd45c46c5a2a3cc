"""The recursive formulation of one system: a workspace on the tables of its tree (plan.py), and the ways in and out.

    tree = Recursive(system, steps)           steps: model/topology.py
    tree.enter(t, q, v)                       bodies → joint coordinates and speeds
    tree.rhs()                                u̇, λ of the loop rows
    tree.leave()                              joint coordinates → bodies
    tree.observe(work)                        v̇ and all multipliers into a workspace of the full system
    tree.respond(wrench)                      v̇ that answers to forces on the bodies
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from dalembert._jit import Bound
from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError
from dalembert.formulations.contract import Form
from dalembert.formulations.response import answers
from dalembert.system.tables import RIDING

from .entries import ENTRIES, Closure
from .plan import plan_of
from .tables import Motion, motion_arrays, set_ground

SHARED = ("U", "Dinv", "axis", "d", "pose", "omega", "theta")


class Recursive(Form):
    """One workspace of the recursive formulation.  One per thread."""

    name = "recursive"
    _answering: tuple[Any, Bound] | None = None  # arrays of a workspace, and the entry that fills its multipliers

    def __init__(self, system, steps, whole=None):
        self.system = system
        if whole is not None:
            self.whole = whole
        self.plan = plan = plan_of(system, steps)
        self.steps, self.links, self.rest, self.rows, self.tree_rows = steps, plan.links, plan.rest, plan.rows, plan.tree_rows
        self.tables, self.coordinates = plan.tables, plan.coordinates
        nq, ns, nv = plan.links.nq, len(plan.slots), plan.links.nv
        self.nq, self.nv, self.slots = nq, nv, ns
        self.work = w = workspace(plan.rest)
        w.v[:] = 0.0
        self.y, self.ydot = np.zeros(nq + ns + nv + RIDING), np.zeros(nq + ns + nv + RIDING)
        arrays = motion_arrays(system.dim, len(plan.links.rows), nq, nv)
        arrays |= {"q": self.y[:nq], "u": self.y[nq + ns:nq + ns + nv], "qdot": self.ydot[:nq],
                   "udot": self.ydot[nq + ns:nq + ns + nv]}
        set_ground(system.dim, arrays, plan.tables.gravity)
        other = motion_arrays(system.dim, len(plan.links.rows), nq, nv) | {k: arrays[k] for k in SHARED}
        self.motion, self.response = Motion(**arrays), Motion(**other)
        closure = {
            "handle": np.array([w.bound(n).handle for n in ("loads", "closures", "settled", "events")], dtype=np.int64),
            "has": np.array([plan.loaded, plan.rest.nc > 0, ns > 0], dtype=np.int64),
            "slots": self.y[nq:nq + ns], "slot_rates": self.ydot[nq:nq + ns], "slot": np.array(plan.slots, dtype=np.uint32),
            "v": np.zeros(system.nv),
            "power": self.ydot[nq + ns + nv:], "reach": np.zeros(plan.reach), "small": np.zeros(max(80, nv)),
            "order": np.zeros(8, dtype=np.int64)}
        self.closure = Closure(**closure)
        self._bound: dict[str, Bound] = {}
        self.t, self.g = w.arrays.t, w.arrays.g
        self.quality = w.quality
        self.rhs = self.bound("accelerations")
        self.project, self.tangent = (self.bound(name) if self.closed else None for name in ("project", "tangent"))
        self.events = self.bound("events") if self.g.size else None
        self.caps = np.full(self.y.size, np.inf)
        self.caps[:nq] = plan.caps
        self.caps[nq:nq + ns] = 1.0

    # ------------------------------------------------------------------------------------------------ running

    def bound(self, name: str) -> Bound:
        if name not in self._bound:
            entry, other = ENTRIES[self.system.dim, name], next(iter(self._bound.values()), None)
            self._bound[name] = entry.bind(*self._structs) if other is None else other.sibling(entry)
        return self._bound[name]

    @property
    def _structs(self):
        return self.tables, self.rest.tables, self.work.arrays, self.motion, self.response, self.closure

    def run(self, name: str) -> int:
        return self.bound(name)()

    @cached_property
    def whole(self):
        return workspace(self.system)

    @property
    def closed(self) -> bool:
        """Whether rows are left that the tree does not satisfy by itself."""
        return bool(self.rest.nc)

    def begin(self) -> None:
        if self.closed:
            y = self.y.copy()
            self.run("begin")
            self.y[:] = y

    def enter(self, t, q, v) -> None:
        """Joint coordinates and speeds of a state of the bodies (which must satisfy the tree joints)."""
        self.t[0] = t
        self.motion.q[:], self.motion.u[:] = self.coordinates.of(q, v)
        self.closure.slots[:] = q[self.closure.slot]
        self.work.q[:] = q  # the side that quaternions are on
        self.stale()

    def stale(self) -> None:
        self.motion.Dinv[:] = 0.0

    def leave(self) -> tuple[np.ndarray, np.ndarray]:
        """q and v of the bodies."""
        self.run("bodies")
        return self.work.q.copy(), self.closure.v.copy()

    def check(self, t, q, v) -> None:
        """Refuse a state off the tree's joints (or with axes opposite), which has no joint coordinates."""
        w = self.whole
        w.set(t, q, v)
        w.run("rates")
        pose = w.pose.copy()
        self.enter(t, q, v)
        self.run("bodies")
        off = np.abs(self.work.pose - pose).reshape(-1, self.system.kind.POSE).max(axis=1)
        body = int(np.argmax(off))
        if not off[body] <= 1e-6 * max(1.0, np.abs(pose).max()):
            raise AnalysisError(f"the state does not satisfy the joints of the tree: body '{self.system.bodies[body]}' would "
                                f"move by {off[body]:.3g}. Assemble the model first, or use formulation='augmented'")

    def bodies(self, t, y):
        self.work.q[:] = self.system.q_drawn  # quaternions begin on the side of the drawing, whatever was computed before
        return super().bodies(t, y)

    def observe(self, work) -> int:
        """Solve at the state of ``work`` (a workspace of the full system whose rows are evaluated): v̇ and λ into it."""
        self.enter(work.t[0], work.q, work.v)
        self.run("begin")
        status = self.rhs()
        work.lam[self.rows] = self.work.lam
        if self._answering is None or self._answering[0] is not work.arrays:  # binding takes longer than the call
            self._answering = work.arrays, ENTRIES[self.system.dim, "reactions"].bind(*self._structs, work.arrays)
        self._answering[1]()
        return status

    @property
    def solved(self) -> bool:
        return not self.nv or bool(np.any(self.motion.Dinv))

    def respond(self, wrench):
        return answers(ENTRIES[self.system.dim, "respond"], self, self._structs, wrench, self.rest.nc)
