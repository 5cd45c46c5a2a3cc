"""What has no derivative is refused by name, and never told as zero: numbers beside the channels, samples on an event, counts."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.analyses.derived.veiled import CACHED, HANDED
from dalembert.errors import AnalysisError


def thrown(**more):
    m = da.Model("thrown", dim=2, gravity=(0, "-g"), parameters={"g": 10.0, "v": 10.0, "h": 4.0})
    m.add(da.Body("b", mass=1.0, inertia=1.0, velocity=(1.0, "v")))
    return da.sensitivities(m, ["v", "h"], da.simulate, 1.5, events="b.y - h", rtol=1e-9, **more)


def leaning(follower=0.0):
    """A rod on a torsion spring, and a second one on it, pushed along itself."""
    m = da.Model("leaning", dim=2, gravity=(0, "-g"), parameters={"g": 9.81, "kt": 40.0, "L": 0.9, "p": follower})
    m.add(da.Body.rod("r", (0, 0), ("0.3*L", "L"), mass="2*L"))
    m.add(da.Body.rod("s", ("0.3*L", "L"), ("0.5*L", "1.7*L"), mass=1.0))
    m.add(da.Revolute("O", m.ground, "r", at=(0, 0)))
    m.add(da.Revolute("P", "r", "s", at=("0.3*L", "L")))
    m.add(da.TorsionSpring("u", "O", stiffness="kt"))
    m.add(da.TorsionSpring("w", "P", stiffness="kt/2"))
    if follower:
        m.add(da.Force("f", "s", ("-0.2*p", "-p"), frame="body", at=("0.5*L", "1.7*L")))
    return m


def results():
    yield da.sensitivities(catalog.make("four-bar"), ["l2"], da.simulate, 0.1, outputs={})
    yield da.sensitivities(leaning(), ["kt"], da.equilibrium, outputs={})
    yield da.sensitivities(catalog.make("four-bar-driven"), ["l2"], da.kinematics, times=[0.0, 0.1], outputs={})
    yield da.sensitivities(catalog.make("four-bar-driven"), ["l2"], da.inverse_dynamics, times=[0.0, 0.1], outputs={})


def test_every_number_beside_the_channels_is_refused_or_derived():
    for s in results():
        d = s.derivative(s.names[0])
        beside = [n for n in vars(s.result) if not n.startswith("_") and n not in HANDED and n not in CACHED]
        assert beside
        for name in (*beside, *(n for n in ("certificate", "error_estimate") if hasattr(type(s.result), n))):
            if name == "eigenvalues":
                assert np.all(d.of(lambda r: r.eigenvalues) != 0.0)
                continue
            with pytest.raises(AnalysisError, match=f"'{name}' of a result has no derivative"):
                d.of(lambda r, name=name: np.asarray(getattr(r, name)).size * 1.0)


@pytest.mark.parametrize("follower", [0.0, 12.0])
def test_eigenvalues_of_a_pose_at_rest(follower):
    """Symmetric stiffness, and that of a follower load; against differences of poses found anew."""
    m = leaning(follower)
    names = [n for n in m.parameters if m.parameters[n]]
    s = da.sensitivities(m, names, da.equilibrium, kind="any", outputs={"all": lambda e: e.eigenvalues})

    def at(name, h):
        other = m.copy()
        other.parameters[name] *= 1 + h
        return da.equilibrium(other, kind="any").eigenvalues

    for name in names:
        d = [(at(name, h) - at(name, -h)) / (2 * h * m.parameters[name]) for h in (2e-3, 1e-3)]
        wanted = (4 * d[1] - d[0]) / 3
        assert np.abs(s["all"][name] - wanted).max() < 1e-6 * np.abs(wanted).max()


@pytest.mark.parametrize("method", ["forward", "adjoint"])
def test_times_of_events_are_refused(method):
    """∂t/∂h is 1/√20, and would be told as zero."""
    with pytest.raises(AnalysisError, match=r"'events' of a result.*stop="):
        thrown(outputs={"t": lambda run: run.events[0][1]}, method=method)


def door(u=1.0):
    """A leaf that meets its stop at t = u/2."""
    m = da.Model("door", dim=2, gravity=(0, 0), parameters={"k": 1e4, "u": u, "w": 2.0})
    m.add(da.Body.rod("leaf", (0, 0), (0.9, 0), mass=90.0))
    m.add(da.Revolute("hinge", m.ground, "leaf", at=(0, 0)))
    m.add(da.Limit("stop", "hinge", upper="u", stiffness="k", damping="k/5"))
    m.initial("hinge", rate="w")
    return m


@pytest.mark.parametrize("method", ["forward", "adjoint", "auto"])
def test_a_sample_on_an_event(method):
    """The torque has one derivative before the touch and another one after it; the angle has one."""
    common = {"times": np.linspace(0, 1, 11), "rtol": 1e-10, "method": method}
    with pytest.raises(AnalysisError, match=r"at the very moment|just happens"):
        da.sensitivities(door(), ["u", "w"], da.simulate, outputs={"o": lambda run: run["stop"].torque.sum()}, **common)
    s = da.sensitivities(door(), ["u", "w"], da.simulate, outputs={"o": lambda run: run["hinge"].coordinate.sum()}, **common)
    near = da.sensitivities(door(1.001), ["u", "w"], da.simulate, outputs={"o": lambda run: run["hinge"].coordinate.sum()},
                            **common)
    assert s.gradient("o") == pytest.approx(near.gradient("o"), rel=0.05)
    with_torque = da.sensitivities(door(1.001), ["u", "w"], da.simulate, outputs={"o": lambda run: run["stop"].torque.sum()},
                                   **common)
    assert np.all(np.isfinite(with_torque.gradient("o")))
    if method == "forward":
        torque = s.derivative("u")["stop"].torque
        assert np.flatnonzero(np.isnan(torque)).tolist() == [5] and not np.isnan(s.derivative("u")["hinge"].coordinate).any()


def test_a_switch_in_the_moment_of_a_sample():
    """ẏ jumps there, and the velocity itself has a kink in what moves the switch."""
    m = da.Model("pushed", dim=2, gravity=(0, 0), parameters={"a": 3.0, "x1": 0.5, "v": 1.0})
    m.add(da.Body("b", mass=1.0, inertia=1.0))
    m.add(da.Prismatic("guide", m.ground, "b", at=(0, 0), axis=(1, 0)))
    m.add(da.Motor("push", "b.x", "a*step(coordinate - x1)"))
    m.initial("b.x", rate="v")
    s = da.sensitivities(m, ["x1"], da.simulate, 1.0, times=[0.25, 0.5, 1.0], rtol=1e-10, outputs={
        "x": lambda run: run["b"].position[-1, 0]})
    d = s.derivative("x1")["b"].velocity[:, 0]
    assert np.isnan(d[1]) and d[0] == 0.0 and d[2] == pytest.approx(-3.0, rel=1e-3)  # v' = −a δt, and less time under way


def test_a_slope_of_zero_of_an_eigenvalue_is_an_answer():
    """The growth −c/2I of a damped pendulum does not depend on gravity or on the spring."""
    m = da.Model("s", dim=2, gravity=(0, "-g"), parameters={"g": 9.81, "kt": 20.0, "c": 0.2})
    m.add(da.Body.rod("r", (0, 0), (0.3, -0.9), mass=3.0))
    m.add(da.Revolute("O", m.ground, "r", at=(0, 0)))
    m.add(da.TorsionSpring("u", "O", stiffness="kt", damping="c"))
    s = da.sensitivities(m, ["g", "kt", "c"], da.linearize, da.equilibrium(m), outputs={
        "growth": lambda x: x.eigenvalues.real.max()})
    moment = 3.0 * 0.9 / 3  # m L²/3
    assert s["growth"]["c"] == pytest.approx(-1 / (2 * moment), rel=1e-9)
    assert abs(s["growth"]["g"]) < 1e-9 and abs(s["growth"]["kt"]) < 1e-9


@pytest.mark.parametrize(("outputs", "match"), [
    ({"o": lambda run: int(run.t[-1])}, "counts or chooses"), ({"o": lambda run: run.t[-1] > 0}, "counts or chooses"),
    ({"o": lambda run: run["b"].position[:0]}, "no numbers"),
    ({"o": lambda run: run.stats["steps"] + 0.5}, "'stats' of a result"),
    ({"o": "last b.position.z"}, "there is no 'z', only x, y"), (lambda run: run.t[-1], "not a function alone")])
def test_outputs_that_mean_nothing(outputs, match):
    with pytest.raises(AnalysisError, match=match):
        thrown(outputs=outputs)


def test_a_run_that_fails_in_a_flat_pose_says_so():
    """A parallelogram with a third crank: the motion alone steps over the pose, its tangents do not."""
    m = da.Model("flat", dim=2, gravity=(0, -9.81), parameters={"r": 0.3, "L": 1.0})
    for n, x in (("c1", "0"), ("c2", "L/2"), ("c3", "L")):
        m.add(da.Body.rod(n, (x, 0), (f"{x} + r*cos(0.7)", "r*sin(0.7)"), mass="5*r"))
    m.add(da.Body.rod("bar", ("r*cos(0.7)", "r*sin(0.7)"), ("L + r*cos(0.7)", "r*sin(0.7)"), mass="5*L"))
    for i, (n, x) in enumerate((("c1", "0"), ("c2", "L/2"), ("c3", "L"))):
        m.add(da.Revolute(f"O{i}", m.ground, n, at=(x, 0)))
        m.add(da.Revolute(f"A{i}", n, "bar", at=(f"{x} + r*cos(0.7)", "r*sin(0.7)")))
    m.add(da.Torque("motor", "c1", "4*step(t - 0.45) - 0.3*O0.rate"))
    m.initial("O0", rate=3.0)
    with pytest.raises(AnalysisError, match=r"at t = 0\.\d+ the mechanism comes to a singular pose"):
        da.sensitivities(m, ["r", "L"], da.simulate, 1.0, rtol=1e-9, method="forward", outputs={"x": "last bar.position.x"})


def test_ranges_are_bounds_and_a_second_start_finds_what_is_allowed():
    """The trust-region method tried w below zero, and gave it back; brute force finds a goal of 0.108 within the constraints."""
    m = da.Model("swing", dim=2, gravity=(0, -9.81), parameters={"L": 0.8, "w": 0.5})
    m.add(da.Body.rod("r", (0, 0), ("L*sin(0.4)", "-L*cos(0.4)"), mass="2*L"))
    m.add(da.Revolute("O", m.ground, "r", at=(0, 0)))
    m.add(da.TorsionSpring("s", "O", stiffness=3.0, damping=0.2))
    m.initial("O", rate="w")
    best = da.optimize(m, {"L": (0.5, 1.5), "w": (0.0, 3.0)}, da.simulate, 1.0, goal="last energy.kinetic", maximize=True,
                       rtol=1e-9, constraints={"max O.force": (None, 40.0), "last r.x": (0.1, 0.1)})
    assert all(0.5 <= t["L"] <= 1.5 and 0.0 <= t["w"] <= 3.0 for t in best.trials)
    assert best.trials and any(t.get("allowed") for t in best.trials) and best.goal > 0.1


def test_the_way_back_gives_a_zero_where_nothing_depends():
    """All masses of Bricard's loop together: rounding against rounding."""
    m = catalog.make("bricard")
    s = da.sensitivities(m, ["m"], da.simulate, 0.5, times=[0.5], rtol=1e-9, method="adjoint", outputs={
        "place": lambda run: run[next(iter(m.bodies))].position[-1]})
    assert np.abs(s.gradient("place")).max() < 1e-10


