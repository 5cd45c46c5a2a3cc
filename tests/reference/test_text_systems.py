"""Worked systems of the course text "Forms of dynamic equations" (after Shabana, Computational Dynamics, 3rd
ed.)."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.equations.workspace import workspace


@pytest.mark.parametrize("seed", range(8))
def test_rod_on_a_moving_block(seed):
    """J_O θ̈ + ½ m g l cos θ = M + ½ m l sin θ z̈, and the free-body equations for the force at O; 1e-10.

    Source: first example of the text (embedded form), F_x = m R̈_x, F_y = m (R̈_y + g).
    """
    random = np.random.default_rng(seed)
    m, l, block, M = random.uniform(0.5, 3.0, 4)
    theta, rate, a, w, t = random.uniform([-3.0, -5.0, 0.1, 1.0, 0.1], [3.0, 5.0, 0.5, 5.0, 2.0])
    model = catalog.make("rod-on-block", mass=m, length=l, block_mass=block, angle=theta, rate=rate, moment=M,
                         z=f"{a:.17g}*sin({w:.17g}*t)")
    model.initial("O", coordinate=0.0)
    s = da.accelerations(model, t=t)
    assert s["rod"].angle == pytest.approx(theta, abs=1e-12)
    assert s["rod"].omega == pytest.approx(rate, abs=1e-12)
    z2, g = -a * w**2 * np.sin(w * t), 9.81
    J_O = m * l**2 / 3
    c, n = np.cos(theta), np.sin(theta)
    alpha = (M + 0.5 * m * l * n * z2 - 0.5 * m * g * l * c) / J_O
    assert s["rod"].angular_acceleration == pytest.approx(alpha, rel=1e-10, abs=1e-10)
    Fx = m * (z2 - rate**2 * l / 2 * c - alpha * l / 2 * n)
    Fy = m * (g - rate**2 * l / 2 * n + alpha * l / 2 * c)
    np.testing.assert_allclose(s["O"].force, (Fx, Fy), rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(s["O"].on("block").force, (-Fx, -Fy), rtol=1e-10, atol=1e-10)
    assert s["shake"].force == pytest.approx(block * z2 + Fx, rel=1e-10, abs=1e-10)
    np.testing.assert_allclose(s["slide"].force, (0.0, block * g + Fy), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("seed", range(5))
def test_rod_and_disc_augmented_system(seed):
    """The printed 6 × 6 + 4 system [M C_qᵀ; C_q 0][q̈; λ] = [Q_e; Q_d], put together by hand; 1e-10.

    Sign rule: the reaction of a constraint on a body is −Dᵀλ.  With the printed C_q this gives on the rod at
    O F¹² = −(λ₁, λ₂) and on the disc F²³ = +(λ₃, λ₄); the text's list λ = {F¹², F²³} is wrong in the sign of
    its first half.  The engine writes every joint as (point of second body) − (point of first body), which is
    the printed row for O and minus the printed row for A: D = S C_q, γ = S Q_d, λ = S λ_printed with S =
    diag(1, 1, −1, −1).
    """
    random = np.random.default_rng(100 + seed)
    l, m2, m3, r = random.uniform(0.5, 2.0, 4)
    theta, w2, w3, M2, M3 = random.uniform(-3.0, 3.0, 5)
    model = catalog.make("rod-and-disc", length=l, mass=m2, disc_mass=m3, disc_radius=r, angle=theta,
                         rates=(w2, w3), moments=(M2, M3))
    s = da.accelerations(model)
    c, n, g = np.cos(theta), np.sin(theta), 9.81
    M = np.diag([m2, m2, m2 * l**2 / 12, m3, m3, m3 * r**2 / 2])
    h = l / 2
    C_q = np.array([[1, 0, h * n, 0, 0, 0], [0, 1, -h * c, 0, 0, 0],
                    [1, 0, -h * n, -1, 0, 0], [0, 1, h * c, 0, -1, 0]])
    Q_d = h * w2**2 * np.array([-c, -n, c, n])
    Q_e = np.array([0, -m2 * g, M2, 0, -m3 * g, M3])
    x = np.linalg.solve(np.block([[M, C_q.T], [C_q, np.zeros((4, 4))]]), np.concatenate([Q_e, Q_d]))
    acceleration, lam = x[:6], x[6:]
    S = np.diag([1.0, 1.0, -1.0, -1.0])

    work = workspace(s.system)
    work.set(s.t, s.q, s.v)
    work.run("rows")
    close = {"rtol": 1e-10, "atol": 1e-10 * max(1.0, np.abs(x).max())}
    np.testing.assert_allclose(s.v[[2, 5]], (w2, w3), **close)
    np.testing.assert_allclose(work.mass(), M, rtol=1e-14)
    np.testing.assert_allclose(work.jacobian(), S @ C_q, **close)
    np.testing.assert_allclose(work.gamma, S @ Q_d, **close)
    np.testing.assert_allclose(s.observed.vdot[0], acceleration, **close)
    np.testing.assert_allclose(s.multipliers, S @ lam, **close)
    np.testing.assert_allclose(s["O"].force, -lam[:2], **close)
    np.testing.assert_allclose(s["A"].force, lam[2:], **close)
    np.testing.assert_allclose(s["A"].on("rod").force, -lam[2:], **close)
    F12, F23 = s["O"].force, s["A"].force  # the text's free-body equations of the rod
    np.testing.assert_allclose(m2 * acceleration[:2], F12 - F23 - (0, m2 * g), **close)
    turning = M2 + F12[0] * h * n - F12[1] * h * c + F23[0] * h * n - F23[1] * h * c
    np.testing.assert_allclose(M[2, 2] * acceleration[2], turning, **close)
