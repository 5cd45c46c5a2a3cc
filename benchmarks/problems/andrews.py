"""Andrews' squeezing mechanism (Test Set for IVP Solvers), 0.03 s: seven bodies, three loops, a spring and a torque.

Error: the seven relative angles, against the exact reduction to one coordinate (tests/reference/data/andrews.json; agrees with
the published positions to 1e-9).
"""

from __future__ import annotations

import numpy as np

from benchmarks.mechanism import GROUND, Body, Joint, Mechanism, Spring, Torque
from benchmarks.problems.problem import Problem, data

START = (
    -0.06171389001427645,
    0.0,
    0.45527981916307037,
    0.22266839016588588,
    0.48736497954384256,
    -0.22266839016588588,
    1.2305474445498212,
)  # β, Θ, γ, Φ, δ, Ω, ε
MASSES = (0.04325, 0.00365, 0.02373, 0.00706, 0.0705, 0.00706, 0.05498)
INERTIAS = (2.194e-6, 4.41e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
O, A, B, C = (np.array(p) for p in ((0.0, 0.0), (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)))


def mechanism() -> Mechanism:
    beta, theta, gamma, phi, delta, omega, epsilon = START
    angles = (beta, beta + theta, gamma, phi + delta, delta, omega + epsilon, epsilon)

    def turned(k, x, y):
        c, s = np.cos(angles[k - 1]), np.sin(angles[k - 1])
        return np.array((c * x - s * y, s * x + c * y))

    F, H, G = turned(1, 0.007, 0), A + turned(5, 0.04, 0), A + turned(7, 0, -0.04)
    E = B + turned(3, 0, -0.035)
    D = B + turned(3, 0.02, -0.018)
    origins = (O, F, B, H, A, G, A)
    centres = (
        (0.00092, 0),
        (-0.0115, 0),
        (0.01043, -0.01874),
        (0, -(0.02 - 0.01421)),
        (0.02308, 0.00916),
        (0.02 - 0.01421, 0),
        (-0.00449, -0.01228),
    )
    bodies = [
        Body(
            f"K{k}", MASSES[k - 1], INERTIAS[k - 1], origins[k - 1] + turned(k, *centres[k - 1]), angles[k - 1], np.zeros(2), 0.0
        )
        for k in range(1, 8)
    ]
    pins = (
        ("O", GROUND, "K1", O),
        ("F", "K1", "K2", F),
        ("B", GROUND, "K3", B),
        ("E3", "K3", "K2", E),
        ("A5", GROUND, "K5", A),
        ("H", "K5", "K4", H),
        ("E4", "K2", "K4", E),
        ("A7", GROUND, "K7", A),
        ("G", "K7", "K6", G),
        ("E6", "K2", "K6", E),
    )
    return Mechanism(
        "Andrews' squeezer",
        2,
        np.zeros(2),
        bodies,
        [Joint(*pin) for pin in pins],
        [Spring("spring", GROUND, "K3", C, D, 4530.0, 0.07785)],
        [Torque("K1", 0.033)],
    )


def make() -> Problem:
    states = [row for row in data("andrews")["states"] if row[0] > 0]
    times = np.array([row[0] for row in states])

    def track(s):
        k1, k2, k3, k4, k5, k6, k7 = s.R.T
        return np.column_stack([k1, k2 - k1, k3, k4 - k5, k5, k6 - k7, k7])

    return Problem(
        "andrews",
        "Andrews' squeezer, 0.03 s",
        mechanism(),
        times,
        0.005,
        track,
        np.array([row[1] for row in states]),
        "exact reduction, agrees with published values to 1e-9",
        unit="rad",
        levels=(1.1e-6, 2.3e-9),
        floor=1e-11,
        target=5.0,
    )
