"""Newton's method on the equations of motion as they stand: unknown accelerations and multipliers (generalized-α).

    M a + Dᵀλ − Q(t, q, v) = 0          Φ(t, q) = 0,   or  D v − ν = 0  for velocity-level rows

with δq = κ δa (twists) and δv = μ δa, κ = h²β', μ = hγ'.  Rows of Φ are divided by κ and velocity rows by μ, so that the matrix
[M + μ C + κ K, Dᵀ; D, 0] does not degenerate as h → 0: index 3, properly scaled.
"""

from dalembert._jit import call, entry, kernel
from dalembert.algebra import block_lu
from dalembert.formulations.augmented.newton import eliminated
from dalembert.formulations.augmented.newton.layout import BODIES, DEFECTS, NV, SIZE, Newton
from dalembert.formulations.augmented.newton.matrix import add_momentum, assemble

KAPPA, MU, RENEW = range(3)  # coefficient; RENEW: take D anew in every iteration (near singular poses)


@kernel
def factor_second(n):
    size = n.shape[SIZE]
    kappa, mu = n.coefficient[KAPPA], n.coefficient[MU]
    if size == 6:
        for b in range(n.shape[BODIES]):
            for k in range(9):
                n.P[9 * b + k] = kappa if k % 4 == 0 else 0.0
    assemble(n, n.lu, n.P, 1.0, mu, kappa, 0.0)
    status = block_lu.factor(n.nodes, n.edges, n.targets, n.lu, n.buffer, n.swaps)
    return status if status != 0 else eliminated.factor_second(n, kappa, mu)


@kernel
def correct_second(n):
    """x ← (δa, δλ) from the state in (t, q, v), the accelerations in twist and the multipliers in lam."""
    nv = n.shape[NV]
    for k in range(nv):
        n.held[k] = n.twist[k]
    status = call(n.handle[DEFECTS])
    if status == 0 and n.coefficient[RENEW] != 0.0:
        for k in range(n.D0.size):
            n.D0[k] = n.D[k]
        status = factor_second(n)
    if status != 0:
        return status
    for k in range(nv):
        n.x[k] = n.u[k]
    add_momentum(n, n.twist, -1.0, n.x)
    for k in range(n.defect.size):
        scale = n.coefficient[MU] if n.levels[k] % 2 == 1 else n.coefficient[KAPPA]
        n.x[nv + k] = -n.defect[k] / scale if n.S0[k] != 0.0 else 0.0
    block_lu.solve(n.nodes, n.edges, n.lu, n.buffer, n.x)
    if n.xz.size > 0:
        eliminated.solve_second(n, n.coefficient[KAPPA], n.coefficient[MU], n.x.size - n.states.size)
    return 0


FUNCTIONS = (factor_second, correct_second)
ENTRIES = {name: entry("newton", name, f, Newton, module="dalembert.formulations.augmented.newton.engine")
           for f in FUNCTIONS for name in [getattr(f, "py_func", f).__name__]}
