"""Belts that would have to push: T₁ + T₂ = 2 T₀ leaves the slack strand 2 T₂ = 2 T₀ − |T₁ − T₂|, and a strand only pulls.

The motion does not feel it (the row holds the difference alone), but it is not the motion of a belt: a real one slips or hangs
loose.  So every sample of a belt with preload= is looked at, and the first one is told.
"""

from __future__ import annotations

import numpy as np

LEAST = 1e-9  # of 2 T₀


def slack_belts(run) -> list[str]:
    """A sentence for every belt whose slack strand would push at a sample."""
    found = []
    for name, e in run.system.teeth.items():
        if e.kind != "belt" or run.model.elements[name].preload is None:
            continue
        difference, most = np.abs(run[name].tooth_force), 2.0 * float(e.preload)
        k = np.flatnonzero(difference > most * (1.0 + LEAST))
        if k.size:
            found.append(f"{run.model.elements[name].title}: at t = {run._t[k[0]]:g} the belt would push: its strands differ by "
                         f"{difference[k[0]]:.4g} N, more than 2 T₀ = {most:.4g} N ({k.size} of {len(run._t)} samples). A real "
                         "belt slips there; give more preload=, or less load")
    return found
