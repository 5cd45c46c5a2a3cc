"""Block-sparse LU with a fixed, structurally symmetric pattern; real or complex, values need not be symmetric.

Nodes (bodies, constraint groups) are listed in elimination order.  Node k has its diagonal block and, for every node i that
is still to come and is coupled to it, a block A_ik below and a block A_ki to the right:

    factor   A_kk ← A_kk⁻¹ (Gauss–Jordan with pivoting inside the block),   A_ik ← W_ik = A_ik A_kk⁻¹,   A_ij ← A_ij − W_ik A_kj
    solve    forward b_i ← b_i − W_ik b_k,   backward x_k = A_kk⁻¹ (b_k − Σ A_ki x_i)

Only blocks are pivoted, so the order must keep every diagonal block regular: a constraint group comes after all bodies it
acts on, and its block then holds −D Z⁻¹ Dᵀ; dependent rows need a small regularisation by the caller.
"""

from __future__ import annotations

import numpy as np

from dalembert._jit import kernel

NODE = np.dtype([("corner", "u4"), ("count", "u4"), ("row", "u4"), ("first", "u4"), ("last", "u4"), ("target", "u4")])
EDGE = np.dtype([("low", "u4"), ("right", "u4"), ("count", "u4"), ("row", "u4")])


@kernel
def invert(A, at, n, swaps):
    """The n×n block at ``at`` ← its inverse.  Status 0, or 1 when a pivot is zero or not finite."""
    for k in range(n):
        best = k
        size = abs(A[at + n * k + k])
        for i in range(k + 1, n):
            if abs(A[at + n * i + k]) > size:
                best = i
                size = abs(A[at + n * i + k])
        if not 0.0 < size < 1e300:
            return 1
        swaps[k] = best
        if best != k:
            for j in range(n):
                x = A[at + n * k + j]
                A[at + n * k + j] = A[at + n * best + j]
                A[at + n * best + j] = x
        pivot = 1.0 / A[at + n * k + k]
        A[at + n * k + k] = 1.0
        for j in range(n):
            A[at + n * k + j] *= pivot
        for i in range(n):
            if i != k:
                x = A[at + n * i + k]
                A[at + n * i + k] = 0.0
                for j in range(n):
                    A[at + n * i + j] -= x * A[at + n * k + j]
    for k in range(n - 1, -1, -1):  # row swaps of the matrix are column swaps of its inverse
        best = swaps[k]
        if best != k:
            for i in range(n):
                x = A[at + n * i + k]
                A[at + n * i + k] = A[at + n * i + best]
                A[at + n * i + best] = x
    return 0


@kernel
def factor(nodes, edges, targets, A, buffer, swaps):
    """In place.  Status 0, or 1 when a diagonal block is singular."""
    for k in range(nodes.size):
        node = nodes[k]
        n = np.int64(node.count)
        d0 = np.int64(node.corner)
        if invert(A, d0, n, swaps) != 0:
            return 1
        for e in range(node.first, node.last):
            low = np.int64(edges[e].low)
            for i in range(edges[e].count):
                for j in range(n):
                    buffer[j] = A[low + n * i + j]
                for j in range(n):
                    x = buffer[0] * A[d0 + j]
                    for m in range(1, n):
                        x += buffer[m] * A[d0 + n * m + j]
                    A[low + n * i + j] = x
        t = np.int64(node.target)
        for a in range(node.first, node.last):
            low = np.int64(edges[a].low)
            rows = np.int64(edges[a].count)
            for b in range(node.first, node.last):
                right = np.int64(edges[b].right)
                width = np.int64(edges[b].count)
                to = np.int64(targets[t])
                t += 1
                for i in range(rows):
                    for j in range(width):
                        x = A[low + n * i] * A[right + j]
                        for m in range(1, n):
                            x += A[low + n * i + m] * A[right + width * m + j]
                        A[to + width * i + j] -= x
    return 0


@kernel
def solve(nodes, edges, A, buffer, x):
    """Solve in place with the factored matrix."""
    for k in range(nodes.size):
        node = nodes[k]
        n = np.int64(node.count)
        r0 = np.int64(node.row)
        for e in range(node.first, node.last):
            low = np.int64(edges[e].low)
            to = np.int64(edges[e].row)
            for i in range(edges[e].count):
                y = A[low + n * i] * x[r0]
                for m in range(1, n):
                    y += A[low + n * i + m] * x[r0 + m]
                x[to + i] -= y
    for k in range(nodes.size - 1, -1, -1):
        node = nodes[k]
        n = np.int64(node.count)
        r0 = np.int64(node.row)
        d0 = np.int64(node.corner)
        for m in range(n):
            buffer[m] = x[r0 + m]
        for e in range(node.first, node.last):
            right = np.int64(edges[e].right)
            width = np.int64(edges[e].count)
            other = np.int64(edges[e].row)
            for m in range(n):
                y = A[right + width * m] * x[other]
                for j in range(1, width):
                    y += A[right + width * m + j] * x[other + j]
                buffer[m] -= y
        for m in range(n):
            y = A[d0 + n * m] * buffer[0]
            for j in range(1, n):
                y += A[d0 + n * m + j] * buffer[j]
            x[r0 + m] = y


def pattern(near: list[set[int]], sizes: list[int], after: list[set[int]]) -> dict:
    """Elimination order, fill and tables for coupled nodes; node k is not eliminated before those in ``after[k]``.

    Rows of x are numbered node by node as given.  ``where[i, j]`` is the place of block (i, j).
    """
    from dalembert.algebra.ordering import minimum_degree

    order, below = minimum_degree(near, sizes, after)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
    where: dict[tuple[int, int], int] = {}
    at = 0
    for k in order:
        where[k, k] = at
        at += sizes[k] ** 2
        for i in below[k]:
            for pair in ((i, k), (k, i)):
                where[pair] = at
                at += sizes[i] * sizes[k]
    nodes: list[tuple] = []
    edges: list[tuple] = []
    targets: list[int] = []
    for k in order:
        nodes.append((where[k, k], sizes[k], starts[k], len(edges), len(edges) + len(below[k]), len(targets)))
        edges += [(where[i, k], where[k, i], sizes[i], starts[i]) for i in below[k]]
        targets += [where[i, j] for i in below[k] for j in below[k]]
    return {"nodes": np.array(nodes, NODE), "edges": np.array(edges, EDGE), "targets": np.array(targets, np.uint32),
            "where": where, "size": at}
