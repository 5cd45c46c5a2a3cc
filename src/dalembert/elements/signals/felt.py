"""What laws feel: reactions and accelerations, which are only known when the forces are (equations/feedback.py solves for them).

Each row is affine in the multipliers λ and the accelerations v̇ of the bodies, at poses, twists and rows D already evaluated:

    FORCE, TORQUE    component ``part`` of the wrench −Dᵀλ of blocks first … second − 1, times ``factor``, ground axes, the torque
                     about marker ``marker`` (NONE: the centre of mass of ``body``)                        as results give it
    POINT            of r̈ of the reference point of ``body``:   r̈_c + ω̇ × a + ω × (ω × a),   a = −A s̄_c
    TURN, GROUND     of ω̇ of ``body``, body axes; ground axes
    MULTIPLIER       factor · λ_first                          (what a drive supplies: −λ)

``bias`` 0 leaves the terms without λ and v̇ away: what is left is the linear part.
"""

import numpy as np

from dalembert._jit import dispatch, inline, kernel
from dalembert.algebra import planar as planar_algebra
from dalembert.algebra import spatial as spatial_algebra
from dalembert.algebra.vectors import add, moment, rotate, sub, turn, turn_scale
from dalembert.elements.bodies.markers import (
    NONE,
    arm,
    at_v,
    block,
    dimension,
    load,
    load_turn,
    omega,
    point,
    position,
    rotation,
    store,
    store_turn,
)

FORCE, TORQUE, POINT, TURN, GROUND, MULTIPLIER = range(6)
FELT = np.dtype([("kind", "u4"), ("part", "u4"), ("first", "u4"), ("second", "u4"), ("body", "u4"), ("marker", "u4"),
                 ("factor", "f8")])
TABLES = {"felt": FELT}


@inline
def _planar_turn(s, A, turn):
    return turn


@inline
def _spatial_turn(s, A, turn):
    return spatial_algebra.rotate(A, turn)


turn_to_ground = dispatch(_planar_turn, _spatial_turn)


@inline
def _planar_centre(s, b):
    com = s.bodies[b].com
    return planar_algebra.scale((com[0], com[1]), -1.0)


@inline
def _spatial_centre(s, b):
    com = s.bodies[b].com
    return spatial_algebra.scale((com[0], com[1], com[2]), -1.0)


back = dispatch(_planar_centre, _spatial_centre)  # from the centre of mass to the reference point, body axes


@kernel
def wrench(s, w, r, lam):
    """Force and torque of the row's blocks into w.wrench, at 0 and at 3."""
    n = block(s)
    for k in range(6):
        w.wrench[k] = 0.0
    for k in range(np.int64(r.first), np.int64(r.second)):
        b = s.blocks[k]
        for c in range(n):
            y = 0.0
            for i in range(b.count):
                y -= w.D[np.int64(b.at) + n * i + c] * lam[b.row + i]
            w.wrench[6 + c] = r.factor * y
        F = load(s, w.wrench, 6)
        T = turn_to_ground(s, rotation(s, w, b.body), load_turn(s, w.wrench, 6 + dimension(s)))
        to = point(s, w, r.marker, arm(s, w, r.marker)) if r.marker != NONE else position(s, w, r.body)
        M = moment(sub(position(s, w, b.body), to), F)
        store(s, w.wrench, 0, add(load(s, w.wrench, 0), F))
        store_turn(s, w.wrench, 6, T)
        store_turn(s, w.wrench, 9, M)
        for c in range(n - dimension(s)):
            w.wrench[3 + c] += w.wrench[6 + c] + w.wrench[9 + c]


@kernel
def evaluate(s, w, vdot, lam, out, bias):
    """out ← all rows."""
    d = dimension(s)
    for k in range(s.felt.size):
        r = s.felt[k]
        if r.kind == FORCE or r.kind == TORQUE:
            wrench(s, w, r, lam)
            out[k] = w.wrench[r.part] if r.kind == FORCE else w.wrench[3 + np.int64(r.part)]
        elif r.kind == MULTIPLIER:
            out[k] = r.factor * lam[r.first]
        elif r.kind == TURN:
            out[k] = vdot[at_v(s, r.body) + d + np.int64(r.part)]
        else:
            alpha = turn_to_ground(s, rotation(s, w, r.body), load_turn(s, vdot, at_v(s, r.body) + d))
            if r.kind == GROUND:
                store_turn(s, w.wrench, 0, alpha)
            else:
                a = rotate(rotation(s, w, r.body), back(s, r.body))
                rate = turn_scale(omega(s, w, r.body), bias)
                store(s, w.wrench, 0, add(load(s, vdot, at_v(s, r.body)), add(turn(alpha, a), turn(rate, turn(rate, a)))))
            out[k] = w.wrench[r.part]
