"""The block LDLᵀ, rows in lanes, and by panels: any sizes, any pattern, against dense algebra; orders of elimination."""

import collections

import numpy as np
import pytest

from dalembert._jit.rows import lanes
from dalembert.algebra import block_ldl, panels, wide_ldl
from dalembert.algebra.ordering import best_order, minimum_degree, minimum_fill, operations
from dalembert.algebra.panel_layout import Layout, followed, joined
from dalembert.model import pattern


def layout(sizes, order, below):
    """Tables of block_ldl for a pattern, and where every block is."""
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
    where, at, low, columns, targets = {}, 0, [], [], []
    for g in order:
        for h in (g, *below[g]):
            where[h, g] = at
            at += lanes(sizes[h]) * sizes[g]
    for g in order:
        columns.append((where[g, g], sizes[g], starts[g], len(low), len(low) + len(below[g]), len(targets), 0))
        low += [(where[h, g], sizes[h], starts[h]) for h in below[g]]
        targets += [where[below[g][a], below[g][c]] for c in range(len(below[g])) for a in range(c, len(below[g]))]
    scaled = max(sizes[g] * sum(lanes(sizes[h]) for h in below[g]) for g in order)
    return (np.array(columns, block_ldl.COLUMN).view(np.recarray), np.array(low, block_ldl.BELOW).view(np.recarray),
            np.array(targets, np.uint32), where, starts, at, scaled)


def factored(A, sizes, near, limit=1e-10, order=minimum_degree):
    """``limit``: of all rows, or one each."""
    found = order(near, sizes)
    columns, below, targets, where, starts, size, scaled = layout(sizes, *found)
    S = np.zeros(size)
    for (h, g), at in where.items():
        block = A[starts[h]:starts[h + 1], starts[g]:starts[g + 1]]
        for c in range(sizes[g]):
            S[at + lanes(sizes[h]) * c:][:sizes[h]] = block[:, c]
    delta, before = np.zeros(len(A)), np.diag(A).copy()
    dropped, smallest = block_ldl.factor(columns, below, targets, S, delta, np.zeros(scaled), before, limit + np.zeros(len(A)))

    def solve(x):
        wide = x.copy()
        block_ldl.solve(columns, below, S, delta, x)
        wide_ldl.solve(columns, below, S, delta, wide)  # that of duals, on plain numbers
        np.testing.assert_allclose(wide, x, rtol=0, atol=1e-13 * np.abs(x).max(initial=1e-300))

    return dropped, smallest, solve, delta


def problem(rng, sizes, links):
    """S = D Dᵀ whose groups are coupled as listed."""
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
    bodies = len(links)
    D = np.zeros((starts[-1], 6 * bodies + starts[-1]))
    near = [set() for _ in sizes]
    for b, members in enumerate(links):
        for g in members:
            D[starts[g]:starts[g + 1], 6 * b:6 * b + 6] = rng.standard_normal((sizes[g], 6))
            near[g] |= set(members) - {g}
    D[:, 6 * bodies:] = np.eye(starts[-1])
    return D @ D.T, near


@pytest.mark.parametrize("seed", range(12))
def test_any_sizes_and_patterns(seed):
    rng = np.random.default_rng(seed)
    sizes = [int(n) for n in rng.integers(1, 11, 9)]
    links = [sorted({int(g) for g in rng.integers(0, 9, rng.integers(1, 5))}) for _ in range(7)]
    A, near = problem(rng, sizes, links)
    for order in (minimum_degree, minimum_fill):
        dropped, smallest, solve, delta = factored(A, sizes, near, order=order)
        assert dropped == 0 and smallest == pytest.approx(min(1.0, (1.0 / (delta * np.diag(A))).min()), rel=1e-12)
        for unit in (1e-6, 1e6):  # a pure number
            assert factored(unit * A, sizes, near, order=order)[1] == pytest.approx(smallest, rel=1e-9)
        b = rng.standard_normal(len(A))
        x = b.copy()
        solve(x)
        assert np.abs(A @ x - b).max() < 1e-11 * np.abs(A).max() * np.abs(x).max()


