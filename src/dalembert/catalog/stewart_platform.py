"""Stewart platform: six cylinders carry a platform; their strokes are driven so that it follows a given motion.

Source: D. Stewart 1965; derivation (inverse kinematics in closed form): with the platform's place p and turn ψ about z the leg
from a on the ground to b on the platform has the length
    l = |p + R_z(ψ) b − a|
Each leg is a barrel on a cross, a rod in it, and a ball: 6 · 13 coordinates − 6 · (4 + 5 + 3) = 6 freedoms, held by six drives.
"""

from math import cos, pi, sin

import dalembert as da


def points(radii, spread):
    """Where the legs stand: pairs of angles about 0, 120 and 240 degrees, on the platform turned by 60 degrees."""
    below = [2 * pi * (k // 2) / 3 + (spread if k % 2 else -spread) for k in range(6)]
    above = [2 * pi * (k // 2) / 3 + (1 if k % 2 else -1) * (pi / 3 - spread) for k in range(6)]
    return [((radii[0] * cos(x), radii[0] * sin(x), 0.0), (radii[1] * cos(y), radii[1] * sin(y), 0.0))
            for x, y in zip(below, above, strict=True)]


MOTION = ("0.1*sin(2*t)", "0.1*(1 - cos(2*t))", "0.15*sin(t)", "0.2*sin(2*t)")


def make(*, radii=(1.0, 0.6), spread=0.2, height=1.0, motion=MOTION, masses=(60.0, 4.0, 3.0), gravity=9.81):
    """``radii`` of base and platform; ``motion``: x, y, z − height and the turn ψ, formulas of t that begin with 0."""
    m = da.Model("Stewart platform", dim=3, gravity=(0, 0, "-g"),
                 parameters={"r_base": radii[0], "r_top": radii[1], "height": height, "m_top": masses[0], "m_barrel": masses[1],
                             "m_rod": masses[2], "l_half": 0.7, "g": gravity})
    m.add(da.Body("platform", mass="m_top", inertia=("m_top*r_top**2/4", "m_top*r_top**2/4", "m_top*r_top**2/2"),
                  position=(0, 0, "height"), shapes=da.Cylinder("r_top", 0.06)))
    x, y, z, turn = motion
    for k, (a, b) in enumerate(points((1.0, 1.0), spread), 1):
        A, B = tuple(f"r_base*{v!r}" for v in a[:2]), tuple(f"r_top*{v!r}" for v in b[:2])
        m.parameters |= {f"dx{k}": f"{B[0]} - {A[0]}", f"dy{k}": f"{B[1]} - {A[1]}"}
        m.parameters[f"l{k}"] = f"sqrt(dx{k}**2 + dy{k}**2 + height**2)"
        foot, head = (*A, 0), (*B, "height")
        axis = (f"dx{k}/l{k}", f"dy{k}/l{k}", f"height/l{k}")
        arm = (f"dy{k}", f"-dx{k}", 0)  # across the leg, on the ground; the other arm of the cross is across both
        other = (f"-dx{k}*height", f"-dy{k}*height", f"dx{k}**2 + dy{k}**2")
        rod = ["0.02*m_rod*l_half", "m_rod*l_half**2/12", "m_rod*l_half**2/11"]  # ports and pipes on one side
        frame = _frame(k)
        m.add(da.Body(f"barrel {k}", mass="m_barrel", inertia=[s.replace("m_rod", "m_barrel") for s in rod], position=foot,
                      rotation=frame, com=("l_half/2", 0, 0), shapes=da.Link([(0, 0, 0), ("l_half", 0, 0)], width=0.07)))
        m.add(da.Body(f"rod {k}", mass="m_rod", inertia=rod, position=head, rotation=frame, com=("-l_half/2", 0, 0),
                      shapes=da.Link([("-l_half", 0, 0), (0, 0, 0)], width=0.04)))
        m.add(da.Universal(f"cross {k}", m.ground, f"barrel {k}", at=foot, axis=arm, axis2=other))
        m.add(da.Prismatic(f"stroke {k}", f"barrel {k}", f"rod {k}", at=foot, axis=axis))
        m.add(da.Spherical(f"ball {k}", f"rod {k}", "platform", at=head))
        law = (f"sqrt(({x} + {B[0]}*cos({turn}) - {B[1]}*sin({turn}) - {A[0]})**2"
               f" + ({y} + {B[0]}*sin({turn}) + {B[1]}*cos({turn}) - {A[1]})**2 + (height + {z})**2) - l{k}")
        m.add(da.Drive(f"pump {k}", f"stroke {k}", law))
    return m


def _frame(k):
    """Rotation whose first column is along the leg: rows of formulas."""
    x, y, h = (f"dx{k}/l{k}", f"dy{k}/l{k}", f"height/l{k}")
    flat = f"sqrt(dx{k}**2 + dy{k}**2)"
    return ((x, f"-dy{k}/{flat}", f"-({x})*height/{flat}"), (y, f"dx{k}/{flat}", f"-({y})*height/{flat}"), (h, 0, f"{flat}/l{k}"))
