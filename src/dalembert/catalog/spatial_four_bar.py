"""A four-bar linkage in space: four hinges with parallel axes.

Source: classical overconstrained loop (Grübler count −2 in space, mobility 1).
Shows redundancy: three equations repeat what the others say;
forces in the plane are unique, those across it are not.
"""

import dalembert as da
from dalembert.catalog.four_bar import points


def make(*, scale=1.0, angle=0.8, lengths=(1.0, 0.3, 0.9, 0.7), masses=(0.6, 1.8, 1.4), speed=3.0,
         gravity=9.81):
    """Linkage in the x–y plane, lengths times ``scale``; the crank starts with ``speed`` rad/s."""
    A, B, C, D = ((*p, 0.0) for p in points(angle, *(scale * x for x in lengths)))
    m = da.Model("spatial four-bar", dim=3, gravity=(0, -gravity, 0))
    for name, p, q, mass in (("crank", A, B, masses[0]), ("coupler", B, C, masses[1]),
                             ("rocker", D, C, masses[2])):
        m.add(da.Body.rod(name, p, q, mass=mass))
    for name, i, j, at in (("A", "ground", "crank", A), ("B", "crank", "coupler", B),
                           ("C", "coupler", "rocker", C),
                           ("D", "ground", "rocker", D)):
        m.add(da.Revolute(name, i, j, at=at, axis=(0, 0, 1)))
    m.initial("A", rate=speed)
    return m
