"""hold of a model whose joints have friction: the range of a load (or any one unknown p) in which the pose stays.

A value holds where the law of friction at rest (contacts/rubbing) leaves no acceleration:  |v̇| ≤ HELD |M⁻¹Q| in the metric of
the masses, and |v̇| ≤ NOTHING |M⁻¹Q| where something begins to slide: a heavy body elsewhere makes |M⁻¹Q| large, and what slides
beside it would count as held.  The range begins at the present value, at the one that balances without friction, or at one of a
scan, whichever holds first; from there both ends are found by growing steps, then where forces, continued linearly, would be
over their limits (exact for loads; values SEEN beside it on either side must say so too), else by bisection, to END of the values
at hand.  An end that lies beyond FARTHEST of these is given as infinite: friction holds whatever the load (a screw that locks).

Values that hold need not be one interval: what presses a joint is a length, |F|, which vanishes where a load takes its weight
off.  So every two values that hold are looked at for what is between them (``Rested.over``).  Beyond a finite end a coarse scan
looks whether the pose is held again, and a note says so.
"""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.analyses.statics.trials import Trial, Trials
from dalembert.analyses.toolbox.apart import apart
from dalembert.analyses.toolbox.forms import make_form
from dalembert.contacts.events.words import Stuck
from dalembert.contacts.rubbing.machine import Machine
from dalembert.contacts.rubbing.samples import pulled
from dalembert.contacts.rubbing.search import lengths
from dalembert.contacts.rubbing.tables import COULOMB, DIRS, MU_D, MU_S, OWN, PRELOAD, PRESS, SLIP, STATIC
from dalembert.errors import AnalysisError
from dalembert.results.motion import State

HELD, NOTHING = 1e-9, 1e-13
END, SEEN = 1e-10, 3e-8
FARTHEST = 1e9
SCAN = 8.0  # sinh(8) = 1490 times the size of the value
GRID, DEEP = 33, 6  # places between two values that hold, how often they are halved
AGAIN = 12  # values beyond each end at which it is looked whether the pose is held again


class HoldRange(State):
    """The pose that friction holds: from ``lower`` to ``upper`` of the unknown; beyond, ``below`` and ``above`` slide.

    Attributes
    ----------
    value : pair of numbers
        ``lower`` and ``upper`` ends of the range; infinite where friction holds whatever the load.
    inside : number
        The value that its state (``hold["A"].friction``, reactions) belongs to.
    below, above : lists of names
        Joints that slide beyond each end.
    notes : list of sentences
        Where the pose is held again beyond an end.
    """

    def __init__(self, trial: Trial, name: str, lower: float, upper: float, below: list[str], above: list[str], notes=()):
        super().__init__(trial.model, trial.state.system, trial.state.t, trial.state.q, np.zeros_like(trial.state.v))
        self.name, self.inside, self.lower, self.upper = name, float(trial.p[0]), lower, upper
        self.below, self.above, self.notes = below, above, list(notes)
        self.residual = 0.0  # of what holds nothing is left to balance

    @property
    def values(self) -> dict[str, tuple[float, float]]:
        """The range by the name of the unknown."""
        return {self.name: self.value}

    @property
    def value(self) -> Any:
        return self.lower, self.upper

    def __repr__(self):
        ends = []
        for end, word, joints in ((self.lower, "below", self.below), (self.upper, "above", self.above)):
            slides = f"{word} it {', '.join(map(repr, joints)) or 'something else'} slides"
            ends.append(slides if math.isfinite(end) else f"{word} there is no end: friction holds whatever it is")
        text = (f"'{self.model.name}' is held in its pose at t = {self.t:g} by friction for {self.lower:.9g} ≤ {self.name} ≤ "
                f"{self.upper:.9g}; {'; '.join(ends)}")
        return "\n".join([text, *(f"  {n}" for n in self.notes)])


