"""Signals that lose their value in a run: nothing stops where no force reads them, so it is told."""

from __future__ import annotations

import numpy as np


def undefined_signals(run) -> list[str]:
    """Sentences on signals that are not finite at samples."""
    s = run.system
    names = [n for n in s.readings if n in run.model.elements and run.model.elements[n].kind == "signal"]
    if not names or not len(run.t):
        return []
    bad = ~np.isfinite(run.signals[:, [s.readings[n] for n in names]])
    first = [float(run.t[int(np.argmax(column))]) for column in bad.T]
    return [f"{run.model.elements[name].title} has no value (it is not finite) at {int(column.sum())} of {len(column)} samples, "
            f"first at t = {t:.6g}" for name, column, t in zip(names, bad.T, first, strict=True) if column.any()]
