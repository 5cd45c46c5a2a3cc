"""Plain Python functions to expressions: call them once with symbols that record what is done to them.

``trace(lambda t: 3*t**2 + np.sin(t), ["t"])`` is the expression 3*t**2 + sin(t).  A function that branches,
converts its argument to a float, or does anything else that a formula cannot say, gives
None; so does one whose numbers differ from the recorded formula at a few test points (it looks at types, or
it has a memory). Values of global variables enter as the numbers they have now;
functions of the ``math`` module are recorded through NumPy's.
"""

from __future__ import annotations

import contextlib
import dis
import math
import types
from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any

import numpy as np

from ..errors import ExpressionError
from . import terms
from .expression import Expression
from .terms import Term

TRACE_LIMIT = 10_000

_UFUNCS: dict[str, str] = {
    "add": "+", "subtract": "-", "multiply": "*", "divide": "/", "true_divide": "/", "power": "**",
    "float_power": "**", "negative": "neg", "sin": "sin", "cos": "cos", "tan": "tan", "arcsin": "asin",
    "arccos": "acos", "arctan": "atan", "arctan2": "atan2", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh",
    "exp": "exp", "log": "log", "log10": "log10", "sqrt": "sqrt", "absolute": "abs", "fabs": "abs",
    "sign": "sign",
    "minimum": "min", "maximum": "max", "fmin": "min", "fmax": "max", "floor": "floor", "hypot": "hypot",
}  # fmt: skip

_COMPOSED: dict[str, Callable[[Any], Any]] = {
    "square": lambda x: x**2,
    "reciprocal": lambda x: 1.0 / x,
    "positive": lambda x: x,
    "deg2rad": lambda x: x * (math.pi / 180.0),
    "radians": lambda x: x * (math.pi / 180.0),
    "rad2deg": lambda x: x * (180.0 / math.pi),
    "degrees": lambda x: x * (180.0 / math.pi),
}


class _NotAFormula(Exception):
    """The function did something that a formula cannot say.  A user sees it only if the function kept its argument for later."""

    def __str__(self) -> str:
        return ("it kept an argument of an earlier call, which was a symbol; a law must depend on its arguments only, "
                "not on what it was asked before")


class Symbolic:
    """A symbol or a formula of symbols; ``spoilt`` keeps what could not be recorded, even if swallowed."""

    __slots__ = ("spoilt", "term")

    def __init__(self, term: Term, spoilt: list[str]):
        self.term, self.spoilt = term, spoilt

    def _spoil(self, *args: Any, **options: Any) -> Any:
        self.spoilt.append("not a formula")
        raise _NotAFormula

    def _make(self, operation: str, *operands: Any) -> Any:
        parts = []
        for operand in operands:
            if isinstance(operand, Symbolic):
                parts.append(operand.term)
            elif isinstance(operand, np.ndarray) and operand.ndim:
                return NotImplemented
            else:
                parts.append(_constant(operand, self.spoilt))
        if sum(map(len, parts)) > TRACE_LIMIT:
            self._spoil()
        term = terms.neg(*parts) if operation == "neg" else terms.fold(operation, *parts)
        return Symbolic(term, self.spoilt)

    def __add__(self, other): return self._make("+", self, other)
    def __radd__(self, other): return self._make("+", other, self)
    def __sub__(self, other): return self._make("-", self, other)
    def __rsub__(self, other): return self._make("-", other, self)
    def __mul__(self, other): return self._make("*", self, other)
    def __rmul__(self, other): return self._make("*", other, self)
    def __truediv__(self, other): return self._make("/", self, other)
    def __rtruediv__(self, other): return self._make("/", other, self)
    def __neg__(self): return self._make("neg", self)
    def __pos__(self): return self
    def __abs__(self): return self._make("abs", self)
    def __floor__(self): return self._make("floor", self)

    def __pow__(self, other, modulus=None):
        return self._make("**", self, other) if modulus is None else self._spoil()

    def __rpow__(self, other): return self._make("**", other, self)

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        if method != "__call__" or options:
            self._spoil()
        if ufunc.__name__ in _COMPOSED:
            return _COMPOSED[ufunc.__name__](*inputs)
        return self._make(_UFUNCS[ufunc.__name__], *inputs) if ufunc.__name__ in _UFUNCS else self._spoil()

    def __getattr__(self, name):
        self._spoil()

    __bool__ = __float__ = __int__ = __index__ = __complex__ = __round__ = __trunc__ = __ceil__ = _spoil
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = _spoil  # type: ignore[assignment]
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __divmod__ = __rdivmod__ = _spoil
    __iter__ = __len__ = __getitem__ = __contains__ = __str__ = __repr__ = __format__ = _spoil  # type: ignore


def _constant(value: Any, spoilt: list[str]) -> Term:
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        spoilt.append("not a finite number")
        raise _NotAFormula
    return terms.number(float(value))


def _record(function: Callable[..., Any], names: Sequence[str]) -> Term | None:
    spoilt: list[str] = []
    result = function(*(Symbolic(terms.name(name), spoilt) for name in names))
    u = result.term if isinstance(result, Symbolic) else _constant(result, spoilt)
    return None if spoilt else u


def _agrees(function: Callable[..., Any], names: Sequence[str], expression: Expression) -> bool:
    """Whether function and formula give the same number, or both none, at a few points."""
    for k in range(4):
        point = [0.37 + 0.61 * k * (-1) ** k + 0.113 * i * (k + 1) for i in range(len(names))]
        try:
            expected = expression.evaluate(dict(zip(names, point, strict=True)))
        except ExpressionError:
            continue
        with np.errstate(all="ignore"):
            given = function(*point)
        if isinstance(given, bool) or not abs(given - expected) <= 1e-9 * (1.0 + abs(expected)):
            return False
    return True


def _with_numpy(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same code with NumPy's functions where it names those of ``math``, which would ask for plain numbers."""
    other = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "pow": "power"}
    twins = {name: getattr(np, other.get(name, name), None) for name in dir(math)}
    twins = {name: twin for name, twin in twins.items() if isinstance(twin, np.ufunc)}

    class Math:
        """Stands for the module."""

        def __getattr__(self, name: str) -> Any:
            return twins.get(name, getattr(math, name))

    known = {id(getattr(math, name)): twin for name, twin in twins.items()}
    used = {name: function.__globals__[name] for name in function.__code__.co_names if name in function.__globals__}
    changed = {name: Math() if value is math else known.get(id(value), value) for name, value in used.items()}
    return types.FunctionType(function.__code__, {**function.__globals__, **changed}, function.__name__,
                              function.__defaults__, function.__closure__)


def _catches(function: Callable[..., Any]) -> bool:
    """Whether a function handles exceptions: which way it goes then is not seen by recording it."""
    code = getattr(function, "__code__", None)
    return code is not None and any(step.opname == "POP_EXCEPT" for step in dis.get_instructions(code))


def trace(function: Callable[..., Any], names: Sequence[str]) -> Expression | None:
    """The formula that a function of plain numbers computes, or None if it cannot be told.  Never raises."""
    try:
        if any("`" in name or not name.strip() or not name.isprintable() for name in names):
            return None
        if len({terms.canonical(name) for name in names}) != len(names):
            return None
        if _catches(function):  # math.sqrt(-1.0) raises in Python, and not where it is recorded
            return None
        u = None
        with contextlib.suppress(Exception):
            u = _record(function, names)
        if u is None:
            u = _record(_with_numpy(function), names)
        if u is None:
            return None
        expression = Expression(u)
        return expression if _agrees(function, names, expression) else None
    except Exception:  # whatever the function did, it is not a formula
        return None
