"""Slider-crank with a spring–damper between crank and rod.

Source: SUNDIALS example idasSlCrank_dns; E. J. Haug, Intermediate
Dynamics, 1992, example 6.1.8 (crank ½ m, rod 1 m).
Shows a spring–damper between two moving bodies.  As in the source the rod's
mass sits at the slider, and the force F enters as Q_x = F, Q_p = −F sin p: a
force along x at the rod's point one rod length beyond the slider.
"""

from math import pi

import dalembert as da
from dalembert.catalog.closing import closed, law


def make(*, crank=0.5, inertias=(1.0, 2.0), mass=1.0, stiffness=1.0, damping=1.0, rest_length=1.0, force=1.0,
         angle=pi / 2):
    """Crank angle q, rod angle p, slider x: sin p = −crank sin q, x = cos p + crank cos q; at rest."""
    m = da.Model("slider-crank with spring", dim=2,
                 parameters={"r": crank, "l": 1.0, "m1": 1.0, "m2": mass, "J1": inertias[0], "J2": inertias[1], "k": stiffness,
                             "c": damping, "l0": rest_length, "q0": angle, "p0": "asin(-r*sin(q0)/l)"})
    closed(m, "slider-crank-spring")
    x = "r*cos(q0) + l*cos(p0)"
    m.add(da.Body("crank", mass="m1", inertia="J1", angle="q0", shapes=da.Link([(0, 0), ("r", 0)])))
    m.add(da.Body("rod", mass="m2", inertia="J2", position=(x, 0), angle="p0", shapes=da.Link([("-l", 0), (0, 0)])))
    m.add(da.Revolute("O", m.ground, "crank", at=(0, 0)))
    m.add(da.Revolute("A", "crank", "rod", on_i=("r", 0), on_j=("-l", 0)))
    m.add(da.PinInSlot("slide", m.ground, "rod", on_i=(x, 0), on_j=(0, 0), axis=(1, 0)))
    m.add(da.Spring("spring", "crank", "rod", on_i=("r/2", 0), on_j=("-l/2", 0), stiffness="k", damping="c", length="l0"))
    m.add(da.Force("load", "rod", (law(m, "F", force), 0), on=("l", 0)))
    return m
