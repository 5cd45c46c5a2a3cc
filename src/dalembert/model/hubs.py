"""Hubs: bodies that carry many branches.  They are eliminated after the rows of their branches (equations/saddle.py).

A branch of a body h is a part of the mechanism that touches the rest (the ground, other bodies) by way of h alone: h is a cut
vertex of the graph of bodies and groups of rows, and the branch one of the parts without the ground.

Rows of a branch that are eliminated before h are measured with h held fast.  They depend on each other then just as if h were
free.  Rows between bodies do not change when all their bodies move together as one rigid body: with C the bodies of the branch
and X their velocities when h moves by a unit and C with it,

    D_C X + D_h = 0,      so    [D_C D_h] = D_C [1  −X]:      zᵀ D_C = 0  ⇔  zᵀ [D_C D_h] = 0

which holds on the constraints, where choices are made (equations/dependence.py).  It does not hold of rows that know directions
of the ground, and branches that reach the ground have none of this: a group counts as one that touches the ground unless it is
known to be made of measures between moving bodies.  Rows of h that are in no branch come after h and see it with all it carries.

Where several hubs wait, a branch of one that contains another is no trouble: rows of the inner hub towards the outer one wait for
the inner hub, so nothing that has been eliminated connects two that wait.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from dalembert.elements.measures.table import NAMES
from dalembert.model import pointlike

BRANCHES = 8  # of a body, from which on it is asked whether its late elimination takes fewer operations


def hubs_of(b, spinless: Sequence[int]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Bodies with many branches, each with the groups of rows by which these hang on it."""
    if len(b.groups) < BRANCHES:
        return ()
    on: dict[int, int] = {}
    for g in b.groups:
        for body in g.bodies:
            on[body] = on.get(body, 0) + 1
    wanted = [k for k, m in on.items() if m >= BRANCHES and k not in spinless and not pointlike.of(b, k)]
    if not wanted:
        return ()
    first = b.ground + 1  # bodies, the ground, groups
    near: list[list[int]] = [[] for _ in range(first + len(b.groups))]
    for k, g in enumerate(b.groups):
        near[first + k] = sorted(g.bodies) + ([] if between_bodies(b, g) else [b.ground])
        for body in near[first + k]:
            near[body].append(first + k)
    wanted.sort(key=lambda k: (-on[k], k))
    found = branches(near, [b.ground, *wanted, *range(b.ground)], set(wanted))
    return tuple((body, tuple(g - first for g in groups)) for body, groups in sorted(found.items()))


def between_bodies(b, g) -> bool:
    """Whether the rows of a group are of measures between moving bodies alone."""
    for family, _, columns in g.pieces:
        if family == "coincide":
            pairs = [columns]
        elif family == "hold":
            pairs = [b.measures[columns["measure"]]]
        elif family in ("combine", "equation"):
            pairs = [b.measures[term["measure"]] for term in b.terms[columns["start"]:columns["stop"]]]
        else:
            return False
        if any(b.markers[p[side]].body == b.ground for p in pairs for side in "ij"):
            return False
        if any("kind" in p and NAMES[p["kind"]] == "component" for p in pairs):  # along a direction of a third body
            return False
    return True


def branches(near: Sequence[Sequence[int]], roots: Sequence[int], wanted: set[int]) -> dict[int, list[int]]:
    """Per wanted vertex with enough branches: its neighbours in them.  Depth first from the roots, in their order (Tarjan).

    The branches of v are the subtrees below it from which no edge leads above v.
    """
    seen = [-1] * len(near)  # when a vertex was first seen
    low = [0] * len(near)  # the earliest that an edge from below it leads to
    hanging: dict[int, list[tuple[int, int]]] = {v: [] for v in wanted}  # when their branches were begun and done
    clock = 0
    for root in roots:
        if seen[root] >= 0:
            continue
        seen[root] = low[root] = clock
        clock += 1
        path = [(root, -1, iter(near[root]))]
        while path:
            v, above, rest = path[-1]
            for u in rest:
                if seen[u] < 0:
                    seen[u] = low[u] = clock
                    clock += 1
                    path.append((u, v, iter(near[u])))
                    break
                if u != above:
                    low[v] = min(low[v], seen[u])
            else:
                path.pop()
                if above >= 0:
                    low[above] = min(low[above], low[v])
                    if above in hanging and low[v] >= seen[above]:
                        hanging[above].append((seen[v], clock))
    out = {}
    for v, parts in hanging.items():
        if len(parts) < BRANCHES:
            continue
        starts = [begun for begun, _ in parts]

        def inside(u, starts=starts, parts=parts):
            k = bisect_right(starts, seen[u]) - 1
            return k >= 0 and seen[u] < parts[k][1]

        out[v] = [u for u in near[v] if inside(u)]
    return out
