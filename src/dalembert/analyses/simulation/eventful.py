"""simulate with contact="events": stretches of smooth motion between the instants at which contacts change (contacts/events/).

A stretch is an integration of the equations with the rows of closed contacts; it ends where a gap closes, a force ends, sliding
ends or sticking gives way.  There the machine finds new velocities and modes, and the next stretch begins.  Samples, checkpoints
and losses are those of runs with contacts (touching.py); rtol and atol steer the steps as for smooth motion.
"""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

import numpy as np

from dalembert.analyses.simulation import restoring
from dalembert.analyses.simulation.checkpoint import Checkpoint
from dalembert.analyses.simulation.integration import COUNTED, aimed
from dalembert.analyses.simulation.law_breaks import stations
from dalembert.analyses.simulation.measured_by import always_dependent, energy_scale
from dalembert.analyses.toolbox.blame import culprit
from dalembert.analyses.toolbox.forms import make_form
from dalembert.analyses.toolbox.origin import versions
from dalembert.analyses.toolbox.progress import progress_line
from dalembert.contacts.events.candidates import Features, Unsupported
from dalembert.contacts.events.launch import launch
from dalembert.contacts.events.machine import MOST, Counts, Machine
from dalembert.contacts.events.samples import points, sums, wrench
from dalembert.contacts.events.tables import DIR, FACE, MODE
from dalembert.contacts.events.words import NoAnswer, Stuck, pressing, stalled
from dalembert.errors import (
    EVENT,
    NOT_FINITE,
    OK,
    STEP_TOO_SMALL,
    STOPPED,
    TOO_MANY_STEPS,
    SimulationError,
    SimulationInterrupted,
)
from dalembert.formulations.augmented.respond import ENTRIES
from dalembert.formulations.response import Response
from dalembert.integrators.registry import record
from dalembert.model.touching import shapes_that_touch
from dalembert.results.contacts import HISTORY, POINTS, Touching
from dalembert.results.run import Run
from dalembert.results.trust.certificate import say
from dalembert.system.tables import RIDING

TOLD, LAWLESS = 5, -2
FEW = 24  # places at which shapes can touch: so many are followed by themselves with contact="auto"
SAMPLED = ("t", "y", "sums", "wrench", "history", "points")


class BeyondEvents(SimulationError):
    """The means of this mode ended before the run did; ``reason``: where and why."""

    reason = ""


def places(model, system, most: int = MOST) -> tuple[int, str]:
    """How many places can touch, or why this mode does not know them."""
    shapes = shapes_that_touch(model, system)
    try:
        return len(Features(shapes, system.dim == 2, most)), ""
    except Unsupported as why:
        return 0, str(why)


