"""Sampled controllers: instants, hold, independence of outputs, resume bit for bit, failures with a name and a time."""

import numpy as np
import pytest
from stepped_models import controlled

import dalembert as da
from dalembert.errors import AnalysisError, FileError, ModelError, SimulationError


def exact(every, count, J=1.0, kp=40.0, kd=8.0):
    """A sampled PD on a free inertia: x⁺ = (Φ − Γ K) x, held torques."""
    from scipy.linalg import expm

    A = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0 / J], [0.0, 0.0, 0.0]])
    step, x, out = expm(A * every), np.array([0.0, 0.0]), []
    for _ in range(count):
        out.append(x.copy())
        x = (step @ [*x, kp * (0.3 - x[0]) - kd * x[1]])[:2]
    return np.array(out)


def test_held_between_instants_in_closed_form():
    m = da.Model("free", dim=2)
    m.add(da.Body("disc", mass=1.0, inertia=1.0))
    m.add(da.Revolute("pin", m.ground, "disc", at=(0, 0)))
    m.add(da.Signal("u", 0.0))
    m.add(da.Motor("motor", "pin", "u"))
    m.add(da.Controller("pd", every=0.05, reads=["pin.angle", "pin.rate"], sets="u",
                        call=lambda t, x, v: 40.0 * (0.3 - x) - 8.0 * v))
    run = da.simulate(m, 2.0, times=[0.05 * k for k in range(1, 41)], rtol=1e-11, atol=1e-13)
    want = exact(0.05, 41)
    assert np.abs(run["pin"].coordinate - want[1:, 0]).max() < 1e-11
    assert np.abs(run["pin"].rate - want[1:, 1]).max() < 1e-10
    assert np.array_equal(run["pd"].value, np.arange(2, 42))
    fine = da.simulate(m, 0.4, times=np.linspace(0.001, 0.4, 90))
    level = 40.0 * (0.3 - want[:, 0]) - 8.0 * want[:, 1]
    assert np.abs(fine["u"].value - level[np.floor(fine.t / 0.05 + 1e-9).astype(int)]).max() < 1e-5
    assert np.array_equal(fine["motor"].torque, fine["u"].value)


def test_a_kilohertz_over_ten_seconds():
    seen, again = [], []
    run = da.simulate(controlled(1e-3, seen), 10.0)
    t = np.array([s[0] for s in seen])
    assert len(t) == 10_001 and np.abs(t - 1e-3 * np.arange(10_001)).max() < 1e-12
    other = da.simulate(controlled(1e-3, again), 10.0, times=[0.12345, 3.3333, 10.0])
    assert seen == again and np.array_equal(run.q[-1], other.q[-1]) and np.array_equal(run.v[-1], other.v[-1])
    assert abs(run["pin"].coordinate[-1] - 0.3) < 1e-3


@pytest.mark.parametrize("integrator", ["auto", "rk5", "radau", "alpha"])
def test_all_integrators_agree(integrator):
    exact = da.simulate(controlled(), 1.0, rtol=1e-11, atol=1e-13)
    run = da.simulate(controlled(), 1.0, integrator=integrator)
    assert np.abs(run["pin"].coordinate - exact["pin"].coordinate).max() < 2e-4
    assert run["pid"].value[-1] == 101


def test_resume_is_bit_for_bit(tmp_path):
    whole = da.simulate(controlled(), 2.0)
    mended = tmp_path / "mended"
    call = controlled()["pid"].given["call"]

    def stopping(t, *rest):
        if t > 1.2345 and not mended.exists():
            raise KeyError("out of order")
        return call(t, *rest)

    n = controlled()
    n.remove("pid")
    n.add(da.Controller("pid", every=0.01, reads=["pin.angle", "pin.rate", "total"], sets=["u", "total"], call=stopping))
    with pytest.raises(SimulationError) as caught:
        da.simulate(n, 2.0, checkpoint=tmp_path / "c.npz")
    assert 1.2 < caught.value.run.t[-1] < 1.25
    for source in ((caught.value.run,), (n, tmp_path / "c.npz")):
        mended.touch()
        rest = da.resume(*source)
        assert np.array_equal(rest.q, whole.q) and np.array_equal(rest.v, whole.v)
    short = da.simulate(controlled(), 1.0, times=np.linspace(0, 2, 201)[:101])
    longer = da.resume(short, until=2.0)
    assert longer["pid"].value[-1] == 201 and abs(longer["pin"].coordinate[-1] - whole["pin"].coordinate[-1]) < 1e-7


