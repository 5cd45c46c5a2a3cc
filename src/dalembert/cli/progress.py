"""A progress bar on stderr, one line that is drawn over and leaves nothing behind."""

from __future__ import annotations

import sys
import time
from typing import Any

WIDTH = 30  # of the bar
PAUSE = 0.1  # s between two drawings


class Progress:
    """What is being done, how far it is, and for how long; silent when asked, or when nobody watches."""

    def __init__(self, quiet: bool, stream: Any = None):
        self._stream = sys.stderr if stream is None else stream
        self._shown = not quiet and self._stream.isatty()
        self._what, self._done, self._total = "", 0.0, 1.0
        self._begin, self._drawn, self._length = time.monotonic(), 0.0, 0

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._length:
            self._stream.write(f"\r{' ' * self._length}\r")
            self._stream.flush()

    def start(self, what: str, total: float | None) -> None:
        """Name it; an unknown total is given later."""
        self._what, self._total = what, 1.0 if total is None else total

    def update(self, completed: float, *, what: str | None = None, total: float | None = None) -> None:
        """So much of the total is done."""
        self._done = completed
        self._what = self._what if what is None else what
        self._total = self._total if total is None else total
        now = time.monotonic()
        if self._shown and now - self._drawn >= PAUSE:
            self._drawn = now
            line = self.line(now - self._begin)
            self._stream.write("\r" + line.ljust(self._length))
            self._stream.flush()
            self._length = max(self._length, len(line))

    def line(self, seconds: float) -> str:
        """What is drawn after so many seconds."""
        share = min(1.0, max(0.0, self._done / self._total)) if self._total else 1.0
        full = round(share * WIDTH)
        return (f"{self._what[:40]} {'━' * full}{'─' * (WIDTH - full)} {100 * share:3.0f} % "
                f"{int(seconds) // 3600}:{int(seconds) // 60 % 60:02d}:{int(seconds) % 60:02d}")
