"""Whether contacts are followed from event to event, what does not go with that, and the run that does (eventful.py,
for friction in joints rubbing.py)."""

from __future__ import annotations

from typing import Any

from dalembert.analyses.assemble import adopt, assembled
from dalembert.analyses.assembly.moved import moved
from dalembert.analyses.simulation.eventful import FEW, BeyondEvents, Eventful, places
from dalembert.analyses.simulation.rubbing import Rubbing, rubbed
from dalembert.analyses.toolbox.stateless import refuse_felt, refuse_states
from dalembert.contacts.hulls import flush
from dalembert.equations.spinless import regular
from dalembert.errors import SimulationError
from dalembert.integrators.registry import known, record, shown
from dalembert.model.rubbing import rubs
from dalembert.model.touching import shapes_that_touch
from dalembert.results.run import Run

FOLLOWED = f"contact: from event to event, for at most {FEW} places can touch (contact=\"stepping\" steps instead)"

SEAMS = ("shapes of '{}' lie flush, and from event to event their seams are edges at which what slides may catch: make them one "
         "polygon or half-space, or step")


def few(model) -> bool:
    """Whether contacts can be followed from event to event, and are few."""
    count, odd = places(model, model.compile(), FEW)
    return not odd and count <= FEW


def kind_of(options: dict[str, Any]) -> type[Eventful]:
    """Who goes on with a run from event to event."""
    return Rubbing if options.get("rubbed") else Eventful


def followed(model, times, asked: dict[str, Any], options: dict[str, Any], by_itself: bool, state, progress, file) -> Run | str:
    """A model with contacts, or with friction in joints, from event to event.

    ``by_itself``: nobody asked for this mode, and where its means end (not where the law of contact has no answer) the reason
    comes back instead of a run, for time stepping to go through."""
    if rubs(model):
        return rubbed(model, times, asked, options, state, progress, file)
    explicit = [name for name in shown(error_control=True) if not record(known()[name]).implicit]
    usual = {"integrator": ("auto", *explicit), "formulation": ("auto", "augmented"), "verify": (False,)}
    for name, value in asked.items():
        if (name in usual and value not in usual[name]) or (name not in usual and value):
            raise SimulationError(f"simulate '{model.name}': {name}={value!r} does not go with contact=\"events\"; leave it away"
                                  f"{', or choose from ' + ', '.join(explicit) if name == 'integrator' else ''}")
    told = [FOLLOWED] if by_itself else []
    seams = flush(shapes_that_touch(model, model.compile()))
    if seams and by_itself and not options["watched"]:
        return f"contact: time stepping, for {SEAMS.format(seams)}"
    told += [f"contact=\"events\": {SEAMS.format(seams)}"] if seams else []
    if state is None:
        state, _ = assembled(model, options["start"])
        way = moved(model, state)
        told += [str(way)] if way else []
    else:
        state = adopt(model, state)
    regular(state.system, f"simulate of '{model.name}'")
    refuse_states(state.system, f"simulate of '{model.name}' with contacts", SimulationError)
    refuse_felt(state.system, f"simulate of '{model.name}' with contacts", SimulationError)
    job = Eventful(model, state.system, times, {**options, "integrator": known().get(asked["integrator"], "auto"), "told": told,
                                                "followed": True, "times": [float(t) for t in times]})
    try:
        job.start(state)
        return job.run(progress, file)
    except BeyondEvents as why:
        if by_itself and not options["watched"]:
            return f"contact: time stepping, for from event to event it did not go through: {why.reason}"
        raise
