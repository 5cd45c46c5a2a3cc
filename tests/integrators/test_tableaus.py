"""Coefficients: against SciPy's copies; those of every explicit method of the registry against what they must satisfy."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate._ivp import dop853_coefficients as d8
from scipy.integrate._ivp.rk import RK45

from dalembert.integrators.methods.dop853 import DOP853
from dalembert.integrators.methods.dp54 import DP54
from dalembert.integrators.registry import records
from dalembert.integrators.tableaus import BLOCK, packed

EXACT = {"rtol": 4e-16, "atol": 1e-15}
explicit = pytest.mark.parametrize("record", [m for m in records().values() if m.tableau().shape[0] > 1], ids=lambda m: m.name)


def dense_matrix(rows, stages):
    """Rows of a sparse table as a full matrix with the given number of columns."""
    full = np.zeros((len(rows), stages))
    for i, row in enumerate(rows):
        for j, value in row.items():
            full[i, j] = value
    return full


def test_dp54_against_scipy():
    full = dense_matrix(DP54.rows, 7)
    np.testing.assert_allclose(full[:6, :5], RK45.A, **EXACT)
    np.testing.assert_allclose(full[6, :6], RK45.B, **EXACT)
    np.testing.assert_allclose(DP54.c[:6], RK45.C, **EXACT)
    np.testing.assert_allclose(np.abs(dense_matrix(DP54.errors, 7)[0]), np.abs(RK45.E), **EXACT)
    np.testing.assert_allclose(dense_matrix(DP54.dense, 7)[0], RK45.P[:, 3], **EXACT)


def test_dop853_against_scipy():
    np.testing.assert_allclose(dense_matrix(DOP853.rows, 16), d8.A, **EXACT)
    np.testing.assert_allclose(DOP853.c, d8.C, **EXACT)
    np.testing.assert_allclose(dense_matrix(DOP853.errors, 13), [d8.E5, d8.E3], **EXACT)
    np.testing.assert_allclose(dense_matrix(DOP853.dense, 16), d8.D, **EXACT)


class Unfolded:
    """The tableau of a record, as matrices."""

    def __init__(self, record):
        tab = record.tableau()
        self.stages, extra, errors, dense, self.error_order, _ = (int(x) for x in tab.shape)
        self.alpha, self.beta, self.stiff, self.inside = tab.real
        self.c, s = tab.c, self.stages + 1 + extra
        rows = np.zeros((len(tab.start) - 1, s))
        for i, (first, last) in enumerate(pairwise(tab.start)):
            np.add.at(rows[i], tab.index[first:last], tab.coef[first:last])
        self.a, self.e, self.d = np.split(rows, [s, s + errors])
        self.b = self.a[self.stages]
        assert len(self.d) == dense and len(self.c) == s


@explicit
def test_order_conditions(record):
    """Of bushy trees and of those with one bend: the solution to its order, the errors to that of the lower solution."""
    u = Unfolded(record)
    np.testing.assert_allclose(u.a.sum(axis=1), u.c, atol=1e-14)
    for q in range(1, record.order + 1):
        assert u.b @ u.c ** (q - 1) == pytest.approx(1 / q, abs=2e-15)
        if q < record.order:
            assert u.b @ u.a @ u.c ** (q - 1) == pytest.approx(1 / (q * (q + 1)), abs=2e-14)
    lower = u.error_order - 2 * (len(u.e) - 1)  # of two rows the product of their errors counts
    assert lower < record.order
    for q in range(1, lower + 1):
        assert u.e[0] @ u.c ** (q - 1) == pytest.approx(0.0, abs=2e-14)
    assert max(abs(u.e[0] @ u.c**lower), abs(u.e[0] @ u.a @ u.c ** (lower - 1))) > 1e-6, "the error measures nothing"


@explicit
def test_step_control_and_stability(record):
    u = Unfolded(record)
    assert u.alpha == pytest.approx(1 / (u.error_order + 1) - 0.75 * u.beta)
    assert u.c[u.stages - 1] == 1.0 or np.isinf(u.stiff), "the test of stiffness compares the last stage with the end of the step"
    s = u.stages
    R = lambda z: 1 + z * u.b[:s] @ np.linalg.solve(np.eye(s) - z * u.a[:s, :s], np.ones(s))  # noqa: E731
    if np.isfinite(u.stiff):
        assert abs(R(-u.stiff)) <= 1.0 < abs(R(-1.15 * u.stiff))


@explicit
def test_dense_output_integrates_polynomials(record):
    u = Unfolded(record)
    first, end = np.eye(len(u.c))[0], np.eye(len(u.c))[u.stages]
    r = [u.b, first - u.b, u.b - end - (first - u.b), *u.d]
    for x in (0.1, 0.5, 0.9):
        weights = np.zeros(len(u.c))
        for m in range(len(r) - 1, -1, -1):
            weights = (x if m % 2 == 0 else 1 - x) * (r[m] + weights)
        for q in range(1, record.dense + 1):
            assert weights @ u.c ** (q - 1) == pytest.approx(x**q / q, abs=1e-12)


@pytest.mark.parametrize("method", [DP54, DOP853], ids=["dp54", "dop853"])
def test_packed_rows_unfold_to_the_tableau(method):
    tab = packed(method)
    rows = (*method.rows, *method.errors, *method.dense)
    assert tab.start.size == len(rows) + 1
    for i, row in enumerate(rows):
        part = slice(tab.start[i], tab.start[i + 1])
        assert (part.stop - part.start) % BLOCK == 0
        unfolded = np.zeros(16)
        np.add.at(unfolded, tab.index[part], tab.coef[part])
        np.testing.assert_array_equal(unfolded, dense_matrix((row,), 16)[0])
