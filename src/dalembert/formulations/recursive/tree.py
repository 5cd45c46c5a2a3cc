"""The recursive formulation of one system: tables of its tree, a workspace, and the ways in and out.

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
from dalembert.elements.families import FORCES
from dalembert.elements.measures.table import ANGLE
from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError
from dalembert.formulations.contract import Form
from dalembert.formulations.response import answers
from dalembert.system.tables import RIDING

from .build import Links
from .coordinates import Coordinates
from .entries import ENTRIES, Closure
from .loop_rows import rest_of
from .tables import JOINT, REVOLUTE, SCREW, TURN, Motion, PlanarTree, SpatialTree, motion_arrays, set_ground

SHARED = ("U", "Dinv", "axis", "d", "pose", "omega", "theta")


class Recursive(Form):
    """One workspace of the recursive formulation.  One per thread."""

    name = "recursive"
    _answering: tuple[Any, Bound] | None = None  # arrays of a workspace, and the entry that fills its multipliers

    def __init__(self, system, steps, whole=None):
        self.system = system
        if whole is not None:
            self.whole = whole
        self.links = links = Links(system, steps)
        self.steps = steps
        joints = [s.name for s in steps if s.name]
        turns = self._turns(joints)
        self.rest, self.rows, own = rest_of(system, links, set(joints), turns)
        self.tree_rows = np.setdiff1d(np.arange(system.nc), self.rows)
        self.work = w = workspace(self.rest)
        w.v[:] = 0.0
        slots = [int(system.tables.measures[m]["slot"]) for m in self.rest.tables.tracked]
        nq, ns, nv = links.nq, len(slots), links.nv
        self.nq, self.nv, self.slots = nq, nv, ns
        self.y, self.ydot = np.zeros(nq + ns + nv + RIDING), np.zeros(nq + ns + nv + RIDING)
        arrays = motion_arrays(system.dim, len(links.rows), nq, nv)
        arrays |= {"q": self.y[:nq], "u": self.y[nq + ns:nq + ns + nv], "qdot": self.ydot[:nq],
                   "udot": self.ydot[nq + ns:nq + ns + nv]}
        gravity = np.zeros(3)
        gravity[: len(system.tables.gravity)] = system.tables.gravity
        set_ground(system.dim, arrays, gravity)
        other = motion_arrays(system.dim, len(links.rows), nq, nv) | {k: arrays[k] for k in SHARED}
        self.motion, self.response = Motion(**arrays), Motion(**other)
        loaded = any(getattr(system.tables, f).size for f in FORCES)
        closure = {
            "handle": np.array([w.bound(n).handle for n in ("loads", "closures", "settled", "events")], dtype=np.int64),
            "has": np.array([loaded, self.rest.nc > 0, ns > 0], dtype=np.int64),
            "slots": self.y[nq:nq + ns], "slot_rates": self.ydot[nq:nq + ns], "slot": np.array(slots, dtype=np.uint32),
            "v": np.zeros(system.nv),
            "power": self.ydot[nq + ns + nv:], "reach": np.zeros(own.pop("reach")), "small": np.zeros(max(80, nv)),
            "order": np.zeros(8, dtype=np.int64)}
        self.closure = Closure(**closure)
        kind = PlanarTree if system.dim == 2 else SpatialTree
        tables = {**own, "links": links.table, "carrier": links.carrier, "gravity": gravity, "joints": self._joints(),
                  "turns": np.array([(int(system.tables.measures[m]["slot"]), q, 1.0) for m, q in turns.items()], dtype=TURN)}
        self.tables = kind(**{k: np.ascontiguousarray(tables[k]) for k in kind._fields})
        self.coordinates = Coordinates(system, links, steps, dict(turns))
        self._bound: dict[str, Bound] = {}
        self.t, self.g = w.arrays.t, w.arrays.g
        self.quality = w.quality
        self.rhs = self.bound("accelerations")
        self.project, self.tangent = (self.bound(name) if self.closed else None for name in ("project", "tangent"))
        self.events = self.bound("events") if self.g.size else None
        self.caps = np.full(self.y.size, np.inf)
        self.caps[links.table["q"][np.isin(links.table["kind"], (REVOLUTE, SCREW))]] = 1.0
        self.caps[nq:nq + ns] = 1.0

    # ------------------------------------------------------------------------------------------------ tables

    def _turns(self, joints) -> dict[int, int]:
        """Running angles that are the coordinate of a tree joint: measure → place in q."""
        s, found = self.system, {}
        place = {s.markers[n]: q for n in joints for _, name, q, _ in self.links.where[n] if name == "angle"}
        for m in s.tables.tracked:
            row = s.tables.measures[m]
            if (int(row["i"]), int(row["j"])) in place and row["kind"] == ANGLE:
                found[int(m)] = place[int(row["i"]), int(row["j"])]
        return found

    def _joints(self) -> np.ndarray:
        out = np.zeros(len(self.links.rows), JOINT)
        for step in self.steps:
            if step.name:
                g = self.system.groups[step.name]
                at = int(self.system.tables.blocks[g.blocks[step.child]]["at"]) if g.blocks else 0
                out[self.links.carrier[step.child]] = (g.start, g.stop - g.start, at, step.child)
        return out

    # ------------------------------------------------------------------------------------------------ running

    def bound(self, name: str) -> Bound:
        if name not in self._bound:
            self._bound[name] = ENTRIES[self.system.dim, name].bind(*self._structs)
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
