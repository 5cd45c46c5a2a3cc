"""Rod on a block that slides with a given motion z(t).

Source: A. A. Shabana, Computational Dynamics, 3rd ed. (course
text "Forms of dynamic equations", first example).
Shows the embedded form: one equation in θ without joint forces,

    J_O θ̈ + ½ m g l cos θ = M + ½ m l sin θ z̈,   J_O = J + ¼ m l².
"""

import dalembert as da
from dalembert.catalog.closing import law


def make(*, length=1.0, mass=2.0, block_mass=1.0, angle=0.5, rate=0.0, moment=0.0, z="0.1*sin(3*t)",
         gravity=9.81):
    """θ is ``angle`` from the x axis; ``z`` is the block's given motion; ``moment`` acts on the rod."""
    m = da.Model("rod on a moving block", dim=2, gravity=(0, "-g"),
                 parameters={"l": length, "m": mass, "m_b": block_mass, "theta0": angle, "omega0": rate, "g": gravity})
    block = m.add(da.Body("block", mass="m_b", inertia=0.1, shapes=da.Box((0.3, 0.15, 0.15))))
    rod = m.add(da.Body.rod("rod", (0, 0), ("l*cos(theta0)", "l*sin(theta0)"), mass="m"))
    m.add(da.Prismatic("slide", m.ground, block, axis=(1, 0)))
    m.add(da.Revolute("O", block, rod, on_i=(0, 0), on_j=("-l/2", 0)))
    m.add(da.Drive("shake", "slide", z))
    m.add(da.Torque("moment", rod, law(m, "M", moment)))
    m.initial("O", rate="omega0")
    return m
