"""A motion as a table of text: one row per sample, one header row, numbers that read back to the same bits.

    t [s],crank.position.x [m],crank.position.y [m],crank.angle [rad], … ,A.force.x [N], … ,energy.total [J]

Columns and how they are chosen: results/channels/reading.py.  Names that a spreadsheet would run as a formula get an apostrophe
in front.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from dalembert.io import atomic, endings
from dalembert.io.cells import cell
from dalembert.results.channels.reading import columns


def heading(name: str, unit: str) -> str:
    """How a column is called in a file of text: crank.angle [rad]."""
    return f"{name} [{unit}]"


def table(motion, channels: Any = None, units: bool = True) -> tuple[list[str], np.ndarray]:
    """Header and values (samples × columns), time first."""
    found = columns(motion, channels)
    header = [heading("t", "s") if units else "t", *(heading(c.name, c.unit) if units else c.name for c in found)]
    return header, np.column_stack([np.atleast_1d(motion.t), *(c.values for c in found)])


def write(motion, path: str | os.PathLike[str], channels: Any = None, units: bool = True) -> None:
    """Write the table of a motion to a file."""
    header, values = table(motion, channels, units)
    write_rows(path, header, ([repr(x) for x in row] for row in values.tolist()))


def write_rows(path: str | os.PathLike[str], header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Any table: a header, rows of numbers as text or of words."""
    endings.fits(path, (".csv",), "a table")
    with atomic.replacing_text(path, newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(map(cell, header))
        writer.writerows(rows)
