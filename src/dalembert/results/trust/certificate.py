"""The energy ledger of a run and its certificate: how far the answer can be trusted.

Errors are judged by the mechanism's own sizes (scales.py), and never below what rounding allows:

    |Φ|, |Φ̇|, |Φ̈|   as displacement, velocity, acceleration: CONSTRAINT_LIMIT of the length, speed and acceleration of the motion
                    (ACCELERATION_LIMIT for the last: it is found by one solve, without a projection)
    energy          100 rtol of the energy exchanged, but not below 1e-4 and at any rtol not above 1e-3; a mechanism that moves
                    less than the tolerance (REST) exchanges nothing worth comparing: its own energy takes the place

``stats["notes"]`` and ``stats["doubts"]`` (lists of sentences) are what analyses add in their own words: notes are printed,
doubts are reasons not to trust the answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dalembert.integrators.registry import records
from dalembert.records import record
from dalembert.results.notebook import table, text
from dalembert.results.trust.scales import Scales, scales
from dalembert.results.trust.slack import slack_belts
from dalembert.results.trust.steep import steep_fields
from dalembert.results.trust.undefined import undefined_signals

if TYPE_CHECKING:
    from dalembert.results.trust.estimate import ErrorEstimate

CONSTRAINT_LIMIT = 1e-6  # of the mechanism's size, of its speed: more is a reason for doubt
ACCELERATION_LIMIT = 1e-5  # of the accelerations
ABOVE, DEEP = 0.2, 0.05  # share of steps above the tolerance of contacts; penetration as a part of the smallest shape
RISE = 1e-8  # of the energy that is exchanged: contacts may not put in more
ENERGY_LIMIT, ENERGY_MOST = 1e-4, 1e-3  # of the energy exchanged: 100 rtol within these
REST = 10.0, 0.1  # times atol, times rtol × length: what moves less is at rest as far as the tolerance can tell


@record(frozen=False)
class Energy:
    """The ledger over time: kinetic + potential = start + work + drive work − dissipated + residual.

    Attributes
    ----------
    kinetic, potential : array [J]
        T and V over time (V: gravity and springs).
    dissipated : array [J]
        What dampers and friction took since the start.
    total : array [J]
        T + V.
    """

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
        return self.total - self.total[:1] - (self.work - self.work[:1]) + (self.dissipated - self.dissipated[:1])

    @property
    def exchanged(self) -> float:
        """How much energy moved: the scale for the residual."""
        parts = (self.kinetic, self.potential, self.work, self.dissipated)
        if not len(self.kinetic):
            return 1e-300
        return float(max(max(np.ptp(p) for p in parts), np.abs(self.kinetic).max(), 1e-300))


@record(frozen=False)
class Certificate:
    """How far the answer can be trusted: constraint errors at three levels, energy residual, rank, steps.

    Attributes
    ----------
    position, velocity, acceleration : array
        Largest |Φ|, |Φ̇|, |Φ̈| of each sample, in the rows' units; ``position_error``, ``velocity_error``,
        ``acceleration_error`` are the largest of all.
    energy : array [J]
        What the energy ledger misses at each sample; ``energy_residual`` is the largest, ``exchanged`` what was exchanged.
    dropped : array
        Dependent rows left out at each sample.
    residual : array
        What is left of the equations of motion at each sample.
    stats, versions, model_hash : dict, dict, text
        Steps and evaluations; versions of the programs; fingerprint of the model.
    scales : Scales
        Length, speed and acceleration of the mechanism, which relative errors refer to.
    """

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
    scales: Scales
    displacement: tuple[float, float, float]  # the errors at the three levels, by the gradients of their rows
    error_estimate: ErrorEstimate = None  # type: ignore[assignment]  # None without verify=True; who asked need not ask twice

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
    def relative(self) -> tuple[float, float, float]:
        """|Φ|, |Φ̇|, |Φ̈| as parts of the mechanism's length, of its speed, of its accelerations."""
        k, (x, v, a) = self.scales, self.displacement
        return _part(x, k.length), _part(v, k.speed), _part(a, k.acceleration)

    @property
    def resting(self) -> bool:
        """Whether nothing moves by more than the tolerance of the run can tell."""
        atol, rtol = self.stats.get("atol", 0.0), self.stats.get("rtol", 0.0)
        return self.scales.travel <= REST[0] * atol + REST[1] * rtol * self.scales.length + self.scales.rounding[0]

    @property
    def energy_scale(self) -> float:
        """What the energy residual is compared with: the energy exchanged; at rest the mechanism's own."""
        return max(self.exchanged, self.scales.energy) if self.resting else self.exchanged

    @property
    def energy_relative(self) -> float:
        """Energy residual, less what rounding explains, as a part of the energy exchanged (at rest: of the mechanism's own)."""
        over = self.energy_residual - self.scales.rounding[3]
        return _part(over, self.energy_scale) if not over <= 0.0 else 0.0

    def doubts(self) -> list[str]:
        """Reasons not to trust the answer, in words; an empty list means it is good."""
        return [*self._apart("constraints drift"), *self._energy_missing(), *self._contacts_missed(), *self._coarse(),
                *self.stats.get("doubts", ()),
                *(self.error_estimate.doubts if self.error_estimate is not None else ())]

    def _apart(self, what) -> list[str]:
        found = []
        limits = (CONSTRAINT_LIMIT, CONSTRAINT_LIMIT, ACCELERATION_LIMIT)
        for k, (label, of) in enumerate((("|Φ|", "size"), ("|Φ̇|", "speed"), ("|Φ̈|", "accelerations"))):
            value, size = self.displacement[k], (self.scales.length, self.scales.speed, self.scales.acceleration)[k]
            if not value <= limits[k] * size + self.scales.rounding[k]:  # not a number is no comfort either
                raw = (self.position_error, self.velocity_error, self.acceleration_error)[k]
                found.append(f"{what}: {label} is {raw:.1e}, {self.relative[k]:.1e} of the mechanism's {of}, more than "
                             f"{limits[k]:.0e}")
        return found

    def _energy_missing(self) -> list[str]:
        limit = min(max(ENERGY_LIMIT, 100 * self.stats.get("rtol", 0.0)), ENERGY_MOST)
        if self.energy_relative <= limit:
            return []
        cure = "give a smaller fixed_step" if self.stats.get("contact") else "ask for a smaller rtol"
        return [f"energy does not add up: {self.energy_residual:.1e} J of {self.energy_scale:.3g} J are missing, "
                f"{self.energy_relative:.1e} of it, more than {limit:.0e}; {cure}"]

    def _contacts_missed(self) -> list[str]:
        """Where the law of contact is left open for long, or bodies are deep in each other."""
        c, found = self.stats.get("contact"), []
        if c and c["above"] > ABOVE * max(c["detections"], 1):
            share = 100 * c["above"] / c["detections"]
            found.append(f"the law of contact is missed by up to {c['residual']:.1e} m/s, in {share:.0f} % of the steps by more "
                         f"than {c['tolerance']:.1e}: give contact={{\"sweeps\": 4, \"relaxing\": 4}}, or a smaller "
                         "fixed_step")
        if c and c["softened"] and c.get("followed"):
            found.append(f"{c['softened']} times several blows at once went without restitution, for Newton's and Poisson's law "
                         "would have gained energy there: give restitution=0 to say so, or a little play to set them apart")
        elif c and c["softened"]:
            why = ("Newton's and Poisson's law would have gained energy there" if c.get("few") else "Newton's law would have "
                   "gained energy there, and Poisson's is taken only where a blow has a time of its own, with 20 shapes or less")
            found.append(f"{c['softened']} times the blows of a substep went without restitution ({why}): a smaller fixed_step "
                         "may set several apart")
        begun = any("overlap at the start" in note for note in self.stats.get("notes", ()))
        if c and not begun and c.get("risen", 0.0) > RISE * self.energy_scale:
            share = c["risen"] / self.energy_scale
            found.append(f"contacts put {c['risen']:.2g} J in until t = {c['risen_at']:.6g}, {share:.1e} of what was exchanged, "
                         "though they may only take: give a smaller fixed_step")
        begun = begun or any("contradict the contact" in doubt for doubt in self.stats.get("doubts", ()))  # it has its reason
        if c and not begun and c["penetration"] > DEEP * c.get("size", np.inf):
            found.append(f"bodies are up to {c['penetration']:.1e} m in each other, of {c['size']:.1e} m, the smallest shape: "
                         "give a smaller fixed_step")
        return found

    def _coarse(self) -> list[str]:
        atol, length = self.stats.get("atol", 0.0), self.scales.length
        contact = self.stats.get("contact")
        if atol <= 1e-3 * length or (contact and not contact.get("followed")):  # atol does not steer time stepping
            return []
        return [f"atol = {atol:.0e} is not small against the mechanism, whose size is {length:.1e}: ask for "
                f"atol = {1e-9 * length:.0e}"]

    def __str__(self):
        s = self.stats
        lines = [f"  constraints        |Φ| ≤ {self.position_error:.1e}   |Φ̇| ≤ {self.velocity_error:.1e}   "
                 f"|Φ̈| ≤ {self.acceleration_error:.1e}",
                 self._scaled(),
                 f"  energy residual    {self.energy_residual:.1e} J of {self.energy_scale:.3g} J "
                 f"{'(at rest: its own)' if self.resting else 'exchanged'}: {self.energy_relative:.1e}",
                 f"  dependent rows     {span(self.dropped)}",
                 f"  integrator         {integrator(s)}: {s.get('steps')} steps, {s.get('rejected')} rejected, "
                 f"{s.get('rhs_calls')} evaluations, {s.get('seconds', 0.0):.3g} s"]
        if s.get("contact"):
            lines += _touching(s["contact"], self.energy_scale)
        if s.get("friction"):
            f = s["friction"]
            lines.append(f"  friction           {f['surfaces']} surfaces of joints, {f['stretches']} stretches; lost "
                         f"{f['lost']:.4g} J; sticking moves ≤ {f['residual']:.1e} m/s")
        if s.get("formulation"):
            lines.append(f"  formulation        {s['formulation']}")
        if s.get("newton"):
            lines.append(f"  implicit           {s['newton']} Newton iterations, {s.get('tangents')} tangents, "
                         f"{s.get('factorisations')} factorisations")
        if s.get("switched") is not None:
            lines.append(f"  note               stiff from t = {s['switched']:.4g} s: explicit before, {integrator(s)} after")
        elif s.get("stiff"):
            lines.append("  note               the motion looks stiff: integrator=\"radau\" would take larger steps")
        lines += [f"  note               {note}" for note in s.get("notes", ())]
        if self.error_estimate is not None:
            lines += self.error_estimate.lines()
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """How a notebook shows it: whether it is good, the errors, and the lines of the text."""
        doubts = self.doubts()
        errors = [("|Φ|", self.position_error, self.relative[0]), ("|Φ̇|", self.velocity_error, self.relative[1]),
                  ("|Φ̈|", self.acceleration_error, self.relative[2]), ("energy (J)", self.energy_residual, self.energy_relative)]
        notes = [f"doubtful: {d}" for d in doubts] or ["no reason for doubt"]
        return table(("error", "largest", "of its size"), errors, "certificate", notes) + text(str(self))

    def _scaled(self) -> str:
        x, v, a = self.relative
        return f"    of size, motion  {x:.1e}         {v:.1e}         {a:.1e}"

    __repr__ = __str__


