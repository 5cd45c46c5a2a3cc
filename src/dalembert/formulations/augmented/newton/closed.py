"""Which elements have their blocks of K, C, G_q, G_v in closed form (elements/second_order), and what is left for duals.

Closed are points that stay together, held and combined measures, forces along measures, given forces and torques, gyroscopic
moments.  Left are equations of users, velocity-level rows, bushings, fields and forces of users.  Forces are left too whose laws
read names (they may depend on any body), everything where laws feel reactions.

The closed kernels are handed tables with the closed rows alone, the passes on duals tables with the others and bodies without
inertia: each element is counted once, and where nothing is left there is no pass.
"""

from __future__ import annotations

import numpy as np

from dalembert._jit import kernel, struct
from dalembert.algebra import jets
from dalembert.elements import laws
from dalembert.elements.bodies.markers import NONE, block
from dalembert.elements.families import CONSTRAINTS, FORCES
from dalembert.elements.second_order import coincide, effort, given, rows
from dalembert.elements.signals.readings import EFFORT

PLACES = np.dtype([("ii", "u4"), ("ij", "u4"), ("ji", "u4"), ("jj", "u4")])  # of the blocks of two bodies in K and C
Closed = struct("Closed", {"points": PLACES, "measures": PLACES})  # of every coincide, of every measure
ROWS, LOADS = ("coincide", "hold", "combine"), ("effort", "force", "torque")


@kernel
def closed_blocks(s, w, sd, d, n, c):
    """All closed blocks, added to K, C, G_q, G_v; poses and twists are at hand."""
    given.gyroscopic(s, w, n)
    coincide.second(s, w, n, c)
    rows.holds(s, w, n, c)
    rows.combines(s, w, n, c)
    given.forces(s, w, sd, d, n)
    given.torques(s, w, sd, d, n)
    effort.second(s, w, sd, d, n, c)
    for k in range(n.Gq.size - 2 * block(s), n.Gq.size):  # behind the rows: room for gradients
        n.Gq[k] = 0.0


def reading_laws(system) -> np.ndarray:
    """For every law whether it reads names: a program with a variable behind those of its own."""
    t = system.tables
    pairs = t.code.reshape(-1, 2)
    reads = (pairs[:, 0] == jets.VARIABLE) & (pairs[:, 1] >= system.first_slot)
    return np.array([row["kind"] == laws.PROGRAM and reads[int(row["start"]) // 2:int(row["stop"]) // 2].any() for row in t.laws],
                    bool)


def in_closed_form(system, family) -> np.ndarray:
    """Which rows of a table have their blocks in closed form."""
    t = system.tables
    table = getattr(t, family)
    if family not in (*ROWS, *LOADS) or system.felt or not len(table):
        return np.zeros(len(table), bool)
    if family in ROWS or not system.readings:
        return np.ones(len(table), bool)
    if family == "effort" and (t.reading["kind"] == EFFORT).any():  # their numbers are read
        return np.zeros(len(table), bool)
    return ~reading_laws(system)[table["law"].astype(int)].reshape(len(table), -1).any(axis=1)


def split(system, tables) -> tuple:
    """The tables with closed rows alone, and ``tables`` (those of the duals) with what is left."""
    of_closed, of_left = {}, {}
    for name in (*CONSTRAINTS, *FORCES):
        mine = in_closed_form(system, name)
        of_closed[name] = np.ascontiguousarray(getattr(system.tables, name)[mine])
        of_left[name] = np.ascontiguousarray(getattr(tables, name)[~mine])
    bodies = tables.bodies.copy()
    bodies["inertia"] = 0.0
    left = tables._replace(**of_left, bodies=bodies)
    rows = left_rows(left)
    some = [bool(((rows >= b["row"]) & (rows < b["row"] + b["count"])).any()) for b in tables.blocks]
    return system.tables._replace(**of_closed), left._replace(blocks=np.ascontiguousarray(tables.blocks[some]))


def left_rows(tables) -> np.ndarray:
    """The first rows of all equations in these tables."""
    return np.concatenate([getattr(tables, name)["row"].astype(int).ravel() for name in CONSTRAINTS])


def places(system, newton):
    """Where the blocks of two bodies are in K and C."""
    at = {(int(c["row"]), int(c["column"])): int(c["at"]) for c in newton.couples}
    body, t = system.tables.markers["body"], system.tables

    def of(row):
        i, j = int(body[row["i"]]), int(body[row["j"]])
        return tuple(at.get(pair, NONE) for pair in ((i, i), (i, j), (j, i), (j, j)))

    return Closed(*(np.array([of(row) for row in table], PLACES)
                    for table in (t.coincide[in_closed_form(system, "coincide")], t.measures)))

