"""A state of a stepper: with it go the inputs it holds and the parameters it was given, which are no coordinates.

    parameter    as the stepper has it, where it was set since the stepper was made
    input        as the stepper holds it, where the model that is stepped has another number

``carried`` puts both into a copy of the model that an analysis is asked about.  Where that model has got a third value of its own
since, nobody can tell which one is meant: refused.  An input that has become a law is the model's own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dalembert.errors import AnalysisError
from dalembert.model.model import Model
from dalembert.results.motion import State


class Held(State):
    """Where a stepper stands: pose and speeds, its inputs, and the parameters it began with."""

    def __init__(self, model, system, t, q, v, inputs: dict[str, float], born: dict[str, Any]):
        own = replace(system, tables=system.tables._replace(laws=system.tables.laws.copy()))  # inputs set later: not its
        super().__init__(model, own, t, q, v)
        self.inputs, self.born = inputs, born


def carried(model: Model, state: Any) -> Model:
    """The model with what the state holds; the model itself where that is nothing else than it has."""
    if not isinstance(state, Held):
        return model
    other = model
    for name, value in state.model.parameters.items():
        if name in model.parameters and value != state.born.get(name, value) and model.parameters[name] != value:
            if model.parameters[name] != state.born[name]:
                raise _torn(model, f"parameter '{name}'", value, model.parameters[name])
            other = other.copy() if other is model else other
            other.parameters[name] = value
    before = _numbers(state.model.compile())
    given = {name: x for name, x in state.inputs.items() if x != before[name]}
    now = _numbers(other.compile()) if given else {}
    for name, x in given.items():
        if name in now and now[name] != x:
            if now[name] != before[name]:
                raise _torn(model, f"input '{name}'", x, now[name])
            other = other.copy() if other is model else other
            _set(other, name, x)
    return other


def refuse_held(model, state) -> None:
    """An error where a state holds what the model has not, for analyses that do not carry it."""
    if isinstance(state, Held) and carried(model, state) is not model:
        before = _numbers(state.model.compile())
        told = [f"input {n} = {x:.6g}" for n, x in state.inputs.items() if x != before[n]]
        told += [f"parameter {n} = {x}" for n, x in state.model.parameters.items() if x != state.born.get(n, x)]
        raise AnalysisError(f"the state is of a stepper of '{model.name}' that holds {', '.join(told)}, and the model has other "
                            "numbers: simulate, accelerations, linearize and stepper carry them; for anything else put them into "
                            "the model first")


def _numbers(system) -> dict[str, float]:
    return {name: float(system.tables.laws["value"][row]) for name, row in system.inputs.items()}


def _set(model, name: str, value: float) -> None:
    """The number that an input is, in a copy of the model."""
    base = name if name in model.elements else name.rpartition(".")[0]
    e = model.elements[base]
    key = "formula" if e.kind == "signal" else e.unknowns[0]
    law = e.given[key]
    if isinstance(law, (list, tuple)):
        place = "xyz".index(name[-1]) if base != name else 0
        new: Any = [value if k == place else x for k, x in enumerate(law)]
    else:
        new = value
    model.elements[base] = type(e)(**{**e.given, key: new})


def _torn(model, what: str, held, own) -> AnalysisError:
    return AnalysisError(f"the state is of a stepper of '{model.name}' that holds {what} = {held}, and the model has been given "
                         f"{own} since: which one is meant cannot be told. Set the same in both")
