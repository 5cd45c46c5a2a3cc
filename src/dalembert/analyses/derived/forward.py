"""A motion with its tangents: (y, δy) is one longer state, integrated together, steps chosen by both.

    ẏ = f(t, y, p)          δẏ = f_y δy + f_p δp          the second by duals (formulations/augmented/sensitivity.py: forward)

A tangent counts in the error of a step against the largest its kind has been in its lane (integrators/tangent_scales.py); the
mean of squares over a state that is lanes + 1 times longer is made up for by a tolerance √(lanes + 1) times smaller, so that y
itself counts as in the plain run.  After a step both are projected.  Where nothing jumps (``together``) more than WIDTH
parameters are carried beside each other: the motion, its factors and its steps are then computed once for all groups of lanes.
Radau solves for the tangents with the matrix of the motion (formulations/augmented/newton/carried.py).  Events: stretches.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dalembert._jit import Bound
from dalembert._jit.duals import WIDTH
from dalembert.analyses.assembly.adopted import length_of
from dalembert.analyses.derived.kinks import blanked, near, told
from dalembert.analyses.derived.parameters import Move, constrained, seed
from dalembert.analyses.derived.stretches import Stretches
from dalembert.analyses.simulation.law_breaks import stations
from dalembert.equations.paths import FIELDS
from dalembert.formulations.augmented.sensitivity import ACCELERATIONS, PROJECT
from dalembert.formulations.augmented.staged import staged
from dalembert.integrators.layout import STAGES
from dalembert.integrators.parts import InParts
from dalembert.integrators.registry import AUTO, record
from dalembert.integrators.status import BUDGET
from dalembert.integrators.tangent_scales import CHAIN, MEASURE, WATCH, Chain, Scales

LEDGER = 4  # kinds of numbers: positions, orientations, velocities, angular velocities, sums of power
PARTS = np.array([10.0, 10.0, 10.0, 10.0, 1e200])  # of the largest of a kind: what its error counts against (0091); sums: never
FLOOR = 1e-3  # of the mechanism's size, a radian …: what a parameter, changed by its own size, moves is judged against no less
ROUNDING = 1e-13  # of the mechanism's size: what moves less, for a change of a parameter by its own size, is rounding
SMALL = 1e-2  # of what is moved most: other kinds of numbers are judged against no less
SHORT = 1e-3  # of a stretch: the way along its slopes by which a tangent is measured that begins at zero
MANY = 6  # groups of lanes that are carried beside each other at most
TRIES = 64  # attempts between two looks at the keyboard


class Forward(Stretches):
    """One system with its parameters moving; more than WIDTH of them where nothing jumps."""

    tries = TRIES  # attempts at a time
    watching: dict[str, Any] = {}  # what ``solve`` is told besides; replaced as a whole
    solution: Any = None  # of the last stretch, for y

    def __init__(self, model, moves: list[Move], question: str):
        self.groups = [moves[k:k + WIDTH] for k in range(0, len(moves), WIDTH)]
        self.lanes = WIDTH * len(self.groups)
        super().__init__(model, moves, question)
        self.met: list[tuple] = []  # events and breaks: when, y, ẏ before, tangents before and after
        self.each = [self.d, *(self._derivatives(g) for g in range(1, len(self.groups)))]
        for d, group in zip(self.each, self.groups, strict=True):
            seed(d, group)
        self._chains = {name: self._chained(name) for name in ("forward", "projected")}
        s, self.weights = self.system, np.ones(self.padded.size)
        self.kinds = np.full(self.ny, LEDGER, np.int64)
        self.largest = np.zeros((len(self.groups), LEDGER + 1, WIDTH))
        self.kinds[:s.nq], self.kinds[s.nq:s.nq + s.nv] = 1, 3  # running angles too
        s.each_q(self.kinds[:s.nq])[:, :s.dim], s.each_v(self.kinds[s.nq:s.nq + s.nv])[:, :s.dim] = 0, 2

    def _chained(self, name) -> Bound:
        """The entry for all groups: the first computes the motion, which the others find done."""
        if len(self.each) == 1:
            return self.d.bound(name)
        nothing = CHAIN.bind(Chain(np.zeros(0, np.int64)))
        for d in self.each[1:]:
            d._plain.handle[[ACCELERATIONS, PROJECT]] = nothing.handle
        bound = [nothing, *(d.bound(name) for d in self.each)]
        self._alive = [*getattr(self, "_alive", []), *bound]
        return CHAIN.bind(Chain(np.array([b.handle for b in bound[1:]], np.int64)))

    def _implicit(self, method) -> tuple:
        """What the method needs: linear solves of Radau; stages of explicit ones, whose steps are taken in two parts."""
        if record(method).needs:
            return self._linear()
        stages = int(record(method).tableau().shape[STAGES])
        if self.system.tables.felt.size or stages < 2:
            return None, None
        nothing = CHAIN.bind(Chain(np.zeros(0, np.int64)))
        motion, tangents = staged(self.w, self.each, stages, nothing)
        self._stages = nothing
        return None, InParts(self.pad + self.ny, motion, tangents)

    def start(self, t, q, v, given=False) -> None:
        """The state and its tangents, on the constraints."""
        self.z[self.ny:] = 0.0
        for d, group in zip(self.each, self.groups, strict=True):
            for lane, m in enumerate(group):
                d.found["q"][:, lane], d.found["v"][:, lane] = m.q, m.v
        self.begin(t, q, v)
        if self.system.nc:
            for d, group in zip(self.each, self.groups, strict=True):
                constrained(d, self.model, group, self.question, given)

    def carried(self, times, options, events) -> dict:
        """Samples of y and δy."""
        ny, w = self.ny, self.w
        found = self.run(times, options, events)
        y, reached, ends = np.array(found["samples"]).reshape(-1, self.z.size), found["t"], found["ends"]
        if ends is not None:
            status = self.d.run("forward")
            final = self.z.copy()
            moved = final[ny:].reshape(ny, WIDTH)  # events: one group alone
            moved += self._near[:, None] * ends  # as it would have gone on
            if not status and (not len(reached) or reached[-1] < w.t[0]):
                y, reached = np.vstack([y, final]), np.append(reached, w.t[0])
        dy = np.moveaxis(y[:, ny:].reshape(len(y), len(self.groups), ny, WIDTH), 1, 2).reshape(len(y), ny, self.lanes)
        for when, _, _, before, after in self.met:
            dy[near(reached, when, self.short)] += told(before, after)
        return {"t": reached, "y": y[:, :ny], "dy": dy, "events": found["events"],
                "dt": np.zeros(self.lanes) if ends is None else ends}

    def _advance(self, stretch, common, options) -> list[np.ndarray]:
        from dalembert.integrators.solve import Solution, solve

        pad = 0 if record(options["method"]).needs else self.pad
        z, zdot = self.padded[self.pad - pad:], self.padded_dot[self.pad - pad:]
        shrink = math.sqrt(self.ny / z.size)
        weights, caps = self.weights[self.pad - pad:], np.full(z.size, np.inf)
        own = slice(pad, pad + self.ny)
        weights[own], caps[own] = common["weights"], common["caps"]
        if not common["fixed_step"]:
            self._chains["forward"]()
        found = solve(self._chains["forward"], self.w.t, z, zdot, stretch, rtol=options["rtol"] * shrink,
                      atol=options["atol"] * shrink, project=self._chains["projected"] if self.system.nc else None,
                      budget=1, recorder=self._scales(options, float(stretch[-1])),
                      **{**common, "weights": weights, "caps": caps, **self.watching})
        state = {**found.state, **{name: found.state[name][own].copy() for name in ("x", "k")}}
        self.solution = Solution(found.t, found.y[own], found.status, found.message, found.stats, found.events, state)
        self._done(found)
        return list(found.y[pad:].T)

    def _scales(self, options, end) -> Callable[[Any], Any]:
        """How large tangents are, so far and (at the beginning of a stretch) after a very short way along their slopes."""
        kind, span = self.kinds, max(options["until"] - options["start"], 1e-300)
        here = [np.abs(self.w.y[kind == k]).max(initial=0.0) for k in range(LEDGER)]
        length = length_of(self.system) or max(here[0], span * here[2])
        usual = np.array([length, 1.0, max(here[2], length / span), max(here[3], 1.0 / span), 1.0])
        for d, group, largest in zip(self.each, self.groups, self.largest, strict=True):
            lanes, scale = slice(len(group)), np.array([m.scale for m in group])
            known = (np.maximum(largest[:LEDGER, lanes], self._now(d)[:LEDGER, lanes]) / usual[:LEDGER, None]).max(axis=0)
            floor = np.where(known * scale > ROUNDING, np.minimum(FLOOR / scale, SMALL * known), FLOOR / scale)
            largest[:, lanes] = np.maximum(largest[:, lanes], usual[:, None] * floor)
        scales = Scales(np.zeros(1, np.int64), self.w.t, self.z, self.zdot, self.weights[self.pad:], kind,
                        PARTS * options["rtol"] / options["atol"], self.largest.ravel(),
                        np.array([float(self.w.t[0]) - SHORT * (end - float(self.w.t[0]))]),
                        np.array([WIDTH, self.tries, BUDGET, len(self.groups)], np.int64))
        MEASURE.bind(scales)()

        def watched(advance):
            scales.handle[0], self._kept_alive = advance.handle, advance
            return WATCH.bind(scales)

        return watched

    def _now(self, d) -> np.ndarray:
        """The largest tangents of a group here, kinds × lanes."""
        T = np.abs(d.y.reshape(self.ny, WIDTH))
        return np.array([T[self.kinds == k].max(axis=0, initial=0.0) for k in range(LEDGER + 1)])

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

    def _crossed(self, k, when, rate, before, ends, options) -> np.ndarray:
        """The jump of the tangents at event k; δt of the crossing per lane."""
        change = self._changes(k, when, rate)
        if not ends:
            self._pass(when, before, self._sides(when, options, (k, rate, before)), change)
        self._near = before
        return change

    def _jump(self, when, change, options) -> None:
        self.w.run("accelerations")
        self._pass(when, self.w.ydot.copy(), self._sides(when, options), change)

    def _pass(self, when, f, jump, change) -> None:
        """Over an event or a break, with the tangents of both sides kept (kinks.py)."""
        before = self.tangents().copy()
        self._add(jump, change)
        self.met.append((when, self.w.y.copy(), f, before, self.tangents().copy()))

    def _add(self, jump, change) -> None:
        """δy ← δy + (f⁻ − f⁺) δt."""
        if jump is not None:
            self.tangents()[:] += jump[:, None] * change

    def _linear(self) -> tuple:
        """What Radau needs: linear solves for the motion alone, and for the motion with its tangents."""
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
        rows = self.w.arrays.limit, self.w.arrays.limit.copy()
        return Linear(a.a, a.b, a.coefficient, entries, *rows), Linear(c.za, c.zb, a.coefficient, whole, *rows)

    # --------------------------------------------------------------------------------------------------------- observing

    def observe(self, t, y, dy, group=0) -> tuple[dict, dict]:
        """What every sample shows, and its tangents (samples × numbers × WIDTH), by the names of equations/paths.py."""
        w, d = self.w, self.each[group]
        seed(d, self.groups[group])
        values: dict[str, list] = {n: [] for n in FIELDS}
        moved: dict[str, list] = {n: [] for n in FIELDS}
        for k in range(len(t)):
            w.t[0], w.y[:] = t[k], y[k]
            d.y.reshape(self.ny, WIDTH)[:] = dy[k]
            d.run("observed")
            for name in FIELDS:
                values[name].append(getattr(w.arrays, name).copy())
                moved[name].append(d.found[name].copy())
        tangents = {n: np.array(a) for n, a in moved.items()}
        if self.met:
            blanked(self, d, t, tangents, slice(WIDTH * group, WIDTH * (group + 1)))
        for name in ("residual", "speed"):
            tangents[name][:] = 0.0
        return {n: np.array(a) for n, a in values.items()}, tangents


def method_of(options) -> str:
    """The method that carries the tangents: Radau for runs of implicit methods, otherwise the run's own."""
    method = options.get("method") or record(options["integrator"]).name
    return AUTO[1] if record(method).needs else method


def together(system, options) -> int:
    """How many parameters may be carried at once: more than WIDTH where nothing jumps and steps are explicit."""
    smooth = not system.tables.event.size and not record(options["method"]).needs and not stations(
        system, options["start"], options["until"], []).rows.size
    return WIDTH * (MANY if smooth else 1)
