"""Quick-return mechanism of a shaper: crank, sliding block, slotted lever, link and ram.

Source: classical (Whitworth's and the crank-and-slotted-lever drive; any text on mechanisms); numbers defined for this project.
Shows a plane mechanism with slides on moving bodies: the ram goes slowly one way and quickly back.
"""

from math import atan2, cos, sin

import dalembert as da
from dalembert.catalog.closing import sqrt


def closed_form(theta, crank=0.1, depth=0.25, lever=0.5, link=0.2, height=0.22):
    """Lever angle and ram position over the crank angle."""
    phi = atan2(crank * sin(theta) + depth, crank * cos(theta))
    bx, by = lever * cos(phi), lever * sin(phi) - depth
    return phi, bx - sqrt(link**2 - (height - by) ** 2, "quick-return")


def make(*, angle=0.4, speed=5.0, crank=0.1, depth=0.25, lever=0.5, link=0.2, height=0.22, gravity=9.81):
    """Crank on O, lever on C = (0, −depth), ram at ``height``; the crank starts at ``angle`` and is driven at ``speed`` rad/s."""
    phi, x = closed_form(angle, crank, depth, lever, link, height)
    A = (crank * cos(angle), crank * sin(angle))
    C, B, D = (0.0, -depth), (lever * cos(phi), lever * sin(phi) - depth), (x, height)
    m = da.Model("quick-return", dim=2, gravity=(0, -gravity))
    m.add(da.Body.rod("crank", (0, 0), A, mass=0.8))
    m.add(da.Body("block", mass=0.3, inertia=2e-4, position=A, angle=phi, shapes=da.Box((0.05, 0.03, 0.03))))
    m.add(da.Body.rod("lever", C, B, mass=2.0))
    m.add(da.Body.rod("link", B, D, mass=0.6))
    m.add(da.Body("ram", mass=3.0, inertia=0.01, position=D, shapes=da.Box((0.2, 0.05, 0.05))))
    m.add(da.Revolute("O", m.ground, "crank", at=(0, 0)))
    m.add(da.Revolute("A", "crank", "block", at=A))
    m.add(da.Prismatic("slot", "lever", "block", at=A, axis=(cos(phi), sin(phi))))
    m.add(da.Revolute("C", m.ground, "lever", at=C))
    m.add(da.Revolute("B", "lever", "link", at=B))
    m.add(da.Revolute("D", "link", "ram", at=D))
    m.add(da.Prismatic("guide", m.ground, "ram", at=D, axis=(1, 0)))
    m.add(da.Drive("motor", "O", f"{float(speed)!r}*t"))
    return m