@pytest.mark.parametrize("until", [0.01, 0.2])
def test_an_output_that_is_rounding(until):
    """A body that stays where it is: its place has a derivative of nothing, and no kink."""
    m = catalog.make("andrews")
    s = da.sensitivities(m, ["m1"], da.simulate, until, rtol=1e-9, outputs={"x": lambda run: run["K1"].position[-1, 0]})
    assert abs(s["x"]["m1"]) < 1e-9


def test_where_loads_are_solved_for():
    """The balance of the derivatives is that of the drives: ∂(drive's torque)/∂M would be 4.905, and is 0 whatever the mass."""
    m = da.Model("arm", dim=2, gravity=(0, -9.81), parameters={"M": 2.0, "L": 1.0})
    m.add(da.Body.rod("r", (0, 0), ("L", 0), mass="M"))
    m.add(da.Revolute("O", m.ground, "r", at=(0, 0)))
    m.add(da.Drive("d", "O", "0.2*t"))
    m.add(da.Torque("T", "r", 0.0))
    ask = {"times": np.linspace(0, 1, 5), "outputs": {"o": lambda run: run["d"].torque[0]}}
    with pytest.raises(AnalysisError, match=r"unknown= is solved for \(T"):
        da.sensitivities(m, ["M"], da.inverse_dynamics, unknown=["T"], **ask)
    assert da.sensitivities(m, ["M"], da.inverse_dynamics, **ask)["o"]["M"] == pytest.approx(4.905, rel=1e-9)


@pytest.mark.parametrize("method", ["forward", "adjoint"])
def test_a_run_that_ends_in_the_moment_of_a_sample(method):
    m = da.Model("met", dim=2, gravity=(0, 0), parameters={"v": 3.0, "u": 1.0})
    m.add(da.Body("b", mass=1.0, inertia=1.0, velocity=("v", 0)))
    common = {"stop": "b.x - 0.4 - u*t", "rtol": 1e-10, "method": method, "outputs": {"t": lambda run: run.t[-1]}}
    with pytest.raises(AnalysisError, match=r"ends at t = 0\.2 in the moment of a sample"):
        da.sensitivities(m, ["v", "u"], da.simulate, 1.0, step=0.05, **common)
    s = da.sensitivities(m, ["v", "u"], da.simulate, 1.0, step=0.03, **common)
    assert s.gradient("t") == pytest.approx([-0.1, 0.1], rel=1e-6)  # 0.4/(v − u)
