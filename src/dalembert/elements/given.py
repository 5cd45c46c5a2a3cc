"""What users may write where an element asks for a number, a point, a law or a body: the types of its arguments.

    Number       a number, or a formula over parameters as text: 0.3, "2*l"
    Vector       numbers, two in the plane and three in space: (0, "l"), an array
    Law          a number, a formula over t (and what the element offers: angle, rate …), a function, a Table, a Law
    Ref          a body or joint, as the object that ``add`` returned or by its name
    Coordinate   a joint, a body's coordinate ("piston.x"), or two bodies (the angle between them)
    Names        one or several: joints, coordinates, forces
    Times        increasing times
    Rotation     a quaternion (scalar first), a matrix, or ("xyz", angles)
    Look         a Material, the name of one, the name of a colour, "#rrggbb", three numbers 0 … 1
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias, TypedDict

import numpy as np

from dalembert.elements.materials import Material


class Named(Protocol):
    """A body, a joint, the ground."""

    @property
    def name(self) -> str: ...


class Tabulated(Protocol):
    """A law through points: da.Table."""

    x: Any
    y: Any
    of: str


class Broken(Protocol):
    """A law with the times at which it breaks: da.Law."""

    f: Any
    breaks: Any


Number: TypeAlias = float | str
Vector: TypeAlias = Sequence[Number] | np.ndarray
Law: TypeAlias = Number | Callable[..., Any] | Tabulated | Broken
Ref: TypeAlias = str | Named
Coordinate: TypeAlias = Ref | Sequence[Ref]
Names: TypeAlias = Ref | Sequence[Ref]
Times: TypeAlias = Sequence[float] | np.ndarray
Look: TypeAlias = Material | str | Sequence[float]
Rotation: TypeAlias = Sequence[Any] | np.ndarray


class Placed(TypedDict, total=False):
    """Where a shape sits on its body and what it is made of."""

    position: Vector | None
    rotation: Rotation | None
    material: Look | None


PLAIN = frozenset({str, float, int, bool, type(None), np.float64})


def own(value: Any) -> Any:
    """The same, with lists, dicts and arrays of its own: what their owner does with them later does not reach it."""
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is tuple and PLAIN.issuperset(map(type, value)):
        return value
    if kind is list or kind is tuple:
        return kind([own(x) for x in value])
    if kind is dict:
        return {key: own(x) for key, x in value.items()}
    return value.copy() if isinstance(value, np.ndarray) else value


def fixed(value: Any) -> Any:
    """The same, and arrays in it cannot be written to any more: elements and shapes are shared by models and their results."""
    kind = type(value)
    if kind is list or kind is tuple:
        for x in value:
            if type(x) not in PLAIN:
                fixed(x)
    elif kind is dict:
        fixed(list(value.values()))
    elif isinstance(value, np.ndarray):
        value.flags.writeable = False
    return value
