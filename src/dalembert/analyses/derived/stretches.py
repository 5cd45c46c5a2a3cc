"""A motion in stretches: what runs with tangents (forward.py) and runs that are gone back through (adjoint.py) have in common.

Events.  Where g(t, y, p) = 0 the forces may change at once; with f⁻ and f⁺ before and after it, and y itself continuous,

    δt = −δg/ġ          δy⁺ = δy⁻ + (f⁻ − f⁺) δt          δg = g_y δy + g_p δp,   ġ = g_y f⁻ + g_t

A motion that ends at an event ends at another time: its last sample moves by δy + f δt.  ġ = 0 is a grazing event: there is no
derivative, and that is said.  A stretch ends just before an event and the next one begins just after it, so that all stages of
a step see one side; the motion alone finds the event first.
"""

from __future__ import annotations

import math

import numpy as np

from dalembert._jit.duals import WIDTH
from dalembert.analyses.derived.parameters import Move, shifted
from dalembert.analyses.simulation.law_breaks import stations
from dalembert.equations.workspace import workspace
from dalembert.errors import EVENT, OK, AnalysisError, describe
from dalembert.formulations.augmented.derivatives import Derivatives
from dalembert.system.tables import RIDING

NUDGE = 1e-7  # of the span: how far beside an event the forces of both sides are asked
PAST = 1e-7  # of the span, of 1 s at most: how far from an event a stretch ends and the next begins
GRAZING = 1e-6  # of the usual rate of an event's expression: slower is touching, not crossing
MOST = 10_000  # events


