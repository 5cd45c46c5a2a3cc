"""Whipple bicycle: rear frame with rider, front frame, two thin wheels that roll without slip, no rider control.

Source: J. P. Meijaard, J. M. Papadopoulos, A. Ruina, A. L. Schwab, Linearized dynamics equations for the balance and steer of a
bicycle, Proc. R. Soc. A 463 (2007): the benchmark parameters of table 1; also IFToMM library, uncontrolled bicycle.
Shows velocity-level constraints: 7 coordinates and 3 rates are free; upright running is steady, and stable between
weave speed 4.292 m/s and capsize speed 6.024 m/s.  Axes x forward, y right, z down; origin at the rear contact.
"""

from math import pi

import dalembert as da

PARAMETERS = {  # table 1: wheel base, trail, steer axis tilt; rear wheel R, rear body B, front frame H, front wheel F
    "w": 1.02, "c": 0.08, "tilt": pi / 10, "r_R": 0.3, "m_R": 2.0, "IRxx": 0.0603, "IRyy": 0.12,
    "x_B": 0.3, "z_B": -0.9, "m_B": 85.0, "IBxx": 9.2, "IBxz": 2.4, "IByy": 11.0, "IBzz": 2.8,
    "x_H": 0.9, "z_H": -0.7, "m_H": 4.0, "IHxx": 0.05892, "IHxz": -0.00756, "IHyy": 0.06, "IHzz": 0.00708,
    "r_F": 0.35, "m_F": 3.0, "IFxx": 0.1405, "IFyy": 0.28,
}


def make(*, speed=5.0, gravity=9.81, lean_rate=0.0):
    """Upright, straight ahead with ``speed``; ``lean_rate`` (rad/s) tips it at the start."""
    m = da.Model("Whipple bicycle", dim=3, gravity=(0, 0, "g"),
                 parameters=PARAMETERS | {"v": speed, "lean": lean_rate, "g": gravity})

    def body(name, mass, inertia, place, spin=0, **kw):
        m.add(da.Body(name, mass=mass, inertia=inertia, position=place, omega=("lean", spin, 0),
                      velocity=("v", f"-lean*({place[2]})", 0), **kw))

    def frame(k):
        return ((f"I{k}xx", 0, f"I{k}xz"), (0, f"I{k}yy", 0), (f"I{k}xz", 0, f"I{k}zz"))

    body("rear frame", "m_B", frame("B"), ("x_B", 0, "z_B"),
         shapes=da.Link([(-0.3, 0, 0.6), (0.2, 0, 0.5), (0.52188470506, 0, 0.04404913534), (0, 0, 0), (-0.3, 0, 0.6)]))
    body("front frame", "m_H", frame("H"), ("x_H", 0, "z_H"),
         shapes=da.Link([(-0.07811529494, 0, -0.15595086466), (0.12, 0, 0.35)]))
    for k, name, x in (("R", "rear wheel", 0), ("F", "front wheel", "w")):
        body(name, f"m_{k}", (f"I{k}xx", f"I{k}yy", f"I{k}xx"), (x, 0, f"-r_{k}"), f"-v/r_{k}",
             shapes=da.Cylinder(f"r_{k}", 0.03, rotation=("x", (pi / 2,))))
    m.add(da.Revolute("rear hub", "rear frame", "rear wheel", at=(0, 0, "-r_R"), axis=(0, 1, 0)))
    m.add(da.Revolute("steer", "rear frame", "front frame", at=("w + c", 0, 0), axis=("sin(tilt)", 0, "cos(tilt)")))
    m.add(da.Revolute("front hub", "front frame", "front wheel", at=("w", 0, "-r_F"), axis=(0, 1, 0)))
    for name, k in (("rear", "R"), ("front", "F")):
        m.add(da.RollingDisc(f"{name} contact", m.ground, f"{name} wheel", radius=f"r_{k}", axis_j=(0, 1, 0),
                             ground_normal=(0, 0, -1)))
    return m


def tipped(**kw):
    """Tipped by 0.5 rad/s at 4.6 m/s, between weave and capsize speed (IFToMM manoeuvre 2)."""
    return make(**({"speed": 4.6, "lean_rate": 0.5} | kw))
