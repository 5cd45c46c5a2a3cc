"""A motion with its tangents: (y, δy) is one longer state, integrated together, steps chosen by y alone.

    ẏ = f(t, y, p)          δẏ = f_y δy + f_p δp          the second by duals (formulations/augmented/sensitivity.py: forward)

The tangents count nothing in the error of a step; the mean of squares over a state that is WIDTH + 1 times longer is made up for
by a tolerance √(WIDTH + 1) times smaller, so that steps are those of the plain run.  After a step both are projected.  Radau
solves for the tangents with the matrix of the motion (formulations/augmented/newton/carried.py).

Events.  Where g(t, y, p) = 0 the forces may change at once; with f⁻ and f⁺ before and after it, and y itself continuous,

    δt = −δg/ġ          δy⁺ = δy⁻ + (f⁻ − f⁺) δt          δg = g_y δy + g_p δp,   ġ = g_y f⁻ + g_t

A motion that ends at an event ends at another time: its last sample moves by δy + f δt.  ġ = 0 is a grazing event: there is no
derivative, and that is said.
"""

from __future__ import annotations

import math

import numpy as np

from dalembert._jit.duals import WIDTH
from dalembert.analyses.derived.parameters import Move, seed, shifted
from dalembert.analyses.simulation.law_breaks import stations
from dalembert.equations.paths import FIELDS
from dalembert.equations.workspace import workspace
from dalembert.errors import EVENT, OK, AnalysisError, describe
from dalembert.formulations.augmented.derivatives import Derivatives
from dalembert.integrators.registry import AUTO, record
from dalembert.system.tables import RIDING

NUDGE = 1e-7  # of the span: how far beside an event the forces of both sides are asked
PAST = 1e-7  # of the span, of 1 s at most: how far from an event a stretch ends and the next begins
GRAZING = 1e-6  # of the usual rate of an event's expression: slower is touching, not crossing
MOST = 10_000  # events


