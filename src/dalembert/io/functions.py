"""A Python function in words that are the same in every process and on every day: for fingerprints of models, keys of journals.

    described(f)       for models: its code, defaults, the values it closes over, the module-level values and functions it names,
                       also in classes and modules of the user's own
    identified(x)      for journals, of any value: the same, as a digest

A function enters by what it computes, never by its address in memory; attributes it was given belong to it, and modules that it
imports when it is called are imported, so that what it takes from them is known before.  Numbers and arrays enter with all
their digits and their kind (sums of 8-bit integers are others than of 64); other objects by their attributes, each once; what
cannot be read (a compiled library) by its type and name alone.  What belongs to an installed package (the standard library,
site-packages, dalembert itself) enters ``identified`` by its name and the version.
"""

from __future__ import annotations

import contextlib
import dis
import functools
import hashlib
import importlib
import importlib.util
import os
import sys
import sysconfig
import types
from typing import Any

import numpy as np

from dalembert.elements.element import Element

_USUAL = {np.dtype(kind) for kind in ("f8", "i8", "?", "c16")}  # what Python's own numbers become
_PLAIN = (dict, list, tuple, set, frozenset)


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
        self.around: list[int] = []  # containers that are being told

    def text(self, x: Any) -> str:
        if isinstance(x, Element):
            return repr(x.name)
        if isinstance(x, (np.ndarray, np.generic)):
            return self._array(x)
        if isinstance(x, _PLAIN):
            return self._container(x)
        function = getattr(x, "py_func", x)  # behind a function compiled by its owner
        if isinstance(function, functools.partial):
            return f"partial {self.text([function.func, function.args, function.keywords])}"
        if self.deep and _library(function):
            return f"{_module(function)} {getattr(function, '__qualname__', '')} {_version(_module(function))}"
        if isinstance(function, types.BuiltinFunctionType) or (
                isinstance(function, (type, types.ModuleType)) and _library(function)):
            return f"{getattr(function, '__module__', '')} {function.__name__}"
        return self._once(function)

    def _array(self, x: Any) -> str:
        values = self.text(x.tolist()) if x.dtype.hasobject else repr(x.tolist())
        usual = x.dtype in _USUAL and x.size and (type(x) is np.ndarray or isinstance(x, np.generic))
        return f"array{values}" + ("" if usual else f" {type(x).__qualname__} {x.dtype} {x.shape}")

    def _container(self, x: Any) -> str:
        if id(x) in self.around:
            return f"as around ({self.around.index(id(x))})"
        self.around.append(id(x))
        try:
            if isinstance(x, dict):
                found = "{" + ", ".join(f"{self.text(k)}: {self.text(v)}" for k, v in x.items()) + "}"
            elif isinstance(x, (list, tuple)):
                found = "[" + ", ".join(self.text(v) for v in x) + "]"
            else:
                found = "set" + repr(sorted(map(self.text, x)))
            own = type(x)
            if own not in _PLAIN and (self.deep or not _library(own)):  # one with methods, a default for what is missing …
                more = {**_slots(x), **getattr(x, "__dict__", {}), "default": getattr(x, "default_factory", None)}
                found += f" of {self.text(own)} {self.text(more)}"
            return found
        finally:
            self.around.pop()

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
        kept = {k: _behind(v) for k, v in vars(cls).items()
                if k not in ("__dict__", "__weakref__", "__module__", "__doc__", "__firstlineno__", "__static_attributes__")}
        return self.text(kept)

    def _function(self, f: types.FunctionType) -> str:
        closed = [self._cell(c) for c in f.__closure__ or ()]
        names = _names(f.__code__)
        named = {n: f.__globals__[n] for n in names if n in f.__globals__}
        modules = named | _imported(f)
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
        given = {k: v for k, v in vars(f).items() if k != "__wrapped__"}  # that one is in the closure, if it is called
        called = f" {_calling(f.__code__)}" if self.deep else ""
        return f"function {parts}" + (f" {self.text(given)}" if given else "") + called

    def _cell(self, cell: Any) -> str:
        try:
            return self.text(cell.cell_contents)
        except ValueError:  # not filled yet
            return "empty"


def _names(code: types.CodeType) -> list[str]:
    inner = [n for c in code.co_consts if isinstance(c, types.CodeType) for n in _names(c)]
    return sorted({*code.co_names, *inner})


def _imported(f: types.FunctionType) -> dict[str, types.ModuleType]:
    """Modules of the user's own that a function imports when it is called."""
    found: dict[str, types.ModuleType] = {}
    for name in _imports(f.__code__, f.__globals__.get("__package__") or None):
        with contextlib.suppress(Exception):  # there is none of this name, or it cannot be imported: calling it will tell
            module = sys.modules.get(name)
            spec = None if module is not None else importlib.util.find_spec(name)
            origin = "" if spec is None or not spec.has_location else spec.origin or ""
            if origin and not os.path.realpath(origin).startswith(_installed()):
                module = importlib.import_module(name)
            if module is not None and not _library(module):
                found["import " + name.replace(".", "/")] = module
    return found


def _imports(code: types.CodeType, package: str | None) -> list[str]:
    """Full names of what is imported in a function, and of what may be a module inside."""
    steps, found = list(dis.get_instructions(code)), []
    for k, step in enumerate(steps):
        if step.opname == "IMPORT_NAME" and k >= 2:
            level, taken = (s.argval for s in steps[k - 2:k])  # as the statement puts them before
            with contextlib.suppress(ImportError, ValueError):
                dots = "." * level if isinstance(level, int) else ""
                name = importlib.util.resolve_name(dots + step.argval, package) if dots else step.argval
                found += [name, *(f"{name}.{part}" for part in (taken if isinstance(taken, tuple) else ()) if part != "*")]
    for inner in code.co_consts:
        found += _imports(inner, package) if isinstance(inner, types.CodeType) else []
    return found


def _behind(member: Any) -> Any:
    """The functions of a member of a class."""
    if isinstance(member, property):
        return (member.fget, member.fset, member.fdel) if member.fset or member.fdel else member.fget
    return getattr(member, "__func__", member)


def _calling(code: types.CodeType) -> tuple:
    """How arguments become variables, of a function and those inside."""
    inner = [_calling(c) for c in code.co_consts if isinstance(c, types.CodeType)]
    return (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags, *inner)


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
