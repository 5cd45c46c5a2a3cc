"""What may stand in a model file for each argument of an element: checked when read, and told to editors by the schema.

A class's constructor says which arguments there are; their names say what they hold ("axis" is a vector wherever it
occurs).  A class may say otherwise in ``arguments = {"name": "kind"}``.  An argument of no known kind takes any plain value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dalembert import expressions
from dalembert.elements.constraints.gears import KINDS as GEARING
from dalembert.elements.friction import KEYS as FRICTION
from dalembert.errors import DalembertError, hint
from dalembert.model.table import KINDS as TABLE_KINDS

NUMBER = {"$ref": "#/$defs/number"}
VECTOR = {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 3}
NAME = {"type": "string", "minLength": 1}
LAW = {"$ref": "#/$defs/law"}


class Wrong(Exception):
    """Something in a document is not as it must be: where (path) and what."""

    def __init__(self, path: tuple, message: str):
        super().__init__(message)
        self.path, self.message = path, message


@dataclass
class Context:
    """What is known while a document is read."""

    dim: int = 3
    parameters: Mapping[str, Any] = field(default_factory=dict)
    names: frozenset[str] = frozenset()  # bodies and elements
    any_length: bool = False  # schema-free places


def shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def expression(value: str, path: tuple, known: Mapping[str, Any] | None) -> None:
    """A formula that can be read, over the names in ``known`` if these are given."""
    try:
        names = expressions.parse(value).names
    except DalembertError as error:
        raise Wrong(path, str(error)) from None
    if known is not None:
        for name in sorted(names):
            if name not in known:
                allowed = ", ".join(known) or "there are none"
                raise Wrong(path, f"the formula {shown(value)} uses '{name}', which is not a parameter{hint(name, known)} "
                                  f"(parameters: {allowed})")


def number(value: Any, path: tuple, context: Context) -> None:
    if isinstance(value, str):
        expression(value, path, context.parameters)
        return
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Wrong(path, f"found {shown(value)}; a number or a formula such as \"m*l**2/12\" is needed")
    try:
        fine = math.isfinite(value)
    except OverflowError:
        fine = False
    if not fine:
        raise Wrong(path, f"found {shown(value)}; a finite number is needed")


def _list(value: Any, path: tuple, sizes: tuple[int, ...], words: str) -> None:
    if not isinstance(value, list) or len(value) not in sizes:
        found = f"{len(value)} items" if isinstance(value, list) else shown(value)
        raise Wrong(path, f"found {found}; {words} is needed")


def numbers(value: Any, path: tuple, context: Context, sizes: tuple[int, ...], words: str) -> None:
    _list(value, path, sizes, words)
    for k, x in enumerate(value):
        number(x, (*path, k), context)


def vector(value: Any, path: tuple, context: Context) -> None:
    numbers(value, path, context, (context.dim,), f"a list of {context.dim} numbers (dim = {context.dim})")


def some_numbers(value: Any, path: tuple, context: Context) -> None:
    """A number, or one per axis."""
    if isinstance(value, list):
        numbers(value, path, context, (1, 2, 3), "a number or one number per axis")
    else:
        number(value, path, context)


def for_each(value: Any, path: tuple, context: Context) -> None:
    """A number, or one for each part."""
    if isinstance(value, list):
        numbers(value, path, context, (len(value),), "a number or one number per part")
    else:
        number(value, path, context)


def pair_of_numbers(value: Any, path: tuple, context: Context) -> None:
    numbers(value, path, context, (2,), "a list of two numbers")


def matrix(value: list, path: tuple, context: Context) -> None:
    for k, row in enumerate(value):
        numbers(row, (*path, k), context, (3,), "a row of three numbers")


def inertia(value: Any, path: tuple, context: Context) -> None:
    if context.dim == 2:
        return number(value, path, context)
    _list(value, path, (3,), "three principal moments or a 3×3 matrix")
    if isinstance(value[0], list):
        return matrix(value, path, context)
    return vector(value, path, context)


def rotation(value: Any, path: tuple, context: Context) -> None:
    if isinstance(value, list) and len(value) == 2 and isinstance(value[0], str):
        angles = value[1] if isinstance(value[1], list) else [value[1]]
        numbers(angles, (*path, 1), context, tuple(range(1, 10)), "a list of angles")
    elif isinstance(value, list) and len(value) == 3:
        matrix(value, path, context)
    else:
        numbers(value, path, context, (4,), 'a quaternion (scalar first), a 3×3 matrix, or ["xyz", [angles]]')


def law(value: Any, path: tuple, context: Context) -> None:
    if isinstance(value, str):
        expression(value, path, None)
    elif isinstance(value, dict):
        table(value, path, context)
    elif isinstance(value, list):
        raise Wrong(path, f"found {shown(value)}; a number, a formula or a table {{x = [...], y = [...]}} is needed")
    else:
        number(value, path, context)


def laws(value: Any, path: tuple, context: Context) -> None:
    if not isinstance(value, list):
        return law(value, path, context)
    _list(value, path, (1, 2, 3), "one law per component")
    for k, x in enumerate(value):
        law(x, (*path, k), context)
    return None


def attitude(value: Any, path: tuple, context: Context) -> None:
    """Four laws: a quaternion, scalar first."""
    _list(value, path, (4,), "four laws, scalar first,")
    for k, x in enumerate(value):
        law(x, (*path, k), context)


def table(value: dict, path: tuple, context: Context) -> None:
    for key in value:
        if key not in ("x", "y", "of", "kind"):
            known = ("x", "y", "of", "kind")
            raise Wrong((*path, key), f"a table has no key '{key}'{hint(key, known)} (it takes {', '.join(known)})")
    for key in ("x", "y"):
        items = value.get(key)
        if not isinstance(items, list) or not all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in items):
            raise Wrong((*path, key), f"found {shown(items)}; a table needs x and y as lists of numbers")
    if not isinstance(value.get("of", "t"), str):
        raise Wrong((*path, "of"), f"found {shown(value['of'])}; 'of' names what x is, as \"t\"")
    if "kind" in value and value["kind"] not in TABLE_KINDS:
        raise Wrong((*path, "kind"), f"found {shown(value['kind'])}; the kind of a table is {', '.join(TABLE_KINDS)} (left out: "
                                     "cubic)")


def friction(value: Any, path: tuple, context: Context) -> None:
    """A coefficient, or a table of the numbers of its law."""
    if not isinstance(value, dict):
        return number(value, path, context)
    for key, x in value.items():
        if key not in FRICTION:
            raise Wrong((*path, key), f"friction has no key '{key}'{hint(key, FRICTION)} (it takes {', '.join(FRICTION)})")
        number(x, (*path, key), context)
    return None


def text(value: Any, path: tuple, context: Context) -> None:
    if not isinstance(value, str):
        raise Wrong(path, f"found {shown(value)}; a string is needed")


def formula(value: Any, path: tuple, context: Context) -> None:
    text(value, path, context)
    expression(value, path, None)


def flag(value: Any, path: tuple, context: Context) -> None:
    if not isinstance(value, bool):
        raise Wrong(path, f"found {shown(value)}; true or false is needed")


def gearing(value: Any, path: tuple, context: Context) -> None:
    if value not in GEARING:
        close = hint(value, GEARING) if isinstance(value, str) else ""
        raise Wrong(path, f"found {shown(value)}; one of {', '.join(GEARING)} is allowed{close}")


def frame(value: Any, path: tuple, context: Context) -> None:
    if value not in ("ground", "body"):
        close = hint(value, ("ground", "body")) if isinstance(value, str) else ""
        raise Wrong(path, f"found {shown(value)}; \"ground\" or \"body\" is allowed{close}")


def reference(value: Any, path: tuple, context: Context) -> None:
    """The name of a body or element, or of its coordinate; a pair of bodies stands for their angle."""
    if isinstance(value, list):
        _list(value, path, (2,), "the name of a body or joint, or of two bodies,")
        for k, x in enumerate(value):
            reference(x if isinstance(x, str) else [x], (*path, k), context)
        return
    text(value, path, context)
    base = value.partition(".")[0]
    if base not in context.names:
        raise Wrong(path, f"there is no body or element '{base}'{hint(base, context.names)}")


def coefficients(value: Any, path: tuple, context: Context) -> None:
    if not isinstance(value, dict):
        raise Wrong(path, f"found {shown(value)}; a table of coordinates and factors is needed, as {{\"body.x\" = 1.0}}")
    for key, x in value.items():
        reference(key, (*path, key), context)
        law(x, (*path, key), context)


def function(value: Any, path: tuple, context: Context) -> None:
    raise Wrong(path, "a file holds no code: add this element in Python, after load_model")


def anything(value: Any, path: tuple, context: Context) -> None:
    if not isinstance(value, (bool, int, float, str, list, dict)):
        raise Wrong(path, f"found {shown(value)}; a number, a string, true or false, a list or a table is needed")
    for key, x in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        anything(x, (*path, key), context)


@dataclass(frozen=True)
class Kind:
    """How values of a kind are checked, and what the schema says about them."""

    check: Callable[[Any, tuple, Context], None]
    schema: dict[str, Any]


KINDS: dict[str, Kind] = {
    "number": Kind(number, NUMBER),
    "vector": Kind(vector, VECTOR),
    "numbers": Kind(some_numbers, {"anyOf": [NUMBER, {"type": "array", "items": NUMBER}]}),
    "each": Kind(for_each, {"anyOf": [NUMBER, {"type": "array", "items": NUMBER, "minItems": 1}]}),
    "pair": Kind(pair_of_numbers, {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}),
    "inertia": Kind(inertia, {"anyOf": [NUMBER, VECTOR, {"type": "array", "items": VECTOR, "minItems": 3, "maxItems": 3}]}),
    "rotation": Kind(rotation, {"type": "array", "minItems": 2, "maxItems": 4}),
    "law": Kind(law, LAW),
    "laws": Kind(laws, {"anyOf": [LAW, {"type": "array", "items": LAW, "minItems": 1, "maxItems": 3}]}),
    "attitude": Kind(attitude, {"type": "array", "items": LAW, "minItems": 4, "maxItems": 4}),
    "text": Kind(text, {"type": "string"}),
    "formula": Kind(formula, {"type": "string"}),
    "flag": Kind(flag, {"type": "boolean"}),
    "gearing": Kind(gearing, {"enum": list(GEARING)}),
    "frame": Kind(frame, {"enum": ["ground", "body"]}),
    "reference": Kind(reference, {"anyOf": [NAME, {"type": "array", "items": NAME, "minItems": 2, "maxItems": 2}]}),
    "coefficients": Kind(coefficients, {"type": "object", "additionalProperties": LAW, "minProperties": 1}),
    "friction": Kind(friction, {"anyOf": [NUMBER, {"type": "object", "properties": dict.fromkeys(FRICTION, NUMBER),
                                                   "additionalProperties": False, "minProperties": 1}]}),
    "function": Kind(function, {"not": {}}),
    "any": Kind(anything, {}),
}

NAMES: dict[str, str] = {
    **dict.fromkeys(("mass", "radius", "density", "pitch", "length", "ratio", "angle", "thickness"), "number"),
    **dict.fromkeys(("position", "velocity", "com", "start", "end", "at", "axis", "axis2", "axis_i", "axis_j", "on", "on_i",
                     "on_j", "at_i", "at_j", "normal", "ground_point", "ground_normal"), "vector"),
    **dict.fromkeys(("omega", "stiffness", "damping", "torsion", "torsion_damping", "second_moments"), "numbers"),
    **dict.fromkeys(("i", "j", "body", "carrier", "of", "pinion", "rack"), "reference"),
    **dict.fromkeys(("law", "actuator", "constant", "force"), "law"),
    "inertia": "inertia", "rotation": "rotation", "radii": "pair", "components": "laws", "expression": "formula",
    "internal": "flag", "frame": "frame", "coefficients": "coefficients", "function": "function", "name": "text",
    "shape": "shape", "shapes": "shapes",
}


def kind_of(cls: type, argument: str) -> str:
    """The kind of an argument of an element class."""
    return getattr(cls, "arguments", {}).get(argument) or NAMES.get(argument, "any")
