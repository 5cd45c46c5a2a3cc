"""Dependent and independent coordinates: the embedded form.

    C u̇ = γ split as C_d u̇_d + C_i u̇_i = γ:      u̇ = B u̇_i + γ_i,   B = [1; −C_d⁻¹ C_i],   γ_i = [0; C_d⁻¹ γ]
    u = B u_i + β,   β = [0; −C_d⁻¹ a₀]            (a₀: what the left side of a velocity equation is at rest)
    Bᵀ M B u̇_i = Bᵀ (Q − M γ_i)                    without reactions, because C B = 0

Rows are solved one unknown at a time, the row with the fewest unknowns first, never by a pivot that is zero in the sample
state; rows that the others imply are left out.  A partition with a singular C_d (a dead point) is refused by name.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dalembert.algebra.null_space import rank, unit_rows
from dalembert.errors import AnalysisError
from dalembert.symbolic.kinematics.jet import ZERO
from dalembert.symbolic.simplify import tidy, weight

SINGULAR = 1e-9


@dataclass
class Partition:
    """Which speeds are independent, and u̇ = B u̇_i + γ_i, u = B u_i + β as formulas."""

    independent: list[int]
    dependent: list[int]
    B: list[list[Any]]  # one row per speed, one column per independent one
    gamma: list[Any]
    beta: list[Any]
    dropped: list[int]  # rows implied by the others
    pivots: list[Any] = field(default_factory=list)  # their product is ± det C_d
    singular: str = ""  # said where the choice fails in the pose as drawn


def choose(C: np.ndarray, names: list[str], wanted: list[str], last=frozenset()) -> tuple[list[int], list[int]]:
    """Independent and dependent speeds: those asked for first, then those that come first (``last`` at the end) and leave C_d
    regular."""
    n = C.shape[1]
    unit = unit_rows(C)[0]
    count = rank(unit)
    free = n - count
    order = [names.index(w) for w in wanted if w in names][:free]
    rest = [k for k in range(n) if k not in order]
    if len(order) < free:
        dependent = _dependent(C, sorted(rest, key=lambda k: k in last), count)
        order += [k for k in rest if k not in dependent][: free - len(order)]
        rest = [k for k in range(n) if k not in order]
    if count and rank(unit[:, rest]) < count:
        raise AnalysisError(
            f"coordinates {', '.join(names[k] for k in order)} cannot be the independent ones: the others "
            f"({', '.join(names[k] for k in rest)}) do not follow from them in this pose (C_d is singular, as at "
            "a dead point). Choose another coordinate, or keep all of them with multipliers (lagrange, dalembert)"
        )
    return order, rest


def fails(C: np.ndarray, names: list[str], independent: list[int], dependent: list[int]) -> str:
    """What to say of a choice whose C_d is singular where C was taken (the pose as drawn); "" where it is not."""
    unit = unit_rows(C)[0]
    if rank(unit[:, dependent]) >= min(rank(unit), len(dependent)):
        return ""
    others, _ = choose(C, names, [])
    return (f"In the pose as drawn C_qd is singular: {', '.join(names[k] for k in dependent)} do not follow from "
            f"{', '.join(names[k] for k in independent)} there (a dead point), and what is divided by below is zero. "
            f"In that pose {', '.join(names[k] for k in others)} would do; or keep all coordinates with multipliers.")


def _dependent(C, columns, rank) -> set[int]:
    """Columns that can be solved for, the last ones first: so the coordinates named or added first stay independent."""
    for sine in (1e-2, 1e-4, SINGULAR):
        found: list[int] = []
        base = np.zeros((C.shape[0], 0))
        for k in reversed(columns):
            x = C[:, k] - base @ (base.T @ C[:, k])
            if float(np.linalg.norm(x)) > sine * max(float(np.linalg.norm(C[:, k])), SINGULAR):
                found.append(k)
                base = np.column_stack([base, x / np.linalg.norm(x)])
            if len(found) == rank:
                return set(found)
    return set(found)


def partition(terms, sample, independent, dependent) -> Partition:
    """B, γ_i, β by elimination; ``sample`` holds the numbers of C at a state, for choosing pivots."""
    n = terms.kin.n
    system = Loops(
        [list(r) for r in terms.C],
        sample.constraint_jacobian.copy(),
        list(dependent),
        [[*(-row[i] for i in independent), r.gamma, -rest(r, terms.kin)] for row, r in zip(terms.C, terms.rows, strict=True)],
    )
    system.run()
    B = [[ZERO + (i == k) for i in independent] for k in range(n)]
    gamma, beta = [ZERO] * n, [ZERO] * n
    for k, found in system.solved.items():
        *B[k], gamma[k], beta[k] = found
    return Partition(independent, dependent, B, gamma, beta, sorted(system.left), system.pivots)


class Loops:
    """C_d X = R solved block by block: single unknowns, pairs (Cramer), then whatever is left by elimination."""

    def __init__(self, C, N, todo, right):
        self.C, self.N, self.todo, self.right = C, N, todo, right
        self.left = set(range(len(C)))
        self.solved: dict[int, list] = {}
        self.pivots: list = []  # their product is ± det C_d
        self.scale = SINGULAR * max(1.0, np.abs(N).max(initial=0.0))

    def run(self):
        while self.todo and self.left:
            if not (self._single() or self._pair()):
                self._eliminate()
                return

    def _open(self, r):
        return [k for k in self.todo if self.C[r][k] != 0]

    def _rest(self, r) -> list:
        """Right side of row r with what is solved already."""
        known = [k for k in self.solved if self.C[r][k] != 0]
        return [tidy(x - sum((self.C[r][k] * self.solved[k][c] for k in known), ZERO)) for c, x in enumerate(self.right[r])]

    def _keep(self, k, values):
        self.solved[k] = values
        self.todo.remove(k)

    def _single(self) -> bool:
        for r in sorted(self.left):
            inside = self._open(r)
            if len(inside) == 1 and abs(self.N[r, inside[0]]) > self.scale:
                self.left.discard(r)
                self.pivots.append(self.C[r][inside[0]])
                self._keep(inside[0], [tidy(x / self.C[r][inside[0]]) for x in self._rest(r)])
                return True
        return False

    def _pair(self) -> bool:
        for r, s in itertools.combinations(sorted(self.left), 2):
            both = sorted({*self._open(r), *self._open(s)})
            if len(both) != 2:
                continue
            j, k = both
            number = self.N[r, j] * self.N[s, k] - self.N[r, k] * self.N[s, j]
            if abs(number) <= self.scale * self.scale / SINGULAR:
                continue
            C, a, b = self.C, self._rest(r), self._rest(s)
            det = tidy(C[r][j] * C[s][k] - C[r][k] * C[s][j])
            first = [tidy(tidy(x * C[s][k] - y * C[r][k]) / det) for x, y in zip(a, b, strict=True)]
            second = [tidy(tidy(y * C[r][j] - x * C[s][j]) / det) for x, y in zip(a, b, strict=True)]
            self.left -= {r, s}
            self.pivots.append(det)
            self._keep(j, first)
            self._keep(k, second)
            return True
        return False

    def _eliminate(self):
        C, N = self.C, self.N
        R = {r: self._rest(r) for r in self.left}
        order: list[tuple[int, int]] = []
        todo = list(self.todo)
        while todo and self.left:
            best = None
            for r in sorted(self.left):
                for k in todo:
                    if C[r][k] != 0 and abs(N[r, k]) > self.scale:
                        cost = (sum(C[r][x] != 0 for x in todo), weight(C[r][k]), -abs(N[r, k]))
                        if best is None or cost < best[0]:
                            best = (cost, r, k)
            if best is None:
                break
            _, r, k = best
            self.left.discard(r)
            todo.remove(k)
            order.append((r, k))
            self.pivots.append(C[r][k])
            for s in self.left:
                if C[s][k] != 0:
                    factor = tidy(C[s][k] / C[r][k])
                    ratio = N[s, k] / N[r, k]
                    C[s] = [a if x not in todo or C[r][x] == 0 else tidy(a - factor * C[r][x]) for x, a in enumerate(C[s])]
                    C[s][k] = ZERO
                    R[s] = [tidy(a - factor * b) for a, b in zip(R[s], R[r], strict=True)]
                    N[s] -= ratio * N[r]
        for r, k in reversed(order):
            others = [x for x in self.todo if x != k and x in self.solved and C[r][x] != 0]
            values = [tidy((y - sum((C[r][x] * self.solved[x][c] for x in others), ZERO)) / C[r][k]) for c, y in enumerate(R[r])]
            self.solved[k] = values


def rest(row, kin):
    """a₀ of a velocity equation: its left side where all speeds are zero."""
    return row.rate.xreplace({c.u: ZERO for c in kin.coordinates})
