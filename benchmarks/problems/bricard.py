"""A04 Bricard mechanism: five rods, six hinges along the edges of a cube, one redundant equation, 10 s from rest.

Judged by the energy (as in the IFToMM library and as the peers were first measured); the path of P3 is compared with the exact
reduction to one coordinate (tests/reference/data/bricard.json).
"""

from __future__ import annotations

import numpy as np

from benchmarks.mechanism import GROUND, Body, Joint, Mechanism
from benchmarks.problems.problem import Problem, data

POINTS = np.array([(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)], dtype=float)
AXES = np.array([(0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0)], dtype=float)


def mechanism() -> Mechanism:
    names = [GROUND, *(f"rod {k + 1}" for k in range(5)), GROUND]
    bodies = []
    for k, along in enumerate((0, 1, 2, 0, 1)):
        moments = np.full(3, 1.01 / 12)
        moments[along] = 0.01 / 6
        bodies.append(
            Body(names[k + 1], 1.0, np.diag(moments), (POINTS[k] + POINTS[k + 1]) / 2, np.eye(3), np.zeros(3), np.zeros(3))
        )
    joints = [Joint(f"J{k + 1}", names[k], names[k + 1], POINTS[k], AXES[k]) for k in range(6)]
    return Mechanism("Bricard", 3, np.array([0, -9.81, 0]), bodies, joints)


def make() -> Problem:
    states = [row for row in data("bricard")["states"] if row[0] > 0]
    m = mechanism()
    return Problem(
        "bricard",
        "A04 Bricard, 10 s",
        m,
        np.array([row[0] for row in states]),
        0.5,
        lambda s: s.point(m, "rod 2", POINTS[2]),
        np.array([row[1] for row in states]),
        "exact reduction to one coordinate",
        kind="energy",
        levels=(2.4e-5, 5e-9),
        floor=1e-11,
        target=2.0,
    )
