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

from dalembert._jit import chosen, inline, kernel
from dalembert._jit.unrolled import text

NODE = np.dtype([("corner", "u4"), ("count", "u4"), ("row", "u4"), ("first", "u4"), ("last", "u4"), ("target", "u4")])
EDGE = np.dtype([("low", "u4"), ("right", "u4"), ("count", "u4"), ("row", "u4")])


WRITTEN = range(1, 7)  # unknowns of a node for which its part is written out


@inline
def size(x):
    """|Re x| + |Im x|: as good as the modulus for a choice of pivots, and no root."""
    return abs(x.real) + abs(x.imag)


@inline
def invert(A, at, n, swaps):
    """The n×n block at ``at`` ← its inverse.  Status 0, or 1 when a pivot is zero or not finite."""
    for k in range(n):
        best = k
        largest = size(A[at + n * k + k])
        for i in range(k + 1, n):
            if size(A[at + n * i + k]) > largest:
                best = i
                largest = size(A[at + n * i + k])
        if not 0.0 < largest < 1e300:
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


# ------------------------------------------------------------------------------------------------------- one node, any size


@kernel
def eliminate_any(node, edges, targets, A, buffer, swaps):
    """The node's part of a factorisation; status."""
    n, d0, t = np.int64(node.count), np.int64(node.corner), np.int64(node.target)
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
    for a in range(node.first, node.last):
        low, rows = np.int64(edges[a].low), np.int64(edges[a].count)
        for b in range(node.first, node.last):
            right, width, to = np.int64(edges[b].right), np.int64(edges[b].count), np.int64(targets[t])
            t += 1
            for i in range(rows):
                for j in range(width):
                    x = A[low + n * i] * A[right + j]
                    for m in range(1, n):
                        x += A[low + n * i + m] * A[right + width * m + j]
                    A[to + width * i + j] -= x
    return 0


@kernel
def down_any(node, edges, A, x):
    n, r0 = np.int64(node.count), np.int64(node.row)
    for e in range(node.first, node.last):
        low, to = np.int64(edges[e].low), np.int64(edges[e].row)
        for i in range(edges[e].count):
            y = A[low + n * i] * x[r0]
            for m in range(1, n):
                y += A[low + n * i + m] * x[r0 + m]
            x[to + i] -= y


@kernel
def up_any(node, edges, A, buffer, x):
    n, r0, d0 = np.int64(node.count), np.int64(node.row), np.int64(node.corner)
    for m in range(n):
        buffer[m] = x[r0 + m]
    for e in range(node.first, node.last):
        right, width, other = np.int64(edges[e].right), np.int64(edges[e].count), np.int64(edges[e].row)
        for j in range(width):
            for m in range(n):
                buffer[m] -= A[right + width * m + j] * x[other + j]
    for m in range(n):
        y = A[d0 + n * m] * buffer[0]
        for j in range(1, n):
            y += A[d0 + n * m + j] * buffer[j]
        x[r0 + m] = y


# ------------------------------------------------------------------------------------------------------- written out for n
# The same, with what belongs to the node in variables: the compiler need not fear that a store changes them.


def _made(name, head, lines):
    def make():
        space = {"np": np, "invert": invert}
        exec(compile(f"def {name}({head}):\n" + "\n".join("    " + line for line in lines), f"<{name}>", "exec"), space)
        return space[name]

    return text(make, kernel)


def _sum(n, left, right):
    return " + ".join(f"{left(m)} * {right(m)}" for m in range(n))


def _eliminate(n):
    lines = ["d0, t = np.int64(node.corner), np.int64(node.target)", f"if invert(A, d0, {n}, swaps) != 0:", "    return 1",
             "for e in range(node.first, node.last):", "    low = np.int64(edges[e].low)", "    for i in range(edges[e].count):",
             *(f"        l{m} = A[low + {m}]" for m in range(n)),
             *(f"        A[low + {j}] = " + _sum(n, lambda m: f"l{m}", lambda m, j=j: f"A[d0 + {n * m + j}]") for j in range(n)),
             f"        low += {n}",
             "for a in range(node.first, node.last):", "    for b in range(node.first, node.last):",
             "        low, rows = np.int64(edges[a].low), np.int64(edges[a].count)",
             "        right, width, to = np.int64(edges[b].right), np.int64(edges[b].count), np.int64(targets[t])",
             "        t += 1", "        for i in range(rows):", *(f"            l{m} = A[low + {m}]" for m in range(n)),
             "            for j in range(width):",
             "                A[to + j] -= " + _sum(n, lambda m: f"l{m}", lambda m: f"A[right + width * {m} + j]"),
             "            to += width", f"            low += {n}", "return 0"]
    return _made(f"eliminate{n}", "node, edges, targets, A, buffer, swaps", lines)


def _down(n):
    lines = ["r0 = np.int64(node.row)", *(f"x{m} = x[r0 + {m}]" for m in range(n)),
             "for e in range(node.first, node.last):", "    low, to = np.int64(edges[e].low), np.int64(edges[e].row)",
             "    for i in range(edges[e].count):",
             "        x[to + i] -= " + _sum(n, lambda m: f"A[low + {m}]", lambda m: f"x{m}"), f"        low += {n}"]
    return _made(f"down{n}", "node, edges, A, x", lines)


def _up(n):
    lines = ["r0, d0 = np.int64(node.row), np.int64(node.corner)", *(f"y{m} = x[r0 + {m}]" for m in range(n)),
             "for e in range(node.first, node.last):",
             "    right, width, other = np.int64(edges[e].right), np.int64(edges[e].count), np.int64(edges[e].row)",
             "    for j in range(width):", "        z = x[other + j]",
             *(f"        y{m} -= A[right + width * {m} + j] * z" for m in range(n)),
             *(f"x[r0 + {m}] = " + _sum(n, lambda j, m=m: f"A[d0 + {n * m + j}]", lambda j: f"y{j}") for m in range(n))]
    return _made(f"up{n}", "node, edges, A, buffer, x", lines)


_node = chosen((eliminate_any, *map(_eliminate, WRITTEN), eliminate_any), "node, edges, targets, A, buffer, swaps")
_forward = chosen((down_any, *map(_down, WRITTEN), down_any), "node, edges, A, x")
_backward = chosen((up_any, *map(_up, WRITTEN), up_any), "node, edges, A, buffer, x")


# -------------------------------------------------------------------------------------------------------------- all nodes


@kernel
def factor(nodes, edges, targets, A, buffer, swaps):
    """In place.  Status 0, or 1 when a diagonal block is singular."""
    for k in range(nodes.size):
        if _node(nodes[k].count, nodes[k], edges, targets, A, buffer, swaps) != 0:
            return 1
    return 0


@kernel
def solve(nodes, edges, A, buffer, x):
    """Solve in place with the factored matrix."""
    for k in range(nodes.size):
        _forward(nodes[k].count, nodes[k], edges, A, x)
    for k in range(nodes.size - 1, -1, -1):
        _backward(nodes[k].count, nodes[k], edges, A, buffer, x)


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
