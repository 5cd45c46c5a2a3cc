"""The journal of a sweep: one line of JSON for what is swept, then one per finished variant, in the order they finish.

Lines are only ever added, and forced to the disk before they count as saved.  A kill or a full disk can cut the last line;
it is dropped when the journal is opened again, and the variant is computed anew.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from dalembert.errors import FileError

FORMAT = "dalembert sweep 1"


class Journal:
    """Finished variants on disk; ``done`` are those found when it was opened."""

    def __init__(self, path: str | os.PathLike[str], head: dict[str, Any]):
        self.path = Path(path)
        self.head = {"format": FORMAT, **head}
        self.done: dict[int, dict[str, Any]] = {}
        try:
            self._open()
        except OSError as error:
            raise FileError(f"cannot write '{self.path}': {error.strerror or error}") from error

    def _open(self) -> None:
        keep = 0
        if self.path.exists() and self.path.stat().st_size:
            keep = self._read()
        self._file = open(self.path, "r+b" if self.path.exists() else "w+b")  # noqa: SIM115
        self._file.truncate(keep)
        self._file.seek(keep)
        if not keep:
            self._write(self.head)
            self.sync()

    def _read(self) -> int:
        """Take in what is there; returns how many bytes of it are whole lines."""
        data = self.path.read_bytes()
        lines = data.split(b"\n")[:-1]  # what follows the last line break is a line that was cut
        if not lines:
            return 0
        head = _line(lines[0])
        if head is None or head.get("format") != FORMAT:
            raise FileError(f"'{self.path}' exists and is not the journal of a sweep: choose another name")
        if head != json.loads(json.dumps(self.head)):
            differs = [k for k in {*head, *self.head} if head.get(k) != json.loads(json.dumps(self.head)).get(k)]
            raise FileError(f"'{self.path}' belongs to another sweep (different: {', '.join(sorted(differs))}): delete it or "
                            "choose another name")
        keep = len(lines[0]) + 1
        for text in lines[1:]:
            row = _line(text)
            if row is None or not isinstance(row.get("k"), int):
                break
            self.done[row["k"]] = row
            keep += len(text) + 1
        return keep

    def _write(self, row: dict[str, Any]) -> None:
        self._file.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")

    def add(self, rows: list[dict[str, Any]]) -> None:
        """Write rows and wait until they are on the disk."""
        try:
            for row in rows:
                self._write(row)
            self.sync()
        except OSError as error:
            raise FileError(f"cannot write '{self.path}': {error.strerror or error}; what was saved so far can be taken up again "
                            "by the same call") from error

    def sync(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()


def _line(text: bytes) -> dict | None:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None
