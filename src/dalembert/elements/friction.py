"""Friction of surfaces: what friction= means, for joints, clutches, bands and ropes alike.

The surfaces slide on each other with the velocity u (one number, or a vector where a joint leaves several motions free), and are
pressed together by N + N₀ (contacts/rubbing/rows.py says by what, kind by kind):

    slides     f = −μ(|u|) (N + N₀) u/|u| − σ u       μ(u) = μ_d + (μ_s − μ_d) exp(−(u/u_s)²);  without u_s  μ = μ_d
    sticks     u = 0,  |f| ≤ μ_s (N + N₀)

f is the force on j at the surface, u the velocity of j there: a hinge of radius r has u = r ω and the torque r f.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from dalembert.elements.element import Element
from dalembert.elements.given import Number
from dalembert.errors import ModelError, hint

GRIP = 15.0  # of μβ: a ratio of 3e6 leaves ten digits of the smaller tension
KEYS = ("coulomb", "static", "stribeck_m_per_s", "viscous_N_s_per_m", "preload_N")
Rubbing = Number | Mapping[str, Number]


class Rubs(Element, listed=False):
    """What may have friction."""

    arguments: ClassVar[dict[str, str]] = {"friction": "friction"}
    friction: Rubbing | None

    @property
    def rubs(self) -> bool:
        """Whether it has friction: literal zero is none."""
        return not (self.friction is None or (isinstance(self.friction, (int, float)) and self.friction == 0.0))

    def smooth(self) -> Element | None:
        """The same without friction; None: nothing is left of it."""
        return type(self)(**{k: v for k, v in self.given.items() if k not in ("friction", "radius", "length")})

    def _known(self, friction) -> None:
        """Refuse what is no friction, as soon as it is written."""
        if isinstance(friction, Mapping):
            for key in friction:
                if key not in KEYS:
                    raise ModelError(f"{self.title}: friction has no '{key}'{hint(str(key), KEYS)} (it takes {', '.join(KEYS)})")
            if not {"coulomb", "static", "viscous_N_s_per_m"} & set(friction):
                raise ModelError(f"{self.title}: friction needs a coefficient: coulomb=, static= or viscous_N_s_per_m=")

    def _grips(self, mu: float, angle: float) -> None:
        """Refuse ropes and bands that hold so much that no digits are left: 2 tanh(μβ/2) differs from 2 by 4 e^{−μβ}."""
        if mu * angle > GRIP:
            raise ModelError(f"{self.title}: μβ is {mu * angle:.4g} ({angle:.4g} rad, {angle / (2 * math.pi):.3g} turns): one "
                             f"end would hold e^{{μβ}} = {math.exp(min(mu * angle, 700.0)):.1e} times the other, and beyond μβ = "
                             f"{GRIP:g} too few digits are left for the slack one. Use fewer turns or less friction, or tie it "
                             "fast (is the angle in radians?)")

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
