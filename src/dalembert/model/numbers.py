"""Numbers, vectors, axes, rotations and inertias as users give them, checked and evaluated.

Every number may be an expression over the model's parameters.  Errors say what was wanted of which element.
"""

from __future__ import annotations

import math

import numpy as np

from dalembert import expressions
from dalembert.algebra import rotations
from dalembert.errors import ModelError

_WHOLE = 2**1000  # a whole number below is a float, too


class Numbers:
    """Evaluates what users type, for a dimension and a set of parameters."""

    def __init__(self, dim: int, parameters: dict[str, float]):
        self.dim, self.parameters = dim, parameters
        self._numbers: dict[str, float] = {}  # formulas already evaluated

    def number(self, value, what: str) -> float:
        kind = type(value)
        if kind is float and math.isfinite(value):
            return value
        if kind is not str:
            if kind is int and -_WHOLE < value < _WHOLE:
                return float(value)
            if isinstance(value, float) and math.isfinite(value):  # NumPy's
                return float(value)
            return expressions.number(value, self.parameters, what)
        found = self._numbers.get(value)
        if found is None:
            found = self._numbers[value] = expressions.number(value, self.parameters, what)
        return found

    def positive(self, value, what: str) -> float:
        x = self.number(value, what)
        if not x > 0.0:
            raise ModelError(f"{what} must be positive, got {x:g}")
        return x

    def tangent(self, angle):
        return math.tan(angle)

    def heading(self, y, x):
        return math.atan2(y, x)

    def length(self, vector):
        return math.sqrt(vector.dot(vector)) if type(vector) is np.ndarray else float(np.linalg.norm(vector))

    def vector(self, value, what: str, size: int | None = None) -> np.ndarray:
        size = self.dim if size is None else size
        if type(value) is tuple and len(value) == size:
            number = self.number
            return np.array([number(x, what) for x in value])
        if isinstance(value, (str, int, float)) or not hasattr(value, "__len__"):
            raise ModelError(f"{what} must be a vector of {size} numbers, got {value!r}")
        if len(value) != size:
            raise ModelError(f"{what} must have {size} components in a model of dimension {self.dim}, got {len(value)}: "
                             f"{value!r}")
        return np.array([self.number(x, what) for x in (value.tolist() if type(value) is np.ndarray else value)])

    def direction(self, value, what: str) -> np.ndarray:
        a = self.vector(value, what)
        length = float(np.linalg.norm(a))
        if length == 0.0:
            raise ModelError(f"{what} is the zero vector: an axis needs a direction")
        return a / length

    def turn(self, value, what: str) -> np.ndarray:
        """Angular velocity: a number in the plane, three components (body axes) in space."""
        if self.dim == 2:
            return np.array([0.0 if value is None else self.number(value, what)])
        return np.zeros(3) if value is None else self.vector(value, what)

    def frame_along(self, direction, column: int) -> np.ndarray:
        return rotations.frame_along(direction, column)

    def diagonal(self, numbers) -> np.ndarray:
        return np.diag(numbers)

    def rotation(self, angle, rotation, what: str):
        """The angle in the plane, the matrix in space."""
        if self.dim == 2:
            return 0.0 if angle is None else self.number(angle, f"angle of {what}")
        if rotation is None:
            return np.eye(3)
        label = f"rotation of {what}"
        if isinstance(rotation, (tuple, list)) and len(rotation) == 2 and isinstance(rotation[0], str):
            return self._angles(rotation, label)
        if hasattr(rotation, "__len__") and len(rotation) == 4:
            e = self.vector(rotation, label, 4)
            if np.linalg.norm(e) < 1e-12:
                raise ModelError(f"{label}: the zero quaternion is no rotation")
            return rotations.matrix_of_quaternion(e)
        if hasattr(rotation, "__len__") and len(rotation) == 3:
            A = np.array([self.vector(row, label, 3) for row in rotation])
            if not _turns(*A.tolist()):
                raise ModelError(f"{label}: the matrix is not a rotation (A Aᵀ ≠ 1, or it mirrors)")
            u, _, vt = np.linalg.svd(A)
            return u @ vt
        raise ModelError(f"{label}: give a quaternion (scalar first), a 3×3 matrix, or ('xyz', (angles…)); got {rotation!r}")

    def _angles(self, rotation, label):
        axes, angles = rotation
        values = angles if hasattr(angles, "__len__") and not isinstance(angles, str) else [angles]
        if not axes or any(c not in "xyz" for c in axes) or len(axes) != len(values):
            raise ModelError(f"{label}: ('xyz', angles) takes letters x, y, z and one angle (radians) per letter; got "
                             f"{rotation!r}")
        A = np.eye(3)
        for letter, value in zip(axes, values, strict=True):
            A = A @ rotations.elementary(letter, self.number(value, label))
        return A

    def inertia(self, value, what: str, trusted=False, zeros=False):
        """About the centre of mass: a number, or a checked 3×3 matrix.

        ``zeros``: zero moments pass; ``trusted``: so do moments that break the triangle inequality (``impossible`` tells).
        """
        label = f"inertia of {what}"
        if self.dim == 2:
            if hasattr(value, "__len__") and not isinstance(value, str):
                raise ModelError(f"{label}: in the plane it is one number, got {value!r}")
            x = self.number(value, label)
            return x if zeros and x == 0.0 else self.positive(value, label)
        if not hasattr(value, "__len__") or isinstance(value, str) or len(value) != 3:
            raise ModelError(f"{label}: give three principal moments or a 3×3 matrix, got {value!r}")
        nested = hasattr(value[0], "__len__") and not isinstance(value[0], str)
        J = (np.array([self.vector(row, label, 3) for row in value]) if nested
             else np.diag(self.vector(value, label, 3)))
        if np.abs(J - J.T).max() > 1e-9 * np.abs(J).max():
            raise ModelError(f"{label}: the matrix is not symmetric")
        moments = principal_moments((J + J.T) / 2)
        if moments[0] < -1e-12 * abs(moments[2]) or (moments[0] <= 0.0 and not zeros):
            raise ModelError(f"{label}: the principal moments must {'not be negative' if zeros else 'be positive'}, found "
                             f"{_list(moments)}")
        if not trusted and _impossible(moments):
            raise ModelError(f"{label}: no body has principal moments {_list(moments)}: the largest exceeds the sum of the "
                             "other two (triangle inequality); trust_inertia=True takes printed numbers as they are")
        return (J + J.T) / 2


def _turns(a, b, c) -> bool:
    """Whether rows are those of a rotation: unit vectors at right angles that do not mirror."""
    off = [sum(x * y for x, y in zip(p, q, strict=True)) - (p is q) for p, q in ((a, a), (b, b), (c, c), (a, b), (a, c), (b, c))]
    volume = (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]))
    return max(map(abs, off)) <= 1e-6 and volume > 0.0


def impossible(J) -> bool:
    """Whether no distribution of mass has this inertia: J₃ > J₁ + J₂."""
    return _impossible(principal_moments((J + J.T) / 2))


def principal_moments(J) -> list[float]:
    """Of a symmetric matrix, the least first; those of a diagonal one are there."""
    (a, b, c), (_, d, e), (_, _, f) = J.tolist()
    return sorted((a, d, f)) if b == c == e == 0.0 else np.linalg.eigvalsh(J).tolist()


def _impossible(moments) -> bool:
    return bool(moments[2] > (moments[0] + moments[1]) * (1 + 1e-9))


def _list(values) -> str:
    return "(" + ", ".join(f"{x:.6g}" for x in values) + ")"
