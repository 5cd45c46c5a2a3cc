"""Worked systems of the texts in each form: same accelerations and reactions, and the counts of equations the texts give."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog

FORMS = ("augmented", "embedded", "recursive")
SYSTEMS = ("rod-on-block", "rod-and-disc", "two-link-arm", "two-link-arm-driven", "four-bar", "four-bar-driven", "slider-crank",
           "slider-crank-driven", "chaplygin-sleigh", "rolling-disc", "gear-pair", "planetary-gear", "driven-bar")


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("form", FORMS[1:])
def test_accelerations_and_reactions(name, form):
    model = catalog.make(name)
    reference, found = da.accelerations(model), da.accelerations(model, formulation=form)
    assert found.formulation == form
    size = np.abs(reference.observed.vdot).max()
    np.testing.assert_allclose(found.observed.vdot, reference.observed.vdot, atol=1e-11 * size)
    for joint in reference.system.groups:
        load = np.abs(np.asarray(reference.multipliers)).max() + 1e-300
        np.testing.assert_allclose(found[joint].force, reference[joint].force, atol=1e-10 * load, err_msg=joint)
        np.testing.assert_allclose(found[joint].torque, reference[joint].torque, atol=1e-10 * load, err_msg=joint)
    assert max(np.abs(x).max() for x in found.ledger_residual.values()) < 1e-9 * (load + 1)


@pytest.mark.parametrize("form", FORMS)
def test_rod_on_a_moving_block_closed_form(form):
    """J_O θ̈ = M + ½ m l sin θ z̈ − ½ m g l cos θ (first example of the text), force at O from the free body; 1e-11."""
    m, l, theta, rate, M, t = 1.7, 1.3, 0.8, 2.1, 3.0, 0.4
    model = catalog.make("rod-on-block", mass=m, length=l, angle=theta, rate=rate, moment=M, z="0.2*sin(3*t)")
    model.initial("O", coordinate=0.0)
    s = da.accelerations(model, t=t, formulation=form)
    z2 = -0.2 * 9 * np.sin(3 * t)
    alpha = (M + 0.5 * m * l * np.sin(theta) * z2 - 0.5 * m * 9.81 * l * np.cos(theta)) / (m * l**2 / 3)
    assert s["rod"].angular_acceleration == pytest.approx(alpha, rel=1e-11)
    Fx = m * (z2 - rate**2 * l / 2 * np.cos(theta) - alpha * l / 2 * np.sin(theta))
    assert s["O"].force[0] == pytest.approx(Fx, rel=1e-10)


def test_two_link_arm_method_I_and_II():
    """Open chain: method I has all reactions and both moments unknown (6), method II the two moments only."""
    model = catalog.make("two-link-arm-driven")
    first, second = da.accelerations(model, formulation="augmented"), da.accelerations(model, formulation="recursive")
    assert first.system.nc == 6
    assert second.form.rest.nc == 2 and list(second.form.rest.groups) == ["motor 1", "motor 2"]
    for motor in ("motor 1", "motor 2"):
        assert second[motor].torque == pytest.approx(first[motor].torque, rel=1e-12)


def test_four_bar_method_I_and_II():
    """Closed chain: method I has nine equations; cut at the ground pin, three remain: F¹²_x, F¹²_y and the moment."""
    model = catalog.make("four-bar-driven")
    first = da.accelerations(model)
    assert first.system.nc == 9
    second = da.accelerations(model, formulation="recursive", cut="A")
    assert second.form.rest.nc == 3 and set(second.form.rest.groups) == {"A", "motor"}
    np.testing.assert_allclose(second["A"].force, first["A"].force, rtol=1e-10)
    assert second["motor"].torque == pytest.approx(first["motor"].torque, rel=1e-10)
    for pin in ("B", "C", "D"):
        np.testing.assert_allclose(second[pin].force, first[pin].force, rtol=1e-10)


@pytest.mark.parametrize("cut", ["A", "B", "C", "D"])
def test_any_joint_of_a_loop_may_be_cut(cut):
    model = catalog.make("four-bar")
    reference = da.accelerations(model)
    s = da.accelerations(model, formulation="recursive", cut=cut)
    assert list(s.form.rest.groups) == [cut]
    np.testing.assert_allclose(s.observed.vdot, reference.observed.vdot, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(s.observed.lam, reference.observed.lam, rtol=1e-9, atol=1e-9)


def test_a_cut_that_is_no_joint_is_refused():
    with pytest.raises(da.ModelError, match=r"'motr' is no joint that a tree could use.*joints: A, B, C, D"):
        da.accelerations(catalog.make("four-bar"), formulation="recursive", cut="motr")


def test_unknown_formulations_are_refused():
    with pytest.raises(da.AnalysisError, match="'recursiv' is not known; choose from auto, augmented, embedded, recursive"):
        da.accelerations(catalog.make("four-bar"), formulation="recursiv")


def test_compare_prints_differences():
    found = da.compare(catalog.make("slider-crank"))
    assert found.worst < 1e-12
    assert found["recursive"]["motion"] < 1e-8 and found["embedded"]["energy"] < 1e-8
    text = str(found)
    assert "acceleration" in text and "recursive" in text and "3 joint speeds, 2 rows left (B)" in text