@pytest.mark.parametrize("n", range(1, 9))
def test_many_blocks_of_one_size(n):
    rng = np.random.default_rng(n)
    A, near = problem(rng, [n] * 6, [range(6), range(3), [4, 5]])  # more than two blocks below: sums in vectors
    _, _, solve, _ = factored(A, [n] * 6, near)
    b = rng.standard_normal(6 * n)
    x = b.copy()
    solve(x)
    assert np.abs(A @ x - b).max() < 1e-11 * np.abs(A).max() * np.abs(x).max()


@pytest.mark.parametrize("n", [1, 2, 3, 5, 6, 9])
def test_groups_that_repeat_others_are_dropped_whole(n):
    rng = np.random.default_rng(n)
    D = rng.standard_normal((n, 12))
    A = np.tile(D @ D.T, (4, 4))
    dropped, _, solve, delta = factored(A, [n] * 4, [set(range(4)) - {g} for g in range(4)])
    assert dropped == 3 * n and np.count_nonzero(delta) == n
    y = rng.standard_normal(n)
    x = np.tile(D @ D.T @ y, 4)
    solve(x)
    assert np.abs(x.reshape(4, n).sum(axis=0) - y).max() < 1e-8 * np.abs(y).max()  # what the kept rows carry


@pytest.mark.parametrize("n", [2, 3, 5, 6, 7, 9])
def test_a_row_of_a_group_that_depends_on_another_leaves_the_rest(n):
    rng = np.random.default_rng(n)
    D = rng.standard_normal((3 * n, 4 * n))
    D[1] = 2.0 * D[0]
    D[2 * n] = D[0] - D[n]
    A = D @ D.T
    dropped, _, solve, delta = factored(A, [n] * 3, [{1, 2}, {0, 2}, {0, 1}])
    assert dropped == 2
    b = A @ rng.standard_normal(3 * n)
    x = b.copy()
    solve(x)
    assert np.abs(A @ x - b).max() < 1e-10 * np.abs(A).max() * np.abs(x).max() and not x[delta == 0.0].any()


def test_padding_stays_zero_and_neighbours_stay_what_they_are():
    rng = np.random.default_rng(0)
    sizes = [3, 5, 1, 3]
    A, near = problem(rng, sizes, [range(4)])
    _, _, solve, _ = factored(A, sizes, near)
    room = np.full(12 + 16, np.nan)
    room[8:20] = rng.standard_normal(12)
    solve(room[8:20])
    assert np.isnan(room[:8]).all() and np.isnan(room[20:]).all() and np.isfinite(room[8:20]).all()


def mesh(n):
    """Groups of n × n bodies, each linked to its right and upper neighbour."""
    on = {}
    count = 0
    for a in range(n):
        for b in range(n):
            for c, d in ((a + 1, b), (a, b + 1)):
                if c < n and d < n:
                    on.setdefault((a, b), []).append(count)
                    on.setdefault((c, d), []).append(count)
                    count += 1
    near = [set() for _ in range(count)]
    for members in on.values():
        for g in members:
            near[g] |= set(members) - {g}
    return near


def filled(near, order):
    """Columns of the elimination in this order, by definition."""
    near, below = [set(s) for s in near], {}
    for k in order:
        below[k] = near[k]
        for m in near[k]:
            near[m] = (near[m] | near[k]) - {m, k}
    return below


@pytest.mark.parametrize("order", [minimum_degree, minimum_fill, best_order])
@pytest.mark.parametrize("weights", ["same", "mixed"])
def test_orders_know_their_fill(order, weights):
    near = mesh(6)
    weight = [3] * len(near) if weights == "same" else [1 + k % 5 for k in range(len(near))]
    found, below = order(near, weight)
    assert sorted(found) == list(range(len(near)))
    want = filled(near, found)
    place = {k: p for p, k in enumerate(found)}
    assert all(set(below[k]) == want[k] and below[k] == sorted(below[k], key=place.get) for k in found)


