"""Sampled controllers of a model at work: they act at their instants, and what they set is held in between.

    next(x)      the earliest of k every over the controllers, k from their states (elements/signals/controller.py)
    act(t, x)    all that are due at t, in the order of the model: each reads the state that the ones before it have left

All of it is in the state x = (q, v, …): the same state gives the same motion, whatever was computed before.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dalembert.analyses.toolbox.slots import slots_at
from dalembert.elements.signals.controller import Controller
from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError, SimulationError
from dalembert.expressions import number
from dalembert.integrators.solve import Halted
from dalembert.records import record

SAME = 8.0  # units in the last place of t: instants as near as this are one


@record
class Sampled:
    """One controller: its numbers, and where its things are."""

    element: Controller
    every: float
    place: int  # of the number of its next instant, in q
    reads: list[int]  # slots
    sets: list[int]  # places in q
    call: Callable[..., Any]

    def due(self, x) -> float:
        return float(x[self.place]) * self.every


def controllers(model) -> list[Controller]:
    """Those of a model, in its order."""
    return [e for e in model.elements.values() if isinstance(e, Controller)]


def refuse_controllers(model, question: str, error: type[Exception] = AnalysisError) -> None:
    """An error where a model has controllers; ``question``: what was asked of which model."""
    found = controllers(model)
    if found:
        raise error(f"{question}: {', '.join(e.title for e in found[:3])} act at instants, which this analysis does not follow. "
                    "simulate and stepper do; for anything else take them out of the model, or write them as laws "
                    "(da.Signal, da.Differential)")


def refuse_going_back(model, question: str) -> None:
    """An error where something in a model remembers what nobody can put back."""
    found = [e.title for e in controllers(model) if e.outside]
    if found:
        raise SimulationError(f"{question}: {', '.join(found)} remembers what is not in the state, and cannot be put back to "
                              "where it was; begin anew")


def renumber(before, after, state) -> None:
    """A state of the model ``after`` a change of parameters: where ``every`` changed, the next instant is the first after t."""
    old, new = before.parameter_values(), after.parameter_values()
    for e in controllers(after):
        every = number(e.every, new, f"every of {e.title}")
        if every != number(e.every, old, f"every of {e.title}"):
            state.q[state.system.states[e.name]] = math.floor(state.t / every + 1e-9) + 1.0


class Sampling:
    """The controllers of one run."""

    def __init__(self, model, system):
        values = model.parameter_values()
        self.model, self.system = model, system
        self.items = [Sampled(e, number(e.every, values, f"every of {e.title}"), system.states[e.name],
                              [system.readings[n] for n in e.reads], [system.states[n] for n in e.sets], e.begin(model))
                      for e in controllers(model)]
        self._work = workspace(system)
        self._v = slice(system.nq, system.nq + system.nv)

    def start(self, x, t: float) -> None:
        """A state at time t that a run begins with: instants before t have passed."""
        for item in self.items:
            x[item.place] = max(x[item.place], math.ceil(t / item.every - 1e-9))

    def next(self, x) -> float:
        """When the next one acts."""
        return min(item.due(x) for item in self.items)

    def due(self, t: float, x) -> bool:
        """Whether one acts at t, as far as floats tell."""
        return self.next(x) <= t + SAME * math.ulp(t)

    def act(self, t: float, x) -> None:
        """Those that are due."""
        now = t + SAME * math.ulp(t)
        for item in self.items:
            if item.due(x) <= now:
                x[item.sets] = self._called(item, t, self._read(item, t, x))
                x[item.place] += 1.0

    def _read(self, item, t, x) -> list[float]:
        if not item.reads:
            return []
        read = slots_at(self._work, t, x[:self.system.nq], x[self._v])
        return [float(read[k]) for k in item.reads]

    def _called(self, item, t, values) -> np.ndarray:
        title, sets = item.element.title, item.element.sets
        try:
            answer = item.call(t, *values)
        except Exception as error:
            raise Halted(f"{title} raised {type(error).__name__} at t = {t:.6g}: {error}") from error
        try:
            found = np.asarray(answer, dtype=float).ravel()
        except (TypeError, ValueError):
            raise Halted(f"{title} returned {answer!r:.60} at t = {t:.6g}, which is no list of numbers") from None
        if found.size != len(sets):
            raise Halted(f"{title} returned {found.size} number{'s' * (found.size != 1)} at t = {t:.6g}; it sets "
                         f"{', '.join(sets)}")
        if not np.isfinite(found).all():
            bad = int(np.flatnonzero(~np.isfinite(found))[0])
            raise Halted(f"{title} returned {found[bad]} for '{sets[bad]}' at t = {t:.6g}")
        return found
