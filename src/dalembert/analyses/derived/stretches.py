"""A motion in stretches: what runs with tangents (forward.py) and runs that are gone back through (adjoint.py) have in common.

Events.  Where g(t, y, p) = 0 the forces may change at once; with f⁻ and f⁺ before and after it, and y itself continuous,

    δt = −δg/ġ          δy⁺ = δy⁻ + (f⁻ − f⁺) δt          δg = g_y δy + g_p δp,   ġ = g_y f⁻ + g_t

A motion that ends at an event ends at another time: its last sample moves by δy + f δt.  ġ = 0 is a grazing event: there is no
derivative, and that is said.  A stretch ends just before an event and the next one begins just after it, so that all stages of
a step see one side; the motion alone finds the event first, and the path with tangents then goes up to it by itself.
"""

from __future__ import annotations

import math

import numpy as np

from dalembert._jit.duals import WIDTH
from dalembert.analyses.derived.crossings import Crossings
from dalembert.analyses.derived.parameters import Move, shifted
from dalembert.analyses.simulation.law_breaks import stations
from dalembert.analyses.simulation.sampling import refuse_controllers
from dalembert.analyses.toolbox.state_scales import weigh
from dalembert.equations.workspace import workspace
from dalembert.errors import EVENT, OK, AnalysisError, DalembertError, describe
from dalembert.formulations.augmented.derivatives import LINE, Derivatives, aligned
from dalembert.system.tables import RIDING

SHORT = 1e-7  # of the span, of 1 s at most: how far from an event a stretch ends first and the next begins
CLOSE = 1e-2  # of that: from there on to the event by one straight step
MOST = 10_000  # events
POOR = 1e-4  # squared sine between a row and the others, from which on a run that fails fails because of it


