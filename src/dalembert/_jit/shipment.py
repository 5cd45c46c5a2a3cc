"""A user's function as bytes: everything that its value depends on, for a key and for the process that compiles it.

    code           bytecode, constants, names, nested functions; not where it was written, nor what it is called
    defaults       and the values of its closure
    globals        those it names, functions among them in the same way, followed to the end
    modules        the standard library, numpy, scipy and numba by name, with the numbers the code takes from them; others as
                   what the code takes from them.  A user's own file called statistics.py is not the standard library's
    compiled       numba's functions as their Python source and options

The same function in another process gives the same bytes; a changed constant, closure or global gives others.  What has no such
description (an object with a state of its own, an open file) is refused, and its function is called back instead.
"""

from __future__ import annotations

import functools
import io
import marshal
import os
import pickle
import sys
import types
from typing import Any

import numpy as np

PACKAGES = {"numpy", "numba", "scipy"}  # beside Python's own modules
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
    """Whether a module is what it is called: of Python itself, or one of PACKAGES."""
    top = (module or "").partition(".")[0]
    found = sys.modules.get(top)
    if top not in PACKAGES and (top not in sys.stdlib_module_names or top == "__main__"):
        return False
    return found is None or _genuine(found, top in PACKAGES)


def _genuine(module: types.ModuleType, installed: bool) -> bool:
    """By the place it was loaded from: anybody can give a file of his own a name of the library's."""
    file = getattr(module, "__file__", None)
    if file is None:
        return getattr(getattr(module, "__spec__", None), "origin", None) in ("built-in", "frozen")
    site, own = _places()
    inside = any(os.path.realpath(file).startswith(p) for p in site)
    return inside if installed else not inside and any(os.path.realpath(file).startswith(p) for p in own)


@functools.cache
def _places() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Where packages are installed, and where Python itself is."""
    import sysconfig

    paths = sysconfig.get_paths()
    site = [paths["purelib"], paths["platlib"], os.path.dirname(os.path.dirname(np.__file__))]
    real = lambda some: tuple({os.path.join(os.path.realpath(p), "") for p in some})  # noqa: E731
    return real(site), real((paths["stdlib"], paths["platstdlib"]))


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
            if not _library(item):
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
        if callable(item) and not _named(getattr(item, "__module__", None)) and isinstance(item.__reduce_ex__(4), str):
            raise Undescribable(f"'{getattr(item, '__qualname__', item)}', of which only the name can be told")
        return NotImplemented


def _library(module: types.ModuleType) -> bool:
    return _named(module.__name__) and sys.modules.get(module.__name__) is module


def _value(item, names):
    """A global's or closure's value; of a user's module only what the code takes from it."""
    if isinstance(item, types.ModuleType):
        if not _library(item):
            return _Taken({n: _value(vars(item)[n], names) for n in sorted(names) if n in vars(item)})
        numbers = {n: vars(item)[n] for n in sorted(names) if isinstance(vars(item).get(n), (int, float, complex, str))}
        return _Named(item.__name__, numbers)
    return item


class _Named:
    """Stands for a module of a library; numbers in it can be changed by anybody, so they belong to the description."""

    def __init__(self, name: str, numbers: dict):
        self.name, self.numbers = name, numbers

    def __reduce__(self):
        return _module, (self.name, self.numbers)


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


def linked(function, compiler, seen=()):
    """The function with plain functions that it calls (of its globals and its closure) handed to the compiler as well."""
    plain = getattr(function, "py_func", function)
    if not isinstance(plain, types.FunctionType) or plain in seen:
        return function
    names, around = _names(plain.__code__), (*seen, plain)
    for name, value in list(plain.__globals__.items()):
        if name in names and isinstance(value, types.FunctionType) and value not in around:
            plain.__globals__[name] = compiler(linked(value, compiler, around))
    for cell in plain.__closure__ or ():
        if isinstance(cell.cell_contents, types.FunctionType) and cell.cell_contents not in around:
            cell.cell_contents = compiler(linked(cell.cell_contents, compiler, around))
    return function


def _module(name, numbers=None):
    import importlib

    return importlib.import_module(name)


def _part(items):
    made = types.ModuleType("part")
    vars(made).update(items)
    return made


def _dispatcher(function, options):
    import numba

    return numba.njit(**{k: v for k, v in options.items() if k not in ("nopython", "nogil", "cache")})(function)
