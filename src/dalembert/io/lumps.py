"""Mass that is put together from parts, and names that models can hold: what importers share.

    m = Σ mₖ        h = Σ (R hₖ + mₖ p)        J_O = Σ (R Jₖ Rᵀ + 2 (R hₖ·p) 1 − R hₖ pᵀ − p (R hₖ)ᵀ + mₖ (p·p 1 − p pᵀ))

of parts whose frames sit at (p, R) in the body's; all about the body's origin, moved to the centre of mass at the end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.elements.bodies.body import Body
from dalembert.errors import DalembertError
from dalembert.model.numbers import Numbers


class Lump:
    """Mass, first moment and inertia about the origin; shapes that go with them."""

    def __init__(self):
        self.mass, self.h, self.J, self.shapes = 0.0, np.zeros(3), np.zeros((3, 3)), []

    @classmethod
    def of(cls, mass: float, centre, J_centre, R=None) -> Lump:
        """From the inertia about the centre of mass, along axes R."""
        found, c = cls(), np.asarray(centre, float)
        R = np.eye(3) if R is None else R
        found.mass, found.h = mass, mass * c
        found.J = R @ np.asarray(J_centre, float) @ R.T + mass * (c @ c * np.eye(3) - np.outer(c, c))
        return found

    def add(self, other: Lump, p, R) -> None:
        """Another lump whose frame sits at (p, R) in this one's; its shapes are not moved."""
        h, J, k = R @ other.h, R @ other.J @ R.T, other.mass
        self.mass, self.h = self.mass + k, self.h + h + k * p
        self.J = self.J + J + (2 * (h @ p) + k * (p @ p)) * np.eye(3) - np.outer(h, p) - np.outer(p, h) - k * np.outer(p, p)

    def scaled(self, factor: float) -> Lump:
        found = Lump()
        found.mass, found.h, found.J = factor * self.mass, factor * self.h, factor * self.J
        return found

    @property
    def centre(self) -> np.ndarray:
        return self.h / self.mass if self.mass else np.zeros(3)

    @property
    def central(self) -> np.ndarray:
        """Inertia about the centre of mass."""
        c = self.centre
        J = self.J - self.mass * (c @ c * np.eye(3) - np.outer(c, c))
        return (J + J.T) / 2 if np.abs(J).max() > 1e-14 * self.mass * (c @ c) else np.zeros((3, 3))  # a point mass stays one

    def body(self, name: str, r, A, refuse, trusted: bool = False) -> Body:
        """The body drawn at (r, A); ``refuse(text)`` gives the error to raise where no body has such an inertia."""
        more: dict[str, Any] = {"trust_inertia": True} if trusted else {}
        body = Body(name, mass=float(self.mass), inertia=self.central.tolist(), position=tuple(np.asarray(r, float).tolist()),
                    rotation=np.asarray(A, float).tolist(), com=tuple(self.centre.tolist()), shapes=self.shapes, **more)
        try:
            Numbers(3, {}).inertia(body.inertia, body.title, trusted=trusted, zeros=True)
        except DalembertError as error:
            raise refuse(str(error)) from None
        return body


def safe(name: str) -> str:
    """Names in models have no dots, and no control characters."""
    return "".join("_" if c in ".`" or ord(c) < 32 else c for c in name)


def free_name(m: Any, name: str, kind: str) -> str:
    """A name the model has not: files of others may give a body, a joint and a motor the same one; later ones say their kind."""
    name = safe(name)
    if name.strip() in ("", "t", "ground", "world"):
        name = f"{name} {kind}".strip()
    taken = name in m
    name = f"{name} {kind}" if taken else name
    k, found = 2, name
    while found in m:
        found, k = f"{name} {k}", k + 1
    return found
