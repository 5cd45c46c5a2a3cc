"""A01 simple pendulum, 10 s, released level: 1 kg at 1 m.

A point mass on a hinge is not a rigid body for every engine, so it is given J = 1e-6 kg m² and the closed form is that of a
pendulum with this inertia: φ = 2 asin(k cd(n t | k²)), n² = m g L/(m L² + J), k = 1/√2.
"""

from __future__ import annotations

import numpy as np

from benchmarks.mechanism import GROUND, Body, Joint, Mechanism
from benchmarks.problems.problem import Problem

INERTIA = 1e-6


def mechanism() -> Mechanism:
    bob = Body("bob", 1.0, INERTIA, np.array([-1.0, 0.0]), 0.0, np.zeros(2), 0.0)
    return Mechanism("pendulum", 2, np.array([0, -9.81]), [bob], [Joint("pivot", GROUND, "bob", np.zeros(2))])


def make() -> Problem:
    times = np.arange(1, 11.0)

    def reference():
        from scipy.special import ellipj

        sn, cn, dn, _ = ellipj(np.sqrt(9.81 / (1 + INERTIA)) * times, 0.5)
        phi = 2 * np.arcsin(np.sqrt(0.5) * cn / dn)
        return np.column_stack([-np.sin(phi), -np.cos(phi)])

    return Problem(
        "pendulum",
        "A01 pendulum, 10 s",
        mechanism(),
        times,
        1.0,
        lambda s: s.r[:, 0],
        reference,
        "closed form (elliptic functions)",
        levels=(1e-4, 1e-8),
    )
