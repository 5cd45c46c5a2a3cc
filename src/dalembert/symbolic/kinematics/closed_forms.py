"""Closed forms: dependent coordinates of planar loops as formulas of the independent ones, where there is one.

    linear             Φ = a + b x                       x = −a/b,  b without unknowns
    one angle          Φ = a + b cos φ + c sin φ         φ = atan2(c, b) ± acos(−a/√(b² + c²))
    dyad               Φ₁, Φ₂ in φ and ψ:                solve for (cos ψ, sin ψ), square, add: one angle; then ψ by atan2

The branch (±) is the one of the pose at hand.  Loops are taken one after the other, so a chain of dyads (Andrews' squeezer)
closes too.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import sympy as sp

from dalembert.symbolic.simplify import fourier, tidy


def split(e, x):
    """Coefficients (a, b, c) of a + b cos x + c sin x, or None."""
    e = sp.expand(_sums(e, x))
    c, s = sp.Dummy("c"), sp.Dummy("s")
    e = e.xreplace({sp.cos(x): c, sp.sin(x): s})
    if e.has(x):
        return None
    b, d = e.coeff(c, 1), e.coeff(s, 1)
    a = sp.expand(e - b * c - d * s)
    if any(y.has(c) or y.has(s) for y in (a, b, d)):
        return None
    return a, b, d


def _sums(e, x):
    """cos(x + α) written out in cos x, sin x."""

    def turn(f):
        def do(arg):
            k = sp.expand(arg).coeff(x)
            if k not in (1, -1):
                return f(arg)
            rest = sp.expand(arg - k * x)
            if f is sp.cos:
                return sp.cos(rest) * sp.cos(x) - k * sp.sin(rest) * sp.sin(x)
            return sp.sin(rest) * sp.cos(x) + k * sp.cos(rest) * sp.sin(x)

        return do

    return e.replace(sp.cos, turn(sp.cos)).replace(sp.sin, turn(sp.sin))


def _near(a: float, b: float) -> float:
    return abs(math.remainder(a - b, 2 * math.pi))


def one_angle(e, x, at):
    """φ of a + b cos φ + c sin φ = 0 on the branch of the sample ``at``."""
    parts = split(e, x)
    if parts is None:
        return None
    a, b, c = (tidy(p) for p in parts)
    if b == 0 and c == 0:
        return None
    found = []
    for sign in (1, -1):
        phi = sp.atan2(c, b) + sign * sp.acos(-a / sp.sqrt(tidy(b**2 + c**2)))
        value = _number(phi, at)
        if value is not None:
            found.append((_near(value, at[x]), phi))
    return min(found, key=lambda f: f[0])[1] if found else None


def _number(e, at):
    try:
        value = complex(e.xreplace({s: sp.Float(v) for s, v in at.items()}).evalf())
    except (TypeError, ValueError):
        return None
    return value.real if abs(value.imag) < 1e-9 and math.isfinite(value.real) else None


def linear(e, x):
    e = sp.expand(e)
    b = e.coeff(x, 1)
    a = sp.expand(e - b * x)
    return None if b == 0 or a.has(x) or b.has(x) else tidy(-a / b)


def dyad(e1, e2, x, y, at):
    """Both angles of two loop equations."""
    p, q = split(e1, y), split(e2, y)
    if p is None or q is None:
        return None
    det = tidy(fourier(p[1] * q[2] - p[2] * q[1]))
    if det == 0:
        return None
    cos = tidy(fourier(-p[0] * q[2] + q[0] * p[2]))
    sin = tidy(fourier(-p[1] * q[0] + q[1] * p[0]))
    phi = one_angle(fourier(cos**2 + sin**2 - det**2), x, at)
    if phi is None:
        return None
    flip = sp.S.One
    number = _number(det, at)
    if number is not None and number < 0:
        flip = -sp.S.One
    return phi, sp.atan2(flip * sin, flip * cos)


def closed_forms(rows, unknowns, at) -> tuple[dict[sp.Symbol, Any], list]:
    """Formulas for as many unknown coordinates as can be found, in the order they must be evaluated; rows left over."""
    found: dict[sp.Symbol, Any] = {}
    left = [r.phi for r in rows if r.phi is not None]
    todo = list(unknowns)
    while todo:
        step = _step(left, todo, at)
        if step is None:
            break
        solved, used = step
        found |= solved
        todo = [x for x in todo if x not in solved]
        left = [e for k, e in enumerate(left) if k not in used]
    return found, left


def _step(equations, todo, at):
    inside = [[x for x in todo if e.has(x)] for e in equations]
    for k, e in enumerate(equations):
        if len(inside[k]) == 1:
            x = inside[k][0]
            formula = linear(e, x)
            formula = one_angle(e, x, at) if formula is None else formula
            if formula is not None:
                return {x: formula}, {k}
    for (k, e), (l, f) in itertools.combinations(enumerate(equations), 2):
        both = list(dict.fromkeys([*inside[k], *inside[l]]))
        if len(both) == 2:
            for x, y in (both, both[::-1]):
                pair = dyad(e, f, x, y, at)
                if pair is not None:
                    return {x: pair[0], y: pair[1]}, {k, l}
    return None
