"""The compiled entries of the recursive formulation.

y = (joint coordinates, running angles that are no joint coordinate, joint speeds, ledger).  Forces and constraint rows are those
of the compiled equations, called through their addresses on a workspace of the bodies (``w``) that holds the loop rows only.

The joint reactions: the sum of what the links outside a joint need (M v̇ − loads + Dᵀλ of the loops) goes through it; the
multipliers of its rows are found from D_cᵀ λ = −(wrench on the child), D_c the rows' block on the child, least squares in the
metric of the child's mass (exact: the wrench does no work on the free motion, so it is in the range).
"""

import numpy as np

from dalembert._jit import call, entry, kernel, struct
from dalembert.algebra import pivoted
from dalembert.elements.bodies.markers import at_v, block, weigh
from dalembert.equations.dependence import COUNT, forget
from dalembert.equations.projection import FLOOR, distance
from dalembert.equations.saddle import multiply
from dalembert.formulations.response import Response
from dalembert.system.arrays import Arrays
from dalembert.system.tables import PlanarSystem, SpatialSystem

from . import loops
from .dependence import decide
from .express import accelerate_body, add_wrench, express, express_body, quaternion, speed_body, through_joint
from .passes import (
    acceleration,
    articulated_inertia,
    forward,
    joint_force,
    newton_euler,
    positions,
    rates,
    response,
    rigid_inertia,
    solve,
    speeds,
)
from .tables import Motion, PlanarTree, SpatialTree

LOADS, CLOSURES, SETTLE, EVENTS = range(4)

Closure = struct("Closure", {
    "handle": "i8",  # LOADS …: entries of the bodies' workspace
    "has": "i8",  # 0: force elements, 1: loop rows, 2: running angles to integrate
    "slots": "f8", "slot_rates": "f8", "slot": "u4",  # running angles in y, and their places in w.q
    "v": "f8",  # velocities of the bodies, found by ``bodies``
    "power": "f8", "reach": "f8", "small": "f8", "order": "i8"})


@kernel
def configure(T, S, w, X, Y, C):
    """Poses and speeds of links and bodies."""
    positions(T, 1.0, X)
    speeds(T, 1.0, X)
    express(T, S, w, X)
    for k in range(C.slot.size):
        w.q[C.slot[k]] = C.slots[k]


@kernel
def accelerations(T, S, w, X, Y, C):
    """q̇ and u̇ at (t, q, u), λ of the loop rows, the powers of the ledger."""
    for k in range(3):
        C.power[k] = 0.0
    for k in range(1, T.links.size):
        rates(T, 1.0, X, k)
    if C.has[0] == 0 and C.has[1] == 0 and C.has[2] == 0:
        forward(T, 1.0, X)
        w.report.pivot = 1.0
        return 0
    configure(T, S, w, X, Y, C)
    if C.has[0] != 0:
        loads(T, S, w, X, Y, C)
    for k in range(1, T.links.size):
        rigid_inertia(T, 1.0, X, k)
    solve(T, 1.0, X)
    status = 0
    w.report.pivot = 1.0
    if C.has[1] != 0 or C.has[2] != 0:
        call(C.handle[CLOSURES])
        for k in range(C.slot.size):
            C.slot_rates[k] = w.qdot[C.slot[k]]
    if C.has[1] != 0:
        loops.reach(T, S, w, X, Y, C)
        loops.factor(T, w)
        status = loops.close(T, S, w, X, Y, C)
        drive = 0.0
        for k in range(w.lam.size):
            drive -= w.lam[k] * w.nu[k]
        C.power[2] = drive
    return status


@kernel
def loads(T, S, w, X, Y, C):
    """Force elements: their wrenches on the links, and what they put in."""
    call(C.handle[LOADS])
    for k in range(X.wrench.size):
        X.wrench[k] = 0.0
    total = w.power[0] + w.power[1]
    for b in range(S.bodies.size):
        add_wrench(T, X, w, w.Q, at_v(S, b), b, 1.0, X.wrench)
        speed_body(T, w, b, w.spare_v)
    for k in range(w.Q.size):
        total += w.Q[k] * w.spare_v[k]
    C.power[0] = total
    C.power[1] = w.power[1]


