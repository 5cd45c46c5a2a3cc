"""On which line of a file a value stands: used only when there is something to complain about.

    toml_lines(text), json_lines(text)  →  {("joint", 2, "axis"): 31, …}

The readers (tomllib, json) give values without places.  These scanners give places without values; they never fail, and
what they miss is found at the nearest enclosing place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

Path = tuple  # of keys and list positions

_PART = re.compile(r"""[ \t]*(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([A-Za-z0-9_-]+))[ \t]*""")
_TOKEN = re.compile(r'"""(?:[^\\]|\\.)*?"""|' r"'''.*?'''" r'|"(?:[^"\\\n]|\\.)*"|' r"'[^'\n]*'|#[^\n]*|[\[\]{}\n]", re.DOTALL)
_JSON = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,\n]', re.DOTALL)


def line_of(lines: Mapping[Path, int], path: Iterable) -> int | None:
    """The line of a value, or of the nearest thing around it."""
    path = tuple(path)
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path)


def toml_lines(text: str) -> dict[Path, int]:
    """Lines of the keys and tables of a TOML text."""
    lines: dict[Path, int] = {}
    counts: dict[Path, int] = {}
    prefix: Path = ()
    at, line, end = 0, 1, len(text)
    while at < end:
        c = text[at]
        if c == "\n":
            at, line = at + 1, line + 1
            continue
        if c in " \t\r":
            at += 1
            continue
        if c == "#":
            at = _line_end(text, at)
            continue
        if c == "[":
            double = text.startswith("[[", at)
            parts, _ = _parts(text, at + 1 + double)
            prefix = _table(parts, double, counts)
            lines.setdefault(prefix, line)
            if double:
                lines.setdefault(prefix[:-1], line)
            at = _line_end(text, at)
            continue
        parts, at = _parts(text, at)
        for n in range(1, len(parts) + 1):
            lines.setdefault(prefix + parts[:n], line)
        at, line = _skip_value(text, at, line)
    return lines


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found


def _parts(text: str, at: int) -> tuple[tuple[str, ...], int]:
    """A dotted key and the place behind it."""
    parts: list[str] = []
    while match := _PART.match(text, at):
        parts.append(next(g for g in match.groups() if g is not None))
        at = match.end()
        if not text.startswith(".", at):
            break
        at += 1
    return tuple(parts), at


def _table(parts: tuple[str, ...], double: bool, counts: dict[Path, int]) -> Path:
    """The path a header opens; arrays of tables on the way stand at their last item."""
    path: Path = ()
    for n, part in enumerate(parts):
        path = (*path, part)
        if double and n == len(parts) - 1:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path


def _skip_value(text: str, at: int, line: int) -> tuple[int, int]:
    """Behind the value that starts here: the end of a line outside of all brackets and strings."""
    depth = 0
    for token in _TOKEN.finditer(text, at):
        c = token.group()
        if c == "\n" and depth <= 0:
            return token.start(), line
        line += c.count("\n")
        depth += (c in "[{") - (c in "]}") if len(c) == 1 else 0
    return len(text), line


def json_lines(text: str) -> dict[Path, int]:
    """Lines of the keys and items of a JSON text."""
    lines: dict[Path, int] = {}
    stack: list = []  # per open bracket: the key or position it is at
    line, last = 1, ""
    for token in _JSON.finditer(text):
        c = token.group()
        if c in "{[":
            lines.setdefault(tuple(stack), line)
            stack.append(0 if c == "[" else None)
            if c == "[":
                lines.setdefault(tuple(stack), line)
        elif c in "}]":
            if stack:
                stack.pop()
        elif c == ":" and stack:
            stack[-1] = last
            lines.setdefault(tuple(stack), line)
        elif c == "," and stack and isinstance(stack[-1], int):
            stack[-1] += 1
            lines.setdefault(tuple(stack), line)
        elif c.startswith('"'):
            last = c[1:-1]
            if stack and isinstance(stack[-1], int):
                lines.setdefault(tuple(stack), line)
        line += c.count("\n")
    return lines
