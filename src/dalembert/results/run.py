"""Run: the motion a simulation found, its energy ledger and its certificate."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dalembert.results.motion import Motion

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
    def energy_residual(self) -> float:
        return float(np.abs(self.energy).max(initial=0.0))

    @property
    def energy_relative(self) -> float:
        """Energy residual as a part of the energy exchanged; what is below a picojoule counts as nothing."""
        return self.energy_residual / max(self.exchanged, SMALL_ENERGY / ENERGY_LIMIT)

    def doubts(self) -> list[str]:
        """Reasons not to trust the answer, in words; an empty list means it is good."""
        found = []
        for label, value in (("|Φ|", self.position_error), ("|Φ̇|", self.velocity_error)):
            if not value <= CONSTRAINT_LIMIT:  # not a number is no comfort either
                found.append(f"constraints drift: {label} is {value:.1e}, more than {CONSTRAINT_LIMIT:.0e}")
        limit = min(max(ENERGY_LIMIT, 100 * self.stats.get("rtol", 0.0)), 100 * ENERGY_LIMIT)
        if not self.energy_relative <= limit:
            found.append(f"energy does not add up: {self.energy_relative:.1e} of what was exchanged is missing, "
                         f"more than {limit:.0e}; ask for a smaller rtol")
        return found

    def __str__(self):
        s = self.stats
        lines = [f"  constraints        |Φ| ≤ {self.position_error:.1e}   |Φ̇| ≤ {self.velocity_error:.1e}   "
                 f"|Φ̈| ≤ {self.acceleration_error:.1e}",
                 f"  energy residual    {self.energy_residual:.1e} J of {self.exchanged:.3g} J exchanged",
                 f"  dependent rows     {_span(self.dropped)}",
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
        return "\n".join(lines)

    __repr__ = __str__


class Run(Motion):
    """A simulated motion with named channels: run["piston"].position, run["A"].force, run.energy, run.certificate."""

    def __init__(self, model, system, t, q, v, ledger, stats, status, message, state=None, versions=None, model_hash=""):
        super().__init__(model, system, t, q, v)
        self._ledger, self.stats, self.status, self.message, self._state = ledger, stats, status, message, state
        self.events: list[tuple[str, float]] = []  # expressions that crossed zero, and when
        self._versions, self._hash = versions or {}, model_hash
        self.extra: dict = {}  # what was kept in the file it was loaded from (results/store.py)
        self.lost: tuple[str, ...] = ()  # elements of a loaded run whose laws were Python functions

    @cached_property
    def energy(self) -> Energy:
        o = self.observed
        return Energy(o.report[:, 6], o.report[:, 7], self._ledger[:, 0] + self._ledger[:, 2], self._ledger[:, 1])

    @cached_property
    def certificate(self) -> Certificate:
        from dalembert.io.document import fingerprint

        o = self.observed
        speed = self._velocity_errors()
        return Certificate(_worst(o.phi), _worst(speed), _worst(o.second), self.energy.residual, self.energy.exchanged,
                           o.report[:, 0], o.report[:, 1], self.stats, self._versions, self._hash or fingerprint(self.model))

    def _velocity_errors(self):
        """D v − ν over the samples."""
        s = self.system
        w = s.workspace()
        out = np.empty((len(self._t), s.nc))
        for k in range(len(self._t)):
            w.set(self._t[k], self._q[k], self._v[k])
            w.run("speeds")
            out[k] = w.residual
        return out

    def save(self, path, extra=None) -> None:
        """Write everything to an HDF5 file (results/store.py); ``da.load(path)`` gives it back."""
        from dalembert.results import store

        store.write(path, self, extra)

    def to_pandas(self):
        """Bodies over time as a pandas DataFrame, one row per sample (needs pandas)."""
        from dalembert.results import tables

        return tables.to_pandas(self)

    def to_xarray(self):
        """All channels as an xarray Dataset with units (needs xarray)."""
        from dalembert.results import tables

        return tables.to_xarray(self)

    def to_csv(self, path) -> None:
        """Bodies over time as text: a header row, then t and each body's position, angle and velocities."""
        from dalembert.results import csv

        csv.write(self, path)

    def __repr__(self):
        return (f"run of '{self.model.name}': {self._t[0]:g} … {self._t[-1]:g} s, {len(self._t)} samples, "
                f"{self.message}\n{self.certificate}")


def _worst(rows):
    return np.abs(rows).max(axis=1, initial=0.0) if rows.size else np.zeros(len(rows))


def _span(counts) -> str:
    low, high = int(counts.min()), int(counts.max())
    return f"{low}" if low == high else f"{low} … {high}"
