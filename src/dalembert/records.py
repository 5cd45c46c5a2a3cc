"""Records: classes of named values, as ``dataclass`` makes them, made five times as fast.

``dataclass`` writes the text of up to six methods for every class and has it compiled, 0.46 ms at the start of every process; for
the classes that a first result needs this was a quarter of the time that our own modules take (docs/decisions/0081).  Here only
``__init__`` is written, 0.08 ms; ``repr``, ``==``, ``hash`` and the refusal to change are the same functions for all records and
say the same.  ``dataclasses.fields``, ``replace``, ``asdict`` and patterns work as for any dataclass.

Values are frozen unless ``frozen=False``; ``eq=False``: a record is equal to itself alone.  Fields are plain, with or without
``field(default=, default_factory=, repr=, compare=)``; what is more special (``init=False``, ``InitVar``, ``kw_only``) needs a
dataclass.
"""

from __future__ import annotations

from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from reprlib import recursive_repr
from typing import Any, dataclass_transform

__all__ = ["field", "record"]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: Any = None, /, *, frozen: bool = True, eq: bool = True) -> Any:
    """Make a class a record; used as ``@record`` or ``@record(frozen=False)``."""
    if cls is None:
        return lambda cls: record(cls, frozen=frozen, eq=eq)
    own = cls.__doc__
    cls.__doc__ = own or cls.__name__  # without one, dataclass reads the signature of ``object`` with Python's tokeniser
    dataclass(cls, init=False, repr=False, eq=False)
    plain = fields(cls)
    cls.__doc__ = own or f"{cls.__name__}({', '.join(f'{f.name}: {_named(f.type)}' for f in plain)})"
    if any(not f.init or f.kw_only for f in plain):
        raise TypeError(f"{cls.__qualname__}: a record has plain fields only; make it a dataclass")
    _give(cls, __init__=_initialiser(cls, plain), __repr__=_repr)
    cls._shown = tuple(f.name for f in plain if f.repr)
    if eq:
        cls._compared = tuple(f.name for f in plain if f.compare)
        _give(cls, __eq__=_eq)
        if "__hash__" not in vars(cls) or vars(cls)["__hash__"] is None:
            cls.__hash__ = _hash if frozen else None
    if frozen:
        cls.__setattr__, cls.__delattr__ = _refuse_setting, _refuse_deleting
    return cls


def _named(kind: Any) -> Any:
    return getattr(kind, "__name__", kind)


def _give(cls: Any, **methods: Any) -> None:
    """What the class does not say itself."""
    for name, method in methods.items():
        if name not in vars(cls):
            setattr(cls, name, method)


def _initialiser(cls: Any, plain: tuple) -> Any:
    known: dict[str, Any] = {"_missing": MISSING}
    words, lines = ["self"], ["    own = self.__dict__"]
    for f in plain:
        given = f.name
        if f.default_factory is not MISSING:
            known[f"_make_{f.name}"] = f.default_factory
            words.append(f"{f.name}=_missing")
            given = f"_make_{f.name}() if {f.name} is _missing else {f.name}"
        elif f.default is not MISSING:
            known[f"_default_{f.name}"] = f.default
            words.append(f"{f.name}=_default_{f.name}")
        else:
            words.append(f.name)
        lines.append(f"    own[{f.name!r}] = {given}")
    if hasattr(cls, "__post_init__"):
        lines.append("    self.__post_init__()")
    exec(f"def __init__({', '.join(words)}):\n" + "\n".join(lines), known)
    made = known["__init__"]
    made.__qualname__, made.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    made.__annotations__ = {f.name: f.type for f in plain} | {"return": None}
    return made


@recursive_repr()
def _repr(self: Any) -> str:
    return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self._shown)})"


def _eq(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return tuple(getattr(self, n) for n in self._compared) == tuple(getattr(other, n) for n in self._compared)


def _hash(self: Any) -> int:
    return hash(tuple(getattr(self, n) for n in self._compared))


def _refuse_setting(self: Any, name: str, value: Any) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deleting(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")
