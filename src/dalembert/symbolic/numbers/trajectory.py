"""What integrating derived equations gives: coordinates over time, and how far they can be trusted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert.errors import AnalysisError, hint
from dalembert.results.trust.certificate import integrator

MISSED = 1e-6  # of the mechanism's size, and of its speed
MISSING = 1e-3  # of the energy exchanged


class Series:
    """One coordinate over time."""

    def __init__(self, coordinate, rate):
        self.coordinate, self.rate = coordinate, rate


@dataclass
class DerivedCertificate:
    """Constraints missed (as parts of the mechanism's size and speed), energy residual, steps; None: not known."""

    position_error: float
    velocity_error: float
    energy_residual: float | None
    exchanged: float | None
    stats: dict

    def doubts(self) -> list[str]:
        """Reasons not to trust the answer, in words; an empty list means it is good."""
        found = []
        for label, value, scale in (("|Φ|", self.position_error, "size"), ("|Φ̇|", self.velocity_error, "speed")):
            if not value <= MISSED:
                found.append(f"constraints drift: {label} is {value:.1e} of the mechanism's {scale}, more than {MISSED:.0e}")
        if self.energy_residual is not None and self.exchanged and not self.energy_residual <= MISSING * self.exchanged:
            found.append(f"energy does not add up: {self.energy_residual / self.exchanged:.1e} of what was exchanged is missing, "
                         f"more than {MISSING:.0e}; ask for a smaller rtol")
        return [*found, *self.stats.get("doubts", ())]

    def __str__(self):
        s = self.stats
        energy = "not told: the kinematics depend on time" if self.energy_residual is None else (
            f"{self.energy_residual:.1e} J of {self.exchanged:.3g} J exchanged")
        lines = [f"  constraints        |Φ| ≤ {self.position_error:.1e} of the size   "
                 f"|Φ̇| ≤ {self.velocity_error:.1e} of the speed",
                 f"  energy residual    {energy}",
                 f"  integrator         {integrator(s)}: {s.get('steps')} steps, {s.get('rejected')} rejected, "
                 f"{s.get('rhs_calls')} evaluations, {s.get('seconds', 0.0):.3g} s"]
        return "\n".join(lines + [f"  note               {note}" for note in s.get("notes", ())])

    __repr__ = __str__


class Trajectory:
    """Coordinates over time: ``trajectory["O"].coordinate`` and ``.rate``, dependent ones as well; ``certificate``."""

    def __init__(self, eqs, t, rows, work, natural, stats):
        """``rows``: see Flow.observed; ``work``: W at the samples, counted if the energy is ``natural``."""
        kin = eqs.kin
        n, m = len(kin.positions), kin.n
        names = {c.q: c.name for c in kin.coordinates}
        self.eqs, self.t, self.stats = eqs, t, stats
        self.positions = [names.get(s, str(s)) for s, *_ in kin.positions]
        self.speeds = [c.name for c in kin.coordinates]
        self.q, self.u = rows[:, :n], rows[:, n:n + m]
        kinetic, position, velocity = rows[:, n + m], rows[:, n + m + 1], rows[:, n + m + 2]
        size = eqs.model.compile().size
        speed = np.sqrt(2 * kinetic.max(initial=0.0))
        residual = exchanged = None
        if natural:
            residual = float(np.abs(kinetic - kinetic[0] - (work - work[0])).max())
            exchanged = float(max(np.ptp(kinetic), kinetic.max(), np.ptp(work)))
        self.certificate = DerivedCertificate(float(position.max()) / size if size else 0.0,
                                              float(velocity.max() / speed) if speed else 0.0, residual, exchanged, stats)

    def __getitem__(self, name) -> Series:
        name = getattr(name, "name", name)
        if name not in self.positions and name not in self.speeds:
            known = [*self.positions, *(s for s in self.speeds if s not in self.positions)]
            raise AnalysisError(
                f"there is no coordinate '{name}' in these equations{hint(name, known)} (they have {', '.join(known)})"
            )
        q = self.q[:, self.positions.index(name)] if name in self.positions else None
        return Series(q, self.u[:, self.speeds.index(name)] if name in self.speeds else None)

    @property
    def drift(self) -> float:
        """Largest constraint error, as a part of the mechanism's size."""
        return self.certificate.position_error

    def __repr__(self):
        return f"<{len(self.t)} samples of {', '.join(self.speeds)} up to t = {self.t[-1]:g}>\n{self.certificate}"
