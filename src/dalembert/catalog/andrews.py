"""Andrews' squeezing mechanism: seven bodies, one degree of freedom, a drive torque and a spring.

Source: Test Set for IVP Solvers (Bari/CWI), problem "Andrews' squeezing mechanism"; W. Schiehlen (ed.),
Multibody Systems Handbook, 1990; E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, VII.7.
Shows fast motion of small bodies, and one pin E shared by four of them.

    K1 crank on O           K2 from the crank pin F to E      K3 lever B–D–E on B      K4 from E to H on K5
    K5 lever A–H on A       K6 from E to G on K7              K7 lever A–G on A

Body angles: K1 β, K2 β + Θ, K3 γ, K4 δ + Φ, K5 δ, K6 ε + Ω, K7 ε.
"""

import numpy as np

import dalembert as da

START = (-0.06171389001427645, 0.0, 0.45527981916307037, 0.22266839016588588, 0.48736497954384256,
         -0.22266839016588588, 1.2305474445498212)  # β, Θ, γ, Φ, δ, Ω, ε
MASSES = (0.04325, 0.00365, 0.02373, 0.00706, 0.0705, 0.00706, 0.05498)
INERTIAS = (2.194e-6, 4.41e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
A, B, C = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)
d, da_, e, ea, rr, ra, ss = 0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092, 0.035
sa, sb, sc, sd, ta, tb = 0.01874, 0.01043, 0.018, 0.02, 0.02308, 0.00916
u, ua, ub, zf, zt, fa = 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.01421


def make(*, torque=0.033, stiffness=4530.0, rest_length=0.07785):
    """At rest in the Test Set's initial pose; no gravity."""
    beta, theta, gamma, phi, delta, omega, epsilon = START
    angles = (beta, beta + theta, gamma, phi + delta, delta, omega + epsilon, epsilon)

    def turned(k, x, y):
        c, s = np.cos(angles[k - 1]), np.sin(angles[k - 1])
        return np.array((c * x - s * y, s * x + c * y))

    F = turned(1, rr, 0)
    H, G = A + turned(5, zt, 0), A + turned(7, 0, -u)
    origins = ((0, 0), F, B, H, A, G, A)
    centres = ((ra, 0), (-da_, 0), (sb, -sa), (0, -(e - ea)), (ta, tb), (zf - fa, 0), (-ub, -ua))
    m = da.Model("Andrews' squeezer", dim=2)
    for k in range(7):
        m.add(da.Body(f"K{k + 1}", mass=MASSES[k], inertia=INERTIAS[k], position=tuple(origins[k]),
                      angle=angles[k], com=centres[k]))
    m.add(da.Revolute("O", m.ground, "K1", at=(0, 0)))
    m.add(da.Revolute("F", "K1", "K2", on_i=(rr, 0), on_j=(0, 0)))
    m.add(da.Revolute("B", m.ground, "K3", at=B))
    m.add(da.Revolute("E3", "K3", "K2", on_i=(0, -ss), on_j=(-d, 0)))
    m.add(da.Revolute("A5", m.ground, "K5", at=A))
    m.add(da.Revolute("H", "K5", "K4", on_i=(zt, 0), on_j=(0, 0)))
    m.add(da.Revolute("E4", "K2", "K4", on_i=(-d, 0), on_j=(0, -e)))
    m.add(da.Revolute("A7", m.ground, "K7", at=A))
    m.add(da.Revolute("G", "K7", "K6", on_i=(0, -u), on_j=(0, 0)))
    m.add(da.Revolute("E6", "K2", "K6", on_i=(-d, 0), on_j=(zf, 0)))
    m.add(da.Spring("spring", m.ground, "K3", at_i=C, on_j=(sd, -sc), stiffness=stiffness,
                    length=rest_length))
    m.add(da.Torque("drive", "K1", torque))
    return m