def _touching(c, energy) -> list[str]:
    """What is left of the law of contact, in words; ``energy``: what a gain is compared with."""
    if c.get("followed"):
        return _followed(c)
    share = c["above"] / max(c["detections"], 1)
    lines = [f"  contact            residual ≤ {c['residual']:.1e} m/s (rms ≤ {c['rms']:.1e}), {c['last']:.1e} at the end; above "
             f"{c['tolerance']:.1e} in {100 * share:.3g} % of {c['detections']} steps",
             f"                     penetration ≤ {c['penetration']:.1e} m; lost {c['friction']:.4g} J by friction, "
             f"{c['impact']:.4g} J in impacts"]
    if c.get("gained", 0.0) > 1e-9 * max(abs(c["friction"]) + abs(c["impact"]), energy):
        lines.append(f"  note               contacts put {c['gained']:.4g} J in where one of their groups gained (pushed out of "
                     "others, or one sweep left much)")
        if "risen" in c:
            lines.append(f"                     others lost meanwhile: the energy of all rose by {c['risen']:.2g} J at most")
    if c["softened"]:
        lines.append(f"  note               {c['softened']} times blows without restitution: it would have gained energy there")
    if c.get("poisson"):
        lines.append(f"  note               {c['poisson']} blows by Poisson's law: Newton's would have gained energy there, or "
                     "was out of reach")
    return lines


