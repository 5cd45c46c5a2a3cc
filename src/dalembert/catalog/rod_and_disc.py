"""Rod hinged to the ground with a disc hinged to its end.

Source: A. A. Shabana, Computational Dynamics, 3rd ed. (course
text "Forms of dynamic equations", augmented form).
Shows that the number of constraint forces is the number of dependent coordinates: 6 coordinates, 4
constraints, 2 degrees of freedom; the augmented system [M C_qᵀ; C_q 0][q̈; λ] = [Q_e; Q_d].
"""

from math import cos, sin

import dalembert as da


def make(*, length=1.2, mass=2.0, disc_mass=3.0, disc_radius=0.25, angle=0.4, rates=(0.0, 0.0),
         moments=(0.0, 0.0),
         gravity=9.81):
    """``rates`` are the angular velocities of rod and disc, ``moments`` the torques M², M³ on them."""
    end = (length * cos(angle), length * sin(angle))
    m = da.Model("rod and disc", dim=2, gravity=(0, -gravity))
    rod = m.add(da.Body.rod("rod", (0, 0), end, mass=mass))
    disc = m.add(da.Body("disc", mass=disc_mass, inertia=0.5 * disc_mass * disc_radius**2, position=end,
                         shapes=da.Cylinder(disc_radius, 0.05)))
    m.add(da.Revolute("O", m.ground, rod, at=(0, 0)))
    m.add(da.Revolute("A", rod, disc, at=end))
    m.add(da.Torque("M2", rod, moments[0]))
    m.add(da.Torque("M3", disc, moments[1]))
    m.initial("O", rate=rates[0])
    m.initial("A", rate=rates[1] - rates[0])
    return m
