"""T, S, its factors, D x and Tᵀλ against dense algebra, for groups of one to six rows beside each other, in plane and space.

The kernels are written out by the number of rows (algebra/block_rows.py): every size meets every other one here, on bodies with
inertias in all directions; also more than two blocks below a column, and groups that repeat others.
"""

import numpy as np
import pytest

import dalembert as da
from dalembert.equations.workspace import workspace
from dalembert.formulations.augmented.form import Augmented

SPACE = {6: lambda n, a, b, p, e: da.Weld(n, a, b, at=p), 5: lambda n, a, b, p, e: da.Revolute(n, a, b, at=p, axis=e),
         4: lambda n, a, b, p, e: da.Cylindrical(n, a, b, at=p, axis=e), 3: lambda n, a, b, p, e: da.Spherical(n, a, b, at=p),
         2: lambda n, a, b, p, e: da.Parallel(n, a, b, axis=e), 1: lambda n, a, b, p, e: da.Distance(
             n, a, b, at_i=p, at_j=tuple(np.add(p, (0.3, 0.2, 0.5))))}
PLANE = {3: lambda n, a, b, p, e: da.Weld(n, a, b, at=p), 2: lambda n, a, b, p, e: da.Revolute(n, a, b, at=p),
         1: lambda n, a, b, p, e: da.PinInSlot(n, a, b, at=p, axis=e)}


def mechanism(dim, seed, sizes):
    """Bodies in a row, the first on the ground, each held to the one before and some across; sizes one after the other."""
    rng = np.random.default_rng(seed)
    m = da.Model(f"blocks {seed}", dim=dim, gravity=(0, -9.81, 0)[:dim])
    kinds, names, places = (PLANE, [], []) if dim == 2 else (SPACE, [], [])
    for k in range(len(sizes)):
        B = rng.standard_normal((3, 3))
        J = B @ B.T
        J = 0.2 * (np.trace(J) * np.eye(3) - J) + 0.05 * np.eye(3)
        places.append(rng.uniform(-2, 2, dim))
        m.add(da.Body(f"b{k}", mass=rng.uniform(0.5, 3), inertia=J.tolist() if dim == 3 else float(J[0, 0]),
                      position=tuple(places[-1])))
        names.append(f"b{k}")
    joined = [("ground", "b0"), *((f"b{k}", f"b{k + 1}") for k in range(len(sizes) - 1))]
    joined += [("b0", f"b{k}") for k in range(2, len(sizes), 2)]
    for k, (a, b) in enumerate(joined):
        e = rng.standard_normal(dim)
        m.add(kinds[sizes[k % len(sizes)]](f"c{k}", a, b, tuple(rng.uniform(-2, 2, dim)), tuple(e / np.linalg.norm(e))))
    return m


CASES = [(3, 1, (5, 3, 1, 6, 2, 4)), (3, 2, (1, 2, 3, 4, 5, 6)), (3, 3, (6, 5, 4, 3, 2, 1)), (3, 4, (3,) * 7), (3, 5, (5,) * 6),
         (3, 6, (1,) * 8), (3, 7, (4, 2) * 3), (3, 8, (6, 1) * 3), (2, 1, (1, 2, 3, 2, 1)), (2, 2, (2,) * 7), (2, 3, (1,) * 6),
         (2, 4, (3, 1, 2))]


@pytest.mark.parametrize(("dim", "seed", "sizes"), CASES)
def test_blocks_are_what_dense_algebra_says(dim, seed, sizes):
    w = workspace(mechanism(dim, seed, sizes).compile())
    rng = np.random.default_rng(seed)
    w.v[:] = rng.standard_normal(w.v.size)
    w.run("begin")
    w.run("rows")
    D, inverse = w.jacobian(), np.linalg.inv(w.mass())
    S = D @ inverse @ D.T
    assert np.abs(w.before - np.diag(S)).max() < 1e-13 * np.abs(S).max()
    kept = np.flatnonzero(w.delta)
    rank = np.linalg.matrix_rank(S / np.sqrt(np.outer(np.diag(S), np.diag(S))), tol=1e-8)
    assert len(kept) == rank == w.system.nc - w.report.dropped
    for _ in range(3):
        rhs = S @ rng.standard_normal(w.system.nc)
        x = w.solve(rhs).copy()
        assert not x[np.setdiff1d(range(w.system.nc), kept)].any()
        assert np.abs(S @ x - rhs).max() < 1e-9 * np.abs(S).max() * np.abs(x).max()
    w.run("speeds")
    assert np.abs(w.speed - (D @ w.v - w.nu)).max() < 1e-13 * np.abs(D).max() * np.abs(w.v).max() * w.v.size


@pytest.mark.parametrize(("dim", "seed", "sizes"), CASES)
def test_answers_to_wrenches(dim, seed, sizes):
    form = Augmented(workspace(mechanism(dim, seed, sizes).compile()))
    form.begin()
    assert form.rhs() == 0
    w, rng = form.work, np.random.default_rng(seed)
    D, M = w.jacobian(), w.mass()
    root = np.linalg.cholesky(M)
    span = np.linalg.svd(np.linalg.solve(root, D.T), full_matrices=False)
    U = span[0][:, span[1] > 1e-6 * span[1][0]]
    wrench = rng.standard_normal(w.v.size)
    free = np.linalg.solve(root, wrench)
    want = np.linalg.solve(root.T, free - U @ (U.T @ free))
    assert np.abs(form.respond(wrench) - want).max() < 1e-8 * np.abs(np.linalg.solve(M, wrench)).max()


@pytest.mark.parametrize("dim", [2, 3])
def test_joints_that_repeat_others_cost_nothing_but_their_rows(dim):
    m = da.Model("repeated", dim=dim, gravity=(0, -9.81, 0)[:dim])
    m.add(da.Body("a", mass=1.0, inertia=0.1 if dim == 2 else (0.1, 0.2, 0.3), position=(1, 0, 0)[:dim]))
    for k in range(40):
        m.add(da.Revolute(f"J{k}", "ground", "a", at=(0, 0, 0)[:dim], **({} if dim == 2 else {"axis": (0, 0, 1)})))
    s = m.compile()
    w = workspace(s)
    w.run("begin")
    w.run("accelerations")
    rows = 2 if dim == 2 else 5
    assert w.report.dropped == 39 * rows and np.count_nonzero(w.delta) == rows
    alone = da.Model("alone", dim=dim, gravity=(0, -9.81, 0)[:dim])
    alone.add(da.Body("a", mass=1.0, inertia=0.1 if dim == 2 else (0.1, 0.2, 0.3), position=(1, 0, 0)[:dim]))
    alone.add(da.Revolute("J", "ground", "a", at=(0, 0, 0)[:dim], **({} if dim == 2 else {"axis": (0, 0, 1)})))
    v = workspace(alone.compile())
    v.run("accelerations")
    assert np.abs(w.vdot - v.vdot).max() < 1e-12
