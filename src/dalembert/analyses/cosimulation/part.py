"""A model inside somebody else's simulation: variables with names, and steps from one communication point to the next.

What an FMU (export_fmu) runs, whatever its version of FMI:

    parameters   of the model, where they are numbers: set before the start
    inputs       those of a stepper: held over a step
    outputs      names as in formulas, read at communication points

The stepper is made when the first output is asked for or the first step is taken, from what was set until then.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from dalembert.analyses.stepper import stepper
from dalembert.analyses.stepping.single import Stepper
from dalembert.errors import SimulationError
from dalembert.io.files import load_model

MODEL, SETTINGS = "model.toml", "part.json"
TOGETHER = 1e-9  # of a step: how far the importer's time may be from ours


@dataclass(frozen=True)
class Variable:
    """One variable as FMI describes it."""

    name: str
    causality: str  # parameter, input, output
    variability: str
    initial: str | None
    description: str
    get: Callable[[], float]
    set: Callable[[float], None] | None


class Part:
    """The model in a folder, as a part of another simulation."""

    def __init__(self, folder: str):
        self.model = load_model(Path(folder) / MODEL)
        self.settings = json.loads((Path(folder) / SETTINGS).read_text(encoding="utf-8"))
        self.outputs = tuple(self.settings["outputs"])
        self.start = 0.0
        self._given = {name: float(x) for name, x in self.settings["inputs"].items()}
        self._parameters = {n: float(v) for n, v in self.model.parameters.items() if isinstance(v, (int, float))}
        self._sim: Stepper | None = None
        self._read: list[float] | None = None
        self._begun = False
        self.variables = self._listed()

    def _listed(self) -> list[Variable]:
        found = [Variable(quoted(n), "parameter", "fixed", "exact", f"parameter {n} of the model",
                          partial(self._parameters.__getitem__, n), partial(self._set_parameter, n)) for n in self._parameters]
        found += [Variable(quoted(n), "input", "continuous", None, f"input {n}", partial(self._given.__getitem__, n),
                           partial(self._set_input, n)) for n in self._given]
        taken = {v.name for v in found}
        for k, n in enumerate(self.outputs):
            name = quoted(n) if quoted(n) not in taken else quoted(f"{n}.value")
            found.append(Variable(name, "output", "continuous", "calculated", f"{n} of the model", partial(self._output, k),
                                  None))
        return found

    def _set_parameter(self, name: str, value: float) -> None:
        if self._begun:
            raise SimulationError(f"parameter '{name}' is fixed once the simulation has begun")
        self._parameters[name] = _finite(value, f"parameter '{name}'")
        self._sim = self._read = None

    def _set_input(self, name: str, value: float) -> None:
        self._given[name] = _finite(value, f"input '{name}'")
        if self._sim is not None:
            self._sim.inputs[name] = self._given[name]
            self._read = None

    def _output(self, k: int) -> float:
        if self._read is None:
            self._read = [float(x) for x in self._stepper().read()]
        return self._read[k]

    def _stepper(self) -> Stepper:
        if self._sim is None:
            model = self.model.copy()
            for name, value in self._parameters.items():
                model.parameters[name] = value
            self._sim = stepper(model, start=self.start, reads=self.outputs, **self.settings["options"])
            for name, value in self._given.items():
                self._sim.inputs[name] = value
        return self._sim

    def begin(self, start: float) -> None:
        """Where time begins."""
        if not self._begun:
            self.start = _finite(start, "the start time")
            self._sim = self._read = None

    def step(self, t: float, dt: float) -> None:
        """From the communication point t to t + dt."""
        sim = self._stepper()
        self._begun = True
        if abs(sim.t - t) > TOGETHER * max(dt, abs(t)):
            raise SimulationError(f"the step begins at t = {t!r}, but the model stands at {sim.t!r}: steps follow each other")
        sim.step(dt)
        self._read = None


def quoted(name: str) -> str:
    """A name by the rules of structured names: a.b, with quotes around parts that are no identifiers."""
    return ".".join(p if p.isidentifier() and p.isascii() else "'" + p.replace("\\", "\\\\").replace("'", "\\'") + "'"
                    for p in name.split("."))


def _finite(value: float, what: str) -> float:
    if not math.isfinite(value):
        raise SimulationError(f"{what} takes a finite number, got {value!r}")
    return float(value)
