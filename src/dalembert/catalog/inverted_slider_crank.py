"""Inverted slider-crank: a crank whose rod slides in a swinging cylinder (oscillating-cylinder engine, tipper ram).

Source: classical; numbers defined for this project.
Shows a slide whose direction turns: the rod's angle and the length left in the cylinder are closed forms of the crank angle.
"""

from math import atan2, cos, hypot, sin

import dalembert as da


def closed_form(theta, crank=0.12, distance=0.4):
    """Angle of the rod (from the pin on the crank to the cylinder's pivot) and the distance between these two."""
    x, y = distance - crank * cos(theta), -crank * sin(theta)
    return atan2(y, x), hypot(x, y)


def make(*, angle=0.3, speed=8.0, crank=0.12, distance=0.4, rod=0.45, gravity=9.81):
    """Crank on O, cylinder on C = (distance, 0); the crank starts at ``angle`` and is driven at ``speed`` rad/s."""
    psi, far = closed_form(angle, crank, distance)
    A = (crank * cos(angle), crank * sin(angle))
    C, u = (distance, 0.0), (cos(psi), sin(psi))
    m = da.Model("inverted slider-crank", dim=2, gravity=(0, -gravity))
    m.add(da.Body.rod("crank", (0, 0), A, mass=1.0))
    m.add(da.Body.rod("rod", A, (A[0] + rod * u[0], A[1] + rod * u[1]), mass=0.7))
    m.add(da.Body("cylinder", mass=1.5, inertia=0.01, position=C, angle=psi, shapes=da.Box((0.25, 0.08, 0.08))))
    m.add(da.Revolute("O", m.ground, "crank", at=(0, 0)))
    m.add(da.Revolute("A", "crank", "rod", at=A))
    m.add(da.Prismatic("slide", "cylinder", "rod", at=C, axis=u))
    m.add(da.Revolute("C", m.ground, "cylinder", at=C))
    m.add(da.Drive("motor", "O", f"{float(speed)!r}*t"))
    return m
