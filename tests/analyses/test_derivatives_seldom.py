"""What few derivatives reach, each against a closed form: of twelve planted faults five passed the tests beside these."""

import math

import numpy as np
import pytest

import dalembert as da

G = 9.81


def test_work_of_a_drive():
    """An arm is turned at constant speed: W = m g l (1 − cos w T)."""
    m, w, l, T = 2.0, 3.0, 0.8, 0.5
    s = da.Model("crank", dim=2, gravity=(0, -G), parameters={"m": m, "w": w, "l": l})
    s.add(da.Body("a", mass="m", inertia=0.3, position=(0, "-l"), omega="w", velocity=("l*w", 0)))
    s.add(da.Revolute("O", s.ground, "a", at=(0, 0)))
    s.add(da.Drive("motor", "O", "w*t"))
    exact = {"m": G * l * (1 - math.cos(w * T)), "w": m * G * l * T * math.sin(w * T), "l": m * G * (1 - math.cos(w * T))}
    found = da.sensitivities(s, list(exact), da.simulate, T, rtol=1e-10, outputs={"W": "last energy.work"})
    assert found["W"] == pytest.approx(exact, rel=1e-9)


def test_what_work_potential_and_kinetic_energy_change_by_adds_up():
    """δW = δ(T + U) − δ(T + U at the start), for every parameter of a driven four-bar."""
    from dalembert import catalog

    m = catalog.make("four-bar-driven")
    run = da.simulate(m, 0.7, rtol=1e-10, atol=1e-12)
    for name in m.parameters:
        try:
            d = run.derivative(name).energy
        except da.AnalysisError:  # nothing depends on it
            continue
        left = d.work - d.dissipated - (d.total - d.total[0])
        assert np.abs(left).max() <= 1e-7 * max(np.abs(d.work).max(), np.abs(d.total).max(), 1e-3), name


def test_answers_do_not_depend_on_which_parameters_are_asked_beside():
    """Eight parameters with huge tangents and a ninth: x = x₀ cos ω t, ω = 200 1/s."""
    many = {f"a{k}": 1e-6 for k in range(8)}
    s = da.Model("two", dim=2, gravity=(0, 0), parameters=many | {"x0": 0.0})
    speed = "1e6*(" + "+".join(f"{k + 1}*a{k}" for k in range(8)) + ")"
    s.add(da.Body("slow", mass=1.0, inertia=1.0, position=(0, 0), velocity=(speed, 0)))
    s.add(da.Prismatic("g1", s.ground, "slow", at=(0, 0), axis=(1, 0)))
    s.add(da.Body("fast", mass=1.0, inertia=1.0, position=("x0", 1)))
    s.add(da.Prismatic("g2", s.ground, "fast", on_i=(0, 1), on_j=(0, 0), axis_i=(1, 0), axis_j=(1, 0)))
    s.add(da.Spring("k", s.ground, "fast", at_i=(-1, 1), on_j=(0, 0), stiffness=4e4, length=1.0))
    t = np.linspace(0, 1, 21)
    asked = {"times": t, "rtol": 1e-8, "outputs": {"x": lambda r: r["fast"].position[:, 0]}, "method": "forward"}
    found = da.sensitivities(s, [*many, "x0"], da.simulate, 1.0, **asked)
    alone = da.sensitivities(s, ["x0"], da.simulate, 1.0, **asked)
    assert found["x"]["x0"] == pytest.approx(np.cos(200 * t), abs=2e-6)
    assert found["x"]["x0"] == pytest.approx(alone["x"]["x0"], abs=4e-6)


