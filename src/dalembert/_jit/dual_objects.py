"""Duals in Python mode: objects with operators (see duals.py).

``math`` of the kernels' modules becomes one that knows duals, when the first struct of duals is used; so do max and min of two.
"""

from __future__ import annotations

import math
import operator
import sys
from typing import Any

import numpy as np

WIDTH, MARK = 8, "d_"  # as in duals.py, which takes the rest from here


class Dual:
    """A dual in Python mode."""

    __slots__ = ("d", "x")

    def __init__(self, x, d=None):
        self.x, self.d = float(x), np.zeros(WIDTH) if d is None else d

    def __add__(self, o):
        o = lifted(o)
        return Dual(self.x + o.x, self.d + o.d)

    def __sub__(self, o):
        o = lifted(o)
        return Dual(self.x - o.x, self.d - o.d)

    def __mul__(self, o):
        o = lifted(o)
        return Dual(self.x * o.x, self.d * o.x + o.d * self.x)

    def __truediv__(self, o):
        o = lifted(o)
        with np.errstate(all="ignore"):
            q = float(np.float64(self.x) / o.x)
            return Dual(q, (self.d - q * o.d) / o.x)

    def __rsub__(self, o):
        return lifted(o) - self

    def __rtruediv__(self, o):
        return lifted(o) / self

    __radd__ = __add__
    __rmul__ = __mul__

    def __pow__(self, o):
        with np.errstate(all="ignore"):
            if not isinstance(o, Dual):
                return Dual(np.float64(self.x) ** o, _moved(self.d, o * np.float64(self.x) ** (o - 1)))
            w = np.float64(self.x) ** o.x
            slope = np.log(self.x) * w if self.x != 0.0 or o.x <= 0.0 else 0.0  # 0^y is zero for all y > 0
            return Dual(w, _moved(self.d, o.x * np.float64(self.x) ** (o.x - 1)) + _moved(o.d, slope))

    def __rpow__(self, o):
        return lifted(o) ** self

    def __neg__(self):
        return Dual(-self.x, -self.d)

    def __abs__(self):
        return Dual(abs(self.x), math.copysign(1.0, self.x) * self.d)

    def __floor__(self):
        return math.floor(self.x)

    def __eq__(self, o):
        o = lifted(o)
        return self.x == o.x and bool(np.all(self.d == o.d))

    __hash__ = None  # type: ignore[assignment]

    def __lt__(self, o):
        return self.x < lifted(o).x

    def __le__(self, o):
        return self.x <= lifted(o).x

    def __gt__(self, o):
        return self.x > lifted(o).x

    def __ge__(self, o):
        return self.x >= lifted(o).x

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        name = NUMPY.get(ufunc.__name__, ufunc.__name__)
        rule = OPERATORS.get(name) or getattr(MATHS, name, None)
        return NotImplemented if method != "__call__" or options or rule is None else rule(*(lifted(x) for x in inputs))


NUMPY = {"arctan2": "atan2", "arctan": "atan", "arcsin": "asin", "arccos": "acos", "absolute": "fabs"}
OPERATORS: dict[str, Any] = {"add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv,
                             "power": operator.pow, "negative": operator.neg, "less": operator.lt, "less_equal": operator.le,
                             "greater": operator.gt, "greater_equal": operator.ge, "equal": operator.eq, "not_equal": operator.ne}


def lifted(x) -> Dual:
    return x if isinstance(x, Dual) else Dual(x)


def _moved(d, slope):
    """slope · d, where an infinite slope counts only for what moves."""
    with np.errstate(all="ignore"):
        return np.where(d == 0.0, 0.0, slope * d)


ONE: dict[str, Any] = {  # g' from x and w = g(x)
    "sin": lambda x, w: np.cos(x), "cos": lambda x, w: -np.sin(x), "tan": lambda x, w: 1 + w * w, "exp": lambda x, w: w,
    "sinh": lambda x, w: np.cosh(x), "cosh": lambda x, w: np.sinh(x), "tanh": lambda x, w: 1 - w * w,
    "sqrt": lambda x, w: 0.5 / w, "log": lambda x, w: 1 / x, "log10": lambda x, w: 1 / (x * math.log(10)),
    "asin": lambda x, w: 1 / np.sqrt((1 - x) * (1 + x)), "acos": lambda x, w: -1 / np.sqrt((1 - x) * (1 + x)),
    "atan": lambda x, w: 1 / (1 + x * x), "fabs": lambda x, w: np.copysign(1.0, x),
    "asinh": lambda x, w: 1 / np.sqrt(1 + x * x), "expm1": lambda x, w: w + 1, "log1p": lambda x, w: 1 / (1 + x)}
