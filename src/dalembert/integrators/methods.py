"""The methods by name, each with what the driver (solve.py) must know to run it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

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
class Second:
    """Second-order equations with multipliers, for generalized-α.

    Arrays as in alpha.Second; ``entries``: differentiate, factor_second, correct_second, move, rates.
    """

    q: np.ndarray
    v: np.ndarray
    qdot: np.ndarray
    vdot: np.ndarray
    lam: np.ndarray
    a: np.ndarray
    x: np.ndarray
    coefficient: np.ndarray
    entries: tuple[Bound, ...]


@dataclass(frozen=True)
class Chosen:
    """``rows`` of n in State.k, of which ``kept`` outlive a step; ``terms`` of the dense output.

    ``attempt`` binds one step (``deliver``: an entry already bound to the shared arrays), and what must run once before the first
    step of a run or of its continuation (or None).
    """

    tableau: Tableau
    rows: int
    kept: int
    terms: int
    attempt: Callable[..., tuple[Bound, Bound | None]]


def choose(method: str, linear: Linear | Second | None) -> Chosen:
    if method not in METHODS:
        raise ValueError(f"unknown method {method!r}: choose from {', '.join(METHODS)}")
    if method in TABLEAUS:
        from .explicit import ATTEMPT

        found = TABLEAUS[method]
        tableau = packed(found)

        def attempt(deliver, shared, state, task, work):
            return deliver.sibling(ATTEMPT), None

        return Chosen(tableau, len(found.rows), 1, 3 + len(found.dense), attempt)
    if linear is None:
        raise ValueError(f"method {method!r} is implicit: it needs linear=")
    if isinstance(linear, Second):
        tableau = _tableau(0, 2)
        return Chosen(tableau, 5, 5, 3, partial(_alpha, linear, tableau))
    tableau = _tableau(-1, 3)
    return Chosen(tableau, 6, 6, 3, partial(_radau, linear, tableau))


def _tableau(dense: int, order: int) -> Tableau:
    """What the shared loop reads of a method without a tableau: one stage, its dense output, the order of its error."""
    return Tableau(np.array([1, 0, 0, dense, order, 1], np.int64), np.zeros(3), np.zeros(1), np.zeros(1, np.int64),
                   np.zeros(1), np.zeros(1, np.int64))


def _radau(linear: Linear, tableau: Tableau, deliver: Bound, shared, state, task, work) -> tuple[Bound, Bound]:
    from . import radau

    n = shared.y.size
    lin = radau.Linear(linear.a, linear.b, linear.coefficient, _handles(linear.entries), np.array([linear.size], np.int64),
                       np.zeros(3 * n), np.zeros(3 * n), np.zeros(3 * n))
    return radau.ATTEMPT.bind(shared, tableau, state, task, work, lin), radau.BEGIN.bind(shared, state, lin)


def _alpha(second: Second, tableau: Tableau, deliver: Bound, shared, state, task, work) -> tuple[Bound, Bound]:
    from . import alpha

    nv = second.v.size
    nc = second.lam.size
    sec = alpha.Second(second.q, second.v, second.qdot, second.vdot, second.lam, np.zeros(nc), np.zeros(nc), second.a, second.x,
                       second.coefficient, _handles(second.entries), np.zeros(nv), np.zeros(nv))
    return alpha.ATTEMPT.bind(shared, tableau, state, task, work, sec), alpha.BEGIN.bind(shared, state, sec)


def _handles(entries: tuple[Bound, ...]) -> np.ndarray:
    return np.array([e.handle for e in entries], np.int64)
