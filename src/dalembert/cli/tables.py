"""Tables of text: columns as wide as what is in them; where the screen is narrower, text columns wrap between words.

A column is named, and by a mark before its name adjusted: ``>`` to the right, ``|`` never wrapped.  Cells are plain text or
``(text, style)`` with what click.style takes (``fg``, ``bold``); nothing in a cell is read as markup.  Widths count what a
terminal draws: wide letters two, combining marks none.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any

import click

GAP = 2  # columns between columns
LEAST = 8  # a wrapped column is not narrower


class Table:
    """Rows under a heading."""

    def __init__(self, *columns: str, title: str = ""):
        self.names = [c.lstrip(">|") for c in columns]
        self._right = [c.startswith(">") for c in columns]
        self._whole = [c.startswith((">", "|")) for c in columns]
        self._title = title
        self._rows: list[list[tuple[str, dict[str, Any]]]] = []

    def add(self, *cells: Any) -> None:
        """One row."""
        if len(cells) != len(self.names):
            raise ValueError(f"{len(cells)} cells for {len(self.names)} columns")
        self._rows.append([c if isinstance(c, tuple) else (str(c), {}) for c in cells])

    def text(self, width: int) -> str:
        """All of it, no line longer than that if words allow it."""
        widths = self._widths(width)
        rule = "─" * (sum(widths) + GAP * (len(widths) - 1))
        lines = [click.style(self._title, italic=True)] if self._title else []
        lines += [*self._lines([(n, {"bold": True}) for n in self.names], widths), rule]
        for row in self._rows:
            lines += self._lines(row, widths)
        return "\n".join(line.rstrip() for line in lines)

    def _widths(self, width: int) -> list[int]:
        cells = list(zip(*([(n, {}) for n in self.names], *self._rows), strict=True))
        widths = [max(drawn(text) for text, _ in column) for column in cells]
        spare = sum(widths) + GAP * (len(widths) - 1) - width
        soft = [k for k in range(len(widths)) if not self._whole[k]]
        while spare > 0 and (wide := max(soft, key=lambda k: widths[k], default=None)) is not None and widths[wide] > LEAST:
            widths[wide] -= 1
            spare -= 1
        return widths

    def _lines(self, row: list[tuple[str, dict[str, Any]]], widths: list[int]) -> list[str]:
        columns = [_wrapped(text, w) for (text, _), w in zip(row, widths, strict=True)]
        lines = []
        for k in range(max(map(len, columns), default=0)):
            cells = []
            for part, (_, style), w, right in zip(columns, row, widths, self._right, strict=True):
                text = part[k] if k < len(part) else ""
                space = " " * (w - drawn(text))
                painted = click.style(text, **style) if style and text else text
                cells.append(space + painted if right else painted + space)
            lines.append((" " * GAP).join(cells))
        return lines


def drawn(text: str) -> int:
    """Columns that a terminal takes for it."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _wrapped(text: str, width: int) -> list[str]:
    """Lines of that width, broken between words; a word that is longer is broken where it must be."""
    lines, line = [], ""
    for word in re.findall(r"\S+\s*", text) or [""]:
        if line and drawn(line) + drawn(word.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        while drawn(word.rstrip()) > width:
            k = next(k for k in range(len(word), 0, -1) if drawn(word[:k]) <= width or k == 1)
            lines.append(word[:k])
            word = word[k:]
        line += word
    return [*lines, line.rstrip()]
