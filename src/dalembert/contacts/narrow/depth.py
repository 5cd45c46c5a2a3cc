"""Depth of two cores that overlap: the smallest h(n) over all directions, h(n) = n·(farthest point of a − b along n).

Moving b by h(n) along n parts them.  A polytope of points of a − b grows (van den Bergen) at its face nearest to the origin:

    d = min over faces n·(its points)   ≤   min h(n)   ≤   h(normal of that face)

until both agree.  Every direction tried counts: the smallest h found is kept with its witnesses, so that running out of room or
faces without area cost accuracy, never sense (to half a percent of the depth where a ball sits on the axis of a cylinder, all
directions across being alike).  Where a − b is flat (segments that cross, say) its normal is the direction.
The points of the nearest face, weighted by where the origin's foot lies, give a point of a and one of b.
"""

import math

from dalembert._jit import kernel
from dalembert.contacts.narrow.cores import difference

CLOUD, SKIN, RIM = 160, 400, 400  # room for points, faces and edges
FLAT = 1e-9  # of the size of both


@kernel
def _offer(w, h, nx, ny, nz):
    """Keep a direction if it is the best so far: w.least = (h, n)."""
    if h < w.least[0]:
        w.least[0], w.least[1], w.least[2], w.least[3] = h, nx, ny, nz


@kernel
def _try(w, a, b, nx, ny, nz, at):
    h = difference(w, a, b, nx, ny, nz, w.cloud, 9 * at)
    _offer(w, h, nx, ny, nz)
    return h


@kernel
def _face(w, k, i, j, l):
    """Face k through points i, j, l of the cloud, counter-clockwise from outside."""
    C = w.cloud
    x, y, z = C[9 * i], C[9 * i + 1], C[9 * i + 2]
    ux, uy, uz = C[9 * j] - x, C[9 * j + 1] - y, C[9 * j + 2] - z
    vx, vy, vz = C[9 * l] - x, C[9 * l + 1] - y, C[9 * l + 2] - z
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    nn = math.sqrt(nx * nx + ny * ny + nz * nz)
    limit = 1e-14 * math.sqrt((ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz))
    w.knot[3 * k], w.knot[3 * k + 1], w.knot[3 * k + 2] = i, j, l
    if nn <= limit or nn == 0.0:
        w.skin[4 * k], w.skin[4 * k + 1], w.skin[4 * k + 2], w.skin[4 * k + 3] = 0.0, 0.0, 0.0, 1e300
        return
    nx, ny, nz = nx / nn, ny / nn, nz / nn
    w.skin[4 * k], w.skin[4 * k + 1], w.skin[4 * k + 2] = nx, ny, nz
    w.skin[4 * k + 3] = nx * x + ny * y + nz * z


@kernel
def _start(w, a, b, size):
    """Four points that span a volume; 4, or how many there are where a − b is flat."""
    C = w.cloud
    _try(w, a, b, 1.0, 0.0, 0.0, 0)
    far, n = 0.0, 1
    for k in range(6):  # a second point, far from the first
        t = 1.0 if k % 2 == 0 else -1.0
        e = k // 2
        _try(w, a, b, t if e == 0 else 0.0, t if e == 1 else 0.0, t if e == 2 else 0.0, 2)
        d = (C[18] - C[0]) ** 2 + (C[19] - C[1]) ** 2 + (C[20] - C[2]) ** 2
        if d > far:
            far = d
            for i in range(9):
                C[9 + i] = C[18 + i]
    if far <= (FLAT * size) ** 2:
        return n
    far = math.sqrt(far)
    ux, uy, uz = (C[9] - C[0]) / far, (C[10] - C[1]) / far, (C[11] - C[2]) / far
    e0, e1, e2 = abs(ux), abs(uy), abs(uz)
    ax, ay, az = (1.0, 0.0, 0.0) if e0 <= e1 and e0 <= e2 else (0.0, 1.0, 0.0) if e1 <= e2 else (0.0, 0.0, 1.0)
    px, py, pz = uy * az - uz * ay, uz * ax - ux * az, ux * ay - uy * ax
    d = math.sqrt(px * px + py * py + pz * pz)
    px, py, pz = px / d, py / d, pz / d
    qx, qy, qz = uy * pz - uz * py, uz * px - ux * pz, ux * py - uy * px
    most = 0.0
    for k in range(4):  # a third, far from their line
        t = 1.0 if k % 2 == 0 else -1.0
        if k < 2:
            _try(w, a, b, t * px, t * py, t * pz, 3)
        else:
            _try(w, a, b, t * qx, t * qy, t * qz, 3)
        x, y, z = C[27] - C[0], C[28] - C[1], C[29] - C[2]
        s, r = x * px + y * py + z * pz, x * qx + y * qy + z * qz
        d = s * s + r * r
        if d > most:
            most = d
            for i in range(9):
                C[18 + i] = C[27 + i]
    if most <= (FLAT * size) ** 2:
        return 2
    x, y, z = C[18] - C[0], C[19] - C[1], C[20] - C[2]
    nx, ny, nz = uy * z - uz * y, uz * x - ux * z, ux * y - uy * x
    d = math.sqrt(nx * nx + ny * ny + nz * nz)
    nx, ny, nz = nx / d, ny / d, nz / d
    level = nx * C[0] + ny * C[1] + nz * C[2]
    up = _try(w, a, b, nx, ny, nz, 3) - level
    down = _try(w, a, b, -nx, -ny, -nz, 4) + level
    if max(up, down) <= FLAT * size:
        return 3
    if down > up:
        for i in range(9):
            C[27 + i] = C[36 + i]
            C[i], C[9 + i] = C[9 + i], C[i]  # seen from the fourth, the first three turn the other way
    _face(w, 0, 0, 2, 1)
    _face(w, 1, 0, 1, 3)
    _face(w, 2, 1, 2, 3)
    _face(w, 3, 2, 0, 3)
    return 4


