"""hold of a model whose joints have friction: the range of a load (or any one unknown p) in which the pose stays.

A value holds where the law of friction at rest (contacts/rubbing) leaves no acceleration:  |v̇| ≤ HELD |M⁻¹Q| in the metric of
the masses.  The range begins at the present value, at the one that balances without friction, or at one of a scan, whichever
holds first; from there both ends are found by doubled steps and bisection, to END of the values at hand.  An end that lies
beyond FARTHEST of these is given as infinite: friction holds whatever the load (a screw that locks).
"""

from __future__ import annotations

import contextlib
import math
from typing import Any

import numpy as np

from dalembert.analyses.statics.trials import Trial, Trials
from dalembert.analyses.toolbox.forms import make_form
from dalembert.contacts.events.words import Stuck
from dalembert.contacts.rubbing.machine import Machine
from dalembert.contacts.rubbing.tables import SLIP, STATIC
from dalembert.errors import AnalysisError
from dalembert.results.motion import State

HELD = 1e-9
END = 1e-12
FARTHEST = 1e9
SCAN = 8.0  # sinh(8) = 1490 times the size of the value


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
    """

    def __init__(self, trial: Trial, name: str, lower: float, upper: float, below: list[str], above: list[str]):
        super().__init__(trial.model, trial.state.system, trial.state.t, trial.state.q, np.zeros_like(trial.state.v))
        self.name, self.inside, self.lower, self.upper = name, float(trial.p[0]), lower, upper
        self.below, self.above = below, above
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
        return (f"'{self.model.name}' is held in its pose at t = {self.t:g} by friction for {self.lower:.9g} ≤ {self.name} ≤ "
                f"{self.upper:.9g}; {'; '.join(ends)}")


class Range:
    """Values of one unknown, and whether friction holds the pose with them."""

    def __init__(self, trials: Trials, question: str):
        self.trials, self.question = trials, question
        self.sliding: list[str] = []

    def holds(self, p: float) -> bool:
        trial = self.trials.at(np.array([p]))
        if trial is None:
            return False
        system = trial.state.system
        form = make_form(trial.model, system, "augmented")
        m = Machine(system, form.whole, [0 if b is None else b.handle for b in (form.rhs, form.project, form.events)])
        m.t[0] = trial.state.t
        m.y[:system.nq] = trial.state.q
        form.begin()
        try:
            m.begin()
        except Stuck as why:
            raise AnalysisError(f"{self.question}: {why}") from None
        m.rhs()
        vdot = m.ydot[system.nq:system.nq + system.nv]
        M, Q = form.whole.mass(), np.asarray(form.whole.Q)
        self.sliding = list(dict.fromkeys(m.names[k] for k in np.flatnonzero((m.modes == SLIP) & (m.real[:, STATIC] > 0.0))))
        return float(vdot @ M @ vdot) <= HELD**2 * float(Q @ np.linalg.solve(M, Q))

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
        good, step = inside, 1e-3 * size
        while True:
            bad = inside + sign * step
            if not self.holds(bad):
                break
            good, step = bad, 2.0 * step
            if step > FARTHEST * size:
                return sign * math.inf, []
        names = self.sliding
        while abs(bad - good) > END * max(abs(bad), abs(good), 1e-3 * size):
            middle = 0.5 * (bad + good)
            if middle in (bad, good):
                break
            if self.holds(middle):
                good = middle
            else:
                bad, names = middle, self.sliding
        return good, names


def held_range(model, names: list[str], t: float, state, frictionless) -> HoldRange:
    """``frictionless``: a function that gives the value which balances the pose without friction, or fails."""
    question = f"hold of '{model.name}'"
    if len(names) != 1:
        raise AnalysisError(f"{question}: friction of its joints holds a range of loads, and a range has one unknown: name one, "
                            f"not {', '.join(names) or 'none'}")
    trials = Trials(model, names, t, state)
    trials.at(trials.start)
    range_ = Range(trials, question)
    likely: list[Any] = [float(trials.start[0])]
    with contextlib.suppress(AnalysisError):
        likely.append(float(frictionless()))
    inside = range_.begin(likely)
    (lower, below), (upper, above) = range_.end(inside, -1.0), range_.end(inside, 1.0)
    finite = [x for x in (lower, upper) if math.isfinite(x)]
    middle = sum(finite) / len(finite) if len(finite) == 2 else inside
    trial = trials.at(np.array([middle if range_.holds(middle) else inside]))
    assert trial is not None
    return HoldRange(trial, names[0], lower, upper, below, above)
