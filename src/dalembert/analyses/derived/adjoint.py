"""The discrete adjoint of a run: derivatives of few numbers in any number of parameters, by one way back through the run.

The motion is integrated once more, with the ends of its steps kept and one tangent carried, that along a random combination of
all parameters: it takes part in the choice of the steps, and says in the end whether the way back agrees with it.  Then the
covector of a goal goes back through the same steps (integrators/backward.py), the same factors and the transposed tangents
(formulations/augmented/adjoint.py), and gathers the parameters' part on its way.  At an event,
with μ behind it and m = μ · (f⁻ − f⁺),

    μ ← μ − (m/ġ) g_y          dp −= (m/ġ) g_p          where a run ends at one, m is μ · f + ∂goal/∂t besides

A break of a law at a time that moves with p adds m δt.  The few short steps beside an event are those of forward.py, as methods
of one and two stages.  At the start dp += μ · δy₀, with δy₀ the tangents that forward.py begins with.

K and C know which bodies act on each other (newton/layout.py); they are compared with one dual pass along a random direction
before they are used, because a coupling that is missing there costs an implicit method only time.
"""

from __future__ import annotations

import numpy as np

from dalembert._jit.duals import WIDTH
from dalembert.analyses.assembly.adopted import length_of
from dalembert.analyses.derived.forward import Forward
from dalembert.analyses.derived.parameters import STEP, Move, seed
from dalembert.analyses.derived.sharing import owners, seen, shared
from dalembert.errors import AnalysisError
from dalembert.formulations.augmented.adjoint import ENTRIES, Adjoint, Lanes
from dalembert.formulations.augmented.derivatives import Derivatives, twists
from dalembert.formulations.augmented.newton.engine import NewtonWork
from dalembert.integrators.backward import BACK, RECORD, Backward, Recorder
from dalembert.integrators.layout import EXTRA, STAGES
from dalembert.integrators.registry import record, records
from dalembert.integrators.status import BUDGET
from dalembert.integrators.tableaus import Coefficients, packed

ROOM = 512  # steps kept before they are fetched
COUPLED = 1e-9  # how well K and C must agree with a dual pass
NOTHING = 1e-13  # of forces and of the accelerations of rows: a change that is less is rounding
EULER = Coefficients(1, (0.0, 1.0), ({}, {0: 1.0}), (), (), 0.0, 0.0, 0.0, 1)
BESIDE = Coefficients(2, (0.0, 1.0, 1.0), ({}, {0: 1.0}, {1: 1.0}), (), (), 0.0, 0.0, 0.0, 1)  # the slope of the far end


def combined(moves, way) -> Move:
    """What all parameters move together, each as far as ``way`` says."""
    tables = {field: np.zeros(array.shape, array.dtype) for field, array in moves[0].tables.items()}
    for x, m in zip(way, moves, strict=True):
        for field, columns in m.changed.items():
            for total, change in [(tables[field][c], m.tables[field][c]) for c in columns] or [(tables[field], m.tables[field])]:
                total += x * change
    q, v = (sum(x * getattr(m, w) for x, m in zip(way, moves, strict=True)) for w in ("q", "v"))
    first = moves[0]
    return Move("all together", 1.0, STEP, first.system, tables, q, v, True, list, first.build, False)


class Uncoupled(AnalysisError):
    """Forces act between bodies that Newton's matrices do not couple."""


