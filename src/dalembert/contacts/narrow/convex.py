"""Any two convex shapes: one routine for all pairs of cores that have none of their own.

    apart        n and distance by distance.py; the gap is the distance of the cores less both roundings
    overlapping  the smallest depth over the normals of all faces of both; in space also over all other directions (depth.py),
                 which must win by some of the slop (preferred.py), or normals of what lies flat would flicker.  In the plane
                 the normals of edges are all there are: the edges of a − b are those of a and of b

Where a face's normal parts them as well as the one found (to rounding), it is taken instead: exact, and the same from step to
step.
Then the manifold (patches.py): from that face, or one that an edge lies across, from two parallel lines, or else one point
between the witnesses.  The
least gap among the points is the gap: where cutting has lost the nearest point, it is put back.
At seams of what lies flush another face parts them to the slop: seams.py.
"""

import math

from dalembert._jit import kernel
from dalembert.contacts.narrow.cores import difference, farthest, outward
from dalembert.contacts.narrow.depth import depth
from dalembert.contacts.narrow.distance import distance
from dalembert.contacts.narrow.patches import cut, face_loop, facing, keep_few, line
from dalembert.contacts.narrow.preferred import preferred
from dalembert.contacts.narrow.seams import SINE, at_edge, first_is_steadier, hidden, parts, slop
from dalembert.contacts.tables import MOST, PLATE, POLYGON, POSE


@kernel
def _faces(w, k, other, a, sign, nx, ny, nz, close):
    """The face of shape k with the largest separation from the other core: (separation, face).  close: only those along ± n."""
    best, face = -1e300, -1
    first = w.hull[4 * k + 2]
    t = w.spare
    for f in range(first, first + w.hull[4 * k + 3]):
        outward(w, k, f, t, 0)
        x, y, z = t[0], t[1], t[2]
        if close > 0.0 and sign * (x * nx + y * ny + z * nz) < close:
            continue
        gap = parts(w, k, f, other, a)
        if gap > best:
            best, face = gap, f
    return best, face


@kernel
def _put(w, count, x, y, z, gap):
    """A point of the list (x, y, z on the reference side's core, core gap)."""
    P = w.points
    if 4 * count + 3 < P.size:
        P[4 * count], P[4 * count + 1], P[4 * count + 2], P[4 * count + 3] = x, y, z, gap
        return count + 1
    return count


@kernel
def convex(w, a, b, margin):
    """Shapes a and b; see dispatch.py."""
    ra, rb = w.round[a], w.round[b]
    reach = margin + ra + rb
    size = w.bound[a] + w.bound[b]
    of_a, of_any, parallel, near = preferred(w, a, b)
    flat = w.kind[a] in (PLATE, POLYGON) or w.kind[b] in (PLATE, POLYGON)
    s = distance(w, a, b, reach)
    if s > reach:
        return 0
    witness, N = w.witness, w.toward
    ref, face = 0, -1
    if s > 0.0:
        nx, ny, nz = -witness[0] / s, -witness[1] / s, -witness[2] / s
        slack = 1e-12 * s + 2e-14 * size
        close = 1.0 - 1e-4
        parted = -difference(w, a, b, nx, ny, nz, w.spare, 0)  # by this direction: a lower bound
    else:
        nx, ny, nz = 1.0, 0.0, 0.0
        slack, close, parted = of_any, -1.0, 0.0
    sa, fa = _faces(w, a, b, a, 1.0, nx, ny, nz, close)
    sb, fb = _faces(w, b, a, a, -1.0, nx, ny, nz, close)
    apart = s > 0.0
    if not apart:
        if flat:
            s = max(sa, sb)
        else:
            depth(w, a, b)
            s, nx, ny, nz = -w.least[0], w.least[1], w.least[2], w.least[3]
        parted = s
    elif not flat and max(sa, sb) < parted - slack and parted < s - 1e-11 * size:
        for e in range(9):  # thin simplices have spoilt the direction, not the distance
            w.spare[32 + e] = witness[e]
        depth(w, a, b)
        for e in range(9):
            witness[e] = w.spare[32 + e]
        if -w.least[0] > parted:
            parted, nx, ny, nz = -w.least[0], w.least[1], w.least[2], w.least[3]
    if fa >= 0 and sa >= parted - slack and sa >= sb - of_a:
        ref, face = 1, fa
    elif fb >= 0 and sb >= parted - slack:
        ref, face = 2, fb
    elif fa >= 0 and sa >= parted - slack:
        ref, face = 1, fa
    if ref == 1:
        outward(w, a, face, N, 0)
        s = sa
    elif ref == 2:
        outward(w, b, face, N, 0)
        N[0], N[1], N[2] = -N[0], -N[1], -N[2]
        s = sb
    else:
        if flat and not apart and fa < 0 and fb < 0:  # two points at one place
            s, nx, ny, nz = 0.0, 1.0, 0.0, 0.0
        t = math.sqrt(nx * nx + ny * ny + nz * nz)
        N[0], N[1], N[2] = nx / t, ny / t, nz / t
    if s > reach:
        return 0
    if ra + rb == 0.0:
        seam, k = _seam(w, a, b, ref, apart, sa, fa, sb, fb)
        if seam < 0:
            return 0
        if seam > 0:
            return _over(w, a, b, seam, k, reach, size, near)
    count = _across(w, a, b, s, reach, apart, size, of_any, parallel, near) if ref == 0 and not flat else 0
    if count == 0:
        count = _manifold(w, a, b, ref, face, s, reach, apart, size, near)
    count = _told(w, a, b, count, ra, rb)
    seam = hidden(w, a, b, count) if count > 0 else 0
    if seam > 0:
        k, other = (a, b) if seam == 1 else (b, a)
        s, face = _faces(w, k, other, a, 1.0, nx, ny, nz, -1.0)
        return _over(w, a, b, seam, face, reach, size, near) if face >= 0 else 0
    return count


