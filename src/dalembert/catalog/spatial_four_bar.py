"""A four-bar linkage in space: four hinges with parallel axes.

Source: classical overconstrained loop (Grübler count −2 in space, mobility 1).
Shows redundancy: three equations repeat what the others say;
forces in the plane are unique, those across it are not.
"""

import dalembert as da
from dalembert.catalog import four_bar


def make(*, scale=1.0, angle=0.8, lengths=(1.0, 0.3, 0.9, 0.7), masses=(0.6, 1.8, 1.4), speed=3.0,
         gravity=9.81):
    """Linkage in the x–y plane, lengths times ``scale``; the crank starts with ``speed`` rad/s."""
    lengths = tuple(scale * x for x in lengths)
    four_bar.points(angle, *lengths)  # refuses what cannot close
    m = da.Model("spatial four-bar", dim=3, gravity=(0, "-g", 0),
                 parameters=four_bar.parameters(angle, lengths, masses) | {"omega2": speed, "g": gravity})
    A, B, C, D, top = ((*p, 0) for p in ((0, 0), four_bar.B, four_bar.C, ("l1", 0), four_bar.TOP))
    for k, (name, p, q) in enumerate((("crank", A, B), ("coupler", B, C), ("rocker", D, top)), 2):
        m.add(da.Body.rod(name, p, q, mass=f"m{k}"))
    for name, i, j, on_i, on_j in (("A", "ground", "crank", 0, "-l2/2"), ("B", "crank", "coupler", "l2/2", "-l3/2"),
                                   ("C", "coupler", "rocker", "l3/2", "l4/2"), ("D", "ground", "rocker", "l1", "-l4/2")):
        m.add(da.Revolute(name, i, j, on_i=(on_i, 0, 0), on_j=(on_j, 0, 0), axis=(0, 0, 1)))
    m.initial("A", rate="omega2")
    return m
