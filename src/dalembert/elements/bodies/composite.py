"""Bodies made of parts: mass, centre and inertia of shapes placed on one body.

Part k: mass m_k (density × volume, or given), centre c_k in the body's frame, J_k about it along the body's axes, so

    m = Σ m_k          m c = Σ m_k c_k          J = Σ J_k + m_k (d_k² 1 − d_k d_kᵀ),   d_k = c_k − c          (parallel axes)

A shape sits at ``position`` and is turned by ``rotation`` (a number in the plane: its angle).  Parts that overlap count twice.
"""

from __future__ import annotations

import numpy as np

from dalembert.errors import ModelError


class Whole:
    """Mass, centre (body's frame) and inertia about it; ``parts``: (shape, mass, place, axes) of each."""

    def __init__(self, mass, com, inertia, parts):
        self.mass, self.com, self.inertia, self.parts = mass, com, inertia, parts

    def quadrature(self, b, order):
        """Points about the centre of mass and shares of the mass."""
        points, shares = [], []
        for shape, mass, place, axes in self.parts:
            for point, share in zip(*shape.quadrature(b, order), strict=True):
                points.append(tuple(place + axes @ np.array(point) - self.com))
                shares.append(share * mass / self.mass)
        return points, shares


def whole(b, body, shapes, density, mass) -> Whole:
    """The parts of a body put together; density and mass: one for all (mass: of the whole), or one for each part."""
    what = body.title
    if (density is None) == (mass is None):
        raise ModelError(f"{what}: a body from a shape takes density= or mass=, one of them")
    found = [shape.moments(b, what) for shape in shapes]
    volumes = [f[0] for f in found]
    if _several(mass):
        masses = [b.positive(x, f"mass of {what}, part {k + 1}") for k, x in enumerate(_each(mass, "mass", shapes, what))]
    elif mass is not None:
        total, given = _sum(volumes), b.positive(mass, f"mass of {what}")
        masses = [given * v / total for v in volumes] if len(volumes) > 1 else [given]
    else:
        each = _each(density, "density", shapes, what) if _several(density) else [density] * len(shapes)
        masses = [v * b.positive(x, f"density of {what}") for v, x in zip(volumes, each, strict=True)]
    parts, centres, inertias = [], [], []
    for shape, m, (_, centre, unit) in zip(shapes, masses, found, strict=True):
        place, axes = _placed(b, shape, f"{type(shape).__name__} of {what}")
        parts.append((shape, m, place, axes))
        centres.append(place + axes @ centre)
        inertias.append(m * (axes @ unit @ axes.T))
    total = _sum(masses)
    com = _sum([m * c for m, c in zip(masses, centres, strict=True)]) / total if len(parts) > 1 else centres[0]
    J = inertias[0]
    if len(parts) > 1:
        J = _sum([i + m * _steiner(c - com) for i, m, c in zip(inertias, masses, centres, strict=True)])
    return Whole(total, com, J, parts)


def _several(value) -> bool:
    return hasattr(value, "__len__") and not isinstance(value, str)


def _each(values, name, shapes, what):
    if len(values) != len(shapes):
        raise ModelError(f"{what}: {name}= has {len(values)} numbers for {len(shapes)} shape(s); give one for each, or one for "
                         "all")
    return values


def _sum(values):
    return sum(values[1:], values[0])


def _steiner(d):
    return (d @ d) * np.eye(3) - np.outer(d, d)


def _placed(b, shape, what):
    """Place and axes of a shape in the body's frame, three components in plane and space."""
    place = np.array([0.0, 0.0, 0.0], dtype=object)
    if shape.position is not None:
        if not _several(shape.position) or len(shape.position) not in (b.dim, 3):
            raise ModelError(f"{what}: its position is a vector of {b.dim} numbers, got {shape.position!r}")
        for k, x in enumerate(shape.position):
            place[k] = b.number(x, f"position of {what}")
    if shape.rotation is None:
        axes = np.eye(3)
    elif b.dim == 2 and not _several(shape.rotation):
        t = b.tangent(b.number(shape.rotation, f"rotation of {what}") / 2)
        c, s = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
        axes = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]], dtype=object)
    elif b.dim == 2:
        raise ModelError(f"{what}: in the plane its rotation is a number (its angle), got {shape.rotation!r}")
    else:
        axes = b.rotation(None, shape.rotation, what)
    return _plain(place), _plain(axes)


def _plain(array):
    """Floats where there are no formulas."""
    try:
        return array.astype(float) if all(isinstance(x, (int, float)) for x in array.ravel()) else array
    except TypeError:
        return array
