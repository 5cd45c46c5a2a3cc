"""Pattern of S = D M⁻¹ Dᵀ by groups of rows: elimination order, columns, fill, and where every product goes.

Groups that share a body are neighbours, so m groups on one body make a dense part of S: with w rows in all at least w (w + 1) / 2
numbers, and m (m² − 1) / 6 places where products go in the elimination.  Both are known before anything is laid out; a model that
needs more than MOST of them is refused (as is one whose fill, found by the elimination order, needs more).
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import numpy as np

from dalembert._jit.rows import lanes
from dalembert.algebra import block_ldl
from dalembert.algebra.ordering import best_order
from dalembert.errors import ModelError
from dalembert.system.tables import PAIR, PATTERN

MOST = 200_000_000  # places and numbers: 0.8 GB and 1.6 GB
LARGE = 200  # groups on one body from which on a pattern is not kept for other models: it takes megabytes
LONG = 32  # columns from which on places are looked up by arrays


def pattern_of_model(b, blocks, sizes):
    """Tables of the pattern, numbers in S, and the largest column of the elimination."""
    group_of = [k for k, g in enumerate(b.groups) for _ in g.bodies]
    bodies = blocks["body"].tolist()
    on: dict[int, list[int]] = {}
    for number, body in enumerate(bodies):
        on.setdefault(body, []).append(group_of[number])
    large = False
    for members in on.values():
        m, w = len(members), sum(sizes[g] for g in members)
        if m * (m * m - 1) // 6 > MOST or w * (w + 1) // 2 > MOST:
            _refuse(b, members)
        large |= m > LARGE
    try:
        find = _pattern_of.__wrapped__ if large else _pattern_of
        return find(tuple(sizes), tuple(group_of), tuple(bodies), tuple(blocks["at"].tolist()),
                    tuple(blocks["weighed"].tolist()))
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
def _pattern_of(sizes, group_of, bodies, places, weighed):
    by_body: dict[int, list[tuple[int, int, int]]] = {}  # group, its block's place in D and in T
    for number, (body, in_d, in_t) in enumerate(zip(bodies, places, weighed, strict=True)):
        by_body.setdefault(body, []).append((group_of[number], in_d, in_t))
    near: list[set[int]] = [set() for _ in sizes]
    for members in by_body.values():
        together = {g for g, _, _ in members}
        for g in together:
            near[g] |= together
            near[g].discard(g)
    order, below = best_order(near, sizes)
    s = _Columns(order, below, sizes)
    at = s.numbers
    if at > MOST or sum(len(x) * (len(x) + 1) // 2 for x in below) > MOST:
        raise _TooMuch
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
    dtypes: dict = PATTERN | {"columns": block_ldl.COLUMN, "below": block_ldl.BELOW, "pairs": PAIR}
    columns: list[tuple] = []
    low: list[np.ndarray] = []
    targets: list[np.ndarray] = []
    few: list[int] = []  # those of short columns, until a long one comes
    scaled = count = lower = 0
    for g in order:
        under = below[g]
        columns.append((s.at[g][0], sizes[g], starts[g], lower, lower + len(under), count))
        lower += len(under)
        part = np.zeros(len(under), dtypes["below"])
        part["at"], part["count"], part["row"] = s.at[g][1:], s.sizes[under], starts[under]
        low.append(part)
        if len(under) < LONG:
            few += [s.of(c)[a] for n, c in enumerate(under) for a in under[n:]]
        else:
            targets.append(np.array(few, dtype=dtypes["targets"]))
            few = []
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
    for members in by_body.values():
        if len(members) < LONG:
            pairs += [(left, right, sizes[g], sizes[h], s.of(h)[g], 0)
                      for g, _, left in members for h, right, _ in members if s.place[g] >= s.place[h]]
        else:
            many += _pairs(members, s)
    found: dict[str, list] = {"columns": columns, "pairs": pairs}
    tables = {k: np.array(x, dtype=dtypes[k]) for k, x in found.items()}
    tables["below"] = np.concatenate([np.zeros(0, dtypes["below"]), *low])
    tables["pairs"] = np.concatenate([tables["pairs"], *many])
    return tables | {"targets": np.concatenate(targets).astype(dtypes["targets"])}, at, scaled


class _Columns:
    """Where the blocks of S are, column by column: its own block first, then those below it, in the order of elimination."""

    def __init__(self, order, below, sizes):
        self.below, self.sizes = below, np.array(sizes, dtype=np.int64)
        self.wide = np.array([lanes(n) for n in sizes], dtype=np.int64)
        self.place = np.zeros(len(sizes), dtype=np.int64)
        self.place[order] = np.arange(len(order))
        self.at: dict[int, np.ndarray] = {}
        self._known: dict[int, dict[int, int]] = {}
        self._places: dict[int, np.ndarray] = {}
        self.numbers = 0
        for g in order:
            ends = self.numbers + np.cumsum(self.wide[[g, *below[g]]] * sizes[g])
            self.at[g] = np.concatenate([[self.numbers], ends[:-1]])
            self.numbers = int(ends[-1])

    def of(self, g: int) -> dict[int, int]:
        """Block → its place in the column of g."""
        if g not in self._known:
            self._known[g] = dict(zip([g, *self.below[g]], self.at[g].tolist(), strict=True))
        return self._known[g]

    def places(self, g: int) -> np.ndarray:
        """Places in the order of elimination of the blocks of a column: they grow."""
        if g not in self._places:
            self._places[g] = self.place[[g, *self.below[g]]]
        return self._places[g]


def _pairs(members, s: _Columns):
    """Products of the many blocks on one body, column by column of S."""
    groups, right, left = (np.array(x) for x in zip(*members, strict=True))
    spots, count = s.place[groups], s.sizes[groups]
    for h, at in zip(groups.tolist(), right, strict=True):
        lower = np.flatnonzero(spots >= s.place[h])
        part = np.zeros(lower.size, PAIR)
        part["left"], part["right"], part["count"], part["width"] = left[lower], at, count[lower], s.sizes[h]
        part["to"] = s.at[h][np.searchsorted(s.places(h), spots[lower])]
        yield part
