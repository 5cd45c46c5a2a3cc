"""Functions of Python made of bound entries: arrays of numbers in, an array out, with nothing of Python on the way.

A call through ctypes with what goes before it and comes after costs half a microsecond, and a recursion over an arm of seven
joints takes 0.3.  ``made`` gives a function object as an extension module has them (PyCFunction_NewEx), whose code is machine
code (builtin_text.py): that of the library in a wheel, or made here by LLVM, as kernels are.

There is one where Python is CPython with its lock and NumPy has a C API that this code knows; elsewhere ``made`` gives None, and
who asked goes another way.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import sys
from typing import Any

import numpy as np

from . import shipped
from .builtin_text import ANSWER, ARRAYS, FIRST, MOST, NEEDS, SHAPE, TEXT
from .kernels import MODE
from .objects import Bound, address

CODE, TABLE = "dalembert_builtin", "dalembert_python"
FASTCALL = 0x80  # METH_FASTCALL
API = "numpy._core._multiarray_umath", "numpy.core._multiarray_umath"  # where NumPy 2 and 1 keep their C API
ABI = 0x02000000, 0x01000009  # and what its first function says of them
PLACES = {"PyArray_New": 93, "PyArray_GetPtr": 160, "PyArray_Type": 2}  # in its table


class _Method(ctypes.Structure):
    """PyMethodDef; function objects point to theirs as long as they live."""

    _fields_ = (("name", ctypes.c_char_p), ("code", ctypes.c_void_p), ("flags", ctypes.c_int), ("text", ctypes.c_char_p))


def made(name: str, bound: Bound, takes: tuple[np.ndarray, ...], gives: np.ndarray) -> Any:
    """A function with one argument for each array of ``takes``: rows of doubles go there, the entry runs, and a copy of ``gives``
    is the answer; None is, if one of them is no row of doubles of this length.  No function, but None, where there are none."""
    method = _method(name)
    if method is None or len(takes) > MOST or gives.ndim > MOST:
        return None
    code, table = bound.pair
    words = np.zeros(FIRST + 2 * len(takes), np.int64)
    words[:3] = len(takes), code, table
    words[ANSWER:SHAPE] = address(gives), gives.nbytes, gives.ndim
    words[SHAPE:SHAPE + gives.ndim] = gives.shape
    for k, array in enumerate(takes):
        words[FIRST + 2 * k:FIRST + 2 * k + 2] = address(array), array.size
    return _new()(method, (words.tobytes(), bound, takes, gives, method), None)


@functools.cache
def _new():
    prototype = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.POINTER(_Method), ctypes.py_object, ctypes.c_void_p)
    return prototype(("PyCFunction_NewEx", ctypes.pythonapi))


@functools.cache
def _method(name: str) -> _Method | None:
    code = _code()
    return _Method(name.encode(), code, FASTCALL, None) if code else None


@functools.cache
def _code() -> int:
    """Where the code behind these functions is, its table filled; 0 where there is none."""
    if MODE == "python" or sys.implementation.name != "cpython" or "t" in getattr(sys, "abiflags", "t") or sys.maxsize < 2**62:
        return 0  # without the lock ("t") another thread could write to an array while it is read
    arrays = _arrays()
    if arrays is None:
        return 0
    library = shipped.opened()
    place = {n: library.place(n) for n in (CODE, TABLE)} if isinstance(library, shipped.Shipped) else _loaded()
    known = {"Exception": id(Exception), "None": id(None), **arrays}
    for k, name in enumerate(NEEDS + ARRAYS):
        found = known.get(name) or ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value
        ctypes.c_void_p.from_address(place[TABLE] + 8 * k).value = found
    return place[CODE]


_KEEP: list[Any] = []


def _loaded() -> dict[str, int]:
    """The code as LLVM makes it here; in 10 ms, so it is kept with the kernels."""
    from . import loader, store

    folder, text = store.cache_folder(), store.digest(TEXT.encode())
    found = store.read(folder, "builtin")
    if isinstance(found, tuple) and found[1].get("text") == text:
        data = found[0]
    else:
        data = loader.emit(TEXT)
        with contextlib.suppress(OSError):
            store.write(folder, "builtin", data, {"text": text})
    _KEEP.append(loader.load(data, (CODE, TABLE)))
    return _KEEP[-1].addresses


def _arrays() -> dict[str, int] | None:
    """Addresses in NumPy's C API, found as extension modules find them; None if it is none that this code knows."""
    take = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
    for place in API:
        capsule = getattr(sys.modules.get(place), "_ARRAY_API", None)
        if capsule is not None:
            table = (ctypes.c_size_t * (1 + max(PLACES.values()))).from_address(take(capsule, None))
            if ctypes.PYFUNCTYPE(ctypes.c_uint)(table[0])() in ABI and table[PLACES["PyArray_Type"]] == id(np.ndarray):
                return {name: table[k] for name, k in PLACES.items()}
    return None
