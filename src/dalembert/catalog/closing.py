"""Lengths that cannot close: the sine, cosine or square that a mechanism's drawing needs does not exist."""

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
