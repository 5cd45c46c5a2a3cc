"""PNG files with nothing but zlib: RGB of 8 bits, or a table of few colours."""

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


def encode_few(image: np.ndarray, colours: int) -> bytes:
    """(height, width, 3) bytes as a PNG of at most so many colours (256), chosen for this picture: half as large."""
    image = np.asarray(image, dtype=np.uint8)
    height, width, _ = image.shape
    table, numbers = few_colours(image, colours)
    rows = np.zeros((height, 1 + width), np.uint8)
    rows[:, 1:] = numbers
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", header), (b"PLTE", table.tobytes()), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b""))
    return SIGNATURE + b"".join(_chunk(*p) for p in parts)


def few_colours(image: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Table (n, 3) and, per pixel, its row.  Boxes of colours are cut in two, each time the one whose squares of distances from
    its mean, summed over its pixels, are largest, at the mean of the side where they are; a box is drawn in its mean colour."""
    whole = image.astype(np.uint32) @ np.array([65536, 256, 1], np.uint32)
    found, where, count = np.unique(whole, return_inverse=True, return_counts=True)
    seen = np.stack([found >> 16, (found >> 8) & 255, found & 255], axis=1).astype(float)

    def box(mine: np.ndarray) -> tuple[float, int, float, np.ndarray]:
        mean = np.average(seen[mine], axis=0, weights=count[mine])
        spread = count[mine] @ (seen[mine] - mean) ** 2
        side = int(spread.argmax())
        return float(spread[side]), side, float(mean[side]), mine

    boxes = [box(np.arange(len(seen)))]
    while len(boxes) < most:
        spread, side, cut, mine = boxes.pop(max(range(len(boxes)), key=lambda k: boxes[k][0]))
        low = seen[mine, side] <= cut
        if spread == 0.0:
            boxes.append((spread, side, cut, mine))
            break
        boxes += [box(mine[low]), box(mine[~low])]
    table, row = np.empty((len(boxes), 3), np.uint8), np.empty(len(seen), np.uint8)
    for k, (*_, mine) in enumerate(boxes):
        table[k] = np.rint(np.average(seen[mine], axis=0, weights=count[mine]))
        row[mine] = k
    return table, row[where.ravel()].reshape(image.shape[:2])


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
