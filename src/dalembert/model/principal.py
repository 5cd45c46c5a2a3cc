"""Principal moments and axes of a body: the axes about its centre of mass along which J̄ is diagonal.

    J̄ = A diag(J₁, J₂, J₃) Aᵀ,   J₁ ≤ J₂ ≤ J₃          A: axes as columns, body axes, a right-handed frame

A body drawn with rotation = A_body A has these as its own.  Of equal moments any axes will do; those
nearest to the body's are given.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert.errors import ModelError
from dalembert.model.numbers import Numbers


@dataclass(frozen=True)
class Principal:
    """moments (ascending), axes (columns, along the body's axes), com (in the body's frame), mass."""

    moments: np.ndarray
    axes: np.ndarray
    com: np.ndarray
    mass: float

    def __repr__(self):
        rows = [f"  J{k + 1} = {x:.6g}   about ({', '.join(f'{v:.6g}' for v in a + 0.0)})"
                for k, (x, a) in enumerate(zip(self.moments, np.round(self.axes.T, 12), strict=True))]
        return "\n".join([f"principal moments about ({', '.join(f'{x:.6g}' for x in self.com)}), mass {self.mass:.6g}", *rows])


def principal(body, parameters) -> Principal:
    b = Numbers(3, parameters)
    for value in (body.position, body.start):
        if value is not None and len(value) == 2:
            raise ModelError(f"{body.title}: is drawn in the plane, where its one moment is about z; principal axes are asked of "
                             "bodies in space")
    if body.inertia is not None and (isinstance(body.inertia, str) or not hasattr(body.inertia, "__len__")):
        raise ModelError(f"{body.title}: has one moment, about z (plane); principal axes are asked of bodies in space")
    x = body.resolve(b)
    values, axes = np.linalg.eigh(np.asarray(x["inertia"], float))
    for group in _equal(values):
        axes[:, group] = _nearest(axes[:, group])
    signs = np.array([(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]) * np.array([1, 1, np.sign(np.linalg.det(axes))])
    axes = max((axes * s for s in signs), key=lambda a: (np.round(np.trace(a), 9), *np.round(a.sum(axis=0), 9)))
    values = np.where(np.abs(values) <= 1e-14 * values[2], 0.0, values)
    return Principal(values, axes, np.asarray(x["com"], float), float(x["mass"]))


def _equal(values) -> list[list[int]]:
    groups: list[list[int]] = [[0]]
    for k in (1, 2):
        if values[k] - values[k - 1] <= 1e-12 * max(abs(values[2]), 1e-300):
            groups[-1].append(k)
        else:
            groups.append([k])
    return [g for g in groups if len(g) > 1]


def _nearest(space):
    """An orthonormal basis of the columns' span that lies along the body's axes as far as it can."""
    left, found = space @ space.T, []
    for _ in range(space.shape[1]):
        k = int(np.argmax(np.linalg.norm(left, axis=0) > 0.999 * np.linalg.norm(left, axis=0).max()))
        u = left[:, k] / np.linalg.norm(left[:, k])
        found.append(u)
        left = left - np.outer(u, u @ left)
    return np.column_stack(found)
