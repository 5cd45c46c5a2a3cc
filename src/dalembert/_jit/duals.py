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
slope (√0) counts only where something moves: 0 · ∞ = 0, as in algebra/jets.py.  Of two equals max takes the second, min the
first: so max(x, 0) + min(x, 0) has the slope 1 everywhere.

A module of kernels on duals imports this one before all elements: in the building process the package then hands out calls of
laws that know duals.  Laws of users are called by the address of a function that gives derivatives too (dual_laws.py):

    void f(double t, double x, double v, double *out)         out: f, ∂f/∂t, ∂f/∂x, ∂f/∂v
    void f(double t, double *x, double *v, double *out)       out: the values, then for t and every x and v the derivatives

In Python mode a dual is an object with operators (dual_objects.py).
"""

from __future__ import annotations

import functools
import sys
from typing import Any

import numpy as np

from .kernels import MODE, One, struct

WIDTH = 8
MARK = "d_"  # before the names of fields


@functools.cache
def reals(dtype: np.dtype) -> bool:
    """Whether there are reals in it."""
    if dtype.names is None:
        return dtype.base == np.float64
    return any(reals(dtype[n]) for n in dtype.names)


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


@functools.cache
def real_fields(base) -> list[tuple[int, str, int]]:
    """The fields of a struct that have tangents: place, name, words of an item (each has WIDTH tangents)."""
    return [(k, name, dtype.itemsize // 8) for k, (name, dtype) in enumerate(zip(base._fields, base.dtypes, strict=True))
            if reals(dtype)]


def dual_values(base, values, moved: dict[str, np.ndarray]):
    """The dual struct of these arrays: values as they are, and their tangents (``real_fields``)."""
    cls, out = dual_struct(base), []
    for name, a in zip(base._fields, values, strict=True):
        out += [a, moved[name]] if MARK + name in cls._fields else [a]
    return cls(*out)


def of_column(dtype: np.dtype, moved: np.ndarray, column: str) -> np.ndarray:
    """The tangents of one column of a table: rows × (numbers in a row's field) × WIDTH, a view."""
    kind, at = dtype.fields[column][:2]  # type: ignore[index]
    count = int(np.prod(kind.shape, dtype=int))
    return moved.reshape(-1, dtype.itemsize // 8, WIDTH)[:, at // 8:at // 8 + count]


if MODE == "build":
    import dalembert._jit as package

    from .dual_arrays import call_law, call_vector, dual, put_tangent, put_value, tangent, value

    if "dalembert.elements.laws" in sys.modules:
        raise ImportError("duals are imported before the elements: their laws are called otherwise")
    package.call_law, package.call_vector = call_law, call_vector  # what kernels that are imported from now on take
else:
    from .dual_objects import dual, put_tangent, put_value, tangent, value

__all__ = ["WIDTH", "dual", "dual_struct", "dual_values", "of_column", "put_tangent", "put_value", "real_fields", "tangent",
           "value"]
