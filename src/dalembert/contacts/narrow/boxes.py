"""Two boxes in space: fifteen axes, then a face cut by the sides of the other, or one point of two edges.

    d      from centre to centre, in the axes of a (dA) and of b (dB);  C_ij = a_i·b_j
    faces  s = |dA_i| − h_i − Σ_j |C_ij| g_j           of a, likewise of b
    edges  s = (|d·(a_i × b_j)| − extents)/|a_i × b_j|, but for edges within 5 % of parallel (their normal would be noise)

The largest s is the gap.  Faces of a are preferred to those of b, and faces to edges, by a small part of the size: otherwise the
features of a box at rest flicker and stacks shake.  Of the polygon of a face contact four points are kept: the deepest, the one
farthest from it, and the farthest to either side of their line.
"""

import math

from dalembert._jit import inline, kernel
from dalembert.contacts.tables import POSE

PARALLEL = 2.5e-3  # squared sine
FACE, EDGE = 2e-4, 4e-3  # of the smaller half edge, by which a face of a and a face of any are preferred


@inline
def _smaller(w, a, b):
    return min(min(min(w.size[3 * a], w.size[3 * a + 1]), w.size[3 * a + 2]),
               min(min(w.size[3 * b], w.size[3 * b + 1]), w.size[3 * b + 2]))


@kernel
def box_box(w, a, b, margin):
    s, p, q, h, g = w.place, POSE * a, POSE * b, 3 * a, 3 * b
    size = w.size
    C, A, dA, dB = w.spare[0:9], w.spare[9:18], w.spare[18:21], w.spare[21:24]
    dx, dy, dz = s[q] - s[p], s[q + 1] - s[p + 1], s[q + 2] - s[p + 2]
    gap, kind, axis = -1e300, 0, 0
    for i in range(3):
        ax, ay, az = s[p + 3 + i], s[p + 6 + i], s[p + 9 + i]
        dA[i] = ax * dx + ay * dy + az * dz
        for j in range(3):
            c = ax * s[q + 3 + j] + ay * s[q + 6 + j] + az * s[q + 9 + j]
            C[3 * i + j] = c
            A[3 * i + j] = abs(c)
        t = abs(dA[i]) - size[h + i] - (A[3 * i] * size[g] + A[3 * i + 1] * size[g + 1] + A[3 * i + 2] * size[g + 2])
        if t > margin:
            return 0
        if t > gap:
            gap, axis = t, i
    small = _smaller(w, a, b)
    second, axis_b = -1e300, 0
    for j in range(3):
        dB[j] = s[q + 3 + j] * dx + s[q + 6 + j] * dy + s[q + 9 + j] * dz
        t = abs(dB[j]) - size[g + j] - (A[j] * size[h] + A[3 + j] * size[h + 1] + A[6 + j] * size[h + 2])
        if t > margin:
            return 0
        if t > second:
            second, axis_b = t, j
    if second > gap + FACE * small:
        gap, kind, axis = second, 1, axis_b
    best, ei, ej, side = -1e300, 0, 0, 1.0
    for i in range(3):
        i1, i2 = (i + 1) % 3, (i + 2) % 3
        for j in range(3):
            sine = 1.0 - C[3 * i + j] * C[3 * i + j]
            if sine < PARALLEL:
                continue
            j1, j2 = (j + 1) % 3, (j + 2) % 3
            t = dA[i2] * C[3 * i1 + j] - dA[i1] * C[3 * i2 + j]
            extent = (size[h + i1] * A[3 * i2 + j] + size[h + i2] * A[3 * i1 + j]
                      + size[g + j1] * A[3 * i + j2] + size[g + j2] * A[3 * i + j1])
            u = (abs(t) - extent) / math.sqrt(sine)
            if u > margin:
                return 0
            if u > best:
                best, ei, ej, side = u, i, j, 1.0 if t > 0.0 else -1.0
    if best > gap + EDGE * small:
        return _edges(w, a, b, ei, ej, side, best)
    if kind == 0:
        return _face(w, a, b, axis, 1.0, margin)
    for i in range(3):
        dA[i] = -dB[i]
        for j in range(i):
            C[3 * i + j], C[3 * j + i] = C[3 * j + i], C[3 * i + j]
    return _face(w, b, a, axis, -1.0, margin)


