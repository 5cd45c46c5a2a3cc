"""linearize: the published bicycle, closed forms, driven and steady motions, names, modes."""

import json
from math import cos, pi, sin, sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq

import dalembert as da
from dalembert import catalog
from dalembert.analyses.toolbox.tangents import Tangent
from dalembert.catalog import whipple

DATA = json.loads((Path(__file__).parents[1] / "reference" / "data" / "whipple_bicycle.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("speed", range(11))
def test_whipple_bicycle(speed):
    """Eigenvalues at 0 … 10 m/s to 1e-9 from bodies, hinges and rolling wheels.  Source: data/whipple_bicycle.json."""
    lin = da.linearize(whipple.make(speed=float(speed)))
    published = [complex(*x) for x in DATA["eigenvalues"][str(speed)]]
    for value in published:
        assert np.abs(lin.eigenvalues - value).min() < 1e-9
    others = [x for x in lin.eigenvalues if min(abs(x - p) for p in published) > 1e-7]
    assert len(lin.eigenvalues) == 10 and len(others) == 6 and max(map(abs, others)) < 1e-9
    assert lin.steady


def test_weave_and_capsize_speeds():
    """Where the real part of the weave mode, and the capsize eigenvalue, pass zero; 1e-8."""
    def weave(v):
        values = da.linearize(whipple.make(speed=v)).eigenvalues
        return values[np.abs(values.imag) > 0.1].real.max()

    def capsize(v):
        values = da.linearize(whipple.make(speed=v)).eigenvalues
        return max((x.real for x in values if abs(x.imag) < 1e-9 and abs(x) < 0.1), key=abs)

    assert brentq(weave, 4.2, 4.4, xtol=1e-12) == pytest.approx(DATA["weave_speed"], abs=1e-8)
    speeds = 6.024 + np.array([-0.03, -0.02, -0.012, 0.012, 0.02, 0.03])  # next to zero it cannot be told from the other zeros
    inverse = np.polynomial.Polynomial.fit([capsize(v) for v in speeds], speeds, 5)
    assert inverse(0.0) == pytest.approx(DATA["capsize_speed"], abs=1e-8)


def test_bicycle_matrices_with_named_inputs_and_outputs():
    """Steer torque to steer and lean accelerations at rest: the published M⁻¹; and −M⁻¹ g K0 in A."""
    lin = da.linearize(whipple.make(speed=0.0), coordinates=("rear frame.turn_x", "steer"), inputs=["rear frame.turn_x", "steer"],
                       outputs=["rear frame.turn_x acceleration", "steer acceleration"])
    M, K0 = np.array(DATA["M"]), np.array(DATA["K0"])
    np.testing.assert_allclose(lin.D, np.linalg.inv(M), rtol=1e-9)
    rows = [lin.states.index("rear frame.turn_x rate"), lin.states.index("steer rate")]
    columns = [lin.states.index("rear frame.turn_x"), lin.states.index("steer")]
    np.testing.assert_allclose(lin.A[np.ix_(rows, columns)], -np.linalg.inv(M) @ (9.81 * K0), rtol=1e-9)
    np.testing.assert_allclose(lin.C[:, columns], lin.A[np.ix_(rows, columns)], rtol=1e-12)


def test_pendulum_and_modes():
    """ω = √(3g/2l) and damping of a rod on a hinge with a damper."""
    m = da.Model("pendulum", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=2.0))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    m.add(da.TorsionSpring("damper", "O", damping=0.4))
    m.add(da.Motor("motor", "O", 0.0))
    lin = da.linearize(m, at=da.equilibrium(m))
    J = 2 / 3
    np.testing.assert_allclose(lin.A, [[0, 1], [-1.5 * 9.81, -0.4 / J]], atol=1e-10)
    np.testing.assert_allclose(lin.B[:, lin.inputs.index("motor")], [0, 1 / J], atol=1e-12)
    assert lin.states == ["O", "O rate"] and lin.outputs == ["O"]
    (mode,) = lin.modes()
    assert mode.natural_frequency == pytest.approx(sqrt(1.5 * 9.81) / 2 / pi, rel=1e-10)
    assert mode.damping == pytest.approx(0.4 / J / 2 / sqrt(1.5 * 9.81), rel=1e-10)
    assert lin.stable and "damping" in str(lin.modes())
    shown = mode.animate(0.2, cycles=1, frames=40)
    swing = shown["O"].coordinate
    assert np.abs(swing - swing.mean()).max() == pytest.approx(0.2 / sqrt(3), rel=0.05)  # the middle moves by 0.2 sizes
    assert shown.certificate.position_error < 1e-9 and len(shown.t) == 41


def test_chain_frequencies_against_equilibrium():
    """Squared frequencies are the eigenvalues of the reduced stiffness, by another route."""
    m = catalog.make("hanging-chain", n=8)
    rest = da.equilibrium(m)
    lin = da.linearize(m, at=rest)
    found = np.sort([(2 * pi * x.frequency) ** 2 for x in lin.modes()])
    np.testing.assert_allclose(found, rest.eigenvalues, rtol=1e-8)


def test_upright_and_circling_disc():
    """A disc rolling upright is stable above √(g r/3); steady circles turn with Ω and have no growing mode."""
    r, g = 0.5, 9.81
    critical = sqrt(g * r / 3)
    for factor, stable in ((0.99, False), (1.01, True)):
        lin = da.linearize(catalog.make("rolling-disc", theta=pi / 2, rates=(0.0, 0.0, factor * critical / r)))
        assert lin.steady and bool(lin.eigenvalues.real.max() < 1e-6) is stable
    theta, yaw, spin = 1.047197551196598, 2.0, -4.609204093833
    lin = da.linearize(catalog.make("rolling-disc", theta=theta, rates=(yaw, 0.0, spin)))
    assert lin.steady
    np.testing.assert_allclose(lin.turning, (0, 0, yaw), atol=1e-8)
    swing = max(x.imag for x in lin.eigenvalues if abs(abs(x) - yaw) > 1e-3)  # ±iΩ: shifted circles
    assert lin.eigenvalues.real.max() < 1e-5
    run = da.simulate(catalog.make("rolling-disc", theta=theta, rates=(yaw, 1e-3, spin)), 3.0, step=1e-3, rtol=1e-11)
    height = run["disc"].z - 0.5 * sin(theta)
    zero = run.t[:-1][np.diff(np.sign(height)) != 0]
    assert len(zero) > 3
    assert pi / np.diff(zero[1:]).mean() == pytest.approx(swing, rel=2e-3)


def test_steady_precession_of_the_top():
    """Nutation about slow precession: Ω_n² from the closed form of the symmetric top."""
    A, C, theta, w3, mgl = 0.05, 0.02, 0.5, 60.0, 9.81 * 0.15
    slow = 1.286797645331
    spin = w3 - slow * cos(theta)
    lin = da.linearize(catalog.make("lagrange-top", theta=theta, spin=spin, precession=slow))
    np.testing.assert_allclose(lin.turning, (0, 0, slow), rtol=1e-6)
    # effective potential (p_φ − p_ψ cos θ)²/(2 A sin²θ) + m g l cos θ: its curvature over A
    p_psi, p_phi = C * w3, A * slow * sin(theta) ** 2 + C * w3 * cos(theta)

    def slope(x):
        a = p_phi - p_psi * cos(x)
        return a * p_psi / (A * sin(x)) - a**2 * cos(x) / (A * sin(x) ** 3) - mgl * sin(x)

    h = 1e-3
    curvature = (8 * (slope(theta + h) - slope(theta - h)) - slope(theta + 2 * h) + slope(theta - 2 * h)) / (12 * h)
    nutation = sqrt(curvature / A)
    assert np.abs(lin.eigenvalues - 1j * nutation).min() < 1e-6 * nutation


def test_hoop_that_turns():
    """A driven steady motion: a rod pendulum on a turning shaft, its angle and frequency in closed form; 1e-9."""
    spin, l, g = 6.0, 1.0, 9.81
    J, axial = l**2 / 3, 0.5 * (l / 50) ** 2  # about the pin; the rod's own small inertia about its axis
    theta = np.arccos(g * l / 2 / ((J - axial) * spin**2))
    m = da.Model("governor", dim=3, gravity=(0, 0, -g))
    m.add(da.Body("shaft", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    m.add(da.Body.rod("rod", (0, 0, 0), (l * sin(theta), 0, -l * cos(theta)), mass=1.0))
    m.add(da.Revolute("bearing", m.ground, "shaft", at=(0, 0, 0), axis=(0, 0, 1)))
    m.add(da.Revolute("pin", "shaft", "rod", at=(0, 0, 0), axis=(0, 1, 0)))
    m.add(da.Drive("motor", "bearing", f"{spin!r}*t"))
    lin = da.linearize(m)
    assert lin.steady and lin.states == ["pin", "pin rate"]
    frequency = spin * sin(theta) * sqrt((J - axial) / J)
    assert lin.modes()[0].frequency * 2 * pi == pytest.approx(frequency, rel=1e-9)


@pytest.mark.parametrize("name, joint, body", [("four-bar", "A", "crank"), ("slider-crank", "O", "crank"),
                                               ("rod-on-block", "O", "rod"), ("spatial-four-bar", "A", "crank")])
def test_moving_mechanisms_against_differences(name, joint, body):
    """A at an instant of an unsteady motion: ∂c̈/∂c and ∂c̈/∂ċ by assembling neighbours; 1e-8."""
    model = catalog.make(name)
    lin = da.linearize(model, coordinates=[joint], outputs=[joint, f"{joint} acceleration"])
    start = da.assemble(model)
    c0, r0 = start[joint].coordinate, start[joint].rate

    def second(c, r):
        other = model.copy()
        other.initials = {}
        other.initial(joint, coordinate=c, rate=r)
        solved = da.accelerations(other)[body]
        return solved.angular_acceleration if model.dim == 2 else (solved.rotation @ solved.angular_acceleration)[2]

    def slope(f, e=1e-3):
        return (8 * (f(e) - f(-e)) - f(2 * e) + f(-2 * e)) / (12 * e)

    by_c, by_r = slope(lambda e: second(c0 + e, r0)), slope(lambda e: second(c0, r0 + e))
    scale = max(1.0, abs(by_c), abs(by_r))
    np.testing.assert_allclose(lin.A[0], [0, 1], atol=1e-9)
    np.testing.assert_allclose(lin.A[1], [by_c, by_r], atol=1e-8 * scale)
    np.testing.assert_allclose(lin.C, np.vstack([[1, 0], lin.A[1]]), atol=1e-9 * scale)


def test_names_are_checked():
    model = catalog.make("slider-crank")
    with pytest.raises(da.AnalysisError, match="no input 'nothing'"):
        da.linearize(model, inputs=["nothing"])
    with pytest.raises(da.AnalysisError, match="no output 'X rate'"):
        da.linearize(model, outputs=["X rate"])
    with pytest.raises(da.AnalysisError, match="no coordinate 'P'"):
        da.linearize(model, coordinates=["P"])
    with pytest.raises(da.AnalysisError, match="at= takes a state"):
        da.linearize(model, at=3.0)
    lin = da.linearize(model, inputs=["piston.x"], outputs=["piston.x", "O rate"])
    assert lin.B.shape == (2, 1) and lin.C.shape == (2, 2) and "not steady" in repr(lin)


def test_rounding_is_not_printed_as_damping():
    m = da.Model("pendulum", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("rod", (0, 0), (0, -1), mass=2.0))
    m.add(da.Revolute("pin", m.ground, "rod", at=(0, 0)))
    linear = da.linearize(m)
    table = str(linear.modes()).splitlines()[1]
    assert table.split()[:3] == ["0", "±", f"{np.sqrt(1.5 * 9.81):.6g}j"] and " 0.0000 " in table
    assert "e-" not in repr(linear)


@pytest.mark.parametrize("inertia", [(0.02, 0.03, 0.05), (0.03, 0.02, 0.05), (0.02, 0.05, 0.03)])
@pytest.mark.parametrize("held", [False, True])
def test_spin_of_a_body_that_is_not_round(inertia, held):
    """Euler's equations: λ² = −ω² (J₂ − J₁)(J₂ − J₃)/(J₁ J₃) about the second axis; the middle axis is unstable."""
    m = da.Model("thrown book", dim=3)
    m.add(da.Body("book", mass=1.0, inertia=inertia, omega=(0.0, 3.0, 0.0)))
    if held:
        m.add(da.Spherical("S", m.ground, "book", at=(0, 0, 0)))
    lin = da.linearize(m)
    a, b, c = inertia
    root = np.sqrt(complex(-9.0 * (b - a) * (b - c) / (a * c)))
    assert lin.steady and abs(lin.turning - [0, 3, 0]).max() < 1e-9
    assert np.abs(lin.eigenvalues - root).min() < 1e-9 and np.abs(lin.eigenvalues + root).min() < 1e-9


def test_bodies_that_spin_apart_and_are_not_round_are_not_steady():
    """Two plates on one axle, at 3 and 5 rad/s: what tilts them changes while they turn.  On a fixed axle nothing does."""
    for axle, steady in (("free", False), ("fixed", True)):
        m = da.Model(f"plates on a {axle} axle", dim=3)
        m.add(da.Body("a", mass=1.0, inertia=(0.02, 0.03, 0.05), omega=(0.0, 3.0, 0.0)))
        m.add(da.Body("b", mass=1.0, inertia=(0.02, 0.03, 0.05), omega=(0.0, 5.0, 0.0)))
        m.add(da.Revolute("axle", "a", "b", at=(0, 0, 0), axis=(0, 1, 0)))
        if axle == "fixed":
            m.add(da.Revolute("bearing", m.ground, "a", at=(0, 0, 0), axis=(0, 1, 0)))
        assert da.linearize(m).steady is steady


@pytest.mark.parametrize("dim", [2, 3])
def test_an_instant_that_only_looks_steady(dim):
    """A pendulum at its lowest point has r̈ = Ω × ṙ and α = 0, as if it went round for ever; without gravity it does."""
    for g, steady in ((-9.81, False), (0.0, True)):
        m = da.Model("pendulum", dim=dim, gravity=(0, g) if dim == 2 else (0, g, 0))
        inertia, place = (0.1, (0, -1)) if dim == 2 else ((0.1, 0.1, 0.1), (0, -1, 0))
        m.add(da.Body("bob", mass=1.0, inertia=inertia, position=place))
        m.add(da.Revolute("O", m.ground, "bob", at=(0, 0)) if dim == 2 else
              da.Revolute("O", m.ground, "bob", at=(0, 0, 0), axis=(0, 0, 1)))
        m.initial("O", rate=2.0)
        lin = da.linearize(m)
        assert lin.steady is steady and np.abs(lin.eigenvalues - 1j * np.sqrt(-g / 1.1)).min() < 1e-9


@pytest.mark.parametrize("dim", [2, 3])
def test_motions_of_reference_points_against_differences(dim):
    """Bodies that turn about something else than their centre of mass: the product rule against differences of the motion."""
    m = da.Model("thrown", dim=dim, gravity=(0.3, -9.81, 0.2)[:dim])
    spin = 1.3 if dim == 2 else (0.4, -1.1, 0.7)
    com, turn = (0.3, -0.2, 0.4)[:dim], {"angle": 0.6} if dim == 2 else {"rotation": ("xyz", (0.2, 0.5, -0.3))}
    inertia = 0.4 if dim == 2 else (0.4, 0.5, 0.7)
    m.add(da.Body("a", mass=2.0, inertia=inertia, com=com, omega=spin, velocity=(1.0, 2.0, -0.5)[:dim], **turn))
    m.add(da.Body("b", mass=1.0, inertia=inertia, position=(1.0, 0.5, 0.2)[:dim], omega=spin))
    m.add(da.Spring("S", "a", "b", on_i=(0.1,) * dim, on_j=(0.2,) * dim, stiffness=50.0, length=0.5))
    p = da.linearize(m)._p
    T = p.tangent
    assert T.exact
    assert p.bodies == {0, 1}
    by_steps = Tangent(p.w)
    X, Y = p.P, np.cos(np.arange(p.P.size)).reshape(p.P.shape)
    exact = p._motions(X, Y)
    found = np.column_stack([by_steps.along(x, y, p._motion) for x, y in zip(X.T, Y.T, strict=True)])
    np.testing.assert_allclose(exact, found, atol=1e-9 * np.abs(found).max())
    wide = T.widened(X, 2)
    again = p._motions(wide, np.hstack([Y, Y[:, :2]]), first=X)  # what stands behind X displaces nothing
    np.testing.assert_allclose(again[:, :X.shape[1]], exact, rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(again[:, X.shape[1]:], p._motions(np.zeros_like(Y[:, :2]), Y[:, :2]), rtol=1e-13, atol=1e-13)
