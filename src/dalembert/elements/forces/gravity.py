"""Uniform gravity: m g through the centre of mass of every body, no moment about it (fields: field.py)."""

from dalembert._jit import kernel
from dalembert.algebra.vectors import scale, turn_scale
from dalembert.elements.bodies.markers import load, omega, push


@kernel
def gravity(s, w):
    g = load(s, s.gravity, 0)
    for b in range(s.bodies.size):
        push(s, w, b, scale(g, s.bodies[b].mass), turn_scale(omega(s, w, b), 0.0))
