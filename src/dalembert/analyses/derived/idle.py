"""Parameters that nothing depends on: told from those whose slope is zero just here, and refused by name.

A parameter reaches a mechanism through its formulas: the numbers of the compiled tables, the drawn state, and what ``m.initial``
gives.  Where all of these are the same at several values of it, number for number, nothing depends on it; there are two cases,

    no formula names it              a parameter left over, or a Python function that was made with its value
    formulas name it, and are flat   floor, step, sign, the other side of max: it counts or chooses, and can only jump

A slope of zero alone (p² at p = 0) says nothing: the numbers beside differ, and zero is the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from dalembert.analyses.derived.parameters import alike, parts_of
from dalembert.errors import AnalysisError, DalembertError
from dalembert.expressions import number

NO_FORMULAS = ("name", "notes", "origin", "parameters")  # of a model and of an element


class Idle(AnalysisError):
    """Nothing depends on the parameter ``name``."""

    name = ""


def refuse_idle(model, name, value, step, build, question) -> None:
    """``Idle`` where the models with the parameter ``step`` aside (``build(value)``) are the same."""
    if unchanged(build(value + e) for e in (0.0, step, -step)):
        raise told(model, name, f"{value:.6g}", question)


def told(model, name, value, question) -> Idle:
    if _named(model, name):
        words = (f"around {value}: the formulas that name it do not change there (floor, step, sign, the other side of max "
                 "…). What counts, or chooses how the mechanism is made, has no derivative: da.sweep tries its values")
    else:
        words = (f"({value}): no formula of the model names it; a Python function that was made with its value keeps that "
                 "number. Leave it out, or write it into a formula")
    error = Idle(f"{question} of '{model.name}': nothing depends on the parameter '{name}' {words}")
    error.name = name
    return error


def unchanged(models: Iterable[Any]) -> bool:
    """Whether these models have the same numbers everywhere; False where one cannot be built."""
    first = None
    try:
        for model in models:
            other = _numbers(model)
            if first is None:
                first = other
            elif alike(first[0], other[0]) or not _same(first, other):
                return False
    except DalembertError:
        return False
    return True


def _numbers(model) -> tuple[dict, list[np.ndarray]]:
    system, values = model.compile(), model.parameter_values()
    given = [number(x, values, of) for of, entry in model.initials.items() for x in entry.values()]
    return parts_of(system.tables), [system.q_drawn, system.v_drawn, np.array(given, float)]


def _same(a, b) -> bool:
    reals = [(a[0][field][0], b[0][field][0]) for field in a[0]]
    return all(np.array_equal(x, y, equal_nan=True) for x, y in [*reals, *zip(a[1], b[1], strict=True)])


def _named(model, name) -> bool:
    """Whether a text of the model, other than names, has this word, or that of a parameter which follows from it."""
    words = {name}
    for key, text in model.parameters.items():  # each may use those before it
        if isinstance(text, str) and _has(text, words):
            words.add(key)
    return any(_has(text, words) for text in _texts({k: x for k, x in vars(model).items() if k not in NO_FORMULAS}))


def _has(text, words) -> bool:
    return not words.isdisjoint(re.findall(r"\w+", text))


def _texts(value) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            if key not in NO_FORMULAS:
                yield from _texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)
    elif isinstance(getattr(value, "given", None), dict):
        yield from _texts(value.given)
