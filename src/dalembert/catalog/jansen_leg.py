"""Theo Jansen's leg: a crank, eight links, a foot that walks on a nearly straight line.

Source: T. Jansen's eleven "holy numbers" and the crank 15 (strandbeest.com); here in units of 10 mm.
Shows a linkage that is given by lengths alone: points by intersecting circles, joints on the bodies, closed by assembly.
    O crank centre, F = (−a, −l) pivot; A, B on the upper frame, C, D, E (foot) on the lower; X end of the crank
    X–A j · F–A b · A–B e · F–B d · X–C k · F–C c · B–D f · C–D g · D–E h · C–E i
"""

from math import cos, pi, sin

import dalembert as da
from dalembert.catalog.bars import bar, ends, frame
from dalembert.catalog.closing import meet

NUMBERS = {"a": 38.0, "b": 41.5, "c": 39.3, "d": 40.1, "e": 55.8, "f": 39.4, "g": 36.7, "h": 65.7, "i": 49.0, "j": 50.0,
           "k": 61.9, "l": 7.8, "m": 15.0}


def points(angle, n):
    """All points of the leg for the crank's angle, from the lengths by circles."""
    what = "Jansen's leg"
    O, F, X = (0.0, 0.0), (-n["a"], -n["l"]), (n["m"] * cos(angle), n["m"] * sin(angle))
    A = meet(F, n["b"], X, n["j"], 1, what)
    C = meet(F, n["c"], X, n["k"], -1, what)
    B = meet(F, n["d"], A, n["e"], 1, what)
    D = meet(C, n["g"], B, n["f"], 1, what)
    E = meet(C, n["i"], D, n["h"], 1, what)
    return {"O": O, "F": F, "X": X, "A": A, "B": B, "C": C, "D": D, "E": E}


def make(*, angle=0.0, numbers=None, scale=0.01, density=1.0, speed=2 * pi, gravity=9.81):
    """``numbers`` replaces some of Jansen's; the crank turns with ``speed`` rad/s from ``angle``."""
    n = {k: scale * x for k, x in {**NUMBERS, **(numbers or {})}.items()}
    p = points(angle, n)
    m = da.Model("Jansen leg", dim=2, gravity=(0, "-g"),
                 parameters={"rho": density, **{f"l_{k}": x for k, x in n.items()}, "omega": speed, "g": gravity})
    for name, key, start, end in (("crank", "m", "O", "X"), ("upper rod", "j", "X", "A"), ("lower rod", "k", "X", "C"),
                                  ("rocker", "c", "F", "C"), ("link", "f", "B", "D")):
        bar(m, name, p[start], p[end], f"l_{key}")
    upper = frame(m, "upper frame", "up", p["F"], p["A"], ("l_b", "l_d", "l_e"), 1)
    lower = frame(m, "foot", "low", p["C"], p["D"], ("l_g", "l_i", "l_h"), 1)
    first = {k: ends(f"l_{k}")[0] for k in NUMBERS}
    last = {k: ends(f"l_{k}")[1] for k in NUMBERS}
    for name, i, j, on_i, on_j in (
            ("O", "ground", "crank", (0, 0), first["m"]), ("X", "crank", "upper rod", last["m"], first["j"]),
            ("X2", "crank", "lower rod", last["m"], first["k"]), ("F", "ground", "upper frame", ("-l_a", "-l_l"), (0, 0)),
            ("F2", "ground", "rocker", ("-l_a", "-l_l"), first["c"]), ("A", "upper rod", "upper frame", last["j"], upper[1]),
            ("B", "upper frame", "link", upper[2], first["f"]), ("C", "lower rod", "rocker", last["k"], last["c"]),
            ("C2", "rocker", "foot", last["c"], (0, 0)), ("D", "link", "foot", last["f"], lower[1])):
        m.add(da.Revolute(name, i, j, on_i=on_i, on_j=on_j))
    m.add(da.Drive("motor", "O", "omega*t"))
    return m
