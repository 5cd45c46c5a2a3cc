"""What simulate refuses, in words, and what it takes although it is not a plain float."""

import math

import numpy as np
import pytest

import dalembert as da


def arm():
    m = da.Model("arm", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("link", (0, 0), (1, 0), mass=1))
    m.add(da.Revolute("O", m.ground, "link", at=(0, 0)))
    return m


@pytest.mark.parametrize(("until", "given", "text"), [
    ("2", {}, "until must be a time after the start"),
    (math.nan, {}, "until must be a time after the start"),
    ("2", {"times": [0, 1]}, "until must be a number"),
    (1.0, {"start": "0"}, "start must be a finite number"),
    (1.0, {"start": math.nan}, "start must be a finite number"),
    (1.0, {"step": math.inf}, "step must be a positive number"),
    (1.0, {"step": 1e-13}, "samples up to 1"),
    (1.0, {"times": "ab"}, "times must be a list"),
    (1.0, {"times": [0, "a"]}, "times must be a list"),
    (1.0, {"max_steps": "many"}, "max_steps must be"),
    (1.0, {"max_steps": None}, "max_steps must be"),
    (1.0, {"max_steps": 0}, "max_steps must be"),
    (1.0, {"integrator": ["rk8"]}, "integrator .* is not known"),
    (1.0, {"events": 5}, "events and stop are expressions"),
    (1.0, {"stop": None}, "events and stop are expressions"),
    (1.0, {"stop": [3.0]}, "events and stop are expressions"),
    (1.0, {"rtol": "small"}, "rtol must be a positive number"),
])
def test_refused(until, given, text):
    with pytest.raises(da.SimulationError, match=text):
        da.simulate(arm(), until, **given)


@pytest.mark.parametrize("until", [np.int64(1), np.float32(1.0), 1])
def test_numbers_of_numpy(until):
    run = da.simulate(arm(), until, step=np.float32(0.5), rtol=np.float32(1e-5))
    assert run.t.tolist() == [0.0, 0.5, 1.0]


def test_redundant_joints_do_not_look_like_singular_poses():
    """Rounding in the pivots of dependent rows, magnified by small pivots before them, once refused every second step."""
    from dalembert import catalog

    for integrator in ("rk5", "radau"):
        stats = da.simulate(catalog.make("spatial-four-bar"), 1.0, integrator=integrator).stats
        assert stats["rejected"] < 0.4 * stats["steps"]


@pytest.mark.parametrize("speed", [1e-16, 1e-10, 1e-4])
def test_almost_at_rest_without_gravity(speed):
    """The energy at the start is no measure for the ledger when it is rounding, or small against what the forces will do."""
    m = da.Model("tense", dim=2, gravity=(0, 0))
    m.add(da.Body("b", mass=1, inertia=1, position=(1, 0), velocity=(0, speed)))
    m.add(da.Spring("k", m.ground, "b", at_i=(0, 0), at_j=(1, 0), stiffness=100, length=0.5, damping=1))
    run = da.simulate(m, 0.2, integrator="rk8", max_steps=1000)
    assert run.certificate.energy_relative < 1e-5
