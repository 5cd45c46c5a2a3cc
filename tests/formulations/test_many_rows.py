"""``check`` of large models goes by bounds on sparse matrices: the answers are those of the singular values, and quick."""

import numpy as np
import pytest
from overconstrained import overconstrained
from random_mechanisms import mechanism
from scipy import sparse

import dalembert as da
from dalembert import catalog
from dalembert.algebra import null_space, sparse_null_space
from dalembert.analyses.check import _dependent_of
from dalembert.analyses.toolbox import closing
from dalembert.equations.workspace import workspace

ANSWERS = ("rank", "nearby_rank", "dof", "redundant", "_unique", "singular")
PARTS = 8


def both(model, monkeypatch):
    """What dense and sparse matrices say, and how often the bounds did not decide."""
    monkeypatch.setattr(closing, "MANY", 10**12)
    dense = da.check(model)
    undecided = []
    original = sparse_null_space.left_kernel
    monkeypatch.setattr(sparse_null_space, "left_kernel", lambda *a: (lambda r: undecided.append(r is None) or r)(original(*a)))
    monkeypatch.setattr(closing, "MANY", -1)
    sparse = da.check(model)
    monkeypatch.undo()
    return dense, sparse, undecided


def agree(dense, sparse, name):
    for answer in ANSWERS:
        assert getattr(dense, answer) == getattr(sparse, answer), (name, answer)
    np.testing.assert_allclose(sorted(sparse.border), sorted(dense.border), rtol=1e-6, err_msg=name)


@pytest.mark.parametrize("part", range(PARTS))
def test_same_answers(part, monkeypatch):
    cases = [(n, lambda n=n: catalog.make(n)) for n in catalog.CATALOG if not n.startswith("chain")]
    cases += [(f"over-constrained {k}", lambda k=k: overconstrained(k)) for k in range(60)]
    cases += [(f"random {k}", lambda k=k: mechanism(k)) for k in range(60)]
    asked, open_ones = 0, 0
    for name, make in cases[part::PARTS]:
        dense, sparse, undecided = both(make(), monkeypatch)
        agree(dense, sparse, name)
        asked, open_ones = asked + len(undecided), open_ones + sum(undecided)
    assert asked and open_ones <= 0.1 * asked


def lattice(n, turn=0.0):
    """n × n squares of pinned rods in the plane, each braced twice: dependent rows that hang together."""
    m = da.Model("lattice", dim=2)
    c, s = np.cos(turn), np.sin(turn)
    at = {(i, j): (c * i - s * j, s * i + c * j) for i in range(n + 1) for j in range(n + 1)}
    for (i, j), p in at.items():
        m.add(da.Particle(f"p{i}_{j}", mass=1.0, position=p))
    for x, y in at:
        for a, b in (((x, y), (x + 1, y)), ((x, y), (x, y + 1)), ((x, y), (x + 1, y + 1)), ((x + 1, y), (x, y + 1))):
            if a in at and b in at:
                i, j = m.bodies[f"p{a[0]}_{a[1]}"], m.bodies[f"p{b[0]}_{b[1]}"]
                m.add(da.Distance(f"{i.name}-{j.name}", i, j, at_i=at[a], at_j=at[b]))
    return m


def test_redundancy_that_hangs_together(monkeypatch):
    dense, sparse, undecided = both(lattice(6, 0.3), monkeypatch)
    agree(dense, sparse, "lattice")
    assert len(dense.redundant) == 156 - 95 and dense.dof == 3 and not any(undecided)


def test_a_thousand_bodies():
    m = da.Model("chain", dim=2)
    before = m.ground
    for k in range(1000):
        before, last = m.add(da.Body.rod(f"b{k}", (k, 0), (k + 1, 0), mass=1.0)), before
        m.add(da.Revolute(f"j{k}", last, before, at=(k, 0)))
    m.add(da.Revolute("twice", m.bodies["b500"], m.bodies["b501"], at=(501, 0)))
    found = da.check(m)
    assert (found.dof, found.rank, found.redundant) == (1000, 2000, [f"twice: translation along {c}" for c in "xy"])
    assert found.unique("j501") == found.unique("twice") == {"force x": False, "force y": False, "torque": True}
    assert all(found.unique("j499").values())


