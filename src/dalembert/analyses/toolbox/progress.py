"""The progress line of long work: simulated time, part done, time left; on stderr, gone when the work is done."""

from __future__ import annotations

import sys
import time

import numpy as np

QUIET_SECONDS = 1.0  # work shorter than this shows nothing


class ProgressLine:
    """Call it with the simulated time; ``close`` wipes the line."""

    def __init__(self, start: float, end: float, stream=None, title: str = ""):
        self.start, self.end, self.title = start, end, title
        self.stream = sys.stderr if stream is None else stream
        self.begin = time.perf_counter()
        self.last = 0.0
        self.width = 0

    def __call__(self, t: float) -> None:
        now = time.perf_counter() - self.begin
        if now < QUIET_SECONDS or now - self.last < 0.2:
            return
        self.last = now
        self._show(self.text(t, now))

    def text(self, t: float, seconds: float) -> str:
        done = (t - self.start) / (self.end - self.start) if self.end > self.start else 0.0
        left = f", {_duration(seconds * (1.0 - done) / done)} left" if done > 0.0 else ""
        return f"{self.title}t = {t:.4g} of {self.end:g} s ({100 * done:.0f} %), {_duration(seconds)} so far{left}"

    def _show(self, text: str) -> None:
        self.stream.write("\r" + text.ljust(self.width))
        self.stream.flush()
        self.width = len(text)

    def close(self) -> None:
        if self.width:
            self.stream.write("\r" + " " * self.width + "\r")
            self.stream.flush()
            self.width = 0


def _duration(seconds: float) -> str:
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    if seconds < 5970:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def progress_line(progress, start: float, end: float):
    """What ``progress=`` asks for: a callable is called, and False (of NumPy too, or 0) stops; True shows a line; None shows one
    if somebody watches."""
    if callable(progress):
        return lambda t: not _no(progress(t)), _nothing
    if progress or (progress is None and hasattr(sys.stderr, "isatty") and sys.stderr.isatty()):
        line = ProgressLine(start, end)
        return line, line.close
    return None, _nothing


def _no(answer) -> bool:
    """None and anything else goes on."""
    return isinstance(answer, (bool, int, np.bool_)) and not answer


def _nothing() -> None:
    pass
