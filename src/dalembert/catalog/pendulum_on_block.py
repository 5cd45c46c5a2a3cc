"""A point-mass pendulum on a block that slides freely.

Source: classical; numbers defined for this project.
Shows two conserved quantities: (M + m) ẋ + m l θ̇ cos θ and the energy;
θ̇² = 2 g (M + m)(cos θ − cos θ₀)/(l (M + m sin² θ)), x = m l (sin θ₀ − sin θ)/(M + m).
"""

import dalembert as da


def make(*, block_mass=5.0, mass=2.0, length=1.5, angle=1.0, gravity=9.81):
    """θ = ``angle`` from the downward vertical, at rest; the bob hangs on a massless link,
    its rotation is locked."""
    place = ("l*sin(theta0)", "-l*cos(theta0)")
    m = da.Model("pendulum on a block", dim=2, gravity=(0, "-g"),
                 parameters={"M": block_mass, "m": mass, "l": length, "theta0": angle, "g": gravity})
    block = m.add(da.Body("block", mass="M", inertia=1.0, shapes=da.Box((0.6, 0.3, 0.3))))
    bob = m.add(da.Body("bob", mass="m", inertia=0.1, position=place, shapes=da.Sphere(0.1)))
    m.add(da.Prismatic("slide", m.ground, block, axis=(1, 0)))
    m.add(da.DoubleRevolute("bar", block, bob, at_i=(0, 0), at_j=place))
    m.add(da.RelativeAngle("no spin", m.ground, bob))
    return m
