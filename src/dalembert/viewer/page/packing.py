"""Numbers for the page: small and quick to unpack.

Poses, arrows and channels are whole numbers 0 … S between the smallest and largest value of each series (error at most
range/2S), S = 2²⁴ − 1, or 2¹⁶ − 1 where there are more than FINE numbers.  Kept are their differences over time (of 24 bits
those of second order: a smooth motion has small ones), modulo S + 1, bytes of the same rank together.  Everything else: floats,
bytes of the same rank together.  All of it is one gzip stream in base64; blocks say where each part starts.
"""

from __future__ import annotations

import base64
import gzip

import numpy as np

FINE = 600_000  # numbers of a block that are kept with 24 bits


def steps(width: int) -> int:
    """Steps of a series of so many bytes."""
    return (1 << (8 * width)) - 1


class Pack:
    """Collects blocks."""

    def __init__(self):
        self.blocks: dict[str, dict] = {}
        self._data: list[bytes] = []
        self._at = 0

    def _put(self, name: str, data: bytes, **about) -> None:
        self.blocks[name] = {"at": self._at, "bytes": len(data), **about}
        self._data.append(data)
        self._at += len(data)

    def data(self, name: str) -> bytes | None:
        """The bytes of a block, None for one that is not here."""
        return self._data[list(self.blocks).index(name)] if name in self.blocks else None

    def take(self, name: str, data: bytes, about: dict) -> None:
        """A block of another pack."""
        self._put(name, data, **{k: v for k, v in about.items() if k not in ("at", "bytes")})

    def floats(self, name: str, values, kind: str = "f4") -> None:
        """kind: f4, f8 or u4."""
        data = np.ascontiguousarray(values, dtype="<" + kind).ravel()
        self._put(name, data.view(np.uint8).reshape(-1, data.itemsize).T.tobytes(), kind=kind)

    def series(self, name: str, values: np.ndarray) -> None:
        """(frames, series), quantised; adds <name>_low and <name>_step."""
        frames, count = values.shape
        width = 3 if values.size <= FINE else 2
        low = values.min(axis=0) if frames else np.zeros(count)
        step = (np.ptp(values, axis=0) if frames else np.zeros(count)) / steps(width)
        whole = np.rint((values - low) / np.where(step > 0, step, 1.0)).astype("<u4").T
        for _ in range(width - 1):  # first differences of 16 bits, second ones of 24
            whole = np.diff(whole, axis=1, prepend=np.uint32(0))  # modulo 2³², and so modulo S + 1
        data = np.ascontiguousarray(whole).view(np.uint8).reshape(-1, 4)[:, :width].T.tobytes()
        self._put(name, data, kind="series", series=count, frames=frames, width=width)
        self.floats(f"{name}_low", low, "f8")
        self.floats(f"{name}_step", step, "f8")

    def packed(self, front: bytes = b"", level: int = 6) -> str:
        """Everything as text; ``front`` goes before the blocks."""
        return base64.b64encode(gzip.compress(front + b"".join(self._data), level, mtime=0)).decode("ascii")

    def text(self, level: int = 6) -> str:
        return self.packed(b"", level)
