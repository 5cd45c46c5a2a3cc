"""Where a feature touches and how that place moves.

The point c of body b, rounded by r, against the core of body a, rounded by s.  With the core's nearest part and w = c − (a point
of it), the normal n from a to b, P the place on b's surface:

    gap = ℓ − r − s                          ℓ: distance of c from that part along n (a face: signed)
    P = c − r n,   Ṗ = ċ − r ṅ
    ṅ = ω_a × n + Π (ċ − V_a(c)) / ℓ          Π = 0 (face), I − n nᵀ − e eᵀ (edge along e), I − n nᵀ (point)
    u = V_b(P) − V_a(P),   gap˙ = n·u
    u̇ = C v̇ + β,   β = ω_b × (Ṗ − ẋ_b) − ω_a × (Ṗ − ẋ_a),   gap¨ = n·u̇ + ṅ·u

The rim of a cylinder, of radius r about c, axis a, against a half-space: its lowest point is below c along m, not n,

    gap = ℓ − r s,  s = |p|,  p = n − (n·a) a,  m = p/s,   P = c − r m,   ṁ = (ṗ − m m·ṗ)/s,  ȧ = ω_b × a

As the rim's tangent at P is across n, gap˙ = n·u holds here too.  Flat on its end (s = 0) there is no lowest point: ``margin`` is
s less a millionth, and the machine refuses what comes to lie flat.

Sharp points (r + s = 0) may be under a face: gap is the largest of the faces' and ``margin`` how far the nearest other face is
away, which is where the point slides off the end.  Once closed, the face stays that of closing.
"""

import math

from dalembert._jit import inline, kernel
from dalembert.contacts.events.tables import (
    BLOCK,
    BODIES,
    CORE,
    CORE_AT,
    CORE_KIND,
    CORE_N,
    FACE,
    FACES,
    FEATURES,
    FORCE,
    GAP,
    GEO,
    HALF,
    LINK,
    MARGIN,
    MODE,
    N_DOT,
    OPEN,
    P_DOT,
    PLANE,
    POINT,
    REAL,
    RIM,
    ROUND_A,
    ROUND_B,
    SEGMENT,
    SOLID,
    A,
    B,
    N,
    P,
    U,
)
from dalembert.elements.bodies import planar, spatial

FAR = 1e30
FLAT = 1e-6  # of a right angle: an end of a cylinder lies flat
LEVEL = 1e-12  # of the distance: faces in one plane are level with each other


@kernel
def place(w):
    """Poses and twists of all bodies, ground axes, from q and v."""
    for b in range(w.size[BODIES]):
        o, k = 6 * b, 9 * b
        if w.size[PLANE] != 0:
            i, j = planar.at_q(w, b), planar.at_v(w, b)
            c, s = math.cos(w.q[i + 2]), math.sin(w.q[i + 2])
            w.x[3 * b], w.x[3 * b + 1] = w.q[i], w.q[i + 1]
            w.R[k], w.R[k + 1], w.R[k + 3], w.R[k + 4], w.R[k + 8] = c, -s, s, c, 1.0
            w.twist[o], w.twist[o + 1], w.twist[o + 5] = w.v[j], w.v[j + 1], w.v[j + 2]
            continue
        i, j = spatial.at_q(w, b), spatial.at_v(w, b)
        a, x, y, z = w.q[i + 3], w.q[i + 4], w.q[i + 5], w.q[i + 6]
        w.R[k], w.R[k + 1], w.R[k + 2] = 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - a * z), 2.0 * (x * z + a * y)
        w.R[k + 3], w.R[k + 4], w.R[k + 5] = 2.0 * (x * y + a * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - a * x)
        w.R[k + 6], w.R[k + 7], w.R[k + 8] = 2.0 * (x * z - a * y), 2.0 * (y * z + a * x), 1.0 - 2.0 * (x * x + y * y)
        for c in range(3):
            w.x[3 * b + c] = w.q[i + c]
            w.twist[o + c] = w.v[j + c]
            w.twist[o + 3 + c] = (w.R[k + 3 * c] * w.v[j + 3] + w.R[k + 3 * c + 1] * w.v[j + 4]
                                  + w.R[k + 3 * c + 2] * w.v[j + 5])