@kernel
def _over(w, a, b, ref, face, reach, size, near):
    """Points over a face of a (ref 1) or b (2), and nothing beside it."""
    N = w.toward
    outward(w, a if ref == 1 else b, face, N, 0)
    if ref == 2:
        N[0], N[1], N[2] = -N[0], -N[1], -N[2]
    return _told(w, a, b, _manifold(w, a, b, ref, face, 1e300, reach, False, size, near), w.round[a], w.round[b])


@kernel
def _seam(w, a, b, ref, apart, sa, fa, sb, fb):
    """Which shape's face is the normal instead (1: of a, 2: of b), and that face; 0: as it is, −1: they are open (seams.py)."""
    nx, ny, nz = w.toward[0], w.toward[1], w.toward[2]
    flush = slop(w, a, b)
    if apart:  # only faces along n were looked at
        sa, fa = _faces(w, a, b, a, 1.0, nx, ny, nz, -1.0)
        sb, fb = _faces(w, b, a, a, -1.0, nx, ny, nz, -1.0)
    if (sa >= -flush and at_edge(w, a, b, a, fa, flush)) or (sb >= -flush and at_edge(w, b, a, a, fb, flush)):
        return -1, -1
    steady = 1 if first_is_steadier(w, a, b) else 2
    k, face = (a, fa) if steady == 1 else (b, fb)
    if ref != steady and abs(sa if steady == 1 else sb) <= flush:
        t = w.spare
        outward(w, k, face, t, 0)
        c = t[0] * nx + t[1] * ny + t[2] * nz
        if 1.0 - c * c > SINE:
            return steady, face
    return 0, -1


@kernel
def _along(w, k, nx, ny, nz):
    """The face of shape k that looks most along n, and the cosine; −1 where it has none."""
    best, face, t = -1.0, -1, w.spare
    for f in range(w.hull[4 * k + 2], w.hull[4 * k + 2] + w.hull[4 * k + 3]):
        outward(w, k, f, t, 0)
        c = t[0] * nx + t[1] * ny + t[2] * nz
        if c > best:
            best, face = c, f
    return face, best


@kernel
def _across(w, a, b, s, reach, apart, size, slack, parallel, near):
    """An edge that lies across a face of the other: the points of that face, if two of them are there; else 0 (boxes.py)."""
    N = w.toward
    nx, ny, nz = N[0], N[1], N[2]
    fa, ca = _along(w, a, nx, ny, nz)
    fb, cb = _along(w, b, -nx, -ny, -nz)
    c = max(ca, cb)
    if c <= 0.0 or 1.0 - c * c > parallel * parallel:
        return 0
    ref = 1 if ca >= cb else 2
    outward(w, a if ref == 1 else b, fa if ref == 1 else fb, N, 0)
    if ref == 2:
        N[0], N[1], N[2] = -N[0], -N[1], -N[2]
    count, low, there = _manifold(w, a, b, ref, fa if ref == 1 else fb, 1e300, reach, apart, size, near), 1e300, 0
    for v in range(count):
        low = min(low, w.points[4 * v + 3])
        if w.points[4 * v + 3] <= s + slack:
            there += 1
    if there > 1 and low >= s - slack:
        return count
    N[0], N[1], N[2] = nx, ny, nz
    return 0


