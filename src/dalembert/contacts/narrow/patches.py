"""Where two cores lie on each other, given the normal: a face or line of one cuts that of the other.

The face that the normal belongs to (or a line across it) is the reference; the other's face most opposed to it is cut to the
reference's sides, planes through its edges along the normal; what is left and near enough are points, each with its own gap.
Of more than four the deepest is kept, the farthest from it, and the farthest to either side of their line (``keep_few``).
Loops lie in w.loops: the reference in the first third, the one that is cut in the second, the third is scratch.
"""

import math

from dalembert._jit import kernel
from dalembert.contacts.narrow.cores import corner, farthest, outward
from dalembert.contacts.tables import CYLINDER, POSE

ACROSS = 0.05  # sine, up to which a line lies across the normal, and two lines are parallel


@kernel
def face_loop(w, k, f, o, at):
    """Corners of face f of shape k into w.loops from ``at``; how many."""
    first, n = w.face[2 * f], w.face[2 * f + 1]
    for i in range(n):
        corner(w, k, w.loop[first + i], o, w.loops, at + 3 * i)
    return n


@kernel
def _side(w, k, o, nx, ny, nz, at):
    """The line of a cylinder's side farthest along n."""
    s, p, q = w.place, POSE * k, POSE * o
    lx = s[p + 3] * nx + s[p + 6] * ny + s[p + 9] * nz
    ly = s[p + 4] * nx + s[p + 7] * ny + s[p + 10] * nz
    t = w.size[3 * k] / math.sqrt(lx * lx + ly * ly)
    for i in range(2):
        z = w.size[3 * k + 1] if i == 0 else -w.size[3 * k + 1]
        for e in range(3):
            r = p + 3 + 3 * e
            w.loops[at + 3 * i + e] = s[p + e] - s[q + e] + t * (s[r] * lx + s[r + 1] * ly) + s[r + 2] * z
    return 2


@kernel
def along_axis(w, k, nx, ny, nz):
    """n along the axis of shape k."""
    s, p = w.place, POSE * k
    return s[p + 5] * nx + s[p + 8] * ny + s[p + 11] * nz


@kernel
def facing(w, k, o, nx, ny, nz, at):
    """The face (or segment, point) of shape k that looks along n; how many corners."""
    first, n = w.hull[4 * k + 2], w.hull[4 * k + 3]
    if w.kind[k] == CYLINDER and abs(along_axis(w, k, nx, ny, nz)) < 0.7:
        return _side(w, k, o, nx, ny, nz, at)
    if n == 0:
        c, m = w.hull[4 * k], w.hull[4 * k + 1]
        for i in range(m):
            corner(w, k, c + i, o, w.loops, at + 3 * i)
        return m
    best, face = -2.0, first
    for f in range(first, first + n):
        outward(w, k, f, w.spare, 0)
        t = w.spare[0] * nx + w.spare[1] * ny + w.spare[2] * nz
        if t > best:
            best, face = t, f
    return face_loop(w, k, face, o, at)


@kernel
def line(w, k, o, nx, ny, nz, at):
    """An edge of shape k that is farthest along n and lies across it: 2 and its ends at ``at``, or 0."""
    L, t = w.loops, w.spare
    if w.kind[k] == CYLINDER:
        return _side(w, k, o, nx, ny, nz, at) if abs(along_axis(w, k, nx, ny, nz)) < ACROSS else 0
    first, n = w.hull[4 * k + 2], w.hull[4 * k + 3]
    if n == 0:
        if w.hull[4 * k + 1] != 2:
            return 0
        corner(w, k, w.hull[4 * k], o, L, at)
        corner(w, k, w.hull[4 * k] + 1, o, L, at + 3)
        return 2 if _across(L, at, nx, ny, nz) else 0
    top = farthest(w, k, o, nx, ny, nz, t, 0)
    best, found = -1e300, 0
    for f in range(first, first + n):
        start, m = w.face[2 * f], w.face[2 * f + 1]
        for i in range(m):
            c, d = w.loop[start + i], w.loop[start + (i + 1) % m]
            if c > d:
                continue  # the other face's
            corner(w, k, c, o, t, 0)
            corner(w, k, d, o, t, 3)
            if not _across(t, 0, nx, ny, nz):
                continue
            high, low = (t[0] * nx + t[1] * ny + t[2] * nz), (t[3] * nx + t[4] * ny + t[5] * nz)
            length = math.sqrt((t[3] - t[0]) ** 2 + (t[4] - t[1]) ** 2 + (t[5] - t[2]) ** 2)
            if top - max(high, low) <= 1e-3 * length and high + low > best:
                best, found = high + low, 2
                for e in range(6):
                    L[at + e] = t[e]
    return found


