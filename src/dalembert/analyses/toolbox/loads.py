"""Generalised forces of gravity and of every force element, each by itself, at a workspace's state."""

from __future__ import annotations

import numpy as np

from dalembert.results.motion import own_word


def loads(model, w) -> dict[str, np.ndarray]:
    """Name → Q in the order of v: gravity first, where there is any, then every force element."""
    s, d = w.system, w.system.dim
    found: dict[str, np.ndarray] = {}
    if np.any(s.tables.gravity):
        Q = np.zeros(s.nv)
        s.each_v(Q)[:, :d] = s.tables.bodies["mass"][:, None] * s.tables.gravity[:d]
        found[own_word(model, "gravity")] = Q
    if s.felt:
        w.run("observe")
    for name, e in model.elements.items():
        if e.kind == "force":
            w.only[0] = s.numbers[name]
            w.run("generalized_forces")
            found[name] = w.Q.copy()
    w.only[0] = -1
    return found
