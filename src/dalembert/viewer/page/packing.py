"""Numbers for the page: small and quick to unpack.

Poses and arrows: whole numbers 0 … 65535 between the smallest and largest value of each series (error at most range/131070), as
differences over time, low bytes and high bytes apart.  Everything else: floats, bytes of the same rank together.  All of it
is one gzip stream in base64; blocks say where each part starts.
"""

from __future__ import annotations

import base64
import gzip

import numpy as np

STEPS = 65535


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

    def floats(self, name: str, values, kind: str = "f4") -> None:
        """kind: f4, f8 or u4."""
        data = np.ascontiguousarray(values, dtype="<" + kind).ravel()
        self._put(name, data.view(np.uint8).reshape(-1, data.itemsize).T.tobytes(), kind=kind)

    def series(self, name: str, values: np.ndarray) -> None:
        """(frames, series), quantised; adds <name>_low and <name>_step."""
        frames, count = values.shape
        low = values.min(axis=0) if frames else np.zeros(count)
        step = (np.ptp(values, axis=0) if frames else np.zeros(count)) / STEPS
        whole = np.rint((values - low) / np.where(step > 0, step, 1.0)).astype(np.uint16).T
        delta = np.diff(whole, axis=1, prepend=np.uint16(0))  # modulo 65536
        data = np.ascontiguousarray(delta).view(np.uint8).reshape(-1, 2).T.tobytes()
        self._put(name, data, kind="series", series=count, frames=frames)
        self.floats(f"{name}_low", low, "f8")
        self.floats(f"{name}_step", step, "f8")

    def text(self, level: int = 6) -> str:
        return base64.b64encode(gzip.compress(b"".join(self._data), level, mtime=0)).decode("ascii")
