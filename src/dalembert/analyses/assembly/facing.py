"""Axes that must end parallel, not opposite.

Alignment in space is written with perpendicular vectors (a_i · c_j = 0), which a flipped joint satisfies too.  So a drawing whose
axes are far apart is turned first, body by body, and what comes out is checked.
"""

from __future__ import annotations

import numpy as np

from dalembert.algebra.rotations import matrix_of_quaternion, quaternion_of_matrix
from dalembert.system import poses

FAR = 0.5  # cosine of the angle beyond which a drawing is turned first
SURE = 1e-9  # what is nearer to a limit than that is looked at joint by joint


def _frame(system, q, m):
    """Body, point and axes of a marker in ground coordinates."""
    return poses.carrier(system, m), *poses.marked(system, q, m)


def _turn_onto(a, c) -> np.ndarray:
    """The smallest rotation that takes the unit vector c to a."""
    axis, cosine = np.cross(c, a), float(a @ c)
    if cosine < -1 + 1e-12:
        side = np.eye(3)[int(np.argmin(np.abs(c)))]
        axis = np.cross(c, side)
        axis /= np.linalg.norm(axis)
        return 2 * np.outer(axis, axis) - np.eye(3)
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + K + K @ K / (1 + cosine)


def _all_nearer(system, q, than: float) -> bool:
    """Whether the axes of all joints are surely nearer to each other than that cosine: the usual case, looked at all at once."""
    if not system.aligned:
        return True
    e = system.each_q(q)[:, 3:7]
    A = np.concatenate([matrix_of_quaternion(e), np.eye(3)[None]])
    i, j = ([joint[side] for joint in system.aligned] for side in (1, 2))
    markers = system.tables.markers
    carried = A[markers["body"]] @ markers["axes"].reshape(-1, 3, 3)
    cosines = (carried[i] * carried[j]).sum(axis=1)
    whole = np.array([joint[3] for joint in system.aligned])
    return bool((np.where(whole, cosines.min(axis=1), cosines[:, 2]) > than + SURE).all())


def face(system, q) -> None:
    """Turn bodies whose joint axes are drawn far apart, about the joint, in the order of the joints."""
    if _all_nearer(system, q, FAR):
        return
    for _, i, j, whole in system.aligned:
        bi, pi, F = _frame(system, q, i)
        bj, pj, G = _frame(system, q, j)
        apart = min(np.einsum("ij,ij->j", F, G)) if whole else F[:, 2] @ G[:, 2]
        if apart >= FAR:
            continue
        R = F @ G.T if whole else _turn_onto(F[:, 2], G[:, 2])
        body, point = bj, pj
        if bj == system.nb:
            body, point, R = bi, pi, R.T
        r, A = poses.placed(system, q, body)
        q[system.at_q(body)] = [*(point + R @ (r - point)), *quaternion_of_matrix(R @ A)]


def flipped(system, q) -> list[str]:
    """Elements whose axes ended opposite."""
    found: list[str] = []
    if _all_nearer(system, q, 0.0):
        return found
    for name, i, j, whole in system.aligned:
        _, _, F = _frame(system, q, i)
        _, _, G = _frame(system, q, j)
        if (min(np.einsum("ij,ij->j", F, G)) if whole else F[:, 2] @ G[:, 2]) < 0:
            found.append(name)
    return found
