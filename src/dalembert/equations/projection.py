"""Back onto the constraints: positions to Φ = 0, velocities to D v = ν, both by the shortest way in the metric M.

    positions (Gauss–Newton)   Δ = −M⁻¹ Dᵀ S⁺ Φ,   q ← q ⊕ Δ,   until each |Φ_k|/√S_kk is below tolerance
    velocities                 v ← v − M⁻¹ Dᵀ S⁺ (D v − ν)

The error estimate of a step is cut down to its tangential part before it is judged (``tangent``): what points out of the
constraints is removed by the projection anyway.  Near singular poses that part is large and means nothing (a stage off the
constraints by e gets an acceleration wrong by e/ε in just that direction, ε the angle between nearly dependent rows), and
a step judged by it is refused for ever.

Velocity-level rows have Φ = 0 but stay in D: positions move only as rolling and sliding allow, except with the option
"loose" (assembly of a drawing), which moves positions without them and leaves velocities alone.
"""

import math

from dalembert._jit import kernel
from dalembert.elements.bodies.markers import as_twist, at_v, block, dimension, displace, from_twist, kinematics
from dalembert.elements.measures.table import settle, track
from dalembert.equations.constraints import constraints
from dalembert.equations.dependence import decide, forget
from dalembert.equations.saddle import COUNT, assemble, by_factors, factor, multiply, spread

FLOOR = 1e4  # times the tolerance: below it a step that does not halve the error has met rounding; above it the search goes on


@kernel
def distance(s, w):
    """Largest |Φ_k| over √S_kk: how far the bodies must move, in the metric M."""
    worst = 0.0
    for k in range(w.phi.size):
        if w.before[k] > 0.0:
            worst = max(worst, math.fabs(w.phi[k]) / math.sqrt(w.before[k]))
    return worst


@kernel
def project(s, w):
    """Positions, then velocities.  Status 0, 2 not converged, 3 not finite."""
    kinematics(s, w)
    settle(s, w)
    previous = 1e300
    count = 0
    while True:
        constraints(s, w)
        if w.options.loose > 0.0:
            release(s, w)
        assemble(s, w)
        factor(s, w)
        error = distance(s, w)
        w.report.position = error
        if not math.isfinite(error):
            return 3
        if error <= w.options.tolerance or (error < FLOOR * w.options.tolerance and error > 0.5 * previous):
            break
        if count >= w.options.iterations:
            if w.choice[COUNT] == 0.0 or w.options.iterations == 0.0:
                return 2
            forget(w)  # rows were left out that do not depend on the others here
            count = 0
            previous = 1e300
            continue
        correction(s, w)
        advance_turns(s, w, w.step)
        displace(s, w, w.step, 1.0)
        kinematics(s, w)
        settle(s, w)
        previous = error
        count += 1
    if w.options.loose > 0.0:
        return 0
    decide(s, w)
    return project_velocity(s, w)


@kernel
def correction(s, w):
    """step ← −M⁻¹ Dᵀ S⁺ Φ, with the factors at hand."""
    for k in range(w.mu.size):
        w.mu[k] = w.phi[k]
    by_factors(s, w, w.wide, w.mu)
    for k in range(w.step.size):
        w.step[k] = 0.0
    spread(s, w, w.mu, w.step)


@kernel
def advance_turns(s, w, x):
    """Running angles ahead by what the displacement x will turn them, so that large steps keep count of turns."""
    if s.tracked.size == 0:
        return
    n = block(s)
    turn = 0.0
    for b in range(s.bodies.size):
        for c in range(dimension(s), n):
            turn = max(turn, math.fabs(x[at_v(s, b) + c]))
    if turn < 1.0:  # two bodies together turn less than half a turn: the nearest turn is the right one
        return
    for k in range(w.v.size):
        w.spare_v[k] = w.v[k]
        w.v[k] = x[k]
    kinematics(s, w)
    track(s, w)
    for k in range(s.tracked.size):
        slot = s.measures[s.tracked[k]].slot
        w.q[slot] += w.qdot[slot]
    for k in range(w.v.size):
        w.v[k] = w.spare_v[k]


@kernel
def release(s, w):
    """Take the velocity-level rows out of D: when a drawing is assembled, rolling and sliding do not bind positions."""
    n = block(s)
    for k in range(s.blocks.size):
        b = s.blocks[k]
        for i in range(b.count):
            if s.levels[b.row + i] % 2 == 1:
                for c in range(n):
                    w.D[b.at + n * i + c] = 0.0


@kernel
def tangent(s, w):
    """(q̇, v̇), taken as two small displacements, lose what points out of the constraints (factors of the last solve).

    Motion along drivers stays: how well it is followed in time is an error of the step, although the projection mends it.
    """
    as_twist(s, w, w.qdot, w.spare_v)
    for part in range(2):
        x = w.spare_v if part == 0 else w.vdot
        multiply(s, w, x, w.mu)
        for k in range(w.mu.size):
            if s.levels[k] >= 2 or w.nu[k] != 0.0:
                w.mu[k] = 0.0
        by_factors(s, w, w.wide, w.mu)
        spread(s, w, w.mu, x)
    from_twist(s, w, w.spare_v, w.qdot)
    return 0


@kernel
def project_velocity(s, w):
    """v onto D v = ν with the factors at hand."""
    multiply(s, w, w.v, w.mu)
    worst = 0.0
    for k in range(w.mu.size):
        w.mu[k] -= w.nu[k]
        if w.before[k] > 0.0:
            worst = max(worst, math.fabs(w.mu[k]) / math.sqrt(w.before[k]))
    w.report.velocity = worst
    by_factors(s, w, w.wide, w.mu)
    spread(s, w, w.mu, w.v)
    kinematics(s, w)
    return 0
