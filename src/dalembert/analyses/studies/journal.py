"""The journal of a sweep: one line of JSON for what is swept, then one per finished variant, in the order they finish.

    {"format": "dalembert sweep 2", "model": …, "analysis": …, …}        the key: all that the numbers depend on (key.py)
    {"k": 7, "out": {"peak": 3.5}, "sum": "d41c…"}                       or "error": its message; sum: digest of the rest

Lines are only ever added, and forced to the disk before they count as saved.  A kill or a full disk can cut the last line; it is
dropped when the journal is opened again, and the variant is computed anew, as are those of lines that are damaged or that do not
hold what is asked for.  Nothing else is ever cut or replaced: a file that is not the journal of this very sweep is refused.

One process at a time: whoever has the journal open holds a lock (flock) that ends with the process, however that ends.  Forked
workers let go of it at once, so that it does not outlive the sweep in them.

Journals of format 1 (no sums, functions known by name only) are taken up where no function of the user's own is in their key.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dalembert.errors import FileError
from dalembert.io import atomic

FORMAT = "dalembert sweep 2"
FIRST = "dalembert sweep 1"
LARGEST = 4_000_000_000  # bytes
_open: weakref.WeakSet[Journal] = weakref.WeakSet()


class Journal:
    """Finished variants on disk; ``done`` are those found when it was opened.

    head: the key.  before: the key as format 1 had it, None where that says too little.  count, outputs: what rows must hold.
    """

    def __init__(self, path: str | os.PathLike[str], head: dict[str, Any], before: dict[str, Any] | None, count: int,
                 outputs: Sequence[str]):
        self.path = Path(path)
        self.head = json.loads(json.dumps({"format": FORMAT, **head}))
        self.before = None if before is None else json.loads(json.dumps({"format": FIRST, **before}))
        self.count, self.outputs = count, list(outputs)
        self.sums = True
        self.done: dict[int, dict[str, Any]] = {}
        try:
            self._file, ordinary = atomic.appending(self.path)
        except (OSError, ValueError) as error:
            raise FileError(f"cannot write '{self.path}': {getattr(error, 'strerror', None) or error}") from error
        _open.add(self)
        try:
            if not ordinary:
                raise FileError(f"cannot write '{self.path}': a journal needs an ordinary file")
            self._lock()
            self._begin()
        except OSError as error:
            self.close()
            raise FileError(f"cannot write '{self.path}': {error.strerror or error}") from error
        except BaseException:
            self.close()
            raise

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # no such locks on this system
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FileError(f"another sweep is writing '{self.path}' at this moment: wait until it has ended (the same call then "
                            "takes up what it saved), or choose another name") from None

    def _begin(self) -> None:
        size = os.fstat(self._file).st_size
        if size > LARGEST:
            raise FileError(f"'{self.path}' has {size:,} bytes; a journal has at most {LARGEST:,}")
        data = _all(self._file, size)
        begin = self._line(self.head)
        if b"\n" not in data and begin.startswith(data):  # nothing, or our own first line, cut
            os.ftruncate(self._file, 0)
            os.lseek(self._file, 0, os.SEEK_SET)
            self._put(begin)
            atomic.sync_folder(self.path.parent)
            return
        keep = data.rfind(b"\n") + 1
        self._read(data[:keep].split(b"\n")[:-1])
        if keep < size:  # a line that was cut
            os.ftruncate(self._file, keep)
        os.lseek(self._file, keep, os.SEEK_SET)

    def _read(self, lines: list[bytes]) -> None:
        """Take in what is there."""
        head = _parsed(lines[0]) if lines else None
        if head is None or head.get("format") not in (FORMAT, FIRST):
            raise FileError(f"'{self.path}' exists and is not the journal of a sweep: choose another name")
        self.sums = head["format"] == FORMAT
        wanted = self.head if self.sums else self.before
        if wanted is None:
            raise FileError(f"'{self.path}' was written by an earlier version, which knew functions by name only: whether they "
                            "are still the same cannot be told. Choose another name (or delete it) and compute anew")
        differs = sorted(k for k in {*head, *wanted} if (k in head) != (k in wanted)
                         or _text(head.get(k)) != _text(wanted.get(k)))
        if differs:
            raise FileError(f"'{self.path}' belongs to another sweep (different: {', '.join(differs)}): delete it or "
                            "choose another name")
        for text in lines[1:]:
            row = _parsed(text)
            if row is not None and self._good(row):
                self.done.setdefault(row["k"], row)

    def _good(self, row: dict[str, Any]) -> bool:
        """Whether a row says what a row must say."""
        k, out = row.get("k"), row.get("out")
        if not isinstance(k, int) or isinstance(k, bool) or not 0 <= k < self.count:
            return False
        if self.sums and row.pop("sum", None) != _sum(row):
            return False
        if set(row) == {"k", "error"}:
            return isinstance(row["error"], str)
        return set(row) == {"k", "out"} and isinstance(out, dict) and sorted(out) == sorted(self.outputs) and all(
            map(_value, out.values()))

    def add(self, rows: list[dict[str, Any]]) -> None:
        """Write rows and wait until they are on the disk."""
        try:
            self._put(b"".join(self._line({**row, "sum": _sum(row)} if self.sums else row) for row in rows))
        except OSError as error:
            raise FileError(f"cannot write '{self.path}': {error.strerror or error}; what was saved so far can be taken up again "
                            "by the same call") from error

    def _put(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._file, view):]
        os.fsync(self._file)

    @staticmethod
    def _line(row: dict[str, Any]) -> bytes:
        return json.dumps(row, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"

    def close(self) -> None:
        """Let go of the file (and of the lock with it)."""
        _open.discard(self)
        handle, self._file = self._file, -1
        if handle >= 0:
            with contextlib.suppress(OSError):
                os.close(handle)


def _let_go() -> None:
    """In a forked process: the journal is the parent's."""
    for journal in list(_open):
        journal.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)


def _all(handle: int, size: int) -> bytes:
    os.lseek(handle, 0, os.SEEK_SET)
    parts = []
    while size > 0 and (part := os.read(handle, min(size, 1 << 24))):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _sum(row: dict[str, Any]) -> str:
    return hashlib.blake2b(_text(row).encode(), digest_size=6).hexdigest()


def _text(value: Any) -> str:
    """Values as text, by which they are compared: nan is not equal to itself, and 1 is to True."""
    return json.dumps(value, sort_keys=True)


def _parsed(text: bytes) -> dict[str, Any] | None:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None


def _value(x: Any, depth: int = 8) -> bool:
    """What ``outputs.plain`` can have made."""
    if isinstance(x, list):
        return depth > 0 and all(_value(y, depth - 1) for y in x)
    if isinstance(x, int) and not isinstance(x, bool):
        return math.log2(abs(x) + 1) < 64
    return x is None or isinstance(x, (bool, float, str))