@inline
def turned(w, b, x, y, z):
    k = 9 * b
    return (w.R[k] * x + w.R[k + 1] * y + w.R[k + 2] * z, w.R[k + 3] * x + w.R[k + 4] * y + w.R[k + 5] * z,
            w.R[k + 6] * x + w.R[k + 7] * y + w.R[k + 8] * z)


@inline
def back(w, b, x, y, z):
    k = 9 * b
    return (w.R[k] * x + w.R[k + 3] * y + w.R[k + 6] * z, w.R[k + 1] * x + w.R[k + 4] * y + w.R[k + 7] * z,
            w.R[k + 2] * x + w.R[k + 5] * y + w.R[k + 8] * z)


@inline
def velocity(w, b, x, y, z):
    """Of the point (ground coordinates) that rides on body b."""
    o, k = 6 * b, 3 * b
    rx, ry, rz = x - w.x[k], y - w.x[k + 1], z - w.x[k + 2]
    ox, oy, oz = w.twist[o + 3], w.twist[o + 4], w.twist[o + 5]
    return (w.twist[o] + oy * rz - oz * ry, w.twist[o + 1] + oz * rx - ox * rz, w.twist[o + 2] + ox * ry - oy * rx)


@inline
def over(w, row, x, y, z):
    """Height of a point (axes of a) over a face."""
    c = CORE * row
    return (w.core[c] * (x - w.core[c + 3]) + w.core[c + 1] * (y - w.core[c + 4]) + w.core[c + 2] * (z - w.core[c + 5]))


@kernel
def faced(w, f, x, y, z, sharp):
    """The nearest part of a polygon: normal, distance, its rank (0 face, 2 corner), margin, the face."""
    k = LINK * f
    first, count = w.link[k + CORE_AT], w.link[k + CORE_N]
    best, height = first, -FAR
    for i in range(first, first + count):
        h = over(w, i, x, y, z)
        if h > height:
            best, height = i, h
    if w.link[k + MODE] != OPEN and sharp:
        best = first + w.link[k + FACE]
        height = over(w, best, x, y, z)
    margin = FAR
    if sharp:
        for i in range(first, first + count):
            if i != best:
                margin = min(margin, -over(w, i, x, y, z))
        c = CORE * best
        return w.core[c], w.core[c + 1], w.core[c + 2], height, 0, margin, best - first
    c = CORE * best
    ex, ey = w.core[c + 6] - w.core[c + 3], w.core[c + 7] - w.core[c + 4]
    along = ((x - w.core[c + 3]) * ex + (y - w.core[c + 4]) * ey) / (ex * ex + ey * ey)
    if along < 0.0 or along > 1.0:
        o = c + (3 if along < 0.0 else 6)
        dx, dy, dz = x - w.core[o], y - w.core[o + 1], z - w.core[o + 2]
        far = math.sqrt(dx * dx + dy * dy + dz * dz)
        if far > 0.0:
            return dx / far, dy / far, dz / far, far, 2, FAR, best - first
    return w.core[c], w.core[c + 1], w.core[c + 2], height, 0, FAR, best - first


