"""Which variants a sweep computes: a list of dicts {parameter: value}.

    grid      every combination, the last parameter fastest          {"l": [1, 2], "m": [1, 2, 3]}  → 6
    list      the k-th of each                                       {"l": [1, 2], "m": [3, 4]}     → 2
    random    independent, uniform between the two ends              {"l": (1, 2), "m": (0, 1)}, count=100
    latin     Latin hypercube: each of ``count`` equal slices of each range is used once

random and latin depend on ``seed`` only, so a sweep can be taken up again.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dalembert.errors import AnalysisError

SAMPLINGS = ("grid", "list", "random", "latin")


def variants(values: Any, sampling: str = "grid", count: int | None = None, seed: int = 0) -> list[dict[str, Any]]:
    """The variants described by a mapping of parameters (see above), or given one by one as a list of dicts."""
    if not isinstance(values, Mapping):
        rows = [dict(row) for row in values] if isinstance(values, Sequence) and not isinstance(values, str) else None
        if not rows or any(set(row) != set(rows[0]) for row in rows):
            raise AnalysisError("sweep: give {parameter: values}, or a list of dicts that all have the same parameters")
        return [{k: _number(k, x) for k, x in row.items()} for row in rows]
    if not values:
        raise AnalysisError("sweep: name at least one parameter, as {'speed': [10, 20, 30]}")
    if sampling not in SAMPLINGS:
        raise AnalysisError(f"sweep: sampling is one of {', '.join(SAMPLINGS)}, not {sampling!r}")
    names = list(values)
    if sampling in ("random", "latin"):
        return _between(values, names, sampling, count, seed)
    columns = [_column(name, values[name]) for name in names]
    if sampling == "list":
        if len({len(c) for c in columns}) != 1:
            sizes = ", ".join(f"{n}: {len(c)}" for n, c in zip(names, columns, strict=True))
            raise AnalysisError(f"sweep: as a list, all parameters need equally many values ({sizes})")
        return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
    return [dict(zip(names, row, strict=True)) for row in itertools.product(*columns)]


def _column(name: str, values: Any) -> list:
    column = [values] if isinstance(values, (int, float, str)) else list(values)
    if not column:
        raise AnalysisError(f"sweep: parameter '{name}' has no values")
    return [_number(name, x) for x in column]


def _number(name: str, value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if not isinstance(value, (int, float, str)) or isinstance(value, bool):
        raise AnalysisError(f"sweep: parameter '{name}' takes numbers (or formulas), got {value!r}")
    return value


def _between(values, names, sampling, count, seed) -> list[dict[str, Any]]:
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise AnalysisError(f"sweep: sampling='{sampling}' needs count=, how many variants; got {count!r}")
    ends = []
    for name in names:
        pair = values[name]
        if isinstance(pair, str) or not hasattr(pair, "__len__") or len(pair) != 2 or not all(np.isfinite(x) for x in pair):
            raise AnalysisError(f"sweep: sampling='{sampling}' needs (lowest, highest) for '{name}', got {pair!r}")
        ends.append((float(pair[0]), float(pair[1])))
    random = np.random.default_rng(seed)
    if sampling == "random":
        unit = random.random((count, len(names)))
    else:
        slices = np.column_stack([random.permutation(count) for _ in names])
        unit = (slices + random.random((count, len(names)))) / count
    low, high = np.array(ends).T
    return [dict(zip(names, row, strict=True)) for row in (low + unit * (high - low)).tolist()]
