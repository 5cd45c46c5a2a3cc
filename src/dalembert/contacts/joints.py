"""Bodies held by joints, driven, or under forces: the equations of motion asked half a step ahead, and what an impulse does then.

    free motion    v̂ = v₀ + h v̇(t + h/2, q₀ ⊕ ½ h v₀, v₀ + ½ Δv_before)       v̇ of the augmented form: all loads, D v̇ = γ
    an impulse p   at a point of jointed bodies changes all that hangs on them by its columns,
                   Δv = (M⁻¹ − M⁻¹Dᵀ S⁺ D M⁻¹) Cᵀ p        (``respond``, with the factors of S of that solve: D Δv = 0)
    a body that turns freely among them (no joint, no point) turns by motion.tumble, and loads add h J⁻¹ τ of half a step ahead:
                   nothing is lost or gained by its turning, whatever else is in the model
    afterwards     q and v are projected onto the constraints; the correction is of the order h³

The equations speak of ω in body axes, contacts of ω in ground axes.  K of such a point is C Δv of its three columns.
"""

from dalembert._jit import call, inline, kernel
from dalembert.contacts.motion import sway, tumble, turn_matrix
from dalembert.contacts.stiffness import stiffness
from dalembert.contacts.sweep import relative
from dalembert.contacts.tables import COLUMN, GRIP, KN, LINK, MN, MU, ROW
from dalembert.elements.bodies import planar, spatial

RIGID = 1e-12  # of the bodies' own 1/m: points that give way by less do so by rounding only (certify.py: jammed)
ROUNDING = 1e-13
MOVE, ACCELERATIONS, RESPOND, PROJECT = range(4)


@inline
def _put(w, b, x, y, z, ox, oy, oz, to, at):
    """A twist or wrench (ground axes) into the equations' own components at ``to[at:]``."""
    k = 9 * b
    if w.rules.plane != 0:
        to[at], to[at + 1], to[at + 2] = x, y, oz
        return
    R = w.R
    to[at], to[at + 1], to[at + 2] = x, y, z
    for i in range(3):
        to[at + 3 + i] = R[k + i] * ox + R[k + 3 + i] * oy + R[k + 6 + i] * oz


@inline
def _take(w, b, source, at, to, o):
    """The other way: six numbers in ground axes."""
    k = 9 * b
    if w.rules.plane != 0:
        to[o], to[o + 1], to[o + 2], to[o + 3], to[o + 4], to[o + 5] = source[at], source[at + 1], 0.0, 0.0, 0.0, source[at + 2]
        return
    R = w.R
    for i in range(3):
        to[o + i] = source[at + i]
        to[o + 3 + i] = R[k + 3 * i] * source[at + 3] + R[k + 3 * i + 1] * source[at + 4] + R[k + 3 * i + 2] * source[at + 5]


@kernel
def publish(w):
    """Poses and velocities of the scene into q and v of the equations."""
    for b in range(w.rules.bodies):
        o = 6 * b
        if w.rules.plane != 0:
            k, at = planar.at_q(w, b), planar.at_v(w, b)
            w.q[k], w.q[k + 1], w.q[k + 2] = w.x[3 * b], w.x[3 * b + 1], w.e[4 * b]
        else:
            k, at = spatial.at_q(w, b), spatial.at_v(w, b)
            for i in range(3):
                w.q[k + i] = w.x[3 * b + i]
            for i in range(4):
                w.q[k + 3 + i] = w.e[4 * b + i]
        _put(w, b, w.v[o], w.v[o + 1], w.v[o + 2], w.v[o + 3], w.v[o + 4], w.v[o + 5], w.u, at)


@kernel
def adopt(w):
    """The other way."""
    for b in range(w.rules.bodies):
        if w.rules.plane != 0:
            k, at = planar.at_q(w, b), planar.at_v(w, b)
            w.x[3 * b], w.x[3 * b + 1], w.e[4 * b] = w.q[k], w.q[k + 1], w.q[k + 2]
        else:
            k, at = spatial.at_q(w, b), spatial.at_v(w, b)
            for i in range(3):
                w.x[3 * b + i] = w.q[k + i]
            for i in range(4):
                w.e[4 * b + i] = w.q[k + 3 + i]
        turn_matrix(w, b)
        _take(w, b, w.u, at, w.v, 6 * b)


