"""A02: N-four-bar, N windows of a parallelogram linkage side by side.

Source: IFToMM library of computational benchmark problems, A02
(links 1 m and 1 kg, cranks upright, B0 at 1 m/s along +x).
Shows 2N + 1 links with one degree of freedom and a pose, all links level, where the mobility jumps to
N + 1; passed twice per revolution.  Exact: θ̈ = c sin θ, c = 3 g (3N + 1)/(2 (4N + 1)) for unit links.
"""

from math import pi

import dalembert as da


def make(*, n=2, scale=1.0, angle=pi / 2, rate=-1.0, mass=1.0, gravity=9.81):
    """``n`` windows, links of length ``scale``; cranks at ``angle`` from x (π/2 upright,
    0 flat) turning at ``rate``."""
    m = da.Model(f"{n}-four-bar", dim=2, gravity=(0, "-g"),
                 parameters={"l": scale, "m": mass, "theta0": angle, "omega0": rate or 0.0, "g": gravity})
    for k in range(n + 1):
        m.add(da.Body.rod(f"crank {k}", (f"{k}*l", 0), (f"{k}*l + l*cos(theta0)", "l*sin(theta0)"), mass="m"))
        m.add(da.Revolute(f"A{k}", m.ground, f"crank {k}", on_i=(f"{k}*l", 0), on_j=("-l/2", 0)))
    for k in range(n):
        B, C = ((f"{i}*l + l*cos(theta0)", "l*sin(theta0)") for i in (k, k + 1))
        m.add(da.Body.rod(f"coupler {k}", B, C, mass="m"))
        m.add(da.Revolute(f"B{k}", f"crank {k}", f"coupler {k}", on_i=("l/2", 0), on_j=("-l/2", 0)))
        m.add(da.Revolute(f"C{k}", f"coupler {k}", f"crank {k + 1}", on_i=("l/2", 0), on_j=("l/2", 0)))
    if rate:
        m.initial("A0", rate="omega0")
    return m
