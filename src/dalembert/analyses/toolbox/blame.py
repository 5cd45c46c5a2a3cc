"""Who made the numbers break, if it can be told."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dalembert.analyses.toolbox import feeling
from dalembert.elements.signals.readings import CALL
from dalembert.equations.feedback import SOLVED
from dalembert.errors import NOT_CONVERGED, STEP_TOO_SMALL, TOO_MANY_STEPS
from dalembert.integrators.status import CHATTER

AT_SWITCH = 1e-6  # of the argument of a switch: the run stands there
SMOOTHLY = (": the motion sticks where it switches. Let the law change smoothly: tanh(rate/eps) in place of sign(rate), with eps "
            "a small rate; a steep line in place of a step")
ROUNDED = 1e-14  # part of a state that it may be off
INSTANT = 1e-12  # s: a state whose own time is shorter has no rate that means anything
SUDDEN = 1e-6  # s, or of the time: a state that changes by itself within this
ENDED = {"length of the rope": "an end of the rope has reached its drum, or gone around it by more than 160° from where it was "
         "drawn, which is as far as a rope is followed"}  # labels of rows that have no value beyond a place
SHIFTS = (0.0, 1e-9, 1e-6, 1e-4)  # s: a law that breaks just after the last good moment breaks at one of these


def culprit(system, work, t=None, y=None) -> str:
    """In brackets: a law that raised or is not finite just after time t, or else the first body with a bad acceleration."""
    bad = np.flatnonzero(~np.isfinite(work.vdot))
    for law in system.kept:
        if law.failure is not None:
            return f" (the function of {law.title} raised {type(law.failure).__name__}: {law.failure})"
    found = "" if t is None else _felt(system, work, t, y) or _read(system, work, t, y) or _probe(
        system, work, t, y) or _runaway(system, work, t, y)
    if found:
        return f" ({found})"
    return f" (body '{system.body_at(bad[0])}' first)" if bad.size else ""


def _ahead(work, t, y) -> Iterator[None]:
    """The workspace at the state y, and shortly after t, where the motion goes."""
    work.t[0], work.y[:] = t, y
    work.run("accelerations")
    rate = np.where(np.isfinite(work.ydot), work.ydot, 0.0)
    for shift in SHIFTS:
        ahead = shift * max(1.0, abs(t))
        work.t[0], work.y[:] = t + ahead, y + ahead * rate
        yield


def _felt(system, work, t, y) -> str:
    """Why what laws feel could not be solved for."""
    if not system.felt:
        return ""
    with np.errstate(all="ignore"):
        for _ in _ahead(work, t, y):
            work.run("accelerations")
            if work.report.felt != SOLVED:
                return feeling.why(system, int(work.report.felt), work.t[0])
    return ""


def _read(system, work, t, y) -> str:
    """The first signal, or the rate of a state, that is not finite at the state y or shortly after t."""
    if not system.readings:
        return ""
    names, algebraic = {slot: name for name, slot in system.readings.items()}, set(system.tables.algebraic["slot"].tolist())
    with np.errstate(all="ignore"):
        for _ in _ahead(work, t, y):
            work.run("unbalanced")
            for row in system.tables.reading:
                slot = row["slot"]
                if not np.isfinite(work.read[slot]) and names[int(slot)] not in system.felt:
                    if row["kind"] == CALL:
                        return _asked(system, work, row)
                    if int(slot) in algebraic:
                        all_of = ", ".join(f"'{names[int(k)]}'" for k in system.tables.algebraic["slot"])
                        return (f"the algebraic equation{'s' * (len(algebraic) > 1)} of {all_of} cannot be solved at t = "
                                f"{work.t[0]:.9g}: singular (an unknown that does not matter to any of them, or two solutions "
                                "that meet), or Newton's method does not converge from start=")
                    return f"'{names[int(slot)]}', which laws read, has a value that is not finite at t = {work.t[0]:.9g}"
            for name, place in system.states.items():
                if not np.isfinite(work.qdot[place]):
                    return f"the rate of '{name}' is not finite at t = {work.t[0]:.9g}"
    return ""


def _asked(system, work, row) -> str:
    """What the Python function behind a row says, which reads the mechanism by names."""
    places = system.tables.arguments[int(row["first"]):int(row["first"]) + int(row["second"])]
    law = next(law for law in system.kept if law.address == row["handle"])
    names = {slot: name for name, slot in system.readings.items()}
    told = ", ".join(f"{names[int(p)]} = {work.read[p]:.6g}" for p in places)
    try:
        law.function(float(work.t[0]), work.read[places].copy(), np.zeros(1), np.zeros(1))
        said = "gives a value that is not finite"
    except Exception as error:
        said = f"raised {type(error).__name__}: {error}"
    return f"the function of {law.title} {said}, at t = {work.t[0]:.9g} with {told or 'nothing read'}"


def switching(system, solution) -> str:
    """After a run that did not get on: the law whose switch with the state lies where it stopped."""
    if solution.status not in (CHATTER, STEP_TOO_SMALL, NOT_CONVERGED, TOO_MANY_STEPS):
        return ""
    g = np.abs(solution.state["g"][-len(system.switches):]) if system.switches else np.array([np.inf])
    k = int(np.argmin(g))
    if g[k] <= AT_SWITCH:
        info = system.switches[k]
        law = f"its law '{info.expression}'" if info.expression is not None else "its table"
        return f" ({info.title}: {law} switches with the motion, and here it would have to switch without end{SMOOTHLY})"
    if system.kept:  # perhaps somewhere inside a function
        titles = ", ".join(dict.fromkeys(law.title for law in system.kept))
        return f" ({titles}: runs stand still so where a function switches with the motion without end{SMOOTHLY})"
    return ""


def _probe(system, work, t, y) -> str:
    """Every force and every constraint at the state y, there and shortly after t, where the motion goes."""
    with np.errstate(all="ignore"):
        for _ in _ahead(work, t, y):
            for name, number in system.numbers.items():
                work.only[0] = number
                work.run("generalized_forces")
                work.only[0] = -1
                if not np.all(np.isfinite(work.Q)):
                    return f"'{name}' gives {_reason(system, work, name)} at t = {work.t[0]:.9g}"
            work.run("rows")
            rows = np.flatnonzero(~(np.isfinite(work.phi) & np.isfinite(work.nu) & np.isfinite(work.gamma)))
            if rows.size:
                name, label = system.rows[rows[0]].group, system.rows[rows[0]].label
                said = f": {ENDED[label]}," if label in ENDED else f" gives {_reason(system, work, name)}"
                return f"'{name}'{said} at t = {work.t[0]:.9g}"
    return ""


def _runaway(system, work, t, y) -> str:
    """The state that would be another one within a moment, if there is one: its rate is about to leave all bounds.

    Or that has no rate any more: what it is divided by is no more than rounding, and so is the rate, of any size and sign."""
    if not system.states:
        return ""
    places, rates = list(system.states.values()), []
    for part in (ROUNDED, -ROUNDED, 0.0):
        work.t[0], work.y[:] = t, (1.0 + part) * y
        work.run("accelerations")
        rates.append(work.qdot[places])
    z = np.abs(work.q[places])
    with np.errstate(all="ignore"):
        time = np.where(rates[2] != 0.0, z / np.abs(rates[2]), np.inf)
        own = 2.0 * ROUNDED * z / np.abs(rates[0] - rates[1])
    time[own < INSTANT] = 0.0
    k = int(np.argmin(time))
    if not time[k] < SUDDEN * max(1.0, abs(t)):
        return ""
    name = list(system.states)[k]
    return (f"the state '{name}' = {work.q[places[k]]:.6g} runs away: its rate is {rates[2][k]:.3g} per second. It "
            "grows without bounds, or what its rate is divided by has come to zero (a chamber that is empty)")


def _reason(system, work, name) -> str:
    """What the Python function behind an element says when it is asked directly."""
    for law in system.kept:
        if f"'{name}'" not in law.title:
            continue
        k = system.primary.get(name)
        work.run("rows")
        arguments = [float(work.t[0]), *((work.measured[3 * k], work.measured[3 * k + 1]) if k is not None else (0.0, 0.0))]
        for count in (3, 2, 1):
            try:
                law.function(*arguments[:count])
            except TypeError:
                continue
            except Exception as error:
                return f"no value, its function raised {type(error).__name__}: {error},"
            break
    return "a value that is not finite"
