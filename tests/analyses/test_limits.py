"""End stops: closed forms for a mass on a slide, and what refuses to be built."""

from math import pi, sqrt

import numpy as np
import pytest

import dalembert as da

K, M, V = 1e5, 2.0, 3.0


def slide(**limit):
    m = da.Model("slide", dim=2, gravity=(0, 0))
    m.add(da.Body("block", mass=M, inertia=0.1))
    m.add(da.Prismatic("P", m.ground, "block", axis=(1, 0)))
    m.add(da.Limit("stop", "P", stiffness=K, **limit))
    m.initial("P", rate=V)
    return m


@pytest.mark.parametrize("integrator", ["rk8", "rk5", "radau"])
def test_elastic_stop_returns_the_speed_after_half_a_period(integrator):
    w = sqrt(K / M)
    run = da.simulate(slide(upper=0.3), 0.3, times=[0.1, 0.1 + 0.5 * pi / w, 0.1 + pi / w, 0.2], integrator=integrator,
                      rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(run["P"].coordinate, [0.3, 0.3 + V / w, 0.3, 0.3 - V * (0.1 - pi / w)], atol=2e-8)
    np.testing.assert_allclose(run["P"].rate[2:], -V, rtol=1e-7)
    np.testing.assert_allclose(run["stop"].force[1], -K * V / w, rtol=1e-7)
    assert run["stop"].force[3] == 0.0
    assert run.certificate.energy_relative < 1e-6


def test_two_ends_keep_it_between_them():
    run = da.simulate(slide(lower=-0.1, upper=0.3), 2.0, rtol=1e-8)
    x = run["P"].coordinate
    assert x.max() < 0.3 + 1.1 * V / sqrt(K / M)
    assert x.min() > -0.1 - 1.1 * V / sqrt(K / M)
    assert np.sum(np.diff(np.sign(run["P"].rate)) != 0) > 4


@pytest.mark.parametrize("ratio", [0.02, 0.05])
def test_damped_stop_takes_the_known_part_of_the_speed(ratio):
    """Hunt and Crossley: restitution 1 − ⅔ (c/k) v to first order, from the exact implicit equation of the contact."""
    run = da.simulate(slide(upper=0.3, damping=ratio * K), 0.3, rtol=1e-9, atol=1e-12)
    out = -run["P"].rate[-1]
    a = ratio  # phase plane: dv/dδ = −k δ (1 + a v)/(m v)  ⇒  v/a − ln(1 + a v)/a² is the same on the way in and out
    def side(v):
        return v / a - np.log1p(a * v) / a**2
    assert abs(side(-out) - side(V)) < 1e-7 * side(V)
    assert abs(out / V - (1 - 2 / 3 * ratio * V)) < 0.7 * (ratio * V) ** 2
    assert run.energy.dissipated[-1] == pytest.approx(0.5 * M * (V**2 - out**2), rel=1e-6)
    assert run.certificate.energy_relative < 1e-7


def test_never_pulls():
    run = da.simulate(slide(upper=0.3, damping=2 * K), 0.3, rtol=1e-8)
    assert np.all(run["stop"].force <= 0.0)


@pytest.mark.parametrize(("given", "text"), [
    ({}, "give lower=, upper=, or both"),
    ({"lower": 1.0, "upper": 0.5}, "no room between them"),
    ({"upper": 0.5, "damping": -1.0}, "damping is negative"),
])
def test_refusals(given, text):
    with pytest.raises(da.ModelError, match=text):
        da.check(slide(**given))


@pytest.mark.parametrize("integrator", ["auto", "rk5", "radau", "alpha"])
@pytest.mark.parametrize("stiffness", [1e4, 1e8])
def test_a_short_contact_inside_a_long_step_is_not_missed(integrator, stiffness):
    """A ball thrown up touches a ceiling just below the top of its path: free flight is one step for every method."""
    m = da.Model("throw", dim=2, gravity=(0, -10.0))
    m.add(da.Body("ball", mass=1, inertia=1, velocity=(0, 10)))
    m.add(da.Prismatic("P", m.ground, "ball", axis=(0, 1)))
    m.add(da.Limit("ceiling", "ball.y", upper=4.99, stiffness=stiffness))
    v, w = sqrt(2 * 10 * 0.01), sqrt(stiffness)
    contact = 2 * np.arctan2(v, 10 / w) / w  # part of a swing about the place g/ω² below the ceiling
    back = 1 - sqrt(2 * 0.01 / 10) + contact
    run = da.simulate(m, 2.0, integrator=integrator, rtol=1e-7)
    rest = 2.0 - back
    near = 1e-4 if integrator == "alpha" else 2e-5
    assert run["ball"].position[-1, 1] == pytest.approx(4.99 - v * rest - 5 * rest**2, abs=near)
    assert run.certificate.energy_relative < 1e-4


def test_resumed_across_a_stop():
    """The step ends at the stop; what goes on from any place in between gives the same bits."""
    for integrator in ("rk8", "radau", "alpha"):
        whole = da.simulate(slide(lower=-0.1, upper=0.3), 1.0, integrator=integrator, rtol=1e-5)
        for count in (3, 20, 41, 60):
            with pytest.raises(da.SimulationError) as caught:
                da.simulate(slide(lower=-0.1, upper=0.3), 1.0, integrator=integrator, rtol=1e-5, max_steps=count)
            part = caught.value.run
            part._state["options"]["max_steps"] = 10**6
            on = da.resume(part)
            np.testing.assert_array_equal(on._q, whole._q)
            np.testing.assert_array_equal(on._v, whole._v)


def test_at_rest_on_the_stop():
    """Rounding crosses the end of the range all the time; nothing comes of it."""
    m = da.Model("rest", dim=2, gravity=(0, 0))
    m.add(da.Body("block", mass=M, inertia=0.1))
    m.add(da.Prismatic("P", m.ground, "block", axis=(1, 0)))
    m.add(da.Limit("stop", "P", upper=0.0, stiffness=K))
    run = da.simulate(m, 10.0)
    assert run.stats["steps"] < 100
    assert np.all(run["P"].coordinate == 0.0)


@pytest.mark.parametrize("rtol", [1e-3, 1e-4, 1e-6])
@pytest.mark.parametrize(("stiffness", "damping"), [(1e7, 1e4), (1e9, 0.0), (1e9, 1e5), (1e10, 1e6)])
def test_radau_forgets_the_stop_it_has_left(stiffness, damping, rtol):
    """1 kg falls 1 m onto a very stiff stop and comes back, not higher: a tangent of the stop must not serve in free flight.

    Contact lasts π √(m/k) at most; each bounce keeps 1 − ⅔ (d/k) v of its speed.  Before: back to 37 … 24,512 m.
    """
    m = da.Model("fall", dim=2, gravity=(0, -9.81))
    m.add(da.Body("b", mass=1, inertia=0.1, position=(0, 1)))
    m.add(da.Limit("stop", "b.y", lower=0.0, stiffness=stiffness, damping=damping))
    run = da.simulate(m, 3.0, integrator="radau", rtol=rtol, max_steps=20_000)
    y, v = run["b"].position[:, 1], run["b"].velocity[:, 1]
    total = 9.81 * y + 0.5 * v**2
    lost = 1 - (1 - 2 / 3 * damping / stiffness * 4.5) ** (2 * 3)  # three contacts in 3 s
    assert np.all(total[y >= 0] <= 9.81 * (1 + 10 * rtol))
    assert np.all(total[y >= 0] >= 9.81 * (1 - 2 * lost - 10 * rtol))
    assert np.abs(run.energy.residual).max() <= 10 * rtol * 9.81
