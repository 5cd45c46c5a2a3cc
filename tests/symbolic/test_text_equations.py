"""The equations printed in the texts (their misprints corrected) come out of the derivation, symbol by symbol."""

import pytest
import sympy as sp
import text_models
from sympy import cos, sin

import dalembert as da
from dalembert.symbolic.simplify import equal

METHODS = ("newton-euler", "virtual-work", "dalembert", "lagrange")


@pytest.mark.parametrize("method", METHODS)
def test_rod_on_a_moving_block(method):
    """J_O θ̈ + ½ m g l cos θ = M + ½ m l sin θ z̈."""
    eqs = da.derive(text_models.rod_on_block(), method, coordinates=["rod.angle"])
    p, q, a, z = eqs.parameters, eqs.symbol("rod.angle"), eqs.symbol("rod.angle", 2), eqs.symbol("z", 2)
    J_O = p["J"] + p["m"] * p["l"] ** 2 / 4
    half = p["m"] * p["l"] / 2
    assert len(eqs.coordinates) == 1
    assert eqs.same_as(J_O * a + half * p["g"] * cos(q), p["M"] + half * sin(q) * z)
    assert not eqs.same_as(J_O * a + half * p["g"] * cos(q), p["M"] - half * sin(q) * z)  # the test can fail
    assert eqs.verify().largest < 1e-10


def test_rod_on_a_block_energy_derivatives():
    """∂T/∂θ = −½ m l cos θ ż θ̇ (the text prints it as ∂T/∂θ̇)."""
    eqs = da.derive(text_models.rod_on_block(), "lagrange", coordinates=["rod.angle"])
    p, q, u, z = eqs.parameters, eqs.symbol("rod.angle"), eqs.symbol("rod.angle", 1), eqs.symbol("z", 1)
    shown = {
        line.right for s in eqs.story.sections for line in s.lines if hasattr(line, "right") and s.title == "Derivatives of T"
    }
    assert any(equal(e, -p["m"] * p["l"] * cos(q) * z * u / 2) for e in shown)


def slider():
    return da.derive(text_models.slider_crank(), "virtual-work", coordinates=["crank.angle", "rod.angle", "piston.x"])


def test_slider_crank_virtual_displacements():
    eqs = slider()
    p, a, b = eqs.parameters, eqs.symbol("crank.angle"), eqs.symbol("rod.angle")
    names = [c.name for c in eqs.kin.coordinates]
    B = dict(zip(names, eqs.B[:, 0], strict=True))
    assert equal(B["rod.angle"], -p["l2"] * cos(a) / (p["l3"] * cos(b)))
    assert equal(B["piston.x"], p["l2"] * (-sin(a) + cos(a) * sin(b) / cos(b)))  # δR_x⁴, not δR_y⁴ as printed
    assert equal(B["piston.x"], p["l2"] * p["l3"] * sin(b - a) / (p["l3"] * cos(b)))


def test_slider_crank_statics():
    eqs = slider()
    p, a, b = eqs.parameters, eqs.symbol("crank.angle"), eqs.symbol("rod.angle")
    Q_e = (
        -p["m2"] * p["g"] * p["lO"] * cos(a)
        - p["m3"] * p["g"] * p["l2"] * cos(a) * (1 - p["lA"] / p["l3"])
        + p["M2"]
        + p["F4"] * p["l2"] * (-sin(a) + cos(a) * sin(b) / cos(b))
    )
    assert equal(eqs.external_force[0], Q_e)


def test_slider_crank_inertia_force():
    """The text's Q_i in the accelerations of the bodies."""
    eqs = slider()
    p, a, b = eqs.parameters, eqs.symbol("crank.angle"), eqs.symbol("rod.angle")
    acc = {
        name: eqs.story.symbol(*name.split(" "), 2)
        for name in ("x G,crank", "y G,crank", "theta crank", "x G,rod", "y G,rod", "theta rod", "x G,piston")
    }
    tan = sin(b) / cos(b)
    Q_i = (
        -p["m2"] * acc["x G,crank"] * p["lO"] * sin(a)
        + p["m2"] * acc["y G,crank"] * p["lO"] * cos(a)
        + p["J2"] * acc["theta crank"]
        - p["m3"] * acc["x G,rod"] * p["l2"] * (sin(a) - p["lA"] / p["l3"] * cos(a) * tan)
        + p["m3"] * acc["y G,rod"] * p["l2"] * cos(a) * (1 - p["lA"] / p["l3"])
        - p["J3"] * acc["theta rod"] * p["l2"] * cos(a) / (p["l3"] * cos(b))
        + p["m4"] * acc["x G,piston"] * p["l2"] * (-sin(a) + cos(a) * tan)
    )
    part = next(s for s in eqs.story.sections if s.title.startswith("Dynamics"))
    assert equal(part.lines[0].right, Q_i)


