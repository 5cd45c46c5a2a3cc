"""Two gears on fixed axles; a torque on the first.

Source: course text "Lagrange multipliers for specific constraints", gear pair
φ_j − K φ_i − C = 0 (external K = −ρ_i/ρ_j; internal, chain and belt K = +ρ_i/ρ_j).
Shows what the multiplier is: −λ is the torque on gear j, the tooth force is that torque over ρ_j.
"""

import dalembert as da


def make(*, radii=(0.1, 0.25), inertias=(0.02, 0.3), masses=(2.0, 8.0), torque=1.5, internal=False):
    """``internal`` also stands for a chain or a belt."""
    gap = 1.5 * sum(radii) if internal else sum(radii)
    m = da.Model("belt drive" if internal else "gear pair", dim=2)
    first = m.add(da.Body("first", mass=masses[0], inertia=inertias[0], shapes=da.Cylinder(radii[0], 0.03)))
    second = m.add(da.Body("second", mass=masses[1], inertia=inertias[1], position=(gap, 0),
                           shapes=da.Cylinder(radii[1], 0.03)))
    m.add(da.Revolute("axle 1", m.ground, first, at=(0, 0)))
    m.add(da.Revolute("axle 2", m.ground, second, at=(gap, 0)))
    m.add(da.Gear("mesh", first, second, radii=radii, internal=internal))
    m.add(da.Torque("drive", first, torque))
    return m


def belt(**kw):
    """The same two wheels with a belt."""
    return make(internal=True, **kw)
