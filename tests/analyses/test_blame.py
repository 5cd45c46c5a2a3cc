"""A law that breaks during a run is named, with the time and what it said."""

import math

import numpy as np
import pytest

import dalembert as da


def arm(**extra):
    m = da.Model("arm", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("link", (0, 0), (1, 0), mass=1))
    m.add(da.Revolute("O", m.ground, "link", at=(0, 0)))
    m.add(da.TorsionSpring("harmless", "O", stiffness=1.0))
    return m


def raises(t, x, v):
    if t > 0.3:
        raise ValueError("out of its table")
    return 1.0


def breaks(t):
    return math.nan if t > 0.3 else 1.0


def force(t, x, v, out):
    out[0] = math.sqrt(-1.0) if t > 0.3 else 0.0


@pytest.mark.parametrize(("element", "texts"), [
    (lambda: da.Motor("pump", "O", raises), ["'pump'", "raised ValueError: out of its table", "0.3"]),
    (lambda: da.Motor("pump", "O", breaks), ["'pump' gives a value that is not finite at t = 0.3"]),
    (lambda: da.Motor("pump", "O", "log(0.3 - t)"), ["'pump' gives a value that is not finite at t = 0.3"]),
    (lambda: da.UserForce("wind", "link", force), ["'wind'", "0.3"]),
    (lambda: da.Motor("pump", "O", lambda t, x, v: math.sqrt(x + 0.5)), ["'pump' gives"]),
    (lambda: da.Drive("crank", "O", "sqrt(0.3 - t)"), ["'crank' gives a value that is not finite at t = 0.3"]),
])
@pytest.mark.parametrize("integrator", ["rk8", "radau", "alpha"])
def test_broken_law_is_named(element, texts, integrator):
    m = arm()
    m.add(element())
    with pytest.raises(da.SimulationError) as caught:
        da.simulate(m, 1.0, integrator=integrator)
    for text in texts:
        assert text in str(caught.value)
    assert caught.value.run.t[-1] <= 0.3 + 1e-9
    assert caught.value.run.status == "partial"


@pytest.mark.parametrize("integrator", ["radau", "alpha"])
def test_law_at_the_end_of_its_range(integrator):
    """The state is inside, the points from which the tangent is taken are not."""
    m = da.Model("arm", dim=2, gravity=(0, 0))
    m.add(da.Body.rod("link", (0, 0), (1, 0), mass=1))
    m.add(da.Revolute("O", m.ground, "link", at=(0, 0)))
    m.add(da.Motor("pump", "O", lambda t, x, v: math.sqrt(x)))
    m.initial("O", rate=1.0)
    found = da.simulate(m, 1.0, integrator=integrator, rtol=1e-5)
    np.testing.assert_allclose(found["O"].coordinate[-1], da.simulate(m, 1.0, integrator="rk8")["O"].coordinate[-1], rtol=1e-3)


def test_run_that_diverges_ends():
    """Exponential growth: nothing hangs, and the time is told."""
    m = arm()
    m.add(da.Motor("engine", "O", "coordinate**3 + rate**3"))
    with pytest.raises(da.SimulationError, match="stopped at t = "):
        da.simulate(m, 100.0)
