"""Values between the ends of steps are as good as the ends, also where a time constant limits the steps (dense.py)."""

import itertools

import numpy as np
import pytest
from rk_problems import Case

from dalembert.integrators import layout as at
from dalembert.integrators.dense import interpolate
from dalembert.integrators.engine import Engine
from dalembert.integrators.registry import record, records
from dalembert.integrators.status import BUDGET

EXPLICIT = [m.name for m in records().values() if not m.needs]
TIMES = 12.0  # the largest error between steps over the largest at their ends, or over the tolerance
END = 3.0


def exact(t, rate, turn, slow):
    """Forced oscillation of rk_problems.forced: a fast mode exp((-rate + i turn) t) beside exp(i slow t)."""
    y = np.exp(1j * slow * t) + 0.5 * np.exp((-rate + 1j * turn) * t)
    return np.array([y.real, y.imag])


def follow(method, rtol, rate, turn, slow, count=400):
    """Errors at the ends of the steps, and at the outputs; the engine."""
    case = Case("forced", exact(0.0, rate, turn, slow), (rate, turn, slow))
    times = np.linspace(0.0, END, count)
    engine = Engine(case.rhs, case.s.t, case.s.y, case.s.ydot, times, method=method, rtol=rtol, atol=rtol, budget=1)
    engine.begin()
    ends = 0.0
    while engine.run() == BUDGET:
        error = engine.state.x - exact(engine.state.real[at.T], rate, turn, slow)
        ends = max(ends, float(np.abs(error).max()))
    found = engine.task.out.reshape(-1, 2)
    return ends, float(np.abs(found - exact(times, rate, turn, slow).T).max()), engine


SWEEP = list(itertools.product((3.0, 30.0, 300.0), (0.0, 0.5, 2.0), (0.0, 0.02, 0.3, 3.0)))


@pytest.mark.parametrize("method", EXPLICIT)
@pytest.mark.parametrize("rtol", [1e-3, 1e-5, 1e-7, 1e-9, 1e-11])
def test_errors_between_steps_are_those_at_their_ends(method, rtol):
    for rate, part, slow in SWEEP:
        ends, between, _ = follow(method, rtol, rate, part * rate, slow)
        assert between <= TIMES * max(ends, 2.0 * rtol), (rate, part, slow, ends, between)


def test_steps_at_the_border_of_stability_count_as_stiff_with_outputs_too():
    """The interpolant keeps steps away from the border: the test of stiffness must see them nevertheless."""
    for count in (2, 4000):
        engine = follow("dop853", 1e-6, 2000.0, 0.0, 0.3, count)[2]
        assert engine.state.count[at.IS_STIFF] == 1


def test_oscillations_are_not_taken_for_stiff():
    engine = follow("dop853", 1e-3, 0.0, 200.0, 0.3, 4000)[2]
    assert engine.state.count[at.IS_STIFF] == 0


def test_steps_that_are_not_stiff_do_not_depend_on_outputs():
    """Nor on the question how good the interpolant is: one evaluation more in some steps, the same bits."""
    for rtol in (1e-4, 1e-7, 1e-10):
        alone, asked = (follow("dop853", rtol, 0.1, 1.0, 3.0, count)[2] for count in (2, 400))
        assert np.array_equal(alone.state.x, asked.state.x)
        steps = asked.state.count[at.STEPS]
        assert steps == alone.state.count[at.STEPS]
        assert asked.state.count[at.CALLS] - alone.state.count[at.CALLS] <= 4 * steps


def test_fixed_steps_are_taken_as_they_are():
    case = Case("forced", exact(0.0, 50.0, 0.0, 0.3), (50.0, 0.0, 0.3))
    done = case.solve(np.linspace(0.0, 1.0, 101), method="dop853", fixed_step=0.1)
    assert done.stats["steps"] == 10 and done.stats["rejected"] == 0


def test_the_last_extra_stage_is_taken_in_by_collocation():
    """What the judgement rests on: whatever the slopes, the interpolant's own slope at the last extra stage is that stage's."""
    tried = 0
    for name in EXPLICIT:
        tab = record(name).tableau()
        stages, extra, errors, dense = (int(x) for x in tab.shape[:4])
        if not extra:
            continue
        rng = np.random.default_rng(7)
        k = rng.normal(size=(stages + 1 + extra, 3))

        def total(row, k=k, tab=tab):
            return sum(tab.coef[m] * k[tab.index[m]] for m in range(tab.start[row], tab.start[row + 1]))

        change = total(stages)
        r = [change, k[0] - change, change - k[stages] - (k[0] - change)]
        r += [total(stages + 1 + extra + errors + m) for m in range(dense)]
        out = np.zeros(3)

        def at_place(u, r=r, out=out):
            interpolate(out, np.zeros(3), np.concatenate(r), len(r), u)
            return out.copy()

        c, d = tab.c[stages + extra], 1e-3
        slope = (8.0 * (at_place(c + d) - at_place(c - d)) - (at_place(c + 2 * d) - at_place(c - 2 * d))) / (12.0 * d)
        assert np.abs(slope - k[stages + extra]).max() < 1e-7
        tried += 1
    assert tried
