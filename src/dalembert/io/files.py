"""Model files: TOML, or JSON with the same schema.

    load_model("crank.toml")          save_model(model, "crank.toml")          loads, dumps: the same with text

Limits: 4 MB of TOML, 32 MB of JSON, 16 levels of nesting.  Files of a mesh must lie in the model file's folder or below.
Errors: ``crank.toml, line 12: revolute 'A': there is no key 'axs': did you mean 'axis'? (it takes …)``.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import tomllib
from pathlib import Path
from typing import Any

from dalembert.errors import FileError, hint
from dalembert.io import atomic, locate, toml
from dalembert.io.arguments import Wrong
from dalembert.io.document import document
from dalembert.io.importers import EXPORTERS, IMPORTERS, importer
from dalembert.io.origin import Origin
from dalembert.io.reader import Reader
from dalembert.io.reading import read_bytes, relative
from dalembert.model.model import Model

SIZE = {"toml": 4_000_000, "json": 32_000_000}  # characters
DEPTH = 16
DOTS = 16  # parts of a dotted key
MOST_DOTS = 1000  # of a line that never becomes a key: the reader's time grows with their square
_KEY = re.compile(r"^[ \t]*+(?:\[{1,2}+([^\],=\n]*+)|([^=,#\[{\n]*+))([\]=]?)", re.MULTILINE)  # possessive: linear in time


def load_model(path: str | os.PathLike[str]) -> Model:
    """The model in a .toml or .json file, or in a description of another program (importers.py).

    Parameters
    ----------
    path : path
        The file; its ending says what it is.

    Returns
    -------
    Model
        Ready for every analysis.
    """
    file = Path(path)
    foreign = importer(file)
    if foreign is not None:
        return foreign(file)
    kind = _format(file)
    data = read_bytes(file, 4 * SIZE[kind])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(f"{file}, line {data[:error.start].count(10) + 1}: the file is not text in UTF-8") from None
    model = loads(text, kind, folder=file.parent, title=str(file))
    model.origin = Origin(str(file), text, kind, parse(text, kind, str(file)))
    return model


def loads(text: str, kind: str = "toml", folder: str | os.PathLike[str] = ".", title: str = "model",
          lost: bool = False) -> Model:
    """The model in a text.  ``lost``: laws in Python that a result could not hold are let through, as ``Lost``."""
    parsed = parse(text, kind, title)
    name = Path(title).stem or "model"
    try:
        return Reader(parsed, lambda file: _inside(file, Path(folder)), name, lost).model()
    except Wrong as wrong:
        raise _complaint(wrong, text, kind, title) from None


def parse(text: str, kind: str = "toml", title: str = "model") -> Any:
    """Plain values of a text, within the limits."""
    if len(text) > SIZE[kind]:
        raise FileError(f"{title}: the text is too long for a model in {kind.upper()} ({len(text):,} characters, "
                        f"{SIZE[kind]:,} are allowed)" + ("; JSON may be longer" if kind == "toml" else ""))
    try:
        if kind == "json":
            parsed = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
            if "\\u" in text:
                json.dumps(parsed, ensure_ascii=False).encode()  # half a character (a lone surrogate) cannot be written again
        else:
            for match in _KEY.finditer(text):
                most = DOTS if match.group(3) else MOST_DOTS
                if (match.group(1) or match.group(2) or "").count(".") > most:
                    raise ValueError(f"a key has more than {most} dots (at line {text.count(chr(10), 0, match.start()) + 1})")
            parsed = tomllib.loads(text)
    except RecursionError:
        raise FileError(f"{title}: brackets are nested too deeply ({DEPTH} levels are allowed)") from None
    except ValueError as error:
        raise FileError(f"{title}: this is not {kind.upper()}: {error}") from None
    if _deep(parsed):
        raise FileError(f"{title}: tables and lists are nested too deeply ({DEPTH} levels are allowed)")
    return parsed


def save_model(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model to a .toml or .json file, or for other programs (importers.py); it appears whole or not at all."""
    file = Path(path)
    place = EXPORTERS.get(file.suffix.lower())
    if place is not None:
        module, _, function = place.partition(":")
        getattr(importlib.import_module(f"dalembert.io.{module}"), function)(model, file)
        return
    kind = _format(file)
    atomic.write_text(file, dumps(model, kind, file.parent))


def dumps(model: Model, kind: str = "toml", folder: str | os.PathLike[str] | None = None) -> str:
    """The model as text.  Mesh files are written relative to ``folder``, in which they must lie."""
    plain = document(model, lambda file: relative(file, Path(folder)) if folder is not None else Path(file).name)
    if kind == "toml":
        return toml.dumps(plain)
    return json.dumps(plain, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _format(file: Path) -> str:
    kind = file.suffix.lower().lstrip(".")
    if kind not in SIZE:
        if file.suffix.lower() in IMPORTERS:
            raise FileError(f"'{file}': {kind.upper()} is read, not written; save the model as something.toml or something.json")
        found = f"ends in '.{kind}'{hint(kind, SIZE)}" if kind else "has no ending"
        raise FileError(f"'{file}' {found}; a model file is called something.toml or something.json "
                        f"(also read: {', '.join(IMPORTERS)})")
    return kind


def _inside(file: str, folder: Path) -> str:
    """The path of a file named by a model, which must lie in the model's folder."""
    if not file or "\0" in file or "\\" in file or Path(file).is_absolute():
        raise ValueError(f"found {file!r}; a path below the model's own folder is allowed, with / between its parts")
    base = folder.resolve()
    if not (base / file).resolve().is_relative_to(base):
        raise ValueError(f"found {file!r}, which leads out of the model's folder; only files in it or below are allowed")
    return str(folder / file)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [k for k, _ in pairs]
        raise ValueError(f"the key {next(k for k in keys if keys.count(k) > 1)!r} occurs twice in one table")
    return found


def _no_constant(text: str) -> Any:
    raise ValueError(f"{text} is not a number that JSON knows")


def _deep(value: Any) -> bool:
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(DEPTH):
        level = [x for item in level for x in (item.values() if isinstance(item, dict) else item)
                 if isinstance(x, (dict, list))]
    return bool(level)


def _complaint(wrong: Wrong, text: str, kind: str, title: str) -> FileError:
    lines = locate.toml_lines(text) if kind == "toml" else locate.json_lines(text)
    line = locate.line_of(lines, wrong.path)
    return FileError(f"{title}{f', line {line}' if line else ''}: {wrong.message}")
