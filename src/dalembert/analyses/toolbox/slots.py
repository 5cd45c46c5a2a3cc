"""What names in laws stand for, read from outside at a state: the slots of a workspace (elements/signals/readings.py)."""

from __future__ import annotations

import numpy as np


def slots_at(w, t: float, q, v) -> np.ndarray:
    """All slots at a state; reactions and accelerations among them are those of the equations there."""
    w.set(t, q, v)
    if w.system.felt:
        w.run("observe")
        w.held[:] = w.vdot
    w.run("unbalanced")
    return w.read
