"""assemble: positions and velocities that meet all constraints, nearest to the drawing (in the metric of the masses).

Initial coordinates and rates (``model.initial``) are met exactly: they are added as drives for the moment of assembly.
When it cannot be done, the smallest conflicting set of elements is found by leaving out one after the other, and the
message says what is still missing.
"""

from __future__ import annotations

import numpy as np

from dalembert.analyses.assembly import again, initial_rates
from dalembert.analyses.assembly.facing import face, flipped
from dalembert.analyses.assembly.held import refuse_held
from dalembert.analyses.toolbox.closing import close, metric
from dalembert.elements.drives.drive import Drive
from dalembert.elements.element import OwnName
from dalembert.elements.measures.table import ANGLE
from dalembert.equations.workspace import borrowed, workspace
from dalembert.errors import AnalysisError, AssemblyError
from dalembert.expressions import number, parse
from dalembert.model.cast import compiled
from dalembert.model.compile import compile_branch, compile_branched, seldom_branches
from dalembert.model.model import Model
from dalembert.results.motion import State
from dalembert.system.workspace import Workspace

RAMP = parse("rate*t")
TOLERANCE = 1e-10  # of the model's own size, in the metric of the masses


class Passing(State):
    """A state that does not outlive the analysis it was found for: it has the model itself, not a copy."""

    def __init__(self, model, system, t, q, v):
        self.model, self.system, self.single = model, system, True
        self._t, self._q, self._v = np.array([t], float), q[None, :], v[None, :]


class Own(State):
    """A state on the tables of the model as it is now, within one analysis: nobody has changed the model since they were made."""

    def __init__(self, model, system, t, q, v):
        super().__init__(model, system, t, q, v)
        self.of = model


class Start(Own):
    """The state that assembly found, for several analyses of a model that nobody changes between them: its tables are shared."""


def start_of(model: Model, t: float = 0.0) -> Start:
    """As ``assemble``, for who asks several analyses about the model as it is now."""
    state, _ = assembled(model, t)
    return Start(model, state.system, t, state.q, state.v)


def assemble(model: Model, t: float = 0.0) -> State:
    """Consistent state at time t.

    Parameters
    ----------
    model : Model
        What is put together, beginning with the pose as drawn.
    t : number [s], default 0.0
        Time of the drives.

    Returns
    -------
    State
        Pose and velocities that satisfy all constraints.
    """
    return assembled(model, t)[0]


def assembled(model, t: float = 0.0, kind: type[State] = State, shared: bool = False) -> tuple[State, Workspace]:
    """The state, and the workspace it was found on, for who goes on from there; ``kind``: Passing for one nobody keeps.

    ``shared``: the tables may be those that others have of the same model (assembly/again.py), as with Passing always.
    """
    if not isinstance(model, Model):
        raise AnalysisError(f"expected a Model, got {model!r}")
    key, shape, values = again.key_of(model, t) if shared or kind is Passing else (None, None, [])
    found = again.known(key)
    if found is not None:
        w = borrowed(found.system, clear=False) if kind is Passing else workspace(found.system)
        return kind(model, found.system, t, found.q.copy(), found.v.copy()), w
    system, branch = (compiled(model, shape, values), None) if values and seldom_branches(model) else compile_branched(model)
    w = borrowed(system)
    q = _positions(model, system, t, w, branch)
    v = _velocities(model, system, t, q, w, branch)
    again.keep(key, system, q.copy(), v.copy())
    if shared:  # who goes on here has what those have who come again: a workspace that nobody used
        w.reset()
    return kind(model, system, t, q, v), w


def adopt(model, state) -> State:
    """A state given by the user, on the model as it is now: the model may have changed since, its bodies may not."""
    if not isinstance(model, Model):
        raise AnalysisError(f"expected a Model, got {model!r}")
    if not isinstance(state, State):
        raise AnalysisError(f"state= takes what assemble() or run.state() returned, not {type(state).__name__}")
    refuse_held(model, state)
    system = state.system if isinstance(state, Own) and state.of is model else model.compile()
    old = state.system
    if (system.bodies, system.dim) != (old.bodies, old.dim):
        raise AnalysisError(f"the state belongs to bodies {', '.join(old.bodies)}; model '{model.name}' has "
                            f"{', '.join(system.bodies)}")
    q = system.q_drawn.copy()
    _bodies(system, q)[:] = _bodies(old, state.q)
    take_turns(system, q, old, state.q)
    for name, place in system.states.items():  # states that the model has got since begin at their start
        if name in old.states:
            q[place] = state.q[old.states[name]]
    return State(model, system, state.t, q, state.v)


def _with_drives(model, key, values):
    """A copy of the model with drives in place of initial conditions; the model itself where there are none."""
    if not any(key in entry for entry in model.initials.values()):
        return model, {}
    other = model.copy()
    names = {}
    for name, entry in model.initials.items():
        if key in entry:
            label = OwnName(f"initial {key} of {name}")
            names[label] = name
            other.elements[label] = Drive(label, name, values(name, number(entry[key], model.parameter_values(), label)))
    return other, names


def _bodies(system, q):
    return q[: system.running.start]


