"""Active rows of contacts in the equations of motion: rates and event functions.

Closed features act on the bodies with forces r such that their rows keep what the mode says.  With v̇₀ of the equations as they
are, rows J (unit wrenches of the directions that are held) and columns K (of the forces that hold them),

    J (v̇₀ + A⁻¹ K r) + bias = 0            A⁻¹ K by ``respond``: joints and drives stay exact

    stick    rows n, t₁ (t₂ in space), columns the same
    slip     row n, column n − μ d:  friction is μ r_n against the velocity, d = ± u_t/|u_t| with the sign of u_t·d₀, where d₀ is
             the direction at the start of the stretch: so d goes smoothly through u_t = 0, where the event u_t·d₀ = 0 ends it.
             In space it is u_t·d₀ = |u_t|/2: a direction that has turned by 60° ends it too, and takes a new d₀

Event functions of a feature, all watched falling:  open: gap;  closed: r_n;  slip: u_t·d₀ (− |u_t|/2);  stick: μ r_n − |r_t|;
margin of its face; and one for all: the speed at which steps must become shorter (machine.py).
Sums that ride along behind the ledger: energy lost by friction; impulse and its moment about the origin, by contact.
"""

import math

from dalembert._jit import call, inline, kernel
from dalembert.contacts.events.features import measure, measure_all, place
from dalembert.contacts.events.small import solve
from dalembert.contacts.events.tables import (
    BASE,
    BASE_EVENTS,
    BASE_RHS,
    BODIES,
    CONTACT,
    CREEP,
    DIR,
    EVENTS_EACH,
    FACING,
    FEATURES,
    FORCE,
    GAP,
    GEO,
    LEAD,
    LINK,
    MARGIN,
    MODE,
    MU,
    N_DOT,
    NQ,
    NV,
    OPEN,
    P_DOT,
    PICKED,
    PLANE,
    PREFER,
    REAL,
    RESPOND,
    ROWS,
    SINCE,
    SLACK,
    SLIP,
    STICK,
    SUMS,
    A,
    B,
    N,
    P,
    U,
)
from dalembert.elements.bodies import planar, spatial

ALL, HELD, NORMALS = range(3)  # rows wanted: as the modes act; directions that are held; normals alone
NO_ROOM = 12
TURNED = 0.5  # cosine: a direction of slip that has turned this far from d₀ takes a new one


@inline
def tangents(w, i):
    """Two directions across the normal; in the plane the second is not used."""
    g = w.geo
    nx, ny, nz = g[i + N], g[i + N + 1], g[i + N + 2]
    if w.size[PLANE] != 0:
        return -ny, nx, 0.0, 0.0, 0.0, 1.0
    if abs(nx) < 0.6:
        s = 1.0 / math.sqrt(ny * ny + nz * nz)
        tx, ty, tz = 0.0, nz * s, -ny * s
    else:
        s = 1.0 / math.sqrt(nx * nx + nz * nz)
        tx, ty, tz = -nz * s, 0.0, nx * s
    return tx, ty, tz, ny * tz - nz * ty, nz * tx - nx * tz, nx * ty - ny * tx


@inline
def across(w, i):
    """Velocity across the normal."""
    g = w.geo
    un = g[i + N] * g[i + U] + g[i + N + 1] * g[i + U + 1] + g[i + N + 2] * g[i + U + 2]
    return g[i + U] - un * g[i + N], g[i + U + 1] - un * g[i + N + 1], g[i + U + 2] - un * g[i + N + 2]


@inline
def sliding(w, f):
    """d of a feature that slips."""
    o = REAL * f + DIR
    x, y, z = across(w, GEO * f)
    size = math.sqrt(x * x + y * y + z * z)
    dot = x * w.real[o] + y * w.real[o + 1] + z * w.real[o + 2]
    if size <= w.real[REAL * f + CREEP] or abs(dot) < 1e-3 * size:
        return w.real[o], w.real[o + 1], w.real[o + 2]
    s = 1.0 / size if dot >= 0.0 else -1.0 / size
    return s * x, s * y, s * z