@kernel
def ready(T, S, w, X, Y, C):
    """Φ, D, ν and the factors of the tree and of K at (t, q)."""
    configure(T, S, w, X, Y, C)
    call(C.handle[SETTLE])
    for k in range(C.slot.size):
        C.slots[k] = w.q[C.slot[k]]
    for k in range(1, T.links.size):
        rigid_inertia(T, 1.0, X, k)
    for k in range(T.links.size - 1, 0, -1):
        articulated_inertia(T, 1.0, X, k)
    call(C.handle[CLOSURES])
    loops.reach(T, S, w, X, Y, C)
    loops.factor(T, w)


@kernel
def begin(T, S, w, X, Y, C):
    """Which loop rows are left out, chosen afresh at (t, q) on the constraints."""
    if C.has[1] != 0:
        forget(w)
        ready(T, S, w, X, Y, C)
        decide(T, S, w, X, Y, C)
    return 0


@kernel
def project(T, S, w, X, Y, C):
    """Joint coordinates, then joint speeds, onto the loop rows.  Status 0, 2 not converged, 3 not finite."""
    previous = 1e300
    count = 0
    while True:
        ready(T, S, w, X, Y, C)
        error = distance(S, w)
        w.report.position = error
        if not error < 1e300:
            return 3
        if error <= w.options.tolerance or (error < FLOOR * w.options.tolerance and error > 0.5 * previous):
            break
        if count >= w.options.iterations:
            if w.choice[COUNT] == 0.0:
                return 2
            forget(w)
            count = 0
            previous = 1e300
            continue
        for k in range(w.mu.size):
            w.mu[k] = w.phi[k]
        loops.block_ldl.solve(T.columns, T.below, w.S, w.delta, w.mu)
        loops.correct(T, S, w, X, Y, w.mu)
        loops.displace(T, X, Y.udot)
        previous = error
        count += 1
    decide(T, S, w, X, Y, C)
    w.report.velocity = loops.drift(T, S, w)
    loops.block_ldl.solve(T.columns, T.below, w.S, w.delta, w.mu)
    loops.correct(T, S, w, X, Y, w.mu)
    for k in range(X.u.size):
        X.u[k] += Y.udot[k]
    return 0


@kernel
def tangent(T, S, w, X, Y, C):
    """(q̇, u̇), taken as two small displacements, lose what points out of the loop rows (factors of the last solve)."""
    loops.as_speeds(T, X, C.small)
    loops.tangential(T, S, w, X, Y, C.small)
    loops.tangential(T, S, w, X, Y, X.udot)
    for k in range(X.u.size):  # rates() reads the speeds: lend it the displacement
        Y.reduced[k] = X.u[k]
        X.u[k] = C.small[k]
    for k in range(1, T.links.size):
        rates(T, 1.0, X, k)
    for k in range(X.u.size):
        X.u[k] = Y.reduced[k]
    return 0


@kernel
def bodies(T, S, w, X, Y, C):
    """q and v of the bodies (v into C.v; w.v stays zero) from the joint coordinates and speeds."""
    configure(T, S, w, X, Y, C)
    for b in range(S.bodies.size):
        quaternion(T, w, b)
        speed_body(T, w, b, C.v)
    return 0


@kernel
def events(T, S, w, X, Y, C):
    """g of every event, at (t, q)."""
    bodies(T, S, w, X, Y, C)
    return call(C.handle[EVENTS])


@kernel
def motion_of(T, S, w, X, Y, C):
    """v̇ of the bodies (w.vdot) that belongs to the speeds u and u̇ given."""
    configure(T, S, w, X, Y, C)
    for k in range(1, T.links.size):
        acceleration(T, 1.0, X, k)
    for b in range(S.bodies.size):
        accelerate_body(T, X, w, X.acc, b, w.vdot, True)
    return 0


