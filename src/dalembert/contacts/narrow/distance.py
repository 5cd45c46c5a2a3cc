"""Distance of two cores that are apart (Gilbert, Johnson, Keerthi): the point of a − b nearest to the origin.

A simplex of at most four points of a − b; its point v nearest to the origin; the farthest point c of a − b along −v joins, until

    v·v − v·c ≤ ε            then |v| misses the distance by at most ε/|v|      (v·c/|v| is a lower bound of it all along)

The nearest point of a simplex is looked for on all of its corners, edges, faces and inside, each by projection (cross
products, no Gram matrices): fifteen small problems at most, but no case is left out.  Witnesses are the same
combination of the points of a and of b.
"""

import math

from dalembert._jit import kernel
from dalembert.contacts.narrow.cores import difference
from dalembert.contacts.tables import POSE

ROUNDS = 128
TOUCH = 1e-10  # of the size of both: nearer cores overlap


@kernel
def _nearest(S, n, L):
    """Weights L of the points of simplex S (n of them, nine numbers each) nearest to the origin; its square, −1: it is inside."""
    best = 1e300
    for mask in range(1, 1 << n):
        i0, i1, i2, i3, m = -1, -1, -1, -1, 0
        for i in range(n):
            if mask >> i & 1:
                if m == 0:
                    i0 = i
                elif m == 1:
                    i1 = i
                elif m == 2:
                    i2 = i
                else:
                    i3 = i
                m += 1
        x, y, z = S[9 * i0], S[9 * i0 + 1], S[9 * i0 + 2]
        l1, l2, l3 = 0.0, 0.0, 0.0
        if m == 1:
            qx, qy, qz = x, y, z
        else:
            ux, uy, uz = S[9 * i1] - x, S[9 * i1 + 1] - y, S[9 * i1 + 2] - z
            if m == 2:
                uu = ux * ux + uy * uy + uz * uz
                if uu == 0.0:
                    continue
                l1 = -(x * ux + y * uy + z * uz) / uu
                if not 0.0 < l1 < 1.0:
                    continue
                qx, qy, qz = x + l1 * ux, y + l1 * uy, z + l1 * uz
            else:
                vx, vy, vz = S[9 * i2] - x, S[9 * i2 + 1] - y, S[9 * i2 + 2] - z
                nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
                nn = nx * nx + ny * ny + nz * nz
                if nn <= 1e-28 * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz):
                    continue
                if m == 3:
                    t = (x * nx + y * ny + z * nz) / nn
                    qx, qy, qz = t * nx, t * ny, t * nz
                    wx, wy, wz = qx - x, qy - y, qz - z
                    l1 = ((wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz) / nn
                    l2 = ((uy * wz - uz * wy) * nx + (uz * wx - ux * wz) * ny + (ux * wy - uy * wx) * nz) / nn
                    if not (l1 > 0.0 and l2 > 0.0 and l1 + l2 < 1.0):
                        continue
                else:
                    wx, wy, wz = S[9 * i3] - x, S[9 * i3 + 1] - y, S[9 * i3 + 2] - z
                    det = wx * nx + wy * ny + wz * nz
                    if det * det <= 1e-28 * nn * (wx * wx + wy * wy + wz * wz):
                        continue
                    l3 = -(x * nx + y * ny + z * nz) / det
                    l1 = -(x * (vy * wz - vz * wy) + y * (vz * wx - vx * wz) + z * (vx * wy - vy * wx)) / det
                    l2 = -(x * (wy * uz - wz * uy) + y * (wz * ux - wx * uz) + z * (wx * uy - wy * ux)) / det
                    if not (l1 > 0.0 and l2 > 0.0 and l3 > 0.0 and l1 + l2 + l3 < 1.0):
                        continue
                    return -1.0
        t = qx * qx + qy * qy + qz * qz
        if t < best:
            best = t
            for i in range(n):
                L[i] = 0.0
            L[i0] = 1.0 - l1 - l2
            if m > 1:
                L[i1] = l1
            if m > 2:
                L[i2] = l2
    return best


@kernel
def distance(w, a, b, reach):
    """Distance of two cores, 0 where they overlap; more than ``reach``: a bound.  w.witness: p − q, p on a, q on b."""
    S, L, out = w.simplex, w.weight, w.witness
    s, p, q = w.place, POSE * a, POSE * b
    size = w.bound[a] + w.bound[b]
    x, y, z = s[p] - s[q], s[p + 1] - s[q + 1], s[p + 2] - s[q + 2]
    if x * x + y * y + z * z == 0.0:
        x = 1.0
    difference(w, a, b, -x, -y, -z, S, 0)
    for e in range(9):
        out[e] = S[e]
    n, vv = 1, S[0] * S[0] + S[1] * S[1] + S[2] * S[2]
    for _ in range(ROUNDS):
        if vv <= (TOUCH * size) ** 2:
            return 0.0
        d = math.sqrt(vv)
        x, y, z = out[0], out[1], out[2]
        vc = -difference(w, a, b, -x, -y, -z, S, 9 * n)
        if vc > reach * d:
            return vc / d
        if vv - vc <= 1e-14 * vv + 4e-16 * d * size:
            break
        same = False
        for i in range(n):
            same = same or (S[9 * i] == S[9 * n] and S[9 * i + 1] == S[9 * n + 1] and S[9 * i + 2] == S[9 * n + 2])
        if same:
            break
        n += 1
        found = _nearest(S, n, L)
        if found < 0.0:
            return 0.0
        if found >= vv:
            break
        for e in range(9):
            out[e] = 0.0
        m = 0
        for i in range(n):
            if L[i] > 0.0:
                for e in range(9):
                    out[e] += L[i] * S[9 * i + e]
                    S[9 * m + e] = S[9 * i + e]
                m += 1
        n = m
        vv = out[0] * out[0] + out[1] * out[1] + out[2] * out[2]
    return math.sqrt(vv)
