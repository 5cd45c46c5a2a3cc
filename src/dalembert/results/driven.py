"""Driven: a motion that follows from the constraints alone (kinematics, inverse dynamics); the same named result as a run.

Energies are those of the motion; the work of loads and drives and what dampers take are sums of their powers over the samples
(piecewise cubic through the powers), so the ledger is as fine as the samples are dense and is no ground for doubt.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from dalembert.results.motion import Observed
from dalembert.results.run import Run
from dalembert.results.trust import limits
from dalembert.results.trust.certificate import Certificate, certify, span


class DrivenCertificate(Certificate):
    """Constraint errors at three levels, the rank, and how the configurations were found."""

    def doubts(self) -> list[str]:
        return [*self._apart("constraints are missed"), *self.stats.get("doubts", ())]

    def __str__(self):
        s = self.stats
        notes = "".join(f"\n  note               {note}" for note in s.get("notes", ()))
        return (f"  constraints        |Φ| ≤ {self.position_error:.1e}   |Φ̇| ≤ {self.velocity_error:.1e}   "
                f"|Φ̈| ≤ {self.acceleration_error:.1e}\n{self._scaled()}\n"
                f"  dependent rows     {span(self.dropped)}\n"
                f"  configurations     {s.get('configurations')}: {s.get('steps')} steps, {s.get('refused')} refused, "
                f"{s.get('seconds', 0.0):.3g} s{notes}")

    __repr__ = __str__


class Driven(Run):
    """A motion given by its drives; ``singular`` lists the poses in which the drives do not fix the motion."""

    label = "motion"

    def __init__(self, model, system, t, q, v, stats, *, status="complete", message="complete", versions=None, model_hash=""):
        super().__init__(model, system, t, q, v, None, stats, status, message, None, versions, model_hash)
        self.singular: list = []
        self.limits: list = []  # samples on or beside singular poses (results/trust/limits.py)
        self._vdot: np.ndarray = np.zeros_like(self._v)  # accelerations from the constraints

    @cached_property
    def observed(self) -> Observed:
        return self._observed(self._vdot)

    def _observed(self, a) -> Observed:
        found = Observed(self.system, self._t, self._q, self._v, a)
        for limit in self.limits:
            limits.apply(self.system, self._t, limit, found)
        return found

    @property
    def _ledger(self) -> np.ndarray:
        """Work of loads, what dampers took, work of drives, summed up over the samples when asked for."""
        return np.column_stack([_summed(self._t, self.observed.power[:, k]) for k in range(3)])

    @_ledger.setter
    def _ledger(self, value) -> None:
        """A driven motion brings no ledger of its own."""

    @cached_property
    def certificate(self) -> Certificate:
        return certify(self, DrivenCertificate)

    def __repr__(self):
        lines = [f"{self.label} of '{self.model.name}': {self._t[0]:g} … {self._t[-1]:g} s, {len(self._t)} samples, "
                 f"{self.message}", str(self.certificate)]
        return "\n".join(lines + [f"  {pose}" for pose in self.singular])


def _summed(t, power):
    """∫ power dt at every sample: trapezoids with the slopes at both ends (exact for cubics, slopes by differences)."""
    out = np.zeros(len(t))
    if t[0] == t[-1]:  # poses, not moments
        return out
    if len(t) > 2:
        slope, h = np.gradient(power, t, edge_order=2), np.diff(t)
        out[1:] = np.cumsum(0.5 * h * (power[1:] + power[:-1]) + h * h / 12 * (slope[:-1] - slope[1:]))
    elif len(t) == 2:
        out[1] = 0.5 * (t[1] - t[0]) * (power[0] + power[1])
    return out
