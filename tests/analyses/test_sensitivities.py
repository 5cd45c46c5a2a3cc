"""Derivatives of results in parameters: closed forms, jumps at switches, loops, redundant rows, stops, and bad questions."""

import math

import numpy as np
import pytest

import dalembert as da
from dalembert.errors import AnalysisError

FINE = {"rtol": 1e-11, "atol": 1e-13}


def close(found, wanted, tolerance):
    for name, value in wanted.items():
        assert abs(found[name] - value) <= tolerance * abs(value), (name, found[name], value)


def oscillator():
    m = da.Model("oscillator", dim=2, gravity=(0, 0), parameters={"m": 2.0, "k": 50.0, "c": 0.8, "x0": 0.1})
    m.add(da.Body("b", mass="m", inertia=1.0, position=("x0", 0)))
    m.add(da.Prismatic("slide", m.ground, "b", at=(0, 0), axis=(1, 0)))
    m.add(da.Spring("s", m.ground, "b", at_i=(-1, 0), on_j=(0, 0), stiffness="k", damping="c", length=1.0))
    return m


def four_bar():
    m = da.Model("four-bar", dim=2, gravity=(0, -9.81),
                 parameters={"g": 1.0, "a": 0.3, "b": 0.9, "r": 0.7, "m1": 0.6, "m2": 1.8, "m3": 1.4, "w": 10.0})
    s = "sqrt((g - a*cos(0.8))**2 + (a*sin(0.8))**2)"
    turn = f"(atan2(-a*sin(0.8), g - a*cos(0.8)) + acos((b**2 + {s}**2 - r**2)/(2*b*{s})))"
    B = ("a*cos(0.8)", "a*sin(0.8)")
    C, D = (f"{B[0]} + b*cos({turn})", f"{B[1]} + b*sin({turn})"), ("g", 0)
    for name, i, j, mass in (("crank", (0, 0), B, "m1"), ("coupler", B, C, "m2"), ("rocker", D, C, "m3")):
        m.add(da.Body.rod(name, i, j, mass=mass))
    for name, i, j, at in (("A", m.ground, "crank", (0, 0)), ("B", "crank", "coupler", B), ("C", "coupler", "rocker", C),
                           ("D", m.ground, "rocker", D)):
        m.add(da.Revolute(name, i, j, at=at))
    m.initial("A", rate="w")
    return m


def test_oscillator_in_closed_form():
    s = da.sensitivities(oscillator(), ["m", "k", "c", "x0"], da.simulate, 3.0, times=[3.0], **FINE,
                         outputs={"x": lambda run: run["b"].position[-1][0]})
    assert abs(s.values["x"] + 0.0398125100276) < 1e-11
    close(s["x"], {"m": 0.129246169614, "k": -0.00569479261299, "c": 0.0328091142762, "x0": -0.398125100276}, 1e-9)


def test_pendulum_over_ten_seconds():
    m = da.Model("pendulum", dim=2, gravity=(0, "-g"), parameters={"l": 1.0, "g": 9.81, "start": 1.0})
    m.add(da.Body("b", mass=1.0, inertia=1.0, position=("l*sin(start)", "-l*cos(start)")))
    m.add(da.DoubleRevolute("rod", m.ground, "b", at_i=(0, 0), on_j=(0, 0)))
    s = da.sensitivities(m, ["l", "g", "start"], da.simulate, 10.0, times=[10.0], **FINE,
                         outputs={"angle": lambda run: np.arctan2(run["b"].position[-1][0], -run["b"].position[-1][1])})
    close(s["angle"], {"l": -13.1827475677, "g": 1.34380709151, "start": -3.96387751123}, 1e-8)


def falling():
    m = da.Model("switch", dim=2, gravity=(0, "-g"), parameters={"x0": 1.0, "g": 9.81, "a": 30.0})
    m.add(da.Body("b", mass=1.0, inertia=1.0, position=(0, "x0")))
    m.add(da.Prismatic("guide", m.ground, "b", at=(0, 0), axis=(0, 1)))
    m.add(da.Motor("thrust", "b.y", "a*step(-coordinate)"))
    return m


