"""One blow at one point of jointed bodies, against the law in generalised coordinates, for friction of any strength.

    M Δω = Jᵀ p,  W = J M⁻¹ Jᵀ,  u⁺ = u⁻ + W p                   u = (u_n, u_t) of the tip of a double pendulum against a wall
    u_n⁺ = −e u_n⁻,  p_n ≥ 0,  |p_t| ≤ μ p_n;  p_t = −μ p_n sign(u_t⁺) where u_t⁺ ≠ 0

solved by trying the three ways of sliding.  The sweep sees friction only afterwards: where μ |W_tn| > W_nn the tip went through
the wall, or lost the restitution, though there is one answer (κ of contacts/stiffness.py).
"""

import numpy as np
import pytest

import dalembert as da

L, RADIUS, M1, M2 = 1.0, 0.05, 2.0, 1.0


def matrices(a, b):
    """M and J of the angles of two rods from the x axis; the wall is to the right of the tip."""
    I1, I2, c = M1 * L * L / 3, M2 * L * L / 12, 0.5 * L
    k = M2 * L * c * np.cos(a - b)
    M = np.array([[I1 + M2 * L * L, k], [k, I2 + M2 * c * c]])
    return M, np.array([[L * np.sin(a), L * np.sin(b)], [L * np.cos(a), L * np.cos(b) + RADIUS]])  # −x is the wall's normal


def answers(W, u, mu, e):
    """All impulses that the law allows (two for a point that slides either way is a law without one answer)."""
    found = []
    p = np.linalg.solve(W, np.array([-e * u[0], 0.0]) - u)
    if p[0] >= 0 and abs(p[1]) <= mu * p[0]:
        found.append(p)
    for s in (1.0, -1.0):  # slides towards s
        k = W[0, 0] - s * mu * W[0, 1]
        n = -(1 + e) * u[0] / k if k else -1.0
        p = np.array([n, -s * mu * n])
        if n >= 0 and s * (u + W @ p)[1] > 0:
            found.append(p)
    return found


@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_a_tip_strikes_a_wall(e):
    random, tried, strong = np.random.default_rng(7), 0, 0
    for _ in range(120):
        a, b = random.uniform(-1.4, 1.4, 2)
        rates, mu = random.uniform(-2, 2, 2), random.choice([0.2, 1.0, 2.0, 3.0, 6.0])
        M, J = matrices(a, b)
        W, u = J @ np.linalg.inv(M) @ J.T, J @ rates
        found = answers(W, u, mu, e)
        if u[0] > -0.3 or len(found) != 1 or abs(W[0, 0] - mu * abs(W[0, 1])) < 0.1:
            continue
        p = found[0]
        after = rates + np.linalg.solve(M, J.T @ p)
        if after @ M @ after > rates @ M @ rates:
            continue  # Newton's restitution would gain energy: another law is taken
        tried, strong = tried + 1, strong + (mu * abs(W[0, 1]) > W[0, 0])
        elbow = L * np.array([np.cos(a), np.sin(a)])
        tip = elbow + L * np.array([np.cos(b), np.sin(b)])
        m = da.Model("two rods", dim=2, gravity=(0, 0))
        first = m.add(da.Body.rod("first", (0, 0), tuple(elbow), mass=M1))
        second = m.add(da.Body("second", mass=M2, inertia=M2 * L * L / 12, position=tuple(0.5 * (elbow + tip)), angle=b,
                               shapes=[da.Sphere(RADIUS, position=(0.5 * L, 0))]))
        m.add(da.Fixture("wall", shapes=[da.HalfSpace((-1, 0), position=(tip[0] + RADIUS, 0))]))
        m.add(da.Revolute("O", m.ground, first, at=(0, 0)))
        m.add(da.Revolute("A", first, second, at=tuple(elbow)))
        m.add(da.Contact("c", "wall", second, friction=mu, restitution=e))
        m.initial("O", rate=rates[0])
        m.initial("A", rate=rates[1] - rates[0])
        run = da.simulate(m, 1e-6, contact="stepping", fixed_step=1e-6)
        J_n = run["c"].impulse[-1]
        assert np.abs(np.array([-J_n[0], J_n[1]]) - p).max() < 1e-4 * np.abs(p).max(), (a, b, rates, mu, W, p, J_n)
        assert np.abs([run["first"].omega[-1] - after[0], run["second"].omega[-1] - after[1]]).max() < 2e-4
    assert tried > 20 and strong > 5
