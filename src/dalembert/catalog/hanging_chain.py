"""A chain of equal links hanging between two points, drawn as a V.

Source: defined for this project; equilibrium in closed form (the discrete catenary: tan θ_k grows by equal steps).
Shows statics with many degrees of freedom: two closed ends, n − 2 free motions.
"""

import dalembert as da
from dalembert.catalog.closing import closed


def make(*, n=20, length=1.0, span=0.6, mass=1.0, gravity=9.81):
    """``n`` links (an even number); ``length`` and ``mass`` are those of the whole chain, ``span`` the distance of its ends."""
    half = n // 2
    m = da.Model(f"hanging chain of {n}", dim=2, gravity=(0, "-g"),
                 parameters={"L": length, "span": span, "m": mass, "g": gravity, "a": f"L/{n}", "m_a": f"m/{n}",
                             "beta": "acos(span/L)"})
    closed(m, "hanging-chain")

    def at(k):
        if k == n:
            return ("span", 0) if n % 2 else (f"{n}*a*cos(beta)", 0)
        return (f"{k}*a*cos(beta)", f"{-min(k, 2 * half - k)}*a*sin(beta)") if k else (0, 0)

    before = "ground"
    for k in range(n):
        name = f"link {k + 1}"
        m.add(da.Body.rod(name, at(k), at(k + 1), mass="m_a"))
        m.add(da.Revolute(f"hinge {k + 1}", before, name, at=at(k)))
        before = name
    m.add(da.Revolute(f"hinge {n + 1}", before, "ground", at=at(n)))
    return m
