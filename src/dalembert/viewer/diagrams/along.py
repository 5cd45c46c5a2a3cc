"""Free-body diagrams along the time line of a result, for the page."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dalembert.errors import AnalysisError
from dalembert.results.motion import Motion
from dalembert.viewer.diagrams.fbd import fbd

USUAL, FEW, MOST = 5, 8, 200  # diagrams unless told; bodies that get them unasked; diagrams at most


def along(what, asked=None, usual: int = USUAL) -> list[tuple[float, str]]:
    """(time, SVG) of all bodies: ``asked`` is how many, or the times; None: ``usual`` of a result with few bodies.

    Unasked, times without reactions (singular poses, laws that a file did not keep) are passed over.
    """
    if asked is None and not (isinstance(what, Motion) and 0 < what.system.nb <= FEW):
        return []
    if asked is not None and not isinstance(asked, (int, np.integer)) and not (
            isinstance(asked, Iterable) and not isinstance(asked, str)):
        raise AnalysisError(f"view: diagrams is how many, or a list of times; got {asked!r}")
    count = usual if asked is None else int(asked) if isinstance(asked, (int, np.integer)) else None
    if count == 0:
        return []
    if not isinstance(what, Motion):
        raise AnalysisError("view: diagrams are drawn of one result")
    if count is None:
        return [(made.t, made.svg) for made in (fbd(what, t=float(t)) for t in asked)]  # type: ignore[union-attr]
    if not 0 < count <= MOST:
        raise AnalysisError(f"view: diagrams is a number 0 … {MOST}, got {asked!r}")
    samples = np.unique(np.linspace(0, len(what._t) - 1, count).round().astype(int))
    found = []
    for k in samples:
        try:
            made = fbd(what, sample=int(k))
        except AnalysisError:
            if asked is not None:
                raise
            continue
        found.append((made.t, made.svg))
    return found
