"""A chain of equal links hanging between two points, drawn as a V.

Source: defined for this project; equilibrium in closed form (the discrete catenary: tan θ_k grows by equal steps).
Shows statics with many degrees of freedom: two closed ends, n − 2 free motions.
"""

from math import cos, sin

import dalembert as da
from dalembert.catalog.closing import acos, ratio


def make(*, n=20, length=1.0, span=0.6, mass=1.0, gravity=9.81):
    """``n`` links (an even number); ``length`` and ``mass`` are those of the whole chain, ``span`` the distance of its ends."""
    link, half = length / n, n // 2
    slope = acos(ratio(span, length, "hanging-chain"), "hanging-chain")
    m = da.Model(f"hanging chain of {n}", dim=2, gravity=(0, -gravity))
    x, y, before = 0.0, 0.0, "ground"
    for k in range(n):
        angle = -slope if k < half else slope
        end = (x + link * cos(angle), y + link * sin(angle)) if k < n - 1 else (span, 0.0)
        name = f"link {k + 1}"
        m.add(da.Body.rod(name, (x, y), end, mass=mass / n))
        m.add(da.Revolute(f"hinge {k + 1}", before, name, at=(x, y)))
        (x, y), before = end, name
    m.add(da.Revolute(f"hinge {n + 1}", before, "ground", at=(x, y)))
    return m
