"""simulate: forward dynamics, in any form (formulations/contract.py); and resume, which goes on where a run stopped.

Outputs come by dense output at the requested times, projected onto the constraints, independent of the steps taken.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Any, Protocol

import numpy as np

from dalembert.analyses.assemble import Passing, Start, adopt, assembled
from dalembert.analyses.assembly.held import carried
from dalembert.analyses.assembly.moved import moved
from dalembert.analyses.simulation import restoring
from dalembert.analyses.simulation.integration import CARRIER, Integration
from dalembert.analyses.simulation.sample_times import further, is_number, output_times
from dalembert.analyses.toolbox.forms import check_formulation
from dalembert.analyses.toolbox.keywords import keywords
from dalembert.analyses.toolbox.origin import model_hash
from dalembert.analyses.toolbox.stateless import refuse_felt, refuse_states
from dalembert.elements.element import OwnName
from dalembert.elements.event import Edge, Event
from dalembert.elements.given import Names, Times
from dalembert.equations.spinless import regular
from dalembert.errors import AnalysisError, SimulationError
from dalembert.integrators.registry import known, record, shown
from dalembert.model.model import Model
from dalembert.model.rubbing import rubs
from dalembert.results.motion import State
from dalembert.results.run import Run

SAME_MOMENT = 1e-9  # s, of a second or of the time itself
UNSTEERED = "rtol and atol do not steer time stepping through contacts: fixed_step= and contact={...} do"


class Derived(Protocol):
    """Derived equations (da.derive), which integrate themselves."""

    def simulate(self, until: float, **options: Any) -> Any: ...

    def verify(self, model: Model | None = None) -> Any: ...


@keywords(SimulationError, method="integrator", solver="integrator", dt="fixed_step", t_end="until", tol="rtol")
def simulate(model: Model | Derived, until: float | None = None, *, step: float | None = None, times: Times | None = None,
             integrator: str = "auto", formulation: str = "auto", rtol: float = 1e-6, atol: float = 1e-9,
             start: float | None = None, state: State | None = None, events: Names = (), stop: Names = (),
             progress: bool | Callable[[float], object] | None = None, max_steps: int = 10_000_000,
             fixed_step: float | None = None, checkpoint: str | os.PathLike[str] | None = None, cut: Names = (),
             independent: Names = (), verify: bool = False, max_step: float | None = None,
             contact: str = "auto") -> Run:
    """Motion from ``start`` to ``until``.

    Steps end where laws of time jump or have a kink (formulas, tables, ``da.Law(f, breaks=…)``); Python functions are looked at
    before the run.

    Parameters
    ----------
    model : Model or Equations
        The mechanism, or derived equations (``da.derive``).
    until : number [s], optional
        The end; left out: the last of ``times``.
    step : number [s], optional
        Between samples; left out: 200 samples.
    times : numbers [s], optional
        Samples at these times instead.
    integrator : str, default "auto"
        "rk8", "rk5" and "rk4" are explicit, "radau" (order 5) and "alpha" (generalized-α, order 2) implicit, for stiff motion;
        "auto" starts with rk8 and goes on with radau when the motion turns out stiff.
    formulation : str, default "auto"
        "augmented", "embedded", "recursive", or "auto": recursive for trees, by a measured rule;
        ``run.stats["formulation"]`` says which.
    rtol : number [–], default 1e-06
        What the error of the whole run should stay near, relative to the size of what moves.
    atol : number, default 1e-09
        The same where things are small, in units of the quantity.
    start : number [s], optional
        The beginning; left out: 0, or the time of ``state``.
    state : State, optional
        The beginning's pose and velocities, and its time (of ``assemble`` or ``run.state()``); left out: as drawn.
    events : expressions, default ()
        Over coordinates and t, as "piston.x - 0.2": their zeros are located and listed in ``run.events``.
    stop : expressions, default ()
        The same; their zeros end the run.
    progress : bool or function, optional
        True, False, or a function of the time reached (returning False it stops the run); left out: a line on a terminal.
    max_steps : int, default 10000000
        A run that needs more ends with an error that has what was computed.
    fixed_step : number [s], optional
        Switches step control off.
    checkpoint : path, optional
        A file that is kept up to date during the run; ``resume(model, file)`` goes on from it, bit for bit.
    cut : names, default ()
        Joints to open, of the recursive form.
    independent : names, default ()
        Coordinates that the embedded form begins with.
    verify : bool, default False
        Run again at a finer tolerance, and put an estimate of the errors of this run into
        ``run.certificate.error_estimate`` (per body and for the energies); the run itself is the same without it.
    max_step : number [s], optional
        No step is longer.
    contact : str or dict, default "auto"
        Models with contacts (``da.Contact``) are stepped through them ("stepping"; ``fixed_step`` is a substep), or followed from
        event to event to rtol and atol ("events"); "auto" does that where few places can touch (24 at most) and no fixed_step
        is given, and says so.  A dict is options of stepping: {"freeze": 0.5} freezes what was at rest for half a second.

    Returns
    -------
    Run
        Motion, forces and energies over time by name, with a certificate that says how far they can be trusted.
    """
    if hasattr(model, "verify"):  # derived equations integrate themselves
        if verify:
            raise SimulationError("verify=True needs the model; derived equations compare themselves with it by .verify(model)")
        equations: Any = model
        return equations.simulate(until, step=step, times=times, integrator=integrator, rtol=rtol, atol=atol, start=start,
                              state=state, max_steps=max_steps, max_step=max_step)
    if not isinstance(model, Model):
        raise AnalysisError(f"expected a Model, got {model!r}")
    touching = any(e.kind == "contact" for e in model.contacts.values())
    if not touching:
        compile_together(model.dim)
    start, model = beginning(model, start, state), carried(model, state)
    times = output_times(model, start, until, step, times)
    method = "contact" if touching else method_named(integrator, fixed_step)
    check_formulation(formulation, SimulationError)
    for name, value in (("rtol", rtol), ("atol", atol), ("fixed_step", 1.0 if fixed_step is None else fixed_step),
                        ("max_step", 1.0 if max_step is None else max_step)):
        if not (is_number(value) and value > 0):
            raise SimulationError(f"{name} must be a positive number, got {value!r}")
    if not (is_number(max_steps) and max_steps >= 1):
        raise SimulationError(f"max_steps must be a whole number, 1 or more, got {max_steps!r}")
    watched, ending = [*_listed(events), *_listed(stop)], len(_listed(stop))
    lengths = {k: None if x is None else float(x) for k, x in (("fixed_step", fixed_step), ("max_step", max_step))}
    told = [UNSTEERED] if touching and (rtol, atol) != (1e-6, 1e-9) else []
    length = float(times[-1]) - start
    if fixed_step is not None and fixed_step > length * (1.0 + 1e-9):
        told.append(f"fixed_step = {float(fixed_step):.6g} s is longer than the run ({length:.6g} s): its steps are shorter")
    if contact != "auto" and not touching and not rubs(model):
        told.append(f"contact={contact!r} has nothing to act on: '{model.name}' has no Contact, so bodies go through each other "
                    "and the ground; add da.Contact(name, one, other)")
    alone = contact == "auto" and fixed_step is None and integrator != "contact"
    if rubs(model) or (touching and (contact == "events" or alone)):
        from dalembert.analyses.simulation.following import few, followed

        if rubs(model) or contact == "events" or few(model):
            run = followed(watching(model, watched), times,
                           {"integrator": integrator, "formulation": formulation, "verify": verify, "cut": _names(cut),
                            "independent": _names(independent)},
                           {"start": start, "rtol": float(rtol), "atol": float(atol), "max_steps": int(max_steps), **lengths,
                            "watched": watched, "ending": ending, "model": model_hash(model) if checkpoint is not None else ""},
                           alone and touching, state, progress, _file(checkpoint))
            if not isinstance(run, str):
                return run
            told.append(run)  # why it is stepped after all
    if touching:
        return _stepped(model, times, contact, {"integrator": integrator, "formulation": formulation, "events": _listed(events),
                                                "stop": _listed(stop), "verify": verify, "cut": _names(cut),
                                                "independent": _names(independent)},
                        {"start": start, "told": told, **lengths}, state, progress, checkpoint)
    file = _file(checkpoint)
    fingerprint = model_hash(model) if checkpoint is not None else ""
    model = watching(model, watched)
    work = None
    if state is None:
        state, work = assembled(model, start, Passing)
        way = moved(model, state)
    else:
        way = moved(model, state) if isinstance(state, Start) and state.of is model else None
        state = adopt(model, state)
    regular(state.system, f"simulate of '{model.name}'")
    options = {"integrator": method, "rtol": float(rtol), "atol": float(atol), "max_steps": int(max_steps), **lengths,
               "start": start, "watched": watched,
               "model": fingerprint, "ending": ending, "times": np.asarray(times, float).tolist(), "formulation": formulation,
               "cut": _names(cut), "independent": _names(independent), "notes": [*told, *([str(way)] if way else [])],
               **({"verify": True} if verify else {})}
    job = Integration(model, state.system, times, options, watched, ending)
    job.carrier = CARRIER.get()
    job.start(state, work)
    if not verify:
        return job.run(progress, file)
    from dalembert.analyses.simulation.verification import verified

    return verified(job, state, progress, file)


def _file(checkpoint):
    """Where the run is kept as it goes."""
    if checkpoint is None:
        return None
    from dalembert.analyses.simulation.checkpoint import Checkpoint

    return Checkpoint(checkpoint)


def _stepped(model, times, contact, asked, options, state, progress, checkpoint) -> Run:
    """A model with contacts: time stepping (analyses/simulation/touching.py)."""
    from dalembert.analyses.simulation.touching import Stepping, chosen

    usual = {"integrator": ("auto", "contact"), "formulation": ("auto", "augmented"), "verify": (False,)}
    for name, value in asked.items():
        if (name in usual and value not in usual[name]) or (name not in usual and value):
            other = "choose contact=\"events\"" if name in ("events", "stop") else "take the contacts out of the model"
            raise SimulationError(f"simulate '{model.name}': {name}={value!r} does not go with time stepping through contacts; "
                                  f"leave it away, or {other}")
    options = {**options, "contact": chosen(contact), "model": model_hash(model) if checkpoint is not None else "",
               "times": [float(t) for t in times]}
    file = _file(checkpoint)
    if state is None:
        state, _ = assembled(model, options["start"])
        told = moved(model, state)
        options["told"] += [str(told)] if told else []
    else:
        told = moved(model, state) if isinstance(state, Start) and state.of is model else None
        state = adopt(model, state)
    regular(state.system, f"simulate of '{model.name}'")
    refuse_states(state.system, f"simulate of '{model.name}' with contacts", SimulationError)
    refuse_felt(state.system, f"simulate of '{model.name}' with contacts", SimulationError)
    job = Stepping(model, state.system, times, options)
    job.start(state)
    return job.run(progress, file)


def method_named(integrator, fixed_step) -> str:
    """The name that files keep of the integrator the user named."""
    names = {"auto": "auto"} if isinstance(integrator, str) and integrator == "auto" else known()
    if not isinstance(integrator, str) or integrator not in names:
        raise SimulationError(f"integrator '{integrator}' is not known; choose from {', '.join(names)}")
    chosen = record(names[integrator])
    if fixed_step is None and not chosen.error_control:
        raise SimulationError(f"integrator '{integrator}' does not choose its steps: give fixed_step=, or choose from auto, "
                              f"{', '.join(shown(error_control=True))}")
    if fixed_step is not None and not chosen.fixed_step:
        raise SimulationError(f"integrator '{integrator}' always chooses its steps: leave fixed_step away, or choose from "
                              f"{', '.join(shown(fixed_step=True))}")
    return names[integrator]


@cache
def compile_together(dim: int) -> None:
    """On a machine that has compiled nothing yet: equations and integrators side by side."""
    from dalembert._jit import prepare
    from dalembert.equations.entries import ENTRIES
    from dalembert.integrators.loop import ADVANCE

    prepare(ENTRIES[dim]["accelerations"], ADVANCE)


def resume(source: Run | Model, checkpoint: str | os.PathLike[str] | None = None, *, until: float | None = None,
           progress: bool | Callable[[float], object] | None = None) -> Run:
    """Go on with a run that stopped: ``resume(run)``, or ``resume(model, "file")`` from a checkpoint.

    What comes out is what the uninterrupted run would have given, bit for bit; a complete run ended its last step at its end,
    so that its continuation agrees with a longer run within the tolerance only.

    Parameters
    ----------
    source : Run or Model
        The run that stopped, or the model of the checkpoint.
    checkpoint : path, optional
        The file that ``simulate(…, checkpoint=)`` kept.
    until : number [s], optional
        Carries the run further than was asked for at first, at the same distance of samples.
    progress : bool or function, optional
        As for ``simulate``.

    Returns
    -------
    Run
        The whole run, from its first beginning.
    """
    if isinstance(source, Run):
        kept = source._state
        if not kept:
            raise SimulationError("this run does not hold what it needs to go on")
        model, options, arrays = source.model, kept.get("options"), kept.get("arrays")
        with restoring.told(model):
            restoring.check(options, arrays)
        if checkpoint is not None:
            options = {**options, "model": model_hash(model)}
    else:
        if checkpoint is None:
            raise SimulationError("resume a run with resume(run), or a checkpoint with resume(model, file)")
        from dalembert.analyses.simulation.checkpoint import read

        options, arrays = read(checkpoint)
        if options["model"] != model_hash(source):
            raise SimulationError(f"checkpoint '{checkpoint}' belongs to another model, or '{source.name}' has changed since it "
                                  "was written: bring the model it was made with")
        model = source if "contact" in options else watching(source, options["watched"])
    times = np.array(options["times"])
    if until is not None:
        times = further(times, until)
        options = {**options, "times": [float(t) for t in times]}
    if options.get("followed"):
        from dalembert.analyses.simulation.following import kind_of

        followed = kind_of(options)(model, model.compile(), times, options)
        with restoring.told(model):
            followed.restore(arrays)
        followed.ended = followed.ended and until is None
        return followed.run(progress, _file(checkpoint))
    if "contact" in options:
        from dalembert.analyses.simulation.touching import Stepping

        stepping = Stepping(model, model.compile(), times, options)
        with restoring.told(model):
            stepping.restore(arrays)
        return stepping.run(progress, _file(checkpoint))
    job = Integration(model, model.compile(), times, options, options["watched"], options["ending"])
    with restoring.told(model):
        job.restore(arrays)
    run = job.run(progress, _file(checkpoint))
    if options.get("verify"):
        from dalembert.analyses.simulation.verification import UNVERIFIED

        run.stats["notes"] = [*run.stats.get("notes", ()), UNVERIFIED]
    return run


def watching(model: Model, watched: list[str]) -> Model:
    """The model, with its events and the kinks of its elements if there are any."""
    old = [name for name, e in model.elements.items() if e.kind == "event"]
    ends = [(e, *kink) for e in model.elements.values() for kink in e.kinks()]
    if not (watched or ends or old):
        return model
    copy = model.copy()
    for name in old:
        del copy.elements[name]
    for k, expression in enumerate(watched):
        name = OwnName(f"event {k}")
        copy.elements[name] = Event(name, expression)
    for k, (element, of, end) in enumerate(ends):
        name = OwnName(f"edge {k}")
        copy.elements[name] = Edge(name, element, of, end)
    return copy


def _names(refs) -> list[str]:
    refs = [refs] if isinstance(refs, str) or hasattr(refs, "name") else refs or ()
    return [getattr(r, "name", r) for r in refs]


def _listed(expressions):
    found = [expressions] if isinstance(expressions, str) else expressions
    if not isinstance(found, (list, tuple)) or not all(isinstance(x, str) for x in found):
        raise SimulationError(f"events and stop are expressions such as \"piston.x - 0.2\", one or a list, got {expressions!r}")
    return list(found)


def beginning(model, start, state) -> float:
    """When a run begins: with its state, which is of one moment; without one at ``start``, or at 0."""
    if start is not None and not is_number(start):
        raise SimulationError(f"start must be a finite number, got {start!r}")
    if not isinstance(state, State):
        return 0.0 if start is None else float(start)
    if start is not None and abs(float(start) - state.t) > SAME_MOMENT * max(1.0, abs(state.t)):
        raise SimulationError(f"simulate '{model.name}': the state is of t = {state.t:.9g} s, and start= says {float(start):.9g} "
                              "s: leave start= out (a run begins at the time of its state), or take a state of that time")
    return float(state.t)