@kernel
def _halfway(w, b):
    """The turn of body b in the equations' pose; its own is kept in ``way``."""
    for i in range(4):
        w.way[6 * b + i] = w.e[4 * b + i]
    if w.rules.plane != 0:
        w.e[4 * b] = w.q[planar.at_q(w, b) + 2]
    else:
        for i in range(4):
            w.e[4 * b + i] = w.q[spatial.at_q(w, b) + 3 + i]
    turn_matrix(w, b)


@kernel
def back(w):
    """Turns as they were before ``free_motion``."""
    for b in range(w.rules.bodies):
        for i in range(4):
            w.e[4 * b + i] = w.way[6 * b + i]
        turn_matrix(w, b)


@inline
def _held(w, b):
    """Whether points changed how b turns in the last substep, above the rounding of ``projected``."""
    most, size, trend = 0.0, 0.0, 0.0
    for c in range(6 * b + 3, 6 * b + 6):
        most = max(most, abs(w.v[c] - w.free[c]))
        size += abs(w.v[c])
        trend += abs(w.trend[c])  # none after a blow, and to begin with
    return most > ROUNDING * size and trend > 0.0


@kernel
def free_motion(w, h):
    """v̂ of all bodies by the equations, at half the step; v₀ in ``before``.  Turns are left there: ``back``.  Status."""
    n, size = w.rules.bodies, 3 if w.rules.plane != 0 else 6
    for b in range(n):
        w.spared[b] = 1.0 if w.rules.plane == 0 and w.jointed[b] == 0 and not _held(w, b) else 0.0
    for c in range(6 * n):
        w.before[c] = w.v[c]
    for b in range(n):  # half a step ahead, in the equations' own arrays
        o = 6 * b
        _put(w, b, 0.5 * h * w.v[o], 0.5 * h * w.v[o + 1], 0.5 * h * w.v[o + 2], 0.5 * h * w.v[o + 3], 0.5 * h * w.v[o + 4],
             0.5 * h * w.v[o + 5], w.shift, size * b)
    publish(w)
    call(w.handle[MOVE])
    for b in range(n):
        o = 6 * b
        _halfway(w, b)
        _put(w, b, w.v[o] + 0.5 * w.trend[o], w.v[o + 1] + 0.5 * w.trend[o + 1], w.v[o + 2] + 0.5 * w.trend[o + 2],
             w.v[o + 3] + 0.5 * w.trend[o + 3], w.v[o + 4] + 0.5 * w.trend[o + 4], w.v[o + 5] + 0.5 * w.trend[o + 5], w.u,
             size * b)
    w.time[0] = w.rules.time + 0.5 * h
    status = call(w.handle[ACCELERATIONS])
    for k in range(w.ledger.size):
        w.ledger[k] += h * w.power[k]
    for b in range(n):
        o = 6 * b
        if w.spared[b] != 0.0:  # what loads do beside the turning of a free body
            k = size * b + 3
            d0, d1, d2 = sway(w, b, 1.0, w.u[k], w.u[k + 1], w.u[k + 2])
            w.udot[k], w.udot[k + 1], w.udot[k + 2] = w.udot[k] - d0, w.udot[k + 1] - d1, w.udot[k + 2] - d2
        _take(w, b, w.udot, size * b, w.free, o)
        for c in range(6):
            w.v[o + c] = w.before[o + c] + h * w.free[o + c]
            w.free[o + c] = w.v[o + c]
    return status


@kernel
def turning(w, h):
    """After ``back``: the turning of bodies that are free, beside what loads do to it."""
    for b in range(w.rules.bodies):
        if w.spared[b] != 0.0:
            o = 6 * b + 3
            for c in range(o, o + 3):
                w.free[c] -= w.before[c]
                w.v[c] = w.before[c]
            tumble(w, b, h)
            for c in range(o, o + 3):
                w.v[c] += w.free[c]
                w.free[c] = w.v[c]


