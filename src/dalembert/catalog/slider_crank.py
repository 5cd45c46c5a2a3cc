"""Planar slider-crank: free, or with a crank driven at constant speed.

Source: A. A. Shabana, Computational Dynamics, 3rd ed. (course text: virtual work
in statics and dynamics, Q_e and Q_i); numbers defined for this project.
Shows one degree of freedom behind nine coordinates; l³ > l²
keeps the rod away from the singular partition θ³ = ±π/2.
"""

from math import pi

import dalembert as da
from dalembert.catalog.closing import closed, law


def make(*, angle=pi / 4, lengths=(0.15, 0.35), masses=(1.0, 1.5, 2.0), speed=10.0, driven=False, load=0.0,
         gravity=9.81):
    """The crank starts at ``angle`` with ``speed`` rad/s;
    ``load`` is a force on the piston along the slide."""
    m = da.Model("slider-crank", dim=2, gravity=(0, "-g"),
                 parameters=dict(zip(("l2", "l3", "m2", "m3", "m4"), (*lengths, *masses), strict=True))
                 | {"theta2": angle, "theta3": "asin(-l2/l3*sin(theta2))", "omega2": speed, "g": gravity})
    closed(m, "slider-crank")
    A = ("l2*cos(theta2)", "l2*sin(theta2)")
    B = ("l2*cos(theta2) + l3*cos(theta3)", 0)
    crank = m.add(da.Body.rod("crank", (0, 0), A, mass="m2"))
    rod = m.add(da.Body.rod("rod", A, (B[0], "l2*sin(theta2) + l3*sin(theta3)"), mass="m3"))
    piston = m.add(da.Body("piston", mass="m4", inertia=0.01, position=B, shapes=da.Box((0.1, 0.06, 0.06))))
    m.add(da.Revolute("O", m.ground, crank, on_i=(0, 0), on_j=("-l2/2", 0)))
    m.add(da.Revolute("A", crank, rod, on_i=("l2/2", 0), on_j=("-l3/2", 0)))
    m.add(da.Revolute("B", rod, piston, on_i=("l3/2", 0), on_j=(0, 0)))
    m.add(da.Prismatic("guide", m.ground, piston, axis=(1, 0)))
    if load:
        m.add(da.Force("load", piston, (law(m, "F4", load), 0)))
    if driven:
        m.add(da.Drive("motor", "O", "omega2*t"))
    else:
        m.initial("O", rate="omega2")
    return m


def rotating(**kw):
    """The crank driven at constant speed."""
    return make(driven=True, **kw)


def loaded(*, load=-1000.0, torque=0.0, speed=0.0, **kw):
    """A load on the piston and a torque M2 on the crank: statics, the text's Q_e = 0."""
    m = make(load=load, speed=speed, **kw)
    m.parameters["M2"] = torque
    m.add(da.Torque("torque", "crank", "M2"))
    return m
