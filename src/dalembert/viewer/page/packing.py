"""Numbers for the page: small and quick to unpack.

Poses, arrows and channels are whole numbers 0 … S between the smallest and largest value of each series (error at most
range/2S).  S = 2ᵇ − 1 with b = 24 bits; of the variants in a gallery 17 for plots and arrows (an error of 4e-6 of the range)
and 19 for poses; 16 where there are more than FINE numbers.  Kept are their differences over time modulo 2^(8·width), width = 3
bytes (2 for 16 bits), of the order that leaves least for each series by itself: every order of a smooth motion is smaller by
its turn per sample, and twice as noisy by rounding, so that the best is often the sixth or seventh, and the zeroth where
nothing moves.  Signs go to the lowest bit (0, −1, 1, −2, … → 0, 1, 2, 3, …), so that small numbers have high bytes of zero;
bytes of the same rank stand together.  Everything else: floats, bytes of the same rank together.  All of it is one gzip stream
in base64; blocks say where each part starts, and of a series "orders" has one digit each.
"""

from __future__ import annotations

import base64
import gzip

import numpy as np

FINE = 600_000  # numbers of a block that are kept with three bytes
ORDERS, FEW_ORDERS = 9, 3  # tried; the second for larger blocks, which a page should open quickly


def steps(bits: int) -> int:
    """Steps of a series of so many bits."""
    return (1 << bits) - 1


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

    def series(self, name: str, values: np.ndarray, bits: int = 24) -> None:
        """(frames, series), quantised; adds <name>_low and <name>_step."""
        frames, count = values.shape
        fine = values.size <= FINE
        width, bits = (3, bits) if fine else (2, 16)
        low = values.min(axis=0) if frames else np.zeros(count)
        step = (np.ptp(values, axis=0) if frames else np.zeros(count)) / steps(bits)
        whole = np.rint((values - low) / np.where(step > 0, step, 1.0)).astype("<u4").T
        kept, orders = _least(whole, width, ORDERS if fine else FEW_ORDERS)
        data = np.ascontiguousarray(kept).view(np.uint8).reshape(-1, 4)[:, :width].T.tobytes()
        self._put(name, data, kind="series", series=count, frames=frames, width=width, orders="".join(map(str, orders)))
        self.floats(f"{name}_low", low, "f8")
        self.floats(f"{name}_step", step, "f8")

    def packed(self, front: bytes = b"", level: int = 6) -> str:
        """Everything as text; ``front`` goes before the blocks."""
        return base64.b64encode(gzip.compress(front + b"".join(self._data), level, mtime=0)).decode("ascii")

    def text(self, level: int = 6) -> str:
        return self.packed(b"", level)


def _least(whole: np.ndarray, width: int, orders: int) -> tuple[np.ndarray, np.ndarray]:
    """Differences of each row (series) of the order that leaves least, signs in the lowest bit, and that order."""
    shift = np.int32(32 - 8 * width)
    best, chosen, least = whole, np.zeros(len(whole), int), np.full(len(whole), np.inf)
    for order in range(orders):
        if order:
            whole = np.diff(whole, axis=1, prepend=np.uint32(0))  # modulo 2³², and so modulo 2^(8·width)
        signed = (whole.view("<i4") << shift) >> shift
        folded = ((signed << 1) ^ (signed >> 31)).view("<u4")
        cost = np.log2(folded + 1.0).sum(axis=1)
        less = cost < least
        best = np.where(less[:, None], folded, best) if order else folded
        chosen[less], least = order, np.minimum(cost, least)
    return best, chosen
