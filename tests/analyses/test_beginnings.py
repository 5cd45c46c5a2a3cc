"""A run begins at the time of its state."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog


def pushed():
    """A pendulum under a torque that depends on time: a run that begins at the wrong moment is another one."""
    m = da.Model("pushed", dim=2)
    m.add(da.Body("rod", mass=1.0, inertia=0.1, position=(1, 0)))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    m.add(da.Motor("push", "O", "3*sin(5*t)"))
    return m


@pytest.mark.parametrize("k", [0, 50, 120])
def test_a_state_says_when_it_is(k):
    m = pushed()
    whole = da.simulate(m, 2.0, rtol=1e-10)
    state = whole.state(k)
    on = da.simulate(m, 2.0, state=state, rtol=1e-10)
    assert on.t[0] == state.t
    assert on["O"].coordinate[-1] == pytest.approx(whole["O"].coordinate[-1], abs=1e-8)
    same = da.simulate(m, 2.0, state=state, start=state.t, rtol=1e-10)
    np.testing.assert_array_equal(on["O"].coordinate, same["O"].coordinate)


@pytest.mark.parametrize("start", [0.0, 0.4, 0.7])
def test_a_start_that_contradicts_the_state_is_refused(start):
    m = pushed()
    state = da.simulate(m, 1.0).state(100)
    with pytest.raises(da.SimulationError, match=r"the state is of t = 0.5 s, and start= says"):
        da.simulate(m, 1.0, state=state, start=start)


def test_until_counts_from_the_state():
    m = pushed()
    with pytest.raises(da.SimulationError, match=r"until must be a time after the start 0\.5"):
        da.simulate(m, 0.4, state=da.simulate(m, 1.0).state(100))


def test_derived_equations_too():
    m = catalog.make("pendulum")
    eqs, state = da.derive(m), da.simulate(m, 1.0, rtol=1e-9).state(100)
    run = da.simulate(eqs, 1.0, state=state, rtol=1e-9)
    assert run.t[0] == state.t
    with pytest.raises(da.SimulationError, match="the state is of"):
        da.simulate(eqs, 1.0, state=state, start=0.0)
