"""Between links and bodies: poses, twists and accelerations of the centres of mass, and wrenches brought to the links' origins.

    r_c = r + c,  c = A c̄        ṙ_c = v + ω × c        r̈_c = v̇ + α × c + ω × (ω × c)        A_body = A turn,  ω̄ = A_bodyᵀ ω
    a row (or force) (F, n̄) on a body, torque about its centre of mass along its axes, is at the link's origin
    (F, A_body n̄ + c × F)
"""

import math

from dalembert._jit import dispatch, inline, kernel
from dalembert.algebra import spatial as alg
from dalembert.elements.bodies import planar, spatial

from .spatial import axes, increase, keep, product, row, vec

# ------------------------------------------------------------------------------------------------------------ plane


@inline
def _arm2(T, X, k):
    link = T.links[k]
    c, s = X.pose[4 * k + 2], X.pose[4 * k + 3]
    return c * link.com[0] - s * link.com[1], s * link.com[0] + c * link.com[1]


@inline
def express2(T, S, w, X, b):
    """Pose, twist and coordinates of body b."""
    k = T.carrier[b]
    cx, cy = _arm2(T, X, k)
    omega = X.omega[k]
    theta = X.theta[k] + T.links[k].turn
    x, y = X.pose[4 * k] + cx, X.pose[4 * k + 1] + cy
    q, p, o = planar.at_q(S, b), planar.at_pose(S, b), planar.at_twist(S, b)
    w.q[q] = x
    w.q[q + 1] = y
    w.q[q + 2] = theta
    w.pose[p] = x
    w.pose[p + 1] = y
    w.pose[p + 2] = math.cos(theta)
    w.pose[p + 3] = math.sin(theta)
    w.twist[o] = X.velocity[2 * k] - omega * cy
    w.twist[o + 1] = X.velocity[2 * k + 1] + omega * cx
    w.twist[o + 2] = omega


@inline
def quaternion2(T, w, b):
    """The plane has no quaternion."""


@inline
def speed2(T, w, b, out):
    """v of body b from its twist."""
    at, o = planar.at_v(T, b), planar.at_twist(T, b)
    for i in range(3):
        out[at + i] = w.twist[o + i]


@inline
def accelerate2(T, X, w, acc, b, out, own):
    """v̇ of body b from its link's acceleration; own: with the terms of ω, and gravity given back."""
    k = T.carrier[b]
    cx, cy = _arm2(T, X, k)
    alpha = acc[3 * k + 2]
    ww = X.omega[k] * X.omega[k] if own else 0.0
    g = 1.0 if own else 0.0
    at = planar.at_v(T, b)
    out[at] = acc[3 * k] - alpha * cy - ww * cx + g * T.gravity[0]
    out[at + 1] = acc[3 * k + 1] + alpha * cx - ww * cy + g * T.gravity[1]
    out[at + 2] = alpha


@inline
def add_wrench2(T, X, w, source, at, b, factor, force):
    """force of b's link += factor × the row source[at:] on body b."""
    k = T.carrier[b]
    cx, cy = _arm2(T, X, k)
    fx, fy = factor * source[at], factor * source[at + 1]
    force[3 * k] += fx
    force[3 * k + 1] += fy
    force[3 * k + 2] += factor * source[at + 2] + cx * fy - cy * fx


@inline
def through2(T, X, w, k, b, out):
    """The wrench through joint k, on body b: force, and torque about its centre of mass."""
    cx, cy = _arm2(T, X, T.carrier[b])
    fx, fy = X.force[3 * k], X.force[3 * k + 1]
    out[0] = fx
    out[1] = fy
    out[2] = X.force[3 * k + 2] - cx * fy + cy * fx


# ------------------------------------------------------------------------------------------------------------ space


@inline
def _arm3(T, X, k):
    link = T.links[k]
    return alg.rotate(axes(1.0, X, k), (link.com[0], link.com[1], link.com[2]))


@inline
def _body(w, b):
    p = spatial.at_pose(w, b) + 3
    return (w.pose[p], w.pose[p + 1], w.pose[p + 2], w.pose[p + 3], w.pose[p + 4], w.pose[p + 5],
            w.pose[p + 6], w.pose[p + 7], w.pose[p + 8])


