"""A01: planar simple pendulum, a point mass on a massless bar.

Source: IFToMM library of computational benchmark problems, A01 (1 kg, 1 m, released level at (−1, 0)).
Shows an exact point mass: the bar is a massless link to the mass centre, so the body's own rotation
takes no part; it is locked.  Closed form: φ = 2 asin(k cd(√(g/L) t | k²)), k = sin(φ₀/2).
"""

import dalembert as da


def make(*, length=1.0, mass=1.0, gravity=9.81):
    """Released at rest from (−length, 0)."""
    m = da.Model("simple pendulum", dim=2, gravity=(0, "-g"), parameters={"l": length, "m": mass, "g": gravity})
    bob = m.add(da.Body("bob", mass="m", inertia="m*l**2/100", position=("-l", 0), shapes=da.Sphere("0.05*l")))
    m.add(da.DoubleRevolute("bar", m.ground, bob, at_i=(0, 0), at_j=("-l", 0)))
    m.add(da.RelativeAngle("no spin", m.ground, bob))
    return m
