"""A motion with its tangents: (y, δy) is one longer state, integrated together, steps chosen by y alone.

    ẏ = f(t, y, p)          δẏ = f_y δy + f_p δp          the second by duals (formulations/augmented/sensitivity.py: forward)

The tangents count nothing in the error of a step; the mean of squares over a state that is WIDTH + 1 times longer is made up for
by a tolerance √(WIDTH + 1) times smaller, so that steps are those of the plain run.  After a step both are projected.  Radau
solves for the tangents with the matrix of the motion (formulations/augmented/newton/carried.py).  Events: stretches.py.
"""

from __future__ import annotations

import math

import numpy as np

from dalembert._jit.duals import WIDTH
from dalembert.analyses.derived.parameters import Move, seed
from dalembert.analyses.derived.stretches import Stretches
from dalembert.equations.paths import FIELDS
from dalembert.integrators.registry import AUTO, record


class Forward(Stretches):
    """One system with up to WIDTH parameters moving."""

    lanes = WIDTH

    def __init__(self, model, moves: list[Move], question: str):
        super().__init__(model, moves, question)
        seed(self.d, moves)

    def start(self, t, q, v) -> None:
        """The state and its tangents, on the constraints."""
        d = self.d
        self.z[self.ny:] = 0.0
        for lane, m in enumerate(self.moves):
            d.found["q"][:, lane], d.found["v"][:, lane] = m.q, m.v
        self.begin(t, q, v)
        if self.system.nc:
            d.run("constrained")

    def carried(self, times, options, events) -> dict:
        """Samples of y and δy."""
        ny, w = self.ny, self.w
        found = self.run(times, options, events)
        y, reached, ends = np.array(found["samples"]).reshape(-1, self.z.size), found["t"], found["ends"]
        if ends is not None:
            status = self.d.run("forward")
            final = self.z.copy()
            moved = final[ny:].reshape(ny, WIDTH)
            moved += self.zdot[:ny, None] * ends
            if not status and (not len(reached) or reached[-1] < w.t[0]):
                y, reached = np.vstack([y, final]), np.append(reached, w.t[0])
        return {"t": reached, "y": y[:, :ny], "dy": y[:, ny:].reshape(len(y), ny, WIDTH), "events": found["events"],
                "dt": np.zeros(WIDTH) if ends is None else ends}

    def _advance(self, stretch, common, options) -> list[np.ndarray]:
        from dalembert.integrators.solve import solve

        ny, shrink = self.ny, 1.0 / math.sqrt(WIDTH + 1)
        weights, caps = np.full(self.z.size, np.inf), np.full(self.z.size, np.inf)
        weights[:ny], caps[:ny] = common["weights"], common["caps"]
        recorder = self._scales(options, float(stretch[-1]))
        found = solve(self.d.bound("forward"), self.w.t, self.z, self.zdot, stretch, rtol=options["rtol"] * shrink,
                      atol=options["atol"] * shrink, project=self.d.bound("projected") if self.system.nc else None,
                      **({} if recorder is None else {"budget": 1, "recorder": recorder}),
                      **{**common, "weights": weights, "caps": caps})
        self._done(found)
        return list(found.y.T)

    def _scales(self, options, end):
        """What is called in place of the entry that advances by one attempt; None: that entry itself."""
        return None

    def _slope(self, length, when) -> None:
        self.d.run("forward")
        self.z[:] += length * self.zdot  # with the slopes of this side
        self.w.t[0] = when

    def _leave(self, here, when, e, slope_at) -> None:
        w = self.w
        w.t[0], self.z[:] = when, here
        self.d.run("forward")
        w.t[0], self.z[:] = when + e, here + e * self.zdot
        self.d.run("forward")
        self.z[:] = here + e * self.zdot

    def _crossed(self, k, when, ends, options) -> np.ndarray:
        """The jump of the tangents at event k; δt of the crossing per lane."""
        self.d.run("watched")
        dg = self.d.found["g"][k].copy()
        change = -dg / self._crossing(k, when)
        self._jump(when, change, options)
        return change

    def _jump(self, when, change, options) -> None:
        """δy ← δy + (f⁻ − f⁺) δt."""
        moved, jump = self.tangents().copy(), self._sides(when, options)
        if jump is not None:
            self.tangents()[:] = moved + jump[:, None] * change

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
