"""What a number inside a kernel may be: a plain double, or another *number type* that behaves like one.

A kernel written on scalars and tuples of scalars works on any number type unchanged, when it

* takes ``one`` as its first argument, the 1 of the number type: 1.0 for doubles, ``bundle()`` for lanes (lanes.py),
* reads and writes arrays by ``get(one, array, k)`` and ``put(one, array, k, x)``: number k of the array, however wide it is,
* branches on tables only, or on what its number type compares (lanes compare nothing, duals would compare their values), and
* calls ``cos_sin(x)`` instead of math.cos and math.sin.

The entry that hands out ``one`` chooses the number type of all it calls; kernels are compiled anew for it, and nothing else
changes.  A number type is one file:

    Python mode       a class with operators, ``load(array, k)``, ``store(array, k, x)`` and ``cos_sin()``; ``one`` is an instance
    building process  a numba type under ``NumberType`` with the same three (intrinsics or kernels), whose operators are taught by
                      ``teach``: numbers of the type, doubles and whole numbers may be mixed

and a function that gives its ``one`` in both modes (as ``bundle``).  tests/jit/dual_number.py is a second one, in 80 lines.
"""

from __future__ import annotations

import math
from typing import Any

from .kernels import MODE, OPTIONS


def _get(one, array, k):
    return one.load(array, k) if hasattr(one, "load") else array[k]


def _put(one, array, k, x):
    if hasattr(one, "store"):
        one.store(array, k, x)
    else:
        array[k] = x


def _cos_sin(x):
    return x.cos_sin() if hasattr(x, "cos_sin") else (math.cos(x), math.sin(x))


get: Any = _get
put: Any = _put
cos_sin: Any = _cos_sin


if MODE == "build":
    from numba import types
    from numba.extending import overload

    class NumberType(types.Type):
        """A number type in the building process; ``load(array, k)``, ``store(array, k, x)``, ``cos_sin(x)`` are its own."""

        load: Any
        store: Any
        cos_sin: Any

    def teach(kind, symbol, operate) -> None:
        """``symbol`` (operator.add …) of two numbers of which one is of this kind, by ``operate(a, b)``."""
        kinds = (kind, types.Float, types.Integer)

        @overload(symbol, jit_options=OPTIONS)
        def typed(a, b):
            if (isinstance(a, kind) or isinstance(b, kind)) and isinstance(a, kinds) and isinstance(b, kinds):
                return lambda a, b: operate(a, b)
            return None

    def teach_one(kind, symbol, operate) -> None:
        """``symbol`` (operator.neg …) of one number of this kind."""

        @overload(symbol, jit_options=OPTIONS)
        def typed(a):
            return (lambda a: operate(a)) if isinstance(a, kind) else None

    def get(one, array, k):
        raise TypeError

    def put(one, array, k, x):
        raise TypeError

    def cos_sin(x):
        raise TypeError

    @overload(get, jit_options=OPTIONS, strict=False)
    def _typed_get(one, array, k):
        if isinstance(one, NumberType):
            load = one.load
            return lambda one, array, k: load(array, k)
        return lambda one, array, k: array[k]

    @overload(put, jit_options=OPTIONS, strict=False)
    def _typed_put(one, array, k, x):
        if isinstance(one, NumberType):
            store = one.store
            return lambda one, array, k, x: store(array, k, x)

        def single(one, array, k, x):
            array[k] = x

        return single

    @overload(cos_sin, jit_options=OPTIONS, strict=False)
    def _typed_cos_sin(x):
        if isinstance(x, NumberType):
            own = x.cos_sin
            return lambda x: own(x)
        return lambda x: (math.cos(x), math.sin(x))
