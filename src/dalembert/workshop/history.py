"""The document that is open: its text, what it was before, and the file on the disk, which is the truth.

Every change is a text; undo and redo walk through them without end.  With a file, a change counts as saved when the file is on
the disk (written beside, forced out, renamed), and not before.  A text that somebody else wrote into the file is taken over as
one more change, so that undo leads back to what was here; one that comes between two looks is kept under the change that was
made meanwhile, so that undo leads to it.  While the file holds a text that cannot be read (``unreadable``), nothing is written
over it unasked.
"""

from __future__ import annotations

import os
from pathlib import Path

from dalembert.errors import FileError
from dalembert.io import atomic
from dalembert.io.files import SIZE
from dalembert.io.reading import read_bytes
from dalembert.workshop.paper import Paper


class History:
    """Texts of one document; ``path`` None: it has no file yet."""

    def __init__(self, paper: Paper, path: Path | None = None, saved: bool = False):
        self.paper, self.path = paper, path
        self.past: list[tuple[str, Paper]] = []
        self.future: list[tuple[str, Paper]] = []
        self._stamp = _stamp(path) if path is not None and saved else None
        self.saved_text: str | None = paper.text if saved else None
        self._empty: tuple[int, int, int] | None = None  # the stamp of a file that was found empty
        self.unreadable = ""  # what is wrong with the text that somebody else wrote into the file

    @property
    def saved(self) -> bool:
        """Whether the file on the disk says what is here."""
        return self.path is not None and self.saved_text == self.paper.text

    def change(self, paper: Paper, label: str) -> None:
        """The next text; what had been undone is forgotten."""
        if paper.text == self.paper.text:
            return
        self.past.append((label, self.paper))
        self.future.clear()
        self.paper = paper

    def undo(self) -> str | None:
        """One step back; returns what was undone."""
        if not self.past:
            return None
        label, paper = self.past.pop()
        self.future.append((label, self.paper))
        self.paper = paper
        return label

    def redo(self) -> str | None:
        if not self.future:
            return None
        label, paper = self.future.pop()
        self.past.append((label, self.paper))
        self.paper = paper
        return label

    def save(self, path: Path | None = None, over: bool = False) -> None:
        """Write the file; raises FileError, and then nothing counts as saved.  ``over``: also over what cannot be read."""
        target = path or self.path
        if target is None:
            raise FileError("this model has no file yet: give it a name")
        if target == self.path and not over:
            self._look_first()
        atomic.write_text(target, self.paper.text)
        self.path, self.saved_text, self._stamp, self.unreadable = target, self.paper.text, _stamp(target), ""

    def _look_first(self) -> None:
        """What somebody wrote into the file since the last look becomes a step to undo to."""
        text = self.changed_outside()
        if text is not None:
            try:
                self.past.append(("change over one on the disk", Paper(text, self.paper.kind)))
            except FileError as error:
                self.unreadable = str(error)
        if self.unreadable:
            raise FileError(f"'{self.path.name if self.path else ''}' on the disk was changed by somebody else and cannot be "
                            f"read ({self.unreadable}): mend it there, or press Save to write this model over it")

    def changed_outside(self) -> str | None:
        """The text on the disk where somebody else has written it since; None: nothing new."""
        if self.path is None:
            return None
        stamp = _stamp(self.path)
        if stamp is None or stamp == self._stamp:
            return None
        try:
            text = read_bytes(self.path, 4 * SIZE[self.paper.kind]).decode("utf-8-sig")
        except (FileError, UnicodeDecodeError):
            return None  # half written, or gone: the next look will tell
        if not text.strip() and stamp != self._empty:  # many programs empty a file before they write it
            self._empty = stamp
            return None
        self._stamp, self.unreadable = stamp, ""
        if text == self.saved_text:
            return None
        self.saved_text = text
        return text


def _stamp(path: Path | None) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path) if path is not None else None
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_size, found.st_ino) if found is not None else None
