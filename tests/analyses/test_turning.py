"""Oscillation is not stiffness: "auto" stays explicit where bodies turn fast, and still finds what is stiff."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.analyses.simulation import turning
from dalembert.analyses.simulation.integration import Integration
from dalembert.analyses.simulation.turning import fastest


@pytest.mark.parametrize("formulation", ["auto", "augmented", "embedded"])
@pytest.mark.parametrize(("spin", "rtol", "until"), [(325.0, 1e-6, 4.0), (1000.0, 1e-9, 1.0), (5000.0, 1e-3, 0.5),
                                                     (5000.0, 1e-9, 0.5)])
def test_a_fast_rotor_is_not_stiff(spin, rtol, until, formulation):
    """The very steps of the explicit method; Radau would need ten to two hundred times as many."""
    m = catalog.make("gyroscope", spin=spin)
    run, explicit = (da.simulate(m, until, rtol=rtol, integrator=i, formulation=formulation, max_steps=20_000)
                     for i in ("auto", "rk8"))
    assert run.stats["switched"] is None
    for count in ("steps", "rejected", "rhs_calls"):
        assert run.stats[count] == explicit.stats[count]
    np.testing.assert_array_equal(run["tilt"].coordinate, explicit["tilt"].coordinate)


def test_a_flywheel_about_a_fixed_centre_hides_no_stiffness(stiff_arm):
    """In the plane its angle grows evenly, however fast: what is stiff beside it is stiff."""
    m = stiff_arm.copy()
    m.add(da.Body("wheel", mass=1.0, inertia=0.1, position=(5, 5), omega=1e4))
    m.add(da.Revolute("hub", m.ground, "wheel", at=(5, 5)))
    alone, both = (da.simulate(x, 3.0) for x in (stiff_arm, m))
    assert 0.0 < alone.stats["switched"] < 3.0
    assert 0.0 < both.stats["switched"] < 3.0
    assert np.abs(alone["b"].angle - both["b"].angle).max() < 1e-5


def test_what_turns_fastest():
    plane = da.Model("plane", dim=2, gravity=(0, 0))
    plane.add(da.Body("spins", mass=1.0, inertia=1.0, omega=50.0))
    plane.add(da.Body("circles", mass=1.0, inertia=1.0, position=(1, 0), velocity=(0, 3.0), omega=-3.0))
    state = da.assemble(plane)
    assert fastest(state.system, state.v) == pytest.approx(3.0)
    space = da.Model("space", dim=3, gravity=(0, 0, 0))
    space.add(da.Body("spins", mass=1.0, inertia=(1, 2, 3), omega=(0, 3.0, 4.0)))
    state = da.assemble(space)
    assert fastest(state.system, state.v) == pytest.approx(5.0)


def test_the_question_is_asked_now_and_then(monkeypatch):
    """Not after every step: each time the run leaves its compiled loop."""
    asked, old = [], turning.hopeless
    monkeypatch.setattr(turning, "hopeless", lambda *given: asked.append(given) or old(*given))
    run = da.simulate(catalog.make("gyroscope", spin=5000.0), 3.0, rtol=1e-9)
    assert run.stats["steps"] > 1000
    assert 1 <= len(asked) <= 1 + run.stats["steps"] / 500


def test_what_the_equations_remember_is_kept_when_radau_is_declined(stiff_arm, monkeypatch):
    """A run that stays explicit goes on as if it had not been asked: with its memory, not with one made afresh."""
    left, on, old_stiff, old_asked = [], [], Integration._stiff, Integration.asked

    def copied(form):
        return {name: array.copy() for name, array in form.memory.items()}

    def stiff(self, solution):
        self.form.memory["limit"] *= 1.5  # one that no fresh start gives; no row is near it
        left.append(copied(self.form))
        old_stiff(self, solution)

    def asked(self):
        told = old_asked(self)
        on.append(copied(self.form))
        return told

    monkeypatch.setattr(turning, "hopeless", lambda *_: True)
    monkeypatch.setattr(Integration, "_stiff", stiff)
    monkeypatch.setattr(Integration, "asked", asked)
    run = da.simulate(stiff_arm, 3.0, formulation="augmented")
    assert run.stats["switched"] is None and len(left) >= 1 and len(on) == len(left) + 1
    for before, after in zip(left, on[1:], strict=True):
        assert before.keys() == after.keys()
        for name in before:
            np.testing.assert_array_equal(before[name], after[name])
