"""Forces and torques that are given (forces/force.py, forces/torque.py) and the bodies' own gyroscopic moments.

    force F at the arm s, ground axes:  moment s̄ × AᵀF           K = −(F̄ s̄ᵀ − (s·F) 1)      (plane: s·F)
                          body axes:    F turns, s̄ × F̄ does not   K = −(φ × F) in the force's rows
    torque T, ground axes:              AᵀT                       K = −T̄×                      (plane: 0);  body axes: none
    −ω̄ × J̄ω̄:                                                      C = ω̄× J̄ − (J̄ω̄)×
    gravity: the same everywhere

Laws are asked on duals, where they are compiled anyway.
"""

from dalembert._jit import dispatch, inline, kernel
from dalembert._jit.duals import value as number
from dalembert.algebra import spatial as space
from dalembert.algebra.vectors import add, scale
from dalembert.elements.bodies.markers import arm, at_v, axis, dimension, load, rotation, store
from dalembert.elements.bodies.spatial import apply_matrix
from dalembert.elements.laws import law_value

from .turned import curve, lever


@kernel
def forces(s, w, sd, d, n):
    for k in range(s.force.size):
        f = s.force[k]
        if w.only[0] >= 0 and w.only[0] != f.element:
            continue
        b = s.markers[f.marker].body
        at = n.couples[n.columns[b].first].at
        F = scale(arm(s, w, f.marker), 0.0)
        for c in range(dimension(s)):
            value = number(law_value(sd, d, f.law[c], d.t[0], 0.0, 0.0))
            if f.follows:
                F = add(F, scale(axis(s, w, f.marker, c), value))
            else:
                store(s, w.wrench, 0, F)
                w.wrench[c] = value
                F = load(s, w.wrench, 0)
        if f.follows:
            lever(s, w, n.K, at, b, F, -1.0)
        else:
            curve(s, w, n.K, at, b, arm(s, w, f.marker), F, -1.0)


@inline
def _planar_torques(s, w, sd, d, n):
    return


@inline
def _spatial_torques(s, w, sd, d, n):
    for k in range(s.torque.size):
        f = s.torque[k]
        if f.follows or (w.only[0] >= 0 and w.only[0] != f.element):
            continue
        b = s.markers[f.marker].body
        for c in range(3):
            w.wrench[c] = number(law_value(sd, d, f.law[c], d.t[0], 0.0, 0.0))
        T = space.unrotate(rotation(s, w, b), (w.wrench[0], w.wrench[1], w.wrench[2]))
        add_skew(n.K, n.couples[n.columns[b].first].at, T, -1.0)


@inline
def add_skew(K, at, x, f):
    """f x× into the turns of a block."""
    K[at + 22] -= f * x[2]
    K[at + 23] += f * x[1]
    K[at + 27] += f * x[2]
    K[at + 29] -= f * x[0]
    K[at + 33] -= f * x[1]
    K[at + 34] += f * x[0]


@inline
def _planar_gyroscopic(s, w, n):
    return


@inline
def _spatial_gyroscopic(s, w, n):
    if w.only[0] >= 0:
        return
    for b in range(s.bodies.size):
        k, at, J = at_v(s, b) + 3, n.couples[n.columns[b].first].at, s.bodies[b].inertia
        spin = (w.v[k], w.v[k + 1], w.v[k + 2])
        add_skew(n.C, at, apply_matrix(J, w.v, k), -1.0)
        for j in range(3):
            x = space.turn(spin, (J[j], J[3 + j], J[6 + j]))
            n.C[at + 21 + j] += x[0]
            n.C[at + 27 + j] += x[1]
            n.C[at + 33 + j] += x[2]


torques = dispatch(_planar_torques, _spatial_torques)
gyroscopic = dispatch(_planar_gyroscopic, _spatial_gyroscopic)
