"""Rod hinged to the ground with a disc hinged to its end.

Source: A. A. Shabana, Computational Dynamics, 3rd ed. (course
text "Forms of dynamic equations", augmented form).
Shows that the number of constraint forces is the number of dependent coordinates: 6 coordinates, 4
constraints, 2 degrees of freedom; the augmented system [M C_qᵀ; C_q 0][q̈; λ] = [Q_e; Q_d].
"""

import dalembert as da
from dalembert.catalog.closing import law


def make(*, length=1.2, mass=2.0, disc_mass=3.0, disc_radius=0.25, angle=0.4, rates=(0.0, 0.0),
         moments=(0.0, 0.0),
         gravity=9.81):
    """``rates`` are the angular velocities of rod and disc, ``moments`` the torques M², M³ on them."""
    end = ("l*cos(theta0)", "l*sin(theta0)")
    m = da.Model("rod and disc", dim=2, gravity=(0, "-g"),
                 parameters={"l": length, "r": disc_radius, "m2": mass, "m3": disc_mass, "theta0": angle,
                             "omega2": rates[0], "omega3": rates[1], "g": gravity})
    rod = m.add(da.Body.rod("rod", (0, 0), end, mass="m2"))
    disc = m.add(da.Body("disc", mass="m3", inertia="m3*r**2/2", position=end, shapes=da.Cylinder("r", 0.05)))
    m.add(da.Revolute("O", m.ground, rod, on_i=(0, 0), on_j=("-l/2", 0)))
    m.add(da.Revolute("A", rod, disc, on_i=("l/2", 0), on_j=(0, 0)))
    m.add(da.Torque("T2", rod, law(m, "M2", moments[0])))
    m.add(da.Torque("T3", disc, law(m, "M3", moments[1])))
    m.initial("O", rate="omega2")
    m.initial("A", rate="omega3 - omega2")
    return m
