"""Run: the motion a simulation found, with its energy ledger and its certificate (certificate.py)."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from dalembert.results.certificate import Certificate, Energy, worst
from dalembert.results.motion import Motion


class Run(Motion):
    """A simulated motion with named channels: run["piston"].position, run["A"].force, run.energy, run.certificate."""

    def __init__(self, model, system, t, q, v, ledger, stats, status, message, state=None, versions=None, model_hash=""):
        super().__init__(model, system, t, q, v)
        said = stats.get("notes", ())
        new = [note for note in system.notes if note not in said]
        stats = {**stats, "notes": [*said, *new]} if new else stats
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
        return Certificate(worst(o.phi), worst(speed), worst(o.second), self.energy.residual, self.energy.exchanged,
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
