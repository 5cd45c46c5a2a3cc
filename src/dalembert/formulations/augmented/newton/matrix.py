"""The matrix of a Newton step, [a M + b C + K P, Dᵀ; D + e (G_v + G_q P), −ε S], in blocks.

P turns velocities into displacements (steps.py): 1/c for translations, (c I + ½ ω̄×)⁻¹ for rotations of a body in space: with
e + ½ e φ̄ in ė = ½ e ω̄ (products of quaternions) the change φ̄ of e obeys φ̄̇ = δω̄ − ½ ω̄ × φ̄ (½: the axes stay those of e).

Rows that the accelerations leave out as dependent are left out here too: their changes G need not depend on the others'.  For
nearly dependent ones −ε times the diagonal of S = D M⁻¹ Dᵀ / a stands in the corner (pure numbers: the same in millimetres and in
kilometres).  It is part of the iteration only, never of the equations that are solved.
"""

from dalembert._jit import inline, kernel
from dalembert.formulations.augmented.newton.layout import BODIES, SIZE, place, placed

EPSILON = 1e-9


@kernel
def turning(n, c, P):
    """P = (c I + u×)⁻¹ = (c² I − c u× + u uᵀ)/(c (c² + u²)), u = ½ ω̄, for every body in space; the plane needs none."""
    size = n.shape[SIZE]
    if size == 3:
        return
    for b in range(n.shape[BODIES]):
        k = place(n, b) + 3
        x, y, z = 0.5 * n.spin[k], 0.5 * n.spin[k + 1], 0.5 * n.spin[k + 2]
        f = 1.0 / (c * (c * c + (x * x + y * y + z * z)))
        at = 9 * b
        P[at] = f * (c * c + x * x)
        P[at + 1] = f * (c * z + x * y)
        P[at + 2] = f * (x * z - c * y)
        P[at + 3] = f * (x * y - c * z)
        P[at + 4] = f * (c * c + y * y)
        P[at + 5] = f * (c * x + y * z)
        P[at + 6] = f * (c * y + x * z)
        P[at + 7] = f * (y * z - c * x)
        P[at + 8] = f * (c * c + z * z)


@inline
def settled(n, P, d, B, at, i, body, j, size):
    """Entry (i, j) of B P for a block B at ``at``: translations over c (factor d), rotations through P."""
    if size == 3 or j < 3:
        return d * B[at + size * i + j]
    p = 9 * body + j - 3
    row = at + size * i + 3
    return B[row] * P[p] + B[row + 1] * P[p + 3] + B[row + 2] * P[p + 6]


@kernel
def settle(n, P, d, x, out):
    """out = P x for twists of all bodies."""
    size = n.shape[SIZE]
    for b in range(n.shape[BODIES]):
        k = place(n, b)
        for j in range(3):
            out[k + j] = d * x[k + j]
        if size == 6:
            for j in range(3):
                p = 9 * b + 3 * j
                out[k + 3 + j] = P[p] * x[k + 3] + P[p + 1] * x[k + 4] + P[p + 2] * x[k + 5]


@kernel
def assemble(n, A, P, a, b, d, e):
    """Fill A (real or complex) with the matrix; d: what P is for translations, e: the factor of the rows' changes."""
    if n.shape[SIZE] == 3:
        _assemble(n, A, P, a, b, d, e, 3)
    else:
        _assemble(n, A, P, a, b, d, e, 6)


@inline
def _assemble(n, A, P, a, b, d, e, size):
    for k in range(A.size):
        A[k] = 0.0
    for k in range(n.couples.size):
        c = n.couples[k]
        for i in range(size):
            for j in range(size):
                A[c.to + size * i + j] += b * n.C[c.at + size * i + j] + settled(n, P, d, n.K, c.at, i, c.column, j, size)
        if c.row == c.column:
            m = size * size * c.row
            for i in range(size * size):
                A[c.to + i] += a * n.mass[m + i]
    for k in range(n.places.size):
        p = n.places[k]
        for i in range(p.count):
            if n.S0[p.row + i] == 0.0:
                if p.first != 0:
                    A[p.corner + (p.count + 1) * i] = -1.0
                continue
            for j in range(size):
                x = p.at + size * i + j
                A[p.right + p.count * j + i] += n.D0[x]
                A[p.low + size * i + j] += n.D0[x] + e * (n.Gv[x] + settled(n, P, d, n.Gq, p.at, i, p.body, j, size))
            if p.first != 0:
                A[p.corner + (p.count + 1) * i] -= EPSILON * n.S0[p.row + i] / a


@kernel
def less_stiffness(n, K, x, factor, out):
    """out −= factor · K x, x a twist of all bodies."""
    if n.shape[SIZE] == 3:  # numbers that the compiler knows: loops it writes out
        _less_stiffness(n, K, x, factor, out, 3)
    else:
        _less_stiffness(n, K, x, factor, out, 6)


@inline
def _less_stiffness(n, K, x, factor, out, size):
    for k in range(n.couples.size):
        c = n.couples[k]
        row, column = placed(size, c.row), placed(size, c.column)
        for i in range(size):
            y = K[c.at + size * i] * x[column]
            for j in range(1, size):
                y += K[c.at + size * i + j] * x[column + j]
            out[row + i] -= factor * y


@kernel
def add_rows(n, rows, x, factor, first, out):
    """out[first:] += factor · (rows x); rows are D, G_q or G_v."""
    if n.shape[SIZE] == 3:
        _add_rows(n, rows, x, factor, first, out, 3)
    else:
        _add_rows(n, rows, x, factor, first, out, 6)


@inline
def _add_rows(n, rows, x, factor, first, out, size):
    for k in range(n.places.size):
        p = n.places[k]
        column = placed(size, p.body)
        for i in range(p.count):
            if n.S0[p.row + i] == 0.0:
                continue
            y = rows[p.at + size * i] * x[column]
            for j in range(1, size):
                y += rows[p.at + size * i + j] * x[column + j]
            out[first + p.row + i] += factor * y


@kernel
def add_momentum(n, x, factor, out):
    """out += factor · M x."""
    if n.shape[SIZE] == 3:
        _add_momentum(n, x, factor, out, 3)
    else:
        _add_momentum(n, x, factor, out, 6)


@inline
def _add_momentum(n, x, factor, out, size):
    for b in range(n.shape[BODIES]):
        k = placed(size, b)
        for i in range(size):
            y = n.mass[size * size * b + size * i] * x[k]
            for j in range(1, size):
                y += n.mass[size * size * b + size * i + j] * x[k + j]
            out[k + i] += factor * y