@kernel
def _edges(w, a, b, ei, ej, side, gap):
    """The middle of the shortest line between edge ei of a and edge ej of b."""
    s, p, q, h, g = w.place, POSE * a, POSE * b, 3 * a, 3 * b
    size, C = w.size, w.spare
    i1, i2 = (ei + 1) % 3, (ei + 2) % 3
    c = C[3 * ei + ej]
    length = side / math.sqrt(1.0 - c * c)
    n1, n2 = -C[3 * i2 + ej] * length, C[3 * i1 + ej] * length  # of the normal along a's axes i1 and i2
    nx = s[p + 3 + i1] * n1 + s[p + 3 + i2] * n2
    ny = s[p + 6 + i1] * n1 + s[p + 6 + i2] * n2
    nz = s[p + 9 + i1] * n1 + s[p + 9 + i2] * n2
    ax, ay, az = s[p], s[p + 1], s[p + 2]
    for k in range(3):
        if k != ei:
            e = size[h + k] if (n1 if k == i1 else n2) > 0.0 else -size[h + k]
            ax += e * s[p + 3 + k]
            ay += e * s[p + 6 + k]
            az += e * s[p + 9 + k]
    bx, by, bz = s[q], s[q + 1], s[q + 2]
    for k in range(3):
        if k != ej:
            e = size[g + k] if s[q + 3 + k] * nx + s[q + 6 + k] * ny + s[q + 9 + k] * nz < 0.0 else -size[g + k]
            bx += e * s[q + 3 + k]
            by += e * s[q + 6 + k]
            bz += e * s[q + 9 + k]
    ux, uy, uz = s[p + 3 + ei], s[p + 6 + ei], s[p + 9 + ei]
    vx, vy, vz = s[q + 3 + ej], s[q + 6 + ej], s[q + 9 + ej]
    rx, ry, rz = bx - ax, by - ay, bz - az
    f, e = ux * rx + uy * ry + uz * rz, vx * rx + vy * ry + vz * rz
    sine = 1.0 - c * c
    ta = min(max((f - c * e) / sine, -size[h + ei]), size[h + ei])
    tb = min(max((c * f - e) / sine, -size[g + ej]), size[g + ej])
    w.found[0] = 0.5 * (ax + ta * ux + bx + tb * vx)
    w.found[1] = 0.5 * (ay + ta * uy + by + tb * vy)
    w.found[2] = 0.5 * (az + ta * uz + bz + tb * vz)
    w.found[3], w.found[4] = gap, 64.0 + 3 * ei + ej
    w.toward[0], w.toward[1], w.toward[2] = nx, ny, nz
    return 1


