"""What can be opened: a model file of the folder, a mechanism of the catalogue, a new plane or space, a model from Python.

Paths from the browser are names below the folder the studio was started in; whatever leads out of it is refused.  Descriptions
of other programs (URDF, MJCF) become documents without a file: saving gives them one.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Any

from dalembert.catalog import EVERY
from dalembert.errors import FileError
from dalembert.io import toml
from dalembert.io.document import document
from dalembert.io.files import SIZE, dumps, load_model
from dalembert.io.importers import IMPORTERS
from dalembert.io.reading import read_bytes, relative
from dalembert.model.model import Model
from dalembert.workshop.edits import entries
from dalembert.workshop.history import History
from dalembert.workshop.paper import Paper

NEW = {2: "dalembert = 1\nname = \"mechanism\"\ndim = 2\ngravity = [0, -9.81]\n",
       3: "dalembert = 1\nname = \"mechanism\"\ndim = 3\ngravity = [0, 0, -9.81]\n"}
MOST = 500  # files offered
KINDS = (".toml", ".json", *(k for k in IMPORTERS if k != ".xacro"))


class Opened:
    """A history, and what goes with it: how long to look, elements that hold code, a word to the reader."""

    def __init__(self, history: History, until: float = 5.0, code: dict[str, Any] | None = None, note: str = ""):
        self.history, self.until, self.code, self.note = history, until, code or {}, note


def inside(folder: Path, name: Any) -> Path:
    """The path of a file named by the browser: below the folder, whatever links say."""
    parts = PurePosixPath(name).parts if isinstance(name, str) else ()
    if not parts or PurePosixPath(name).is_absolute() or any(p in ("..", ".") or p.startswith(".") for p in parts) or any(
            c in name for c in "\0\\:\n"):
        raise FileError(f"{str(name)[:80]!r} is no name of a file in this folder")
    path, base = folder / name, folder.resolve()
    if not path.resolve().is_relative_to(base):
        raise FileError(f"'{name}' leads out of the folder the studio was started in")
    return path


def listed(folder: Path) -> list[str]:
    """Model files in the folder and one level below, by name."""
    found = [p.relative_to(folder).as_posix() for pattern in ("*", "*/*") for p in sorted(folder.glob(pattern))
             if p.suffix.lower() in KINDS and p.is_file() and not any(x.startswith(".") for x in p.relative_to(folder).parts)]
    return found[:MOST]


def new(dim: Any) -> Opened:
    """An empty plane or space."""
    if dim not in (2, 3) or isinstance(dim, bool):
        raise FileError("a new model is a plane (2) or a space (3)")
    return Opened(History(Paper(NEW[dim])))


def from_catalogue(name: Any) -> Opened:
    """A copy of a ready mechanism."""
    if not isinstance(name, str) or name not in EVERY:
        raise FileError(f"there is no mechanism {str(name)[:60]!r} in the catalogue")
    entry = EVERY[name]
    return from_model(entry.make(), entry.until)


def from_file(path: Path) -> Opened:
    """A model file, or a description of another program."""
    if path.suffix.lower() in IMPORTERS:
        opened = from_model(load_model(path))
        opened.note = f"read from {path.name}; saving writes a model file of its own"
        return opened
    kind = path.suffix.lower().lstrip(".")
    if kind not in SIZE:
        raise FileError(f"'{path.name}' is no model file: {', '.join(KINDS)} are opened")
    data = read_bytes(path, 4 * SIZE[kind])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileError(f"'{path.name}' is not text in UTF-8") from None
    return Opened(History(Paper(text, kind), path, saved=True))


def from_model(model: Model, until: float = 5.0, folder: Path | None = None) -> Opened:
    """A model from Python; laws that are functions stay with their elements, and the text says so."""
    code = {}
    try:
        text = dumps(model, "toml", folder) if folder else toml.dumps(document(model))
    except FileError:
        plain = document(model, (lambda f: relative(f, folder)) if folder else None, describe_functions=True)
        code = {e.name: e for e in (*model.elements.values(), *model.bodies.values()) if _holds_code(plain, e.name)}
        text = toml.dumps(plain)
    return Opened(History(Paper(text)), until, code)


def _holds_code(plain: dict, name: str) -> bool:
    def inside_of(value: Any) -> bool:
        if isinstance(value, dict):
            return "function" in value or any(inside_of(x) for x in value.values())
        return isinstance(value, list) and any(inside_of(x) for x in value)

    return any(entry.get("name") == name and any(inside_of(v) or k == "function" for k, v in entry.items())
               for _, _, entry in entries(plain))
