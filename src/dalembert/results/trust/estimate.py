"""Error estimate: how far a run is from the motion it stands for, by a second run at a finer tolerance (verify=True).

    e(t) ≈ c |x(t) − x̂(t)|,   c = 1/(1 − r),   r = what the finer run's error is of the first one's (verification.py)

The estimate belongs to the first run, the one that is returned.  Differences pass through zero where errors do not: what is
kept at a sample is the largest difference up to it, and never less than rounding explains or LEAST of the tolerance of single
steps.  The values compared are those a user reads: positions and velocities of reference points, angles (plane) or the angle
between the attitudes (space), angular velocities in body axes, energies.

Where differences grow much faster than any power of time, the mechanism is sensitive to its start: from ``trusted`` on the
positions are known to less than 1 % of its size, and no tolerance changes that for long.  ``growth`` is the rate λ of e^(λ t).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dalembert.algebra.rotations import apart
from dalembert.elements.given import Ref
from dalembert.results.trust.scales import scales

QUANTITIES = ("position", "rotation", "velocity", "omega")
UNITS = {"position": "m", "rotation": "rad", "velocity": "m/s", "omega": "rad/s"}
ENERGIES = ("kinetic", "potential", "work", "dissipated", "total")
KNOWN = 1e-2  # of the size, and rad: positions that are known to less are not trusted
LEAST = 1e-3  # of the tolerance of steps (relative to size, speed and energy): less is not claimed
STEEP = 16.0  # growth within the second half of the time that no regular motion shows (t⁴)


@dataclass
class BodyError:
    """Estimated errors of one body over the samples."""

    position: np.ndarray  # m
    rotation: np.ndarray  # rad
    velocity: np.ndarray  # m/s
    omega: np.ndarray  # rad/s


@dataclass
class ErrorEstimate:
    """Estimated global errors of a run: estimate["piston"].position, .energy["total"], .event_times, .trusted, .growth."""

    t: np.ndarray
    bodies: dict[str, BodyError]
    energy: dict[str, np.ndarray]
    event_times: np.ndarray  # s, one per event of the run; empty where the runs disagree about them
    trusted: float | None = None  # positions are known to 1 % of the size until then (None: all the time)
    growth: float | None = None  # 1/s: differences grow as e^(growth t) (None: they do not)
    notes: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)

    def __getitem__(self, name: Ref) -> BodyError:
        return self.bodies[str(getattr(name, "name", name))]

    def most(self, quantity: str) -> tuple[float, str]:
        """The largest error of a quantity, and the body it belongs to."""
        found = {b: float(np.nanmax(getattr(e, quantity), initial=0.0)) for b, e in self.bodies.items()}
        worst = max(found, key=found.__getitem__)
        return found[worst], worst

    def lines(self) -> list[str]:
        """For the certificate."""
        out = []
        for k, quantity in enumerate(QUANTITIES):
            value, body = self.most(quantity)
            head = "error estimate" if k == 0 else ""
            out.append(f"  {head:17}  {quantity} {value:.1e} {UNITS[quantity]} ({body})")
        total = float(np.nanmax(self.energy["total"], initial=0.0))
        out.append(f"  {'':17}  energy {total:.1e} J")
        return out + [f"  {'note':17}  {note}" for note in self.notes]

    def __str__(self):
        return "\n".join(self.lines())

    __repr__ = __str__

    def summary(self) -> dict:
        """The largest errors over the run, by body and by energy."""
        def most(x):
            return float(np.nanmax(x, initial=0.0))

        return {"bodies": {b: {q: most(getattr(e, q)) for q in QUANTITIES} for b, e in self.bodies.items()},
                "energy": {k: most(x) for k, x in self.energy.items()}, "event_times": self.event_times.tolist(),
                "trusted": self.trusted, "growth": self.growth, "notes": self.notes, "doubts": self.doubts}

    def plain(self) -> dict:
        """As a dict of arrays, numbers, lists (for files)."""
        return {"t": self.t, "bodies": {str(k): {"name": name, **{q: getattr(e, q) for q in QUANTITIES}}
                                        for k, (name, e) in enumerate(self.bodies.items())},
                "energy": dict(self.energy), "event_times": self.event_times, "trusted": self.trusted, "growth": self.growth,
                "notes": list(self.notes), "doubts": list(self.doubts)}


def restored(plain: dict) -> ErrorEstimate:
    """What ``plain`` gave."""
    bodies = sorted(plain["bodies"].items(), key=lambda item: int(item[0]))
    return ErrorEstimate(**{**plain, "bodies": {e["name"]: BodyError(*(e[q] for q in QUANTITIES)) for _, e in bodies}})


def compare(run, finer) -> ErrorEstimate:
    """The error of ``run``, by what it differs from the same motion at a finer tolerance."""
    mine, other, known = _common(run, finer)
    factor = float(finer.stats.get("estimate", 1.0))
    size = scales(run)
    aim = LEAST * float(finer.stats.get("aim", 0.0))
    wholes = (size.length, size.speed, size.acceleration, run.energy.exchanged)
    rounding = [max(1.0, np.sqrt(run.stats.get("steps", 1)) / 16) * x + aim * whole
                for x, whole in zip(size.rounding, wholes, strict=True)]

    def envelope(differences, least):
        at = np.full(len(run._t), np.nan)
        at[mine] = differences
        at = np.maximum(factor * np.fmax.accumulate(np.fmax(at, 0.0)), least)
        at[known:] = np.nan
        return at

    bodies = {}
    for name in run.system.bodies:
        a, b = run[name], finer[name]
        turn = np.abs(a.angle[mine] - b.angle[other]) if run.system.dim == 2 else apart(a.quaternion[mine], b.quaternion[other])
        pairs = [np.linalg.norm(getattr(a, q)[mine] - getattr(b, q)[other], axis=-1) for q in ("position", "velocity")]
        spin = a.omega[mine] - b.omega[other]
        spin = np.abs(spin) if spin.ndim == 1 else np.linalg.norm(spin, axis=1)
        bodies[name] = BodyError(envelope(pairs[0], rounding[0]), envelope(turn, rounding[0] / size.length),
                                 envelope(pairs[1], rounding[1]), envelope(spin, rounding[1] / size.length))
    energy = {k: envelope(np.abs(getattr(run.energy, k)[mine] - getattr(finer.energy, k)[other]), rounding[3]) for k in ENERGIES}
    out = ErrorEstimate(run._t, bodies, energy, np.zeros(0))
    _sensitive(out, size.length, rounding[0] / size.length)
    _events(out, run, finer, factor)
    if known < len(run._t):
        out.doubts.append(f"the finer run that was to verify this one stopped at t = {finer._t[-1] if len(finer._t) else 0:.6g}: "
                          f"{finer.message.rstrip('.')}. Errors after that are not known")
    return out


def _common(run, finer):
    """Samples of both at the same time, the last of both where an event ended them; and up to where errors are known."""
    n, m = len(run._t), len(finer._t)
    k = min(n, m)
    near = np.abs(run._t[:k] - finer._t[:k]) <= 1e-12 * np.abs(run._t[:k])
    k = int(np.argmin(near)) if not near.all() else k
    mine = other = np.arange(k)
    if finer.status != "complete":
        return mine, other, k
    if k < n and k < m:  # both ended at an event
        mine, other = np.append(mine, n - 1), np.append(other, m - 1)
    return mine, other, n


def _sensitive(out: ErrorEstimate, length: float, least: float) -> None:
    """Growth and the time until which positions are trusted."""
    d = np.max([np.fmax(e.position / length, e.rotation) for e in out.bodies.values()], axis=0)
    past = np.flatnonzero(d > KNOWN)
    if past.size:
        out.trusted = float(out.t[max(past[0] - 1, 0)])
    use = np.flatnonzero(np.isfinite(d) & (d > 10 * least) & (d <= KNOWN))
    lost = f"positions are known to 1 % of the size until t = {out.trusted:.4g}" if past.size else ""
    if use.size >= 8 and out.t[use[-1]] > out.t[use[0]]:
        t, log = out.t[use], np.log(d[use])
        half = np.searchsorted(t - out.t[0], 0.5 * (t[-1] - out.t[0]))
        if half < t.size and log[-1] - log[half] > np.log(STEEP):
            slope = float(np.polyfit(t[half:], log[half:], 1)[0])
            out.growth = slope
            ahead = float(t[-1] + (np.log(KNOWN) - log[-1]) / slope)
            out.notes.append(f"sensitive to its start: differences grow as e^({slope:.2g} t); "
                             f"{lost or f'positions would be known to 1 % of the size until about t = {ahead:.3g}'}")
            return
    if lost:
        out.notes.append(lost)


def _events(out: ErrorEstimate, run, finer, factor: float) -> None:
    """Both runs see the same events; how far apart in time."""
    reached = finer._t[-1] if finer.status != "complete" and len(finer._t) else np.inf
    mine = [x for x in run.events if x[1] <= reached]
    of = {name: ([t for n, t in mine if n == name], [t for n, t in finer.events if n == name])
          for name in dict.fromkeys(n for n, _ in [*mine, *finer.events])}
    for name, (a, b) in of.items():
        if len(a) != len(b):
            out.doubts.append(f"'{name}' crosses zero {len(a)} times in this run and {len(b)} times in a finer one: ask for a "
                              "smaller rtol")
    if out.doubts:
        return
    shift = {name: np.abs(np.subtract(a, b)) for name, (a, b) in of.items()}
    seen = dict.fromkeys(of, 0)
    times = []
    for name, _ in mine:
        times.append(shift[name][seen[name]])
        seen[name] += 1
    out.event_times = factor * np.array(times, float) + 64 * np.finfo(float).eps * np.abs([t for _, t in mine])
    for k, ((name, at), (there, _)) in enumerate(zip(mine, finer.events, strict=False)):
        if name != there:
            near = [j for j, (n, _) in enumerate(mine) if n == there]
            gap = min(abs(mine[j][1] - at) for j in near)
            if gap > 2 * (out.event_times[k] + max(out.event_times[j] for j in near)):
                out.doubts.append(f"at t = {at:.6g} '{name}' crosses zero first in this run, '{there}' in a finer one: ask for a "
                                  "smaller rtol")
                return
