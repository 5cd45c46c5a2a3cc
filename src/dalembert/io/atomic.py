"""Files that are either the old one or the whole new one: the only place of the package that opens a file for writing.

The new content goes to a temporary file in the same folder, is forced to the disk, and takes the old one's place by a
rename, which file systems do at once; then the folder's entry is forced to the disk too.  A crash, a kill or a full disk leaves
the previous file untouched (and perhaps a temporary file ``.name.*.part``, which the next writer there removes: parts.py).

The temporary file has a name nobody can guess and is made anew (O_EXCL, O_NOFOLLOW): what somebody put there beforehand, a
symbolic link for instance, is neither followed nor overwritten.  It is written through its handle, never opened again by name.
Many files of one folder: folders.py.  A file that grows line by line: ``appending``.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, BinaryIO, TextIO

from dalembert.errors import FileError
from dalembert.io import parts

PathLike = str | os.PathLike[str]
_PLAIN = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | _PLAIN


@contextlib.contextmanager
def replacing(path: PathLike, mode: int | None = None) -> Iterator[BinaryIO]:
    """A new binary file to write to; when the block ends well it takes the place of ``path``, with its mode or this."""
    target = _target(path)
    try:
        special = target.exists() and not target.is_file()
        handle, part = (tempfile.TemporaryFile(), None) if special else _fresh(target)  # noqa: SIM115
    except OSError as error:
        raise _refusal(path, error) from error
    try:
        with handle as file:
            yield file
            file.flush()
            if part is None:  # a pipe or a device takes the content as it comes
                _pour(file, target)
                return
            os.fsync(file.fileno())
            _permit(file.fileno(), part, _mode(target) if mode is None else mode)
            if not parts.LOCKS:
                file.close()  # Windows renames closed files only; elsewhere the lock is held until the part has its name
            os.replace(part, target)
            part = None
        sync_folder(target.parent)
    except OSError as error:
        raise _refusal(target, error) from error
    finally:
        if part is not None:
            with contextlib.suppress(OSError):
                part.unlink()


@contextlib.contextmanager
def replacing_text(path: PathLike, newline: str = "\n") -> Iterator[TextIO]:
    """The same for text, in UTF-8."""
    with replacing(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline=newline)
        yield text
        text.flush()
        text.detach()


def write_text(path: PathLike, text: str) -> None:
    """Write a text file at once."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: PathLike, data: bytes | memoryview) -> None:
    """Write a file at once."""
    with replacing(path) as file:
        file.write(data)


def put(path: Path, data: bytes) -> None:
    """A new file where there is none (the folder is ours); it is forced to the disk later, by ``sync``."""
    with os.fdopen(os.open(path, _NEW, 0o666), "wb") as file:
        file.write(data)


def sync(path: Path) -> None:
    """Force a file's content to the disk."""
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def temporary(text: str, prefix: str, suffix: str) -> Path:
    """A new file in the system's folder for temporary files, with a name of its own."""
    try:
        handle, name = tempfile.mkstemp(prefix=prefix, suffix=suffix)
        with open(handle, "wb") as file:
            file.write(text.encode("utf-8"))
    except OSError as error:
        raise _refusal(tempfile.gettempdir(), error) from error
    return Path(name)


def appending(path: PathLike) -> tuple[int, bool]:
    """A descriptor to read and append to a file that grows, made if it is not there, and whether it is an ordinary file."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | _PLAIN, 0o666)
    return handle, stat.S_ISREG(os.fstat(handle).st_mode)


def writable(path: PathLike) -> None:
    """Refuse a place that cannot be written to, before the work and not after it."""
    target = _target(path)
    try:
        if target.exists() and not target.is_file():
            return
        handle, part = _fresh(target)
        handle.close()
        part.unlink(missing_ok=True)
    except OSError as error:
        raise _refusal(path, error) from error


def sync_folder(folder: Path) -> None:
    """Force a folder's entries to the disk; not every system knows this."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _target(path: PathLike) -> Path:
    """The file meant: what a link points to is replaced, not the link."""
    try:
        target = Path(path)
        if "\0" in str(target):
            raise ValueError("a file name cannot contain a null")
        target = target.resolve() if target.is_symlink() else target
        if target.is_dir():
            raise FileError(f"cannot write '{path}': it is a folder")
        return target
    except OSError as error:
        raise _refusal(path, error) from error
    except (TypeError, ValueError, RuntimeError) as error:  # RuntimeError: links in a ring, before Python 3.13
        if isinstance(error, FileError):
            raise
        raise FileError(f"cannot write {path!r}: {error}") from None


def _fresh(target: Path) -> tuple[BinaryIO, Path]:
    """A file that did not exist, in the folder of ``target``."""
    parts.tidy(target.parent)
    while True:
        part = target.with_name(parts.named(target.name))
        handle = os.fdopen(os.open(part, _NEW, 0o600), "w+b")
        if parts.claim(handle.fileno(), part):
            return handle, part
        handle.close()


def _pour(source: IO[bytes], target: Path) -> None:
    source.seek(0)
    with open(target, "wb") as sink:
        shutil.copyfileobj(source, sink)


def _refusal(path: PathLike, error: OSError) -> FileError:
    folder = Path(path).parent
    missing = "" if folder.is_dir() else f" (the folder '{folder}' does not exist)"
    return FileError(f"cannot write '{os.fspath(path)}': {error.strerror or error}{missing}")


def _permit(handle: int, part: Path, mode: int) -> None:
    """By the handle where the system can: a name may be another file's meanwhile."""
    if hasattr(os, "fchmod"):
        os.fchmod(handle, mode)
    else:
        os.chmod(part, mode)


def _mode(target: Path) -> int:
    """Permissions of the file that is replaced, or those a new file would get."""
    with contextlib.suppress(OSError):
        return target.stat().st_mode & 0o777
    probe = target.with_name(parts.named(target.name))  # asking for the umask would change it for other threads
    handle = os.open(probe, _NEW, 0o666)
    try:
        return os.fstat(handle).st_mode & 0o777
    finally:
        os.close(handle)
        probe.unlink(missing_ok=True)
