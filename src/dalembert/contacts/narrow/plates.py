"""Two rectangles of the plane: the axis of least overlap among the four edges' normals, then the other's edge cut to that side.

    s(axis) = |axis·d| − h_axis − (extent of the other along it)      the largest s is the gap; the sides of the first are
                                                                       preferred by a part of the slop (preferred.py)

At seams of what lies flush two sides part them to the slop: seams.py.
"""

import math

from dalembert._jit import kernel
from dalembert.contacts.narrow.preferred import preferred
from dalembert.contacts.narrow.seams import SINE, first_is_steadier, slop
from dalembert.contacts.tables import POSE

LEAST = 2e-5  # of the smaller half edge: where the slop is wide, sides are preferred by no more


@kernel
def plate_plate(w, a, b, margin):
    s, p, q = w.place, POSE * a, POSE * b
    dx, dy = s[q] - s[p], s[q + 1] - s[p + 1]
    best, first, axis, side = -1e300, a, 0, 1.0
    slack = min(preferred(w, a, b)[0], LEAST * min(min(w.size[3 * a], w.size[3 * a + 1]), min(w.size[3 * b], w.size[3 * b + 1])))
    near, part, pick, way = slop(w, a, b), w.spare[8:12], w.spare[12:14], w.spare[14:16]  # by the sides of a and of b
    for turn in range(2):
        one, other = (a, b) if turn == 0 else (b, a)
        p, q, sign = POSE * one, POSE * other, 1.0 if turn == 0 else -1.0
        for k in range(2):
            nx, ny = s[p + 3 + k], s[p + 6 + k]
            along = sign * (nx * dx + ny * dy)
            extent = (w.size[3 * other] * math.fabs(nx * s[q + 3] + ny * s[q + 6])
                      + w.size[3 * other + 1] * math.fabs(nx * s[q + 4] + ny * s[q + 7]))
            gap = math.fabs(along) - w.size[3 * one + k] - extent
            if gap > margin:
                return 0
            part[2 * turn + k] = gap
            if k == 0 or gap > part[2 * turn]:
                pick[turn], way[turn] = float(k), 1.0 if along >= 0.0 else -1.0
            if gap > best + (slack if turn == 1 else 0.0):
                best, first, axis, side = gap, one, k, 1.0 if along >= 0.0 else -1.0
        if abs(min(part[2 * turn], part[2 * turn + 1])) <= near:
            return 0  # beyond an edge, by both of its sides
    turn = 0 if first_is_steadier(w, a, b) else 1
    one, other = (a, b) if turn == 0 else (b, a)
    if first != one and abs(max(part[2 * turn], part[2 * turn + 1])) <= near:
        k = int(pick[turn])
        c = s[POSE * one + 3 + k] * s[POSE * first + 3 + axis] + s[POSE * one + 6 + k] * s[POSE * first + 6 + axis]
        if 1.0 - c * c > SINE:
            first, axis, side = one, k, way[turn]
    one, other = first, b if first == a else a
    p, q, k = POSE * one, POSE * other, axis
    t = 1 - k
    nx, ny = side * s[p + 3 + k], side * s[p + 6 + k]  # out of the first, towards the other
    tx, ty = s[p + 3 + t], s[p + 6 + t]
    c0, c1 = nx * s[q + 3] + ny * s[q + 6], nx * s[q + 4] + ny * s[q + 7]
    m = 0 if math.fabs(c0) >= math.fabs(c1) else 1  # the other's edge that faces it
    face = -w.size[3 * other + m] if (c0 if m == 0 else c1) > 0.0 else w.size[3 * other + m]
    n = 1 - m
    reach, depth = w.size[3 * one + t], w.size[3 * one + k]
    line = w.spare
    for i in range(2):
        h = w.size[3 * other + n] if i == 0 else -w.size[3 * other + n]
        x = s[q] + face * s[q + 3 + m] + h * s[q + 3 + n] - s[p]
        y = s[q + 1] + face * s[q + 6 + m] + h * s[q + 6 + n] - s[p + 1]
        line[2 * i], line[2 * i + 1] = tx * x + ty * y, nx * x + ny * y - depth
    for sign in (-1.0, 1.0):  # cut to −reach … reach
        f0, f1 = sign * line[0] - reach, sign * line[2] - reach
        if f0 > 0.0 and f1 > 0.0:
            return 0
        if f0 > 0.0 or f1 > 0.0:
            u = f0 / (f0 - f1)
            i = 0 if f0 > 0.0 else 1
            z = line[1] + u * (line[3] - line[1])
            line[2 * i], line[2 * i + 1] = sign * reach, z
    count = 0
    for i in range(2):
        gap = line[2 * i + 1]
        if gap > margin or (count == 1 and math.fabs(line[0] - line[2]) <= 1e-9 * reach):
            continue
        at = depth + 0.5 * gap
        f = 5 * count
        w.found[f] = s[p] + tx * line[2 * i] + nx * at
        w.found[f + 1] = s[p + 1] + ty * line[2 * i] + ny * at
        w.found[f + 2], w.found[f + 3], w.found[f + 4] = 0.0, gap, float(i)
        count += 1
    turned = 1.0 if first == a else -1.0
    w.toward[0], w.toward[1], w.toward[2] = turned * nx, turned * ny, 0.0
    return count
