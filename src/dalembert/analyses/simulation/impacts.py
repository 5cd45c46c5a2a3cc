"""Prescribed motions that would be impacts: a law of a drive (or of any row) that jumps, in value or in rate.

A jump in value is no motion at all.  A jump in rate asks for an impulse that spreads over the whole mechanism; forces between
bodies are not finite there.  Neither is computed here, and neither may pass unseen: the law is refused, with its place and
size.  Rows at velocity level may jump in their rate, not in their value.

Formulas and tables are asked on both sides of each of their breaks, by exact derivatives.  Python functions are looked at: where
a difference of their differences stands out and does not shrink with the interval, the rate jumps.
"""

from __future__ import annotations

import numpy as np

from dalembert.analyses.simulation.law_survey import RATE, outstanding
from dalembert.elements.sampling import Sampler
from dalembert.errors import AnalysisError

LOADS = ("force", "signal", "event", "")
VALUE = 1e-9  # of the largest value: less is rounding
PROBES = 65


def refuse_impact(system, found, start: float, end: float, rates: bool = True) -> None:
    """An error if a break of a prescribed motion is a jump; ``rates``: of its rate as well."""
    info = found.info
    if info.kind in LOADS or info.row < 0:
        return
    law = _sides(system, info)
    inside = found.left > start
    left, right = found.left[inside], found.right[inside]
    probes = np.linspace(start, end, PROBES)
    f, rate = law(np.concatenate([probes, left, right]))
    a, b = slice(PROBES, PROBES + left.size), slice(PROBES + left.size, None)
    sizes = np.abs(f), np.abs(rate)
    for label, x, size, least in (("", f, sizes[0], VALUE), ("rate ", rate, sizes[1], RATE)):
        if label and (not rates or info.kind == "velocity"):
            break
        jump = np.abs(x[b] - x[a]) - sizes[1].max() * (right - left) * (not label)
        bad = np.flatnonzero(jump > least * size.max())
        if bad.size:
            k = bad[np.argmin(left[bad])]
            _refuse(info, label, right[k], x[a][k], x[b][k])
    if rates and info.function is not None and info.kind != "velocity":
        for t, before, after in outstanding(lambda t: law(t)[0], start, end):
            _refuse(info, "rate ", t, before, after)


def _refuse(info, label, t, before, after) -> None:
    what = "which no motion does" if not label else "an impact, which is not computed"
    raise AnalysisError(f"{info.title}: its law jumps{' in its rate' if label else ''} at t = {t:.6g}, from {before:.6g} "
                        f"to {after:.6g}, {what}. Let it change smoothly, for example with smoothstep(t, t0, y0, t1, y1) or a "
                        "da.Table (kind=\"cubic\"), or start the run after it")


def _sides(system, info):
    """Value and rate over times; formulas of coordinates are asked at one place."""
    if tuple(info.names) == ("t",):
        return Sampler.of_row(system, info.row).slopes
    fixed = {n: 0.37 + 0.11 * k for k, n in enumerate(info.names)}
    slope = info.expression.derivative("t")

    def values(times):
        at = [{**fixed, "t": float(t)} for t in times]
        return (np.array([info.expression.evaluate(x) for x in at]), np.array([slope.evaluate(x) for x in at]))

    return values