@dataclass
class Rested:
    """What friction does in a pose: whether it holds, what is left of the accelerations, what slides; forces, what presses."""

    held: bool
    left: float
    sliding: list[str]
    lifted: list[str]  # wheels that are pulled from the ground, ropes that push
    friction: np.ndarray  # (surfaces, 3)
    pressing: np.ndarray  # (surfaces, parts, 3): N is the sum of their lengths, and what is given
    given: np.ndarray
    static: np.ndarray
    sided: np.ndarray  # which press one way only (contacts/rubbing/tables.py)

    def over(self, other: Rested) -> float | None:
        """Where between this pose and another, both held, friction by forces between theirs is over its limit; None: nowhere.

        Balance is linear in loads: forces (1 − θ) f + θ f' balance what is between, and hold it where they are within their
        limits.  Those are least where a part of what presses vanishes: these places are looked at, and a grid."""
        way = other.pressing - self.pressing
        size = np.einsum("kpc,kpc->kp", way, way)
        with np.errstate(divide="ignore", invalid="ignore"):
            least = np.where(size > 0.0, -np.einsum("kpc,kpc->kp", self.pressing, way) / size, 0.0).ravel()
        theta = np.concatenate([np.linspace(0.0, 1.0, GRID), least[(least > 0.0) & (least < 1.0)]])
        excess = self._excess(other, theta)
        worst = int(np.argmax(excess))
        return float(theta[worst]) if excess[worst] > 0.0 else None

    def _excess(self, other: Rested, theta: np.ndarray) -> np.ndarray:
        """How far friction by forces on the line through both is over its limit."""
        x = theta[:, None, None]
        N = lengths(self.pressing + x[..., None] * (other.pressing - self.pressing), self.sided)
        N += self.given + theta[:, None] * (other.given - self.given)
        f = np.linalg.norm(self.friction + x * (other.friction - self.friction), axis=2)
        return (f - np.minimum(self.static, other.static) * N - 1e-9 * f.max(initial=0.0)).max(axis=1)

    def ends(self, other: Rested, far: float) -> float:
        """Where on the line from this pose through another, up to ``far``, forces go over their limit."""
        theta = np.linspace(1.0, far, GRID)
        over = np.flatnonzero(self._excess(other, theta) > 0.0)
        low, high = (theta[over[0] - 1], theta[over[0]]) if len(over) and over[0] else (far, far)
        while high - low > 1e-15 * high and 0.5 * (low + high) not in (low, high):
            middle = 0.5 * (low + high)
            low, high = (low, middle) if self._excess(other, np.array([middle]))[0] > 0.0 else (middle, high)
        return float(low)


