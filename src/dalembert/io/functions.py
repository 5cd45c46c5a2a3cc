"""A Python function in words that are the same in every process and on every day, for fingerprints of models.

A function enters by what it computes, never by its address in memory: its code, defaults, the values it closes over, and the
module-level values and functions it names.  Numbers and arrays enter with all their digits; other objects by their attributes,
each once; what cannot be read (a compiled library) by its type and name alone.
"""

from __future__ import annotations

import types

import numpy as np

from dalembert.elements.element import Element


def described(function) -> str:
    """The function (or object that can be called) as text."""
    return _text(function, {})


def _text(x, seen) -> str:
    if isinstance(x, Element):
        return repr(x.name)
    if isinstance(x, (np.ndarray, np.generic)):
        return f"array{np.asarray(x).tolist()!r}"
    if isinstance(x, dict):
        return "{" + ", ".join(f"{_text(k, seen)}: {_text(v, seen)}" for k, v in x.items()) + "}"
    if isinstance(x, (list, tuple)):
        return "[" + ", ".join(_text(v, seen) for v in x) + "]"
    function = getattr(x, "py_func", x)  # behind a function compiled by its owner
    if isinstance(function, (type, types.ModuleType, types.BuiltinFunctionType)):
        return f"{getattr(function, '__module__', '')} {function.__name__}"
    inside = getattr(function, "__dict__", None)
    if not inside and not isinstance(function, (types.FunctionType, types.MethodType)):
        shown = repr(function)
        return shown if " at 0x" not in shown else type(function).__qualname__
    if id(function) in seen:
        return f"as above ({list(seen).index(id(function))})"
    seen[id(function)] = function  # kept alive, so that no other object gets its number
    if isinstance(function, types.MethodType):
        return f"method of {_text(function.__self__, seen)}: {_text(function.__func__, seen)}"
    if isinstance(function, types.FunctionType):
        return _function(function, seen)
    return f"{type(function).__qualname__}{_text(inside, seen)}"


def _function(f, seen) -> str:
    closed = [_cell(c, seen) for c in f.__closure__ or ()]
    named = {n: f.__globals__[n] for n in _names(f.__code__) if n in f.__globals__}
    parts = (_code(f.__code__), _text(f.__defaults__, seen), _text(f.__kwdefaults__, seen), closed, _text(named, seen))
    return f"function {parts}"


def _cell(cell, seen) -> str:
    try:
        return _text(cell.cell_contents, seen)
    except ValueError:  # not filled yet
        return "empty"


def _names(code) -> list[str]:
    inner = [n for c in code.co_consts if isinstance(c, types.CodeType) for n in _names(c)]
    return sorted({*code.co_names, *inner})


def _code(code) -> str:
    """The instructions and constants, without file names and line numbers."""
    constants = [_code(c) if isinstance(c, types.CodeType) else repr(sorted(map(repr, c)) if isinstance(c, frozenset) else c)
                 for c in code.co_consts]
    return f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {constants}"
