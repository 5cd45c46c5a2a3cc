"""Exact first derivatives of the equations: the same kernels on duals (_jit/duals.py), and linear solves by the factors at hand.

Along a change of state, time or tables, with λ and v̇ kept,

    u = Q − Dᵀλ − M v̇,   ρ = D v̇ − γ          one pass on duals gives δu and δρ
    [M Dᵀ; D 0] [δv̇; δλ] = [δu; −δρ]           a = M⁻¹ δu,   S δλ = D a + δρ,   δv̇ = a − M⁻¹ Dᵀ δλ

so nothing is pushed through a factorisation; rows that were left out stay out.  What laws feel, x = h(λ, v̇), moves with δλ and δv̇
in turn: x ← x + (I − G)⁻¹ (h(λ + δλ, v̇ + δv̇) − x) on duals, with the I − G of equations/feedback.py; its slopes are those of
differences (1e-5), so ROUNDS of these leave 1e-15.

    directions    δu, δρ, δv̇, δλ for what the tangents of t, q, v and the tables hold; balanced: δu, δρ alone
    forward       the right-hand side of (y, δy): accelerations, then their tangents, those of q̇ and of the ledger
    projected     project, and  δq ← δq − N M⁻¹Dᵀ S⁺ δΦ,   δv ← δv − M⁻¹Dᵀ S⁺ δ(D v − ν)    (N: twist → change of q; terms of the
                  size of Φ are left out, which is zero)
    observed      observe, and the tangents of all it finds
    measured      measures and poses; speeds: Φ and D v − ν; watched: the events
    jacobians     K = −∂u/∂q, C = −∂u/∂v, G_q = ∂ρ/∂q, G_v = ∂ρ/∂v of implicit methods (newton/tangent.py has the same by
                  differences): closed blocks first (newton/closed.py; s holds their rows, sd the others), and for what has none
                  directions of bodies that share no neighbour go into one lane, WIDTH lanes into one pass; lanes
                  of displacements come first, then those of velocities; columns that are zeros have none (newton/classes.py)

``w`` holds the values and the factors, ``d`` the duals; what is in d's values is taken from w first.
"""

import math

from dalembert._jit import call, dispatch, entry, kernel, struct
from dalembert._jit.duals import WIDTH, dual, dual_struct, put_tangent, put_value, tangent
from dalembert.algebra import spatial as alg
from dalembert.algebra import wide_ldl
from dalembert.elements import event
from dalembert.elements.bodies.markers import at_q, at_v, from_twist, kinematics, weigh
from dalembert.elements.measures.table import evaluate_all, settle, track
from dalembert.elements.signals import felt
from dalembert.elements.signals.readings import changes
from dalembert.equations import feedback
from dalembert.equations.constraints import constraints
from dalembert.equations.energy import energy, powers
from dalembert.equations.entries import less_reactions, unbalanced
from dalembert.equations.entries import speeds as all_speeds
from dalembert.equations.forces import forces
from dalembert.equations.reactions import reactions
from dalembert.equations.saddle import by_factors, multiply, spread
from dalembert.formulations.augmented.gathering import gather, gather_states
from dalembert.formulations.augmented.newton.closed import Closed, closed_blocks
from dalembert.formulations.augmented.newton.layout import Newton
from dalembert.system.arrays import Arrays
from dalembert.system.tables import PlanarSystem, SpatialSystem

ACCELERATIONS, PROJECT, OBSERVE = range(3)
ROUNDS = 3
DISPLACED = 5  # place in Newton's shape: how many lanes are displacements
Plain = struct("Plain", {"handle": "i8"})  # entries of the equations on w (equations/entries.py), compiled there


@kernel
def take(w, d):
    """State, λ and v̇ of w as values of d; the tangents of the state stay, λ and v̇ are kept (no tangents)."""
    put_value(d.t, 0, w.t[0])
    for k in range(w.q.size):
        put_value(d.q, k, w.q[k])
    for k in range(w.v.size):
        put_value(d.v, k, w.v[k])
        d.held[k] = w.vdot[k]
    for k in range(w.lam.size):
        d.lam[k] = w.lam[k]
    d.only[0] = w.only[0]


