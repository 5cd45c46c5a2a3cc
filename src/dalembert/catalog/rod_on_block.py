"""Rod on a block that slides with a given motion z(t).

Source: A. A. Shabana, Computational Dynamics, 3rd ed. (course
text "Forms of dynamic equations", first example).
Shows the embedded form: one equation in θ without joint forces,

    J_O θ̈ + ½ m g l cos θ = M + ½ m l sin θ z̈,   J_O = J + ¼ m l².
"""

from math import cos, sin

import dalembert as da


def make(*, length=1.0, mass=2.0, block_mass=1.0, angle=0.5, rate=0.0, moment=0.0, z="0.1*sin(3*t)",
         gravity=9.81):
    """θ is ``angle`` from the x axis; ``z`` is the block's given motion; ``moment`` acts on the rod."""
    m = da.Model("rod on a moving block", dim=2, gravity=(0, -gravity))
    block = m.add(da.Body("block", mass=block_mass, inertia=0.1, shapes=da.Box((0.3, 0.15, 0.15))))
    rod = m.add(da.Body.rod("rod", (0, 0), (length * cos(angle), length * sin(angle)), mass=mass))
    m.add(da.Prismatic("slide", m.ground, block, axis=(1, 0)))
    m.add(da.Revolute("O", block, rod, at=(0, 0)))
    m.add(da.Drive("shake", "slide", z))
    m.add(da.Torque("M", rod, moment))
    m.initial("O", rate=rate)
    return m
