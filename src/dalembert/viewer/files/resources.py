"""Where the course's files lie: beside conf.txt, and where resources.cfg beside it says.

    # Resources required
    [General]
    Zip=resources/models.zip              an archive: its files are found by their names, whatever folder inside they lie in
    FileSystem=./resources                a folder
    [Data]
    Zip=resources/data.zip                the frames may lie in an archive too

Sections are for Ogre; here every place is looked through for frames, meshes and materials, in order: the folder of conf.txt, its
``resources`` and ``meshes``, then the places of resources.cfg.  A place that is missing or leads out of the folder of conf.txt is
left out with a note.  Archives are somebody else's: members are unpacked one at a time, none beyond what its kind may have,
all together no more than a hundred times the archive's own size.
"""

from __future__ import annotations

import io
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dalembert.errors import FileError
from dalembert.io.reading import below, read_bytes

CONFIGURATION = "resources.cfg"
LARGEST = 1_000_000_000  # bytes of an archive
MEMBERS = 200_000
FACTOR, FLOOR = 100, 10_000_000  # what an archive may unpack to
MOST = 100  # places in resources.cfg
_BAD = (ValueError, KeyError, OSError, EOFError, RuntimeError, NotImplementedError, OverflowError, AttributeError, TypeError,
        struct.error, zlib.error, zipfile.BadZipFile, zipfile.LargeZipFile)


@dataclass(frozen=True)
class Source:
    """A file in a folder or in an archive."""

    name: str  # without folders
    title: str  # for messages
    content: Callable[[int], bytes]  # with at most so many bytes


def in_folder(path: Path) -> Source:
    return Source(path.name, str(path), lambda largest: read_bytes(path, largest))


class Archive:
    """The files of a .zip, by name."""

    def __init__(self, path: Path):
        self.path = path
        data = read_bytes(path, LARGEST)
        if data.count(b"PK\1\2") > MEMBERS:
            raise FileError(f"'{path}' has more than {MEMBERS:,} members; no more are read")
        self.left = FACTOR * len(data) + FLOOR
        try:
            self.file = zipfile.ZipFile(io.BytesIO(data))
            members = self.file.infolist()
        except _BAD as error:
            raise FileError(f"'{path}' cannot be read as a zip archive: {str(error) or type(error).__name__}") from None
        self.members: dict[str, zipfile.ZipInfo] = {}
        for m in members:
            if name := os.path.basename(m.filename.replace("\\", "/")):  # folders end with a slash; damaged members may have no name
                self.members.setdefault(name, m)

    def content(self, name: str, largest: int) -> bytes:
        info = self.members[name]
        title = f"'{name}' in '{self.path}'"
        if info.flag_bits & 1 or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise FileError(f"{title} is encrypted or packed in a way that is not read; pack it again (deflate, no password)")
        try:
            with self.file.open(info) as member:
                data = member.read(min(largest, self.left) + 1)
        except _BAD as error:
            raise FileError(f"{title} cannot be unpacked: {str(error) or type(error).__name__}") from None
        if len(data) > largest:
            raise FileError(f"{title} has more than {largest:,} bytes; no more are read here")
        self.left -= len(data)
        if self.left < 0:
            raise FileError(f"'{self.path}' unpacks to more than {FACTOR} times its size: it is not what it should be")
        return data


class Shelf:
    """Every place where files of a conf.txt may lie."""

    def __init__(self, folder: Path):
        self.folder, self.notes = folder, []  # type: Path, list[str]
        self.places: list[Path | Archive] = [p for p in (folder, folder / "resources", folder / "meshes",
                                                         folder / "resources" / "meshes") if os.path.isdir(p)]
        for kind, name in self._configured():
            path = folder / name
            if os.path.isabs(name) or not below(path, [folder]):
                self.notes.append(f"{CONFIGURATION}: '{name}' lies outside the folder of conf.txt and is not read")
            elif not (os.path.isfile(path) if kind == "zip" else os.path.isdir(path)):
                self.notes.append(f"{CONFIGURATION}: '{name}' is not there")
            elif kind == "zip":
                self.places.append(Archive(path))
            elif path.resolve() not in [p.resolve() for p in self.places if isinstance(p, Path)]:
                self.places.append(path)

    def _configured(self) -> Iterator[tuple[str, str]]:
        path = self.folder / CONFIGURATION
        if not os.path.isfile(path) or not below(path, [self.folder]):
            return
        count = 0
        for k, line in enumerate(read_bytes(path, 1_000_000).decode("utf-8", errors="replace").splitlines(), 1):
            text = line.split("#")[0].strip()
            if not text or text.startswith(("@", "[")):
                continue
            kind, sign, name = (x.strip() for x in text.partition("="))
            if not sign or not name or "\0" in name:
                raise FileError(f"{path}, line {k}: expected a place as 'Zip=resources/data.zip' or 'FileSystem=./resources', "
                                f"found '{line.strip():.100}'")
            if kind.lower() not in ("zip", "filesystem"):
                self.notes.append(f"{CONFIGURATION}: places of the kind '{kind:.40}' are not read")
                continue
            count += 1
            if count > MOST:
                raise FileError(f"{path}, line {k}: more than {MOST} places")
            yield kind.lower(), name.replace("\\", "/")

    def find(self, name: str) -> Source | None:
        """The first file of this name; it may have folders in it where the places are folders."""
        for place in self.places:
            if isinstance(place, Archive):
                base = os.path.basename(name)
                if base in place.members:
                    return self._packed(place, base)
            elif "\0" not in name and os.path.isfile(place / name) and below(place / name, [self.folder]):
                return in_folder(place / name)
        return None

    def matching(self, pattern: re.Pattern[str], folder: Path | None = None) -> dict[str, Source]:
        """Files by name, those of earlier places first; ``folder`` is looked through before all places."""
        found: dict[str, Source] = {}
        for place in [*([folder] if folder is not None and os.path.isdir(folder) else []), *self.places]:
            if isinstance(place, Archive):
                for name in filter(pattern.fullmatch, place.members):
                    found.setdefault(name, self._packed(place, name))
                continue
            try:
                names = sorted(filter(pattern.fullmatch, os.listdir(place)))
            except OSError as error:
                raise FileError(f"cannot look into '{place}': {error.strerror or error}") from error
            for name in names:
                if name not in found and below(place / name, [self.folder]):
                    found[name] = in_folder(place / name)
        return found

    def _packed(self, archive: Archive, name: str) -> Source:
        return Source(name, f"{archive.path}: {name}", lambda largest: archive.content(name, largest))
