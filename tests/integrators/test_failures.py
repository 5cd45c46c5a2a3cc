"""Whatever goes wrong ends the run with a status, soon, and the results up to there are kept."""

import numpy as np
import pytest
from rk_problems import Case

from dalembert.integrators.registry import records
from dalembert.integrators.solve import solve
from dalembert.integrators.status import (
    CHATTER,
    MESSAGES,
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    SINGULAR,
    STEP_TOO_SMALL,
    STIFF,
    message,
)

EXPLICIT = [name for name, m in records().items() if not m.needs]


@pytest.mark.parametrize("method", EXPLICIT)
def test_stiff_problem_is_flagged(method):
    case = Case("van_der_pol", [2.0, 0.0], p=(1000.0, 0.0))
    flagged = case.solve([100.0], method=method, rtol=1e-5, atol=1e-5, stop_if_stiff=True)
    assert flagged.status == STIFF and flagged.stats["steps"] < 2000
    assert case.solve([10.0], method=method, rtol=1e-5, atol=1e-5).stats["stiff"]
    mild = Case("van_der_pol", [2.0, 0.0], p=(1.0, 0.0)).solve([100.0], method=method, stop_if_stiff=True)
    assert mild.status == OK and not mild.stats["stiff"]


@pytest.mark.parametrize("method", EXPLICIT)
def test_silent_nan_is_reported(method):
    solution = Case("square_root", [1.0]).solve(np.linspace(0, 2, 21), method=method)
    assert solution.status in (NOT_FINITE, STEP_TOO_SMALL)
    assert solution.t[-1] == pytest.approx(0.9, abs=0.11)
    np.testing.assert_allclose(solution.y[0], np.sqrt(1 - solution.t), atol=1e-3)
    assert solution.stats["steps"] + solution.stats["rejected"] < 3000
    assert Case("square_root", [-1.0]).solve([1.0], method=method).status == NOT_FINITE
    assert Case("square_root", [1.0]).solve([2.0], method=method, fixed_step=0.1).status == NOT_FINITE


@pytest.mark.parametrize("method", EXPLICIT)
@pytest.mark.parametrize("status", [SINGULAR, NOT_CONVERGED, NOT_FINITE, 42])
def test_status_of_the_right_hand_side(method, status):
    case = Case("fails_after", [0.0], p=(0.5, status))
    solution = case.solve([0.0, 1.0], method=method)
    assert solution.status == status and solution.message == message(status)
    assert case.s.t[0] <= 0.5 and case.s.y[0] == pytest.approx(case.s.t[0], abs=1e-14)
    if status != 42:
        assert case.s.t[0] == pytest.approx(0.5, abs=1e-12)
    assert Case("fails_after", [0.0], p=(-1.0, status)).solve([1.0], method=method).status == status


@pytest.mark.parametrize("method", EXPLICIT)
def test_failing_projection_is_reported(method):
    case = Case("pendulum_xy", [1.0, 0.0, 0.0, 0.0], p=(9.81, 2.0), project="circle_project")
    assert case.solve([1.0], method=method).status == NOT_CONVERGED


def test_every_status_has_words():
    assert {*range(8), 12, 13, CHATTER} == set(MESSAGES)  # the codes of errors.py that can end a run, and laws that chatter
    assert "42" in message(42)


@pytest.mark.parametrize("wrong", [
    {"method": "euler"}, {"times": []}, {"times": [2.0, 1.0]}, {"times": [-1.0]}, {"rtol": -1.0},
    {"rtol": 0.0, "atol": 0.0}, {"fixed_step": 0.0}, {"weights": np.ones(5)}, {"terminal": [1]},
])
def test_wrong_arguments(wrong):
    case = Case("oscillator", [0.0, 1.0])
    options = {"times": [1.0], **wrong}
    with pytest.raises(ValueError):
        solve(case.rhs, case.s.t, case.s.y, case.s.ydot, **options)
