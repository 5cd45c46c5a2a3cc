"""Linear solves for methods on ẏ = f(t, y):  (c I − ∂f/∂y) x = r, c real or complex.

y = (q, v, ledger).  Displacements of bodies as twists x̂, with r̂ the twist that belongs to r_q and N: twist → change of q:

    x̂ = P (r̂ + x_v)                                             P = 1/c, or (c I + ½ ω̄×)⁻¹ for rotations in space
    (c M + C + K P) x_v + Dᵀ δ        = M r_v − K P r̂            δ: change of λ
    (D + (G_v + G_q P)/c) x_v         = (D r_v − G_q P r̂)/c      from  D v̇ = γ, differentiated
    x_q = N x̂ + (r_q − N r̂)/c                                    what is no rigid motion of q (length of quaternions) over c
    x_z                                                          states of differentials: eliminated.py
    x_l = r_l/c                                                  ledger: sums that nothing depends on
"""

from dalembert._jit import call, entry, inline, kernel
from dalembert.algebra import block_lu
from dalembert.formulations.augmented.newton.eliminated import factor_first, solve_first
from dalembert.formulations.augmented.newton.layout import ALPHA, BETA, COORDINATES, NQ, NV, REAL, SIZE, TWIST, Newton
from dalembert.formulations.augmented.newton.matrix import add_momentum, add_rows, assemble, less_stiffness, settle, turning
from dalembert.formulations.augmented.newton.tangent import differentiate


@kernel
def factor_real(n):
    c = n.coefficient[REAL]
    turning(n, c, n.P)
    assemble(n, n.lu, n.P, c, 1.0, 1.0 / c, 1.0 / c)
    status = block_lu.factor(n.nodes, n.edges, n.targets, n.lu, n.buffer, n.swaps)
    return status if status != 0 else factor_first(n, n.P, c, n.lu, n.buffer, n.Y, n.W, n.order, n.twist[:n.shape[NV]])


@kernel
def factor_complex(n):
    c = complex(n.coefficient[ALPHA], n.coefficient[BETA])
    turning(n, c, n.zP)
    assemble(n, n.zlu, n.zP, c, 1.0 + 0.0j, 1.0 / c, 1.0 / c)
    status = block_lu.factor(n.nodes, n.edges, n.targets, n.zlu, n.zbuffer, n.swaps)
    return status if status != 0 else factor_first(n, n.zP, c, n.zlu, n.zbuffer, n.zY, n.zW, n.zorder, n.ztwist[:n.shape[NV]])


@inline
def plain(n):
    """Whether coordinates of bodies are displacements, and nothing is counted beside them: the plane without running angles."""
    return n.shape[SIZE] == 3 and n.shape[NQ] == n.shape[NV] + n.states.size


@kernel
def to_twist(n, r):
    """shift ← the coordinate part of r as a twist."""
    if plain(n):
        for k in range(n.shape[NV]):
            n.shift[k] = r[k]
        return
    for k in range(n.shape[NQ]):
        n.change[k] = r[k]
    call(n.handle[TWIST])


@kernel
def velocities(n, P, c, A, buffer, r_hat, r_v, settled, out, Y, W, order, xz):
    """out ← x_v (and δ behind it), xz ← x_z (r_z before); settled ← x̂ − r̂/c, the part of x_q that moves bodies."""
    nv = n.shape[NV]
    d = 1.0 / c
    for i in range(n.felt.size):  # δv̇ = c x_v − r_v
        xz[n.states.size + i] = 0.0 * c
        for j in range(nv):
            xz[n.states.size + i] -= n.H[(nv + n.lam.size) * i + j] * r_v[j]
    for k in range(out.size):
        out[k] = 0.0
    add_momentum(n, r_v, 1.0, out)
    settle(n, P, d, r_hat, settled)
    less_stiffness(n, n.K, settled, 1.0, out)
    add_rows(n, n.D0, r_v, d, nv, out)
    add_rows(n, n.Gq, settled, -d, nv, out)
    block_lu.solve(n.nodes, n.edges, A, buffer, out)
    if xz.size > 0:
        for k in range(nv):
            r_v[k] = r_hat[k] + out[k]
        settle(n, P, d, r_v, settled)
        solve_first(n, c, Y, W, order, settled, out, xz)
    for k in range(nv):
        r_v[k] = r_hat[k] + out[k]
    settle(n, P, d, r_v, settled)
    for k in range(nv):
        settled[k] -= r_hat[k] * d