@kernel
def _across(P, at, nx, ny, nz):
    x, y, z = P[at + 3] - P[at], P[at + 4] - P[at + 1], P[at + 5] - P[at + 2]
    t = x * nx + y * ny + z * nz
    return t * t <= ACROSS * ACROSS * (x * x + y * y + z * z)


@kernel
def cut(w, reference, third, n, nx, ny, nz):
    """The loop of n points at ``third`` cut to the sides of the reference's loop; how many are left."""
    L, back = w.loops, 2 * third
    room = third // 3
    planes = 2 if reference == 2 else reference
    for i in range(planes):
        j = (i + 1) % reference
        ex, ey, ez = L[3 * j] - L[3 * i], L[3 * j + 1] - L[3 * i + 1], L[3 * j + 2] - L[3 * i + 2]
        if reference == 2:
            ox, oy, oz = ex, ey, ez
            x, y, z = L[3 * j], L[3 * j + 1], L[3 * j + 2]
        else:
            ox, oy, oz = ey * nz - ez * ny, ez * nx - ex * nz, ex * ny - ey * nx
            x, y, z = L[3 * i], L[3 * i + 1], L[3 * i + 2]
        count = 0
        for v in range(n):
            a, b = third + 3 * v, third + 3 * ((v + 1) % n)
            f = (L[a] - x) * ox + (L[a + 1] - y) * oy + (L[a + 2] - z) * oz
            g = (L[b] - x) * ox + (L[b + 1] - y) * oy + (L[b + 2] - z) * oz
            if f <= 0.0 and count < room:
                for e in range(3):
                    L[back + 3 * count + e] = L[a + e]
                count += 1
            if n > 1 and ((f < 0.0 and g > 0.0) or (f > 0.0 and g < 0.0)) and count < room and (n > 2 or v == 0):
                t = f / (f - g)
                for e in range(3):
                    L[back + 3 * count + e] = L[a + e] + t * (L[b + e] - L[a + e])
                count += 1
        n = count
        for v in range(3 * n):
            L[third + v] = L[back + v]
    return n


@kernel
def keep_few(P, n, near, nx, ny, nz, flags):
    """Of n points (x, y, z, gap each) at most eight: the deepest, the farthest from it, the farthest to both sides, of those that
    are there (within ``near`` of the deepest) and of all (boxes.py)."""
    if n <= 4:
        return n
    low = P[3]
    for v in range(1, n):
        low = min(low, P[4 * v + 3])
    for v in range(n):
        flags[v] = 0
    for turn in range(0 if near > 0.0 else 1, 2):
        most = low + near if turn == 0 else 1e300
        a, b, far = -1, -1, -1.0
        for v in range(n):
            if P[4 * v + 3] <= most and (a < 0 or P[4 * v + 3] < P[4 * a + 3]):
                a = v
        for v in range(n):
            t = (P[4 * v] - P[4 * a]) ** 2 + (P[4 * v + 1] - P[4 * a + 1]) ** 2 + (P[4 * v + 2] - P[4 * a + 2]) ** 2
            if P[4 * v + 3] <= most and t > far * (1.0 + 1e-9):
                far, b = t, v
        ux, uy, uz = P[4 * b] - P[4 * a], P[4 * b + 1] - P[4 * a + 1], P[4 * b + 2] - P[4 * a + 2]
        sx, sy, sz = ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux
        down, up, left, right = 0.0, 0.0, -1, -1
        for v in range(n):
            if P[4 * v + 3] > most:
                continue
            t = (P[4 * v] - P[4 * a]) * sx + (P[4 * v + 1] - P[4 * a + 1]) * sy + (P[4 * v + 2] - P[4 * a + 2]) * sz
            if t < down * (1.0 + 1e-9):
                down, left = t, v
            if t > up * (1.0 + 1e-9):
                up, right = t, v
        for v in range(n):
            if v in (a, b, left, right):
                flags[v] = 1
    count = 0
    for v in range(n):
        if flags[v] != 0:
            for e in range(4):
                P[4 * count + e] = P[4 * v + e]
            count += 1
    return count
