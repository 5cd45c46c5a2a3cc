"""Poses at rest with states of their own: closed forms, where a run comes to rest, stability of the closed loop, refusals."""

import numpy as np
import pytest

import dalembert as da
from dalembert.errors import AnalysisError

G = 9.81


def pendulum(mass=2.0, length=1.0, **parameters):
    m = da.Model("held", dim=2, gravity=(0, -G), parameters=parameters)
    m.add(da.Body.rod("rod", (0, 0), (length, 0), mass=mass))
    m.add(da.Revolute("pin", m.ground, "rod", at=(0, 0)))
    return m


def test_the_integral_of_a_pid_carries_the_weight():
    m = pendulum()
    m.add(da.Differential("total", "0.3 - pin"))
    m.add(da.Motor("motor", "pin", "60*(0.3 - pin) - 9*rate + 120*total"))
    rest = da.equilibrium(m)
    assert rest.stable and rest.stability == "stable"
    assert abs(rest["pin"].coordinate - 0.3) < 1e-12
    assert rest["motor"].torque == pytest.approx(2.0 * G * 0.5 * np.cos(0.3), rel=1e-12)
    assert rest["total"].value == pytest.approx(2.0 * G * 0.5 * np.cos(0.3) / 120, rel=1e-12)
    assert rest["total"].rate == pytest.approx(0.0, abs=1e-14)
    inertia = 2.0 / 3.0  # θ'' J = −60 δ − 9 δ' + 120 I + (m g l/2 sin 0.3) δ,  I' = −δ
    want = np.roots([inertia, 9.0, 60.0 - 2.0 * G * 0.5 * np.sin(0.3), 120.0])
    assert np.allclose(np.sort_complex(rest.verdict.growth), np.sort_complex(want), rtol=1e-9)
    assert np.abs(da.linearize(m, rest).eigenvalues.real).min() > 1e-3
    run = da.simulate(m, 0.5, state=rest, rtol=1e-10)
    assert np.ptp(run["pin"].coordinate) < 1e-9


def test_dc_motor_that_holds_an_arm_with_its_current():
    m = pendulum(u=3.0)
    m.add(da.parts.dc_motor("drive", "pin", voltage="u", resistance=2.0, inductance=0.02, constant=0.5, gear=8.0))
    m.initial("pin", coordinate=-0.5)
    rest = da.equilibrium(m)
    assert rest["drive_current"].value == pytest.approx(1.5, rel=1e-12)
    assert np.cos(rest["pin"].coordinate) == pytest.approx(8 * 0.5 * 1.5 / (2.0 * G * 0.5), rel=1e-12)
    hangs = rest["pin"].coordinate < 0.0
    assert rest.stable == hangs  # of the two places the upper one falls away


def test_hydraulic_cylinder_at_rest_between_its_chambers():
    m = da.Model("ram", dim=2, gravity=(-G, 0))
    m.add(da.Body("load", mass=500.0, inertia=1.0, position=(1.0, 0)))
    m.add(da.Prismatic("rail", m.ground, "load", at=(1.0, 0), axis=(1, 0)))
    m.add(da.Differential("p", "(2e-11*(8e6 - p) - 1e-12*p - 2e-3*rail.rate)/1e-12", start=1e6))
    m.add(da.Motor("push", "rail", "2e-3*p - 1e4*rail.rate - 5e4*rail"))
    rest = da.equilibrium(m)
    pressure = 2e-11 * 8e6 / 2.1e-11
    assert rest["p"].value == pytest.approx(pressure, rel=1e-12)
    assert rest["rail"].coordinate == pytest.approx((2e-3 * pressure - 500 * G) / 5e4, rel=1e-11)
    assert rest.stable


