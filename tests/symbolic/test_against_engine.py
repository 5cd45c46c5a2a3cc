"""Every method that applies, on every worked system, agrees with the compiled engine at random consistent states."""

import numpy as np
import pytest
import text_models
from laws_of_reading import latex_faults, strange_numbers

import dalembert as da
from dalembert import catalog
from dalembert.equations.workspace import workspace
from dalembert.symbolic.numbers.states import random_states

METHODS = ("newton-euler", "virtual-work", "dalembert", "lagrange")
NAMES = (
    "rod-on-block",
    "rod-and-disc",
    "two-link-arm",
    "four-bar",
    "slider-crank",
    "planetary-gear",
    "lagrange-top",
    "rolling-disc",
    "chaplygin-sleigh",
    "double-pendulum",
    "pendulum-on-block",
    "car-axis",
    "slider-crank-spring",
    "spatial-four-bar",
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("method", METHODS)
def test_worked_systems(name, method):
    model = catalog.make(name)
    eqs = da.derive(model, method)
    found = eqs.verify(count=6)
    assert found.ok, found
    assert strange_numbers(eqs.text(), model.parameter_values().values()) == [] and latex_faults(eqs.latex()) == []


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("make", ["rod_on_block", "slider_crank", "rod_and_disc", "two_link", "heavy_top", "sleigh"])
def test_with_parameters(make, method):
    model = getattr(text_models, make)()
    eqs = da.derive(model, method)
    assert eqs.verify().ok, eqs.verify()
    for key in model.parameters:  # parameters are symbols: other numbers need no new derivation
        model.parameters[key] = model.parameter_values()[key] * 1.07
    assert eqs.verify(model).ok, eqs.verify(model)


def test_a_wrong_sign_is_seen():
    model = catalog.make("two-link-arm")
    eqs = da.derive(model, "lagrange")
    eqs.terms.applied[0] = -eqs.terms.applied[0]
    found = eqs.verify()
    assert not found.ok and not found and "NOT the same" in str(found)
    assert found.differences["forcing"] > 0.1 and found.differences["mass matrix"] < 1e-10


@pytest.mark.parametrize("coordinates", [["A"], ["D"], ["crank.angle"], ["A", "B", "C"]])
@pytest.mark.parametrize("method", METHODS)
def test_four_bar_in_the_users_coordinates(coordinates, method):
    eqs = da.derive(catalog.make("four-bar"), method, coordinates=coordinates)
    assert eqs.coordinates[0] == coordinates[0]
    assert eqs.verify(count=10).ok, eqs.verify(count=10)


def test_four_bar_augmented_and_reduced():
    whole = da.derive(catalog.make("four-bar"), "lagrange")
    assert len(whole.multipliers) == 2 and len(whole.coordinates) == 3
    small = whole.embedded(["A"])
    assert small.coordinates == ["A"] and not small.multipliers and small.B.shape == (3, 1)
    assert small.verify().ok
    assert set(small.closed_form) == set(small.dependent)


def test_slider_crank_forces_are_the_engines():
    """Q_e is what holds the crank at rest (drive at rest, minus its torque), Q_i − Q_e the torque that drives a given motion."""
    model = text_models.slider_crank()
    eqs = da.derive(model, "virtual-work", coordinates=["crank.angle"])
    led = model.copy()
    led.parameters["acc"] = 0.0
    led.add(da.Drive("motor", "O", "acc*t**2/2"))
    worst = {"Q_e": 0.0, "Q_i": 0.0}
    random = np.random.default_rng(3)
    for state in random_states(model, 100, seed=7):
        at = eqs.evaluate(state)
        led.parameters["acc"] = float(random.uniform(-40, 40))
        w = workspace(led.compile())
        Q_i = at.mass_matrix[0, 0] * led.parameters["acc"] - at.forcing[0]  # M q̈ − f = Q_i − Q_e
        w.set(state.t, state.q, state.v)
        w.run("accelerations")
        torque = -w.lam[-1]
        worst["Q_i"] = max(worst["Q_i"], abs(torque - Q_i) / max(1.0, abs(torque)))
        led.parameters["acc"] = 0.0
        w = workspace(led.compile())
        w.set(state.t, state.q, 0 * state.v)
        w.run("accelerations")
        still = eqs.evaluate(da.accelerations(model, state=type(state)(model, state.system, state.t, state.q, 0 * state.v)))
        worst["Q_e"] = max(worst["Q_e"], abs(-w.lam[-1] + still.forcing[0]) / max(1.0, abs(w.lam[-1])))
    assert worst["Q_e"] < 1e-10 and worst["Q_i"] < 1e-10, worst


def test_multipliers_are_the_reactions_knife_edge():
    """Nonholonomic, signs included: λ is the sideways force of the edge on the sleigh."""
    model = text_models.sleigh()
    eqs = da.derive(model, "dalembert")
    for state in random_states(model, 20, seed=2):
        now = da.accelerations(model, state=state)
        angle = state["sleigh"].angle
        sideways = now["edge"].force @ [-np.sin(angle), np.cos(angle)]
        assert eqs.evaluate(state).multipliers[0] == pytest.approx(sideways, rel=1e-10, abs=1e-10)


def test_multipliers_are_the_reactions_rolling_disc():
    model = catalog.make("rolling-disc")
    eqs = da.derive(model, "dalembert", coordinates=["disc.zxz"], reduce=False)
    for state in random_states(model, 20, seed=2, spread=0.1):
        now = da.accelerations(model, state=state)
        assert eqs.evaluate(state).multipliers == pytest.approx(-now["contact"].multipliers, rel=1e-9, abs=1e-9)


def test_rolling_disc_in_its_three_angles():
    """As many names as degrees of freedom: x, y, z of the centre are eliminated, also behind nonholonomic equations."""
    eqs = da.derive(catalog.make("rolling-disc"), "dalembert", coordinates=["disc.zxz"])
    assert eqs.coordinates == ["disc.phi", "disc.theta", "disc.psi"] and eqs.dependent == ["disc.x", "disc.y", "disc.z"]
    assert eqs.verify(count=10).ok, eqs.verify(count=10)


def test_multipliers_are_the_reactions_four_bar():
    """Holonomic: the cut joint's force on its second body, in ground axes; and minus λ by Lagrange."""
    model = catalog.make("four-bar")
    parts = {method: da.derive(model, method) for method in ("dalembert", "lagrange")}
    assert [r.split(":")[0] for r in parts["dalembert"].multiplier_names] == ["C", "C"]
    for state in random_states(model, 20, seed=4):
        force = da.accelerations(model, state=state)["C"].force
        assert parts["dalembert"].evaluate(state).multipliers == pytest.approx(force, rel=1e-9, abs=1e-9)
        assert parts["lagrange"].evaluate(state).multipliers == pytest.approx(-force, rel=1e-9, abs=1e-9)


def test_drives_as_constraints_give_their_torque():
    model = catalog.make("slider-crank-driven")
    eqs = da.derive(model, "dalembert", drives="constraints")
    for t in (0.0, 0.13, 0.4):
        state = da.assemble(model, t)
        torque = da.accelerations(model, state=state)["motor"].torque
        found = dict(zip(eqs.multiplier_names, eqs.evaluate(state).multipliers, strict=True))
        assert found["motor: drive"] == pytest.approx(torque, rel=1e-9)
