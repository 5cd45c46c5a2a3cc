"""Forms of all elements a file may name: made from the registry, so that a new element has its form as soon as it is defined.

Fields are the constructor's arguments; what they may hold comes from io/arguments.py, units and words from the class's docstring.
"""

from __future__ import annotations

import inspect
import re
from functools import lru_cache
from typing import Any

from dalembert.io.arguments import KINDS, kind_of
from dalembert.io.document import arguments, sections, type_name
from dalembert.io.schema import needs_code

_ARGUMENT = re.compile(r"^(\w+(?:, \w+)*) : (.*)$")
_UNIT = re.compile(r"\[([^\]]*)\]")


@lru_cache(maxsize=1)
def forms() -> list[dict[str, Any]]:
    """One form per element, in the order of the sections."""
    return [_form(section, cls) for section, types in sections().items() for cls in types.values() if not needs_code(cls)]


def _form(section: str, cls: type) -> dict[str, Any]:
    told = _told(cls)
    parameters = arguments(cls)
    joined = "i" in parameters and "j" in parameters
    fields: list[dict[str, Any]] = []
    for key, p in parameters.items():
        if joined and key in ("i", "j"):
            if key == "i":
                fields.append({"key": "between", "kind": "between", "required": True, "unit": "", "help":
                               "The two bodies: forces and coordinates are those of the second against the first."})
            continue
        kind = kind_of(cls, key)
        if kind == "function":
            continue
        unit, words = told.get(key, ("", ""))
        field = {"key": key, "kind": kind, "required": p.default is inspect.Parameter.empty, "unit": unit, "help": words}
        schema = KINDS[kind].schema if kind in KINDS else {}
        if "enum" in schema:
            field["choices"] = schema["enum"]
        fields.append(field)
    return {"section": section, "type": type_name(cls), "title": cls.__name__, "dims": list(getattr(cls, "dims", (2, 3))),
            "about": (inspect.getdoc(cls) or cls.__name__).splitlines()[0], "fields": fields,
            "laws": list(getattr(cls, "law_names", ("t",))), "joins_bodies": bool(getattr(cls, "joins_bodies", True))}


def _told(cls: type) -> dict[str, tuple[str, str]]:
    """Unit and words of each argument, from the section Parameters of the docstring."""
    lines = (inspect.getdoc(cls) or "").splitlines()
    if "Parameters" not in lines:
        return {}
    out: dict[str, tuple[str, str]] = {}
    names: list[str] = []
    for line in lines[lines.index("Parameters") + 2:]:
        if line.startswith("-") or (line and not line.startswith(" ") and not _ARGUMENT.match(line)):
            break
        if match := _ARGUMENT.match(line):
            names = match.group(1).split(", ")
            unit = _UNIT.search(match.group(2))
            for name in names:
                out[name] = (unit.group(1).replace("–", "") if unit else "", "")
        elif line.strip():
            for name in names:
                out[name] = (out[name][0], f"{out[name][1]} {line.strip()}".strip().replace("``", ""))
    return out
