"""Files that are either the old one or the whole new one.

The new content goes to a temporary file in the same folder, is forced to the disk, and takes the old one's place by a
rename, which file systems do at once.  A crash, a kill or a full disk leaves the previous file untouched (and perhaps a
temporary file ``.name.*.part``, which nobody reads).
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from dalembert.errors import FileError


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Path of a temporary file to write; when the block ends well it takes the place of ``path``."""
    target = Path(path)
    try:
        target = target.resolve() if target.is_symlink() else target  # what a link points to is replaced, not the link
        special = target.exists() and not target.is_file()
        if target.is_dir():
            raise FileError(f"cannot write '{path}': it is a folder")
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=None if special else target.parent)
        os.close(handle)
    except OSError as error:
        raise FileError(f"cannot write '{path}': {error.strerror or error}") from error
    except ValueError as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"cannot write {str(path)!r}: {error}") from None
    part = Path(name)
    try:
        yield part
        if special:  # a pipe or a device takes the content as it comes
            with open(part, "rb") as source, open(target, "wb") as sink:
                shutil.copyfileobj(source, sink)
            return
        _sync(part, os.O_RDWR)
        os.chmod(part, _mode(target))
        os.replace(part, target)
        with contextlib.suppress(OSError):  # the folder's own entry; not every system knows this
            _sync(target.parent)
    except OSError as error:
        raise FileError(f"cannot write '{target}': {error.strerror or error}") from error
    finally:
        with contextlib.suppress(OSError):
            part.unlink()


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file at once."""
    with replacing(path) as part:
        part.write_bytes(text.encode("utf-8"))


def _sync(path: Path, flags: int = os.O_RDONLY) -> None:
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _mode(target: Path) -> int:
    """Permissions of the file that is replaced, or those a new file would get."""
    with contextlib.suppress(OSError):
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
