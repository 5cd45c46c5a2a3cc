"""Attaching a body by a joint: its frame from its neighbour's frame and the coordinates the joint leaves free.

    A_j = A_i Q,  Q = F R Gᵀ        F, G: marker axes on i and j;  R: rotations about marker axes, one after the other
    r_j + A_j s_j = r_i + A_i (s_i + F d)                          d: translations along marker i's axes
    ω̄_j = Qᵀ ω̄_i + w                                              w = Σ w_k q̇_k, the relative spin along j's axes

and the same read backwards when j is attached first.  In the plane these are sums of angles; see frames.py for the jets.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from dalembert.model import pointlike
from dalembert.symbolic.kinematics.frames import PlaneFrame, SpaceFrame, Twist, cross, zeros
from dalembert.symbolic.kinematics.jet import ZERO, Jet
from dalembert.symbolic.kinematics.valued import exact, formula

MOVES = {"Rx", "Ry", "Rz", "Tx", "Ty", "Tz", "screw", "arm i", "arm j"}
GREEK = ("alpha", "beta", "gamma")
EULER = ("phi", "theta", "psi")


def supported(free) -> bool:
    return set(free) <= MOVES


# ----------------------------------------------------------------------------------------------- reading states


def read_state(k):
    return lambda poses: poses.q[k]


def read_angle(joint):
    return lambda poses: poses.angle(joint)


def read_slide(joint, axis):
    return lambda poses: poses.offset(joint)[axis]


def read_body(body, part):
    return lambda poses: poses.body(body, part)


def read_turns(joint, axes, k, before=None, after=None):
    """The k-th angle of a sequence of rotations; R = beforeᵀ (relative rotation) afterᵀ."""
    return lambda poses: poses.turns(joint, axes, before, after)[k]


# ------------------------------------------------------------------------------------------------------ any joint


def point(b, body) -> bool:
    """Whether a body (its number) is a particle: a place without axes (elements/bodies/point_mass.py)."""
    return pointlike.of(b, body)


def carries_point(free) -> bool:
    """Whether a joint that leaves these motions free holds a particle at a point: a pin in the plane, a ball in space."""
    return set(free) in ({"Rz"}, {"Rx", "Ry", "Rz"})


def _place_point(kin, body, r: list[Jet]):
    mass, J, com = kin.inertia(body)
    if kin.dim == 2:
        kin.frames[body] = PlaneFrame(mass, J, com, r[0], r[1], Jet(ZERO))
        return
    one = np.array(sp.eye(3).tolist(), dtype=object)
    kin.frames[body] = SpaceFrame(mass, J, com, one, np.array([x.value for x in r], dtype=object), Twist.rest(), _vector(r))


def free_point(kin, body, reads=None):
    """A particle without a joint: x, y(, z)."""
    name = kin.title(body)
    reads = reads or [read_body(body, c) for c in "xyz"[: kin.dim]]
    found = []
    for k, c in enumerate("xyz"[: kin.dim]):
        measure = None if kin.absolute else kin.b.coordinate(f"{name}.{c}", f"body '{name}'")
        found.append(kin.variable(f"{name}.{c}", c, name, reads[k], measure))
    _place_point(kin, body, found)


def joint(kin, element, i, j, parent):
    """Attach the body of {i, j} that is not ``parent``."""
    child = j if parent == i else i
    if point(kin.b, child):  # at the joint's point on the parent
        _place_point(kin, child, kin.frames[parent].point(formula(kin.b.markers[kin.b.joints[element.name][parent == j]].local)))
        return
    (plane_joint if kin.dim == 2 else space_joint)(kin, element, i, j, parent)


def _coordinate(kin, element, part):
    """Name and measure of a joint's coordinate that the engine knows too."""
    known = element.coordinate_name
    if part not in known:
        return f"{element.name}.{part}", None
    name = element.name if next(iter(known)) == part else f"{element.name}.{part}"
    if kin.ask(f"{element.name}.{part}"):
        kin._taken.add(f"{element.name}.{part}")
    return name, kin.b.coordinate(f"{element.name}.{part}", element)


def _angle_of(kin, element) -> Jet:
    name, measure = _coordinate(kin, element, "angle")
    return kin.variable(name, "q", element.name, read_angle(element.name), measure)


def _slide_of(kin, element, axis, part="slide") -> Jet:
    name, measure = _coordinate(kin, element, part)
    return kin.variable(name, "s" if part == "slide" else part, element.name, read_slide(element.name, axis), measure)


# ---------------------------------------------------------------------------------------------------------- plane


