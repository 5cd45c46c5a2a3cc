"""Points of spheres (discs in the plane): one per pair.

    sphere–sphere   n along the line of centres, gap = d − r₁ − r₂; coincident centres are parted along x
    sphere–box      the point of the box nearest to the centre; a centre inside leaves by the nearest face.  A plate is a box that
                    is endless along z (its third half edge is huge).  Edges that neighbours hide do not count (seams.py)
    sphere–plane    gap = n·(c − p) − r

The point given is in the middle of the gap.
"""

import math

from dalembert._jit import kernel
from dalembert.contacts.narrow.seams import hidden
from dalembert.contacts.tables import POSE


@kernel
def _put(w, x, y, z, gap, nx, ny, nz):
    w.found[0], w.found[1], w.found[2], w.found[3], w.found[4] = x, y, z, gap, 0.0
    w.toward[0], w.toward[1], w.toward[2] = nx, ny, nz


@kernel
def sphere_sphere(w, a, b, margin):
    p, q, s = POSE * a, POSE * b, w.place
    dx, dy, dz = s[q] - s[p], s[q + 1] - s[p + 1], s[q + 2] - s[p + 2]
    ra, rb = w.size[3 * a], w.size[3 * b]
    d = math.sqrt(dx * dx + dy * dy + dz * dz)
    gap = d - ra - rb
    if gap > margin:
        return 0
    if d > 1e-12 * (ra + rb):
        dx, dy, dz = dx / d, dy / d, dz / d
    else:
        dx, dy, dz = 1.0, 0.0, 0.0
    at = ra + 0.5 * gap
    _put(w, s[p] + at * dx, s[p + 1] + at * dy, s[p + 2] + at * dz, gap, dx, dy, dz)
    return 1


@kernel
def sphere_box(w, a, b, margin):
    """Sphere a, box b."""
    p, q, s, r = POSE * a, POSE * b, w.place, w.size[3 * a]
    dx, dy, dz = s[p] - s[q], s[p + 1] - s[q + 1], s[p + 2] - s[q + 2]
    c, away = w.spare[0:3], w.spare[3:6]
    square, least, axis, beyond = 0.0, 1e300, 0, 0
    for k in range(3):
        c[k] = s[q + 3 + k] * dx + s[q + 6 + k] * dy + s[q + 9 + k] * dz
        half = w.size[3 * b + k]
        near = min(max(c[k], -half), half)
        away[k] = c[k] - near
        square += away[k] * away[k]
        beyond += 1 if away[k] != 0.0 else 0
        if half - abs(c[k]) < least:
            least, axis = half - abs(c[k]), k
    if square > (r + margin) * (r + margin):
        return 0
    d = math.sqrt(square)
    if d > 1e-12 * r:
        gap = d - r
        for k in range(3):
            away[k] = -away[k] / d
    else:  # the centre is inside: out by the nearest face
        gap = -least - r
        for k in range(3):
            away[k] = 0.0
        away[axis] = -1.0 if c[axis] >= 0.0 else 1.0
    nx = s[q + 3] * away[0] + s[q + 4] * away[1] + s[q + 5] * away[2]
    ny = s[q + 6] * away[0] + s[q + 7] * away[1] + s[q + 8] * away[2]
    nz = s[q + 9] * away[0] + s[q + 10] * away[1] + s[q + 11] * away[2]
    at = r + 0.5 * gap
    _put(w, s[p] + at * nx, s[p + 1] + at * ny, s[p + 2] + at * nz, gap, nx, ny, nz)
    return 0 if beyond > 1 and hidden(w, a, b, 1) != 0 else 1


@kernel
def sphere_plane(w, a, b, margin):
    """Sphere a, half-space b (its normal, the third axis, points out of it)."""
    p, q, s, r = POSE * a, POSE * b, w.place, w.size[3 * a]
    nx, ny, nz = s[q + 5], s[q + 8], s[q + 11]
    gap = nx * (s[p] - s[q]) + ny * (s[p + 1] - s[q + 1]) + nz * (s[p + 2] - s[q + 2]) - r
    if gap > margin:
        return 0
    at = -(r + 0.5 * gap)
    _put(w, s[p] + at * nx, s[p + 1] + at * ny, s[p + 2] + at * nz, gap, -nx, -ny, -nz)
    return 1
