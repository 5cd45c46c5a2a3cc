"""User functions at machine speed: Python → numba → an address that kernels call.

This is the one case that imports numba at run time.  A function that numba cannot compile runs as a callback, with a
one-line notice; if it raises, it returns nan and the exception is kept (``failure``), because an exception must not
cross compiled code.  A compiled function that raises returns nan as well.
"""

from __future__ import annotations

import ctypes
import math
import sys

import numpy as np

from .kernels import CALLS, MODE


class Law:
    """A compiled or called-back function, kept alive as long as its address is in use."""

    def __init__(self, function, title):
        self.function, self.title = function, title
        self.failure: BaseException | None = None
        self.compiled = False
        self.keep: object = None

    def scalar(self, count):
        def guarded(*args):
            try:
                return float(self.function(*args[:count]))
            except BaseException as error:
                self.failure = self.failure or error
                return math.nan

        return guarded

    def vector(self, t, x, v, out):
        try:
            self.function(t, x, v, out)
        except BaseException as error:
            self.failure = self.failure or error
            out[0] = math.nan


def _notice(title, error):
    reason = str(error).strip().splitlines()
    print(f"dalembert: the function of {title} cannot be compiled and runs as a Python callback "
          f"({type(error).__name__}{': ' + reason[0] if reason else ''})", file=sys.stderr)


_GUARDED = """def law(t, x, v):
    try:
        return inner({})
    except Exception:
        return nan
"""  # an exception inside compiled code would return garbage and print to stderr: it must become nan here


def scalar_law(function, count, title):
    """Address of double f(double t, double x, double v) for a function of the first ``count`` of them."""
    law = Law(function, title)
    if MODE == "python":
        CALLS[id(law)] = law.scalar(count)
        return id(law), law
    import numba

    real = numba.float64
    names = ("t", "x", "v")
    try:
        inner = function if hasattr(function, "py_func") else numba.njit(error_model="numpy")(function)
        space: dict = {"inner": inner, "nan": math.nan}
        exec(_GUARDED.format(", ".join(names[:count])), space)
        law.keep = numba.cfunc(real(real, real, real), error_model="numpy")(space["law"])
        law.compiled = True
        return int(law.keep.address), law  # type: ignore[attr-defined]
    except Exception as error:
        _notice(title, error)
    double = ctypes.c_double
    law.keep = ctypes.CFUNCTYPE(double, double, double, double)(law.scalar(count))
    return int(ctypes.cast(law.keep, ctypes.c_void_p).value or 0), law  # type: ignore[arg-type]


def vector_law(function, title, sizes):
    """Address of void f(double t, double *x, double *v, double *out) with arrays of the given sizes, bounds checked."""
    law = Law(function, title)
    nx, nv, nf = sizes
    if MODE == "python":
        CALLS[id(law)] = law.vector
        return id(law), law
    import numba
    from numba import types

    pointer = types.CPointer(types.float64)
    try:
        inner = numba.njit(error_model="numpy", boundscheck=True)(getattr(function, "py_func", function))
        carray = numba.carray

        def call(t, x, v, out):
            wrench = carray(out, nf)
            try:
                inner(t, carray(x, nx), carray(v, nv), wrench)
            except Exception:
                wrench[0] = math.nan

        law.keep = numba.cfunc(types.void(types.float64, pointer, pointer, pointer), error_model="numpy")(call)
        law.compiled = True
        return int(law.keep.address), law  # type: ignore[attr-defined]
    except Exception as error:
        _notice(title, error)
    double = ctypes.POINTER(ctypes.c_double)

    def callback(t, x, v, out):
        law.vector(t, *(np.ctypeslib.as_array(p, (n,)) for p, n in ((x, nx), (v, nv), (out, nf))))

    law.keep = ctypes.CFUNCTYPE(None, ctypes.c_double, double, double, double)(callback)
    return int(ctypes.cast(law.keep, ctypes.c_void_p).value or 0), law  # type: ignore[arg-type]
