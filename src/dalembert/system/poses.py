"""Poses and motions of bodies and markers in NumPy, over one state or many (states along the first axes).

From what the kernels found (``pose`` and ``twist`` of a workspace or of observed samples), or from coordinates ``q`` alone:

    r, A = body(system, pose, b)          centre of mass, and the matrix from body axes to ground axes; b = nb: the ground
    v, ω = motion(system, twist, b)       of the centre of mass; ω a number in the plane, ground axes in space
    p, F = marker(system, pose, m)        point and axes (columns) of a marker, ground axes
    placed, marked                        body and marker from q
"""

from __future__ import annotations

import numpy as np

from dalembert.algebra.rotations import matrix_of_angle, matrix_of_quaternion


def body(system, pose, b: int):
    """Centre of mass and matrix of a body, as the kernels left them."""
    d, size = system.dim, system.kind.POSE
    p = np.asarray(pose)[..., size * b:size * (b + 1)]
    if d == 3:
        return p[..., :3], p[..., 3:].reshape(*p.shape[:-1], 3, 3)
    c, s = p[..., 2], p[..., 3]
    return p[..., :2], np.stack([np.stack([c, -s], -1), np.stack([s, c], -1)], -2)


def all_bodies(system, pose) -> np.ndarray:
    """Pose numbers of every body and the ground: … × (bodies + 1) × numbers, a view."""
    return np.asarray(pose).reshape(*np.shape(pose)[:-1], system.nb + 1, system.kind.POSE)


def motion(system, twist, b: int):
    """Velocity of the centre of mass and angular velocity of a body."""
    d, size = system.dim, system.kind.TWIST
    x = np.asarray(twist)[..., size * b:size * (b + 1)]
    return x[..., :d], x[..., 2] if d == 2 else x[..., 3:]


def placed(system, q, b: int):
    """As ``body``, from one state's coordinates."""
    d = system.dim
    if b == system.nb:
        return np.zeros(d), np.eye(d)
    x = q[system.at_q(b)]
    return x[:d], matrix_of_angle(x[2]) if d == 2 else matrix_of_quaternion(x[3:])


def turned(system, q, b: int) -> float:
    """The angle of a body in the plane."""
    return 0.0 if b == system.nb else q[system.at_q(b)][2]


def carrier(system, m: int) -> int:
    """The body of a marker; nb: the ground."""
    return int(system.tables.markers[m]["body"])


def local(system, m: int):
    """Point of a marker from the centre of mass, and its axes (columns), body axes."""
    row = system.tables.markers[m]
    axes = np.asarray(row["axes"])
    return np.asarray(row["s"]), np.array([[axes[0], -axes[1]], [axes[1], axes[0]]]) if system.dim == 2 else axes.reshape(3, 3)


def marker(system, pose, m: int):
    """Point and axes of a marker, ground axes."""
    return _carried(*body(system, pose, carrier(system, m)), *local(system, m))


def marked(system, q, m: int):
    """As ``marker``, from one state's coordinates."""
    return _carried(*placed(system, q, carrier(system, m)), *local(system, m))


def points(system, pose, rows) -> np.ndarray:
    """Points of many markers (rows of their table) at one state."""
    p, arm = all_bodies(system, pose)[rows["body"].astype(int)], rows["s"]
    if system.dim == 3:
        return p[:, :3] + np.einsum("kij,kj->ki", p[:, 3:].reshape(-1, 3, 3), arm)
    c, s = p[:, 2], p[:, 3]
    return p[:, :2] + np.stack([c * arm[:, 0] - s * arm[:, 1], s * arm[:, 0] + c * arm[:, 1]], axis=1)


def _carried(r, A, s, axes):
    return r + A @ s, A @ axes
