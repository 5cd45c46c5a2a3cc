"""Derivatives of few numbers of a run in many parameters: which covectors the goals are, and the way back (adjoint.py).

What the adjoint cannot do is said by ``Unable``, and the forward way (forward.py) can be taken: implicit methods, goals that read
the ledger of energies or very many numbers one by one, forces between bodies that Newton's matrices do not couple, and
parameters beside which the tables are made otherwise.
"""

from __future__ import annotations

import math

import numpy as np

from dalembert._jit.duals import WIDTH
from dalembert.analyses.derived.adjoint import Reverse, Uncoupled
from dalembert.analyses.derived.goals import Costly, Goals
from dalembert.analyses.derived.kinks import near, told
from dalembert.errors import AnalysisError
from dalembert.integrators.registry import record
from dalembert.system.arrays import REPORT

PLAIN = ("q", "v", "t")
REPORTED = list(REPORT.names or ())
# In plain runs, the run itself included, measured (0123): the first eight tangents with tables and reading, eight more; the run
# recorded with the tangent that goes along, the way back of one goal, eight parameters on it (they share lanes)
FIRST, MORE, RECORDED, BACK, LANES = 2.9, 1.75, 3.0, 3.4, 0.3

APART, ROUNDING = 1e-7, 1e-6  # how well the way back and a tangent carried along must agree; of cancelling parts
RESOLVED = 1e-5  # of what is read: a derivative that is less, for changes of all parameters by their own size, may be rounding


class Unable(AnalysisError):
    """The adjoint cannot answer; the forward way may."""


def cheaper(parameters: int, goals: int) -> bool:
    """Whether the way back costs less than tangents, by what both take of a plain run."""
    groups = math.ceil(parameters / WIDTH)
    return RECORDED + goals * (BACK + LANES * groups) < FIRST + MORE * (groups - 1)


def coupled(model, system, moves, options, question) -> None:
    """``Unable`` where there is no way back, whatever is asked of the run."""
    if system.states:
        raise Unable(f"{question} of '{model.name}': the adjoint does not carry the states of differentials "
                     f"({', '.join(list(system.states)[:4])}): take method='forward'")
    if system.felt:
        raise Unable(f"{question} of '{model.name}': the adjoint does not go through laws that read reactions and accelerations "
                     f"({', '.join(system.felt[:4])}): take method='forward'")
    if record(options["method"]).needs:
        raise Unable(f"{question} of '{model.name}': the adjoint goes back through explicit steps, and this run was made by "
                     f"'{options['method']}': take method='forward'")
    for m in moves:
        if not m.same:
            raise Unable(f"{question} of '{model.name}': beside its value '{m.name}' makes the tables otherwise: take "
                         "method='forward'")


def gradient(run, moves, functions, options, question, path=None) -> dict[str, np.ndarray]:
    """Label → derivatives in all parameters, last axis; ``path``: the recorded motion and its samples, where they are there."""
    model = run.model
    coupled(model, run.system, moves, options, question)
    try:
        goals = Goals(run, functions, moves)
    except Costly as error:
        raise Unable(f"{question} of '{model.name}': {error}; give a channel in words, a "
                     "pair as (\"integral\", function), or take method='forward'") from None
    if "ledger" in goals.entries:
        raise Unable(f"{question} of '{model.name}': an output reads the work done, which rides along with the motion: take "
                     "method='forward'")
    reverse, found = path or _recorded(run, moves, options, question)
    count = len(run._t)
    if len(found["y"]) != count:
        refuse_last(run, question)
        raise Unable(f"{question} of '{model.name}': the motion ended after {reverse.count} samples the second time, after "
                     f"{count} the first time")
    covectors, parts = _covectors(run, goals, reverse, found, question)
    moments = goals.entries.get("t", {}).get(count - 1, np.zeros((goals.size, 1)))[:, 0]
    for last in (False, True):
        back = np.array([reverse.back(covectors[k], float(moments[k])) for k in range(goals.size)]).reshape(goals.size, -1)
        try:
            _agrees(model, back, covectors, moments, found, reverse.way, question)
            break
        except Unable:
            if last or not reverse.sharing:
                raise
            reverse.alone()  # a row sees more on the way than where it was asked
    whole = back + parts + goals.explicit()
    return {label: whole[part].reshape(*np.shape(goals.values[label]), len(moves)) for label, part in goals.parts.items()}


