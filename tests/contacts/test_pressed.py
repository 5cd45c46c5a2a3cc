"""Clutches, band brakes, ropes around drums and rolling resistance: closed forms, what holds, what turns round, refusals."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import dalembert as da
from dalembert.integrators import solve as driver

G = 9.81
TIGHT = {"rtol": 1e-11, "atol": 1e-13}


def two(force, wa=0.0, wb=0.0, torque=None, friction=0.3, dim=2, **more):
    m = da.Model("clutch", dim=dim)
    axis = {} if dim == 2 else {"axis": (0, 0, 1)}
    for n, J, w in (("a", 0.2, wa), ("b", 0.3, wb)):
        body = m.add(da.Body(n, mass=1.0, inertia=J if dim == 2 else (J, J, J), omega=w if dim == 2 else (0, 0, w)))
        m.add(da.Revolute(f"{n} pin", m.ground, body, at=(0,) * dim, **axis))
    m.add(da.Clutch("c", "a", "b", force=force, friction=friction, radius=0.1, **axis, **more))
    if torque is not None:
        m.add(da.Torque("T", "a", torque))
    return m


@pytest.mark.parametrize(("dim", "faces"), [(2, 1), (2, 4), (3, 2)])
def test_two_discs_lock_at_the_speed_that_their_momentum_asks_for(dim, faces):
    T = 0.3 * 100.0 * faces * 0.1
    lock = 50.0 / (T / 0.2 + T / 0.3)
    times = [0.0, 0.5 * lock, lock * (1 - 1e-9), lock * (1 + 1e-9), 2 * lock]
    run = da.simulate(two(100.0, 50.0, dim=dim, faces=faces), times=times, **TIGHT)
    wa, wb = (run[n].omega if dim == 2 else run[n].omega[:, 2] for n in "ab")
    assert np.abs(0.2 * wa + 0.3 * wb - 10.0).max() < 1e-12 * 10.0
    assert wa[1] == pytest.approx(50.0 - T / 0.2 * 0.5 * lock, rel=1e-9)
    assert run["c"].sticking.tolist() == [0.0, 0.0, 0.0, 1.0, 1.0]  # the instant, to 1e-9 of it
    assert wa[3:] == pytest.approx([20.0, 20.0], rel=1e-9) and abs(wa[-1] - wb[-1]) < 1e-13 * 20.0
    torque = run["c"].torque if dim == 2 else run["c"].torque[:, 2]
    assert torque[:3] == pytest.approx([T] * 3, rel=1e-12) and abs(torque[-1]) < 1e-9
    assert run["c"].friction_loss[-1] == pytest.approx(0.5 * 0.2 * 2500 - 0.5 * 0.5 * 400, rel=1e-9)
    assert np.abs(run.energy.residual).max() < 1e-9 and run["c"].normal_force[0] == pytest.approx(100.0 * faces)


def test_a_clutch_slips_where_the_torque_is_over_its_static_limit():
    """2t on a asks for 0.6·2t through the clutch: over 3 at t = 2.5; then 2 slide."""
    run = da.simulate(two(100.0, torque="2*t", friction={"coulomb": 0.2, "static": 0.3}), times=[0.0, 2.0, 2.5, 4.0], **TIGHT)
    assert run["a"].omega == pytest.approx([0.0, 8.0, 12.5, 46.25], rel=1e-9)
    assert run["b"].omega == pytest.approx([0.0, 8.0, 12.5, 22.5], rel=1e-9)
    assert run["c"].torque[1] == pytest.approx(2.4, rel=1e-9) and run["c"].torque[-1] == pytest.approx(2.0, rel=1e-9)
    assert run["c"].generalized[-1, [2, 5]] == pytest.approx([-2.0, 2.0], rel=1e-9)


@pytest.mark.parametrize("swapped", [False, True])
def test_a_brake_stops_holds_and_turns_round_with_the_load(swapped):
    """±5 N m by turns on a drum of 0.2 behind a brake of 3 N m; between them 2 N m, which it holds."""
    m = da.Model("brake", dim=2)
    m.add(da.Body("a", mass=1.0, inertia=0.2))
    m.add(da.Revolute("pin", m.ground, "a", at=(0, 0)))
    m.add(da.Clutch("c", *(("a", "ground") if swapped else ("ground", "a")), force=100.0, friction=0.3, radius=0.1))
    m.add(da.Torque("T", "a", "5*step(t)*step(1-t) + 2*step(t-1)*step(3-t) - 5*step(t-3)"))
    run = da.simulate(m, times=[0.5, 1.0, 2.5, 5.0, 7.0, 8.0], **TIGHT)
    # +10 rad/s² for 1 s, then 2 − 3: −5 rad/s² for 2 s: stops at 3; −5 + 3 against a turn the other way: −10
    assert run["a"].omega == pytest.approx([5.0, 10.0, 2.5, -20.0, -40.0, -50.0], abs=1e-9)
    sign = -1.0 if swapped else 1.0
    assert sign * run["c"].torque[[0, 2, 3]] == pytest.approx([-3.0, -3.0, 3.0], rel=1e-9)
    assert np.abs(run.energy.residual).max() < 1e-9 and not run.certificate.doubts()
    m.remove("T")
    m.add(da.Torque("T", "a", "2.999*sin(t)"))
    held = da.simulate(m, 10.0)
    assert np.ptp(held["a"].angle) < 1e-12 and held["c"].sticking.min() == 1.0


OPEN = {
    "open, at one speed": (two(0.0, 5.0, 5.0), 5.0, 5.0),
    "open, at rest": (two(0.0), 0.0, 0.0),
    "open, driven": (two(0.0, torque=1.0), 5.0, 0.0),
    "below zero is open": (two("-100*t", torque=1.0), 5.0, 0.0),
    "closed at one speed, loaded later": (two("100*step(t-0.5)", 5.0, 5.0, torque="step(t-0.7)"), 5.6, 5.6),
    "closed by a step": (two("1000*step(t-0.25)", 10.0), 4.0, 4.0),
    "let go by a step": (two("1000*step(0.5-t)", torque=2.0), 7.0, 2.0),
    "a ramp that is not enough": (two("100*(t-0.2)", 10.0), 10 - 3 * 0.32 / 0.2, 3 * 0.32 / 0.3),
    "by a parameter": (two("2*k", 10.0), 4.0, 4.0),
}


@pytest.mark.parametrize("case", OPEN)
def test_what_presses_may_come_and_go(case):
    m, wa, wb = OPEN[case]
    if case == "by a parameter":
        m.parameters["k"] = 50.0
    run = da.simulate(m, 1.0, rtol=1e-9, atol=1e-12)
    assert (run["a"].omega[-1], run["b"].omega[-1]) == pytest.approx((wa, wb), abs=1e-8)
    assert not run.certificate.doubts() and np.abs(run.energy.residual).max() < 1e-7


def test_a_spring_presses_besides_the_force():
    now = da.assemble(two(100.0, 5.0, friction={"coulomb": 0.3, "preload_N": 40.0, "viscous_N_s_per_m": 2.0}, faces=2))["c"]
    assert now.normal_force == pytest.approx(240.0) and now.torque == pytest.approx(0.1 * (0.3 * 240.0 + 2.0 * 0.5), rel=1e-12)


def test_what_presses_may_be_a_signal_or_a_state():
    m = two("p", 10.0)
    m.add(da.Signal("p", "500*t"))
    run = da.simulate(m, 1.0, rtol=1e-10, atol=1e-12)
    lock = math.sqrt(2 * 10.0 / (15.0 / 0.2 + 15.0 / 0.3))  # ∫ 15 t (1/0.2 + 1/0.3) dt = 10
    first = run.t[np.flatnonzero(run["c"].sticking)[0]]
    assert lock <= first <= lock + 0.0051 and run["a"].omega[-1] == pytest.approx(4.0, abs=1e-9)
    m = two("p", 10.0)
    m.add(da.Differential("p", rate="(300-p)/0.1", start=0.0))
    run = da.simulate(m, times=[0.0, 0.05, 1.0], rtol=1e-10, atol=1e-12)
    impulse = 0.03 * 300 * (0.05 - 0.1 * (1 - math.exp(-0.5)))
    assert run["a"].omega == pytest.approx([10.0, 10.0 - impulse / 0.2, 4.0], abs=1e-8)


def drum(wrap, omega, force=30.0, mu=0.25, torque=None, dim=2):
    m = da.Model("drum", dim=dim)
    axis = {} if dim == 2 else {"axis": (1, 0, 0)}
    inertia, spin = (0.4, omega) if dim == 2 else ((0.4, 0.3, 0.3), (omega, 0, 0))
    body = m.add(da.Body("drum", mass=5.0, inertia=inertia, omega=spin))
    m.add(da.Revolute("pin", m.ground, body, at=(0,) * dim, **axis))
    m.add(da.BandBrake("band", m.ground, body, force=force, friction=mu, radius=0.2, wrap=wrap, **axis))
    if torque is not None:
        m.add(da.Torque("T", body, torque if dim == 2 else (torque, 0, 0)))
    return m


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize(("mu", "wrap"), [(0.25, 4.0), (0.1, 20.0), (0.6, -3.0)])
@pytest.mark.parametrize("omega", [10.0, -10.0])
def test_a_band_has_eulers_ratio_of_tensions(mu, wrap, omega, dim):
    e = math.exp(mu * abs(wrap))
    held = 30.0 * (e if omega * wrap > 0 else 1 / e)
    now = da.assemble(drum(wrap, omega, mu=mu, dim=dim))["band"]
    assert now.tensions == pytest.approx([held, 30.0], rel=1e-12)
    torque = now.torque if dim == 2 else now.torque[0]
    assert torque == pytest.approx(-math.copysign(0.2 * abs(held - 30.0), omega), rel=1e-12) and now.sticking == 0.0


def test_a_band_holds_more_one_way_than_the_other():
    e = math.exp(1.0)
    m = drum(4.0, 0.0, torque="M")
    m.parameters["M"] = 0.0
    found = da.hold(m, "M")
    assert (found.lower, found.upper) == pytest.approx((-6.0 * (1 - 1 / e), 6.0 * (e - 1)), rel=1e-8)
    run = da.simulate(drum(4.0, 0.0, torque="12*sin(t)"), times=np.linspace(0, 6.0, 61), rtol=1e-10, atol=1e-12)
    first, back = math.asin(0.5 * (e - 1)), math.pi + math.asin(0.5 * (1 - 1 / e))  # where it lets go, either way
    slid = lambda t: 12 * (math.cos(first) - math.cos(t)) - 6.0 * (e - 1) * (t - first)  # noqa: E731
    stop = brentq(slid, first + 0.1, back)
    assert np.array_equal(run["band"].sticking == 1.0, (run.t <= first) | ((run.t >= stop) & (run.t <= back)))
    moved = 12 * (math.cos(first) * (stop - first) - math.sin(stop) + math.sin(first)) - 3.0 * (e - 1) * (stop - first) ** 2
    rests = (run.t >= stop) & (run.t <= back)
    assert run["drum"].angle[rests] == pytest.approx(moved / 0.4, abs=1e-8) and np.ptp(run["drum"].angle[rests]) < 1e-12
    assert np.abs(run["drum"].angle[run.t < first]).max() < 1e-13 and np.abs(run.energy.residual).max() < 1e-6
    end = (12 * (math.cos(back) - math.cos(6.0)) + 6.0 * (1 - 1 / e) * (6.0 - back)) / 0.4
    assert run["drum"].omega[-1] == pytest.approx(end, abs=1e-8)


def test_stribeck_of_a_band_is_that_of_mu():
    m = drum(4.0, 1.0, mu={"coulomb": 0.1, "static": 0.3, "stribeck_m_per_s": 0.25})
    mu = 0.1 + 0.2 * math.exp(-((0.2 / 0.25) ** 2))
    assert da.assemble(m)["band"].tensions[0] == pytest.approx(30.0 * math.exp(4 * mu), rel=1e-12)


def rope(mu, inertia=None, mb=1.3, swing=0.0, mirrored=False, **more):
    x = -1 if mirrored else 1
    m = da.Model("rope", dim=2, gravity=(0, -G))
    a = m.add(da.Particle("a", mass=1.0, position=(-0.1 * x, -1)))
    b = m.add(da.Particle("b", mass=mb, position=(0.1 * x, -1.2), velocity=(swing, 0)))
    on = m.ground
    if inertia:
        on = m.add(da.Body("drum", mass=3.0, inertia=inertia))
        m.add(da.Revolute("pin", m.ground, on, at=(0, 0)))
    m.add(da.Capstan("rope", a, b, on, centre=(0, 0), radius=0.1, at_i=(-0.1 * x, -1), at_j=(0.1 * x, -1.2), friction=mu,
                     clockwise=not mirrored, **more))
    return m


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("turns", [0, 2])
def test_a_rope_over_a_bollard_holds_up_to_e_to_the_mu_beta(turns, mirrored):
    k = math.exp(0.3 * (math.pi + 2 * math.pi * turns))
    for factor in (1 - 1e-6, 1 + 1e-6):
        now = da.accelerations(rope(0.3, mb=k * factor, turns=turns, mirrored=mirrored))
        assert (now["rope"].sticking == 1.0) == (factor < 1)
    m = rope(0.3, mb=2 * k, turns=turns, mirrored=mirrored)
    fall = G * (2 * k - k) / (2 * k + k)
    run = da.simulate(m, 0.3, rtol=1e-10, atol=1e-12)
    assert run["b"].position[-1, 1] == pytest.approx(-1.2 - 0.045 * fall, abs=1e-9)
    assert run["rope"].tensions[-1] == pytest.approx([G + fall, 2 * k * (G - fall)], rel=1e-9)
    assert run["rope"].tensions[-1, 1] / run["rope"].tensions[-1, 0] == pytest.approx(k, rel=1e-9)
    lost = run["rope"].friction_loss[-1]
    assert lost == pytest.approx(2 * k * (G - fall) * (1 - 1 / k) * 0.045 * fall, rel=1e-8)
    assert np.abs(run.energy.residual).max() < 1e-9 * k


def test_a_rope_turns_its_drum_as_long_as_it_sticks():
    run = da.simulate(rope(0.3, inertia=0.02), 0.5, rtol=1e-10, atol=1e-12)
    a = G * 0.3 / (2.3 + 0.02 / 0.01)
    assert run["b"].position[-1, 1] == pytest.approx(-1.2 - 0.125 * a, abs=1e-10)
    assert run["pin"].rate[-1] == pytest.approx(-5.0 * a, rel=1e-9) and run["rope"].sticking.min() == 1.0  # clockwise
    assert run["rope"].tensions[-1] == pytest.approx([G + a, 1.3 * (G - a)], rel=1e-9)
    loose = da.simulate(rope(0.02, inertia=0.02), 0.5, rtol=1e-10, atol=1e-12)  # it slips: both tensions by e^{μπ}
    k = math.exp(0.02 * math.pi)
    fall = G * (1.3 - k) / (1.3 + k)
    assert loose["b"].position[-1, 1] == pytest.approx(-1.2 - 0.125 * fall, abs=1e-9)
    assert loose["pin"].rate[-1] == pytest.approx(-0.1 * (1.3 * (G - fall) * (1 - 1 / k)) / 0.02 * 0.5, rel=1e-8)


@pytest.mark.parametrize("mu", [0.05, 0.3])
def test_a_rope_that_swings_keeps_its_books(mu):
    """Free parts turn and the angle covered changes: sticking stays at rest on the drum, sliding has e^{μβ} of the angle now."""
    run = da.simulate(rope(mu, inertia=0.02, swing=1.0), 1.0, rtol=1e-9, atol=1e-11)
    assert np.abs(run.energy.residual).max() < 1e-7 and not run.certificate.doubts() and run.stats["friction"]["residual"] < 1e-12
    c = {n: run[n].position for n in "ab"}
    away = {n: np.arctan(np.sqrt((c[n] ** 2).sum(axis=1) - 0.01) / 0.1) for n in "ab"}
    turned = np.arctan2(c["a"][:, 1], c["a"][:, 0]) - np.arctan2(c["b"][:, 1], c["b"][:, 0])
    covered = (turned - away["a"] - away["b"]) % (2 * math.pi)
    ratio = np.log(run["rope"].tensions[:, 1] / run["rope"].tensions[:, 0])
    slides = run["rope"].sticking == 0.0
    assert np.abs(np.abs(ratio) - mu * covered)[slides].max(initial=0.0) < 1e-9 and np.ptp(covered) > 0.05
    assert np.all(np.abs(ratio) <= mu * covered + 1e-9) and (slides.any() if mu == 0.05 else not slides.any())


@pytest.mark.parametrize("mu", [None, 0.3])
def test_a_rope_that_is_at_its_end_says_so(mu):
    """An end that is drawn up to the drum, and one that swings around it further than angles can be told from the drawing (it
    went on by a jump of 2π r, in silence)."""
    drawn_up = da.Model("drawn up", dim=2, gravity=(0, -G))
    drawn_up.add(da.Particle("a", mass=1.0, position=(-0.1, -0.3)))
    drawn_up.add(da.Particle("b", mass=3.0, position=(0.1, -1)))
    swung = da.Model("swung", dim=2)
    swung.add(da.Particle("a", mass=1.0, position=(-0.1, -0.6), velocity=(-6.0, 0)))
    swung.add(da.Particle("b", mass=100.0, position=(0.1, -1)))
    for m, y, turns in ((drawn_up, -0.3, 0), (swung, -0.6, 1)):
        m.add(da.Capstan("rope", "a", "b", m.ground, centre=(0, 0), radius=0.1, at_i=(-0.1, y), at_j=(0.1, -1), friction=mu,
                         turns=turns))
        with pytest.raises(da.SimulationError, match="'rope': an end of the rope has reached its drum, or gone around") as told:
            da.simulate(m, 2.0)
        run = told.value.run
        way = run["a"].position
        steps = np.linalg.norm(np.diff(way, axis=0), axis=1)
        assert np.abs(np.diff(steps)).max() < 0.01 and np.hypot(*way.T).min() > 0.0999  # no jump (of 0.63 m), not inside


def test_what_has_no_value_is_named_in_runs_with_friction():
    m = collar_with_a_law("sqrt(0.5 - t)")
    with pytest.raises(da.SimulationError, match="'push' gives a value that is not finite"):
        da.simulate(m, 1.0)


def collar_with_a_law(law):
    m = da.Model("collar", dim=2)
    m.add(da.Body("c", mass=1.0, inertia=0.01))
    m.add(da.Prismatic("guide", m.ground, "c", axis=(1, 0), friction=0.1, length=0.2))
    m.add(da.Force("push", "c", (law, -1.0)))
    return m


def test_a_rope_that_pushes_or_leaves_its_drum_is_doubted():
    m = rope(0.1)
    m.add(da.Force("up", "a", (0, 30.0)))
    m.add(da.Force("up too", "b", (0, 30.0)))
    assert any("rope 'rope' pushes" in d for d in da.simulate(m, 0.01).certificate.doubts())
    m = da.Model("leaves", dim=2)
    for n, x in (("a", -1.0), ("b", 1.0)):
        m.add(da.Particle(n, mass=1.0, position=(x, 0.09), velocity=(0, 1.0)))
    m.add(da.Capstan("rope", "a", "b", m.ground, centre=(0, 0), radius=0.1, at_i=(-1, 0.09), at_j=(1, 0.09), friction=0.1))
    m.add(da.Force("p", "a", (-1.0, 0)))
    m.add(da.Force("q", "b", (1.0, 0)))
    assert any("rope 'rope' covers no part" in d for d in da.simulate(m, 0.1).certificate.doubts())


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_wheel_rolls_to_a_stop_and_stays(dim, sign):
    """(1 + k²/r²) v̇ = −g f/r: it stops after v² r (1 + k²/r²)/(2 g f)."""
    mass, J, r, f, v = 2.0, 0.09, 0.3, 0.02, sign * 1.0
    m = da.Model("wheel", dim=dim, gravity=(0, -G) if dim == 2 else (0, 0, -G))
    if dim == 2:
        m.add(da.Body("w", mass=mass, inertia=J, position=(0, r), velocity=(v, 0), omega=-v / r))
        m.add(da.RollingDisc("road", m.ground, "w", radius=r, resistance=f))
    else:
        m.add(da.Body("w", mass=mass, inertia=(0.05, J, 0.05), position=(0, 0, r), velocity=(v, 0, 0), omega=(0, v / r, 0)))
        m.add(da.RollingDisc("road", m.ground, "w", radius=r, axis=(0, 1, 0), resistance=f))
    k = 1 + J / (mass * r * r)
    stop, way = abs(v) * k * r / (G * f), v * v * r * k / (2 * G * f)
    run = da.simulate(m, times=[0.0, 0.5 * stop, stop, 1.01 * stop, 3 * stop], **TIGHT)
    x = sign * run["w"].position[:, 0]
    assert x == pytest.approx([0.0, 0.75 * way, way, way, way], abs=1e-9)
    assert run["road"].sticking.tolist()[-2:] == [1.0, 1.0] and np.ptp(x[3:]) < 1e-15 and abs(run["w"].velocity[-1, 0]) < 1e-15
    assert abs(run["road"].friction_torque[0]) == pytest.approx(f * mass * G, rel=1e-12)
    assert run["road"].friction_loss[-1] == pytest.approx(0.5 * mass * k * v * v, rel=1e-9)
    assert np.abs(run.energy.residual).max() < 1e-9


def test_a_wheel_on_a_slope_rolls_where_its_resistance_lets_it():
    for angle, rolls in ((0.9 * math.atan(0.1), False), (1.1 * math.atan(0.1), True)):
        m = da.Model("slope", dim=2, gravity=(G * math.sin(angle), -G * math.cos(angle)))
        m.add(da.Body("w", mass=2.0, inertia=0.09, position=(0, 0.3)))
        m.add(da.RollingDisc("road", m.ground, "w", radius=0.3, resistance="0.03"))
        run = da.simulate(m, 1.0, **TIGHT)
        wanted = (G * math.sin(angle) - 0.1 * G * math.cos(angle)) / 1.5 if rolls else 0.0
        assert run["w"].position[-1, 0] == pytest.approx(0.5 * wanted, abs=1e-12)
        assert run["road"].normal_force[-1] == pytest.approx(2.0 * G * math.cos(angle))


def test_files_resume_and_channels(tmp_path, monkeypatch):
    m = two("20*t", 50.0, friction={"coulomb": 0.2, "static": 0.3})
    m.add(da.BandBrake("band", m.ground, "b", force="t", friction=0.2, radius=0.1, wrap=3.0))
    whole = da.simulate(m, 2.0, max_step=0.002)
    monkeypatch.setattr(driver, "CHUNK_SECONDS", 0.0)  # one step at a time

    def stop(t):
        if t > 0.7:
            raise KeyboardInterrupt

    with pytest.raises(da.SimulationInterrupted) as caught:
        da.simulate(m, 2.0, progress=stop, max_step=0.002)
    path = tmp_path / "part.h5"
    caught.value.run.save(path)
    for source in (caught.value.run, da.load(path)):
        again = da.resume(source)
        assert np.array_equal(again.q, whole.q) and np.array_equal(again["band"].tensions, whole["band"].tensions)
    table = whole.to_pandas(["c.torque", "c.sticking", "band.tensions"])
    assert {"c.torque", "c.sticking", "band.tensions.0", "band.tensions.1"} <= set(table.columns)
    m.save(tmp_path / "m.toml")
    assert np.array_equal(da.simulate(da.load_model(tmp_path / "m.toml"), 2.0, max_step=0.002).q, whole.q)
    assert "clutch 'c'" in repr(whole["c"]).lower()


def round_the(drum, at_i=(-1, 0), **more):
    return da.Capstan("c", "a", "b", drum, centre=(0, 0), radius=0.1, at_i=at_i, at_j=(1, 0), **more)


REFUSED = {
    "pressed by less than nothing": (lambda m: da.Clutch("c", "a", "b", force=-5.0, friction=0.3, radius=0.1), "zero or more"),
    "half a face": (lambda m: da.Clutch("c", "a", "b", force=5.0, friction=0.3, radius=0.1, faces=1.5), "counts pairs"),
    "no radius": (lambda m: da.Clutch("c", "a", "b", force=5.0, friction=0.3, radius=0.0), "radius of Clutch 'c'"),
    "a negative coefficient": (lambda m: da.Clutch("c", "a", "b", force=5.0, friction=-0.3, radius=0.1), "zero or more"),
    "an unknown key": (lambda m: da.Clutch("c", "a", "b", force=5.0, friction={"mu": 0.3}, radius=0.1), "no 'mu'"),
    "itself": (lambda m: da.Clutch("c", "a", "a", force=5.0, friction=0.3, radius=0.1), "Clutch 'c'"),
    "a formula over nothing": (lambda m: da.Clutch("c", "a", "b", force="5*x", friction=0.3, radius=0.1), "Clutch 'c'.*'x'"),
    "no wrap": (lambda m: da.BandBrake("c", "a", "b", force=5.0, friction=0.3, radius=0.1, wrap=0.0), "wrap is zero"),
    "an oiled band": (lambda m: da.BandBrake("c", "a", "b", force=5.0, friction={"viscous_N_s_per_m": 1.0}, radius=0.1, wrap=1.0),
                      "tension alone"),
    "an end in the drum": (lambda m: round_the("ground", at_i=(0.05, 0)), "at_i is 0.05"),
    "half a turn": (lambda m: round_the("ground", turns=0.5), "whole turns"),
    "tied to its drum": (lambda m: round_the("b"), "its drum 'b'"),
    "resistance below zero": (lambda m: da.RollingDisc("c", "ground", "a", radius=0.3, resistance=-0.1), "resistance is -0.1"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_input_is_refused_by_name(case):
    make, words = REFUSED[case]
    m = two(0.0)
    m.remove("c")
    with pytest.raises(da.ModelError, match=words):
        m.add(make(m))
        m.compile()


def test_literal_zero_is_none_and_two_clutches_share():
    m = two(100.0, 5.0, friction=0)
    run = da.simulate(m, 1.0)
    assert run["a"].omega[-1] == 5.0 and "friction" not in run.stats
    m = two(100.0, torque=1.0)
    m.add(da.Clutch("d", "a", "b", force=300.0, friction=0.3, radius=0.1))
    run = da.simulate(m, 1.0)
    assert run["b"].omega[-1] == pytest.approx(2.0) and any("shared" in n for n in run.stats["notes"])
    assert run["d"].torque[-1] == pytest.approx(9 * run["c"].torque[-1])  # the least Σ (f/limit)²


def kinds():
    """One sliding model of every kind whose friction acts along coordinates."""
    m = da.Model("pin", dim=2, gravity=(0, -G))
    m.add(da.Body.rod("r", (0, 0), (1, 0), mass=2.0, omega=1.0))
    m.add(da.Revolute("A", m.ground, "r", at=(0, 0), friction=0.2, radius=0.05))
    yield m
    m = da.Model("slide", dim=2, gravity=(0, -G))
    m.add(da.Body("b", mass=2.0, inertia=0.1, velocity=(1.0, 0)))
    m.add(da.Prismatic("A", "b", m.ground, axis=(1, 0), at=(0, 0), friction=0.2, length=0.5))
    yield m
    for joint, more in ((da.Cylindrical, {}), (da.Screw, {"pitch": 0.05})):
        m = da.Model(joint.__name__, gravity=(0, 0, -G))
        m.add(da.Body("b", mass=2.0, inertia=(0.03, 0.02, 0.02), velocity=(0.05 * 8 / (2 * math.pi), 0, 0), omega=(8.0, 0, 0)))
        m.add(joint("A", m.ground, "b", at=(0, 0, 0), axis=(1, 0, 0), friction=0.2, radius=0.05, length=0.3, **more))
        yield m
    yield two(100.0, 5.0)
    yield drum(4.0, 10.0)
    m = da.Model("wheel", dim=2, gravity=(0, -G))
    m.add(da.Body("w", mass=2.0, inertia=0.09, position=(0, 0.3), velocity=(1.0, 0), omega=-1 / 0.3))
    m.add(da.RollingDisc("A", m.ground, "w", radius=0.3, resistance=0.02))
    yield m


@pytest.mark.parametrize("m", list(kinds()), ids=lambda m: m.name)
def test_derivations_have_friction_as_a_force_with_a_name_and_its_law(m):
    """With the forces that the engine finds in place of the symbols, the derived model accelerates as the one that rubs."""
    from dalembert.symbolic.friction import with_symbols

    now = da.accelerations(m)
    other, told = with_symbols(m)
    name = next(iter(n for n in m.elements if getattr(m.elements[n], "rubs", False)))
    forces = np.ravel(now[name].friction)
    names = [p for p in other.parameters if p.startswith("f_")]
    assert len(told) == len(names) == len(forces)
    for p, f in zip(names, forces, strict=True):
        other.parameters[p] = float(f)
    then = da.accelerations(other)
    for b in m.bodies:
        assert then[b].acceleration == pytest.approx(now[b].acceleration, abs=1e-9)
        assert then[b].angular_acceleration == pytest.approx(now[b].angular_acceleration, abs=1e-9)
    text = da.derive(m).text()
    assert all(law in text and m.elements[name].title in law and "ticks" in law and "lides" in law for law in told)
    assert all(p in text.split("Equations of motion")[1].split("Friction")[0] for p in names)


def test_derive_refuses_by_name_what_has_no_coordinate():
    m = da.Model("ball", gravity=(0, 0, -G))
    m.add(da.Body("b", mass=2.0, inertia=(0.02, 0.02, 0.02)))
    m.add(da.Spherical("A", m.ground, "b", at=(0, 0, 0), friction=0.2, radius=0.03))
    with pytest.raises(da.AnalysisError, match="Spherical 'A' rubs"):
        da.derive(m)
    with pytest.raises(da.AnalysisError, match="Capstan 'rope' has no symbolic form"):
        da.derive(rope(None))


def test_equilibria_sends_to_what_judges_a_pose():
    with pytest.raises(da.AnalysisError, match=r"friction \('band'\).*da\.equilibrium\(m\).*da\.hold\(m, unknown\)"):
        da.equilibria(drum(4.0, 0.0))


@pytest.mark.parametrize("mass", [1e3, 1e6, 1e9])
def test_a_heavy_body_elsewhere_does_not_widen_the_range(mass):
    """What counts as no acceleration is not measured by the weight of a tank that is welded to the ground."""
    m = da.Model("block beside a tank", dim=2, gravity=(0, -9.81))
    m.parameters["F"] = 0.0
    m.add(da.Body("block", mass=1.0, inertia=0.1))
    m.add(da.Prismatic("guide", m.ground, "block", axis=(1, 0), at=(0, 0), friction=0.3, length=1.0))
    m.add(da.Force("push", "block", ("F", 0)))
    m.add(da.Body("tank", mass=mass, inertia=mass, position=(5, 0)))
    m.add(da.Weld("foundation", m.ground, "tank", at=(5, 0)))
    held = da.hold(m, "F")
    assert (held.lower, held.upper) == pytest.approx((-0.3 * 9.81, 0.3 * 9.81), rel=2e-9)
