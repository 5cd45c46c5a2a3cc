"""Derived equations through dead points of their coordinates: the engine's motion, in no more than a few times its steps."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog


def six_bar(rate):
    """A four-bar whose coupler pushes a slider by a second rod (Watt's chain with a slider)."""
    m = da.Model("six-bar", dim=2, gravity=(0, -9.81))
    A, B, C, D, E, F = (0.0, 0.0), (0.1, 0.2), (0.7, 0.5), (0.8, 0.0), (0.45, 0.55), (1.3, 0.6)
    m.add(da.Body.rod("crank", A, B, mass=1.0))
    m.add(da.Body("coupler", mass=2.0, inertia=0.08, position=(0.42, 0.42)))
    m.add(da.Body.rod("rocker", D, C, mass=1.0))
    m.add(da.Body.rod("rod", E, F, mass=0.5))
    m.add(da.Body("slider", mass=0.7, inertia=0.01, position=F))
    for name, i, j, at in (("A", "ground", "crank", A), ("B", "crank", "coupler", B), ("D", "ground", "rocker", D),
                           ("C", "coupler", "rocker", C), ("E", "coupler", "rod", E), ("F", "rod", "slider", F)):
        m.add(da.Revolute(name, i, j, at=at))
    m.add(da.Prismatic("guide", "ground", "slider", at=F, axis=(1, 0)))
    m.initial("A", rate=rate)
    return m


def slider_crank(rate):
    m = catalog.make("slider-crank")
    m.initial("O", rate=rate)
    return m


def four_bar(rate):
    m = catalog.make("four-bar")
    m.initial("A", rate=rate)
    return m


CASES = [
    (slider_crank, ["guide"], 12.0),
    (slider_crank, ["guide"], 3.0),
    (slider_crank, ["B"], 12.0),
    (four_bar, ["D"], 8.0),
    (four_bar, ["D"], -15.0),
    (six_bar, ["guide"], 12.0),
]


@pytest.mark.parametrize("method", ["virtual-work", "lagrange"])
@pytest.mark.parametrize(("make", "coordinates", "rate"), CASES)
def test_the_engines_motion_through_dead_points(make, coordinates, rate, method):
    model = make(rate)
    known = da.derive(model, "lagrange").coordinates
    chosen = coordinates if coordinates[0] in known else [known[-1]]
    eqs = da.derive(model, method, chosen)
    mine = da.simulate(eqs, 1.5, rtol=1e-9, atol=1e-11)
    run = da.simulate(model, 1.5, rtol=1e-9, atol=1e-11, formulation="augmented")
    for joint in mine.positions:
        assert mine[joint].coordinate == pytest.approx(run[joint].coordinate, abs=2e-6), joint
        assert mine[joint].rate == pytest.approx(run[joint].rate, abs=2e-5 * np.abs(run[joint].rate).max()), joint
    assert mine.stats["steps"] <= 10 * run.stats["steps"]
    assert mine.certificate.doubts() == []
    assert mine.certificate.energy_residual < 1e-6 * mine.certificate.exchanged


def test_the_change_is_told():
    mine = da.simulate(da.derive(slider_crank(12.0), "virtual-work", ["guide"]), 1.0)
    assert "dead point" in str(mine.certificate) and "'guide'" in repr(mine)
    assert 0.0 < mine.stats["all_coordinates_from"] < 0.5
    crank = da.simulate(da.derive(slider_crank(12.0), "virtual-work", ["O"]), 1.0)
    assert "all_coordinates_from" not in crank.stats


def test_a_start_at_a_dead_point():
    """Derived away from it, started on it."""
    m = slider_crank(12.0)
    eqs = da.derive(m, "virtual-work", ["guide"])
    run = da.simulate(m, 1.0, rtol=1e-9)
    at = int(np.abs(run["guide"].rate).argmin())
    state = run.state(at)
    mine = da.simulate(eqs, run.t[-1], start=float(run.t[at]), state=state, rtol=1e-9)
    assert mine["O"].coordinate[-1] == pytest.approx(run["O"].coordinate[-1], abs=1e-5)


@pytest.mark.parametrize(("name", "method", "coordinates"), [
    ("four-bar", "lagrange", None), ("four-bar", "newton-euler", None), ("spatial-four-bar", "newton-euler", None),
    ("dzhanibekov", "newton-euler", None), ("rolling-disc", "dalembert", None), ("chaplygin-sleigh", "dalembert", None)])
def test_multipliers_do_not_drift(name, method, coordinates):
    """Without projection the four-bar's loop opened by 1e-6 in a second."""
    mine = da.simulate(da.derive(catalog.make(name), method, coordinates), 1.0)
    assert mine.certificate.position_error < 1e-9 and mine.certificate.velocity_error < 1e-6
    assert mine.certificate.doubts() == []


def test_energy_that_is_missing_is_doubted():
    mine = da.simulate(da.derive(slider_crank(12.0), "lagrange", ["O"]), 1.0)
    good = mine.certificate
    assert good.doubts() == []
    bad = type(good)(good.position_error, good.velocity_error, 2e-3 * good.exchanged, good.exchanged, good.stats)
    assert "energy" in bad.doubts()[0]
    drifted = type(good)(2e-6, 2e-6, 0.0, good.exchanged, good.stats)
    assert len(drifted.doubts()) == 2


def test_verify_says_where_they_hold():
    small = da.derive(slider_crank(12.0), "virtual-work", ["guide"]).verify(count=3)
    assert small.ok and "dead point" in str(small)
    assert "every pose" in str(da.derive(slider_crank(12.0), "lagrange").verify(count=3))


def test_drawn_at_the_dead_point():
    """Speeds cannot be read off the coordinate there: all coordinates are taken from the start."""
    m = da.Model("drawn straight", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("crank", (0, 0), (0.15, 0), mass=1.0))
    m.add(da.Body.rod("rod", (0.15, 0), (0.5, 0), mass=1.5))
    m.add(da.Body("piston", mass=2.0, inertia=0.01, position=(0.5, 0)))
    m.add(da.Revolute("O", m.ground, "crank", at=(0, 0)))
    m.add(da.Revolute("A", "crank", "rod", at=(0.15, 0)))
    m.add(da.Revolute("B", "rod", "piston", at=(0.5, 0)))
    m.add(da.Prismatic("guide", m.ground, "piston", axis=(1, 0)))
    m.initial("O", rate=10.0)
    mine = da.simulate(da.derive(m, "virtual-work", ["guide"]), 0.5, rtol=1e-9, atol=1e-11)
    assert mine.stats["all_coordinates_from"] == 0.0 and mine.certificate.doubts() == []
    assert mine["O"].coordinate[-1] == pytest.approx(da.simulate(m, 0.5, rtol=1e-9, atol=1e-11)["O"].coordinate[-1], abs=1e-6)
