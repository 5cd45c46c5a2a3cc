"""Derivatives at the default tolerance where y alone would choose the wrong steps: rest, stops, kinks, friction; events."""

import math

import numpy as np
import pytest

import dalembert as da


def richardson(make, name, read, until, h=1e-3, **options):
    value = make().parameter_values()[name]

    def at(x):
        m = make()
        m.parameters[name] = x
        return read(da.simulate(m, until, rtol=1e-11, atol=1e-13, **options))

    def slope(e):
        return (at(value + e) - at(value - e)) / (2 * e)

    h *= abs(value) or 1.0
    return (4 * slope(h / 2) - slope(h)) / 3


def hanging(start):
    m = da.Model("hanging", dim=2, gravity=(0, -9.81), parameters={"l": 1.0, "start": start})
    m.add(da.Body("b", mass=1.0, inertia=1.0, position=("l*sin(start)", "-l*cos(start)")))
    m.add(da.DoubleRevolute("rod", m.ground, "b", at_i=(0, 0), on_j=(0, 0)))
    return m


@pytest.mark.parametrize("method", ["auto", "rk5", "radau"])
@pytest.mark.parametrize("start", [0.0, 1e-8])
def test_a_motion_at_rest_has_disturbances_that_move(method, start):
    s = da.sensitivities(hanging(start), ["start"], da.simulate, 10.0, integrator=method,
                         outputs={"x": lambda r: r["b"].position[-1][0]})
    assert abs(s["x"]["start"] - math.cos(math.sqrt(9.81) * 10)) < 1e-5


def test_a_servo_on_its_track():
    """J φ̈ = kp (w t − φ) + c (10 − φ̇), on its track: δφ̈ + 5 δφ̇ + 400 δφ = 400 t δw, from rest."""
    m = da.Model("servo", dim=2, gravity=(0, 0), parameters={"w": 10.0})
    m.add(da.Body("b", mass=1, inertia=1))
    m.add(da.Revolute("O", m.ground, "b", at=(0, 0)))
    m.add(da.Motor("drive", "O", "400*(w*t - coordinate) + 5*(10 - rate)"))
    m.initial("O", rate=10.0)
    root = math.sqrt(400 - 6.25)
    a, b = 5 / 400, (2.5 * 5 / 400 - 1) / root
    wanted = 3 - 5 / 400 + math.exp(-7.5) * (a * math.cos(3 * root) + b * math.sin(3 * root))
    assert da.simulate(m, 3.0).derivative("w")["O"].coordinate[-1] == pytest.approx(wanted, rel=1e-6)


def between_stops(seed):
    random = np.random.default_rng(seed)
    m = da.Model("stops", dim=2, gravity=(0, -9.81), parameters={
        "l": random.uniform(0.5, 1.5), "k": 10 ** random.uniform(2, 4), "w": random.uniform(1, 4)})
    m.add(da.Body.rod("r", (0, 0), (0, "-l"), mass=1.0))
    m.add(da.Revolute("O", m.ground, "r", at=(0, 0)))
    m.initial("O", rate="w")
    m.add(da.Limit("stop", "O", lower=-0.3, upper=0.3, stiffness="k"))
    return m


@pytest.mark.parametrize("seed", range(10))
def test_stops_at_the_default_tolerance(seed):
    """The steps of y see both sides of a stop without harm; tangents do not (k δφ all at once)."""
    m = between_stops(seed)
    coarse, fine = (da.simulate(m, 2.0, times=[2.0], **o).derivative("w")["O"].coordinate[-1] for o in ({}, {"rtol": 1e-10}))
    assert coarse == pytest.approx(fine, rel=1e-4)
    if seed < 2:
        wanted = richardson(lambda: between_stops(seed), "w", lambda r: r["O"].coordinate[-1], 2.0, h=1e-4)
        assert coarse == pytest.approx(wanted, rel=1e-4)


def rubbing(law, seed):
    random = np.random.default_rng(seed)
    m = da.Model("rubbing", dim=2, gravity=(0, -9.81), parameters={"l": random.uniform(0.5, 1.5), "w": random.uniform(1, 4)})
    m.add(da.Body.rod("r", (0, 0), (0, "-l"), mass=1.0))
    m.add(da.Revolute("O", m.ground, "r", at=(0, 0)))
    m.initial("O", rate="w")
    m.add(da.Motor("friction", "O", law))
    return m


@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-10])
@pytest.mark.parametrize("law", ["-0.2*sign(rate)", "-500*max(coordinate-0.3,0)", "0.5 - 1*step(rate - 0.5)",
                                 "0.4*step(sin(9*t + 0.5) - coordinate)"])
