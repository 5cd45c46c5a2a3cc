"""Elimination order and fill of a structurally symmetric block matrix, by weighted blocks.

    minimum_degree   each step eliminates the block whose remaining neighbours have the fewest rows (ties: lowest number), and
                     joins these neighbours to each other
    minimum_fill     the block that joins the fewest: half the operations in meshes, five times the time to find (sets of
                     neighbours are the bits of whole numbers)
    best_order       the first, and the second where it gains: chains and trees have no fill to save, and keep their order.  Where
                     the second takes too long, the first with ties broken by who was joined last (half its operations in meshes)

All return for every block the blocks below it in its column.  A block may have to wait for others (``after``, all of them its
neighbours).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence

GAIN = 0.9  # part of the operations that an order found by fill may take at most, to be taken instead
MANY = 8  # neighbours from which on it is asked whether they are all that is left of their part
LONGEST = 4_000_000  # numbers of neighbours that are looked at when fill is counted once for each block: beyond, it takes seconds


def minimum_degree(neighbours: Sequence[set[int]], weight: Sequence[int],
                   after: list[set[int]] | None = None, recent: bool = False) -> tuple[list[int], list[list[int]]]:
    """Order and, per eliminated block, its column structure (in elimination order); ``recent``: ties by who was joined last."""
    near = [set(s) for s in neighbours]
    count = len(near)
    degree = [_rows(near[k], weight) for k in range(count)]
    waits = [set(s) for s in after] if after else [set() for _ in range(count)]
    heap = [(degree[k], 0, k) for k in range(count)]
    heapq.heapify(heap)
    done = [False] * count
    order: list[int] = []
    below: list[set[int]] = [set() for _ in range(count)]
    while heap:
        d, _, k = heapq.heappop(heap)
        if done[k] or d != degree[k] or waits[k]:
            continue  # a waiting block is pushed again when one of its neighbours goes
        done[k] = True
        order.append(k)
        column = near[k]
        below[k] = column
        for m in column:
            others = near[m]
            new = column - others
            new.discard(m)
            others |= new
            others.discard(k)
            waits[m].discard(k)
            degree[m] += _rows(new, weight) - weight[k]
            heapq.heappush(heap, (degree[m], -len(order) if recent else 0, m))
        rest = _rows(column, weight)
        if len(column) > MANY and all(degree[m] == rest - weight[m] and not waits[m] for m in column):
            left = sorted(column, key=lambda m: (-weight[m], m))  # they know each other and nobody else: this is their order
            for p, m in enumerate(left):
                done[m] = True
                order.append(m)
                below[m] = set(left[p + 1:])
    return order, _in_order(order, below)


def minimum_fill(neighbours: Sequence[set[int]], weight: Sequence[int]) -> tuple[list[int], list[list[int]]]:
    """The same, by the rows × rows that each elimination would fill."""
    near = [sum(1 << m for m in s) for s in neighbours]
    alike = len(set(weight)) == 1
    kinds = [(w, sum(1 << k for k, x in enumerate(weight) if x == w)) for w in sorted(set(weight))]

    def fill(k):
        column, found = near[k], 0
        for a in _members(column):
            missing = column & ~near[a] & ~(1 << a)
            if missing:
                found += missing.bit_count() if alike else weight[a] * sum(w * (missing & of).bit_count() for w, of in kinds)
        return found

    cost = [fill(k) for k in range(len(near))]
    heap = [(cost[k], k) for k in range(len(near))]
    heapq.heapify(heap)
    done = [False] * len(near)
    order: list[int] = []
    below: list[list[int]] = [[] for _ in near]
    while heap:
        found, k = heapq.heappop(heap)
        if done[k] or found != cost[k]:
            continue
        done[k] = True
        order.append(k)
        column = near[k]
        below[k] = _members(column)
        around = 0
        for m in below[k]:
            near[m] = (near[m] | column) & ~(1 << m) & ~(1 << k)
            around |= near[m]
        touched = below[k]
        if found:  # also what sees two blocks that were joined
            touched = touched + [m for m in _members(around & ~column) if (near[m] & column).bit_count() > 1]
        for m in touched:
            new = fill(m)
            if new != cost[m]:
                cost[m] = new
                heapq.heappush(heap, (new, m))
    return order, _in_order(order, below)


def best_order(neighbours: Sequence[set[int]], weight: Sequence[int]) -> tuple[list[int], list[list[int]]]:
    """By degree, or by fill where that takes fewer operations and is found in time."""
    first = minimum_degree(neighbours, weight)
    if sum(map(len, first[1])) == sum(map(len, neighbours)) // 2:  # nothing is filled
        return first
    large = sum(len(s) ** 2 for s in first[1]) > LONGEST
    second = minimum_degree(neighbours, weight, recent=True) if large else minimum_fill(neighbours, weight)
    return second if operations(second[1], weight) < GAIN * operations(first[1], weight) else first


def operations(below: Sequence[Sequence[int]], weight: Sequence[int]) -> int:
    """Multiply-adds of the factorisation, both halves of the blocks on the diagonal counted."""
    total = 0
    for k, column in enumerate(below):
        n, rows = weight[k], sum(weight[m] for m in column)
        squares = sum(weight[m] ** 2 for m in column)
        total += n * (n * n // 6 + n * rows // 2 + (rows * rows + squares) // 2)
    return total


def _rows(blocks: Iterable[int], weight: Sequence[int]) -> int:
    return sum(map(weight.__getitem__, blocks))


def _members(bits: int) -> list[int]:
    out = []
    while bits:
        low = bits & -bits
        out.append(low.bit_length() - 1)
        bits ^= low
    return out


def _in_order(order: list[int], below: Sequence[Iterable[int]]) -> list[list[int]]:
    place = {k: p for p, k in enumerate(order)}
    return [sorted(column, key=place.__getitem__) for column in below]
