"""A formula as an immutable value: evaluate, differentiate, substitute, compile, hand to SymPy.

``parse("m*l**2/12")`` reads text; the result knows its free names and never changes.  Two expressions are
equal if they have the same structure, however they were written.  ``program`` gives the flat stack program
that the kernels of algebra/jets.py run; there constant parts are folded and small integer powers become
repeated products.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property, lru_cache
from numbers import Real
from typing import Any

import numpy as np

from dalembert.records import record

from ..algebra import jets
from ..errors import ExpressionError, ModelError, nearest
from . import calculus, terms
from .functions import CONSTANTS, OPERATIONS
from .parser import read
from .scanner import LENGTH_LIMIT, shown
from .terms import Term, canonical

LARGEST_REPEATED_POWER = 16


@record(eq=False)
class Program:
    """A flat stack program: pairs (opcode, argument), their constants, and the stack they need."""

    code: np.ndarray
    constants: np.ndarray
    depth: int


def parse(text: str) -> Expression:
    """Read a formula such as ``"2*pi*t"``, ``"piston.x**2"`` or ```"`rod 1`.angle/2"```."""
    return _read(text) if isinstance(text, str) and len(text) < 1000 else Expression(read(text), text)


@lru_cache(maxsize=4096)
def _read(text: str) -> Expression:
    """Expressions do not change, so one reading serves all who ask again (variants of a model ask thousands of times)."""
    return Expression(read(text), text)


class Expression:
    """A formula; made by ``parse``, ``trace`` or from another expression."""

    _term: Term
    _text: str | None

    def __init__(self, term: Term, text: str | None = None):
        object.__setattr__(self, "_term", term)
        object.__setattr__(self, "_text", text)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("expressions do not change; use substitute to make a new one")

    @property
    def text(self) -> str:
        """The text it was read from, otherwise its canonical text."""
        return str(self) if self._text is None else self._text

    @cached_property
    def names(self) -> frozenset[str]:
        """Free names, in canonical (NFKC) spelling; the constants pi, e and tau are not among them."""
        return frozenset(payload for kind, payload in self._term if kind == "name")

    def __str__(self) -> str:
        text = terms.to_text(self._term)
        return text if len(text) <= LENGTH_LIMIT else terms.to_text(self._term, gap="")

    def __repr__(self) -> str:
        return f"parse({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return self._term == other._term if isinstance(other, Expression) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._term)

    def __reduce__(self):
        return Expression, (self._term, self._text)

    # ------------------------------------------------------------------------------------------- numbers

    def evaluate(self, values: Mapping[str, float] | None = None) -> float:
        """The number it stands for, given a number for every name."""
        lookup = _lookup(self, values or {})
        stack: list[float] = []
        for at, (kind, payload) in enumerate(self._term):
            if kind == "number":
                stack.append(payload)
            elif kind == "constant":
                stack.append(CONSTANTS[payload])
            elif kind == "name":
                stack.append(_finite(self, payload, lookup[payload]))
            else:
                operation = OPERATIONS[kind]
                first = len(stack) - operation.arity
                operands = stack[first:]
                try:
                    result = operation.value(*operands)
                    reason = "" if math.isfinite(result) else "the result is too large (overflow)"
                except ZeroDivisionError:
                    reason = "division by zero"
                except OverflowError:
                    reason = "the result is too large (overflow)"
                except ValueError:
                    zero = kind == "**" and operands[0] == 0.0
                    reason = "0 to a negative power" if zero else "not defined there"
                if reason:
                    self._fail(at, operands, reason)
                stack[first:] = [result]
        return float(stack[0])

    def _fail(self, at: int, operands: Sequence[float], reason: str) -> None:
        part = terms.to_text(terms.part(self._term, at))
        where = "" if part == str(self) else f" in {shown(part)}"
        numbers = ", ".join(f"{v:.6g}" for v in operands)
        raise ExpressionError(f"expression {shown(self.text)} has no finite value: {reason}{where}"
                              f" (operands {numbers})")  # fmt: skip

    # ------------------------------------------------------------------------------------------- formulas

    def derivative(self, name: str) -> Expression:
        """The partial derivative, lightly simplified."""
        return Expression(calculus.derivative(self._term, name))

    def substitute(self, replacements: Mapping[str, float | Expression]) -> Expression:
        """A new expression with names replaced, all at once, by numbers or other expressions."""
        table: dict[str, Term] = {}
        for name, new in replacements.items():
            term = new._term if isinstance(new, Expression) else terms.number(number(new, what=name))
            table[canonical(name)] = term
        return Expression(terms.rebuild(self._term, lambda kind, x: table.get(x) if kind == "name" else None))

    def sympy(self, symbols: Mapping[str, Any]) -> Any:
        """The same formula in SymPy, given a symbol (or any SymPy expression) for every name."""
        from .sympify import to_sympy

        return to_sympy(self._term, _lookup(self, symbols))

    def program(self, variables: Sequence[str]) -> Program:
        """The stack program for the kernels; variable k of the program is variables[k]."""
        index = _lookup(self, {name: k for k, name in enumerate(variables)})
        folded = terms.walk(self._term, _number_leaf, terms.fold)
        code: list[tuple[int, int]] = []
        constants: dict[float, int] = {}
        depth = deepest = 0
        for kind, payload in folded:
            if kind == "number":
                code.append((jets.CONSTANT, constants.setdefault(payload, len(constants))))
                depth += 1
            elif kind == "name":
                code.append((jets.VARIABLE, index[payload]))
                depth += 1
            else:
                code.append((OPERATIONS[kind].opcode, 0))
                depth -= OPERATIONS[kind].arity - 1
            deepest = max(deepest, depth)
        code = _integer_powers(code, list(constants))
        numbers = np.array(list(constants), dtype=np.float64)
        return Program(np.array(code, dtype=np.int32).ravel(), numbers, deepest)


def _number_leaf(kind: str, payload: Any) -> Term:
    return terms.number(CONSTANTS[payload]) if kind == "constant" else ((kind, payload),)


def _integer_powers(code: list[tuple[int, int]], constants: Sequence[float]) -> list[tuple[int, int]]:
    """Replace (constant n)(power) by (integer power n) for small integers n."""
    result: list[tuple[int, int]] = []
    for item in code:
        if item[0] == jets.POWER and result[-1][0] == jets.CONSTANT:
            n = constants[result[-1][1]]
            if n.is_integer() and abs(n) <= LARGEST_REPEATED_POWER:
                result[-1] = (jets.INTEGER_POWER, int(n))
                continue
        result.append(item)
    return result


def _lookup(expression: Expression, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The values by canonical name; an error if a name is missing or a constant is also a name."""
    if not all(map(values.__contains__, expression.names)):
        values = {canonical(name): value for name, value in values.items()} | dict(values)
        for name in sorted(expression.names):
            if name not in values:
                raise ExpressionError(f"expression {shown(expression.text)}: {_unknown(name, values)}")
    for kind, payload in expression._term:
        if kind == "constant" and payload in values and payload not in expression.names:
            raise ExpressionError(
                f"expression {shown(expression.text)}: {payload!r} is the constant {CONSTANTS[payload]:.6g},"
                f" but a quantity has the same name; write `{payload}` in backquotes for the quantity, or"
                " rename it"
            )
    return values


