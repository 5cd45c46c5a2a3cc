"""Numbers for the studio's page: a JSON header and the blocks as they are, in one binary message.

    4 bytes   length of the header, low ones first
    header    JSON, with {"blocks": {name: {"kind": "f8", "at": …, "count": …}}}, filled up with spaces to a multiple of eight
    blocks    from there on, each at a multiple of eight

The page in a file is packed small (viewer/page/packing.py); between two programs on one machine packing costs more than it saves.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from dalembert.viewer.page.packing import Pack


class Plain(Pack):
    """Blocks of a scene as they are, with the names the page's classes read."""

    def __init__(self):
        super().__init__()
        self.arrays: dict[str, np.ndarray] = {}

    def floats(self, name: str, values, kind: str = "f4") -> None:
        self.arrays[name] = np.ascontiguousarray(values, dtype="<" + kind).ravel()

    def series(self, name: str, values: np.ndarray, bits: int = 24) -> None:
        self.arrays[name] = np.ascontiguousarray(values, dtype="<f8").ravel()
        self.arrays[f"{name}_low"], self.arrays[f"{name}_step"] = np.zeros(values.shape[1]), np.ones(values.shape[1])


def message(head: dict[str, Any], arrays: dict[str, np.ndarray]) -> bytes:
    """One binary message."""
    blocks, parts, at = {}, [], 0
    for name, values in arrays.items():
        data = np.ascontiguousarray(values)
        raw = data.tobytes()
        blocks[name] = {"kind": data.dtype.str[1:], "at": at, "count": int(data.size)}
        raw += b"\0" * (-len(raw) % 8)
        parts.append(raw)
        at += len(raw)
    text = json.dumps({**head, "blocks": blocks}, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()
    text += b" " * (-(4 + len(text)) % 8)
    return b"".join((len(text).to_bytes(4, "little"), text, *parts))
