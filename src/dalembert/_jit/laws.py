"""Compiled laws, kept: in the process by what they are, and on disk for later processes, which then need no numba.

    function ──shipment──▶ key ──▶ in this process? on disk? ──▶ else compiled by the lawmaker's process

Kept is also that a function cannot be compiled, or gives other numbers than Python: it is not tried again.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import pickle
import struct
import subprocess
import sys
import threading
from collections import OrderedDict
from typing import Any

from . import loader, store
from .shipment import Undescribable, pack

IN_PROCESS, ON_DISK, PER_WORKER = 32, 1024, 100  # laws kept here and there; compiled by one process before it is renewed
DIFFERS = "compiled, it gives other values than Python: "
_known: OrderedDict[str, tuple[loader.Library | None, str, str]] = OrderedDict()  # key → library, symbol, why there is none


class Kept:
    """What is known of a function: its code's address, or in words why there is none."""

    def __init__(self, key: str, library: loader.Library | None, symbol: str, refused: str):
        self.key, self.library, self.refused = key, library, refused
        self.address = library[symbol] if library is not None else 0

    def spoil(self, reason: str) -> None:
        """Compiled it was seen to differ: from now on this function is called back."""
        reason = DIFFERS + reason
        if self.key:
            _remember(self.key, None, "", reason)
            save(self.key, {"refused": reason})


def find(function, kind: str, sizes, differs) -> Kept:
    """The function compiled, or why not.  ``differs(address)`` compares it with Python before it is used for the first time."""
    try:
        shipment = pack(function)
    except Undescribable as error:
        return Kept("", None, "", f"it depends on something outside that may change: {error}")
    key = f"law-{store.digest(repr((kind, sizes, _maker())).encode() + shipment)}"
    with loader.LOCK:  # another thread may drop it from there at any time
        found = _known.get(key)
        if found is not None:
            _known.move_to_end(key)
    if found is None:
        found = from_disk(key) or _made(key, shipment, kind, sizes, differs)
        _remember(key, *found)
    return Kept(key, *found)


@functools.cache
def _maker() -> str:
    """Digest of the sources that make code of laws: what an earlier version made is not what this one would."""
    files = (store.PACKAGE / "_jit" / f"{name}.py" for name in ("lawmaker", "shipment", "loader"))
    return store.digest(b"".join(file.read_bytes() for file in files))


def _remember(key, library, symbol, refused) -> None:
    with loader.LOCK:
        _known[key] = (library, symbol, refused)
        _known.move_to_end(key)
        while len(_known) > IN_PROCESS:
            _known.popitem(last=False)


def from_disk(key: str):
    try:
        found = store.read(store.cache_folder(), key)
        if not isinstance(found, tuple):
            return None  # none, or damaged: it is made again
        data, meta = found
        if meta.get("refused"):
            return None, "", str(meta["refused"])
        return loader.load(data, [meta["symbol"]]), meta["symbol"], ""
    except (OSError, RuntimeError, KeyError, TypeError):
        return None


def _made(key, shipment, kind, sizes, differs):
    answer = order((shipment, kind, sizes))
    if "object" not in answer:
        reason = f"it cannot be compiled: {answer['refused']}"
        if not answer.get("passing"):
            save(key, {"refused": reason})
        return None, "", reason
    library = loader.load(answer["object"], [answer["symbol"]])
    reason = differs(library[answer["symbol"]])
    if reason:
        save(key, {"refused": DIFFERS + reason})
        return None, "", DIFFERS + reason
    save(key, {"symbol": answer["symbol"], "refused": ""}, answer["object"])
    return library, answer["symbol"], ""


def save(key: str, meta: dict, data: bytes = b"") -> None:
    with contextlib.suppress(OSError):  # a law that cannot be kept is compiled again next time
        folder = store.cache_folder()
        store.write(folder, key, data, meta)
        items = sorted(((f.stat().st_mtime, f) for f in folder.glob("law-*.json")), key=lambda item: item[0])
        for _, old in items[:max(0, len(items) - ON_DISK)]:
            for file in (old, *folder.glob(f"{old.stem}-*.o")):
                file.unlink(missing_ok=True)


# ------------------------------------------------------------------------------------------------------- the lawmaker


class _Lawmaker:
    """The compiling process of this process."""

    def __init__(self):
        self.lock, self.orders = threading.Lock(), 0
        self.process: Any = None

    def forget(self) -> None:
        """In a forked child: the process is the parent's."""
        if self.process is not None:
            for pipe in (self.process.stdin, self.process.stdout):
                with contextlib.suppress(OSError):
                    os.close(pipe.fileno())
                    pipe.detach() if hasattr(pipe, "detach") else None
            self.process.returncode = 0  # not a child of this process: nothing to wait for
        self.__init__()  # type: ignore[misc]

    def end(self) -> None:
        process, self.process, self.orders = self.process, None, 0
        if process is not None:
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):
                    pipe.close()
            process.wait()

    def ask(self, order) -> dict:
        with self.lock:
            if self.process is None or self.process.poll() is not None or self.orders >= PER_WORKER:
                self.end()
                self.process = subprocess.Popen(
                    [sys.executable, "-m", "dalembert._jit.lawmaker"],
                    env=store.environment() | {"DALEMBERT_BUILD": "", "NUMBA_OPT": "3"}, cwd=os.path.abspath(os.sep),
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self.orders += 1
            try:
                data = pickle.dumps(order)
                self.process.stdin.write(struct.pack("<q", len(data)) + data)
                self.process.stdin.flush()
                size = struct.unpack("<q", self.process.stdout.read(8))[0]
                return pickle.loads(self.process.stdout.read(size))
            except BaseException:
                self.process.kill()
                self.end()
                raise


_lawmaker = _Lawmaker()
atexit.register(lambda: _lawmaker.end())
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: _lawmaker.forget())


def order(request) -> dict:
    """The lawmaker's answer; it is asked once more if it ended meanwhile."""
    for _ in range(2):
        try:
            return _lawmaker.ask(request)
        except (OSError, struct.error, EOFError, pickle.UnpicklingError):
            continue
    return {"refused": "the process that compiles it ended early", "passing": True}
