"""The sweeps over many states in one call, LANES states at a time; and over one state, with nothing else in the way.

Inputs are rows, one state each: q (nq), u (nv), x (nv: u̇ for inverse, τ for forward dynamics).  Results are rows as well: τ, u̇, H
(nv × nv) or the Jacobian of a point ((dim + turns) × nv, translation first, ground axes).  A last group of fewer than LANES
states is filled up with copies of its first one.
"""

import numpy as np

from dalembert._jit import LANES, bundle, dispatch, entry, get, inline, kernel, put, struct

from .passes import forward, inverse, matrix, positions
from .spatial import add, axes, moment, rotate, sub, vec
from .tables import PRISMATIC, SCREW, Motion, PlanarTree, SpatialTree

Batch = struct("Batch", {"count": "i8", "q": "f8", "u": "f8", "x": "f8", "out": "f8", "target": "i8", "point": "f8"})


TILE = 8  # entries moved together: both sides of the move stay within a few cache lines


@kernel
def deal(source, start, count, width, target):
    """LANES rows of ``source`` from row ``start``, interleaved."""
    for first in range(0, width, TILE):
        for l in range(LANES):
            row = start + l if start + l < count else start
            for k in range(first, min(first + TILE, width)):
                target[LANES * k + l] = source[row * width + k]


@kernel
def collect(source, start, count, width, out):
    for first in range(0, width, TILE):
        for l in range(min(LANES, count - start)):
            for k in range(first, min(first + TILE, width)):
                out[(start + l) * width + k] = source[LANES * k + l]


@kernel
def inverse_batch(T, X, B):
    count = B.count[0]
    nq, nv = X.q.size // LANES, X.u.size // LANES
    for start in range(0, count, LANES):
        deal(B.q, start, count, nq, X.q)
        deal(B.u, start, count, nv, X.u)
        deal(B.x, start, count, nv, X.udot)
        inverse(T, bundle(), X)
        collect(X.tau, start, count, nv, B.out)
    return 0


@kernel
def forward_batch(T, X, B):
    count = B.count[0]
    nq, nv = X.q.size // LANES, X.u.size // LANES
    for start in range(0, count, LANES):
        deal(B.q, start, count, nq, X.q)
        deal(B.u, start, count, nv, X.u)
        deal(B.x, start, count, nv, X.tau)
        forward(T, bundle(), X)
        collect(X.udot, start, count, nv, B.out)
    return 0


@kernel
def matrix_batch(T, X, B):
    count = B.count[0]
    nq, nv = X.q.size // LANES, X.u.size // LANES
    for start in range(0, count, LANES):
        deal(B.q, start, count, nq, X.q)
        matrix(T, bundle(), X, nv)
        collect(X.H, start, count, nv * nv, B.out)
    return 0


@kernel
def jacobian_batch(T, X, B):
    count = B.count[0]
    nq, nv = X.q.size // LANES, X.u.size // LANES
    size = X.acc.size // LANES // T.links.size * nv
    for start in range(0, count, LANES):
        deal(B.q, start, count, nq, X.q)
        positions(T, bundle(), X)
        jacobian(T, bundle(), X, B, nv)
        collect(X.H, start, count, size, B.out)
    return 0


@kernel
def inverse_one(T, X, B):
    inverse(T, 1.0, X)
    return 0


@kernel
def forward_one(T, X, B):
    forward(T, 1.0, X)
    return 0


@kernel
def matrix_one(T, X, B):
    matrix(T, 1.0, X, X.u.size)
    return 0


@kernel
def jacobian_one(T, X, B):
    positions(T, 1.0, X)
    jacobian(T, 1.0, X, B, X.u.size)
    return 0


@kernel
def jacobian(T, one, X, B, nv):
    """Velocity of the point B.point of link B.target, and its angular velocity, per unit of each speed (into H)."""
    rows = X.H.size // X.u.size if nv > 0 else 0
    for k in range(rows * nv):
        put(one, X.H, k, 0.0)
    fill(T, one, X, B, nv)


@inline
def fill2(T, one, X, B, nv):
    target = B.target[0]
    c, s = get(one, X.pose, 4 * target + 2), get(one, X.pose, 4 * target + 3)
    x = get(one, X.pose, 4 * target) + c * B.point[0] - s * B.point[1]
    y = get(one, X.pose, 4 * target + 1) + s * B.point[0] + c * B.point[1]
    k = target
    while k != 0:
        link = T.links[k]
        v = np.int64(link.v)
        if link.speeds == 1:
            if link.kind == PRISMATIC:
                put(one, X.H, v, get(one, X.axis, 3 * v))
                put(one, X.H, nv + v, get(one, X.axis, 3 * v + 1))
            else:
                put(one, X.H, v, -link.sign * (y - get(one, X.pose, 4 * k + 1)))
                put(one, X.H, nv + v, link.sign * (x - get(one, X.pose, 4 * k)))
                put(one, X.H, 2 * nv + v, 0.0 * x + link.sign)
        k = np.int64(link.parent)


@inline
def fill3(T, one, X, B, nv):
    target = B.target[0]
    r = add(vec(one, X.pose, 12 * target), rotate(axes(one, X, target), (B.point[0], B.point[1], B.point[2])))
    k = target
    while k != 0:
        link = T.links[k]
        arm = sub(r, vec(one, X.pose, 12 * k))
        for i in range(link.speeds):
            v = np.int64(link.v) + i
            a = vec(one, X.axis, 3 * v)
            if link.kind == PRISMATIC:
                put(one, X.H, v, a[0])
                put(one, X.H, nv + v, a[1])
                put(one, X.H, 2 * nv + v, a[2])
                continue
            t = moment(a, arm)
            lead = link.lead if link.kind == SCREW else 0.0
            put(one, X.H, v, t[0] + lead * a[0])
            put(one, X.H, nv + v, t[1] + lead * a[1])
            put(one, X.H, 2 * nv + v, t[2] + lead * a[2])
            put(one, X.H, 3 * nv + v, a[0])
            put(one, X.H, 4 * nv + v, a[1])
            put(one, X.H, 5 * nv + v, a[2])
        k = np.int64(link.parent)


fill = dispatch(fill2, fill3)

ENTRIES = {}
for _dim, _group, _tree in ((2, "planar_robotics", PlanarTree), (3, "spatial_robotics", SpatialTree)):
    for _function in (inverse_one, forward_one, matrix_one, jacobian_one, inverse_batch, forward_batch, matrix_batch,
            jacobian_batch):
        _name = getattr(_function, "py_func", _function).__name__
        ENTRIES[_dim, _name] = entry(_group, _name, _function, _tree, Motion, Batch, module=__name__)
