"""Watt's linkage: two equal rockers and a coupler whose middle runs nearly straight (along an axle or a piston rod).

Source: J. Watt 1784; derivation: with pivots at (∓a, 0), rockers b and the coupler 2 c its middle is on Watt's curve
    r² = b² − (a sin θ ± √(c² − a² cos² θ))²          (r, θ from the middle between the pivots)
"""

from math import cos, sin

import dalembert as da
from dalembert.catalog.bars import bar, ends
from dalembert.catalog.closing import meet


def make(*, half=0.5, rocker=0.4949747468305833, coupler=0.14, angle=0.2, sweep=0.35, speed=4.0, density=2.0, gravity=9.81):
    """Pivots ``half`` from the middle, two rockers, and a coupler of length ``coupler``; one rocker swings by ±``sweep``."""
    A, D = (-half, 0.0), (half, 0.0)
    B = (A[0] + rocker * cos(angle), rocker * sin(angle))
    C = meet(D, rocker, B, coupler, 1, "Watt's linkage")
    m = da.Model("Watt linkage", dim=2, gravity=(0, "-g"),
                 parameters={"rho": density, "l_a": half, "l_b": rocker, "l_c": coupler, "theta0": angle, "sweep": sweep,
                             "omega": speed, "g": gravity})
    bar(m, "left rocker", A, B, "l_b")
    bar(m, "coupler", B, C, "l_c")
    bar(m, "right rocker", D, C, "l_b")
    (b0, b1), (c0, c1) = ends("l_b"), ends("l_c")
    m.add(da.Revolute("A", m.ground, "left rocker", on_i=("-l_a", 0), on_j=b0))
    m.add(da.Revolute("B", "left rocker", "coupler", on_i=b1, on_j=c0))
    m.add(da.Revolute("C", "coupler", "right rocker", on_i=c1, on_j=b1))
    m.add(da.Revolute("D", m.ground, "right rocker", on_i=("l_a", 0), on_j=b0))
    m.add(da.Drive("motor", "A", "sweep*sin(omega*t)"))
    return m
