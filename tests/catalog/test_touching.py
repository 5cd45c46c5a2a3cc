"""Machines of the catalogue that work by touching: each against what is known of it."""

import math

import numpy as np
import pytest
from scipy.optimize import fsolve

import dalembert as da
from dalembert import catalog
from dalembert.catalog import geneva, ratchet, woodpecker

G = 9.81
FREE = {"woodpecker": 4, "geneva": 2, "ratchet": 3}


@pytest.mark.parametrize("name", FREE)
def test_runs_without_doubts_and_through_files(name, runs_and_comes_back):
    _, whole = runs_and_comes_back(catalog.SCENES[name], "contact", FREE[name])
    assert whole.stats["contact"]["followed"]  # from event to event, by itself


# ------------------------------------------------------------------------------------------------------------------- Geneva drive


def test_a_geneva_wheel_turns_by_a_quarter_as_its_closed_form_says_and_stands():
    turns, w = 3, math.pi
    run = da.simulate(catalog.make("geneva"), 2.0 * turns, step=0.02, rtol=1e-10, atol=1e-12)
    phi = (w * run.t + 2 * math.pi) % (2 * math.pi) - math.pi  # of the pin, from the line of shafts
    turn = np.floor(run.t / 2.0)
    a = geneva.C * math.sin(math.pi / 4)
    inside, outside = np.abs(phi) < math.radians(43), np.abs(phi) > math.radians(46)
    psi = -np.arctan2(a * np.sin(phi), geneva.C - a * np.cos(phi)) - math.pi / 4 - turn * math.pi / 2
    wheel = run["wheel"]
    assert inside.sum() > 60 and np.abs(wheel.angle - psi)[inside].max() < 1e-9
    rate = -w * a * (geneva.C * np.cos(phi) - a) / (geneva.C**2 + a**2 - 2 * geneva.C * a * np.cos(phi))
    assert np.abs(wheel.omega - rate)[inside].max() < 1e-7
    assert np.abs(wheel.omega[outside]).max() < 1e-12
    rests = wheel.angle[np.arange(turns + 1) * 100]
    assert np.abs(np.diff(rests[1:]) + math.pi / 2).max() < 1e-9
    assert abs(rests[1] + math.pi / 2) < 2e-4  # walls end a millimetre before the pin is out: ½ (1/70.7)² of play
    assert run["locking"].impulse == pytest.approx(0.0, abs=0.0)  # the lock stands by
    taken = 0.4 * 40.0 * geneva.HUB * (run["wheel"].angle[0] - wheel.angle[-1])  # by the shoe
    assert run.energy.dissipated[-1] > taken and np.abs(run.energy.residual).max() < 1e-9 * run.energy.exchanged


@pytest.mark.parametrize("torque", [0.5, -0.5])
def test_a_geneva_lock_holds_what_the_shoe_does_not(torque):
    """Twice what the shoe holds, with the half disc before the wheel: it turns by the clearance of its horns, no further."""
    m = catalog.make("geneva")
    m.add(da.Motor("hand", "wheel shaft", f"{torque}*step(t - 1.85)*step(2.15 - t)"))
    run = da.simulate(m, 2.2, step=0.01)
    rest, held = run["wheel"].angle[180], run["wheel"].angle[[205, 214]]
    lever = 0.5 * geneva.C / math.cos(math.pi / 4)  # of a horn's tip against the disc, about
    assert held[0] == pytest.approx(held[1], abs=2e-3)  # the disc has facets
    assert 0.3 < abs(held[1] - rest) * lever / geneva.CLEAR < 3.0 and np.sign(held[1] - rest) == np.sign(torque)
    assert np.abs(run["locking"].force[205]).max() > 1.0
    loose = da.simulate(_without(m, "locking"), 2.2, step=0.01)["wheel"].angle
    assert abs(loose[214] - rest) > 1.0  # without its lock the wheel runs away


def _without(m, name):
    c = m.copy()
    c.remove(name)
    return c


# ------------------------------------------------------------------------------------------------------------------------ ratchet


def corner():
    """Turn of the wheel at which the holding tip lies in a corner: on a steep face and on the back of the next tooth."""
    pivot = np.array([ratchet.AWAY, ratchet.ROOT + 0.004 + ratchet.RISE])
    arm = np.array([0.002, ratchet.ROOT + 0.004]) - pivot
    tip, root = np.array([ratchet.TIP, 0.0]), ratchet.ROOT * np.array([math.cos(math.pi / 6), math.sin(math.pi / 6)])
    back = np.array([root[1] - tip[1], tip[0] - root[0]])  # outward across the back of the tooth from 60° to 90°
    back /= np.linalg.norm(back)

    def turned(x, a):
        return np.array([x[0] * math.cos(a) - x[1] * math.sin(a), x[0] * math.sin(a) + x[1] * math.cos(a)])

    def left(x):
        at = turned(pivot + turned(arm, x[1]), -x[0])  # on the wheel
        return at[0] - ratchet.ROUND, turned(at, -math.pi / 3) @ back - tip @ back - ratchet.ROUND

    return fsolve(left, [0.0, 0.0], xtol=1e-13)[0]


