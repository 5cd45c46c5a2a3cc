"""Rotations with NumPy arrays, for describing and reading (the compiled kernels have their own).

Quaternions are scalar first (e0, e1, e2, e3); matrices take body axes to ground axes.
"""

from __future__ import annotations

import math

import numpy as np


def matrix_of_quaternion(e) -> np.ndarray:
    e = np.asarray(e, dtype=float)
    if e.ndim == 1:  # floats are quicker than small arrays
        return np.array(_rows(*(e / np.sqrt(np.add.reduce(e * e))).tolist()))
    return np.moveaxis(np.array(_rows(*np.moveaxis(e / np.linalg.norm(e, axis=-1, keepdims=True), -1, 0))), (0, 1), (-2, -1))


def _rows(e0, e1, e2, e3) -> list:
    return [
        [1 - 2 * (e2 * e2 + e3 * e3), 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)],
        [2 * (e1 * e2 + e0 * e3), 1 - 2 * (e1 * e1 + e3 * e3), 2 * (e2 * e3 - e0 * e1)],
        [2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), 1 - 2 * (e1 * e1 + e2 * e2)]]


def quaternion_of_matrix(A) -> np.ndarray:
    """The quaternion with e0 ≥ 0, by its largest component."""
    A = np.asarray(A, dtype=float)
    trace = A[0, 0] + A[1, 1] + A[2, 2]
    squares = np.array([trace, A[0, 0], A[1, 1], A[2, 2]])
    k = int(np.argmax(squares))
    if k == 0:
        e = np.array([1 + trace, A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1]])
    else:
        i, j, m = k - 1, k % 3, (k + 1) % 3
        e = np.empty(4)
        e[0] = A[m, j] - A[j, m]
        e[1 + i] = 1 + 2 * A[i, i] - trace
        e[1 + j] = A[i, j] + A[j, i]
        e[1 + m] = A[i, m] + A[m, i]
    e /= np.linalg.norm(e)
    return -e if e[0] < 0 else e


def matrix_of_angle(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s], [s, c]])


def elementary(axis: str, angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    k = "xyz".index(axis)
    A = np.eye(3)
    i, j = (k + 1) % 3, (k + 2) % 3
    A[i, i] = A[j, j] = c
    A[i, j], A[j, i] = -s, s
    return A


def cross(a, b) -> np.ndarray:
    """a × b of two vectors of space (NumPy's takes ten times as long for one pair); objects too."""
    (a0, a1, a2), (b0, b1, b2) = np.asarray(a).tolist(), np.asarray(b).tolist()
    return np.array([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0])


def frame_along(direction, column: int) -> np.ndarray:
    """A right-handed frame whose given column is along the unit direction, otherwise as near the ground axes as can be."""
    a = np.asarray(direction)
    a = a if a.dtype == object else a.astype(float)  # objects: the symbolic builder's numbers
    if a.size == 2:
        return np.array([[a[0], -a[1]], [a[1], a[0]]])
    helper = np.zeros(3)
    helper[int(np.argmin(np.abs(a) + np.array([0.0, 1e-9, 2e-9])))] = 1.0
    first = helper - a * (a @ helper)
    first /= np.linalg.norm(first)
    other = cross(a, first)
    if column == 2:
        return np.array([first, other, a]).T.copy()
    second = first if abs(first[1]) >= abs(other[1]) else other
    return np.array([a, second, cross(a, second)]).T.copy()


def apart(e, other) -> np.ndarray:
    """Angle between two attitudes given as quaternions, accurate for small ones; e and −e are the same attitude."""
    e, other = (x / np.linalg.norm(x, axis=-1, keepdims=True) for x in (np.asarray(e, float), np.asarray(other, float)))
    near, far = np.linalg.norm(e - other, axis=-1), np.linalg.norm(e + other, axis=-1)
    return 4.0 * np.arctan2(np.minimum(near, far), np.maximum(near, far))


def crosses(a, b) -> np.ndarray:
    """a × b of many vectors, over the last axis (np.cross takes ten times as long for a few vectors)."""
    return a[..., _AFTER] * b[..., _BEFORE] - a[..., _BEFORE] * b[..., _AFTER]


_AFTER, _BEFORE = [1, 2, 0], [2, 0, 1]
