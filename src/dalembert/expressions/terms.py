"""Formulas as flat postfix tuples: the one representation that everything else reads and builds.

A term is a tuple of items (kind, payload), operands before their operation, as on a stack:

    2*sin(x) + pi   →   (number 2) (name x) (sin) (*) (constant pi) (+)

Leaves are ``("number", 2.0)``, ``("name", "x")`` and ``("constant", "pi")``; an operation is
``("sin", None)``.  Equality and hash are those of the tuple, and every pass is one loop with a stack: no
recursion, no depth limit.

The builders ``add`` … ``power`` simplify lightly: constants are folded if the result is finite; 0 + u, 0·u,
1·u, u − u, u/1, u¹, u⁰ and −(−u) are shortened.  A negative number is one leaf, never a negated one, so
that text and term correspond one to one.
"""

from __future__ import annotations

import itertools
import keyword
import math
import unicodedata
from collections.abc import Callable
from typing import Any

from ..errors import ExpressionError
from .functions import CONSTANTS, FUNCTIONS, OPERATIONS

Term = tuple[tuple[str, Any], ...]

SIZE_LIMIT = 100_000
LEAVES = ("number", "name", "constant")


def canonical(name: str) -> str:
    """The spelling by which formulas know a name: Unicode NFKC, so that µ and μ are one letter."""
    return unicodedata.normalize("NFKC", name)


def number(value: float) -> Term:
    """A number as a term; −0 is 0."""
    return (("number", float(value) + 0.0),)


def name(text: str) -> Term:
    """A variable as a term."""
    return (("name", canonical(text)),)


ZERO, ONE = number(0.0), number(1.0)


def value_of(u: Term) -> float | None:
    """The number that a term is, or None."""
    return u[0][1] if len(u) == 1 and u[0][0] == "number" else None


def join(operation: str, *operands: Term) -> Term:
    """Operands followed by their operation, exactly as given."""
    u = (*itertools.chain(*operands), (operation, None))
    if len(u) > SIZE_LIMIT:
        raise ExpressionError(f"the expression grows beyond {SIZE_LIMIT:,} operations")
    return u


def fold(operation: str, *operands: Term) -> Term:
    """``join``, or the number it amounts to if all operands are numbers and the result is finite."""
    values = [value_of(u) for u in operands]
    if None not in values:
        try:
            result = OPERATIONS[operation].value(*values)
            if math.isfinite(result):
                return number(result)
        except (ArithmeticError, ValueError):
            pass
    return join(operation, *operands)


# ------------------------------------------------------------------------------------------------ builders


def neg(u: Term) -> Term:
    """−u."""
    return u[:-1] if u[-1][0] == "neg" else fold("neg", u)


def add(u: Term, v: Term) -> Term:
    """u + v."""
    if u == ZERO:
        return v
    if v == ZERO:
        return u
    return sub(u, v[:-1]) if v[-1][0] == "neg" else fold("+", u, v)


def sub(u: Term, v: Term) -> Term:
    """u − v."""
    if v == ZERO:
        return u
    if u == ZERO:
        return neg(v)
    if u == v:
        return ZERO
    return add(u, v[:-1]) if v[-1][0] == "neg" else fold("-", u, v)


def mul(u: Term, v: Term) -> Term:
    """u v."""
    if ZERO in (u, v):
        return ZERO
    if u == ONE:
        return v
    if v == ONE:
        return u
    if value_of(u) == -1.0:
        return neg(v)
    return neg(u) if value_of(v) == -1.0 else fold("*", u, v)


def div(u: Term, v: Term) -> Term:
    """u / v."""
    if u == ZERO and v != ZERO:
        return ZERO
    return u if v == ONE else fold("/", u, v)


def power(u: Term, v: Term) -> Term:
    """u^v."""
    if v == ONE:
        return u
    return ONE if v == ZERO else fold("**", u, v)


# ------------------------------------------------------------------------------------------------ walking


def walk(u: Term, leaf: Callable[[str, Any], Any], operation: Callable[..., Any]) -> Any:
    """Evaluate a term with ``leaf(kind, payload)`` and ``operation(kind, *operands)``."""
    stack: list[Any] = []
    for kind, payload in u:
        if kind in LEAVES:
            stack.append(leaf(kind, payload))
        else:
            first = len(stack) - OPERATIONS[kind].arity
            stack[first:] = [operation(kind, *stack[first:])]
    return stack[0]


def rebuild(u: Term, replace: Callable[[str, Any], Term | None]) -> Term:
    """The term with every leaf for which ``replace`` gives a term exchanged for that term."""
    return walk(
        u,
        lambda kind, payload: replace(kind, payload) or ((kind, payload),),
        lambda kind, *operands: neg(*operands) if kind == "neg" else join(kind, *operands),
    )


def part(u: Term, end: int) -> Term:
    """The part of a term whose last item is u[end]."""
    missing, start = 1, end + 1
    while missing:
        start -= 1
        kind = u[start][0]
        missing += (0 if kind in LEAVES else OPERATIONS[kind].arity) - 1
    return u[start : end + 1]


# ------------------------------------------------------------------------------------------------ text

_SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(1, 6)


def plain(word: str) -> bool:
    """Whether a word can be written without backquotes."""
    return word.isidentifier() and not keyword.iskeyword(word) and "__" not in word


def name_text(text: str) -> str:
    """A variable's name as formulas spell it, with backquotes where necessary."""
    words = text.split(".")
    if not all(words) or text in CONSTANTS or text in FUNCTIONS:
        return f"`{text}`"
    return ".".join(word if plain(word) else f"`{word}`" for word in words)


def number_text(value: float) -> str:
    """A number as formulas spell it: integers without the point."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def to_text(u: Term, gap: str = " ") -> str:
    """A term as text that reads back as the same term, with as few parentheses as possible."""

    def leaf(kind: str, payload: Any) -> tuple[str, int]:
        if kind == "number":
            return number_text(payload), _SIGN if payload < 0.0 else _ATOM
        return (name_text(payload) if kind == "name" else payload), _ATOM

    def wrap(operand: tuple[str, int], least: int, signed: bool = False) -> str:
        text, level = operand
        return text if level >= least and (signed or level != _SIGN) else f"({text})"

    def operation(kind: str, *operands: tuple[str, int]) -> tuple[str, int]:
        if kind in ("+", "-"):
            return f"{wrap(operands[0], _SUM, True)}{gap}{kind}{gap}{wrap(operands[1], _PRODUCT)}", _SUM
        if kind in ("*", "/"):
            return f"{wrap(operands[0], _PRODUCT, True)}{kind}{wrap(operands[1], _POWER)}", _PRODUCT
        if kind == "**":
            return f"{wrap(operands[0], _ATOM)}**{wrap(operands[1], _POWER)}", _POWER
        if kind == "neg":
            return f"-{wrap(operands[0], _POWER)}", _SIGN
        return f"{kind}({f',{gap}'.join(text for text, _ in operands)})", _ATOM

    return walk(u, leaf, operation)[0]
