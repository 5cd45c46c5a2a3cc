"""Gyroscope: a rotor in two gimbals, a weight on the inner one; it precesses instead of falling.

Source: classical; derivation: rotor axis level, C its axial moment, spin ω about it (with the precession's share zero there): the
weight's moment m g l turns the angular momentum C ω round the vertical,
    Ω = m g l/(C ω)          exactly, as the terms with Ω² have the factor sin of the tilt, which stays 0
"""

from math import pi

import dalembert as da


def make(*, rotor=0.06, spin=200.0, weight=0.1, arm=0.12, masses=(1.0, 0.3, 0.3), gimbals=(1e-3, 2e-3), gravity=9.81):
    """``rotor``: its radius; ``weight`` kg at ``arm`` from the centre on the inner gimbal; starts with the steady precession."""
    m = da.Model("gyroscope", dim=3, gravity=(0, 0, "-g"),
                 parameters={"r": rotor, "spin": spin, "m_w": weight, "l": arm, "m_r": masses[0], "m_i": masses[1],
                             "m_o": masses[2], "J_i": gimbals[0], "J_o": gimbals[1], "g": gravity, "C": "m_r*r**2/2",
                             "precession": "m_w*g*l/(C*spin)"})
    ring = [(0.09, 0, 0), (0, 0.09, 0), (-0.09, 0, 0), (0, -0.09, 0), (0.09, 0, 0)]
    m.add(da.Body("outer gimbal", mass="m_o", inertia=("J_o", "J_o", "J_o"),
                  shapes=da.Link([(0, 1.4 * x, 1.4 * y) for x, y, _ in ring], width=0.012)))
    m.add(da.Body("inner gimbal", mass="m_i", inertia=("J_i", "J_i", "J_i"), shapes=da.Link(ring, width=0.01)))
    m.add(da.Body("rotor", mass="m_r", inertia=("C", "C/2 + C/100", "C/2 + C/100"),
                  shapes=(da.Cylinder("r", 0.02, rotation=("y", (pi / 2,))),
                          da.Cylinder(0.005, 0.17, rotation=("y", (pi / 2,))))))
    m.add(da.Body("weight", mass="m_w", inertia=("m_w*l**2/100",) * 3, position=("l", 0, 0), shapes=da.Sphere(0.015)))
    m.add(da.Revolute("column", m.ground, "outer gimbal", at=(0, 0, 0), axis=(0, 0, 1)))
    m.add(da.Revolute("tilt", "outer gimbal", "inner gimbal", at=(0, 0, 0), axis=(0, 1, 0)))
    m.add(da.Revolute("axle", "inner gimbal", "rotor", at=(0, 0, 0), axis=(1, 0, 0)))
    m.add(da.Weld("clamp", "inner gimbal", "weight", at=("l", 0, 0)))
    m.initial("axle", rate="spin")
    m.initial("column", rate="precession")
    m.initial("tilt", rate=0.0)
    return m
