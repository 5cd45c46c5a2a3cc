"""Whipple bicycle: rear frame with rider, front frame, two thin wheels that roll without slip, no rider control.

Source: J. P. Meijaard, J. M. Papadopoulos, A. Ruina, A. L. Schwab, Linearized dynamics equations for the balance and steer of a
bicycle, Proc. R. Soc. A 463 (2007): the benchmark parameters of table 1; also IFToMM library, uncontrolled bicycle.
Shows velocity-level constraints: 7 coordinates and 3 rates are free; upright running is steady, and stable between
weave speed 4.292 m/s and capsize speed 6.024 m/s.  Axes x forward, y right, z down; origin at the rear contact.
"""

from math import cos, pi, sin

import dalembert as da

W, TRAIL, TILT = 1.02, 0.08, pi / 10  # wheel base, trail, steer axis tilt
REAR, FRONT = 0.3, 0.35  # wheel radii


def make(*, speed=5.0, gravity=9.81, lean_rate=0.0):
    """Upright, straight ahead with ``speed``; ``lean_rate`` (rad/s) tips it at the start."""
    m = da.Model("Whipple bicycle", dim=3, gravity=(0, 0, gravity))

    def body(name, mass, inertia, place, spin=0.0, **kw):
        m.add(da.Body(name, mass=mass, inertia=inertia, position=place, omega=(lean_rate, spin, 0.0),
                      velocity=(speed, -lean_rate * place[2], 0.0), **kw))

    body("rear frame", 85.0, ((9.2, 0, 2.4), (0, 11.0, 0), (2.4, 0, 2.8)), (0.3, 0, -0.9),
         shapes=da.Link([(-0.3, 0, 0.6), (0.2, 0, 0.5), (0.52188470506, 0, 0.04404913534), (0, 0, 0), (-0.3, 0, 0.6)]))
    body("front frame", 4.0, ((0.05892, 0, -0.00756), (0, 0.06, 0), (-0.00756, 0, 0.00708)), (0.9, 0, -0.7),
         shapes=da.Link([(-0.07811529494, 0, -0.15595086466), (0.12, 0, 0.35)]))
    body("rear wheel", 2.0, (0.0603, 0.12, 0.0603), (0, 0, -REAR), -speed / REAR, shapes=da.Cylinder(
        REAR, 0.03, rotation=("x", (pi / 2,))))
    body("front wheel", 3.0, (0.1405, 0.28, 0.1405), (W, 0, -FRONT), -speed / FRONT, shapes=da.Cylinder(
        FRONT, 0.03, rotation=("x", (pi / 2,))))
    m.add(da.Revolute("rear hub", "rear frame", "rear wheel", at=(0, 0, -REAR), axis=(0, 1, 0)))
    m.add(da.Revolute("steer", "rear frame", "front frame", at=(W + TRAIL, 0, 0), axis=(sin(TILT), 0, cos(TILT))))
    m.add(da.Revolute("front hub", "front frame", "front wheel", at=(W, 0, -FRONT), axis=(0, 1, 0)))
    for name, radius in (("rear", REAR), ("front", FRONT)):
        m.add(da.RollingDisc(f"{name} contact", m.ground, f"{name} wheel", radius=radius, axis_j=(0, 1, 0),
                             ground_normal=(0, 0, -1)))
    return m


def tipped(**kw):
    """Tipped by 0.5 rad/s at 4.6 m/s, between weave and capsize speed (IFToMM manoeuvre 2)."""
    return make(**({"speed": 4.6, "lean_rate": 0.5} | kw))
