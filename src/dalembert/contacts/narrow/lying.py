"""Convex shapes on a half-space: the corners of their cores near it.

    gap = n·(corner − p) − rounding          a cylinder has no corners: the lowest point of both rims when it lies,
                                             the lowest of the lower rim and four points that ride on it when it stands
"""

import math

from dalembert._jit import kernel
from dalembert.contacts.narrow.cores import corner
from dalembert.contacts.narrow.patches import keep_few
from dalembert.contacts.narrow.preferred import preferred
from dalembert.contacts.tables import CYLINDER, POSE


@kernel
def convex_plane(w, a, b, margin):
    """Convex shape a, half-space b; points from the middle of a."""
    s, p, q = w.place, POSE * a, POSE * b
    nx, ny, nz = s[q + 5], s[q + 8], s[q + 11]
    level = nx * (s[p] - s[q]) + ny * (s[p + 1] - s[q + 1]) + nz * (s[p + 2] - s[q + 2]) - w.round[a]
    P, t, count = w.points, w.spare, 0
    if w.kind[a] == CYLINDER:
        lx = s[p + 3] * nx + s[p + 6] * ny + s[p + 9] * nz
        ly = s[p + 4] * nx + s[p + 7] * ny + s[p + 10] * nz
        lz = s[p + 5] * nx + s[p + 8] * ny + s[p + 11] * nz
        r, h, across = w.size[3 * a], w.size[3 * a + 1], math.sqrt(lx * lx + ly * ly)
        standing = abs(lz) > 0.7
        for i in range(6):
            if i < 2:
                if (standing and (i == 0) == (lz > 0.0)) or across <= 1e-9:
                    continue
                x, y, z = -r * lx / across, -r * ly / across, h if i == 0 else -h
            elif standing:
                x = r if i == 2 else -r if i == 3 else 0.0
                y = r if i == 4 else -r if i == 5 else 0.0
                z = -h if lz > 0.0 else h
            else:
                continue
            gap = level + lx * x + ly * y + lz * z
            if gap <= margin:
                for e in range(3):
                    k = p + 3 + 3 * e
                    P[4 * count + e] = s[k] * x + s[k + 1] * y + s[k + 2] * z
                P[4 * count + 3] = gap
                count += 1
        # five points of a standing one: the lowest, and the four
    else:
        first = w.hull[4 * a]
        for c in range(first, first + w.hull[4 * a + 1]):
            corner(w, a, c, a, t, 0)
            gap = level + nx * t[0] + ny * t[1] + nz * t[2]
            if gap <= margin and 4 * count + 3 < P.size:
                P[4 * count], P[4 * count + 1], P[4 * count + 2], P[4 * count + 3] = t[0], t[1], t[2], gap
                count += 1
        count = keep_few(P, count, preferred(w, a, b)[3], nx, ny, nz, w.rim)
    for v in range(count):
        gap = P[4 * v + 3]
        away = w.round[a] + 0.5 * gap
        for e in range(3):
            w.found[5 * v + e] = s[p + e] + P[4 * v + e] - away * (nx if e == 0 else ny if e == 1 else nz)
        w.found[5 * v + 3], w.found[5 * v + 4] = gap, float(v)
    w.toward[0], w.toward[1], w.toward[2] = -nx, -ny, -nz
    return count
