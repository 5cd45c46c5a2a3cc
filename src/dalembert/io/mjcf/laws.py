"""Laws of motors that MJCF can say: affine in the control, the coordinate and its rate, with numbers only.

    p = g u + c₀ + c₁ q + c₂ q̇          u a parameter of the model, q the joint's coordinate from the drawing

``affine`` writes such a law, ``read`` finds the numbers of any law that is one (by its values; a law that bends is none).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from dalembert import expressions
from dalembert.errors import DalembertError

_TRIED = ((0.3, -1.7, 2.2), (-2.1, 0.9, -0.4), (1.9, 2.6, -3.1))  # coordinate, rate, control: where a law is tried


@dataclass(frozen=True)
class Affine:
    """The four numbers, and the parameter that is the control ("" for none)."""

    constant: float = 0.0
    coordinate: float = 0.0
    rate: float = 0.0
    gain: float = 0.0
    control: str = ""


def affine(constant=0.0, coordinate=0.0, rate=0.0, gain=0.0, control="") -> str | float:
    """The law as a formula; a number where nothing varies."""
    terms = [f"{x!r}*{n}" for n, x in ((control, gain), ("coordinate", coordinate), ("rate", rate)) if x and n]
    terms += [repr(constant)] if constant else []
    return " + ".join(terms) if any("*" in t for t in terms) else constant


def read(law, parameters: dict[str, float]) -> Affine | None:
    """The numbers of a law, or None where it is not affine with at most one control."""
    if isinstance(law, (int, float)):
        return Affine(constant=float(law))
    if not isinstance(law, str):
        return None
    names = [n for n in parameters if n.startswith("ctrl_") and re.search(rf"(?<!\w){re.escape(n)}(?!\w)", law)]
    if len(names) > 1:
        return None
    control = names[0] if names else ""

    def value(q, rate, u):
        given = {**parameters, "coordinate": q, "rate": rate}
        if control:
            given[control] = u
        return expressions.number(law, given, "law")

    try:
        c0 = value(0.0, 0.0, 0.0)
        found = Affine(c0, value(1.0, 0.0, 0.0) - c0, value(0.0, 1.0, 0.0) - c0, value(0.0, 0.0, 1.0) - c0 if control else 0.0,
                       control)
        scale = abs(found.constant) + abs(found.coordinate) + abs(found.rate) + abs(found.gain)
        for q, rate, u in _TRIED:
            plain = found.constant + found.coordinate * q + found.rate * rate + found.gain * u
            if abs(value(q, rate, u) - plain) > 1e-12 * scale:
                return None
    except DalembertError:
        return None  # it knows t, or has no value there
    return found
