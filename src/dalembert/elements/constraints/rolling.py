"""A thin disc that rolls without slip on a fixed line (plane) or plane (space).

Contact at r_c + R u (r_c the disc's centre, u in the disc's plane towards the ground; algebra: rim).  The material
point there is at rest:  n · (ṙ_c + ω × R u) = 0  for the normal N and each tangent n, all fixed in the ground.

    D on j: force n at the contact          ν = 0          γ = −n·(ω × (ω × s_c) + ω × R u̇)
    first row (n = N) is also the derivative of  Φ = N·(r_c − p) − R ρ = 0,  ρ = −N·u;  the tangents have no Φ

−λ: the contact force on the disc (normal first, then along the tangents).
Degenerates when the disc lies flat: ρ = 0.
"""

import numpy as np

from dalembert._jit import kernel
from dalembert.algebra.vectors import add, dot, moment, rim, scale, sub, turn
from dalembert.elements.bodies.markers import NONE, add_row, arm, axis, bias, block, dimension, omega, point

ROLLING = np.dtype([("i", "u4"), ("j", "u4"), ("normal", "u4"), ("axis_j", "u4"), ("row", "u4"), ("at_j", "u4"),
                    ("radius", "f8")])


@kernel
def evaluate(s, w):
    for k in range(s.rolling.size):
        c = s.rolling[k]
        b = s.markers[c.j].body
        rate = omega(s, w, b)
        N = axis(s, w, c.i, c.normal)
        u, du, rho = rim(N, axis(s, w, c.j, c.axis_j), rate)
        sc = arm(s, w, c.j)
        contact = add(sc, scale(u, c.radius))
        drift = add(bias(s, w, c.j, sc), turn(rate, scale(du, c.radius)))
        offset = sub(point(s, w, c.j, sc), point(s, w, c.i, arm(s, w, c.i)))
        row = c.row
        for m in range(dimension(s)):
            n = axis(s, w, c.i, (c.normal + m) % dimension(s))
            w.phi[row] = dot(N, offset) - c.radius * rho if m == 0 else 0.0
            w.nu[row] = 0.0
            w.gamma[row] = -dot(n, drift)
            if c.at_j != NONE:
                add_row(s, w, c.at_j + m * block(s), b, 1.0, n, moment(contact, n))
            row += 1
