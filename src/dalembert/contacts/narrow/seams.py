"""Seams: what slides over shapes that lie flush must not catch on their edges.

Gaps are right to the slop σ (manifolds.py).  A box that lies σ or less below the level of the next tile is parted from it by the
tile's top as well as by its side, which it approaches.  Two convex shapes are apart where *any* direction parts them, so

    of one shape two faces part them (separations s₁ ≥ s₂, |s₂| ≤ σ, normals more than SINE apart)     they are open: at an edge
    a face of each (|s| ≤ σ, normals more than SINE apart)         corner on corner: the face of the steadier shape is the normal

The second choice is the same from step to step, for it asks for masses only.  What is round is never flush with a face but at one
point, and rolls off a real edge with normals that turn from the very beginning: of it only hidden points are left out,

    p on shape T, normal n;  p is in another shape N of the same body, and N reaches above p along n

For then the distance from the centre of the rounding falls along the way in N from p on: p is not the nearest point of both.
Where N misses p by ε ≤ σ, its edge is nearer than p if ε < 2 d, d = r sin ∠ from p to the centre's foot.
Where all points are hidden, what is over the nearest face of T is taken instead, or nothing.
``w.beside`` lists for every shape those of its body that touch it (contacts/hulls.py).
"""

import math

from dalembert._jit import inline, kernel
from dalembert.contacts.narrow.cores import farthest, outward
from dalembert.contacts.narrow.patches import along_axis
from dalembert.contacts.tables import CYLINDER, POSE, SPHERE

SINE = 1e-2  # squared: 6°.  A polygon that rolls is flush within 2.3° (1 − cos of it is 2σ/size): that is no edge
WIDER = 1.0 + 1e-6  # of the slop: points that lie at it are not pushed (begin.py)
INSIDE = 1e-13  # of the sizes: neighbours reach at least so far above a hidden point


@inline
def slop(w, a, b):
    """What a gap of two shapes may miss zero by."""
    return WIDER * w.rules.lie * min(w.scale[a], w.scale[b])


@inline
def first_is_steadier(w, a, b):
    """Whether shape a belongs to the heavier body, or to what stands still."""
    return w.inverse_mass[w.body[a]] <= w.inverse_mass[w.body[b]]


@kernel
def bend(w, k, nx, ny, nz):
    """By how much shape k is round where its normal is n: the point stays below its core (contacts/motion.py)."""
    if w.kind[k] == CYLINDER:
        return w.size[3 * k] if abs(along_axis(w, k, nx, ny, nz)) < 1e-3 else 0.0
    return w.round[k]


@kernel
def parts(w, k, f, other, a):
    """Separation of shape k from the other by its face f; the normal is left in w.spare[0:3]."""
    t = w.spare
    outward(w, k, f, t, 0)
    x, y, z = t[0], t[1], t[2]
    if w.kind[k] == CYLINDER:  # a corner of its rim
        high = (w.place[POSE * k] - w.place[POSE * a]) * x + (w.place[POSE * k + 1] - w.place[POSE * a + 1]) * y + (
            w.place[POSE * k + 2] - w.place[POSE * a + 2]) * z + w.size[3 * k + 1]
    else:
        high = farthest(w, k, a, x, y, z, t, 3)
    return -farthest(w, other, a, -x, -y, -z, t, 3) - high


@kernel
def at_edge(w, k, other, a, face, tolerance):
    """Whether two faces of shape k, ``face`` being the one that parts it best from the other, do so within the tolerance."""
    t = w.spare
    outward(w, k, face, t, 0)
    nx, ny, nz = t[0], t[1], t[2]
    first = w.hull[4 * k + 2]
    for f in range(first, first + w.hull[4 * k + 3]):
        if f != face and abs(parts(w, k, f, other, a)) <= tolerance:
            c = t[0] * nx + t[1] * ny + t[2] * nz
            if 1.0 - c * c > SINE:
                return True
    return False


@kernel
def _covers(w, k, x, y, z, nx, ny, nz, radius, tolerance):
    """Whether shape k hides the point of a rounding: it is in k, or beside it by less than the centre's foot, and k rises."""
    t, p, beside = w.spare, POSE * k, 0.0
    x, y, z = x - w.place[p], y - w.place[p + 1], z - w.place[p + 2]
    first = w.hull[4 * k + 2]
    for f in range(first, first + w.hull[4 * k + 3]):
        outward(w, k, f, t, 0)
        beside = max(beside, t[0] * x + t[1] * y + t[2] * z - farthest(w, k, k, t[0], t[1], t[2], t, 3))
        if beside > tolerance:
            return False
    rise = farthest(w, k, k, nx, ny, nz, t, 3) - nx * x - ny * y - nz * z
    if rise <= INSIDE * w.bound[k]:
        return False
    length = math.sqrt((t[3] - x) ** 2 + (t[4] - y) ** 2 + (t[5] - z) ** 2)
    return 2.0 * radius * rise > beside * length


@kernel
def hidden(w, a, b, count):
    """Whose neighbours hide all points just found of a and b, the other being round there: 1: of a, 2: of b, 0: nobody's."""
    nx, ny, nz = w.toward[0], w.toward[1], w.toward[2]
    for side in range(2):
        k, other = (a, b) if side == 0 else (b, a)
        first, end = w.beside_at[k], w.beside_at[k + 1]
        if first == end:
            continue
        radius = w.size[3 * other] if w.kind[other] == SPHERE else bend(w, other, nx, ny, nz)
        if radius == 0.0:
            continue
        sign, tolerance = 1.0 if side == 0 else -1.0, slop(w, a, b)
        every = True
        for c in range(count):
            o, found = 5 * c, False
            half = 0.5 * sign * w.found[o + 3]
            for i in range(first, end):
                if _covers(w, w.beside[i], w.found[o] - half * nx, w.found[o + 1] - half * ny, w.found[o + 2] - half * nz,
                           sign * nx, sign * ny, sign * nz, radius, tolerance):
                    found = True
                    break
            if not found:
                every = False
                break
        if every:
            return 1 + side
    return 0
