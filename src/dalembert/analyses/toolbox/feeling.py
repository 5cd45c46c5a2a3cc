"""Whether what laws feel (reactions, accelerations; equations/feedback.py) has one answer only, in words.

A solve sees a singular matrix, and a determinant that has another sign at the answer than where the search began.  Here it begins
elsewhere too, at STARTS times the values without the laws' part: two answers that differ are refused.
"""

from __future__ import annotations

import numpy as np

from dalembert.equations.feedback import LOST, SEVERAL, SINGULAR
from dalembert.errors import AnalysisError

STARTS = (0.0, -1.0, 10.0, -10.0)
APART = 1e-6  # of the largest: two answers
ROUNDING = 1e-9  # of the forces or accelerations at work: less is no difference (what is felt may be zero)
NEAR = 1e-4  # to one: the loop is next to singular


def who(system) -> str:
    """The laws and what they read."""
    laws = ", ".join(f"'{name}'" for name in system.feeling[:3]) or "signals"
    return f"{laws}{' and others' if len(system.feeling) > 3 else ''}, reading {', '.join(system.felt[:4])}" \
           f"{', …' if len(system.felt) > 4 else ''}"


def why(system, how: int, t: float) -> str:
    """Words for report.felt."""
    reason = {SINGULAR: "the forces act back on what they read so that any value, or none, would do: I − G is singular",
              SEVERAL: "forces and what they read raise each other so much that there are several solutions or none (det(I − G) "
                       "changes its sign between the values without the law and the solution): the mechanism jams, or the law "
                       "must be weaker",
              LOST: "Newton's method finds no solution in 40 steps: there may be none"}[how]
    return f"{who(system)}: no unique solution at t = {t:.9g}: {reason}"


def only_one(w, question: str, error: type[Exception] = AnalysisError) -> None:
    """An error where another start of the search finds another answer at the state of the workspace, which is solved."""
    s = w.system
    if not s.feeling:
        return
    first = w.felt.copy()
    size = np.abs(first).max(initial=0.0)
    try:
        for start in STARTS:
            w.options.probe = start
            apart = np.abs(w.felt - first) if w.run("accelerations") == 0 else np.zeros(first.size)
            if apart.max() > APART * max(size, np.abs(w.felt).max()) and np.any(apart > ROUNDING * w.sizes):
                pair = ", ".join(f"{name} = {a:.6g} or {b:.6g}" for name, a, b in zip(s.felt[:3], first, w.felt, strict=False))
                raise error(f"{question}: {who(s)}: no unique solution at t = {w.t[0]:.9g}: {pair}. Let the law depend less on "
                            "what it reads, or read a filtered value (da.Differential)")
    finally:
        w.options.probe = 1.0
    w.run("accelerations")


def loop(w) -> np.ndarray:
    """Eigenvalues of G at the state that was solved last: how much of what laws read comes back to them through the forces."""
    m = len(w.felt_order)
    both = w.feedback[:m * m].reshape(m, m)
    A = (np.tril(both, -1) + np.eye(m)) @ np.triu(both)
    for k in range(m - 1, -1, -1):
        A[[k, int(w.felt_order[k])]] = A[[int(w.felt_order[k]), k]]
    return np.linalg.eigvals(np.eye(m) - A)


def doubts(w) -> list[str]:
    """Where the equations have one answer, and a machine would not find it: a loop that returns more than it is given."""
    if not w.system.feeling:
        return []
    gains = loop(w)
    largest = gains[int(np.argmax(gains.real))]
    near = float(np.abs(1.0 - gains).min())
    if largest.real > 1.0:
        return [f"{who(w.system)}: the forces return {largest.real:.4g} times what they read at t = {w.t[0]:.6g}. The equations "
                "have one solution there, but with the least delay a machine runs away from it: check sign and size of the law"]
    if near < NEAR:
        return [f"{who(w.system)}: the forces return {largest.real:.9g} times what they read at t = {w.t[0]:.6g}, next to 1, "
                "where there is no solution: the answer is large by that alone"]
    return []
