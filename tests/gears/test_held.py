"""Gears whose drawing does not carry the tooth force: what is not held, not coaxial, not square or does not settle is said."""

import itertools
import math

import pytest

import dalembert as da
from dalembert.equations import central

ALPHA = math.radians(20)


def sprung_bevel(alpha=ALPHA, strong=0.0):
    """Bevel gears, the second free to slide along its axis against a spring: teeth with α push it away.  Beside them, spur gears
    on good bearings under the torque ``strong``."""
    m = da.Model("bevel", dim=3, gravity=(0, 0, 0))
    one, two = (0.2, 0, 0), (0, 0.3, 0)
    m.add(da.Body("a", mass=2, inertia=(0.2, 0.1, 0.1), position=one))
    m.add(da.Body("b", mass=1, inertia=(0.1, 0.15, 0.1), position=two))
    m.add(da.Revolute("A", "ground", "a", at=one, axis=(1, 0, 0)))
    m.add(da.Cylindrical("B", "ground", "b", at=two, axis=(0, 1, 0)))
    m.add(da.Spring("k", "ground", "b", at_i=(0, 1, 0), at_j=two, stiffness=1e4))
    m.add(da.Gear("g", "a", "b", radii=(0.3, 0.2), pressure_angle=alpha))
    m.add(da.Torque("T", "a", (2.0, 0, 0)))
    if strong:
        for name, at in (("c", (3, 0, 0)), ("d", (3.5, 0, 0))):
            m.add(da.Body(name, mass=1, inertia=(0.1, 0.1, 0.1), position=at))
            m.add(da.Revolute(name.upper(), "ground", name, at=at, axis=(0, 0, 1)))
        m.add(da.Gear("h", "C", "D", radii=(0.3, 0.2), pressure_angle=ALPHA))
        m.add(da.Torque("U", "c", (0, 0, strong)))
    return m


@pytest.mark.parametrize("strong", [0.0, 1e9])
def test_centres_that_are_not_held(strong):
    """Refused pair by pair: a strong pair that is held hides no weak one that is not."""
    with pytest.raises(da.AnalysisError, match="the joints do not hold the distance of the centres of 'g': the force"):
        _ = da.accelerations(sprung_bevel(strong=strong))["A"].force
    assert da.accelerations(sprung_bevel(0.0, strong))["A"].force.shape == (3,)


def test_steps_that_do_not_settle(monkeypatch):
    """A response that does not come to rest (here: made so) is refused, not taken as it is after the last step."""
    m = sprung_bevel(0.0, strong=3.0)
    assert da.accelerations(m)["h"].multipliers.shape == (1,)
    true, shares = central._response, itertools.cycle((0.5, -0.5))

    def restless(w, D, inverse, Q):
        return true(w, D, inverse, Q) + next(shares)

    monkeypatch.setattr(central, "_response", restless)
    monkeypatch.setattr(central, "_held", lambda *args: True)
    with pytest.raises(da.AnalysisError, match="line of centres of 'h' does not settle in 200 steps"):
        _ = da.accelerations(m)["h"].multipliers


def notes(m):
    return " ".join(m.compile().notes)


@pytest.mark.parametrize("off", [0.0, 1e-3])
def test_a_sun_beside_the_carriers_axis(off):
    m = da.Model("m", dim=3, gravity=(0, 0, 0))
    for name, at in (("sun", (0, off, 0)), ("carrier", (0, 0, 0)), ("p", (0.15, 0, 0))):
        m.add(da.Body(name, mass=1, inertia=(0.1, 0.1, 0.1), position=at))
    m.add(da.Revolute("S", "ground", "sun", at=(0, off, 0), axis=(0, 0, 1)))
    m.add(da.Revolute("C", "ground", "carrier", at=(0, 0, 0), axis=(0, 0, 1)))
    m.add(da.Revolute("P", "carrier", "p", at=(0.15, 0, 0), axis=(0, 0, 1)))
    m.add(da.Gear("g", "S", "P", radii=(0.1, 0.05)))
    assert ("pure ratio" in notes(m)) == (off > 0)


@pytest.mark.parametrize("tilt", [0.0, 1.0])
def test_a_rack_askew_to_its_pinion(tilt):
    m = da.Model("m", dim=3, gravity=(0, 0, 0))
    m.add(da.Body("pin", mass=1, inertia=(0.1, 0.1, 0.1)))
    m.add(da.Body("rack", mass=1, inertia=(0.1, 0.1, 0.1), position=(0, -0.05, 0)))
    m.add(da.Revolute("O", "ground", "pin", at=(0, 0, 0), axis=(0, 0, 1)))
    m.add(da.Prismatic("S", "ground", "rack", at=(0, -0.05, 0), axis=(1, 0, tilt)))
    m.add(da.RackPinion("rp", "O", "S", radius=0.05))
    assert ("pure ratio" in notes(m) and "not square to the pinion's axis" in notes(m)) == (tilt > 0)