TWO: dict[str, Any] = {  # both slopes
    "atan2": lambda a, b, w: (b / (a * a + b * b), -a / (a * a + b * b)), "hypot": lambda a, b, w: (a / w, b / w)}
SPELLED = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "asinh": "arcsinh"}


class Maths:
    """The module math, with duals."""

    def __getattr__(self, name):
        plain = getattr(math, name)
        if not callable(plain):
            return plain

        def call(*given):
            if not any(isinstance(a, Dual) for a in given):
                return plain(*given)
            args = [lifted(a) for a in given]
            values = [np.float64(a.x) for a in args]
            with np.errstate(all="ignore"):
                if name in ONE:
                    w = getattr(np, SPELLED.get(name, name))(*values)
                    return Dual(w, _moved(args[0].d, ONE[name](*values, w)))
                if name in TWO:
                    w = getattr(np, SPELLED.get(name, name))(*values)
                    one, two = TWO[name](*values, w)
                    return Dual(w, _moved(args[0].d, one) + _moved(args[1].d, two))
            if name == "pow":
                return args[0] ** args[1]
            if name == "copysign":
                return args[0] * float(np.copysign(1.0, values[0]) * np.copysign(1.0, values[1]))
            if name in ("floor", "ceil", "isfinite", "isnan", "isinf", "trunc"):
                return plain(float(values[0]))
            raise TypeError(f"math.{name} has no derivative here")

        return call


MATHS = Maths()


class DualArray:
    """An array of duals in Python mode."""

    def __init__(self, x, d):
        self.x, self.d, self.size = x, d, len(x)

    def __getitem__(self, k):
        return Dual(self.x[k], self.d[k].copy())

    def __setitem__(self, k, value):
        value = lifted(value)
        self.x[k], self.d[k] = value.x, value.d


class Record:
    """A record whose reals are duals."""

    def __init__(self, x, d):
        self.__dict__.update(values=x, tangents=d)

    def place(self, name):
        """Kind of a field, and the tangents of its numbers."""
        kind, at = self.values.dtype.fields[name][:2]
        return kind, self.tangents[at // 8:at // 8 + int(np.prod(kind.shape, dtype=int))]

    def __getattr__(self, name):
        x = getattr(self.values, name)
        kind, d = self.place(name)
        if kind.base != np.float64:
            return x
        return DualArray(x, d) if kind.shape else Dual(x, d[0].copy())

    def __setattr__(self, name, value):
        value = lifted(value)
        setattr(self.values, name, value.x)
        self.place(name)[1][0] = value.d


class Table:
    def __init__(self, x, d):
        self.x, self.d, self.size = x, d, len(x)

    def __getitem__(self, k):
        return Record(self.x[k], self.d[k])


class Struct:
    """A struct of duals in Python mode."""

    dim = 0

    def __init__(self, raw):
        for name in type(raw).base._fields:
            x = getattr(raw, name)
            if MARK + name in raw._fields:
                d = getattr(raw, MARK + name)
                if x.dtype.names is None:
                    x = DualArray(x, d.reshape(-1, WIDTH))
                elif name in type(raw).base.single:
                    x = Record(x, d.reshape(-1, WIDTH))
                else:
                    x = Table(x, d.reshape(len(x), x.dtype.itemsize // 8, WIDTH))
            setattr(self, name, x)


KINDS: dict[Any, Any] = {}


def _kind(cls):
    if cls not in KINDS:
        KINDS[cls] = type(cls.__name__, (Struct,), {"dim": cls.dim})
    return KINDS[cls]


KERNELS = ("dalembert.elements.", "dalembert.algebra.", "dalembert.equations.")


def _larger(*args, **options):
    if len(args) == 2 and any(isinstance(a, Dual) for a in args):
        return args[0] if lifted(args[0]) > lifted(args[1]) else args[1]
    return max(*args, **options)


def _smaller(*args, **options):
    if len(args) == 2 and any(isinstance(a, Dual) for a in args):
        return args[0] if lifted(args[0]) <= lifted(args[1]) else args[1]
    return min(*args, **options)


def _learn() -> None:
    """``math`` of modules with kernels becomes one that knows duals."""
    for name, module in list(sys.modules.items()):
        if name.startswith("dalembert.") and getattr(module, "math", None) is math and not name.startswith("dalembert._jit"):
            module.math = MATHS  # type: ignore[attr-defined]
        if name.startswith(KERNELS):
            module.max, module.min = _larger, _smaller  # type: ignore[attr-defined]


def dual(raw):
    _learn()
    return _kind(type(raw))(raw)


def value(x):
    return x.x if isinstance(x, Dual) else x


def put_value(array, k, x):
    array.x[k] = x


def tangent(array, k, n):
    return float(array.d[k, n])


def put_tangent(array, k, n, x):
    array.d[k, n] = x