def test_a_switch_moves_in_time():
    s = da.sensitivities(falling(), ["x0", "g", "a"], da.simulate, 0.6, times=[0.6], **FINE, verify=True, outputs={
        "x": lambda run: run["b"].position[-1][1], "v": lambda run: run["b"].velocity[-1][1]})
    close(s["x"], {"x0": -0.00560879333641, "g": -0.0774914583755, "a": 0.0110226145931}, 1e-9)
    close(s["v"], {"x0": -6.77285461479, "g": 0.0904031207733, "a": 0.148476359014}, 1e-9)
    assert "apart" in s.certificate


def test_a_switch_in_time_moves_with_the_parameter():
    """A push of f from t1 on: v = f (t − t1)/m, x = f (t − t1)²/2m."""
    m = da.Model("late", dim=2, gravity=(0, 0), parameters={"t1": 0.4, "f": 3.0})
    m.add(da.Body("b", mass=2.0, inertia=1.0))
    m.add(da.Prismatic("guide", m.ground, "b", at=(0, 0), axis=(1, 0)))
    m.add(da.Motor("push", "b.x", "f*step(t - t1)"))
    s = da.sensitivities(m, ["t1", "f"], da.simulate, 1.0, times=[0.2, 1.0], outputs={
        "x": lambda run: run["b"].position[-1][0], "v": lambda run: run["b"].velocity[-1][0]})
    close(s["v"], {"t1": -1.5, "f": 0.3}, 1e-9)
    close(s["x"], {"t1": -0.9, "f": 0.09}, 1e-9)


def test_a_run_that_ends_at_an_event_ends_at_another_time():
    """Free fall to the ground: t = √(2 x0/g), speed −√(2 g x0)."""
    m = da.Model("fall", dim=2, gravity=(0, "-g"), parameters={"x0": 1.0, "g": 9.81})
    m.add(da.Body("b", mass=1.0, inertia=1.0, position=(0, "x0")))
    run = da.simulate(m, 2.0, stop="b.y", **FINE)
    t = math.sqrt(2 / 9.81)
    d = run.derivative("g")
    assert abs(d.t[-1] + 0.5 * t / 9.81) < 1e-9
    assert abs(d["b"].velocity[-1][1] + 0.5 * math.sqrt(2 / 9.81)) < 1e-8
    assert abs(d["b"].position[-1][1]) < 1e-9  # it ends on the ground
    assert abs(run.derivative("x0").t[-1] - 0.5 * t) < 1e-9


def test_slider_crank_torque():
    """Only the piston is heavy: the answer is linear in the masses of the others, which are taken out."""
    found = []
    for e in (1e-3, 2e-3):
        m = da.Model("slider-crank", dim=2, gravity=(0, 0), parameters={"r": 0.15, "l": 0.35, "m": 2.0})
        m.add(da.Body("crank", mass=e, inertia=e, angle=1.0))
        m.add(da.Body("rod", mass=e, inertia=e, position=("r*cos(1)", "r*sin(1)"), angle="-asin(r*sin(1)/l)"))
        m.add(da.Body("piston", mass="m", inertia=0.1, position=("r*cos(1) + sqrt(l**2 - (r*sin(1))**2)", 0)))
        m.add(da.Revolute("O", m.ground, "crank", at=(0, 0)))
        m.add(da.Revolute("A", "crank", "rod", on_i=("r", 0), on_j=(0, 0)))
        m.add(da.Revolute("B", "rod", "piston", on_i=("l", 0), on_j=(0, 0)))
        m.add(da.Prismatic("P", m.ground, "piston", at=(0, 0), axis=(1, 0)))
        m.add(da.Drive("motor", "O", "10*t"))
        s = da.sensitivities(m, ["r", "l", "m"], da.inverse_dynamics, times=[0.0],
                             outputs={"torque": lambda run: run["motor"].torque[0]})
        found.append({"torque": s.values["torque"], **s["torque"]})
    sign = np.sign(found[0]["torque"])
    lightest = {k: sign * (2 * found[0][k] - found[1][k]) for k in found[0]}
    close(lightest, {"torque": 1.74481308632, "r": 21.17636498, "l": 0.8947755009, "m": 0.8724065432}, 1e-9)


