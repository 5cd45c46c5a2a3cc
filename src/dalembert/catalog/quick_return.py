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
    closed_form(angle, crank, depth, lever, link, height)  # refuses what cannot close
    m = da.Model("quick-return", dim=2, gravity=(0, "-g"),
                 parameters={"r": crank, "d": depth, "l": lever, "b": link, "h": height, "m2": 0.8, "m3": 0.3, "m4": 2.0,
                             "m5": 0.6, "m6": 3.0, "theta2": angle, "phi": "atan2(r*sin(theta2) + d, r*cos(theta2))",
                             "CA": "hypot(r*cos(theta2), r*sin(theta2) + d)",
                             "chi": "pi - asin((h + d - l*sin(phi))/b)", "omega2": speed, "g": gravity})
    A = ("r*cos(theta2)", "r*sin(theta2)")
    C, B, D = (0, "-d"), ("l*cos(phi)", "l*sin(phi) - d"), ("l*cos(phi) + b*cos(chi)", "h")
    m.add(da.Body.rod("crank", (0, 0), A, mass="m2"))
    m.add(da.Body("block", mass="m3", inertia=2e-4, position=A, angle="phi", shapes=da.Box((0.05, 0.03, 0.03))))
    m.add(da.Body.rod("lever", C, B, mass="m4"))
    m.add(da.Body.rod("link", B, (D[0], f"{B[1]} + b*sin(chi)"), mass="m5"))
    m.add(da.Body("ram", mass="m6", inertia=0.01, position=D, shapes=da.Box((0.2, 0.05, 0.05))))
    m.add(da.Revolute("O", m.ground, "crank", on_i=(0, 0), on_j=("-r/2", 0)))
    m.add(da.Revolute("A", "crank", "block", on_i=("r/2", 0), on_j=(0, 0)))
    m.add(da.Prismatic("slot", "lever", "block", on_i=("CA - l/2", 0), on_j=(0, 0), axis_i=(1, 0), axis_j=(1, 0)))
    m.add(da.Revolute("C", m.ground, "lever", on_i=C, on_j=("-l/2", 0)))
    m.add(da.Revolute("B", "lever", "link", on_i=("l/2", 0), on_j=("-b/2", 0)))
    m.add(da.Revolute("D", "link", "ram", on_i=("b/2", 0), on_j=(0, 0)))
    m.add(da.Prismatic("guide", m.ground, "ram", at=D, axis=(1, 0)))
    m.add(da.Drive("motor", "O", "omega2*t"))
    return m
