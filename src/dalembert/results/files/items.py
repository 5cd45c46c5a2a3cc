"""Arrays, texts and dicts of them in an HDF5 file: written with units and words, read with doubt."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from dalembert.errors import FileError

LARGEST = 2**40  # bytes of an array that is believed


def safe(name: str, group) -> str:
    """A name HDF5 can hold: a slash would open a group of its own."""
    found = name.replace("/", "\u2215").replace("\0", "") or "_"
    found = f"_{found}" if set(found) == {"."} else found
    while found in group:
        found += "_"
    return found


def put(group, name: str, values, unit: str = "", words: str = "") -> None:
    """A dataset, compressed where that pays."""
    values = np.asarray(values)
    options = {"compression": "gzip", "compression_opts": 1, "shuffle": True} if values.size > 4096 else {}
    item = group.create_dataset(name, data=values, **options)
    if unit:
        item.attrs["unit"] = unit
    if words:
        item.attrs["description"] = words


def put_dict(group, values: dict[str, Any]) -> None:
    """A dict of arrays, numbers, strings, None and such dicts."""
    simple = {}
    for key, value in values.items():
        if not isinstance(key, str) or not key or "/" in key or "\0" in key or set(key) == {"."}:
            raise FileError(f"extra: the key {key!r} cannot be used in a file; use a plain word")
        if isinstance(value, dict):
            put_dict(group.create_group(key), value)
        elif isinstance(value, np.ndarray):
            if value.dtype.kind not in "biufc":
                raise FileError(f"extra: '{key}' is an array of {value.dtype}; only arrays of numbers can be saved")
            put(group, key, value)
        else:
            simple[key] = plain(value)
    try:
        group.create_dataset("(values)", data=json.dumps(simple).encode())
    except (TypeError, ValueError) as error:
        raise FileError(f"extra: {error}; keep arrays, numbers, strings, lists of these, None and dicts") from None


def get_dict(group) -> dict[str, Any]:
    if not hasattr(group, "items"):
        raise FileError(f"'{group.name}' is not a group")
    out: dict[str, Any] = {}
    for key, item in group.items():
        if key == "(values)":
            out |= dict(json.loads(text_of(item)))
        else:
            out[key] = get_dict(item) if hasattr(item, "items") else array(group, key)
    return out


def plain(value):
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value.item() if isinstance(value, np.generic) else value


def array(group, name: str) -> np.ndarray:
    item = group[name]
    if item.dtype.kind not in "biufc" or item.size * item.dtype.itemsize > LARGEST:
        raise FileError(f"'{name}' is not an array of numbers")
    return item[()]


def text_of(item) -> bytes:
    value = item[()]
    return value if isinstance(value, bytes) else bytes(value)
