"""A body as particles: a quadrature of its mass, for forces that act on every part of it (fields).

    ∫ f dm ≈ Σ m_p f(r_c + s_p)          ∫ s × f dm ≈ Σ s_p × m_p f(r_c + s_p)

Known shapes: Gauss–Legendre along lines and edges; discs by equal sectors and Gauss points in r² (exact for polynomials: after
the sum over the sectors only even powers of r are left); solids of revolution as stacks of discs, weight ρ(z)² along the axis.
``order`` n is exact for polynomials of degree 2 n − 1.  Particles: n for a rod, n³ for a box, about n³ for the others; in the
plane n² (box, disc).

Bodies given by mass and inertia: particles that have their mass, centre and second moments P = ∫ s sᵀ dm (in space
½ tr(J) 1 − J; in the plane ``second_moments``), two along each column of a Cholesky factor of P: right for fields that are
quadratic over the body.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.errors import ModelError


def segment(n: int, half: Any = 1.0):
    """Points and weights (sum 1) on [−half, half]."""
    x, w = np.polynomial.legendre.leggauss(n)
    return [half * float(v) for v in x], (w / 2).tolist()


def disc(n: int):
    """Points (in units of the radius) and weights on a disc."""
    u, w = segment((2 * n + 4) // 4, 0.5)
    sectors = 2 * n + 1
    angles = 2 * np.pi * np.arange(sectors) / sectors
    points = [(float(np.sqrt(0.5 + a) * np.cos(b)), float(np.sqrt(0.5 + a) * np.sin(b))) for a in u for b in angles]
    return points, [x / sectors for x in w for _ in angles]


def rod(n, length):
    x, w = segment(n, length / 2)
    return [(v, 0.0, 0.0) for v in x], w


def box(n, edges, flat):
    found = [([0.0], [1.0]) if flat and k == 2 else segment(n, e / 2) for k, e in enumerate(edges)]
    (x, a), (y, b), (z, c) = found
    return ([(p, q, r) for p in x for q in y for r in z], [i * j * k for i in a for j in b for k in c])


def stack(n, parts):
    """Discs along z: parts are (from, to, ρ² as a function of z), weighted by their volume."""
    points, weights = [], []
    flat, share = disc(n)
    for low, high, square in parts:
        x, w = segment(n + 1, (high - low) / 2)
        for v, a in zip(x, w, strict=True):
            z = (low + high) / 2 + v
            q = square(z)
            for (p, r), b in zip(flat, share, strict=True):
                points.append((p * q**0.5, r * q**0.5, z))
                weights.append(a * b * q * (high - low))
    total = sum(weights[1:], weights[0])
    return points, [w / total for w in weights]


def second_moments(b, body, given, inertia, mass):
    """Particles of a body known by mass and inertia; None in the plane when its second moments are not known."""
    if b.dim == 3:
        half = (inertia[0, 0] + inertia[1, 1] + inertia[2, 2]) / 2
        P = np.array([[(half if i == k else 0.0) - inertia[i, k] for k in range(3)] for i in range(3)], dtype=object)
    elif given is None:
        return None
    else:
        xx, yy, xy = b.vector(given, f"second_moments of {body.title}", 3)
        if abs(float(xx + yy) - float(inertia)) > 1e-6 * abs(float(inertia)):
            raise ModelError(f"{body.title}: the second moments add up to {float(xx + yy):.6g}, the inertia is "
                             f"{float(inertia):.6g}; "
                             "∫x² dm + ∫y² dm about the centre of mass is the inertia")
        P = np.array([[xx, xy], [xy, yy]], dtype=object)
    points = []
    for column in _cholesky(P, body):
        s = [x * (b.dim / mass) ** 0.5 for x in column] + [0.0] * (3 - b.dim)
        points += [tuple(s), tuple(-x for x in s)]
    return points, [0.5 / b.dim] * (2 * b.dim)


def _cholesky(P, body):
    """Columns of L with P = L Lᵀ; a flat body has columns of zeros."""
    n, columns = len(P), []
    size = max(float(P[k, k]) for k in range(n))
    for k in range(n):
        pivot = P[k, k]
        below = max((abs(float(x)) for x in P[k + 1:, k]), default=0.0)
        if float(pivot) < -1e-9 * size or (float(pivot) <= 1e-14 * size and below > 1e-7 * size):
            raise ModelError(f"{body.title}: no body has these second moments of mass")
        column = [0.0] * n
        if float(pivot) > 1e-14 * size:
            root = pivot**0.5
            column = [0.0] * k + [P[m, k] / root for m in range(k, n)]
            P = np.array([[P[i, j] - column[i] * column[j] for j in range(n)] for i in range(n)], dtype=object)
        columns.append(column)
    return columns
