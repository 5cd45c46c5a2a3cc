"""Operations on a model's document, as messages bring them: add, change, remove and rename elements, parameters, the head.

    {"op": "add", "section": "joint", "entry": {…}}          {"op": "set", "name": "crank", "key": "mass", "value": 2}
    {"op": "entry", "name": "crank", "entry": {…}}           {"op": "remove", "name": "crank"}      with what refers to it
    {"op": "rename", "name": "crank", "to": "arm"}           {"op": "parameter", "name": "l", "value": 0.3}
    {"op": "initial", "of": "A", "rate": 2}                  {"op": "head", "key": "gravity", "value": [0, -9.81]}

An operation is refused with ``Wrong``: the path in the document, and what is wrong.  Numbers, names and formulas are judged by
the reader of model files when all operations are done; here only their shapes are.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator
from typing import Any

from dalembert.errors import hint
from dalembert.io.arguments import Wrong, shown
from dalembert.io.document import sections
from dalembert.workshop.paper import Paper

HEAD = ("name", "gravity", "dim")
REFERENCES = ("i", "j", "body", "carrier", "of", "pinion", "rack", "a", "b", "between", "coefficients", "expression")


def applied(paper: Paper, operations: Any) -> Paper:
    """The paper after all operations, in order."""
    if not isinstance(operations, list) or not operations or len(operations) > 5000:
        raise Wrong((), "an edit is a list of operations")
    for operation in operations:
        name = operation.get("op") if isinstance(operation, dict) else None
        if name not in OPERATIONS:
            raise Wrong((), f"there is no operation {shown(name)}{hint(str(name), OPERATIONS)} (there are "
                            f"{', '.join(OPERATIONS)})")
        paper = OPERATIONS[name](paper, operation)
    return paper


def entries(plain: dict) -> Iterator[tuple[str, int, dict]]:
    """Section, number and table of everything that stands in a section (gravity is a list too, and none)."""
    for section, listed in plain.items():
        for k, entry in enumerate(listed if isinstance(listed, list) else ()):
            if isinstance(entry, dict):
                yield section, k, entry


def found(plain: dict, name: str) -> tuple[str, int]:
    """Section and number of the element of that name."""
    for section, k, entry in entries(plain):
        if entry.get("name") == name:
            return section, k
    raise Wrong((), f"there is no body or element '{name}'")


def named(plain: dict) -> list[str]:
    """Names of all bodies and elements."""
    return [e["name"] for _, _, e in entries(plain) if isinstance(e.get("name"), str)]


def literal(value: Any) -> Any:
    """A value from a form: {"text": …} is read as TOML where it is some, and is a formula or a name otherwise."""
    if isinstance(value, dict) and set(value) == {"text"} and isinstance(value["text"], str):
        text = value["text"].strip()
        try:
            plain = tomllib.loads(f"x = {text}")
        except (ValueError, RecursionError):
            return text
        found = plain["x"]
        quoted = text[:1] in ('"', "'")
        return found if set(plain) == {"x"} and (quoted or not isinstance(found, str)) and _values(found) else text
    if isinstance(value, list):
        return [literal(x) for x in value]
    if isinstance(value, dict):
        return {k: literal(x) for k, x in value.items()}
    return value


def _values(value: Any) -> bool:
    """Finite numbers, texts, flags, lists and tables of these: no dates, no infinities."""
    if isinstance(value, (list, dict)):
        return all(_values(x) for x in (value.values() if isinstance(value, dict) else value))
    return isinstance(value, (str, bool, int)) or (isinstance(value, float) and math.isfinite(value))


def users(plain: dict, name: str) -> list[str]:
    """Elements that name this one, directly or by others; initial values are no elements."""
    gone, grown = {name}, True
    while grown:
        grown = False
        for _, _, entry in entries(plain):
            other = entry.get("name")
            if isinstance(other, str) and other not in gone and _refers(entry, gone):
                gone.add(other)
                grown = True
    return [n for n in named(plain) if n in gone and n != name]


def _refers(entry: dict, names: set[str]) -> bool:
    return any(_mentions(entry[key], names, key == "expression") for key in REFERENCES if key in entry)


def _mentions(value: Any, names: set[str], formula: bool) -> bool:
    if isinstance(value, str):
        if formula:
            return any(_word(value, n) != value for n in names)
        return value.partition(".")[0] in names
    if isinstance(value, list):
        return any(_mentions(x, names, formula) for x in value)
    return isinstance(value, dict) and any(_mentions(k, names, formula) for k in value)


def _word(text: str, name: str, to: str = "\0") -> str:
    """The name as a word of a formula, replaced."""
    return re.sub(rf"(?<![\w.]){re.escape(name)}(?![\w])", lambda _: to, text)


# ------------------------------------------------------------------------------------------------ the operations


def _text(operation: dict, key: str) -> str:
    value = operation.get(key)
    if not isinstance(value, str) or not value.strip():
        raise Wrong((), f"{operation['op']}: '{key}' is missing")
    return value


def _entry(operation: dict) -> dict:
    entry = operation.get("entry")
    if not isinstance(entry, dict) or not all(isinstance(k, str) for k in entry):
        raise Wrong((), f"{operation['op']}: 'entry' is a table of arguments")
    return {k: v for k, v in literal(entry).items() if v is not None}


def _add(paper: Paper, operation: dict) -> Paper:
    section = _text(operation, "section")
    known = (*sections(), "initial")
    if section not in known:
        raise Wrong((), f"there is no section '{section}'{hint(section, known)} (there are {', '.join(known)})")
    entry = _entry(operation)
    if section != "initial":
        name = entry.get("name")
        if not isinstance(name, str) or not name.strip():
            raise Wrong((section, len(paper.plain.get(section, [])), "name"), "a name is needed")
        if name in (*named(paper.plain), "ground", "world"):
            raise Wrong((section, len(paper.plain.get(section, [])), "name"), f"the name '{name}' is taken: choose another")
    return paper.add(section, entry)


def _set(paper: Paper, operation: dict) -> Paper:
    key = _text(operation, "key")
    if key == "name":
        return _rename(paper, {**operation, "op": "rename", "to": operation.get("value")})
    return paper.put(found(paper.plain, _text(operation, "name")), key, literal(operation.get("value")))


def _replace(paper: Paper, operation: dict) -> Paper:
    name, entry = _text(operation, "name"), _entry(operation)
    at = found(paper.plain, name)
    to = entry.get("name", name)
    entry["name"] = name
    paper = paper.entry(at, entry)
    return paper if to == name else _rename(paper, {"op": "rename", "name": name, "to": to})


def _remove(paper: Paper, operation: dict) -> Paper:
    name = _text(operation, "name")
    gone = {name, *users(paper.plain, name)}
    found(paper.plain, name)
    for k in range(len(paper.plain.get("initial", [])) - 1, -1, -1):
        if str(paper.plain["initial"][k].get("of", "")).partition(".")[0] in gone:
            paper = paper.remove("initial", k)
    for other in gone:
        paper = paper.remove(*found(paper.plain, other))
    return paper


def _rename(paper: Paper, operation: dict) -> Paper:
    name, to = _text(operation, "name"), operation.get("to")
    section, k = found(paper.plain, name)
    if not isinstance(to, str) or not to.strip() or any(c in to for c in ".`\n"):
        raise Wrong((section, k, "name"), f"found {shown(to)}; a name is a text without dots")
    if to != name and to in (*named(paper.plain), "ground", "world"):
        raise Wrong((section, k, "name"), f"the name '{to}' is taken: choose another")
    for other, at, entry in list(entries(paper.plain)):
        for key in REFERENCES:
            if key in entry and (new := _renamed(entry[key], name, to, key == "expression")) != entry[key]:
                paper = paper.put((other, at), key, new)
    return paper.put((section, k), "name", to)


def _renamed(value: Any, name: str, to: str, formula: bool) -> Any:
    if isinstance(value, str):
        if formula:
            return _word(value, name, to)
        base, dot, rest = value.partition(".")
        return to + dot + rest if base == name else value
    if isinstance(value, list):
        return [_renamed(x, name, to, formula) for x in value]
    if isinstance(value, dict):
        return {_renamed(k, name, to, formula): v for k, v in value.items()}
    return value


def _parameter(paper: Paper, operation: dict) -> Paper:
    return paper.put(("parameters",), _text(operation, "name"), literal(operation.get("value")))


def _head(paper: Paper, operation: dict) -> Paper:
    key = _text(operation, "key")
    if key not in HEAD:
        raise Wrong((key,), f"the head of a model has {', '.join(HEAD)}")
    return paper.put((), key, literal(operation.get("value")))


def _initial(paper: Paper, operation: dict) -> Paper:
    of = _text(operation, "of")
    entry = {k: literal(operation[k]) for k in ("rate", "coordinate") if operation.get(k) is not None}
    for k, old in enumerate(paper.plain.get("initial", [])):
        if old.get("of") == of:
            return paper.entry(("initial", k), {"of": of, **entry}) if entry else paper.remove("initial", k)
    return paper.add("initial", {"of": of, **entry}) if entry else paper


OPERATIONS = {"add": _add, "set": _set, "entry": _replace, "remove": _remove, "rename": _rename, "parameter": _parameter,
              "head": _head, "initial": _initial}
