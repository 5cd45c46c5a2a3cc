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
    m = da.Model("inverted slider-crank", dim=2, gravity=(0, "-g"),
                 parameters={"r": crank, "d": distance, "l": rod, "m2": 1.0, "m3": 0.7, "m4": 1.5, "theta2": angle,
                             "psi": "atan2(-r*sin(theta2), d - r*cos(theta2))", "AC": "hypot(d - r*cos(theta2), -r*sin(theta2))",
                             "omega2": speed, "g": gravity})
    A = ("r*cos(theta2)", "r*sin(theta2)")
    m.add(da.Body.rod("crank", (0, 0), A, mass="m2"))
    m.add(da.Body.rod("rod", A, (f"{A[0]} + l*cos(psi)", f"{A[1]} + l*sin(psi)"), mass="m3"))
    m.add(da.Body("cylinder", mass="m4", inertia=0.01, position=("d", 0), angle="psi", shapes=da.Box((0.25, 0.08, 0.08))))
    m.add(da.Revolute("O", m.ground, "crank", on_i=(0, 0), on_j=("-r/2", 0)))
    m.add(da.Revolute("A", "crank", "rod", on_i=("r/2", 0), on_j=("-l/2", 0)))
    m.add(da.Prismatic("slide", "cylinder", "rod", on_i=(0, 0), on_j=("AC - l/2", 0), axis_i=(1, 0), axis_j=(1, 0)))
    m.add(da.Revolute("C", m.ground, "cylinder", on_i=("d", 0), on_j=(0, 0)))
    m.add(da.Drive("motor", "O", "omega2*t"))
    return m
