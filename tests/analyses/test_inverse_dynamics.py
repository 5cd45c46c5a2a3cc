"""inverse_dynamics: two methods, unknown actuators, determinacy, redundancy; and dynamics ∘ inverse dynamics = identity."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog


@pytest.mark.parametrize("name", ["four-bar-driven", "slider-crank-driven", "two-link-arm-driven", "driven-bar", "six-bar",
                                  "quick-return", "inverted-slider-crank"])
def test_both_methods_agree(name):
    """All multipliers by v̇ first and by the simultaneous system, 1e-10 of the largest; Newton and Euler miss nothing."""
    model = catalog.make(name)
    first = da.inverse_dynamics(model, until=0.5, step=0.05)
    second = da.inverse_dynamics(model, until=0.5, step=0.05, method="simultaneous")
    scale = np.abs(first.multipliers).max()
    np.testing.assert_allclose(first.multipliers, second.multipliers, rtol=0, atol=1e-10 * scale)
    for inv in (first, second):
        assert max(np.abs(x).max() for x in inv.ledger_residual.values()) < 1e-9 * scale
        assert inv.certificate.doubts() == []


def test_results_are_named_results(tmp_path):
    inv = da.inverse_dynamics(catalog.make("slider-crank-driven"), until=0.6, step=1e-3)
    inv.to_csv(tmp_path / "inv.csv")
    assert (tmp_path / "inv.csv").read_text().startswith("t [s],crank.position.x [m],")
    work = inv.energy.work[-1]
    assert work == pytest.approx(inv.energy.total[-1] - inv.energy.total[0], abs=1e-6 * inv.energy.exchanged)
    power = inv["motor"].torque * 10.0
    np.testing.assert_allclose(inv["motor"].power, power, rtol=1e-12)


def loaded_four_bar():
    """The text's four-bar: M² on the crank, F³ on the coupler, M⁴ on the rocker."""
    model = catalog.make("four-bar-driven")
    model.parameters["M2"] = 0.0
    model.add(da.Torque("crank torque", "crank", "M2"))
    model.add(da.Force("F3", "coupler", (0.0, 0.0), on=(0.1, 0.05)))
    model.add(da.Torque("M4", "rocker", 0.0))
    return model


def test_one_unknown_of_the_four_bar():
    """M² alone equals the motor's torque; M⁴ or F³x alone do the same virtual work."""
    model = loaded_four_bar()
    torque = da.inverse_dynamics(model, until=0.3, step=0.05)["motor"].torque
    inv = da.inverse_dynamics(model, until=0.3, step=0.05, unknown="M2")
    np.testing.assert_allclose(inv.unknown["M2"], torque, rtol=0, atol=1e-9)
    np.testing.assert_allclose(inv["motor"].torque, 0.0, atol=1e-9)
    np.testing.assert_allclose(inv["crank torque"].torque, torque, rtol=0, atol=1e-9)
    other = da.inverse_dynamics(model, until=0.3, step=0.05, unknown=["M4"])
    np.testing.assert_allclose(other.unknown["M4"] * other["rocker"].omega, torque * 10.0, rtol=0, atol=1e-8)
    third = da.inverse_dynamics(model, until=0.3, step=0.05, unknown=["F3.x"])
    speed = third["coupler"].point_velocity((0.1, 0.05))[:, 0]
    np.testing.assert_allclose(third.unknown["F3.x"] * speed, torque * 10.0, rtol=0, atol=1e-8)


def test_the_text_on_the_four_bar():
    """Only one of M², F³x, F³y, M⁴ can be unknown."""
    with pytest.raises(da.AnalysisError, match=r"only one of crank torque, F3\.x, F3\.y, M4 can be unknown"):
        da.inverse_dynamics(loaded_four_bar(), until=0.3, step=0.05, unknown=["M2", "M4"])


