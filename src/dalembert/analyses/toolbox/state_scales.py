"""Absolute tolerances of states: atol times the scale of each; a doubt where a state never grows beyond them.

A state has no unit: a pressure is 1e7, a leakage 1e-10, and one atol for both integrates the smaller one not at all, for every
step is good enough.  ``da.Differential(scale=)`` says its size.  It is not guessed from a run: a state that should be zero and is
rounding would then be followed to its last digit.

    sc = scale atol + rtol |z|           (integrators/control.py: weights)
    doubt                                BELOW atol scale < max |z| < ABOVE atol scale, of states that change
"""

from __future__ import annotations

import numpy as np

BELOW, ABOVE = 1e-4, 1e3  # times atol · scale: less is rounding, more has three digits at least


def weigh(system, weights: np.ndarray) -> None:
    """The weights of the states, in those of y = (q, v, ...)."""
    for name, scale in system.scales.items():
        weights[system.states[name]] = scale


def small(run) -> list[str]:
    """Sentences on states whose size is hardly more than their tolerance."""
    system, atol = run.system, run.stats["atol"]
    found = []
    for name in system.scales:
        z = run.q[:, system.states[name]]
        size, unit = float(np.abs(z).max(initial=0.0)), atol * system.scales[name]
        if BELOW * unit < size < ABOVE * unit and np.ptp(z) > 1e-3 * size:
            found.append(f"state '{name}' is {size:.1e} at most, and its absolute tolerance {unit:.0e}: it has few digits, or "
                         f"none. Say its size, da.Differential('{name}', …, scale={size:.0e})")
    return found
