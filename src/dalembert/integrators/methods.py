"""The methods by name, each with what the driver (solve.py) must know to run it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from .._jit import Bound
from . import METHODS
from .layout import Tableau
from .tableaus import TABLEAUS, packed


@dataclass(frozen=True)
class Linear:
    """Linear solves (c I − J) x = r of the owner of the equations, for implicit methods.

    ``a``, ``b``: right-hand side and answer, real and imaginary part.  ``coefficient``: c, then the two parts of a complex c.
    ``entries``: differentiate, factor_real, factor_complex, solve_real, solve_complex.  ``size``: components that matter.
    """

    a: np.ndarray
    b: np.ndarray
    coefficient: np.ndarray
    entries: tuple[Bound, ...]
    size: int


@dataclass(frozen=True)
class Chosen:
    """``rows`` of n in State.k, of which ``kept`` outlive a step; ``terms`` of the dense output; ``attempt`` binds one step."""

    tableau: Tableau
    rows: int
    kept: int
    terms: int
    attempt: Callable[..., Bound]


def choose(method: str, linear: Linear | None) -> Chosen:
    if method not in METHODS:
        raise ValueError(f"unknown method {method!r}: choose from {', '.join(METHODS)}")
    if method in TABLEAUS:
        from .explicit import ATTEMPT

        found = TABLEAUS[method]
        tableau = packed(found)

        def attempt(shared, state, task, work):
            return ATTEMPT.bind(shared, tableau, state, task, work)

        return Chosen(tableau, len(found.rows), 1, 3 + len(found.dense), attempt)
    if linear is None:
        raise ValueError(f"method {method!r} is implicit: it needs linear=")
    tableau = Tableau(np.array([1, 0, 0, -1, 3, 1], np.int64), np.array([0.25, 0.0, 0.0]), np.zeros(1), np.zeros(1, np.int64),
                      np.zeros(1), np.zeros(1, np.int64))
    return Chosen(tableau, 6, 6, 3, partial(_radau, linear, tableau))


def _radau(linear: Linear, tableau: Tableau, shared: Any, state: Any, task: Any, work: Any) -> Bound:
    from . import radau
    from .layout import TANGENTS

    n = shared.y.size
    lin = radau.Linear(linear.a, linear.b, linear.coefficient, np.array([e.handle for e in linear.entries], np.int64),
                       np.array([linear.size], np.int64), np.zeros(3 * n), np.zeros(3 * n), np.zeros(3 * n))
    if state.count[TANGENTS]:
        radau.RECOVER.bind(shared, state, lin)()
    return radau.ATTEMPT.bind(shared, tableau, state, task, work, lin)
