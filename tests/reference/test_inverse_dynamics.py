"""Inverse dynamics: driven mechanisms, all reactions and motor torques against tabled numbers."""

from math import radians

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog


def test_two_link_arm(reference):
    """Torques and joint forces over q₁ = sin t, q₂ = ½ cos 2t; 1e-9.  Source:
    data/two_link_arm.json (closed form)."""
    model = catalog.make("two-link-arm-driven")
    for t, tau1, tau2, base, elbow in reference("two_link_arm")["states"]:
        s = da.accelerations(model, t=t)
        assert s["shoulder"].coordinate == pytest.approx(np.sin(t), abs=1e-11)
        assert s["motor 1"].torque == pytest.approx(tau1, abs=1e-9)
        assert s["motor 2"].torque == pytest.approx(tau2, abs=1e-9)
        np.testing.assert_allclose(s["shoulder"].force, base, rtol=0, atol=1e-9)
        np.testing.assert_allclose(s["elbow"].force, elbow, rtol=0, atol=1e-9)


def test_two_link_arm_by_sub_systems():
    """Method II of the text (with its slips corrected): M³ about A, M² + M³ about O, no reactions; 1e-10.

    M² is the torque on link 2 alone; motor 1 supplies M² + M³ because motor 2 reacts on link 2.
    """
    s = da.accelerations(catalog.make("two-link-arm-driven"), t=0.7)
    (m2, m3), (l2, l3), g = (3.0, 2.0), (1.0, 0.8), 9.81
    a2, a3 = s["upper"].acceleration, s["lower"].acceleration
    c, n = (f(np.array([s["upper"].angle, s["lower"].angle])) for f in (np.cos, np.sin))
    turn2 = m2 * l2**2 / 12 * s["upper"].angular_acceleration
    turn3 = m3 * l3**2 / 12 * s["lower"].angular_acceleration
    M3 = turn3 + m3 * (g + a3[1]) * l3 / 2 * c[1] - m3 * a3[0] * l3 / 2 * n[1]
    both = (turn2 + turn3 + m2 * (g + a2[1]) * l2 / 2 * c[0] - m2 * a2[0] * l2 / 2 * n[0]
            + m3 * (g + a3[1]) * (l2 * c[0] + l3 / 2 * c[1]) - m3 * a3[0] * (l2 * n[0] + l3 / 2 * n[1]))
    assert s["motor 2"].torque == pytest.approx(M3, rel=1e-10)
    assert s["motor 1"].torque == pytest.approx(both, rel=1e-10)


def four_bar_by_hand(s):
    """The text's 9 equations for F¹², F²³, F³⁴, F⁴¹ and M² (body 4: F³⁴ − m⁴ g − F⁴¹),
    from the accelerations."""
    A, b, g = np.zeros((9, 9)), np.zeros(9), 9.81
    parts = (("crank", 0.6, 0.3, 0, 1.0), ("coupler", 1.8, 0.9, 2, 1.0), ("rocker", 1.4, 0.7, 4, -1.0))
    for k, (name, mass, length, into, way) in enumerate(parts):
        h = way * length / 2  # half the link, from its first joint in the loop to its second
        c, n = np.cos(s[name].angle), np.sin(s[name].angle)
        A[3 * k, [into, into + 2]] = A[3 * k + 1, [into + 1, into + 3]] = 1.0, -1.0
        A[3 * k + 2, into:into + 4] = h * n, -h * c, h * n, -h * c
        a = s[name].acceleration
        b[3 * k:3 * k + 3] = (mass * a[0], mass * (a[1] + g),
                              mass * length**2 / 12 * s[name].angular_acceleration)
    A[2, 8] = 1.0
    return np.linalg.solve(A, b)


def test_four_bar(reference):
    """Crank at 10 rad/s every 30°: motion, torque, all joint forces; 1e-9.  Source: data/four_bar.json."""
    for degrees, th3, th4, w3, w4, al3, al4, tau, *forces in reference("four_bar")["states"]:
        model = catalog.make("four-bar-driven", angle=radians(degrees), speed=10.0)
        s = da.accelerations(model)
        coupler, rocker = s["coupler"], s["rocker"]
        found = (coupler.angle, rocker.angle, coupler.omega, rocker.omega, coupler.angular_acceleration,
                 rocker.angular_acceleration)
        np.testing.assert_allclose(found, (th3, th4, w3, w4, al3, al4), rtol=1e-9, atol=1e-9)
        assert s["motor"].torque == pytest.approx(tau, abs=1e-9)
        for joint, force in zip("ABCD", forces, strict=True):
            np.testing.assert_allclose(s[joint].force, force, rtol=0, atol=1e-9)
        by_hand = four_bar_by_hand(s)
        np.testing.assert_allclose(by_hand[:6], [*forces[0], *forces[1], *forces[2]], rtol=0, atol=1e-9)
        np.testing.assert_allclose(by_hand[6:8], [-forces[3][0], -forces[3][1]], rtol=0, atol=1e-9)
        assert by_hand[8] == pytest.approx(tau, abs=1e-9)


