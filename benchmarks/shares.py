"""The time of one ``make bench``: how much is left, and what the next piece of work may take of it.

Every engine on every problem may use its whole budget as long as all that is still to come could use up its own; when it gets
late, what is left is shared by effort (alike, a chain of a thousand links came to its coarse tolerances only).  So the run ends
in time on a slow machine too, with fewer settings tried, not fewer rows.
"""

from __future__ import annotations

import time
from collections.abc import Callable

START = 3.0  # s of a process that imports an engine and builds the problem
LEAST = 1.0  # CPU seconds below which an engine shows nothing


class Shares:
    """Wall time of a run, given out piece by piece."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic):
        self.clock, self.begin, self.seconds = clock, clock(), seconds
        self.took: dict[str, float] = {}  # piece → seconds

    @property
    def passed(self) -> float:
        return self.clock() - self.begin

    def left(self, kept: float = 0.0) -> float:
        """Seconds left, but for a part of the whole that is kept for later."""
        return max(self.seconds * (1.0 - kept) - self.passed, 0.0)

    def budget(self, wanted: float, pieces: int, kept: float, part: float | None = None) -> float:
        """CPU seconds for the next of so many pieces, which takes a ``part`` of what is left (as much as the others)."""
        part = 1.0 / max(pieces, 1) if part is None else part
        return max(LEAST, min(wanted, (self.left(kept) - START * max(pieces, 1)) * part))

    def measured(self, piece: str, begin: float) -> None:
        """Note what a piece took that began at ``begin`` (of ``passed``)."""
        self.took[piece] = self.took.get(piece, 0.0) + self.passed - begin
