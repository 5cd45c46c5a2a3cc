"""One stepper: a run whose end nobody knows, carried on call by call.

    step(dt)     the compiled loop of the integrator (integrators/engine.py) from t to t + dt: adaptive steps inside, the last one
                 ends exactly there.  Nothing is listed, nothing is allocated; views are made when they are read
    inputs       numbers of the table of laws (inputs.py): held until they are set again.  The derivative at t is taken anew then,
                 and the integrator forgets what it remembers of before
    snapshot     all that the next step depends on: the integrator's state, the memory of the equations, the inputs

Equal distances are counted, not added up: after 1000 steps of 1 ms the time is 1000 · 0.001.  Where laws of time jump or have a
kink (law_breaks.py) is found in windows of WINDOW seconds ahead.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dalembert.analyses.assemble import adopt, assembled
from dalembert.analyses.assembly.adopted import met
from dalembert.analyses.assembly.held import Held
from dalembert.analyses.simulation import turning
from dalembert.analyses.simulation.integration import Integration
from dalembert.analyses.simulation.sampling import refuse_going_back, renumber
from dalembert.analyses.stepping.inputs import Inputs, Written, columns
from dalembert.analyses.stepping.live import Live
from dalembert.analyses.stepping.parameters import Parameters
from dalembert.analyses.stepping.snapshot import Snapshot
from dalembert.analyses.toolbox.blame import culprit
from dalembert.analyses.toolbox.forms import make_form
from dalembert.analyses.toolbox.slots import slots_at
from dalembert.elements.given import Number, Ref, Vector
from dalembert.equations.spinless import regular
from dalembert.equations.workspace import workspace
from dalembert.errors import BUDGET, OK, STIFF, AnalysisError, SimulationError
from dalembert.integrators import layout as at
from dalembert.integrators.engine import Engine
from dalembert.integrators.registry import AUTO
from dalembert.integrators.solve import Halted
from dalembert.integrators.status import message
from dalembert.results.motion import State

WINDOW = 10.0  # s ahead for which breaks of laws are looked for
ATTEMPTS = 200_000  # of steps inside one call
FOUND = ("energy", "dependent")  # options that a run finds where it begins
RETRY = 1e-3  # of what was left of a step that failed: the first step of the next one
UNSET = math.nan  # the length of steps before the first one: not equal to any


class Stepper:
    """A model that is stepped from outside; made by ``da.stepper(model)``.

    Attributes
    ----------
    t : number [s]
        The time reached.
    inputs : mapping of names to numbers
        ``sim.inputs["motor"] = 2.0`` holds until it is set again.
    parameters : mapping of names to numbers
        Of the model; setting one changes it from here on.
    state : State
        Where it stands, as a state to go on from with any analysis: the inputs it holds and parameters that were set go with it.
    """

    def __init__(self, model, options: dict[str, Any], start: float, state: State | None, reads: tuple[str, ...] = (),
                 sets: tuple[str, ...] = (), home: tuple[np.ndarray, np.ndarray] | None = None, system=None):
        """``home``: places for the next end and the options of the integrator (crowd.py); ``system``: compiled already."""
        self.model, self._asked, self.reads, self.sets = model, options, reads, sets
        self._home = home if home is not None else (np.zeros(1), np.zeros(7, np.int64))
        self.bound: Callable[[], None] = lambda: None  # told when the loop is bound anew
        self.housed: Callable[[Any], Any] = lambda system: system  # one that was compiled anew: laws where they belong
        self._inputs, self._parameters, work = Inputs(), Parameters({}, self._change), None
        if state is None:
            if system is None:
                state, work = assembled(model, start)
            else:
                state = assembled(model, start)[0]
                state = State(model, system, state.t, state.q, state.v)
        elif system is None:
            state = met(adopt(model, state), "stepper")
        else:
            found = met(adopt(model, state), "stepper")
            state = State(model, system, found.t, found.q, found.v)
        regular(state.system, f"stepper of '{model.name}'")
        self._begin(state, work)
        self._first = self.snapshot()
        self._born: dict[str, Any] = dict(model.parameters)

    # ------------------------------------------------------------------------------------------------------- arrangement

    def _begin(self, state, work=None) -> None:
        """A run from a state of the model as it is now."""
        self.system, t = state.system, float(state.t)
        self._job = job = Integration(self.model, self.system, np.array([t, t + WINDOW]), {**self._asked, "start": t})
        job.start(state, work)
        self._window = t
        self._base, self._count, self._dt = t, 0, UNSET
        self._bind(None)
        if job.sampling is not None:
            self._act()
        self._after()

    def _bind(self, kept: dict[str, np.ndarray] | None) -> None:
        """The compiled loop on this form, from a kept state or from the start."""
        job, form = self._job, self._job.form
        assert form is not None
        place, option = self._home
        job.times = np.array([self._window, self._window + WINDOW])
        job.options["start"], job.stations = self._window, None
        job.state = kept
        asked = {**job.asked(), "max_steps": 2**62, "span": WINDOW,
                 "stop_if_stiff": job.options["integrator"] == "auto" and job.method != AUTO[1]}
        place[0] = self._window + WINDOW + (0.0 if kept is None else max(0.0, float(kept["real"][at.T]) - self._window))
        self._engine = engine = Engine(form.rhs, form.t, form.y, form.ydot, (), place=place, option=option, resume=kept,
                                       budget=ATTEMPTS, **asked)
        status = engine.begin()
        if status != OK:
            self._stop(status)
        self._edge = self._window + WINDOW if self._timed else math.inf
        step = engine.step_on
        self._keep = step
        self._go: Callable[[], int] = step._run
        self._place, self._until, self._reached = place, engine.task.real, engine.state.real
        self.handle = step.handle
        held = {name: e.title for e in self.model.elements.values() for name in getattr(e, "sampled", ())}
        self._columns = columns(self.system, form.work.system, form.whole.system)
        self._inputs.bind(self.model, self.system.inputs, self._columns, option[at.CHANGED:at.CHANGED + 1], held)
        self._written = Written(self._inputs, self.sets or tuple(self._inputs))
        self.bound()

    @property
    def _timed(self) -> bool:
        """Whether any law may break at a time of its own."""
        return bool(self.system.laws)

    def _after(self) -> None:
        """What is made of a system once."""
        s, q, v = self.system, *self._bodies()
        self._live = Live(self.model, s, self.t, q.copy(), v.copy())
        self._stale, self._seen = True, b""  # whether it is of the state; the inputs it was read with
        self._reader = workspace(s) if self.reads else None
        self._slots = np.array([s.readings[name] for name in self.reads], np.intp)
        self._parameters._values = self.model.parameter_values()

    @property
    def inputs(self) -> Inputs:
        return self._inputs

    def write(self, u: Sequence[float] | np.ndarray) -> None:
        """Several inputs at once, the fastest way there is: those of ``sets=`` in their order, or all of ``inputs`` in theirs."""
        self._written(u)

    @property
    def parameters(self) -> Parameters:
        return self._parameters

    # -------------------------------------------------------------------------------------------------------------- steps

    def step(self, dt: float) -> None:
        """Go on by ``dt`` (s), with the inputs held."""
        if dt != self._dt:
            self._pace(dt)
        self._count += 1
        t = self._base + self._count * self._dt
        if t > self._edge:
            self._further()
        self._place[0] = t
        if self._job.sampling is not None:
            self._sampled(t)
        else:
            status = self._go()
            if status:
                self._carry_on(status)

    @property
    def t(self) -> float:
        return float(self._reached[0])

    def _pace(self, dt: float) -> None:
        if not (isinstance(dt, numbers.Real) and not isinstance(dt, bool) and 0.0 < dt < math.inf):
            raise SimulationError(f"step of '{self.model.name}': dt is a time in seconds, more than 0, got {dt!r:.60}")
        self._base, self._count, self._dt = self.t, 0, float(dt)
        self.bound()
        if self.t + dt <= self.t:
            raise SimulationError(f"step of '{self.model.name}': dt = {dt:.3g} s is lost in the digits of t = {self.t:.6g} s")

    def _further(self) -> None:
        """The next window of breaks of laws, from the time reached."""
        self._window = self.t
        changed = bool(self._home[1][at.CHANGED])
        self._job.memory = {name: value.copy() for name, value in self._job.form.memory.items()}  # type: ignore[union-attr]
        self._bind({name: value.copy() for name, value in self._engine.kept().items()})
        self._home[1][at.CHANGED] = changed

    def _sampled(self, t: float) -> None:
        """The same with controllers that act on the way."""
        sampling, state = self._job.sampling, self._engine.state
        while True:
            self._until[at.UNTIL] = sampling.next(state.x)  # type: ignore[union-attr]
            self._place[0] = t
            status = self._go()
            if status:
                self._carry_on(status)
                state = self._engine.state
            reached = float(state.real[at.T])
            if sampling.due(reached, state.x):  # type: ignore[union-attr]
                self._act()
            if reached >= t:
                return

    def _act(self) -> None:
        state, sampling = self._engine.state, self._job.sampling
        try:
            while sampling.due(float(state.real[at.T]), state.x):  # type: ignore[union-attr]
                self._engine.changed()  # also by those that acted before one that fails
                sampling.act(float(state.real[at.T]), state.x)  # type: ignore[union-attr]
        except Halted as halted:
            self._base, self._count, self._dt = self.t, 0, UNSET
            raise SimulationError(f"stepper of '{self.model.name}' stands at t = {self.t:.6g}: {halted}") from halted.__cause__

    def _carry_on(self, status: int) -> None:
        """What ended a stretch early: a stiff motion goes on with radau; anything else is an error, at the time reached."""
        target, until = float(self._place[0]), float(self._until[at.UNTIL])
        while status == STIFF:
            job, state = self._job, self._engine.state
            t = float(state.real[at.T])
            bodies = np.hstack(job.form.bodies(np.array([t]), state.x[None, :]))[0]  # type: ignore[union-attr]
            if turning.hopeless(self.system, bodies[self.system.nq:][:self.system.nv], state._asdict()):
                turning.later(state._asdict())
                status = self._go()
                continue
            job.form = make_form(self.model, self.system, "augmented")
            job.method, job.options["formulation"], job.memory = AUTO[1], "augmented", None
            job.form.t[0], job.form.y[:] = t, bodies
            self._bind(None)
            self._place[0], self._until[at.UNTIL] = target, until
            status = self._go()
        if status:
            self._stop(status)

    def _stop(self, status: int) -> None:
        state, job = self._engine.state, self._job
        self._base, self._count, self._dt = self.t, 0, UNSET
        self._engine.changed()  # a change that could not be taken in is still to be
        state.real[at.H] = max(state.real[at.H], RETRY * (float(self._place[0]) - self.t))  # who mends the cause may go on
        reason = message(status).rstrip(".") if status != BUDGET else f"{ATTEMPTS} attempts did not suffice for one call"
        y = np.hstack(job.form.bodies(np.array([self.t]), state.x[None, :]))[0]  # type: ignore[union-attr]
        blamed = culprit(self.system, workspace(self.system), self.t, y)
        raise SimulationError(f"stepper of '{self.model.name}' stands at t = {self.t:.6g}: {reason}{blamed}")

    # ------------------------------------------------------------------------------------------------------------ reading

    def _bodies(self) -> tuple[np.ndarray, np.ndarray]:
        """q and v of the bodies."""
        form, x = self._job.form, self._engine.state.x
        assert form is not None
        if form.name == "augmented":
            s = self.system
            return x[:s.nq], x[s.nq:s.nq + s.nv]
        form.t[0], form.y[:] = self._reached[at.T], x
        form.work.q[:] = self.system.q_drawn  # quaternions on the side of the drawing, whatever was read before
        return form.leave()

    def _now(self) -> Live:
        held = self._columns[0].tobytes()
        if self._stale or self._live._t[0] != self._reached[0] or held != self._seen:
            self._live.move(self.t, *self._bodies())
            self._stale, self._seen = False, held
        return self._live

    def __getitem__(self, name: Ref) -> Any:
        """What a result shows by this name, at the time reached: ``sim["arm"].angle``, ``sim["pin"].force``."""
        return self._now()[name]

    def __contains__(self, name) -> bool:
        return name in self._live

    def read(self) -> np.ndarray:
        """The numbers of ``reads=``, in their order, the fastest way there is: [sim.read() for …] in a loop of control."""
        if self._reader is None:
            raise AnalysisError(f"stepper of '{self.model.name}': say what is read when it is made: "
                                "da.stepper(m, reads=[\"pin.angle\", \"pin.rate\"])")
        return slots_at(self._reader, self.t, *self._bodies())[self._slots]

    @property
    def state(self) -> State:
        q, v = self._bodies()
        return Held(self.model, self.system, self.t, q.copy(), v.copy(), dict(self.inputs), self._born)

    def _standing(self) -> State:
        """Where it stands, without what it holds."""
        q, v = self._bodies()
        return State(self.model, self.system, self.t, q.copy(), v.copy())

    # ------------------------------------------------------------------------------------------------------------ changes

    def snapshot(self) -> Snapshot:
        """All that the motion from here on depends on; ``restore`` goes back to it, bit for bit."""
        job, kept = self._job, self._engine.kept()
        assert job.form is not None
        dt = 0.0 if math.isnan(self._dt) else self._dt
        return Snapshot(self.t, (self._base, self._count, dt, self._window), job.method, job.form.name,
                        {name: value.copy() for name, value in kept.items()},
                        {name: value.copy() for name, value in job.form.memory.items()},
                        {name: self.inputs[name] for name in self.inputs}, dict(self.model.parameters),
                        bool(self._engine.task.option[at.CHANGED]), {name: job.options[name] for name in FOUND})

    def restore(self, snapshot: Snapshot) -> None:
        """Back (or, of another stepper of the same model, over) to a snapshot."""
        if not isinstance(snapshot, Snapshot):
            raise AnalysisError(f"restore takes what snapshot() gave, not {type(snapshot).__name__}")
        refuse_going_back(self.model, f"restore of '{self.model.name}'")
        snapshot.fits(self._form_of(snapshot).y.size, list(self.inputs), self.model)  # before anything is changed
        if snapshot.parameters != dict(self.model.parameters):
            self._rebuilt(snapshot.parameters)
        job, form = self._job, self._form_of(snapshot)
        job.form, job.method, job.options["formulation"] = form, snapshot.method, snapshot.form
        job.options.update(snapshot.found)
        self._base, self._count, dt, self._window = snapshot.pace
        self._dt = dt or UNSET
        for name, row in self.system.inputs.items():
            for column in columns(self.system, form.work.system, form.whole.system):
                column[row] = snapshot.inputs[name]
        job.memory = {name: value.copy() for name, value in snapshot.memory.items()}
        self._bind(snapshot.kept)
        self._engine.task.option[at.CHANGED] = snapshot.changed
        self._stale = True

    def _form_of(self, snapshot: Snapshot) -> Any:
        """The equations that the snapshot was taken of: those at work, or others where it was before a change of method."""
        job = self._job
        if (snapshot.method, snapshot.form) == (job.method, job.form.name):  # type: ignore[union-attr]
            return job.form
        return make_form(self.model, self.system, snapshot.form, job.options.get("cut") or ())

    def reset(self) -> None:
        """Back to the beginning, inputs and parameters too."""
        self.restore(self._first)

    def _change(self, name: str, value: Number) -> None:
        """Another value of a parameter from here on: the same poses and speeds, other numbers."""
        if name not in self.model.parameters:
            self.model.parameters[name]  # raises, with the names there are
        self._rebuilt({**self.model.parameters, name: value})

    def _rebuilt(self, parameters) -> None:
        refuse_going_back(self.model, f"stepper of '{self.model.name}': a change of parameters")
        model = self.model.copy()
        for name, value in parameters.items():
            model.parameters[name] = value
        state = met(adopt(model, self._standing()), "stepper: the parameter changes the shape of the mechanism;")
        before = {name: self.inputs[name] for name in self.inputs}
        plain = self.model.compile()
        given = {name: x for name, x in before.items() if x != float(plain.tables.laws["value"][plain.inputs[name]])}
        renumber(self.model, model, state)
        self.model = model
        self._begin(State(model, self.housed(state.system), state.t, state.q, state.v))
        for name, x in given.items():
            self.inputs[name] = x

    def push(self, body: Ref, impulse: Vector | None = None, *, at: Vector | None = None, torque: Any = None) -> None:
        """A blow: an impulse (N·s, ground axes) on a body through a point (ground coordinates; left out: its centre of mass),
        and a turning impulse (N·m·s); joints transmit it at once."""
        from dalembert.analyses.stepping.pushes import wrench

        form = self._job.form
        assert form is not None
        Q = wrench(self, body, impulse, at, torque)
        state = self._engine.state
        form.t[0], form.y[:] = state.real[0], state.x
        if form.rhs():
            raise SimulationError(f"push on '{self.model.name}' at t = {self.t:.6g}: the equations are singular here")
        q, v = form.leave()
        change = form.respond(Q)
        form.enter(self.t, q, v + change)
        state.x[:] = form.y
        self._engine.changed()
        self._stale = True

    # ---------------------------------------------------------------------------------------------------------- real time

    def run(self, duration: float, *, step: float = 0.01, realtime: float | None = None,
            call: Callable[[Stepper], object] | None = None) -> Any:
        """Steps of ``step`` over ``duration`` (s), with ``call(sim)`` before each; ``realtime=1.0``: as a clock, 2.0: twice.

        Returns what became of the pace; where the machine cannot keep up it says so in a RuntimeWarning, and goes on.
        """
        from dalembert.analyses.stepping.pace import keep

        return keep(self, duration, step, realtime, call)

    def __repr__(self):
        names = ", ".join(f"{n} = {self.inputs[n]:.6g}" for n in list(self.inputs)[:8])
        return f"stepper of '{self.model.name}' at t = {self.t:.6g} s; inputs: {names or 'none'}"
