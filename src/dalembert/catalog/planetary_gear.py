"""Planetary gear: sun, one planet on a carrier, ring held by the ground.

Source: course text "Lagrange multipliers for specific constraints", gear pair on a rotating link,
(φ_j − φ_k) − K (φ_i − φ_k) − C = 0; Willis' formula (ω_s − ω_c)/(ω_r − ω_c) = −ρ_r/ρ_s.
Shows two meshes on one carrier; the ring's torque is read at its weld.
"""

import dalembert as da


def make(*, sun=0.1, planet=0.05, inertias=(0.01, 0.002, 0.05, 0.3), masses=(1.0, 0.4, 2.0, 3.0), torque=1.0,
         load=0.0, speed=0.0):
    """Radii of sun and planet (ring: sun + 2 planet); inertias and masses of sun, planet, carrier, ring;
    ``torque`` on the sun, ``load`` on the carrier; the sun starts at ``speed`` rad/s."""
    arm, ring = sun + planet, sun + 2 * planet
    m = da.Model("planetary gear", dim=2)
    places = {"sun": (0, 0), "planet": (arm, 0), "carrier": (0, 0), "ring": (0, 0)}
    sizes = {"sun": sun, "planet": planet, "ring": ring}
    for (name, at), inertia, mass in zip(places.items(), inertias, masses, strict=True):
        shape = da.Cylinder(sizes[name], 0.02) if name in sizes else da.Link([(0, 0), (arm, 0)], width=0.01)
        m.add(da.Body(name, mass=mass, inertia=inertia, position=at, shapes=shape))
    m.add(da.Revolute("sun axle", m.ground, "sun", at=(0, 0)))
    m.add(da.Revolute("carrier axle", m.ground, "carrier", at=(0, 0)))
    m.add(da.Revolute("pin", "carrier", "planet", at=(arm, 0)))
    m.add(da.Weld("housing", m.ground, "ring", at=(0, 0)))
    m.add(da.GearOnCarrier("inner mesh", "sun", "planet", "carrier", radii=(sun, planet)))
    m.add(da.GearOnCarrier("outer mesh", "planet", "ring", "carrier", radii=(planet, ring), kind="internal"))
    m.add(da.Torque("input", "sun", torque))
    m.add(da.Torque("load", "carrier", load))
    m.initial("sun axle", rate=speed)
    return m
