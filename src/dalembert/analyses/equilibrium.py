"""equilibrium: a pose in which forces do no work in any displacement the constraints allow.

    r(q) = Nᵀ Q(q) = 0,   Φ(q, t) = 0                      N: free displacements, Nᵀ M N = 1, drives held
    K_r = Nᵀ (∂(Dᵀλ − Q)/∂q) N                             reduced stiffness, geometric part included; Dᵀ λ = Q
    C_r = −Nᵀ (∂Q/∂v) N                                    reduced damping

Zero: what is left is within the rounding of the forces, or within 1e-12 of the forces that act.  Stable means stable in motion
(stability.py); for conservative forces that is K_r > 0, its eigenvalues are squared frequencies (rad²/s²).  The search
(descent.py) goes downhill to the next stable pose; kind="any" takes Newton's steps as they are and finds unstable poses too.
Where something rubs, poses at rest are a set, and the pose at hand is judged instead (statics/held.py).
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from dalembert.analyses.check import check
from dalembert.analyses.statics.at_rest import Rest, stopped
from dalembert.analyses.statics.descent import STEPS, Search, descend
from dalembert.analyses.statics.settled import settle
from dalembert.analyses.toolbox.apart import apart
from dalembert.elements.given import Ref
from dalembert.errors import AnalysisError
from dalembert.model.model import Model
from dalembert.model.rubbing import rubs
from dalembert.results.motion import Observed, State
from dalembert.results.poses import poses
from dalembert.results.tabled import rows_of

if TYPE_CHECKING:
    from dalembert.analyses.statics.rubbing import HoldRange

FEW = 4  # loads whose ranges are printed without being asked for (some tenths of a second each)


class Equilibrium(Rest):
    """A pose at rest: ``stable``, ``stability`` in a word, ``residual``, ``stiffness`` and its eigenvalues, reactions by name.

    Attributes
    ----------
    stable : bool
        Whether it stays there; ``stability`` is the word: stable, neutral, unstable or fixed.
    residual : number
        Unbalanced force, as a part of the forces that act.
    stiffness, eigenvalues : arrays
        Of the reduced stiffness about the pose.
    reserve : number
        How many times more friction there is than the pose needs; infinite where it is balanced without.
    slides : list of names
        What slides first where there is less friction.
    """

    reserve: float = math.inf
    slides: Sequence[str] = ()

    def __init__(self, model, system, t, q, v, residual, K, steps, verdict):
        super().__init__(model, system, t, q, v)
        self.residual, self.stiffness, self.steps, self.verdict = residual, K, steps, verdict
        self.eigenvalues = verdict.eigenvalues

    @property
    def stability(self) -> str:
        return self.verdict.word

    @property
    def stable(self) -> bool:
        return self.stability in ("stable", "fixed")

    @property
    def doubts(self) -> list[str]:
        """Where the verdict is near its border, in words."""
        return self.verdict.doubts

    @cached_property
    def _checked(self):
        return check(self.model, self)

    def unique(self, name: Ref) -> dict[str, bool]:
        """Components of a joint's reaction that follow from the balance (True), or that dependent equations leave open."""
        return self._checked.unique(name)

    @property
    def ambiguous(self) -> dict[str, list[str]]:
        """Joint → components of its reaction that balance alone does not tell."""
        found = {n: [c for c, ok in parts.items() if not ok] for n, parts in self._checked._unique.items()}
        return {n: parts for n, parts in found.items() if parts}

    @property
    def ranges(self) -> dict[str, tuple[float, float]]:
        """Load → the range of it by itself in which friction holds the pose: {"load.x": (lower, upper)}; {} without friction."""
        return {}

    @property
    def potential(self) -> float:
        """Potential energy of gravity and springs."""
        return float(self.observed.report.potential[0])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the pose with all channels to an HDF5 file; ``da.load(path)`` gives it back as a result of one sample."""
        save_all([self], path)

    def __repr__(self):
        values = ", ".join(f"{x:.6g}" for x in self.eigenvalues[:6]) + (", …" if self.eigenvalues.size > 6 else "")
        word = self.stability + (" (flutter)" if self.verdict.manner == "flutter" else "")
        lines = [f"equilibrium of '{self.model.name}' at t = {self.t:g}: {word}, unbalanced {self.residual:.1e}, "
                 f"{self.steps} steps"]
        if self.eigenvalues.size:
            lines.append(f"  eigenvalues of the reduced stiffness (squared frequencies): {values}")
        if self.system.states and self.verdict.growth is not None:
            growth = ", ".join(f"{x:.6g}" for x in self.verdict.growth[:6])
            lines.append(f"  eigenvalues of the motion with its states: {growth}{', …' * (len(self.verdict.growth) > 6)}")
        lines += [f"  doubtful: {d}" for d in self.doubts] + [f"  {n}" for n in self.verdict.notes]
        if self.observed.report.dropped.any():
            lines += [f"  not unique at {n}: {', '.join(parts)}" for n, parts in self.ambiguous.items()]
        return "\n".join(lines + super().__repr__().splitlines()[1:])


class Held(Equilibrium):
    """A pose at rest that friction holds: with what ``reserve``, what ``slides`` with less, and the ``ranges`` of its loads.

    ``stability`` is "held"; ``residual`` is what is left of the accelerations.
    """

    stability, stable = "held", True
    doubts: list[str] = []

    def __init__(self, asked, still, state, residual, reserve, slides):
        State.__init__(self, still, state.system, state.t, state.q, np.zeros_like(state.v))
        self._asked, self.residual, self.reserve, self.slides = asked, residual, reserve, slides
        self.eigenvalues, self.stiffness, self.steps = np.zeros(0), np.zeros((0, 0)), 0

    @cached_property
    def observed(self) -> Observed:
        return super(Rest, self).observed

    def range(self, name: str) -> HoldRange:
        """What hold says of a load (a force component, or a parameter), around its present value."""
        from dalembert.analyses.statics.held import load_range

        return load_range(self._asked, self, name)

    @cached_property
    def ranges(self) -> dict[str, tuple[float, float]]:
        from dalembert.analyses.statics.held import loads

        return {name: self.range(name).value for name in loads(self._asked, self.t)}

    def __repr__(self):
        from dalembert.analyses.statics.held import loads

        spare = ("balanced without friction" if math.isinf(self.reserve) else
                 f"reserve {self.reserve:.6g} (with less than 1/{self.reserve:.6g} of its friction "
                 f"{', '.join(map(repr, self.slides)) or 'something'} slides)")
        lines = [f"equilibrium of '{self.model.name}' at t = {self.t:g}: held, {spare}"]
        if len(loads(self._asked, self.t)) <= FEW:
            lines += [f"  stays for {low:.9g} ≤ {name} ≤ {high:.9g}" for name, (low, high) in self.ranges.items()]
        return "\n".join(lines + State.__repr__(self).splitlines()[1:])


FACTS = (("stability", ""), ("residual", "1"), ("potential", "J"))  # columns in front of the channels


def save_all(found: Sequence[Equilibrium], path: str | os.PathLike[str]) -> None:
    """Equilibria as samples of one HDF5 file; what is known of each beside its pose is in ``extra``."""
    if not found:
        raise AnalysisError("there is no equilibrium to write")
    words = [e.stability for e in found]
    extra = {"stability": words, "residual": np.array([e.residual for e in found]),
             "potential": np.array([e.potential for e in found]),
             "eigenvalues": {str(k): np.asarray(e.eigenvalues) for k, e in enumerate(found)}}
    poses(found, "equilibrium", f"{len(found)} pose(s) at rest: {', '.join(words[:6])}").save(path, extra)


def table_of(found: Sequence[Equilibrium], channels=None) -> tuple[list[tuple[str, str]], list[list]]:
    """(name, unit) of the columns and one row per equilibrium: stability, residual, potential, then the channels."""
    head, rows = rows_of(found, channels)
    return [*FACTS, *head], [[*(getattr(e, name) for name, _ in FACTS), *row] for e, row in zip(found, rows, strict=True)]


def equilibrium(model: Model, state: State | None = None, *, t: float = 0.0, kind: str = "stable",
                steps: int = STEPS) -> Equilibrium:
    """The stable equilibrium downhill from the drawn pose (or a given state); with friction, whether that pose stays.

    Parameters
    ----------
    model : Model
        The mechanism.
    state : State, optional
        Where to begin; left out: assembled at time t.
    t : number [s], default 0.0
        Time at which laws and drives are taken.
    kind : str, default "stable"
        Or "any": the one Newton's method finds.
    steps : int, default 400
        At most.

    Returns
    -------
    Equilibrium
        Pose, reactions, stability. Where joints have friction the pose itself, held, with the ``reserve`` of friction, what
        ``slides`` with less, and the ``ranges`` of loads in which it stays; refused by name where friction does not hold it.
    """
    if kind not in ("stable", "any"):
        raise AnalysisError(f"equilibrium: kind is 'stable' or 'any', not {kind!r}")
    still, rest = stopped(model, t, state)
    if rubs(still):
        from dalembert.analyses.statics.held import judged

        return Held(model, still, rest, *judged(model, still, rest))
    try:
        found = descended(Search(still, rest, states=True), kind, steps)
    except AnalysisError as error:
        if any(e.kind == "contact" for e in model.contacts.values()):
            raise AnalysisError(f"{error} (Contacts are not seen here: simulate until it rests, and read "
                                "the last sample.)") from None
        raise
    apart(found, "equilibrium")
    return found


def descended(search, kind, steps) -> Equilibrium:
    """The equilibrium a search ends at."""
    s = search.state

    def answer(point, K, verdict, count):
        return Equilibrium(search.model, s.system, s.t, search.w.q.copy(), np.zeros_like(s.v), search.left(point, K), K, count,
                           verdict)

    if s.system.states:
        return answer(*settle(search, kind, steps))
    return descend(search, kind, steps, answer)
