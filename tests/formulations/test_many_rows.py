"""``check`` of large models goes by bounds on sparse matrices: the answers are those of the singular values, and quick."""

import numpy as np
import pytest
from overconstrained import overconstrained
from random_mechanisms import mechanism

import dalembert as da
from dalembert import catalog
from dalembert.algebra import null_space, sparse_null_space
from dalembert.analyses.toolbox import closing

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
