"""A document as TOML text.  Reading is tomllib's; this is the small other half.

Top-level values first, then [tables], then [[arrays of tables]]; tables inside these are written inline.  Numbers are
written so that they read back to the same bits.
"""

from __future__ import annotations

import re
from typing import Any

from dalembert.errors import FileError

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}
WIDTH = 120


def dumps(document: dict[str, Any]) -> str:
    """TOML text of a dict of plain values."""
    plain, tables, arrays = [], [], []
    for key, item in document.items():
        if isinstance(item, dict):
            tables.append(f"\n[{_key(key)}]\n" + _pairs(item))
        elif isinstance(item, list) and item and all(isinstance(x, dict) for x in item):
            arrays += [f"\n[[{_key(key)}]]\n" + _pairs(x) for x in item]
        else:
            plain.append(_pair(key, item))
    return "".join((*plain, *tables, *arrays))


def _pairs(table: dict[str, Any]) -> str:
    return "".join(_pair(k, v) for k, v in table.items())


def _pair(key: str, item: Any) -> str:
    line = f"{_key(key)} = {value(item)}"
    if len(line) > WIDTH and isinstance(item, list) and any(isinstance(x, (list, dict)) for x in item):
        line = f"{_key(key)} = [\n" + "".join(f"  {value(x)},\n" for x in item) + "]"
    return line + "\n"


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _string(key)


def _string(text: str) -> str:
    escaped = "".join(_ESCAPES.get(c) or (f"\\u{ord(c):04X}" if ord(c) < 32 or ord(c) == 127 else c) for c in text)
    return f'"{escaped}"'


def value(item: Any) -> str:
    """One value on one line."""
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, (int, float)):
        return repr(item)
    if isinstance(item, str):
        return _string(item)
    if isinstance(item, list):
        return "[" + ", ".join(value(x) for x in item) + "]"
    if isinstance(item, dict):
        return "{" + ", ".join(f"{_key(k)} = {value(v)}" for k, v in item.items()) + "}"
    raise FileError(f"{item!r} ({type(item).__name__}) cannot be written to a file")
