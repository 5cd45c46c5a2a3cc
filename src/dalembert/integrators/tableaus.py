"""Runge-Kutta tableaus with their continuous extensions: what they mean, and how the kernels read them.

One step of size h from (t, x) with s stages:

    k_i = f(t + c_i h, x + h sum_j a_ij k_j),   i = 1 .. s     stages
    y   = x + h sum_i b_i k_i,   k_{s+1} = f(t + h, y)          solution, derivative used by the next step
    e   = sum_i e_i k_i,   e_i = b_i - b^_i                     error estimate divided by h (one or two rows)

Continuous extensions have the nested form in u = (tau - t)/h, v = 1 - u:

    y(tau) = x + u (r_1 + v (r_2 + u (r_3 + v (r_4 + u (r_5 + ...)))))
    r_1 = y - x,  r_2 = h k_1 - r_1,  r_3 = r_1 - h k_{s+1} - r_2,  r_{3+m} = h sum_i d_mi k_i

None, one or more rows d, over the stages and extra stages if the method has any (methods/dp54.py: one, methods/dop853.py: four).
Without rows it is the cubic through both ends and both slopes, order 3.

``packed`` turns a tableau into the flat arrays the kernels read: row after row of (coefficient, stage) pairs,
zeros left out, each row filled up to a multiple of four with zero coefficients of the first stage.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dalembert.records import record

from .layout import Tableau

Row = dict[int, float]  # stage number -> coefficient, zeros left out
BLOCK = 4  # stages summed in one pass over the components


@record(eq=False)
class Coefficients:
    """A tableau; ``rows`` is A including the solution row b and the extra stages of the dense output."""

    stages: int
    c: tuple[float, ...]
    rows: tuple[Row, ...]
    errors: tuple[Row, ...]
    dense: tuple[Row, ...]
    alpha: float  # step control: factor = 0.9 err^-alpha err_old^beta
    beta: float
    stiff: float  # |h lambda| on the border of the stability region along the negative axis; inf: not tested (last c not 1)
    error_order: int  # order of the lower solution that the error estimate measures
    inside: float = 10.0  # with extra stages: error allowed between the ends, in tolerances of the step (dense.py)

    @property
    def b(self) -> Row:
        return self.rows[self.stages]


@lru_cache
def packed(method: Coefficients) -> Tableau:
    """The flat arrays of a tableau: stages, solution, extra stages, error rows, dense-output rows."""
    start: list[int] = [0]
    coef: list[float] = []
    index: list[int] = []
    for row in (*method.rows, *method.errors, *method.dense):
        coef += row.values()
        index += row.keys()
        padding = -len(row) % BLOCK
        coef += [0.0] * padding
        index += [0] * padding
        start.append(len(coef))
    extra = len(method.rows) - method.stages - 1
    shape = [method.stages, extra, len(method.errors), len(method.dense), method.error_order,
             int(any(method.stages in row for row in method.errors))]
    reals = [method.alpha, method.beta, method.stiff, method.inside]
    return Tableau(np.array(shape, np.int64), np.array(reals), np.array(method.c), np.array(start, np.int64),
                   np.array(coef), np.array(index, np.int64))