def plane_joint(kin, element, i, j, parent):
    b = kin.b
    mi, mj = b.joints[element.name]
    p, q, axes = formula(b.markers[mi].local), formula(b.markers[mj].local), formula(b.markers[mi].axes)
    offset = exact(b.measures[b.angle(mi, mj)]["offset"])
    free = element.free[2]
    child = j if parent == i else i
    name, base = kin.title(child), kin.frames[parent]
    sign = 1 if parent == i else -1
    if "Rz" not in free:
        theta = base.theta + sign * offset
    elif kin.own_angle(name, element.name) and not _driven(kin, element, "angle"):
        theta = kin.variable(f"{name}.angle", "theta", name, read_body(child, "angle"), b.coordinate(f"{name}.angle", element))
    else:
        theta = base.theta + sign * offset + sign * _angle_of(kin, element)
    own = q if parent == i else p
    start = base.point(p if parent == i else q)
    if "Tx" in free:
        along = (base if parent == i else _turned(theta)).axis(axes[:, 0])
        start = _slid(kin, element, child, start, along, sign, theta, own)
    mass, J, com = kin.inertia(child)
    arm = _turned(theta).axis([own[k] - com[k] for k in range(2)])
    kin.frames[child] = PlaneFrame(mass, J, com, start[0] - arm[0], start[1] - arm[1], theta)


def _turned(theta) -> PlaneFrame:
    return PlaneFrame(ZERO, ZERO, zeros(2), Jet(ZERO), Jet(ZERO), theta)


def _driven(kin, element, part) -> bool:
    return kin.b.coordinate(f"{element.name}.{part}", element) in kin._drives


def _slid(kin, element, child, start, along, sign, theta, own):
    """The joint's point on the child: start ± slide × axis, the slide perhaps written by the child's own x or y."""
    name = kin.title(child)
    for c, letter in enumerate("xy"):
        own_x = kin.slides and abs(along[c].value) == 1 and not kin.ask(element.name, f"{element.name}.slide")
        wanted = kin.ask(f"{name}.{letter}") or own_x
        if wanted and along[c].constant and along[c].value != 0 and not _driven(kin, element, "slide"):
            x = kin.variable(
                f"{name}.{letter}", letter, name, read_body(child, letter), kin.b.coordinate(f"{name}.{letter}", element)
            )
            reach = _turned(theta).axis(own)[c]  # from the reference point to the joint's point
            slide = (x + reach - start[c]) * (sign / along[c].value)
            break
    else:
        slide = _slide_of(kin, element, 0)
    return [start[k] + along[k] * slide * sign for k in range(2)]


# ---------------------------------------------------------------------------------------------------------- space


def elementary(k, angle):
    c, s = sp.cos(angle), sp.sin(angle)
    A = np.array(sp.eye(3).tolist(), dtype=object)
    i, j = (k + 1) % 3, (k + 2) % 3
    A[i, i] = A[j, j] = c
    A[i, j], A[j, i] = -s, s
    return A


def rotations(steps):
    """Rotations about axes one after the other: R, and the spin of the last frame along its own axes, as a twist.

    ``steps`` holds (axis e_k, jet q_k):
        ω_k = R_kᵀ ω_{k−1} + e_k q̇_k,     ω̇_k = R_kᵀ ω̇_{k−1} + (R_kᵀ ω_{k−1}) × e_k q̇_k + e_k q̈_k
    """
    R = np.array(sp.eye(3).tolist(), dtype=object)
    spin = Twist.rest()
    for axis, angle in steps:
        Rk = elementary(axis, angle.value)
        unit = zeros(3)
        unit[axis] = sp.S.One
        R, spin = R @ Rk, spin.turned(Rk.T)
        turning = cross(spin.rate, unit * angle.rate)
        spin = spin + Twist({n: unit * g for n, g in angle.grad.items()}, unit * angle.rate, unit * angle.bias)
        spin.bias = spin.bias + turning
    return R, spin


def _vector(jets) -> Twist:
    grad: dict = {}
    for c, j in enumerate(jets):
        for n, g in j.grad.items():
            grad.setdefault(n, zeros(3))[c] = g
    return Twist(grad, np.array([j.rate for j in jets], dtype=object), np.array([j.bias for j in jets], dtype=object))


def space_joint(kin, element, i, j, parent):
    b = kin.b
    mi, mj = b.joints[element.name]
    F, G = formula(b.markers[mi].axes), formula(b.markers[mj].axes)
    p, q = formula(b.markers[mi].local), formula(b.markers[mj].local)
    free, steps, d = element.free[3], [], [Jet(ZERO)] * 3
    if "screw" in free:
        angle = _angle_of(kin, element)
        lead = b.number(element.pitch, f"pitch of {element.title}").expr / (2 * sp.pi)
        steps, d = [(2, angle)], [Jet(ZERO), Jet(ZERO), angle * lead]
        kin.known[kin.b.coordinate(f"{element.name}.slide", element)] = d[2]
    elif "arm i" in free:
        steps, F, G = _universal(kin, element, F, G)
    elif {"Rx", "Ry", "Rz"} <= set(free):
        steps, F, G = _ball(kin, element, F, G, element.name)
    elif "Rz" in free:
        steps = [(2, _angle_of(kin, element))]
    for c, move in enumerate(("Tx", "Ty", "Tz")):
        if move in free:
            d[c] = _slide_of(kin, element, c, "slide" if move == "Tz" else "xyz"[c])
    R, spin = rotations(steps)
    Fd = formula(b.markers[mi].axes)
    _place(
        kin,
        i,
        j,
        parent,
        p,
        q,
        F @ R @ G.T,
        spin.turned(G),
        Fd @ np.array([x.value for x in d], dtype=object),
        _vector(d).turned(Fd),
    )


