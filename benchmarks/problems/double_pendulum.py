"""Double pendulum in space (University of Wisconsin–Madison, ME751, homework 8): bars of 4 m and 2 m on hinges about x, 10 s.

Error: the ends of both bars, against minimal coordinates (tests/reference/data/double_pendulum.json, good to 6e-11).
"""

from __future__ import annotations

import numpy as np

from benchmarks.mechanism import GROUND, Body, Joint, Mechanism
from benchmarks.problems.problem import Problem, data

X = np.array([1.0, 0, 0])


def bar(name: str, length: float, start, end) -> Body:
    """Square bar, 0.05 m wide, 7800 kg/m³, along y or z."""
    start, end = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    mass = 7800.0 * length * 0.05**2
    moments = np.full(3, mass * (length**2 + 0.05**2) / 12)
    moments[int(np.argmax(np.abs(end - start)))] = mass * 0.05**2 / 6
    return Body(name, mass, np.diag(moments), (start + end) / 2, np.eye(3), np.zeros(3), np.zeros(3))


def mechanism() -> Mechanism:
    bodies = [bar("first", 4.0, (0, 0, 0), (0, 4, 0)), bar("second", 2.0, (0, 4, 0), (0, 4, -2))]
    joints = [Joint("O", GROUND, "first", np.zeros(3), X), Joint("A", "first", "second", np.array([0, 4.0, 0]), X)]
    return Mechanism("double pendulum", 3, np.array([0, 0, -9.81]), bodies, joints)


def make() -> Problem:
    rows = np.array(data("double_pendulum")["states"])
    t, th1, th2 = rows[:, 0], rows[:, 1], rows[:, 2]
    m = mechanism()
    first = 4 * np.column_stack([0 * t, np.sin(th1), -np.cos(th1)])
    second = first + 2 * np.column_stack([0 * t, np.sin(th2), -np.cos(th2)])
    return Problem(
        "double-pendulum",
        "ME751 double pendulum, 10 s",
        m,
        t,
        0.25,
        lambda s: np.hstack([s.point(m, "first", (0, 4, 0)), s.point(m, "second", (0, 4, -2))]),
        np.hstack([first, second]),
        "minimal coordinates, 6e-11",
        levels=(1e-4, 1e-7),
        floor=1e-9,
    )
