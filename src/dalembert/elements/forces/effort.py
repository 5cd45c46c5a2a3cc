"""A force along a measure: spring–damper–actuator, torsion spring, motor on a joint coordinate.

    p = −(k (c − c₀) + d ċ) + σ f(t, c, ċ)          Q gets p g          (g the gradient of the measure)

For a distance, −p is the tension of the spring (course: f = k (l − l₀) + c l̇ + f_a, with σ = −1 so that a positive
actuator force f_a pulls).  For an angle, p is the torque on j about the axis, −p on i; a motor has σ = +1.

power[1] gathers what the dampers take, power[0] the rate of the stored energy (see equations/energy.py).
Stored energy ½ k (c − c₀)², dissipated power d ċ², power of the law σ f ċ.
"""

import numpy as np

from dalembert._jit import kernel
from dalembert.elements.bodies.markers import block
from dalembert.elements.laws import law_value
from dalembert.elements.measures import table

EFFORT = np.dtype([("measure", "u4"), ("law", "u4"), ("element", "u4"), ("_", "u4"), ("stiffness", "f8"),
                   ("damping", "f8"), ("rest", "f8"), ("sign", "f8")])


@kernel
def strength(s, w, k, c, rate):
    """p of effort k, for the measure's value and rate."""
    e = s.effort[k]
    p = -e.stiffness * (c - e.rest) - e.damping * rate
    return p + e.sign * law_value(s, w, e.law, w.t[0], c, rate)


@kernel
def efforts(s, w):
    n = block(s)
    spare = w.D.size - 2 * n  # two blocks behind the rows of D take the gradient
    for k in range(s.effort.size):
        e = s.effort[k]
        if w.only[0] >= 0 and w.only[0] != e.element:
            continue
        m = s.measures[e.measure]
        for c in range(2 * n):
            w.D[spare + c] = 0.0
        value, rate, h = table.evaluate(s, w, e.measure, spare, spare + n, 1.0)
        p = strength(s, w, k, value, rate)
        w.strength[k] = p
        w.power[0] += e.stiffness * (value - e.rest) * rate
        w.power[1] += e.damping * rate * rate
        bi = s.markers[m.i].body
        bj = s.markers[m.j].body
        for c in range(n):
            if bi < s.bodies.size:
                w.Q[n * bi + c] += p * w.D[spare + c]
            if bj < s.bodies.size:
                w.Q[n * bj + c] += p * w.D[spare + n + c]
