"""Cores of shapes: what is left of a shape without its rounding, and its farthest points.

    shape = core ⊕ ball of radius w.round[k]:     sphere: a point          capsule: a segment
                                                   box, plate, polygon, polyhedron: their corners (rounding 0, or as given)
                                                   cylinder: itself (rounding 0)

Corners of a core, in the shape's axes, are ``w.corner[3 * i:]``, i from ``w.hull[4 * k]`` on, ``w.hull[4 * k + 1]`` of them;
faces from ``w.hull[4 * k + 2]`` on, ``w.hull[4 * k + 3]`` of them: ``w.face[2 * f:]`` (first place in ``w.loop``, corners),
``w.outward[3 * f:]`` the normal.  In the plane a face is an edge: a loop of two.  A cylinder's faces are its ends, their loops
SIDES points of the rims; its farthest points are exact.

    farthest point of a cylinder along n:  (r n_x, r n_y, 0)/√(n_x² + n_y²) ± h e_z
"""

import math

from dalembert._jit import kernel
from dalembert.contacts.tables import CYLINDER, POSE

SIDES = 16  # of the polygon that stands for an end of a cylinder where faces lie on each other


@kernel
def corner(w, k, i, o, out, at):
    """Corner i of shape k as seen from the middle of shape o, ground axes."""
    s, p, q, c = w.place, POSE * k, POSE * o, 3 * i
    x, y, z = w.corner[c], w.corner[c + 1], w.corner[c + 2]
    for e in range(3):
        r = p + 3 + 3 * e
        out[at + e] = s[p + e] - s[q + e] + s[r] * x + s[r + 1] * y + s[r + 2] * z


@kernel
def farthest(w, k, o, nx, ny, nz, out, at):
    """The farthest point of the core of shape k along n, as seen from the middle of shape o; returns n·point."""
    s, p, q = w.place, POSE * k, POSE * o
    lx = s[p + 3] * nx + s[p + 6] * ny + s[p + 9] * nz
    ly = s[p + 4] * nx + s[p + 7] * ny + s[p + 10] * nz
    lz = s[p + 5] * nx + s[p + 8] * ny + s[p + 11] * nz
    if w.kind[k] == CYLINDER:
        across = math.sqrt(lx * lx + ly * ly)
        x, y, z = 0.0, 0.0, w.size[3 * k + 1] if lz >= 0.0 else -w.size[3 * k + 1]
        if across > 1e-14 * abs(lz):
            x, y = w.size[3 * k] * lx / across, w.size[3 * k] * ly / across
    else:
        first = w.hull[4 * k]
        best, i = -1e300, first
        for c in range(first, first + w.hull[4 * k + 1]):
            t = lx * w.corner[3 * c] + ly * w.corner[3 * c + 1] + lz * w.corner[3 * c + 2]
            if t > best:
                best, i = t, c
        x, y, z = w.corner[3 * i], w.corner[3 * i + 1], w.corner[3 * i + 2]
    total = 0.0
    for e in range(3):
        r = p + 3 + 3 * e
        t = s[p + e] - s[q + e] + s[r] * x + s[r + 1] * y + s[r + 2] * z
        out[at + e] = t
        total += t * (nx if e == 0 else ny if e == 1 else nz)
    return total


@kernel
def difference(w, a, b, nx, ny, nz, out, at):
    """The farthest point of core a − core b along n: c = p − q (3 numbers), p on a, q on b; returns h(n) = n·c."""
    farthest(w, a, a, nx, ny, nz, out, at + 3)
    farthest(w, b, a, -nx, -ny, -nz, out, at + 6)
    for e in range(3):
        out[at + e] = out[at + 3 + e] - out[at + 6 + e]
    return nx * out[at] + ny * out[at + 1] + nz * out[at + 2]


@kernel
def outward(w, k, f, out, at):
    """Normal of face f of shape k in ground axes."""
    s, p = w.place, POSE * k
    x, y, z = w.outward[3 * f], w.outward[3 * f + 1], w.outward[3 * f + 2]
    for e in range(3):
        r = p + 3 + 3 * e
        out[at + e] = s[r] * x + s[r + 1] * y + s[r + 2] * z
