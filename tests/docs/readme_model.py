"""The mechanism of the README, written as there."""

from math import asin, cos, pi, sin

import dalembert as da


def crank():
    """The slider-crank of the README: no parameters, a pose with fifteen digits."""
    r, l, th = 0.15, 0.35, pi / 4
    phi = asin(-r / l * sin(th))
    A = (r * cos(th), r * sin(th))
    B = (A[0] + l * cos(phi), 0.0)

    m = da.Model("slider-crank", dim=2, gravity=(0, -9.81))
    crank = m.add(da.Body.rod("crank", (0, 0), A, mass=1.0))
    rod = m.add(da.Body.rod("rod", A, B, mass=1.5))
    piston = m.add(da.Body("piston", mass=2.0, inertia=0.01, position=B))

    m.add(da.Revolute("O", m.ground, crank, at=(0, 0)))
    m.add(da.Revolute("A", crank, rod, at=A))
    m.add(da.Revolute("B", rod, piston, at=B))
    m.add(da.Prismatic("guide", m.ground, piston, axis=(1, 0)))
    m.initial("O", rate=10.0)
    return m
