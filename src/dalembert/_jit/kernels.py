"""Marking kernels, structs of arrays, and calls through addresses, in the three modes."""

from __future__ import annotations

import collections
import inspect
import os
import sys
from typing import Any

import numpy as np

MODE = "build" if os.environ.get("DALEMBERT_BUILD") else "python" if os.environ.get("DALEMBERT_JIT") == "0" else "object"
OPTIONS: dict[str, Any] = {"_nrt": False, "error_model": "numpy", "fastmath": {"contract"},
                           "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
if MODE == "build":
    from .collecting import Collecting

    OPTIONS["pipeline_class"] = Collecting


def kernel(function):
    """Mark a function as a kernel; compiled in build mode, untouched otherwise."""
    if MODE != "build":
        return function
    import numba

    # said, because numba hands what an ``inline`` kernel asks for down to whatever is first compiled on its way
    return numba.njit(forceinline=False, **OPTIONS)(function)


def inline(function):
    """A kernel small enough that it should always vanish into its caller."""
    if MODE != "build":
        return function
    import numba

    return numba.njit(forceinline=True, **OPTIONS)(function)


class One:
    """A field of a struct that is a single record: kernels read and write it by name, ``w.options.tolerance``."""

    def __init__(self, dtype):
        self.dtype = np.dtype(dtype)


def struct(name: str, fields: dict[str, Any], dim: int = 0):
    """A named tuple of 1-D arrays with fixed dtypes (``One``: of length 1); ``dim``: 2 or 3 for ``dispatch``."""
    cls = collections.namedtuple(name, list(fields))  # type: ignore[misc]
    cls.dtypes = [d.dtype if isinstance(d, One) else np.dtype(d) for d in fields.values()]  # type: ignore[attr-defined]
    cls.single = frozenset(k for k, d in fields.items() if isinstance(d, One))  # type: ignore[attr-defined]
    cls.dim = dim  # type: ignore[attr-defined]
    cls.__module__ = sys._getframe(1).f_globals["__name__"]  # where its name is defined, for pickling
    return cls


def _dimension(value) -> int:
    """2 for the plane (structs with dim 2, tuples of length 1 or 2), 3 for space."""
    dim = getattr(type(value), "dim", None)
    return dim if dim is not None else (2 if len(value) < 3 else 3)


def dispatch(planar, spatial):
    """One name for two kernels with the same arguments, chosen by the first argument's dimension at compile time."""
    if MODE != "build":

        def choose(*args):
            return (planar if _dimension(args[0]) == 2 else spatial)(*args)

        return choose
    from numba.extending import overload

    params = ", ".join(inspect.signature(planar.py_func).parameters)
    space: dict[str, Any] = {}
    exec(f"def stub({params}): pass", space)
    stub = space["stub"]
    name = planar.py_func.__name__
    stub.__name__ = stub.__qualname__ = name

    def pick(*args):
        first = args[0]
        dim = first.instance_class.dim if hasattr(first, "instance_class") else 2 if first.count < 3 else 3
        return (planar if dim == 2 else spatial).py_func

    exec(f"def picker({params}): return pick({params})", space | {"pick": pick}, space)
    overload(stub, jit_options=OPTIONS, strict=False)(space["picker"])
    return stub


CALLS: dict[int, Any] = {}  # python mode: handle -> callable


def _call(handle):
    return CALLS[int(handle)]()


def _call_law(handle, t, x, v):
    return CALLS[int(handle)](t, x, v)


def _call_vector(handle, t, x, v, out):
    return CALLS[int(handle)](t, x, v, out)


if MODE == "build":
    from .native import call, call_law, call_vector
else:
    call, call_law, call_vector = _call, _call_law, _call_vector