def _ball(kin, element, F, G, name):
    letters = kin.sequence(name)
    if letters is None:
        return (
            [(k, kin.variable(f"{name}.{g}", g, name, read_turns(element.name, (0, 1, 2), k))) for k, g in enumerate(GREEK)],
            F,
            G,
        )
    order = tuple("xyz".index(c) for c in letters)
    names = EULER if order[0] == order[2] else GREEK
    one = np.array(sp.eye(3).tolist(), dtype=object)
    return (
        [
            (order[k], kin.variable(f"{name}.{g}", g, name, read_turns(element.name, order, k, "body", "body")))
            for k, g in enumerate(names)
        ],
        one,
        one,
    )


def _universal(kin, element, F, G):
    """Cross: about the arm on i, then about the arm on j; a quarter turn between the arms."""
    a = kin.variable(f"{element.name}.alpha", "alpha", element.name, lambda poses: poses.arms(element.name)[0])
    c = kin.variable(f"{element.name}.beta", "beta", element.name, lambda poses: poses.arms(element.name)[1])
    return [(2, a), (0, Jet(sp.pi / 2)), (2, c)], F, G


def free(kin, body):
    """A body without a joint: x, y(, z) of its reference point and its angle(s)."""
    if point(kin.b, body):
        free_point(kin, body)
        return
    name = kin.title(body)
    b = kin.b
    mass, J, com = kin.inertia(body)
    own = [
        kin.variable(f"{name}.{c}", c, name, read_body(body, c), b.coordinate(f"{name}.{c}", f"body '{name}'"))
        for c in "xyz"[: kin.dim]
    ]
    if kin.dim == 2:
        theta = kin.variable(f"{name}.angle", "theta", name, read_body(body, "angle"), b.coordinate(f"{name}.angle", name))
        arm = _turned(theta).axis(com)
        kin.frames[body] = PlaneFrame(mass, J, com, own[0] + arm[0], own[1] + arm[1], theta)
        return
    letters = kin.sequence(name)
    A0 = np.array(sp.eye(3).tolist(), dtype=object)
    order = tuple("xyz".index(c) for c in letters) if letters else (0, 1, 2)
    names = EULER if order[0] == order[2] else GREEK
    if letters is None:
        A0 = formula(b.placed[body].A)
    steps = [
        (order[k], kin.variable(f"{name}.{g}", g, name, lambda poses, k=k: poses.euler(body, order, letters is None)[k]))
        for k, g in enumerate(names)
    ]
    R, spin = rotations(steps)
    A, trans = A0 @ R, _vector(own)  # the velocity stays along ground axes: ẋ, ẏ, ż themselves
    if any(x != 0 for x in com):
        at = _moved(Twist({}, zeros(3), zeros(3)), spin, com).turned(A)
        trans = trans + at
    r = np.array([x.value for x in own], dtype=object) + A @ com
    kin.frames[body] = SpaceFrame(mass, J, com, A, r, spin, trans, body_axes=False)


def _place(kin, i, j, parent, p, q, Q, w: Twist, d, slide: Twist):
    """Frame of the child: Q = A_iᵀ A_j, w the spin of j against i (j's axes), d and slide along i's axes."""
    child = j if parent == i else i
    base = kin.frames[parent]
    mass, J, com = kin.inertia(child)
    if not base.body_axes:
        base = SpaceFrame(base.mass, base.inertia, base.com_local, base.A, base.r, base.turn, base.trans.turned(base.A.T))
    old = base.turn
    if parent == i:
        A = base.A @ Q
        turned = old.turned(Q.T)
        turn = turned + w
        turn.bias = turn.bias - cross(w.rate, turned.rate)
        rho, s = p - base.com_local + d, q - com
        start = _at(base, old, rho) + slide
        start.bias = start.bias + 2 * cross(old.rate, slide.rate)
        r = base.r + base.A @ rho - A @ s
        trans = _moved(start.turned(Q.T), turn, -s)
    else:
        A = base.A @ Q.T
        turn = (old + -w).turned(Q)
        turn.bias = turn.bias + Q @ cross(w.rate, old.rate)
        rho, s = p - com + d, q - base.com_local
        start = _at(base, old, s).turned(Q)
        trans = _moved(start, turn, -rho) + -slide
        trans.bias = trans.bias - 2 * cross(turn.rate, slide.rate)
        r = base.r + base.A @ s - A @ rho
    kin.frames[child] = SpaceFrame(mass, J, com, A, r, turn, trans)


def _at(frame, turn, s) -> Twist:
    """Velocity of the point at arm s of a frame, along the frame's axes."""
    return _moved(frame.trans, turn, s)


def _moved(trans: Twist, turn: Twist, s) -> Twist:
    grad = dict(trans.grad)
    if all(x == 0 for x in s):
        return Twist(grad, trans.rate, trans.bias)
    for k, g in turn.grad.items():
        grad[k] = grad[k] + cross(g, s) if k in grad else cross(g, s)
    return Twist(grad, trans.rate + cross(turn.rate, s), trans.bias + cross(turn.bias, s) + cross(turn.rate, cross(turn.rate, s)))
