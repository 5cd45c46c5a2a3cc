"""Which columns of an elimination form panels (panels.py), where their numbers are, and where products go."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dalembert.algebra.panel_rows import MASKS
from dalembert.algebra.panels import CHUNK, LINK, PANEL


def followed(order: Sequence[int], below: Sequence[Sequence[int]]) -> list[int]:
    """The same elimination with every column right behind those it waits for (postorder): same fill, same pivots.

    A column waits for those whose first block below is its own; the one with the longest comes last: both may form a panel.
    """
    waiting: dict[int, list[int]] = {g: [] for g in order}
    last = []
    for g in order:
        waiting[below[g][0]].append(g) if below[g] else last.append(g)
    found: list[int] = []
    stack = [(g, False) for g in reversed(last)]
    while stack:
        g, ready = stack.pop()
        if ready:
            found.append(g)
        else:
            stack.append((g, True))
            stack += [(h, False) for h in sorted(waiting[g], key=lambda h: -len(below[h]))]
    return found


def joined(order: Sequence[int], below: Sequence[Sequence[int]]) -> list[list[int]]:
    """Columns in panels: each one follows in the order, and has what is left of the pattern of the one before."""
    found: list[list[int]] = []
    for g in order:
        last = below[found[-1][-1]] if found else []
        if last and last[0] == g and len(last) == len(below[g]) + 1:
            found[-1].append(g)
        else:
            found.append([g])
    return found


class Layout:
    """``order`` of the columns, where the blocks of each are (``at``: its own block, then those below), ``steps`` from one column
    of numbers to the next, ``numbers`` in all, scratch of a factorisation (``scaled``), and the tables."""

    def __init__(self, order: Sequence[int], below: Sequence[Sequence[int]], sizes: Sequence[int]):
        self.order = followed(order, below)
        panels = joined(self.order, below)
        ends = np.cumsum([sizes[g] for g in self.order])
        place = {g: int(end) - sizes[g] for g, end in zip(self.order, ends, strict=True)}  # of its first row, in the order
        rows = [[place[g] + i for g in [*p, *below[p[-1]]] for i in range(sizes[g])] for p in panels]
        own = [sum(sizes[g] for g in p) for p in panels]
        steps = [len(x) for x in rows]
        at = np.concatenate([[0], np.cumsum(np.multiply(own, steps))]).tolist()
        self.numbers = at[-1] + MASKS
        self.scaled = 2 * MASKS + max(n * (step + MASKS) for n, step in zip(own, steps, strict=True))
        self.at: dict[int, np.ndarray] = {}
        self.steps: dict[int, int] = {}
        for p, first, step in zip(panels, at, steps, strict=False):
            offsets = np.concatenate([[0], np.cumsum([sizes[g] for g in [*p, *below[p[-1]]]])])[:-1]
            for i, g in enumerate(p):
                self.at[g] = first + step * offsets[i] + offsets[i:]
                self.steps[g] = step
        self.tables = _tables(panels, below, sizes, rows, own, steps, at)


def _tables(panels, below, sizes, rows, own, steps, at) -> dict[str, np.ndarray]:
    panel_of = {g: k for k, p in enumerate(panels) for g in p}
    within = [dict(zip(x, range(len(x)), strict=True)) for x in rows]
    table: list[tuple] = []
    links: list[tuple] = []
    chunks: list[tuple] = []
    lines: list[int] = []
    column = 0
    for k, p in enumerate(panels):
        n, under, first, row = own[k], below[p[-1]], len(links), len(lines)
        b, j = 0, n
        while b < len(under):
            t, end = panel_of[under[b]], j
            while b < len(under) and panel_of[under[b]] == t:
                end += sizes[under[b]]
                b += 1
            there = [within[t][x] for x in rows[k][j:]]
            lines += [at[t] + steps[t] * x for x in there[:end - j]]
            begin = len(chunks)
            chunks += _chunks(there, j)
            links.append((j, end, begin, len(chunks)))
            j = end
        table.append((at[k], steps[k], n, column, column + len(p), row, first, len(links)))
        column += len(p)
    return {"panels": np.array(table, PANEL), "links": np.array(links, LINK), "chunks": np.array(chunks, CHUNK),
            "lines": np.array(lines, "u4")}


def _chunks(there: list[int], first: int) -> list[tuple[int, int, int]]:
    """Up to eight rows that follow each other here and there."""
    found: list[tuple[int, int, int]] = []
    i = 0
    while i < len(there):
        n = 1
        while n < 8 and i + n < len(there) and there[i + n] == there[i] + n:
            n += 1
        found.append((first + i, there[i], n))
        i += n
    return found
