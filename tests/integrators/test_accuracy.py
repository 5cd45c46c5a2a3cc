"""Convergence order, accuracy against tolerance, projection."""

import math

import numpy as np
import pytest
from rk_problems import Case
from scipy.integrate import solve_ivp

from dalembert.integrators.registry import record, records
from dalembert.integrators.status import OK

EXPLICIT = [name for name, m in records().items() if not m.needs]


def exact(t):
    return np.array([np.exp(np.sin(t)), 1 / (1 + t)])


def fixed_error(method, steps, times):
    case = Case("logistic_pair", [1.0, 1.0])
    solution = case.solve(times, method=method, fixed_step=4.0 / steps)
    assert solution.status == OK
    assert solution.stats["steps"] == steps
    return np.abs(solution.y - exact(solution.t)).max()


@pytest.mark.parametrize(("method", "steps"), [("dp54", 40), ("dop853", 10)])
def test_convergence_order(method, steps):
    coarse, fine = fixed_error(method, steps, [4.0]), fixed_error(method, 2 * steps, [4.0])
    assert math.log2(coarse / fine) > record(method).order - 0.4


@pytest.mark.parametrize(("method", "steps", "order"), [("dp54", 40, 4), ("dop853", 32, 7)])
def test_dense_output_order(method, steps, order):
    """An interpolant of order p has local error h^(p+1)."""
    times = np.linspace(0, 4, 4001)
    coarse, fine = fixed_error(method, steps, times), fixed_error(method, 2 * steps, times)
    assert math.log2(coarse / fine) > order + 1 - 0.4


KEPLER = ("kepler", [0.4, 0.0, 0.0, 2.0], 20.0)
ARENSTORF = ("arenstorf", [0.994, 0.0, 0.0, -2.00158510637908252], 17.06521656015796256)
PENDULUM = ("pendulum", [2.0, 0.0], 10.0)


@pytest.mark.parametrize("problem", [KEPLER, ARENSTORF, PENDULUM], ids=lambda p: p[0])
@pytest.mark.parametrize(("method", "tolerances"), [("dp54", (1e-6, 1e-9)), ("dop853", (1e-7, 1e-10, 1e-13))])
def test_error_follows_tolerance(problem, method, tolerances):
    name, y0, end = problem
    case = Case(name, y0, p=(9.81, 0.0))
    times = np.linspace(0, end, 41)

    def f(t, y):
        case.s.t[0], case.s.y[:] = t, y
        case.rhs()
        return case.s.ydot.copy()

    reference = solve_ivp(f, (0, end), y0, method="DOP853", rtol=1e-13, atol=1e-15, t_eval=times)
    growth = 2e4 if name == "arenstorf" else 500.0  # error amplification of the problem
    errors = []
    for tolerance in tolerances:
        solution = case.solve(times, method=method, rtol=tolerance, atol=tolerance)
        assert solution.status == OK
        difference = np.abs(solution.y - reference.y)[:, :21].max()  # before the close approach
        errors.append(difference)
        assert difference < growth * tolerance + 1e-9 * (name == "arenstorf") + 1e-11
    assert errors[-1] < errors[0] / 50


def test_work_is_that_of_the_reference_code():
    """As many right-hand sides as SciPy's DOP853 at the same tolerance, within a quarter."""
    case = Case("arenstorf", ARENSTORF[1])

    def f(t, y):
        case.s.t[0], case.s.y[:] = t, y
        case.rhs()
        return case.s.ydot.copy()

    theirs = solve_ivp(f, (0, 17), ARENSTORF[1], method="DOP853", rtol=1e-9, atol=1e-9).nfev
    ours = case.solve([17.0], method="dop853", rtol=1e-9, atol=1e-9).stats["rhs_calls"]
    assert ours < 1.25 * theirs


@pytest.mark.parametrize("method", EXPLICIT)
def test_outputs_do_not_change_the_steps(method):
    case = Case(*KEPLER[:2])
    few = case.solve([20.0], method=method)
    many = case.solve(np.linspace(0, 20, 1001), method=method)
    assert few.stats["steps"] == many.stats["steps"]
    np.testing.assert_array_equal(few.y[:, -1], many.y[:, -1])
    np.testing.assert_array_equal(many.y[:, 0], KEPLER[1])
    assert case.s.t[0] == 20.0


@pytest.mark.parametrize("method", EXPLICIT)
def test_projection_keeps_the_constraint(method):
    case = Case("pendulum_xy", [1.0, 0.0, 0.0, 0.0], p=(9.81, 0.0), project="circle_project")
    free = Case("pendulum_xy", [1.0, 0.0, 0.0, 0.0], p=(9.81, 0.0))
    times = np.linspace(0, 20, 201)
    solution = case.solve(times, method=method, rtol=1e-7, atol=1e-7)
    drifted = free.solve(times, method=method, rtol=1e-7, atol=1e-7)
    x, y, u, v = solution.y
    assert np.abs(x * x + y * y - 1).max() < 1e-14
    assert np.abs(x * u + y * v).max() < 1e-14
    assert np.abs(np.sum(drifted.y[:2] ** 2, axis=0) - 1).max() > 1e-9
    angle = Case("pendulum", [math.pi / 2, 0.0], p=(9.81, 0.0)).solve(times, rtol=1e-12, atol=1e-12).y[0]
    assert np.abs(np.array([np.sin(angle), -np.cos(angle)]) - solution.y[:2]).max() < 1e-4
    stages = 6 if method == "dp54" else 12  # no extra right-hand side per step for the projection
    extra = 0 if method == "dp54" else 3
    trials = solution.stats["steps"] + solution.stats["rejected"]
    assert solution.stats["rhs_calls"] <= (stages + extra) * trials + 2


def test_weights_scale_the_absolute_tolerance():
    case = Case("pendulum", [2.0, 0.0], p=(9.81, 0.0))
    one = case.solve([10.0], rtol=0.0, atol=1e-9)
    same = case.solve([10.0], rtol=0.0, atol=1e-6, weights=np.full(2, 1e-3))
    loose = case.solve([10.0], rtol=0.0, atol=1e-9, weights=np.full(2, 1e3))
    assert one.stats["steps"] == same.stats["steps"] > loose.stats["steps"]


def test_step_limits():
    case = Case("pendulum", [2.0, 0.0], p=(9.81, 0.0))
    assert case.solve([1.0], h_max=1e-3).stats["steps"] >= 1000
    assert case.solve([1e-4], h_first=1e-5, h_max=1e-5).stats["steps"] == 10
    assert case.solve([0.0]).y.tolist() == [[2.0], [0.0]]
