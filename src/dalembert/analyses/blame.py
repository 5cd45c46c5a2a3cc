"""Who made the numbers break, if it can be told."""

from __future__ import annotations

import numpy as np


def culprit(system, vdot) -> str:
    """In brackets: a law whose function failed, or else the first body whose acceleration is not finite."""
    for law in system.kept:
        if law.failure is not None:
            return f" (the function of {law.title} raised {type(law.failure).__name__}: {law.failure})"
    bad = np.flatnonzero(~np.isfinite(vdot))
    return f" (body '{system.bodies[bad[0] // system.kind.SIZE_V]}' first)" if bad.size else ""
