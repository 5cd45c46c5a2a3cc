"""Inputs by name: signals that are numbers, and components of forces, torques and motors that are numbers.

They are the inputs of ``linearize`` that can be held: a number of the table of laws (system.inputs), which keeps its value until
it is set again.  A prescribed motion has none: one that jumped would be an impact.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterator, MutableMapping
from typing import Any

import numpy as np

from dalembert.errors import AnalysisError, hint


class Inputs(MutableMapping[str, float]):
    """``sim.inputs["motor"] = 2.0`` holds from now on; reading gives what is held."""

    def __init__(self, model, rows: dict[str, int], values: list[np.ndarray], changed: np.ndarray, held: dict[str, str]):
        """``values``: columns of the tables of laws; ``changed``: the flag of the integrator, a view of one number."""
        self._model, self._rows, self._held = model, rows, held
        self._values: list[Any] = [memoryview(column) for column in values]  # type: ignore[arg-type]  # (faster)
        self._changed: Any = memoryview(changed)  # type: ignore[arg-type]

    def __setitem__(self, name: str, value: float) -> None:
        row = self._rows[name] if type(name) is str and name in self._rows else found(self._model, self._rows, self._held, name)
        if not ((type(value) is float or isinstance(value, numbers.Real)) and math.isfinite(value)):
            raise AnalysisError(f"input '{name}' of '{self._model.name}' takes a finite number, got {value!r:.60}")
        if self._values[0][row] != value:
            for column in self._values:
                column[row] = value
            self._changed[0] = 1

    def __getitem__(self, name: str) -> float:
        return float(self._values[0][found(self._model, self._rows, self._held, name)])

    def __delitem__(self, name: str) -> None:
        raise AnalysisError(f"input '{name}' cannot be taken away: set it to 0.0")

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self):
        return f"Inputs({', '.join(f'{n}={self[n]:.6g}' for n in self)})"


def found(model, rows: dict[str, int], held: dict[str, str], name) -> int:
    """The row of an input, by its name or by the element that has it."""
    name = getattr(name, "name", name)
    if not isinstance(name, str):
        raise AnalysisError(f"an input of '{model.name}' has a name, such as sim.inputs[\"motor\"]; got {name!r:.60}")
    if name not in rows:
        raise missing(model, rows, held, name)
    return rows[name]


def missing(model, rows, held, name) -> AnalysisError:
    """Why there is no such input, in words."""
    told = f"(inputs: {', '.join(rows) or 'none'})"
    parts = [n for n in rows if n.startswith(f"{name}.")]
    if name in held:
        return AnalysisError(f"'{name}' of '{model.name}' is set by {held[name]}, not from outside {told}")
    if parts:
        return AnalysisError(f"'{name}' has the inputs {', '.join(parts)}")
    if name in model and model[name].kind == "drive":
        return AnalysisError(f"{model[name].title} prescribes a motion, which cannot jump from one held value to the next: let a "
                             f"Motor act whose law reads a signal {told}")
    if name in model:
        return AnalysisError(f"{model[name].title} is no input: an input is a da.Signal with a number, or a Motor, Force or "
                             f"Torque whose law is a number; and no prescribed motion may depend on it {told}")
    return AnalysisError(f"'{model.name}' has no input '{name}'{hint(str(name), rows)} {told}")


def columns(*systems) -> list[np.ndarray]:
    """The values of the laws in the tables of these systems, each array once."""
    found: dict[int, np.ndarray] = {}
    for s in systems:
        laws = s.tables.laws
        found.setdefault(laws.__array_interface__["data"][0], laws["value"])
    return list(found.values())