def test_a_ratchet_goes_one_tooth_per_stroke_and_never_back():
    run = da.simulate(catalog.make("ratchet"), 3.0, step=0.01)
    angle, pitch = run["wheel"].angle, math.pi / 6
    at = np.array([100, 200, 300])
    assert np.abs(angle[at] - (corner() + pitch * np.array([1, 2, 3]))).max() < 1e-9
    assert np.abs(run["wheel"].omega[at]).max() < 1e-9
    assert (np.maximum.accumulate(angle) - angle).max() < 0.15 * pitch  # back by the play of one tooth, no more
    pawl = run["holding pawl"].angle
    falls = np.flatnonzero(np.diff(pawl) > 0.05)  # it was lifted over the tooth's tip, and falls behind it
    assert len({int(k // 100) for k in falls}) == 3 and np.ptp(pawl[at]) < 1e-9
    load = 2.0 * G * 0.02
    assert run["teeth"].torque[at] == pytest.approx([-load] * 3, rel=1e-9)  # on the pawls, about the shaft
    lifted = run["weight"].position[at, 1] - run["weight"].position[0, 1]
    assert lifted == pytest.approx(0.02 * angle[at], abs=1e-12)
    assert np.abs(run.energy.residual).max() < 1e-7 * run.energy.exchanged


def test_a_ratchet_locks_the_harder_the_more_it_is_pulled_back():
    angles = []
    for load in (2.0, 200.0):
        run = da.simulate(catalog.make("ratchet", load=load, stroke=0.0), 0.4, step=0.1)  # the arm stands
        angles.append(run["wheel"].angle[-1])
        assert run["teeth"].torque[-1] == pytest.approx(-load * G * 0.02, rel=1e-9)
    assert angles == pytest.approx([corner()] * 2, abs=1e-9)


# --------------------------------------------------------------------------------------------------------------------- woodpecker


def rests(run):
    """Samples, one of each time in which the ring jams."""
    still = (np.abs(run["ring"].velocity[:, 1]) < 1e-9) & (run["ring"].angle < -0.09)
    begins = np.flatnonzero(still[1:] & ~still[:-1]) + 1
    return np.array([k for k in begins if still[k:k + 8].all()])


def test_a_woodpecker_goes_down_in_equal_steps_and_pays_for_them():
    run = da.simulate(catalog.make("woodpecker", pole=1.0), 2.8, step=0.004)
    at = rests(run)
    y, lost = run["ring"].position[at, 1], run.energy.dissipated[at]
    steps = -np.diff(y)
    assert len(steps) >= 11 and steps[-3:] == pytest.approx([0.024588] * 3, abs=1e-6)
    gone = np.abs(np.diff(steps))[1:5]
    assert (gone[1:] < 0.3 * gone[:-1]).all()  # a limit cycle: what differs is gone soon
    assert np.diff(lost)[-3:] == pytest.approx(0.128 * G * steps[-3:], rel=1e-5)
    assert np.abs(run.energy.residual).max() < 1e-7 * run.energy.exchanged
    assert run["beak"].impulse[-1, 0] > 0.0  # it does peck
    pecks = np.flatnonzero(np.diff(run["beak"].impulse[:, 0]) > 0)
    assert len({int(np.searchsorted(at, k)) for k in pecks if k > at[2]}) >= 9  # between all of them


@pytest.mark.parametrize(("share", "holds"), [(1.0001, True), (0.9999, False)])
def test_a_ring_jams_where_its_friction_reaches(share, holds):
    """Let down on its spring, at rest, in the jam: held where μ d ≥ b."""
    h = woodpecker
    jam = fsolve(lambda x: (h.BORE + h.JAW) * math.cos(x[0]) + h.HALF * math.sin(x[0]) - h.JAW - h.POLE, [-0.1], xtol=1e-13)[0]
    hang = fsolve(lambda x: 0.448 * (x[0] - jam) + 0.12 * G * h.FAR * math.cos(x[0]), [-0.2], xtol=1e-13)[0]
    b = 2 * (h.HALF * math.cos(jam) - (h.BORE + h.JAW) * math.sin(jam))
    d = 0.12 / 0.128 * (h.HINGE * math.cos(jam) + h.FAR * math.cos(hang)) - h.POLE
    run = da.simulate(catalog.make("woodpecker", swing=hang, tilt=jam, friction=share * b / d), 0.02, step=0.005)
    moved = abs(run["ring"].position[-1, 1] - run["ring"].position[0, 1])
    assert bool(moved < 1e-12) is holds