@inline
def express3(T, S, w, X, b):
    k = T.carrier[b]
    c = _arm3(T, X, k)
    omega = vec(1.0, X.omega, 3 * k)
    A = product(axes(1.0, X, k), row(T.links[k].turn))
    p, o = spatial.at_pose(S, b), spatial.at_twist(S, b)
    keep(1.0, w.pose, p, alg.add(vec(1.0, X.pose, 12 * k), c))
    keep(1.0, w.pose, p + 3, (A[0], A[1], A[2]))
    keep(1.0, w.pose, p + 6, (A[3], A[4], A[5]))
    keep(1.0, w.pose, p + 9, (A[6], A[7], A[8]))
    keep(1.0, w.q, spatial.at_q(S, b), vec(1.0, w.pose, p))
    keep(1.0, w.twist, o, alg.add(vec(1.0, X.velocity, 3 * k), alg.moment(omega, c)))
    keep(1.0, w.twist, o + 3, omega)


@inline
def quaternion3(T, w, b):
    """Quaternion of body b from its matrix, by the largest component, on the side of the one it had."""
    A = _body(w, b)
    trace = A[0] + A[4] + A[8]
    if trace >= A[0] and trace >= A[4] and trace >= A[8]:
        e = (1.0 + trace, A[7] - A[5], A[2] - A[6], A[3] - A[1])
    elif A[0] >= A[4] and A[0] >= A[8]:
        e = (A[7] - A[5], 1.0 + 2.0 * A[0] - trace, A[1] + A[3], A[2] + A[6])
    elif A[4] >= A[8]:
        e = (A[2] - A[6], A[1] + A[3], 1.0 + 2.0 * A[4] - trace, A[5] + A[7])
    else:
        e = (A[3] - A[1], A[2] + A[6], A[5] + A[7], 1.0 + 2.0 * A[8] - trace)
    q = spatial.at_q(T, b) + 3
    side = e[0] * w.q[q] + e[1] * w.q[q + 1] + e[2] * w.q[q + 2] + e[3] * w.q[q + 3]
    f = 1.0 / math.sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3])
    if side < 0.0:
        f = -f
    w.q[q] = f * e[0]
    w.q[q + 1] = f * e[1]
    w.q[q + 2] = f * e[2]
    w.q[q + 3] = f * e[3]


@inline
def speed3(T, w, b, out):
    at, o = spatial.at_v(T, b), spatial.at_twist(T, b)
    keep(1.0, out, at, vec(1.0, w.twist, o))
    keep(1.0, out, at + 3, alg.unrotate(_body(w, b), vec(1.0, w.twist, o + 3)))


@inline
def accelerate3(T, X, w, acc, b, out, own):
    k = T.carrier[b]
    c = _arm3(T, X, k)
    alpha = vec(1.0, acc, 6 * k + 3)
    a = alg.add(vec(1.0, acc, 6 * k), alg.moment(alpha, c))
    if own:
        omega = vec(1.0, X.omega, 3 * k)
        a = alg.add(alg.add(a, alg.moment(omega, alg.moment(omega, c))), (T.gravity[0], T.gravity[1], T.gravity[2]))
    keep(1.0, out, spatial.at_v(T, b), a)
    keep(1.0, out, spatial.at_v(T, b) + 3, alg.unrotate(_body(w, b), alpha))


@inline
def add_wrench3(T, X, w, source, at, b, factor, force):
    k = T.carrier[b]
    F = alg.scale(vec(1.0, source, at), factor)
    n = alg.scale(alg.rotate(_body(w, b), vec(1.0, source, at + 3)), factor)
    increase(1.0, force, 6 * k, F)
    increase(1.0, force, 6 * k + 3, alg.add(n, alg.moment(_arm3(T, X, k), F)))


@inline
def through3(T, X, w, k, b, out):
    F = vec(1.0, X.force, 6 * k)
    keep(1.0, out, 0, F)
    n = alg.sub(vec(1.0, X.force, 6 * k + 3), alg.moment(_arm3(T, X, T.carrier[b]), F))
    keep(1.0, out, 3, alg.unrotate(_body(w, b), n))


express_body = dispatch(express2, express3)
accelerate_body = dispatch(accelerate2, accelerate3)
add_wrench = dispatch(add_wrench2, add_wrench3)
through_joint = dispatch(through2, through3)
speed_body = dispatch(speed2, speed3)
quaternion = dispatch(quaternion2, quaternion3)


@kernel
def express(T, S, w, X):
    """All bodies into the workspace of the loop rows; running angles that are joint coordinates."""
    for b in range(S.bodies.size):
        express_body(T, S, w, X, b)
    for k in range(T.turns.size):
        w.q[T.turns[k].slot] = T.turns[k].sign * X.q[T.turns[k].q]
