"""Text in a table for other programs: spreadsheets run a cell that begins with = + - @ as a formula, whoever wrote it.

Such text gets an apostrophe in front, which spreadsheets take as "this is text".  Numbers are left alone.
"""

from __future__ import annotations

RUN = ("=", "+", "-", "@", "\t", "\r")


def cell(text: str) -> str:
    """Text that no spreadsheet runs."""
    return f"'{text}" if text.lstrip(" ").startswith(RUN) or text.startswith(RUN) else text