@kernel
def reactions(T, S, w, X, Y, C, full):
    """After accelerations: v̇ of the bodies, and into full.lam the multipliers of the tree joints (full.D must be at hand)."""
    n = block(S)
    configure(T, S, w, X, Y, C)
    for b in range(S.bodies.size):
        accelerate_body(T, X, w, X.acc, b, full.vdot, True)
    for k in range(1, T.links.size):
        newton_euler(T, 1.0, X, k)
    for k in range(S.blocks.size):
        b = S.blocks[k]
        for i in range(b.count):
            add_wrench(T, X, w, w.D, np.int64(b.at) + n * i, np.int64(b.body), w.lam[b.row + i], X.force)
    for k in range(T.links.size - 1, 0, -1):
        if T.joints[k].rows > 0:
            multipliers(T, S, w, X, C, full, k, n)
        joint_force(T, 1.0, X, k)
    for k in range(X.tau.size):
        X.tau[k] = 0.0
    return 0


@kernel
def respond(T, S, w, X, Y, C, r):
    """v̇ of the bodies that answers to wrenches on them, by the factors of the tree and of K; Y holds one answer at a time."""
    nv = w.v.size
    for b in range(S.bodies.size):
        express_body(T, S, w, X, b)
    for k in range(r.count[0]):
        a = r.answer[nv * k:nv * (k + 1)]
        for m in range(Y.force.size):
            Y.force[m] = 0.0
        for b in range(S.bodies.size):
            add_wrench(T, X, w, r.wrench, nv * k + at_v(S, b), b, -1.0, Y.force)
        response(T, 1.0, Y)
        for b in range(S.bodies.size):
            accelerate_body(T, X, w, Y.acc, b, a, False)
        if C.has[1] != 0:
            for _ in range(2):  # the second time mends the rounding of the first
                multiply(S, w, a, r.mu)
                loops.block_ldl.solve(T.columns, T.below, w.S, w.delta, r.mu)
                loops.correct(T, S, w, X, Y, r.mu)
                for b in range(S.bodies.size):
                    accelerate_body(T, X, w, Y.acc, b, w.spare_v, False)
                for m in range(nv):
                    a[m] += w.spare_v[m]
    return 0


@kernel
def multipliers(T, S, w, X, C, full, k, n):
    """λ of the tree joint that carries link k."""
    joint = T.joints[k]
    rows = np.int64(joint.rows)
    at = np.int64(joint.at)
    b = np.int64(joint.body)
    through_joint(T, X, w, k, b, C.small)
    weigh(S, b, True, C.small, 0, C.small, 6)
    for i in range(rows):
        weigh(S, b, True, full.D, at + n * i, C.small, 12)
        x = 0.0
        for c in range(n):
            x -= full.D[at + n * i + c] * C.small[6 + c]
        C.small[60 + i] = x
        for m in range(rows):
            y = 0.0
            for c in range(n):
                y += C.small[12 + c] * full.D[at + n * m + c]
            C.small[18 + rows * i + m] = y
    A = C.small[18:18 + rows * rows]
    rank = pivoted.factor(A, rows, C.order, C.small[66:72], w.options.drop)
    pivoted.solve(A, rows, C.order, C.small[66:72], rank, C.small[60:66],
                  full.lam[np.int64(joint.row):np.int64(joint.row) + rows])


ENTRIES = {}
for _dim, _group, _tree, _system in ((2, "planar_recursive", PlanarTree, PlanarSystem),
                                     (3, "spatial_recursive", SpatialTree, SpatialSystem)):
    for _function in (accelerations, begin, project, tangent, bodies, events, motion_of):
        _name = getattr(_function, "py_func", _function).__name__
        ENTRIES[_dim, _name] = entry(_group, _name, _function, _tree, _system, Arrays, Motion, Motion, Closure,
                module=__name__)
    ENTRIES[_dim, "reactions"] = entry(_group, "reactions", reactions, _tree, _system, Arrays, Motion, Motion, Closure,
                                       Arrays, module=__name__)
    ENTRIES[_dim, "respond"] = entry(_group, "respond", respond, _tree, _system, Arrays, Motion, Motion, Closure, Response,
                                     module=__name__)
