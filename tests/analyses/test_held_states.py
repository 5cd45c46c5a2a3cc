"""What a stepper holds goes with its state: inputs and parameters are no coordinates, and were forgotten."""

import pytest

import dalembert as da
from dalembert.errors import AnalysisError


def pendulum():
    m = da.Model("p", dim=2, gravity=(0, -9.81), parameters={"k": 1.0})
    m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=2.0))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    m.add(da.Motor("mo", "O", 0.0))
    m.add(da.Force("f", "rod", (0.0, "0*t"), at=(0, 0)))
    m.add(da.Signal("s", 0.0))
    m.add(da.Motor("law", "O", "s*(1 - k*O.rate)"))
    return m


def stepped(m):
    sim = da.stepper(m)
    sim.inputs["mo"], sim.inputs["f.x"], sim.inputs["s"] = 9.0, 0.5, 2.0
    sim.step(0.01)
    sim.parameters["k"] = 3.0
    sim.step(0.01)
    return sim


def test_a_state_of_a_stepper_carries_inputs_and_parameters():
    m = pendulum()
    sim = stepped(m)
    got = da.accelerations(m, sim.state)
    assert got["rod"].angular_acceleration == pytest.approx(sim["rod"].angular_acceleration, rel=1e-12)
    assert got["law"].torque == pytest.approx(2.0 * (1 - 3.0 * sim["O"].rate)) and got["f"].force[0] == 0.5
    run = da.simulate(m, 0.05, state=sim.state)
    assert run["mo"].torque[-1] == 9.0 and run.model.parameters["k"] == 3.0
    other = da.stepper(m, state=sim.state)
    assert dict(other.inputs) == dict(sim.inputs) and other.parameters["k"] == 3.0
    assert m.parameters["k"] == 1.0 and m["mo"].law == 0.0  # the model itself is not touched


def test_a_kept_state_and_views_are_of_their_own_inputs():
    sim = da.stepper(pendulum())
    sim.inputs["mo"] = 9.0
    kept = sim.state
    assert sim["mo"].torque == 9.0
    sim.inputs["mo"] = 4.0
    assert kept["mo"].torque == 9.0 and sim["mo"].torque == 4.0
    sims = da.steppers(pendulum(), 2)
    assert list(sims["mo"].torque) == [0.0, 0.0]
    sims.inputs["mo"] = [1.0, 2.0]
    assert list(sims["mo"].torque) == [1.0, 2.0]


def test_what_cannot_be_told_is_refused():
    m = pendulum()
    sim = stepped(m)
    with pytest.raises(AnalysisError, match=r"holds input s = 2, input mo = 9, input f.x = 0.5, parameter k = 3.0"):
        da.check(m, sim.state)
    m.parameters["k"] = 7.0
    with pytest.raises(AnalysisError, match=r"parameter 'k' = 3.0, and the model has been given 7.0"):
        da.accelerations(m, sim.state)
    m.parameters["k"] = 3.0
    m.remove("mo")
    m.add(da.Motor("mo", "O", 5.0))
    with pytest.raises(AnalysisError, match=r"input 'mo' = 9.0, and the model has been given 5.0"):
        da.accelerations(m, sim.state)
    m.remove("mo")
    m.add(da.Motor("mo", "O", "-O.rate"))  # a law in its place is the model's own
    assert da.accelerations(m, sim.state)["mo"].torque == pytest.approx(-sim["O"].rate)
