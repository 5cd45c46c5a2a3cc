"""Symbolic derivatives of terms, by the chain rule; the rules are those of the jets in algebra/jets.py.

    d(u v) = du v + u dv   d(u/v) = du/v − u dv/v²   d(uⁿ) = n uⁿ⁻¹ du   d(u^v) = u^v (dv ln u + v du/u)

The jumps of sign, floor and step are not differentiated.  min and max switch with step: where a ≤ b,
d min(a, b) = da, otherwise db.  smoothstep: with s = (x − x₀)/(x₁ − x₀), c = min(max(s, 0), 1) and
p(c) = c³(10 − 15 c + 6 c²),

    d = dy₀ + (dy₁ − dy₀) p + (y₁ − y₀) 30 c²(1−c)² ds      ds = (dx − dx₀ − s (dx₁ − dx₀))/(x₁ − x₀)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import terms
from .functions import FUNCTIONS
from .terms import ONE, ZERO, Term, add, div, fold, mul, neg, number, power, sub

TWO = number(2.0)


def _call(function: str, *operands: Term) -> Term:
    return fold(function, *operands)


def _root(u: Term) -> Term:
    """√(1 − u²)."""
    return _call("sqrt", sub(ONE, power(u, TWO)))


SLOPES: dict[str, Callable[[Term], Term]] = {
    "sin": lambda u: _call("cos", u),
    "cos": lambda u: neg(_call("sin", u)),
    "tan": lambda u: add(ONE, power(_call("tan", u), TWO)),
    "asin": lambda u: div(ONE, _root(u)),
    "acos": lambda u: neg(div(ONE, _root(u))),
    "atan": lambda u: div(ONE, add(ONE, power(u, TWO))),
    "sinh": lambda u: _call("cosh", u),
    "cosh": lambda u: _call("sinh", u),
    "tanh": lambda u: sub(ONE, power(_call("tanh", u), TWO)),
    "exp": lambda u: _call("exp", u),
    "log": lambda u: div(ONE, u),
    "log10": lambda u: div(ONE, mul(u, _call("log", number(10.0)))),
    "sqrt": lambda u: div(ONE, mul(TWO, _call("sqrt", u))),
    "abs": lambda u: _call("sign", u),
    "sign": lambda u: ZERO,
    "floor": lambda u: ZERO,
    "step": lambda u: ZERO,
}
"""g'(u) of the functions of one argument."""

Pair = tuple[Term, Term]


def _choose(switch: Term, du: Term, dv: Term) -> Term:
    """du where the switch is 1, dv where it is 0."""
    return du if du == dv else add(mul(switch, du), mul(sub(ONE, switch), dv))


def _power(u: Term, du: Term, v: Term, dv: Term) -> Term:
    if dv == ZERO:
        return mul(mul(v, power(u, sub(v, ONE))), du)
    if du == ZERO:
        return mul(mul(power(u, v), _call("log", u)), dv)
    return mul(power(u, v), add(mul(dv, _call("log", u)), div(mul(v, du), u)))


def _smoothstep(x: Pair, x0: Pair, y0: Pair, x1: Pair, y1: Pair) -> Term:
    width = sub(x1[0], x0[0])
    s = div(sub(x[0], x0[0]), width)
    ds = div(sub(sub(x[1], x0[1]), mul(s, sub(x1[1], x0[1]))), width)
    c = _call("min", _call("max", s, ZERO), ONE)
    blend = mul(
        power(c, number(3.0)),
        sub(number(10.0), mul(c, sub(number(15.0), mul(number(6.0), c)))),
    )
    slope = mul(mul(number(30.0), power(c, TWO)), power(sub(ONE, c), TWO))
    return add(add(y0[1], mul(sub(y1[1], y0[1]), blend)), mul(mul(sub(y1[0], y0[0]), slope), ds))


def _rule(kind: str, *operands: Pair) -> Term:
    """The derivative of one operation, from its operands and their derivatives."""
    if all(d == ZERO for _, d in operands):
        return ZERO
    if kind == "smoothstep":
        return _smoothstep(*operands)
    (u, du), (v, dv) = operands[0], operands[-1]
    if kind in SLOPES:
        return mul(SLOPES[kind](u), du)
    if kind == "+":
        return add(du, dv)
    if kind == "-":
        return sub(du, dv)
    if kind == "neg":
        return neg(du)
    if kind == "*":
        return add(mul(du, v), mul(u, dv))
    if kind == "/":
        return sub(div(du, v), div(mul(u, dv), power(v, TWO)))
    if kind == "**":
        return _power(u, du, v, dv)
    if kind == "min":
        return _choose(_call("step", sub(v, u)), du, dv)
    if kind == "max":
        return _choose(_call("step", sub(u, v)), du, dv)
    if kind == "atan2":
        return div(sub(mul(v, du), mul(u, dv)), add(power(u, TWO), power(v, TWO)))
    if kind == "hypot":
        return div(add(mul(u, du), mul(v, dv)), _call("hypot", u, v))
    raise AssertionError(f"no rule for {kind}")  # every row of the table has one: see the tests


def derivative(u: Term, name: str) -> Term:
    """∂u/∂name."""
    variable = terms.canonical(name)

    def leaf(kind: str, payload: Any) -> Pair:
        return ((kind, payload),), ONE if kind == "name" and payload == variable else ZERO

    def operation(kind: str, *operands: Pair) -> Pair:
        return _again(kind, *(v for v, _ in operands)), _rule(kind, *operands)

    return terms.walk(u, leaf, operation)[1]


_BUILDERS: dict[str, Callable[..., Term]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": div,
    "**": power,
    "neg": neg,
}


def _again(kind: str, *operands: Term) -> Term:
    """The operation itself, simplified."""
    return fold(kind, *operands) if kind in FUNCTIONS else _BUILDERS[kind](*operands)