def _followed(c) -> list[str]:
    """The same of a run from event to event."""
    lines = [f"  contact            from event to event: {c['impacts']} blows, {c['stretches']} stretches; residual ≤ "
             f"{c['residual']:.1e} m/s",
             f"                     penetration ≤ {c['penetration']:.1e} m; lost {c['friction']:.4g} J by friction, "
             f"{c['impact']:.4g} J in impacts"]
    if c["poisson"]:
        lines.append(f"  note               {c['poisson']} blows by Poisson's law: Newton's would have gained energy there")
    return lines


def integrator(stats) -> str:
    """The method as users write it: rk8, radau …; results of before call it as files did."""
    found = records().get(stats.get("method"))
    return str(stats.get("method")) if found is None else found.names[0]


def say(stats, key, sentences) -> None:
    """Add sentences to the notes or doubts of a run, each once."""
    if sentences:
        stats[key] = list(dict.fromkeys([*stats.get(key, ()), *sentences]))


def not_unique(run) -> list[str]:
    """Sentences on contacts whose forces have several answers (shares.py)."""
    if getattr(run, "touching", None) is None:
        return []
    from dalembert.results.trust.shares import told

    return told(run)


UNSAMPLED = "nothing was sampled: the run ended before the first of its times, and nothing is known of it"


