"""Vectors and rotations of space, as tuples of floats (same function names as planar.py).

A vector and a turn are (x, y, z); a rotation matrix is the 9-tuple of its rows.  Quaternions are scalar first:

    A(e) = (e0² − e·e) I + 2 e eᵀ + 2 e0 ẽ          ė = ½ (−e·ω̄,  e0 ω̄ + e × ω̄)      (ω̄ in body axes)
"""

import math

from dalembert._jit import inline


@inline
def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@inline
def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@inline
def scale(a, k):
    return (a[0] * k, a[1] * k, a[2] * k)


@inline
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inline
def moment(s, n):
    """s × n."""
    return (s[1] * n[2] - s[2] * n[1], s[2] * n[0] - s[0] * n[2], s[0] * n[1] - s[1] * n[0])


@inline
def turn(w, s):
    """w × s."""
    return (w[1] * s[2] - w[2] * s[1], w[2] * s[0] - w[0] * s[2], w[0] * s[1] - w[1] * s[0])


@inline
def turn_add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@inline
def turn_scale(a, k):
    return (a[0] * k, a[1] * k, a[2] * k)


@inline
def turn_dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inline
def rotate(A, s):
    """A s: body axes to ground axes."""
    return (A[0] * s[0] + A[1] * s[1] + A[2] * s[2],
            A[3] * s[0] + A[4] * s[1] + A[5] * s[2],
            A[6] * s[0] + A[7] * s[1] + A[8] * s[2])


@inline
def unrotate(A, s):
    """Aᵀ s: ground axes to body axes."""
    return (A[0] * s[0] + A[3] * s[1] + A[6] * s[2],
            A[1] * s[0] + A[4] * s[1] + A[7] * s[2],
            A[2] * s[0] + A[5] * s[1] + A[8] * s[2])


@inline
def turn_to_body(A, w):
    return (A[0] * w[0] + A[3] * w[1] + A[6] * w[2],
            A[1] * w[0] + A[4] * w[1] + A[7] * w[2],
            A[2] * w[0] + A[5] * w[1] + A[8] * w[2])


@inline
def matrix(e0, e1, e2, e3):
    """Rotation matrix of a quaternion of any length (normalised on the way)."""
    k = 2.0 / (e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
    return (1.0 - k * (e2 * e2 + e3 * e3), k * (e1 * e2 - e0 * e3), k * (e1 * e3 + e0 * e2),
            k * (e1 * e2 + e0 * e3), 1.0 - k * (e1 * e1 + e3 * e3), k * (e2 * e3 - e0 * e1),
            k * (e1 * e3 - e0 * e2), k * (e2 * e3 + e0 * e1), 1.0 - k * (e1 * e1 + e2 * e2))


@inline
def quaternion_rate(e, w):
    """ė = ½ (−e·ω̄,  e0 ω̄ + e × ω̄)."""
    return (-0.5 * (e[1] * w[0] + e[2] * w[1] + e[3] * w[2]), 0.5 * (e[0] * w[0] + e[2] * w[2] - e[3] * w[1]),
            0.5 * (e[0] * w[1] + e[3] * w[0] - e[1] * w[2]), 0.5 * (e[0] * w[2] + e[1] * w[1] - e[2] * w[0]))


@inline
def quaternion_turn(e, d):
    """ω̄ = 2 (e0 ė − ė0 e − e × ė) of a change d of the quaternion e; a change of its length is dropped."""
    return (2.0 * (e[0] * d[1] - d[0] * e[1] - (e[2] * d[3] - e[3] * d[2])),
            2.0 * (e[0] * d[2] - d[0] * e[2] - (e[3] * d[1] - e[1] * d[3])),
            2.0 * (e[0] * d[3] - d[0] * e[3] - (e[1] * d[2] - e[2] * d[1])))


@inline
def quaternion_turned(e, p):
    """e exp(p), p half a turn φ̄ about body axes; normalised."""
    half = math.sqrt(dot(p, p))
    c = math.cos(half)
    f = math.sin(half) / half if half > 1e-8 else 1.0 - half * half / 6.0
    x, y, z = f * p[0], f * p[1], f * p[2]
    a0 = e[0] * c - e[1] * x - e[2] * y - e[3] * z
    a1 = e[1] * c + e[0] * x + e[2] * z - e[3] * y
    a2 = e[2] * c + e[0] * y + e[3] * x - e[1] * z
    a3 = e[3] * c + e[0] * z + e[1] * y - e[2] * x
    n = 1.0 / math.sqrt(a0 * a0 + a1 * a1 + a2 * a2 + a3 * a3)
    return (a0 * n, a1 * n, a2 * n, a3 * n)


@inline
def rim(N, e, w):
    """Contact of a thin disc (axis e, turning with w) on a plane with fixed normal N.

    σ = N·e, ρ = √(1 − σ²):   u = (σ e − N)/ρ,   u̇ = (σ̇ e + σ ė − ρ̇ u)/ρ,   σ̇ = N·ė,   ρ̇ = −σ σ̇/ρ,   −N·u = ρ
    """
    sigma = dot(N, e)
    rho = math.sqrt(1.0 - sigma * sigma)
    de = turn(w, e)
    dsigma = dot(N, de)
    u = scale(sub(scale(e, sigma), N), 1.0 / rho)
    du = scale(add(add(scale(e, dsigma), scale(de, sigma)), scale(u, sigma * dsigma / rho)), 1.0 / rho)
    return u, du, rho
