"""simulate: forward dynamics.  v̇ from the saddle-point system, adaptive explicit Runge–Kutta, projection after each step.

Outputs come by dense output at the requested times, projected onto the constraints, independent of the steps taken.
"""

from __future__ import annotations

import hashlib
import math
import time

import numpy as np

from dalembert.analyses.assemble import adopt, assemble
from dalembert.analyses.blame import culprit
from dalembert.elements.event import _Event
from dalembert.errors import EVENT, SimulationError
from dalembert.results.run import Run
from dalembert.system.tables import REPORT

METHODS = {"auto": "dop853", "rk8": "dop853", "dop853": "dop853", "rk5": "dp54", "dp54": "dp54"}
FORMULATIONS = ("auto", "augmented")


def simulate(model, until, *, step=None, times=None, integrator="auto", formulation="auto", rtol=1e-6, atol=1e-9,
             start=0.0, state=None, events=(), stop=(), progress=None, max_steps=10_000_000) -> Run:
    """Motion from ``start`` to ``until``; samples every ``step`` (default: 200 of them) or at ``times``.

    ``events`` and ``stop`` are expressions over coordinates and t, as "piston.x - 0.2": their zeros are located and listed in
    ``run.events``; those in ``stop`` end the run.
    """
    if hasattr(model, "verify"):  # derived equations integrate themselves
        return model.simulate(until, step=step, times=times, integrator=integrator, rtol=rtol, atol=atol, start=start,
                              state=state, max_steps=max_steps)
    times = _times(model, start, until, step, times)
    if integrator not in METHODS:
        raise SimulationError(f"integrator '{integrator}' is not known; choose from {', '.join(METHODS)}")
    if formulation not in FORMULATIONS:
        raise SimulationError(f"formulation '{formulation}' is not known; choose from {', '.join(FORMULATIONS)}")
    for name, value in (("rtol", rtol), ("atol", atol)):
        if not (isinstance(value, (int, float)) and math.isfinite(value) and value > 0):
            raise SimulationError(f"{name} must be a positive number, got {value!r}")
    watched = [*_listed(events), *_listed(stop)]
    if watched:
        original, model = model, model.copy()
        for k, expression in enumerate(watched):
            model.elements[f"event {k}"] = _Event(f"event {k}", expression)
        model.initials = original.initials
    state = assemble(model, start) if state is None else adopt(model, state)
    return _integrate(model, state, times, METHODS[integrator], rtol, atol, progress, max_steps, watched, len(_listed(stop)))


def _listed(expressions):
    return [expressions] if isinstance(expressions, str) else list(expressions)


def _integrate(model, state, times, method, rtol, atol, progress, max_steps, watched, ending):
    from dalembert.integrators.solve import solve

    system = state.system
    w = system.workspace()
    w.set(state.t, state.q, state.v)
    weights = np.ones(w.y.size)
    weights[-3:] = rtol / atol * _energy_scale(w)
    begin = time.perf_counter()
    status = w.run("accelerations")
    if status or not np.all(np.isfinite(w.ydot)):
        raise SimulationError(f"simulate '{model.name}': the accelerations at the start are not finite{culprit(system, w.vdot)}")
    solution = solve(w.bound("accelerations"), w.arrays.t, w.y, w.ydot, times, method=method, rtol=rtol, atol=atol,
                     weights=weights, project=w.bound("project") if system.nc else None,
                     tangent=w.bound("tangent") if system.nc else None, quality=w.report[REPORT["pivot"]:REPORT["pivot"] + 1],
                     events=w.bound("events") if watched else None, g=w.g if watched else None,
                     terminal=[k >= len(watched) - ending for k in range(len(watched))] if watched else None,
                     on_progress=progress, max_steps=max_steps)
    seconds = time.perf_counter() - begin
    nq, nv = system.nq, system.nv
    t, y = solution.t, solution.y.T
    if solution.status == EVENT and (not t.size or solution.events.t[-1] > t[-1]):  # the last sample is where it ended
        t, y = np.append(t, solution.events.t[-1]), np.vstack([y, solution.events.y[:, -1]])
    stats = {**solution.stats, "method": method, "seconds": seconds, "rtol": rtol, "atol": atol}
    run = Run(model, system, t, y[:, :nq], y[:, nq:nq + nv], y[:, nq + nv:], stats,
              "complete" if solution.success else "partial", solution.message if not solution.success else "complete",
              solution.state, _versions(), model_hash(model))
    run.events = [(watched[int(k)], float(t)) for t, k in zip(solution.events.t, solution.events.index, strict=True)]
    if not solution.success:
        reached = float(solution.state["real"][0])
        reason = solution.message.rstrip(".")
        error = SimulationError(f"simulate '{model.name}' stopped at t = {reached:.6g} of {times[-1]:g}: {reason}"
                                f"{culprit(system, w.vdot)}. The part computed so far is in the exception's .run")
        error.run = run
        raise error
    return run


def _energy_scale(w) -> float:
    """What the ledger is measured against: the weight of the mechanism over its own size, and the energy it starts with."""
    s = w.system
    mass = float(s.tables.bodies["mass"].sum())
    weight = float(np.linalg.norm(s.tables.gravity)) * s.size * np.sqrt(mass)
    w.run("observe")
    scale = weight + w.reported("kinetic")
    return scale if scale > 0.0 else 1e40  # nothing to compare with: the ledger rides along


def _times(model, start, until, step, times):
    if times is not None:
        if step is not None:
            raise SimulationError("give step= or times=, not both")
        found = np.asarray(times, dtype=float)
        if found.ndim != 1 or found.size == 0 or not np.all(np.isfinite(found)) or np.any(np.diff(found) <= 0):
            raise SimulationError("times must be a list of finite, increasing numbers")
        if until is not None and found[-1] > until * (1 + 1e-12) + 1e-300:
            raise SimulationError(f"times end at {found[-1]:g}, after until = {until:g}")
        if found[0] < start:
            raise SimulationError(f"times start at {found[0]:g}, before the start of the simulation at {start:g}")
        return found
    if not isinstance(until, (int, float)) or not math.isfinite(until) or until <= start:
        raise SimulationError(f"simulate '{model.name}': until must be a time after the start {start:g}, got {until!r}")
    if step is None:
        return np.linspace(start, until, 201)
    if not (isinstance(step, (int, float)) and step > 0):
        raise SimulationError(f"step must be positive, got {step!r}")
    count = math.floor((until - start) / step + 1e-9)
    found = start + step * np.arange(count + 1)
    return found if found[-1] > until - 1e-9 * step else np.append(found, until)


def model_hash(model) -> str:
    """Fingerprint of the description: same model text, same hash."""
    parts = [model.name, str(model.dim), repr(model.gravity), repr(dict(model.parameters)), repr(model.initials)]
    parts += [repr(e) for e in (*model.bodies.values(), *model.elements.values())]
    return hashlib.blake2b("\n".join(parts).encode(), digest_size=8).hexdigest()


def _versions() -> dict[str, str]:
    import platform

    import dalembert

    return {"dalembert": dalembert.__version__, "numpy": np.__version__, "python": platform.python_version()}
