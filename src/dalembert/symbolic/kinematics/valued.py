"""Dual numbers of the symbolic builder: a formula and its present value.

Geometry as drawn needs decisions (is this zero? which way does it point?); formulas need parameters that stay symbols.  A
``Dual`` computes with the formula and decides with the value, so the builder and the elements' recipes work on it
unchanged.

Numbers are exact: 0.35 is 7/20 (fifteen digits of what was typed or computed), so like terms cancel; printers show decimals
again.
"""

from __future__ import annotations

import math

import numpy as np
import sympy as sp


def exact(x):
    """A SymPy number equal to a float to fifteen digits; expressions pass."""
    if isinstance(x, Dual):
        return x.expr
    if isinstance(x, sp.Basic):
        return x
    if isinstance(x, (int, np.integer)):
        return sp.Integer(int(x))
    x = float(x)
    if x == 0.0 or (abs(x) < 1e15 and x.is_integer()):
        return sp.Integer(int(x))
    return sp.Rational(f"{x:.15g}")


def exactly(expr):
    """Floats inside an expression made exact."""
    floats = expr.atoms(sp.Float)
    return expr.xreplace({f: exact(float(f)) for f in floats}) if floats else expr


class Dual:
    """A formula ``expr`` with its ``value``; comparisons look at the value."""

    __slots__ = ("expr", "value")

    def __init__(self, expr, value=None):
        self.expr = exact(expr)
        self.value = float(self.expr if value is None else value)

    @classmethod
    def of(cls, x) -> Dual:
        return x if isinstance(x, Dual) else cls(exact(x), float(x))

    def _with(self, other, make, value):
        if isinstance(other, np.ndarray):
            return NotImplemented
        o = Dual.of(other)
        return Dual(make(self.expr, o.expr), value(self.value, o.value))

    def __add__(self, o):
        return self._with(o, lambda a, b: a + b, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, o):
        return self._with(o, lambda a, b: a - b, lambda a, b: a - b)

    def __rsub__(self, o):
        return self._with(o, lambda a, b: b - a, lambda a, b: b - a)

    def __mul__(self, o):
        return self._with(o, lambda a, b: a * b, lambda a, b: a * b)

    __rmul__ = __mul__

    def __truediv__(self, o):
        return self._with(o, lambda a, b: a / b, lambda a, b: a / b)

    def __rtruediv__(self, o):
        return self._with(o, lambda a, b: b / a, lambda a, b: b / a)

    def __pow__(self, o):
        return self._with(o, lambda a, b: a**b, lambda a, b: a**b)

    def __neg__(self):
        return Dual(-self.expr, -self.value)

    def __pos__(self):
        return self

    def __abs__(self):
        return -self if self.value < 0 else self

    def sqrt(self) -> Dual:
        """Square root; √(x²) becomes |x|, whose sign the builder settles by the value of x."""
        inside = sp.factor(sp.trigsimp(self.expr)) if self.expr.free_symbols else self.expr
        value = math.sqrt(max(self.value, 0.0))
        return Dual(sp.sqrt(inside) if inside.free_symbols else exact(value), value)

    def __float__(self):
        return self.value

    def __lt__(self, o):
        return self.value < float(o)

    def __le__(self, o):
        return self.value <= float(o)

    def __gt__(self, o):
        return self.value > float(o)

    def __ge__(self, o):
        return self.value >= float(o)

    def __eq__(self, o):
        if isinstance(o, Dual):
            return self.expr == o.expr
        return isinstance(o, (int, float)) and self.value == o

    def __hash__(self):
        return hash(self.expr) if self.expr.free_symbols else hash(self.value)

    def __format__(self, spec):
        return format(self.value, spec)

    def __repr__(self):
        """As formulas spell it: elements may put it into an expression's text."""
        return f"({self.expr})" if self.expr.free_symbols else repr(self.value)


def arctan2(y: Dual, x: Dual) -> Dual:
    """atan2 with a formula; exact zeros where the value is one."""
    y, x = Dual.of(y), Dual.of(x)
    value = math.atan2(y.value, x.value)
    if y.expr == 0 and x.value > 0:
        return Dual(0, 0.0)
    if y.expr.free_symbols or x.expr.free_symbols:
        return Dual(sp.atan2(y.expr, x.expr), value)
    return Dual(exact(value), value)


def turned(function, angle: Dual) -> Dual:
    """cos or sin of a dual angle: a formula for parameters, a number otherwise."""
    angle = Dual.of(angle)
    name = getattr(math, function.__name__)
    value = name(angle.value)
    return Dual(function(angle.expr) if angle.expr.free_symbols else exact(value if abs(value) > 1e-16 else 0.0), value)


def formula(x):
    """The formula of a dual or a number; arrays element by element."""
    if isinstance(x, np.ndarray):
        out = np.empty(x.shape, dtype=object)
        for k, v in np.ndenumerate(x):
            out[k] = exact(v)
        return out
    return exact(x)
