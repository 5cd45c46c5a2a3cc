"""Generalised forces Q: inertia forces quadratic in velocity, gravity, and every force element; first what their laws read.

With ``w.only`` = n ≥ 0 only element n acts, and neither gravity nor inertia forces (used to read single shares).
"""

from dalembert._jit import kernel
from dalembert.elements import families
from dalembert.elements.bodies.markers import inertia_forces
from dalembert.elements.forces import gravity
from dalembert.elements.signals import readings


@kernel
def forces(s, w):
    for k in range(w.Q.size):
        w.Q[k] = 0.0
    for k in range(3):
        w.power[k] = 0.0
    readings.evaluate(s, w)
    if w.only[0] < 0:
        gravity.gravity(s, w)
        for b in range(s.bodies.size):
            inertia_forces(s, w, b)
    families.forces(s, w)
