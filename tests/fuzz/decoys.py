"""Files around the folder of a hostile one, and who opens them: also where a C library does it, which Python's hooks do not see.

    surroundings/a/b/fuzz…/      the hostile file
    surroundings{,/a,/a/b}/      other.h5  secret.h5  outside  x  x.obj  a.bin  pos000.dat      what it could point to
"""

import ctypes
import os
import struct
import sys
from pathlib import Path

import h5py
import numpy as np

NAMES = ("outside", "x", "x.obj", "a.bin", "pos000.dat")
OPEN, FOLDER = 0x20, 0x40000000  # inotify: IN_OPEN, IN_ISDIR


def surround(base: Path) -> Path:
    """Make them; gives the folder that hostile ones belong in."""
    inner = base / "a" / "b"
    inner.mkdir(parents=True)
    for folder in (base, base / "a", inner):
        for name in ("other.h5", "secret.h5"):
            with h5py.File(folder / name, "w") as file:
                file["t"] = np.arange(10.0)
        for name in NAMES:
            (folder / name).write_bytes(b"v 0 0 0\n" * 10)
    return inner


class Watch:
    """Names of the decoys that were opened since the last look, by whatever process."""

    def __init__(self, inner: Path):
        self.handle = -1
        if sys.platform.startswith("linux"):
            libc = ctypes.CDLL(None, use_errno=True)
            self.handle = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
            for folder in (inner, inner.parent, inner.parents[1]):
                libc.inotify_add_watch(self.handle, os.fsencode(folder), OPEN)

    def opened(self) -> list[str]:
        found = []
        while self.handle >= 0:
            try:
                data = os.read(self.handle, 1 << 16)
            except BlockingIOError:
                break
            while data:
                _, mask, _, size = struct.unpack_from("iIII", data)
                if not mask & FOLDER:
                    found.append(data[16:16 + size].rstrip(b"\0").decode())
                data = data[16 + size:]
        return found

    def close(self) -> None:
        if self.handle >= 0:
            os.close(self.handle)
            self.handle = -1