@kernel
def balance(s, d):
    """u = Q − Dᵀλ − M held, ρ = D held − γ, on duals: inertias may move too."""
    unbalanced(s, d)
    less_inertia(s, d)


@kernel
def less_inertia(s, d):
    """u ← u − M held."""
    for b in range(s.bodies.size):
        weigh(s, b, False, d.held, at_v(s, b), d.spare_v, at_v(s, b))
    for k in range(d.u.size):
        d.u[k] -= d.spare_v[k]


@kernel
def solved(s, w, d):
    """μ ← S⁺ μ with the factors of w."""
    if s.hubs.size == 0:
        wide_ldl.solve(s.columns, s.below, w.S, w.delta, d.mu)
    else:
        by_factors(s, w, d.wide, d.mu)


@kernel
def respond(s, w, d, mend):
    """Tangents of v̇ and λ from those of u and ρ, by the factors of w; mended once where accuracy is worth more than time."""
    for b in range(s.bodies.size):
        weigh(s, b, True, d.u, at_v(s, b), d.step, at_v(s, b))
    multiply(s, w, d.step, d.mu)
    for k in range(d.mu.size):
        d.mu[k] += d.rho[k]
    solved(s, w, d)
    spread(s, w, d.mu, d.step)
    for k in range(d.mu.size):
        d.lam[k] = w.lam[k] + d.mu[k]
    if mend:
        multiply(s, w, d.step, d.mu)  # what is left of D δv̇ + δρ
        for k in range(d.mu.size):
            d.mu[k] += d.rho[k]
        solved(s, w, d)
        spread(s, w, d.mu, d.step)
        for k in range(d.mu.size):
            d.lam[k] += d.mu[k]
    for k in range(d.step.size):
        d.vdot[k] = w.vdot[k] + d.step[k]


@kernel
def answer(s, w, sd, d, mend):
    """``respond``, and what laws feel of it."""
    respond(s, w, d, mend)
    if s.felt.size == 0:
        return
    for _ in range(ROUNDS):
        felt.evaluate(sd, d, d.vdot, d.lam, d.sensed, 1.0)
        for k in range(s.felt.size):
            d.gaps[k] = d.sensed[k] - d.felt[k]
        feedback.respond(w, d.gaps)
        for k in range(s.felt.size):
            put_value(d.gaps, k, 0.0)
            d.felt[k] += d.gaps[k]
        for k in range(d.lam.size):
            d.lam[k] = w.lam[k]
        forces(sd, d)
        changes(sd, d)
        less_reactions(sd, d)
        less_inertia(sd, d)
        respond(s, w, d, mend)


@kernel
def directions(s, w, tables, arrays, plain):
    sd, d = dual(tables), dual(arrays)
    take(w, d)
    balance(sd, d)
    answer(s, w, sd, d, True)
    return 0


@kernel
def balanced(s, w, tables, arrays, plain):
    """δu and δρ alone, for covectors (adjoint.py)."""
    sd, d = dual(tables), dual(arrays)
    take(w, d)
    balance(sd, d)
    return 0


@kernel
def forward(s, w, tables, arrays, plain):
    sd, d = dual(tables), dual(arrays)
    status = call(plain.handle[ACCELERATIONS])
    take(w, d)
    balance(sd, d)
    track(sd, d)
    answer(s, w, sd, d, False)
    powers(sd, d)
    return status


@kernel
def projected(s, w, tables, arrays, plain):
    sd, d = dual(tables), dual(arrays)
    status = call(plain.handle[PROJECT])
    if status != 0:
        return status
    corrected(s, w, sd, d)
    return 0