class Stretches(Crossings):
    """One system with its parameters; ``z`` is what is integrated: y, and what a subclass carries behind it."""

    lanes = 0  # tangents carried with every number of y

    def __init__(self, model, moves: list[Move], question: str):
        refuse_controllers(model, question)
        self.model, self.moves, self.question = model, moves, question
        self.system = s = moves[0].system
        w = workspace(s)
        ny = s.nq + s.nv + RIDING
        self.ny, self.pad = ny, -ny % LINE if self.lanes else 0
        # what explicit methods integrate: z behind so many zeros that y fills lines of the cache, and rows of stages too
        self.padded, self.padded_dot = (aligned(self.pad + (self.lanes + 1) * ny) for _ in range(2))
        self.z, self.zdot = self.padded[self.pad:], self.padded_dot[self.pad:]
        self.z[:ny], cut = w.y, np.cumsum([0, s.nq, s.nv, RIDING])
        w.y, w.ydot = self.z[:ny], self.zdot[:ny]
        views = {name: array[a:b] for names, array in ((("q", "v", "ledger"), w.y), (("qdot", "vdot", "power"), w.ydot))
                 for name, a, b in zip(names, cut, cut[1:], strict=False)}
        w.arrays = w.arrays._replace(**views)
        self.w = w
        self.d = self._derivatives(0) if self.lanes else Derivatives(w)

    def _derivatives(self, group) -> Derivatives:
        """Duals whose tangents are those of a group of WIDTH lanes in z."""
        part = slice(self.ny * (1 + WIDTH * group), self.ny * (1 + WIDTH * (group + 1)))
        return Derivatives(self.w, self.z[part], self.zdot[part])

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

    def _crossed(self, k, when, rate, before, ends, options):
        """Event k is met, with ġ and f of the near side; δt per lane."""
        raise NotImplementedError

    # -------------------------------------------------------------------------------------------------------------- run

    def run(self, times, options, events) -> dict:
        """Samples of z; ``events``: how many events of the user come first, and how many of these end it."""
        w, ny, s = self.w, self.ny, self.system
        told, ending = events
        weights, caps = np.ones(ny), np.full(ny, np.inf)
        weights[ny - RIDING:] = 0.3 * options["rtol"] / options["atol"] * options["energy"]
        weigh(s, weights)
        caps[s.running] = 1.0
        if s.dim == 2:
            s.each_q(caps[:s.nq])[:, 2] = 1.0
        w.options.dependent = options["dependent"]
        # every event but the user's own that only watch ends a stretch: there the tangents may jump
        self.terminal = [0 if k < told - ending else 1 for k in range(w.g.size)]
        self.ending = range(told - ending, told)
        bounds = stations(s, options["start"], float(times[-1]), [])
        linear = self._implicit(options["method"])
        self.options, self.grid, self.at = options, np.asarray(times, float), 0
        self.outputs: list[np.ndarray] = []
        self.common = {"method": options["method"], "max_steps": options["max_steps"], "may_stick": bool(s.kept),
                       "span": float(times[-1]) - options["start"], "h_max": options.get("max_step") or 0.0,
                       "tangent": w.bound("tangent") if s.nc else None, "quality": w.quality,
                       "fixed_step": options.get("fixed_step"), "weights": weights, "caps": caps}
        self._sizes = np.zeros(w.g.size)
        self.short = SHORT * min(max(float(options["until"]) - options["start"], 1e-9), 1.0)
        seen, ends = [], None  # type: ignore[var-annotated]
        breaks = self._moving(bounds, options)
        self._standing(told - ending)
        for _ in range(MOST):
            self.stations = bounds.rows[bounds.rows[:, 1] > float(w.t[0])] if bounds.rows.size else bounds.rows
            stop = next((b for b in breaks if float(w.t[0]) < b[0] < self.grid[-1]), None)
            end = self.grid[-1] if stop is None else stop[0]
            event = self._next(end, linear[0])
            if event is not None:
                k, rate, before = self._meet(*event, linear[1])
                when = float(w.t[0])
                seen.append((k, when))
                last = told - ending <= k < told  # it ends here, at a time that moves
                change = self._crossed(k, when, rate, before, last, options)
                if last:
                    ends = change
                    break
                if self.at >= self.grid.size:
                    break
                self._beyond(k, when, rate, options)
            elif stop is not None:
                self._to(stop[0], linear[1], inside=stop[2])
                self._jump(stop[0], np.asarray(stop[1]), options)
                w.t[0] = stop[2]
            else:
                self._to(end, linear[1], last=True)
                break
        return {"samples": self.outputs, "t": self.grid[:len(self.outputs)], "events": seen, "ends": ends}

    def _to(self, end, linear, inside=0.0, last=False) -> None:
        """Go on to ``end``, with the samples up to there; samples up to ``inside`` (a break) are taken before it."""
        ahead = self.grid[self.at:]
        stretch = np.minimum(ahead[ahead <= max(end, inside)], end)
        if not last:
            stretch = np.append(stretch, end)
        rows = self.stations[self.stations[:, 1] < end] if self.stations.size and not last else self.stations
        reached = self._advance(stretch, {**self.common, "stations": rows, "linear": linear}, self.options)
        if not last:
            self.z[:] = reached.pop()
            self._spare()
        self.w.t[0] = end
        self.outputs += reached
        self.at += len(reached)

    def _sample(self) -> None:
        """The next sample is the place where z stands."""
        self.outputs.append(self.z.copy())
        self.at += 1

    # ----------------------------------------------------------------------------------------------------------- events

    def _next(self, end, linear) -> tuple[int, float] | None:
        """The next event before ``end`` that may change the tangents, and about when; the motion alone finds it."""
        from dalembert.integrators.solve import solve

        if not any(self.terminal):
            return None
        w, kept, begin = self.w, self.z.copy(), float(self.w.t[0])
        n, rows = self.ny, self.stations
        if rows.size and end < self.grid[-1]:
            rows = rows[rows[:, 1] < end]
        found = solve(w.bound("accelerations"), w.t, self.z[:n], self.zdot[:n], np.array([end]), rtol=self.options["rtol"],
                      atol=self.options["atol"], project=w.bound("project") if self.system.nc else None, events=w.bound("events"),
                      g=w.g, terminal=self.terminal, riding=RIDING, linear=linear, **{**self.common, "stations": rows})
        self.z[:], w.t[0] = kept, begin
        if found.status != EVENT:
            return None
        last = float(found.events.t[-1])
        met = [int(k) for k, t in zip(found.events.index, found.events.t, strict=True) if t == last and self.terminal[k]]
        return next((k for k in met if k in self.ending), met[-1]), last  # what ends the run goes before others at its place

    def _meet(self, k, about, linear) -> tuple[int, float, np.ndarray]:
        """Stand at event k, come from its near side, on the path with tangents itself; ġ and f of the near side there.

        That path has steps of its own, and meets the event a little earlier or later than the motion alone.
        """
        begin = (self.z.copy(), float(self.w.t[0]), self.at, len(self.outputs), self._mark())
        w, away = self.w, self.short
        w.run("events")
        self._extent(k)
        side = float(w.g[k])
        for _ in range(20):
            early = max(about - away, begin[1])
            if early > begin[1]:
                self._to(early, linear)
            w.run("events")
            if float(w.g[k]) * side > 0.0 or early <= begin[1]:
                break
            self._return(begin)
            away *= 10.0
        close = CLOSE * self.short
        for tried in range(60):
            if tried % 8 == 7 and close < 10.0 * self.short:
                close *= 10.0  # at coarse tolerances the projection moves the motion by more than that
            rate, before = self._rates(k)
            w.run("events")
            left = -float(w.g[k]) / rate if rate else math.inf
            if 0.0 <= left <= close:
                break
            here = (self.z.copy(), float(w.t[0]), self.at, len(self.outputs), self._mark())
            far = 0.9 * min(max(left, 0.0), max(about + away - here[1], close))
            for _ in range(60):
                self._to(here[1] + far, linear)
                w.run("events")
                if float(w.g[k]) * side >= 0.0:
                    break
                self._return(here)
                far *= 0.3
            if not float(w.t[0]) > here[1]:
                left = 0.0
                break
        else:
            self._touched(float(w.t[0]))
        bend, change = self._graze(k, rate, before)
        rate, before = rate + left * bend, before + left * change
        when = float(w.t[0]) + left
        for t in self.grid[self.at:][self.grid[self.at:] <= when]:
            self._slope(t - float(w.t[0]), t)
            self._sample()
        self._slope(when - float(w.t[0]), when)
        return k, rate, before

    def _mark(self):
        """What must be forgotten when a stretch is taken back."""
        return None

    def _return(self, to) -> None:
        self.z[:], self.w.t[0], self.at, count, _ = to[0], to[1], to[2], to[3], to[4]
        del self.outputs[count:]

    def _standing(self, first) -> None:
        """Refuse a start that stands on an event which the parameters move."""
        w, d = self.w, self.d
        w.run("events")
        d.run("watched")
        for k in range(first, w.g.size):
            if w.g[k] == 0.0 and np.any(d.found["g"][k]):
                raise AnalysisError(f"{self.question} of '{self.model.name}': the motion begins exactly where a force "
                                    "switches, and the parameters move the one against the other: there is one derivative for "
                                    "each side")

    def _done(self, found) -> None:
        if found.status != OK:
            self._singular()
            raise AnalysisError(f"{self.question} of '{self.model.name}' stopped at t = "
                                f"{float(found.state['real'][0]):.6g}: {describe(found.status)}")

    def _singular(self) -> None:
        """Refuse a pose in which rows come to depend on the others: the motion alone may pass it, tangents do not."""
        w, t = self.w, float(self.w.t[0])
        w.run("accelerations")
        if w.quality[0] < POOR:
            raise AnalysisError(f"{self.question} of '{self.model.name}': at t = {t:.6g} the mechanism comes to a singular pose "
                                f"(the rows of its joints depend on each other but for {float(w.quality[0]):.1e}): branches meet "
                                "there, and the motion beyond is not differentiable")

    def _implicit(self, method) -> tuple:
        return None, None

    def _moving(self, bounds, options) -> list[tuple]:
        """Breaks of laws in time that the parameters move: their time, how it moves per parameter, and the time just after."""
        beyond = 0.1 * (options["until"] - options["start"])
        window = options["start"] - beyond, options["until"] + beyond  # breaks may come in or leave at the ends
        try:
            wide = stations(self.system, *window, []).rows
        except DalembertError:
            window = options["start"], options["until"]
            wide = stations(self.system, *window, []).rows
        if not wide.size:
            return []
        shift = np.zeros((len(wide), max(WIDTH, len(self.moves))))
        for lane, m in enumerate(self.moves):
            moved = shifted([stations(b.system, *window, []).rows[:, 1] for b in m.beside], m.step)
            if moved is None or moved.shape != (len(wide),):
                raise AnalysisError(f"{self.question} of '{self.model.name}': with '{m.name}' moved a little, laws break at "
                                    "other moments, more or fewer of them: there is no derivative just here")
            shift[:, lane] = moved
        sizes = np.array([m.scale for m in self.moves])
        moving = np.any(np.abs(shift[:, :len(sizes)]) * sizes > 1e-11 * np.maximum(np.abs(wide[:, :1]), 10.0 * beyond), axis=1)
        return [(float(row[0]), change, float(row[1])) for row, change in zip(wide[moving], shift[moving], strict=True)
                if options["start"] < row[0] < options["until"]]
