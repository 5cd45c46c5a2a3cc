"""Many steppers in one call: the same bits as one by one and on any number of threads, inputs and parameters per copy."""

import numpy as np
import pytest
from stepped_models import arm, controlled, four_bar, servo

import dalembert as da
from dalembert.errors import AnalysisError, ModelError, SimulationError


@pytest.mark.parametrize("make", [four_bar, arm])
@pytest.mark.parametrize("threads", [1, 3])
def test_the_bits_of_one_by_one(make, threads):
    n, rng = 13, np.random.default_rng(5)
    m = make()
    name = next(iter(da.stepper(m).inputs))
    sims, ones = da.steppers(m, n, threads=threads), [da.stepper(m) for _ in range(n)]
    for _ in range(12):
        u = rng.normal(size=n)
        sims.inputs[name] = u
        sims.step(0.005)
        for one, x in zip(ones, u, strict=True):
            one.inputs[name] = x
            one.step(0.005)
    for k in range(n):
        a, b = sims[k].snapshot(), ones[k].snapshot()
        assert all(np.array_equal(a.kept[key], b.kept[key]) for key in ("x", "real", "k")) and a.inputs == b.inputs
        assert a.t == b.t == pytest.approx(0.06)
    body = list(m.bodies)[-1]
    assert np.array_equal(sims[body].position, [one[body].position for one in ones])


def test_what_is_read_has_a_row_per_copy():
    m, u = four_bar(), np.linspace(-1, 1, 5)
    sims = da.steppers(m, 5, reads=["A.angle", "A.rate"])
    sims.inputs["motor"] = u
    sims.step(0.01)
    assert sims.read().shape == (5, 2) and np.array_equal(sims.read()[:, 0], sims["A"].coordinate)
    assert np.array_equal(sims["motor"].torque, u)  # what each copy's own tables say
    assert np.allclose(sims["B"].force, [one["B"].force for one in sims], rtol=1e-12)
    assert np.array_equal(sims.inputs["motor"], u) and len(sims) == 5 and "5 steppers" in repr(sims)


def test_parameters_and_states_per_copy():
    k = [1.0, 2.0, 5.0]
    sims = da.steppers(servo(), 3, parameters={"k": k}, rtol=1e-9, atol=1e-11)
    sims.inputs["u"] = 1.0
    sims.step(0.2)
    for value, one in zip(k, sims, strict=True):
        alone = da.stepper(servo(k=value), rtol=1e-9, atol=1e-11)
        alone.inputs["u"] = 1.0
        alone.step(0.2)
        assert np.array_equal(alone.state.q, one.state.q)
    run = da.simulate(servo(), 0.5)
    states = [run.state(k) for k in (0, 50, 100)]
    found = da.steppers(servo(), 3, states=states)
    assert np.array_equal(found.t, [s.t for s in states])
    found.step(0.1)
    assert np.abs(found[1].state.q - da.simulate(servo(), states[1].t + 0.1, rtol=1e-10).q[-1]).max() < 1e-6


def test_copies_may_go_ways_of_their_own():
    sims = da.steppers(four_bar(), 4)
    sims.step(0.01)
    kept = sims.snapshot()
    sims[2].step(0.005)
    sims[1].push("crank", (0.1, 0.0))
    sims.step(0.01)
    assert np.allclose(sims.t, [0.02, 0.02, 0.025, 0.02])
    sims.restore(kept)
    assert np.allclose(sims.t, 0.01)
    sims.step(0.01)
    sims.reset()
    assert np.array_equal(sims.t, np.zeros(4))


def test_inputs_of_all_reach_a_copy_whose_parameters_were_changed():
    sims, one = da.steppers(servo(), 3, reads=["O.angle", "A.angle"]), da.stepper(servo(), reads=["O.angle", "A.angle"])
    for sim in (sims[1], one):
        sim.parameters["k"] = 3.0
    sims.inputs["motor"], sims.inputs["u"] = 5.0, [1.0, 2.0, 3.0]
    one.inputs["motor"], one.inputs["u"] = 5.0, 2.0
    sims.step(0.05)
    one.step(0.05)
    assert [c.inputs["u"] for c in sims] == [1.0, 2.0, 3.0] and np.array_equal(sims.read()[1], one.read())
    sims.reset()
    sims.inputs["motor"] = 1.0
    sims.step(0.05)
    assert np.array_equal(sims.read()[1], sims.read()[0]) and sims[1].parameters["k"] == 2.0


