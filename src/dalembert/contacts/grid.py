"""Which shapes may touch: small moving shapes through a hashed grid, large and standing ones each against all.

Two shapes are a pair when their bounding spheres come nearer than a margin that grows with their relative speed (nothing is
missed within one detection, tips of what turns included), the contacts name them, their bodies differ and are not kept apart
(neighbours at a joint).  A standing box is compared by its distance, not by its sphere.  Pairs come in a fixed order: shape by
shape along ``path``, cell by cell.

    stray      how much faster than the mean of all a body may go: |v_a − v_b| ≤ stray_a + stray_b (what falls together is slow)
    slow       2 stray × time ≤ ``reach``: the cells are so large that all slow ones near it are in the 27 about it; each looks
               into its own and the 13 after it, so that a pair is found once
    fast       looks into all cells that it may come to; two fast ones: the faster one finds the other
    line       small moving shapes along Morton's curve through their cells (``member``, ``packed``; ``key``: the place on the
               curve): those of a cell are one piece of it, found by a table (``head``), and neighbours are near in memory.  All
               that share a cell ask for its neighbours once
    path       all moving shapes in the order of the line, where there are many: so bodies that touch come one after the other in
               all lists of points, and sweeps find them in the processor's cache (10,000 bodies do not fit into it)
"""

import math

import numpy as np

from dalembert._jit import inline, kernel
from dalembert.contacts.tables import BOX, PLANE, PLATE, POSE

MARGIN = 0.02  # of the smaller scale of a pair
FEW = 500  # moving shapes: so many fit into the cache in whatever order they come
LENGTH, WHERE, CELLS = 0, 1, 2  # of ``rank``, once it has served to sort: length of the line; the cell whose neighbours are known


@kernel
def margin(w, a, b, length):
    """How near two shapes must be to count: a part of their size, and what they may move within ``length`` seconds.

    Points of the smaller one go past the other body with the velocity of its middle, V, seen from there (a tip sweeps past faster
    than its body's centre goes), and what turning adds: |V| + |ω_a − ω_b| bound.
    """
    i, j = 6 * w.body[a], 6 * w.body[b]
    v = w.v
    small = b if w.kind[a] == PLANE or (w.kind[b] != PLANE and w.bound[b] < w.bound[a]) else a
    p, k, m = POSE * small, 3 * w.body[a], 3 * w.body[b]
    cx, cy, cz = w.place[p], w.place[p + 1], w.place[p + 2]
    x1, y1, z1, x2, y2, z2 = cx - w.x[k], cy - w.x[k + 1], cz - w.x[k + 2], cx - w.x[m], cy - w.x[m + 1], cz - w.x[m + 2]
    dx = v[i] + v[i + 4] * z1 - v[i + 5] * y1 - v[j] - v[j + 4] * z2 + v[j + 5] * y2
    dy = v[i + 1] + v[i + 5] * x1 - v[i + 3] * z1 - v[j + 1] - v[j + 5] * x2 + v[j + 3] * z2
    dz = v[i + 2] + v[i + 3] * y1 - v[i + 4] * x1 - v[j + 2] - v[j + 3] * y2 + v[j + 4] * x2
    ex, ey, ez = v[i + 3] - v[j + 3], v[i + 4] - v[j + 4], v[i + 5] - v[j + 5]
    spin = math.sqrt(ex * ex + ey * ey + ez * ez) * w.bound[small]
    speed = math.sqrt(dx * dx + dy * dy + dz * dz) + spin
    return MARGIN * min(w.scale[a], w.scale[b]) + length * speed


@kernel
def speeds(w):
    """The largest speed of every body's points, or more; and the same against the mean velocity."""
    v, n = w.v, w.rules.bodies
    x, y, z = 0.0, 0.0, 0.0
    for b in range(n):
        x += v[6 * b]
        y += v[6 * b + 1]
        z += v[6 * b + 2]
    x, y, z = x / n, y / n, z / n
    w.speed[n] = w.stray[n] = 0.0
    for b in range(n):
        o = 6 * b
        spin = w.radius[b] * math.sqrt(v[o + 3] * v[o + 3] + v[o + 4] * v[o + 4] + v[o + 5] * v[o + 5])
        w.speed[b] = math.sqrt(v[o] * v[o] + v[o + 1] * v[o + 1] + v[o + 2] * v[o + 2]) + spin
        w.stray[b] = math.sqrt((v[o] - x) ** 2 + (v[o + 1] - y) ** 2 + (v[o + 2] - z) ** 2) + spin


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


@inline
def _near(w, a, b, reach):
    """Whether the middle of shape a is nearer than reach to a half-space b, or to the sphere that holds b."""
    p, q, s = POSE * a, POSE * b, w.place
    dx, dy, dz = s[p] - s[q], s[p + 1] - s[q + 1], s[p + 2] - s[q + 2]
    if w.kind[b] == PLANE:
        return s[q + 5] * dx + s[q + 8] * dy + s[q + 11] * dz < reach
    reach += w.bound[b]
    return dx * dx + dy * dy + dz * dz < reach * reach


