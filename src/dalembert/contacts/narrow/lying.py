"""Convex shapes on a half-space: the corners of their cores near it.

    gap = n·(corner − p) − rounding          a cylinder has no corners: the lowest point of both rims when it lies,
                                             the lowest of the lower rim and three more, 90° apart, when it stands

Four points 90° apart hold a disc alike wherever the first one is (Σ cos² = Σ sin² = 2), so springs in them know nothing of its
place as long as all are pressed.  Of a cylinder that stands upright to STRAIGHT no point is the lowest: there the four ride on
it, at fixed places, and turn from there to the lowest point (by 45° at most) while it tilts to STRAIGHT.
"""

import math

from dalembert._jit import kernel
from dalembert.contacts.narrow.cores import corner
from dalembert.contacts.narrow.patches import keep_few
from dalembert.contacts.narrow.preferred import preferred
from dalembert.contacts.tables import CYLINDER, POSE

STRAIGHT = 1e-9  # sine of the tilt


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
        turn = 0.0
        if standing and across > 0.0:
            turn = math.atan(ly / lx if abs(lx) >= abs(ly) else -lx / ly) * min(1.0, across / STRAIGHT)
        cosine, sine = math.cos(turn), math.sin(turn)
        for i in range(4 if standing else 2):
            if standing:
                x = r * (cosine if i == 0 else -sine if i == 1 else -cosine if i == 2 else sine)
                y = r * (sine if i == 0 else cosine if i == 1 else -sine if i == 2 else -cosine)
                z = -h if lz > 0.0 else h
            else:
                x, y, z = -r * lx / across, -r * ly / across, h if i == 0 else -h
            gap = level + lx * x + ly * y + lz * z
            if gap <= margin:
                for e in range(3):
                    k = p + 3 + 3 * e
                    P[4 * count + e] = s[k] * x + s[k + 1] * y + s[k + 2] * z
                P[4 * count + 3] = gap
                count += 1
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
