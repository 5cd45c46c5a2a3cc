"""Shape: how far a pose is from a singular one, whatever the masses.

The solver compares rows in the metric of the masses (equations/saddle.py).  There two pins on a light body between heavy ones are
nearly parallel in every pose: the squared sine between their rows is about m_light/m_heavy.  That says nothing about the pose.
Whether the rank drops is a matter of geometry, so it is asked of the same mechanism with bodies that are all alike:

    m = 1,  J̄ = ℓ² 1,        ℓ² = Σ |turning part|² / Σ |moving part|²  over the rows of D on the body, at the drawn state

ℓ is a usual lever of the body's joints about its centre; where it has none, the middle of those of the others.  Scaling the
masses of a body, or the units, changes no angle between rows in this metric.

    pivot  the smallest squared sine of a row to those before it.  Above PLAIN, with no more dependent rows than elsewhere, the
           pose is regular: what makes the solver's pivot small there is the masses.
    sines  singular values of D, rows of length one, largest first: to compare a pose with those beside it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from dalembert.algebra.null_space import decided
from dalembert.equations.workspace import workspace

PLAIN = 1e-3  # squared sine from which on no pose is singular, nor beside a singular one
WITNESSES = 8  # other samples that say how many rows depend on others in every pose


class Shape:
    """The mechanism with bodies that are all alike, and what it says of the samples of a motion."""

    def __init__(self, system, t, q):
        self.system, self.t, self.q = system, t, q
        self._known: dict[int, np.ndarray] = {}

    @cached_property
    def w(self):
        return workspace(alike(self.system))

    def set(self, t, q):
        self.w.set(t, q, 0.0)
        return self.w

    def plain(self, flagged) -> np.ndarray:
        """Of the samples ``flagged``, for each whether its pose is surely regular."""
        n = len(self.t)
        spread = np.linspace(0, n - 1, min(n, WITNESSES)).astype(int)
        seen = {int(k): self.pivot(int(k)) for k in dict.fromkeys([*spread, *flagged])}
        usual = min(dropped for dropped, _ in seen.values())
        alone = n < 2  # nobody says which rows depend on others elsewhere
        return np.array([seen[k][0] <= usual and seen[k][1] > PLAIN and not (alone and seen[k][0]) for k in map(int, flagged)],
                        dtype=bool)

    def pivot(self, k) -> tuple[float, float]:
        """How many rows depend on others at a sample, and the smallest squared sine of the rest."""
        w = self.set(self.t[k], self.q[k])
        if not np.isfinite(self.q[k]).all() or w.run("begin"):
            return np.inf, 0.0
        return float(w.report.dropped), float(w.report.pivot)

    def at(self, k) -> np.ndarray:
        """Sines at a sample."""
        if k not in self._known:
            self._known[k] = self.sines(self.t[k], self.q[k])
        return self._known[k]

    def sines(self, t, q) -> np.ndarray:
        return singular_values(unit_rows(self.set(t, q)))

    def least(self, k, beside) -> float:
        """The smallest sine at sample k as a part of the largest that it has in the poses beside; their rank counts."""
        rank = max((decided(s) for s in beside), default=0)
        return float(self.at(k)[rank - 1] / max(s[rank - 1] for s in beside)) if rank else 1.0

    def alone(self, k, below) -> bool:
        """Whether sample k is a singular pose or next to one, by the other samples alone."""
        others = [i for i in (0, len(self.t) // 2, len(self.t) - 1) if i != k] or [k]
        rank = max(decided(self.at(i)) for i in others)
        return bool(rank and self.at(k)[rank - 1] < below)


def singular_values(D):
    """Singular values, to 1e-8: enough to tell them from zero where a rank is decided."""
    S = D @ D.T
    if not np.isfinite(S).all():  # states of 1e300, from a file: they are no pose, and not a singular one either
        return np.zeros(len(S))
    return np.sqrt(np.maximum(np.linalg.eigvalsh(S)[::-1], 0.0))


def unit_rows(w):
    """D with columns over √mass and rows of length one, at the workspace's state."""
    w.run("rows")
    D = w.jacobian() / np.sqrt(np.diag(w.metric_mass()))[None, :]
    return D / np.maximum(np.linalg.norm(D, axis=1), 1e-300)[:, None]


def alike(system):
    """The system with m = 1 and J̄ = ℓ² 1 in all bodies."""
    square = _levers(system)
    bodies = system.tables.bodies.copy()
    one = 1.0 if system.dim == 2 else np.eye(3).ravel()
    bodies["mass"] = bodies["inverse_mass"] = 1.0
    bodies["inertia"] = np.multiply.outer(square, one).reshape(bodies["inertia"].shape)
    bodies["inverse_inertia"] = np.multiply.outer(1.0 / square, one).reshape(bodies["inertia"].shape)
    return replace(system, tables=system.tables._replace(bodies=bodies))


def _levers(system) -> np.ndarray:
    """ℓ² of every body."""
    d = system.dim
    w = workspace(system)
    w.run("rows")
    square = np.asarray(w.sparse_jacobian().power(2).tocsc().sum(axis=0)).ravel()
    moving, turning = (x.sum(axis=1) for x in np.split(system.each_v(square), [d], axis=1))
    with np.errstate(divide="ignore", invalid="ignore"):
        found = turning / moving
    good = np.isfinite(found) & (found > 0.0)
    return np.where(good, found, np.median(found[good]) if good.any() else 1.0)
