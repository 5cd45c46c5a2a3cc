"""Formulas over moving parameters: their values with slopes, and the constants of programs with theirs.

    x = f(p)          δx = Σ ∂f/∂p_k δp_k          by the formula's own derivatives (expressions/calculus.py)

A formula that stands on a kink or jump of its own (abs(0), max of equals …) has no slopes there.

A program holds every largest part of its formula that is a number; with parameters in it, the part's slopes are those of the
constant.  Parts of equal value share a place; where their slopes differ they would not beside, and that is another structure.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from dalembert import expressions
from dalembert.errors import ExpressionError
from dalembert.expressions import terms
from dalembert.expressions.expression import LARGEST_REPEATED_POWER, Expression, Program
from dalembert.model.moving import Moving, Unmoved

AT_A_BREAK = 1e-9  # of what a parameter, changed by its own size, does to the argument: nearer stands on it


class Formula(Expression):
    """A user's formula in which moving parameters stay; asked for its names it does not tell them."""

    _moving: dict[str, Moving]
    _values: dict[str, float]

    def __init__(self, expression: Expression, moving: dict[str, Moving], values: dict[str, float]):
        super().__init__(expression._term, expression._text)
        object.__setattr__(self, "_moving", moving)
        object.__setattr__(self, "_values", values)

    @property
    def names(self):  # type: ignore[override]
        return super().names - self._moving.keys()

    def substitute(self, replacements):
        return Formula(super().substitute(replacements), self._moving, self._values)

    def evaluate(self, values=None) -> float:
        return plain(self).evaluate({**self._values, **(values or {})})

    def program(self, variables) -> Program:
        fixed = {n: self._values[n] for n in plain(self).names if n in self._moving}
        return plain(self).substitute(fixed).program(variables)

    def constants(self, program: Program) -> list[Any]:
        """The constants of its program, with their slopes."""

        def leaf(kind, payload):
            return ((kind, payload),) if kind != "name" or payload in self._moving else []

        def operation(kind, *operands):
            if kind == "**" and isinstance(operands[1], tuple):
                self._exponent(operands[1])
            if all(isinstance(x, tuple) for x in operands):
                return terms.join(kind, *operands)
            return [part for x in operands for part in ([x] if isinstance(x, tuple) else x)]

        found = terms.walk(self._term, leaf, operation)
        out: dict[float, Any] = {}
        for term in [found] if isinstance(found, tuple) else found:
            number = value(Expression(term), self._moving, self._values)
            key = float(number) + 0.0
            if key in out and not number == out[key]:
                raise Unmoved(f"equal numbers in '{self}' that move apart")
            out.setdefault(key, number)
        if list(out) != program.constants.tolist():
            raise Unmoved(f"the constants of '{self}'")
        return list(out.values())

    def _exponent(self, term) -> None:
        n = value(Expression(term), self._moving, self._values)
        if isinstance(n, Moving) and n.x.is_integer() and abs(n.x) <= LARGEST_REPEATED_POWER:
            raise Unmoved(f"a whole exponent of '{self}' moves")


def plain(formula: Expression) -> Expression:
    return Expression(formula._term, formula._text)


@lru_cache(maxsize=4096)
def _slope(expression: Expression, name: str) -> Expression:
    return expression.derivative(name)


def value(expression: Expression, moving: dict[str, Moving], values: dict[str, float]) -> Moving | float:
    """The number a formula of parameters stands for, with slopes if it moves."""
    x = expression.evaluate(values)
    used = [n for n in expression.names if n in moving]
    if not used:
        return x
    try:
        d = sum(_slope(expression, n).evaluate(values) * moving[n].d for n in used)
        for g in expressions.breaks(expression):
            _beside(g, moving, values)
    except ExpressionError as error:
        raise Unmoved(str(error)) from None
    if not np.all(np.isfinite(d)):
        raise Unmoved(f"the slope of '{expression}' is not finite")
    return Moving(x, d) if np.any(d) else x


def _beside(g: Expression, moving, values) -> None:
    """Refuse where a formula stands on one of its breaks, g = 0."""
    size = 0.0
    for n in g.names:
        if n in moving:
            moved = moving[n].d * max(1.0, abs(values[n]))
            size = math.hypot(size, _slope(g, n).evaluate(values) * float(np.abs(moved).max()))
    if abs(g.evaluate(values)) <= AT_A_BREAK * size:
        raise Unmoved(f"'{g}' is zero: a kink or a jump")
