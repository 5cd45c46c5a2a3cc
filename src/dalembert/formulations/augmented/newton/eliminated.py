"""States of differentials in Newton's method: eliminated beside the bodies.

With the factors of the bodies' matrix at hand, of which X is the answer without states, x_v = X + s Y x_z, where column k of Y
answers to the force ∂u/∂z_k.  What is left is one dense system of the size of z:

    first order (steps.py)          (c I − F − E_q P Y − E_v Y) x_z = r_z + E_q P (r̂ + X) + E_v X,              s = 1
    second order (second_order.py)  (I − μ F − μ (κ E_q + μ E_v) Y) δζ = f − ζ + (κ E_q + μ E_v) X,              s = μ, ζ = ż

E_q = ∂ż/∂q (displacements as twists), E_v = ∂ż/∂v, F = ∂ż/∂z.  Nothing happens without states.

What laws feel, x = h(λ, v̇) (equations/feedback.py), is eliminated with them: ξ = H (δv̇, δλ) behind x_z, with columns of Y that
answer to ∂u/∂x, and ∂ż/∂x = Z.  In a method of first order δv̇ = c x_v − r_v, in one of second order δv̇ = δa:

    ξ − H_v (c Y ·) − H_λ (Y ·) = H_v (c X − r_v) + H_λ X_λ                      (second order: c = 1, r_v = 0)

By differences (tangent.py) ∂u/∂x is left at zero: only Newton's speed is lost.
"""

from dalembert._jit import kernel
from dalembert.algebra import block_lu, dense
from dalembert.formulations.augmented.newton.layout import NV
from dalembert.formulations.augmented.newton.matrix import settle


@kernel
def answers(n, A, buffer, Y):
    """Y ← the bodies' answers to ∂u/∂z, state by state, then to ∂u/∂x."""
    nv, most = n.shape[NV], n.xz.size
    size = Y.size // most
    for k in range(most):
        column = Y[size * k:size * (k + 1)]
        for i in range(size):
            column[i] = 0.0
        for i in range(nv):
            column[i] = n.B[nv * k + i]
        block_lu.solve(n.nodes, n.edges, A, buffer, column)


@kernel
def sensed(n, row, c, x):
    """H (c x_v, x_λ) of one row of what laws feel."""
    nv, nc = n.shape[NV], n.lam.size
    at = (nv + nc) * row
    y = 0.0 * x[0]
    for j in range(nv):
        y += n.H[at + j] * x[j]
    y *= c
    for j in range(nv, nv + nc):
        y += n.H[at + j] * x[j]
    return y


@kernel
def factor_first(n, P, c, A, buffer, Y, W, order, room):
    """Y and the factors of W for a method on ẏ = f; status."""
    nv, nz, most = n.shape[NV], n.states.size, n.xz.size
    if most == 0:
        return 0
    size = Y.size // most
    answers(n, A, buffer, Y)
    for k in range(most):
        column = Y[size * k:size * (k + 1)]
        settle(n, P, 1.0 / c, column, room)
        for i in range(nz):
            w = (c if i == k else 0.0 * c) - (n.F[nz * i + k] if k < nz else n.Z[(most - nz) * i + k - nz])
            for j in range(nv):
                w -= n.Eq[nv * i + j] * room[j] + n.Ev[nv * i + j] * column[j]
            W[most * i + k] = w
        for i in range(nz, most):
            W[most * i + k] = (1.0 if i == k else 0.0) - sensed(n, i - nz, c, column)
    return dense.factor(W, most, order)


@kernel
def solve_first(n, c, Y, W, order, place, x, xz):
    """x (X before) and xz (r_z before, then −H_v r_v) ← x_v and x_z; place: P (r̂ + X)."""
    nv, nz, most = n.shape[NV], n.states.size, n.xz.size
    for i in range(nz):
        y = xz[i]
        for j in range(nv):
            y += n.Eq[nv * i + j] * place[j] + n.Ev[nv * i + j] * x[j]
        xz[i] = y
    for i in range(nz, most):
        xz[i] += sensed(n, i - nz, c, x)
    dense.solve(W, most, order, xz)
    add(n, Y, 1.0, x, xz)


@kernel
def add(n, Y, factor, x, xz):
    """x += Y xz, columns of states times factor."""
    nz, most = n.states.size, n.xz.size
    size = Y.size // most
    for k in range(nz):
        for i in range(size):
            x[i] += factor * Y[size * k + i] * xz[k]
    for k in range(nz, most):
        for i in range(size):
            x[i] += Y[size * k + i] * xz[k]


@kernel
def factor_second(n, kappa, mu):
    """The same for accelerations; status."""
    nv, nz, most = n.shape[NV], n.states.size, n.xz.size
    if most == 0:
        return 0
    size = n.Y.size // most
    answers(n, n.lu, n.buffer, n.Y)
    for k in range(most):
        f = mu if k < nz else 1.0
        for i in range(nz):
            w = (1.0 if i == k else 0.0) - (mu * n.F[nz * i + k] if k < nz else n.Z[(most - nz) * i + k - nz])
            for j in range(nv):
                w -= f * (kappa * n.Eq[nv * i + j] + mu * n.Ev[nv * i + j]) * n.Y[size * k + j]
            n.W[most * i + k] = w
        for i in range(nz, most):
            n.W[most * i + k] = (1.0 if i == k else 0.0) - f * sensed(n, i - nz, 1.0, n.Y[size * k:size * (k + 1)])
    return dense.factor(n.W, most, n.order)


@kernel
def solve_second(n, kappa, mu, first):
    """x[first:] ← δζ, and the rest of x with it; ζ is in twist, behind everything else, f in qdot."""
    nv, nz, most = n.shape[NV], n.states.size, n.xz.size
    base = n.twist.size - nz
    for i in range(nz):
        y = n.qdot[n.states[i]] - n.twist[base + i]
        for j in range(nv):
            y += (kappa * n.Eq[nv * i + j] + mu * n.Ev[nv * i + j]) * n.x[j]
        n.xz[i] = y
    for i in range(nz, most):
        n.xz[i] = sensed(n, i - nz, 1.0, n.x)
    dense.solve(n.W, most, n.order, n.xz)
    add(n, n.Y, mu, n.x, n.xz)
    for i in range(nz):
        n.x[first + i] = n.xz[i]
