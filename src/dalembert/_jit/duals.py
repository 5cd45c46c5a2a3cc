"""Derivatives: a number inside a kernel may be a *dual*, a value x and WIDTH tangents ẋ that follow it (numbers.py).

    (x, ẋ) + (y, ẏ) = (x + y, ẋ + ẏ)        (x, ẋ)(y, ẏ) = (x y, ẋ y + x ẏ)        g(x, ẋ) = (g(x), g'(x) ẋ)

Kernels are compiled a second time with *dual structs* in place of their own, and none of them is edited: arrays of reals read as
duals, records as records whose reals are duals, integers stay what they are.  Values and tangents lie in arrays of their own.

    dual_struct(cls)       the struct with its tangents: after every field x that holds reals, d_x with WIDTH numbers for each
    dual(s)                inside a kernel: that struct as one of duals
    value(x)               of a dual (or a plain number)
    put_value(a, k, x)     x into number k of an array of duals; its tangents stay
    tangent(a, k, n), put_tangent(a, k, n, x)      tangent n of number k

Branches go by values: < and > compare values.  == and != compare *numbers*, tangents too: a zero that does not stay zero is not
``== 0.0``, so short cuts for what vanishes ("if rate != 0.0") are not taken where it vanishes at this state only.  An infinite
slope (√0) counts only where something moves: 0 · ∞ = 0, as in algebra/jets.py.  Of two equals max takes the second, min the first:
so max(x, 0) + min(x, 0) has the slope 1 everywhere.

A module of kernels on duals imports this one before all elements: in the building process the package then hands out calls of
laws that know duals.  Laws of users are called by the address of a function that gives derivatives too (dual_laws.py):

    void f(double t, double x, double v, double *out)         out: f, ∂f/∂t, ∂f/∂x, ∂f/∂v
    void f(double t, double *x, double *v, double *out)       out: the values, then for t and every x and v the derivatives

In Python mode a dual is an object with operators, and ``math`` of the kernels' modules is one that knows duals.
"""

from __future__ import annotations

import functools
import math
import operator
import sys
from typing import Any

import numpy as np

from .kernels import MODE, One, struct

WIDTH = 8
MARK = "d_"


def reals(dtype: np.dtype) -> bool:
    """Whether there are reals in it."""
    if dtype.names is None:
        return dtype.base == np.float64
    return any(reals(dtype.fields[n][0]) for n in dtype.names)  # type: ignore[index]


@functools.cache
def dual_struct(base):
    """The struct of arrays of duals that belongs to a struct; one per struct."""
    fields: dict[str, Any] = {}
    for name, dtype in zip(base._fields, base.dtypes, strict=True):
        fields[name] = One(dtype) if name in base.single else dtype
        if reals(dtype):
            fields[MARK + name] = "f8"
    cls = struct(f"{base.__name__}Duals", fields, base.dim)
    cls.base = base
    return cls


