"""User functions at machine speed: Python → compiled (laws.py) → an address that kernels call.

A function that cannot be compiled (where the extra ``compile`` is not installed none can), or whose compiled form gives other
numbers than Python, runs as a callback, with a one-line notice and a note for the run; if it raises, it returns nan and the
exception is kept (``failure``), because an exception must not cross compiled code.  A compiled function that raises returns nan
as well.
"""

from __future__ import annotations

import ctypes
import math
import weakref
from typing import Any

import numpy as np

from . import laws, probes, shipped, store
from .kernels import CALLS, MODE

_DOUBLE, _POINTER = ctypes.c_double, ctypes.POINTER(ctypes.c_double)
_SCALAR = ctypes.CFUNCTYPE(_DOUBLE, _DOUBLE, _DOUBLE, _DOUBLE)
_VECTOR = ctypes.CFUNCTYPE(None, _DOUBLE, _POINTER, _POINTER, _POINTER)


class Law:
    """A compiled or called-back function, kept alive as long as its address is in use."""

    def __init__(self, function, title, kind, sizes):
        self.function, self.title, self.kind, self.sizes = function, title, kind, sizes
        self.failure: BaseException | None = None
        self.note = ""  # for the run: why it is called back
        self.different = ""  # what a watched call showed
        self.compiled, self.address = False, 0
        self._keep: Any = None
        self._watch: Any = None
        self._kept: Any = None
        if MODE == "python":
            self.address = id(self)
            CALLS[self.address] = self.scalar if kind == "scalar" else self.vector
            return
        if not shipped.compiler():
            self._call_back(f"numba, which compiles it, is not installed ({shipped.COMPILE})")
            return
        self._kept = laws.find(function, kind, sizes, self._differs)
        if self._kept.library is not None:
            self.compiled, self.address = True, self._kept.address
        else:
            self._call_back(self._kept.refused)

    def _call_back(self, reason: str) -> None:
        self.compiled = False
        self.note = f"the function of {self.title} runs as a Python callback: {reason}"
        store.say(self.note)
        me = weakref.proxy(self)  # no ring: a system that is not used any more goes at once, with all its arrays
        if self.kind == "scalar":
            self._keep = _SCALAR(lambda t, x, v: me.scalar(t, x, v))
        else:
            self._keep = _VECTOR(pointers(lambda *point: me.vector(*point), self.sizes))
        self.address = address_of(self._keep)

    # -------------------------------------------------------------------------------------------------------- Python

    def scalar(self, t, x, v):
        try:
            return probes.number(self.function(*(t, x, v)[: self.sizes]))
        except BaseException as error:
            self.failure = self.failure or error
            return math.nan

    def vector(self, t, x, v, out):
        try:
            self.function(t, x, v, out.view(probes.Numbers))
        except BaseException as error:
            self.failure = self.failure or error
            out[0] = math.nan

    # ---------------------------------------------------------------------------------------------------- comparison

    def native(self, address, point):
        """The compiled form's value."""
        if self.kind == "scalar":
            return _SCALAR(address)(*point, *(0.0,) * (3 - len(point)))
        t, x, v = point
        arrays = (x.copy(), v.copy(), np.zeros(self.sizes[2]))
        _VECTOR(address)(t, *(a.ctypes.data_as(_POINTER) for a in arrays))
        return arrays[2]

    def _plain(self, point):
        try:
            if self.kind == "scalar":
                return probes.scalar_value(self.function, point)
            return probes.vector_value(self.function, point, self.sizes[2])
        except probes.Text:
            return probes.RAISED

    def _differs(self, address) -> str:
        """In words, where compiled code and Python give different values."""
        points = probes.scalar_points(self.sizes) if self.kind == "scalar" else probes.vector_points(self.sizes)
        return next(filter(None, (probes.difference(self._plain(p), self.native(address, p), p) for p in points)), "")

    def watch(self) -> int:
        """Address of a function that does what the compiled one does and compares it with Python's (``different``)."""
        address = self.address

        def scalar(t, x, v):
            point = (t, x, v)[: self.sizes]
            value = self.native(address, point)
            self.different = self.different or probes.difference(self._plain(point), value, point)
            return value

        def vector(t, x, v, out):
            point = (t, x.copy(), v.copy())
            out[:] = self.native(address, point)
            self.different = self.different or probes.difference(self._plain(point), out, point)

        self._watch = _SCALAR(scalar) if self.kind == "scalar" else _VECTOR(pointers(vector, self.sizes))
        return address_of(self._watch)

    def unwatch(self) -> None:
        """The watching function is not called any more (it refers to this law: a ring until it is let go)."""
        self._watch = None

    def give_up(self) -> None:
        """Compiled code and Python differ: Python it is, here and from now on."""
        self.spoil()
        self._call_back(laws.DIFFERS + self.different)

    def spoil(self) -> None:
        """As ``give_up``, for models made from now on."""
        self._kept.spoil(self.different)


def pointers(function, sizes):
    def call(t, *pointers):
        function(t, *(np.ctypeslib.as_array(p, (n,)) for p, n in zip(pointers, sizes, strict=True)))

    return call


def address_of(function) -> int:
    return int(ctypes.cast(function, ctypes.c_void_p).value or 0)


def scalar_law(function, count, title):
    """Address of double f(double t, double x, double v) for a function of the first ``count`` of them."""
    law = Law(function, title, "scalar", count)
    return law.address, law


def vector_law(function, title, sizes):
    """Address of void f(double t, double *x, double *v, double *out) with arrays of the given sizes, bounds checked."""
    law = Law(function, title, "vector", tuple(sizes))
    return law.address, law