def broken(answer):
    m = controlled()
    m.remove("pid")

    def call(t, angle):
        if t > 0.5:
            return answer() if callable(answer) else answer
        return 0.0

    m.add(da.Controller("pid", every=0.01, reads=["pin.angle"], sets="u", call=call))
    return m


@pytest.mark.parametrize(("answer", "words"), [
    (lambda: 1 / 0, r"Controller 'pid' raised ZeroDivisionError at t = 0\.51"),
    (float("nan"), r"Controller 'pid' returned nan for 'u' at t = 0\.51"),
    ([1.0, 2.0], r"Controller 'pid' returned 2 numbers at t = 0\.51; it sets u"), ("x", r"returned 'x' at t = 0\.51"),
    (None, r"Controller 'pid' returned nan for 'u'")])
def test_failures_have_a_name_and_a_time(answer, words):
    with pytest.raises(SimulationError, match=words) as caught:
        da.simulate(broken(answer), 1.0)
    run = caught.value.run
    assert run.status == "partial" and 0.5 <= run.t[-1] <= 0.51 and len(run.t) > 90
    sim = da.stepper(broken(answer))
    sim.step(0.5)
    with pytest.raises(SimulationError, match=words):
        sim.step(0.5)
    assert sim.t == pytest.approx(0.51)


def test_stepper_and_simulate_are_the_same_loop():
    for steps in (0.01, 0.0037, 0.1):
        seen, other = [], []
        sim = da.stepper(controlled(seen=seen), rtol=1e-10, atol=1e-12)
        while sim.t < 0.95:
            sim.step(steps)
        run = da.simulate(controlled(seen=other), sim.t, rtol=1e-10, atol=1e-12)
        assert [s[0] for s in seen] == [s[0] for s in other]
        assert abs(sim["pin"].coordinate - run["pin"].coordinate[-1]) < 1e-8 and sim["u"].value == pytest.approx(
            run["u"].value[-1], abs=1e-5)


def test_instants_are_hit_when_the_method_changes_inside_a_step():
    """The motion turns out stiff in the middle of a step that is longer than the time between two instants."""
    seen = []
    m = controlled(seen=seen)
    m.add(da.Differential("fast", "2e5*(sin(t) - fast)"))
    sim = da.stepper(m)
    sim.step(0.5)
    assert sim._job.method == "radau5"
    assert [s[0] for s in seen] == pytest.approx([0.01 * k for k in range(51)], abs=1e-12)


def test_another_time_between_instants_counts_from_now():
    """A change of the parameter that every= depends on: the next instant is the first one after the time reached."""
    seen = []
    m = controlled(seen=seen, beat="T", T=0.01)
    sim = da.stepper(m)
    sim.step(0.1)
    for T, expected in ((0.02, [0.12, 0.14, 0.16, 0.18, 0.2]), (0.01, [0.01 * k for k in range(21, 31)])):
        del seen[:]
        sim.parameters["T"] = T
        sim.step(0.1)
        assert [s[0] for s in seen] == pytest.approx(expected, abs=1e-12)


def test_a_stepper_goes_on_after_a_controller_failed():
    """Those that acted before the one that failed count; the next step is dt from where it stands, and asks again."""
    def two(fails):
        m = controlled()
        m.add(da.Signal("w", 0.0))
        m.add(da.Motor("other", "pin", "0*w"))
        m.add(da.Controller("second", every=0.01, reads=["pin.angle"], sets=["w"],
                            call=lambda t, x: float("nan") if fails and t > 0.015 else x))
        return m

    fails = [True]
    sim, smooth = da.stepper(two(fails)), da.stepper(two([]))
    with pytest.raises(SimulationError, match="second"):
        sim.step(0.025)
    assert sim.t == 0.02
    del fails[:]
    sim.step(0.025)
    smooth.step(0.02)
    smooth.step(0.025)
    assert sim.t == smooth.t == pytest.approx(0.045) and sim["u"].value == pytest.approx(smooth["u"].value, abs=1e-6)
    assert sim["pin"].coordinate == pytest.approx(smooth["pin"].coordinate, abs=1e-9)


