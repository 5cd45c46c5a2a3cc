"""Elimination order and fill of a structurally symmetric block matrix: minimum degree, by weighted blocks.

Each step eliminates the block whose remaining neighbours have the fewest rows (ties: lowest number), and joins these
neighbours to each other.  Returns for every block the blocks below it in its column.  A block may have to wait for others
(``after``, all of them its neighbours).
"""

from __future__ import annotations

import heapq


def minimum_degree(neighbours: list[set[int]], weight: list[int],
                   after: list[set[int]] | None = None) -> tuple[list[int], list[list[int]]]:
    """Order and, per eliminated block, its column structure (in elimination order)."""
    near = [set(s) for s in neighbours]
    count = len(near)
    degree = [sum(weight[m] for m in near[k]) for k in range(count)]
    waits = [set(s) for s in after] if after else [set() for _ in range(count)]
    heap = [(degree[k], k) for k in range(count)]
    heapq.heapify(heap)
    done = [False] * count
    order: list[int] = []
    below: list[set[int]] = [set() for _ in range(count)]
    while heap:
        d, k = heapq.heappop(heap)
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
            degree[m] += sum(weight[n] for n in new) - weight[k]
            heapq.heappush(heap, (degree[m], m))
    place = {k: p for p, k in enumerate(order)}
    return order, [sorted(below[k], key=place.__getitem__) for k in range(count)]
