"""Prescribed motions that jump are refused, with place and size; laws that switch with the state and stick are named."""

import math

import numpy as np
import pytest

import dalembert as da
from benchmarks.loads import INTEGRATORS
from dalembert.analyses.simulation.law_survey import outstanding


def hanging(law):
    m = da.Model("hanging", dim=2, gravity=(0, -9.81))
    m.add(da.Body("base", mass=1, inertia=1))
    m.add(da.Prismatic("S", m.ground, "base", axis=(1, 0)))
    m.add(da.Body.rod("rod", (0, 0), (0, -1), mass=1))
    m.add(da.Revolute("O", "base", "rod", at=(0, 0)))
    m.add(da.Drive("d", "base.x", law))
    return m


def step_law(t):
    return 1.0 if t > 0.5 else 0.0


def bent(t):
    return t if t < 0.5 else 0.5


JUMPS = {"formula": "step(t-0.5)", "floor": "floor(2*t)", "function": step_law}
BENDS = {"max": "max(t-0.5, 0)", "abs": "abs(t-0.5)", "function": bent}
SMOOTH = {"square of max": "max(t-0.5, 0)**2", "smoothstep": "smoothstep(t, 0.5, 0, 1, 1)",
          "table": da.Table([0, 1, 2], [0, 1, 0]),
          "pchip": da.Table([0, 1, 2], [0, 1, 0], kind="pchip"), "function": lambda t: np.sin(t) if t < 9 else 0.0,
          "jump at the start": "step(t) - 1 + t**3"}


@pytest.mark.parametrize("law", JUMPS.values(), ids=JUMPS)
def test_jumps_are_refused(law):
    with pytest.raises(da.AnalysisError, match=r"Drive 'd': its law jumps at t = 0\.5, from 0 to 1.*smoothstep"):
        da.simulate(hanging(law), 2.0)


@pytest.mark.parametrize("law", BENDS.values(), ids=BENDS)
def test_jumps_in_rate_are_refused(law):
    with pytest.raises(da.AnalysisError, match=r"Drive 'd': its law jumps in its rate at t = 0\.(5|4999).*an impact"):
        da.simulate(hanging(law), 2.0)


@pytest.mark.parametrize("law", SMOOTH.values(), ids=SMOOTH)
def test_smooth_drives_run(law):
    assert not da.simulate(hanging(law), 2.0).certificate.doubts()


@pytest.mark.parametrize("analysis", [da.kinematics, da.inverse_dynamics])
def test_given_motions(analysis):
    m = da.Model("crank", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("c", (0, 0), (1, 0), mass=1))
    m.add(da.Revolute("O", m.ground, "c", at=(0, 0)))
    jump, bend = m.copy(), m.copy()
    jump.add(da.Drive("d", "O", "t + step(t-0.5)"))
    bend.add(da.Drive("d", "O", "abs(t-0.5)"))
    with pytest.raises(da.AnalysisError, match=r"jumps at t = 0\.5"):
        analysis(jump, 1.0)
    if analysis is da.kinematics:
        assert analysis(bend, 1.0)["c"].omega[-1] == pytest.approx(1.0)
    else:
        with pytest.raises(da.AnalysisError, match=r"jumps in its rate at t = 0\.5"):
            analysis(bend, 1.0)


def test_other_rows_with_time():
    m = da.Model("pair", dim=2, gravity=(0, 0))
    m.add(da.Body("a", mass=1, inertia=1))
    m.add(da.Equation("e", "a.x - max(t - 0.5, 0)"))
    with pytest.raises(da.AnalysisError, match=r"Equation 'e': its law jumps in its rate at t = 0\.5"):
        da.simulate(m, 1.0)