def certify(run, kind=Certificate, histories=None):
    """The certificate of a motion; ``histories`` (from a file) take the place of what laws that were lost would give."""
    o, size, stats = run.observed, scales(run), dict(run.stats)  # a run is the same before and after it is looked at
    say(stats, "doubts", [*slack_belts(run), *steep_fields(run), *(() if histories else undefined_signals(run))])
    say(stats, "notes", not_unique(run))
    say(stats, "doubts", [] if len(run._t) else [UNSAMPLED])
    found = histories or {"position": worst(o.phi), "velocity": worst(o.speed), "acceleration": worst(o.second),
                          "energy": run.energy.residual, "exchanged": run.energy.exchanged, "dropped": o.report.dropped,
                          "residual": o.report.residual}
    return kind(**found, stats=stats, versions=run._versions, model_hash=run.hash, scales=size,
                displacement=tuple(size.displacement(rows) for rows in (o.phi, o.speed, o.second)),
                error_estimate=run.error_estimate)


def _part(value: float, of: float) -> float:
    return value / of if of > 0.0 else 0.0 if value == 0.0 else np.inf


def worst(rows):
    return np.abs(rows).max(axis=1, initial=0.0) if rows.size else np.zeros(len(rows))


def span(counts) -> str:
    if not len(counts):
        return "nothing was sampled"
    low, high = int(counts.min()), int(counts.max())
    return f"{low}" if low == high else f"{low} … {high}"
