"""Crossing an event: how fast it is crossed, what it changes, and the way past it.

    δt = −δg/ġ          ġ and f⁻ from the near side, f⁺ from the far side

Both sides are asked a very short way off the event and brought to it, on the path itself: laws that switch with a rate push the
motion differently on either side.  Events that are barely crossed, or that come two at once and move apart, are refused.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dalembert.errors import AnalysisError

TELLING = 1e-7  # of both sides: what ẏ jumps by
ROUNDING = 1e-13  # of the largest of a kind in ẏ


class Crossings:
    """What a motion in stretches (stretches.py) asks at its events."""

    model: Any
    system: Any
    question: str
    w: Any
    d: Any
    z: np.ndarray
    ny: int
    moves: list
    options: dict
    terminal: list[int]
    grid: np.ndarray
    at: int
    short: float  # the very short time
    _sizes: np.ndarray  # how large the expressions of events have been

    def tangents(self) -> np.ndarray:
        raise NotImplementedError

    def _sample(self) -> None:
        raise NotImplementedError

    def _extent(self, k) -> None:
        """How large the expressions of events have been."""
        np.maximum(self._sizes, np.abs(self.w.g), out=self._sizes)

    def _touched(self, when):
        raise AnalysisError(f"{self.question} of '{self.model.name}': at t = {when:.6g} an event is touched, or crossed by less "
                            "than the tolerance tells: the motion is not differentiable here, or its derivative cannot be told")

    def _graze(self, k, rate, before) -> tuple[float, np.ndarray]:
        """Refuse an event that is crossed by so little that the tolerance decides: beyond it g would come to ġ²/2|g̈| at most.

        Gives g̈ and the rate of f on this side.
        """
        w, e = self.w, 10.0 * self.short
        here, t = self.z[:self.ny].copy(), float(w.t[0])
        w.t[0], w.y[:] = t - e, here - e * before
        earlier, f = self._rates(k)
        w.t[0], w.y[:] = t, here
        w.run("accelerations")
        bend = (rate - earlier) / e
        largest = max(10.0 * self.options["rtol"], 1e-8) * float(self._sizes[k])
        if not math.isfinite(rate) or rate * rate <= 2.0 * abs(bend) * largest or rate == 0.0:
            self._touched(t)
        return bend, (before - f) / e

    def _rates(self, k) -> tuple[float, np.ndarray]:
        """ġ of event k along the motion at this place, and ẏ."""
        w, d = self.w, self.d
        moved = self.tangents().copy()
        w.run("accelerations")
        before = w.ydot.copy()
        kept = {n: a.copy() for n, a in d._tables_moved.items()}
        for a in d._tables_moved.values():
            a[:] = 0.0
        self.tangents()[:] = 0.0
        self.tangents()[:, 0] = before  # along the motion
        d.found["t"][0, 0] = 1.0
        d.run("watched")
        self._along = d.found["g"][:, 0].copy()
        d.found["t"][0, 0] = 0.0
        for n, a in d._tables_moved.items():
            a[:] = kept[n]
        self.tangents()[:] = moved
        return float(self._along[k]), before

    def _changes(self, k, when, rate) -> np.ndarray:
        """δt of event k per lane.  Another event at the same moment must move with it: the jumps cannot be told apart."""
        w, d = self.w, self.d
        d.run("watched")
        dg = d.found["g"].copy()
        change = -dg[k] / rate
        w.run("events")
        g, lanes = w.g.copy(), len(self.moves)
        _, _ = self._rates(k)
        size = np.abs(change[:lanes]).max(initial=0.0)
        for j in range(g.size):
            if j == k or not self.terminal[j] or not self._along[j] or abs(g[j]) > 20.0 * self.short * abs(self._along[j]):
                continue
            other = -dg[j] / self._along[j]
            if np.abs(other - change)[:lanes].max(initial=0.0) > 1e-6 * max(size, np.abs(other[:lanes]).max(initial=0.0)):
                raise AnalysisError(f"{self.question} of '{self.model.name}': at t = {when:.6g} two events happen at once, and "
                                    "the parameters move them apart: which comes first decides. Let them begin a little apart")
        return change

    def _beyond(self, k, when, rate, options) -> None:
        """A very short step past the event, with the slopes of the other side.

        Derivatives of forces that begin there (a stop) jump, and the next step must not begin with those of this side.
        """
        here = self.z.copy()
        e, slope_at = self._far(k, when, rate)
        left = self.grid[self.at] - when if self.at < self.grid.size else math.inf
        if left <= 1e-3 * e:
            self.z[:] = here
            self._sample()
        elif left < e:  # a sample just behind it
            e = left
        self._leave(here, when, e, slope_at)
        if left == e:
            self._sample()

    def _far(self, k, when, rate):
        """How far behind event k the motion is on its far side, and a place there: time and y."""
        w, here, e = self.w, self.z[:self.ny].copy(), self.short
        try:
            for _ in range(14):
                w.t[0], w.y[:] = when, here
                w.run("accelerations")
                w.t[0], w.y[:] = when + e, here + e * w.ydot
                slope_at = float(w.t[0]), w.y.copy()
                w.run("accelerations")
                w.y[:] = here + e * w.ydot
                w.run("events")
                if w.g[k] * rate > 0.0:
                    return e, (slope_at[0], w.y.copy())
                e *= 2.0
        finally:
            w.t[0], w.y[:] = when, here
        raise AnalysisError(f"{self.question} of '{self.model.name}': at t = {when:.6g} an event is not left again: the motion "
                            "is not differentiable at this place")

    def _leave(self, here, when, e, slope_at) -> None:
        """z from ``here`` a way e on, with the slope of a state beyond the event."""
        raise NotImplementedError

    def _sides(self, when, options, event=None) -> np.ndarray | None:
        """f⁻ − f⁺; the far side is asked a little off, twice, and brought to the event.  None where there is no jump.

        ``event``: its number, ġ, and f⁻; a break of a law in time has none, and both sides are asked.
        """
        w, here = self.w, self.z[:self.ny].copy()
        if event is None:
            span = self.short
            w.t[0] = when
            w.run("accelerations")
            f, steps = w.ydot.copy(), [-1.0, 1.0]
        else:
            k, rate, f = event
            span, (t, y) = self._far(k, when, rate)
            f, steps = (y - here) / (t - when), [1.0]
        sides = [] if event is None else [event[2]]
        for side in steps:
            values = []
            for n in (1, 2):
                w.t[0], w.y[:] = when + side * n * span, here + side * n * span * f
                w.run("accelerations")
                values.append(w.ydot.copy())
            sides.append(2 * values[0] - values[1])
        w.t[0], w.y[:] = when, here
        jump = sides[0] - sides[1]
        return jump if self._jumps(jump, np.abs(sides[0]) + np.abs(sides[1])) else None

    def _jumps(self, jump, sums) -> bool:
        """Whether ẏ jumps, number by number: a force that begins is small beside speeds, which a frame that moves along makes as
        large as it likes, and the rate of a state is in units of its own.

        ``sums``: |f⁻| + |f⁺|; what rounding leaves is that of the largest of a kind (speeds and accelerations, powers).
        """
        s, least = self.system, np.zeros(self.ny)
        states = np.zeros(self.ny, bool)
        states[list(s.states.values())] = True
        for kind in (slice(s.nq + s.nv), slice(s.nq + s.nv, None)):
            least[kind] = ROUNDING * sums[kind][~states[kind]].max(initial=0.0)
        least[states] = 0.0
        return bool(np.any(np.abs(jump) > TELLING * sums + least))
