"""Steppers: the same motion as simulate, inputs held, snapshots bit for bit, changes from outside, real time, refusals."""

import pickle
import warnings
from dataclasses import replace

import numpy as np
import pytest
from stepped_models import arm, controlled, four_bar, servo

import dalembert as da
from dalembert.analyses.stepping import pace
from dalembert.errors import AnalysisError, ModelError, SimulationError
from dalembert.integrators import layout as at


def test_a_thousand_steps_are_one_run():
    for model in (servo(), four_bar(), arm()):
        sim = da.stepper(model)
        for _ in range(1000):
            sim.step(1e-3)
        run = da.simulate(model, 1.0, rtol=1e-11, atol=1e-13)
        assert sim.t == 1.0
        for name in model.bodies:
            assert np.abs(sim[name].position - run[name].position[-1]).max() < 1e-6
        assert np.abs(sim.state.v - run.v[-1]).max() < 1e-5
    assert sim._job.form.name == "recursive"


def test_steps_are_adaptive_inside_and_end_exactly():
    one, many = da.stepper(servo(), rtol=1e-9, atol=1e-11), da.stepper(servo(), rtol=1e-9, atol=1e-11)
    one.step(1.0)
    for k in range(1, 8):
        many.step(k / 28.0)  # 28/28 in all
    assert one.t == 1.0 and abs(many.t - 1.0) < 1e-15
    assert np.abs(one.state.q - many.state.q).max() < 1e-8
    assert one._engine.state.count[1] > 5


def test_inputs_are_held_from_now_on():
    """Piecewise constant torques: the same as a run with the law step by step."""
    sim, rng = da.stepper(servo(), rtol=1e-10, atol=1e-12), np.random.default_rng(3)
    u, w = rng.normal(size=(2, 20))
    for k in range(20):
        sim.inputs["motor"], sim.inputs["u"] = 5 * u[k], float(w[k])
        sim.step(0.05)
    m = servo()
    times = [0.05 * k for k in range(20)]
    m.remove("motor")
    m.remove("u")
    m.add(da.Motor("motor", "O", " + ".join(["5*" + repr(float(u[0]))] + [
        f"5*({float(u[k] - u[k - 1])!r})*step(t - {times[k]!r})" for k in range(1, 20)])))
    m.add(da.Signal("u", " + ".join([repr(float(w[0]))] + [f"({float(w[k] - w[k - 1])!r})*step(t - {times[k]!r})"
                                                            for k in range(1, 20)])))
    run = da.simulate(m, 1.0, rtol=1e-10, atol=1e-12)
    assert np.abs(sim.state.q - run.q[-1]).max() < 1e-8
    assert sim["motor"].torque == pytest.approx(5 * u[-1]) and sim["u"].value == w[-1] and sim.inputs["u"] == w[-1]


def test_alpha_begins_again_with_the_accelerations_of_a_changed_input():
    """Under a constant force its steps are exact; begun with the accelerations of before they missed 5e-5."""
    m = da.Model("cart", dim=2, gravity=(0, 0))
    m.add(da.Body("b", mass=2.0, inertia=1.0, position=(0, 0)))
    m.add(da.Prismatic("g", "ground", "b", at=(0, 0), axis=(1, 0)))
    m.add(da.Force("push", "b", (0.0, 0.0)))
    sim = da.stepper(m, integrator="alpha", rtol=1e-3)
    sim.step(0.1)
    sim.inputs["push.x"] = 3.0
    sim.step(0.1)
    assert abs(sim.state["b"].velocity[0] - 0.15) < 1e-14 and abs(sim.state["b"].position[0] - 0.0075) < 1e-14


