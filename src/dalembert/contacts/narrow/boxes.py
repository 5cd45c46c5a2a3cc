"""Two boxes in space: fifteen axes, then a face cut by the sides of the other, or one point of two edges.

    d      from centre to centre, in the axes of a (dA) and of b (dB);  C_ij = a_i·b_j
    faces  s = |dA_i| − h_i − Σ_j |C_ij| g_j           of a, likewise of b
    edges  s = (|d·(a_i × b_j)| − extents)/|a_i × b_j|, but for edges that are nearly parallel (their normal would be noise)

The largest s is the gap.  Faces of a are preferred to those of b, and faces to edges, by some of the slop (preferred.py):
otherwise the features of a box at rest flicker and stacks shake.  An edge that lies across a face has the points of that face.
Of the polygon of a face contact few points are kept: the deepest, the one farthest from it and the farthest to either side of
their line, of those that are there and of all.  (Of all only, a body that stood on an edge lost the one or the other end of it
to points that were open, from detection to detection, and rocked for ever.)
At seams of what lies flush two faces part them: seams.py.
"""

import math

from dalembert._jit import inline, kernel
from dalembert.contacts.narrow.preferred import preferred
from dalembert.contacts.narrow.seams import SINE, first_is_steadier, slop
from dalembert.contacts.tables import POSE


@kernel
def box_box(w, a, b, margin):
    s, p, q, h, g = w.place, POSE * a, POSE * b, 3 * a, 3 * b
    size = w.size
    C, A, dA, dB = w.spare[0:9], w.spare[9:18], w.spare[18:21], w.spare[21:24]
    dx, dy, dz = s[q] - s[p], s[q + 1] - s[p + 1], s[q + 2] - s[p + 2]
    gap, kind, axis, after = -1e300, 0, 0, -1e300
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
            gap, axis, after = t, i, gap
        elif t > after:
            after = t
    face, edge, parallel, near = preferred(w, a, b)
    flush = slop(w, a, b)
    if abs(after) <= flush:
        return 0  # beyond an edge of a, by both of its faces
    second, axis_b, after, first, axis_a = -1e300, 0, -1e300, gap, axis
    for j in range(3):
        dB[j] = s[q + 3 + j] * dx + s[q + 6 + j] * dy + s[q + 9 + j] * dz
        t = abs(dB[j]) - size[g + j] - (A[j] * size[h] + A[3 + j] * size[h + 1] + A[6 + j] * size[h + 2])
        if t > margin:
            return 0
        if t > second:
            second, axis_b, after = t, j, second
        elif t > after:
            after = t
    if abs(after) <= flush:
        return 0
    if second > gap + face:
        gap, kind, axis = second, 1, axis_b
    best, ei, ej, side = -1e300, 0, 0, 1.0
    for i in range(3):
        i1, i2 = (i + 1) % 3, (i + 2) % 3
        for j in range(3):
            sine = 1.0 - C[3 * i + j] * C[3 * i + j]
            if sine < parallel * parallel:
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
    steady = 0 if first_is_steadier(w, a, b) else 1
    beside = abs(first if steady == 0 else second) <= flush
    if best > gap + edge:
        if best <= flush or not beside:
            count = _across(w, a, b, ei, ej, best, edge, parallel, margin, near)
            return count if count > 0 else _edges(w, a, b, ei, ej, side, best)
        kind, axis = steady, axis_a if steady == 0 else axis_b
    elif kind != steady and beside and 1.0 - C[3 * axis_a + axis_b] ** 2 > SINE:
        kind, axis = steady, axis_a if steady == 0 else axis_b
    if kind == 0:
        return _face(w, a, b, axis, 1.0, margin, near)
    _turned(w)
    return _face(w, b, a, axis, -1.0, margin, near)


@inline
def _turned(w):
    """C and dA of (b, a)."""
    C, dA, dB = w.spare[0:9], w.spare[18:21], w.spare[21:24]
    for i in range(3):
        dA[i], dB[i] = -dB[i], -dA[i]
        for j in range(i):
            C[3 * i + j], C[3 * j + i] = C[3 * j + i], C[3 * i + j]


@kernel
def _across(w, a, b, ei, ej, best, edge, parallel, margin, near):
    """An edge that lies across a face of the other: the points of that face, if two of them are there; else 0.

    Separations of faces are of whole boxes.  Of an edge that is longer than the face the ends, which are nowhere near, hide that
    it lies on it: then there was one point, at one end of the face or the other, and what lay on a wall's edge shook for ever.
    """
    C, found = w.spare, w.found
    i1, i2, j1, j2 = (ei + 1) % 3, (ei + 2) % 3, (ej + 1) % 3, (ej + 2) % 3
    length = 1.0 / math.sqrt(1.0 - C[3 * ei + ej] * C[3 * ei + ej])
    n1, n2 = -C[3 * i2 + ej] * length, C[3 * i1 + ej] * length
    m1, m2 = C[3 * i1 + j1] * n1 + C[3 * i2 + j1] * n2, C[3 * i1 + j2] * n1 + C[3 * i2 + j2] * n2
    of_a, of_b = max(abs(n1), abs(n2)), max(abs(m1), abs(m2))
    if 1.0 - max(of_a, of_b) ** 2 > parallel * parallel:
        return 0
    if of_a >= of_b:
        count = _face(w, a, b, i1 if abs(n1) > abs(n2) else i2, 1.0, margin, near)
    else:
        _turned(w)
        count = _face(w, b, a, j1 if abs(m1) > abs(m2) else j2, -1.0, margin, near)
        _turned(w)
    low, there = 1e300, 0
    for v in range(count):
        low = min(low, found[5 * v + 3])
        if found[5 * v + 3] <= best + edge:
            there += 1
    return count if there > 1 and low >= best - edge else 0


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
def _face(w, a, b, k, turned, margin, near):
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
        count = _few(P, Q, count, near)
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
def _few(P, Q, n, near):
    """The deepest of n points, the farthest from it and the farthest to both sides: of those that are there, and of all.

    There: within ``near`` of the deepest.  In their order, eight at most.
    """
    low = P[2]
    for v in range(1, n):
        low = min(low, P[3 * v + 2])
    for v in range(n):
        Q[40 + v] = 0.0
    for turn in range(0 if near > 0.0 else 1, 2):
        most = low + near if turn == 0 else 1e300
        a, b, far = -1, -1, -1.0
        for v in range(n):
            if P[3 * v + 2] <= most and (a < 0 or P[3 * v + 2] < P[3 * a + 2]):
                a = v
        for v in range(n):
            t = (P[3 * v] - P[3 * a]) ** 2 + (P[3 * v + 1] - P[3 * a + 1]) ** 2
            if P[3 * v + 2] <= most and t > far:
                far, b = t, v
        low_side, high_side, left, right = 0.0, 0.0, -1, -1
        for v in range(n):
            if P[3 * v + 2] > most:
                continue
            t = ((P[3 * b] - P[3 * a]) * (P[3 * v + 1] - P[3 * a + 1])
                 - (P[3 * b + 1] - P[3 * a + 1]) * (P[3 * v] - P[3 * a]))
            if t < low_side:
                low_side, left = t, v
            if t > high_side:
                high_side, right = t, v
        for v in range(n):
            if v in (a, b, left, right):
                Q[40 + v] = 1.0
    count = 0
    for v in range(n):
        if Q[40 + v] > 0.0:
            P[3 * count], P[3 * count + 1], P[3 * count + 2] = P[3 * v], P[3 * v + 1], P[3 * v + 2]
            count += 1
    return count
