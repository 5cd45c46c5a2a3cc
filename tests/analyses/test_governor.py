"""A flyball governor whose engine reads the sleeve: against Lagrange's equations in two coordinates, by SciPy."""

import numpy as np
from scipy.integrate import solve_ivp

import dalembert as da

G, L, A, BALL, SLEEVE, TH, K, C, LOAD, J, SPUN = 9.81, 0.3, 0.2, 1.0, 2.0, np.pi / 4, 60.0, 150.0, 1.0, 0.001, 0.023
SPIN = np.sqrt(G * (1 + SLEEVE * A / (BALL * L)) / (L * np.cos(TH)))


def governor():
    m = da.Model("governor", dim=3, gravity=(0, 0, -G))
    s, c = np.sin(TH), np.cos(TH)
    m.add(da.Body("spindle", mass=3.0, inertia=(0.05, 0.05, 0.02), position=(0, 0, -0.2)))
    m.add(da.Body("sleeve", mass=SLEEVE, inertia=(0.002, 0.002, 0.003), position=(0, 0, -2 * A * c)))
    m.add(da.Revolute("shaft", m.ground, "spindle", at=(0, 0, 0), axis=(0, 0, 1)))
    m.add(da.Prismatic("slide", "spindle", "sleeve", at=(0, 0, -2 * A * c), axis=(0, 0, 1)))
    for name, side in (("left", -1), ("right", 1)):
        m.add(da.Body(name, mass=BALL, inertia=(J, J, J), position=(side * L * s, 0, -L * c)))
        m.add(da.Revolute(f"{name} hinge", "spindle", name, at=(0, 0, 0), axis=(0, 1, 0)))
        m.add(da.Distance(f"{name} link", name, "sleeve", at_i=(side * A * s, 0, -A * c), at_j=(0, 0, -2 * A * c)))
    m.add(da.Motor("engine", "shaft", f"{LOAD} - {K}*slide"))
    m.add(da.Motor("dashpot", "slide", f"-{C}*rate"))
    m.add(da.Motor("machine", "shaft", f"-{LOAD}*(1 + step(t - 1))"))
    m.initial("shaft", rate=SPIN)
    return m


def rates(t, y, doubled):
    turn, th, w, u = y
    s, c = np.sin(th), np.cos(th)
    torque = LOAD - K * 2 * A * (np.cos(TH) - c) - LOAD * (1 + doubled)
    spun, change = SPUN + 2 * (BALL * (L * s) ** 2 + J), 4 * BALL * L**2 * s * c
    mass, slope = 2 * (BALL * L**2 + J) + SLEEVE * (2 * A * s) ** 2, SLEEVE * 8 * A**2 * s * c
    force = 0.5 * change * w**2 - 0.5 * slope * u**2 - 2 * G * s * (BALL * L + SLEEVE * A) - C * (2 * A * s) ** 2 * u
    return [w, u, (torque - change * u * w) / spun, force / mass]


def test_governor_against_two_coordinates():
    times = np.linspace(0, 3, 13)
    run = da.simulate(governor(), 3.0, times=times, rtol=1e-10, atol=1e-12)
    keep = {"rtol": 1e-12, "atol": 1e-13, "method": "DOP853"}
    first = solve_ivp(rates, (0, 1), [0, TH, SPIN, 0], args=(0,), t_eval=times[:5], **keep).y
    second = solve_ivp(rates, (1, 3), first[:, -1], args=(1,), t_eval=times[5:], **keep).y
    want = np.hstack([first, second])
    assert np.abs(run["shaft"].rate - want[2]).max() < 1e-9
    assert np.abs(run["slide"].coordinate - 2 * A * (np.cos(TH) - np.cos(want[1]))).max() < 1e-10
    assert run["slide"].coordinate[-1] < -0.01  # the sleeve sinks and opens the throttle
