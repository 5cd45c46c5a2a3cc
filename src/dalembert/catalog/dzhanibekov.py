"""Dzhanibekov effect: free rotation started close to the intermediate axis.

Source: Euler's equations (L. D. Landau, E. M. Lifshitz, Mechanics, §37); numbers defined for this project.
Shows the flips of a free body, every half period 2K/n, close to the separatrix.
"""

import dalembert as da


def make(*, inertia=(1.0, 2.0, 3.0), omega=(0.01, 5.0, 0.01), mass=1.0):
    """``omega`` in body axes; nothing acts on the body."""
    m = da.Model("Dzhanibekov effect", dim=3, parameters={"m": mass})
    for k in range(3):
        m.parameters[f"J{k + 1}"], m.parameters[f"omega{k + 1}"] = inertia[k], omega[k]
    m.add(da.Body("body", mass="m", inertia=("J1", "J2", "J3"), omega=("omega1", "omega2", "omega3"),
                  shapes=(da.Box((0.2, 2.0, 0.2)), da.Box((1.2, 0.2, 0.2), position=(0.5, 0, 0)))))
    return m