def test_components_of_forces_are_inputs():
    m = servo()
    m.add(da.Force("wind", "lower", (0.0, 1.0)))
    m.add(da.Torque("twist", "lower", 0.0))
    m.add(da.Force("other", "lower", (0.0, 1.0)))  # the same numbers: not the same inputs
    sim = da.stepper(m)
    assert {"wind.x", "wind.y", "twist", "other.x", "motor", "u"} <= set(sim.inputs)
    sim.inputs["wind.x"] = 7.0
    sim.inputs["twist"] = 2.0
    assert np.allclose(sim["wind"].force, [7.0, 1.0]) and np.allclose(sim["other"].force, [0.0, 1.0])
    m.remove("wind")
    m.remove("twist")
    m.add(da.Force("wind", "lower", (7.0, 1.0)))
    m.add(da.Torque("twist", "lower", 2.0))
    sim.step(0.2)
    assert np.abs(sim.state.q - da.simulate(m, 0.2, rtol=1e-10, atol=1e-12).q[-1]).max() < 1e-7


@pytest.mark.parametrize("make", [servo, four_bar, arm, controlled])
@pytest.mark.parametrize("options", [{}, {"integrator": "radau"}, {"integrator": "alpha"}])
def test_snapshots_are_bit_for_bit(make, options):
    sim = da.stepper(make(), **options)
    for k in range(20):
        sim.step(0.003 + 0.001 * (k % 2))
    names = list(sim.inputs)

    def go_on():
        for k in range(25):
            for name in names:
                sim.inputs[name] = 0.1 * (k // 5)
            sim.step(0.004)
        return sim.snapshot()

    first = sim.snapshot()
    a = go_on()
    views = [np.array(sim[b].position) for b in sim.system.bodies]
    sim.restore(pickle.loads(pickle.dumps(first)))
    assert sim.snapshot() == first
    b = go_on()
    assert a == b and a != first
    assert all(np.array_equal(x, sim[n].position) for x, n in zip(views, sim.system.bodies, strict=True))
    other = da.stepper(make(), **options)
    other.restore(first)
    sim = other
    assert go_on() == a


@pytest.mark.parametrize("make", [servo, four_bar, arm])
def test_a_snapshot_brings_what_the_beginning_has_fixed(make):
    """A stepper that began elsewhere has found other scales there: they go along, too."""
    sim = da.stepper(make())
    sim.step(0.1)
    other = da.stepper(make(), state=da.simulate(make(), 0.7).state(-1))
    kept = sim.snapshot()
    other.restore(kept)
    for one in (sim, other):
        one.step(0.1)
    assert sim.snapshot() == other.snapshot() and np.array_equal(sim._engine.task.weight, other._engine.task.weight)


def test_an_input_that_was_just_set_is_in_the_snapshot():
    """The next step takes the derivative anew, in the stepper that is restored too."""
    sim, other = da.stepper(servo()), da.stepper(servo())
    sim.step(0.01)
    sim.inputs["motor"] = 7.0
    kept = sim.snapshot()
    other.restore(kept)
    for one in (sim, other):
        one.step(0.01)
    assert sim.snapshot() == other.snapshot()


def test_rows_left_out_are_in_the_snapshot():
    """Which equations are left out as dependent was chosen in the past: a stepper that stands elsewhere takes it over."""
    m = da.catalog.make("bricard")
    sim = da.stepper(m)
    assert any(x.size for x in sim.snapshot().memory.values())
    kept = [sim.snapshot()]
    for _ in range(4):
        sim.step(0.25)
        kept.append(sim.snapshot())
    for one in kept:
        changed = replace(one, memory={name: np.roll(x, 1) for name, x in one.memory.items()})
        for snapshot in (one, changed):
            sim.restore(snapshot)
            assert sim.snapshot() == snapshot


def test_back_from_radau_to_the_form_of_the_beginning():
    """A tree begins in the recursive form and turns out stiff: the beginning has another number of components."""
    m = arm()
    m.add(da.Motor("brake", "j4", "-1e4*rate"))
    sim = da.stepper(m)
    first = sim.snapshot()
    for _ in range(50):
        sim.step(0.01)
    assert (first.form, sim.snapshot().form) == ("recursive", "augmented")
    last = sim.snapshot()
    sim.reset()
    assert sim.snapshot() == first
    for _ in range(50):
        sim.step(0.01)
    assert sim.snapshot() == last


def test_parameters_by_every_way_of_a_mapping():
    """update, setdefault … change the model, or refuse; what is shown is what is stepped."""
    sim = da.stepper(servo())
    sim.parameters.update(k=5.0)
    assert sim.parameters["k"] == sim.model.parameters["k"] == 5.0 and "5.0" in repr(sim.parameters)
    with pytest.raises(AnalysisError, match="taken away"):
        sim.parameters.pop("k")
    for name in ("inputs", "parameters"):
        with pytest.raises(AttributeError):
            setattr(sim, name, {"motor": 1.0})
    sim.inputs[sim.model["motor"]] = 2.0  # an element is its name
    assert sim.inputs["motor"] == 2.0
    with pytest.raises(AnalysisError, match="has a name"):
        sim.inputs[3] = 1.0
    with pytest.raises(SimulationError, match="dt is a time"):
        sim.step(True)


def test_the_cheapest_method_of_short_steps():
    """rk4: five evaluations per step when an input was set, and the accuracy of its order."""
    sims = {name: da.stepper(arm(), integrator=name) for name in ("rk4", "rk5", "rk8")}
    for sim in sims.values():
        for k in range(200):
            sim.inputs["m0"] = 0.01 * k + 0.1
            sim.step(0.001)
    calls = {name: int(sim._engine.state.count[at.CALLS]) for name, sim in sims.items()}
    q = {name: np.array([sim[f"j{k}"].coordinate for k in range(5)]) for name, sim in sims.items()}
    assert calls["rk4"] <= 5 * 200 + 20 and calls["rk5"] >= 7 * 200
    assert np.abs(q["rk4"] - q["rk8"]).max() < 1e-9 and np.abs(q["rk5"] - q["rk8"]).max() < 1e-11


def test_reset_goes_back_whole():
    sim = da.stepper(servo())
    first = sim.snapshot()
    sim.inputs["motor"] = 3.0
    sim.step(0.1)
    sim.parameters["k"] = 9.0
    sim.step(0.1)
    sim.reset()
    assert sim.snapshot() == first and sim.inputs["motor"] == 0.0 and sim.parameters["k"] == 2.0


def test_parameters_change_on_the_way():
    sim = da.stepper(servo(), rtol=1e-10, atol=1e-12)
    sim.inputs["u"] = 1.5
    sim.step(0.3)
    sim.parameters["k"] = 5.0
    assert sim["elbow"].torque == pytest.approx(7.5 - 0.1 * sim["A"].rate)
    assert sim.inputs["u"] == 1.5
    state = sim.state
    sim.step(0.3)
    m = servo(k=5.0)
    m.remove("u")
    m.add(da.Signal("u", 1.5))
    run = da.simulate(m, 0.6, start=0.3, state=state, rtol=1e-10, atol=1e-12)
    assert np.abs(sim.state.q - run.q[-1]).max() < 1e-8
    with pytest.raises(ModelError, match="no parameter 'kk'"):
        sim.parameters["kk"] = 1.0
    bar = da.stepper(four_bar())
    with pytest.raises(AnalysisError, match="shape of the mechanism"):
        bar.parameters["l2"] = 1.3 * bar.parameters["l2"]


@pytest.mark.parametrize("make", [four_bar, arm])
def test_a_push_is_the_limit_of_a_short_force(make):
    m = make()
    name = list(m.bodies)[-1]
    sim = da.stepper(m)
    P, H = ((0.02, -0.03), (0.001,)) if m.dim == 2 else ((0.02, -0.03, 0.01), (0.001, 0.002, -0.001))
    sim.step(0.1)
    state = sim.state
    at = np.array(state[name].position) + 0.05
    sim.push(name, P, at=at, torque=H)
    short = 1e-7
    n = m.copy()
    n.add(da.Force("blow", name, [p / short for p in P], on=tuple(_local(state[name], at))))
    n.add(da.Torque("turn", name, [h / short for h in H] if m.dim == 3 else H[0] / short))
    run = da.simulate(n, 0.1 + short, start=state.t, state=state, times=[0.1 + short])
    assert np.abs(run.v[-1] - sim.state.v).max() < 1e-5 * np.abs(sim.state.v - state.v).max() + 1e-6
    assert np.array_equal(sim.state.q, state.q) or np.abs(sim.state.q - state.q).max() < 1e-14
    sim.step(0.1)


def _local(view, at):
    R = np.array(view.rotation) if hasattr(view, "rotation") else np.array([[np.cos(view.angle), -np.sin(view.angle)],
                                                                            [np.sin(view.angle), np.cos(view.angle)]])
    return R.T @ (np.asarray(at) - view.position)


def test_laws_of_time_break_in_a_stepper_too():
    """Past the window in which breaks are looked for at first; the same with steps of any length."""
    m = servo()
    m.add(da.Torque("blows", "lower", "2*step(t - 0.123) - 2*step(t - 12.345)"))
    sims = [da.stepper(m, rtol=1e-9, atol=1e-11, start=11.9) for _ in range(2)]
    for _ in range(50):
        sims[0].step(0.01)
    sims[1].step(0.5)
    assert np.abs(sims[0].state.q - sims[1].state.q).max() < 1e-8
    run = da.simulate(m, 12.4, start=11.9, rtol=1e-9, atol=1e-11)
    assert np.abs(sims[0].state.q - run.q[-1]).max() < 1e-7
    long = da.stepper(m, start=0.0)
    for _ in range(130):
        long.step(0.1)
    assert long._window > 0.0
    kept = long.snapshot()
    long.step(0.1)
    a = long.snapshot()
    long.restore(kept)
    long.step(0.1)
    assert long.snapshot() == a


def test_stiff_motion_goes_on_with_radau():
    m = servo()
    m.add(da.Differential("fast", "2e5*(sin(t) - fast)"))
    sim = da.stepper(m)
    for _ in range(100):
        sim.step(0.01)
    assert sim._job.method == "radau5" and sim["fast"].value == pytest.approx(np.sin(1.0), abs=1e-4)
    assert abs(sim.t - 1.0) < 1e-12
    assert np.abs(sim.state.q[:6] - da.simulate(m, 1.0).q[-1][:6]).max() < 1e-4


def test_reads_are_what_views_show():
    for make, names in ((servo, ["O.angle", "A.rate", "lower.x", "u"]), (arm, ["j3.angle", "j1.rate", "b4.z"])):
        sim = da.stepper(make(), reads=names)
        sim.step(0.2)
        view = {"angle": "coordinate", "rate": "rate"}
        want = []
        for name in names:
            base, _, part = name.partition(".")
            if part in view:
                want.append(getattr(sim[base], view[part]))
            else:
                want.append(sim[base].value if not part else sim[base].position["xyz".index(part)])
        assert np.allclose(sim.read(), want, rtol=0, atol=1e-14)
    with pytest.raises(AnalysisError, match="reads="):
        da.stepper(servo()).read()
    with pytest.raises(ModelError, match="not known"):
        da.stepper(servo(), reads=["Q.angle"])


def test_views_are_of_the_time_reached():
    sim = da.stepper(four_bar())
    view = sim["A"]
    before = view.coordinate
    sim.step(0.1)
    assert sim["A"].coordinate != before and "A" in sim and "nobody" not in sim
    m = four_bar()
    state = da.accelerations(m, sim.state)
    assert np.allclose(sim["B"].force, state["B"].force, rtol=1e-9)
    with pytest.raises(AnalysisError, match="there is no 'nobody'"):
        sim["nobody"]


def test_the_model_is_not_touched():
    m = servo()
    text = repr(m.elements), dict(m.parameters)
    sim = da.stepper(m, reads=["O.angle"])
    sim.inputs["motor"] = 4.0
    sim.parameters["k"] = 3.0
    sim.step(0.1)
    assert text == (repr(m.elements), dict(m.parameters))
    assert da.stepper(m).inputs["motor"] == 0.0


def test_refusals():
    m = servo()
    m.add(da.Signal("speed", 1.0))
    m.add(da.Body("wheel", mass=1.0, inertia=0.1, position=(3, 0)))
    m.add(da.Revolute("W", m.ground, "wheel", at=(3, 0)))
    m.add(da.Drive("turn", "W", "speed*t"))
    sim = da.stepper(m)
    for name, words in (("speed", "no prescribed motion"), ("turn", "cannot jump"), ("moter", "motor"), ("lower", "no input")):
        with pytest.raises(AnalysisError, match=words):
            sim.inputs[name] = 1.0
    for value in (float("nan"), "2", None, float("inf")):
        with pytest.raises(AnalysisError, match="finite number"):
            sim.inputs["motor"] = value
    for dt in (0.0, -1.0, float("nan"), "1", None, float("inf")):
        with pytest.raises(SimulationError, match="dt is a time"):
            sim.step(dt)
    with pytest.raises(SimulationError, match="lost in the digits"):
        sim.step(1e-300) or sim.step(1.0) or sim.step(1e-300)
    with pytest.raises(AnalysisError, match="snapshot"):
        sim.restore("x")
    with pytest.raises(AnalysisError, match="components"):
        sim.restore(da.stepper(four_bar()).snapshot())
    with pytest.raises(AnalysisError, match="no body 'upperr'"):
        sim.push("upperr", (1, 0))
    with pytest.raises(AnalysisError, match="2 components"):
        sim.push("upper", (1, 0, 0))
    with pytest.raises(AnalysisError, match="give an impulse"):
        sim.push("upper")
    with pytest.raises(SimulationError, match="rk9"):
        da.stepper(m, integrator="rk9")
    with pytest.raises(AnalysisError, match="expected a Model"):
        da.stepper("m")


def test_a_failure_names_who_and_when():
    m = servo()
    m.add(da.Motor("odd", "O", "sqrt(0.5 - t)"))
    sim = da.stepper(m)
    sim.step(0.4)
    with pytest.raises(SimulationError, match=r"stands at t = 0\.[45].*odd"):
        sim.step(0.2)
    assert 0.4 <= sim.t <= 0.5


def test_real_time_by_a_clock_of_ours(monkeypatch):
    now, slept = [0.0], []
    work = [0.004]

    def clock():
        return now[0]

    def sleep(seconds):
        slept.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(pace, "clock", clock)
    monkeypatch.setattr(pace, "sleep", sleep)
    sim = da.stepper(servo())

    def cost(s):
        now[0] += work[0]

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = sim.run(1.0, step=0.01, realtime=1.0, call=cost)
    assert found.kept and found.late == 0 and now[0] == pytest.approx(1.0) and len(slept) == 100 and sim.t == pytest.approx(1.0)
    assert found.speed == pytest.approx(2.5)
    work[0] = 0.02
    with pytest.warns(RuntimeWarning, match=r"cannot keep up with realtime=1: .*0\.5 simulated seconds per second"):
        found = sim.run(1.0, step=0.01, realtime=1.0, call=cost)
    assert not found.kept and found.late == 100 and found.behind == pytest.approx(1.0)
    before = now[0]
    sim.run(0.5, step=0.01)
    assert now[0] == before
    with pytest.raises(SimulationError, match="realtime"):
        sim.run(1.0, realtime=0.0)


def test_an_input_that_is_set_where_a_window_ends_acts_from_there():
    """A law of time is surveyed window by window (10 s); ω̇ = 0.001 sin t + u, u = 1 from t = 10 on: solved by hand."""
    m = da.Model("w", dim=2, gravity=(0, 0))
    m.add(da.Body("b", mass=1.0, inertia=1.0))
    m.add(da.Revolute("A", m.ground, "b", at=(0, 0)))
    m.add(da.Motor("law", "A", "0.001*sin(t)"))
    m.add(da.Motor("u", "A", 0.0))
    s = da.stepper(m, fixed_step=0.5)
    for _ in range(2):
        s.step(5.0)
    angle, rate = float(s["A"].coordinate), float(s["A"].rate)
    s.inputs["u"] = 1.0
    s.step(5.0)
    more = 5 * rate + 12.5 + 0.001 * (np.sin(10) - np.sin(15) + 5 * np.cos(10))
    assert float(s["A"].coordinate) - angle == pytest.approx(more, abs=1e-8)
