"""On which line of a file a value stands: used only when there is something to complain about.

    toml_lines(text), json_lines(text)  →  {("joint", 2, "axis"): 31, …}
    toml_items(text)                    →  headers and keys with the characters they take, for who changes a text

The readers (tomllib, json) give values without places.  These scanners give places without values; they never fail, and
what they miss is found at the nearest enclosing place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

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


@dataclass(frozen=True)
class Item:
    """A header or a key with its value in a TOML text: places are numbers of characters."""

    path: Path
    line: int
    start: int  # of the key, or of the header's bracket
    value: int  # where the value begins; of a header: where its line ends
    end: int  # behind the value (a comment after it is not its own)
    header: bool = False
    parts: int = 1  # of a dotted key


def toml_items(text: str) -> Iterator[Item]:
    """Headers and keys of a TOML text in their order."""
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
        start = at
        if c == "[":
            double = text.startswith("[[", at)
            parts, _ = _parts(text, at + 1 + double)
            prefix = _table(parts, double, counts)
            at = _line_end(text, at)
            yield Item(prefix, line, start, at, at, True, len(parts))
            continue
        parts, at = _parts(text, at)
        first = line
        value = at + 1 if text.startswith("=", at) else at
        at, line, stop = _skip_value(text, at, line)
        while value < stop and text[value] in " \t":
            value += 1
        yield Item(prefix + parts, first, start, value, stop, False, len(parts))


def toml_lines(text: str) -> dict[Path, int]:
    """Lines of the keys and tables of a TOML text."""
    lines: dict[Path, int] = {}
    for item in toml_items(text):
        first = len(item.path) - item.parts + 1 if not item.header else len(item.path)
        for n in range(first, len(item.path) + 1):
            lines.setdefault(item.path[:n], item.line)
        if item.header and item.path and isinstance(item.path[-1], int):
            lines.setdefault(item.path[:-1], item.line)
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


def _skip_value(text: str, at: int, line: int) -> tuple[int, int, int]:
    """Behind the value that starts here (the end of a line outside of all brackets and strings), and where it ends itself."""
    depth, stop = 0, -1
    for token in _TOKEN.finditer(text, at):
        c = token.group()
        if c == "\n" and depth <= 0:
            return token.start(), line, _trimmed(text, at, token.start() if stop < 0 else stop)
        if c[0] == "#" and depth <= 0 and stop < 0:
            stop = token.start()
        line += c.count("\n")
        depth += (c in "[{") - (c in "]}") if len(c) == 1 else 0
    return len(text), line, _trimmed(text, at, len(text) if stop < 0 else stop)


def _trimmed(text: str, at: int, end: int) -> int:
    return at + len(text[at:end].rstrip())


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
