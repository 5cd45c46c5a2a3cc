"""Planetary gear: sun, one planet on a carrier, ring held by the ground.

Source: course text "Lagrange multipliers for specific constraints", gear pair on a rotating link,
(φ_j − φ_k) − K (φ_i − φ_k) − C = 0; Willis' formula (ω_s − ω_c)/(ω_r − ω_c) = −ρ_r/ρ_s.
Shows two meshes on one carrier; the ring's torque is read at its weld.
"""

import dalembert as da
from dalembert.catalog.closing import law


def make(*, sun=0.1, planet=0.05, inertias=(0.01, 0.002, 0.05, 0.3), masses=(1.0, 0.4, 2.0, 3.0), torque=1.0,
         load=0.0, speed=0.0):
    """Radii of sun and planet (ring: sun + 2 planet); inertias and masses of sun, planet, carrier, ring;
    ``torque`` on the sun, ``load`` on the carrier; the sun starts at ``speed`` rad/s."""
    m = da.Model("planetary gear", dim=2, parameters={"rho_s": sun, "rho_p": planet, "rho_r": "rho_s + 2*rho_p"})
    places = {"sun": (0, 0), "planet": ("rho_s + rho_p", 0), "carrier": (0, 0), "ring": (0, 0)}
    for (name, at), inertia, mass in zip(places.items(), inertias, masses, strict=True):
        k = name[0]
        m.parameters.update({f"J_{k}": inertia, f"m_{k}": mass})
        shape = da.Link([(0, 0), places["planet"]], width=0.01) if k == "c" else da.Cylinder(f"rho_{k}", 0.02)
        m.add(da.Body(name, mass=f"m_{k}", inertia=f"J_{k}", position=at, shapes=shape))
    m.add(da.Revolute("sun axle", m.ground, "sun", at=(0, 0)))
    m.add(da.Revolute("carrier axle", m.ground, "carrier", at=(0, 0)))
    m.add(da.Revolute("pin", "carrier", "planet", at=places["planet"]))
    m.add(da.Weld("housing", m.ground, "ring", at=(0, 0)))
    m.add(da.GearOnCarrier("inner mesh", "sun", "planet", "carrier", radii=("rho_s", "rho_p")))
    m.add(da.GearOnCarrier("outer mesh", "planet", "ring", "carrier", radii=("rho_p", "rho_r"), kind="internal"))
    m.add(da.Torque("input", "sun", law(m, "T_s", torque)))
    m.add(da.Torque("load", "carrier", law(m, "T_c", load)))
    m.parameters["omega_s"] = speed
    m.initial("sun axle", rate="omega_s")
    return m
