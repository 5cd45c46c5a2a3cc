"""Laws that read reactions which are not unique: refused by name, unless what is read is unique after all."""

import pytest

import dalembert as da
from dalembert.errors import AnalysisError, SimulationError


def carriage(law=None, order=("g1", "g2"), rate=1.0, **more):
    """A body on two collinear guides: their forces across and their torques are shared in any way."""
    m = da.Model("r", dim=2, gravity=(0, -9.81))
    m.add(da.Body("b", mass=2.0, inertia=0.1))
    for g in order:
        m.add(da.Prismatic(g, m.ground, "b", at=(-0.5 if g == "g1" else 0.5, 0), axis=(1, 0)))
    if law is not None:
        m.add(da.Motor("f", "g1", law))
    m.initial("g1", rate=rate)
    return m


@pytest.mark.parametrize("rate", [1.0, 0.0])  # at rest friction is silent, and does not stay so
@pytest.mark.parametrize("order", [("g1", "g2"), ("g2", "g1")])
def test_friction_by_one_of_two_guides_is_refused(order, rate):
    m = carriage("-0.3*abs(g2.force.y)*tanh(rate/0.001)", order, rate)
    said = r"'f' reads g2.force.y, which is not unique at t = 0"
    with pytest.raises(SimulationError, match=said):
        da.simulate(m, 0.2)
    with pytest.raises(AnalysisError, match=said):
        da.accelerations(m)
    with pytest.raises(AnalysisError, match=said):
        da.linearize(m)


def test_the_sum_over_both_guides_is_unique_and_runs():
    ends = []
    for order in (("g1", "g2"), ("g2", "g1")):
        run = da.simulate(carriage("-0.3*abs(g1.force.y + g2.force.y)*tanh(rate/0.001)", order), 0.2)
        assert run.certificate.doubts() == []
        ends.append(run["b"].velocity[-1, 0])
    assert abs(ends[0] - (1.0 - 0.3 * 9.81 * 0.2)) < 1e-6 and abs(ends[0] - ends[1]) < 1e-9


def test_sums_of_sizes_are_not():
    with pytest.raises(SimulationError, match=r"g1.force.y, g2.force.y, which are not unique"):
        da.simulate(carriage("-0.3*(abs(g1.force.y) + abs(g2.force.y))*tanh(rate/0.001)"), 0.2)


def test_what_only_measures_is_a_doubt():
    m = carriage()
    m.add(da.Differential("wear", "abs(g1.force.y)"))
    assert "g1.force.y, which laws read, is not unique" in da.simulate(m, 0.1).certificate.doubts()[0]
    assert any("g1.force.y" in line for line in da.linearize(m).doubts)


def test_what_is_unique_is_left_alone():
    run = da.simulate(carriage("-0.3*abs(b.ay + 9.81)*2*tanh(rate/0.001)"), 0.2)  # an acceleration, on redundant guides
    assert run.certificate.doubts() == []
    m = carriage()
    m.add(da.Body("hung", mass=1.0, inertia=0.1, position=(0, -1)))
    m.add(da.Revolute("pin", "b", "hung", at=(0, 0)))
    m.add(da.Motor("rub", "pin", "-0.02*abs(pin.force.y)*tanh(rate/0.01)"))
    assert da.simulate(m, 0.1).certificate.doubts() == []


def test_a_shaft_in_two_bearings():
    m = da.Model("shaft", dim=3, gravity=(0, 0, -9.81))
    m.add(da.Body("shaft", mass=4.0, inertia=(0.02, 0.2, 0.2)))
    m.add(da.Revolute("A", m.ground, "shaft", at=(-0.5, 0, 0), axis=(1, 0, 0)))
    m.add(da.Revolute("B", m.ground, "shaft", at=(0.5, 0, 0), axis=(1, 0, 0)))
    m.add(da.Motor("rub", "A", "-0.01*abs(A.force.z)*tanh(rate/0.01)"))
    with pytest.raises(AnalysisError, match=r"'rub' reads A.force.z, which is not unique"):
        da.accelerations(m)
