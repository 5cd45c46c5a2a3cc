"""Joints that rub: what friction= of a joint means, and where its surfaces are.

The surfaces slide on each other with the velocity u (one number, or a vector where a joint leaves several motions free), and are
pressed together by N, the reaction of the joint itself (contacts/rubbing/rows.py says which part of it, joint by joint):

    slides     f = −μ(|u|) (N + N₀) u/|u| − σ u       μ(u) = μ_d + (μ_s − μ_d) exp(−(u/u_s)²);  without u_s  μ = μ_d
    sticks     u = 0,  |f| ≤ μ_s (N + N₀)

f is the force on j at the surface, u the velocity of j there: a hinge of radius r has u = r ω and the torque r f.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from dalembert.elements.given import Number, Ref, Vector
from dalembert.elements.joints.joint import BaseJoint
from dalembert.errors import ModelError, hint

KEYS = ("coulomb", "static", "stribeck_m_per_s", "viscous_N_s_per_m", "preload_N")
Rubbing = Number | Mapping[str, Number]


class RubbingJoint(BaseJoint, listed=False):
    """A joint that may have friction; ``surfaces``: what each of its pairs of surfaces is (contacts/rubbing/tables.py)."""

    arguments = {"friction": "friction"}
    surfaces: ClassVar[tuple[str, ...]] = ()
    wants: ClassVar[dict[int, tuple[str, ...]]] = {}  # dim → lengths that its friction needs
    why: ClassVar[str] = ""  # what for

    def __init__(self, name: str, i: Ref, j: Ref, *, at: Vector | None = None, axis: Vector | None = None,
                 on_i: Vector | None = None, on_j: Vector | None = None, axis_i: Vector | None = None,
                 axis_j: Vector | None = None, friction: Rubbing | None = None, radius: Number | None = None,
                 length: Number | None = None) -> None:
        super().__init__(name, i, j, at=at, axis=axis, on_i=on_i, on_j=on_j, axis_i=axis_i, axis_j=axis_j)
        self.friction, self.radius, self.length = friction, radius, length
        self._known(friction)

    def _known(self, friction) -> None:
        """Refuse what is no friction, as soon as it is written."""
        if isinstance(friction, Mapping):
            for key in friction:
                if key not in KEYS:
                    raise ModelError(f"{self.title}: friction has no '{key}'{hint(str(key), KEYS)} (it takes {', '.join(KEYS)})")
            if not {"coulomb", "static", "viscous_N_s_per_m"} & set(friction):
                raise ModelError(f"{self.title}: friction needs a coefficient: coulomb=, static= or viscous_N_s_per_m=")

    def build(self, b):
        super().build(b)
        self._rub(b)

    def _rub(self, b) -> None:
        """Tell the builder of its surfaces."""
        friction = self.friction
        if friction is None or (isinstance(friction, (int, float)) and friction == 0.0):
            return
        law = self._law(b)
        needed = self.wants.get(b.dim, ())
        sizes = {}
        for key in ("radius", "length"):
            value = getattr(self, key)
            if value is None and key in needed:
                raise ModelError(f"{self.title}: friction needs {' and '.join(f'{k}=' for k in needed)} [m] here: {self.why}")
            sizes[key] = 1.0 if value is None else b.positive(value, f"{key} of {self.title}")
        for kind in self.surfaces:
            b.rub(self, kind, **law, **sizes, lead=self._lead(b))

    def _lead(self, b) -> float:
        """Advance per radian, of a thread."""
        return 0.0

    def _law(self, b) -> dict[str, float]:
        given: dict[str, Any] = dict(self.friction) if isinstance(self.friction, Mapping) else {"coulomb": self.friction}
        found = {}
        for key, value in given.items():
            found[key] = float(b.number(value, f"friction of {self.title}"))
            if not (math.isfinite(found[key]) and found[key] >= 0.0):
                raise ModelError(f"{self.title}: {key} of its friction is {found[key]!r}; it must be zero or more")
        coulomb = found.get("coulomb", found.get("static", 0.0))
        static = found.get("static", coulomb)
        stribeck = found.get("stribeck_m_per_s", 0.0)
        if static < coulomb:
            raise ModelError(f"{self.title}: static friction {static:g} is less than that of sliding, {coulomb:g}")
        if "stribeck_m_per_s" in found and (stribeck == 0.0 or "static" not in found):
            raise ModelError(f"{self.title}: stribeck_m_per_s is the speed over which friction goes from static= to coulomb=: "
                             "give both, and a speed above zero")
        return {"coulomb": coulomb, "static": static, "stribeck": stribeck, "viscous": found.get("viscous_N_s_per_m", 0.0),
                "preload": found.get("preload_N", 0.0)}
