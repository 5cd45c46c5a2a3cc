"""Coefficients: against SciPy's copies and against the order conditions."""

import numpy as np
import pytest
from scipy.integrate._ivp import dop853_coefficients as d8
from scipy.integrate._ivp.rk import RK45

from dalembert.integrators.methods import dop853, dp54
from dalembert.integrators.methods.dop853 import DOP853
from dalembert.integrators.methods.dp54 import DP54
from dalembert.integrators.tableaus import BLOCK, dense_matrix, packed

EXACT = {"rtol": 4e-16, "atol": 1e-15}
TABLEAUS = [(DP54, dp54.METHOD), (DOP853, dop853.METHOD)]


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


@pytest.mark.parametrize(("method", "record"), TABLEAUS, ids=["dp54", "dop853"])
def test_order_conditions(method, record):
    s = len(method.rows)
    a, c = dense_matrix(method.rows, s), np.array(method.c)
    b = a[method.stages]
    np.testing.assert_allclose(a.sum(axis=1), c, atol=1e-14)
    for q in range(1, record.order + 1):
        assert b @ c ** (q - 1) == pytest.approx(1 / q, abs=2e-15)
        if q < record.order:
            assert b @ a @ c ** (q - 1) == pytest.approx(1 / (q * (q + 1)), abs=2e-14)
    for q in range(1, method.error_order - 1 if record.order == 8 else 5):
        errors = dense_matrix(method.errors[:1], s)[0]
        assert errors @ c ** (q - 1) == pytest.approx(0.0, abs=2e-14)


@pytest.mark.parametrize(("method", "order"), [(DP54, 4), (DOP853, 7)], ids=["dp54", "dop853"])
def test_dense_output_integrates_polynomials(method, order):
    s = len(method.rows)
    b, c = dense_matrix(method.rows, s)[method.stages], np.array(method.c)
    first, end = np.eye(s)[0], np.eye(s)[method.stages]
    r = [b, first - b, b - end - (first - b), *dense_matrix(method.dense, s)]
    for u in (0.1, 0.5, 0.9):
        weights = np.zeros(s)
        for m in range(len(r) - 1, -1, -1):
            weights = (u if m % 2 == 0 else 1 - u) * (r[m] + weights)
        for q in range(1, order + 1):
            assert weights @ c ** (q - 1) == pytest.approx(u**q / q, abs=1e-12)


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