def test_four_bar_in_eight_parameters():
    m, names = four_bar(), ["g", "a", "b", "r", "m1", "m2", "m3", "w"]
    s = da.sensitivities(m, names, da.simulate, 1.0, times=[0.5, 1.0], **FINE, verify=True, outputs={
        "angle": lambda run: run["A"].coordinate[-1], "force": lambda run: np.linalg.norm(run["B"].force[-1]),
        "energy": lambda run: run.energy.total[-1]})
    wanted = (6.096912, -4.136758, -2.071267, -7.667449, 0.694399, -0.037638, -0.249208, 1.344761)
    for name, value in zip(names, wanted, strict=True):
        assert abs(s["angle"][name] - value) < 2e-6
    run = s.result
    assert run.derivative("a")["A"].coordinate.shape == run["A"].coordinate.shape
    np.testing.assert_allclose(run.derivative("a")["A"].coordinate[-1], s["angle"]["a"], rtol=1e-9)
    total = {n: s["energy"][n] for n in names}
    kinetic = run.derivative("w").energy.kinetic[-1] + run.derivative("w").energy.potential[-1]
    assert abs(kinetic - total["w"]) < 1e-8 * abs(total["w"])


def test_equilibrium_follows_its_parameters():
    """A weight on a spring: sag m g/k."""
    m = da.Model("scale", dim=2, gravity=(0, "-g"), parameters={"m": 2.0, "k": 500.0, "g": 9.81})
    m.add(da.Body("b", mass="m", inertia=1.0, position=(0, -1)))
    m.add(da.Prismatic("guide", m.ground, "b", at=(0, 0), axis=(0, 1)))
    m.add(da.Spring("s", m.ground, "b", at_i=(0, 0), on_j=(0, 0), stiffness="k", length=1.0))
    s = da.sensitivities(m, ["m", "k", "g"], da.equilibrium, outputs={"y": lambda rest: rest["b"].position[1]})
    close(s["y"], {"m": -9.81 / 500, "k": 2 * 9.81 / 500**2, "g": -2 / 500}, 1e-10)


def test_eigenvalues_of_an_oscillator():
    s = da.sensitivities(oscillator(), ["k", "c"], da.linearize)
    mu = s.result.eigenvalues
    for name, slope in (("k", -1 / (4 * mu + 0.8)), ("c", -mu / (4 * mu + 0.8))):  # 2 μ² + c μ + k = 0
        np.testing.assert_allclose(s.derivative(name).eigenvalues, slope, rtol=1e-6)


def test_a_stop_and_a_redundant_loop():
    """A bar on three parallel cranks (one too many) that runs against a stop: compared with differences of whole runs."""
    m = da.Model("parallel", dim=2, gravity=(0, -9.81), parameters={"l": 0.5, "k": 2e4})
    m.add(da.Body.rod("bar", (0, "-l"), (2, "-l"), mass=3.0))
    for n, x in enumerate((0.0, 1.0, 2.0)):
        m.add(da.Body.rod(f"crank {n}", (x, 0), (x, "-l"), mass=0.5))
        m.add(da.Revolute(f"O{n}", m.ground, f"crank {n}", at=(x, 0)))
        m.add(da.Revolute(f"A{n}", f"crank {n}", "bar", at=(x, "-l")))
    m.initial("O0", rate=2.0)
    m.add(da.Limit("stop", "O0", upper=0.2, stiffness="k"))
    s = da.sensitivities(m, ["l", "k"], da.simulate, 0.4, times=[0.4], **FINE, verify=True,
                         outputs={"angle": lambda run: run["O0"].coordinate[-1], "rate": lambda run: run["O0"].rate[-1]})
    assert abs(s["angle"]["l"]) > 1e-3 and "apart" in s.certificate


@pytest.mark.parametrize("method", ["forward", "adjoint"])
def test_outputs_that_are_no_numbers_are_named(method):
    m = oscillator()

    def ask(read):
        da.sensitivities(m, ["k"], da.simulate, 0.1, times=[0.0, 0.05, 0.1], method=method, outputs={"good": last, "odd": read})

    def last(run):
        return run["b"].position[-1, 0]

    with pytest.raises(AnalysisError, match=r"the output 'odd' is not finite \(nan\)"):
        ask(lambda run: math.nan * last(run))
    with pytest.raises(AnalysisError, match=r"the output 'odd' is not finite \(inf in 2 of its 3 numbers, the first at \[1\]\)"):
        ask(lambda run: np.where(run.t > 0.0, math.inf, run["b"].position[:, 0]))
    for odd in ("large", None):
        with pytest.raises(AnalysisError, match="the output 'odd' is no number"):
            ask(lambda run, odd=odd: odd)
    found = da.sensitivities(m, ["k"], da.simulate, 0.1, times=[0.0, 0.05, 0.1], method=method, outputs={"good": last})
    here = last(found.result)  # the very number that is read again
    told = "in 'k' is not finite" if method == "forward" else "do not agree"
    with np.errstate(invalid="ignore"), pytest.raises(AnalysisError, match=told):
        ask(lambda run: np.sqrt(last(run) - here))


