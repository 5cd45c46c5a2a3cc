"""Uniform gravity and general fields per unit mass (course: f_i(P) dm).

    F = ∫ f dm ≈ m f(r_c)          n = ∫ s × f dm ≈ ε P : ∇f,   P = ∫ s sᵀ dm = ½ tr(J) I − J

Uniform gravity: F = m g, no moment about the centre of mass.  A general field is taken to first order about the centre
of mass: force and moment are exact for fields that are linear over the size of the body.  In the plane only the polar
moment is known; the mass is taken as spread alike in both directions.
"""

import numpy as np

from dalembert._jit import kernel
from dalembert.algebra.vectors import scale, turn_scale
from dalembert.elements.bodies.markers import dimension, field_turn, load, omega, position, push, store
from dalembert.elements.laws import program

FIELD = np.dtype([("law", "u4", (3,)), ("element", "u4")])


@kernel
def gravity(s, w):
    g = load(s, s.gravity, 0)
    for b in range(s.bodies.size):
        push(s, w, b, scale(g, s.bodies[b].mass), turn_scale(omega(s, w, b), 0.0))


@kernel
def fields(s, w):
    n = dimension(s)
    for k in range(s.field.size):
        f = s.field[k]
        if w.only[0] >= 0 and w.only[0] != f.element:
            continue
        for b in range(s.bodies.size):
            store(s, w.x0, 0, position(s, w, b))
            w.x0[n] = w.t[0]
            for m in range(n + 1):
                w.x2[m] = 0.0
                w.x1[m] = 0.0
            for c in range(n):
                row = s.laws[f.law[c]]
                for m in range(n):
                    w.x1[m] = 1.0
                    value, slope, second = program(s, w, row)
                    w.x1[m] = 0.0
                    w.wrench[c] = value
                    w.wrench[3 + n * c + m] = slope
            force = load(s, w.wrench, 0)
            g = w.wrench
            for m in range(n * n):
                g[m] = g[3 + m]
            push(s, w, b, scale(force, s.bodies[b].mass), field_turn(s, w, b, g))
