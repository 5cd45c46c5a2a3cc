"""Rank and null space: one rule, and one place that applies it."""

import ast
from pathlib import Path

import numpy as np
import pytest

import dalembert as da
from dalembert.algebra.null_space import RANK_TOLERANCE, decided, doubtful, kernel, left_kernel, rank, unit_rows
from dalembert.analyses.toolbox.mobility import null_space
from dalembert.equations.workspace import workspace

SOURCES = Path(__file__).resolve().parents[2] / "src" / "dalembert"


def random_matrix(seed, m, n, r):
    """Random rows of unit length that span r dimensions, badly scaled before."""
    g = np.random.default_rng(seed)
    D = g.standard_normal((m, r)) @ g.standard_normal((r, n))
    return unit_rows(D * 10.0 ** g.uniform(-6, 6, (m, 1)))[0]


@pytest.mark.parametrize("seed", range(20))
def test_kernels_complete_the_rank(seed):
    g = np.random.default_rng(100 + seed)
    m, n = g.integers(1, 12, 2)
    r = int(g.integers(0, min(m, n) + 1))
    D = random_matrix(seed, m, n, r)
    N, (Y, sigma) = kernel(D), left_kernel(D)
    assert (rank(D), N.shape, Y.shape) == (r, (n, n - r), (m, m - r))
    assert np.abs(D @ N).max(initial=0.0) < 1e-13 and np.abs(Y.T @ D).max(initial=0.0) < 1e-13
    assert np.allclose(N.T @ N, np.eye(n - r), atol=1e-13) and np.allclose(Y.T @ Y, np.eye(m - r), atol=1e-13)
    assert decided(sigma) == r


def test_nothing_has_everything_in_its_kernel():
    for D in (np.zeros((0, 3)), np.zeros((2, 3))):
        assert rank(D) == 0 and kernel(D).shape == (3, 3) and left_kernel(D)[0].shape == (len(D), len(D))
    assert kernel(np.zeros((2, 0))).shape == (0, 0) and decided(np.zeros(0)) == 0


@pytest.mark.parametrize(("sine", "count"), [(0.5, 1), (0.99, 1), (1.01, 2), (2.0, 2)])
def test_the_sine_that_decides(sine, count):
    a = 2 * sine * RANK_TOLERANCE  # two rows at the angle a have the singular values √2 cos(a/2), √2 sin(a/2)
    D = np.array([[np.cos(a / 2), np.sin(a / 2)], [np.cos(a / 2), -np.sin(a / 2)]])
    assert rank(D) == count and len(kernel(D).T) == 2 - count and len(left_kernel(D)[0].T) == 2 - count
    assert len(doubtful(np.linalg.svd(D, compute_uv=False))) == 1


def test_units_do_not_matter():
    D = np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [0.0, 1.0, 0.0]])
    assert {rank(unit_rows(D * s[:, None])[0]) for s in 10.0 ** np.random.default_rng(1).uniform(-9, 9, (30, 3))} == {2}
    unit, length = unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]]))
    assert unit.tolist() == [[0.6, 0.8], [0.0, 0.0]] and length.tolist() == [5.0, 1.0]


def test_nobody_else_decides_a_rank():
    """matrix_rank, null_space of SciPy, and counts of singular values above something belong into algebra/null_space.py."""
    found = []
    for path in sorted(SOURCES.rglob("*.py")):
        if path.name in ("null_space.py", "sparse_null_space.py"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            sides = (node.left, *node.comparators) if isinstance(node, ast.Compare) else ()
            counted = any(isinstance(x, ast.Name) and x.id in ("sigma", "singular") for x in sides)
            if counted or (isinstance(node, ast.Attribute) and node.attr == "matrix_rank"):
                found.append(f"{path.relative_to(SOURCES)}:{node.lineno}")
    assert not found, found


@pytest.mark.parametrize(("angle", "freedoms"), [(2e-6, 2), (4e-5, 1)])
def test_a_count_and_a_solve_agree_on_what_is_redundant(angle, freedoms):
    """Two links to one point, nearly along each other: what the factorisation drops is what the rank leaves out."""
    m = da.Model("two links", dim=2)
    m.add(da.Body("a", mass=2.0, inertia=0.3, position=(1.0, 0.0)))
    m.add(da.Distance("A", "ground", "a", at_i=(0.0, 0.0), at_j=(1.0, 0.0)))
    m.add(da.Distance("B", "ground", "a", at_i=(1.0 - np.cos(angle), np.sin(angle)), at_j=(1.0, 0.0)))
    w = workspace(m.compile())
    w.run("rows")
    assert (da.check(m).dof, 3 - w.system.nc + w.report.dropped, len(null_space(w).T)) == (freedoms,) * 3
