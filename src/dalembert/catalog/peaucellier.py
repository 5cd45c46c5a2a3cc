"""Peaucellier's inversor: seven bars that draw an exactly straight line.

Source: C.-N. Peaucellier 1864; derivation: with OA = OB = L and the rhombus ACBD of sides s the points O, C, D are in line and
    OC · OD = L² − s²
so D is the inverse of C; C runs on a circle through O (PC = OP = r), whose inverse is the line x = (L² − s²)/(2 r).
"""

from math import cos, hypot, sin

import dalembert as da
from dalembert.catalog.bars import bar, ends
from dalembert.catalog.closing import meet


def make(*, radius=0.3, arm=1.0, side=0.6, angle=0.3, sweep=0.6, speed=3.0, density=1.0, gravity=9.81):
    """Bars ``arm`` (L) and ``side`` (s), crank ``radius`` (r); the crank swings by ±``sweep`` about its middle position."""
    what = "Peaucellier's inversor"
    O, P = (0.0, 0.0), (radius, 0.0)
    C = (radius + radius * cos(angle), radius * sin(angle))
    A, B = (meet(O, arm, C, side, k, what) for k in (1, -1))
    reach = (arm**2 - side**2) / hypot(*C) ** 2
    D = (reach * C[0], reach * C[1])
    m = da.Model("Peaucellier inversor", dim=2, gravity=(0, "-g"),
                 parameters={"rho": density, "l_r": radius, "l_L": arm, "l_s": side, "theta0": angle, "sweep": sweep,
                             "omega": speed, "g": gravity})
    bars = {"crank": (P, C, "l_r"), "arm A": (O, A, "l_L"), "arm B": (O, B, "l_L"), "AC": (A, C, "l_s"), "BC": (B, C, "l_s"),
            "AD": (A, D, "l_s"), "BD": (B, D, "l_s")}
    for name, (start, end, length) in bars.items():
        bar(m, name, start, end, length)
    first, last = ({k: ends(v[2])[e] for k, v in bars.items()} for e in (0, 1))
    for name, body, at in (("P", "crank", ("l_r", 0)), ("O", "arm A", (0, 0)), ("O2", "arm B", (0, 0))):
        m.add(da.Revolute(name, m.ground, body, on_i=at, on_j=first[body]))
    for name, i, j in (("A", "arm A", "AC"), ("A2", "arm A", "AD"), ("B", "arm B", "BC"), ("B2", "arm B", "BD")):
        m.add(da.Revolute(name, i, j, on_i=last[i], on_j=first[j]))
    for name, i, j in (("C", "crank", "AC"), ("C2", "crank", "BC"), ("D", "AD", "BD")):
        m.add(da.Revolute(name, i, j, on_i=last[i], on_j=last[j]))
    m.add(da.Drive("motor", "P", "sweep*sin(omega*t)"))
    return m
