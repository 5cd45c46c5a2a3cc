"""Products c = a·x of a vector a fixed on a body (turned by φ, spinning with ω) with any other vector x.

Turned with its body (ω̄ and ω̄̇ held in body axes) a goes to a + φ × a, and so do ȧ = ω × a and ä = ω̇ × a + ω × (ω × a); with δω

    δȧ = δω × a,   δä = δω × ȧ + ω × (δω × a)

    ċ = ȧ·x + a·ẋ                    ∂ċ/∂φ = ȧ × x + a × ẋ
    c̈ = ä·x + 2 ȧ·ẋ + a·ẍ            ∂c̈/∂φ = ä × x + 2 ȧ × ẋ + a × ẍ
                                     ∂c̈/∂ω = ȧ × x + 2 a × ẋ − a × (ω × x)

The moment a × x on the body, in its own axes, changes by a × (x × φ) with φ (``curve``), and by a × δx with x: with the turn of
another body, x = b fixed on it, by a × (φ × b) (``cross``), with a place by a × δr (``arm``).  A force x in ground axes that is
fixed on a body changes by φ × x (``lever``).  All are f times what the name says, added to the block of K that begins at ``at``.
"""

from dalembert._jit import dispatch, inline
from dalembert.algebra import planar as plane
from dalembert.algebra import spatial as space
from dalembert.algebra.vectors import add, moment, scale, sub, turn, turn_add, turn_scale
from dalembert.elements.bodies.markers import at_v, omega, rotation

# ------------------------------------------------------------------------------------------------------- rates, v̇ included


@inline
def _planar_alpha(s, w, b):
    return (w.vdot[at_v(s, b) + 2] if b < s.bodies.size else 0.0,)


@inline
def _spatial_alpha(s, w, b):
    if b >= s.bodies.size:
        return (0.0, 0.0, 0.0)
    k = at_v(s, b) + 3
    return space.rotate(rotation(s, w, b), (w.vdot[k], w.vdot[k + 1], w.vdot[k + 2]))


@inline
def _planar_acceleration(s, w, b):
    if b >= s.bodies.size:
        return (0.0, 0.0)
    k = at_v(s, b)
    return (w.vdot[k], w.vdot[k + 1])


@inline
def _spatial_acceleration(s, w, b):
    if b >= s.bodies.size:
        return (0.0, 0.0, 0.0)
    k = at_v(s, b)
    return (w.vdot[k], w.vdot[k + 1], w.vdot[k + 2])


alpha = dispatch(_planar_alpha, _spatial_alpha)  # ω̇ of a body, ground axes
acceleration = dispatch(_planar_acceleration, _spatial_acceleration)  # r̈ of its centre


@inline
def moved(rate, change, a):
    """ȧ and ä of a vector fixed on a body that turns with ω = rate, ω̇ = change."""
    da = turn(rate, a)
    return da, add(turn(change, a), turn(rate, da))


@inline
def moving(s, w, b, a):
    """ȧ and ä of a vector fixed on body b."""
    return moved(omega(s, w, b), alpha(s, w, b), a)


@inline
def drifting(a, da, x, dx):
    """∂ċ/∂φ."""
    return turn_add(moment(da, x), moment(a, dx))


@inline
def turned(a, da, dda, x, dx, ddx):
    """∂c̈/∂φ."""
    return turn_add(turn_add(moment(dda, x), moment(a, ddx)), turn_scale(moment(da, dx), 2.0))


@inline
def spun(rate, a, da, x, dx):
    """∂c̈/∂ω."""
    return turn_add(moment(da, x), moment(a, sub(scale(dx, 2.0), turn(rate, x))))


# ------------------------------------------------------------------------------------------------------------ rows of G


@inline
def _planar_add_row(s, w, to, at, b, f, F, T):
    to[at] += f * F[0]
    to[at + 1] += f * F[1]
    to[at + 2] += f * T[0]


@inline
def _spatial_add_row(s, w, to, at, b, f, F, T):
    to[at] += f * F[0]
    to[at + 1] += f * F[1]
    to[at + 2] += f * F[2]
    _spatial_add_turn(s, w, to, at, b, f, T)


@inline
def _planar_add_turn(s, w, to, at, b, f, T):
    to[at + 2] += f * T[0]


@inline
def _spatial_add_turn(s, w, to, at, b, f, T):
    bar = space.turn_to_body(rotation(s, w, b), T)
    to[at + 3] += f * bar[0]
    to[at + 4] += f * bar[1]
    to[at + 5] += f * bar[2]


add_row = dispatch(_planar_add_row, _spatial_add_row)  # f × (force F, moment T) on body b, added to a row of ``to``
add_turn = dispatch(_planar_add_turn, _spatial_add_turn)


# ---------------------------------------------------------------------------------------------------------- blocks of K


@inline
def _planar_curve(s, w, K, at, b, a, x, f):
    K[at + 8] -= f * plane.dot(a, x)


@inline
def _spatial_curve(s, w, K, at, b, a, x, f):
    A = rotation(s, w, b)
    r, c = space.unrotate(A, x), space.scale(space.unrotate(A, a), f)
    t = space.dot(r, c)
    for i in range(3):
        for j in range(3):
            K[at + 21 + 6 * i + j] += r[i] * c[j]
        K[at + 21 + 7 * i] -= t


@inline
def _planar_cross(s, w, K, ij, ji, i, j, a, b, f):
    K[ij + 8] += f * plane.dot(a, b)
    K[ji + 8] += f * plane.dot(a, b)


@inline
def _spatial_cross(s, w, K, ij, ji, i, j, a, b, f):
    A, B = rotation(s, w, i), rotation(s, w, j)
    t = f * space.dot(a, b)
    r, c = space.scale(space.unrotate(A, b), f), space.unrotate(B, a)
    for m in range(3):
        for k in range(3):
            x = t * (A[m] * B[k] + A[3 + m] * B[3 + k] + A[6 + m] * B[6 + k]) - r[m] * c[k]
            K[ij + 21 + 6 * m + k] += x
            K[ji + 21 + 6 * k + m] += x


@inline
def _planar_cross_own(s, w, K, at, b, a, f):
    K[at + 8] += f * plane.dot(a, a)


@inline
def _spatial_cross_own(s, w, K, at, b, a, f):
    bar = space.unrotate(rotation(s, w, b), a)
    c = space.scale(bar, f)
    t = space.dot(bar, c)
    for m in range(3):
        for k in range(3):
            K[at + 21 + 6 * m + k] -= bar[m] * c[k]
        K[at + 21 + 7 * m] += t


@inline
def _planar_lever(s, w, K, at, b, a, f):
    K[at + 2] -= f * a[1]
    K[at + 5] += f * a[0]


@inline
def _spatial_lever(s, w, K, at, b, a, f):
    A = rotation(s, w, b)
    bar = space.scale(space.unrotate(A, a), f)
    for k in range(3):  # φ × a = A (φ̄ × ā), row k: ā × (row k of A)
        x = space.moment(bar, (A[3 * k], A[3 * k + 1], A[3 * k + 2]))
        K[at + 6 * k + 3] += x[0]
        K[at + 6 * k + 4] += x[1]
        K[at + 6 * k + 5] += x[2]


@inline
def _planar_arm(s, w, K, at, b, a, f):
    K[at + 6] -= f * a[1]
    K[at + 7] += f * a[0]


@inline
def _spatial_arm(s, w, K, at, b, a, f):
    A = rotation(s, w, b)
    bar = space.scale(space.unrotate(A, a), f)
    for k in range(3):
        x = space.moment(bar, (A[3 * k], A[3 * k + 1], A[3 * k + 2]))
        K[at + 18 + k] += x[0]
        K[at + 24 + k] += x[1]
        K[at + 30 + k] += x[2]


@inline
def _planar_push(s, K, at, f):
    K[at] += f
    K[at + 4] += f


@inline
def _spatial_push(s, K, at, f):
    K[at] += f
    K[at + 7] += f
    K[at + 14] += f


curve = dispatch(_planar_curve, _spatial_curve)  # rows and columns: turns of b, on which a is fixed
cross = dispatch(_planar_cross, _spatial_cross)  # rows: turns of i, on which a is fixed; columns: those of j, with b; and back
cross_own = dispatch(_planar_cross_own, _spatial_cross_own)  # the same with one vector on one body
lever = dispatch(_planar_lever, _spatial_lever)  # rows: a force; columns: turns of b, on which a is fixed
arm_of = dispatch(_planar_arm, _spatial_arm)  # rows: turns of b, on which a is fixed; columns: a place
push_of = dispatch(_planar_push, _spatial_push)  # rows: a force; columns: a place


@inline
def dyad(K, at, n, x, row, y, column, f):
    """f × (x at ``row``)(y at ``column``)ᵀ, whole block."""
    for i in range(n):
        z = f * x[row + i]
        for j in range(n):
            K[at + n * i + j] += z * y[column + j]
