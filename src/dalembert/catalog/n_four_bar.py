"""A02: N-four-bar, N windows of a parallelogram linkage side by side.

Source: IFToMM library of computational benchmark problems, A02
(links 1 m and 1 kg, cranks upright, B0 at 1 m/s along +x).
Shows 2N + 1 links with one degree of freedom and a pose, all links level, where the mobility jumps to
N + 1; passed twice per revolution.  Exact: θ̈ = c sin θ, c = 3 g (3N + 1)/(2 (4N + 1)) for unit links.
"""

from math import cos, pi, sin

import dalembert as da


def make(*, n=2, scale=1.0, angle=pi / 2, rate=-1.0, mass=1.0, gravity=9.81):
    """``n`` windows, links of length ``scale``; cranks at ``angle`` from x (π/2 upright,
    0 flat) turning at ``rate``."""
    tip = (scale * cos(angle), scale * sin(angle))
    m = da.Model(f"{n}-four-bar", dim=2, gravity=(0, -gravity))
    for k in range(n + 1):
        m.add(da.Body.rod(f"crank {k}", (k * scale, 0), (k * scale + tip[0], tip[1]), mass=mass))
        m.add(da.Revolute(f"A{k}", m.ground, f"crank {k}", at=(k * scale, 0)))
    for k in range(n):
        B = (k * scale + tip[0], tip[1])
        m.add(da.Body.rod(f"coupler {k}", B, (B[0] + scale, B[1]), mass=mass))
        m.add(da.Revolute(f"B{k}", f"crank {k}", f"coupler {k}", at=B))
        m.add(da.Revolute(f"C{k}", f"coupler {k}", f"crank {k + 1}", at=(B[0] + scale, B[1])))
    if rate:
        m.initial("A0", rate=rate)
    return m