@kernel
def _witness(w, f):
    """Points of a and b from the foot of the origin on face f; by how much they miss it, squared, where it lies outside."""
    C, out = w.cloud, w.witness
    i, j, l = 9 * w.knot[3 * f], 9 * w.knot[3 * f + 1], 9 * w.knot[3 * f + 2]
    nx, ny, nz, d = w.skin[4 * f], w.skin[4 * f + 1], w.skin[4 * f + 2], w.skin[4 * f + 3]
    x, y, z = d * nx - C[i], d * ny - C[i + 1], d * nz - C[i + 2]
    ux, uy, uz = C[j] - C[i], C[j + 1] - C[i + 1], C[j + 2] - C[i + 2]
    vx, vy, vz = C[l] - C[i], C[l + 1] - C[i + 1], C[l + 2] - C[i + 2]
    area = (uy * vz - uz * vy) * nx + (uz * vx - ux * vz) * ny + (ux * vy - uy * vx) * nz
    s = ((y * vz - z * vy) * nx + (z * vx - x * vz) * ny + (x * vy - y * vx) * nz) / area
    t = ((uy * z - uz * y) * nx + (uz * x - ux * z) * ny + (ux * y - uy * x) * nz) / area
    s, t = min(max(s, 0.0), 1.0), min(max(t, 0.0), 1.0)
    if s + t > 1.0:
        s, t = s / (s + t), t / (s + t)
    for e in range(9):
        out[e] = (1.0 - s - t) * C[i + e] + s * C[j + e] + t * C[l + e]
    return (out[0] - d * nx) ** 2 + (out[1] - d * ny) ** 2 + (out[2] - d * nz) ** 2


@kernel
def _last(w, faces, most):
    """Witnesses from the one of the faces nearest to the origin (up to ``most``) on which its foot lies: triangles of one side of
    a − b are all as near, and the foot is on one of them."""
    best, found = 1e300, -1
    for k in range(faces):
        if w.skin[4 * k + 3] <= most:
            t = _witness(w, k)
            if t < best:
                best, found = t, k
    _witness(w, found)


@kernel
def depth(w, a, b):
    """The smallest h(n) of overlapping cores in space into w.least = (h, n), and witnesses into w.witness (as in distance.py)."""
    size = w.bound[a] + w.bound[b]
    w.least[0] = 1e300
    points = _start(w, a, b, size)
    if points < 4:  # flat: the directions tried hold its normal, and distance.py has left witnesses
        return
    difference(w, a, b, w.least[1], w.least[2], w.least[3], w.witness, 0)
    faces, tolerance = 4, 1e-13 * size
    while True:
        f = 0
        for k in range(1, faces):
            if w.skin[4 * k + 3] < w.skin[4 * f + 3]:
                f = k
        nx, ny, nz, d = w.skin[4 * f], w.skin[4 * f + 1], w.skin[4 * f + 2], w.skin[4 * f + 3]
        if d >= 1e300:
            return
        h = difference(w, a, b, nx, ny, nz, w.cloud, 9 * points)
        if h < w.least[0]:
            _offer(w, h, nx, ny, nz)
            _witness(w, f)
        if h - d <= tolerance or points + 1 >= CLOUD:
            _last(w, faces, d + tolerance)
            return
        edges = 0
        x, y, z = w.cloud[9 * points], w.cloud[9 * points + 1], w.cloud[9 * points + 2]
        k = 0
        while k < faces:
            t = w.skin[4 * k] * x + w.skin[4 * k + 1] * y + w.skin[4 * k + 2] * z - w.skin[4 * k + 3]
            if k != f and not (t > 0.1 * tolerance and w.skin[4 * k + 3] < 1e300):
                k += 1
                continue
            for e in range(3):
                i, j = w.knot[3 * k + e], w.knot[3 * k + (e + 1) % 3]
                at = -1
                for m in range(edges):
                    if w.rim[2 * m] == j and w.rim[2 * m + 1] == i:
                        at = m
                if at >= 0:
                    edges -= 1
                    w.rim[2 * at], w.rim[2 * at + 1] = w.rim[2 * edges], w.rim[2 * edges + 1]
                elif edges < RIM:
                    w.rim[2 * edges], w.rim[2 * edges + 1] = i, j
                    edges += 1
            faces -= 1
            if f == faces:
                f = k
            elif f == k:
                f = -1
            for e in range(3):
                w.knot[3 * k + e] = w.knot[3 * faces + e]
            for e in range(4):
                w.skin[4 * k + e] = w.skin[4 * faces + e]
        if faces + edges > SKIN:
            return
        for m in range(edges):
            _face(w, faces, w.rim[2 * m], w.rim[2 * m + 1], points)
            faces += 1
        points += 1
