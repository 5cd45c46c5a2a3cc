"""A user's function as bytes: everything that its value depends on, for a key and for the process that compiles it.

    code           bytecode, constants, names, nested functions; not where it was written, nor what it is called
    defaults       and the values of its closure
    globals        those it names, functions among them in the same way, followed to the end
    modules        the standard library and numpy by name; others as what the code takes from them
    compiled       numba's functions as their Python source and options

The same function in another process gives the same bytes; a changed constant, closure or global gives others.  What has no such
description (an object with a state of its own, an open file) is refused, and its function is called back instead.
"""

from __future__ import annotations

import io
import marshal
import math
import pickle
import sys
import types
from typing import Any

import numpy as np

NAMED = {"numpy", "math", "cmath", "builtins", "operator", "numba", "scipy"}  # packages that are what they are called
LARGEST = 1_000_000  # bytes of one array; numba puts the address of a longer one into the code, good for one process only


class Undescribable(Exception):
    """The function refers to something that cannot be put into words."""


def pack(function) -> bytes:
    """The function as bytes."""
    buffer = io.BytesIO()
    try:
        _Pickler(buffer).dump(function)
    except Undescribable:
        raise
    except Exception as error:
        raise Undescribable(f"{type(error).__name__}: {error}") from None
    return buffer.getvalue()


def unpack(data: bytes):
    """The function again, in the process that compiles it."""
    return pickle.loads(data)


def _named(module: str | None) -> bool:
    top = (module or "").partition(".")[0]
    return top in NAMED or (top in sys.stdlib_module_names and top != "__main__")


class _Pickler(pickle.Pickler):
    def __init__(self, buffer):
        super().__init__(buffer, protocol=4)
        self.fast = True  # no back references: the bytes depend on values, not on which objects happen to be the same

    def reducer_override(self, item: Any):
        if isinstance(item, types.FunctionType):
            place = item.__module__
            if (_named(place) or place == __name__) and getattr(sys.modules.get(place), item.__qualname__, None) is item:
                return NotImplemented
            names = _names(item.__code__)
            used = {n: _value(item.__globals__[n], names) for n in sorted(names) if n in item.__globals__}
            cells = tuple(_value(c.cell_contents, names) for c in item.__closure__ or ())
            return _function, (_bare(item.__code__), used, item.__defaults__, item.__kwdefaults__, cells)
        if isinstance(item, types.ModuleType):
            if not _named(item.__name__):
                raise Undescribable(f"the module '{item.__name__}'")
            return _module, (item.__name__,)
        if hasattr(item, "py_func") and hasattr(item, "targetoptions"):
            return _dispatcher, (item.py_func, dict(sorted(item.targetoptions.items())))
        if isinstance(item, np.ndarray):
            if item.dtype.hasobject or item.nbytes > LARGEST or not item.flags.c_contiguous:
                raise Undescribable("an array that is long, of objects, or not contiguous")
            return NotImplemented
        if isinstance(item, type) and not _named(item.__module__):
            raise Undescribable(f"the class '{item.__qualname__}'")
        return NotImplemented


def _value(item, names):
    """A global's or closure's value; of a user's module only what the code takes from it."""
    if isinstance(item, types.ModuleType) and not _named(item.__name__):
        return _Taken({n: _value(vars(item)[n], names) for n in sorted(names) if n in vars(item)})
    return item


class _Taken:
    """Stands for a module until it is unpacked."""

    def __init__(self, items: dict):
        self.items = items

    def __reduce__(self):
        return _part, (self.items,)


def _names(code: types.CodeType) -> set[str]:
    inner = (c for c in code.co_consts if isinstance(c, types.CodeType))
    return set(code.co_names).union(*(_names(c) for c in inner))


def _bare(code: types.CodeType) -> bytes:
    """Without file, lines and name, and without marks of sharing (version 2)."""

    def strip(item: types.CodeType) -> types.CodeType:
        inner = tuple(strip(c) if isinstance(c, types.CodeType) else c for c in item.co_consts)
        return item.replace(co_filename="law", co_firstlineno=1, co_linetable=b"", co_name="law", co_qualname="law",
                            co_consts=inner)

    return marshal.dumps(strip(code), 2)


def _function(code, used, defaults, keywords, cells):
    space = {"__builtins__": __builtins__, "__name__": "law", **used}
    made = types.FunctionType(marshal.loads(code), space, "law", defaults, tuple(types.CellType(c) for c in cells))
    made.__kwdefaults__ = keywords
    return made


def _module(name):
    import importlib

    return importlib.import_module(name)


def _part(items):
    made = types.ModuleType("part")
    vars(made).update(items)
    return made


def _dispatcher(function, options):
    import numba

    return numba.njit(**{k: v for k, v in options.items() if k not in ("nopython", "nogil", "cache")})(function)


def number(value) -> float:
    """A law's value as the engine takes it; nan if it is none."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan
