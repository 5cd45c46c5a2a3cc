"""The rows a tree leaves over, as a system of their own: same bodies, only these rows, no gravity.

The compiled equations evaluate it as any other system.  Rows are numbered cluster by cluster (a cluster: groups of rows whose
ways to the root share a speed), so that each cluster is one dense block of K.  Gravity is left to the recursion.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dalembert._jit.rows import lanes
from dalembert.algebra import block_ldl
from dalembert.elements.bodies.markers import NONE
from dalembert.elements.families import CONSTRAINTS
from dalembert.system.layout import GroupInfo
from dalembert.system.tables import BLOCK

from .tables import GROUP, PATH


def rest_of(system, links, tree_joints, turns):
    """(system of the loop rows, their old numbers, tables of the tree that describe them)."""
    names = [g for g in system.groups if g not in tree_joints]
    paths = {name: _path(system, links, name) for name in names}
    clusters = _clusters(names, paths, links)
    ordered = [n for cluster in clusters for n in cluster]
    n = system.kind.SIZE_V
    old_rows: list[int] = []
    groups: dict[str, GroupInfo] = {}
    blocks: list[tuple] = []
    place: dict[int, int] = {}  # offset in the old D → in the new one, for each row of each block
    at = 0
    for name in ordered:
        g = system.groups[name]
        start = len(old_rows)
        found = {}
        for body, number in g.blocks.items():
            found[body] = len(blocks)
            blocks.append((at, g.stop - g.start, start, body, 0, 0))
            for i in range(g.stop - g.start):
                place[int(system.tables.blocks[number]["at"]) + n * i] = at + n * i
            at += n * (g.stop - g.start)
        old_rows += range(g.start, g.stop)
        groups[name] = GroupInfo(name, start, start + g.stop - g.start, found, g.markers)
    tables = _tables(system, old_rows, place, np.array(blocks, dtype=BLOCK), turns)
    own, size = _own(links, groups, paths, clusters)
    rest = replace(system, tables=tables, rows=[system.rows[k] for k in old_rows], groups=groups, S_size=size, scaled_size=1)
    return rest, np.array(old_rows, dtype=int), own


def _path(system, links, name) -> list[int]:
    """Links between the bodies of a group of rows and the root, the outermost first."""
    found = set()
    for body in system.groups[name].blocks:
        k = int(links.carrier[body])
        while k:
            found.add(k)
            k = links.rows[k]["parent"]
    return sorted(found, reverse=True)


def _clusters(names, paths, links) -> list[list[str]]:
    owner: dict[int, str] = {}
    parent = {n: n for n in names}

    def root(n):
        while parent[n] != n:
            parent[n] = parent[parent[n]]
            n = parent[n]
        return n

    for name in names:
        for k in paths[name]:
            if links.rows[k]["speeds"]:
                parent[root(name)] = root(owner.setdefault(k, name))
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(root(name), []).append(name)
    return list(found.values())


def _own(links, groups, paths, clusters):
    """Tables of the tree: groups with their paths, and one column of K per cluster."""
    rows: list[tuple] = []
    path: list[tuple] = []
    columns: list[tuple] = []
    offset = corner = 0
    for number, cluster in enumerate(clusters):
        width = sum(groups[n].stop - groups[n].start for n in cluster)
        columns.append((corner, width, groups[cluster[0]].start, 0, 0, 0, 0))
        corner += lanes(width) * width
        for name in cluster:
            g = groups[name]
            first, speeds = len(path), 0
            for k in paths[name]:
                path.append((k, speeds))
                speeds += links.rows[k]["speeds"]
            block = min(g.blocks.values()) if g.blocks else 0
            rows.append((g.start, g.stop - g.start, block, len(g.blocks), first, len(paths[name]), number, offset))
            offset += speeds * (g.stop - g.start)
    return {"groups": np.array(rows, dtype=GROUP), "paths": np.array(path, dtype=PATH), "reach": offset,
            "columns": np.array(columns, dtype=block_ldl.COLUMN), "below": np.zeros(0, block_ldl.BELOW),
            "targets": np.zeros(0, np.uint32)}, corner


def _tables(system, old_rows, place, blocks, turns):
    old = system.tables
    new_row = {k: i for i, k in enumerate(old_rows)}
    changed = {"blocks": blocks, "levels": old.levels[old_rows].astype(np.uint32), "gravity": np.zeros_like(old.gravity)}
    for family in CONSTRAINTS:
        table = getattr(old, family)
        kept = table[[int(r) in new_row for r in table["row"]]].copy()
        kept["row"] = [new_row[int(r)] for r in kept["row"]]
        for side in ("at_i", "at_j"):
            if side in (kept.dtype.names or ()):
                kept[side] = [NONE if int(a) == NONE else place[int(a)] for a in kept[side]]
        changed[family] = kept
    terms = old.terms.copy()
    for side in ("at_i", "at_j"):
        terms[side] = [place.get(int(a), NONE) for a in terms[side]]
    changed["terms"] = terms
    changed["tracked"] = np.array([m for m in old.tracked if int(m) not in turns], dtype=np.uint32)
    for name in ("pairs", "columns", "below", "targets", "panels", "links", "chunks", "lines"):
        changed[name] = np.zeros(0, getattr(old, name).dtype)
    return old._replace(**{k: np.ascontiguousarray(v) for k, v in changed.items()})
