"""Forward motion against closed forms and independent computations; sources in data/*.json.

Every run also balances its energy: residual at most 1e-6 of what was exchanged.
"""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.catalog.lagrange_top import zxz


def run(name, times, rtol=1e-11, atol=1e-12, **kw):
    out = da.simulate(catalog.make(name, **kw), times[-1], times=times, rtol=rtol, atol=atol)
    assert out.status == "complete"
    assert np.abs(out.energy.residual).max() <= 1e-6 * out.energy.exchanged
    assert out.certificate.position_error < 1e-8
    return out


def columns(data):
    return np.array(data["states"], dtype=float).T


def test_simple_pendulum(reference):
    """A01, 10 s: position to 1e-8, velocity to 1e-7; back at the start after one exact period (1e-8)."""
    data = reference("pendulum")
    t, x, y, vx, vy = columns(data)
    out = run("pendulum", t)
    np.testing.assert_allclose(out["bob"].position, np.column_stack([x, y]), rtol=0, atol=1e-8)
    np.testing.assert_allclose(out["bob"].velocity, np.column_stack([vx, vy]), rtol=0, atol=1e-7)
    np.testing.assert_allclose(out["bar"].force, out["bob"].position * _tension(x, y, vx, vy)[:, None],
                               rtol=0, atol=1e-6)
    once = run("pendulum", [data["period"]])
    np.testing.assert_allclose(once["bob"].position[-1], (-1.0, 0.0), rtol=0, atol=1e-8)


def _tension(x, y, vx, vy):
    """Factor of the force on the bob along its position: −(m v²/L − m g y/L)/L, for m = L = 1."""
    return -(vx**2 + vy**2 - 9.81 * y)


def relative(bodies):
    """β, Θ, γ, Φ, δ, Ω, ε (or their rates) from the angles (rates) of the seven bodies."""
    k1, k2, k3, k4, k5, k6, k7 = bodies
    return np.column_stack([k1, k2 - k1, k3, k4 - k5, k5, k6 - k7, k7])


def test_andrews(reference):
    """Positions to 1e-8, rates to 1e-7 and accelerations to 1e-6 of the largest, up to 0.03 s;
    published q to 3e-9."""
    data = reference("andrews")
    t, q, v, w = zip(*data["states"], strict=True)
    out = run("andrews", t, atol=1e-13)
    bodies = [out[f"K{k}"] for k in range(1, 8)]
    found = relative([b.angle for b in bodies])
    np.testing.assert_allclose(found, q, rtol=0, atol=1e-8)
    np.testing.assert_allclose(found[-1], data["published_q"], rtol=0, atol=3e-9)
    np.testing.assert_allclose(relative([b.omega for b in bodies]), v, rtol=0, atol=1e-7 * np.abs(v).max())
    np.testing.assert_allclose(relative([b.angular_acceleration for b in bodies]), w,
                               rtol=0, atol=1e-6 * np.abs(w).max())
    lam = np.array(data["multipliers"])  # forces of the three loops on pin E: minus on K2, plus on K4 and K6
    forces = np.hstack([-out["E3"].force, out["E4"].force, out["E6"].force])
    np.testing.assert_allclose(forces, lam, rtol=0, atol=1e-6 * np.abs(lam).max())


def test_double_pendulum(reference):
    """ME751 homework 8: bar directions over 10 s to 1e-6 (the motion is sensitive)."""
    t, th1, th2, _, _ = columns(reference("double_pendulum"))
    out = run("double-pendulum", t)
    for body, th in (("first", th1), ("second", th2)):
        along = np.column_stack([0 * th, np.sin(th), -np.cos(th)])
        np.testing.assert_allclose(out[body].rotation[:, :, 0], along, rtol=0, atol=1e-6)


def test_lagrange_top(reference):
    """Rotation over 2 s to 1e-8; nutation back after its exact period; steady precession, slow and fast,
    stays; 1e-8."""
    data = reference("lagrange_top")
    t, phi, theta, psi, _ = columns(data)
    out = run("lagrange-top", t)
    expected = [zxz(*angles) for angles in zip(phi, theta, psi, strict=True)]
    np.testing.assert_allclose(out["top"].rotation, expected, rtol=0, atol=1e-8)
    once = run("lagrange-top", [data["nutation_period"]])
    assert once["top"].rotation[-1, 2, 2] == pytest.approx(np.cos(0.5), abs=1e-8)
    steady = data["steady"]
    for turn in (steady["slow"], steady["fast"]):
        spin = steady["w3"] - turn * np.cos(steady["theta"])
        out = run("lagrange-top", np.linspace(0, 1, 5), theta=steady["theta"], spin=spin, precession=turn)
        axis = [np.array(zxz(turn * t, steady["theta"], 0.0))[:, 2] for t in out.t]
        np.testing.assert_allclose(out["top"].rotation[:, :, 2], axis, rtol=0, atol=1e-8)


