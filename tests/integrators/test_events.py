"""Events: location, direction, order, terminal events, restarts."""

import math

import numpy as np
import pytest
from rk_problems import Case

from dalembert.integrators.registry import records
from dalembert.integrators.status import EVENT, OK

TIGHT = {"rtol": 1e-13, "atol": 1e-14}

EXPLICIT = [name for name, m in records().items() if not m.needs]


def oscillator(level=0.5):
    return Case("oscillator", [0.0, 1.0], p=(level, 0.0), events="oscillator_events", n_events=3)


@pytest.mark.parametrize("method", EXPLICIT)
def test_all_zeros_in_order(method):
    solution = oscillator().solve([10.0], method=method, **TIGHT)
    assert solution.status == OK
    times, index = solution.events.t, solution.events.index
    assert np.all(np.diff(times) > 0)
    np.testing.assert_allclose(times[index == 0], np.pi * np.arange(1, 4), atol=1e-12)
    np.testing.assert_allclose(times[index == 1], np.pi * (np.arange(3) + 0.5), atol=1e-12)
    arc = math.asin(0.5)
    expected = [arc, np.pi - arc, 2 * np.pi + arc, 3 * np.pi - arc]
    np.testing.assert_allclose(times[index == 2], expected, atol=1e-12)
    np.testing.assert_allclose(solution.events.y[0], np.sin(times), atol=1e-12)


@pytest.mark.parametrize("direction", [-1, 1])
def test_directions(direction):
    solution = oscillator().solve([20.0], directions=[direction] * 3, **TIGHT)
    falling = np.pi * np.arange(1, 7, 2)
    expected = falling if direction < 0 else falling + np.pi
    found = solution.events.t[solution.events.index == 0]
    np.testing.assert_allclose(found, expected[expected < 20], atol=1e-12)


def test_terminal_event_stops_there():
    times = np.linspace(0, 10, 101)
    solution = oscillator().solve(times, terminal=[1, 0, 0], **TIGHT)
    assert solution.status == EVENT and solution.success
    assert solution.events.t[-1] == pytest.approx(math.pi, abs=1e-12)
    assert solution.events.index.tolist() == [2, 1, 2, 0]
    np.testing.assert_array_equal(solution.t, times[times <= math.pi])
    np.testing.assert_array_equal(solution.state["x"], solution.events.y[:, -1])


def test_continuing_after_a_terminal_event_does_not_repeat_it():
    case = oscillator()
    times = np.linspace(0, 10, 101)
    solution = case.solve(times, terminal=[1, 0, 0], **TIGHT)
    found, outputs = [solution.events.t[-1]], [solution.t]
    while solution.status == EVENT:
        solution = case.solve(times, terminal=[1, 0, 0], resume=solution.state, **TIGHT)
        found += solution.events.t[solution.events.index == 0].tolist()
        outputs.append(solution.t)
    np.testing.assert_allclose(found, np.pi * np.arange(1, 4), atol=2e-12)
    np.testing.assert_array_equal(np.concatenate(outputs), times)


def test_zero_at_the_start_does_not_fire_but_a_later_crossing_does():
    """Thrown up from the ground; the flight is a parabola, so one huge first step covers all of it."""
    case = Case("falling", [0.0, 9.81], events="height", n_events=1)
    solution = case.solve([5.0], terminal=[1], directions=[-1], h_first=3.0)
    assert solution.status == EVENT
    assert solution.events.t.tolist() == pytest.approx([2.0], abs=1e-14)


def test_event_on_projected_motion():
    case = Case("pendulum_xy", [1.0, 0.0, 0.0, 0.0], p=(9.81, 0.0), project="circle_project",
                events="circle_event", n_events=1)
    solution = case.solve([3.0], **TIGHT)
    period = 4 * 1.8540746773013719 / math.sqrt(9.81)  # K(1/2) for an amplitude of 90 degrees
    np.testing.assert_allclose(solution.events.t, period * np.array([0.25, 0.75, 1.25]), atol=1e-11)
    assert np.abs(np.sum(solution.events.y[:2] ** 2, axis=0) - 1).max() < 1e-14


def test_more_events_than_the_log_holds():
    solution = oscillator().solve([2000.0], directions=[1, 1, 1], rtol=1e-9, atol=1e-9)
    assert np.sum(solution.events.index == 0) == 318
