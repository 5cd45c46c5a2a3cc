"""Planar four-bar linkage, crank and rocker: free, or with a driven crank.

Source: A. A. Shabana, Computational Dynamics, 3rd ed. (course text: closed chains; 9 equations
for 8 reactions and one torque); numbers of a crank–rocker defined for this project.
Shows the closed chain: reactions stay in the reduced equations, one external quantity may be unknown.
"""

from math import atan2, cos, hypot, sin

import dalembert as da
from dalembert.catalog.closing import acos, ratio


def points(angle, ground=1.0, crank=0.3, coupler=0.9, rocker=0.7):
    """A, B, C, D with the coupler above the ground link (open assembly)."""
    B = (crank * cos(angle), crank * sin(angle))
    D = (ground, 0.0)
    dx, dy = D[0] - B[0], D[1] - B[1]
    s = hypot(dx, dy)
    turn = atan2(dy, dx) + acos(ratio(coupler**2 + s**2 - rocker**2, 2 * coupler * s, "four-bar"), "four-bar")
    return (0.0, 0.0), B, (B[0] + coupler * cos(turn), B[1] + coupler * sin(turn)), D


def make(*, angle=0.8, lengths=(1.0, 0.3, 0.9, 0.7), masses=(0.6, 1.8, 1.4), speed=10.0, driven=False,
         gravity=9.81):
    """``lengths`` of ground, crank, coupler, rocker; the crank starts at ``angle`` with ``speed`` rad/s."""
    A, B, C, D = points(angle, *lengths)
    m = da.Model("four-bar", dim=2, gravity=(0, -gravity))
    crank = m.add(da.Body.rod("crank", A, B, mass=masses[0]))
    coupler = m.add(da.Body.rod("coupler", B, C, mass=masses[1]))
    rocker = m.add(da.Body.rod("rocker", D, C, mass=masses[2]))
    m.add(da.Revolute("A", m.ground, crank, at=A))
    m.add(da.Revolute("B", crank, coupler, at=B))
    m.add(da.Revolute("C", coupler, rocker, at=C))
    m.add(da.Revolute("D", m.ground, rocker, at=D))
    if driven:
        m.add(da.Drive("motor", "A", f"{float(speed)!r}*t"))
    else:
        m.initial("A", rate=speed)
    return m


def rotating(**kw):
    """The crank driven at constant speed."""
    return make(driven=True, **kw)
