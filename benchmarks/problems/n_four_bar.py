"""A02 N-four-bar: 2N + 1 links of 1 m and 1 kg, cranks upright, tip of the first at 1 m/s; singular twice a turn.

Closed form: θ̈ = c sin θ from the upward vertical, c = 3 g (3N + 1)/(2 (4N + 1)); θ = π + 2 am(w t − K | m), w = √(1 + 4c)/2,
m = 4c/(1 + 4c).  Error: path of the tip B0 and of the last tip over 10 s.
"""

from __future__ import annotations

import numpy as np

from benchmarks.mechanism import GROUND, Body, Joint, Mechanism, rod
from benchmarks.problems.problem import Problem

LEVELS = {2: (1e-4, 1.7e-6), 10: (1e-4, 1e-6), 40: (1e-4, 1e-6), 64: (1e-4, 1e-6)}


def mechanism(n: int) -> Mechanism:
    bodies, joints = [], []
    for k in range(n + 1):
        bodies.append(rod(f"crank {k}", (k, 0), (k, 1), 1.0, omega=-1.0, about=(k, 0)))
        joints.append(Joint(f"A{k}", GROUND, f"crank {k}", np.array([k, 0.0])))
    for k in range(n):
        bodies.append(Body(f"coupler {k}", 1.0, 1 / 12, np.array([k + 0.5, 1.0]), 0.0, np.array([1.0, 0.0]), 0.0))
        joints.append(Joint(f"B{k}", f"crank {k}", f"coupler {k}", np.array([k, 1.0])))
        joints.append(Joint(f"C{k}", f"crank {k + 1}", f"coupler {k}", np.array([k + 1.0, 1.0])))
    return Mechanism(f"{n}-four-bar", 2, np.array([0, -9.81]), bodies, joints)


def angle(n: int, t: np.ndarray) -> np.ndarray:
    """θ of the cranks from the upward vertical, clockwise."""
    from scipy.special import ellipj, ellipk

    c = 3 * 9.81 * (3 * n + 1) / (2 * (4 * n + 1))
    m = 4 * c / (1 + 4 * c)
    return np.pi + 2 * ellipj(np.sqrt(1 + 4 * c) / 2 * t - ellipk(m), m)[3]


def make(n: int, until: float = 10.0) -> Problem:
    times = np.arange(1, round(until) + 1.0)
    m = mechanism(n)

    def reference():
        theta = angle(n, times)
        tip = np.column_stack([np.sin(theta), np.cos(theta)])
        return np.hstack([tip, tip + np.array([n, 0])])

    def track(s):
        return np.hstack([s.point(m, "crank 0", (0, 1)), s.point(m, f"crank {n}", (n, 1))])

    return Problem(
        f"n-four-bar-{n}",
        f"A02 N-four-bar, N = {n}, {until:g} s",
        m,
        times,
        1.0,
        track,
        reference,
        "closed form (elliptic functions)",
        levels=LEVELS.get(n, (1e-6,)),
        target=10.0,
        effort={10: 2.0, 40: 4.0, 64: 4.0}.get(n, 1.0),
    )
