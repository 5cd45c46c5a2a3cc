"""Radau IIA with three stages: coefficients, the change of variables that parts its Newton matrix, its polynomial.

    A⁻¹ = T Λ T⁻¹,   Λ = diag(γ, [α β; −β α]),   T = (u, Re w, Im w),  A⁻¹ u = γ u,  A⁻¹ w = (α + iβ) w

The polynomial of a step goes through 0 and Z_1, Z_2, Z_3 at u = 0, c_1, c_2, 1.
"""

from __future__ import annotations

import math

import numpy as np

from .._jit import kernel

_S6 = math.sqrt(6.0)
_A = np.array([[(88 - 7 * _S6) / 360, (296 - 169 * _S6) / 1800, (-2 + 3 * _S6) / 225],
               [(296 + 169 * _S6) / 1800, (88 + 7 * _S6) / 360, (-2 - 3 * _S6) / 225],
               [(16 - _S6) / 36, (16 + _S6) / 36, 1 / 9]])
C1, C2 = (4 - _S6) / 10, (4 + _S6) / 10
E1, E2, E3 = (-13 - 7 * _S6) / 3, (-13 + 7 * _S6) / 3, -1 / 3


def _transformation():
    """γ, α, β, T and T⁻¹ with columns (real vector, real and imaginary part of the complex one)."""
    values, vectors = np.linalg.eig(np.linalg.inv(_A))
    real = int(np.argmin(abs(values.imag)))
    pair = int(np.argmax(values.imag))
    u, w = vectors[:, real].real, vectors[:, pair]
    w = w / w[2]  # T = (u, Re w, Im w) with last row (1, 1, 0)
    change = np.column_stack([u / u[2], w.real, w.imag])
    return float(values[real].real), float(values[pair].real), float(values[pair].imag), change, np.linalg.inv(change)


GAMMA, ALPHA, BETA, _T, _TI = _transformation()
T_ROWS = tuple(float(x) for x in _T.ravel())
TI_ROWS = tuple(float(x) for x in _TI.ravel())


@kernel
def transform(rows, source, out):
    """out = (rows ⊗ I) source for three vectors each."""
    n = out.size // 3
    for i in range(n):
        a, b, c = source[i], source[n + i], source[2 * n + i]
        out[i] = rows[0] * a + rows[1] * b + rows[2] * c
        out[n + i] = rows[3] * a + rows[4] * b + rows[5] * c
        out[2 * n + i] = rows[6] * a + rows[7] * b + rows[8] * c


@kernel
def carry_on(old, k, first, h, Z):
    """Z from the last step's polynomial: that step, h = ``old``, left its Z in k from ``first`` on; zero if there was none."""
    n = Z.size // 3
    if old <= 0.0:
        for i in range(3 * n):
            Z[i] = 0.0
        return
    z1, z2, z3 = k[first:first + n], k[first + n:first + 2 * n], k[first + 2 * n:first + 3 * n]
    for q in range(3):
        u = 1.0 + (C1 if q == 0 else C2 if q == 1 else 1.0) * h / old
        l1 = u * (u - C2) * (u - 1.0) / (C1 * (C1 - C2) * (C1 - 1.0))
        l2 = u * (u - C1) * (u - 1.0) / (C2 * (C2 - C1) * (C2 - 1.0))
        l3 = u * (u - C1) * (u - C2) / ((1.0 - C1) * (1.0 - C2))
        out = Z[q * n:(q + 1) * n]
        for i in range(n):
            out[i] = l1 * z1[i] + l2 * z2[i] + (l3 - 1.0) * z3[i]


@kernel
def polynomial(x, Z, y_new, r):
    """Coefficients of the collocation polynomial in the nested form of dense.py, with the projected end."""
    n = x.size
    z1, z2 = Z[:n], Z[n:2 * n]
    r1, r2, r3 = r[:n], r[n:2 * n], r[2 * n:3 * n]
    for i in range(n):
        end = y_new[i] - x[i]
        a = (z1[i] / C1 - end) / (1.0 - C1)
        b = (z2[i] / C2 - end) / (1.0 - C2)
        r1[i] = end
        r3[i] = (b - a) / (C2 - C1)
        r2[i] = a - C1 * r3[i]
