"""Laws given by users: what raises must stop the run, and long tables must stay cheap."""

import time

import numpy as np
import pytest

import dalembert as da


def hinged():
    m = da.Model("pendulum", dim=2, gravity=(0, -9.81))
    body = m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=1))
    m.add(da.Revolute("O", m.ground, body, at=(0, 0)))
    return m, body


def raising(t):
    if t > 0.01:
        raise ValueError("boom")
    return 3.0


def raising_force(t, x, v, out):
    if t > 0.01:
        raise ValueError("boom")
    out[0] = 1.0


@pytest.mark.parametrize("load", ["law", "force"])
def test_a_function_that_raises_stops_the_run(load):
    m, body = hinged()
    m.add(da.Torque("load", body, [raising]) if load == "law" else da.UserForce("load", body, raising_force))
    with pytest.raises(da.SimulationError):
        da.simulate(m, 0.1)


def test_a_long_table_costs_time_in_proportion():
    x = np.linspace(0, 10, 20_001)
    m, _ = hinged()
    m.add(da.Drive("motor", "O", da.Table(x, np.sin(x))))
    begin = time.perf_counter()
    found = da.accelerations(m, t=3.3)["rod"].angular_acceleration
    assert time.perf_counter() - begin < 10.0
    assert abs(found + np.sin(3.3)) < 1e-6