def _positions(model, system, t, work, branch):
    driven, extra = _with_drives(model, "coordinate", lambda name, value: value)
    target = compile_branch(branch, driven) if extra else system
    w = workspace(target) if extra else work
    w.arrays.t[0] = t
    _bodies(target, w.q)[:] = _bodies(system, system.q_drawn)
    face(target, w.q)
    w.arrays.options["loose"] = 1.0
    w.arrays.options["iterations"] = 50
    drawn = w.q.copy()
    status = w.run("project")
    error = w.arrays.report["position"][0]
    size = target.size
    if status != 0 or not error <= TOLERANCE * size or not np.isfinite(w.q).all() or _stuck(w):
        w.q[:] = drawn
        _close_or_explain(driven, target, w, size)
    opposite = flipped(target, w.q)
    if opposite:
        raise AssemblyError(f"model '{model.name}': assembled only with the axes of {', '.join(opposite)} opposite; "
                            "turn one of axis_i, axis_j round, or draw the bodies nearer to the closed pose")
    out = system.q_drawn.copy()
    _bodies(system, out)[:] = _bodies(target, w.q)
    if system.slots:
        take_turns(system, out, target, w.q)
    return out


def _angles(system) -> dict[tuple, int]:
    """Slot of the running value of each angle, by the markers it is between."""
    rows = system.tables.measures[system.tables.tracked]
    return {(int(r["i"]), int(r["j"])): int(r["slot"]) for r in rows}


def take_turns(system, q, other, source) -> None:
    """Running angles from the state of a system with the same joints."""
    found = _angles(other)
    for key, slot in _angles(system).items():
        if key in found:
            q[slot] = source[found[key]]


def _stuck(w) -> bool:
    """Whether a row is violated but has no gradient (axes drawn parallel that should be perpendicular, and the like).

    The metric cannot see such a row: its distance has no meaning there.
    """
    w.run("rows")
    before = w.arrays.before
    return bool(before.size) and not before.min() > 0.0 and bool(((before <= 0.0) & (np.abs(w.phi) > TOLERANCE)).any())


def _close_or_explain(model, system, w, size):
    mask = np.array([r.level == 0 for r in system.rows])
    drawn, weight = w.q.copy(), metric(w)
    random = np.random.default_rng(1)
    best, pose = np.inf, drawn
    for attempt in range(6):
        w.q[:] = drawn
        if attempt:
            w.move(0.02 * 2**attempt * size * (weight @ random.standard_normal(system.freedoms)) / np.sqrt(system.freedoms))
        left = close(w, mask, weight=weight)
        if left <= TOLERANCE * size:
            return
        if left < best:
            best, pose = left, w.q.copy()
    w.q[:] = pose
    w.run("rows")
    raise AssemblyError(_explain(model, system, w, mask, drawn, weight, size))


def _explain(model, system, w, mask, drawn, weight, size) -> str:
    phi = np.where(mask, np.abs(w.phi), 0.0)
    missing = {}
    for g in system.groups.values():
        k = g.start + int(np.argmax(phi[g.start:g.stop]))
        missing[g.name] = (phi[k], system.rows[k].label)
    names = [g for g in system.groups if any(mask[system.groups[g].start:system.groups[g].stop])]
    conflict = list(names)
    if len(names) <= 80:
        for name in names:
            trial = [g for g in conflict if g != name]
            part = np.zeros_like(mask)
            for g in trial:
                part[system.groups[g].start:system.groups[g].stop] = True
            part &= mask
            w.q[:] = drawn
            if trial and close(w, part, weight=weight, iterations=120) > 1e-8 * size:
                conflict = trial
    worst = max(conflict, key=lambda g: missing[g][0])
    amount, label = missing[worst]
    unit = "rad" if worst in _turning(system) or "rotation" in label else "m"
    lines = [f"model '{model.name}' cannot be assembled: these elements contradict each other:"]
    lines += [f"  {model.elements[g].title}: still {missing[g][0]:.4g} off ({missing[g][1]})" for g in conflict]
    lines.append(f"The best pose found leaves {amount:.4g} {unit} at {model.elements[worst].title}. Check lengths and points "
                 "of these elements, draw the bodies nearer to the closed pose, or take one of them out.")
    return "\n".join(lines)


def _turning(system) -> set[str]:
    """Elements that hold an angle."""
    kinds = system.tables.measures["kind"]
    return {name for name, k in system.primary.items() if kinds[k] == ANGLE}


def _velocities(model, system, t, q, work, branch):
    def law(name, rate):
        return RAMP.substitute({"rate": rate})

    found = initial_rates.met(model, system, work, t, q)
    if found is not None:
        return found
    driven, extra = _with_drives(model, "rate", law)
    target = compile_branch(branch, driven) if extra else system
    w = workspace(target) if extra else work
    w.reset()
    w.set(t, target.q_drawn, target.v_drawn)
    _bodies(target, w.q)[:] = _bodies(system, q)
    take_turns(target, w.q, system, q)
    w.options.iterations = 0
    w.options.tolerance = np.inf
    for _ in range(2):  # the second time mends the rounding of the first
        w.run("project")
    w.run("rows")
    w.run("speeds")
    length = np.sqrt(np.where(w.before > 0.0, w.before, np.inf))  # rows in the metric of the masses: the same in all units
    missed = np.abs(w.speed)
    speed = missed / length
    w.run("observe")
    moving = np.sqrt(2 * max(w.report.kinetic, 0.0))
    reference = moving + float((np.abs(w.nu) / length).max(initial=0.0))
    bad = np.flatnonzero(speed > 1e-7 * reference + 1e-300)
    if bad.size:
        rows = [target.rows[k] for k in bad]
        names = list(dict.fromkeys(r.group for r in rows))
        worst = rows[int(np.argmax(speed[bad]))]
        raise AssemblyError(f"model '{model.name}': no velocities satisfy {', '.join(names)} with all other constraints, "
                            f"drives and initial rates; the largest contradiction is {missed.max():.4g} at {worst.title}. "
                            "Look for two drives or rates on the same motion, and leave one out.")
    return w.v.copy()