def test_bad_questions():
    m = oscillator()
    m.parameters["idle"] = 3.0
    with pytest.raises(AnalysisError, match="there is no parameter 'kk'"):
        da.sensitivities(m, ["kk"], da.simulate, 1.0)
    with pytest.raises(AnalysisError, match="nothing depends on the parameter 'idle'"):
        da.sensitivities(m, ["idle"], da.simulate, 0.1)
    for analysis, args in ((da.simulate, (0.1,)), (da.linearize, ()), (da.equilibrium, ())):
        for names in (["idle"], ["k", "idle"]):
            with pytest.raises(AnalysisError, match=r"nothing depends on the parameter 'idle' \(3\): no formula of the model"):
                da.sensitivities(m, names, analysis, *args)
    with pytest.raises(AnalysisError, match="named twice"):
        da.sensitivities(m, ["k", "k"], da.simulate, 0.1)
    with pytest.raises(AnalysisError, match="sensitivities knows"):
        da.sensitivities(m, ["k"], da.check)
    run = da.simulate(m, 0.1)
    with pytest.raises(AnalysisError, match="no parameter 'mass'"):
        run.derivative("mass")


def test_fit_finds_parameters_with_gradients():
    truth, times = {"k": 50.0, "c": 0.8}, np.linspace(0.1, 3.0, 30)
    data = da.simulate(oscillator(), 3.0, times=times, **FINE)["b"].position[:, 0]
    found = da.fit(oscillator(), {"k": (30.0, 90.0), "c": (0.1, 3.0)}, da.simulate, 3.0, times=times, **FINE,
                   output=lambda run: run["b"].position[:, 0], data=data, start={"k": 60.0, "c": 2.0})
    close(found.values, truth, 1e-7)
    assert len(found.trials) <= 15
    noisy = data + 0.01 * np.abs(data).max() * np.random.default_rng(3).standard_normal(30)
    found = da.fit(oscillator(), {"k": (30.0, 90.0), "c": (0.1, 3.0)}, da.simulate, 3.0, times=times,
                   output=lambda run: run["b"].position[:, 0], data=noisy, start={"k": 60.0, "c": 2.0})
    for name, value in truth.items():
        assert found.deviations[name] > 0 and abs(found.values[name] - value) < 4 * found.deviations[name]
    twins = da.fit(oscillator(), {"k": (30.0, 90.0), "m": (1.0, 4.0), "c": (0.1, 3.0)}, da.simulate, 3.0, times=times,
                   output=lambda run: run["b"].position[:, 0], data=data, start={"k": 60.0, "m": 2.3, "c": 1.0})
    assert "apart" in " ".join(twins.notes) and not twins.deviations


def test_optimize_by_gradient():
    """The stiffness that brings the mass to x = 0.03 after one second."""
    found = da.optimize(oscillator(), {"k": (30.0, 60.0)}, da.simulate, 1.0, times=[1.0], rtol=1e-10, method="gradient",
                        goal=lambda run: (run["b"].position[-1][0] - 0.03) ** 2, start={"k": 40.0})
    assert found.goal < 1e-12 and len(found.trials) < 30


