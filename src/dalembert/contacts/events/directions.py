"""The directions in which a place that touches is pressed and rubs."""

from __future__ import annotations

import numpy as np

from dalembert.contacts.events.tables import N


def directions(m, f) -> np.ndarray:
    """n, t₁, t₂ of a feature, as active.py has them."""
    n = m.geo[f, N:N + 3]
    if m.n == 2:
        return np.array([n, [-n[1], n[0], 0.0], [0.0, 0.0, 1.0]])
    if abs(n[0]) < 0.6:
        t = np.array([0.0, n[2], -n[1]]) / np.hypot(n[1], n[2])
    else:
        t = np.array([-n[2], 0.0, n[0]]) / np.hypot(n[0], n[2])
    return np.array([n, t, np.cross(n, t)])