@kernel
def corrected(s, w, sd, d):
    """δq and δv onto the tangents of the constraints, by the factors of w."""
    take(w, d)
    kinematics(sd, d)
    constraints(sd, d)
    for k in range(d.mu.size):
        d.mu[k] = d.phi[k]
    solved(s, w, d)
    for k in range(d.step.size):
        d.step[k] = 0.0
    spread(s, w, d.mu, d.step)
    for k in range(d.change.size):
        d.change[k] = 0.0
    from_twist(sd, d, d.step, d.change)
    for k in range(d.q.size):
        d.q[k] += d.change[k]
    take(w, d)
    kinematics(sd, d)
    settle(sd, d)
    take(w, d)
    constraints(sd, d)
    multiply(sd, d, d.v, d.mu)
    for k in range(d.mu.size):
        d.mu[k] -= d.nu[k]
    solved(s, w, d)
    spread(s, w, d.mu, d.v)
    take(w, d)


@kernel
def constrained(s, w, tables, arrays, plain):
    """As projected, at a state on the constraints whose factors are at hand: δq and δv alone."""
    corrected(s, w, dual(tables), dual(arrays))
    return 0


@kernel
def observed(s, w, tables, arrays, plain):
    sd, d = dual(tables), dual(arrays)
    status = call(plain.handle[OBSERVE])
    take(w, d)
    balance(sd, d)
    track(sd, d)
    answer(s, w, sd, d, True)
    powers(sd, d)
    evaluate_all(sd, d)
    energy(sd, d)
    reactions(sd, d)
    return status


@kernel
def measured(s, w, tables, arrays, plain):
    """Poses, twists and measures of the state in d itself."""
    sd, d = dual(tables), dual(arrays)
    kinematics(sd, d)
    evaluate_all(sd, d)
    return 0


@kernel
def speeds(s, w, tables, arrays, plain):
    sd, d = dual(tables), dual(arrays)
    take(w, d)
    return all_speeds(sd, d)


@kernel
def watched(s, w, tables, arrays, plain):
    sd, d = dual(tables), dual(arrays)
    take(w, d)
    kinematics(sd, d)
    event.evaluate(sd, d)
    return 0


# ------------------------------------------------------------------------------------------------------- implicit methods


@kernel
def _planar_seed(s, w, d, b, c, lane):
    put_tangent(d.q, at_q(s, b) + c, lane, 1.0)


@kernel
def _spatial_seed(s, w, d, b, c, lane):
    k = at_q(s, b)
    if c < 3:
        put_tangent(d.q, k + c, lane, 1.0)
        return
    turn = (1.0 if c == 3 else 0.0, 1.0 if c == 4 else 0.0, 1.0 if c == 5 else 0.0)
    rate = alg.quaternion_rate((w.q[k + 3], w.q[k + 4], w.q[k + 5], w.q[k + 6]), turn)
    put_tangent(d.q, k + 3, lane, rate[0])
    put_tangent(d.q, k + 4, lane, rate[1])
    put_tangent(d.q, k + 5, lane, rate[2])
    put_tangent(d.q, k + 6, lane, rate[3])


seed = dispatch(_planar_seed, _spatial_seed)  # δq of lane ← component c of a displacement of body b