@kernel
def moved(n, x):
    """change ← N x at the state in q."""
    if plain(n):
        for k in range(x.size):
            n.change[k] = x[k]
        for k in range(x.size, n.change.size):
            n.change[k] = 0.0
        return
    for k in range(x.size):
        n.shift[k] = x[k]
    call(n.handle[COORDINATES])


@kernel
def solve_real(n):
    """a ← x with right-hand side a; the state in y must be that of the differentiation."""
    c = n.coefficient[REAL]
    nq, nv = n.shape[NQ], n.shape[NV]
    to_twist(n, n.a)
    for k in range(nv):
        n.twist[k] = n.shift[k]
        n.twist[nv + k] = n.a[nq + k]
    for k in range(n.states.size):
        n.xz[k] = n.a[n.states[k]]
    velocities(n, n.P, c, n.lu, n.buffer, n.twist[:nv], n.twist[nv:2 * nv], n.twist[2 * nv:3 * nv], n.x, n.Y, n.W, n.order, n.xz)
    for k in range(nv):
        n.a[nq + k] = n.x[k]
    moved(n, n.twist[2 * nv:3 * nv])
    for k in range(nq):
        n.a[k] = n.a[k] / c + n.change[k]
    for k in range(n.states.size):
        n.a[n.states[k]] = n.xz[k]
    for k in range(nq + nv, n.a.size):
        n.a[k] /= c
    return 0


@kernel
def solve_complex(n):
    """a + i b ← x with right-hand side a + i b."""
    c = complex(n.coefficient[ALPHA], n.coefficient[BETA])
    nq, nv = n.shape[NQ], n.shape[NV]
    to_twist(n, n.a)
    for k in range(nv):
        n.twist[k] = n.shift[k]
    to_twist(n, n.b)
    for k in range(nv):
        n.ztwist[k] = complex(n.twist[k], n.shift[k])
        n.ztwist[nv + k] = complex(n.a[nq + k], n.b[nq + k])
    for k in range(n.states.size):
        n.zxz[k] = complex(n.a[n.states[k]], n.b[n.states[k]])
    velocities(n, n.zP, c, n.zlu, n.zbuffer, n.ztwist[:nv], n.ztwist[nv:2 * nv], n.ztwist[2 * nv:], n.z, n.zY, n.zW, n.zorder,
               n.zxz)
    inverse = 1.0 / c
    for k in range(n.a.size):
        x = complex(n.a[k], n.b[k]) * inverse
        n.a[k] = x.real
        n.b[k] = x.imag
    for k in range(nv):
        n.a[nq + k] = n.z[k].real
        n.b[nq + k] = n.z[k].imag
        n.twist[k] = n.ztwist[2 * nv + k].real
        n.twist[nv + k] = n.ztwist[2 * nv + k].imag
    moved(n, n.twist[:nv])
    for k in range(nq):
        n.a[k] += n.change[k]
    moved(n, n.twist[nv:2 * nv])
    for k in range(nq):
        n.b[k] += n.change[k]
    for k in range(n.states.size):
        n.a[n.states[k]] = n.zxz[k].real
        n.b[n.states[k]] = n.zxz[k].imag
    return 0


FUNCTIONS = (differentiate, factor_real, factor_complex, solve_real, solve_complex)
ENTRIES = {name: entry("newton", name, f, Newton, module="dalembert.formulations.augmented.newton.engine")
           for f in FUNCTIONS for name in [getattr(f, "py_func", f).__name__]}