def _unknown(name: str, choices: Collection[str]) -> str:
    hint = nearest(name, choices)
    known = sorted(choices)
    listed = ", ".join(known[:20]) + (f" and {len(known) - 20} more" if len(known) > 20 else "")
    tail = f"known names are {listed}" if known else "no names are known here"
    return f"unknown name {name!r}; {hint + ' ' if hint else ''}{tail}"


def _finite(expression: Expression, name: str, value: Any) -> float:
    if type(value) is float and math.isfinite(value):
        return value
    if isinstance(value, float) and math.isfinite(value):  # NumPy's
        return float(value)
    return number(value, what=f"expression {shown(expression.text)}: the value of {name!r}")


def number(value: Any, values: Mapping[str, float] | None = None, what: str = "value") -> float:
    """A finite float from a number or an expression string; ``what`` names the quantity in error messages."""
    if type(value) is float and math.isfinite(value):
        return value
    if isinstance(value, str):
        try:
            return parse(value).evaluate(values)
        except ExpressionError as error:
            raise ExpressionError(f"{what}: {error}") from None
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ModelError(f"{what}: a number or an expression such as '2*pi' is needed, not {value!r:.60}"
                         f" ({type(value).__name__})")  # fmt: skip
    try:
        result = float(value)
    except (OverflowError, ValueError):
        result = math.inf
    if not math.isfinite(result):
        raise ModelError(f"{what}: a finite number is needed, not {value!r:.60}")
    return result