def test_bounds_leave_doubtful_ranks_to_the_singular_values():
    """Rows that depend on others but for a sine near the one that decides: no answer, or the same."""
    random = np.random.default_rng(5)
    answered = 0
    for sine in 10.0 ** np.arange(-12.0, 0.0, 0.25):
        D = random.standard_normal((30, 40))
        D[29] = D[3] + D[7] + sine * 2.5 * D[29]
        D = D / np.linalg.norm(D, axis=1)[:, None]
        kept = np.ones(30, bool)
        kept[29] = sine > 1e-5
        null, sigma = null_space.left_kernel(D)
        found = sparse_null_space.left_kernel(D, kept)
        if found is not None:
            answered += 1
            assert found[0].shape[1] == null.shape[1], sine
            np.testing.assert_allclose(found[1], null_space.doubtful(sigma), rtol=1e-6)
    assert answered >= 30


@pytest.mark.parametrize("sines", [(), (1e-14, 1e-9, 3e-6), (0.9e-5, 1.1e-5, 1e-4, 1e-3, 5e-3), (1e-15,) * 40])
@pytest.mark.parametrize("wide", [True, False])
def test_many_rows_by_their_products_are_the_singular_values_answer(sines, wide):
    """Rank, null space, small values, rows that depend on those before: as the values themselves and row by row say."""
    random = np.random.default_rng(7)
    m, n = (520, 560) if wide else (560, 520)
    u = np.linalg.qr(random.standard_normal((m, m)))[0]
    v = np.linalg.qr(random.standard_normal((n, n)))[0]
    values = random.uniform(0.5, 2.0, min(m, n))
    values[:len(sines)] = [2.0 * x for x in sines]  # the largest is near 2, and the rule measures by it
    D = (u[:, :len(values)] * values) @ v[:len(values)]
    sigma = np.linalg.svd(D, compute_uv=False)
    for form in (D, sparse.csr_matrix(D)):
        null, found = null_space.left_kernel(form)
        assert null.shape[1] == m - null_space.decided(sigma)
        np.testing.assert_allclose(null.T @ null, np.eye(null.shape[1]), atol=1e-12)
        limit = null_space.RANK_TOLERANCE * sigma[0]
        assert np.linalg.norm(null.T @ D, 2) <= limit if null.size else True
        np.testing.assert_allclose(null_space.doubtful(found), null_space.doubtful(sigma), rtol=1e-6)
        assert found[0] == pytest.approx(sigma[0], rel=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_rows_in_groups_depend_as_rows_one_by_one(seed):
    random = np.random.default_rng(seed)
    D = random.standard_normal((200, 150))
    D /= np.linalg.norm(D, axis=1)[:, None]
    for k in sorted(random.choice(np.arange(5, 140), 20, replace=False)):
        D[k] = random.standard_normal(k) @ D[:k] / np.sqrt(k) + (0.0 if k % 2 else 1e-2) * D[k]
        D[k] /= np.linalg.norm(D[k])
    kept: list[int] = []
    for k in range(len(D)):
        basis = np.linalg.qr(D[kept].T)[0]
        far = D[k] - basis @ (basis.T @ D[k])
        if np.linalg.norm(far) >= null_space.RANK_TOLERANCE and len(kept) < D.shape[1]:
            kept.append(k)
    assert _dependent_of(D) == sorted(set(range(len(D))) - set(kept))


def test_a_nearly_flat_sheet_is_counted_by_the_rule():
    """16 × 16 balls whose heights differ by a tenth: one singular value is below 1e-5 σ₁, though above 1e-5."""
    random = np.random.default_rng(3)
    m = da.Model("sheet", dim=3)
    n, z = 16, lambda: float(random.uniform(-0.1, 0.1))
    for i in range(n):
        for j in range(n):
            m.add(da.Body(f"b{i}_{j}", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(float(j), -float(i), z())))
    for i in range(n):
        for j in range(n):
            if i == 0:
                m.add(da.Spherical(f"top{j}", m.ground, f"b0_{j}", at=(float(j), 0.5, z())))
            if j + 1 < n:
                m.add(da.Spherical(f"h{i}_{j}", f"b{i}_{j}", f"b{i}_{j + 1}", at=(j + 0.5, -float(i), z())))
            if i + 1 < n:
                m.add(da.Spherical(f"v{i}_{j}", f"b{i}_{j}", f"b{i + 1}_{j}", at=(float(j), -i - 0.5, z())))
    state = da.assemble(m)
    w = workspace(state.system)
    w.set(0.0, state.q, state.v)
    w.run("rows")
    D = w.jacobian() / np.sqrt(np.diag(w.mass()))[None, :]
    sigma = np.linalg.svd(D / np.linalg.norm(D, axis=1)[:, None], compute_uv=False)
    assert da.check(m).rank == null_space.decided(sigma)
