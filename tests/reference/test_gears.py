"""Gear pairs and a planetary gear against closed forms (course text: multipliers of specific constraints)."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog

EXACT = {"rel": 1e-10, "abs": 1e-12}


@pytest.mark.parametrize("internal", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_gear_pair(internal, seed):
    """(J₁ + K² J₂) φ̈₁ = T; torque on gear 2 is J₂ K φ̈₁, the tooth force that over ρ₂, equal on both gears;
    1e-10.

    K = −ρ₁/ρ₂ for external gears, +ρ₁/ρ₂ for internal gears, chain and belt (the text, scan corrected).
    """
    random = np.random.default_rng(seed)
    r1, r2, J1, J2, T = random.uniform(0.1, 2.0, 5)
    name = "belt-drive" if internal else "gear-pair"
    s = da.accelerations(catalog.make(name, radii=(r1, r2), inertias=(J1, J2), torque=T))
    K = (1 if internal else -1) * r1 / r2
    alpha = T / (J1 + K**2 * J2)
    assert s["first"].angular_acceleration == pytest.approx(alpha, **EXACT)
    assert s["second"].angular_acceleration == pytest.approx(K * alpha, **EXACT)
    mesh = s["mesh"]
    assert mesh.torque == pytest.approx(J2 * K * alpha, **EXACT)
    assert mesh.multipliers[0] == pytest.approx(-J2 * K * alpha, **EXACT)
    assert mesh.on("first").torque == pytest.approx(J1 * alpha - T, **EXACT)
    tooth = mesh.torque / r2
    assert abs(tooth) == pytest.approx(abs(mesh.on("first").torque) / r1, **EXACT)
    if not internal:  # equal and opposite tooth forces on opposite sides of the pitch point
        assert mesh.on("first").torque * mesh.torque > 0
    # the force at the teeth acts at the pitch point ρ₂ before the second centre; a belt given by internal=True is a pure ratio
    np.testing.assert_allclose(mesh.force, (0.0, 0.0 if internal else -mesh.torque / r2), rtol=0, atol=1e-12)
    np.testing.assert_allclose(s["axle 1"].force, mesh.force, rtol=0, atol=1e-12)


def test_gears_keep_their_ratio_over_many_turns():
    """φ₂ = K φ₁ after more than ten turns; energy equals the torque's work; 1e-9."""
    run = da.simulate(catalog.make("gear-pair"), 3.0, rtol=1e-10, atol=1e-12)
    assert run["first"].angle[-1] > 20 * np.pi
    np.testing.assert_allclose(run["second"].angle, -0.4 * run["first"].angle, rtol=0, atol=1e-9)
    np.testing.assert_allclose(run.energy.kinetic, 1.5 * run["first"].angle, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_planetary_gear(seed):
    """Speeds by Willis' formula; accelerations, mesh torques, tooth forces, housing and carrier torque;
    1e-10."""
    random = np.random.default_rng(10 + seed)
    rs, rp, T, load, speed = random.uniform([0.1, 0.1, 0.5, -3.0, 1.0], [0.5, 0.5, 2.0, 0.0, 5.0])
    inertias, masses = random.uniform(0.1, 1.0, 4), random.uniform(0.5, 2.0, 4)
    (Js, Jp, Jc, _), mp = inertias, masses[1]
    model = catalog.make("planetary-gear", sun=rs, planet=rp, inertias=tuple(inertias), masses=tuple(masses),
                         torque=T,
                         load=load, speed=speed)
    s = da.accelerations(model)
    rr, arm = rs + 2 * rp, rs + rp
    sun, planet, carrier, ring = (s[n].omega for n in ("sun", "planet", "carrier", "ring"))
    assert sun == pytest.approx(speed, **EXACT)
    assert ring == pytest.approx(0.0, abs=1e-12)
    assert (sun - carrier) / (ring - carrier) == pytest.approx(-rr / rs, **EXACT)
    assert (planet - carrier) / (sun - carrier) == pytest.approx(-rs / rp, **EXACT)

    ic = rs / (rs + rr)  # carrier and planet per turn of the sun
    ip = ic - rs / rp * (1 - ic)
    about = Jc + mp * arm**2  # the carrier takes the planet's mass along
    alpha = (T + load * ic) / (Js + Jp * ip**2 + about * ic**2)
    for name, ratio in (("sun", 1.0), ("planet", ip), ("carrier", ic), ("ring", 0.0)):
        assert s[name].angular_acceleration == pytest.approx(ratio * alpha, **EXACT)

    on_sun = Js * alpha - T
    inner_planet = on_sun * rp / rs
    outer_planet = Jp * ip * alpha - inner_planet
    on_ring = -outer_planet * rr / rp
    inner, outer = s["inner mesh"], s["outer mesh"]
    assert inner.on("sun").torque == pytest.approx(on_sun, **EXACT)
    assert inner.on("planet").torque == pytest.approx(inner_planet, **EXACT)
    assert outer.on("planet").torque == pytest.approx(outer_planet, **EXACT)
    assert outer.on("ring").torque == pytest.approx(on_ring, **EXACT)
    assert inner.multipliers[0] / rp == pytest.approx(-on_sun / rs, **EXACT)  # the same tooth
    assert s["housing"].torque == pytest.approx(-on_ring, **EXACT)
    on_carrier = inner.on("carrier").torque + outer.on("carrier").torque
    assert on_carrier == pytest.approx(about * ic * alpha - load, **EXACT)
    assert on_carrier == pytest.approx(-(on_sun + inner_planet + outer_planet + on_ring), **EXACT)