def test_switches_of_state_rate_and_time(law, rtol):
    """δt is asked from the near side: f⁺ has the switch's other force; and with the event's own change in time."""
    m = rubbing(law, 6)
    found = da.sensitivities(m, ["l", "w"], da.simulate, 0.9, rtol=rtol, times=[0.9],
                             outputs={"a": lambda r: r["O"].coordinate[-1]})
    for name in ("l", "w"):
        wanted = richardson(lambda: rubbing(law, 6), name, lambda r: r["O"].coordinate[-1], 0.9, h=1e-4, times=[0.9])
        assert found["a"][name] == pytest.approx(wanted, rel=1e-4, abs=1e-6)


def dropped(x1=1.0, x2=1.0):
    m = da.Model("two", dim=2, gravity=(0, -9.81), parameters={"x1": x1, "x2": x2, "both": 0.0})
    for n in "12":
        m.add(da.Body("b" + n, mass=1.0, inertia=1.0, position=(int(n), f"x{n} + both")))
        m.add(da.Prismatic("guide" + n, m.ground, "b" + n, at=(int(n), 0), axis=(0, 1)))
        m.add(da.Motor("thrust" + n, f"b{n}.y", "30*step(-coordinate)"))
    return m


def test_two_events_at_once():
    """They may move together; a parameter that moves them apart has no derivative."""
    read = {"v": lambda r: r["b1"].velocity[-1][1]}
    with pytest.raises(da.AnalysisError, match="two events happen at once"):
        da.sensitivities(dropped(), ["x1", "x2"], da.simulate, 0.6, outputs=read)
    together = da.sensitivities(dropped(), ["both"], da.simulate, 0.6, outputs=read)["v"]["both"]
    apart = da.sensitivities(dropped(x2=1.1), ["x1", "x2"], da.simulate, 0.6, outputs=read)["v"]
    assert together == pytest.approx(-6.77285461479, rel=1e-6)
    assert apart["x1"] == pytest.approx(-6.77285461479, rel=1e-6) and abs(apart["x2"]) < 1e-9


def falling(x0, a=30.0):
    m = da.Model("falling", dim=2, gravity=(0, -9.81), parameters={"x0": x0, "a": a})
    m.add(da.Body("b", mass=1, inertia=1, position=(0, "x0")))
    m.add(da.Prismatic("g", m.ground, "b", at=(0, 0), axis=(0, 1)))
    m.add(da.Motor("thrust", "b.y", "a*step(-coordinate)"))
    return m


def test_samples_at_events_and_breaks():
    x0 = 9.81 / 2 * 0.25  # the switch is met at 0.5 s
    times = [0.0, 0.25, 0.5, 0.75, 1.0]
    s = da.sensitivities(falling(x0), ["x0", "a"], da.simulate, 1.0, times=times, outputs={"y": lambda r: r["b"].position[:, 1]})
    for name in ("x0", "a"):
        wanted = richardson(lambda: falling(x0), name, lambda r: r["b"].position[-1][1], 1.0, h=1e-4)
        assert s["y"][name][-1] == pytest.approx(wanted, rel=1e-6)
    assert s["y"]["x0"][:3] == pytest.approx([1, 1, 1], abs=1e-6)
    m = da.Model("late", dim=2, gravity=(0, 0), parameters={"t1": 0.5, "f": 2.0, "n": 4e8})
    m.add(da.Body("b", mass=1, inertia=1))
    m.add(da.Prismatic("g", m.ground, "b", at=(0, 0), axis=(1, 0)))
    m.add(da.Motor("push", "b.x", "f*step(t - t1) + 3*step(t - n*1e-9)"))
    v = da.sensitivities(m, ["t1", "f", "n"], da.simulate, 1.0, times=[0, 0.5, 1],
                         outputs={"v": lambda r: r["b"].velocity[-1][0]})["v"]
    assert (v["t1"], v["f"], v["n"]) == pytest.approx((-2.0, 0.5, -3e-9), rel=1e-9)
    m.parameters["t1"] = 0.99  # a break near the end, where a neighbour's lies behind it
    v = da.sensitivities(m, ["t1"], da.simulate, 1.0, outputs={"v": lambda r: r["b"].velocity[-1][0]})["v"]
    assert v["t1"] == pytest.approx(-2.0, rel=1e-9)


@pytest.mark.parametrize("more", [0.0, 1e-12, 1e-9, 1e-7])
def test_an_event_that_is_touched(more):
    m = da.Model("throw", dim=2, gravity=(0, -10.0), parameters={"v": math.sqrt(20) + more, "a": 5.0})
    m.add(da.Body("b", mass=1.0, inertia=1.0, position=(0, 0), velocity=(0, "v")))
    m.add(da.Prismatic("g", m.ground, "b", at=(0, 0), axis=(0, 1)))
    m.add(da.Motor("thrust", "b.y", "-a*step(coordinate-1)"))
    with pytest.raises(da.AnalysisError, match="is touched"):
        da.simulate(m, 1.0).derivative("v")


