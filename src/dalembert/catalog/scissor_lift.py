"""Scissor lift: n pairs of crossed bars between the ground and a platform; a cylinder pulls their feet together.

Source: classical; derivation: bars of length l whose feet are x apart rise by √(l² − x²) a stage, so the platform is at
    h = n √(l² − x²)
and by virtual work, with bars of mass m_b and a platform of mass m_p, the cylinder pulls with (m_p n + m_b n²) g x/√(l² − x²).
"""

from math import sqrt

import dalembert as da
from dalembert.catalog.bars import bar, ends


def make(*, stages=3, length=1.0, base=0.8, stroke=0.3, speed=2.0, density=4.0, load=50.0, gravity=9.81):
    """``base``: how far the feet are apart at first; the slider goes in by ``stroke`` and out again."""
    m = da.Model("scissor lift", dim=2, gravity=(0, "-g"),
                 parameters={"rho": density, "m_p": load, "l": length, "l_base": base, "d_stroke": stroke, "omega": speed,
                             "g": gravity})
    rise, (first, last) = sqrt(length**2 - base**2), ends("l")
    for k in range(stages):
        y = k * rise
        bar(m, f"rising {k + 1}", (0, y), (base, y + rise), "l")
        bar(m, f"falling {k + 1}", (0, y + rise), (base, y), "l")
        m.add(da.Revolute(f"cross {k + 1}", f"rising {k + 1}", f"falling {k + 1}", on_i=(0, 0), on_j=(0, 0)))
        if k:
            m.add(da.Revolute(f"left {k}", f"falling {k}", f"rising {k + 1}", on_i=first, on_j=first))
            m.add(da.Revolute(f"right {k}", f"rising {k}", f"falling {k + 1}", on_i=last, on_j=last))
    m.add(da.Body("platform", mass="m_p", inertia="m_p*l**2/12", position=(0, stages * rise),
                  shapes=da.Link([(0, 0), ("1.2*l", 0)])))
    m.add(da.Body("slider", mass="2*rho*l/10", inertia="rho*l**3/1000", position=(base, 0),
                  shapes=da.Box(("l/8", "l/16", "l/16"))))
    m.add(da.Prismatic("rail", m.ground, "slider", axis=(1, 0)))
    m.add(da.Revolute("foot", m.ground, "rising 1", on_i=(0, 0), on_j=first))
    m.add(da.Revolute("shoe", "slider", "falling 1", on_i=(0, 0), on_j=last))
    m.add(da.Revolute("top", "platform", f"falling {stages}", on_i=(0, 0), on_j=first))
    m.add(da.PinInSlot("roller", "platform", f"rising {stages}", on_i=(0, 0), on_j=last, axis=(1, 0)))
    m.add(da.Drive("cylinder", "rail", "-d_stroke/2*(1 - cos(omega*t))"))
    return m
