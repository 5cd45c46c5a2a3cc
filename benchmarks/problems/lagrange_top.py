"""Lagrange's top: moments 0.05 and 0.02 about the fixed point, 1 kg, 0.15 m, 60 rad/s about its axis, 2 s.

Error: the three axes of the top (its rotation matrix), against tests/reference/data/lagrange_top.json (cos θ is elliptic).
"""

from __future__ import annotations

import numpy as np

from benchmarks.mechanism import GROUND, Body, Joint, Mechanism
from benchmarks.problems.problem import Problem, data


def zxz(phi, theta, psi) -> np.ndarray:
    """Rotation matrix of precession, nutation and spin."""

    def about(k, a):
        c, s = np.cos(a), np.sin(a)
        R = np.eye(3)
        i, j = (k + 1) % 3, (k + 2) % 3
        R[i, i], R[i, j], R[j, i], R[j, j] = c, -s, s, c
        return R

    return about(2, phi) @ about(0, theta) @ about(2, psi)


def mechanism() -> Mechanism:
    R = zxz(0.0, 0.5, 0.0)
    about_centre = 0.05 - 0.15**2
    omega = R @ np.array([0, 0, 60.0])
    centre = R @ np.array([0, 0, 0.15])
    top = Body("top", 1.0, np.diag([about_centre, about_centre, 0.02]), centre, R, np.cross(omega, centre), omega)
    return Mechanism("Lagrange top", 3, np.array([0, 0, -9.81]), [top], [Joint("tip", GROUND, "top", np.zeros(3))])


def make() -> Problem:
    rows = np.array([row for row in data("lagrange_top")["states"] if row[0] > 0])
    return Problem(
        "lagrange-top",
        "Lagrange's top, 2 s",
        mechanism(),
        rows[:, 0],
        0.2,
        lambda s: s.R[:, 0].reshape(-1, 9),
        np.array([zxz(*row[1:4]).ravel() for row in rows]),
        "independent integration, 1e-14",
        unit="1",
        levels=(1e-4, 1e-8),
        floor=1e-11,
    )