@pytest.mark.parametrize("keyword", [False, True])
def test_frequencies_about_a_pose_that_moves_given_by_place_or_keyword(keyword):
    """At rest k p + m g l sin p = F l cos p; w² = (k + m g l cos p + F l sin p)/(J + m l²), the pose going along."""
    m, F, l, J, k = 2.0, 6.0, 0.8, 0.3, 4.0
    s = da.Model("pend", dim=2, gravity=(0, -G), parameters={"m": m, "F": F, "k": k})
    s.add(da.Body("a", mass="m", inertia=J, position=(0, -l)))
    s.add(da.Revolute("O", s.ground, "a", at=(0, 0)))
    s.add(da.TorsionSpring("T", "O", stiffness="k"))
    s.add(da.Force("wind", "a", ("F*(1+t)", 0.0)))
    rest = da.equilibrium(s, t=0.0)
    place, named = ((), {"at": rest}) if keyword else ((rest,), {})
    outputs = {"w": lambda x: x.eigenvalues.imag.max()}
    found = da.sensitivities(s, ["m", "F", "k"], da.linearize, *place, **named, outputs=outputs, verify=True)

    def frequency(m, F, k):
        p = 0.3
        for _ in range(50):
            p -= (k * p + m * G * l * math.sin(p) - F * l * math.cos(p)) / (k + m * G * l * math.cos(p) + F * l * math.sin(p))
        return math.sqrt((k + m * G * l * math.cos(p) + F * l * math.sin(p)) / (J + m * l * l))

    x, e = np.array([m, F, k]), 1e-3
    for i, name in enumerate(("m", "F", "k")):
        d = np.eye(3)[i] * e
        slope = (8 * (frequency(*(x + d)) - frequency(*(x - d))) - frequency(*(x + 2 * d)) + frequency(*(x - 2 * d))) / (12 * e)
        assert found["w"][name] == pytest.approx(slope, abs=1e-8)
    assert "apart" in found.certificate  # refused where the two do not agree


@pytest.mark.parametrize("place", ["1-d", "d-1"])
def test_loops_that_contradict_each_other_beside_this_value_are_refused(place):
    """Two guides in one line at d = 1: with any other d the model cannot be assembled."""
    m = da.Model("g", dim=2, gravity=(0, -G), parameters={"d": 1.0})
    m.add(da.Body("slider", mass=1.0, inertia=1.0, position=(0, 0)))
    m.add(da.Prismatic("A", m.ground, "slider", at=(0, 0), axis=(0, 1)))
    m.add(da.Prismatic("B", m.ground, "slider", on_i=(place, 0), on_j=(0, 0), axis_i=(0, 1), axis_j=(0, 1)))
    with pytest.raises(da.AnalysisError, match="contradict"):
        da.simulate(m, 0.3).derivative("d")


def test_a_best_value_at_the_upper_end_of_a_range_is_found_at_once():
    """Thrown as fast as allowed, at the angle that comes next to the target: v = 4, a = atan2(−½ + g t²/2 …, 3)."""
    m = da.Model("up", dim=2, gravity=(0, -G), parameters={"v": 1.0, "a": 0.2})
    m.add(da.Body("p", mass=1.0, inertia=1.0, position=(0, 0), velocity=("v*cos(a)", "v*sin(a)")))
    best = da.optimize(m, {"v": (0.5, 4.0), "a": (0.1, 1.4)}, da.simulate, 0.5, times=[0.0, 0.5],
                       goal=lambda r: (r["p"].position[-1][0] - 3.0)**2 + (r["p"].position[-1][1] + 0.5)**2)
    assert best.values["v"] == pytest.approx(4.0, abs=1e-9)
    assert best.values["a"] == pytest.approx(math.atan2(-0.5 + G / 8, 3.0), abs=1e-6)
    assert best.notes == []


@pytest.mark.parametrize("names", [["ts"], ["ts", "F"], ["ts", "k"], ["k", "ts", "F", "x0"]])
def test_a_break_on_a_sample_does_not_blank_what_it_does_not_move_there(names):
    """Coordinates do not jump where a force begins; what is next to nothing on both sides was called different."""
    m = da.Model("switch", dim=2, gravity=(0, -G), parameters={"k": 30.0, "F": 25.0, "ts": 0.4, "x0": 0.1})
    m.add(da.Body("cart", mass=2.0, inertia=1.0, position=("x0", 0)))
    m.add(da.Prismatic("guide", m.ground, "cart", at=(0, 0), axis=(1, 0)))
    m.add(da.Spring("s", m.ground, "cart", at_i=(-1, 0), on_j=(0, 0), stiffness="k", damping=0.4, length=1.0))
    m.add(da.Force("push", "cart", ("F*step(t-ts)", 0)))
    found = da.sensitivities(m, names, da.simulate, 1.0, rtol=1e-10, atol=1e-13, method="forward",
                             outputs={"x": lambda r: r["cart"].position[-1, 0]})
    w, c = 30.0 / 2, 0.4 / 4  # beside x₀: a damped oscillator, pushed from ts on
    o, T = math.sqrt(w - c * c), 0.6
    exact = {"ts": -12.5 / o * math.exp(-c * T) * math.sin(o * T), "x0": math.exp(-c) * (math.cos(o) + c / o * math.sin(o))}
    for name in set(names) & set(exact):
        assert found["x"][name] == pytest.approx(exact[name], rel=1e-7), name
