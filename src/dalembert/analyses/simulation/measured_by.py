"""What a run is measured by, found at its start: the size of its energies, and how many rows depend on others all along."""

from __future__ import annotations

import math

import numpy as np


def energy_scale(w, span: float) -> float:
    """What the ledger is measured against: the weight of the mechanism over its own size, and its energy as observed."""
    s = w.system
    mass = s.mass
    weight = s.pull * s.size * math.sqrt(mass)
    kinetic = float(w.arrays.report["kinetic"][0])
    if math.sqrt(2 * kinetic) * span < 1e-6 * s.size:  # it goes nowhere at this speed, which may be rounding
        kinetic = 0.0
    vdot = w.arrays.vdot
    acceleration = math.sqrt(vdot @ vdot)
    if acceleration * math.sqrt(mass) * span**2 < 1e-9 * s.size:  # rounding: laws of time that prescribe a rest
        acceleration = 0.0
    forces = acceleration * math.sqrt(mass) * s.size  # forces in the order of M v̇, over the mechanism's own size
    scale = max(weight + kinetic, 1e-4 * forces)
    return scale if scale > 0.0 else 1e40  # nothing to compare with: the ledger rides along


def always_dependent(w, count: int) -> int:
    """Rows that depend on others here (``count``) and in poses close by: those of the mechanism, not of a singular pose."""
    if not count:
        return count
    y, random = w.y.copy(), np.random.default_rng(1)
    for _ in range(3):
        if not count:
            break
        w.y[:] = y
        w.v[:] = random.standard_normal(w.v.size) * w.system.size
        w.run("project")
        w.move(1e-3 * w.v)
        if w.run("project") == 0 and w.run("accelerations") == 0:
            count = min(count, int(w.report.dropped))
    w.y[:] = y
    return count
