"""Two gears on fixed axles; a torque on the first.

Source: course text "Lagrange multipliers for specific constraints", gear pair
φ_j − K φ_i − C = 0 (external K = −ρ_i/ρ_j; internal, chain and belt K = +ρ_i/ρ_j).
Shows what the multiplier is: −λ is the torque on gear j, the tooth force is that torque over ρ_j.
"""

import dalembert as da
from dalembert.catalog.closing import law


def make(*, radii=(0.1, 0.25), inertias=(0.02, 0.3), masses=(2.0, 8.0), torque=1.5, internal=False):
    """``internal`` also stands for a chain or a belt."""
    m = da.Model("belt drive" if internal else "gear pair", dim=2)
    for k in range(2):
        m.parameters.update({f"rho{k + 1}": radii[k], f"J{k + 1}": inertias[k], f"m{k + 1}": masses[k]})
    gap = "1.5*(rho1 + rho2)" if internal else "rho1 + rho2"
    first = m.add(da.Body("first", mass="m1", inertia="J1", shapes=da.Cylinder("rho1", 0.03)))
    second = m.add(da.Body("second", mass="m2", inertia="J2", position=(gap, 0), shapes=da.Cylinder("rho2", 0.03)))
    m.add(da.Revolute("axle 1", m.ground, first, at=(0, 0)))
    m.add(da.Revolute("axle 2", m.ground, second, at=(gap, 0)))
    m.add(da.Gear("mesh", first, second, radii=("rho1", "rho2"), internal=internal))
    m.add(da.Torque("drive", first, law(m, "T", torque)))
    return m


def belt(**kw):
    """The same two wheels with a belt."""
    return make(internal=True, **kw)
