"""simulate with contacts: time stepping from sample to sample (contacts/), its options, record and checkpoint.

Detections are a part of √(size/g) long and end at the samples; each has four substeps (``fixed_step`` is a substep's
length).  Without joints and forces bodies fall by themselves; else the equations are asked for their accelerations in every
substep (contacts/joints.py).
"""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np

from dalembert.analyses.simulation.checkpoint import Checkpoint
from dalembert.analyses.toolbox.origin import versions
from dalembert.analyses.toolbox.progress import progress_line
from dalembert.contacts.tables import GAP, LINK, ROW
from dalembert.contacts.world import NO_MEMORY, Options, Scene, quickest, usual_step
from dalembert.equations.workspace import workspace
from dalembert.errors import SimulationError, SimulationInterrupted
from dalembert.formulations.augmented.respond import ENTRIES
from dalembert.formulations.response import Response
from dalembert.model.touching import shapes_that_touch
from dalembert.results.contacts import HISTORY, MOST_POINTS, POINTS, Touching
from dalembert.results.run import Run
from dalembert.results.trust.certificate import say

CHOICES = {"substeps": 4, "sweeps": 1, "relaxing": 1, "visits": 4000, "freeze": 0.0, "direct": 200, "slop": 0.0}
WHOLE = ("substeps", "sweeps", "relaxing", "visits", "direct")
FINE, COARSE = 1e-5, 4e-4  # of the smaller shape: what a gap may miss zero by, with few shapes and with many
UNFROZEN = "contact: nothing was frozen, for joints, drives and forces may move what rests (freeze is for gravity alone)"
CHUNK = 60  # detections between two looks at the clock
STATUS = {2: "the equations of the joints could not be solved", 3: "a quantity is no longer finite",
          NO_MEMORY: "there are more contacts than this machine's memory can hold; take fewer bodies, or simpler shapes"}


def chosen(contact) -> dict[str, Any]:
    """The options of contact=: "auto", "stepping", or a dict of numbers."""
    if isinstance(contact, dict):
        odd = [k for k in contact if k not in CHOICES]
        wrong = [k for k, x in contact.items() if k in CHOICES and not (isinstance(x, (int, float)) and 0 <= x < math.inf)]
        if odd or wrong:
            raise SimulationError(f"contact: {(odd or wrong)[0]!r} is no option or not a number ≥ 0; options: "
                                  f"{', '.join(CHOICES)}")
        for k in WHOLE:
            if contact.get(k, 1) != int(contact.get(k, 1)) or (k == "substeps" and contact.get(k, 1) < 1):
                raise SimulationError(f"contact: {k} is a whole number{', 1 or more' if k == 'substeps' else ''}, "
                                      f"got {contact[k]!r}")
        return CHOICES | contact
    if contact not in ("auto", "stepping"):
        raise SimulationError(f"contact is \"auto\", \"stepping\", \"events\" or a dict of options ({', '.join(CHOICES)}), "
                              f"got {contact!r}")
    return dict(CHOICES)


