"""Reading what others wrote: an ordinary file, no larger than what is reasonable, below the folder it belongs to.

A pipe or a device under a file's name would wait or flow for ever; a path in a file may lead anywhere.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from dalembert.errors import FileError

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
LARGEST = 1_000_000_000  # bytes, where the caller knows no better
BLOCK = 1 << 20


def read_bytes(path: str | os.PathLike[str], largest: int = LARGEST, what: str = "") -> bytes:
    """The content of an ordinary file; ``what`` begins the message when it cannot be had."""
    begin = f"{what}: " if what else ""
    try:
        handle = os.open(path, _FLAGS)
        with os.fdopen(handle, "rb") as file:
            about = os.fstat(handle)
            if not stat.S_ISREG(about.st_mode):
                raise FileError(f"{begin}cannot read '{path}': it is not an ordinary file")
            if about.st_size > largest:
                raise FileError(f"{begin}'{path}' has {about.st_size:,} bytes; at most {largest:,} are read here")
            parts = [file.read(about.st_size + 1)]  # not the largest: limits on addresses (ulimit -v) count what is asked for
            while sum(map(len, parts)) <= largest and (more := file.read(BLOCK)):  # it grows, or does not tell its size
                parts.append(more)
            if sum(map(len, parts)) > largest:
                raise FileError(f"{begin}'{path}' has more than {largest:,} bytes, which are the most that are read here")
            return parts[0] if len(parts) == 1 else b"".join(parts)
    except OSError as error:
        raise FileError(f"{begin}cannot read '{path}': {error.strerror or error}") from error
    except (ValueError, TypeError) as error:  # a name with a null in it
        if isinstance(error, FileError):
            raise
        raise FileError(f"{begin}cannot read {path!r}: {error}") from None


def below(path: str | os.PathLike[str], folders: Iterable[str | os.PathLike[str]]) -> bool:
    """Whether a path, with its links followed, ends in one of the folders or below."""
    try:
        real = Path(path).resolve()
        return any(real.is_relative_to(Path(folder).resolve()) for folder in folders)
    except (OSError, ValueError, RuntimeError):  # names no system allows, rings of links
        return False


def relative(file: str | os.PathLike[str], folder: str | os.PathLike[str]) -> str:
    """A mesh file as a description in ``folder`` names it: the path from there; it must lie in it or below."""
    base, target = Path(folder).resolve(), Path(file).resolve()
    if not target.is_relative_to(base):
        raise FileError(f"the mesh '{file}' does not lie in the folder '{folder}' of the model file: copy it there first, files "
                        "outside cannot be named")
    return target.relative_to(base).as_posix()