def test_fill_gains_in_meshes_and_leaves_trees_alone():
    near = mesh(16)
    weight = [3] * len(near)
    by_degree, best = (operations(order(near, weight)[1], weight) for order in (minimum_degree, best_order))
    assert best < 0.7 * by_degree
    recent = operations(minimum_degree(near, weight, recent=True)[1], weight)
    assert best < recent < 0.85 * by_degree
    chain = [{k - 1, k + 1} & set(range(50)) for k in range(50)]
    assert best_order(chain, [5] * 50) == minimum_degree(chain, [5] * 50)


def test_each_choice_by_fill_is_the_least():
    rng = np.random.default_rng(5)
    near = [set() for _ in range(14)]
    for a, b in rng.integers(0, 14, (30, 2)):
        if a != b:
            near[a].add(int(b))
            near[b].add(int(a))
    weight = [int(n) for n in rng.integers(1, 6, 14)]
    order, _ = minimum_fill(near, weight)

    def fill(k):
        return sum(weight[a] * weight[b] for a in near[k] for b in near[k] if a != b and b not in near[a])

    left = set(range(14))
    for k in order:
        assert fill(k) == min(map(fill, left))
        for m in near[k]:
            near[m] = (near[m] | near[k]) - {m, k}
        left.discard(k)


def plain_order(near, weight):
    """Minimum degree, ties by number, written down as it is said."""
    near, left, order = [set(s) for s in near], set(range(len(near))), []
    while left:
        k = min(left, key=lambda k: (sum(weight[m] for m in near[k]), k))
        for m in near[k]:
            near[m] = (near[m] | near[k]) - {m, k}
        left.discard(k)
        order.append(k)
    return order


@pytest.mark.parametrize("seed", range(6))
def test_who_know_each_other_and_nobody_else_are_ordered_at_once(seed):
    rng = np.random.default_rng(seed)
    n = 24
    near = [set() for _ in range(n)]
    links = [(a, b) for a in range(12) for b in range(a)] + [tuple(rng.integers(0, n, 2).tolist()) for _ in range(4 * seed)]
    for a, b in links:
        if a != b:
            near[a].add(b)
            near[b].add(a)
    weight = [int(x) for x in rng.integers(1, 7, n)]
    assert minimum_degree(near, weight)[0] == plain_order(near, weight)


@pytest.mark.parametrize("seed", range(6))
def test_blocks_that_are_left_out_in_long_columns(seed):
    """Whoever is left out beforehand takes nothing from the answer: it is that of the other rows alone."""
    rng = np.random.default_rng(seed)
    sizes = [int(n) for n in rng.integers(1, 8, 24)]
    A, near = problem(rng, sizes, [range(24), sorted({int(g) for g in rng.integers(0, 24, 9)})])
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
    limit = np.full(len(A), 1e-10)
    for g in rng.choice(24, 15, replace=False):
        limit[starts[g]:starts[g + 1]] = np.inf
    limit[rng.choice(len(A), 5)] = np.inf  # and single rows of blocks
    out = np.isinf(limit)
    dropped, _, solve, delta = factored(A, sizes, near, limit)
    assert dropped == out.sum()
    assert np.array_equal(delta == 0.0, out)
    x = rng.standard_normal(len(A))
    wanted = np.zeros(len(A))
    wanted[~out] = np.linalg.solve(A[np.ix_(~out, ~out)], x[~out])
    solve(x)
    assert np.allclose(x, wanted, rtol=1e-9, atol=1e-12)


# ------------------------------------------------------------------------------------------------------------------ by panels

Tables = collections.namedtuple("Tables", "panels links chunks lines columns")


