"""The energy ledger of a run and its certificate: how far the answer can be trusted.

``stats["notes"]`` and ``stats["doubts"]`` (lists of sentences) are what analyses add in their own words: notes are printed,
doubts are reasons not to trust the answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

CONSTRAINT_LIMIT = 1e-6  # m, rad and their rates: more is a reason for doubt
ENERGY_LIMIT = 1e-4  # of the energy exchanged, or 100 rtol if that is more, but never above 1 %
SMALL_ENERGY = 1e-12  # J


@dataclass
class Energy:
    """The ledger over time: kinetic + potential = start + work + drive work − dissipated + residual."""

    kinetic: np.ndarray
    potential: np.ndarray
    work: np.ndarray  # of loads, actuators, fields, user laws, and of drives
    dissipated: np.ndarray

    @property
    def total(self) -> np.ndarray:
        return self.kinetic + self.potential

    @property
    def residual(self) -> np.ndarray:
        """What the books miss: zero for an exact solution."""
        return self.total - self.total[0] - (self.work - self.work[0]) + (self.dissipated - self.dissipated[0])

    @property
    def exchanged(self) -> float:
        """How much energy moved: the scale for the residual."""
        parts = (self.kinetic, self.potential, self.work, self.dissipated)
        return float(max(max(np.ptp(p) for p in parts), np.abs(self.kinetic).max(), 1e-300))


@dataclass
class Certificate:
    """How far the answer can be trusted: constraint errors at three levels, energy residual, rank, steps."""

    position: np.ndarray
    velocity: np.ndarray
    acceleration: np.ndarray
    energy: np.ndarray
    exchanged: float
    dropped: np.ndarray
    residual: np.ndarray
    stats: dict
    versions: dict
    model_hash: str

    @property
    def position_error(self) -> float:
        return float(self.position.max(initial=0.0))

    @property
    def velocity_error(self) -> float:
        return float(self.velocity.max(initial=0.0))

    @property
    def acceleration_error(self) -> float:
        return float(self.acceleration.max(initial=0.0))

    @property
    def acceleration_relative(self) -> float:
        """|Φ̈| as a part of the accelerations, in the metric of the masses."""
        return float(self.residual.max(initial=0.0))

    @property
    def energy_residual(self) -> float:
        return float(np.abs(self.energy).max(initial=0.0))

    @property
    def energy_relative(self) -> float:
        """Energy residual as a part of the energy exchanged; what is below a picojoule counts as nothing."""
        return self.energy_residual / max(self.exchanged, SMALL_ENERGY / ENERGY_LIMIT)

    def doubts(self) -> list[str]:
        """Reasons not to trust the answer, in words; an empty list means it is good."""
        found = []
        for label, value in (("|Φ|", self.position_error), ("|Φ̇|", self.velocity_error),
                             ("|Φ̈| of the accelerations", self.acceleration_relative)):
            if not value <= CONSTRAINT_LIMIT:  # not a number is no comfort either
                found.append(f"constraints drift: {label} is {value:.1e}, more than {CONSTRAINT_LIMIT:.0e}")
        limit = min(max(ENERGY_LIMIT, 100 * self.stats.get("rtol", 0.0)), 100 * ENERGY_LIMIT)
        if not self.energy_relative <= limit:
            found.append(f"energy does not add up: {self.energy_relative:.1e} of what was exchanged is missing, "
                         f"more than {limit:.0e}; ask for a smaller rtol")
        return [*found, *self.stats.get("doubts", ())]

    def __str__(self):
        s = self.stats
        lines = [f"  constraints        |Φ| ≤ {self.position_error:.1e}   |Φ̇| ≤ {self.velocity_error:.1e}   "
                 f"|Φ̈| ≤ {self.acceleration_error:.1e}",
                 f"  energy residual    {self.energy_residual:.1e} J of {self.exchanged:.3g} J exchanged",
                 f"  dependent rows     {span(self.dropped)}",
                 f"  integrator         {s.get('method')}: {s.get('steps')} steps, {s.get('rejected')} rejected, "
                 f"{s.get('rhs_calls')} evaluations, {s.get('seconds', 0.0):.3g} s"]
        if s.get("formulation"):
            lines.append(f"  formulation        {s['formulation']}")
        if s.get("newton"):
            lines.append(f"  implicit           {s['newton']} Newton iterations, {s['tangents']} tangents, "
                         f"{s['factorisations']} factorisations")
        if s.get("switched") is not None:
            lines.append(f"  note               stiff from t = {s['switched']:.4g} s: explicit before, {s.get('method')} after")
        elif s.get("stiff"):
            lines.append("  note               the motion looks stiff: integrator=\"radau\" would take larger steps")
        lines += [f"  note               {note}" for note in s.get("notes", ())]
        return "\n".join(lines)

    __repr__ = __str__


def say(stats, key, sentences) -> None:
    """Add sentences to the notes or doubts of a run, each once."""
    if sentences:
        stats[key] = list(dict.fromkeys([*stats.get(key, ()), *sentences]))


def worst(rows):
    return np.abs(rows).max(axis=1, initial=0.0) if rows.size else np.zeros(len(rows))


def span(counts) -> str:
    low, high = int(counts.min()), int(counts.max())
    return f"{low}" if low == high else f"{low} … {high}"