@kernel
def solid(w, f, x, y, z):
    """The nearest part of a polyhedron: n, ℓ, rank of Π, e of an edge.

    Outside, the foot on a face is a point of the body where it is below all other faces, for the body is convex; no such face:
    the nearest of all edges.  Inside: the face of least depth.
    """
    k = LINK * f
    first, last = w.link[k + CORE_AT], w.link[k + CORE_AT] + w.link[k + CORE_N]
    top, height = first, -FAR
    best, square = -1, FAR
    for i in range(first, last):
        c = CORE * i
        if w.core[c + 8] == 0.0:
            h = over(w, i, x, y, z)
            if h > height:
                top, height = i, h
            if h > 0.0 and h * h < square and _highest(w, first, last, i, x - h * w.core[c], y - h * w.core[c + 1],
                                                       z - h * w.core[c + 2]) <= LEVEL * h:
                best, square = i, h * h
    c = CORE * (best if best >= 0 else top)
    nx, ny, nz, far, rank, gx, gy, gz = w.core[c], w.core[c + 1], w.core[c + 2], over(w, c // CORE, x, y, z), 0, 0.0, 0.0, 0.0
    if best >= 0 or height <= 0.0:
        return nx, ny, nz, far, rank, gx, gy, gz
    for i in range(first, last):
        c = CORE * i
        if w.core[c + 8] == 0.0:
            continue
        ex, ey, ez = w.core[c + 3] - w.core[c], w.core[c + 4] - w.core[c + 1], w.core[c + 5] - w.core[c + 2]
        dx, dy, dz = x - w.core[c], y - w.core[c + 1], z - w.core[c + 2]
        along = (dx * ex + dy * ey + dz * ez) / (ex * ex + ey * ey + ez * ez)
        inside = 0.0 < along < 1.0
        along = min(max(along, 0.0), 1.0)
        dx, dy, dz = dx - along * ex, dy - along * ey, dz - along * ez
        d = dx * dx + dy * dy + dz * dz
        if d < square:
            square, far = d, math.sqrt(d)
            nx, ny, nz, rank = dx / far, dy / far, dz / far, 1 if inside else 2
            size = math.sqrt(ex * ex + ey * ey + ez * ez)
            gx, gy, gz = ex / size, ey / size, ez / size
    return nx, ny, nz, far, rank, gx, gy, gz


@kernel
def _highest(w, first, last, face, x, y, z):
    """How high a point is over the other faces at most."""
    most = -FAR
    for i in range(first, last):
        if i != face and w.core[CORE * i + 8] == 0.0:
            most = max(most, over(w, i, x, y, z))
    return most


@kernel
def nearest(w, f, x, y, z, sharp):
    """n (axes of a), ℓ, rank of Π, e of an edge, margin, face: of the core's part nearest to a point (axes of a)."""
    k = LINK * f
    kind, c = w.link[k + CORE_KIND], CORE * w.link[k + CORE_AT]
    if kind in (HALF, RIM):
        return w.core[c], w.core[c + 1], w.core[c + 2], over(w, w.link[k + CORE_AT], x, y, z), 0, 0.0, 0.0, 0.0, FAR, 0
    if kind == FACES:
        nx, ny, nz, far, rank, margin, face = faced(w, f, x, y, z, sharp)
        return nx, ny, nz, far, rank, 0.0, 0.0, 0.0, margin, face
    if kind == SOLID:
        nx, ny, nz, far, rank, ex, ey, ez = solid(w, f, x, y, z)
        return nx, ny, nz, far, rank, ex, ey, ez, FAR, 0
    dx, dy, dz = x - w.core[c], y - w.core[c + 1], z - w.core[c + 2]
    rank, ex, ey, ez = 2, 0.0, 0.0, 0.0
    if kind == SEGMENT:
        ex, ey, ez = w.core[c + 3] - w.core[c], w.core[c + 4] - w.core[c + 1], w.core[c + 5] - w.core[c + 2]
        size = math.sqrt(ex * ex + ey * ey + ez * ez)
        ex, ey, ez = ex / size, ey / size, ez / size
        along = dx * ex + dy * ey + dz * ez
        if along > size:
            dx, dy, dz = dx - size * ex, dy - size * ey, dz - size * ez
        elif along > 0.0:
            dx, dy, dz, rank = dx - along * ex, dy - along * ey, dz - along * ez, 1
    elif kind == BLOCK:
        # core: rows of the box's axes are those of body a; middle, half edges, then nine numbers of its turn in the next line
        o = c + CORE
        mx = w.core[o] * dx + w.core[o + 3] * dy + w.core[o + 6] * dz
        my = w.core[o + 1] * dx + w.core[o + 4] * dy + w.core[o + 7] * dz
        mz = w.core[o + 2] * dx + w.core[o + 5] * dy + w.core[o + 8] * dz
        px, py, pz = _out(mx, w.core[c + 3]), _out(my, w.core[c + 4]), _out(mz, w.core[c + 5])
        outside = (1 if px != 0.0 else 0) + (1 if py != 0.0 else 0) + (1 if pz != 0.0 else 0)
        if outside == 0:  # inside: the nearest face
            ax, ay, az = w.core[c + 3] - abs(mx), w.core[c + 4] - abs(my), w.core[c + 5] - abs(mz)
            least = min(ax, min(ay, az))
            px = math.copysign(1.0, mx) if least == ax else 0.0
            py = math.copysign(1.0, my) if least == ay and px == 0.0 else 0.0
            pz = math.copysign(1.0, mz) if px == 0.0 and py == 0.0 else 0.0
            far, rank = -least, 0
        else:
            far = math.sqrt(px * px + py * py + pz * pz)
            px, py, pz, rank = px / far, py / far, pz / far, outside - 1
        bx, by, bz = (1.0 if px == 0.0 else 0.0), (1.0 if py == 0.0 else 0.0), (1.0 if pz == 0.0 else 0.0)
        ex, ey, ez = (w.core[o] * bx + w.core[o + 1] * by + w.core[o + 2] * bz,
                      w.core[o + 3] * bx + w.core[o + 4] * by + w.core[o + 5] * bz,
                      w.core[o + 6] * bx + w.core[o + 7] * by + w.core[o + 8] * bz)  # the edge, where rank is 1
        return (w.core[o] * px + w.core[o + 1] * py + w.core[o + 2] * pz,
                w.core[o + 3] * px + w.core[o + 4] * py + w.core[o + 5] * pz,
                w.core[o + 6] * px + w.core[o + 7] * py + w.core[o + 8] * pz, far, rank, ex, ey, ez, FAR, 0)
    far = math.sqrt(dx * dx + dy * dy + dz * dz)
    if far == 0.0:
        return 1.0, 0.0, 0.0, 0.0, 0, ex, ey, ez, FAR, 0
    return dx / far, dy / far, dz / far, far, rank, ex, ey, ez, FAR, 0


@inline
def _out(x, half):
    return x - half if x > half else x + half if x < -half else 0.0


@kernel
def rim(w, a, b, nx, ny, nz, mx, my, mz, hx, hy, hz):
    """s, m and ṁ of the rim of a cylinder of body b with the axis h (its own axes) over a half-space of a with n and ṅ."""
    ax, ay, az = turned(w, b, hx, hy, hz)
    ox, oy, oz = w.twist[6 * b + 3], w.twist[6 * b + 4], w.twist[6 * b + 5]
    bx, by, bz = oy * az - oz * ay, oz * ax - ox * az, ox * ay - oy * ax  # ȧ
    along = nx * ax + ny * ay + nz * az
    rate = mx * ax + my * ay + mz * az + nx * bx + ny * by + nz * bz
    px, py, pz = nx - along * ax, ny - along * ay, nz - along * az
    size = math.sqrt(px * px + py * py + pz * pz)
    if size <= 1e-3 * FLAT:
        if abs(ax) < 0.6:
            f = 1.0 / math.sqrt(ay * ay + az * az)
            return size, 0.0, az * f, -ay * f, 0.0, 0.0, 0.0
        f = 1.0 / math.sqrt(ax * ax + az * az)
        return size, -az * f, 0.0, ax * f, 0.0, 0.0, 0.0
    px, py, pz = px / size, py / size, pz / size
    dx, dy, dz = mx - rate * ax - along * bx, my - rate * ay - along * by, mz - rate * az - along * bz
    along = px * dx + py * dy + pz * dz
    return size, px, py, pz, (dx - along * px) / size, (dy - along * py) / size, (dz - along * pz) / size


@kernel
def measure(w, f):
    """All of a feature where the bodies are now, but for its force."""
    k, o, i = LINK * f, REAL * f, GEO * f
    a, b = w.link[k + A], w.link[k + B]
    cx, cy, cz = turned(w, b, w.real[o + POINT], w.real[o + POINT + 1], w.real[o + POINT + 2])
    cx, cy, cz = cx + w.x[3 * b], cy + w.x[3 * b + 1], cz + w.x[3 * b + 2]
    lx, ly, lz = back(w, a, cx - w.x[3 * a], cy - w.x[3 * a + 1], cz - w.x[3 * a + 2])
    r, s = w.real[o + ROUND_B], w.real[o + ROUND_A]
    hx, hy, hz, far, rank, gx, gy, gz, margin, face = nearest(w, f, lx, ly, lz, r + s == 0.0)
    nx, ny, nz = turned(w, a, hx, hy, hz)
    vx, vy, vz = velocity(w, b, cx, cy, cz)
    ax, ay, az = velocity(w, a, cx, cy, cz)
    ox, oy, oz = w.twist[6 * a + 3], w.twist[6 * a + 4], w.twist[6 * a + 5]
    mx, my, mz = oy * nz - oz * ny, oz * nx - ox * nz, ox * ny - oy * nx  # ṅ
    if rank > 0:
        dx, dy, dz = vx - ax, vy - ay, vz - az
        along = dx * nx + dy * ny + dz * nz
        dx, dy, dz = dx - along * nx, dy - along * ny, dz - along * nz
        if rank == 1:
            ex, ey, ez = turned(w, a, gx, gy, gz)
            along = dx * ex + dy * ey + dz * ez
            dx, dy, dz = dx - along * ex, dy - along * ey, dz - along * ez
        mx, my, mz = mx + dx / far, my + dy / far, mz + dz / far
    gap = far - r - s
    dx, dy, dz, ex, ey, ez = nx, ny, nz, mx, my, mz  # where P is from c, and how that turns
    if w.link[k + CORE_KIND] == RIM:
        c = CORE * w.link[k + CORE_AT] + 6
        size, dx, dy, dz, ex, ey, ez = rim(w, a, b, nx, ny, nz, mx, my, mz, w.core[c], w.core[c + 1], w.core[c + 2])
        gap, margin = far - r * size, size - FLAT
    px, py, pz = cx - r * dx, cy - r * dy, cz - r * dz
    bx, by, bz = velocity(w, b, px, py, pz)
    ax, ay, az = velocity(w, a, px, py, pz)
    g = w.geo
    g[i + N], g[i + N + 1], g[i + N + 2] = nx, ny, nz
    g[i + P], g[i + P + 1], g[i + P + 2] = px, py, pz
    g[i + N_DOT], g[i + N_DOT + 1], g[i + N_DOT + 2] = mx, my, mz
    g[i + P_DOT], g[i + P_DOT + 1], g[i + P_DOT + 2] = vx - r * ex, vy - r * ey, vz - r * ez
    g[i + GAP], g[i + MARGIN] = gap, margin
    g[i + U], g[i + U + 1], g[i + U + 2] = bx - ax, by - ay, bz - az
    g[i + FORCE], g[i + FORCE + 1], g[i + FORCE + 2] = 0.0, 0.0, 0.0
    if w.link[k + MODE] == OPEN:
        w.link[k + FACE] = face


@kernel
def measure_all(w):
    for f in range(w.size[FEATURES]):
        measure(w, f)

