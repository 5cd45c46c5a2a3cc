"""Arrays of the linear systems inside implicit methods, and their pattern.

Nodes of the matrix are bodies (n = 3 or 6 unknowns) and constraint groups (their rows).  Bodies are coupled when a
constraint, a spring or a bushing joins them; a group is coupled to its bodies and eliminated after them.

Columns of K and C are found by differences, several bodies at once: bodies of one colour share no neighbour, so that each
row of the result belongs to one of them.
"""

from __future__ import annotations

import numpy as np

from dalembert._jit import inline, struct
from dalembert.algebra import block_lu

COUPLE = np.dtype([("row", "u4"), ("column", "u4"), ("at", "u4"), ("to", "u4")])
PLACE = np.dtype([("at", "u4"), ("count", "u4"), ("row", "u4"), ("body", "u4"), ("low", "u4"), ("right", "u4"),
                  ("corner", "u4"), ("first", "u4")])
RANGE = np.dtype([("first", "u4"), ("last", "u4")])

Newton = struct("Newton", {
    # shared with the workspace of the equations
    "t": "f8", "y": "f8", "ydot": "f8", "q": "f8", "v": "f8", "qdot": "f8", "vdot": "f8", "lam": "f8",
    "phi": "f8", "nu": "f8", "D": "f8", "before": "f8", "delta": "f8", "u": "f8", "rho": "f8", "defect": "f8",
    "held": "f8", "shift": "f8", "change": "f8",
    # pattern
    "shape": "i8", "handle": "i8", "colours": RANGE, "members": "u4", "columns": RANGE, "couples": COUPLE, "of": RANGE,
    "places": PLACE, "levels": "u4", "nodes": block_lu.NODE, "edges": block_lu.EDGE, "targets": "u4", "mass": "f8",
    # values at the point of differentiation
    "spin": "f8", "scale": "f8", "K": "f8", "C": "f8", "D0": "f8", "Gq": "f8", "Gv": "f8",
    "S0": "f8",  # 0: the row depends on others
    # states z of differentials: places in y; ∂u/∂z (state by state), ∂ż/∂q, ∂ż/∂v (twists), ∂ż/∂z; their part of the factors
    "states": "u4", "B": "f8", "Eq": "f8", "Ev": "f8", "F": "f8", "Y": "f8", "zY": "c16", "W": "f8", "zW": "c16",
    # what laws feel, x = h(λ, v̇): ∂u/∂x is behind ∂u/∂z, H (over v̇, then λ), ∂ż/∂x
    "felt": "f8", "H": "f8", "Z": "f8",
    "xz": "f8", "zxz": "c16", "old": "f8", "order": "i8", "zorder": "i8",
    # scratch
    "P": "f8", "zP": "c16",
    "q0": "f8", "v0": "f8", "Q1": "f8", "r1": "f8", "lu": "f8", "zlu": "c16", "x": "f8", "z": "c16", "twist": "f8",
    "ztwist": "c16", "buffer": "f8", "zbuffer": "c16", "swaps": "i8",
    # what integrators hand over: right-hand sides and answers, and the coefficients
    "a": "f8", "b": "f8", "coefficient": "f8"})

SIZE, BODIES, NQ, NV, NC = range(5)  # shape
MOVE, UNBALANCED, TWIST, COORDINATES, DEFECTS = range(5)  # handle
LENGTH, SPEED = range(2)  # scale: the size of the mechanism (radius of gyration), and its fastest speed over that length
REAL, ALPHA, BETA = range(3)  # coefficient: c, and c = α + iβ


@inline
def place(n, b):
    """Where the velocities of body b begin in v, and in all twists of the bodies (elements/bodies: at_v)."""
    return n.shape[SIZE] * np.int64(b)


@inline
def placed(size, b):
    """The same where the compiler knows the size, and writes out what goes over it."""
    return size * np.int64(b)


def coupled_bodies(system) -> list[set[int]]:
    """For every body the other bodies whose motion changes its forces."""
    nb = system.nb
    near: list[set[int]] = [set() for _ in range(nb)]

    def join(*bodies):
        found = {int(b) for b in bodies if b < nb}
        for b in found:
            near[b] |= found - {b}

    for g in system.groups.values():
        join(*g.blocks)
    for bodies in system.couples.values():
        join(*bodies)
    return near


def colouring(near: list[set[int]]) -> list[list[int]]:
    """Bodies in as few classes as a greedy search finds, no two of a class equal, joined, or with a common neighbour."""
    colour: dict[int, int] = {}
    for b in sorted(range(len(near)), key=lambda k: -len(near[k])):
        taken = {colour.get(m) for k in near[b] for m in near[k] | {k}}
        colour[b] = next(c for c in range(len(near) + 1) if c not in taken)
    classes: list[list[int]] = [[] for _ in range(max(colour.values()) + 1)]
    for b, c in sorted(colour.items()):
        classes[c].append(b)
    return classes


def pattern(system) -> dict:
    """All index tables of the struct, and the sizes of its value arrays."""
    n, nb, blocks = system.kind.SIZE_V, system.nb, system.tables.blocks
    near = coupled_bodies(system)
    groups = [g for g in system.groups.values() if g.stop > g.start]
    nodes = [set(s) for s in near] + [set(g.blocks) for g in groups]
    for k, g in enumerate(groups):
        for b in g.blocks:
            nodes[b].add(nb + k)
    sizes = [n] * nb + [g.stop - g.start for g in groups]
    lu = block_lu.pattern(nodes, sizes, [set() for _ in near] + [set(g.blocks) for g in groups])
    where = lu["where"]
    couples: list[tuple] = []
    ranges, at = [], 0
    for column in range(nb):
        first = len(couples)
        for row in [column, *sorted(near[column])]:
            couples.append((row, column, at, where[row, column]))
            at += n * n
        ranges.append((first, len(couples)))
    number = {g.name: nb + k for k, g in enumerate(groups)}
    places = []
    for g in groups:
        for body, block in sorted(g.blocks.items()):
            b, k = blocks[block], number[g.name]
            places.append((b["at"], b["count"], b["row"], body, where[k, body], where[body, k], where[k, k],
                           body == min(g.blocks)))
    order = sorted(range(len(places)), key=lambda k: places[k][3])
    places = [places[k] for k in order]
    of = _ranges([p[3] for p in places], nb)
    classes = colouring(near) if not system.states else [[b] for b in range(nb)]
    ends = np.cumsum([0] + [len(c) for c in classes])
    return {"couples": np.array(couples, COUPLE), "columns": np.array(ranges, RANGE), "places": np.array(places, PLACE),
            "of": np.array(of, RANGE), "members": np.array([b for c in classes for b in c], np.uint32),
            "colours": np.array([(ends[k], ends[k + 1]) for k in range(len(classes))], RANGE),
            "nodes": lu["nodes"], "edges": lu["edges"], "targets": lu["targets"], "lu_size": lu["size"], "k_size": at,
            "largest": max(sizes)}


def _ranges(bodies: list[int], count: int) -> list[tuple[int, int]]:
    edges = np.searchsorted(np.array(bodies, dtype=int), np.arange(count + 1))
    return [(int(edges[k]), int(edges[k + 1])) for k in range(count)]