@kernel
def jacobians(s, w, tables, arrays, n, c):
    """K, C, D, G_q, G_v at the state in (t, q, v) with its λ and v̇.  Status 0."""
    sd, d = dual(tables), dual(arrays)
    size = n.shape[0]
    for k in range(w.v.size):
        n.spin[k] = w.v[k]
    for k in range(n.D0.size):
        n.D0[k] = w.D[k]
    for k in range(n.S0.size):
        n.S0[k] = w.before[k] if w.delta[k] != 0.0 else 0.0
    for array in (n.K, n.C, n.Gq, n.Gv):
        for k in range(array.size):
            array[k] = 0.0
    put_value(d.t, 0, w.t[0])
    kinematics(s, w)
    closed_blocks(s, w, sd, d, n, c)
    half, every = n.shape[DISPLACED], n.colours.size
    if every + n.states.size + s.felt.size == 0:
        return 0
    take(w, d)
    for first in range(0, every, WIDTH):
        last = min(first + WIDTH, every)
        for k in range(w.q.size):
            d.q[k] = w.q[k]
        for k in range(w.v.size):
            d.v[k] = w.v[k]
        for place in range(first, last):
            for m in range(n.colours[place].first, n.colours[place].last):
                body, part = n.members[m] // size, n.members[m] % size
                if place < half:
                    seed(s, w, d, body, part, place - first)
                else:
                    put_tangent(d.v, at_v(s, body) + part, place - first, 1.0)
        unbalanced(sd, d)
        for place in range(first, last):
            for m in range(n.colours[place].first, n.colours[place].last):
                body, part = n.members[m] // size, n.members[m] % size
                if place < half:
                    gather(s, d, n, body, part, place - first, n.K, n.Gq)
                    gather_states(s, w, d, n, body, part, place - first, n.Eq)
                else:
                    gather(s, d, n, body, part, place - first, n.C, n.Gv)
                    gather_states(s, w, d, n, body, part, place - first, n.Ev)
    for first in range(0, n.states.size, WIDTH):
        for k in range(w.q.size):
            d.q[k] = w.q[k]
        for k in range(w.v.size):
            d.v[k] = w.v[k]
        last = min(first + WIDTH, n.states.size)
        for j in range(first, last):
            put_tangent(d.q, n.states[j], j - first, 1.0)
        unbalanced(sd, d)
        for j in range(first, last):
            for k in range(w.v.size):
                x = tangent(d.u, k, j - first)
                n.B[w.v.size * j + k] = x if math.isfinite(x) else 0.0
            for i in range(n.states.size):
                x = tangent(d.qdot, n.states[i], j - first)
                n.F[n.states.size * i + j] = x if math.isfinite(x) else 0.0
    for k in range(w.q.size):
        d.q[k] = w.q[k]
    for k in range(w.v.size):
        d.v[k] = w.v[k]
    if s.felt.size > 0:
        gather_felt(s, w, sd, d, n)
    return 0


@kernel
def gather_felt(s, w, sd, d, n):
    """∂u/∂x behind ∂u/∂z, ∂ż/∂x, and H of x = h(λ, v̇): what Newton's method needs of what laws feel (newton/eliminated.py)."""
    m, nv, nc, nz = s.felt.size, w.v.size, w.lam.size, n.states.size
    kinematics(sd, d)
    for first in range(0, m, WIDTH):
        last = min(first + WIDTH, m)
        for j in range(m):
            d.felt[j] = w.felt[j]
        for j in range(first, last):
            put_tangent(d.felt, j, j - first, 1.0)
        forces(sd, d)
        changes(sd, d)
        for j in range(first, last):
            for k in range(nv):
                x = tangent(d.Q, k, j - first)
                n.B[nv * (nz + j) + k] = x if math.isfinite(x) else 0.0
            for i in range(nz):
                x = tangent(d.qdot, n.states[i], j - first)
                n.Z[m * i + j] = x if math.isfinite(x) else 0.0
    for k in range(nv):
        w.spare_v[k] = 0.0
    for k in range(nc):
        w.mu[k] = 0.0
    for k in range(nv + nc):
        unit, at = (w.spare_v, k) if k < nv else (w.mu, k - nv)
        unit[at] = 1.0
        felt.evaluate(s, w, w.spare_v, w.mu, w.sensed, 0.0)
        for j in range(m):
            n.H[(nv + nc) * j + k] = w.sensed[j]
        unit[at] = 0.0


FUNCTIONS = (directions, balanced, forward, projected, constrained, observed, measured, speeds, watched)
ENTRIES: dict[int, dict] = {2: {}, 3: {}}
for _dim, _group, _system in ((2, "planar_dual8", PlanarSystem), (3, "spatial_dual8", SpatialSystem)):
    _structs = (_system, Arrays, dual_struct(_system), dual_struct(Arrays), Plain)
    for _function in FUNCTIONS:
        _name = getattr(_function, "py_func", _function).__name__
        ENTRIES[_dim][_name] = entry(_group, _name, _function, *_structs, module=__name__)
    ENTRIES[_dim]["jacobians"] = entry(_group, "jacobians", jacobians, *_structs[:4], Newton, Closed, module=__name__)
