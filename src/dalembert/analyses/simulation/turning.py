"""Oscillation is not stiffness: where bodies turn fast, an implicit method has nothing to win.

The explicit method calls a motion stiff where the border of its stability sets the step, |h λ| ≈ 6 (integrators/control.py).  A
gyroscope has such a λ in its nutation, even where no nutation is to be seen.  Radau goes on in the coordinates of the bodies,
and there the rotor itself turns: quaternions by ω/2, centres that circle by ω.  These it has to resolve, with steps of a fraction
of a radian, whatever its stability; the explicit method takes several radians.  So Radau is worth its name only where

    h ω < STEP          h: the step that the explicit method is held at,  ω: the fastest turning

Measured: a gyroscope of 5000 rad/s needs 25,000 to 65,000 steps of Radau for one second (0.08 to 0.2 rad each), of 1000 rad/s
1,079 (0.93 rad); the explicit method 360 to 430 and 72.

A body in the plane that spins about a centre at rest turns by one number, which grows evenly: it is no hindrance.
"""

from __future__ import annotations

import numpy as np

from dalembert.analyses.assembly.adopted import length_of
from dalembert.integrators.layout import IS_STIFF, STIFF_HITS, STIFF_MISSES, H

STEP = 0.5  # rad: what Radau takes in one step at most, about
STILL = 1e-6  # of the mechanism's size times ω: a centre that moves slower is at rest
PATIENCE = 60  # tests of the explicit method, one in ten steps, before the question is asked again


def fastest(system, v) -> float:
    """The fastest turning (rad/s) that shows in the coordinates of the bodies."""
    each = system.each_v(np.asarray(v))
    turning = np.linalg.norm(each[:, system.dim:], axis=1)
    if system.dim == 2:
        moving = np.linalg.norm(each[:, :2], axis=1) > STILL * (length_of(system) or 1.0) * turning
        turning = np.where(moving, turning, 0.0)
    return float(turning.max(initial=0.0))


def hopeless(system, v, state) -> bool:
    """Would an implicit method have to take shorter steps than the explicit one, whose ``state`` this is?"""
    return float(state["real"][H]) * fastest(system, v) > STEP


def later(state) -> None:
    """Ask again after a while: bodies may come to rest."""
    state["count"][[STIFF_HITS, STIFF_MISSES, IS_STIFF]] = -PATIENCE, 0, 0