def tangents(base, values) -> dict[str, np.ndarray]:
    """Arrays for the tangents of the arrays of a struct, all zero, by the names of its fields."""
    return {name: np.zeros(a.size * a.dtype.itemsize // 8 * WIDTH)
            for name, dtype, a in zip(base._fields, base.dtypes, values, strict=True) if reals(dtype)}


def dual_values(base, values, moved: dict[str, np.ndarray]):
    """The dual struct of these arrays: values as they are, and their tangents (``tangents``)."""
    cls, out = dual_struct(base), []
    for name, a in zip(base._fields, values, strict=True):
        out += [a, moved[name]] if MARK + name in cls._fields else [a]
    return cls(*out)


def of_column(dtype: np.dtype, moved: np.ndarray, column: str) -> np.ndarray:
    """The tangents of one column of a table: rows × (numbers in a row's field) × WIDTH, a view."""
    kind, at = dtype.fields[column][:2]  # type: ignore[index]
    count = int(np.prod(kind.shape, dtype=int))
    return moved.reshape(-1, dtype.itemsize // 8, WIDTH)[:, at // 8:at // 8 + count]


# ------------------------------------------------------------------------------------------------------------ Python mode


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
            return Dual(w, _moved(self.d, o.x * np.float64(self.x) ** (o.x - 1)) + _moved(o.d, np.log(self.x) * w))

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
OPERATORS = {"add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv,
             "power": operator.pow, "negative": operator.neg, "less": operator.lt, "less_equal": operator.le,
             "greater": operator.gt, "greater_equal": operator.ge, "equal": operator.eq, "not_equal": operator.ne}


def lifted(x) -> Dual:
    return x if isinstance(x, Dual) else Dual(x)


def _moved(d, slope):
    """slope · d, where an infinite slope counts only for what moves."""
    with np.errstate(all="ignore"):
        return np.where(d == 0.0, 0.0, slope * d)


ONE = {  # g' from x and w = g(x)
    "sin": lambda x, w: np.cos(x), "cos": lambda x, w: -np.sin(x), "tan": lambda x, w: 1 + w * w, "exp": lambda x, w: w,
    "sinh": lambda x, w: np.cosh(x), "cosh": lambda x, w: np.sinh(x), "tanh": lambda x, w: 1 - w * w,
    "sqrt": lambda x, w: 0.5 / w, "log": lambda x, w: 1 / x, "log10": lambda x, w: 1 / (x * math.log(10)),
    "asin": lambda x, w: 1 / np.sqrt((1 - x) * (1 + x)), "acos": lambda x, w: -1 / np.sqrt((1 - x) * (1 + x)),
    "atan": lambda x, w: 1 / (1 + x * x), "fabs": lambda x, w: np.copysign(1.0, x),
    "asinh": lambda x, w: 1 / np.sqrt(1 + x * x), "expm1": lambda x, w: w + 1, "log1p": lambda x, w: 1 / (1 + x)}
TWO = {  # both slopes
    "atan2": lambda a, b, w: (b / (a * a + b * b), -a / (a * a + b * b)), "hypot": lambda a, b, w: (a / w, b / w)}
SPELLED = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "asinh": "arcsinh"}


class _Maths:
    """The module math, with duals."""

    def __getattr__(self, name):
        plain = getattr(math, name)
        if not callable(plain):
            return plain

        def call(*args):
            if not any(isinstance(a, Dual) for a in args):
                return plain(*args)
            args = [lifted(a) for a in args]
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


MATHS = _Maths()


class DualArray:
    """An array of duals in Python mode."""

    def __init__(self, x, d):
        self.x, self.d, self.size = x, d, len(x)

    def __getitem__(self, k):
        return Dual(self.x[k], self.d[k].copy())

    def __setitem__(self, k, value):
        value = lifted(value)
        self.x[k], self.d[k] = value.x, value.d


class _Record:
    __slots__ = ("_d", "_x")

    def __init__(self, x, d):
        object.__setattr__(self, "_x", x)
        object.__setattr__(self, "_d", d)

    def _at(self, name):
        kind, at = self._x.dtype.fields[name][:2]
        return kind, self._d[at // 8:at // 8 + int(np.prod(kind.shape, dtype=int))]

    def __getattr__(self, name):
        x = getattr(self._x, name)
        kind, d = self._at(name) if name in self._x.dtype.names else (None, None)
        if kind is None or kind.base != np.float64:
            return x
        return DualArray(x, d) if kind.shape else Dual(x, d[0].copy())

    def __setattr__(self, name, value):
        value = lifted(value)
        setattr(self._x, name, value.x)
        self._at(name)[1][0] = value.d


class _Table:
    def __init__(self, x, d):
        self.x, self.d, self.size = x, d, len(x)

    def __getitem__(self, k):
        return _Record(self.x[k], self.d[k])


class _Struct:
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
                    x = _Record(x, d.reshape(-1, WIDTH))
                else:
                    x = _Table(x, d.reshape(len(x), x.dtype.itemsize // 8, WIDTH))
            setattr(self, name, x)


@functools.cache
def _kind(cls):
    return type(cls.__name__, (_Struct,), {"dim": cls.dim})


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


def _dual(raw):
    _learn()
    return _kind(type(raw))(raw)


def _value(x):
    return x.x if isinstance(x, Dual) else x


def _put_value(array, k, x):
    array.x[k] = x


def _tangent(array, k, n):
    return float(array.d[k, n])


def _put_tangent(array, k, n, x):
    array.d[k, n] = x


if MODE == "build":
    import dalembert._jit as _package

    from .dual_arrays import call_law, call_vector, dual, put_tangent, put_value, tangent, value

    if "dalembert.elements.laws" in sys.modules:
        raise ImportError("duals are imported before the elements: their laws are called otherwise")
    _package.call_law, _package.call_vector = call_law, call_vector  # what kernels that are imported from now on take
else:
    dual, value, put_value, tangent, put_tangent = _dual, _value, _put_value, _tangent, _put_tangent
