"""Several inputs at once: the bits of setting them one by one, whatever holds the numbers; what is wrong is named."""

import numpy as np
import pytest
from stepped_models import arm, servo

import dalembert as da
from dalembert.errors import AnalysisError
from dalembert.integrators import layout as at

ORDERS = [(), ("m1", "m2", "m3"), ("m0", "m2", "m4"), ("m4", "m0", "m1"), ("m3",)]


@pytest.mark.parametrize("sets", ORDERS)
def test_the_bits_of_one_by_one(sets):
    m, rng = arm(), np.random.default_rng(8)
    names = sets or [f"m{k}" for k in range(5)]
    at_once, single = da.stepper(m, sets=sets), da.stepper(m)
    kinds = (np.asarray, list, tuple, lambda u: np.asarray(u)[::-1].copy()[::-1], lambda u: (x for x in u))
    for k in range(20):
        u = rng.normal(size=len(names))
        at_once.write(kinds[k % len(kinds)](u.tolist()))
        for name, x in zip(names, u.tolist(), strict=True):
            single.inputs[name] = x
        at_once.step(2e-3)
        single.step(2e-3)
        assert dict(at_once.inputs) == dict(single.inputs)
    assert np.array_equal(at_once._engine.state.x, single._engine.state.x)


def test_what_does_not_change_costs_nothing():
    for sets in ((), ("m4", "m0")):
        sim = da.stepper(arm(), sets=sets)
        u = np.arange(5.0)[:len(sets) or 5]
        sim.write(u)
        sim.step(1e-3)
        option = sim._engine.task.option
        assert option[at.CHANGED] == 0
        sim.write(u)
        assert option[at.CHANGED] == 0
        sim.write(u + 1)
        assert option[at.CHANGED] == 1


@pytest.mark.parametrize("u", [[1.0], [1.0, np.nan], [np.inf, -np.inf], np.array([1.0, np.inf]), np.zeros((2, 1)), "ab", None,
                               3.0, [1.0, "x"], [1j, 2.0], np.array([1j, 2.0]), np.zeros(0)])
def test_wrong_vectors_are_named_and_set_nothing(u):
    sim = da.stepper(servo())
    sim.write([3.0, 4.0])
    with pytest.raises(AnalysisError, match=r"write of 'servo' takes 2 finite numbers \(u, motor\)"):
        sim.write(u)
    assert sorted(sim.inputs.values()) == [3.0, 4.0]


def test_large_numbers_are_finite_though_their_sum_is_not():
    sim = da.stepper(servo())
    sim.write([1.7e308, 1.7e308])
    assert set(sim.inputs.values()) == {1.7e308}


def test_wrong_names_are_named():
    with pytest.raises(AnalysisError, match=r"no input 'moter'.*did you mean 'motor'"):
        da.stepper(servo(), sets=["moter"])
    with pytest.raises(AnalysisError, match="'motor' twice"):
        da.stepper(servo(), sets=["motor", "motor"])
    with pytest.raises(AnalysisError, match="no input 'moter'"):
        da.steppers(servo(), 2, sets=["moter"])


def test_many_copies_take_a_row_each_or_one_for_all():
    m, rng = arm(), np.random.default_rng(9)
    sims, ones = da.steppers(m, 6, sets=("m3", "m0")), [da.stepper(m, sets=("m3", "m0")) for _ in range(6)]
    for u in (rng.normal(size=(6, 2)), rng.normal(size=2)):
        sims.write(u)
        sims.step(0.01)
        for one, x in zip(ones, np.broadcast_to(u, (6, 2)), strict=True):
            one.write(x)
            one.step(0.01)
        assert all(np.array_equal(a._engine.state.x, b._engine.state.x) for a, b in zip(sims, ones, strict=True))
    sims.inputs["m1"] = 4.0  # what was set before is not forgotten by writing what is there already
    sims.write(u)
    assert np.all(sims._options[:, at.CHANGED] == 1)
    for wrong in (np.zeros(6), np.zeros((2, 6)), [1.0, np.nan], "ab", np.array([1j, 0.0])):
        with pytest.raises(AnalysisError, match=r"takes 2 finite numbers, or 6 rows of them \(m3, m0\)"):
            sims.write(wrong)
    with pytest.raises(AnalysisError, match="takes a finite number, or 6 of them"):
        sims.inputs["m0"] = np.full(6, 1j)


def test_who_keeps_the_mappings_goes_on_with_them():
    """Tables are made anew when a parameter changes: what was kept before must not write into old ones."""
    sim = da.stepper(servo(), sets=["motor"])
    inputs, parameters, write = sim.inputs, sim.parameters, sim.write
    sim.step(0.01)
    parameters["k"] = 3.0
    inputs["motor"] = 7.0
    sim.step(0.01)
    assert parameters["k"] == 3.0 and sim.inputs["motor"] == 7.0 and sim["motor"].torque == 7.0
    write([2.0])
    assert inputs["motor"] == 2.0
    sim.reset()
    write([5.0])
    sim.step(0.01)
    assert sim["motor"].torque == 5.0 and parameters["k"] == 2.0