def rests(model, state, question: str, share: float = 1.0) -> Rested:
    """Whether friction holds a state of a model whose drives stand; ``share``: of all coefficients of friction."""
    system = state.system
    form = make_form(model, system, "augmented")
    m = Machine(system, form.whole, [0 if b is None else b.handle for b in (form.rhs, form.project, form.events)])
    m.real[:, [COULOMB, STATIC]] *= share
    m.a["own"].reshape(-1, OWN)[:, [MU_D, MU_S]] *= share
    m.t[0] = state.t
    m.y[:system.nq] = state.q
    form.begin()
    try:
        m.begin()
    except Stuck as why:
        raise AnalysisError(f"{question}: {why}") from None
    m.rhs()
    vdot = m.ydot[system.nq:system.nq + system.nv]
    M, Q = form.whole.mass(), np.asarray(form.whole.Q)
    left, total = math.sqrt(max(float(vdot @ M @ vdot), 0.0)), math.sqrt(max(float(Q @ np.linalg.solve(M, Q)), 0.0))
    K, f = len(m.link), m.a["f"].copy()
    friction = np.zeros((K, 3))
    for k in range(K):
        friction[k, :m.link[k, DIRS]] = f[m.rows(k)]
    parts = m.a["press"].reshape(K, len(f) + 1, PRESS // 3, 3)
    sliding = list(dict.fromkeys(m.names[k] for k in np.flatnonzero((m.modes == SLIP) & (m.real[:, STATIC] > 0.0))))
    lifted = [m.names[k] for k in pulled(m)]  # where a wheel is pulled or a rope pushes, this is not the pose's balance
    holds = left <= (NOTHING if sliding else HELD) * total and not lifted
    return Rested(holds, left / total if total > 0.0 else 0.0, lifted or sliding, lifted, friction,
                  parts[:, 0] + np.einsum("kopc,o->kpc", parts[:, 1:], f), m.real[:, PRELOAD].copy(), m.real[:, STATIC].copy(),
                  m.sided)


class Range:
    """Values of one unknown, and whether friction holds the pose with them."""

    def __init__(self, trials: Trials, question: str):
        self.trials, self.question = trials, question
        self.sliding: list[str] = []
        self.seen: dict[float, Rested | None] = {}

    def look(self, p: float) -> Rested | None:
        if p not in self.seen:
            trial = self.trials(np.array([p]))  # None where no model has that value, as a coefficient below zero
            self.seen[p] = None if trial is None else rests(trial.model, trial.state, self.question)
        found = self.seen[p]
        self.sliding = [] if found is None else found.sliding
        return found

    def holds(self, p: float) -> bool:
        found = self.look(p)
        return found is not None and found.held

    def between(self, a: float, b: float, deep: int = DEEP) -> float | None:
        """A value between two that hold at which the pose is not held; None where there is none."""
        one, other = self.look(a), self.look(b)
        theta = one.over(other) if one is not None and other is not None else None
        if theta is None or deep == 0:
            return None
        middle = a + theta * (b - a)
        if middle in (a, b):
            return None
        if not self.holds(middle):
            return middle
        first = self.between(a, middle, deep - 1)
        return self.between(middle, b, deep - 1) if first is None else first

    def begin(self, likely: list[float]) -> float:
        """A value that holds."""
        unit = float(self.trials.unit[0])
        grid = unit * np.sinh(np.linspace(0.0, SCAN, 25))[1:]
        for p in [*likely, *(s * x for x in grid for s in (1.0, -1.0))]:
            if self.holds(float(p)):
                return float(p)
        raise AnalysisError(f"{self.question}: friction holds the pose for no value of {self.trials.names[0]} up to "
                            f"{grid[-1]:.3g}; hold without friction= says what balances it")

    def end(self, inside: float, sign: float) -> tuple[float, list[str]]:
        """The end of the range on one side, and what slides beyond."""
        size = max(abs(inside), float(self.trials.unit[0]))
        good, step, bad = inside, 1e-3 * size, None
        while bad is None:
            there = inside + sign * step
            bad = self.between(good, there) if self.holds(there) else there
            if bad is None:
                good, step = there, 4.0 * step
                if step > FARTHEST * size:
                    return sign * math.inf, []
        while bad is not None:
            good, names = self._closed_in(inside, good, bad, size)
            bad = self.between(inside, good)
            good = good if bad is None else inside
        return good, names

    def _closed_in(self, inside: float, good: float, bad: float, size: float) -> tuple[float, list[str]]:
        """Between a value that holds and one that does not; what slides just beyond."""
        self.holds(bad)
        names, tries = self.sliding, 3
        while abs(bad - good) > END * max(abs(bad), abs(good), 1e-3 * size):
            values, there = [0.5 * (bad + good)], None
            if tries and good != inside:
                tries -= 1
                one, other = self.look(inside), self.look(good)
                assert one is not None and other is not None
                there = inside + one.ends(other, (bad - inside) / (good - inside)) * (good - inside)
                aside = math.copysign(SEEN * max(abs(there), 1e-3 * size), bad - good)
                values = [there - aside, there + aside]
            values = [p for p in values if min(good, bad) < p < max(good, bad)]
            if not values and there is None:
                break
            for p in values:
                if self.holds(p):
                    good = p
                else:
                    bad, names = p, self.sliding
            if [good, bad] == values and there is not None and self.holds(there):
                return there, names
        return good, names

    def again(self, end: float, sign: float) -> list[str]:
        """What is to be said where the pose is held again beyond an end."""
        if not math.isfinite(end):
            return []
        size = max(abs(end), float(self.trials.unit[0]))
        for step in np.geomspace(0.05, 3e3, AGAIN):
            beyond = end + sign * size * float(step)
            with contextlib.suppress(AnalysisError):
                if self.holds(beyond):
                    return [f"held again at {self.trials.names[0]} = {beyond:.6g}: that is another range, whose ends are not "
                            "looked for; put the value into the model and ask equilibrium(m).ranges"]
        return []


def held_range(model, names: list[str], t: float, state, frictionless, present: float | None = None) -> HoldRange:
    """``frictionless``: a function that gives the value which balances the pose without friction, or fails; ``present``: one
    that is known to hold."""
    question = f"hold of '{model.name}'"
    if len(names) != 1:
        raise AnalysisError(f"{question}: friction of its joints holds a range of loads, and a range has one unknown: name one, "
                            f"not {', '.join(names) or 'none'}")
    trials = Trials(model, names, t, state)
    apart(trials.at(trials.start).state, "hold")
    range_ = Range(trials, question)
    likely: list[Any] = [float(trials.start[0]) if present is None else present]
    if present is None:
        with contextlib.suppress(AnalysisError):
            likely.append(float(frictionless()))
    inside = range_.begin(likely)
    (lower, below), (upper, above) = range_.end(inside, -1.0), range_.end(inside, 1.0)
    finite = [x for x in (lower, upper) if math.isfinite(x)]
    middle = sum(finite) / len(finite) if len(finite) == 2 else inside
    trial = trials.at(np.array([middle if range_.holds(middle) else inside]))
    assert trial is not None
    notes = [*range_.again(lower, -1.0), *range_.again(upper, 1.0)]
    return HoldRange(trial, names[0], lower, upper, below, above, notes)
