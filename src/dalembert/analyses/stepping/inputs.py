"""Inputs by name: signals that are numbers, and components of forces, torques and motors that are numbers.

They are the inputs of ``linearize`` that can be held: a number of the table of laws (system.inputs), which keeps its value until
it is set again.  A prescribed motion has none: one that jumped would be an impact.
"""

from __future__ import annotations

import math
import numbers
from array import array
from collections.abc import Iterator, MutableMapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from dalembert.errors import AnalysisError, hint

FLOAT = np.dtype(float)


class Inputs(MutableMapping[str, float]):
    """``sim.inputs["motor"] = 2.0`` holds from now on; reading gives what is held."""

    def bind(self, model: Any, rows: dict[str, int], values: list[np.ndarray], changed: np.ndarray, held: dict[str, str]) -> None:
        """``values``: columns of the tables of laws; ``changed``: the flag of the integrator, a view of one number.

        Called again when the tables are others: who keeps ``sim.inputs`` in a variable goes on with it.
        """
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


class Written:
    """Several inputs at once, by their rows in the tables as they are now: ``sim.write(u)``."""

    def __init__(self, inputs: Inputs, names: Sequence[str]):
        self._model, self._names, self._changed = inputs._model, tuple(names), inputs._changed
        rows = [found(inputs._model, inputs._rows, inputs._held, name) for name in names]
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise AnalysisError(f"sets= of '{inputs._model.name}' names '{twice[0]}' twice")
        pace = rows[1] - rows[0] if len(rows) > 1 else 1
        even = pace > 0 and all(b - a == pace for a, b in pairwise(rows))  # laws one after the other: one copy for all of them
        self._rows: Any = slice(rows[0], rows[-1] + 1, pace) if rows and even else np.array(rows, np.intp)
        self._values = [np.asarray(column) for column in inputs._values]
        views: list[Any] = [column[self._rows] for column in self._values] if rows and even else []
        self._parts: list[Any] = [memoryview(view) for view in views]

    def __call__(self, u: Any) -> None:
        parts = self._parts
        try:
            plain = type(u) is np.ndarray and u.dtype is FLOAT and u.ndim == 1
            values = u if plain else array("d", u.tolist() if isinstance(u, np.ndarray) else u)
            given = values.tolist()
            good = len(given) == len(self._names) and (math.isfinite(sum(given)) or all(map(math.isfinite, given)))
        except (TypeError, ValueError, OverflowError):
            good = False
        if not good:
            raise unfit(self._model, self._names, "", u)
        if parts:
            if parts[0].tolist() != given:
                for part in parts:
                    part[:] = values
                self._changed[0] = 1
        elif self._values[0][self._rows].tolist() != given:
            for column in self._values:
                column[self._rows] = values
            self._changed[0] = 1


def numbers_of(u: Any) -> np.ndarray:
    """As an array of real numbers; of what has none: one that is not finite."""
    try:
        given = np.asarray(u)
        return np.asarray(given, dtype=float) if not np.iscomplexobj(given) else np.full(1, np.nan)
    except (TypeError, ValueError):
        return np.full(1, np.nan)


def unfit(model, names: Sequence[str], which: str, u: Any) -> AnalysisError:
    told = ", ".join(names) or "it has no inputs"
    return AnalysisError(f"write of '{model.name}' takes {len(names)} finite numbers{which} ({told}); got {u!r:.80}")


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