def refuse_last(run, question) -> None:
    """Refuse a run that ends at an event in the moment of a sample, which other values of the parameters have or have not."""
    if run._state.get("ending") and len(run._t) > 1 and run._t[-1] - run._t[-2] <= 1e-7 * max(run._t[-1] - run._t[0], 1e-300):
        raise AnalysisError(f"{question} of '{run.model.name}': the run ends at t = {run._t[-1]:.6g} in the moment of a sample, "
                            "which is there or not when a parameter moves the end: there is one derivative for each side. Ask "
                            "for other times=")


def _recorded(run, moves, options, question) -> tuple:
    """The motion once more, with a record of its steps and the tangent that goes along."""
    reverse = Reverse(run.model, moves, question)
    try:
        t, q, v = run.begin
        reverse.start(t, q, v, run.given)
    except Uncoupled as error:
        raise Unable(str(error)) from None
    return reverse, reverse.carried(np.array(options["times"]), options, (len(run._state["watched"]), run._state["ending"]))


def _off_events(run, reverse, k, wanted, question) -> None:
    """``Unable`` where what is read of sample k (field → covectors) has no derivative there, because it stands on an event."""
    for r in reverse.records:
        if r["kind"] == "steps" or r.get("ends") or k not in near(run._t, r["t"], reverse.short):
            continue
        both = [np.hstack(reverse.observed(r["t"] + way, r["y"] + way * r["f"], wanted))
                for way in (-reverse.short, reverse.short)] if wanted else []
        jumps = wanted is None and r["jump"] is not None and r["jump"].any()
        if jumps or (both and np.isnan(told(*(x.T for x in both))).any()):
            raise Unable(f"{question} of '{run.model.name}': an output reads the sample at t = {r['t']:.6g}, where an event or "
                         "a break of a law just happens: take method='forward'")


def _agrees(model, back, covectors, moments, found, way, question) -> None:
    """The way back, along the combination of parameters whose tangent was carried, against that tangent."""
    tangent = np.einsum("gkn,kn->g", covectors, found["dy"][:, :, 0]) + moments * found["dt"][0]
    most = np.abs(found["dy"][:, :, 0]).max(axis=1)  # what a plane motion in space leaves across it is rounding of the rest
    size = np.abs(back) @ np.abs(way) + np.einsum("gkn,k->g", np.abs(covectors), most) * ROUNDING
    size += np.einsum("gkn,kn->g", np.abs(covectors), np.abs(found["y"])) * RESOLVED
    apart = np.abs(back @ way - tangent)
    if not np.all(apart <= APART * size + 1e-300):
        raise Unable(f"{question} of '{model.name}': the way back and a tangent carried along do not agree "
                     f"({np.max(apart / np.maximum(size, 1e-300)):.1e} of the derivative): take method='forward'")


def _covectors(run, goals, reverse, found, question) -> tuple[np.ndarray, np.ndarray]:
    """Goals × samples × y, and what the observed numbers give to the parameters at once."""
    s, n = run.system, len(run._t)
    out, parts = np.zeros((goals.size, n, reverse.ny)), np.zeros((goals.size, len(reverse.all)))
    observed: dict[int, dict[str, np.ndarray]] = {}
    for name, rows in goals.entries.items():
        for k, g in rows.items():
            if name == "v":
                _off_events(run, reverse, k, None, question)
                out[:, k, s.nq:s.nq + s.nv] += g
            elif name in ("kinetic", "potential"):
                whole = observed.setdefault(k, {}).setdefault("report", np.zeros((goals.size, len(REPORTED))))
                whole[:, REPORTED.index(name)] += g[:, 0]
            elif name == "q":
                out[:, k, :s.nq] += g
                for m in s.tables.tracked:  # running angles are the measured ones
                    slot = int(s.tables.measures["slot"][m])
                    if np.any(g[:, slot]):
                        where = observed.setdefault(k, {})
                        where.setdefault("measured", np.zeros((goals.size, 3 * len(s.tables.measures))))
                        where["measured"][:, 3 * m] += g[:, slot]
                    out[:, k, slot] = 0.0
            elif name not in PLAIN:
                where = observed.setdefault(k, {})
                where[name] = where.get(name, 0.0) + g
    for k, wanted in observed.items():
        _off_events(run, reverse, k, wanted, question)
        onto, part = reverse.observed(found["t"][k], found["y"][k], wanted)
        out[:, k] += onto
        parts += part
    return out, parts
