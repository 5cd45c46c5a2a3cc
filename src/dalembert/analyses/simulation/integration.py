"""One time integration from beginning to end: the method, switching, checkpoints, what is kept when it fails.

``auto`` starts with the explicit method of order 8 and goes on with Radau when that one notices stiffness: when, in step after
step, the border of its stability and not the accuracy sets the step size, and no body turns so fast that Radau could not take
longer steps (turning.py).  ``stats["switched"]`` is the time of the change.
"""

from __future__ import annotations

import time
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert import expressions
from dalembert.analyses.simulation import law_check, restoring, turning
from dalembert.analyses.simulation.branching import contradiction, refusal
from dalembert.analyses.simulation.law_breaks import Stations, eased, stations
from dalembert.analyses.simulation.measured_by import always_dependent, energy_scale
from dalembert.analyses.simulation.sampling import Sampling, controllers, refuse_going_back
from dalembert.analyses.toolbox import feeling, state_scales
from dalembert.analyses.toolbox.blame import culprit, switching
from dalembert.analyses.toolbox.forms import form_at, make_form
from dalembert.analyses.toolbox.origin import versions
from dalembert.analyses.toolbox.progress import progress_line
from dalembert.analyses.toolbox.sharing import refuse_shared
from dalembert.equations.workspace import give_back
from dalembert.errors import EVENT, OK, STIFF, STOPPED, SimulationError, SimulationInterrupted
from dalembert.formulations.contract import Form
from dalembert.integrators import solve as integrators
from dalembert.integrators.registry import AUTO, record
from dalembert.integrators.solve import Events, Halted, Solution
from dalembert.results.run import Run
from dalembert.results.trust.certificate import say
from dalembert.system.tables import RIDING

if TYPE_CHECKING:
    from dalembert.analyses.simulation.checkpoint import Checkpoint

# who integrates the next run in the place of ``solve`` (derived/alongside.py): (job, times, progress) → Solution, or None
CARRIER: ContextVar[Any] = ContextVar("carrier", default=None)
COUNTED = ("steps", "rejected", "rhs_calls", "projections", "event_calls", "newton", "tangents", "factorisations")


def aimed(method: str, rtol: float) -> float:
    """The tolerance of single steps that keeps the error of a whole run near rtol.

    Steps of order 8 are so long that their errors add up to 10–30 times the tolerance; below 1e-9 rounding comes into sight and
    nothing is added.
    """
    return max(rtol * record(method).aim, min(rtol, 1e-9))


