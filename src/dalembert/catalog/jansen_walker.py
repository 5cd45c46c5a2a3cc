"""Theo Jansen's walking linkage on the ground: legs on both sides of one crankshaft, in several phases, feet that stick or slide.

Source: T. Jansen's numbers (jansen_leg.py).  The crankshaft turns on a frame that nothing holds but its feet.
Shows closed loops and contact in one model: impulses at the feet go through all joints, and the loops stay closed.
"""

from math import pi

import dalembert as da
from dalembert.catalog.bars import bar, ends, frame
from dalembert.catalog.jansen_leg import NUMBERS, points

FOOT = 0.02  # m, radius of a foot


def make(*, phases=3, angle=0.0, speed=pi, friction=0.8, scale=0.01, density=1.0, load=2.0, gravity=9.81):
    """``phases`` pairs of legs; the crankshaft turns with ``speed`` rad/s; ``load``: kg on the frame beside its own."""
    n = {k: scale * x for k, x in NUMBERS.items()}
    m = da.Model("Jansen walker", dim=2, gravity=(0, "-g"),
                 parameters={"rho": density, **{f"l_{k}": x for k, x in n.items()}, "omega": speed, "g": gravity, "load": load})
    legs = [(k, s, angle + 2 * pi * k / phases) for k in range(phases) for s in (1, -1)]
    drawn = [_mirrored(points(a if s == 1 else pi - a, n), s) for _, s, a in legs]
    lift = FOOT - min(p["E"][1] for p in drawn)
    drawn = [{key: (x, y + lift) for key, (x, y) in p.items()} for p in drawn]
    pivots = [("-l_a", "-l_l"), ("l_a", "-l_l")]
    m.add(da.Body("frame", mass="load", inertia="load*l_a**2/3", position=(0, lift),
                  shapes=da.Link([pivots[0], (0, 0), pivots[1]])))
    pins = [(f"l_m*cos({a!r})", f"l_m*sin({a!r})") for _, s, a in legs if s == 1]
    m.add(da.Body("crankshaft", mass=f"{phases}*rho*l_m", inertia=f"{phases}*rho*l_m**3/3", position=(0, lift),
                  shapes=[da.Link([(0, 0), pin]) for pin in pins]))
    m.add(da.Revolute("O", "frame", "crankshaft", on_i=(0, 0), on_j=(0, 0)))
    feet = [_leg(m, f"{'left' if s == 1 else 'right'} {k + 1}", s, p, pins[k], pivots[0 if s == 1 else 1])
            for (k, s, _), p in zip(legs, drawn, strict=True)]
    m.add(da.Drive("motor", "O", "omega*t"))
    m.add(da.Fixture("ground plane", shapes=da.HalfSpace((0, 1))))
    m.add(da.Contact("feet", "ground plane", feet, friction=friction))
    return m


def _mirrored(p, side):
    return {key: (side * x, y) for key, (x, y) in p.items()}


def _leg(m, name, side, p, pin, pivot):
    """One leg of the linkage; gives the body of its foot."""
    for part, key, start, end in (("upper rod", "j", "X", "A"), ("lower rod", "k", "X", "C"), ("rocker", "c", "F", "C"),
                                  ("link", "f", "B", "D")):
        bar(m, f"{name} {part}", p[start], p[end], f"l_{key}")
    key = name.replace(" ", "_")
    upper = frame(m, f"{name} upper frame", f"{key}_up", p["F"], p["A"], ("l_b", "l_d", "l_e"), side)
    lower = frame(m, f"{name} foot", f"{key}_low", p["C"], p["D"], ("l_g", "l_i", "l_h"), side, FOOT)
    first, last = ({k: ends(f"l_{k}")[e] for k in NUMBERS} for e in (0, 1))
    for joint, i, j, on_i, on_j in (
            ("X", "crankshaft", f"{name} upper rod", pin, first["j"]), ("X2", "crankshaft", f"{name} lower rod", pin, first["k"]),
            ("F", "frame", f"{name} upper frame", pivot, (0, 0)), ("F2", "frame", f"{name} rocker", pivot, first["c"]),
            ("A", f"{name} upper rod", f"{name} upper frame", last["j"], upper[1]),
            ("B", f"{name} upper frame", f"{name} link", upper[2], first["f"]),
            ("C", f"{name} lower rod", f"{name} rocker", last["k"], last["c"]),
            ("C2", f"{name} rocker", f"{name} foot", last["c"], (0, 0)),
            ("D", f"{name} link", f"{name} foot", last["f"], lower[1])):
        m.add(da.Revolute(f"{name} {joint}", i, j, on_i=on_i, on_j=on_j))
    return f"{name} foot"
