"""The matrices printed in the texts come out entry by entry; names, partitions, the multiplier theorem, and what is refused.

Sign rule of the engine: a joint's rows are (point of the second body) − (point of the first); the texts print some of them the
other way round.  S = diag(±1) turns one into the other: C_q → S C_q, γ → S γ, λ → S λ.
"""

import sys

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog
from dalembert.algebra.rotations import frame_along

EXACT = {"rtol": 1e-12, "atol": 1e-12}


def tilde(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def full(M, C):
    return np.block([[M, C.T], [C, np.zeros((len(C), len(C)))]])


@pytest.mark.parametrize("seed", range(4))
def test_rod_and_disc(seed):
    """Text 001: the printed C_q (4 × 6) and the augmented system of 10; the text's λ = {F¹², F²³} holds up to sign (errata)."""
    random = np.random.default_rng(seed)
    l, m2, m3, r, g = *random.uniform(0.5, 2.0, 4), 9.81
    theta, w2, w3, M2, M3 = random.uniform(-3.0, 3.0, 5)
    model = catalog.make("rod-and-disc", length=l, mass=m2, disc_mass=m3, disc_radius=r, angle=theta, rates=(w2, w3),
                         moments=(M2, M3))
    s, c, h = np.sin(theta), np.cos(theta), l / 2
    C = np.array([[1, 0, h * s, 0, 0, 0], [0, 1, -h * c, 0, 0, 0], [1, 0, -h * s, -1, 0, 0], [0, 1, h * c, 0, -1, 0]])
    S = np.diag([1.0, 1.0, -1.0, -1.0])
    mass = np.diag([m2, m2, m2 * l**2 / 12, m3, m3, m3 * r**2 / 2])
    Qe = np.array([0, -m2 * g, M2, 0, -m3 * g, M3])
    gamma = h * w2**2 * np.array([-c, -s, c, s])
    found = da.matrices(model, layout="plane", independent=["rod.angle", "disc.angle"])
    np.testing.assert_allclose(found.M, mass, **EXACT)
    np.testing.assert_allclose(found.Cq, S @ C, **EXACT)
    np.testing.assert_allclose(found.K, full(mass, S @ C), **EXACT)
    np.testing.assert_allclose(found.rhs, [*Qe, *(S @ gamma)], **EXACT)
    np.testing.assert_allclose(found.solution, np.linalg.solve(full(mass, S @ C), [*Qe, *(S @ gamma)]), rtol=1e-10, atol=1e-10)
    F12, F23 = -found.multipliers.numpy[:2], -found.multipliers.numpy[2:]  # on body 2 at O; on body 3 at the pin
    np.testing.assert_allclose(found.state["O"].force, F12, **EXACT)
    np.testing.assert_allclose(found.state["A"].force, F23, **EXACT)
    np.testing.assert_allclose(found.Qc, [*(F12 - F23), F12 @ (h * s, -h * c) + F23 @ (h * s, -h * c), *F23, 0], **EXACT)
    # the text's partition: q_i = (θ², θ³), all translations depend on them
    np.testing.assert_allclose(found.B, [[-h * s, 0], [h * c, 0], [1, 0], [-l * s, 0], [l * c, 0], [0, 1]], **EXACT)
    np.testing.assert_allclose(found.gamma_i, -(w2**2) * np.array([h * c, h * s, 0, l * c, l * s, 0]), **EXACT)
    np.testing.assert_allclose(found.Cqi, S @ C[:, [2, 5]], **EXACT)
    np.testing.assert_allclose(found.Cqd, S @ C[:, [0, 1, 3, 4]], **EXACT)
    np.testing.assert_allclose(np.asarray(found.B).T @ found.Qc, 0.0, atol=1e-12 * np.abs(found.Qc.numpy).max())


@pytest.mark.parametrize("seed", range(4))
def test_slider_crank_of_eighteen(seed):
    """Texts 001 and 004: bodies 2, 3, 4 with R_x, R_y, θ; 8 rows of the joints and one of the driver: 9 + 9 unknowns."""
    random = np.random.default_rng(20 + seed)
    l2, l3, m2, m3, m4 = random.uniform([0.1, 0.4, 0.5, 0.5, 0.5], [0.3, 0.9, 2.0, 2.0, 2.0])
    theta, w2, t, load, g = random.uniform(-3, 3), random.uniform(2, 8), random.uniform(0.0, 0.1), random.uniform(-9, 9), 9.81
    model = catalog.make("slider-crank-driven", angle=theta, lengths=(l2, l3), masses=(m2, m3, m4), speed=w2, load=load)
    found = da.matrices(model, layout="plane", t=t)
    a2 = theta + w2 * t
    a3 = np.arcsin(-l2 / l3 * np.sin(a2))
    w3 = -l2 * np.cos(a2) / (l3 * np.cos(a3)) * w2  # the text's δθ³ = −l² cos θ² / (l³ cos θ³) δθ²
    (s2, c2), (s3, c3) = ((np.sin(a), np.cos(a)) for a in (a2, a3))
    O2 = A2 = l2 / 2
    A3 = B3 = l3 / 2
    C = np.zeros((9, 9))
    C[0, [0, 2]], C[1, [1, 2]] = (1, O2 * s2), (1, -O2 * c2)  # R² − l_O² e(θ²) = 0
    C[2, [0, 2, 3, 5]], C[3, [1, 2, 4, 5]] = (-1, A2 * s2, 1, A3 * s3), (-1, -A2 * c2, 1, -A3 * c3)
    C[4, [3, 5, 6]], C[5, [4, 5, 7]] = (-1, B3 * s3, 1), (-1, -B3 * c3, 1)
    C[6, 7] = C[7, 8] = C[8, 2] = 1  # R_y⁴ = 0, θ⁴ = 0, and the driver θ² = ω t
    e2, e3 = np.array([c2, s2]), np.array([c3, s3])
    gamma = np.array([*(-O2 * w2**2 * e2), *(-A3 * w3**2 * e3 - A2 * w2**2 * e2), *(-B3 * w3**2 * e3), 0, 0, 0])
    mass = np.diag([m2, m2, m2 * l2**2 / 12, m3, m3, m3 * l3**2 / 12, m4, m4, 0.01])
    Qe = np.array([0, -m2 * g, 0, 0, -m3 * g, 0, load, -m4 * g, 0])
    assert found.K.shape == (18, 18) and len(found.dependent) == 9 and found.independent == []
    np.testing.assert_allclose(found.K, full(mass, C), rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(found.rhs, [*Qe, *gamma], rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(found.nu, [0] * 8 + [w2], **EXACT)
    np.testing.assert_allclose(found.solution, np.linalg.solve(full(mass, C), [*Qe, *gamma]), rtol=1e-9, atol=1e-9)
    # the text's embedding of the virtual displacements: δθ³ and δR_x⁴ by δθ² (errata: it is δR_x⁴), with the driver released
    free = catalog.make("slider-crank", angle=a2, lengths=(l2, l3))
    B = da.matrices(free, layout="plane", independent="crank.angle").B
    assert B["rod.angle", "crank.angle"] == pytest.approx(-l2 * c2 / (l3 * c3), rel=1e-10)
    assert B["piston.x", "crank.angle"] == pytest.approx(l2 * (-s2 + c2 * np.tan(a3)), rel=1e-10)


@pytest.mark.parametrize("seed", range(4))
def test_driven_bar_in_space(seed):
    """Texts 000 and 002: 6 nb + nc = 12; Φ_r = 1 and Π̄ = −A s̃ at the pivot, −aᵀA b̃ for perpendicular axes, and the driver."""
    random = np.random.default_rng(40 + seed)
    length, amplitude, rate, t = random.uniform([1, 0.3, 1, 0.1], [4, 1, 3, 2])
    model = catalog.make("driven-bar", length=length, amplitude=amplitude, frequency=rate)
    theta, w, a = amplitude * np.array([np.cos(rate * t), -rate * np.sin(rate * t), -rate**2 * np.cos(rate * t)])
    A = np.array([[0, 0, 1], [np.sin(theta), np.cos(theta), 0], [-np.cos(theta), np.sin(theta), 0]])
    omega, m = np.array([0, 0, w]), 7800 * length * 0.05**2
    J = np.diag([m * 0.05**2 / 6, m * (length**2 + 0.05**2) / 12, m * (length**2 + 0.05**2) / 12])
    s, z = np.array([-length / 2, 0, 0]), np.array([0.0, 0.0, 1.0])
    first, second = frame_along((1.0, 0.0, 0.0), 2)[:, :2].T  # two ground directions across the hinge
    found = da.matrices(model, t=t)
    Pi = np.vstack([-A @ tilde(s), -first @ A @ tilde(z), -second @ A @ tilde(z), z])
    turning = tilde(omega) @ tilde(omega)
    gamma = np.array([*(-A @ turning @ s), -first @ A @ turning @ z, -second @ A @ turning @ z, a])
    np.testing.assert_allclose(found.M, m * np.eye(3), **EXACT)
    np.testing.assert_allclose(found.J, J, **EXACT)
    np.testing.assert_allclose(found.Phi_r, np.vstack([np.eye(3), np.zeros((3, 3))]), **EXACT)
    np.testing.assert_allclose(found.Pi, Pi, rtol=1e-10, atol=1e-11)
    np.testing.assert_allclose(found.nu, [0, 0, 0, 0, 0, w], rtol=1e-10, atol=1e-11)
    np.testing.assert_allclose(found.gamma, gamma, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(found.Fm, [0, 0, -m * 9.81], **EXACT)
    np.testing.assert_allclose(found.tau, -tilde(omega) @ J @ omega, atol=1e-10)
    np.testing.assert_allclose(found.gyro, found.tau, **EXACT)
    whole = np.zeros((12, 12))
    whole[:3, :3], whole[3:6, 3:6], whole[6:, :3], whole[6:, 3:6] = m * np.eye(3), J, found.Phi_r, Pi
    whole[:6, 6:] = whole[6:, :6].T
    np.testing.assert_allclose(found.K, whole, rtol=1e-10, atol=1e-11)
    torque = -found.multipliers["motor: drive"]
    assert torque == pytest.approx((J[2, 2] + m * length**2 / 4) * a + m * 9.81 * length / 2 * np.sin(theta), rel=1e-8)


def test_torques_of_a_field_are_apart_from_the_gyroscopic_ones():
    """τ = n̄^a + n̄^m − ω̃J̄ω̄ with all three there; f = (0, x, 0) on a box turns it by ∫ x² dm about z."""
    m = da.Model("box in a field")
    m.add(da.Body.from_shape("box", da.Box((2.0, 1.0, 0.6)), mass=1.5, omega=(0.4, -0.3, 0.7)))
    m.add(da.Field("f", ("0", "x", "0")))
    m.add(da.Torque("push", "box", (0.1, 0.2, 0.3)))
    found = da.matrices(m)
    J, omega = np.diag([1.5 * 1.36 / 12, 1.5 * 4.36 / 12, 1.5 * 5 / 12]), np.array([0.4, -0.3, 0.7])
    np.testing.assert_allclose(found.nm, (0, 0, 1.5 * 4 / 12), **EXACT)
    np.testing.assert_allclose(found.na, (0.1, 0.2, 0.3), **EXACT)
    np.testing.assert_allclose(found.gyro, -np.cross(omega, J @ omega), **EXACT)
    np.testing.assert_allclose(found.tau, found.nm.numpy + found.na.numpy + found.gyro.numpy, **EXACT)


def test_gyroscopic_torque_of_a_tumbling_body():
    m = da.Model("tumbler", dim=3, gravity=(0, 0, -2.0))
    J = np.array([[2.0, 0.1, 0.2], [0.1, 3.0, -0.3], [0.2, -0.3, 4.0]])
    omega = np.array([0.5, -1.0, 2.0])
    m.add(da.Body("b", mass=1.5, inertia=J.tolist(), omega=tuple(omega), rotation=("z", (0.4,)), com=(0.1, 0.2, 0.3)))
    m.add(da.Torque("T", "b", (1.0, 2.0, 3.0), frame="body"))
    found = da.matrices(m)
    np.testing.assert_allclose(found.gyro, -tilde(omega) @ J @ omega, **EXACT)
    np.testing.assert_allclose(found.na, (1, 2, 3), **EXACT)
    np.testing.assert_allclose(found.J, J, **EXACT)
    np.testing.assert_allclose(found.acceleration.numpy[3:], np.linalg.solve(J, (1, 2, 3) - tilde(omega) @ J @ omega), **EXACT)
    assert found.K.shape == (6, 6) and found.Cq.shape == (0, 6) and "empty" in str(found.Cq) and len(found.independent) == 6


def test_the_multiplier_theorem():
    for name in ("slider-crank", "spatial-four-bar", "rolling-disc", "four-bar-driven", "dzhanibekov"):
        M = da.matrices(catalog.make(name))
        found = M.theorem()
        assert found.holds and found.residual < 1e-12 and found.difference < 1e-9, name
        np.testing.assert_allclose(np.asarray(found.A) @ found.X, 0.0, atol=1e-12)
    M = da.matrices(catalog.make("slider-crank"))
    push = np.zeros(9)
    push[M.Cq.columns.names.index("crank.angle")] = 2.0  # a torque on the crank does work: no λ can stand for it
    wrong = M.theorem(push)
    assert not wrong.holds and wrong.residual > 1e-3 and "no λ" in str(wrong)
    right = M.theorem(M.Qc)
    assert right.holds and "so there is λ" in str(right)
    np.testing.assert_allclose(-np.asarray(M.Cq).T @ right.lam, M.Qc, rtol=1e-9, atol=1e-9 * np.abs(M.Qc.numpy).max())
    assert not da.matrices(catalog.make("spatial-four-bar")).theorem().unique
    with pytest.raises(da.AnalysisError, match="b has 9 numbers"):
        M.theorem([1.0, 2.0])


def test_names():
    K = da.matrices(catalog.make("four-bar"), layout="plane").K
    assert K["crank.x", "λ A: translation along x"] == K["crank.x", "λ1"] == K[0, 9] == 1.0
    block = K["B", "coupler"]
    assert block.shape == (2, 3) and block.rows.names == ("B: translation along x", "B: translation along y")
    np.testing.assert_array_equal(block, K.numpy[11:13, 3:6])
    assert K["A"].shape == (2, 17) and K[:, "crank"].shape == (17, 3)
    np.testing.assert_array_equal(K.T, K)
    np.testing.assert_array_equal(2 * K - K, np.asarray(K))
    assert isinstance(K @ np.ones(17), np.ndarray)
    with pytest.raises(da.AnalysisError, match="no 'cranck': did you mean"):
        K["cranck", "crank.x"]
    with pytest.raises(ValueError, match="read-only"):
        K._values[0, 0] = 3.0


def test_printing_at_any_size():
    small = str(da.matrices(catalog.make("rod-and-disc")))
    assert "λ4" in small and "rhs" in small and "B_iᵀ Q_c = 0" in small and "■" not in small
    middle = str(da.matrices(catalog.make("slider-crank-driven"), layout="plane"))
    assert "■··│···│···│■·■······" in middle and "piston | λ" in middle
    large = str(da.matrices(catalog.make("hanging-chain", n=60)))
    assert "each character stands for" in large and "computed when asked" in large
    assert max(len(line) for line in large.splitlines()) < 210 and len(large.splitlines()) < 80
    K = da.matrices(catalog.make("slider-crank-driven"), layout="plane").K
    assert len(K.numbers().splitlines()) == 18 + 3 + 2  # a head, rules between blocks, the title
    assert "singular" in str(da.matrices(catalog.make("bricard")))


def test_notebooks_latex_and_pandas():
    M = da.matrices(catalog.make("rod-and-disc"))
    page = M._repr_html_()
    assert page.count("<table>") == page.count("</table>") == 3 and "rod.angle" in page and "K x = rhs" in page
    text = M.Cq.latex()
    assert text.startswith(r"\mathbf{C}_{\mathbf{q}} = \left[\begin{array}{rrrr|rr}") and text.count(r"\\") == 4
    assert text.count("&") == 20 and text.isascii()
    named = M.K.latex(names=True)
    assert r"\text{O: translation along x}" in named and r"\text{$\lambda$1}" in named and named.isascii()
    assert all(getattr(M, name).latex().isascii() for name in M.ALL)
    assert all(getattr(M, name)._repr_html_() for name in M.ALL)
    pandas = pytest.importorskip("pandas")
    frame = M.K.to_pandas()
    assert frame.loc["O: translation along x", "rod.x"] == 1.0 and isinstance(M.rhs.to_pandas(), pandas.Series)


def test_partitions_that_cannot_be():
    crank = catalog.make("slider-crank")
    for wish, message in ((["crank.angle", "rod.angle"], "1 coordinate.s. are independent, got 2"), ("piston.y", "cannot be"),
                          ("crank.angel", "did you mean 'crank.angle'"), ([], "got 0")):
        with pytest.raises(da.AnalysisError, match=message) as error:
            da.matrices(crank, independent=wish)
        assert "crank.angle" in str(error.value)
    tall = da.Model("standing rod", dim=2)  # θ³ = −π/2 of the text: a crank longer than the rod
    for body in (da.Body.rod("crank", (0, 0), (0.4, 0.3), mass=1), da.Body.rod("rod", (0.4, 0.3), (0.4, 0), mass=1),
                 da.Body("piston", mass=1, inertia=0.1, position=(0.4, 0))):
        tall.add(body)
    for joint in (da.Revolute("O", "ground", "crank", at=(0, 0)), da.Revolute("A", "crank", "rod", at=(0.4, 0.3)),
                  da.Revolute("B", "rod", "piston", at=(0.4, 0)), da.Prismatic("guide", "ground", "piston", axis=(1, 0))):
        tall.add(joint)
    assert da.matrices(tall).independent == ["rod.angle"]
    with pytest.raises(da.AnalysisError, match="C_qd would be singular"):
        da.matrices(tall, independent="crank.angle")
    assert da.matrices(crank, independent="piston.x").independent == ["piston.x"]


def test_layouts(monkeypatch):
    with pytest.raises(da.AnalysisError, match="model is one of space: take 'course'"):
        da.matrices(catalog.make("driven-bar"), layout="plane")
    with pytest.raises(da.AnalysisError, match="no layout 'corse': did you mean 'course'"):
        da.matrices(catalog.make("four-bar"), layout="corse")
    bodies = da.matrices(catalog.make("double-pendulum"), layout="body")
    assert bodies.K.rows.names[:7] == ("first.x", "first.y", "first.z", "first.wx", "first.wy", "first.wz", "second.x")
    assert bodies.M.shape == (12, 12) and da.matrices(catalog.make("double-pendulum")).M.shape == (6, 6)
    monkeypatch.setattr(sys.modules["dalembert.analyses.matrices"], "ROOM", 20)
    with pytest.raises(da.AnalysisError, match="22 unknowns are too many for full matrices"):
        da.matrices(catalog.make("double-pendulum"))


def test_states_of_runs():
    model = catalog.make("four-bar")
    run = da.simulate(model, 0.1, step=0.05)
    state = run.state(1)
    M = da.matrices(model, state, layout="plane")
    np.testing.assert_allclose(M.multipliers, state.multipliers, rtol=1e-9)
    assert M.state.t == pytest.approx(0.05) and max(i.residual for i in M.identities if "ν" not in i.text) < 1e-12