def test_reactions_and_accelerations_are_read():
    """An accelerometer and a load cell: what results show at the instant, before the controller acts."""
    names = ["rod.acceleration.x", "pin.force.y", "pin.angle"]
    log = []
    m = controlled()
    m.remove("pid")
    m.add(da.Controller("c", every=0.1, reads=names, sets="u", call=lambda *given: log.append(given) or 0.0))
    run = da.simulate(m, 0.5, times=[0.1 * k for k in range(1, 6)], rtol=1e-9, atol=1e-11)
    found = np.array(log)[1:]
    assert np.abs(found[:, 1] - run["rod"].acceleration[:, 0]).max() < 1e-6
    assert np.abs(found[:, 2] - run["pin"].force[:, 1]).max() < 1e-5
    sim = da.stepper(m, reads=names)
    sim.step(0.25)
    assert np.allclose(sim.read(), [sim["rod"].acceleration[0], sim["pin"].force[1], sim["pin"].coordinate], rtol=1e-9)


def test_cascade_in_the_order_of_the_model():
    """An outer loop sets the goal that the inner one reads at the same instant; rates that are no multiples in floats."""
    m = controlled(0.01)
    m.remove("pid")
    m.add(da.Signal("goal", 0.0))
    log = []
    m.add(da.Controller("outer", every=0.3, sets="goal", call=lambda t: 1.0 + t))
    m.add(da.Controller("inner", every=0.1, reads=["goal"], sets="u", call=lambda t, g: log.append((t, g)) or g))
    run = da.simulate(m, 1.0)
    assert [g for _, g in log] == pytest.approx([1, 1, 1, 1.3, 1.3, 1.3, 1.6, 1.6, 1.6, 1.9, 1.9])
    assert run["outer"].value[-1] == 4 and run["inner"].value[-1] == 11


def test_starts_at_other_times():
    seen = []
    da.simulate(controlled(0.01, seen), 5.1, start=5.005)
    assert seen[0][0] == 5.01 and len(seen) == 10
    seen.clear()
    run = da.simulate(controlled(0.01, seen), 0.5)
    count = len(seen)
    da.simulate(controlled(0.01, seen), 0.6, start=0.5, state=run.state())
    assert len(seen) == count + 10 and seen[count][0] == 0.51  # the instant at 0.5 has been


def test_verified_and_saved(tmp_path):
    run = da.simulate(controlled(), 0.5, verify=True)
    assert run.certificate.error_estimate is not None
    run.save(tmp_path / "run.h5")
    back = da.load(tmp_path / "run.h5")
    assert np.array_equal(back.q, run.q) and np.array_equal(back["u"].value, run["u"].value)
    with pytest.raises(FileError, match="holds no code"):
        controlled().save(tmp_path / "m.toml")
    assert run.hash != da.simulate(broken(0.0), 0.1).hash


def test_refusals():
    m = controlled()
    for question in (lambda: da.linearize(m), lambda: da.sensitivities(m, [], da.simulate, until=0.1), lambda: da.equilibrium(m),
                     lambda: da.kinematics(m, until=1.0)):
        with pytest.raises(AnalysisError):
            question()
    with pytest.raises(AnalysisError, match="Controller 'pid' act at instants"):
        da.linearize(m)
    with pytest.raises(AnalysisError, match="set by Controller 'pid'"):
        da.stepper(m).inputs["u"] = 1.0

    def given(**changed):
        n = controlled()
        n.remove("pid")
        n.add(da.Controller("c", **{"every": 0.01, "sets": "u", "call": lambda t: 0.0, **changed}))
        return n.compile()

    for changed, words in (({"every": 0.0}, "more than 0"), ({"every": -1}, "more than 0"), ({"sets": "uu"}, "no signal 'uu'"),
                           ({"sets": "motor"}, "Motor 'motor'; a controller sets signals"), ({"sets": []}, "one signal or"),
                           ({"sets": ["u", "u"]}, "different"), ({"call": 3}, "is a function"), ({"reads": ["pin.x.y"]}, "pin.x"),
                           ({"reads": [3]}, "list of names"), ({"every": "zz"}, "zz")):
        with pytest.raises(ModelError, match=words):
            given(**changed)
    m.add(da.Controller("second", every=0.1, sets="u", call=lambda t: 0.0))
    with pytest.raises(ModelError, match="both set 'u'"):
        m.compile()
    n = controlled()
    n.remove("u")
    n.add(da.Signal("u", "sin(t)"))
    with pytest.raises(ModelError, match="the number it has before"):
        n.compile()
    d = controlled()
    d.add(da.Body("b", mass=1, inertia=1, position=(4, 0)))
    d.add(da.Revolute("B", d.ground, "b", at=(4, 0)))
    d.add(da.Drive("D", "B", "u*t"))
    with pytest.raises(ModelError, match="jumps is an impact"):
        d.compile()
