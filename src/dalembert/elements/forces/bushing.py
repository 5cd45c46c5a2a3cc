"""Bushing: an elastic block between two markers: linear springs and dampers along and about the axes of marker i.

    d = r_j − r_i and its rate as seen by i,  φ the rotation vector of j against i, both along i's axes
    force on j at r_j:  F_k = −k_k d_k − c_k ḋ_k          torque on j:  T_k = −κ_k φ_k − ζ_k ω_k
    i gets −F at r_j and −T.

Rotations: φ is the exact rotation vector, the torque is along it (for a moderate rotation about several axes this is
the usual linear bushing, not the gradient of a potential).  Aligned markers: no torque.
"""

from __future__ import annotations

import numpy as np

from dalembert._jit import kernel
from dalembert.algebra.vectors import add, dot, moment, scale, sub, turn, turn_add, turn_scale
from dalembert.elements.bodies.markers import (
    arm,
    axis,
    dimension,
    load_turn,
    omega,
    point,
    point_velocity,
    push,
    relative_turn,
    store,
    store_turn,
    turn_from_marker,
)
from dalembert.elements.forces.base import BaseForce
from dalembert.elements.given import Number, Ref, Vector

ROW = np.dtype([("i", "u4"), ("j", "u4"), ("element", "u4"), ("_", "u4"), ("stiffness", "f8", (3,)),
                    ("damping", "f8", (3,)), ("torsion", "f8", (3,)), ("torsion_damping", "f8", (3,))])


@kernel
def evaluate(s, w):
    n = dimension(s)
    for k in range(s.bushing.size):
        e = s.bushing[k]
        if w.only[0] >= 0 and w.only[0] != e.element:
            continue
        bi = s.markers[e.i].body
        bj = s.markers[e.j].body
        si = arm(s, w, e.i)
        sj = arm(s, w, e.j)
        d = sub(point(s, w, e.j, sj), point(s, w, e.i, si))
        wi = omega(s, w, bi)
        slip = sub(sub(point_velocity(s, w, e.j, sj), point_velocity(s, w, e.i, si)), turn(wi, d))
        F = scale(d, 0.0)
        for c in range(n):
            a = axis(s, w, e.i, c)
            F = sub(F, scale(a, e.stiffness[c] * dot(a, d) + e.damping[c] * dot(a, slip)))
        store_turn(s, w.wrench, 0, relative_turn(s, w, e.i, e.j))
        spin = turn_add(omega(s, w, bj), turn_scale(wi, -1.0))
        store_turn(s, w.wrench, 3, spin)
        for c in range(2 * n - 3):
            about = spin_about(s, w, e.i, c, n)
            w.wrench[6 + c] = -e.torsion[c] * w.wrench[c] - e.torsion_damping[c] * about
        T = turn_from_marker(s, w, e.i, load_turn(s, w.wrench, 6))
        push(s, w, bj, F, turn_add(T, moment(sj, F)))
        push(s, w, bi, scale(F, -1.0), turn_scale(turn_add(T, moment(add(si, d), F)), -1.0))


@kernel
def spin_about(s, w, i, c, n):
    """Component c of the relative spin kept in wrench[3:], along marker i's axes (the plane has just one)."""
    if n == 2:
        return w.wrench[3]
    store(s, w.wrench, 9, axis(s, w, i, c))
    total = 0.0
    for m in range(n):
        total += w.wrench[3 + m] * w.wrench[9 + m]
    return total


class Bushing(BaseForce):
    """An elastic block between two bodies: springs and dampers along and about three axes.

    Parameters
    ----------
    name : string [–]
        Its name; results are read by it.
    i, j : body or name [–]
        First and second body; "ground" is the fixed frame.
    at : vector [m], optional
        Where the bodies meet, ground coordinates, as drawn.
    on_i, on_j : vector [m], optional
        The place on each body in its own coordinates, instead of ``at``; ``assemble`` brings the places together.
    stiffness : number, or one per axis [N/m], default 0.0
        Along i's axes as drawn parallel to the ground's.
    damping : number, or one per axis [N·s/m], default 0.0
        Along the same axes.
    torsion : number, or one per axis [N·m/rad], default 0.0
        About the same axes; in the plane one number.
    torsion_damping : number, or one per axis [N·m·s/rad], default 0.0
        About the same axes.

    Notes
    -----
    Acts: on j at its point with F = −k d − c ḋ along axes fixed on i, parallel to the ground's as drawn, and with the torque
    −κ φ − ζ ω; i gets the opposite at the same point.

    Signs: d and φ are those of j against i; ``force`` and ``torque`` of the result are those on j, ground axes.

    Degenerate: never. φ is the exact rotation vector: up to half a turn.

    Examples
    --------
    >>> import dalembert as da
    >>> m = da.Model("mount", dim=2, gravity=(0, -9.81))
    >>> engine = m.add(da.Body("engine", mass=10.0, inertia=0.5, shapes=[da.Box((0.4, 0.3))]))
    >>> rubber = m.add(da.Bushing("rubber", m.ground, engine, at=(0, 0), stiffness=(2e4, 981.0), torsion=50.0))
    >>> da.equilibrium(m)["engine"].position.round(4).tolist()           # sags by m g/k
    [0.0, -0.1]
    """

    drawn_as = "bushing"

    def __init__(self, name: str, i: Ref, j: Ref, *, at: Vector | None = None, on_i: Vector | None = None,
                 on_j: Vector | None = None, stiffness: Number | Vector = 0.0, damping: Number | Vector = 0.0,
                 torsion: Number | Vector = 0.0, torsion_damping: Number | Vector = 0.0) -> None:
        self.name, self.i, self.j, self.at, self.on_i, self.on_j = name, i, j, at, on_i, on_j
        self.stiffness, self.damping, self.torsion, self.torsion_damping = stiffness, damping, torsion, torsion_damping
        self.axis = self.axis_i = self.axis_j = None

    def build(self, b):
        i, j = b.joint_markers(self)
        turns = 1 if b.dim == 2 else 3
        columns = {}
        for key, count in (("stiffness", b.dim), ("damping", b.dim), ("torsion", turns), ("torsion_damping", turns)):
            value = getattr(self, key)
            value = [value] * count if isinstance(value, str) or not hasattr(value, "__len__") else value
            columns[key] = np.append(b.vector(value, f"{key} of {self.title}", count), np.zeros(3 - count))
        b.force("bushing", self, (i, j), i=i, j=j, **columns)
