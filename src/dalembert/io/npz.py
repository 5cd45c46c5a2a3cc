"""Arrays in one file: NumPy's .npz, uncompressed, with a digest of its contents.

NumPy's own reader believes what a file says of sizes (389 kB can ask for 500 MB) and unpacks what was packed.  This one takes
members stored as they are, plain numbers, each exactly as long as its header says, and compares the digest; what comes out
is never larger than the file.
"""

from __future__ import annotations

import hashlib
import io
import math
import os
import struct
import zipfile
from collections.abc import Mapping

import numpy as np

from dalembert.errors import FileError
from dalembert.io import atomic
from dalembert.io.reading import read_bytes

DIGEST = "digest"
MOST = 1000  # members
KINDS = {"<f8", "<i8", "|u1"}


def write(path: str | os.PathLike[str], arrays: Mapping[str, np.ndarray]) -> None:
    """Write arrays at once."""
    mark = np.frombuffer(digest(arrays), np.uint8)
    with atomic.replacing(path) as file:
        np.savez(file, **{DIGEST: mark}, **arrays)  # type: ignore[arg-type]


def read(path: str | os.PathLike[str]) -> tuple[dict[str, np.ndarray], bool]:
    """The arrays, and whether the file has a digest (files of before have none)."""
    data = read_bytes(path, 8_000_000_000)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            members = file.infolist()
            if len(members) > MOST or len({m.filename for m in members}) != len(members):
                raise ValueError(f"it has {len(members)} members, or one of them twice")
            if any(m.compress_type != zipfile.ZIP_STORED or m.file_size != m.compress_size for m in members) or sum(
                    m.file_size for m in members) > len(data):
                raise ValueError("its members are compressed, or larger than the file")
            found = {m.filename.removesuffix(".npy"): _array(file.read(m)) for m in members}
    except (ValueError, KeyError, OSError, EOFError, RuntimeError, NotImplementedError, OverflowError, AttributeError, TypeError,
            SyntaxError, MemoryError, RecursionError, struct.error, zipfile.BadZipFile) as error:
        raise FileError(f"'{path}' is not what it should be: {str(error) or type(error).__name__}") from None
    mark = found.pop(DIGEST, None)
    if mark is not None and mark.tobytes() != digest(found):
        raise FileError(f"'{path}' is damaged, or was changed after it was written")
    return found, mark is not None


def digest(arrays: Mapping[str, np.ndarray]) -> bytes:
    """Of names, kinds, shapes and contents, in order of the names."""
    found = hashlib.blake2b(digest_size=16)
    for name in sorted(arrays):
        a = np.ascontiguousarray(arrays[name])
        found.update(f"{name}\0{a.dtype.str}\0{np.shape(arrays[name])}\0".encode())
        found.update(a.tobytes())
    return found.digest()


def _array(data: bytes) -> np.ndarray:
    """The array of a .npy member."""
    stream = io.BytesIO(data)
    version = np.lib.format.read_magic(stream)
    if version != (1, 0):
        raise ValueError(f"a member has version {version}")
    shape, fortran, dtype = np.lib.format.read_array_header_1_0(stream)
    count = math.prod(shape)
    if dtype.str not in KINDS or (fortran and len(shape) > 1) or count * dtype.itemsize != len(data) - stream.tell():
        raise ValueError("a member is not the array that its head announces")
    return np.frombuffer(data, dtype, offset=stream.tell()).reshape(shape).copy()