@pytest.mark.parametrize("stiff", [True, False])
def test_one_copy_that_fails_holds_up_no_other(stiff):
    """All are carried on; who fails stands where it was, and goes on from there by dt."""
    m = servo()
    if stiff:  # every copy leaves the compiled call
        m.add(da.Differential("fast", "2e5*(sin(t) - fast)"))
    m.add(da.Motor("odd", "O", "sqrt(u + 0.001 - t)"))
    sims = da.steppers(m, 4)
    sims.inputs["u"] = [0.0, 1.0, 0.0, 1.0]
    with pytest.raises(SimulationError, match=r"copy 0 of 4: .*also copies 2"):
        sims.step(0.01)
    assert sims.t[1] == sims.t[3] == 0.01 and max(sims.t[0], sims.t[2]) <= 0.0011
    before = sims.t
    sims.inputs["u"] = 1.0
    sims.step(0.01)
    assert np.allclose(sims.t - before, 0.01, rtol=0, atol=1e-15)


def test_one_controller_that_fails_holds_up_no_other():
    def guard(t, rate):
        if abs(rate) > 10.0:
            raise ValueError("broken")
        return rate

    m = controlled()
    m.add(da.Signal("w", 0.0))
    m.add(da.Controller("guard", every=0.01, reads=["pin.rate"], sets=["w"], call=guard))
    sims = da.steppers(m, 3)
    sims.step(0.025)
    sims[0].push("rod", (0.0, 100.0))
    with pytest.raises(SimulationError, match=r"copy 0 of 3: .*broken"):
        sims.step(0.025)
    assert sims.t.tolist() == [0.03, 0.05, 0.05]


def test_controllers_and_stiff_copies():
    sims = da.steppers(controlled(), 2)
    for _ in range(10):
        sims.step(0.013)
    run = da.simulate(controlled(), 0.13, rtol=1e-9, atol=1e-11)
    assert np.abs(sims["pin"].coordinate - run["pin"].coordinate[-1]).max() < 1e-6
    m = servo()
    m.add(da.Differential("fast", "2e5*(sin(t) - fast)"))
    stiff = da.steppers(m, 2)
    for _ in range(30):
        stiff.step(0.02)
    assert [one._job.method for one in stiff] == ["radau5"] * 2 and np.allclose(stiff["fast"].value, np.sin(0.6), atol=1e-4)


def test_refusals():
    sims = da.steppers(servo(), 3)
    for value in ([1.0, 2.0], float("nan"), "x", [[1.0, 2.0, 3.0]]):
        with pytest.raises(AnalysisError, match="3 of them"):
            sims.inputs["motor"] = value
    with pytest.raises(AnalysisError, match="no input 'moter'"):
        sims.inputs["moter"] = 1.0
    for n in (0, 2.5, True, "3"):
        with pytest.raises(SimulationError, match="how many copies"):
            da.steppers(servo(), n)
    with pytest.raises(SimulationError, match="threads"):
        da.steppers(servo(), 2, threads=0)
    with pytest.raises(SimulationError, match="2, one per copy"):
        da.steppers(servo(), 2, parameters={"k": [1.0]})
    with pytest.raises(ModelError, match="no parameter"):
        da.steppers(servo(), 2, parameters={"kk": [1.0, 2.0]})
    for given, words in ((0.4, "one per copy; got 0.4"), ([1.0], "got 1")):
        with pytest.raises(SimulationError, match=words):
            da.steppers(servo(), 2, parameters={"k": given})
    with pytest.raises(SimulationError, match="a dict"):
        da.steppers(servo(), 2, parameters=[1.0, 2.0])
    with pytest.raises(SimulationError, match="snapshots are 3"):
        sims.restore(3)
    with pytest.raises(ModelError, match="names such as"):
        da.stepper(servo(), reads=3)
    m = servo()
    m.add(da.Motor("odd", "O", "sqrt(u + 0.001 - t)"))
    two = da.steppers(m, 2)
    two.inputs["u"] = [1.0, 0.0]
    with pytest.raises(SimulationError, match="copy 1 of 2"):
        two.step(0.01)
