"""Folders of compiled code that nobody uses any more (another numba, another CPU, sources elsewhere) go after a month.

Looked at when a new folder is made.  A folder is *used* when a process asks for it: its time of change is set then, once a day at
most, and what killed processes left half written in it goes.  An old one is first renamed, which happens at once or not at
all: a process that asked for it in the meantime has set its time, and it is given back its name; one that comes later makes a
new one.  Only folders with the name of a key, that are the user's own, are touched.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import stat
import time
from pathlib import Path

DAY = 86400.0
UNUSED = 30 * DAY
_KEY = re.compile(r"[0-9a-f]{16}(\.old-[0-9a-f]{16})?")


def used(folder: Path) -> None:
    """The folder is in use today."""
    with contextlib.suppress(OSError):
        if time.time() - folder.stat().st_mtime > DAY:
            for part in folder.glob("*.part"):  # of processes that were killed: nobody writes for a day
                with contextlib.suppress(OSError):
                    if time.time() - part.lstat().st_mtime > DAY:
                        part.unlink()
            os.utime(folder)


def clean(root: Path, present: Path) -> list[str]:
    """Remove what is too old beside the folder in use; the names of what went."""
    gone = []
    for folder in _listed(root):
        if folder.name != present.name and _KEY.fullmatch(folder.name) and _old(folder):
            aside = folder if ".old-" in folder.name else folder.with_name(f"{folder.name}.old-{secrets.token_hex(8)}")
            with contextlib.suppress(OSError):
                if aside != folder:
                    folder.rename(aside)
                if _old(aside):
                    shutil.rmtree(aside, ignore_errors=True)
                    gone.append(folder.name)
                elif not folder.exists():
                    aside.rename(folder)
    return gone


def _listed(root: Path) -> list[Path]:
    try:
        return sorted(root.iterdir())
    except OSError:
        return []


def _old(folder: Path) -> bool:
    try:
        status = folder.lstat()
    except OSError:
        return False
    own = not hasattr(os, "getuid") or status.st_uid == os.getuid()
    return own and stat.S_ISDIR(status.st_mode) and time.time() - status.st_mtime > UNUSED
