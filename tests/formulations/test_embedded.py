"""Coordinate partitioning: what is chosen, by whom, and what happens where a choice goes bad."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.equations.workspace import workspace
from dalembert.formulations.embedded.form import Embedded
from dalembert.formulations.embedded.partition import CHOICES, LIMIT


def test_B_and_gamma_reproduce_the_accelerations():
    """v̇ = B v̇_i + γ_i, D B = 0, and BᵀMB v̇_i = Bᵀ(Q − M γ_i), with matrices put together here."""
    model = catalog.make("slider-crank")
    s = da.accelerations(model, formulation="embedded")
    form = s.form
    w = workspace(s.system)
    w.set(s.t, s.q, s.v)
    w.run("observe")
    B, M, D = form.B, w.mass(), w.jacobian()
    assert B.shape == (9, 1) and form.free == 1 and len(form.dependent) == 8
    np.testing.assert_allclose(D @ B, 0, atol=1e-13)
    np.testing.assert_allclose(D @ form.gamma, w.gamma, atol=1e-10)
    independent = np.linalg.solve(B.T @ M @ B, B.T @ (w.Q - M @ form.gamma))
    np.testing.assert_allclose(B @ independent + form.gamma, s.observed.vdot[0], rtol=1e-11, atol=1e-11)
    assert form.B[form.names.index(form.independent[0]), 0] == 1.0


def test_the_user_chooses_by_name():
    model = catalog.make("slider-crank")
    s = da.accelerations(model, formulation="embedded", independent=["crank.angle"])
    assert s.form.independent == ["crank.angle"]
    np.testing.assert_allclose(s.observed.vdot, da.accelerations(model).observed.vdot, rtol=1e-10, atol=1e-9)


def test_names_that_do_not_exist_are_refused():
    with pytest.raises(da.AnalysisError, match=r"no coordinate 'crank.angel'.*did you mean 'crank.angle'"):
        da.accelerations(catalog.make("slider-crank"), formulation="embedded", independent="crank.angel")


def pendulum(angle):
    m = da.Model("pendulum", dim=2, gravity=(0, -9.81))
    end = (np.cos(angle), np.sin(angle))
    m.add(da.Body.rod("rod", (0, 0), end, mass=1.0))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    return m


def test_the_singular_choice_of_the_text_is_refused_with_another():
    """At θ = π/2 the rod moves along x only: y cannot be independent there, x can."""
    upright = pendulum(np.pi / 2)
    with pytest.raises(da.AnalysisError, match=r"rod.y cannot all be independent here; rod.(angle|x) can"):
        da.accelerations(upright, formulation="embedded", independent="rod.y")
    assert da.accelerations(upright, formulation="embedded", independent="rod.x").form.independent == ["rod.x"]


def test_a_choice_is_kept_until_it_goes_bad_and_then_made_again():
    """A pendulum begun with x independent, swung through θ = 0 where x stands still."""
    m = pendulum(1.2)
    system = m.compile()
    w = workspace(system)
    form = Embedded(w, ["rod.x"])
    seen = []
    for theta in np.linspace(1.2, -0.02, 60):
        s = da.assemble(pendulum(theta))
        w.set(0.0, s.q, s.v)
        assert form.rhs() == 0
        entry = np.abs(form.B * np.sqrt(np.diag(w.mass()))[:, None]).max()
        seen.append((form.independent[0], int(form.arrays.meta[CHOICES])))
        exact = -1.5 * 9.81 * np.cos(theta)
        assert w.vdot[2] == pytest.approx(exact, rel=1e-11, abs=1e-11)
        assert np.isfinite(entry)
    assert seen[0] == ("rod.x", 1)
    assert seen[-1][0] != "rod.x" and seen[-1][1] == 2
    assert len({name for name, _ in seen}) == 2 and LIMIT > 1


def test_a_run_through_the_singular_choice():
    m = pendulum(1.2)
    a = da.simulate(m, 2.0, formulation="embedded", independent=["rod.x"], rtol=1e-9, atol=1e-12)
    b = da.simulate(m, 2.0, formulation="augmented", rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(a["rod"].position, b["rod"].position, atol=1e-8)
    assert a.stats["formulation"] == "embedded" and a.form.choices >= 2


def test_redundant_rows_are_left_out():
    s = da.accelerations(catalog.make("bricard"), formulation="embedded")
    assert s.form.free == 1 and s.system.nc == 30
    np.testing.assert_allclose(s.observed.vdot, da.accelerations(catalog.make("bricard")).observed.vdot, atol=1e-9)


def test_very_large_models_are_refused():
    with pytest.raises(da.AnalysisError, match=r"full matrices.*use formulation='augmented'"):
        da.accelerations(catalog.make("chain", n=1000), formulation="embedded")
