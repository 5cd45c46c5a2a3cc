"""Folders of many files (frames, pictures, the demo): all of the new ones or the old ones, and nobody else's.

    with filling("frames") as folder:
        folder.write("conf.txt", text)                  to a folder ``.dalembert.*.part`` inside, which nobody reads
        run.to_csv(folder.path("meshes/a.obj"))         or: where to write it
                                                        at the end: all of them are moved to their places

What is written is listed in ``.dalembert-files`` with a digest of each.  A file that is in the way and is not in the list, or not
as it was written, belongs to somebody else: nothing is touched and the folder is refused.  Files of the list that are not written
again are deleted.  One writer at a time: a second one is refused (parts.py).  Full disks and kills while files are made leave the
old ones as they were, and at most a folder ``.dalembert.*.part``, which the next writer removes.  The move itself is announced
in the list; where a kill falls into it, ``unfinished`` says so to readers, and writing again mends it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from dalembert.errors import FileError
from dalembert.io import atomic, parts
from dalembert.io.reading import read_bytes

LIST = ".dalembert-files"
FORMAT = "dalembert files 1"
Older = Callable[[str, bytes], bool]  # name, content: a file of ours from before there was a list?


@contextlib.contextmanager
def filling(folder: str | os.PathLike[str], older: Older | None = None) -> Iterator[Filling]:
    """A folder to fill; it is made if it is not there."""
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"cannot make the folder '{place}': {error.strerror or error}") from error
    try:
        with parts.alone(place):
            known, _ = _listed(place)
            with parts.stage(place) as stage:
                found = Filling(place, stage, known, None if (place / LIST).exists() else older)
                yield found
                found.settle()
    except OSError as error:
        raise FileError(f"cannot write to the folder '{place}': {error.strerror or error}") from error


def unfinished(folder: str | os.PathLike[str]) -> bool:
    """Whether writing was interrupted while files were moved to their places: then old and new ones may be mixed."""
    return _listed(Path(folder))[1]


class Filling:
    """Files on their way into a folder."""

    def __init__(self, place: Path, stage: Path, known: dict[str, list[str]], older: Older | None):
        self.place, self.stage, self.known, self.older = place, stage, known, older  # known: digests it may have, by name
        self.names: dict[str, None] = {}

    def path(self, name: str) -> Path:
        """Where to write a file (its name has / between parts); refused at once if somebody else's file has this name."""
        if not _plain(name):
            raise FileError(f"'{name}' cannot be the name of a file in '{self.place}'")
        self._free(name)
        self.names[name] = None
        file = self.stage / name
        file.parent.mkdir(parents=True, exist_ok=True)
        return file

    def write(self, name: str, content: str | bytes) -> None:
        atomic.put(self.path(name), content.encode() if isinstance(content, str) else content)

    def _free(self, name: str) -> None:
        """Refuse to take the place of what somebody else wrote."""
        target = self.place / name
        inner = target.parent
        if inner != self.place and inner.exists() and not inner.resolve().is_relative_to(self.place.resolve()):
            raise FileError(f"'{inner}' leads out of '{self.place}': nothing was written; choose another folder")
        if os.path.lexists(target) and not self._own(name):
            raise FileError(f"'{target}' is there already, and dalembert did not write it (or it was changed since): nothing was "
                            "touched; move it away or choose another folder")

    def _own(self, name: str) -> bool:
        target = self.place / name
        if target.is_symlink() or not target.is_file():
            return False
        with contextlib.suppress(FileError):
            data = read_bytes(target)
            return _digest(data) in self.known.get(name, ()) or (self.older is not None and self.older(name, data))
        return False

    def settle(self) -> None:
        """Everything is made: force it to the disk, and move it."""
        new = {}
        for name in filter(lambda n: (self.stage / n).is_file(), self.names):  # a name may have been reserved only
            new[name] = [_digest((self.stage / name).read_bytes())]
            atomic.sync(self.stage / name)
        for name in new:
            self._free(name)
        old = [n for n in self.known if n not in new and self._own(n)]
        both = {n: sorted({*self.known.get(n, ()), *new.get(n, ())}) for n in (*self.known, *new)}
        _write_list(self.place, both, "moving")
        for name in new:
            (self.place / name).parent.mkdir(parents=True, exist_ok=True)
            os.replace(self.stage / name, self.place / name)
        for name in old:
            (self.place / name).unlink()
        for inner in {(self.place / n).parent for n in new}:
            atomic.sync_folder(inner)
        _write_list(self.place, new, "whole")


def _write_list(place: Path, files: dict[str, list[str]], state: str) -> None:
    atomic.write_text(place / LIST, json.dumps({"format": FORMAT, "state": state, "files": files}, indent=0) + "\n")


def _listed(place: Path) -> tuple[dict[str, list[str]], bool]:
    """The list of a folder, as far as it can be believed, and whether a move was interrupted."""
    if not (place / LIST).is_file():
        return {}, False
    try:
        found = json.loads(read_bytes(place / LIST, 100_000_000))
    except (ValueError, RecursionError):
        found = None
    files = found.get("files") if isinstance(found, dict) and found.get("format") == FORMAT else None
    if not isinstance(files, dict):
        raise FileError(f"'{place / LIST}' is not the list that dalembert keeps of its files there: choose another folder")
    known = {n: [d for d in digests if isinstance(d, str)] for n, digests in files.items()
             if _plain(n) and isinstance(digests, list)}
    return known, found.get("state") != "whole"


def _plain(name: str) -> bool:
    """A name below the folder, and no way round."""
    parts = PurePosixPath(name).parts
    return bool(parts) and not PurePosixPath(name).is_absolute() and not any(p in ("..", ".") for p in parts) and (
        not any(c in name for c in "\0\\:") and parts[0] != LIST and name == "/".join(parts))


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=12).hexdigest()
