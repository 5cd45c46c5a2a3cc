"""What all forms of one tree have in common: links, the rows left over, tables, the way into joint coordinates.

It follows from the system and the steps of the tree, takes half of the making of a form, and nobody writes to it: it is kept with
the system, for the runs after the first one.
"""

from __future__ import annotations

import numpy as np

from dalembert.elements.families import FORCES
from dalembert.elements.measures.table import ANGLE

from .build import Links
from .coordinates import Coordinates
from .loop_rows import rest_of
from .tables import JOINT, REVOLUTE, SCREW, TURN, PlanarTree, SpatialTree

KEPT = 4  # trees of one system: other joints may be cut


class Plan:
    """Links, tables and the system of the rows that are left (``rest``; their old numbers: ``rows``) of one tree."""

    def __init__(self, system, steps):
        self.links = links = Links(system, steps)
        joints = [s.name for s in steps if s.name]
        turns = _turns(system, links, joints)
        self.rest, self.rows, own = rest_of(system, links, set(joints), turns)
        self.tree_rows = np.setdiff1d(np.arange(system.nc), self.rows)
        self.slots = [int(system.tables.measures[m]["slot"]) for m in self.rest.tables.tracked]
        self.reach = own.pop("reach")
        self.loaded = any(getattr(system.tables, f).size for f in FORCES)
        gravity = np.zeros(3)
        gravity[:len(system.tables.gravity)] = system.tables.gravity
        kind = PlanarTree if system.dim == 2 else SpatialTree
        tables = {**own, "links": links.table, "carrier": links.carrier, "gravity": gravity,
                  "joints": _joints(system, links, steps),
                  "turns": np.array([(int(system.tables.measures[m]["slot"]), q, 1.0) for m, q in turns.items()], dtype=TURN)}
        self.tables = kind(**{k: np.ascontiguousarray(tables[k]) for k in kind._fields})
        self.coordinates = Coordinates(system, links, steps, dict(turns))
        self.caps = np.full(links.nq, np.inf)
        self.caps[links.table["q"][np.isin(links.table["kind"], (REVOLUTE, SCREW))]] = 1.0


def plan_of(system, steps) -> Plan:
    """The plan of a system's tree, made once."""
    kept = system.__dict__.setdefault("trees", {})
    found = kept.get(steps)
    if found is None:
        while len(kept) >= KEPT:
            del kept[next(iter(kept))]
        found = kept[steps] = Plan(system, steps)
    return found


def _turns(system, links, joints) -> dict[int, int]:
    """Running angles that are the coordinate of a tree joint: measure → place in q."""
    found = {}
    place = {system.markers[n]: q for n in joints for _, name, q, _ in links.where[n] if name == "angle"}
    for m in system.tables.tracked:
        row = system.tables.measures[m]
        if (int(row["i"]), int(row["j"])) in place and row["kind"] == ANGLE:
            found[int(m)] = place[int(row["i"]), int(row["j"])]
    return found


def _joints(system, links, steps) -> np.ndarray:
    """Rows and bodies of each link's joint."""
    out = np.zeros(len(links.rows), JOINT)
    for step in steps:
        if step.name:
            g = system.groups[step.name]
            at = int(system.tables.blocks[g.blocks[step.child]]["at"]) if g.blocks else 0
            out[links.carrier[step.child]] = (g.start, g.stop - g.start, at, step.child)
    return out
