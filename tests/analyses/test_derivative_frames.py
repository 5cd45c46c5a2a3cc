"""Derivatives know no absolute speed and no absolute place: the same machine, drawn elsewhere and on its way, has the same ones.

Forces that begin at a time or at a length are small beside what a fast frame adds to ẏ; jumps of the tangents there must not be
judged against it, nor the rate of a state in small units against the speeds of bodies.
"""

import numpy as np
import pytest

import dalembert as da


def pair(seed, place=(0.0, 0.0), speed=(0.0, 0.0)):
    """Two bodies on a spring, with forces that begin on the way, none of which looks at the ground."""
    random = np.random.default_rng(seed)
    small = 10.0 ** random.uniform(-6, -1)
    m = da.Model("pair", dim=2, parameters={"when": random.uniform(0.2, 0.4), "long": random.uniform(0.75, 0.95), "push": small,
                                            "mass": random.uniform(0.8, 1.5)})
    for name, x in (("a", 0.0), ("b", 1.2)):
        v = random.uniform(-0.05, 0.05, 2)
        m.add(da.Body(name, mass="mass", inertia=0.2, position=(x + place[0], 0.1 * x + place[1]),
                      angle=float(random.uniform(-0.2, 0.2)), velocity=(float(v[0] + speed[0]), float(v[1] + speed[1]))))
    m.add(da.Spring("s", "a", "b", on_i=(0.1, 0.05), on_j=(-0.1, 0.05), stiffness=9.0, length=0.6))
    m.add(da.Torque("late", "a", "push*step(t - when)"))
    m.add(da.Force("near", "b", ("push*step(long - s.length)", "0.3*push*step(t - when)"), on=(0.05, 0.1)))
    return m


def tangents(m, method):
    names, times = ["when", "long"], [0.0, 0.5, 1.0]
    outputs = {"x": lambda r: r["b"].position[-1] - r["a"].position[-1], "turn": lambda r: r["a"].angle[-1],
               "spin": lambda r: r["b"].omega[-1]}
    s = da.sensitivities(m, names, da.simulate, 1.0, times=times, rtol=1e-9, method=method, outputs=outputs)
    assert s.result["s"].length[-1] < m.parameter_values()["long"] < s.result["s"].length[0]  # it is crossed
    return np.vstack([np.atleast_2d(s.gradient(label)) for label in outputs])


@pytest.mark.parametrize("method", ["forward", "adjoint"])
@pytest.mark.parametrize("seed", range(4))
def test_a_frame_that_moves_along_changes_no_derivative(seed, method):
    random = np.random.default_rng(100 + seed)
    speed = random.choice([-1.0, 1.0], 2) * 10.0 ** random.uniform(1, 3, 2)
    at_home, away = (tangents(pair(seed, **frame), method) for frame in ({}, {"place": tuple(random.uniform(-3, 3, 2)),
                                                                              "speed": tuple(speed)}))
    assert np.abs(at_home).max(axis=0).min() > 0.0  # both begin something
    assert np.abs(away - at_home).max() < 1e-4 * np.abs(at_home).max()
    for one, other in zip(at_home.T, away.T, strict=True):  # parameter by parameter: none is lost beside another
        assert np.abs(one - other).max() < 1e-3 * np.abs(one).max()


@pytest.mark.parametrize("push", [1e-1, 1e-4, 1e-7])
@pytest.mark.parametrize("law", ["push*step(t - begin)", "push*step(b.x - 700*begin)"])
def test_a_small_force_on_a_fast_body_begins_when_it_begins(law, push):
    """y = ½ (F/m) (T − t₀)² for T = 1, whatever the speed along x."""
    m = da.Model("fast", dim=2, parameters={"begin": 0.4, "push": push})
    m.add(da.Particle("b", mass=2.0, velocity=(700.0, 0.0)))
    m.add(da.Force("aside", "b", (0, law)))
    d = da.simulate(m, 1.0).derivative("begin")
    assert d["b"].position[-1, 1] == pytest.approx(-0.5 * push * 0.6, rel=1e-7)
    assert d["b"].velocity[-1, 1] == pytest.approx(-0.5 * push, rel=1e-7)


@pytest.mark.parametrize("unit", [1.0, 1e-4, 1e-9])
def test_a_state_in_small_units_begins_when_it_begins(unit):
    """A flow from a time on, and another one from a place on, beside a fast body: V = u (T − t₀), in m³ or in litres."""
    m = da.Model("filled", dim=2, parameters={"begin": 0.4, "from_here": 15.0, "flow": unit})
    m.add(da.Particle("b", mass=2.0, velocity=(30.0, 0.0)))
    m.add(da.Differential("timed", "flow*step(t - begin)", scale=unit))
    m.add(da.Differential("placed", "flow*step(b.x - from_here)", scale=unit))
    run = da.simulate(m, 1.0)
    assert run.derivative("begin")["timed"].value[-1] == pytest.approx(-unit, rel=1e-7)
    assert run.derivative("from_here")["placed"].value[-1] == pytest.approx(-unit / 30.0, rel=1e-7)