class Stretches:
    """One system with its parameters; ``z`` is what is integrated: y, and what a subclass carries behind it."""

    lanes = 0  # tangents carried with every number of y

    def __init__(self, model, moves: list[Move], question: str):
        self.model, self.moves, self.question = model, moves, question
        self.system = s = moves[0].system
        w = workspace(s)
        ny = s.nq + s.nv + RIDING
        self.ny, self.z, self.zdot = ny, np.zeros((self.lanes + 1) * ny), np.zeros((self.lanes + 1) * ny)
        self.z[:ny], cut = w.y, np.cumsum([0, s.nq, s.nv, RIDING])
        w.y, w.ydot = self.z[:ny], self.zdot[:ny]
        views = {name: array[a:b] for names, array in ((("q", "v", "ledger"), w.y), (("qdot", "vdot", "power"), w.ydot))
                 for name, a, b in zip(names, cut, cut[1:], strict=False)}
        w.arrays = w.arrays._replace(**views)
        self.w = w
        self.d = Derivatives(w, self.z[ny:], self.zdot[ny:]) if self.lanes else Derivatives(w)

    def tangents(self) -> np.ndarray:
        return self.d.y.reshape(self.ny, WIDTH)

    def begin(self, t, q, v) -> None:
        """The state, on the constraints, with its accelerations."""
        w = self.w
        w.set(t, q, v)
        w.arrays.ledger[:] = 0.0
        w.run("begin")
        if w.run("accelerations"):
            raise AnalysisError(f"{self.question} of '{self.model.name}': the accelerations at the start are not finite")

    # ---------------------------------------------------------------------------------------------------- what is carried

    def _advance(self, stretch, common, options) -> list[np.ndarray]:
        """z at the times of a stretch; the state there at the end."""
        raise NotImplementedError

    def _spare(self) -> None:
        """The last of the samples is none: it stands where an event or a break is met."""

    def _slope(self, length, when) -> None:
        """z a very short way along ż of this place, to the time ``when``."""
        raise NotImplementedError

    def _jump(self, when, change, options) -> None:
        """A jump at a break of a law that the parameters move: ``change`` of its time per lane."""
        raise NotImplementedError

    def _crossed(self, k, when, ends, options):
        """Event k is met."""
        raise NotImplementedError

    # -------------------------------------------------------------------------------------------------------------- run

    def run(self, times, options, events) -> dict:
        """Samples of z; ``events``: how many events of the user come first, and how many of these end it."""
        from dalembert.integrators.solve import solve

        w, ny, s = self.w, self.ny, self.system
        told, ending = events
        method, rtol, atol = options["method"], options["rtol"], options["atol"]
        weights, caps = np.ones(ny), np.full(ny, np.inf)
        weights[ny - RIDING:] = 0.3 * rtol / atol * options["energy"]
        caps[s.running] = 1.0
        if s.dim == 2:
            s.each_q(caps[:s.nq])[:, 2] = 1.0
        w.options.dependent = options["dependent"]
        # every event but the user's own that only watch ends a stretch: there the tangents may jump
        terminal = [0 if k < told - ending else 1 for k in range(w.g.size)]
        bounds = stations(s, options["start"], float(times[-1]), [])
        linear = self._implicit(method)
        outputs, grid, at, seen, ends = [], np.asarray(times, float), 0, [], None  # type: ignore[var-annotated]
        breaks = self._moving(bounds, options)
        for _ in range(MOST):
            rows = bounds.rows[bounds.rows[:, 1] > float(w.t[0])] if bounds.rows.size else bounds.rows
            stop = next((b for b in breaks if b[0] > float(w.t[0])), None)
            stretch = grid[at:]
            if stop is not None and stop[0] < grid[-1]:
                stretch = np.append(np.minimum(stretch[stretch <= stop[2]], stop[0]), stop[0])  # one inside the break: before it
                rows = rows[rows[:, 1] < stop[0]] if rows.size else rows
            else:
                stop = None
            common = {"method": method, "max_steps": options["max_steps"], "stations": rows, "may_stick": bool(s.kept),
                      "span": float(grid[-1]) - options["start"], "h_max": options.get("max_step") or 0.0,
                      "tangent": w.bound("tangent") if s.nc else None, "quality": w.quality,
                      "fixed_step": options.get("fixed_step")}
            event = None
            if any(terminal):  # where is the next one?  The motion alone finds it
                kept, begin = self.z.copy(), float(w.t[0])
                found = solve(w.bound("accelerations"), w.t, self.z[:ny], self.zdot[:ny], stretch[-1:], rtol=rtol, atol=atol,
                              weights=weights, caps=caps, project=w.bound("project") if s.nc else None,
                              events=w.bound("events"), g=w.g, terminal=terminal, riding=RIDING, linear=linear[0],
                              **common)
                self.z[:], w.t[0] = kept, begin
                if found.status == EVENT:
                    event, stop = (int(found.events.index[-1]), float(found.events.t[-1])), None
                    early = max(event[1] - self._past(options), begin)
                    stretch = np.append(stretch[stretch <= early], early)
            reached = []
            if stretch[-1] > float(w.t[0]) or event is None:
                reached = self._advance(stretch, {**common, "weights": weights, "caps": caps, "linear": linear[1]}, options)
            if reached and (stop is not None or event is not None):
                self.z[:] = reached.pop()
                self._spare()
            outputs += reached
            at += len(reached)
            if stop is not None:
                w.t[0] = stop[0]
                self._jump(stop[0], np.asarray(stop[1]), options)
                w.t[0] = stop[2]
            elif event is None:
                break
            else:
                k, when = event
                w.t[0] = float(stretch[-1])
                self._slope(when - float(stretch[-1]), when)
                seen.append(event)
                last = told - ending <= k < told  # it ends here, at a time that moves
                change = self._crossed(k, when, last, options)
                if last:
                    ends = change
                    break
                if at >= grid.size:
                    break
                self._beyond(k, when, self._rate, options)
        return {"samples": outputs, "t": grid[:len(outputs)], "events": seen, "ends": ends}

    def _done(self, found) -> None:
        if found.status != OK:
            raise AnalysisError(f"{self.question} of '{self.model.name}' stopped at t = "
                                f"{float(found.state['real'][0]):.6g}: {describe(found.status)}")

    def _implicit(self, method) -> tuple:
        return None, None

    def _moving(self, bounds, options) -> list[tuple]:
        """Breaks of laws in time that the parameters move: their time, how it moves per parameter, and the time just after."""
        if not bounds.rows.size:
            return []
        shift = np.zeros((len(bounds.rows), max(WIDTH, len(self.moves))))
        for lane, m in enumerate(self.moves):
            found = [stations(b.system, options["start"], options["until"], []).rows[:, 1] for b in m.beside]
            moved = shifted(found, m.step)
            if moved is None or moved.shape != (len(bounds.rows),):
                raise AnalysisError(f"{self.question} of '{self.model.name}': with '{m.name}' moved a little, laws break at "
                                    "other moments of the run, more or fewer of them: there is no derivative just here")
            shift[:, lane] = moved
        return [(float(row[0]), change, float(row[1])) for row, change in zip(bounds.rows, shift, strict=True)
                if np.any(np.abs(change) > 1e-9)]

    # ----------------------------------------------------------------------------------------------------------- events

    def _crossing(self, k, when) -> float:
        """ġ of event k along the motion; an event that is touched is refused."""
        w, d = self.w, self.d
        moved = self.tangents().copy()
        w.run("accelerations")
        kept = {n: a.copy() for n, a in d._tables_moved.items()}
        for a in d._tables_moved.values():
            a[:] = 0.0
        self.tangents()[:] = 0.0
        self.tangents()[:, 0] = w.ydot  # along the motion
        d.found["t"][0, 0] = 1.0
        d.run("watched")
        rate = float(d.found["g"][k, 0])
        d.found["t"][0, 0] = 0.0
        for n, a in d._tables_moved.items():
            a[:] = kept[n]
        self.tangents()[:] = moved
        usual, self._rate = self._usual(k, rate), rate
        if not abs(rate) > GRAZING * usual or not math.isfinite(rate):
            raise AnalysisError(f"{self.question} of '{self.model.name}': at t = {when:.6g} an event is touched, not crossed "
                                "(its expression does not change there): the motion is not differentiable at this place")
        return rate

    def _usual(self, k, rate) -> float:
        """What the rate of an event is compared with: the fastest it was seen to change."""
        seen = self.__dict__.setdefault("_rates", {})
        seen[k] = max(seen.get(k, 0.0), abs(rate))
        return max(seen[k], 1e-300)

    def _beyond(self, k, when, rate, options) -> None:
        """A very short step past the event, with the slopes of the other side.

        Derivatives of forces that begin there (a stop) jump, and the next step must not begin with those of this side.
        """
        e, here, w = self._past(options), self.z.copy(), self.w
        for _ in range(10):
            w.t[0], self.z[:] = when, here
            w.run("accelerations")
            w.t[0], w.y[:] = when + e, here[:self.ny] + e * w.ydot
            slope_at = w.t[0], w.y.copy()
            w.run("accelerations")
            w.y[:] = here[:self.ny] + e * w.ydot
            w.run("events")
            if w.g[k] * rate > 0.0:
                self._leave(here, when, e, slope_at)
                return
            e *= 2.0
        raise AnalysisError(f"{self.question} of '{self.model.name}': at t = {when:.6g} an event is not left again: the motion "
                            "is not differentiable at this place")

    def _leave(self, here, when, e, slope_at) -> None:
        """z from ``here`` a way e on, with the slope of a state beyond the event."""
        raise NotImplementedError

    @staticmethod
    def _past(options) -> float:
        return PAST * min(max(float(options["until"]) - options["start"], 1e-9), 1.0)

    def _sides(self, when, options) -> np.ndarray | None:
        """f⁻ − f⁺; both sides are asked a little off, twice, and brought to the event.  None where there is no jump."""
        w, ny = self.w, self.ny
        span = NUDGE * max(float(options["until"]) - options["start"], 1e-9)
        here = self.z[:ny].copy()
        w.t[0] = when
        w.run("accelerations")
        f = w.ydot.copy()
        sides = []
        for side in (-1.0, 1.0):
            values = []
            for n in (1, 2):
                w.t[0], w.y[:] = when + side * n * span, here + side * n * span * f
                w.run("accelerations")
                values.append(w.ydot.copy())
            sides.append(2 * values[0] - values[1])
        w.t[0], w.y[:] = when, here
        jump = sides[0] - sides[1]
        size = np.abs(sides[0]).max(initial=0.0) + np.abs(sides[1]).max(initial=0.0)
        return jump if np.abs(jump).max(initial=0.0) > 1e-7 * size else None
