"""inverse_dynamics over whole motions against the tabled numbers, by both methods."""

import numpy as np
import pytest

import dalembert as da
from dalembert import catalog

METHODS = ("constraints", "simultaneous")


@pytest.mark.parametrize("method", METHODS)
def test_two_link_arm(reference, method):
    """Torques and joint forces over q₁ = sin t, q₂ = ½ cos 2t; 1e-9.  Source: data/two_link_arm.json (closed form)."""
    t, tau1, tau2, base, elbow = zip(*reference("two_link_arm")["states"], strict=True)
    inv = da.inverse_dynamics(catalog.make("two-link-arm-driven"), times=t, method=method)
    for found, expected in ((inv["motor 1"].torque, tau1), (inv["motor 2"].torque, tau2), (inv["shoulder"].force, base),
                            (inv["elbow"].force, elbow)):
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_four_bar(reference, method):
    """One turn at 10 rad/s, every 30°: motion, torque, all joint forces; 1e-9.  Source: data/four_bar.json."""
    degrees, th3, th4, w3, w4, al3, al4, tau, *forces = zip(*reference("four_bar")["states"], strict=True)
    inv = da.inverse_dynamics(catalog.make("four-bar-driven", angle=np.radians(degrees[0]), speed=10.0),
                              times=np.radians(np.array(degrees) - degrees[0]) / 10, method=method)
    coupler, rocker = inv["coupler"], inv["rocker"]
    for found, expected in ((coupler.angle, th3), (rocker.angle, th4), (coupler.omega, w3), (rocker.omega, w4),
                            (coupler.angular_acceleration, al3), (rocker.angular_acceleration, al4), (inv["motor"].torque, tau)):
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    for joint, force in zip("ABCD", forces, strict=True):
        np.testing.assert_allclose(inv[joint].force, force, rtol=0, atol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_slider_crank(reference, method):
    """One turn at 10 rad/s: the crank torque; 1e-9.  Source: data/slider_crank.json."""
    degrees, tau = zip(*reference("slider_crank")["torques"], strict=True)
    inv = da.inverse_dynamics(catalog.make("slider-crank-driven", angle=np.radians(degrees[0]), speed=10.0),
                              times=np.radians(np.array(degrees) - degrees[0]) / 10, method=method)
    np.testing.assert_allclose(inv["motor"].torque, tau, rtol=0, atol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_driven_bar_in_space(reference, method):
    """Drive torque (J + 4 m) θ̈ + 2 m g sin θ and pivot force; 1e-10 of the weight.  Source: data/driven_bar.json."""
    data = reference("driven_bar")
    t, _, torque, fy, fz = zip(*data["states"], strict=True)
    inv = da.inverse_dynamics(catalog.make("driven-bar"), times=t, method=method)
    weight = data["mass"] * 9.81
    np.testing.assert_allclose(inv["motor"].torque, torque, rtol=0, atol=1e-10 * weight)
    np.testing.assert_allclose(inv["pivot"].force[:, 1:], np.column_stack([fy, fz]), rtol=0, atol=1e-10 * weight)
