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
    wide = [lanes(n) for n in sizes]
    numbers = sum(sizes[g] * (wide[g] + sum(wide[h] for h in below[g])) for g in order)
    if numbers > MOST or sum(len(x) * (len(x) + 1) // 2 for x in below) > MOST:
        raise _TooMuch
    place = {g: p for p, g in enumerate(order)}
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
    where: dict[tuple[int, int], int] = {}
    at = 0
    for g in order:
        where[g, g] = at
        at += sizes[g] * lanes(sizes[g])
        for h in below[g]:
            where[h, g] = at
            at += lanes(sizes[h]) * sizes[g]
    dtypes: dict = PATTERN | {"columns": block_ldl.COLUMN, "below": block_ldl.BELOW, "pairs": PAIR}
    columns: list[tuple] = []
    low: list[tuple] = []
    targets: list[np.ndarray] = []
    few: list[int] = []  # those of short columns, until a long one comes
    rows: dict[int, tuple[np.ndarray, np.ndarray]] = {}
    scaled = count = 0
    for g in order:
        under = below[g]
        columns.append((where[g, g], sizes[g], starts[g], len(low), len(low) + len(under), count))
        low += [(where[h, g], sizes[h], starts[h]) for h in under]
        if len(under) < LONG:
            few += [where[under[a], under[c]] for c in range(len(under)) for a in range(c, len(under))]
        else:
            targets.append(np.array(few, dtype=dtypes["targets"]))
            few = []
            at_rows = np.array([place[h] for h in under])
            for c, h in enumerate(under):
                if h not in rows:
                    rows[h] = (np.array([place[h], *(place[x] for x in below[h])]),
                               np.array([where[h, h], *(where[x, h] for x in below[h])], dtype=dtypes["targets"]))
                known, values = rows[h]
                same = values.size == len(under) - c  # the column below h is what is left of this one
                targets.append(values if same else values[np.searchsorted(known, at_rows[c:])])
        count += len(under) * (len(under) + 1) // 2
        scaled = max(scaled, sizes[g] * sum(lanes(sizes[h]) for h in under))
    targets.append(np.array(few, dtype=dtypes["targets"]))
    pairs: list[tuple] = []
    many: list[np.ndarray] = []
    for members in by_body.values():
        if len(members) < LONG:
            pairs += [(left, right, sizes[g], sizes[h], where[g, h], 0)
                      for g, _, left in members for h, right, _ in members if place[g] >= place[h]]
        else:
            many += _pairs(members, sizes, place, below, where)
    found: dict[str, list] = {"columns": columns, "below": low, "pairs": pairs}
    tables = {k: np.array(x, dtype=dtypes[k]) for k, x in found.items()}
    tables["pairs"] = np.concatenate([tables["pairs"], *many])
    return tables | {"targets": np.concatenate(targets)}, at, scaled


def _pairs(members, sizes, place, below, where):
    """Products of the many blocks on one body, column by column of S."""
    groups, right, left = (np.array(x) for x in zip(*members, strict=True))
    spots, count = np.array([place[g] for g in groups]), np.array([sizes[g] for g in groups])
    for h, at in zip(groups.tolist(), right, strict=True):
        lower = np.flatnonzero(spots >= place[h])
        column = [h, *below[h]]
        found = np.searchsorted([place[x] for x in column], spots[lower])
        part = np.zeros(lower.size, PAIR)
        part["left"], part["right"], part["count"], part["width"] = left[lower], at, count[lower], sizes[h]
        part["to"] = np.array([where[x, h] for x in column])[found]
        yield part
