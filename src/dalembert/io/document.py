"""Model ↔ document: a dict of plain values (numbers, strings, booleans, lists, dicts) with the same names as in Python.

    {"dalembert": 1, "name": …, "dim": …, "gravity": […], "parameters": {…}, "body": [{…}], "joint": [{…}], …, "initial": [{…}]}

The section of an element is its ``kind``, its keys are the arguments of its constructor; ``type`` names its class (left out
where it is the section's own: body, drive, force), and ``between`` stands for the two bodies i and j.  Elements of one
section keep their order; between sections order has no meaning.  Functions are not data: those that are formulas are
written as formulas, others are refused.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np

import dalembert
from dalembert import expressions
from dalembert.elements.bodies.body import Ground
from dalembert.elements.element import REGISTRY, Element
from dalembert.elements.shapes import Shape
from dalembert.errors import FileError
from dalembert.io.arguments import kind_of
from dalembert.io.functions import described
from dalembert.model.law import Law, Lost, Table
from dalembert.model.model import Model

VERSION = 1
KINDS_FIRST = ("body", "joint", "constraint", "drive", "signal", "force")
KINDS_LAST = ("fixture", "surface", "pair", "contact")  # contacts name what stands before them
HEAD = ("dalembert", "name", "dim", "gravity", "parameters", "ground")


def registry() -> dict[str, type[Element]]:
    """All element classes a model file may name, by class name."""
    for place in dalembert.ELEMENT_MODULES:
        importlib.import_module(f"dalembert.{place}")
    return {name: cls for name, cls in REGISTRY.items()
            if cls.__module__.startswith("dalembert.") and cls.kind and not name.startswith("_")}


def sections() -> dict[str, dict[str, type[Element]]]:
    """Element classes by section and type: {"joint": {"revolute": Revolute, …}, …}."""
    found: dict[str, dict[str, type[Element]]] = {kind: {} for kind in KINDS_FIRST}
    for cls in registry().values():
        found.setdefault(cls.kind, {})[type_name(cls)] = cls
    return {kind: found[kind] for kind in (*(k for k in found if k not in KINDS_LAST), *KINDS_LAST)}


def type_name(cls: type) -> str:
    """PinInSlot → pin_in_slot, DP1 → dp1."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cls.__name__).lower()


_ARGUMENTS: dict[type, dict[str, inspect.Parameter]] = {}


def arguments(cls: type) -> dict[str, inspect.Parameter]:
    """The constructor's arguments; those of a shape include the ones all shapes share."""
    if cls not in _ARGUMENTS:
        _ARGUMENTS[cls] = _arguments(cls)
    return _ARGUMENTS[cls]


def _arguments(cls: type) -> dict[str, inspect.Parameter]:
    found: dict[str, inspect.Parameter] = {}
    for base in cls.__mro__ if issubclass(cls, Shape) else (cls,):
        if ("__init__" not in base.__dict__ and base is not cls) or base is object:
            continue
        for name, p in inspect.signature(base.__init__).parameters.items():  # type: ignore[misc]
            if name != "self" and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL):
                found.setdefault(name, p)
    return found


def shape_types() -> dict[str, type[Shape]]:
    """The shapes, by their type in a file."""
    return {type_name(cls): cls for cls in Shape.__subclasses__() if cls.__module__.startswith("dalembert.")}


# ------------------------------------------------------------------------------------------------ model → document


def document(model: Model, path_of: Callable[[str], str] | None = None, describe_functions: bool = False) -> dict[str, Any]:
    """The model as plain values; ``path_of`` says how a mesh file is written."""
    write = _Writer(path_of or (lambda file: file), describe_functions)
    out: dict[str, Any] = {"dalembert": VERSION, "name": model.name, "dim": model.dim,
                           "gravity": write.plain(model.gravity, f"gravity of model '{model.name}'")}
    if model.parameters:
        out["parameters"] = {k: write.plain(v, f"parameter '{k}'") for k, v in model.parameters.items()}
    if model.ground.shapes:
        out["ground"] = {"shapes": [write.shape(x, "the ground") for x in model.ground.shapes]}
    for element in (*model.bodies.values(), *model.elements.values(), *model.contacts.values()):
        if element.kind != "event":
            out.setdefault(element.kind, []).append(write.element(element))
    if model.initials:
        out["initial"] = [{"of": of, **{k: write.plain(v, f"initial {k} of '{of}'") for k, v in entry.items()}}
                          for of, entry in model.initials.items()]
    first = [k for k in (*HEAD, *KINDS_FIRST) if k in out]
    return {k: out[k] for k in (*first, *(k for k in out if k not in first))}


