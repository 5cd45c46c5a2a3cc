"""Coupling: a force between two bodies that no measure gives: elastic and viscous in all directions.

    F on j at r_j:  −k |d|² d − c (ṙ_j − ṙ_i),   d = r_j − r_i;   −F on i at r_i          V = ¼ k |d|⁴
"""

import numpy as np

from dalembert._jit import kernel
from dalembert.algebra.vectors import add, dot, moment, scale, sub
from dalembert.elements.bodies.markers import arm, point, point_velocity, push
from dalembert.elements.forces.base import BaseForce

ROW = np.dtype([("i", "u4"), ("j", "u4"), ("element", "u4"), ("_", "u4"), ("stiffness", "f8"), ("damping", "f8")])


@kernel
def evaluate(s, w):
    for k in range(s.toy_coupling.size):
        e = s.toy_coupling[k]
        if w.only[0] >= 0 and w.only[0] != e.element:
            continue
        si = arm(s, w, e.i)
        sj = arm(s, w, e.j)
        d = sub(point(s, w, e.j, sj), point(s, w, e.i, si))
        rate = sub(point_velocity(s, w, e.j, sj), point_velocity(s, w, e.i, si))
        pull = scale(d, -e.stiffness * dot(d, d))
        drag = scale(rate, -e.damping)
        w.power[0] -= dot(pull, rate)
        w.power[1] -= dot(drag, rate)
        F = add(pull, drag)
        push(s, w, s.markers[e.j].body, F, moment(sj, F))
        G = scale(F, -1.0)
        push(s, w, s.markers[e.i].body, G, moment(si, G))


@kernel
def potential(s, w, V):
    for k in range(s.toy_coupling.size):
        e = s.toy_coupling[k]
        if w.only[0] >= 0 and w.only[0] != e.element:
            continue
        d = sub(point(s, w, e.j, arm(s, w, e.j)), point(s, w, e.i, arm(s, w, e.i)))
        V += 0.25 * e.stiffness * dot(d, d) ** 2
    return V


class Coupling(BaseForce):
    """Pulls the points together with k |d|³, and damps their relative velocity in all directions."""

    pulls = True

    def __init__(self, name, i, j, *, at_i=None, at_j=None, on_i=None, on_j=None, stiffness=1.0, damping=0.0):
        self.name, self.i, self.j, self.at_i, self.at_j, self.on_i, self.on_j = name, i, j, at_i, at_j, on_i, on_j
        self.stiffness, self.damping = stiffness, damping

    def build(self, b):
        i, j = b.point_markers(self)
        b.force("toy_coupling", self, (i, j), i=i, j=j, stiffness=b.number(self.stiffness, f"stiffness of {self.title}"),
                damping=b.number(self.damping, f"damping of {self.title}"))
