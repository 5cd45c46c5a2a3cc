"""The JSON Schema of model files, generated from the registry: for editors, and to read.

A new element is in it as soon as its class is defined.  The reader (reader.py) checks more than a schema can say: names that
must exist, formulas, the length of vectors for the dimension, what belongs together.
"""

from __future__ import annotations

import inspect
from typing import Any

from dalembert.elements.element import Element
from dalembert.io.arguments import KINDS, NAME, NUMBER, VECTOR, kind_of
from dalembert.io.document import VERSION, arguments, sections, shape_types, type_name
from dalembert.model.table import KINDS as TABLE_KINDS

DEFINITIONS: dict[str, Any] = {
    "number": {"description": "A number, or a formula over the parameters such as \"m*l**2/12\".",
               "anyOf": [{"type": "number"}, {"type": "string", "minLength": 1}]},
    "table": {"description": "A law by points (x, y), straight outside; kind left out: cubic.", "type": "object",
              "properties": {"x": {"type": "array", "items": {"type": "number"}, "minItems": 2},
                             "y": {"type": "array", "items": {"type": "number"}, "minItems": 2},
                             "of": {"type": "string"}, "kind": {"enum": list(TABLE_KINDS)}},
              "required": ["x", "y"], "additionalProperties": False},
    "law": {"description": "A number, a formula of t (and what the element offers), or a table.",
            "anyOf": [{"type": "number"}, {"type": "string", "minLength": 1}, {"$ref": "#/$defs/table"}]},
}


def schema() -> dict[str, Any]:
    """The schema as plain values."""
    definitions = dict(DEFINITIONS)
    definitions["shape"] = {"anyOf": [_shape(name, cls) for name, cls in shape_types().items()]}
    properties: dict[str, Any] = {
        "dalembert": {"const": VERSION, "description": "Version of the file format."},
        "name": NAME,
        "dim": {"enum": [2, 3], "default": 3, "description": "2 plane, 3 space."},
        "gravity": VECTOR,
        "parameters": {"type": "object", "additionalProperties": NUMBER,
                       "description": "Named numbers; a formula may use those before it."},
    }
    properties["ground"] = {"type": "object", "properties": {"shapes": _shapes("shapes")}, "additionalProperties": False,
                            "description": "Shapes that stand on the ground: seen, and touched where a contact says so."}
    for section, all_types in sections().items():
        types = {name: cls for name, cls in all_types.items() if not needs_code(cls)}
        for name, cls in types.items():
            definitions[f"{section}.{name}"] = _element(section, name, cls)
        choices = [{"$ref": f"#/$defs/{section}.{name}"} for name in types]
        properties[section] = {"type": "array", "items": {"anyOf": choices} if len(choices) > 1 else choices[0]}
    properties["initial"] = {"type": "array", "items": {
        "type": "object", "properties": {"of": NAME, "rate": NUMBER, "coordinate": NUMBER}, "required": ["of"],
        "additionalProperties": False, "description": "A rate or coordinate of a joint or body at the start, met exactly."}}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "dalembert model",
            "description": "A mechanism of rigid bodies: the same names as in Python, no code.", "type": "object",
            "properties": properties, "required": ["dalembert"], "additionalProperties": False, "$defs": definitions}


def needs_code(cls: type[Element]) -> bool:
    """Whether an element cannot be without a Python function (and so is not for files)."""
    return any(p.default is inspect.Parameter.empty and kind_of(cls, k) == "function" for k, p in arguments(cls).items())


def _element(section: str, name: str, cls: type[Element]) -> dict[str, Any]:
    parameters = arguments(cls)
    joined = "i" in parameters and "j" in parameters
    properties: dict[str, Any] = {"type": {"const": name}}
    required = [] if type_name(cls) == section else ["type"]
    for key, p in parameters.items():
        if joined and key in ("i", "j"):
            if key == "i":
                properties["between"] = {"type": "array", "items": NAME, "minItems": 2, "maxItems": 2}
                required.append("between")
            continue
        kind = kind_of(cls, key)
        properties[key] = (_shapes(kind) if kind in ("shape", "shapes") else KINDS[kind].schema)
        if p.default is inspect.Parameter.empty:
            required.append(key)
    where = "" if len(cls.dims) > 1 else " Plane only." if cls.dims == (2,) else " Space only."
    return {"type": "object", "description": _first_line(cls) + where, "properties": properties, "required": required,
            "additionalProperties": False}


def _shapes(kind: str) -> dict[str, Any]:
    one = {"$ref": "#/$defs/shape"}
    return one if kind == "shape" else {"anyOf": [one, {"type": "array", "items": one}]}


def _shape(name: str, cls: type) -> dict[str, Any]:
    parameters = arguments(cls)
    required = [k for k, p in parameters.items() if p.default is inspect.Parameter.empty]
    known = {"radius": NUMBER, "length": NUMBER, "width": NUMBER, "file": {"type": "string"}, "scale": {}}
    return {"type": "object", "description": _first_line(cls),
            "properties": {"type": {"const": name}, **{k: known.get(k, {}) for k in parameters}},
            "required": ["type", *required], "additionalProperties": False}


def _first_line(cls: type) -> str:
    return (inspect.getdoc(cls) or cls.__name__).splitlines()[0]
