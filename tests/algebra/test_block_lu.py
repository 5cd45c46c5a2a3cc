"""Block LU: random patterns, unsymmetric values, real and complex, against a dense solve."""

import numpy as np
import pytest

from dalembert.algebra import block_lu

pytestmark = pytest.mark.skipif(hasattr(block_lu.factor, "py_func"), reason="plain Python only")


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("seed", range(6))
def test_against_dense(seed, dtype):
    rng = np.random.default_rng(seed)
    bodies, groups = 6, 7
    sizes = [int(n) for n in rng.integers(1, 9, bodies + groups)]
    near = [set() for _ in sizes]
    after = [set() for _ in sizes]
    for g in range(bodies, bodies + groups):
        for b in rng.choice(bodies, 2, replace=False):
            near[g].add(int(b))
            near[int(b)].add(g)
            after[g].add(int(b))
    near[0].add(1)
    near[1].add(0)
    p = block_lu.pattern(near, sizes, after)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    dense = np.zeros((starts[-1], starts[-1]), dtype)
    A = np.zeros(p["size"], dtype)
    for i, others in enumerate(near):
        for j in [i, *others]:
            block = rng.standard_normal((sizes[i], sizes[j])).astype(dtype)
            if dtype is complex:
                block += 1j * rng.standard_normal(block.shape)
            if i == j:
                block += 4 * np.eye(sizes[i])
            dense[starts[i]:starts[i + 1], starts[j]:starts[j + 1]] = block
            at = p["where"][i, j]
            A[at:at + block.size] = block.ravel()
    order = [int(n["row"]) for n in p["nodes"]]
    assert all(order.index(starts[b]) < order.index(starts[g]) for g in range(len(sizes)) for b in after[g])
    nodes, edges = (p[k].view(np.recarray) for k in ("nodes", "edges"))
    b = rng.standard_normal(starts[-1]).astype(dtype)
    x, buffer = b.copy(), np.zeros(8, dtype)
    assert block_lu.factor(nodes, edges, p["targets"], A, buffer, np.zeros(8, np.int64)) == 0
    block_lu.solve(nodes, edges, A, buffer, x)
    np.testing.assert_allclose(x, np.linalg.solve(dense, b), rtol=1e-9, atol=1e-10)


def test_singular_block_is_told():
    p = block_lu.pattern([set()], [2], [set()])
    status = block_lu.factor(p["nodes"].view(np.recarray), p["edges"].view(np.recarray), p["targets"], np.ones(4), np.zeros(2),
                             np.zeros(2, np.int64))
    assert status == 1
