"""The graph of bodies and joints: a spanning tree for the recursive formulation, and what it leaves over.

Edges are the joints whose free motion is known (``free`` of their class).  The tree grows from the ground, always by the joint
that takes away most freedoms, of these the one nearest to the ground: so the joints left over (*cut*) have few rows and the
chains are short.  Parts without a way to the ground get a free joint at their first body.  Joints named in ``cut`` are never
taken.

Everything else with rows (cut joints, massless links, gears, equations, drives, velocity-level rows) closes loops.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass

from dalembert.elements.element import name_of
from dalembert.errors import ModelError, hint
from dalembert.expressions import number
from dalembert.system.layout import System


@dataclass(frozen=True)
class Step:
    """The tree goes on from body ``parent`` to ``child`` by a joint (name "" for a free body)."""

    name: str
    parent: int
    child: int
    reverse: bool  # from the joint's second body to its first
    free: tuple[str, ...]  # motions as the joint's class lists them
    lead: float
    markers: tuple[int, int] | None  # on the joint's first and second body


@dataclass(frozen=True)
class Topology:
    """A spanning tree: steps in an order in which parents come first, and the names of the joints it cuts."""

    steps: tuple[Step, ...]
    cut: tuple[str, ...]
    floating: tuple[str, ...]


def topology(model, system: System, cut=()) -> Topology:
    """A spanning tree of the model's joints."""
    cut = [name_of(c, "cut") for c in ([cut] if isinstance(cut, str) or hasattr(cut, "name") else cut)]
    edges: dict[str, Step] = {}
    near: dict[int, list[str]] = {b: [] for b in range(system.nb + 1)}
    for name, element in model.elements.items():
        free = getattr(element, "free", {}).get(model.dim)
        if element.kind != "joint" or free is None or name not in system.groups:
            continue
        i, j = (int(system.tables.markers[m]["body"]) for m in system.markers[name])
        lead = 0.0
        if "screw" in free:
            lead = number(element.pitch, model.parameter_values(), f"pitch of {element.title}") / (2 * math.pi)
        edges[name] = Step(name, i, j, False, tuple(free), lead, system.markers[name])
        near[i].append(name)
        near[j].append(name)
    for name in cut:
        if name not in edges:
            raise ModelError(f"cut: '{name}' is no joint that a tree could use{hint(name, edges)} (joints: {', '.join(edges)})")
    return _grow(system, edges, near, set(cut))


def _grow(system, edges, near, banned) -> Topology:
    steps: list[Step] = []
    used: set[str] = set()
    depth = {system.nb: 0}
    heap: list[tuple[int, int, int, str]] = []
    order = {name: k for k, name in enumerate(edges)}
    floating: list[str] = []

    def look(body):
        for name in near[body]:
            if name not in used and name not in banned:
                heapq.heappush(heap, (len(edges[name].free), depth[body], order[name], name))

    look(system.nb)
    roots = iter(range(system.nb))
    while len(depth) <= system.nb:
        while heap:
            _, _, _, name = heapq.heappop(heap)
            e = edges[name]
            if name in used or (e.parent in depth and e.child in depth):
                continue
            used.add(name)
            reverse = e.child in depth
            parent, child = (e.child, e.parent) if reverse else (e.parent, e.child)
            depth[child] = depth[parent] + 1
            steps.append(Step(name, parent, child, reverse, e.free, e.lead, e.markers))
            look(child)
        for root in roots:
            if root not in depth:
                depth[root] = 1
                floating.append(system.bodies[root])
                free = ("Tx", "Ty", "Rz") if system.dim == 2 else ("Tx", "Ty", "Tz", "Rx", "Ry", "Rz")
                steps.append(Step("", system.nb, root, False, free, 0.0, None))
                look(root)
                break
    return Topology(_depth_first(system, steps), tuple(n for n in edges if n not in used), tuple(floating))


def _depth_first(system, steps) -> tuple[Step, ...]:
    """Branch by branch: neighbours in the tree are neighbours in memory."""
    children: dict[int, list[Step]] = {}
    for s in steps:
        children.setdefault(s.parent, []).append(s)
    out: list[Step] = []
    stack = list(reversed(children.get(system.nb, [])))
    while stack:
        s = stack.pop()
        out.append(s)
        stack += reversed(children.get(s.child, []))
    return tuple(out)
