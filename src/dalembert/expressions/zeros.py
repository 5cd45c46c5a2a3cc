"""Zeros of a formula of t, where they can be told from its form: all of them in [a, b], found by taking it apart.

    g = c:   a t + b;  u ± k, k u, u/k, −u;  u v = 0;  sin, cos, tan of a t + b;  exp, log, sqrt, tanh, atan, asin, abs;  uⁿ

``zeros`` gives times good to a few units in the last place (the caller finds the place of the change of sign), or None where
the form does not tell.
"""

from __future__ import annotations

import math

import numpy as np

from .breaks import affine, operands_of
from .expression import Expression
from .terms import Term

MOST = 2_000_000  # zeros of one sine: more are not listed

_INVERSES = {"exp": lambda c: math.log(c), "log": lambda c: math.exp(c), "sqrt": lambda c: c * c if c >= 0 else math.nan,
             "tanh": lambda c: math.atanh(c), "atan": lambda c: math.tan(c) if abs(c) < math.pi / 2 else math.nan,
             "asin": lambda c: math.sin(c) if abs(c) <= math.pi / 2 else math.nan, "sinh": lambda c: math.asinh(c)}


def zeros(expression: Expression, a: float, b: float) -> np.ndarray | None:
    """Times in [a, b] at which the formula of one variable is zero, in order; None if its form does not tell."""
    found = _level(expression._term, 0.0, a, b)
    if found is None:
        return None
    return np.unique(found[(found >= a) & (found <= b)])


_NONE = np.zeros(0)


def _level(u: Term, c: float, a: float, b: float) -> np.ndarray | None:
    """Times at which u = c; some may lie outside [a, b]."""
    line = affine(u)
    if line is not None:
        return np.array([(c - line[1]) / line[0]]) if line[0] != 0.0 else _NONE
    kind = u[-1][0]
    x = operands_of(u, len(u) - 1, kind)
    constant = [_constant(v) for v in x]
    if kind in ("+", "-") and constant[1] is not None:
        return _level(x[0], c - constant[1] if kind == "+" else c + constant[1], a, b)
    if kind in ("+", "-") and constant[0] is not None:
        return _level(x[1], c - constant[0] if kind == "+" else constant[0] - c, a, b)
    if kind == "neg":
        return _level(x[0], -c, a, b)
    if kind == "*":
        for k in (0, 1):
            factor = constant[k]
            if factor is not None:
                return _level(x[1 - k], c / factor, a, b) if factor != 0.0 else _NONE
        return _both(_level(x[0], 0.0, a, b), _level(x[1], 0.0, a, b)) if c == 0.0 else None
    if kind == "/":
        if constant[1] is not None and constant[1] != 0.0:
            return _level(x[0], c * constant[1], a, b)
        return _level(x[0], 0.0, a, b) if c == 0.0 else None
    if kind == "**" and constant[1] is not None and constant[1] > 0.0 and float(constant[1]).is_integer():
        return _power(x[0], int(constant[1]), c, a, b)
    if kind == "abs":
        return _NONE if c < 0.0 else _both(_level(x[0], c, a, b), _level(x[0], -c, a, b))
    if kind in ("sin", "cos", "tan"):
        line = affine(x[0])
        return None if line is None else _circular(kind, line, c, a, b)
    if kind in _INVERSES:
        try:
            inner = _INVERSES[kind](c)
        except (ValueError, OverflowError):
            return _NONE
        return _level(x[0], inner, a, b) if math.isfinite(inner) else _NONE
    return None


def _constant(u: Term) -> float | None:
    line = affine(u)
    return line[1] if line is not None and line[0] == 0.0 else None


def _both(x, y):
    return None if x is None or y is None else np.concatenate([x, y])


def _power(u: Term, n: int, c: float, a: float, b: float) -> np.ndarray | None:
    root = math.copysign(abs(c) ** (1.0 / n), c)
    if n % 2:
        return _level(u, root, a, b)
    if c < 0.0:
        return _NONE
    return _level(u, 0.0, a, b) if c == 0.0 else _both(_level(u, root, a, b), _level(u, -root, a, b))


def _circular(kind: str, line: tuple[float, float], c: float, a: float, b: float) -> np.ndarray | None:
    """sin, cos or tan of (k t + d) = c."""
    if kind != "tan" and abs(c) > 1.0:
        return _NONE
    first = math.asin(c) if kind == "sin" else math.acos(c) if kind == "cos" else math.atan(c)
    others = {"sin": [math.pi - first], "cos": [-first], "tan": [math.pi + first]}[kind]
    low, high = sorted((line[0] * a + line[1], line[0] * b + line[1]))
    if (high - low) / math.pi > MOST:
        return None
    turns = np.arange(math.floor(low / math.tau) - 2, math.ceil(high / math.tau) + 3) * math.tau
    return (np.concatenate([turns + x for x in (first, *others)]) - line[1]) / line[0]
