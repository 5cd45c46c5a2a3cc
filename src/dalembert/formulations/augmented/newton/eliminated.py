"""States of differentials in Newton's method: eliminated beside the bodies.

With the factors of the bodies' matrix at hand, of which X is the answer without states, x_v = X + s Y x_z, where column k of Y
answers to the force ∂u/∂z_k.  What is left is one dense system of the size of z:

    first order (steps.py)          (c I − F − E_q P Y − E_v Y) x_z = r_z + E_q P (r̂ + X) + E_v X,              s = 1
    second order (second_order.py)  (I − μ F − μ (κ E_q + μ E_v) Y) δζ = f − ζ + (κ E_q + μ E_v) X,              s = μ, ζ = ż

E_q = ∂ż/∂q (displacements as twists), E_v = ∂ż/∂v, F = ∂ż/∂z.  Nothing happens without states.
"""

from dalembert._jit import kernel
from dalembert.algebra import block_lu, dense
from dalembert.formulations.augmented.newton.layout import NV
from dalembert.formulations.augmented.newton.matrix import settle


@kernel
def answers(n, A, buffer, Y):
    """Y ← the bodies' answers to ∂u/∂z, state by state."""
    nv, nz = n.shape[NV], n.states.size
    size = Y.size // nz
    for k in range(nz):
        column = Y[size * k:size * (k + 1)]
        for i in range(size):
            column[i] = 0.0
        for i in range(nv):
            column[i] = n.B[nv * k + i]
        block_lu.solve(n.nodes, n.edges, A, buffer, column)


@kernel
def factor_first(n, P, c, A, buffer, Y, W, order, room):
    """Y and the factors of W for a method on ẏ = f; status."""
    nv, nz = n.shape[NV], n.states.size
    if nz == 0:
        return 0
    size = Y.size // nz
    answers(n, A, buffer, Y)
    for k in range(nz):
        column = Y[size * k:size * k + nv]
        settle(n, P, 1.0 / c, column, room)
        for i in range(nz):
            w = (c if i == k else 0.0 * c) - n.F[nz * i + k]
            for j in range(nv):
                w -= n.Eq[nv * i + j] * room[j] + n.Ev[nv * i + j] * column[j]
            W[nz * i + k] = w
    return dense.factor(W, nz, order)


@kernel
def solve_first(n, Y, W, order, place, x, xz):
    """x (X before) and xz (r_z before) ← x_v and x_z; place: P (r̂ + X)."""
    nv, nz = n.shape[NV], n.states.size
    for i in range(nz):
        y = xz[i]
        for j in range(nv):
            y += n.Eq[nv * i + j] * place[j] + n.Ev[nv * i + j] * x[j]
        xz[i] = y
    dense.solve(W, nz, order, xz)
    add(n, Y, 1.0, x, xz)


@kernel
def add(n, Y, factor, x, xz):
    """x += factor · Y xz."""
    nz = n.states.size
    size = Y.size // nz
    for k in range(nz):
        for i in range(size):
            x[i] += factor * Y[size * k + i] * xz[k]


@kernel
def factor_second(n, kappa, mu):
    """The same for accelerations; status."""
    nv, nz = n.shape[NV], n.states.size
    if nz == 0:
        return 0
    size = n.Y.size // nz
    answers(n, n.lu, n.buffer, n.Y)
    for k in range(nz):
        for i in range(nz):
            w = (1.0 if i == k else 0.0) - mu * n.F[nz * i + k]
            for j in range(nv):
                w -= mu * (kappa * n.Eq[nv * i + j] + mu * n.Ev[nv * i + j]) * n.Y[size * k + j]
            n.W[nz * i + k] = w
    return dense.factor(n.W, nz, n.order)


@kernel
def solve_second(n, kappa, mu, first):
    """x[first:] ← δζ, and the rest of x with it; ζ is in twist, behind everything else, f in qdot."""
    nv, nz = n.shape[NV], n.states.size
    base = n.twist.size - nz
    for i in range(nz):
        y = n.qdot[n.states[i]] - n.twist[base + i]
        for j in range(nv):
            y += (kappa * n.Eq[nv * i + j] + mu * n.Ev[nv * i + j]) * n.x[j]
        n.xz[i] = y
    dense.solve(n.W, nz, n.order, n.xz)
    add(n, n.Y, mu, n.x, n.xz)
    for i in range(nz):
        n.x[first + i] = n.xz[i]