@kernel
def _manifold(w, a, b, ref, face, s, reach, apart, size, near):
    """Points of the manifold into w.points: on core a, and core gaps.  near: of the deepest, others are there too."""
    nx, ny, nz = w.toward[0], w.toward[1], w.toward[2]
    L, third, count, low = w.loops, w.loops.size // 9 * 3, 0, 1e300
    n, m = 0, 0
    if ref == 1:
        m, n = face_loop(w, a, face, a, 0), facing(w, b, a, -nx, -ny, -nz, third)
        n = cut(w, m, third, n, nx, ny, nz)
    elif ref == 2:
        m, n = face_loop(w, b, face, a, 0), facing(w, a, a, nx, ny, nz, third)
        n = cut(w, m, third, n, -nx, -ny, -nz)
    else:
        m = line(w, a, a, nx, ny, nz, 0)
        n = line(w, b, a, -nx, -ny, -nz, third) if m == 2 else 0
        n = cut(w, 2, third, n, nx, ny, nz) if n == 2 and _parallel(L, third) else 0
    for v in range(n):
        x, y, z = L[third + 3 * v], L[third + 3 * v + 1], L[third + 3 * v + 2]
        if ref == 0 or m == 2:  # where the reference line is opposite
            ex, ey, ez = L[3] - L[0], L[4] - L[1], L[5] - L[2]
            t = ((x - L[0]) * ex + (y - L[1]) * ey + (z - L[2]) * ez) / (ex * ex + ey * ey + ez * ez)
            fx, fy, fz = x - L[0] - t * ex, y - L[1] - t * ey, z - L[2] - t * ez
            gap = fx * nx + fy * ny + fz * nz
            if ref == 0:  # lines that are not quite parallel pass each other sideways; |f|² − gap² has a root of rounding
                fx, fy, fz = fx - gap * nx, fy - gap * ny, fz - gap * nz
                aside = math.sqrt(fx * fx + fy * fy + fz * fz)
                gap = math.sqrt(gap * gap + aside * aside) if apart else gap + aside
        else:
            gap = (x - L[0]) * nx + (y - L[1]) * ny + (z - L[2]) * nz
        if ref == 2:
            gap = -gap
        if gap <= reach:
            low = min(low, gap)
            back = 0.0 if ref == 2 else gap
            count = _put(w, count, x - back * nx, y - back * ny, z - back * nz, gap)
    if n > 1 and m == 2 and count == 2 and _one_place(w.points, size):
        count = 1
    lines = ref == 0 and count > 0 and not apart
    alike, _, _, _ = preferred(w, a, b)
    if lines and s < low <= s + alike:  # n is known to √(rounding): a third point beside two would be a spring too many (soft.py)
        for v in range(count):
            w.points[4 * v + 3] -= low - s
    elif low > s + 1e-12 * size:
        q, t, over = w.witness, w.spare, 0
        if ref != 0:  # the other's deepest point, if it is over the face: exact, where witnesses on a rim miss it by √(rounding)
            farthest(w, b if ref == 1 else a, a, -nx if ref == 1 else nx, -ny if ref == 1 else ny, -nz if ref == 1 else nz, t, 0)
            L[third], L[third + 1], L[third + 2] = t[0], t[1], t[2]
            turned, back = 1.0 if ref == 1 else -1.0, s if ref == 1 else 0.0
            over = cut(w, m, third, 1, turned * nx, turned * ny, turned * nz)
            if over == 1 or (count == 0 and not apart):  # or nothing else is left
                count = _put(w, count, t[0] - back * nx, t[1] - back * ny, t[2] - back * nz, s)
        if over == 0 and (ref == 0 or apart):
            x, y, z = 0.5 * (q[3] + q[6] - s * nx), 0.5 * (q[4] + q[7] - s * ny), 0.5 * (q[5] + q[8] - s * nz)
            count = _put(w, count, x, y, z, s)
    return keep_few(w.points, count, near, nx, ny, nz, w.rim)


@kernel
def _parallel(L, third):
    ex, ey, ez = L[3] - L[0], L[4] - L[1], L[5] - L[2]
    fx, fy, fz = L[third + 3] - L[third], L[third + 4] - L[third + 1], L[third + 5] - L[third + 2]
    cx, cy, cz = ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx
    return cx * cx + cy * cy + cz * cz <= 2.5e-3 * (ex * ex + ey * ey + ez * ez) * (fx * fx + fy * fy + fz * fz)


@kernel
def _one_place(P, size):
    return (P[4] - P[0]) ** 2 + (P[5] - P[1]) ** 2 + (P[6] - P[2]) ** 2 <= (1e-9 * size) ** 2


@kernel
def _told(w, a, b, count, ra, rb):
    """From points on core a with core gaps to w.found: in the middle of the gap of the surfaces."""
    nx, ny, nz = w.toward[0], w.toward[1], w.toward[2]
    P, o = w.points, POSE * a
    for v in range(min(count, MOST)):
        gap = P[4 * v + 3] - ra - rb
        t = ra + 0.5 * gap
        w.found[5 * v] = w.place[o] + P[4 * v] + t * nx
        w.found[5 * v + 1] = w.place[o + 1] + P[4 * v + 1] + t * ny
        w.found[5 * v + 2] = w.place[o + 2] + P[4 * v + 2] + t * nz
        w.found[5 * v + 3], w.found[5 * v + 4] = gap, float(v)
    return min(count, MOST)