@inline
def _cell(x, size):
    return np.int64(math.floor(x / size))


@inline
def _spread(x):
    """The ten low bits of x, each with two free places after it."""
    x &= 0x3FF
    x = (x | (x << 16)) & 0x30000FF
    x = (x | (x << 8)) & 0x300F00F
    x = (x | (x << 4)) & 0x30C30C3
    return (x | (x << 2)) & 0x9249249


@inline
def _code(i, j, k):
    """The place of a cell on Morton's curve; cells 1024 apart share one (their shapes are far apart all the same)."""
    return _spread(i) | (_spread(j) << 1) | (_spread(k) << 2)


@inline
def _extent(w, a, way):
    """The bounding sphere of shape a with its part of the margin and a way."""
    return w.bound[a] + 0.5 * MARGIN * w.scale[a] + way


@inline
def _slot(code, mask):
    return (code * 2654435761 >> 9) & mask


@inline
def _first(w, code):
    """The first of the line in a cell, or −1."""
    mask = w.head.size - 1
    at = _slot(code, mask)
    while w.head[at] >= 0 and w.key[w.head[at]] != code:
        at = (at + 1) & mask
    return w.head[at]


@kernel
def _ordered(w):
    """``path``: moving shapes by the places of their cells on the curve, eight bits at a time; those places are behind it."""
    n, size, path, rank = w.rules.moving, w.rules.cell, w.path, w.rank
    for a in range(n):
        p = POSE * a
        path[a], path[2 * n + a] = a, _code(_cell(w.place[p], size), _cell(w.place[p + 1], size), _cell(w.place[p + 2], size))
    for turn in range(4):
        source, to = n * (turn & 1), n * (1 - (turn & 1))
        for k in range(257):
            rank[k] = 0
        for c in range(source, source + n):
            rank[((path[2 * n + path[c]] >> (8 * turn)) & 255) + 1] += 1
        for k in range(256):
            rank[k + 1] += rank[k]
        for c in range(source, source + n):
            k = (path[2 * n + path[c]] >> (8 * turn)) & 255
            path[to + rank[k]] = path[c]
            rank[k] += 1


@kernel
def _lined(w, length):
    """The line of small shapes, where its cells begin, and ``path`` with the middle and the reach of each in ``lined``.

    ``packed`` has of each in the line its middle and how far it may reach: two may touch if they are nearer than the sum of both.
    """
    n, path, mask, count = w.rules.moving, w.path, w.head.size - 1, 0
    for k in range(w.head.size):
        w.head[k] = -1
    for c in range(n):
        a = path[c]
        if w.large[a] != 0:
            continue
        p, o, code = POSE * a, 4 * count, path[2 * n + a]
        w.member[count], w.key[count] = a, code
        w.packed[o], w.packed[o + 1], w.packed[o + 2] = w.place[p], w.place[p + 1], w.place[p + 2]
        w.packed[o + 3] = _extent(w, a, length * w.stray[w.body[a]])
        if count == 0 or w.key[count - 1] != code:
            at = _slot(code, mask)
            while w.head[at] >= 0:
                at = (at + 1) & mask
            w.head[at] = count
        count += 1
    w.rank[LENGTH], w.rank[WHERE] = count, -1
    for c in range(n):
        if n <= FEW:
            path[c] = c
        a, o = path[c], 4 * c
        p = POSE * a
        w.lined[o], w.lined[o + 1], w.lined[o + 2] = w.place[p], w.place[p + 1], w.place[p + 2]
        w.lined[o + 3] = _extent(w, a, length * w.speed[w.body[a]]) + 0.5 * MARGIN * w.scale[a]


@inline
def _fast(w, a, length):
    return 2.0 * length * w.stray[w.body[a]] > w.rules.reach


@kernel
def _begins(w, i, j, k, code):
    """Where the cell (i, j, k) and the 13 after it (4 in the plane) begin and end in the line; kept for the next shape in it."""
    w.rank[WHERE] = code
    depth, t = 0 if w.rules.plane != 0 else 1, CELLS
    for di in range(2):
        for dj in range(-1 if di > 0 else 0, 2):
            for dk in range(-depth if di > 0 or dj > 0 else 0, depth + 1):
                here = _code(i + di, j + dj, k + dk)
                c = w.rank[t] = _first(w, here)
                while 0 <= c < w.rank[LENGTH] and w.key[c] == here:
                    c += 1
                w.rank[t + 1] = c
                t += 2