def slider_crank_by_hand(theta, w=10.0, r=0.15, l=0.35, masses=(1.0, 1.5, 2.0), g=9.81):
    """Joint forces on the second bodies O, A, B, the guide's force, and M² by virtual work (text:
    Q_e = Q_i)."""
    m2, m3, m4 = masses
    phi = np.arcsin(-r / l * np.sin(theta))
    c, n, C, N = np.cos(theta), np.sin(theta), np.cos(phi), np.sin(phi)
    turn = -r * w * c / (l * C)
    alpha = (r * n * w**2 + l * N * turn**2) / (l * C)
    a2 = -r / 2 * w**2 * np.array([c, n])
    aA = 2 * a2
    a3 = aA + l / 2 * (alpha * np.array([-N, C]) - turn**2 * np.array([C, N]))
    a4 = aA + l * (alpha * np.array([-N, C]) - turn**2 * np.array([C, N]))
    J3 = m3 * l**2 / 12
    Bx = m4 * a4[0]
    Ax = m3 * a3[0] + Bx
    # rod: A_y − B_y = m (a_y + g);  J φ̈ = l/2 (N A_x − C A_y) + l/2 (N B_x − C B_y)
    Ay, By = np.linalg.solve([[1, -1], [-l / 2 * C, -l / 2 * C]],
                             [m3 * (a3[1] + g), J3 * alpha - l / 2 * N * (Ax + Bx)])
    O = m2 * a2 + (Ax, Ay + m2 * g)
    along3 = -r * (n - 0.5 * c * np.tan(phi))
    Q_i = (m3 * a3[0] * along3 + m3 * a3[1] * r * c / 2 - J3 * alpha * r * c / (l * C)
           + m4 * a4[0] * r * (-n + c * np.tan(phi)))
    M2 = Q_i + m2 * g * r / 2 * c + m3 * g * r * c / 2
    return O, (Ax, Ay), (Bx, By), (0.0, m4 * g - By), M2


def test_slider_crank(reference):
    """Crank at 10 rad/s every 30°: torque and joint forces; 1e-9.

    Sources: torques data/slider_crank.json; forces from the free bodies, torque also from the text's Q_e =
    Q_i.
    """
    for degrees, tau in reference("slider_crank")["torques"]:
        s = da.accelerations(catalog.make("slider-crank-driven", angle=radians(degrees), speed=10.0))
        O, A, B, guide, M2 = slider_crank_by_hand(radians(degrees))
        assert s["motor"].torque == pytest.approx(tau, abs=1e-9)
        assert pytest.approx(tau, abs=1e-9) == M2
        for joint, force in (("O", O), ("A", A), ("B", B), ("guide", guide)):
            np.testing.assert_allclose(s[joint].force, force, rtol=0, atol=1e-9)
        assert s["guide"].torque == pytest.approx(0.0, abs=1e-9)


def test_driven_bar_in_space(reference):
    """Drive torque (J + 4 m) θ̈ + 2 m g sin θ and pivot force; 1e-10 of the weight.  Source:
    data/driven_bar.json."""
    data = reference("driven_bar")
    model = catalog.make("driven-bar")
    weight = data["mass"] * 9.81
    for t, theta, torque, fy, fz in data["states"]:
        s = da.accelerations(model, t=t)
        place = (0, 2 * np.sin(theta), -2 * np.cos(theta))
        np.testing.assert_allclose(s["bar"].position, place, rtol=0, atol=1e-12)
        assert s["motor"].torque == pytest.approx(torque, abs=1e-10 * weight)
        np.testing.assert_allclose(s["pivot"].force, (0, fy, fz), rtol=0, atol=1e-10 * weight)
        np.testing.assert_allclose(s["pivot"].torque, np.zeros(3), rtol=0, atol=1e-10 * weight)
    assert da.accelerations(model)["motor"].torque == pytest.approx(-224.82566111733013, abs=1e-10 * 224)
