"""Unfinished files and folders: who is writing them, and which ones a killed process left.

    .NAME.TOKEN-MACHINE.part      TOKEN: 16 digits nobody can guess; MACHINE: digest of this machine's name

Whoever makes one holds a lock on it (flock), which ends with the process however that ends.  So a part of this form, made on this
machine by this user, whose lock is free, is what a killed writer left: ``tidy`` removes those, and nothing else.  The lock of
a new part can be lost to somebody who tidies before it is taken; then the part is gone and another is made (``claim``).
Where there are no such locks (Windows, some file systems), nothing is tidied.

A folder that is being filled is locked as a whole (``alone``): two writers would mix their files.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import os
import platform
import re
import secrets
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from dalembert.errors import FileError

LOCKS = importlib.util.find_spec("fcntl") is not None
_QUIET = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_held: set[int] = set()  # folders' handles: forked processes let go of them
_tidied: set[tuple[int, int]] = set()  # folders looked through by this process


@functools.cache
def _machine() -> str:
    return hashlib.blake2b(platform.node().encode("utf-8", "replace"), digest_size=4).hexdigest()


def named(name: str) -> str:
    """Name of a new part of the file or folder ``name``."""
    short = os.fsencode(name)[:150].decode("utf-8", "ignore")  # names are limited in bytes
    return f".{short}.{secrets.token_hex(8)}-{_machine()}.part"


def take(handle: int) -> bool | None:
    """Lock an open file or folder for this process; False if another has it, None where there are no such locks."""
    if not LOCKS:
        return None
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _release(handle: int) -> None:
    """By name: a process forked a moment ago may still have its copy open."""
    if LOCKS:
        import fcntl

        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_UN)


def claim(handle: int, part: Path) -> bool:
    """Lock a part just made; False if somebody who tidies was faster (it is gone, or will be)."""
    return take(handle) is not False and os.path.lexists(part)


def tidy(folder: Path, again: bool = False) -> None:
    """Remove what killed processes left in a folder; once in a process, or ``again``."""
    with contextlib.suppress(OSError):
        status = folder.stat()
        if again or (status.st_dev, status.st_ino) not in _tidied:
            _tidied.add((status.st_dev, status.st_ino))
            left = re.compile(rf"\..+\.[0-9a-f]{{16}}-{_machine()}\.part", re.DOTALL)
            for name in filter(left.fullmatch, os.listdir(folder)):
                with contextlib.suppress(OSError):
                    _remove(folder / name)


def _remove(part: Path) -> None:
    handle = os.open(part, os.O_RDONLY | _QUIET)
    try:
        status = os.fstat(handle)
        if (hasattr(os, "getuid") and status.st_uid != os.getuid()) or not take(handle):
            return
        if stat.S_ISDIR(status.st_mode):
            shutil.rmtree(part, ignore_errors=True)
        elif stat.S_ISREG(status.st_mode):
            os.unlink(part)
    finally:
        os.close(handle)


# ------------------------------------------------------------------------------------------------------------- folders


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Be the only one who fills a folder; refused if somebody else does."""
    with _open(folder) as handle:
        if handle is not None and take(handle) is False:
            raise FileError(f"another process (or another call in this one) is writing to the folder '{folder}' at this moment: "
                            "wait until it has ended, or choose another folder")
        yield


@contextlib.contextmanager
def stage(folder: Path) -> Iterator[Path]:
    """A new folder inside, locked; it is removed at the end."""
    tidy(folder, again=True)
    while True:
        part = folder / named("dalembert")
        part.mkdir(mode=0o700)
        with _open(part) as handle:
            if handle is None or claim(handle, part):
                try:
                    yield part
                finally:
                    shutil.rmtree(part, ignore_errors=True)
                return


@contextlib.contextmanager
def _open(folder: Path) -> Iterator[int | None]:
    """A handle of a folder; None where folders cannot be opened."""
    try:
        handle = os.open(folder, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        yield None
        return
    _held.add(handle)
    try:
        yield handle
    finally:
        if handle in _held:
            _held.discard(handle)
            _release(handle)
            os.close(handle)


def _let_go() -> None:
    for handle in _held:
        with contextlib.suppress(OSError):
            os.close(handle)
    _held.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)
