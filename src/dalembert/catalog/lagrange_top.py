"""Lagrange's top: a heavy symmetric body with a fixed point.

Source: classical closed form (L. D. Landau, E. M. Lifshitz,
Mechanics, §35); numbers defined for this project.
Shows nutation and precession: cos θ is an elliptic function;
steady precession obeys A cos θ Ω² − C ω₃ Ω + m g l = 0.
"""

from math import cos, sin

import dalembert as da


def zxz(phi, theta, psi):
    """Rotation matrix of the Euler angles precession φ, nutation θ, spin ψ."""
    (a, b), (c, d), (e, f) = ((cos(x), sin(x)) for x in (phi, theta, psi))
    return ((a * e - b * c * f, -a * f - b * c * e, b * d),
            (b * e + a * c * f, -b * f + a * c * e, -a * d),
            (d * f, d * e, c))


def make(*, mass=1.0, arm=0.15, across=0.05, axial=0.02, theta=0.5, spin=60.0, precession=0.0, gravity=9.81):
    """``across`` and ``axial`` are the moments about the fixed point; ψ̇ = ``spin``, φ̇ = ``precession``,
    θ̇ = 0."""
    m = da.Model("Lagrange top", dim=3, gravity=(0, 0, "-g"),
                 parameters={"m": mass, "l": arm, "A": across, "C": axial, "theta0": theta, "spin": spin,
                             "precession": precession, "g": gravity})
    omega = (0, "precession*sin(theta0)", "spin + precession*cos(theta0)")
    top = m.add(da.Body("top", mass="m", inertia=("A - m*l**2", "A - m*l**2", "C"), com=(0, 0, "l"),
                        rotation=("x", "theta0"), omega=omega,
                        shapes=(da.Cylinder(0.1, 0.03, position=(0, 0, "l")), da.Link([(0, 0, 0), (0, 0, "1.6*l")]))))
    m.add(da.Spherical("tip", m.ground, top, at=(0, 0, 0)))
    return m
