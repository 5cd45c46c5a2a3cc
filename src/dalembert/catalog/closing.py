"""Parameters of the catalogue: laws that are numbers become parameters, and lengths that cannot close are told as such.

A drawing that must close takes its dependent angles from formulas over the lengths, so that a changed length moves them too.
"""

from __future__ import annotations

import math

from dalembert.errors import ModelError


def _within(x: float, least: float, most: float, what: str) -> float:
    if not least <= x <= most:
        raise ModelError(f"{what}: with these lengths and this angle the mechanism cannot be assembled, the links do not reach "
                         "each other; change the lengths or the starting angle")
    return x


def acos(x: float, what: str) -> float:
    return math.acos(_within(x, -1.0, 1.0, what))


def asin(x: float, what: str) -> float:
    return math.asin(_within(x, -1.0, 1.0, what))


def sqrt(x: float, what: str) -> float:
    return math.sqrt(_within(x, 0.0, math.inf, what))


def ratio(a: float, b: float, what: str) -> float:
    """a / b of two lengths."""
    if not (math.isfinite(a) and math.isfinite(b) and b != 0.0):
        raise ModelError(f"{what}: a length is zero or not finite; give positive lengths")
    return a / b


def meet(P, p, Q, q, side: int, what: str):
    """The point at the distances p from P and q from Q; side 1: on the left of the way from P to Q, −1: on the right."""
    dx, dy = Q[0] - P[0], Q[1] - P[1]
    s = math.hypot(dx, dy)
    along = ratio(p * p - q * q + s * s, 2 * s, what)
    across = side * sqrt(p * p - along * along, what)
    return (P[0] + (along * dx - across * dy) / s, P[1] + (along * dy + across * dx) / s)


def law(m, name: str, value):
    """What an element takes for a law: a number becomes the parameter ``name`` of the model, all else stays as it is."""
    if isinstance(value, str) or callable(value) or not isinstance(value, (int, float)):
        return value
    m.parameters[name] = value
    return name


def closed(m, what: str):
    """The model, if its parameters have values: the sine, cosine or square that its drawing needs does exist."""
    try:
        m.parameter_values()
    except ModelError as error:
        raise ModelError(f"{what}: with these lengths and this angle the mechanism cannot be assembled, the links do not reach "
                         f"each other; change the lengths or the starting angle ({error})") from None
    return m
