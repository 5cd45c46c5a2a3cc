"""How much a point gives way, and how far a visit of it goes (sweep.py).

    K = C M⁻¹ Cᵀ      velocity of the point per impulse;  K n, K_nn = n·K n,  λ_t the largest eigenvalue of the tangential block

Of a point that slides u_n = K_nn r_n ± μ |K_tn| r_n + …, but a visit sees r_t as it was: with κ = μ |K_tn|/K_nn steps of ω/K_nn
take an error of r_n by 1 − ω (1 ± κ).  At ω = 1 that is ∓κ, and from κ = 1 on no sweep ends, though for + the law has one plain
answer.  At ω = 1/(1 + κ) it is 0 for +, and 2κ/(1 + κ) for −, which ends as long as there is one answer, κ < 1.  Of what sticks
K is symmetric and positive, and shorter steps end too.  Taken from κ = STRONG on.
"""

import math

from dalembert._jit import inline
from dalembert.contacts.tables import KN, MN, MT

STRONG = 0.5


@inline
def across(row, k, nx, ny, nz, nn, mu):
    """MN: how far r_n goes for a missing u_n; ``nn`` is K_nn, and what the point gives way by itself."""
    x, y, z = row[k + KN], row[k + KN + 1], row[k + KN + 2]
    along = x * nx + y * ny + z * nz
    back = mu * math.sqrt(max(0.0, x * x + y * y + z * z - along * along))
    return 1.0 / (nn + back) if back > STRONG * nn else 1.0 / nn


@inline
def stiffness(row, k, nx, ny, nz, xx, xy, xz, yy, yz, zz, mu):
    """KN, MN and MT from K: the tangential block has the trace tr K − K_nn and the determinant n·adj(K) n."""
    gx, gy, gz = xx * nx + xy * ny + xz * nz, xy * nx + yy * ny + yz * nz, xz * nx + yz * ny + zz * nz
    row[k + KN], row[k + KN + 1], row[k + KN + 2] = gx, gy, gz
    nn = gx * nx + gy * ny + gz * nz
    trace = xx + yy + zz - nn
    c00, c11, c22 = yy * zz - yz * yz, xx * zz - xz * xz, xx * yy - xy * xy
    c01, c02, c12 = xz * yz - xy * zz, xy * yz - xz * yy, xy * xz - xx * yz
    det = c00 * nx * nx + c11 * ny * ny + c22 * nz * nz + 2.0 * (c01 * nx * ny + c02 * nx * nz + c12 * ny * nz)
    top = 0.5 * trace + math.sqrt(max(0.0, 0.25 * trace * trace - det))
    row[k + MN] = across(row, k, nx, ny, nz, nn, mu) if nn > 0.0 else 0.0
    # where nothing can give way across (driven or guided bodies), a step so wide that what slides is projected at once
    row[k + MT] = 1.0 / top if top > 1e-12 * nn else 1e6 / nn if nn > 0.0 else 0.0