def wheel(law):
    m = da.Model("wheel", dim=2, gravity=(0, 0))
    m.add(da.Body("wheel", mass=1, inertia=1))
    m.add(da.Revolute("O", m.ground, "wheel", at=(0, 0)))
    m.add(da.Motor("brake", "O", law))
    m.initial("O", rate=1.0)
    return m


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("law", ["-2*sign(rate)", "3*sin(3*t) - 2*sign(rate)", "-2*(step(rate) - step(-rate))"])
def test_laws_that_stick_are_named(law, integrator):
    with pytest.raises(da.SimulationError, match=r"Motor 'brake': its law .* switches.*tanh\(rate/eps\)") as caught:
        da.simulate(wheel(law), 3.0, integrator=integrator, max_steps=100_000)
    assert caught.value.run.t[-1] > 0.4
    assert caught.value.run.stats["steps"] + caught.value.run.stats["rejected"] < 5000


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_laws_that_switch_with_the_state(integrator):
    """x'' = −sign(x): parabolas, period 4 v₀; closed form."""
    run = da.simulate(wheel("-sign(coordinate)"), 7.0, integrator=integrator)
    t = np.array([6.5])
    phase = t % 4.0
    exact = np.where(phase < 2, phase - phase**2 / 2, -((phase - 2) - (phase - 2) ** 2 / 2))
    at = da.simulate(wheel("-sign(coordinate)"), None, times=t, integrator=integrator)["O"].coordinate
    assert at == pytest.approx(exact, abs=1e-4 if integrator == "alpha" else 1e-5)
    assert not run.certificate.doubts()


def test_tables_of_the_state_end_steps():
    x = [-2.0, 0.1, 0.3, 2.0]
    table = wheel(da.Table(x, [0, 0, -5, -5], of="coordinate", kind="linear"))
    formula = wheel("-5*min(max((coordinate-0.1)/0.2, 0), 1)")
    a, b = (da.simulate(m, 2.0, rtol=1e-9)["O"].coordinate[-1] for m in (table, formula))
    assert a == pytest.approx(b, abs=1e-8)


def test_how_small_a_jump_in_rate_is_rounding():
    with pytest.raises(da.AnalysisError, match="jumps in its rate"):
        da.simulate(hanging("t + 1e-3*abs(t-0.5)"), 1.0)
    assert not da.simulate(hanging("t + 1e-12*abs(t-0.5)"), 1.0).certificate.doubts()


@pytest.mark.parametrize("start", [0.0, 3.7, 1e4])
@pytest.mark.parametrize("span", [1e-4, 1e-2, 1.0, 1e3])
@pytest.mark.parametrize("offset", [0.0, 2.5, -1e6])
def test_a_smooth_function_is_no_impact_over_any_span_and_a_kink_is_one(start, span, offset):
    """Rounding of values and times is no jump of a rate: over short spans it stood out of laws that are straight."""
    middle = start + 0.37 * span
    smooth = (lambda t: offset + 0.06 * (t - start) - 0.003,
              lambda t: offset + 0.3 * (t - start) ** 2 - t,
              lambda t: offset + math.sin(0.2 + 3.0 * (t - start) / span),
              lambda t: offset + 0.6 + 0.1 * math.exp((start - t) / span))
    for law in smooth:
        assert outstanding(np.vectorize(law), start, start + span) == []

    def kinked(t):
        return offset + 40.0 / span * (t - start) + 2.0 / span * max(0.0, t - middle)

    if abs(offset) < 1e6 and start < 1e7 * span:  # else rounding hides it
        found = np.array(outstanding(np.vectorize(kinked), start, start + span))
        assert found[:, 0] == pytest.approx(middle, abs=1e-3 * span)
        assert (found[:, 1].min() * span, found[:, 2].max() * span) == pytest.approx((40.0, 42.0), rel=1e-3)


def test_short_runs_of_a_drive_by_a_function():
    for until in (1e-5, 1e-3, 0.01, 0.1):
        m = da.Model("shaft", dim=2)
        m.add(da.Body("a", mass=1.0, inertia=0.2))
        m.add(da.Drive("d", "a.x", lambda t: 0.06 * t - 0.003 if t < 5.0 else 0.297))
        assert da.simulate(m, until)["a"].velocity[-1, 0] == pytest.approx(0.06, abs=1e-9)