def fingerprint(model: Model) -> str:
    """Hash of the description: the same for the same model text, whoever wrote it and in whatever order of sections."""
    text = json.dumps(document(model, describe_functions=True), sort_keys=True, ensure_ascii=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


class _Writer:
    def __init__(self, path_of, describe_functions):
        self.path_of, self.describe_functions = path_of, describe_functions

    def element(self, element: Element) -> dict[str, Any]:
        cls = type(element)
        if not self.describe_functions and not element.of_the_package:
            raise FileError(f"{element.title}: {cls.__module__}.{cls.__name__} is an element of your own; a file can only name "
                            "the elements of dalembert: remove it before saving, and add it again after loading")
        defaults = arguments(cls)
        out: dict[str, Any] = {}
        if type_name(cls) != element.kind:
            out["type"] = type_name(cls)
        out["name"] = element.name
        for key, value in element.given.items():
            if key == "name" or (value is None and defaults[key].default is None):
                continue
            if kind_of(cls, key) == "function" and not isinstance(value, Lost):  # never a formula, whatever it computes
                out[key] = self.code(value, f"{key} of {element.title}")
                continue
            out[key] = self.plain(value, f"{key} of {element.title}", cls.law_names, element)
        if "i" in out and "j" in out:
            rest = {k: v for k, v in out.items() if k not in ("type", "name", "i", "j")}
            head: dict[str, Any] = {k: out[k] for k in ("type", "name") if k in out}
            out = {**head, "between": [out["i"], out["j"]], **rest}
        return out

    def plain(self, value: Any, what: str, names: tuple[str, ...] = ("t",), of: Element | None = None) -> Any:
        if isinstance(value, (bool, int, float, str)) and not isinstance(value, np.generic):
            return value
        if isinstance(value, (Element, Ground)):
            return value.name
        if isinstance(value, (np.ndarray, np.generic)):
            return self.plain(value.tolist(), what, names, of)
        if isinstance(value, (list, tuple)):
            return [self.plain(x, what, names, of) for x in value]
        if isinstance(value, dict):
            return {str(getattr(k, "name", k)): self.plain(x, what, names) for k, x in value.items()}
        if isinstance(value, Table):
            return {"x": value.x, "y": value.y, "of": value.of, "kind": value.kind_for(of)}
        if isinstance(value, Law):  # breaks of formulas and tables are found again
            found = self.law(value.f, what, ("t", *value.reads)) if value.reads else self.plain(value.f, what, names, of)
            if isinstance(found, dict) and "function" in found and value.reads:
                found["function"] += f" reads {list(value.reads)}"
            if isinstance(found, dict) and "function" in found:
                found["function"] += f" breaks {value.breaks}"
            return found
        if isinstance(value, Shape):
            return self.shape(value, what)
        if isinstance(value, Lost):
            if self.describe_functions:
                return {"function": value.name}
            raise value.refuse(what)
        if callable(value):
            return self.law(value, what, names)
        try:
            return expressions.number(value, what=what)
        except dalembert.errors.DalembertError:
            raise FileError(f"{what}: {value!r:.60} ({type(value).__name__}) cannot be written to a file; give a number, a "
                            "formula, a list or a table") from None

    def shape(self, shape: Shape, what: str) -> dict[str, Any]:
        out = {"type": type_name(type(shape))}
        for key, value in vars(shape).items():
            if value is not None:
                out[key] = self.path_of(str(value)) if key == "file" else self.plain(value, f"{key} of a shape, {what}")
        return out

    def law(self, function, what: str, names: tuple[str, ...]) -> Any:
        count = sum(p.default is p.empty for p in inspect.signature(function).parameters.values()
                    if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)) or 1
        traced = expressions.trace(function, list(names)[:count])
        if traced is not None:
            return str(traced)
        return self.code(function, what)

    def code(self, function, what: str) -> Any:
        if self.describe_functions:
            words = described(function) if callable(function) else repr(function)
            return {"function": f"{getattr(function, '__name__', 'function')} {words}"}
        kind = "a Python function" if callable(function) else "something that is run"
        raise FileError(f"{what} is {kind}, and a file holds no code; give a formula such as \"sin(2*t)\" or a "
                        "da.Table, or add this element in Python after loading")