class Reverse(Forward):
    """One system with any number of parameters, and a record of its motion; the tangent along ``way`` is carried in one lane."""

    tries = 1  # attempts at a time: every step is kept

    def __init__(self, model, moves: list[Move], question: str):
        random = np.random.default_rng(len(moves))
        size = random.uniform(0.5, 1.0, len(moves)) * random.choice([-1.0, 1.0], len(moves))
        self.way = size * np.array([m.scale for m in moves])
        super().__init__(model, [combined(moves, self.way)], question)
        self.one, self.all = self.moves, moves
        self.records: list[dict] = []
        self.count = 0  # samples so far

    # -------------------------------------------------------------------------------------------------------- the motion

    def start(self, t, q, v, given=False) -> None:
        super().start(t, q, v, given)
        self._first = (t, self.z[:self.ny].copy())
        kept = self.z.copy()
        if len(self.all) <= WIDTH:
            self.alone()
        else:
            self.lanes_of(*seen(self.w, self.all))
        self._coupled()
        self.z[:] = kept

    def _note(self, tableau, projects, times, states, **more) -> None:
        self.records.append({"kind": "steps", "tableau": tableau, "projects": projects, "times": np.asarray(times, float),
                             "states": np.asarray(states, float), "crossing": np.zeros(len(times) - 1, np.int64),
                             "samples": slice(0, 0), "sample_t": np.zeros(0), "sample_y": np.zeros((0, self.ny)), **more})

    def _advance(self, stretch, common, options) -> list[np.ndarray]:
        n = self.ny
        self._room = Recorder(np.zeros(1, np.int64), self.w.arrays.t, self.w.y, np.zeros(ROOM), np.zeros(ROOM * n),
                              np.array([1, BUDGET], np.int64))
        _, _, _, times, states, count = self._room
        times[0], states[:n] = self.w.t[0], self.w.y
        kept_t, kept_y = [], []  # type: ignore[var-annotated]

        def fetch(*_):
            done = int(count[0])
            kept_t.append(times[:done].copy())
            kept_y.append(states[:done * n].reshape(done, n).copy())
            times[0], states[:n], count[0] = times[done - 1], states[(done - 1) * n:done * n].copy(), 1

        reached = super()._advance(stretch, {**common, "on_chunk": fetch}, options)
        fetch()
        t = np.concatenate([kept_t[0], *(a[1:] for a in kept_t[1:])])
        y = np.concatenate([kept_y[0], *(a[1:] for a in kept_y[1:])])
        crossing = np.zeros(max(len(t) - 1, 0), np.int64)
        for left, right in np.reshape(common["stations"], (-1, 3))[:, :2] if np.size(common["stations"]) else ():
            crossing[(t[:-1] == left) & (t[1:] == right)] = 1
        self._note(record(options["method"]).tableau(), bool(self.system.nc), t, y, crossing=crossing, sample_t=stretch.copy(),
                   sample_y=np.array([z[:n] for z in reached]).reshape(-1, n),
                   samples=slice(self.count, self.count + len(reached)))
        self.count += len(reached)
        return reached

    def _scales(self, options, end):
        before = super()._scales(options, end)

        def recorder(advance):
            self._inner = advance if before is None else before(advance)
            self._room.handle[0] = self._inner.handle
            return RECORD.bind(self._room)

        return recorder

    def _spare(self) -> None:
        r = self.records[-1]
        r["samples"] = slice(r["samples"].start, r["samples"].stop - 1)
        r["sample_t"], r["sample_y"] = r["sample_t"][:-1], r["sample_y"][:-1]
        self.count -= 1

    def _slope(self, length, when) -> None:
        t, y = float(self.w.t[0]), self.w.y.copy()
        super()._slope(length, when)
        if length > 0.0:
            self._note(packed(EULER), False, [t, when], [y, self.w.y])

    def _leave(self, here, when, e, slope_at) -> None:
        super()._leave(here, when, e, slope_at)
        self._note(packed(BESIDE), False, [when, when + e], [here[:self.ny], self.w.y])

    def _moving(self, bounds, options) -> list[tuple]:
        self.moves = self.all
        try:
            return super()._moving(bounds, options)
        finally:
            self.moves = self.one

    def _jump(self, when, change, options) -> None:
        """A break that moves: ``change`` is that of every parameter."""
        change = np.array(change[:len(self.all)])
        before = self.tangents().copy()
        self.w.run("accelerations")
        f, y = self.w.ydot.copy(), self.w.y.copy()
        jump = self._sides(when, options)
        jump = np.zeros(self.ny) if jump is None else jump
        self.tangents()[:] = before
        self.tangents()[:, 0] += jump * float(change @ self.way)
        self.records.append({"kind": "break", "jump": jump, "change": change, "t": when, "y": y, "f": f})

    def _crossed(self, k, when, rate, before, ends, options):
        change = self._changes(k, when, rate)
        jump = None if ends else self._sides(when, options, (k, rate, before))
        self._add(jump, change)
        self._near = before
        self.records.append({"kind": "event", "event": k, "t": when, "y": self.w.y.copy(), "rate": rate, "ends": ends,
                             "jump": jump, "f": before})
        return change

    def _mark(self):
        return len(self.records), self.count

    def _return(self, to) -> None:
        super()._return(to)
        kept, self.count = to[4]
        del self.records[kept:]

    def _sample(self) -> None:
        super()._sample()
        n, t = self.ny, float(self.w.t[0])
        self._note(packed(EULER), False, [t], [self.w.y], sample_t=np.array([t]), sample_y=self.z[None, :n].copy(),
                   samples=slice(self.count, self.count + 1))
        self.count += 1

    # ---------------------------------------------------------------------------------------------------------- the bound parts

    def alone(self) -> None:
        """A lane for every parameter."""
        count, s = len(self.all), self.system
        self.lanes_of(np.ones((count, s.nv), bool), np.ones((count, s.nc), bool))

    def lanes_of(self, forces, rows) -> None:
        """Bind the equations' side: parameters that no row sees both of (sharing.py) share a lane, WIDTH lanes a pass."""
        s, w = self.system, self.w
        a, n, nb = w.arrays, s.kind.SIZE_V, s.nb
        self.newton, self.state = NewtonWork(w), Derivatives(w)
        self.state.still()
        N = self.newton.arrays
        inverse = np.zeros((nb, n, n))
        for k, body in enumerate(s.tables.bodies):
            inverse[k, :s.dim, :s.dim] = np.eye(s.dim) * body["inverse_mass"]
            inverse[k, s.dim:, s.dim:] = np.reshape(body["inverse_inertia"], (n - s.dim, n - s.dim))
        self.covectors = {"a": np.zeros(s.nv), "b": np.zeros(s.nc), "e": np.zeros(s.nc)}
        count = len(self.all)
        self.gathered = np.zeros(count + WIDTH)  # behind the parameters: what belongs to none
        self.parts: list[tuple] = []
        self.passes: list[tuple] = []
        bound: dict[str, list[int]] = {"press": [], "push": []}
        for first in range(0, count, WIDTH):
            group = self.all[first:first + WIDTH]
            d = Derivatives(w)
            seed(d, group)
            self.parts.append((group, d))
        lanes = sorted(shared(forces, rows))  # where nothing is shared they are those of ``parts``
        self.sharing = len(lanes) < count
        for first in range(0, len(lanes), WIDTH):
            some = lanes[first:first + WIDTH]
            d = Derivatives(w) if self.sharing else self.parts[first // WIDTH][1]
            if self.sharing:
                seed(d, [combined([self.all[k] for k in members], np.ones(len(members))) for members in some])
            flat = {name: d.found[name].reshape(-1) for name in ("u", "rho", "phi", "speed")}
            handles = np.array([d.bound("balanced").handle, d.bound("speeds").handle], np.int64)
            whose = [owners(some, x, count).ravel() if self.sharing else np.zeros(0, np.int64) for x in (forces, rows)]
            struct = Lanes(handles, **self.covectors, **flat, of_u=whose[0], of_row=whose[1],
                           gradient=self.gathered if self.sharing else self.gathered[first:first + WIDTH])
            entries = {name: ENTRIES[name].bind(struct) for name in bound}
            for name in bound:
                bound[name].append(entries[name].handle)
            self.passes.append((d, struct, entries))
        rows = 1 + max(t.shape[STAGES] + t.shape[EXTRA] for t in (packed(BESIDE), *self._tableaus()))
        ny = self.ny
        at_q, at_v = (np.array([getattr(s, f)(b).start for b in range(nb)], np.int64) for f in ("at_q", "at_v"))
        self.jacobians = self.state.jacobians(N)
        columns, displaced = self.state.lanes
        handles = np.array([w.bound("accelerations").handle, self.jacobians.handle, self.state.bound("speeds").handle], np.int64)
        t = s.tables
        delta = a.deltas if a.deltas.size else a.delta
        self.adjoint = Adjoint(
            a.t, w.y, w.ydot, a.lam, a.D, a.T, a.S, delta, a.wide, N.K, N.C, N.Gq, N.Gv, self.state.found["q"].reshape(-1),
            self.state.found["speed"].reshape(-1), np.array([n, s.dim, s.nq, s.nv, s.nc], np.int64), handles,
            np.array(bound["press"], np.int64), np.array(bound["push"], np.int64), at_q, at_v, t.columns, t.below, t.blocks,
            N.columns, N.couples, N.of, N.places, columns["colours"][:displaced], columns["members"], t.levels, inverse.ravel(),
            np.zeros(1, np.int64), np.zeros(rows), np.zeros(rows * ny), np.zeros(rows * ny), np.zeros(rows * s.nc),
            np.zeros(rows * a.T.size), np.zeros(rows * a.S.size), np.zeros(rows * delta.size), np.zeros(ny), np.zeros(ny),
            **self.covectors, turn=np.zeros(s.nv), rate=np.zeros(s.nv))
        self.entries = {name: ENTRIES[name].bind(self.adjoint) for name in ("evaluate", "transposed", "unprojected")}
        self.depth = rows

    @staticmethod
    def _tableaus():
        return [m.tableau() for m in records().values() if not m.needs]

    def _coupled(self) -> None:
        """K, C and G against one dual pass along a random direction."""
        s, w, d = self.system, self.w, self.state
        random = np.random.default_rng(5)
        X, Y = random.standard_normal((s.nv, 1)), random.standard_normal((s.nv, 1))
        self.jacobians()
        N = self.newton.arrays
        K, C = self.newton.matrix("K"), self.newton.matrix("C")
        found = [-(K @ X + C @ Y)[:, 0], np.zeros(s.nc)]
        for b in s.tables.blocks:
            n = s.kind.SIZE_V
            at, to = int(b["at"]), s.at_v(int(b["body"])).start
            for i in range(int(b["count"])):
                cut = slice(at + n * i, at + n * i + n)
                found[1][int(b["row"]) + i] += N.Gq[cut] @ X[to:to + n, 0] + N.Gv[cut] @ Y[to:to + n, 0]
        d.still()
        d.seeds(X, Y)
        d.run("directions")
        wanted = [d.found["u"][:, 0], d.found["rho"][:, 0]]
        d.still()
        for a, b, nothing in zip(found, wanted, self._nothing(), strict=True):
            size = np.abs(b).max(initial=0.0) + np.abs(K).max(initial=0.0)
            if np.abs(a - b).max(initial=0.0) > COUPLED * size + nothing:
                raise Uncoupled(f"{self.question} of '{self.model.name}': a force depends on bodies it does not act on; the "
                                "adjoint does not know them: take method='forward'")
        w.run("accelerations")

    def _nothing(self) -> tuple[float, float]:
        """What rounding is of the changes of u and of ρ: where no force acts yet there is nothing else in K, C and G."""
        s, w = self.system, self.w
        D, speeds = np.abs(w.jacobian()), np.abs(w.v)
        places, turns = (s.each_v(speeds)[:, cut] for cut in (slice(s.dim), slice(s.dim, None)))
        pace = max(places.max(initial=0.0) / (length_of(s) or 1.0), turns.max(initial=0.0))
        forces = np.abs(w.Q), D.T @ np.abs(w.lam), s.tables.bodies["mass"][:, None] * places * pace
        rows = D @ (np.abs(w.vdot) + speeds * pace), np.abs(w.gamma)
        u, rho = (NOTHING * max(float(x.max(initial=0.0)) for x in parts) for parts in (forces, rows))
        return u, rho

    # ---------------------------------------------------------------------------------------------------------- the way back

    def back(self, samples, moment=0.0) -> np.ndarray:
        """The derivatives of a goal in all parameters.

        ``samples``: its covectors (samples × y), ``moment``: its derivative in the time of the last one, where an
        event ends the run.
        """
        mu = np.zeros(self.ny)
        self.gathered[:] = 0.0
        more = np.zeros(len(self.all))
        for r in reversed(self.records):
            if r["kind"] == "steps":
                mu = self._through(r, mu, samples)
            elif r["kind"] == "break":
                more += (mu @ r["jump"]) * r["change"]
            else:
                mu, part = self._at_event(r, mu, samples, moment)
                more += part
        t, y = self._first
        self.w.t[0], self.w.y[:] = t, y
        self.w.run("accelerations")
        out = []
        for group, d in self.parts:
            d.y[:] = 0.0
            for lane, m in enumerate(group):
                d.found["q"][:, lane], d.found["v"][:, lane] = m.q, m.v
            if self.system.nc:
                d.run("constrained")
            out.append((mu @ d.y.reshape(self.ny, WIDTH))[:len(group)])
            d.y[:] = 0.0
        return self.gathered[:len(self.all)] + np.concatenate(out) + more

    def _through(self, r, mu, samples) -> np.ndarray:
        a, tableau, e = self.adjoint, r["tableau"], self.entries
        third = e["unprojected"].handle if r["projects"] else 0
        handle = np.array([e["evaluate"].handle, e["transposed"].handle, third], np.int64)
        chosen = np.ascontiguousarray(samples[r["samples"]])
        s = Backward(a.t, self.w.y, self.w.ydot, a.place, a.g, a.out, handle, tableau.shape, tableau.c, tableau.start,
                     tableau.coef, tableau.index, r["times"], np.ascontiguousarray(r["states"]).ravel(), r["crossing"],
                     r["sample_t"], np.ascontiguousarray(r["sample_y"]).ravel(), chosen.ravel().copy(), mu.copy(),
                     np.zeros(self.ny), np.zeros(self.depth * self.ny), np.zeros(self.depth * self.ny))
        if BACK.bind(s)():
            raise AnalysisError(f"{self.question} of '{self.model.name}': the equations could not be solved again on the "
                                "way back")
        return s.mu

    def _at_event(self, r, mu, samples, moment):
        w, k = self.w, r["event"]
        w.t[0], w.y[:] = r["t"], r["y"]
        weight = 0.0 if r["jump"] is None else float(mu @ r["jump"])
        if r["ends"]:
            mu = mu + samples[self.count]
            weight = float(mu @ r["f"]) + moment + (0.0 if r["jump"] is None else float(mu @ r["jump"]))
        d, slope, n = self.state, np.zeros(self.ny), self.system.nq + self.system.nv
        for first in range(0, n, WIDTH):
            d.still()
            for lane, i in enumerate(range(first, min(first + WIDTH, n))):
                d.y[WIDTH * i + lane] = 1.0
            d.run("watched")
            for lane, i in enumerate(range(first, min(first + WIDTH, n))):
                slope[i] = d.found["g"][k, lane]
        d.still()
        part = []
        for group, other in self.parts:
            other.run("watched")
            part.append(other.found["g"][k][:len(group)].copy())
        factor = -weight / r["rate"]
        return mu + factor * slope, factor * np.concatenate(part)

    # ------------------------------------------------------------------------------------------------------------- samples

    def observed(self, t, y, wanted) -> tuple[np.ndarray, np.ndarray]:
        """The covectors ``wanted`` (field → goals × numbers) on what is observed at (t, y): onto y and onto the parameters."""
        s, w, d = self.system, self.w, self.state
        goals = len(next(iter(wanted.values())))
        w.t[0], w.y[:] = t, y
        turn, rate = np.zeros((goals, s.nv)), np.zeros((goals, s.nv))
        for part, out in enumerate((turn, rate)):
            for first in range(0, s.nv, WIDTH):
                E = np.eye(s.nv)[:, first:first + WIDTH]
                d.still()
                d.seeds(*((E, None) if part == 0 else (None, E)))
                d.run("observed")
                for name, g in wanted.items():
                    out[:, first:first + E.shape[1]] += (g @ d.found[name])[:, :E.shape[1]]
        d.still()
        onto = np.zeros((goals, self.ny))
        maps = twists(s, w.q, np.eye(s.nq))  # displacements of changes of q
        if s.dim == 3:
            s.each_v(maps.T)[..., 3:] /= (s.each_q(w.q)[:, 3:] ** 2).sum(axis=-1)[:, None]
        onto[:, :s.nq] = turn @ maps
        onto[:, s.nq:s.nq + s.nv] = rate
        parts = []
        for group, other in self.parts:
            other.run("observed")
            parts.append(sum(g @ other.found[name] for name, g in wanted.items())[:, :len(group)])
        return onto, np.concatenate(parts, axis=1)
