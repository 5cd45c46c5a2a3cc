"""Document → Model.  Every complaint is a ``Wrong`` with the path of what is wrong: key, what was found, what is allowed.

Nothing in a document is run: formulas are read by the package's own parser, names are looked up in tables.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

from dalembert.elements.element import Element
from dalembert.errors import DalembertError, hint
from dalembert.io import arguments as args
from dalembert.io.arguments import Context, Wrong, shown
from dalembert.io.document import HEAD, VERSION, arguments, sections, shape_types, type_name
from dalembert.model.law import Lost, Table
from dalembert.model.model import Model

INITIAL = ("of", "rate", "coordinate")


class Reader:
    """Builds a model from a document; ``path_of`` turns the file name of a mesh into a path (or complains)."""

    def __init__(self, document: Any, path_of: Callable[[str], str], name: str = "model", lost: bool = False):
        self.document, self.path_of, self.name, self.lost = document, path_of, name, lost
        self.sections = sections()
        self.context = Context()

    def model(self) -> Model:
        d = self.document
        if not isinstance(d, dict):
            raise Wrong((), f"found {shown(d)}; a model file is a table with dalembert = {VERSION}, name, dim, body, joint, …")
        self._version(d)
        known = (*HEAD, *self.sections, "initial")
        for key in d:
            if key not in known:
                raise Wrong((key,), f"there is no '{key}' in a model file{hint(key, known)} (it has {', '.join(known)})")
        name, dim = d.get("name", self.name), d.get("dim", 3)
        if dim not in (2, 3) or isinstance(dim, bool):
            raise Wrong(("dim",), f"found {shown(dim)}; 2 (plane) or 3 (space) is allowed")
        parameters = d.get("parameters", {})
        if not isinstance(parameters, dict):
            raise Wrong(("parameters",), f"found {shown(parameters)}; a table of names and numbers is needed")
        with _at(("name",)):
            model = Model(name, dim=dim)
        self.context = Context(dim, parameters, frozenset(self._names(d)))
        for key, value in parameters.items():
            args.number(value, ("parameters", key), self.context)
            with _at(("parameters", key)):
                model.parameters[key] = value
        if "gravity" in d:
            args.vector(d["gravity"], ("gravity",), self.context)
            model.gravity = tuple(d["gravity"])
        if "ground" in d:
            model.ground.shapes = self._ground(d["ground"])
        for section, types in self.sections.items():
            for path, entry in self._entries(section):
                element = self._element(section, types, path, entry)
                with _at(path):
                    model.add(element)
        for path, entry in self._entries("initial"):
            self._initial(model, path, entry)
        return model

    def _ground(self, value: Any) -> tuple:
        if not isinstance(value, dict) or set(value) - {"shapes"}:
            raise Wrong(("ground",), f"found {shown(value)}; the ground has shapes only, as ground = {{shapes = [...]}}")
        shapes = self._value("shapes", value.get("shapes", []), ("ground", "shapes"), "ground")
        return shapes if isinstance(shapes, tuple) else (shapes,)

    def _version(self, d: dict) -> None:
        if "dalembert" not in d:
            raise Wrong((), f"this is no model file: the first line of one says dalembert = {VERSION}")
        if d["dalembert"] != VERSION or isinstance(d["dalembert"], bool):
            raise Wrong(("dalembert",), f"found format {shown(d['dalembert'])}; this version of dalembert reads format {VERSION}")

    def _entries(self, section: str) -> Iterable[tuple[tuple, dict]]:
        entries = self.document.get(section, [])
        if not isinstance(entries, list):
            raise Wrong((section,), f"found {'a table' if isinstance(entries, dict) else shown(entries)}; '{section}' is a list: "
                                    f"start each with [[{section}]]")
        for k, entry in enumerate(entries):
            if not isinstance(entry, dict):
                raise Wrong((section, k), f"found {shown(entry)}; a table is needed")
            yield (section, k), entry

    def _names(self, d: dict) -> list[str]:
        found = ["ground", "world"]
        for section in self.sections:
            entries = d.get(section, [])
            for entry in entries if isinstance(entries, list) else []:
                if isinstance(entry, dict) and isinstance(entry.get("name"), str):
                    found.append(entry["name"])
        return found

    # -------------------------------------------------------------------------------------------------- elements

    def _element(self, section: str, types: dict[str, type[Element]], path: tuple, entry: dict) -> Element:
        cls = self._class(section, types, path, entry)
        label = f"{type_name(cls)} '{entry['name']}'" if isinstance(entry.get("name"), str) else f"a {type_name(cls)}"
        parameters = arguments(cls)
        joined = "i" in parameters and "j" in parameters
        keys = ["type", *(k for k in parameters if k not in ("i", "j") or not joined)]
        if joined:
            keys.insert(2, "between")
        given: dict[str, Any] = {}
        for key, value in entry.items():
            if key not in keys:
                raise Wrong((*path, key), f"{label}: there is no key '{key}'{hint(key, keys)} (it takes {', '.join(keys)})")
            if key == "between":
                given["i"], given["j"] = self._between(value, (*path, key), label)
            elif key != "type":
                given[key] = self._value(args.kind_of(cls, key), value, (*path, key), label)
        for key, p in parameters.items():
            if p.default is inspect.Parameter.empty and key not in given:
                wanted = "between" if joined and key in ("i", "j") else key
                raise Wrong(path, f"{label}: '{wanted}' is missing"
                                  + (', as between = ["ground", "crank"]' if wanted == "between" else ""))
        if self.context.dim not in cls.dims:
            where = "the plane (dim = 2)" if self.context.dim == 2 else "space (dim = 3)"
            raise Wrong(path, f"{label} does not exist in {where}")
        with _at(path):
            return cls(**given)

    def _class(self, section, types, path, entry) -> type[Element]:
        given = entry.get("type", section)
        if not isinstance(given, str):
            raise Wrong((*path, "type"), f"found {shown(given)}; a string is needed")
        plain = {name.replace("_", ""): cls for name, cls in types.items()}
        key = given.lower().replace("-", "").replace("_", "").replace(" ", "")
        if key in plain:
            return plain[key]
        label = f"{section} '{entry['name']}'" if isinstance(entry.get("name"), str) else f"this {section}"
        if "type" not in entry:
            raise Wrong(path, f"{label}: 'type' is missing (allowed: {', '.join(types)})")
        other = [s for s, found in self.sections.items() if key in {n.replace("_", "") for n in found}]
        where = f": it belongs in [[{other[0]}]]" if other else hint(given, types)
        raise Wrong((*path, "type"), f"{label}: there is no {section} of type '{given}'{where} (allowed: {', '.join(types)})")

    def _between(self, value, path, label):
        if not isinstance(value, list) or len(value) != 2:
            raise Wrong(path, f'{label}: found {shown(value)}; two names are needed, as between = ["ground", "crank"]')
        with _prefixed(label):
            for k, x in enumerate(value):
                args.reference(x if isinstance(x, str) else [x], (*path, k), self.context)
        return value

    def _value(self, kind: str, value: Any, path: tuple, label: str) -> Any:
        with _prefixed(f"{label}: {path[-1]}"):
            if kind == "shapes" and isinstance(value, list):
                return tuple(self._shape(x, (*path, k)) for k, x in enumerate(value))
            if kind in ("shape", "shapes"):
                return self._shape(value, path)
            if self.lost and kind in ("law", "laws", "function"):
                return self._perhaps_lost(kind, value, path)
            args.KINDS[kind].check(value, path, self.context)
            return self._filled(kind, value, path)

    def _perhaps_lost(self, kind: str, value: Any, path: tuple) -> Any:
        """Laws of a saved result, where a description may stand for a function."""
        if isinstance(value, list):
            return tuple(self._perhaps_lost(kind, x, (*path, k)) for k, x in enumerate(value))
        if isinstance(value, dict) and set(value) == {"function"} and isinstance(value["function"], str):
            return Lost(value["function"].partition(" ")[0])
        args.KINDS[kind].check(value, path, self.context)
        return self._filled(kind, value, path)

    def _filled(self, kind: str, value: Any, path: tuple) -> Any:
        """Tables become laws, lists tuples."""
        if kind in ("law", "laws") and isinstance(value, dict):
            with _at(path):
                return Table(value.get("x", ()), value.get("y", ()), value.get("of", "t"), kind=value.get("kind", "cubic"))
        if isinstance(value, list):
            return tuple(self._filled(kind, x, (*path, k)) for k, x in enumerate(value))
        return value

    def _shape(self, value: Any, path: tuple) -> Any:
        types = shape_types()
        if not isinstance(value, dict):
            raise Wrong(path, f"found {shown(value)}; a table is needed, as {{type = \"box\", size = [1, 2, 3]}}")
        given = value.get("type")
        if not isinstance(given, str) or given not in types:
            close = hint(given, types) if isinstance(given, str) else ""
            raise Wrong((*path, "type"), f"found {shown(given)}; a shape has the type {', '.join(types)}{close}")
        parameters = arguments(types[given])
        for key in value:
            if key not in ("type", *parameters):
                raise Wrong((*path, key), f"a {given} has no key '{key}'{hint(key, parameters)} (it takes "
                                          f"{', '.join(parameters)})")
        for key, p in parameters.items():
            if p.default is inspect.Parameter.empty and key not in value:
                raise Wrong(path, f"a {given} needs '{key}'")
        filled = {}
        for key, x in value.items():
            at = (*path, key)
            if key == "type":
                continue
            if key == "file":
                args.text(x, at, self.context)
                try:
                    x = self.path_of(x)
                except ValueError as error:
                    raise Wrong(at, str(error)) from None
            else:
                kind = args.NAMES.get(key, "any")
                if key == "rotation" and self.context.dim == 2 and not isinstance(x, list):
                    kind = "number"  # in the plane a shape turns by an angle
                args.KINDS["any" if key in ("position", "size") else kind].check(x, at, self.context)
            filled[key] = self._filled("any", x, at)
        with _at(path):
            return types[given](**filled)

    def _initial(self, model: Model, path: tuple, entry: dict) -> None:
        for key, value in entry.items():
            if key not in INITIAL:
                raise Wrong((*path, key), f"an initial value has no key '{key}'{hint(key, INITIAL)} (it takes "
                                          f"{', '.join(INITIAL)})")
            if key == "of":
                args.text(value, (*path, key), self.context)
                args.reference(value, (*path, key), self.context)
            else:
                args.number(value, (*path, key), self.context)
        if "of" not in entry:
            raise Wrong(path, "an initial value needs 'of', the joint or coordinate it belongs to")
        with _at(path):
            model.initial(entry["of"], **{k: v for k, v in entry.items() if k != "of"})


class _at:
    """Complaints of the package inside the block get the path of what is being read."""

    def __init__(self, path: tuple):
        self.path = path

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if isinstance(error, DalembertError):
            raise Wrong(self.path, str(error)) from None
        return False


class _prefixed:
    """Complaints inside the block say whose they are."""

    def __init__(self, label: str):
        self.label = label

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if isinstance(error, Wrong) and not error.message.startswith(self.label):
            raise Wrong(error.path, f"{self.label}: {error.message}") from None
        return False
