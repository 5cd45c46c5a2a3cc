"""Windshield wiper: a crank swings the left arm through a coupler, a parallel rod takes the right arm along.

Source: classical crank–rocker; derivation: the rocker turns round where crank r and coupler c are in line, at
    cos ψ = (d² + b² − (c ± r)²)/(2 d b)          (ψ between the ground line d and the rocker b)
"""

from math import cos, pi, sin

import dalembert as da
from dalembert.catalog.bars import bar, ends
from dalembert.catalog.closing import meet


def make(*, crank=0.05, coupler=0.3, rocker=0.09, distance=0.3, arm=0.45, span=0.5, angle=0.4, speed=2 * pi, density=1.5):
    """``distance`` of the pivots of crank and left arm, ``span`` between the arms; the crank turns with ``speed`` rad/s."""
    O, L, R = (0.0, 0.0), (distance, 0.0), (distance + span, 0.0)
    X = (crank * cos(angle), crank * sin(angle))
    Y = meet(X, coupler, L, rocker, 1, "wiper")
    Z = (Y[0] + span, Y[1])
    m = da.Model("windshield wiper", dim=2,
                 parameters={"rho": density, "l_r": crank, "l_c": coupler, "l_b": rocker, "l_d": distance, "l_arm": arm,
                             "l_span": span, "omega": speed})
    bar(m, "crank", O, X, "l_r")
    bar(m, "coupler", X, Y, "l_c")
    bar(m, "rod", Y, Z, "l_span")
    for name, P, Q in (("left arm", L, Y), ("right arm", R, Z)):  # rocker and blade are one bar: from the pin to the blade's end
        d = ((P[0] - Q[0]) / rocker, (P[1] - Q[1]) / rocker)
        bar(m, name, Q, (P[0] + arm * d[0], P[1] + arm * d[1]), "l_b + l_arm")
    pivot, pin = ("l_b - (l_b + l_arm)/2", 0), ("-(l_b + l_arm)/2", 0)
    m.add(da.Revolute("O", m.ground, "crank", on_i=(0, 0), on_j=ends("l_r")[0]))
    m.add(da.Revolute("X", "crank", "coupler", on_i=ends("l_r")[1], on_j=ends("l_c")[0]))
    m.add(da.Revolute("L", m.ground, "left arm", on_i=("l_d", 0), on_j=pivot))
    m.add(da.Revolute("R", m.ground, "right arm", on_i=("l_d + l_span", 0), on_j=pivot))
    m.add(da.Revolute("Y", "coupler", "left arm", on_i=ends("l_c")[1], on_j=pin))
    m.add(da.Revolute("Y2", "left arm", "rod", on_i=pin, on_j=ends("l_span")[0]))
    m.add(da.Revolute("Z", "rod", "right arm", on_i=ends("l_span")[1], on_j=pin))
    m.add(da.Drive("motor", "O", "omega*t"))
    return m
