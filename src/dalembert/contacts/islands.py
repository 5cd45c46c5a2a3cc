"""Bodies that hang together by closed points, found by joining roots; and freezing, an economy.

An island all of whose bodies have been slower than ``still`` for ``freeze`` detections is frozen: its bodies have no inverse
mass, its points keep their impulses.  It wakes when something touches it (manifolds.py), or bears upon it.
"""

import math

from dalembert._jit import inline, kernel
from dalembert.contacts.tables import LINK, RN, ROW

BEARS = 3.0  # times its own weight, and of what counts as rest: more wakes what is frozen
BLOW = 20.0  # the same: so much in one substep is a blow, and what is frozen took it as a wall


@inline
def root(w, b):
    while w.root[b] != b:
        w.root[b] = w.root[w.root[b]]
        b = w.root[b]
    return b


@kernel
def join(w, open_too):
    """w.root[b] is the smallest body of b's island; points that carry nothing join nobody (unless ``open_too``)."""
    nb = w.rules.bodies
    for b in range(nb):
        w.root[b] = b
    first_held = -1
    for b in range(nb):
        if w.jointed[b] == 1:  # what joints hold together counts as one
            if first_held < 0:
                first_held = b
            w.root[b] = first_held
    for m in range(w.report.active):
        a, b = w.link[LINK * m], w.link[LINK * m + 1]
        if a == nb or b == nb or w.frozen[a] != 0 or w.frozen[b] != 0:  # what is frozen stands still as the ground does
            continue
        closed = open_too
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            if w.row[ROW * c + RN] > 0.0:
                closed = True
        if closed:
            a, b = root(w, a), root(w, b)
            if a != b:
                w.root[max(a, b)] = min(a, b)
    for b in range(nb):
        w.root[b] = root(w, b)


@kernel
def borne(w):
    """What is frozen and bears more than it may is marked, to be woken after this detection; a blow that it took is told.

    A neighbour of what was woken may be frozen by itself (a micrometre lies between them), and stands like a wall until then."""
    g, last = w.rules.gravity, w.rules.last
    speed = last * math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) + w.rules.still
    for m in range(w.report.active):
        a, b, first, load = w.link[LINK * m], w.link[LINK * m + 1], w.link[LINK * m + 2], 0.0
        if a == w.rules.bodies or b == w.rules.bodies or (w.frozen[a] == 0 and w.frozen[b] == 0):
            continue
        for c in range(first, first + w.link[LINK * m + 3]):
            load += w.row[ROW * c + RN]
        body = a if w.frozen[a] != 0 else b
        if load > BEARS * w.mass[body] * speed:
            w.rest[body] = -1
        if load > BLOW * w.mass[body] * speed:
            w.report.borne += 1
            if w.report.borne == 1:
                w.report.borne_a, w.report.borne_b, w.report.borne_time = w.link[LINK * m + 5], w.link[LINK * m + 6], w.rules.time


@kernel
def freeze(w):
    """Count detections at rest, and freeze islands."""
    nb = w.rules.bodies
    for b in range(nb):
        o, square = 6 * b, 0.0
        for c in range(3):
            square += w.v[o + c] ** 2 + w.radius[b] ** 2 * w.v[o + 3 + c] ** 2
        w.rest[b] = w.rest[b] + 1 if square < w.rules.still * w.rules.still else 0
    join(w, False)
    for b in range(nb):
        w.order[b] = 1 << 40
    for b in range(nb):
        if w.frozen[b] == 0:
            w.order[w.root[b]] = min(w.order[w.root[b]], w.rest[b])
    for b in range(nb):
        if w.frozen[b] == 0 and w.jointed[b] != 1 and w.order[w.root[b]] >= w.rules.freeze:
            w.frozen[b] = w.root[b] + 1
            for c in range(6):
                w.v[6 * b + c] = 0.0
                w.trend[6 * b + c] = 0.0