@kernel
def _put(w, b, sign, i, fx, fy, fz, to, at):
    """The wrench of a force at the place of feature i (in geo) on body b, added at ``to[at:]``; a particle's arm is 0."""
    k, R, turns = 9 * b, w.R, sign * w.turns[b]
    rx, ry, rz = w.geo[i + P] - w.x[3 * b], w.geo[i + P + 1] - w.x[3 * b + 1], w.geo[i + P + 2] - w.x[3 * b + 2]
    mx, my, mz = ry * fz - rz * fy, rz * fx - rx * fz, rx * fy - ry * fx
    if w.size[PLANE] != 0:
        j = at + planar.at_v(w, b)
        to[j] += sign * fx
        to[j + 1] += sign * fy
        to[j + 2] += turns * mz
        return
    j = at + spatial.at_v(w, b)
    to[j] += sign * fx
    to[j + 1] += sign * fy
    to[j + 2] += sign * fz
    for c in range(3):
        to[j + 3 + c] += turns * (R[k + c] * mx + R[k + 3 + c] * my + R[k + 6 + c] * mz)


@kernel
def wrench(w, f, fx, fy, fz, to, at):
    nb = w.x.size // 3 - 1
    a, b = w.link[LINK * f + A], w.link[LINK * f + B]
    if b < nb:
        _put(w, b, 1.0, GEO * f, fx, fy, fz, to, at)
    if a < nb:
        _put(w, a, -1.0, GEO * f, fx, fy, fz, to, at)


@kernel
def row(w, m, f, direction, fx, fy, fz, slide):
    """Row m: unit force along (fx, fy, fz) at feature f; ``slide``: its column has friction against d as well."""
    nv, i = w.size[NV], GEO * f
    for c in range(nv):
        w.J[nv * m + c] = 0.0
    wrench(w, f, fx, fy, fz, w.J, nv * m)
    for c in range(nv):
        w.wrench[nv * m + c] = w.J[nv * m + c]
    g = w.geo
    if slide:
        mu = w.real[REAL * f + MU]
        dx, dy, dz = sliding(w, f)
        wrench(w, f, -mu * dx, -mu * dy, -mu * dz, w.wrench, nv * m)
    w.of[2 * m], w.of[2 * m + 1] = f, direction
    w.speed[m] = fx * g[i + U] + fy * g[i + U + 1] + fz * g[i + U + 2]
    bias = 0.0
    nb = w.x.size // 3 - 1
    for side in range(2):
        body = w.link[LINK * f + (B if side == 0 else A)]
        if body == nb:
            continue
        s = 1.0 if side == 0 else -1.0
        o = 6 * body
        rx, ry, rz = g[i + P_DOT] - w.twist[o], g[i + P_DOT + 1] - w.twist[o + 1], g[i + P_DOT + 2] - w.twist[o + 2]
        ox, oy, oz = w.twist[o + 3], w.twist[o + 4], w.twist[o + 5]
        bias += s * (fx * (oy * rz - oz * ry) + fy * (oz * rx - ox * rz) + fz * (ox * ry - oy * rx))
    if direction == 0:
        bias += g[i + N_DOT] * g[i + U] + g[i + N_DOT + 1] * g[i + U + 1] + g[i + N_DOT + 2] * g[i + U + 2]
    w.bias[m] = bias


@kernel
def feature_rows(w, m, f, mode, what):
    """Rows of one feature from m on; the next number, or −1 where there is no room."""
    i, g = GEO * f, w.geo
    if 3 * (m + 3) > 3 * w.bias.size:
        return -1
    row(w, m, f, 0, g[i + N], g[i + N + 1], g[i + N + 2], what == ALL and mode == SLIP and w.real[REAL * f + MU] > 0.0)
    m += 1
    if mode == STICK and what != NORMALS:
        tx, ty, tz, sx, sy, sz = tangents(w, i)
        row(w, m, f, 1, tx, ty, tz, False)
        m += 1
        if w.size[PLANE] == 0:
            row(w, m, f, 2, sx, sy, sz, False)
            m += 1
    return m


