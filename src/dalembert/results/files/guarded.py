"""HDF5 files of others, looked through before anything is read of them.

HDF5 can do more than hold arrays: links to other files, data kept in other files, datasets put together from others, filters
that are libraries to be loaded, rings and heaps of links to one object, sizes that are announced and not there.  A result has
none of these.  What is allowed: groups and datasets, each reached by one hard link; numbers and strings in this file; deflate,
shuffle, checksums.
"""

from __future__ import annotations

import contextlib
import os
from typing import Any

from dalembert.errors import FileError

OBJECTS, DEEP = 100_000, 12
ATTRIBUTES = 100  # of one object
SMALL, PACKED = 256_000_000, 200  # bytes that a file may unpack to, or so many times its own size if that is more
FILTERS = {1, 2, 3}  # deflate, shuffle, fletcher32


def look_through(file: Any, size: int) -> None:
    """Refuse an open file (of so many bytes) that holds anything else than what is allowed."""
    import h5py

    seen: set[tuple[int, int]] = set()
    total, queue = 0, [(file.id, "/", 0)]
    most = max(SMALL, PACKED * size)
    while queue:
        group, path, depth = queue.pop()
        _attributes(group, path, size)
        if depth > DEEP:
            raise FileError(f"'{path}': groups are nested deeper than {DEEP}")
        if group.get_num_objs() + len(seen) > OBJECTS:
            raise FileError(f"it has more than {OBJECTS:,} objects")
        for raw in group:
            name = f"{path.rstrip('/')}/{raw.decode('utf-8', 'replace')}"
            if group.links.get_info(raw).type != h5py.h5l.TYPE_HARD:
                raise FileError(f"'{name}' is a link to something else; only what is in the file itself is read")
            item = h5py.h5o.open(group, raw)
            about = h5py.h5o.get_info(item)
            token = (about.fileno, about.addr)
            if token in seen:
                raise FileError(f"'{name}' is in the file under another name too; every object has one name")
            seen.add(token)
            if isinstance(item, h5py.h5g.GroupID):
                queue.append((item, name, depth + 1))
            elif isinstance(item, h5py.h5d.DatasetID):
                _attributes(item, name, size)
                total += _bytes(item, name)
                if total > most:
                    raise FileError(f"it would unpack to more than {most:,} bytes (at '{name}'), from a file of {size:,}")
            else:
                raise FileError(f"'{name}' is neither a group nor an array")


def _bytes(item: Any, name: str) -> int:
    """Bytes of a dataset, all of which must be in the file."""
    import h5py

    how = item.get_create_plist()
    if how.get_layout() == h5py.h5d.VIRTUAL or how.get_external_count():
        raise FileError(f"'{name}' is put together from other data or files; only what is in the file itself is read")
    if not {how.get_filter(k)[0] for k in range(how.get_nfilters())} <= FILTERS:
        raise FileError(f"'{name}' is packed by a filter that is not read here")
    kind = item.get_type()
    if kind.get_class() not in (h5py.h5t.INTEGER, h5py.h5t.FLOAT, h5py.h5t.STRING, h5py.h5t.ENUM, h5py.h5t.COMPOUND):
        raise FileError(f"'{name}' is not an array of numbers")
    space = item.get_space()
    count = space.get_simple_extent_npoints()
    wanted = count * kind.get_size()
    if not wanted:
        return 0
    chunked = how.get_layout() == h5py.h5d.CHUNKED
    held = item.get_num_chunks() * _product(how.get_chunk()) if chunked else count
    if not item.get_storage_size() or held < count or (not chunked and item.get_storage_size() < wanted):
        raise FileError(f"'{name}' announces {wanted:,} bytes that are not in the file")
    if chunked and _product(how.get_chunk()) > max(4 * count, 1 << 20):
        raise FileError(f"'{name}' is kept in pieces larger than itself")
    return wanted


def _product(sizes: Any) -> int:
    out = 1
    for x in sizes:
        out *= int(x)
    return out


def _attributes(item: Any, name: str, size: int) -> None:
    import h5py

    count = h5py.h5a.get_num_attrs(item)
    if count > ATTRIBUTES:
        raise FileError(f"'{name}' has {count:,} attributes")
    for k in range(count):
        attribute = h5py.h5a.open(item, index=k)
        kind, points = attribute.get_type(), attribute.get_space().get_simple_extent_npoints()
        text = isinstance(kind, h5py.h5t.TypeStringID)
        if not (text or isinstance(kind, (h5py.h5t.TypeIntegerID, h5py.h5t.TypeFloatID, h5py.h5t.TypeEnumID))):
            raise FileError(f"an attribute of '{name}' is neither a number nor a text")
        if points * kind.get_size() > max(size, 4096) or (text and kind.is_variable_str() and points > 1):
            raise FileError(f"an attribute of '{name}' announces more than the file holds")


def reason(error: BaseException) -> str:
    """What HDF5 says of a file, in one line."""
    with contextlib.suppress(Exception):
        if isinstance(error, OSError) and error.errno:
            return os.strerror(error.errno)
    return (str(error).strip() or type(error).__name__).splitlines()[0][:200]
