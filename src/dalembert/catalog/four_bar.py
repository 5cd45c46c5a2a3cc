"""Planar four-bar linkage, crank and rocker: free, or with a driven crank.

Source: A. A. Shabana, Computational Dynamics, 3rd ed. (course text: closed chains; 9 equations
for 8 reactions and one torque); numbers of a crank–rocker defined for this project.
``servo``: the motor sits on the crank and is told by the rocker, with the loop between them:  M = k_p (goal − φ_D) − k_d φ̇_A.
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


def parameters(angle, lengths, masses):
    """l1 … l4 of ground, crank, coupler, rocker; θ2 given, θ3 and θ4 as the closed loop has them."""
    p = dict(zip(("l1", "l2", "l3", "l4", "m2", "m3", "m4"), (*lengths, *masses), strict=True))
    return p | {
        "theta2": angle,
        "BD": "hypot(l1 - l2*cos(theta2), l2*sin(theta2))",
        "theta3": "atan2(-l2*sin(theta2), l1 - l2*cos(theta2)) + acos((l3**2 + BD**2 - l4**2)/(2*l3*BD))",
        "theta4": "atan2(l2*sin(theta2) + l3*sin(theta3), l2*cos(theta2) + l3*cos(theta3) - l1)",
    }


B = ("l2*cos(theta2)", "l2*sin(theta2)")
C = ("l2*cos(theta2) + l3*cos(theta3)", "l2*sin(theta2) + l3*sin(theta3)")
TOP = ("l1 + l4*cos(theta4)", "l4*sin(theta4)")  # C, seen from D


def make(*, angle=0.8, lengths=(1.0, 0.3, 0.9, 0.7), masses=(0.6, 1.8, 1.4), speed=10.0, driven=False,
         gravity=9.81):
    """``lengths`` of ground, crank, coupler, rocker; the crank starts at ``angle`` with ``speed`` rad/s."""
    points(angle, *lengths)  # refuses what cannot close
    m = da.Model("four-bar", dim=2, gravity=(0, "-g"),
                 parameters=parameters(angle, lengths, masses) | {"omega2": speed, "g": gravity})
    crank = m.add(da.Body.rod("crank", (0, 0), B, mass="m2"))
    coupler = m.add(da.Body.rod("coupler", B, C, mass="m3"))
    rocker = m.add(da.Body.rod("rocker", ("l1", 0), TOP, mass="m4"))
    m.add(da.Revolute("A", m.ground, crank, on_i=(0, 0), on_j=("-l2/2", 0)))
    m.add(da.Revolute("B", crank, coupler, on_i=("l2/2", 0), on_j=("-l3/2", 0)))
    m.add(da.Revolute("C", coupler, rocker, on_i=("l3/2", 0), on_j=("l4/2", 0)))
    m.add(da.Revolute("D", m.ground, rocker, at=("l1", 0)))
    if driven:
        m.add(da.Drive("motor", "A", "omega2*t"))
    else:
        m.initial("A", rate="omega2")
    return m


def rotating(**kw):
    """The crank driven at constant speed."""
    return make(driven=True, **kw)


def servo(*, gain=60.0, damping=8.0, goal=0.2, speed=0.0, **kw):
    """A motor on the crank brings the rocker to ``goal`` (rad): a formula that reads another joint."""
    m = make(speed=speed, **kw)
    m.parameters |= {"kp": gain, "kd": damping, "goal": goal}
    m.add(da.Motor("servo", "A", "kp*(goal - D.angle) - kd*rate"))
    return m