@kernel
def collect(w, what):
    """Rows of all closed features, their columns answered, and the matrix J A⁻¹ K; their number, or −1."""
    m = 0
    for f in range(w.size[FEATURES]):
        mode = w.link[LINK * f + MODE]
        if mode != OPEN:
            measure(w, f)
            m = feature_rows(w, m, f, mode, what)
            if m < 0:
                return -1
    answer_rows(w, m)
    return m


@kernel
def answer_rows(w, m):
    nv = w.size[NV]
    w.size[ROWS] = m
    if m == 0:
        return
    w.count[0] = m
    call(w.handle[RESPOND])
    for i in range(m):
        for j in range(m):
            total = 0.0
            for c in range(nv):
                total += w.J[nv * i + c] * w.answer[nv * j + c]
            w.matrix[i * m + j] = total


@inline
def to_base(w):
    for c in range(w.size[BASE]):
        w.base_y[c] = w.y[c]


@kernel
def closed(w):
    """How many features are closed."""
    n = 0
    for f in range(w.size[FEATURES]):
        n += w.link[LINK * f + MODE] != OPEN
    return n


@kernel
def rhs(w):
    """Rates with the forces of contacts, which are left in ``geo``."""
    to_base(w)
    status = call(w.handle[BASE_RHS])
    if status != 0:
        return status
    n, nq, nv = w.size[BASE], w.size[NQ], w.size[NV]
    place(w)
    m = collect(w, ALL)
    if m < 0:
        return NO_ROOM
    for c in range(w.size[SUMS]):
        w.ydot[n + c] = 0.0
    for c in range(n):
        w.ydot[c] = w.base_ydot[c]
    if m == 0:
        return 0
    for i in range(m):
        total = w.bias[i]
        for c in range(nv):
            total += w.J[nv * i + c] * w.vdot[c]
        w.right[i] = -total
        o = REAL * w.of[2 * i]
        w.found[i] = w.real[o + PREFER + w.of[2 * i + 1]] + w.real[o + LEAD + w.of[2 * i + 1]] * (w.t[0] - w.real[o + SINCE])
    solve(w.matrix, w.factor, w.pivot, w.right, w.found, w.rest, m)
    for i in range(m):
        for c in range(nv):
            w.ydot[nq + c] += w.answer[nv * i + c] * w.found[i]
        force(w, i)
    for f in range(w.size[FEATURES]):
        if w.link[LINK * f + MODE] != OPEN:
            riding(w, f)
    if w.mass.size > 0:
        through_joints(w)
    return 0


@kernel
def through_joints(w):
    """What drives do through contacts, v·M δv̇ less the power of contacts (zero where joints only hold), to their account."""
    n, nq, nv = w.size[BASE], w.size[NQ], w.size[NV]
    power = w.ydot[n]  # lost by friction: the power of contacts is its negative
    for i in range(nv):
        for j in range(nv):
            power += w.v[i] * w.mass[nv * i + j] * (w.ydot[nq + j] - w.base_ydot[nq + j])
    w.ydot[n - 1] += power


@kernel
def force(w, m):
    """What row m adds to the force of its feature."""
    f, direction = w.of[2 * m], w.of[2 * m + 1]
    i, x, g = GEO * f, w.found[m], w.geo
    if direction == 0:
        fx, fy, fz = g[i + N], g[i + N + 1], g[i + N + 2]
        if w.link[LINK * f + MODE] == SLIP:
            mu = w.real[REAL * f + MU]
            dx, dy, dz = sliding(w, f)
            fx, fy, fz = fx - mu * dx, fy - mu * dy, fz - mu * dz
    else:
        tx, ty, tz, sx, sy, sz = tangents(w, i)
        fx, fy, fz = (tx, ty, tz) if direction == 1 else (sx, sy, sz)
    g[i + FORCE] += x * fx
    g[i + FORCE + 1] += x * fy
    g[i + FORCE + 2] += x * fz


