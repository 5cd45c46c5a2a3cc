"""Dzhanibekov effect: a free body with moments 1, 2, 3 turning near its middle axis, 10 s.

Error: its rotation matrix, against tests/reference/data/dzhanibekov.json (good to 3e-10).
"""

from __future__ import annotations

import numpy as np

from benchmarks.mechanism import Body, Mechanism
from benchmarks.problems.problem import Problem, data


def mechanism() -> Mechanism:
    body = Body("body", 1.0, np.diag([1.0, 2.0, 3.0]), np.zeros(3), np.eye(3), np.zeros(3), np.array([0.01, 5.0, 0.01]))
    return Mechanism("Dzhanibekov", 3, np.zeros(3), [body], [])


def matrix(e) -> np.ndarray:
    a, b, c, d = e
    return np.array(
        [
            [a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
            [2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b)],
            [2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d],
        ]
    )


def make() -> Problem:
    rows = [row for row in data("dzhanibekov")["states"] if row[0] > 0]
    return Problem(
        "dzhanibekov",
        "Dzhanibekov effect, 10 s",
        mechanism(),
        np.array([row[0] for row in rows]),
        1.0,
        lambda s: s.R[:, 0].reshape(-1, 9),
        np.array([matrix(row[1]).ravel() for row in rows]),
        "independent integration, 3e-10",
        unit="1",
        levels=(1e-4, 1e-7),
        floor=1e-9,
    )
