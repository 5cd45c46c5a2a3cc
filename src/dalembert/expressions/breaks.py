"""Where a formula is not smooth: the zeros of these arguments.

    step(u), sign(u)              u = 0                      a jump
    floor(u)                      u whole: sin(π u) = 0      a jump
    atan2(y, x)                   y = 0                      a jump where x < 0
    abs(u)                        u = 0                      a kink
    min(a, b), max(a, b)          a − b = 0                  a kink
    smoothstep(x, x0, y0, x1, y1) x = x0, x = x1             a jump of the third derivative; between them all of the change

``narrow`` tells whether a smooth formula of t may do something in a short time and nothing else before: sums and products of
t, of sines, cosines and exponentials of a t + b, of small powers and of roots of these cannot, so nobody needs to look for it.
"""

from __future__ import annotations

import math
from functools import lru_cache

from . import terms
from .expression import Expression
from .functions import CONSTANTS, OPERATIONS
from .terms import Term, fold, number, sub

_TAME = {"+", "-", "*", "neg", "sin", "cos", "step", "sign", "abs", "floor", "min", "max", "smoothstep", "sqrt"}
LARGEST_POWER = 8.0
LONG = 2000  # a formula of more items is not taken apart: somebody looks


@lru_cache(maxsize=1024)
def breaks(expression: Expression) -> tuple[Expression, ...]:
    """Functions whose zeros are the breaks of the formula, each once."""
    found: dict[Term, None] = {}
    u = expression._term
    for at, (kind, _) in enumerate(u):
        for argument in _arguments(kind, operands_of(u, at, kind)) if kind in _ARGUMENTS else ():
            if any(k == "name" for k, _ in argument):
                found[argument] = None
    return tuple(Expression(argument) for argument in found)


def operands_of(u: Term, at: int, kind: str) -> list[Term]:
    out: list[Term] = []
    end = at - 1
    for _ in range(OPERATIONS[kind].arity):
        out.insert(0, terms.part(u, end))
        end -= len(out[0])
    return out


_ARGUMENTS = ("step", "sign", "abs", "floor", "min", "max", "smoothstep", "atan2")


def _arguments(kind: str, x: list[Term]) -> list[Term]:
    if kind == "floor":
        return [fold("sin", fold("*", number(math.pi), x[0]))]
    if kind in ("min", "max"):
        return [sub(x[0], x[1])]
    if kind == "smoothstep":
        return [sub(x[0], x[1]), sub(x[0], x[3])]
    return [x[0]]


def affine(u: Term) -> tuple[float, float] | None:
    """(a, b) of a formula a t + b of one variable, or None."""

    def leaf(kind, payload):
        return (1.0, 0.0) if kind == "name" else (0.0, CONSTANTS[payload] if kind == "constant" else payload)

    def operation(kind, *operands):
        if any(x is None for x in operands):
            return None
        (a, b), (c, d) = operands[0], operands[-1]
        if kind == "+":
            return a + c, b + d
        if kind == "-":
            return a - c, b - d
        if kind == "neg":
            return -a, -b
        if kind == "*" and (a == 0.0 or c == 0.0):
            return a * d + b * c, b * d
        if kind == "/" and c == 0.0 and d != 0.0:
            return a / d, b / d
        if all(x[0] == 0.0 for x in operands):
            try:
                return 0.0, float(OPERATIONS[kind].value(*(x[1] for x in operands)))
            except (ArithmeticError, ValueError):
                return None
        return None

    return terms.walk(u, leaf, operation)


@lru_cache(maxsize=1024)
def narrow(expression: Expression) -> bool:
    """Whether the formula may have a short feature that nothing announces, apart from its breaks."""
    u = expression._term
    if len(u) > LONG:
        return True
    for at, (kind, _) in enumerate(u):
        if kind in terms.LEAVES:
            continue
        operands = operands_of(u, at, kind)
        if not any(k == "name" for x in operands for k, _ in x):
            continue
        power = terms.value_of(operands[1]) if kind == "**" else None
        if power is not None and 0.0 <= power <= LARGEST_POWER:
            continue
        if kind == "/" and not any(k == "name" for k, _ in operands[1]):
            continue
        if kind == "exp" and affine(operands[0]) is not None:
            continue
        if kind not in _TAME or (kind in ("sin", "cos") and affine(operands[0]) is None):
            return True
    return False


def timeless(expression: Expression) -> Expression:
    """The formula with its largest parts of t alone put to a number: how it depends on the rest, whenever that begins to act."""
    constant = number(0.8317)

    def leaf(kind, payload):
        return ((kind, payload),), {payload} if kind == "name" else set()

    def operation(kind, *operands):
        names = set().union(*(of for _, of in operands))
        return terms.join(kind, *(constant if of == {"t"} != names else x for x, of in operands)), names

    term, names = terms.walk(expression._term, leaf, operation)
    return Expression(constant if names == {"t"} else term)
