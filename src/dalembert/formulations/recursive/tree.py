"""The recursive formulation of one system: tables of its tree, a workspace, and the ways in and out.

    tree = Recursive(system, steps)           steps: model/topology.py
    tree.enter(t, q, v)                       bodies → joint coordinates and speeds
    tree.run("accelerations")                 u̇, λ of the loop rows
    tree.leave()                              joint coordinates → bodies
    tree.observe(work)                        v̇ and all multipliers into a workspace of the full system
"""

from __future__ import annotations

import numpy as np

from dalembert._jit import Bound
from dalembert.elements.measures.table import ANGLE
from dalembert.system.tables import FORCES, REPORT

from .build import Links
from .coordinates import Coordinates
from .entries import ENTRIES, Closure
from .rest import rest_of
from .tables import JOINT, TURN, Motion, PlanarTree, SpatialTree, motion_arrays, set_ground

SHARED = ("U", "Dinv", "axis", "d", "pose", "omega", "theta")


class Recursive:
    """One workspace of the recursive formulation.  One per thread."""

    name = "recursive"

    def __init__(self, system, steps):
        self.system = system
        self.links = links = Links(system, steps)
        self.steps = steps
        joints = [s.name for s in steps if s.name]
        turns = self._turns(joints)
        self.rest, self.rows, own = rest_of(system, links, set(joints), turns)
        self.tree_rows = np.setdiff1d(np.arange(system.nc), self.rows)
        self.work = w = self.rest.workspace()
        w.v[:] = 0.0
        slots = [int(system.tables.measures[m]["slot"]) for m in self.rest.tables.tracked]
        nq, ns, nv = links.nq, len(slots), links.nv
        self.nq, self.nv, self.slots = nq, nv, ns
        self.y, self.ydot = np.zeros(nq + ns + nv + 3), np.zeros(nq + ns + nv + 3)
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
            "power": self.ydot[nq + ns + nv:], "reach": np.zeros(own.pop("reach")), "small": np.zeros(max(80, nv)),
            "order": np.zeros(8, dtype=np.int64)}
        self.closure = Closure(**closure)
        kind = PlanarTree if system.dim == 2 else SpatialTree
        tables = {**own, "links": links.table, "carrier": links.carrier, "gravity": gravity, "joints": self._joints(),
                  "turns": np.array([(int(system.tables.measures[m]["slot"]), q, 1.0) for m, q in turns.items()], dtype=TURN)}
        self.tables = kind(**{k: np.ascontiguousarray(tables[k]) for k in kind._fields})
        self.coordinates = Coordinates(system, links, steps, dict(turns))
        self._bound: dict[str, Bound] = {}

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
            self._bound[name] = ENTRIES[self.system.dim, name].bind(
                self.tables, self.rest.tables, self.work.arrays, self.motion, self.response, self.closure)
        return self._bound[name]

    def run(self, name: str) -> int:
        return self.bound(name)()

    @property
    def t(self) -> np.ndarray:
        return self.work.arrays.t

    @property
    def quality(self) -> np.ndarray:
        return self.work.report[REPORT["pivot"]:REPORT["pivot"] + 2]

    @property
    def closed(self) -> bool:
        """Whether rows are left that the tree does not satisfy by itself."""
        return bool(self.rest.nc)

    def enter(self, t, q, v) -> None:
        """Joint coordinates and speeds of a state of the bodies (which must satisfy the tree joints)."""
        self.t[0] = t
        self.motion.q[:], self.motion.u[:] = self.coordinates.of(q, v)
        self.closure.slots[:] = q[self.closure.slot]
        self.work.q[:] = q  # the side that quaternions are on

    def leave(self) -> tuple[np.ndarray, np.ndarray]:
        """q and v of the bodies."""
        self.run("bodies")
        return self.work.q.copy(), self.work.spare.copy()

    def observe(self, work) -> int:
        """Solve at the state of ``work`` (a workspace of the full system whose rows are evaluated): v̇ and λ into it."""
        self.enter(work.t[0], work.q, work.v)
        self.run("begin")
        status = self.run("accelerations")
        work.lam[self.rows] = self.work.lam
        ENTRIES[self.system.dim, "reactions"].bind(self.tables, self.rest.tables, self.work.arrays, self.motion, self.response,
                                                   self.closure, work.arrays)()
        return status
