"""Slider-crank with a spring–damper between crank and rod.

Source: SUNDIALS example idasSlCrank_dns; E. J. Haug, Intermediate
Dynamics, 1992, example 6.1.8 (crank ½ m, rod 1 m).
Shows a spring–damper between two moving bodies.  As in the source the rod's
mass sits at the slider, and the force F enters as Q_x = F, Q_p = −F sin p: a
force along x at the rod's point one rod length beyond the slider.
"""

from math import cos, pi, sin

import dalembert as da
from dalembert.catalog.closing import asin, sqrt


def make(*, crank=0.5, inertias=(1.0, 2.0), mass=1.0, stiffness=1.0, damping=1.0, rest_length=1.0, force=1.0,
         angle=pi / 2):
    """Crank angle q, rod angle p, slider x: sin p = −crank sin q, x = cos p + crank cos q; at rest."""
    p = asin(-crank * sin(angle), "slider-crank-spring")
    A = (crank * cos(angle), crank * sin(angle))
    x = crank * cos(angle) + sqrt(1 - (crank * sin(angle)) ** 2, "slider-crank-spring")
    m = da.Model("slider-crank with spring", dim=2)
    m.add(da.Body("crank", mass=1.0, inertia=inertias[0], angle=angle, shapes=da.Link([(0, 0), (crank, 0)])))
    m.add(da.Body("rod", mass=mass, inertia=inertias[1], position=(x, 0), angle=p,
                  shapes=da.Link([(-1, 0), (0, 0)])))
    m.add(da.Revolute("O", m.ground, "crank", at=(0, 0)))
    m.add(da.Revolute("A", "crank", "rod", at=A))
    m.add(da.PinInSlot("slide", m.ground, "rod", at=(x, 0), axis=(1, 0)))
    m.add(da.Spring("spring", "crank", "rod", on_i=(crank / 2, 0), on_j=(-0.5, 0), stiffness=stiffness,
                    damping=damping, length=rest_length))
    m.add(da.Force("F", "rod", (force, 0), on=(1, 0)))
    return m