def test_pd_over_two_joints_with_a_filter_is_where_a_run_comes_to_rest():
    m = da.Model("arm", dim=2, gravity=(0, -G))
    m.add(da.Body.rod("upper", (0, 0), (1, 0), mass=3.0))
    m.add(da.Body.rod("lower", (1, 0), (1.6, 0.2), mass=1.0))
    m.add(da.Revolute("O", m.ground, "upper", at=(0, 0)))
    m.add(da.Revolute("A", "upper", "lower", at=(1, 0)))
    m.add(da.Differential("f", "(sin(O) + A - f)/0.05"))
    m.add(da.Motor("one", "O", "80*(0.4 - O) - 30*O.rate - 4*f"))
    m.add(da.Motor("two", "A", "60*(0.2 - A + 0.3*O) - 8*A.rate"))
    rest, run = da.equilibrium(m), da.simulate(m, 12.0, rtol=1e-10, atol=1e-12)
    for name in ("O", "A"):
        assert abs(rest[name].coordinate - run[name].coordinate[-1]) < 1e-8
    assert abs(rest["f"].value - run["f"].value[-1]) < 1e-8 and rest.stable


def test_states_that_nothing_fixes_stay_and_are_neutral():
    m = pendulum()
    m.add(da.Differential("turned", "pin.rate", start=4.0))
    rest = da.equilibrium(m, kind="any")
    assert rest["turned"].value == 4.0 and abs(np.cos(rest["pin"].coordinate)) < 1e-9  # the drawing itself is a singular pose
    assert rest.stability in ("neutral", "unstable")


def test_what_cannot_rest_is_named():
    m = pendulum()
    m.add(da.Differential("total", "1 + pin**2"))
    m.add(da.Motor("motor", "pin", "60*(0.3 - pin) - 9*rate"))
    with pytest.raises(AnalysisError, match=r"with its states total: none was found, .*'total' stays at"):
        da.equilibrium(m)
    n = pendulum()
    n.add(da.Differential("total", "pin - 0.3"))  # the wrong sign: the loop runs away
    n.add(da.Motor("motor", "pin", "60*(0.3 - pin) - 9*rate + 120*total"))
    with pytest.raises(AnalysisError, match=r"there is a pose, and it is unstable.*kind=\"any\""):
        da.equilibrium(n)
    rest = da.equilibrium(n, kind="any")
    assert not rest.stable and abs(rest["pin"].coordinate - 0.3) < 1e-12
    with pytest.raises(AnalysisError, match="equilibria of 'held': total change by rates of their own"):
        da.equilibria(n)


def test_signals_and_algebraic_unknowns_along_given_motions_and_in_held_poses():
    """What has no rate of its own is evaluated; states are refused by name."""
    m = pendulum()
    m.add(da.Signal("s", "sin(pin) + t"))
    m.add(da.Algebraic("a", "a + a**3 - s"))
    m.add(da.Motor("load", "pin", "-3*pin.rate - a"))
    m.add(da.Drive("drive", "pin", "0.5*t**2"))
    for run in (da.kinematics(m, 1.0), da.inverse_dynamics(m, 1.0)):
        angle = 0.5 * run.t**2
        assert np.abs(run["s"].value - (np.sin(angle) + run.t)).max() < 1e-12
        assert np.abs(run["a"].value + run["a"].value ** 3 - run["s"].value).max() < 1e-12
    want = 2.0 / 3.0 + 2.0 * G * 0.5 * np.cos(angle) + 3.0 * run.t + run["a"].value
    assert np.abs(run["drive"].torque - want).max() < 1e-11
    held = pendulum(u=1.0)
    held.add(da.Signal("s", "2*u"))
    held.add(da.Motor("q", "pin", "3*s + pin"))
    assert da.hold(held, "u").value == pytest.approx(2.0 * G * 0.5 / 6.0, rel=1e-12)
    m.add(da.Differential("z", "s - z"))
    held.add(da.Differential("z", "s - z"))
    for ask in (lambda: da.kinematics(m, 1.0), lambda: da.inverse_dynamics(m, 1.0), lambda: da.hold(held, "u")):
        with pytest.raises(AnalysisError, match="z change by rates of their own"):
            ask()