class Integration:
    """A run in the making.  ``options`` is plain data: everything but the model that the numbers depend on."""

    def __init__(self, model, system, times, options, watched=(), ending=0):
        self.model, self.system, self.times, self.options = model, system, times, dict(options)
        self.watched, self.ending = list(watched), ending
        self.form: Form | None = None
        self.first_form = ""  # its name at the start: switching may change it
        self.method = options.get("method") or record(options["integrator"]).name
        self.state: dict | None = None  # of the integrator, under way
        self.parts: list[tuple[np.ndarray, np.ndarray]] = []  # outputs: t, y (one row each)
        self.events: list[tuple[np.ndarray, np.ndarray]] = []
        self.before = dict.fromkeys(COUNTED, 0)  # counts of the methods before the present one
        self.seconds = 0.0
        self.switched: float | None = options.get("switched")
        self.stats: dict = {}
        self.begin: tuple | None = None
        self.given = False
        self.felt_doubts: list[str] = []  # of laws that read reactions and accelerations
        self.memory: dict | None = None  # of the equations, from where the run goes on
        self.stations: Stations | None = None
        self.carrier: Any = None
        self.sampling = Sampling(model, system) if controllers(model) else None

    # ------------------------------------------------------------------------------------------------- start, or go on

    def start(self, state, work=None) -> None:
        """Begin at a state; ``work``: a workspace of its system that is not needed any more."""
        o = self.options
        if self.system.kept:
            law_check.before(self.system, state, self.times)
        self.form = form_at(self.model, state, o.get("formulation", "augmented"), o.get("cut") or (), o.get("independent"),
                            record(self.method).implicit, work)
        o["formulation"] = self.first_form = self.form.name
        self.begin, self.given = (state.t, state.q.copy(), state.v.copy()), work is None
        w = self.work
        status, names = w.run("observe"), contradiction(w)
        self.options["energy"] = energy_scale(w, float(self.times[-1]) - state.t)
        finite, dropped = bool(np.isfinite(w.ydot).all()), int(w.arrays.report["dropped"][0])
        if not status and finite and self.form.name != "augmented":
            status = self.form.rhs()
        if status or not (finite and (self.form.ydot is w.ydot or np.isfinite(self.form.ydot).all())):
            raise SimulationError(f"simulate '{self.model.name}': the accelerations at the start are not finite"
                                  f"{culprit(self.system, w, state.t, w.y.copy())}")
        if self.system.feeling:
            feeling.only_one(w, f"simulate '{self.model.name}'", SimulationError)
            self.felt_doubts = feeling.doubts(w)
        if names:
            raise SimulationError(refusal(self.model, state.t, names))
        self.options["dependent"] = always_dependent(w, dropped)
        if self.options["dependent"] and self.system.felt and w.run("accelerations") == 0:
            self.felt_doubts += refuse_shared(w, f"simulate '{self.model.name}'", SimulationError)
        if self.sampling is not None:
            self.sampling.start(self.form.y, state.t)

    @property
    def work(self):
        """A workspace of the whole system."""
        return self.form.whole  # type: ignore[union-attr]

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        refuse_going_back(self.model, f"resume of '{self.model.name}'")
        o = self.options
        restoring.check(o, arrays)
        self.form = make_form(self.model, self.system, o.get("formulation", "augmented"), o.get("cut") or (),
                              o.get("independent"))
        restoring.fits(arrays, self.form, self.system, self.method)
        self.state = {name[6:]: value for name, value in arrays.items() if name.startswith("state_")}
        self.parts = [(arrays["t"], arrays["y"])]
        self.events = [(arrays["event_t"], arrays["event_index"])]
        self.memory = {name[7:]: value for name, value in arrays.items() if name.startswith("memory_")}
        self.before = dict(zip(COUNTED, (int(n) for n in arrays["before"]), strict=True))
        self.seconds = float(self.options.get("seconds", 0.0))

    def arrays(self, solution=None) -> dict[str, np.ndarray]:
        """What ``restore`` takes."""
        parts = [*self.parts, *([(solution.t, solution.y.T)] if solution is not None else [])]
        events = [*self.events, *([(solution.events.t, solution.events.index)] if solution is not None else [])]
        state = solution.state if solution is not None else self.state
        none = np.zeros((0, self.form.y.size))  # type: ignore[union-attr]
        return {"t": _joined([t for t, _ in parts], _NO_TIMES), "y": _joined([y for _, y in parts], none),
                "event_t": _joined([t for t, _ in events], _NO_TIMES),
                "event_index": _joined([k for _, k in events], _NO_NUMBERS),
                "before": np.array([self.before[name] for name in COUNTED], np.int64),
                **{f"memory_{name}": value.copy() for name, value in self.form.memory.items()},  # type: ignore[union-attr]
                **{f"state_{name}": np.array(value) for name, value in (state or {}).items()}}

    # ------------------------------------------------------------------------------------------------------------- run

    def run(self, progress=None, checkpoint: Checkpoint | None = None) -> Run:
        show, wipe = progress_line(progress, self._from(), float(self.times[-1]))
        begin = time.perf_counter() - self.seconds
        try:
            while True:
                solution = self._solve(show, checkpoint, begin)
                self.seconds = time.perf_counter() - begin
                self._keep(solution)
                if solution.status != STIFF:
                    break
                self._stiff(solution)
        except Halted as halted:
            self.seconds = time.perf_counter() - begin
            self._keep(halted.solution)
            if checkpoint is not None:
                checkpoint.write_on_the_way(self._options(), self.arrays())
            return self._result(halted.solution, halted)
        finally:
            wipe()
        if checkpoint is not None:
            checkpoint.write_on_the_way(self._options(), self.arrays())
        run = self._result(solution)
        self._release()
        return run

    def _from(self) -> float:
        """The time from which this run counts its progress."""
        return float(self.state["real"][0] if self.state else self.work.t[0])

    def _solve(self, show, checkpoint, begin):
        saver = None
        if checkpoint is not None:
            def saver(snapshot):
                if checkpoint.due():
                    self.seconds = time.perf_counter() - begin
                    checkpoint.write_on_the_way(self._options(), self.arrays(snapshot()))

        reached = [t[-1] for t, _ in self.parts if t.size]  # where a terminal event ended it, the last sample is no output time
        done = int(np.searchsorted(self.times, reached[-1], side="right")) if reached else 0
        times = self.times[done:] if done < self.times.size else self.times[-1:]
        form = self.form
        assert form is not None
        if self.carrier is not None and checkpoint is None and self.state is None:
            solution = self.carrier(self, times, show)
            if solution is not None:
                return solution
        acted = self._act_first()
        return integrators.solve(form.rhs, form.t, form.y, form.ydot, times, on_progress=show, on_chunk=saver, resume=self.state,
                     h_part=0.5 if "finer" in self.options else 1.0, instants=self.sampling, changed=acted, **self.asked())

    def _act_first(self) -> bool:
        """Controllers that are due where the run goes on; the sample at this very time, if there is one, shows what they set."""
        if self.sampling is None or self.state is None:
            return False
        t, x = float(self.state["real"][0]), np.array(self.state["x"])
        if not self.sampling.due(t, x):
            return False
        try:
            self.sampling.act(t, x)
        except Halted as halted:
            state = dict(self.state)
            halted.solution = Solution(np.zeros(0), np.zeros((x.size, 0)), STOPPED, "", dict.fromkeys(COUNTED, 0) | self.stats,
                                       Events(np.zeros(0), np.zeros(0, np.int64), np.zeros((x.size, 0))), state)
            raise
        self.state = {**self.state, "x": x}
        times, y = self.parts[-1]
        if times.size and times[-1] == t:
            self.parts[-1] = times, np.vstack([y[:-1], x])
        return True

    def asked(self) -> dict[str, Any]:
        """What an integrator is told of this run, its memory of the equations put in place."""
        o, method, form = self.options, self.method, self.form
        assert form is not None
        rtol = aimed(method, o["rtol"]) / o.get("finer", 1.0)  # finer: of verify=True
        atol = o["atol"] * rtol / o["rtol"]
        form.expect(o["dependent"])
        self._remember()
        weights = np.empty(form.y.size)
        weights.fill(1.0)
        state_scales.weigh(self.system, weights)
        weights[form.y.size - RIDING:] = 0.3 * rtol / atol * o["energy"]
        told, switches = len(self.watched), len(self.system.switches)
        terminal = [*(int(k >= told - self.ending) for k in range(told)), *([2] * (form.g.size - told - switches)),
                    *([3] * switches)]
        if self.stations is None:
            self.stations = stations(self.system, o.get("start", float(self.times[0])), float(self.times[-1]), self._timed())
        rows = eased(self.stations.rows, float(self.times[-1])) if record(method).eased else self.stations.rows
        return {"method": method, "rtol": rtol, "atol": atol, "weights": weights, "caps": form.caps, "project": form.project,
                    "tangent": form.tangent, "quality": form.quality, "events": form.events, "g": form.g if form.g.size else None,
                    "terminal": terminal, "max_steps": o["max_steps"], "linear": _implicit(form.whole, method),
                    "fixed_step": o["fixed_step"], "stop_if_stiff": o["integrator"] == "auto" and method == AUTO[0],
                    "may_stick": bool(self.system.kept), "stations": rows, "riding": RIDING, "h_max": o.get("max_step") or 0.0,
                    "span": float(self.times[-1]) - o.get("start", float(self.times[0]))}

    def _remember(self) -> None:
        """The memory of the equations: as it was where the run goes on, or fresh."""
        form = self.form
        assert form is not None
        if self.state is not None:
            form.t[0], form.y[:] = self.state["real"][0], self.state["x"]
        kept = self.memory or {}
        now = {name: a for name, a in form.memory.items() if name in kept or name not in restoring.LATER}
        if {name: a.size for name, a in kept.items()} == {name: a.size for name, a in now.items()}:
            for name, array in now.items():
                array[:] = kept[name]
        else:
            form.begin()

    def _timed(self) -> list:
        """Events that depend on time alone."""
        if not self.watched:
            return []
        values = self.model.parameter_values()
        found = [expressions.parse(text) for text in self.watched]
        found = [g.substitute({n: values[n] for n in g.names if n in values}) for g in found]
        return [g for g in found if g.names == {"t"}]

    def _keep(self, solution) -> None:
        t, y = solution.t, solution.y.T
        if solution.status == EVENT and (not t.size or solution.events.t[-1] > t[-1]):  # the last sample is where it ended
            t, y = np.append(t, solution.events.t[-1]), np.vstack([y, solution.events.y[:, -1]])
        self.parts.append((t, y))
        self.events.append((solution.events.t, solution.events.index))
        self.state = solution.state
        self.stats = solution.stats

    def _stiff(self, solution) -> None:
        """The border of stability holds the explicit method back: on with Radau, unless that would be held back more."""
        s, at = self.system, float(solution.state["real"][0])
        reached = self._bodies(np.array([at]), solution.state["x"][None, :])[0]
        if turning.hopeless(s, reached[s.nq:s.nq + s.nv], solution.state):
            turning.later(solution.state)
            self.memory = {name: a.copy() for name, a in self.form.memory.items()}  # type: ignore[union-attr]
        else:
            self._switch(solution, at, reached)

    def _switch(self, solution, at, reached) -> None:
        """From the explicit method to Radau, at the point reached; what came so far in another form is brought to the bodies."""
        self.switched = at
        self.parts = [(t, self._bodies(t, y)) for t, y in self.parts]
        self.form = make_form(self.model, self.system, "augmented")
        self.options["formulation"] = "augmented"
        w = self.work
        w.t[0], w.y[:] = self.switched, reached
        for name in COUNTED:
            self.before[name] += int(solution.stats[name])
        self.method, self.state, self.memory = AUTO[1], None, None

    def _bodies(self, t, y) -> np.ndarray:
        """Samples of this form as (q, v, ledger) of the bodies."""
        return np.concatenate(self.form.bodies(t, y), axis=1)  # type: ignore[union-attr]

    def _options(self) -> dict:
        return {**self.options, "method": self.method, "switched": self.switched, "seconds": self.seconds}

    def _release(self) -> None:
        """The run is done, and what it gave knows nothing of its workspace (assembly's, or its own): the next may have it."""
        plain = self.switched is None and self.sampling is None and not self.system.kept
        if plain and self.first_form == "augmented":
            give_back(self.work)
            self.form = None

    # ---------------------------------------------------------------------------------------------------------- result

    def _result(self, solution, halted: Halted | None = None) -> Run:
        s, nq, nv = self.system, self.system.nq, self.system.nv
        arrays = self.arrays()
        t, y = arrays["t"], self._bodies(arrays["t"], arrays["y"])
        good = solution.status in (OK, EVENT)
        o = self.options
        stats = {**self.stats, **{name: self.before[name] + int(self.stats[name]) for name in COUNTED},
                 "method": record(self.method).names[0],
                 "seconds": self.seconds, "rtol": o["rtol"], "atol": o["atol"], "switched": self.switched,
                 "formulation": o.get("formulation", "augmented")}
        for key, told in (("notes", o.get("notes", ())), ("notes", getattr(self.stations, "notes", ())),
                          ("doubts", self.felt_doubts), ("doubts", getattr(self.stations, "doubts", ()))):
            say(stats, key, told)
        run = Run(self.model, s, t, y[:, :nq], y[:, nq:nq + nv], y[:, nq + nv:], stats,
                  "complete" if good else "stopped" if solution.status == STOPPED and halted is None else "partial",
                  "complete" if good else str(halted or solution.message),
                  {"options": self._options(), "arrays": arrays, "times": self.times, "watched": self.watched,
                   "ending": self.ending},
                  versions())
        run.begin, run.given = self.begin, self.given
        if self.form.name != "augmented":  # type: ignore[union-attr]
            run.form = self.form  # type: ignore[assignment]
        run.events = [(self.watched[int(k)], float(when)) for when, k in
                      zip(arrays["event_t"], arrays["event_index"], strict=True)]
        say(run.stats, "doubts", state_scales.small(run) if good else ())
        if s.kept:
            law_check.after(run)
        if not good:
            self._fail(solution, run, halted)
        return run

    def _fail(self, solution, run, halted) -> None:
        reached = float(solution.state["real"][0])
        reason = str(halted or solution.message).rstrip(".")
        text = f"simulate '{self.model.name}' stopped at t = {reached:.6g} of {self.times[-1]:g}: {reason}"
        if halted is not None:
            error: SimulationError = SimulationError(f"{text}. The part computed so far is in the exception's .run")
            error.__cause__ = halted.__cause__
        elif solution.status == STOPPED:
            error = SimulationInterrupted(f"{text}. The part computed so far is in the exception's .run; "
                                                           "da.resume(run) goes on")
        else:
            y = self._bodies(np.array([reached]), solution.state["x"][None, :])[0]
            blamed = switching(self.system, solution) or culprit(self.system, self.work, reached, y)
            error = SimulationError(f"{text}{blamed}. The part computed so far is in the exception's .run")
        error.run = run
        raise error


def _joined(parts, none) -> np.ndarray:
    """Arrays one behind the other, as one of their own."""
    return np.array(parts[0], order="C") if len(parts) == 1 else np.concatenate([none, *parts])


_NO_TIMES, _NO_NUMBERS = np.zeros(0), np.zeros(0, np.int64)


def _implicit(w, method):
    """What an implicit method needs of the equations on this workspace; nothing for explicit ones."""
    needs = record(method).needs
    if not needs:
        return None
    from dalembert.formulations.augmented.newton.engine import newton_of
    from dalembert.integrators.contract import Linear, Second

    newton = newton_of(w)
    a, choice = newton.arrays, w.arrays.limit
    then = choice.copy()
    if needs == "second":
        entries = (*(newton.bound(name) for name in ("differentiate", "factor_second", "correct_second")),
                   w.bound("move"), w.bound("rates"))
        return Second(a.q, a.v, a.qdot, a.vdot, a.shift, a.lam, a.states, a.twist, a.x, a.coefficient, entries,
                      np.full(a.lam.size, np.nan), choice, then)
    names = ("differentiate", "factor_real", "factor_complex", "solve_real", "solve_complex")
    return Linear(a.a, a.b, a.coefficient, tuple(newton.bound(name) for name in names), choice, then)
