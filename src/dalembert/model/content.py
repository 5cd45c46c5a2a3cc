"""What a model says, as bytes: two models with the same bytes compile to the same tables, to the last bit.

Everything that compiling and assembling read is in them: name, gravity, parameters, initial values, and of every body and element
its class and all that it holds, in the order of adding.  Numbers count by their bits and types (0.0 is not −0.0, 1 is not 1.0: an
angle of ±π hangs on it), references by the name of what they mean in this model.

None where somebody could change it behind the bytes, or where they do not say all: a Python function or an object of the user's,
an element, a shape or a model of the user's own class, a mesh (its file), a reference to something that is not in the model,
contacts.
"""

from __future__ import annotations

import marshal
from itertools import count
from typing import Any

import numpy as np

from dalembert.elements.bodies.body import Ground
from dalembert.elements.element import REGISTRY, Element
from dalembert.elements.shapes import Box, Capsule, Cylinder, HalfSpace, Link, Sphere
from dalembert.model.model import Model

PLAIN = frozenset({str, float, int, bool, type(None)})
SHAPES = frozenset({Box, Sphere, Cylinder, Capsule, HalfSpace, Link})
OWN = frozenset({"given", "_made"})  # what an element has besides what it builds with
_SHAPES: dict[tuple, int] = {}  # class and names of attributes → a number for them, in this process
_NEXT = count()  # some are left out; none is given twice, also where threads ask at once
MARKS = {float: b"a number", np.float64: b"a number of NumPy"}  # in place of floats in a shape
VERSION = 2  # of marshal: no references to what was written before, which would depend on who else holds an object


class _Foreign(Exception):
    """Something that bytes cannot stand for."""


def content(model, *besides: float) -> bytes | None:
    """The bytes; ``besides``: further numbers that they are to tell apart."""
    found, values = shape(model)
    return None if found is None else whole(found, values, *besides)


def whole(found: bytes, values: list[float], *besides: float) -> bytes:
    """The bytes, of a shape and its values."""
    return found + marshal.dumps([*besides, *values], VERSION)


def shape(model) -> tuple[bytes | None, list[float]]:
    """The bytes but for the values of floats, and these in order: gravity, parameters, initial values, bodies, elements."""
    values: list[float] = []
    if type(model) is not Model or model.contacts or model.ground.shapes or model.carriers:
        return None, values
    found: list[Any] = [model.name, model.dim]
    try:
        found.append(_masked(model, model.gravity, values))
        for given in (model.parameters, model.initials):
            found.append(len(given))
            for key, value in given.items():
                found.append(key)
                found.append(_masked(model, value, values))
        for elements in (model.bodies, model.elements):
            found.append(tuple(elements))
            for e in elements.values():
                cls = type(e)
                if REGISTRY.get(cls.__name__) is not cls:
                    return None, values
                own = vars(e)
                found.append(_SHAPES.setdefault((cls, *own), next(_NEXT)))
                for key, value in own.items():
                    if value is None or type(value) is str:
                        found.append(value)
                    elif key not in OWN:
                        found.append(_masked(model, value, values))
        return marshal.dumps(found, VERSION), values
    except (_Foreign, ValueError):
        return None, values


def _masked(model, value, values: list[float]) -> Any:
    """The same with a mark in place of every float; what is neither float nor list as it is."""
    kind = type(value)
    if kind is float or kind is np.float64:
        values.append(float(value))
        return MARKS[kind]
    if kind in PLAIN:
        return value
    if kind is tuple or kind is list:
        return kind([_masked(model, x, values) for x in value])
    if kind is dict:
        return {_plain(model, k): _masked(model, x, values) for k, x in value.items()}
    return _plain(model, value)


def with_numbers(model, take) -> Any:
    """A copy of a model that has a shape, with ``take(x)`` in place of every float x, in the order of its values."""
    other = model.copy()
    other.gravity = _replaced(model.gravity, take)
    dict.update(other.parameters, {key: _replaced(value, take) for key, value in model.parameters.items()})
    other.initials = {key: _replaced(value, take) for key, value in model.initials.items()}
    for elements in (other.bodies, other.elements):
        for name, e in elements.items():
            twin = elements[name] = object.__new__(type(e))
            vars(twin).update({key: value if key in OWN else _replaced(value, take) for key, value in vars(e).items()})
    return other


def _replaced(value, take) -> Any:
    kind = type(value)
    if kind is float or kind is np.float64:
        return take(float(value))
    if kind is tuple or kind is list:
        return kind([_replaced(x, take) for x in value])
    return {key: _replaced(x, take) for key, x in value.items()} if kind is dict else value


def _plain(model, value) -> Any:
    """The same of plain things only; bytes mark what was something else, so that nothing a user writes looks like it."""
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is tuple or kind is list:
        return kind(_plain(model, x) for x in value)
    if kind is dict:
        return {_plain(model, k): _plain(model, x) for k, x in value.items()}
    if kind is np.ndarray and value.dtype.kind in "fiub":
        return b"array", value.dtype.str, value.shape, value.tobytes()
    if kind is np.float64:
        return b"float64", float(value)
    if kind in SHAPES:
        return b"shape", kind.__name__, _plain(model, vars(value))
    if kind is Ground:
        return b"ground"
    if isinstance(value, Element) and (model.bodies.get(value.name) is value or model.elements.get(value.name) is value):
        return b"element", value.name
    raise _Foreign