@kernel
def riding(w, f):
    """Rates of the sums: losses into the ledger and on their own, impulse and its moment of the contact."""
    i, g, n = GEO * f, w.geo, w.size[BASE]
    fx, fy, fz = g[i + FORCE], g[i + FORCE + 1], g[i + FORCE + 2]
    x, y, z = across(w, i)
    lost = -(fx * x + fy * y + fz * z)
    w.ydot[n - 2] += lost
    w.ydot[n] += lost
    s = w.real[REAL * f + FACING]
    o = n + 1 + 6 * w.link[LINK * f + CONTACT]
    px, py, pz = g[i + P], g[i + P + 1], g[i + P + 2]
    w.ydot[o] += s * fx
    w.ydot[o + 1] += s * fy
    w.ydot[o + 2] += s * fz
    w.ydot[o + 3] += s * (py * fz - pz * fy)
    w.ydot[o + 4] += s * (pz * fx - px * fz)
    w.ydot[o + 5] += s * (px * fy - py * fx)


@kernel
def events(w):
    """Event functions, with their slacks; those of the equations behind them."""
    status = 0
    if closed(w) > 0:
        status = rhs(w)
    else:
        to_base(w)
        place(w)
    if status != 0:
        return status
    if w.handle[BASE_EVENTS] != 0:
        status = call(w.handle[BASE_EVENTS])
    count = w.size[FEATURES]
    for f in range(count):
        mode, i, o, k = w.link[LINK * f + MODE], GEO * f, REAL * f, EVENTS_EACH * f
        g = w.geo
        if mode == OPEN:
            measure(w, f)
            w.g[k], w.g[k + 1], w.g[k + 2] = g[i + GAP] + w.real[o + SLACK], 1.0, 1.0
            continue
        rn = g[i + FORCE] * g[i + N] + g[i + FORCE + 1] * g[i + N + 1] + g[i + FORCE + 2] * g[i + N + 2]
        w.g[k] = rn + w.real[o + SLACK]
        w.g[k + 2] = g[i + MARGIN] + w.real[o + SLACK + 2]
        if w.real[o + MU] == 0.0:
            w.g[k + 1] = 1.0
        elif mode == SLIP:
            x, y, z = across(w, i)
            along = x * w.real[o + DIR] + y * w.real[o + DIR + 1] + z * w.real[o + DIR + 2]
            if w.size[PLANE] == 0:
                along -= TURNED * math.sqrt(x * x + y * y + z * z)
            w.g[k + 1] = along + w.real[o + SLACK + 1]
        else:
            x, y, z = (g[i + FORCE] - rn * g[i + N], g[i + FORCE + 1] - rn * g[i + N + 1], g[i + FORCE + 2] - rn * g[i + N + 2])
            w.g[k + 1] = w.real[o + MU] * rn - math.sqrt(x * x + y * y + z * z) + w.real[o + SLACK + 1]
    w.g[EVENTS_EACH * count] = w.pace[0] - fastest(w) if w.pace[0] > 0.0 else 1.0
    for c in range(w.base_g.size):
        w.g[EVENTS_EACH * count + 1 + c] = w.base_g[c]
    return status


@kernel
def fastest(w):
    """Speed of the fastest point of all bodies, at most."""
    most = 0.0
    for b in range(w.size[BODIES]):
        o, t = 6 * b, w.twist
        v = math.sqrt(t[o] * t[o] + t[o + 1] * t[o + 1] + t[o + 2] * t[o + 2])
        most = max(most, v + w.reach[b] * math.sqrt(t[o + 3] * t[o + 3] + t[o + 4] * t[o + 4] + t[o + 5] * t[o + 5]))
    return most


@kernel
def survey(w):
    """All features, and full rows (n, t₁, t₂) of the picked ones with their matrix, at (t, y); forces are left alone."""
    to_base(w)
    status = call(w.handle[BASE_RHS])
    if status != 0:
        return status
    place(w)
    measure_all(w)
    m = 0
    for k in range(w.size[PICKED]):
        m = feature_rows(w, m, w.pick[k], STICK, HELD)
        if m < 0:
            return NO_ROOM
    answer_rows(w, m)
    nv = w.size[NV]
    for i in range(m):
        total = w.bias[i]
        for c in range(nv):
            total += w.J[nv * i + c] * w.vdot[c]
        w.right[i] = total
    return 0
