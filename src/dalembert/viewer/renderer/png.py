"""PNG files with nothing but zlib (RGB, 8 bits)."""

from __future__ import annotations

import struct
import zlib

import numpy as np

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def encode(image: np.ndarray, level: int = 4) -> bytes:
    """(height, width, 3) bytes as a PNG; each row as its difference to the one above."""
    image = np.ascontiguousarray(image, dtype=np.uint8)
    height, width, _ = image.shape
    rows = np.empty((height, 1 + 3 * width), np.uint8)
    rows[:, 0] = 2
    flat = image.reshape(height, -1)
    rows[0, 1:] = flat[0]
    np.subtract(flat[1:], flat[:-1], out=rows[1:, 1:])
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows.tobytes(), level)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
