"""A Python function in words that are the same in every process and on every day: for fingerprints of models, keys of journals.

    described(f)       for models: its code, defaults, the values it closes over, the module-level values and functions it names,
                       also in classes and modules of the user's own
    identified(x)      for journals, of any value: the same, as a digest

A function enters by what it computes, never by its address in memory.  Numbers and arrays enter with all their digits; other
objects by their attributes, each once; what cannot be read (a compiled library) by its type and name alone.  What belongs to an
installed package (the standard library, site-packages, dalembert itself) enters ``identified`` by its name and the version.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import sys
import sysconfig
import types
from typing import Any

import numpy as np

from dalembert.elements.element import Element


def described(function: Any) -> str:
    """The function (or object that can be called) as text."""
    return _Words(deep=False).text(function)


def identified(value: Any) -> str:
    """A digest of a value and of all code of the user's that it leads to."""
    return hashlib.blake2b(_Words(deep=True).text(value).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


class _Words:
    """Text of values; every object is told once."""

    def __init__(self, deep: bool):
        self.deep = deep
        self.seen: dict[int, Any] = {}  # kept alive, so that no other object gets its number

    def text(self, x: Any) -> str:
        if isinstance(x, Element):
            return repr(x.name)
        if isinstance(x, (np.ndarray, np.generic)):
            return f"array{np.asarray(x).tolist()!r}"
        if isinstance(x, dict):
            return "{" + ", ".join(f"{self.text(k)}: {self.text(v)}" for k, v in x.items()) + "}"
        if isinstance(x, (list, tuple)):
            return "[" + ", ".join(self.text(v) for v in x) + "]"
        if isinstance(x, (set, frozenset)):
            return "set" + repr(sorted(map(self.text, x)))
        function = getattr(x, "py_func", x)  # behind a function compiled by its owner
        if isinstance(function, functools.partial):
            return f"partial {self.text([function.func, function.args, function.keywords])}"
        if self.deep and _library(function):
            return f"{_module(function)} {getattr(function, '__qualname__', '')} {_version(_module(function))}"
        if isinstance(function, types.BuiltinFunctionType) or (
                isinstance(function, (type, types.ModuleType)) and _library(function)):
            return f"{getattr(function, '__module__', '')} {function.__name__}"
        return self._once(function)

    def _once(self, x: Any) -> str:
        inside = getattr(x, "__dict__", None)
        users = (self.deep or callable(x)) and not _library(type(x))
        coded = users or isinstance(x, (types.FunctionType, types.MethodType, type))
        if not inside and not coded and not _slots(x):
            shown = repr(x)
            return shown if " at 0x" not in shown else self._kept(x)
        if id(x) in self.seen:
            return f"as above ({list(self.seen).index(id(x))})"
        self.seen[id(x)] = x
        if isinstance(x, types.MethodType):
            return f"method of {self.text(x.__self__)}: {self.text(x.__func__)}"
        if isinstance(x, types.FunctionType):
            return self._function(x)
        if isinstance(x, types.ModuleType):
            return f"module {x.__name__}"  # what is used of it is told where it is used
        if isinstance(x, type):
            return f"class {x.__qualname__} {self.text(x.__mro__[1:])} {self._members(x)}"
        own = type(x)
        code = self.text(own) if self.deep else self._members(own) if callable(x) and not _library(own) else ""
        return f"{own.__qualname__}{self.text({**_slots(x), **(inside or {})})}{code}"

    def _kept(self, x: Any) -> str:
        """An object of a library that shows nothing of itself (a spline of SciPy): by what a copy would be made of."""
        if id(x) in self.seen:
            return f"as above ({list(self.seen).index(id(x))})"
        self.seen[id(x)] = x
        try:
            made = x.__reduce_ex__(4)
        except Exception:  # it cannot be copied: a compiled library, an open file
            return type(x).__qualname__
        return f"{type(x).__qualname__} {made if isinstance(made, str) else self.text(made[1:3])}"

    def _members(self, cls: type) -> str:
        kept = {k: getattr(v, "__func__", getattr(v, "fget", v)) for k, v in vars(cls).items()
                if k not in ("__dict__", "__weakref__", "__module__", "__doc__", "__firstlineno__", "__static_attributes__")}
        return self.text(kept)

    def _function(self, f: types.FunctionType) -> str:
        closed = [self._cell(c) for c in f.__closure__ or ()]
        names = _names(f.__code__)
        named = {n: f.__globals__[n] for n in names if n in f.__globals__}
        modules = named | {n: sys.modules[n] for n in names if n not in named and n in sys.modules}  # or imported inside
        for n, cell in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True):
            with contextlib.suppress(ValueError):  # not filled yet
                modules[n] = cell.cell_contents
        while modules:
            n, module = modules.popitem()
            if isinstance(module, types.ModuleType) and not _library(module) and n.count(".") < len(names):
                taken = {f"{n}.{a}": getattr(module, a) for a in names if a in vars(module)}
                modules |= {k: v for k, v in taken.items() if k not in named}
                named |= taken
        parts = (_code(f.__code__), self.text(f.__defaults__), self.text(f.__kwdefaults__), closed, self.text(named))
        return f"function {parts}"

    def _cell(self, cell: Any) -> str:
        try:
            return self.text(cell.cell_contents)
        except ValueError:  # not filled yet
            return "empty"


def _names(code: types.CodeType) -> list[str]:
    inner = [n for c in code.co_consts if isinstance(c, types.CodeType) for n in _names(c)]
    return sorted({*code.co_names, *inner})


def _code(code: types.CodeType) -> str:
    """The instructions and constants, without file names and line numbers."""
    constants = [_code(c) if isinstance(c, types.CodeType) else repr(sorted(map(repr, c)) if isinstance(c, frozenset) else c)
                 for c in code.co_consts]
    return f"{code.co_code.hex()} {code.co_exceptiontable.hex()} {code.co_names} {code.co_varnames} {constants}"


def _slots(x: Any) -> dict[str, Any]:
    """Attributes kept in slots, of classes of the user's own."""
    if _library(type(x)):
        return {}
    names: list[str] = []
    for cls in type(x).__mro__:
        found = vars(cls).get("__slots__", ())
        names += [found] if isinstance(found, str) else list(found)
    return {n: getattr(x, n) for n in names if n not in ("__dict__", "__weakref__") and hasattr(x, n)}


# ------------------------------------------------------------------------------------------- what belongs to a package


def _module(x: Any) -> str:
    found = x.__name__ if isinstance(x, types.ModuleType) else getattr(x, "__module__", "")
    return found if isinstance(found, str) else ""


@functools.cache
def _installed() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return tuple({os.path.join(os.path.realpath(p), "") for p in (
        *(paths[k] for k in ("stdlib", "platstdlib", "purelib", "platlib")), here)})


def _library(x: Any) -> bool:
    """Functions, classes and modules of Python itself or of an installed package."""
    if not isinstance(x, (types.FunctionType, types.BuiltinFunctionType, types.ModuleType, type)):
        return False
    module = sys.modules.get(_module(x))
    if isinstance(x, types.FunctionType):
        return os.path.realpath(x.__code__.co_filename).startswith(_installed())
    if module is None or module.__name__ == "__main__":
        return False
    file = getattr(module, "__file__", None)
    if file is None:  # built in, or a module that was made by hand
        return getattr(module, "__spec__", None) is not None
    return os.path.realpath(file).startswith(_installed())


def _version(module: str) -> str:
    return str(getattr(sys.modules.get(module.partition(".")[0]), "__version__", ""))
