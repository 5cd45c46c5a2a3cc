"""Seals: results that this user wrote are known again, and need no looking through.

The checksum of a result finds damage; whoever alters a file can make a new one.  A *seal* is a keyed digest (BLAKE2b, 16 bytes)
of the same content, under a random key that only this user can read:

    results.key      32 bytes in the user's cache folder ($DALEMBERT_CACHE, $XDG_CACHE_HOME/dalembert, ~/.cache/dalembert), 0600

A folder or key that belongs to somebody else, or that others can write, is not used; a key that others could read, or that is
not whole, is made anew.  Without a key nothing is sealed and nothing is recognised: every file is looked through (apart.py).
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import stat
from pathlib import Path

from dalembert._jit.store import base_folder, foreign, temporary_folder
from dalembert.errors import FileError
from dalembert.io import atomic

NAME, BYTES = "results.key", 32
_PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def sealing(key: bytes) -> hashlib.blake2b:
    """A digest to be fed with the content of a file."""
    return hashlib.blake2b(digest_size=16, key=key, person=b"dalembert result")


def key(make: bool = False) -> bytes | None:
    """The user's key, made if there is none and ``make``; None if none can be trusted or kept."""
    try:
        folder = base_folder()
        if make:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        open_to_all = folder == temporary_folder()  # anybody may have put a link there
        if foreign(folder.lstat() if open_to_all else folder.stat(), stat.S_ISDIR):
            return None
        found = _read(folder / NAME)
        if found is None and make:
            with contextlib.suppress(FileNotFoundError):
                status = (folder / NAME).lstat()
                if not stat.S_ISREG(status.st_mode) or (hasattr(os, "getuid") and status.st_uid != os.getuid()):
                    return None  # it is not ours to replace
            with atomic.replacing(folder / NAME, mode=0o600) as handle:
                handle.write(secrets.token_bytes(BYTES))
            found = _read(folder / NAME)  # the last of several processes that made one
        return found
    except (OSError, FileError, RuntimeError):
        return None


def _read(path: Path) -> bytes | None:
    try:
        handle = os.open(path, os.O_RDONLY | _PLAIN)
    except OSError:
        return None
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        if foreign(status) or (os.name == "posix" and status.st_mode & 0o077):
            return None
        found = file.read(BYTES + 1)
    return found if len(found) == BYTES else None
