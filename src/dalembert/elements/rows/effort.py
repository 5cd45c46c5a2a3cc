"""A force along a measure: spring–damper–actuator, torsion spring, motor on a joint coordinate, end stop.

    p = −(k δ + d ċ) + σ f(t, c, ċ)          Q gets p g          (g the gradient of the measure)

δ is the deflection c − c₀, or for a stop how far c is outside the range it is free in, [lower, upper].  A stop damps by
d |δ| ċ (Hunt and Crossley 1975: the force begins and ends at zero) and never pulls: p is cut where it would.

For a distance, −p is the tension of the spring (course: f = k (l − l₀) + c l̇ + f_a, with σ = −1 so that a positive
actuator force f_a pulls).  For an angle, p is the torque on j about the axis, −p on i; a motor has σ = +1.

power[1] gathers what the dampers take, power[0] the rate of the stored energy (see equations/energy.py).
Stored energy ½ k δ², dissipated power −(p_without law + k δ) ċ = d ċ², power of the law σ f ċ.
"""

import math

import numpy as np

from dalembert._jit import inline, kernel
from dalembert.elements.bodies.markers import at_v, block
from dalembert.elements.laws import law_value
from dalembert.elements.measures import table

ROW = np.dtype([("measure", "u4"), ("law", "u4"), ("element", "u4"), ("_", "u4"), ("stiffness", "f8"),
                   ("damping", "f8"), ("lower", "f8"), ("upper", "f8"), ("sign", "f8")])  # a spring: lower = upper = c₀


@inline
def deflection(e, c):
    """How far c is outside the free range."""
    return max(c - e.upper, 0.0) + min(c - e.lower, 0.0)


@inline
def resistance(e, delta, rate):
    """What spring and damper give: the elastic and the damping part of p."""
    elastic = -e.stiffness * delta
    if e.lower == e.upper:
        return elastic, -e.damping * rate
    damping = -e.damping * math.fabs(delta) * rate
    if (elastic + damping) * delta > 0.0:
        damping = -elastic
    return elastic, damping


@kernel
def evaluate(s, w):
    n = block(s)
    spare = w.D.size - 2 * n  # two blocks behind the rows of D take the gradient
    for k in range(s.effort.size):
        e = s.effort[k]
        if w.only[0] >= 0 and w.only[0] != e.element:
            continue
        m = s.measures[e.measure]
        for c in range(2 * n):
            w.D[spare + c] = 0.0
        value, rate, h = table.evaluate(s, w, np.int64(e.measure), np.int64(spare), np.int64(spare + n), 1.0)
        elastic, damping = resistance(e, deflection(e, value), rate)
        p = elastic + damping + e.sign * law_value(s, w, e.law, w.t[0], value, rate)
        w.strength[k] = p
        w.power[0] -= elastic * rate
        w.power[1] -= damping * rate
        bi = s.markers[m.i].body
        bj = s.markers[m.j].body
        for c in range(n):
            if bi < s.bodies.size:
                w.Q[at_v(s, bi) + c] += p * w.D[spare + c]
            if bj < s.bodies.size:
                w.Q[at_v(s, bj) + c] += p * w.D[spare + n + c]


@kernel
def potential(s, w, V):
    """V and what the springs store: ½ k δ²."""
    for k in range(s.effort.size):
        e = s.effort[k]
        if w.only[0] >= 0 and w.only[0] != e.element:
            continue
        if e.stiffness != 0.0:
            c, rate, h = table.value(s, w, e.measure)
            V += 0.5 * e.stiffness * deflection(e, c) ** 2
    return V
