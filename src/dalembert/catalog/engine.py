"""Engine with cylinders in line: crankshaft, rods, pistons, and the forces that shake its mounts.

Source: classical; derivation: with s(θ) = r cos θ + √(l² − r² sin² θ) a piston has the acceleration s'' ω², and a rod's centre of
mass, a part κ of the way from crank pin to piston, is at (1 − κ) r (cos θ, sin θ) + κ (s, 0).  The mounts take
    F = −Σ_k (m_p s'' + m_r ((1 − κ)(−r cos θ_k) + κ s''), m_r (1 − κ)(−r sin θ_k)) ω²          θ_k = θ + offset of the crank k
Expanded in r/l the second order is (m_p + κ m_r)(r²/l) ω² Σ cos 2θ_k, the first has Σ cos θ_k: four in line have no first order
and four times the second, six in line neither.
"""

from math import asin, cos, pi, sin, sqrt

import dalembert as da

OFFSETS = {1: (0,), 2: (0, pi), 3: (0, 2 * pi / 3, 4 * pi / 3), 4: (0, pi, pi, 0),
           6: (0, 2 * pi / 3, 4 * pi / 3, 4 * pi / 3, 2 * pi / 3, 0)}


def make(*, cylinders=4, crank=0.045, rod=0.14, part=0.3, masses=(0.4, 0.6), inertias=(0.02, 0.0015), speed=100.0, angle=0.0):
    """``masses`` of a piston and a rod, ``inertias`` of crankshaft and rod; ``part``: where the rod's centre of mass is (κ)."""
    offsets = OFFSETS[cylinders] if cylinders in OFFSETS else tuple(2 * pi * k / cylinders for k in range(cylinders))
    m = da.Model("engine", dim=2,
                 parameters={"r": crank, "l": rod, "kappa": part, "m_p": masses[0], "m_r": masses[1], "m_c": 8.0,
                             "J_c": inertias[0], "J_r": inertias[1], "omega": speed, "theta0": angle})
    throws = [(f"r*cos({o!r})", f"r*sin({o!r})") for o in offsets]
    m.add(da.Body("crankshaft", mass="m_c", inertia="J_c", angle="theta0", shapes=[da.Link([(0, 0), p]) for p in throws]))
    m.add(da.Revolute("main bearing", m.ground, "crankshaft", at=(0, 0)))
    for k, (offset, pin) in enumerate(zip(offsets, throws, strict=True), 1):
        x, y = crank * cos(angle + offset), crank * sin(angle + offset)
        turn, s = -asin(y / rod), x + sqrt(rod**2 - y**2)
        m.add(da.Body(f"rod {k}", mass="m_r", inertia="J_r", com=("kappa*l", 0), position=(x, y), angle=turn,
                      shapes=da.Link([(0, 0), ("l", 0)])))
        m.add(da.Body(f"piston {k}", mass="m_p", inertia="m_p*r**2/10", position=(s, 0), shapes=da.Box(("r", "1.6*r", "1.6*r"))))
        m.add(da.Revolute(f"crank pin {k}", "crankshaft", f"rod {k}", on_i=pin, on_j=(0, 0)))
        m.add(da.Revolute(f"wrist pin {k}", f"rod {k}", f"piston {k}", on_i=("l", 0), on_j=(0, 0)))
        m.add(da.Prismatic(f"cylinder {k}", m.ground, f"piston {k}", axis=(1, 0)))
    m.add(da.Drive("flywheel", "main bearing", "omega*t"))
    return m