def test_dzhanibekov(reference):
    """ω and Euler parameters over 10 s to 1e-8; ω back after the
    exact period to 1e-6 (close to the separatrix)."""
    data = reference("dzhanibekov")
    t, e, omega = zip(*data["states"], strict=True)
    out = run("dzhanibekov", t, rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(out["body"].omega, omega, rtol=0, atol=1e-8)
    sign = np.sign(np.einsum("ti,ti->t", out["body"].quaternion, np.array(e)))
    np.testing.assert_allclose(out["body"].quaternion * sign[:, None], e, rtol=0, atol=1e-8)
    once = run("dzhanibekov", [data["period"]], rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(once["body"].omega[-1], (0.01, 5.0, 0.01), rtol=0, atol=1e-6)


def test_chaplygin_sleigh(reference):
    """Place, heading and rates over 10 s to 1e-8; sideways force m v ω I/(I + m a²) to 1e-8."""
    t, x, y, theta, v, omega = columns(reference("chaplygin_sleigh"))
    out = run("chaplygin-sleigh", t)
    sleigh = out["sleigh"]
    np.testing.assert_allclose(sleigh.position, np.column_stack([x, y]), rtol=0, atol=1e-8)
    np.testing.assert_allclose(sleigh.angle, theta, rtol=0, atol=1e-8)
    np.testing.assert_allclose(sleigh.omega, omega, rtol=0, atol=1e-8)
    heading = np.column_stack([np.cos(theta), np.sin(theta)])
    np.testing.assert_allclose(sleigh.velocity, v[:, None] * heading, rtol=0, atol=1e-8)
    side = np.column_stack([-heading[:, 1], heading[:, 0]]) * (v * omega * 0.5 / 0.59)[:, None]
    np.testing.assert_allclose(out["edge"].force, side, rtol=0, atol=1e-8)


def test_rolling_disc(reference):
    """Centre and rotation over 5 s to 1e-8; friction force to 1e-7."""
    t, x, y, z, theta, phi, psi, fx, fy = columns(reference("rolling_disc"))
    out = run("rolling-disc", t)
    np.testing.assert_allclose(out["disc"].position, np.column_stack([x, y, z]), rtol=0, atol=1e-8)
    expected = [zxz(*angles) for angles in zip(phi, theta, psi, strict=True)]
    np.testing.assert_allclose(out["disc"].rotation, expected, rtol=0, atol=1e-8)
    np.testing.assert_allclose(out["contact"].force[:, :2], np.column_stack([fx, fy]), rtol=0, atol=1e-7)


def test_rolling_disc_in_steady_motion(reference):
    """Routh's condition: the centre runs on a circle, its height and speed stay, one turn takes 2π/Ω;
    1e-8."""
    for theta, turn, spin, radius, speed in reference("rolling_disc")["steady"]:
        period = 2 * np.pi / turn
        out = run("rolling-disc", np.linspace(0, period, 9), rtol=1e-13, atol=1e-15, theta=theta,
                  rates=(turn, 0.0, spin))
        disc = out["disc"]
        np.testing.assert_allclose(disc.position[:, 2], 0.5 * np.sin(theta), rtol=0, atol=1e-8)
        np.testing.assert_allclose(np.linalg.norm(disc.velocity, axis=1), speed, rtol=0, atol=1e-8)
        np.testing.assert_allclose(disc.position[-1], disc.position[0], rtol=0, atol=1e-8)
        assert np.linalg.norm(disc.position[4] - disc.position[0]) == pytest.approx(2 * radius, abs=1e-8)


def test_pendulum_on_a_free_block(reference):
    """Block and bob over 5 s to 1e-8; momentum stays zero; the bob is lowest after the exact quarter period;
    1e-8."""
    data = reference("pendulum_on_block")
    t, x, theta, xd, _ = columns(data)
    out = run("pendulum-on-block", t)
    np.testing.assert_allclose(out["block"].position, np.column_stack([x, 0 * x]), rtol=0, atol=1e-8)
    bob = np.column_stack([x + 1.5 * np.sin(theta), -1.5 * np.cos(theta)])
    np.testing.assert_allclose(out["bob"].position, bob, rtol=0, atol=1e-8)
    np.testing.assert_allclose(out["slide"].rate, xd, rtol=0, atol=1e-8)
    np.testing.assert_allclose(5.0 * out["block"].velocity[:, 0] + 2.0 * out["bob"].velocity[:, 0], 0.0,
                               rtol=0, atol=1e-8)
    quarter = run("pendulum-on-block", [data["quarter_period"]])
    hang = quarter["bob"].position[-1] - quarter["block"].position[-1]
    np.testing.assert_allclose(hang, (0.0, -1.5), rtol=0, atol=1e-8)


def test_slider_crank_with_spring_and_damper(reference):
    """SUNDIALS idasSlCrank, 10 s: crank, slider, rod to 1e-8."""
    t, q, x, p, qd = columns(reference("slider_crank_spring"))
    out = run("slider-crank-spring", t)
    np.testing.assert_allclose(out["crank"].angle, q, rtol=0, atol=1e-8)
    np.testing.assert_allclose(out["crank"].omega, qd, rtol=0, atol=1e-8)
    np.testing.assert_allclose(out["rod"].angle, p, rtol=0, atol=1e-8)
    np.testing.assert_allclose(out["slide"].coordinate + x[0], x, rtol=0, atol=1e-8)


def test_slider_crank(reference):
    """Free slider-crank, 2 s, about four and a half turns: crank angle to 1e-8, speed to 1e-7,
    piston to 1e-8."""
    t, theta, rate, s, sd, phi = columns(reference("slider_crank"))
    out = run("slider-crank", t)
    np.testing.assert_allclose(out["crank"].angle, theta, rtol=0, atol=1e-8)
    np.testing.assert_allclose(out["O"].rate, rate, rtol=0, atol=1e-7)
    np.testing.assert_allclose(out["piston"].position[:, 0], s, rtol=0, atol=1e-8)
    np.testing.assert_allclose(out["piston"].velocity[:, 0], sd, rtol=0, atol=1e-7)
    np.testing.assert_allclose(out["rod"].angle, phi, rtol=0, atol=1e-8)


def test_car_axis(reference):
    """Test Set car axis, 3 s: wheels to 1e-9, rates to 1e-8, multipliers to 1e-9.

    The Test Set's constraint forces carry +λ, the axle's as 2 λ₂ (r_l − r_r): λ₁ = −λ(guide), λ₂ =
    −λ(axle)/(2 L).
    """
    t, y = zip(*reference("car_axis")["states"], strict=True)
    y = np.array(y)
    out = run("car-axis", t)
    np.testing.assert_allclose(np.hstack([out["left"].position, out["right"].position]), y[:, :4], rtol=0,
                               atol=1e-9)
    np.testing.assert_allclose(np.hstack([out["left"].velocity, out["right"].velocity]), y[:, 4:8], rtol=0,
                               atol=1e-8)
    np.testing.assert_allclose(-out["guide"].multipliers[:, 0], y[:, 8], rtol=0, atol=1e-9)
    np.testing.assert_allclose(-out["axle"].multipliers[:, 0] / 2, y[:, 9], rtol=0, atol=1e-9)


def test_bricard(reference):
    """A04, 10 s: P3 to 1e-6 m and energy to 1e-7 J, with one redundant equation all the way."""
    t, p3 = zip(*reference("bricard")["states"], strict=True)
    out = run("bricard", t, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(out.point("rod 2", (0, -0.5, 0)), p3, rtol=0, atol=1e-6)
    assert np.abs(out.energy.residual).max() < 1e-7


@pytest.mark.parametrize("n", [1, 2, 10, 40])
def test_n_four_bar(reference, n):
    """A02, 10 s, ten passes through the singular pose: crank angle to 1e-6 rad."""
    rows = np.array([r for r in reference("n_four_bar")["states"] if r[0] == n])
    out = run("n-four-bar", rows[:, 1], rtol=1e-10, atol=1e-13, n=n)
    np.testing.assert_allclose(np.pi / 2 - out["crank 0"].angle, rows[:, 2], rtol=0, atol=1e-6)


@pytest.mark.parametrize("n, scale, twice", [(1, 1.0, False), (2, 1.0, True), (2, 1e-3, False), (10, 1.0, False)])
def test_n_four_bar_from_many_starts(n, scale, twice):
    """A02 from random start speeds through 6 to 16 singular poses, with two hinges duplicated, and in millimetres: no failure,
    and the energy is kept to 1e-6 of what was exchanged."""
    random = np.random.default_rng(7)
    model = catalog.make("n-four-bar", n=n, scale=scale)
    model.gravity = (0, -9.81 * scale)
    if twice:
        model.add(da.Revolute("again", "crank 0", "coupler 0", on_i=(0.5 * scale, 0), on_j=(-0.5 * scale, 0)))
        model.add(da.Revolute("more", "ground", "crank 1", on_i=(scale, 0), on_j=(-0.5 * scale, 0)))
    for _ in range(12):
        model.initials = {}
        model.initial("A0", rate=-random.uniform(0.5, 5.0))
        out = da.simulate(model, 10.0, rtol=1e-9, atol=1e-12 * scale, max_steps=5000)
        assert np.abs(out.energy.residual).max() <= 1e-6 * out.energy.exchanged
