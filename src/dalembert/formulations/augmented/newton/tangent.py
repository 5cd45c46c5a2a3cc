"""How the unbalanced forces and the constraint rows change with position and velocity.

With u = Q(t, q, v) − D(q)ᵀ λ and ρ = D(q) v̇ − γ(t, q, v), λ and v̇ kept, and small displacements as twists of the bodies:

    K = −∂u/∂q          C = −∂u/∂v          G_q = ∂ρ/∂q          G_v = ∂ρ/∂v

By central differences on the compiled equations, so that every element, a user's law too, takes part without further
work.  Displacements are 1e-5 of the mechanism's size (1e-5 rad): truncation about 1e-10, rounding about 1e-11 relative.
u and ρ are at most quadratic in v for all but user laws, where central differences are exact; so the step in v is large.
"""

import math

from dalembert._jit import call, kernel
from dalembert.formulations.augmented.newton.layout import BODIES, LENGTH, MOVE, NQ, NV, SIZE, SPEED, UNBALANCED, place

STEP_Q, STEP_V = 1e-5, 1e-3


@kernel
def differentiate(n):
    """K, C, D, G_q, G_v at the state in (t, q, v) with its λ and v̇; the state is left as it was.  Status of the equations."""
    nq, nv, size = n.shape[NQ], n.shape[NV], n.shape[SIZE]
    for k in range(nq):
        n.q0[k] = n.q[k]
    fastest = 0.0
    for k in range(nv):
        n.v0[k] = n.v[k]
        n.spin[k] = n.v[k]
        n.held[k] = n.vdot[k]
    for b in range(n.shape[BODIES]):
        for c in range(size):
            fastest = max(fastest, abs(n.v[place(n, b) + c]) / (n.scale[LENGTH] if translates(c, size) else 1.0))
    n.scale[SPEED] = fastest
    for k in range(n.D0.size):
        n.D0[k] = n.D[k]
    for k in range(n.S0.size):
        n.S0[k] = n.before[k] if n.delta[k] != 0.0 else 0.0
    for colour in range(n.colours.size):
        for c in range(size):
            status = difference(n, colour, c, True)
            if status == 0:
                status = difference(n, colour, c, False)
            if status != 0:
                restore(n)
                return status
    for j in range(n.states.size):
        status = difference_state(n, j)
        if status != 0:
            restore(n)
            return status
    restore(n)
    return 0


@kernel
def translates(c, size):
    """Component c of a body's twist is a translation."""
    return c < (2 if size == 3 else 3)


@kernel
def finite(x):
    """x, or 0 where a law is not defined so far from the state (a root at the end of its range): only Newton's speed is lost."""
    return x if math.isfinite(x) else 0.0


@kernel
def restore(n):
    for k in range(n.q0.size):
        n.q[k] = n.q0[k]
    for k in range(n.v0.size):
        n.v[k] = n.v0[k]


@kernel
def shifted(n, colour, c, position, step):
    """u and ρ with direction c of all bodies of the colour moved by step."""
    restore(n)
    if position:
        for k in range(n.shift.size):
            n.shift[k] = 0.0
    for m in range(n.colours[colour].first, n.colours[colour].last):
        k = place(n, n.members[m]) + c
        if position:
            n.shift[k] = step
        else:
            n.v[k] += step
    if position:
        call(n.handle[MOVE])
    return call(n.handle[UNBALANCED])


@kernel
def difference(n, colour, c, position):
    size = n.shape[SIZE]
    step = STEP_Q
    if not position:
        step = STEP_V * (n.scale[SPEED] + 1e-3)
    if translates(c, size):
        step *= n.scale[LENGTH]
    status = shifted(n, colour, c, position, step)
    if status != 0:
        return status
    for k in range(n.u.size):
        n.Q1[k] = n.u[k]
    for k in range(n.rho.size):
        n.r1[k] = n.rho[k]
    for k in range(n.states.size):
        n.old[k] = n.qdot[n.states[k]]
    status = shifted(n, colour, c, position, -step)
    if status != 0:
        return status
    half = 0.5 / step
    for m in range(n.colours[colour].first, n.colours[colour].last):
        column = n.members[m]
        for k in range(n.states.size):  # every body is then a class of its own
            x = finite(half * (n.old[k] - n.qdot[n.states[k]]))
            if position:
                n.Eq[n.shape[NV] * k + place(n, column) + c] = x
            else:
                n.Ev[n.shape[NV] * k + place(n, column) + c] = x
        for e in range(n.columns[column].first, n.columns[column].last):
            at, row = n.couples[e].at, place(n, n.couples[e].row)
            for i in range(size):
                x = finite(-half * (n.Q1[row + i] - n.u[row + i]))
                if position:
                    n.K[at + size * i + c] = x
                else:
                    n.C[at + size * i + c] = x
        for e in range(n.of[column].first, n.of[column].last):
            p = n.places[e]
            for i in range(p.count):
                x = finite(half * (n.r1[p.row + i] - n.rho[p.row + i]))
                if position:
                    n.Gq[p.at + size * i + c] = x
                else:
                    n.Gv[p.at + size * i + c] = x
    return 0


@kernel
def difference_state(n, j):
    """∂u/∂z_j and ∂ż/∂z_j."""
    nv, nz = n.shape[NV], n.states.size
    at = n.states[j]
    step = STEP_V * max(abs(n.q0[at]), 1e-3)
    restore(n)
    n.q[at] += step
    status = call(n.handle[UNBALANCED])
    if status != 0:
        return status
    for k in range(nv):
        n.Q1[k] = n.u[k]
    for k in range(nz):
        n.old[k] = n.qdot[n.states[k]]
    restore(n)
    n.q[at] -= step
    status = call(n.handle[UNBALANCED])
    if status != 0:
        return status
    half = 0.5 / step
    for k in range(nv):
        n.B[nv * j + k] = finite(half * (n.Q1[k] - n.u[k]))
    for k in range(nz):
        n.F[nz * k + j] = finite(half * (n.old[k] - n.qdot[n.states[k]]))
    return 0