def test_choices_of_the_two_link_arm():
    """Two of M², M³, F^e and so on; two that both act on link 2 alone about the same point are not."""
    model = catalog.make("two-link-arm-driven")
    model.add(da.Torque("M2", "upper", 0.0))
    model.add(da.Torque("M3", "lower", 0.0))
    model.add(da.Torque("M2 again", "upper", 0.0))
    reference = da.inverse_dynamics(model, until=1.0, step=0.25)
    inv = da.inverse_dynamics(model, until=1.0, step=0.25, unknown=["M2", "M3"])
    np.testing.assert_allclose(inv.unknown["M3"], reference["motor 2"].torque, rtol=0, atol=1e-9)
    np.testing.assert_allclose(inv.unknown["M2"], reference["motor 1"].torque - reference["motor 2"].torque, rtol=0, atol=1e-9)
    with pytest.raises(da.AnalysisError, match=r"choices of 2 are: \{M2, M3\}; \{M3, M2 again\}"):
        da.inverse_dynamics(model, until=1.0, step=0.25, unknown=["M2", "M2 again"])
    with pytest.raises(da.AnalysisError, match="2 equations of motion are left for 1 unknown"):
        da.inverse_dynamics(model, until=1.0, step=0.25, unknown=["M3"])
    with pytest.raises(da.AnalysisError, match="did you mean"):
        da.inverse_dynamics(model, until=1.0, step=0.25, unknown=["M22"])


def test_given_motion():
    """The load that made a simulated motion is found again from the motion alone."""
    model = catalog.make("slider-crank")
    model.add(da.Force("load", "piston", ("30*sin(20*t)", 0.0)))
    run = da.simulate(model, 0.4, step=0.02, rtol=1e-9)
    blank = catalog.make("slider-crank")
    blank.add(da.Force("load", "piston", (0.0, 0.0)))
    inv = da.inverse_dynamics(blank, motion=run, unknown=["load.x"])
    np.testing.assert_allclose(inv.unknown["load.x"], 30 * np.sin(20 * run.t), rtol=0, atol=1e-8)
    np.testing.assert_allclose(inv["A"].force, run["A"].force, rtol=0, atol=1e-7)
    with pytest.raises(da.AnalysisError, match="do not make this motion"):
        da.inverse_dynamics(blank, motion=run)


def test_redundant_mechanism():
    """A plane four-bar built with spatial hinges: the drive torque is the plane's, ambiguous parts are flagged by name."""
    model = catalog.make("spatial-four-bar")
    model.initials = {}
    model.add(da.Drive("motor", next(iter(model.elements)), "3*t"))
    inv = da.inverse_dynamics(model, until=0.2, step=0.05)
    assert inv.ambiguous and "rule" in repr(inv)
    name, parts = next(iter(inv.ambiguous.items()))
    assert not any(inv.unique(name)[c] for c in parts)
    extra = catalog.make("four-bar-driven")
    single = da.inverse_dynamics(extra, until=0.2, step=0.05)
    extra.add(da.Revolute("D again", extra.ground, "rocker", at=extra["D"].at))
    double = da.inverse_dynamics(extra, until=0.2, step=0.05)
    np.testing.assert_allclose(double["motor"].torque, single["motor"].torque, rtol=0, atol=1e-9)
    np.testing.assert_allclose(double["A"].force, single["A"].force, rtol=0, atol=1e-9)
    np.testing.assert_allclose(double["D"].force + double["D again"].force, single["D"].force, rtol=0, atol=1e-9)
    assert set(double.ambiguous) == {"D", "D again"}


def test_method_is_checked():
    with pytest.raises(da.AnalysisError, match="method"):
        da.inverse_dynamics(catalog.make("four-bar-driven"), until=1.0, method="newton")


def test_no_unknown_named():
    """An empty list is an answerable mistake, also when the model has no force component at all."""
    with pytest.raises(da.AnalysisError, match=r"nothing was named.*1 equation of motion is left for 0 unknowns; none of"):
        da.inverse_dynamics(catalog.make("four-bar-driven"), until=0.1, step=0.1, unknown=[])
    with pytest.raises(da.AnalysisError, match=r"nothing was named.*only one of .*F3\.x, F3\.y.* can be unknown"):
        da.inverse_dynamics(loaded_four_bar(), until=0.1, step=0.1, unknown=[])