class Eventful:
    """A run from event to event in the making; ``options`` is plain data."""

    machine: Any  # of contacts, or of joints that rub (rubbing.py)

    def __init__(self, model, system, times, options):
        self.model, self.system, self.times, self.options = model, system, np.asarray(times, float), dict(options)
        shapes = shapes_that_touch(model, system)
        self.form = make_form(model, system, "augmented")
        self.work = self.form.whole
        try:
            self.machine = Machine(system, shapes, self._equations(Machine.rows_for(shapes, system.dim)))
        except Unsupported as why:
            raise SimulationError(f"simulate '{model.name}': contact=\"events\" cannot follow this: {why}; "
                                  "contact=\"stepping\" steps through it") from None
        self._fresh(options)

    def _fresh(self, options) -> None:
        """Nothing has happened yet."""
        self.method = record(options["integrator"]).name
        self.record: dict[str, list] = {k: [] for k in SAMPLED}
        self.events: list[tuple[str, float]] = []
        self.state: dict | None = None
        self.memory: dict | None = None
        self.before = dict.fromkeys(COUNTED, 0)
        self.stats: dict[str, Any] = {}
        self.stretches, self.worst, self.seconds, self.ended = 0, np.zeros(2), 0.0, False
        self.stations: Any = None
        self.h = 0.0

    def _equations(self, columns: int) -> dict[str, Any]:
        w, s, f = self.work, self.system, self.form
        r = Response(np.array([1], np.int64), np.zeros(columns * s.nv), np.zeros(columns * s.nv), np.zeros(s.nc))
        self.respond = ENTRIES[s.dim].bind(s.tables, w.arrays, r)
        self.bound = [f.rhs, self.respond, w.bound("move"), f.project, f.events]
        return {"t": w.arrays.t, "y": w.y, "ydot": w.ydot, "g": w.arrays.g, "q": w.q, "v": w.v, "vdot": w.vdot, "shift": w.shift,
                "wrench": r.wrench, "answer": r.answer, "count": r.count, "mass": w.mass(),
                "handle": np.array([0 if b is None else b.handle for b in self.bound], np.int64)}

    # ------------------------------------------------------------------------------------------------- start, or go on

    def start(self, state) -> None:
        m, w = self.machine, self.work
        w.set(state.t, state.q, state.v)
        w.run("observe")
        self.options["energy"] = energy_scale(w, float(self.times[-1]) - state.t)
        self.options["dependent"] = always_dependent(w, int(w.report.dropped))
        self.form.expect(self.options["dependent"])
        self.options["start"] = state.t
        self.form.begin()
        m.y[:] = 0.0
        m.y[:w.y.size] = w.y
        m.t[0] = state.t
        drawn = m.y.copy()
        try:
            m.begin()
        except Stuck as why:
            text = f"simulate '{self.model.name}': {why}"
            if isinstance(why, NoAnswer):
                raise SimulationError(text) from None
            error = BeyondEvents(text)
            error.reason = str(why)
            raise error from None
        if m.counts.impacts and self.times[0] <= state.t:  # a blow at the start: the first sample is as drawn, before it
            after, modes, faces = m.y.copy(), m.modes.copy(), m.link[:, FACE].copy()
            m.modes[:] = 0
            self._sample(self.times[:1], drawn[None])
            m.y[:], m.modes[:], m.link[:, FACE] = after, modes, faces
            m.t[0] = state.t

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        m, o = self.machine, self.options
        restoring.check(o, arrays)
        n = m.y.size
        if (arrays["modes"].shape, arrays["now"].shape, arrays["y"].shape[1:]) != ((len(m.link), 2), (1 + n,), (n,)) \
                or arrays["ways"].shape != m.real[:, DIR:].shape:
            raise SimulationError(f"'{self.model.name}' cannot go on from what was kept: it belongs to another model")
        for k in ("t", "y", "sums", "wrench", "history"):
            self.record[k] = list(arrays[k])
        self.record["points"] = [{p: arrays[f"points_{p}"][a:b] for p in POINTS} for a, b in
                                 zip(arrays["points_start"][:-1], arrays["points_start"][1:], strict=True)]
        self.state = {name[6:]: value for name, value in arrays.items() if name.startswith("state_")} or None
        self.memory = {name[7:]: value for name, value in arrays.items() if name.startswith("memory_")}
        m.link[:, [MODE, FACE]] = arrays["modes"]
        m.real[:, DIR:] = arrays["ways"]
        m.t[0], m.y[:] = arrays["now"][0], arrays["now"][1:]
        self.h, m.apex, m.a["pace"][0] = (float(x) for x in arrays["numbers"][:3])
        if arrays.get("launch", np.zeros(0)).size:
            m.way = float(arrays["launch"][0]), *np.split(np.array(arrays["launch"][1:]), 2)
        self.worst = arrays["numbers"][3:5].copy()
        self.before = dict(zip(COUNTED, (int(x) for x in arrays["before"]), strict=True))
        m.counts = Counts(**{**o["counts"], "zeno": [tuple(x) for x in o["counts"]["zeno"]]})
        self.events = [(str(a), float(b)) for a, b in o.get("found", ())]
        self.stretches, self.seconds, self.ended = int(o["stretches"]), float(o.get("seconds", 0.0)), bool(o.get("ended"))
        self.form.expect(o["dependent"])
        self.form.begin()
        for name, array in self.form.memory.items():
            if name in self.memory:
                array[:] = self.memory[name]
        m.rhs()  # twists and rates, which limit steps and weigh errors before the first of them is evaluated

    def arrays(self) -> dict[str, np.ndarray]:
        """What ``restore`` takes."""
        r, m = self.record, self.machine
        out = {"t": np.array(r["t"], float), "y": np.array(r["y"], float).reshape(-1, m.y.size),
               "sums": np.array(r["sums"], float).reshape(-1, len(m.shapes.contacts), 13),
               "wrench": np.array(r["wrench"], float).reshape(-1, self.system.nb, 6),
               "history": np.array(r["history"], float).reshape(-1, len(HISTORY))}
        counts = [len(p["gap"]) for p in r["points"]]
        out["points_start"] = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        for p in POINTS:
            shape = (0, 3) if p in ("x", "normal", "force") else (0,)
            kind = np.int64 if p in ("contact", "first", "second", "state") else float
            out[f"points_{p}"] = np.concatenate([np.zeros(shape, kind), *(x[p] for x in r["points"])])
        out["modes"] = m.link[:, [MODE, FACE]].copy()
        out["ways"] = m.real[:, DIR:].copy()
        out["now"] = np.array([m.t[0], *m.y])
        out["numbers"] = np.array([self.h, min(m.apex, 1e300), m.a["pace"][0], *self.worst])
        way = getattr(m, "way", None)
        out["launch"] = np.zeros(0) if way is None else np.concatenate([[way[0]], *way[1:]])
        out["before"] = np.array([self.before[k] for k in COUNTED], np.int64)
        out |= {f"memory_{name}": value.copy() for name, value in self.form.memory.items()}
        return out | {f"state_{name}": np.array(value) for name, value in (self.state or {}).items()}

    # ------------------------------------------------------------------------------------------------------------- run

    def run(self, progress=None, checkpoint: Checkpoint | None = None) -> Run:
        begin = time.perf_counter() - self.seconds
        show, wipe = progress_line(progress, float(self.machine.t[0]), float(self.times[-1]))
        status, message = OK, ""
        try:
            while not self.ended and status == OK:
                status, message = self._stretch(show, checkpoint, begin)
                self.seconds = time.perf_counter() - begin
                if status == OK and not self.ended and show is not None and show(float(self.machine.t[0])) is False:
                    status, message = STOPPED, "stopped on request"
        except KeyboardInterrupt:
            status, message = STOPPED, "stopped on request"
        except Stuck as why:
            status, message = LAWLESS if isinstance(why, NoAnswer) else -1, str(why)
        finally:
            wipe()
        if checkpoint is not None and status in (OK, STOPPED):
            checkpoint.write_on_the_way(self._options(), self.arrays())
        return self._result(status, message)

    def _stretch(self, show, checkpoint, begin) -> tuple[int, str]:
        """To the next change or the end; a status and why it stopped."""
        from dalembert.integrators.solve import solve

        o, m = self.options, self.machine
        rtol = aimed(self.method, o["rtol"])
        atol = o["atol"] * rtol / o["rtol"]
        n, base = m.y.size, self.work.y.size
        weights = np.ones(n)
        unit = 0.3 * rtol / atol
        weights[base - RIDING:base + 1] = unit * o["energy"]
        weights[base + 1:] = 1e3 * unit * o["energy"] / max(m.pace(), 1e-12) * max(1.0, m.size)  # no steps for these
        caps = np.full(n, np.inf)
        caps[:base] = self.form.caps
        mine, told = m.events_of, len(o["watched"])
        switches = len(self.system.switches)
        rest = m.g.size - mine
        terminal = [*([1] * mine), *(int(k >= told - o["ending"]) for k in range(told)), *([2] * (rest - told - switches)),
                    *([3] * switches)]
        directions = [*([-1] * mine), *([0] * rest)]
        if self.stations is None:
            self.stations = stations(self.system, o["start"], float(self.times[-1]), [])
        if self.state is None:
            self.stretches += 1
            self._launch(rtol, atol)
        done = len(self.record["t"])
        times = self.times[done:] if done < self.times.size else self.times[-1:]
        kept = 0

        def saver(snapshot):
            nonlocal kept
            if checkpoint is not None and checkpoint.due():
                solution = snapshot()
                now = m.t.copy(), m.y.copy()
                self._sample(solution.t[kept:], solution.y.T[kept:])
                kept = len(solution.t)
                m.t[:], m.y[:] = now
                self.state, self.seconds = solution.state, time.perf_counter() - begin
                checkpoint.write_on_the_way(self._options(), self.arrays())

        solution = solve(m.rhs, m.t, m.y, m.ydot, times, method=self.method, rtol=rtol, atol=atol, weights=weights, caps=caps,
                         project=m.project, quality=self.form.quality, events=m.events, g=m.g, directions=directions,
                         terminal=terminal, on_progress=show, max_steps=o["max_steps"], resume=self.state,
                         h_first=0.0 if o["fixed_step"] else min(self.h, m.apex), fixed_step=o["fixed_step"], on_chunk=saver,
                         may_stick=bool(self.system.kept), stations=self.stations.rows, riding=RIDING + n - base,
                         h_max=min((x for x in (o.get("max_step"), m.longest) if x), default=0.0),
                         span=float(self.times[-1]) - o["start"])
        reached, y = float(solution.state["real"][0]), np.array(solution.state["x"])
        self._sample(solution.t[kept:], solution.y.T[kept:])
        user = [(int(k) - mine, float(t)) for k, t in zip(solution.events.index, solution.events.t, strict=True) if k >= mine]
        self.events += [(o["watched"][k], t) for k, t in user]
        if solution.status == STOPPED:
            self.state = solution.state
            m.t[0], m.y[:] = reached, y
            return STOPPED, solution.message
        self.state = None
        for name in COUNTED:
            self.before[name] += int(solution.stats[name])
        self.h = float(solution.stats["h"])
        m.t[0], m.y[:] = reached, y
        if solution.status not in (OK, EVENT):
            why = pressing(m) if isinstance(m, Machine) else ""
            said = solution.message
            if not why and solution.status == NOT_FINITE:
                said = f"{said.rstrip('.')}{culprit(self.system, self.work, reached, y[:self.work.y.size])}"
                m.t[0], m.y[:] = reached, y
            elif not why and isinstance(m, Machine) and solution.status in (STEP_TOO_SMALL, TOO_MANY_STEPS):
                said = stalled(m) or said
            return (LAWLESS, why) if why else (solution.status, said)
        at_end = solution.events.t == (solution.events.t[-1] if solution.events.t.size else 0.0)
        fired = [int(k) for k in solution.events.index[at_end] if k < mine]
        stopping = [k for k, t in user if solution.status == EVENT and k >= told - o["ending"] and t == reached]
        if stopping or solution.status == OK:
            self.ended = True
            if stopping and (not self.record["t"] or self.record["t"][-1] < reached):
                self._sample(np.array([reached]), y[None])
            return OK, ""
        m.at_event(fired)
        if reached >= self.times[-1]:
            self.ended = True
        return OK, ""

    def _launch(self, rtol: float, atol: float) -> None:
        """The first moments of sliding in space under loads that grow, over samples on the way (contacts/events/launch.py)."""
        m = self.machine
        found, m.way = getattr(m, "way", None), None
        if found is None or self.options["fixed_step"]:
            return
        way, rate, jerk = found
        t = float(m.t[0])
        ahead = [x for x in np.ravel(self.stations.rows[:, 0]) if x > t] if len(self.stations.rows) else []
        for piece in launch(m, min([way, float(self.times[-1]) - t, *(x - t for x in ahead)]), rate, jerk, rtol, atol):
            now = m.t.copy(), m.y.copy()
            for sample in self.times[len(self.record["t"]):]:
                if sample > piece.t + piece.h:
                    break
                m.t[0], m.y[:] = sample, piece.at(float(sample))
                m.project()
                self._sample(np.array([sample]), m.y.copy()[None])
            m.t[:], m.y[:] = now
            self.h, m.apex = 0.05 * piece.h, np.inf
            self.before["steps"] += 1

    def _sample(self, t, y) -> None:
        m, base = self.machine, self.work.y.size
        for k in range(len(t)):
            m.t[0], m.y[:] = t[k], y[k]
            m.apart()
            m.rhs()
            found = points(m)
            closed = m.modes != 0
            u = m.normal_speed()[closed]
            self.worst = np.maximum(self.worst, (np.abs(u).max(initial=0.0), 0.0 - found["gap"].min(initial=0.0)))
            residual = float(np.abs(u).max(initial=0.0))
            history = [residual, residual, max(0.0, -float(found["gap"].min(initial=0.0))), float(closed.sum()),
                       float(y[k, base]), m.counts.impact, 0.0]
            for name, x in (("t", float(t[k])), ("y", y[k].copy()), ("sums", sums(m, found)), ("wrench", wrench(m, found)),
                            ("history", np.array(history)), ("points", found)):
                self.record[name].append(x)

    def _options(self) -> dict[str, Any]:
        return {**self.options, "seconds": self.seconds, "counts": asdict(self.machine.counts), "stretches": self.stretches,
                "found": [list(e) for e in self.events], "ended": self.ended}

    # ---------------------------------------------------------------------------------------------------------- result

    def _result(self, status: int, message: str) -> Run:
        a, c, m, o = self.arrays(), self.machine.counts, self.machine, self.options
        nq, nv, base = self.system.nq, self.system.nv, self.work.y.size
        y, history = a["y"], a["history"]
        facts = {"followed": 1, "residual": float(self.worst[0]), "rms": float(self.worst[0]),
                 "penetration": float(self.worst[1]), "above": 0, "detections": self.stretches, "size": m.size,
                 "tolerance": 1e-9 * m.pace(),
                 "softened": c.plastic, "last": float(history[-1, 0]) if len(history) else 0.0,
                 "friction": float(history[-1, 4]) if len(history) else 0.0, "impact": c.impact, "solved": c.changes, "failed": 0,
                 "impacts": c.impacts, "stretches": self.stretches, "poisson": c.poisson,
                 "series": len(c.zeno), **({"zeno": c.zeno[-1][1]} if c.zeno else {}),
                 **({"together": c.together[0]} if c.together else {}), **({"unsure": c.unsure[0]} if c.unsure else {})}
        stats = {**self.before, "method": record(self.method).names[0], "seconds": self.seconds, "rtol": o["rtol"],
                 "atol": o["atol"], "switched": None, "formulation": "augmented", "contact": facts}
        say(stats, "notes", [*o.get("told", ()), *c.notes, *_series(c.zeno), *getattr(self.stations, "notes", ())])
        say(stats, "doubts", [*getattr(self.stations, "doubts", ())])
        good, stopped = status == OK, status == STOPPED
        run = Run(self.model, self.system, a["t"], y[:, :nq], y[:, nq:nq + nv], y[:, nq + nv:base], stats,
                  "complete" if good else "stopped" if stopped else "partial", "complete" if good else message,
                  {"options": self._options(), "arrays": a, "times": self.times, "watched": o["watched"], "ending": o["ending"]},
                  versions())
        run.touching = Touching(m.shapes.contacts, a["sums"], a["wrench"], history, a["points_start"],
                                {p: a[f"points_{p}"] for p in POINTS})
        run.events = list(self.events)
        if not good:
            kind: Any = SimulationInterrupted if stopped else SimulationError if status == LAWLESS else BeyondEvents
            error = kind(f"simulate '{self.model.name}' stopped at t = {float(m.t[0]):.6g} of {self.times[-1]:g}: "
                         f"{message.rstrip('.')}. The part computed so far is in the exception's .run")
            error.run = run
            if kind is BeyondEvents:
                error.reason = f"at t = {float(m.t[0]):.6g}: {message.rstrip('.')}"
            raise error
        return run


def _series(zeno) -> list[str]:
    told = [f"{name}: bounces without end were summed up, over at t = {t:.12g} s" for name, t in zeno]
    return told if len(told) <= TOLD else [*told[:TOLD], f"bounces without end were summed up {len(told)} times in all"]


__all__ = ["FEW", "BeyondEvents", "Eventful", "places"]
