"""Events: zeros of expressions over coordinates, located in time."""

import numpy as np
import pytest

import dalembert as da


def falling(dim=2):
    m = da.Model("stone", dim=dim, gravity=(0, -10.0, 0)[:dim])
    m.add(da.Body("stone", mass=1, inertia=1 if dim == 2 else (1, 1, 1), position=(0, 5, 0)[:dim], velocity=(1, 0, 0)[:dim]))
    return m


@pytest.mark.parametrize("dim", [2, 3])
def test_crossing_is_located(dim):
    run = da.simulate(falling(dim), 2.0, events=["stone.y", "stone.x - 0.5"])
    assert [name for name, _ in run.events] == ["stone.x - 0.5", "stone.y"]
    assert run.events[0][1] == pytest.approx(0.5, abs=1e-9) and run.events[1][1] == pytest.approx(1.0, abs=1e-9)
    assert run.t[-1] == 2.0


def test_a_stop_ends_the_run_there():
    run = da.simulate(falling(), 2.0, step=0.1, stop="stone.y - 3.75")
    assert run.status == "complete"
    assert run.events == [("stone.y - 3.75", pytest.approx(0.5, abs=1e-9))]
    assert run.t[-1] == pytest.approx(0.5, abs=1e-9) and np.all(np.diff(run.t) > 0)
    assert run["stone"].position[-1] == pytest.approx([0.5, 3.75], abs=1e-8)


def test_events_may_use_joints_parameters_and_time():
    m = da.Model("pendulum", dim=2, gravity=(0, -9.81), parameters={"limit": 0.2})
    m.add(da.Body.rod("rod", (0, 0), (0, -1), mass=1))
    m.add(da.Revolute("O", "ground", "rod", at=(0, 0)))
    m.initial("O", rate=1.0)
    run = da.simulate(m, 5.0, events=["O - limit", "t - 1.25"], rtol=1e-9)
    times = [t for name, t in run.events if name == "t - 1.25"]
    assert times == [pytest.approx(1.25, abs=1e-12)]
    crossings = [t for name, t in run.events if name == "O - limit"]
    assert len(crossings) >= 4
    again = da.simulate(m, 5.0, times=crossings, rtol=1e-9)
    assert again["O"].coordinate == pytest.approx([0.2] * len(crossings), abs=1e-8)


def test_unknown_coordinate_in_an_event():
    with pytest.raises(da.ModelError, match=r"event 'pebble.y'.*no joint or body 'pebble'"):
        da.simulate(falling(), 1.0, events="pebble.y")


@pytest.mark.parametrize("integrator", ["rk8", "rk5", "radau", "alpha"])
@pytest.mark.parametrize("height", [4.5, 4.9, 4.9999])
def test_up_and_down_within_one_step(integrator, height):
    """A throw is a parabola, and one step may hold all of it: both crossings are found, however near to the top."""
    m = da.Model("throw", dim=2, gravity=(0, -10.0))
    m.add(da.Body("ball", mass=1, inertia=1, velocity=(0, 10)))
    half = np.sqrt(2 * (5 - height) / 10)
    run = da.simulate(m, 3.0, events=f"ball.y - {height}", integrator=integrator)
    assert [t for _, t in run.events] == pytest.approx([1 - half, 1 + half], abs=1e-9)
    stopped = da.simulate(m, 3.0, stop=f"ball.y - {height}", integrator=integrator)
    assert stopped.t[-1] == pytest.approx(1 - half, abs=1e-9)
    assert stopped.status == "complete"


@pytest.mark.parametrize("integrator", ["rk8", "rk5", "radau", "alpha"])
def test_every_zero_however_many(integrator):
    m = da.Model("ball", dim=2, gravity=(0, -9.81))
    m.add(da.Body("ball", mass=1, inertia=1, velocity=(3, 10)))
    run = da.simulate(m, 1.0, events="sin(2000*t)", integrator=integrator)
    assert [t for _, t in run.events] == pytest.approx(np.pi / 2000 * np.arange(1, 637), abs=1e-12)
    run = da.simulate(m, 2.0, events=["sin(300*ball.x)", "sin(77*t) - 0.3"], integrator=integrator)
    found = [t for name, t in run.events if "ball" in name]
    assert found == pytest.approx(np.pi / 900 * np.arange(1, 573), abs=1e-8)
    assert len(run.events) - len(found) == 50 and np.all(np.diff([t for _, t in run.events]) >= 0)
    stopped = da.simulate(m, 2.0, events="sin(2000*t)", stop="ball.x - 1.5", integrator=integrator)
    assert stopped.t[-1] == pytest.approx(0.5, abs=1e-9) and len(stopped.events) == 318 + 1


def test_events_and_breaks_at_the_same_time():
    m = da.Model("ball", dim=2, gravity=(0, 0))
    m.add(da.Body("ball", mass=1, inertia=1))
    m.add(da.Force("F", "ball", ("step(t-0.5)", 0)))
    run = da.simulate(m, 1.0, events=["t - 0.5", "ball.x - 0.02"])
    assert [t for _, t in run.events] == pytest.approx([0.5, 0.7], abs=1e-9)
    stopped = da.simulate(m, 1.0, stop="t - 0.5")
    assert stopped.t[-1] == pytest.approx(0.5, abs=1e-14) and stopped.status == "complete"
