"""Integrating derived equations with the engine's own integrator: no bodies, only coordinates, kept on their constraints.

Equations in independent coordinates end at a dead point of these (flow.py, κ).  Where κ falls below LOST of what it is near the
drawing, the integration goes over to all coordinates of the same derivation, with multipliers, which know no dead point; a note
in the certificate says when, and why.
"""

from __future__ import annotations

import math
import time

import numpy as np

from dalembert.analyses.assemble import assemble
from dalembert.analyses.dynamics import beginning
from dalembert.analyses.simulation.law_breaks import stations
from dalembert.analyses.simulation.sample_times import output_times
from dalembert.errors import EVENT, SimulationError
from dalembert.integrators.registry import known, record, shown
from dalembert.results.motion import State
from dalembert.symbolic.numbers.flow import Flow
from dalembert.symbolic.numbers.states import random_states
from dalembert.symbolic.numbers.trajectory import Trajectory

LOST = 0.05
COUNTED = ("steps", "rejected", "rhs_calls", "projections", "event_calls")


def simulate(
    eqs, until, *, step=None, times=None, integrator="auto", rtol=1e-6, atol=1e-9, start=None, state=None, max_steps=10_000_000,
    max_step=None,
) -> Trajectory:
    """Motion by the derived equations, from the model's initial state (or ``state``) to ``until``."""
    here = ("auto", *shown(needs="", error_control=True))
    if known().get(integrator, integrator) not in {known()[name] for name in here}:
        raise SimulationError(f"integrator '{integrator}' is not known here; choose from {', '.join(here)}")
    method = record(known()[integrator]).name
    if any(not (isinstance(x, (int, float)) and math.isfinite(x) and x > 0) for x in (rtol, atol, max_step or 1.0)):
        raise SimulationError("rtol, atol and max_step must be positive numbers")
    start = beginning(eqs.model, start, state)
    moments = output_times(eqs.model, start, until, step, times)
    if state is None:
        state = assemble(eqs.model, start)
    elif not isinstance(state, State):
        raise SimulationError(f"state= takes what assemble() or run.state() returned, not {type(state).__name__}")
    begin = time.perf_counter()
    flow = Flow(eqs)
    y = np.append(flow.start(*flow.read(state)), 0.0)
    looked = stations(state.system, float(state.t), float(moments[-1]))
    options = {"method": method, "rtol": rtol, "atol": atol, "max_steps": max_steps, "h_max": max_step or 0.0,
               "stations": looked.rows}
    notes = list(looked.notes)
    t, rows, work, stats, ended = _integrate(flow, float(state.t), y, moments, options)
    if ended is not None:
        when, y = ended
        full = Flow(eqs.with_all_coordinates())
        if when > float(state.t):
            y = np.concatenate([full.taken(flow.observed([when], [y])[0]), y[flow.n + flow.m:]])
        else:  # drawn there: these coordinates cannot even tell its speeds
            y = np.append(full.start(*full.read(state)), 0.0)
        options["max_steps"] = max_steps - stats["steps"] - stats["rejected"]
        left = moments[moments > (t[-1] if t.size else -np.inf)]
        t2, rows2, work2, more, _ = _integrate(full, when, y, left, options)
        t, rows, work = np.append(t, t2), np.vstack([rows, rows2]), np.append(work, work2)
        notes.append(f"at t = {when:.4g} s {_listed(eqs.coordinates)} near a dead point, where the other coordinates do not "
                     "follow: from there all coordinates were integrated, with multipliers")
        stats = {**more, **{k: stats[k] + more[k] for k in COUNTED}, "all_coordinates_from": when}
    stats |= {"seconds": time.perf_counter() - begin, "rtol": rtol, "atol": atol, "method": record(method).names[0],
              "notes": notes, "doubts": looked.doubts}
    return Trajectory(eqs, t, rows, work, flow.natural, stats)


def _integrate(flow, now, y, moments, options):
    """Samples (t, observed, W), statistics, and (time, y) where the independent coordinates lost their meaning, or None."""
    from dalembert.integrators.solve import solve

    clock, rates = np.array([now]), np.zeros_like(y)
    weights = np.ones(y.size)
    weights[-1] = 1e40  # W rides along
    limit = LOST * _usual(flow) if flow.meaning else 0.0
    if flow.meaning and not flow.meaning_at(now, y) > limit:
        return np.zeros(0), np.zeros((0, _width(flow))), np.zeros(0), dict.fromkeys(COUNTED, 0), (now, y)
    g = np.zeros(1)
    watch = flow.falls_below(limit).bind(clock, y, g) if flow.meaning else None
    found = solve(flow.rates.bind(clock, y, rates), clock, y, rates, moments, weights=weights,
                  project=flow.project.bind(clock, y, y) if flow.project else None,
                  events=watch, g=g if watch else None, directions=[-1] if watch else None,
                  terminal=[1] if watch else None, **options)
    samples = found.y.T
    if not found.success:
        raise SimulationError(
            f"equations of '{flow.eqs.model.name}' stopped at t = {float(found.state['real'][0]):g}: {found.message}"
        )
    rows = flow.observed(found.t, samples) if found.t.size else np.zeros((0, _width(flow)))
    ended = (float(found.events.t[-1]), found.events.y[:, -1]) if found.status == EVENT else None
    return found.t, rows, samples[:, -1], found.stats, ended


def _width(flow) -> int:
    return len(flow.eqs.kin.positions) + flow.eqs.kin.n + 3


def _usual(flow) -> float:
    """The largest κ among a few states near the drawing."""
    found = []
    for state in random_states(flow.eqs.model, 6, seed=7):
        y = np.append(flow.start(*flow.read(state)), 0.0)
        found.append(flow.meaning_at(state.t, y))
    return float(np.nanmax(found))


def _listed(names) -> str:
    return f"coordinate '{names[0]}' came" if len(names) == 1 else f"coordinates {', '.join(names)} came"