@kernel
def columns(w):
    """Columns, K and the rest of every point on jointed bodies, with the factors of the last solve."""
    n, size, row = w.rules.bodies, 3 if w.rules.plane != 0 else 6, w.row
    nv = size * n
    at = 0
    for m in range(w.report.active):
        a, b = w.link[LINK * m], w.link[LINK * m + 1]
        if w.jointed[a] != 1 and w.jointed[b] != 1:
            continue
        nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            k = ROW * c
            for d in range(3):
                for i in range(nv):
                    w.wrench[nv * d + i] = 0.0
                px, py, pz = 1.0 if d == 0 else 0.0, 1.0 if d == 1 else 0.0, 1.0 if d == 2 else 0.0
                if w.rules.plane != 0 and d == 2:
                    continue
                for side in range(2):
                    body = a if side == 0 else b
                    if w.jointed[body] != 1:
                        continue
                    s, o = (-1.0, k) if side == 0 else (1.0, k + 3)
                    x, y, z = row[o], row[o + 1], row[o + 2]
                    _put(w, body, s * px, s * py, s * pz, s * (y * pz - z * py), s * (z * px - x * pz), s * (x * py - y * px),
                         w.wrench, nv * d + size * body)
            w.count[0] = 3
            call(w.handle[RESPOND])
            for d in range(3):
                for body in range(n):
                    if w.jointed[body] == 1:
                        _take(w, body, w.answer, nv * d + size * body, w.column, (6 * n + 6) * (at + d) + 6 * body)
                    else:
                        for i in range(6):
                            w.column[(6 * n + 6) * (at + d) + 6 * body + i] = 0.0
            row[k + COLUMN] = float(at)
            xx, xy, xz, yy, yz, zz = _stiffness(w, a, b, k, at)
            stiffness(row, k, nx, ny, nz, xx, xy, xz, yy, yz, zz, w.grip[GRIP * m + MU])
            if RIGID * (w.inverse_mass[a] + w.inverse_mass[b]) > row[k + KN] * nx + row[k + KN + 1] * ny + row[k + KN + 2] * nz:
                row[k + MN] = 0.0
            at += 3


@kernel
def _stiffness(w, a, b, k, at):
    """K of the free bodies at this point, and C Δv of the columns."""
    n, row = 6 * w.rules.bodies + 6, w.row
    xx, xy, xz, yy, yz, zz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for side in range(2):
        body = a if side == 0 else b
        if w.W[body] == 0.0 or w.jointed[body] == 1:
            continue
        x, y, z = row[k + 3 * side], row[k + 3 * side + 1], row[k + 3 * side + 2]
        m, o, I = w.W[body], 6 * body, w.moment
        xx += m + y * y * I[o + 5] + z * z * I[o + 3] - 2.0 * y * z * I[o + 4]
        yy += m + x * x * I[o + 5] + z * z * I[o] - 2.0 * x * z * I[o + 2]
        zz += m + x * x * I[o + 3] + y * y * I[o] - 2.0 * x * y * I[o + 1]
        xy += -x * y * I[o + 5] + x * z * I[o + 4] + y * z * I[o + 2] - z * z * I[o + 1]
        xz += x * y * I[o + 4] - x * z * I[o + 3] - y * y * I[o + 2] + y * z * I[o + 1]
        yz += -x * x * I[o + 4] + x * y * I[o + 2] + x * z * I[o + 1] - y * z * I[o]
    x, y, z = relative(w, w.column[n * at:n * (at + 1)], a, b, k)
    xx += x
    x, y, z = relative(w, w.column[n * (at + 1):n * (at + 2)], a, b, k)
    xy += x
    yy += y
    x, y, z = relative(w, w.column[n * (at + 2):n * (at + 3)], a, b, k)
    return xx, xy, xz + x, yy, yz + y, zz + z


@kernel
def projected(w, h):
    """q and v of the scene onto the constraints at the end of the substep.  Status of the projection."""
    publish(w)
    w.time[0] = w.rules.time + h
    status = call(w.handle[PROJECT])
    adopt(w)
    return status
