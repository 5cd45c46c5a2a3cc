"""Pattern of S = D M⁻¹ Dᵀ by groups of rows: elimination order, columns, fill, and where every product goes.

Groups that share a body are neighbours, so m groups on one body make a dense part of S: with w rows in all at least w (w + 1) / 2
numbers, and m (m² − 1) / 6 places where products go in the elimination.  Both are known before anything is laid out; a model that
needs more than MOST of them is refused (as is one whose fill, found by the elimination order, needs more).

A body with many branches may be one of the blocks that are eliminated, in mixed order with the groups (model/hubs.py): then the
groups on it are not neighbours by it.  It waits for the rows of its branches, and its other rows wait for it.  Taken where it
saves half of the operations; everything else keeps its order, and its bits.

Where the elimination takes many operations for each column, columns form panels (algebra/panels.py); S is laid out by them.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import numpy as np

from dalembert._jit.rows import lanes
from dalembert.algebra import block_ldl
from dalembert.algebra.block_rows import WRITTEN
from dalembert.algebra.ordering import best_order, minimum_degree, operations
from dalembert.algebra.panel_layout import Layout
from dalembert.elements.bodies.markers import NONE
from dalembert.errors import ModelError
from dalembert.system.tables import HUB, PAIR, PATTERN, SPOKE

MOST = 200_000_000  # places and numbers: 0.8 GB and 1.6 GB
LARGE = 200  # groups on one body from which on a pattern is not kept for other models: it takes megabytes
GAIN = 0.5  # part of the operations that a mixed order may take at most, to be taken
MUCH = 300  # multiply-adds for each column of blocks, from which on columns form panels
LONG = 32  # columns from which on places are looked up by arrays


def pattern_of_model(b, blocks, sizes, hubs=()):
    """Tables of the pattern, numbers in S, and the largest column of the elimination."""
    group_of = [k for k, g in enumerate(b.groups) for _ in g.bodies]
    bodies = blocks["body"].tolist()
    on: dict[int, list[int]] = {}
    for number, body in enumerate(bodies):
        on.setdefault(body, []).append(group_of[number])
    large = False
    carrying = {body for body, _ in hubs}
    for body, members in on.items():
        m, w = len(members), sum(sizes[g] for g in members)
        if body not in carrying and (m * (m * m - 1) // 6 > MOST or w * (w + 1) // 2 > MOST):
            _refuse(b, members)
        large |= m > LARGE
    try:
        find = _pattern_of.__wrapped__ if large else _pattern_of
        return find(tuple(sizes), tuple(group_of), tuple(bodies), tuple(blocks["at"].tolist()),
                    tuple(blocks["weighed"].tolist()), hubs, b.kind.SIZE_V)
    except _TooMuch:
        _refuse(b, max(on.values(), key=len))


class _TooMuch(Exception):
    pass


def _refuse(b, members):
    pair, count = Counter(frozenset(b.groups[g].bodies) for g in members).most_common(1)[0]
    names = [f"'{b.body_names[k]}'" for k in sorted(pair)]
    between = f"between {' and '.join(names if len(names) > 1 else ['the ground', *names])}"
    raise ModelError(f"model '{b.model.name}': one body has {len(members):,} joints, constraints and drives, {count:,} of them "
                     f"{between}; the equations would need more than {MOST:,} numbers. Two bodies need a few joints at most, "
                     "the others repeat them: leave these out, or weld the bodies by one Weld")


@lru_cache(maxsize=64)  # variants of a model share it; nobody writes into it
def _pattern_of(sizes, group_of, bodies, places, weighed, hubs, n):
    by_body: dict[int, list[tuple[int, int, int]]] = {}  # group, its block's place in D and in T
    for number, (body, in_d, in_t) in enumerate(zip(bodies, places, weighed, strict=True)):
        by_body.setdefault(body, []).append((group_of[number], in_d, in_t))
    order, below, hubs = _order(sizes, by_body, hubs, n)
    late = {body: len(sizes) + k for k, body in enumerate(hubs)}
    sizes = sizes + (n,) * len(hubs)
    if sum(len(x) * (len(x) + 1) // 2 for x in below) > MOST:
        raise _TooMuch
    panels = None
    if not hubs and sizes and max(sizes) in WRITTEN and operations(below, sizes) > MUCH * len(sizes):
        panels = Layout(order, below, sizes)
        order = panels.order
    s = _Columns(order, below, sizes, panels)
    at = s.numbers
    if at > MOST:
        raise _TooMuch
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
    dtypes: dict = PATTERN | {"columns": block_ldl.COLUMN, "below": block_ldl.BELOW, "pairs": PAIR}
    columns: list[tuple] = []
    low: list[np.ndarray] = []
    targets: list[np.ndarray] = []
    few: list[int] = []  # those of short columns, until a long one comes
    tail: tuple = ()
    scaled = count = lower = 0
    for g in order:
        under = below[g]
        columns.append((s.at[g][0], sizes[g], starts[g], lower, lower + len(under), count, panels.steps[g] if panels else 0))
        lower += len(under)
        part = np.zeros(len(under), dtypes["below"])
        part["at"], part["count"], part["row"] = s.at[g][1:], s.sizes[under], starts[under]
        low.append(part)
        if panels:
            continue
        if len(under) < LONG:
            few += [s.of(c)[a] for n, c in enumerate(under) for a in under[n:]]
        else:
            targets.append(np.array(few, dtype=dtypes["targets"]))
            few = []
            if not tail or under != tail[0][tail[1]:]:
                tail = _tail(under, s)
            if tail:  # the columns below are what is left of this one: their places, one after the other
                first = tail[1]
                targets.append(tail[2][tail[3][first]:])
                tail = tail[0], first + 1, *tail[2:]
            else:
                at_rows = s.place[under]
                for c, h in enumerate(under):
                    values = s.at[h]
                    same = values.size == len(under) - c  # the column below h is what is left of this one
                    targets.append(values if same else values[np.searchsorted(s.places(h), at_rows[c:])])
        count += len(under) * (len(under) + 1) // 2
        scaled = max(scaled, sizes[g] * int(s.wide[under].sum()))
    targets.append(np.array(few, dtype=dtypes["targets"]))
    pairs: list[tuple] = []
    many: list[np.ndarray] = []
    for body, members in by_body.items():
        if body in late:
            continue
        if len(members) < LONG:
            pairs += [(left, right, sizes[g], sizes[h], s.of(h)[g], NONE if g == h else starts[h], s.step(g, h))
                      for g, _, left in members for h, right, _ in members if s.place[g] >= s.place[h]]
        else:
            many += _pairs(members, s, starts)
    found: dict[str, list] = {"columns": columns, "pairs": pairs}
    tables = {k: np.array(x, dtype=dtypes[k]) for k, x in found.items()}
    tables["hubs"] = np.array([(body, s.at[h][0], starts[h], 0) for body, h in late.items()], HUB)
    spokes: list[tuple] = []
    for body, h in late.items():
        for g, in_d, in_t in by_body[body]:
            first = s.place[h] < s.place[g]
            spokes.append((in_d, in_t, sizes[g], starts[g], s.of(h)[g] if first else s.of(g)[h], first))
    tables["spokes"] = np.array(spokes, SPOKE)
    tables["below"] = _joined(low, block_ldl.BELOW)
    tables["pairs"] = _joined([tables["pairs"], *many], PAIR)
    tables["targets"] = np.concatenate(targets, dtype=dtypes["targets"], casting="unsafe")
    if panels:
        return tables | panels.tables, at, panels.scaled
    return tables | {k: np.zeros(0, PATTERN[k]) for k in ("panels", "links", "chunks", "lines")}, at, scaled


def _joined(parts, dtype) -> np.ndarray:
    """Tables one behind the other, as plain bytes: NumPy would compare the columns of each with those of the next."""
    return np.concatenate([np.zeros(0, np.uint8), *(part.view(np.uint8) for part in parts)]).view(dtype)


def _tail(under, s: _Columns) -> tuple:
    """Blocks of which every one has all later ones below it, and nothing else: (these, how many are done, where their columns'
    blocks are, where each column begins among them); () where it is not so."""
    if any(len(s.below[h]) != len(under) - c - 1 for c, h in enumerate(under)):
        return ()
    values = np.concatenate([s.at[h] for h in under]).astype(np.uint32)
    return under, 0, values, np.cumsum([0, *(s.at[h].size for h in under)])


def _order(sizes, by_body, hubs, n):
    """Order and columns of the groups, or of groups and hubs; and the hubs that are in it."""
    if not hubs:
        return *best_order(_neighbours(len(sizes), by_body.values()), sizes), ()
    carrying = [body for body, _ in hubs]
    near = _neighbours(len(sizes), [x for body, x in by_body.items() if body not in carrying])
    near += [{g for g, _, _ in by_body[body]} for body in carrying]
    after: list[set[int]] = [set() for _ in near]
    for h, (_, hanging) in enumerate(hubs, start=len(sizes)):
        after[h] = set(hanging)
        for g in near[h]:
            near[g].add(h)
            if g not in after[h]:
                after[g].add(h)
    weight = sizes + (n,) * len(hubs)
    mixed = minimum_degree(near, weight, after)
    count = operations(mixed[1], weight)
    least = max(sum(sizes[g] for g, _, _ in by_body[body]) ** 3 // 6 for body in carrying)  # their rows, all neighbours
    if count >= GAIN * least:
        plain = best_order(_neighbours(len(sizes), by_body.values()), sizes)
        if count >= GAIN * operations(plain[1], sizes):
            return *plain, ()
    return *mixed, carrying


def _neighbours(count, together) -> list[set[int]]:
    near: list[set[int]] = [set() for _ in range(count)]
    for members in together:
        groups = {g for g, _, _ in members}
        for g in groups:
            near[g] |= groups
            near[g].discard(g)
    return near


class _Columns:
    """Where the blocks of S are, column by column: its own block first, then those below it, in the order of elimination."""

    def __init__(self, order, below, sizes, panels):
        self.panels, self.below, self.sizes = panels, below, np.array(sizes, dtype=np.int64)
        self.wide = np.array([lanes(n) for n in sizes], dtype=np.int64)
        self.place = np.zeros(len(sizes), dtype=np.int64)
        self.place[order] = np.arange(len(order))
        self.at: dict[int, np.ndarray] = {}
        self._known: dict[int, dict[int, int]] = {}
        self._places: dict[int, np.ndarray] = {}
        self.numbers = 0
        if panels:
            self.at, self.numbers = panels.at, panels.numbers
            return
        for g in order:
            ends = self.numbers + np.cumsum(self.wide[[g, *below[g]]] * sizes[g])
            self.at[g] = np.concatenate([[self.numbers], ends[:-1]])
            self.numbers = int(ends[-1])

    def of(self, g: int) -> dict[int, int]:
        """Block → its place in the column of g."""
        if g not in self._known:
            self._known[g] = dict(zip([g, *self.below[g]], self.at[g].tolist(), strict=True))
        return self._known[g]

    def step(self, g: int, h: int) -> int:
        """From one column to the next in the block of rows g and columns h."""
        return self.panels.steps[h] if self.panels else int(self.wide[g])

    def places(self, g: int) -> np.ndarray:
        """Places in the order of elimination of the blocks of a column: they grow."""
        if g not in self._places:
            self._places[g] = self.place[[g, *self.below[g]]]
        return self._places[g]


def _pairs(members, s: _Columns, starts):
    """Products of the many blocks on one body, column by column of S."""
    groups, right, left = (np.array(x) for x in zip(*members, strict=True))
    spots, count = s.place[groups], s.sizes[groups]
    for h, at in zip(groups.tolist(), right, strict=True):
        lower = np.flatnonzero(spots >= s.place[h])
        part = np.zeros(lower.size, PAIR)
        part["left"], part["right"], part["count"], part["width"] = left[lower], at, count[lower], s.sizes[h]
        part["to"] = s.at[h][np.searchsorted(s.places(h), spots[lower])]
        part["row"] = np.where(groups[lower] == h, NONE, starts[h])
        part["step"] = s.panels.steps[h] if s.panels else s.wide[groups[lower]]
        yield part
