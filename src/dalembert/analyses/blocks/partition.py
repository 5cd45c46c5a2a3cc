"""Independent and dependent coordinates: C_qi, C_qd, B_i and γ_i of the text's embedding.

    C_q q̈ = γ,   C_q = [C_qi  C_qd] after choosing as many dependent coordinates as C_q has independent rows
    q̈ = B_i q̈_i + γ_i,      B_i = [1; −C_qd⁻¹ C_qi],   γ_i = [0; C_qd⁻¹ γ]          rows of B_i in the layout's own order

Coordinates are components of v: "crank.angle", "piston.x" (centre of mass), in space "bar.wx" (about the body's own axis).
Rows that depend on others are left out of C_qi and C_qd (``kept`` says which stay), so that C_qd is square; the rest is
the same for all rows.  Without a wish turns come before translations, in the order of the bodies, unless badly conditioned.
A wish that cannot be independent in this pose (C_qd would be singular) is refused, with one that can.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert.algebra.null_space import unit_rows
from dalembert.analyses.toolbox.independent import Coordinate, choose
from dalembert.errors import AnalysisError, hint


@dataclass(frozen=True)
class Partition:
    """In the engine's order of what counts (``System.moving``): independent and dependent columns, rows kept, B_i and γ_i."""

    independent: list[int]
    dependent: list[int]
    kept: list[int]
    B: np.ndarray
    gamma_i: np.ndarray


def partition(model, system, D, gamma, N, weight, names, wish) -> Partition:
    """``N``: basis of the motions that all rows allow; ``weight``: M^(−1/2); ``wish``: names, or None.  All over ``moving``."""
    nv, free = N.shape
    bodies, parts = np.divmod(system.moving, system.kind.SIZE_V)
    order = sorted(range(nv), key=lambda k: bool(parts[k] < system.dim))  # turns first
    found = [Coordinate(names[k], body=int(bodies[k]), part=int(parts[k])) for k in order]
    eye = np.eye(nv)[order]
    usual = [order[k] for k in choose(found, eye, N, weight)]
    taken = usual if wish is None else _wished(model, system.dim, names, wish, order, found, eye, N, weight, usual)
    dependent = [k for k in range(nv) if k not in set(taken)]
    kept = independent_rows(unit_rows(D @ weight)[0], nv - free)
    B, drift = np.zeros((nv, free)), np.zeros(nv)
    B[taken, range(free)] = 1.0
    if dependent:
        C_d = D[np.ix_(kept, dependent)]
        scale = np.diag(weight)[dependent]  # columns in the metric of the masses: the solve does not depend on units
        both = np.linalg.solve(C_d * scale, np.column_stack([-D[np.ix_(kept, taken)], gamma[kept]]))
        B[dependent], drift[dependent] = both[:, :free] * scale[:, None], both[:, free] * scale
    return Partition(taken, dependent, kept, B, drift)


def _wished(model, dim, names, wish, order, found, eye, N, weight, usual) -> list[int]:
    wish = list(wish) if isinstance(wish, (list, tuple)) else [wish]
    can = ", ".join(names[k] for k in usual) or "none: the constraints fix the motion"
    for name in wish:
        if name not in names:
            raise AnalysisError(f"matrices of '{model.name}': there is no coordinate '{name}'{hint(str(name), names)} (a body's "
                                f"x, y and {'angle' if dim == 2 else 'z, and wx, wy, wz about its axes'}); these "
                                f"can be independent: {can}")
    free = N.shape[1]
    if len(set(wish)) != len(wish) or len(wish) != free:
        raise AnalysisError(f"matrices of '{model.name}': {free} coordinate(s) are independent, got {len(wish)} "
                            f"({', '.join(wish) or 'none'}); these can be: {can}")
    places = [order.index(names.index(name)) for name in wish]
    try:
        return [order[k] for k in choose(found, eye, N, weight, places)]
    except AnalysisError as error:
        raise AnalysisError(f"matrices of '{model.name}': {', '.join(wish)} cannot be independent in this pose, C_qd would be "
                            f"singular ({error}); these can: {can}") from None


def independent_rows(D, count) -> list[int]:
    """As many rows as asked for that span all of them, the largest left each time; in their own order."""
    if count == len(D):
        return list(range(len(D)))
    taken: list[int] = []
    left = D.copy()
    for _ in range(count):
        length = np.linalg.norm(left, axis=1)
        length[taken] = -1.0
        k = int(np.argmax(length))
        taken.append(k)
        u = left[k] / length[k]
        left = left - np.outer(left @ u, u)
    return sorted(taken)