@kernel
def _face(w, a, b, k, turned, margin):
    """Face k of a, cut the facing side of b to it; C and dA are those of (a, b).  turned: −1 where the normal is to be −n."""
    s, p, h, g = w.place, POSE * a, 3 * a, 3 * b
    size, C, D = w.size, w.spare[0:9], w.spare[18:21]
    k1, k2 = (k + 1) % 3, (k + 2) % 3
    side = 1.0 if D[k] > 0.0 else -1.0
    m, most = 0, -1.0
    for j in range(3):
        if abs(C[3 * k + j]) > most:
            most, m = abs(C[3 * k + j]), j
    m1, m2 = (m + 1) % 3, (m + 2) % 3
    face = -size[g + m] if side * C[3 * k + m] > 0.0 else size[g + m]
    P, Q = w.polygon, w.clipped
    h1, h2 = size[h + k1], size[h + k2]
    inside = True
    for v in range(4):
        e = size[g + m1] if v == 0 or v == 3 else -size[g + m1]
        f = size[g + m2] if v < 2 else -size[g + m2]
        u0 = D[k1] + face * C[3 * k1 + m] + e * C[3 * k1 + m1] + f * C[3 * k1 + m2]
        u1 = D[k2] + face * C[3 * k2 + m] + e * C[3 * k2 + m1] + f * C[3 * k2 + m2]
        P[3 * v], P[3 * v + 1] = u0, u1
        P[3 * v + 2] = side * (D[k] + face * C[3 * k + m] + e * C[3 * k + m1] + f * C[3 * k + m2]) - size[h + k]
        if abs(u0) > h1 or abs(u1) > h2:
            inside = False
    n = 4
    if not inside:
        n = _cut(P, Q, h1, h2)
    count = 0
    for v in range(n):
        if P[3 * v + 2] <= margin:
            for e in range(3):
                P[3 * count + e] = P[3 * v + e]
            count += 1
    if count > 4:
        count = _four(P, Q, count)
    for v in range(count):
        gap = P[3 * v + 2]
        at = side * (size[h + k] + 0.5 * gap)
        for e in range(3):
            w.found[5 * v + e] = (s[p + e] + s[p + 3 + 3 * e + k] * at + s[p + 3 + 3 * e + k1] * P[3 * v]
                                  + s[p + 3 + 3 * e + k2] * P[3 * v + 1])
        w.found[5 * v + 3], w.found[5 * v + 4] = gap, float(v)
    side *= turned
    w.toward[0], w.toward[1], w.toward[2] = side * s[p + 3 + k], side * s[p + 6 + k], side * s[p + 9 + k]
    return count


@kernel
def _cut(P, Q, h1, h2):
    """The polygon of four points P cut to |u0| ≤ h1, |u1| ≤ h2; Q is scratch.  How many points are left (0 … 8)."""
    n = 4
    for d in range(2):
        lim = h1 if d == 0 else h2
        for sign in (-1.0, 1.0):
            count = 0
            for v in range(n):
                o = v + 1 if v + 1 < n else 0
                f, e = sign * P[3 * v + d] - lim, sign * P[3 * o + d] - lim
                if f <= 0.0:
                    Q[3 * count], Q[3 * count + 1], Q[3 * count + 2] = P[3 * v], P[3 * v + 1], P[3 * v + 2]
                    count += 1
                if (f < 0.0 and e > 0.0) or (f > 0.0 and e < 0.0):
                    t = f / (f - e)
                    for c in range(3):
                        Q[3 * count + c] = P[3 * v + c] + t * (P[3 * o + c] - P[3 * v + c])
                    count += 1
            n = min(count, 8)
            for v in range(3 * n):
                P[v] = Q[v]
    return n


@kernel
def _four(P, Q, n):
    """The deepest of n points, the farthest from it, and the farthest to both sides, in their order."""
    a = 0
    for v in range(1, n):
        if P[3 * v + 2] < P[3 * a + 2]:
            a = v
    b, far = 0, -1.0
    for v in range(n):
        t = (P[3 * v] - P[3 * a]) ** 2 + (P[3 * v + 1] - P[3 * a + 1]) ** 2
        if t > far:
            far, b = t, v
    low, high, left, right = 0.0, 0.0, -1, -1
    for v in range(n):
        t = ((P[3 * b] - P[3 * a]) * (P[3 * v + 1] - P[3 * a + 1]) - (P[3 * b + 1] - P[3 * a + 1]) * (P[3 * v] - P[3 * a]))
        if t < low:
            low, left = t, v
        if t > high:
            high, right = t, v
    count = 0
    for v in range(n):
        if v in (a, b, left, right):
            Q[3 * count], Q[3 * count + 1], Q[3 * count + 2] = P[3 * v], P[3 * v + 1], P[3 * v + 2]
            count += 1
    for v in range(3 * count):
        P[v] = Q[v]
    return count
