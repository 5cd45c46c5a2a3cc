"""Excavator: boom, stick and bucket in the plane, each moved by a cylinder (barrel and rod); the bucket through a rocker.

Source: classical; numbers of this project for a machine of about 8 t.
Shows cylinders as drives of a slide: with them given (three drives) nothing is free, and inverse dynamics gives their forces.
    a cylinder of length s between pivots at the distances p and q from the hinge:  cos(angle between them) = (p² + q² − s²)/2pq

``hydraulic`` has oil in place of the drives: each cylinder has two pressures as states and a spool whose opening follows, with a
delay, what the stroke misses of its law (da.parts.hydraulic_cylinder).  The valves let the cylinders lag behind: by about
v A/(K √Δp gain), v the speed and K √Δp the flow of a fully open edge.
"""

from math import atan2, cos, hypot, pi, sin

import dalembert as da
from dalembert.catalog.closing import meet

SIZES = {"boom": (6e-3, 3.5e-3, 4.9e4), "stick": (5e-3, 3e-3, -1.5e4), "bucket": (4e-3, 2.5e-3, -1.7e3)}  # m², m², N at the start
FRICTION = 3e4  # N s/m
LAWS = ("0.15*(1 - cos(t))", "-0.2*(1 - cos(t))", "0.08*(1 - cos(2*t))")


def make(*, boom=3.4, stick=1.7, bucket=0.9, rocker=0.35, masses=(520.0, 240.0, 210.0, 25.0, 30.0), laws=LAWS, gravity=9.81,
         oil=False):
    """Lengths of the parts; masses of boom, stick, bucket, rocker (and tie), and of a barrel or rod; ``laws`` of the strokes;
    ``oil``: cylinders under pressure instead of drives."""
    m = da.Model("excavator", dim=2, gravity=(0, "-g"),
                 parameters={"l_boom": boom, "l_stick": stick, "l_bucket": bucket, "l_rocker": rocker, "l_tie": rocker,
                             **dict(zip(("m_boom", "m_stick", "m_bucket", "m_link", "m_cylinder"), masses, strict=True)),
                             "g": gravity})
    up, down = 0.7, -1.1  # how boom and stick are drawn
    foot, tip = (0.0, 0.8), (boom * cos(up), 0.8 + boom * sin(up))
    end = (tip[0] + stick * cos(down), tip[1] + stick * sin(down))

    def on(P, angle, along, across):
        return (P[0] + along * cos(angle) - across * sin(angle), P[1] + along * sin(angle) + across * cos(angle))

    curl = down - 0.3  # where the bucket points
    horn = on(end, curl, 0.0, 0.3)  # its horn, and the rocker's foot on the stick
    knee = on(tip, down, stick - 0.45, 0.0)
    joint = meet(knee, rocker, horn, rocker, 1, "excavator")
    for name, P, angle, l, mass in (("boom", foot, up, "l_boom", "m_boom"), ("stick", tip, down, "l_stick", "m_stick"),
                                    ("bucket", end, curl, "l_bucket", "m_bucket")):
        shapes = da.Link([(0, 0), (l, 0)], width=0.3 if name == "boom" else 0.22)
        if name == "bucket":
            shapes = da.Link([(0, 0), (l, 0), (0, 0.3), (0, 0)], width=0.08)
        m.add(da.Body(name, mass=mass, inertia=f"{mass}*{l}**2/12", com=(f"{l}/2", 0), position=P, angle=angle, shapes=shapes))
    for name, P, l in (("rocker", knee, "l_rocker"), ("tie", horn, "l_tie")):
        m.add(da.Body(name, mass="m_link", inertia=f"m_link*{l}**2/12", com=(f"{l}/2", 0), position=P,
                      angle=atan2(joint[1] - P[1], joint[0] - P[0]), shapes=da.Link([(0, 0), (l, 0)], width=0.07)))
    m.add(da.Revolute("foot", m.ground, "boom", on_i=foot, on_j=(0, 0)))
    m.add(da.Revolute("elbow", "boom", "stick", on_i=("l_boom", 0), on_j=(0, 0)))
    m.add(da.Revolute("wrist", "stick", "bucket", on_i=("l_stick", 0), on_j=(0, 0)))
    m.add(da.Revolute("knee", "stick", "rocker", on_i=("l_stick - 0.45", 0), on_j=(0, 0)))
    m.add(da.Revolute("horn", "bucket", "tie", on_i=(0, 0.3), on_j=(0, 0)))
    m.add(da.Revolute("joint", "rocker", "tie", on_i=("l_rocker", 0), on_j=("l_tie", 0)))
    for name, i, j, P, Q, on_i, on_j, law in (
            ("boom", "ground", "boom", (0.5, 0.5), on(foot, up, 1.7, -0.1), (0.5, 0.5), (1.7, -0.1), laws[0]),
            ("stick", "boom", "stick", on(foot, up, 1.6, 0.35), on(tip, down, -0.35, 0.25), (1.6, 0.35), (-0.35, 0.25), laws[1]),
            ("bucket", "stick", "rocker", on(tip, down, 0.1, 0.35), joint, (0.1, 0.35), ("l_rocker", 0), laws[2])):
        cylinder(m, name, i, j, P, Q, on_i, on_j)
        if oil:
            press(m, name, law)
        else:
            m.add(da.Drive(f"{name} pump", f"{name} stroke", f"s_{name} + {law}"))
    return m


