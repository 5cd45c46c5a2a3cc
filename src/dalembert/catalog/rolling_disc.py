"""A thin disc rolling without slip on level ground.

Source: classical (E. J. Routh; Ju. I. Neimark, N. A. Fufaev, Dynamics
of Nonholonomic Systems); numbers defined for this project.
Shows a nonholonomic system: 3 degrees of freedom in
velocity, 5 in position; contact force from multipliers.
Angles z–x–z: φ heading, θ between the disc's axis and the vertical, ψ spin.
"""

from math import cos, sin

import dalembert as da
from dalembert.catalog.lagrange_top import zxz


def make(*, radius=0.5, mass=1.0, theta=1.3089969389957472, rates=(0.5, 0.2, 8.0), gravity=9.81):
    """``rates`` are φ̇, θ̇, ψ̇ at the start (φ = ψ = 0); the centre's velocity follows from rolling."""
    yaw, lean, spin = rates
    s, c = sin(theta), cos(theta)
    omega = (lean, yaw * s, spin + yaw * c)  # body axes: e1 along the heading, e3 the disc's axis
    arm = (0.0, radius, 0.0)  # from the contact to the centre, in the frame (e1, e2, e3)
    across = tuple(omega[(k + 1) % 3] * arm[(k + 2) % 3] - omega[(k + 2) % 3] * arm[(k + 1) % 3]
                   for k in range(3))
    A = zxz(0.0, theta, 0.0)
    velocity = tuple(sum(A[i][k] * across[k] for k in range(3)) for i in range(3))
    m = da.Model("rolling disc", dim=3, gravity=(0, 0, -gravity))
    disc = m.add(da.Body("disc", mass=mass, inertia=tuple(mass * radius**2 * k for k in (0.25, 0.25, 0.5)),
                         position=(0, 0, radius * s), rotation=A, omega=omega, velocity=velocity,
                         shapes=da.Cylinder(radius, 0.02 * radius)))
    m.add(da.RollingDisc("contact", m.ground, disc, radius=radius, axis_j=(0, 0, 1)))
    return m