class Stepping:
    """A run with contacts in the making; ``options`` is plain data."""

    def __init__(self, model, system, times, options):
        self.model, self.system, self.times, self.options = model, system, np.asarray(times, float), dict(options)
        shapes = shapes_that_touch(model, system)
        held = sorted({b for g in system.groups.values() for b in g.blocks})
        jointed = np.zeros(system.nb, np.int64)
        jointed[held] = 1
        gravity = system.tables.gravity
        pull, size = float(np.linalg.norm(gravity)), shapes.length
        self.h, speed = self._step(usual_step(shapes, gravity), quickest(shapes, system)), math.sqrt(pull * size)
        if pull == 0.0:
            speed = size
        o = self.options["contact"]
        freeze = math.ceil(o["freeze"] / (self.h * o["substeps"]))
        if freeze and model.elements:  # a load that comes later, or a slow drive, would find it frozen
            freeze = 0
        settings = Options(self.h, int(o["substeps"]), int(o["sweeps"]), int(o["relaxing"]), int(o["visits"]), 1e-3 * speed, 0.2,
                           2.0 * speed, freeze, 5e-4 * speed,
                           int(o["direct"]) if system.nb <= 200 and not np.any(shapes.stiffness) else 0,
                           lie=float(o["slop"]) or self._slop(shapes, pull), split=100 if self._few(shapes) else 0)
        self.work = workspace(system)
        self.scene = Scene(system, shapes, settings, self._equations() if model.elements else None, jointed, gravity)
        self.record: dict[str, list] = {k: [] for k in ("t", "q", "v", "ledger", "sums", "wrench", "history", "points")}
        self.worst = np.zeros(4)
        self.notes: list[str] = [UNFROZEN] if freeze == 0 and o["freeze"] else []
        self.seconds, self.kept, self.dropped, self.done = 0.0, 0, False, 0

    def _step(self, usual: float | None, quickest: float) -> float:
        """Length of a substep; ``quickest``: what contacts that give way ask for."""
        o, n = self.options, int(self.options["contact"]["substeps"])
        if o["fixed_step"] is not None:
            return o["fixed_step"]
        span = float(np.diff(self.times).min()) if self.times.size > 1 else float(self.times[-1]) - o["start"]
        h = (usual if usual is not None else span / 4) / n
        return min(h, quickest, o["max_step"] or math.inf)

    def _few(self, shapes) -> bool:
        """So few moving shapes that sweeps converge in a substep: blows then have a time of their own (record 0087)."""
        return sum(b < self.system.nb for b in shapes.body) <= 20

    def _slop(self, shapes, pull: float) -> float:
        """What a gap may miss zero by, as a part of the size: with few shapes no more than a fall of one substep."""
        if not self._few(shapes):
            return COARSE
        return min(COARSE, max(FINE, pull * self.h**2 / shapes.length))

    def _equations(self) -> dict[str, Any]:
        """Arrays and entries of a workspace, for contacts/joints.py."""
        w, s = self.work, self.system
        r = Response(np.array([3], np.int64), np.zeros(3 * s.nv), np.zeros(3 * s.nv), np.zeros(s.nc))
        self.respond = ENTRIES[s.dim].bind(s.tables, w.arrays, r)
        entries = [w.bound("move"), w.bound("accelerations"), self.respond, w.bound("project")]
        return {"q": w.q, "u": w.v, "udot": w.vdot, "shift": w.shift, "time": w.arrays.t, "wrench": r.wrench, "answer": r.answer,
                "count": r.count, "power": w.arrays.power, "handle": np.array([e.handle for e in entries], np.int64),
                "entries": entries}  # a handle keeps nothing alive: the scene does

    # ------------------------------------------------------------------------------------------------- start, or go on

    def start(self, state) -> None:
        self.scene.enter(state.t, state.q, state.v)
        if self.system.nc:
            self.work.set(state.t, state.q, state.v)
            self.work.run("begin")
        self.options["start"] = state.t
        kept = self.scene.memory()
        self.scene.advance(1, 1e-6 * self.h)
        overlap = self._overlaps()
        self.options["stored"] = self.scene.stored()
        self.scene.remember(kept)
        if self.times[0] <= state.t:
            self.scene.advance(1, self.h)  # forces of the first sample are those of the first detection
            points, sums = self.scene.points(), self.scene.sums.copy()
            wrench = self._wrench()
            self.scene.remember(kept)
            sums[:, 7:] = 0.0
            self._keep(points, sums, wrench, self.options["stored"])
        if overlap:
            self.scene.rules.deep = self.scene.rules.lie  # pushed out whatever it costs (contacts/balance.py), until it is

    def _overlaps(self) -> bool:
        a, s = self.scene.arrays, self.scene.shapes
        m = int(self.scene.report.manifolds)
        worst = (0.0, "", "")
        for link in (x for x in a["link"].reshape(-1, LINK)[:m] if not x[7]):  # what gives way may
            gap = a["row"].reshape(-1, ROW)[link[2]:link[2] + link[3], GAP].min()
            if gap < worst[0] and gap < -0.004 * min(s.scale[link[5]], s.scale[link[6]]):
                worst = (float(gap), s.owner[link[5]], s.owner[link[6]])
        if worst[0] < 0.0:
            self.notes.append(f"'{worst[1]}' and '{worst[2]}' overlap at the start by {-worst[0]:.3g} m: they were pushed apart "
                              "slowly")
        return worst[0] < 0.0

    def _jammed(self) -> list[str]:
        """A body moved by a law of time into what stands or is moved likewise: no force can hold it."""
        r, owner = self.scene.report, self.scene.shapes.owner
        if not r.jammed:
            return []
        return [f"from t = {r.jam_time:.4g} s on '{owner[r.jam_a]}' is moved into '{owner[r.jam_b]}' where nothing can give way: "
                "motions given in time contradict the contact, and it was left open; let a force drive it, or give the contact "
                "a stiffness_N_per_m"]

    def _blows(self) -> list[str]:
        """Blows without the restitution asked for, and substeps that missed the law where they should not."""
        r, owner, found = self.scene.report, self.scene.shapes.owner, []
        if r.unreached:
            found.append(f"{r.unreached} blows went without restitution, the first of '{owner[r.un_a]}' and '{owner[r.un_b]}' "
                         f"at t = {r.un_time:.6g} s: no impulse within the cone of friction reaches it (of what a joint guides "
                         "friction takes all): less friction, or restitution=0 to say so")
        if r.missed:
            found.append(f"the law of contact is missed by {r.miss:.1e} m/s between '{owner[r.miss_a]}' and "
                         f"'{owner[r.miss_b]}' at t = {r.miss_time:.6g} s, a good part of the speed there ({r.missed} substeps): "
                         "forces there may mean nothing; less friction, a contact that gives way (stiffness_N_per_m=) or a "
                         "smaller fixed_step")
        if r.borne:
            found.append(f"what was frozen took {r.borne} blows as a wall does, the first between '{owner[r.borne_a]}' and "
                         f"'{owner[r.borne_b]}' at t = {r.borne_time:.6g} s, handed on by a body that was woken; "
                         'contact={"freeze": 0} lets it move')
        return found

    def _loose(self) -> list[str]:
        """Blows whose impulse the law leaves open."""
        r, owner = self.scene.report, self.scene.shapes.owner
        if not r.loose:
            return []
        return [f"contact: the impulse of a blow is not unique between '{owner[r.loose_a]}' and '{owner[r.loose_b]}' at "
                f"t = {r.loose_time:.6g} s (joints take what is left open; {r.loose} blows): one of little self-stress "
                "was taken"]

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        memory = {k[7:]: x for k, x in arrays.items() if k.startswith("memory_")}
        if not self.scene.fits(memory):
            raise SimulationError(f"'{self.model.name}' cannot go on from what was kept: another version of dalembert wrote "
                                  "it, with other numbers per point; simulate again from the start")
        self.scene.remember(memory)
        if self.system.nc:
            for name in ("limit", "choice"):
                getattr(self.work, name)[:] = arrays[f"equations_{name}"]
        n = len(arrays["t"])
        for k in ("t", "q", "v", "ledger", "sums", "wrench", "history"):
            self.record[k] = list(arrays[k])
        arrays.setdefault("points_state", np.ones(len(arrays["points_gap"]), np.int64))  # not in files of before
        parts = [{p: arrays[f"points_{p}"][a:b] for p in POINTS} for a, b in
                 zip(arrays["points_start"][:-1], arrays["points_start"][1:], strict=True)]
        self.record["points"] = parts
        self.done, self.kept = n, int(arrays["points_start"][-1])
        self.worst[:] = arrays["worst"]
        self.notes, self.seconds = list(self.options.get("notes", ())), float(self.options.get("seconds", 0.0))
        self.dropped = bool(self.options.get("dropped"))

    def arrays(self) -> dict[str, np.ndarray]:
        """What ``restore`` takes."""
        r = self.record
        shapes = {"t": (), "q": (self.system.nq,), "v": (self.system.nv,), "ledger": (3,), "wrench": (self.system.nb, 6),
                  "sums": (len(self.scene.shapes.contacts), 13), "history": (len(HISTORY),)}
        out = {k: np.array(r[k], float).reshape(-1, *shape) for k, shape in shapes.items()}
        counts = [len(p["gap"]) for p in r["points"]]
        out["points_start"] = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        for p in POINTS:
            shape = (0, 3) if p in ("x", "normal", "force") else (0,)
            kind = np.int64 if p in ("contact", "first", "second", "state") else float
            whole = out[f"points_{p}"] = np.concatenate([np.zeros(shape, kind), *(x[p] for x in r["points"])])
            for x, first in zip(r["points"], out["points_start"], strict=False):  # one of the two is enough: they may be many
                x[p] = whole[first:first + len(x[p])]
        out["worst"] = self.worst.copy()
        if self.system.nc:
            out |= {f"equations_{n}": getattr(self.work, n).copy() for n in ("limit", "choice")}
        return out | {f"memory_{k}": x for k, x in self.scene.memory().items()}

    # ------------------------------------------------------------------------------------------------------------- run

    def run(self, progress=None, checkpoint: Checkpoint | None = None) -> Run:
        o, begin = self.options, time.perf_counter() - self.seconds
        show, wipe = progress_line(progress, o["start"], float(self.times[-1]))
        status, stopped = 0, False
        try:
            while len(self.record["t"]) < self.times.size and not status and not stopped:
                status, stopped = self._to(float(self.times[len(self.record["t"])]), show)
                self.seconds = time.perf_counter() - begin
                if checkpoint is not None and checkpoint.due() and not status:
                    checkpoint.write_on_the_way(self._options(), self.arrays())
        except KeyboardInterrupt:
            stopped = True
        finally:
            wipe()
        self.seconds = time.perf_counter() - begin
        if checkpoint is not None and not status:
            checkpoint.write_on_the_way(self._options(), self.arrays())
        return self._result(status, stopped)

    def _to(self, t: float, show) -> tuple[int, bool]:
        """Steps to the time t, and a sample there."""
        s, n = self.scene, int(self.options["contact"]["substeps"])
        whole = self.record["t"][-1] if self.record["t"] else self.options["start"]
        count = max(1, math.ceil((t - whole) / (self.h * n) - 1e-9))
        h = (t - whole) / (count * n)
        done = round((float(s.rules.time) - whole) / (h * n))
        while done < count:
            k = min(CHUNK, count - done)
            for _ in range(k):
                status = s.advance(1, h)
                if status:
                    return status, False
                r = s.report
                if not r.pushed:
                    s.rules.deep = s.options.deep
                self.worst = np.maximum(self.worst, (max(r.normal, r.tangential), math.sqrt(r.square), r.depth, r.closed))
            done += k
            if show is not None and done < count and show(float(s.rules.time)) is False:
                return 0, True
        s.rules.time = t
        self._keep(s.points(), s.sums.copy(), self._wrench(), s.stored())
        return 0, show is not None and show(t) is False

    def _wrench(self):
        return self.scene.arrays["by_body"].reshape(-1, 6)[:self.system.nb].copy()

    def _keep(self, points, sums, wrench, stored) -> None:
        s, r = self.scene, self.record
        q, v = s.leave()
        report = s.report
        extra = s.arrays["ledger"] if s.arrays["ledger"].size else np.zeros(3)
        friction = report.friction - (stored - self.options.get("stored", 0.0))  # what springs of contacts hold is not lost
        ledger = extra + np.array([0.0, friction + report.impact, 0.0])
        history = [*self.worst, friction, report.impact, stored]
        self.worst = np.zeros(4)
        if self.kept + len(points["gap"]) > MOST_POINTS:
            points, self.dropped = {k: x[:0] for k, x in points.items()}, True
        self.kept += len(points["gap"])
        for k, x in {"t": float(s.rules.time), "q": q, "v": v, "ledger": ledger, "sums": sums, "wrench": wrench,
                     "history": np.array(history), "points": points}.items():
            r[k].append(x)

    def _options(self) -> dict[str, Any]:
        return {**self.options, "seconds": self.seconds, "notes": self.notes, "dropped": self.dropped}

    # ---------------------------------------------------------------------------------------------------------- result

    def _risen(self, t, lost) -> dict[str, float]:
        """What contacts put in at most from one sample to another, J, and until when, of scenes so held (contacts/balance.py)."""
        rules = self.scene.rules
        if not rules.alone or rules.softness or not len(lost):
            return {}
        rise = np.maximum.accumulate(lost) - lost
        return {"risen": float(rise.max()), "risen_at": float(t[rise.argmax()])}

    def _result(self, status: int, stopped: bool) -> Run:
        a, report = self.arrays(), self.scene.report
        if self.dropped:
            say_points = f"points of contacts are kept for the first {MOST_POINTS} only; sums by name are complete"
            self.notes = list(dict.fromkeys([*self.notes, say_points]))
        steps = int(report.detections) * int(self.options["contact"]["substeps"])
        history = a["history"]
        facts = {"residual": float(history[:, 0].max(initial=0.0)), "rms": float(history[:, 1].max(initial=0.0)),
                 "penetration": float(history[:, 2].max(initial=0.0)), "above": int(report.above),
                 "detections": int(report.detections), "size": self.scene.shapes.length,
                 "tolerance": float(self.scene.rules.tolerance),
                 "softened": int(report.softened), "poisson": int(report.poisson), "unreached": int(report.unreached),
                 "missed": int(report.missed), "few": int(self.scene.rules.split > 0),
                 "last": float(history[-1, 0]) if len(history) else 0.0,
                 "friction": float(history[-1, 4]) if len(history) else 0.0, "impact": float(report.impact),
                 "solved": int(report.solved), "failed": int(report.failed), "gained": float(report.gained),
                 **self._risen(a["t"], history[:, 4] + history[:, 5])}
        stats = {"steps": steps, "rejected": 0, "rhs_calls": steps if self.model.elements else 0, "projections": 0,
                 "event_calls": 0,
                 "newton": 0, "tangents": 0, "factorisations": 0, "method": "contact", "seconds": self.seconds, "rtol": 1e-6,
                 "atol": 1e-9, "switched": None, "formulation": "augmented", "contact": facts}
        say(stats, "notes", [*self.options.get("told", ()), *self.notes, *self._loose()])
        say(stats, "doubts", [*self._jammed(), *self._blows()])
        good = not status and not stopped
        message = "complete" if good else "stopped on request" if stopped else STATUS[status]
        run = Run(self.model, self.system, a["t"], a["q"], a["v"], a["ledger"], stats,
                  "complete" if good else "stopped" if stopped else "partial", message,
                  {"options": self._options(), "arrays": a, "times": self.times}, versions())
        run.touching = Touching(self.scene.shapes.contacts, a["sums"], a["wrench"], history, a["points_start"],
                                {p: a[f"points_{p}"] for p in POINTS})
        if not good:
            text = f"simulate '{self.model.name}' stopped at t = {self.scene.rules.time:.6g} of {self.times[-1]:g}: {message}"
            kind = SimulationInterrupted if stopped else SimulationError
            error = kind(f"{text}. The part computed so far is in the exception's .run")
            error.run = run
            raise error
        return run
