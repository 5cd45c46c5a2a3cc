"""Mechanisms by name or by file: look one up, complete one that is half typed, say which are near when there is none.

Whatever takes the name of a mechanism also takes a model file (.toml, .json, and what io/importers.py lists) or a result
(.h5), whose model is used.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from dalembert.cli import shell
from dalembert.errors import ModelError
from dalembert.io.importers import IMPORTERS

FILES = (".toml", ".json", ".h5", *IMPORTERS)
UNTIL = 10.0  # s, the span of a mechanism that says nothing of its own


@dataclass(frozen=True)
class FileEntry:
    """A mechanism in a file; the same manner as an entry of the catalogue."""

    name: str
    file: Path
    until: float = UNTIL
    tags: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        return self.name

    source = "file"

    def make(self) -> Any:
        if self.file.suffix.lower() == ".h5":
            from dalembert.results.load import load

            return load(self.file).model
        from dalembert.io.files import load_model

        return load_model(self.file)


def every() -> dict[str, Any]:
    """All that has a name: mechanisms, controlled machines, what rubs, bodies that touch."""
    from dalembert.catalog import EVERY

    return EVERY


def entry(name: str) -> Any:
    """The mechanism of that name or in that file; if there is none, an error that lists the nearest names."""
    known = every()
    if name in known:
        return known[name]
    if Path(name).suffix.lower() in FILES:
        return FileEntry(Path(name).stem, Path(name))
    folded = {k.casefold(): k for k in known}
    near = [folded[n] for n in difflib.get_close_matches(name.casefold(), folded, n=3, cutoff=0.4)]
    near += [k for k in known if name.casefold() in k.casefold() and k not in near]
    hint = f"; the nearest are {', '.join(near[:5])}" if near else ""
    raise ModelError(
        f"there is no mechanism '{name}' in the catalogue{hint}. 'dalembert list' shows all {len(known)}."
    )


def complete(incomplete: str) -> list[str]:
    """Names and files that begin like this, for the shell."""
    here = Path(incomplete).parent if "/" in incomplete else Path()
    files = [str(f) for f in sorted(here.glob("*")) if f.suffix in FILES or f.is_dir()] if here.is_dir() else []
    return [name for name in (*every(), *files) if name.startswith(incomplete)]


Name = Annotated[
    str,
    shell.Argument(
        metavar="MODEL",
        help=f"A model file ({', '.join(f for f in FILES if f != '.h5')}), a result (.h5), or a mechanism of the catalogue, see "
        "'dalembert list'.",
        autocompletion=complete,
    ),
]
