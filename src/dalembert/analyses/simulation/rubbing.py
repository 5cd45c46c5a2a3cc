"""simulate of a model whose joints have friction: stretches of smooth motion between sticking and sliding (contacts/rubbing/).

The course of a run, its samples and checkpoints are those of contacts from event to event (eventful.py): a surface is kept as
a contact is, with other numbers (results/rubbing.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.analyses.assemble import adopt, assembled
from dalembert.analyses.assembly.moved import moved
from dalembert.analyses.simulation.eventful import SAMPLED, Eventful
from dalembert.analyses.toolbox.forms import make_form
from dalembert.analyses.toolbox.stateless import refuse_felt
from dalembert.contacts.rubbing import samples, words
from dalembert.contacts.rubbing.machine import Machine
from dalembert.contacts.rubbing.tables import DIRS, SLIP, SOLVED, STATIC, WHY
from dalembert.contacts.rubbing.tables import SEVERAL as FOLD
from dalembert.equations.spinless import regular
from dalembert.errors import OK, STOPPED, TOO_MANY_STEPS, SimulationError
from dalembert.integrators.registry import known, record, shown
from dalembert.model.rubbing import rubs
from dalembert.results.contacts import HISTORY, POINTS
from dalembert.results.rubbing import Rubbed
from dalembert.results.run import Run
from dalembert.results.trust.certificate import say

CREEPING = 1e-2  # of √(size · acceleration): surfaces of several directions that are slower creep


class Rubbing(Eventful):
    """A run with friction in joints in the making; ``options`` is plain data."""

    def __init__(self, model, system, times, options):
        self.model, self.system, self.times, self.options = model, system, np.asarray(times, float), dict(options)
        self.form = make_form(model, system, "augmented")
        self.work = self.form.whole
        handles = [self.form.rhs, self.form.project, self.form.events]
        self.bound = handles  # they live as long as the run
        self.machine = Machine(system, self.work, [0 if b is None else b.handle for b in handles])
        self._fresh(options)

    def _sample(self, t, y) -> None:
        m, base = self.machine, self.work.y.size
        for k in range(len(t)):
            m.t[0], m.y[:] = t[k], y[k]
            m.rhs()
            residual = samples.creeping(m)
            if not self._jumps(t[k]):  # a load or what presses may jump there, and the modes follow
                samples.broken(m)
            samples.slack(m)
            self.worst = np.maximum(self.worst, (residual, 0.0))
            history = np.zeros(len(HISTORY))
            history[[0, 1, 4]] = residual, residual, y[k, base]
            none = {p: np.zeros((0, 3) if p in ("x", "normal", "force") else 0,
                                np.int64 if p in ("contact", "first", "second", "state") else float) for p in POINTS}
            kept = (float(t[k]), y[k].copy(), samples.sums(m), samples.wrench(m), history, none)
            for name, x in zip(SAMPLED, kept, strict=True):
                self.record[name].append(x)

    def _jumps(self, t: float) -> bool:
        """Whether laws break at t: within what is known of where they do."""
        rows, near = np.zeros((0, 3)) if self.stations is None else self.stations.rows, 4e-16 * max(abs(t), 1.0)
        return bool(np.any((rows[:, 0] - near <= t) & (t <= rows[:, 1] + near)))

    def _stretch(self, show, checkpoint, begin) -> tuple[int, str]:
        m = self.machine
        status, message = super()._stretch(show, checkpoint, begin)
        if status not in (OK, STOPPED, -1):
            t, y = float(m.t[0]), m.y.copy()
            for h in (0.0, *np.logspace(-14, -3, 12)):  # steps end before what has no answer: look a little ahead
                m.t[0], m.y[:] = t + h, y
                m.y[:] += h * m.ydot
                if m.rhs() and m.a["size"][WHY] != SOLVED:
                    sliding = np.flatnonzero((m.modes == SLIP) & (m.real[:, STATIC] > 0.0))
                    message = (words.fold if m.a["size"][WHY] == FOLD else words.none)(m.titled(sliding), t)
                    break
            m.t[0], m.y[:] = t, y
            if status == TOO_MANY_STEPS and not m.rhs():
                slow = CREEPING * m.pace()
                creeping = [k for k in range(len(m.link)) if m.modes[k] == SLIP and m.link[k, DIRS] > 1
                            and np.linalg.norm(m.a["speed"][m.rows(k)]) < slow]
                message = words.creeps(m.titled(creeping), t) if creeping else message
        return status, message

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        super().restore(arrays)
        self.machine.doubts = [str(x) for x in self.options.get("doubted", ())]

    def _options(self) -> dict[str, Any]:
        return {**super()._options(), "doubted": list(self.machine.doubts)}

    def _result(self, status: int, message: str) -> Run:
        try:
            run = super()._result(status, message)
        except SimulationError as error:
            if getattr(error, "run", None) is not None:
                self._dress(error.run)
            raise
        return self._dress(run)

    def _dress(self, run: Run) -> Run:
        m, touching = self.machine, run.touching
        run.stats.pop("contact")
        run.stats["friction"] = {"lost": float(run._state["arrays"]["history"][-1, 4]) if len(run._t) else 0.0,
                                 "changes": m.counts.changes, "stretches": self.stretches, "residual": float(self.worst[0]),
                                 "surfaces": len(m.names)}
        run.touching = Rubbed(touching.names, touching.sums, touching.wrench, touching.history, touching.start, touching.points)
        say(run.stats, "doubts", m.doubts)
        return run


def rubbed(model, times, asked: dict[str, Any], options: dict[str, Any], state, progress, file) -> Run:
    """A model with friction in joints."""
    explicit = [name for name in shown(error_control=True) if not record(known()[name]).implicit]
    usual = {"integrator": ("auto", *explicit), "formulation": ("auto", "augmented"), "verify": (False,)}
    who = f"simulate '{model.name}'"
    for name, value in asked.items():
        if (name in usual and value not in usual[name]) or (name not in usual and value):
            raise SimulationError(f"{who}: {name}={value!r} does not go with friction in joints; leave it away"
                                  f"{', or choose from ' + ', '.join(explicit) if name == 'integrator' else ''}")
    if any(e.kind == "contact" for e in model.contacts.values()):
        raise SimulationError(f"{who}: friction in joints ({', '.join(rubs(model)[:3])}) and contacts do not go together yet: "
                              "take friction= away, or the contacts")
    sampled = [e.title for e in model.elements.values() if getattr(e, "sampled", ())]
    if sampled:
        raise SimulationError(f"{who}: {sampled[0]} does not go with friction in joints yet; write its law as a formula or "
                              "da.Differential, or take friction= away")
    told = []
    if state is None:
        state, _ = assembled(model, options["start"])
        way = moved(model, state)
        told += [str(way)] if way else []
    else:
        state = adopt(model, state)
    regular(state.system, f"simulate of '{model.name}'")
    refuse_felt(state.system, f"simulate of '{model.name}' with friction in joints", SimulationError)
    job = Rubbing(model, state.system, times, {**options, "integrator": known().get(asked["integrator"], "auto"), "told": told,
                                               "followed": True, "rubbed": True, "times": [float(t) for t in times]})
    job.start(state)
    return job.run(progress, file)