class Forward:
    """One system with up to WIDTH parameters moving."""

    def __init__(self, model, moves: list[Move], question: str):
        self.model, self.moves, self.question = model, moves, question
        self.system = s = moves[0].system
        w = workspace(s)
        ny = s.nq + s.nv + RIDING
        self.ny, self.z, self.zdot = ny, np.zeros((WIDTH + 1) * ny), np.zeros((WIDTH + 1) * ny)
        self.z[:ny], cut = w.y, np.cumsum([0, s.nq, s.nv, RIDING])
        w.y, w.ydot = self.z[:ny], self.zdot[:ny]
        views = {name: array[a:b] for names, array in ((("q", "v", "ledger"), w.y), (("qdot", "vdot", "power"), w.ydot))
                 for name, a, b in zip(names, cut, cut[1:], strict=False)}
        w.arrays = w.arrays._replace(**views)
        self.w = w
        self.d = Derivatives(w, self.z[ny:], self.zdot[ny:])
        seed(self.d, moves)

    # ------------------------------------------------------------------------------------------------------------ start

    def start(self, t, q, v) -> None:
        """The state and its tangents, on the constraints."""
        w, d = self.w, self.d
        w.set(t, q, v)
        w.arrays.ledger[:] = 0.0
        self.z[self.ny:] = 0.0
        for lane, m in enumerate(self.moves):
            d.found["q"][:, lane], d.found["v"][:, lane] = m.q, m.v
        w.run("begin")
        if w.run("accelerations"):
            raise AnalysisError(f"{self.question} of '{self.model.name}': the accelerations at the start are not finite")
        if self.system.nc:
            d.run("constrained")

    def tangents(self) -> np.ndarray:
        return self.z[self.ny:].reshape(self.ny, WIDTH)

    # -------------------------------------------------------------------------------------------------------------- run

    def run(self, times, options, events) -> dict:
        """Samples of y and δy; ``events``: how many events of the user come first, and how many of these end it."""
        from dalembert.integrators.solve import solve

        w, ny, s = self.w, self.ny, self.system
        told, ending = events
        method = options["method"]
        shrink = 1.0 / math.sqrt(WIDTH + 1)
        rtol, atol = options["rtol"], options["atol"]
        weights, caps = np.full(self.z.size, np.inf), np.full(self.z.size, np.inf)
        weights[:ny - RIDING], weights[ny - RIDING:ny] = 1.0, 0.3 * rtol / atol * options["energy"]
        caps[s.running] = 1.0
        if s.dim == 2:
            s.each_q(caps[:s.nq])[:, 2] = 1.0
        w.options.dependent = options["dependent"]
        # every event but the user's own that only watch ends a stretch: there the tangents may jump
        terminal = [0 if k < told - ending else 1 for k in range(w.g.size)]
        bounds = stations(s, options["start"], float(times[-1]), [])
        linear = self._implicit(method)
        bound = {name: self.d.bound(name) for name in ("forward", "projected")}
        outputs, grid, at, seen, ends = [], np.asarray(times, float), 0, [], None
        breaks = self._moving(bounds, options)
        for _ in range(MOST):
            rows = bounds.rows[bounds.rows[:, 1] > float(w.t[0])] if bounds.rows.size else bounds.rows
            stop = next((b for b in breaks if b[0] > float(w.t[0])), None)
            stretch = grid[at:]
            if stop is not None and stop[0] < grid[-1]:
                stretch = np.append(stretch[stretch < stop[0]], stop[0])
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
                              weights=weights[:ny], caps=caps[:ny], project=w.bound("project") if s.nc else None,
                              events=w.bound("events"), g=w.g, terminal=terminal, riding=RIDING, linear=linear[0],
                              **common)
                self.z[:], w.t[0] = kept, begin
                if found.status == EVENT:
                    event, stop = (int(found.events.index[-1]), float(found.events.t[-1])), None
                    early = max(event[1] - self._past(options), begin)
                    stretch = np.append(stretch[stretch < early], early)
            reached = []
            if stretch[-1] > float(w.t[0]) or event is None:
                found = solve(bound["forward"], w.t, self.z, self.zdot, stretch, rtol=rtol * shrink, atol=atol * shrink,
                              weights=weights, caps=caps, project=bound["projected"] if s.nc else None,
                              linear=linear[1], **common)
                if found.status != OK:
                    raise AnalysisError(f"{self.question} of '{self.model.name}' stopped at t = "
                                        f"{float(found.state['real'][0]):.6g}: {describe(found.status)}")
                reached = list(found.y.T)
            if stop is not None or event is not None:
                self.z[:] = reached.pop() if reached else self.z
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
                self.d.run("forward")
                self.z[:] += (when - float(stretch[-1])) * self.zdot  # with the slopes of this side
                w.t[0] = when
                seen.append(event)
                change = self._crossed(k, when, options)
                if told - ending <= k < told:  # it ends here, at a time that moves
                    ends = change
                    break
                if at >= grid.size:
                    break
                self._beyond(k, when, self._rate, options)
        y = np.array(outputs).reshape(-1, self.z.size)
        reached_at = grid[:len(y)]
        if ends is not None:
            status = self.d.run("forward")
            final = self.z.copy()
            moved = final[ny:].reshape(ny, WIDTH)
            moved += self.zdot[:ny, None] * ends
            if not status and (not len(reached_at) or reached_at[-1] < w.t[0]):
                y, reached_at = np.vstack([y, final]), np.append(reached_at, w.t[0])
        return {"t": reached_at, "y": y[:, :ny], "dy": y[:, ny:].reshape(len(y), ny, WIDTH), "events": seen,
                "dt": np.zeros(WIDTH) if ends is None else ends}

    def _implicit(self, method) -> tuple:
        """What Radau needs: linear solves for the motion alone, and for the motion with its tangents."""
        if not record(method).needs:
            return None, None
        from dalembert.formulations.augmented.newton.carried import ENTRIES, Carried
        from dalembert.formulations.augmented.newton.engine import NewtonWork
        from dalembert.integrators.contract import Linear

        newton = NewtonWork(self.w)
        a = newton.arrays
        names = ("differentiate", "factor_real", "factor_complex", "solve_real", "solve_complex")
        entries = tuple(newton.bound(name) for name in names)
        c = Carried(np.zeros_like(self.z), np.zeros_like(self.z), a.a, a.b, np.array([e.handle for e in entries[3:]], np.int64),
                    np.array([WIDTH], np.int64))
        self._kept = newton
        whole = (*entries[:3], *(ENTRIES[name].bind(c) for name in names[3:]))
        return Linear(a.a, a.b, a.coefficient, entries), Linear(c.za, c.zb, a.coefficient, whole)

    def _moving(self, bounds, options) -> list[tuple]:
        """Breaks of laws in time that the parameters move: their time, how it moves per lane, and the time just after."""
        if not bounds.rows.size:
            return []
        shift = np.zeros((len(bounds.rows), WIDTH))
        for lane, m in enumerate(self.moves):
            found = [stations(b.system, options["start"], options["until"], []).rows[:, 1] for b in m.beside]
            moved = shifted(found, m.step)
            if moved is None or moved.shape != (len(bounds.rows),):
                raise AnalysisError(f"{self.question} of '{self.model.name}': with '{m.name}' moved a little, laws break at "
                                    "other moments of the run, more or fewer of them: there is no derivative just here")
            shift[:, lane] = moved
        return [(float(row[0]), change, float(row[1])) for row, change in zip(bounds.rows, shift, strict=True)
                if np.any(np.abs(change) > 1e-9)]

    def _crossed(self, k, when, options) -> np.ndarray:
        """The jump of the tangents at event k; δt of the crossing per lane."""
        w, d = self.w, self.d
        moved = self.tangents().copy()
        d.run("watched")
        dg = d.found["g"][k].copy()
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
        change = -dg / rate
        self._jump(when, change, options)
        return change

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
            self.d.run("forward")
            w.t[0], self.z[:] = when + e, here + e * self.zdot
            self.d.run("forward")
            self.z[:] = here + e * self.zdot
            w.run("events")
            if w.g[k] * rate > 0.0:
                return
            e *= 2.0
        raise AnalysisError(f"{self.question} of '{self.model.name}': at t = {when:.6g} an event is not left again: the motion "
                            "is not differentiable at this place")

    @staticmethod
    def _past(options) -> float:
        return PAST * min(max(float(options["until"]) - options["start"], 1e-9), 1.0)

    def _jump(self, when, change, options) -> None:
        """δy ← δy + (f⁻ − f⁺) δt; both sides of f are asked a little off, twice, and brought to the event."""
        w, ny = self.w, self.ny
        span = NUDGE * max(float(options["until"]) - options["start"], 1e-9)
        here, moved = self.z[:ny].copy(), self.tangents().copy()
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
        if np.abs(jump).max(initial=0.0) > 1e-7 * size:
            self.tangents()[:] = moved + jump[:, None] * change

    # --------------------------------------------------------------------------------------------------------- observing

    def observe(self, t, y, dy) -> tuple[dict, dict]:
        """What every sample shows, and its tangents (samples × numbers × WIDTH), by the names of equations/paths.py."""
        w, d = self.w, self.d
        seed(d, self.moves)
        values: dict[str, list] = {n: [] for n in FIELDS}
        moved: dict[str, list] = {n: [] for n in FIELDS}
        for k in range(len(t)):
            w.t[0], w.y[:] = t[k], y[k]
            self.tangents()[:] = dy[k]
            d.run("observed")
            for name in FIELDS:
                values[name].append(getattr(w.arrays, name).copy())
                moved[name].append(d.found[name].copy())
        return ({n: np.array(a) for n, a in values.items()},
                {n: np.zeros_like(np.array(a)) if n in ("residual", "speed") else np.array(a) for n, a in moved.items()})


def method_of(options) -> str:
    """The method that carries the tangents: Radau for runs of implicit methods, otherwise the run's own."""
    method = options.get("method") or record(options["integrator"]).name
    return AUTO[1] if record(method).needs else method
