"""Endings of file names: a name that promises another kind of file is refused before anything is computed or written.

A viewer, a spreadsheet or this package itself goes by the ending; a page called x.png opens nowhere.  Names without an ending and
endings that mean nothing here (.dat, .txt) are the user's own affair.
"""

from __future__ import annotations

import os
from pathlib import Path

from dalembert.errors import FileError

_PICTURE, _VIDEO = ("a picture", "run.render, run.plot or da.fbd"), ("a video", "run.render")
_TABLE, _MODEL = ("a table", "to_csv or to_parquet"), ("a model", "model.save")
MEANT = {
    ".png": _PICTURE, ".jpg": _PICTURE, ".jpeg": _PICTURE, ".svg": _PICTURE, ".pdf": _PICTURE, ".gif": _VIDEO, ".mp4": _VIDEO,
    ".mov": _VIDEO, ".mkv": _VIDEO, ".webm": _VIDEO, ".csv": _TABLE, ".parquet": _TABLE, ".toml": _MODEL, ".urdf": _MODEL,
    ".html": ("a page", "run.view"), ".htm": ("a page", "run.view"), ".h5": ("a result", "run.save"),
    ".glb": ("a 3-D scene", "run.export"), ".gltf": ("a 3-D scene", "run.export"), ".tex": ("LaTeX", "derive(…).latex()"),
}


def fits(path: str | os.PathLike[str], own: tuple[str, ...], kind: str) -> None:
    """Refuse a name that ends like another kind of file; own: endings of this kind, the usual one first."""
    file = Path(path)
    ending = file.suffix.lower()
    if ending in own or ending not in MEANT:
        return
    what, by = MEANT[ending]
    raise FileError(f"'{file.name}' is the name of {what}, and {kind} would be written: call it '{file.with_suffix(own[0]).name}'"
                    f" ({what}: {by})")
