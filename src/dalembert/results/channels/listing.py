"""Channels of a motion as a mapping: name → numbers over time, with units, read when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from dalembert.results.channels import reading
from dalembert.results.notebook import table

SHOWN = 60


class Channels(Mapping[str, np.ndarray]):
    """run.channels("A.*"): ["A.force.x"] is an array, .units a dict, .names a list."""

    def __init__(self, motion: Any, asked: Any = None):
        self._motion, self._asked = motion, asked
        reading.names(motion.model, motion.system, asked)  # says at once what is not there

    @cached_property
    def _columns(self) -> dict[str, reading.Column]:
        return {c.name: c for c in reading.columns(self._motion, self._asked)}

    @property
    def names(self) -> list[str]:
        return list(self._columns)

    @property
    def units(self) -> dict[str, str]:
        return {name: c.unit for name, c in self._columns.items()}

    def __getitem__(self, name: str) -> np.ndarray:
        if name in self._columns:
            return self._columns[name].values
        found = reading.columns(self._motion, name)
        return found[0].values if len(found) == 1 else np.column_stack([c.values for c in found])

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def _rows(self) -> list[tuple[str, str, str]]:
        return [(c.name, c.unit, c.description) for c in self._columns.values()]

    def _repr_html_(self) -> str:
        """How a notebook shows it."""
        rows = self._rows()
        more = [f"… and {len(rows) - SHOWN} more: .names has all"] if len(rows) > SHOWN else []
        return table(("channel", "unit", ""), rows[:SHOWN], f"{len(rows)} channels of '{self._motion.model.name}'", more)

    def __repr__(self):
        rows = self._rows()
        wide = max((len(name) for name, _, _ in rows[:SHOWN]), default=4)
        lines = [f"{len(rows)} channels of '{self._motion.model.name}'"]
        lines += [f"  {name:<{wide}}  {unit:<8}  {words}" for name, unit, words in rows[:SHOWN]]
        return "\n".join(lines + ([f"  … and {len(rows) - SHOWN} more: .names has all"] if len(rows) > SHOWN else []))
