"""A gripper: two fingers press on a part from both sides, and a hand lifts it off a table by friction alone.

Each finger presses with F; the hand goes up by s (1 − cos ωt)/2, so that the part asks for m (g + a), a = s ω²/2 at first.
It is held if

    2 μ F ≥ m (g + a),      threshold μ = m (g + a)/2F
"""

from math import pi

import dalembert as da


def make(*, friction=0.6, force=40.0, mass=4.0, lift=0.3, time=2.0):
    """``force`` of each finger on the part of ``mass``; the hand lifts it by ``lift`` within ``time`` seconds."""
    m = da.Model("gripper", dim=2, gravity=(0, -9.81),
                 parameters={"F": force, "mu": friction, "lift": lift, "omega": pi / time, "m_part": mass})
    m.add(da.Fixture("table", shapes=da.Box((1.0, 0.1), position=(0, -0.05)), material="wood"))
    m.add(da.Body.from_shape("part", da.Box((0.2, 0.2)), mass="m_part", position=(0, 0.1), material="#d9565b"))
    hand = m.add(da.Body.from_shape("hand", da.Box((0.7, 0.08)), mass=2.0, position=(0, 0.5)))
    m.add(da.Prismatic("column", m.ground, hand, axis=(0, 1)))
    m.add(da.Drive("hoist", "column", "lift/2*(1 - cos(omega*t))"))
    for name, s in (("left", -1), ("right", 1)):
        finger = m.add(da.Body.from_shape(f"{name} finger", da.Box((0.06, 0.36)), mass=0.5, position=(s * 0.13, 0.26)))
        m.add(da.Prismatic(f"{name} slide", hand, finger, axis=(-s, 0)))
        m.add(da.Motor(f"{name} cylinder", f"{name} slide", "F"))
    m.add(da.Contact("on the table", "table", "part", friction="mu"))
    m.add(da.Contact("grip", ["left finger", "right finger"], "part", friction="mu"))
    return m
