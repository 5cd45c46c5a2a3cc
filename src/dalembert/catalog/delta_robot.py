"""Delta robot: three driven arms, each joined to the platform by two parallel rods, which keep it level.

Source: R. Clavel 1988; derivation: the rods of an arm are parallel and equal, so the platform only shifts, and its centre is at
the distance l (the rods) from the three points E_k = elbow_k moved inwards by the platform's radius: where three spheres meet.
    E_k = (R − r + L cos θ_k) (cos φ_k, sin φ_k, 0) − L sin θ_k e_z,   φ_k = 0°, 120°, 240°
The rods are light and taken as massless (Distance): 4 · 6 coordinates − 15 − 6 rows = 3 freedoms, held by the three motors.
"""

from math import cos, pi, sin

import dalembert as da
from dalembert.catalog.closing import sqrt

LAWS = ("0.3*sin(3*t)", "0.3*sin(3*t + 1) - 0.3*sin(1)", "0.2*sin(6*t)")


def make(*, base=0.2, platform=0.06, arm=0.25, rod=0.55, angle=0.3, wide=0.05, masses=(0.5, 0.8), laws=LAWS, gravity=9.81):
    """Radii of ``base`` and ``platform``, lengths of ``arm`` and ``rod``; all arms begin ``angle`` below the level."""
    m = da.Model("Delta robot", dim=3, gravity=(0, 0, "-g"),
                 parameters={"r_base": base, "r_platform": platform, "l_arm": arm, "l_rod": rod, "theta0": angle, "wide": wide,
                             "m_arm": masses[0], "m_platform": masses[1], "g": gravity})
    out = base - platform + arm * cos(angle)
    z = -arm * sin(angle) - sqrt(rod**2 - out**2, "Delta robot")
    m.add(da.Body("platform", mass="m_platform", inertia=("m_platform*r_platform**2/4", "m_platform*r_platform**2/4",
                                                         "m_platform*r_platform**2/2"),
                  position=(0, 0, z), shapes=da.Cylinder("r_platform", 0.02)))
    for k in range(3):
        phi = 2 * pi * k / 3
        c, s = cos(phi), sin(phi)
        shoulder = (f"r_base*{c!r}", f"r_base*{s!r}", 0)
        # the arm's own axes: x outwards along it, y along the hinge, z up; turned by φ about z, then down by θ
        m.add(da.Body(f"arm {k + 1}", mass="m_arm", inertia=("m_arm*l_arm**2/1000", "m_arm*l_arm**2/12", "m_arm*l_arm**2/12"),
                      position=shoulder, rotation=("zy", (phi, "theta0")), com=("l_arm/2", 0, 0),
                      shapes=(da.Link([(0, 0, 0), ("l_arm", 0, 0)], width=0.03),
                              da.Link([("l_arm", "-wide", 0), ("l_arm", "wide", 0)], width=0.015))))
        m.add(da.Revolute(f"shoulder {k + 1}", m.ground, f"arm {k + 1}", at=shoulder, axis=(-s, c, 0)))
        for side, sign in (("left", "-"), ("right", "")):
            on = (f"r_platform*{c!r} - {sign}wide*{s!r}", f"r_platform*{s!r} + {sign}wide*{c!r}", 0)
            m.add(da.Distance(f"rod {k + 1} {side}", f"arm {k + 1}", "platform", on_i=("l_arm", f"{sign}wide", 0), on_j=on,
                              length="l_rod"))
        m.add(da.Drive(f"motor {k + 1}", f"shoulder {k + 1}", laws[k]))
    return m
