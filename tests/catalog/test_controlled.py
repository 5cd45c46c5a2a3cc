"""Controlled machines of the catalogue: each against what is known of it without the law that moves it."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.catalog.excavator import LAWS, SIZES
from dalembert.expressions import parse

FREE = {"governor": 2, "four-bar-servo": 1, "two-link-arm-computed": 2, "excavator-hydraulic": 3}


def run(name, **kw):
    return da.simulate(catalog.make(name), catalog.CONTROLLED[name].until, **kw)


@pytest.mark.parametrize("name", FREE)
def test_runs_without_doubts_and_through_files(name, runs_and_comes_back):
    assert set(FREE) == set(catalog.CONTROLLED)
    _, whole = runs_and_comes_back(catalog.CONTROLLED[name], "control", FREE[name])
    assert whole.stats["method"] == "rk8"  # the gallery compiles nothing for implicit ones


def test_the_governor_gives_what_is_taken():
    found = run("governor")
    before = found.t < 1
    assert np.abs(found["slide"].coordinate[before]).max() < 1e-9  # begins in its balance, by the closed form of ω
    assert abs(found["slide"].coordinate[-1] + 1.0 / 60) < 1e-5
    assert found["shaft"].rate[-1] < found["shaft"].rate[0] - 0.1  # a proportional governor droops
    assert abs(found["engine"].torque[-1] - 2.0) < 1e-3


def test_the_rocker_comes_to_rest_where_statics_says():
    """At rest virtual work leaves  M δφ_A = weights' work: the torque there is what ``hold`` finds."""
    found = run("four-bar-servo")
    assert abs(found["A"].rate[-1]) < 1e-4
    held = catalog.make("four-bar")
    held.initials.clear()
    held.parameters["M"] = 0.0
    held.add(da.Motor("motor", "A", "M"))
    held.initial("A", coordinate=float(found["A"].coordinate[-1]))
    assert abs(da.hold(held, unknown="M", state=da.assemble(held)).value / found["servo"].torque[-1] - 1) < 1e-4
    assert abs(found["servo"].torque[-1] - 60 * (0.2 - found["D"].coordinate[-1])) < 1e-4


def test_computed_torque_leaves_two_linear_equations():
    """What is missed is  (e₀ + (ė₀ + 5 e₀) t) exp(−5 t)  in each joint: k_p = 25, k_d = 10, a double root."""
    found = run("two-link-arm-computed", rtol=1e-10)
    t = found.t
    for joint, want, rate, start in (("shoulder", np.sin(t), 1.0, 0.3), ("elbow", 0.5 * np.cos(2 * t) - 0.5, 0.0, -0.2)):
        miss = (-start + (rate - 5 * start) * found.t) * np.exp(-5 * found.t)
        assert np.abs(want - found[joint].coordinate - miss).max() < 1e-8, joint


def test_the_excavator_follows_with_the_lag_of_its_valves():
    found = run("excavator-hydraulic")
    drawn = found.model.parameter_values()
    for name, law in zip(SIZES, LAWS, strict=True):
        goal = np.array([parse(law).evaluate({"t": float(t)}) for t in found.t])
        went = found[f"{name}_oil"].length - drawn[f"s_{name}"]
        assert 1e-3 < np.abs(goal - went).max() < 0.25 * np.ptp(goal), name  # late, but there
        for p in (found[f"{name}_oil_p"].value, found[f"{name}_oil_p_rod"].value):
            assert p.min() > 0 and p.max() < 2.1e7  # between tank and supply
        push = found[f"{name}_oil_p"].value * SIZES[name][0] - found[f"{name}_oil_p_rod"].value * SIZES[name][1]
        assert np.abs(push - 3e4 * found[f"{name}_oil"].rate + found[f"{name}_oil"].force).max() < 1e-6 * np.abs(push).max()