def test_space_with_a_loop_a_drive_and_a_law_of_the_users():
    """A bar on two parallel hinges of space (dependent rows), a spring, a motor whose law is a Python function."""
    m = da.Model("swing", dim=3, gravity=(0, 0, "-g"), parameters={"l": 0.8, "g": 9.81, "k": 40.0})
    m.add(da.Body("bar", mass=2.0, inertia=(0.1, 0.2, 0.3), position=(0.5, 0, "-l")))
    for n, x in enumerate((0.0, 1.0)):
        m.add(da.Body.rod(f"arm {n}", (x, 0, 0), (x, 0, "-l"), mass=0.4, radius=0.02))
        m.add(da.Revolute(f"O{n}", m.ground, f"arm {n}", at=(x, 0, 0), axis=(0, 1, 0)))
        m.add(da.Revolute(f"A{n}", f"arm {n}", "bar", at=(x, 0, "-l"), axis=(0, 1, 0)))
    m.initial("O0", rate=1.5)
    m.add(da.Spring("s", m.ground, "bar", at_i=(2, 0, 0), on_j=(0, 0, 0), stiffness="k", length=1.0))
    m.add(da.Motor("brake", "O0", lambda t, x, v: -0.3 * v * abs(v) if t > -1 else 0.0))
    s = da.sensitivities(m, ["l", "g", "k"], da.simulate, 0.7, times=[0.35, 0.7], **FINE, verify=True, outputs={
        "place": lambda run: run["bar"].position[-1], "turn": "last O0.coordinate", "pull": lambda run: run["s"].length[-1]})
    assert all(np.abs(s["place"][n]).max() > 1e-4 for n in s.names) and "apart" in s.certificate


def test_radau_carries_tangents():
    """A stiff spring: by Radau as by the explicit method."""
    m = da.Model("stiff", dim=2, gravity=(0, "-g"), parameters={"g": 9.81, "k": 1e6, "x": 1.0})
    m.add(da.Body("a", mass=1.0, inertia=1.0))
    m.add(da.Body("b", mass=1.0, inertia=1.0, position=("x", 0)))
    m.add(da.Spring("s", "a", "b", on_i=(0, 0), on_j=(0, 0), stiffness="k", damping=1e3, length=1.0))
    m.add(da.Revolute("O", m.ground, "a", at=(0, 0)))
    found = [da.sensitivities(m, ["g", "x", "k"], da.simulate, 0.5, integrator=method, times=[0.5], rtol=1e-9, atol=1e-11,
                              outputs={"place": lambda run: run["b"].position[-1]}) for method in ("radau", "rk8")]
    assert found[0].result.stats["steps"] < found[1].result.stats["steps"]
    for name in found[0].names:
        wanted = found[1]["place"][name]
        np.testing.assert_allclose(found[0]["place"][name], wanted, rtol=0, atol=1e-5 * np.abs(wanted).max())


def test_what_is_asked_for_wrongly_is_told():
    m = oscillator()
    wanted = {"x": "last b.position.x"}
    s = da.sensitivities(m, "k", da.simulate, 0.1, outputs=wanted)
    with pytest.raises(AnalysisError, match=r"the derivatives are in k, not in 'kk': did you mean 'k'"):
        s["x"]["kk"]
    assert s["x"].get("m") is None
    with pytest.raises(AnalysisError, match="there is no parameter '3'"):
        s.result.derivative(3)
    with pytest.raises(AnalysisError, match=r"'final' is none of the words that may stand before a channel: last, first"):
        da.sensitivities(m, "k", da.simulate, 0.1, outputs={"x": "final b.position.x"})


def test_a_pose_that_is_one_of_many_names_what_is_loose():
    m = da.Model("hung", dim=2, gravity=(0, -9.81), parameters={"l": 1.0})
    m.add(da.Body("bob", mass=1.0, inertia=1.0, position=(0, "-l")))
    m.add(da.DoubleRevolute("rod", m.ground, "bob", at_i=(0, 0), on_j=(0, 0)))
    with pytest.raises(AnalysisError, match=r"nothing holds bob\.angle \("):
        da.sensitivities(m, "l", da.equilibrium, outputs={"y": lambda pose: pose["bob"].position[1]})


@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-8])
def test_derivatives_are_about_as_accurate_as_the_motion(rtol):
    """Relative to the largest of them, over 5 s of a four-bar: what decision 0091 promises."""
    def asked(rtol):
        s = da.sensitivities(four_bar(), ["g", "a", "b", "r", "m1", "m2", "m3", "w"], da.simulate, 5.0, times=[5.0], rtol=rtol,
                             atol=1e-3 * rtol, method="forward", outputs={"x": lambda run: float(run["A"].coordinate[-1])})
        return s.gradient("x")

    right = asked(1e-11)
    assert np.abs(asked(rtol) - right).max() < 20 * rtol * np.abs(right).max()