@kernel
def _beside(w, a, length, found):
    """Pairs of a slow shape with slow ones: those after it in its own cell, all in the cells after it."""
    size, p, P = w.rules.cell, POSE * a, w.packed
    x, y, z, reach = w.place[p], w.place[p + 1], w.place[p + 2], _extent(w, a, length * w.stray[w.body[a]])
    i, j, k = _cell(x, size), _cell(y, size), _cell(z, size)
    code = _code(i, j, k)
    if w.rank[WHERE] != code:
        _begins(w, i, j, k, code)
    for t in range(CELLS, CELLS + (10 if w.rules.plane != 0 else 28), 2):
        for c in range(w.rank[t], w.rank[t + 1]):
            o = 4 * np.uint32(c)
            dx, dy, dz, r = P[o] - x, P[o + 1] - y, P[o + 2] - z, P[o + 3] + reach
            if dx * dx + dy * dy + dz * dz < r * r:
                b = w.member[c]
                if (b > a or t > CELLS) and not _fast(w, b, length) and allowed(w, a, b):
                    found = _put(w, found, min(a, b), max(a, b))
    return found


@kernel
def _around(w, a, length, found):
    """Pairs of a fast shape, over all cells that it may come to, or over all shapes where these are fewer."""
    size, p, P = w.rules.cell, POSE * a, w.packed
    x, y, z, reach = w.place[p], w.place[p + 1], w.place[p + 2], _extent(w, a, length * w.stray[w.body[a]])
    far = 2.0 * length * w.stray[w.body[a]] + size + MARGIN * w.scale[a]  # size: more than twice the largest bound
    wide, count = 2.0 * far / size + 1.0, w.rank[LENGTH]
    # all shapes, also where that is no number, or cells so far apart that they share places on the curve
    few = not (wide < 1000.0 and wide * wide * (1.0 if w.rules.plane != 0 else wide) < w.rules.moving)
    low, high = _cell(z - far, size), _cell(z + far, size)
    if w.rules.plane != 0:
        low = high = _cell(z, size)
    for i in range(0 if few else _cell(x - far, size), 1 if few else _cell(x + far, size) + 1):
        for j in range(0 if few else _cell(y - far, size), 1 if few else _cell(y + far, size) + 1):
            for k in range(0 if few else low, 1 if few else high + 1):
                code = _code(i, j, k)
                c = 0 if few else _first(w, code)
                while 0 <= c < count and (few or w.key[c] == code):
                    o = 4 * np.uint32(c)
                    dx, dy, dz, r = P[o] - x, P[o + 1] - y, P[o + 2] - z, P[o + 3] + reach
                    if dx * dx + dy * dy + dz * dz < r * r:
                        b = w.member[c]
                        if _finds(w, a, b, length) and allowed(w, a, b):
                            found = _put(w, found, min(a, b), max(a, b))
                    c += 1
    return found


@inline
def _finds(w, a, b, length):
    """Whether the fast shape a is to find b: a slow one, or one that is less fast."""
    s, t = w.stray[w.body[a]], w.stray[w.body[b]]
    return b != a and (not _fast(w, b, length) or t < s or (t == s and b > a))


@kernel
def pairs(w, length):
    """Fill w.pair; the number of pairs is returned, also where there is no room for all."""
    speeds(w)
    _ordered(w)
    _lined(w, length)
    found = 0
    for c in range(w.rules.moving):
        a = w.path[c]
        if w.large[a] == 0:
            found = _around(w, a, length, found) if _fast(w, a, length) else _beside(w, a, length, found)
    for c in range(w.broad.size):
        found = _large(w, w.broad[c], length * w.speed[w.body[w.broad[c]]], found)
    return found


@kernel
def _large(w, b, way, found):
    """Pairs of shape b, which is large or stands still and goes so far, with all moving ones."""
    moving, s, q, P = w.rules.moving, w.place, POSE * b, w.lined
    if w.kind[b] != BOX and w.kind[b] != PLATE:
        for c in range(moving):
            a = w.path[c]
            if a != b and (w.large[a] == 0 or a > b or b >= moving) and _near(w, a, b, P[4 * c + 3] + way) and allowed(w, a, b):
                found = _put(w, found, a, b)
        return found
    x, y, z, h0, h1, h2 = s[q], s[q + 1], s[q + 2], w.size[3 * b], w.size[3 * b + 1], w.size[3 * b + 2]
    r0, r1, r2, r3, r4, r5, r6, r7, r8 = (s[q + 3], s[q + 4], s[q + 5], s[q + 6], s[q + 7], s[q + 8], s[q + 9], s[q + 10],
                                          s[q + 11])
    for c in range(moving):
        o = 4 * np.uint32(c)
        dx, dy, dz, reach = P[o] - x, P[o + 1] - y, P[o + 2] - z, P[o + 3] + way
        t1 = math.fabs(r1 * dx + r4 * dy + r7 * dz) - h1
        t0 = math.fabs(r0 * dx + r3 * dy + r6 * dz) - h0
        t2 = math.fabs(r2 * dx + r5 * dy + r8 * dz) - h2
        if max(max(t0, t1), t2) < reach:
            a = w.path[c]
            t0, t1, t2 = max(t0, 0.0), max(t1, 0.0), max(t2, 0.0)
            if (a != b and (w.large[a] == 0 or a > b or b >= moving) and t0 * t0 + t1 * t1 + t2 * t2 < reach * reach
                    and allowed(w, a, b)):
                found = _put(w, found, a, b)
    return found
