"""An arm that a spring carries in every position: its stiffness is where the gradient of the holding torque vanishes.

Source: classical (G. Carwardine's lamp, 1932); derivation: a spring without free length from a post, ``a`` above the pivot, to
``b`` on the arm pulls with k times the way between its ends, and its moment about the pivot is k a b cos θ; the weight's is
m g l/2 cos θ.  With  k a b = m g l/2  both are equal in every position: pushed, the arm turns evenly, as if it had no weight.

Found by gradients: ``da.optimize`` of the squared torque of a motor on the pivot gives this k (tutorial "Gradients at work").
"""

import dalembert as da


def make(*, length=0.8, mass=4.0, post=0.4, place=0.3, stiffness=130.8, angle=-0.7, rate=0.5, gravity=9.81):
    """Pushed with ``rate`` from ``angle`` against the level."""
    m = da.Model("balanced arm", dim=2, gravity=(0, "-g"),
                 parameters={"k": stiffness, "a": post, "b": place, "l": length, "m": mass, "theta0": angle, "omega0": rate,
                             "g": gravity})
    m.add(da.Body("arm", mass="m", inertia="m*l**2/12", position=("l/2*cos(theta0)", "l/2*sin(theta0)"), angle="theta0",
                  shapes=(da.Link([("-l/2", 0), ("l/2", 0)], width="l/16"),)))
    m.add(da.Revolute("O", m.ground, "arm", on_i=(0, 0), on_j=("-l/2", 0)))
    m.add(da.Spring("spring", m.ground, "arm", on_i=(0, "a"), on_j=("b - l/2", 0), stiffness="k", length=0.0))
    m.initial("O", rate="omega0")
    return m
