"""A thin disc rolling without slip on level ground.

Source: classical (E. J. Routh; Ju. I. Neimark, N. A. Fufaev, Dynamics
of Nonholonomic Systems); numbers defined for this project.
Shows a nonholonomic system: 3 degrees of freedom in
velocity, 5 in position; contact force from multipliers.
Angles z–x–z: φ heading, θ between the disc's axis and the vertical, ψ spin.
"""

import dalembert as da


def make(*, radius=0.5, mass=1.0, theta=1.3089969389957472, rates=(0.5, 0.2, 8.0), gravity=9.81):
    """``rates`` are φ̇, θ̇, ψ̇ at the start (φ = ψ = 0); the centre's velocity follows from rolling."""
    m = da.Model("rolling disc", dim=3, gravity=(0, 0, "-g"),
                 parameters={"R": radius, "m": mass, "theta0": theta, "yaw": rates[0], "lean": rates[1], "spin": rates[2],
                             "g": gravity})
    # ω along e1 (heading), e2, e3 (the disc's axis); the centre is R e2 above the contact: v = ω × R e2
    omega = ("lean", "yaw*sin(theta0)", "spin + yaw*cos(theta0)")
    velocity = (f"-({omega[2]})*R", "-sin(theta0)*lean*R", "cos(theta0)*lean*R")
    disc = m.add(da.Body("disc", mass="m", inertia=("m*R**2/4", "m*R**2/4", "m*R**2/2"), position=(0, 0, "R*sin(theta0)"),
                         rotation=("x", "theta0"), omega=omega, velocity=velocity, shapes=da.Cylinder("R", "0.02*R")))
    m.add(da.RollingDisc("contact", m.ground, disc, radius="R", axis_j=(0, 0, 1)))
    return m
