"""Run: the motion a simulation found, with its energy ledger and its certificate (certificate.py)."""

from __future__ import annotations

import os
from bisect import insort
from collections.abc import Mapping
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.model.compile import left_out
from dalembert.results.motion import Motion, Observed
from dalembert.results.presenting import presenter
from dalembert.results.trust import limits
from dalembert.results.trust.beside import integrated
from dalembert.results.trust.certificate import Certificate, Energy, certify, say

if TYPE_CHECKING:
    from dalembert.results.trust.estimate import ErrorEstimate

BESIDE = 3e-5  # squared sine below which accelerations and reactions are taken from both sides of a sample
GUARD = 1e-4  # of the window: nearer to a pole of a reaction its value is not a number


class Run(Motion):
    """A simulated motion with named channels: run["piston"].position, run["A"].force, run.energy, run.certificate.

    Attributes
    ----------
    energy : Energy [J]
        The ledger over time.
    certificate : Certificate
        How far the answer can be trusted; ``.doubts()`` says in words what is doubtful.
    events : list of (text, time [s])
        Where the expressions of ``events=`` and ``stop=`` crossed zero.
    """

    def __init__(self, model, system, t, q, v, ledger, stats, status, message, state=None, versions=None, model_hash=""):
        super().__init__(model, system, t, q, v)
        said = stats.get("notes", ())
        seen = left_out(model) if stats.get("contact") else []  # a run through contacts has nothing left out
        new = [note for note in system.notes if note not in said and note not in seen]
        stats = {**stats, "notes": [*said, *new]} if new else stats
        self._ledger, self.stats, self.status, self.message, self._state = ledger, stats, status, message, state
        self.events: list[tuple[str, float]] = []  # expressions that crossed zero, and when
        self._versions, self._hash = versions or {}, model_hash
        self._finer: Run | None = None  # the same motion at a finer tolerance (analyses/simulation/verification.py)
        self.extra: dict = {}  # what was kept in the file it was loaded from (results/files/store.py)
        self.begin: tuple | None = None  # t, q, v that the integration began with, when it is known
        self.given = False  # that was a state the user gave, not the assembled drawing
        self.touching = None  # its contacts, a Touching; None where the model has none
        self.lost: tuple[str, ...] = ()  # elements of a loaded run whose laws were Python functions

    if TYPE_CHECKING:
        @property
        def t(self) -> np.ndarray:
            """Times of the samples (s)."""
        def _repr_html_(self) -> str:
            """How a notebook shows it: moving, inline."""

    @cached_property
    def observed(self) -> Observed:
        """Samples on or beside a singular pose are given the limits along the motion (limits.py)."""
        found = Observed(self.system, self._t, self._q, self._v, form=self.form)
        if self.touching is not None:
            from dalembert.results.contacts import answered

            answered(self.system, self._t, self._q, self._v, vars(found), self.touching.wrench)
            return found
        t, q, v = self._t, self._q, self._v
        if not len(t) or self.lost or not self.system.nc:  # no sample: it ended before the first one
            return found
        flagged, shape = limits.near(self.system, found.report, BESIDE, t, q)
        known: list[tuple] = [(t[k], q[k], v[k]) for k in np.delete(np.arange(len(t)), flagged)]
        known = [self.begin or (t[0], q[0], v[0]), *known]  # nothing is asked for before; a loaded run knows its samples only
        dependent = int(found.report.dropped.min(initial=np.inf))
        limited = []
        for k in flagged:
            def along(at):
                begin = next((x for x in reversed(known) if x[0] <= at[0]), known[0])
                return integrated(self.system, begin, at, dependent)

            pull = limits.unbound(self.system, found.Q[k])
            limit = limits.find(shape, self.system, t, q, v, int(k), along, known[0][0], GUARD, pull)
            if limit is not None:
                limits.apply(self.system, t, limit, found)
                limited.append(limit)
            else:
                insort(known, (t[k], q[k], v[k]), lo=1, key=itemgetter(0))
        for sentences in limits.told(t, limited):
            say(self.stats, "doubts", sentences)
        return found

    @cached_property
    def energy(self) -> Energy:
        o = self.observed
        stored = 0.0 if self.touching is None else self.touching.stored
        return Energy(o.report.kinetic, o.report.potential + stored, self._ledger[:, 0] + self._ledger[:, 2], self._ledger[:, 1])

    @property
    def hash(self) -> str:
        """Fingerprint of the model."""
        from dalembert.io.document import fingerprint

        self._hash = self._hash or fingerprint(self.model)
        return self._hash

    @cached_property
    def error_estimate(self) -> ErrorEstimate | None:
        """Global errors, from a second, finer run (``verify=True``); None without one."""
        if self._finer is None:
            return None
        from dalembert.results.trust.estimate import compare

        return compare(self, self._finer)

    @cached_property
    def certificate(self) -> Certificate:
        return certify(self)

    def derivative(self, name: str) -> Any:
        """How the run changes with a parameter of the model, read as the run is: run.derivative("l")["A"].force.

        The motion is integrated once more with its tangents (analyses/sensitivities.py); several at once: da.sensitivities.
        """
        return presenter("derivative")(self, name)

    def save(self, path: str | os.PathLike[str], extra: Mapping[str, Any] | None = None) -> None:
        """Write everything to an HDF5 file (results/files/store.py); ``da.load(path)`` gives it back."""
        presenter("save_run")(path, self, extra)

    def __repr__(self):
        span = f"{self._t[0]:g} … {self._t[-1]:g} s, " if len(self._t) else ""
        return (f"run of '{self.model.name}': {span}{len(self._t)} samples, "
                f"{self.message}\n{self.certificate}")
