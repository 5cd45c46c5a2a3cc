"""Differential: a driven cage, two axles, and a bevel pinion in the cage that lets them turn at different speeds.

Source: classical (Willis): seen from the cage the axles turn oppositely, φ_l − φ_c = κ φ_p = −(φ_r − φ_c), so
    ω_c = (ω_l + ω_r)/2,   and with a light pinion both axles get the same torque
The wheels are held back by d ω; the speeds settle at d_l ω_l = d_r ω_r.
"""

from math import pi

import dalembert as da


def make(*, ratio=1.6, drags=(2.0, 1.0), speed=20.0, start=0.0, masses=(3.0, 1.5, 0.05), inertias=(0.02, 0.05, 2e-5)):
    """``ratio`` κ of pinion and side gears; ``drags`` d of the wheels; the cage turns at ``speed``; ``start``: ω_l − ω_c."""
    m = da.Model("differential", dim=3,
                 parameters={"kappa": ratio, "d_l": drags[0], "d_r": drags[1], "omega": speed, "start": start, "m_c": masses[0],
                             "m_a": masses[1], "m_p": masses[2], "J_c": inertias[0], "J_a": inertias[1], "J_p": inertias[2]})
    across = ("x", (pi / 2,))
    m.add(da.Body("cage", mass="m_c", inertia=("J_c", "J_c", "J_c"), shapes=da.Box((0.05, 0.14, 0.2))))
    for name, y in (("left", 0.35), ("right", -0.35)):
        m.add(da.Body(f"{name} axle", mass="m_a", inertia=("J_a", "J_a", "J_a"), position=(0, y, 0),
                      shapes=(da.Cylinder(0.15, 0.06, rotation=across), da.Cylinder(0.015, 0.56, rotation=across))))
        m.add(da.Revolute(name, m.ground, f"{name} axle", at=(0, y, 0), axis=(0, 1, 0)))
    m.add(da.Body("pinion", mass="m_p", inertia=("J_p", "J_p", "J_p"), position=(0.07, 0, 0),
                  shapes=da.Cylinder(0.05, 0.03, rotation=("y", (pi / 2,)))))
    m.add(da.Revolute("ring", m.ground, "cage", at=(0, 0, 0), axis=(0, 1, 0)))
    m.add(da.Revolute("spider", "cage", "pinion", at=(0.07, 0, 0), axis=(1, 0, 0)))
    m.add(da.Equation("left mesh", "left - ring - kappa*spider"))
    m.add(da.Equation("right mesh", "right - ring + kappa*spider"))
    m.add(da.Motor("left drag", "left", "-d_l*rate"))
    m.add(da.Motor("right drag", "right", "-d_r*rate"))
    m.add(da.Drive("engine", "ring", "omega*t"))
    m.initial("left", rate="omega + start")
    return m