def by_panels(A, sizes, near, limit=1e-10):
    order, below = best_order(near, sizes)
    found = Layout(order, below, sizes)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
    S = np.zeros(found.numbers)
    columns, low = [], []
    for g in found.order:
        columns.append((found.at[g][0], sizes[g], starts[g], len(low), len(low) + len(below[g]), 0, found.steps[g]))
        low += [(at, sizes[h], starts[h]) for h, at in zip(below[g], found.at[g][1:], strict=True)]
        for h, at in zip([g, *below[g]], found.at[g], strict=True):
            for c in range(sizes[g]):
                S[at + found.steps[g] * c:][:sizes[h]] = A[starts[h]:starts[h + 1], starts[g] + c]
    tables = [np.array(columns, block_ldl.COLUMN), np.array(low, block_ldl.BELOW)]
    columns, low = (x.view(np.recarray) for x in tables)
    s = Tables(*(found.tables[k].view(np.recarray) for k in ("panels", "links", "chunks")), found.tables["lines"], columns)
    delta = np.zeros(len(A))
    scratch, kept = np.full(found.scaled, np.nan), np.zeros(len(A), np.int64)
    dropped, smallest = panels.factor(s, S, delta, scratch, kept, np.diag(A).copy(), limit + np.zeros(len(A)))

    def solve(x):
        wide = x.copy()
        block_ldl.solve(columns, low, S, delta, x)
        wide_ldl.solve(columns, low, S, delta, wide)
        np.testing.assert_allclose(wide, x, rtol=0, atol=1e-13 * np.abs(x).max(initial=1e-300))

    return dropped, smallest, solve, delta


@pytest.mark.parametrize("seed", range(8))
def test_panels_of_any_sizes_and_patterns(seed):
    rng = np.random.default_rng(seed)
    sizes = [int(n) for n in rng.integers(1, 7, 20)]
    links = [sorted({int(g) for g in rng.integers(0, 20, 4)}) for _ in range(14)]
    A, near = problem(rng, sizes, links)
    dropped, smallest, solve, _ = by_panels(A, sizes, near)
    assert dropped == 0
    assert smallest == pytest.approx(factored(A, sizes, near, order=best_order)[1], rel=1e-9)
    x = rng.standard_normal(len(A))
    wanted = np.linalg.solve(A, x)
    solve(x)
    assert np.allclose(x, wanted, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_panels_with_dependent_rows_and_rows_left_out(seed):
    """The same rows are dropped as by blocks, and what is left is solved without them."""
    rng = np.random.default_rng(seed)
    sizes = [int(n) for n in rng.integers(1, 7, 24)]
    A, near = problem(rng, sizes, [range(12), range(8, 24), sorted({int(g) for g in rng.integers(0, 24, 9)})])
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
    pick = np.eye(len(A))
    for a in rng.choice(len(A) - 1, 12, replace=False):  # rows that repeat others, where the pattern allows it
        g, h = (int(np.searchsorted(starts, r, "right")) - 1 for r in (a, a + 1))
        if near[g] | {g} <= near[h] | {h}:
            pick[a + 1] = pick[a]
    A = pick @ A @ pick.T
    limit = np.full(len(A), 1e-10)
    for g in rng.choice(24, 6, replace=False):
        limit[starts[g]:starts[g + 1]] = np.inf
    dropped, _, solve, delta = by_panels(A, sizes, near, limit)
    other = factored(A, sizes, near, limit, order=best_order)
    assert dropped == other[0] == np.sum(delta == 0.0)
    assert np.array_equal(delta == 0.0, other[3] == 0.0)
    out = delta == 0.0
    x = rng.standard_normal(len(A))
    wanted = np.zeros(len(A))
    wanted[~out] = np.linalg.solve(A[np.ix_(~out, ~out)], x[~out])
    solve(x)
    assert np.allclose(x, wanted, rtol=1e-7, atol=1e-9)


def test_a_mesh_has_panels_and_keeps_its_elimination():
    near = mesh(8)
    weight = [3] * len(near)
    order, below = minimum_fill(near, weight)
    after = followed(order, below)
    assert sorted(after) == sorted(order)
    assert {k: set(x) for k, x in filled(near, after).items()} == {k: set(below[k]) for k in order}
    place = {k: p for p, k in enumerate(after)}
    assert all(below[k] == sorted(below[k], key=place.get) for k in order)
    found = joined(after, below)
    assert [g for p in found for g in p] == after
    assert all(below[p[i]] == p[i + 1:] + below[p[-1]] for p in found for i in range(len(p)))
    assert len(found) < 0.6 * len(near)
    assert operations(below, weight) > pattern.MUCH * len(near)