def test_rod_and_disc_augmented():
    """C_q of the text; row signs are those of the engine, r_j − r_i."""
    eqs = da.derive(text_models.rod_and_disc(), "newton-euler")
    half, th = eqs.parameters["l"] / 2, eqs.symbol("rod.angle")
    text = sp.Matrix(
        [
            [1, 0, half * sin(th), 0, 0, 0],
            [0, 1, -half * cos(th), 0, 0, 0],
            [1, 0, -half * sin(th), -1, 0, 0],
            [0, 1, half * cos(th), 0, -1, 0],
        ]
    )
    ours = eqs.constraint_jacobian
    for k, sign in enumerate((1, 1, -1, -1)):
        assert all(equal(x, sign * y) for x, y in zip(ours.row(k), text.row(k), strict=True))
    p = eqs.parameters
    assert eqs.mass_matrix == sp.diag(p["m2"], p["m2"], p["J2"], p["m3"], p["m3"], p["J3"])
    assert list(eqs.forcing) == [0, -p["m2"] * p["g"], p["M2"], 0, -p["m3"] * p["g"], p["M3"]]


def test_two_link_arm():
    """M³ by moments about A and M² + M³ about O (method II), with the weights' arm l² cos θ² + l_A³ cos θ³."""
    eqs = da.derive(text_models.two_link(), "lagrange", coordinates=["upper.angle", "lower.angle"])
    p, a, b = eqs.parameters, eqs.symbol("upper.angle"), eqs.symbol("lower.angle")
    (au, aa), (bu, ba) = ((eqs.symbol(n, 1), eqs.symbol(n, 2)) for n in ("upper.angle", "lower.angle"))
    Rx3 = -p["l2"] * (sin(a) * aa + cos(a) * au**2) - p["lA"] * (sin(b) * ba + cos(b) * bu**2)
    Ry3 = p["l2"] * (cos(a) * aa - sin(a) * au**2) + p["lA"] * (cos(b) * ba - sin(b) * bu**2)
    M3 = p["J3"] * ba + (p["m3"] * p["g"] + p["m3"] * Ry3) * p["lA"] * cos(b) - p["m3"] * Rx3 * p["lA"] * sin(b)
    assert eqs.same_as(M3, p["M3"], number=1)
    Rx2, Ry2 = -p["lO"] * (sin(a) * aa + cos(a) * au**2), p["lO"] * (cos(a) * aa - sin(a) * au**2)
    arm_x, arm_y = p["l2"] * cos(a) + p["lA"] * cos(b), p["l2"] * sin(a) + p["lA"] * sin(b)
    both = (
        p["J2"] * aa
        + p["J3"] * ba
        + (p["m2"] * Ry2 + p["m2"] * p["g"]) * p["lO"] * cos(a)
        - p["m2"] * Rx2 * p["lO"] * sin(a)
        + (p["m3"] * Ry3 + p["m3"] * p["g"]) * arm_x
        - p["m3"] * Rx3 * arm_y
    )
    total = sum((eqs.equations[k].lhs - eqs.equations[k].rhs for k in (0, 1)), sp.S.Zero)
    assert equal(total, both - p["M2"])  # a motor of the elbow acts on both links: M² of the text is M2 − M3 of the motors


def test_heavy_top():
    """θ̈ of Lagrange's top: (A + m l²)(θ̈ − φ̇² sin θ cos θ) + C (ψ̇ + φ̇ cos θ) φ̇ sin θ = m g l sin θ."""
    eqs = da.derive(text_models.heavy_top(), "lagrange", coordinates=["tip.zxz"])
    p = eqs.parameters
    th, fd, sd, thdd = eqs.symbol("tip.theta"), eqs.symbol("tip.phi", 1), eqs.symbol("tip.psi", 1), eqs.symbol("tip.theta", 2)
    left = (p["A"] + p["m"] * p["l"] ** 2) * (thdd - fd**2 * sin(th) * cos(th)) + p["C"] * (sd + fd * cos(th)) * fd * sin(th)
    assert eqs.same_as(left, p["m"] * p["g"] * p["l"] * sin(th), number=1)
    assert eqs.verify().largest < 1e-10


def test_sleigh():
    """Chaplygin's sleigh, F along x at the edge: the constraint −ẋ sin θ + ẏ cos θ = 0 with its reaction λ."""
    eqs = da.derive(text_models.sleigh(), "dalembert")
    th = eqs.symbol("sleigh.angle")
    C = list(eqs.constraint_jacobian)
    assert [equal(x, y) for x, y in zip(C, (-sin(th), cos(th), 0), strict=True)] == [True] * 3
    lam, p = eqs.multipliers[0], eqs.parameters
    x, y, t = (eqs.symbol(f"sleigh.{n}", 2) for n in ("x", "y", "angle"))
    u = eqs.symbol("sleigh.angle", 1)
    ax = x - p["a"] * (sin(th) * t + cos(th) * u**2)
    ay = y + p["a"] * (cos(th) * t - sin(th) * u**2)
    assert eqs.same_as(p["m"] * ax, p["F"] - lam * sin(th), number=0)
    assert eqs.same_as(p["m"] * ay, sp.Rational(1, 5) + lam * cos(th), number=1)


def test_planetary_gear():
    """Willis: with the ring fixed φ_sun = (1 + ρ_r/ρ_s) φ_carrier; one degree of freedom is left."""
    from dalembert import catalog

    eqs = da.derive(catalog.make("planetary-gear", sun=0.1, planet=0.05), "virtual-work")
    names = [c.name for c in eqs.kin.coordinates]
    B = dict(zip(names, eqs.B[:, 0], strict=True))
    p = eqs.parameters
    assert equal(B["sun axle"] / B["carrier axle"], 1 + p["rho_r"] / p["rho_s"])  # in numbers: 1 + 0.2/0.1 = 3
    assert eqs.verify().largest < 1e-10
