"""Cardan shaft: two shafts at the angle β on a cross; the second one runs unevenly.

Source: classical; derivation: the arms of the cross, one on each shaft, stay perpendicular, which gives
    tan θ₂ = tan θ₁ cos β,   ω₂/ω₁ = cos β/(1 − sin² β sin² θ₁)          θ₁ = 0: the arm on the first shaft across their plane
The far end of the second shaft rests in a bearing that aligns itself (a point on a line: two CD), so no equation is redundant.
"""

from math import pi

import dalembert as da


def make(*, bend=0.5, lengths=(0.5, 0.6), masses=(2.0, 2.5), angle=0.5, radius=0.03, speed=10.0, gravity=9.81):
    """``bend`` β; the first shaft lies along x and turns with ``speed`` from ``angle``, the second in the x–y plane."""
    m = da.Model("Cardan shaft", dim=3, gravity=(0, 0, "-g"),
                 parameters={"beta": bend, "l1": lengths[0], "l2": lengths[1], "m1": masses[0], "m2": masses[1], "r": radius,
                             "theta1": angle, "theta2": "atan(tan(theta1)*cos(beta))", "omega": speed, "g": gravity})

    def shaft(k, place, rotation, x):
        side = f"m{k}*(l{k}**2/12 + r**2/4)"
        m.add(da.Body(f"shaft {k}", mass=f"m{k}", inertia=(f"m{k}*r**2/2", side, side), position=place, rotation=rotation,
                      com=(x, 0, 0),
                      shapes=(da.Cylinder("r", f"l{k}", position=(x, 0, 0), rotation=("y", (pi / 2,))),
                              da.Box((0.02, 0.02, 0.16) if k == 1 else (0.02, 0.16, 0.02)))))

    shaft(1, (0, 0, 0), ("x", "theta1"), "-l1/2")
    shaft(2, (0, 0, 0), ("zx", ("beta", "theta2")), "l2/2")
    m.add(da.Revolute("input", m.ground, "shaft 1", at=("-l1", 0, 0), axis=(1, 0, 0)))
    m.add(da.Universal("cross", "shaft 1", "shaft 2", on_i=(0, 0, 0), on_j=(0, 0, 0), axis_i=(0, 0, 1), axis_j=(0, 1, 0)))
    for name, across in (("bearing", ("-sin(beta)", "cos(beta)", 0)), ("bearing upright", (0, 0, 1))):
        m.add(da.CD(name, m.ground, "shaft 2", axis=across, on_i=(0, 0, 0), on_j=("l2", 0, 0)))
    m.add(da.Drive("motor", "input", "omega*t"))
    return m