def hydraulic(*, gain=20.0, supply=2.1e7, **kw):
    """Oil under ``supply`` (Pa) moves the cylinders; a spool opens by ``gain`` (1/m) for what the stroke misses of its law."""
    m = make(oil=True, **kw)
    m.parameters |= {"gain": gain, "supply": supply}
    return m


def press(m, name, law):
    """Oil in the cylinder ``name``: at the start it carries what is to be carried, so that the machine does not drop."""
    big, small, push = SIZES[name]
    m.parameters |= {f"A_{name}": big, f"B_{name}": small, f"push_{name}": push}
    m.add(da.parts.first_order(f"{name}_spool", f"min(max(gain*(s_{name} + {law} - {name}_oil.length), -1), 1)", time=0.02))
    m.add(da.parts.hydraulic_cylinder(
        f"{name}_oil", f"{name} barrel", f"{name} rod", on_i=(0, 0), on_j=(0, 0), valve=f"{name}_spool", supply="supply",
        conductance=4e-7, area=f"A_{name}", rod_area=f"B_{name}", volume=f"A_{name}*0.6", rod_volume=f"B_{name}*0.6",
        stroke=f"s_{name}", bulk=3e8, friction=FRICTION, start=f"(push_{name} + 8e6*B_{name})/A_{name}", rod_start=8e6))


def cylinder(m, name, i, j, P, Q, on_i, on_j):
    """A barrel on body i and a rod on body j that slide in each other along the line from P to Q."""
    length, angle = hypot(Q[0] - P[0], Q[1] - P[1]), atan2(Q[1] - P[1], Q[0] - P[0])
    half = 0.55 * length
    m.parameters[f"s_{name}"] = length  # from eye to head, as drawn
    for part, R, turn in (("barrel", P, angle), ("rod", Q, angle + pi)):
        m.add(da.Body(f"{name} {part}", mass="m_cylinder", inertia=f"m_cylinder*{half!r}**2/12", com=(half / 2, 0), position=R,
                      angle=turn,
                      shapes=da.Link([(0, 0), (half, 0)], width=0.09 if part == "barrel" else 0.05)))
    m.add(da.Revolute(f"{name} eye", i, f"{name} barrel", on_i=on_i, on_j=(0, 0)))
    m.add(da.Revolute(f"{name} head", f"{name} rod", j, on_i=(0, 0), on_j=on_j))
    m.add(da.Prismatic(f"{name} stroke", f"{name} barrel", f"{name} rod", on_i=(0, 0), on_j=(0, 0), axis_i=(1, 0),
                       axis_j=(-1, 0)))