def test_a_start_on_a_switch_is_refused():
    m = da.Model("throw", dim=2, gravity=(0, -9.81), parameters={"x0": 0.0})
    m.add(da.Body("b", mass=1, inertia=1, position=(0, "x0"), velocity=(0, 1.0)))
    m.add(da.Prismatic("g", m.ground, "b", at=(0, 0), axis=(0, 1)))
    m.add(da.Motor("thrust", "b.y", "-5*step(coordinate)"))
    with pytest.raises(da.AnalysisError, match="begins exactly where a force switches"):
        da.simulate(m, 0.1).derivative("x0")


def test_an_end_that_moves_by_several_parameters():
    m = da.Model("fall", dim=2, gravity=(0, -9.81), parameters={"h": 1.0, "v": 0.3})
    m.add(da.Body("b", mass=1, inertia=1, position=(0, "h"), velocity=(0, "v")))
    m.add(da.Prismatic("g", m.ground, "b", at=(0, 0), axis=(0, 1)))
    s = da.sensitivities(m, ["h", "v"], da.simulate, 1e4, times=np.linspace(0, 1e4, 3), stop="b.y-0.2", outputs={
        "v": lambda r: r["b"].velocity[-1][1], "t": lambda r: r.t[-1]})
    v = -math.sqrt(0.09 + 2 * 9.81 * 0.8)
    assert (s["v"]["h"], s["v"]["v"]) == pytest.approx((9.81 / v, 0.3 / v), rel=1e-6)
    assert (s["t"]["h"], s["t"]["v"]) == pytest.approx((-1 / v, (1 - 0.3 / v) / 9.81), rel=1e-6)


@pytest.mark.parametrize("method", ["forward", "adjoint"])
@pytest.mark.parametrize("stop", ["b.y - low", "3*(low - b.y)"])
def test_a_run_may_end_where_a_force_begins(stop, method):
    """Until it touches: T = (v + √(v² + 2 g (h − low)))/g, touched at −√(v² + 2 g (h − low)): nothing has pushed yet."""
    values = {"g": 11.3, "h": 0.83, "low": 0.07, "v": 0.4}
    m = da.Model("drop", dim=2, gravity=(0, "-g"), parameters=values)
    m.add(da.Particle("b", mass=1.7, position=(0, "h"), velocity=(0.2, "v")))
    m.add(da.Limit("floor", "b.y", lower="low", stiffness=350.0))
    s = da.sensitivities(m, list(values), da.simulate, 3.0, stop=stop, rtol=1e-9, method=method,
                         outputs={"T": lambda r: r.t[-1], "fast": lambda r: r["b"].velocity[-1, 1]})
    g, h, low, v = values.values()
    end = math.sqrt(v * v + 2 * g * (h - low))
    of_end = np.array([(h - low) / end, g / end, -g / end, v / end])
    assert s.gradient("fast") == pytest.approx(-of_end, rel=1e-8)
    assert s.gradient("T") == pytest.approx((of_end + np.array([-(v + end) / g, 0, 0, 1])) / g, rel=1e-8)
    with pytest.raises(da.AnalysisError, match="two events happen at once"):  # a stop that is not where the force begins
        da.sensitivities(m, ["low"], da.simulate, 3.0, stop="b.y - 0.07", outputs={"T": lambda r: r.t[-1]}, method=method)


@pytest.mark.parametrize("unit", [1.0, 1e-9])
@pytest.mark.parametrize("name", ["given", "turned", "pulled", "told", "filled"])
def test_all_that_is_read_of_a_law_has_no_derivative_in_a_sample_on_its_break(name, unit):
    """u (1 + t) from t₀ on: u in what reads it, and nan in the sample at t₀, whoever reads the law."""
    law, at = "u*step(t - begin)*(1 + t)", 2
    m = da.Model("pulse", dim=2, parameters={"begin": 0.5, "u": unit})
    m.add(da.Body("b", mass=2.0, inertia=1.0, velocity=(3.0, 0.0)))
    parts = {"given": da.Force("given", "b", (law, 0.0)), "turned": da.Torque("turned", "b", law), "told": da.Signal("told", law),
             "pulled": da.Spring("pulled", m.ground, "b", on_i=(0, -1), on_j=(0, 0), actuator=law),
             "filled": da.Differential("filled", law, scale=unit)}
    m.add(parts[name])
    read = {"given": lambda r: r["given"].force[:, 0], "turned": lambda r: r["turned"].torque, "told": lambda r: r["told"].value,
            "pulled": lambda r: r["pulled"].force, "filled": lambda r: r["filled"].rate}[name]
    times = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
    run = da.simulate(m, 1.0, times=times)
    found, there = read(run.derivative("begin")), np.arange(5) == at
    assert np.isnan(found[there]).all() and np.abs(found[~there]).max() < 1e-9 * unit
    of_unit = read(run.derivative("u"))
    off = np.abs(of_unit - (times >= 0.5) * (1 + times))[~there]
    assert off.max() < 1e-9
