"""What analyses over time must know of the laws of a system, besides their rows in the table."""

from __future__ import annotations

from typing import Any

from dalembert.records import record


@record(frozen=False)
class LawInfo:
    """One law that is not a constant."""

    row: int  # in the table of laws; −1: none (a user's force)
    title: str  # of its element
    kind: str  # of its element: "force", or rows of a motion ("drive", "constraint", "joint")
    names: tuple[str, ...]  # its variables
    reads: tuple[str, ...] = ()  # what it reads of the mechanism by name
    expression: Any = None  # a formula
    function: Any = None  # a compiled Python function (_jit)
    knots: tuple[float, ...] = ()  # a table that is not smooth there
    over: str = "t"  # what the table is over
    breaks: tuple[float, ...] = ()  # times its owner named
    measure: int = -1  # its coordinate, where it has one
    note: str = ""  # to be told with every run
