"""Samples that stand on an event: what has one derivative before it and another one after it has none there.

A force that begins or switches has a kink or a jump in time, and with it accelerations, reactions and powers; a parameter that
moves the event moves the kink over the sample.  y itself has a kink where ẏ jumps.  Both sides are asked a very short way off, on
the path, each with its tangents; numbers whose tangents differ by more than the way explains are nan in that sample.
"""

from __future__ import annotations

import numpy as np

TELLING = 1e-3  # of a tangent: what both sides may differ by
NOTHING = 1e-9  # of the largest of its kind


def near(samples, when, short) -> np.ndarray:
    """Which samples stand at a time, as far as it is known."""
    return np.flatnonzero(np.abs(np.asarray(samples) - when) <= short)


def told(a, b, largest=0.0) -> np.ndarray:
    """Where two tangents (numbers × lanes) are the same, 0; nan elsewhere.  ``largest``: of their kind elsewhere in the run."""
    most = np.maximum(np.abs(a), np.abs(b))
    return np.where(np.abs(a - b) <= TELLING * most + NOTHING * np.maximum(most.max(axis=0, initial=0.0), largest), 0.0, np.nan)


def blanked(forward, d, t, moved, lanes) -> None:
    """nan into the tangents of what was observed (name → samples × numbers × lanes of a group) where it has none."""
    w, ny = forward.w, forward.ny
    # what a parameter does not move yet is rounding on both sides
    largest = {name: np.nan_to_num(np.abs(array)).max(axis=(0, 1), initial=0.0) for name, array in moved.items()}
    for when, y, f, before, after in forward.met:
        for k in near(t, when, forward.short):
            sides = []
            for sign, T in ((-1.0, before), (1.0, after)):
                w.t[0], w.y[:] = when + sign * forward.short, y + sign * forward.short * f
                d.y.reshape(ny, -1)[:] = T[:, lanes]
                d.run("observed")
                sides.append({name: d.found[name].copy() for name in moved})
            for name, array in moved.items():
                array[k] += told(sides[0][name], sides[1][name], largest[name])
