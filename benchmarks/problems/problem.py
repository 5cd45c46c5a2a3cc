"""A problem: mechanism, duration, and the reference by which answers are judged."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks import yardstick
from benchmarks.mechanism import Mechanism, Samples

LOST = 1e300  # the error of an answer that is not a number
DATA = Path(__file__).resolve().parents[2] / "tests" / "reference" / "data"


@dataclass(frozen=True)
class Problem:
    """``grid`` divides all ``times``: engines with a fixed step use whole fractions of it.

    ``track`` gives the compared coordinates of samples, ``reference`` their true values at ``times``; ``kind`` is the error that
    ranks ("position" or "energy"), ``unit`` that of position; ``levels`` are the accuracies at which engines are compared
    (those at which the peers were first measured), ``target`` the factor asked for.
    """

    name: str
    title: str
    mechanism: Mechanism
    times: np.ndarray
    grid: float
    track: Callable[[Samples], np.ndarray]
    reference: np.ndarray | Callable[[], np.ndarray]
    reference_kind: str
    kind: str = "position"
    unit: str = "m"
    levels: tuple[float, ...] = (1e-6,)
    target: float = 1.0
    conservative: bool = True
    floor: float = 1e-12  # accuracy of the reference: smaller errors say nothing
    effort: float = 1.0  # times the usual budget of CPU seconds
    stride: float = 0.5  # of dalembert's ladder of tolerances, in powers of ten
    stiff: bool = False  # implicit methods are tried too

    @property
    def instant(self) -> float:
        """A step in which nothing has changed yet: from two of them come the accelerations at the start."""
        return 1e-9 if self.stiff else 1e-5 if self.until > 0.1 else 1e-7

    @property
    def until(self) -> float:
        return float(self.times[-1])

    def errors(self, s: Samples) -> dict[str, float]:
        """Errors of an engine's samples at ``times``; not finite counts as LOST."""
        reference = self.reference() if callable(self.reference) else self.reference
        with np.errstate(all="ignore"):
            found = {"position": float(np.abs(self.track(s) - reference).max())}
            if self.conservative:
                found["energy"] = yardstick.energy_error(self.mechanism, s)
        return {k: e if np.isfinite(e) else LOST for k, e in found.items()}


def data(name: str) -> dict:
    """The project's copy of reference numbers, with their source."""
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
