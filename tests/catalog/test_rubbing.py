"""Mechanisms of the catalogue that rub: each against its closed form."""

import math

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog

G = 9.81
FREE = {"stick-slip": 1, "screw-jack": 1, "jamming-drawer": 2, "band-brake": 1}
TIGHT = {"rtol": 1e-11, "atol": 1e-13}


@pytest.mark.parametrize("name", FREE)
def test_runs_without_doubts_and_through_files(name, runs_and_comes_back):
    assert set(FREE) == set(catalog.RUBBING)
    m, whole = runs_and_comes_back(catalog.RUBBING[name], "friction", FREE[name])
    sticking = np.array([whole[e].sticking for e in m.elements if getattr(m.elements[e], "rubs", False)])
    assert 0.0 < sticking.mean() < 1.0  # it shows both


def test_stick_and_slip_has_its_period():
    v, k, a, w = 0.2, 40.0, 0.2 * G / 40.0, math.sqrt(40.0)
    first = 0.5 * G / k / v
    slip = (math.pi + 2 * math.atan2(v, a * w)) / w
    period = 2 * a / v + slip
    times = [0.0, *(first + n * period + x for n in (0, 1) for x in (0.0, 0.5 * slip, slip)), 3.0]
    run = da.simulate(catalog.make("stick-slip"), times=times, **TIGHT)
    x, at = run["block"].position[:, 0], 0.3 * G / k
    y, u = a * math.cos(0.5 * w * slip), v / w * math.sin(0.5 * w * slip)
    assert x[1:7] == pytest.approx([at + a, at + y + u, at - a] * 2, abs=1e-9)
    assert run["block"].velocity[[3, 6], 0] == pytest.approx([v, v], abs=1e-8)


@pytest.mark.parametrize("mu", [0.2, 0.17])
def test_a_jack_is_raised_and_holds(mu):
    """tan β = 0.02/(2π 0.02) = 0.159: it holds with both, and what it rose by is K of each."""
    m = catalog.make("screw-jack", friction=mu)
    r, a, T = 0.02, 0.02 / (2 * math.pi), 0.7
    K = 500.0 * r * math.tan(math.atan(a / r) + math.atan(mu))
    up, down = (80.0 - K * G) / (1.0 + a * K), K * G / (1.0 + a * K)
    stop = T + up * T / down
    run = da.simulate(m, times=[0.0, T, stop, stop + 0.1, stop + 5.0], **TIGHT)
    top = a * (0.5 * up * T**2 + (up * T) ** 2 / (2 * down))
    assert run["spindle"].position[1:, 2] == pytest.approx([0.5 * a * up * T**2, top, top, top], abs=1e-9)
    assert run["thread"].sticking[3:].tolist() == [1.0, 1.0] and np.ptp(run["spindle"].position[3:, 2]) < 1e-13
    slow = da.simulate(catalog.make("screw-jack", friction=0.15), stop + 2.0)  # below tan β it runs down again
    assert slow["thread"].sticking[-1] == 0.0 and slow["spindle"].velocity[-1, 2] < -1e-3


def test_a_drawer_jams_beyond_half_its_guide_over_mu():
    run = da.simulate(catalog.make("jamming-drawer"), 0.6, **TIGHT)
    assert run["drawer near"].position[-1, 0] == pytest.approx(0.5 * 4.0 / 2.0 * (1 - 0.8 * 0.15 / 0.3) * 0.36, abs=1e-12)
    assert np.ptp(run["drawer far"].position) == 0.0 or np.ptp(run["drawer far"].position[:, 0]) == 0.0
    edge = 0.3 / (2 * 0.4)
    moved = [da.simulate(catalog.make("jamming-drawer", far=edge * k), 0.6)["drawer far"].position[-1, 0] for k in (0.999, 1.001)]
    assert moved[0] == pytest.approx(0.18 * 2.0 * (1 - 0.999), rel=1e-6) and moved[1] == 0.0


def test_a_band_brake_stops_its_load_and_holds_it():
    mu, wrap, J = 0.25, 4.5, 0.25 + 20.0 * 0.01
    load, brake = 20.0 * G * 0.1, 120.0 * 0.2 * (math.exp(mu * wrap) - 1)
    speed = load / J * 0.4
    stop = 0.4 + speed / ((brake - load) / J)
    run = da.simulate(catalog.make("band-brake"), times=[0.0, 0.39, 0.41, stop, stop + 0.01, stop + 3.0], **TIGHT)
    fallen = 0.1 * (0.5 * load / J * 0.16 + 0.5 * speed * (stop - 0.4))
    assert -0.3 - run["load"].position[3:, 1] == pytest.approx([fallen] * 3, abs=1e-9)
    assert run["band"].tensions[2] == pytest.approx([120.0 * math.exp(mu * wrap), 120.0], rel=1e-12)
    assert run["band"].tensions[-1] == pytest.approx([120.0 + load / 0.2, 120.0], rel=1e-9)
    assert run["band"].sticking.tolist()[-2:] == [1.0, 1.0] and abs(run["drum"].omega[-1]) < 1e-15
    assert run["band"].friction_loss[-1] == pytest.approx(20.0 * G * fallen, rel=1e-9)  # all that the load gave
