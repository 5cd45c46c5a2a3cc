"""Which shapes may touch: small moving shapes through a hashed grid, large and standing ones each against all.

Two shapes are a pair when their bounding spheres come nearer than a margin that grows with their relative speed (nothing is
missed within one detection), the contacts name them, their bodies differ and are not kept apart (neighbours at a joint).  A
standing box is compared by its distance, not by its sphere.  Pairs come in a fixed order: shape by shape, cell by cell.
"""

import math

import numpy as np

from dalembert._jit import inline, kernel
from dalembert.contacts.tables import BOX, PLANE, PLATE, POSE

MARGIN = 0.02  # of the smaller scale of a pair


@kernel
def margin(w, a, b, length):
    """How near two shapes must be to count: a part of their size, and what they may move within ``length`` seconds."""
    i, j = 6 * w.body[a], 6 * w.body[b]
    v = w.v
    dx, dy, dz = v[i] - v[j], v[i + 1] - v[j + 1], v[i + 2] - v[j + 2]
    ex, ey, ez = v[i + 3] - v[j + 3], v[i + 4] - v[j + 4], v[i + 5] - v[j + 5]
    spin = math.sqrt(ex * ex + ey * ey + ez * ez) * min(w.bound[a], w.bound[b])
    speed = math.sqrt(dx * dx + dy * dy + dz * dz) + 0.5 * spin
    return MARGIN * min(w.scale[a], w.scale[b]) + length * speed


@kernel
def speeds(w):
    """The largest speed of every body's points, or more."""
    v = w.v
    for b in range(w.rules.bodies):
        o = 6 * b
        w.speed[b] = (math.sqrt(v[o] * v[o] + v[o + 1] * v[o + 1] + v[o + 2] * v[o + 2])
                      + 0.5 * w.radius[b] * math.sqrt(v[o + 3] * v[o + 3] + v[o + 4] * v[o + 4] + v[o + 5] * v[o + 5]))


@inline
def most(w, a, b, length):
    """A bound of ``margin``."""
    return MARGIN * min(w.scale[a], w.scale[b]) + length * (w.speed[w.body[a]] + w.speed[w.body[b]])


@kernel
def allowed(w, a, b):
    """Whether a contact names both, and their bodies may touch."""
    i, j = w.body[a], w.body[b]
    if i == j or w.contact[w.groups[0] * w.group[a] + w.group[b]] < 0:
        return False
    apart = False
    for k in range(w.apart_at[i], w.apart_at[i + 1]):
        apart = apart or w.apart[k] == j
    return not apart


@kernel
def _put(w, n, a, b):
    if 2 * n + 1 < w.pair.size:
        w.pair[2 * n], w.pair[2 * n + 1] = a, b
    return n + 1


@kernel
def _near_standing(w, a, b, reach):
    """Distance of the middle of shape a from a box or half-space b, against reach."""
    p, q, s = POSE * a, POSE * b, w.place
    dx, dy, dz = s[p] - s[q], s[p + 1] - s[q + 1], s[p + 2] - s[q + 2]
    if w.kind[b] == PLANE:
        return s[q + 5] * dx + s[q + 8] * dy + s[q + 11] * dz < reach
    if w.kind[b] == BOX or w.kind[b] == PLATE:
        square = 0.0
        for k in range(3):
            t = math.fabs(s[q + 3 + k] * dx + s[q + 6 + k] * dy + s[q + 9 + k] * dz) - w.size[3 * b + k]
            if t > 0.0:
                square += t * t
        return square < reach * reach
    reach += w.bound[b]
    return dx * dx + dy * dy + dz * dz < reach * reach


@kernel
def _cell(w, a, k):
    return np.int64(math.floor(w.place[POSE * a + k] / w.rules.cell))


@kernel
def _hash(i, j, k, mask):
    return ((i * 73856093) ^ (j * 19349663) ^ (k * 83492791)) & mask


@kernel
def pairs(w, length):
    """Fill w.pair; the number of pairs is returned, also where there is no room for all."""
    speeds(w)
    mask = w.head.size - 1
    for k in range(w.head.size):
        w.head[k] = -1
    found = 0
    depth = 0 if w.rules.plane != 0 else 1
    for a in range(w.rules.moving):
        if w.large[a] != 0:
            continue
        i, j, k = _cell(w, a, 0), _cell(w, a, 1), _cell(w, a, 2)
        x, y, z = w.place[POSE * a], w.place[POSE * a + 1], w.place[POSE * a + 2]
        for di in range(-1, 2):
            for dj in range(-1, 2):
                for dk in range(-depth, depth + 1):
                    b = w.head[_hash(i + di, j + dj, k + dk, mask)]
                    while b >= 0:
                        if w.key[3 * b] == i + di and w.key[3 * b + 1] == j + dj and w.key[3 * b + 2] == k + dk:
                            dx, dy, dz = w.place[POSE * b] - x, w.place[POSE * b + 1] - y, w.place[POSE * b + 2] - z
                            reach = w.bound[a] + w.bound[b]
                            reach += min(most(w, a, b, length), w.rules.reach)
                            if dx * dx + dy * dy + dz * dz < reach * reach and allowed(w, a, b):
                                found = _put(w, found, b, a)
                        b = w.next[b]
        at = _hash(i, j, k, mask)
        w.next[a], w.head[at] = w.head[at], a
        w.key[3 * a], w.key[3 * a + 1], w.key[3 * a + 2] = i, j, k
    return _large(w, length, found)


@kernel
def _large(w, length, found):
    shapes, moving = w.kind.size, w.rules.moving
    for a in range(moving):
        for b in range(shapes):
            if (b < moving and w.large[b] == 0) or b == a or (b < moving and w.large[a] != 0 and b > a):
                continue
            if _near_standing(w, a, b, w.bound[a] + most(w, a, b, length)) and allowed(w, a, b):
                found = _put(w, found, a, b)
    return found
