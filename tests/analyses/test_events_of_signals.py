"""Events of what laws read by name: signals, states, rates, forces along a coordinate."""

import numpy as np
import pytest

import dalembert as da
from dalembert.errors import ModelError


def cart():
    m = da.Model("c", dim=2)
    m.add(da.Body("cart", mass=1.0, inertia=0.1))
    m.add(da.Prismatic("rail", m.ground, "cart", at=(0, 0), axis=(1, 0)))
    m.add(da.Signal("u", "sin(3*t) - 0.5"))
    m.add(da.Differential("z", "1 - z"))
    m.add(da.Motor("q", "rail", "u"))
    return m


def test_events_name_whatever_laws_read():
    watched = {"u": np.arcsin(0.5) / 3, "z - 0.25": -np.log(0.75), "z.rate - 0.8": -np.log(0.8),
               "q.force - 0.1": np.arcsin(0.6) / 3, "u + z - 0.1*rail.slide - 0.3": None,
               "rail.rate - 0.01": None, "cart.vx - 0.01": None}
    run = da.simulate(cart(), 0.5, step=0.1, rtol=1e-10, atol=1e-12, events=list(watched))
    found = dict(run.events)
    assert set(found) == set(watched)
    for name, t in watched.items():
        if t is not None:
            assert found[name] == pytest.approx(t, abs=1e-9), name
    assert found["rail.rate - 0.01"] == pytest.approx(found["cart.vx - 0.01"], abs=1e-12)
    t = found["rail.rate - 0.01"]
    assert (1 - np.cos(3 * t)) / 3 - 0.5 * t == pytest.approx(0.01, abs=1e-9)
    stopped = da.simulate(cart(), 0.5, stop="z - 0.25")
    assert stopped.t[-1] == pytest.approx(-np.log(0.75), abs=1e-6)


@pytest.mark.parametrize("event,said", [("rail.force.y - 1", "'rail.force.y' is a reaction or an acceleration"),
                                        ("cart.ax", "'cart.ax' is a reaction or an acceleration"),
                                        ("uu", "there is no joint or body 'uu'"),
                                        ("rail.slid", "did you mean 'slide'"), ("cart.foo", "of body 'cart' laws read"),
                                        ("cart", "body 'cart' has the coordinates")])
def test_events_that_cannot_be_watched_are_refused(event, said):
    with pytest.raises(ModelError, match=said):
        da.simulate(cart(), 0.1, events=event)
