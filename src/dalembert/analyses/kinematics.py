"""kinematics: positions, velocities and accelerations of a driven mechanism, from its constraints alone.

    Φ(q, t) = 0,   D v = ν,   D v̇ = γ          as many independent rows as velocities: nothing is left free

The configurations are followed in time in compiled code (equations/paths.py): the branch of the drawing is kept.  Velocity-level
rows (rolling, blades) do not fix positions: with them the motion is integrated in time (tolerance 1e-10).
"""

from __future__ import annotations

import time

import numpy as np

from dalembert.analyses.assemble import adopt, assemble
from dalembert.analyses.driving import driven_state, overdriven
from dalembert.analyses.dynamics import _times, model_hash, simulate, versions
from dalembert.analyses.lockup import SingularPose, describe, turning_point
from dalembert.analyses.mobility import null_space
from dalembert.analyses.rest import stopped, workspace
from dalembert.analyses.stations import refuse_jumps
from dalembert.equations import paths
from dalembert.errors import AnalysisError, AssemblyError, SimulationError
from dalembert.results.driven import Driven

NEAR = 0.05  # squared sine below which a sample may be next to a singular pose
SINGULAR = 1e-9  # squared sine that counts as singular


class Kinematics(Driven):
    """Motion of a driven mechanism: run["piston"].acceleration, run["A"].coordinate, run.singular."""

    label = "kinematics"


def kinematics(model, until=None, *, step=None, times=None, start=0.0, state=None) -> Kinematics:
    """Follow the driven mechanism from ``start`` to ``until``: samples every ``step`` (default: 200 of them) or at ``times``."""
    return follow(model, until, step, times, start, state, "kinematics", Kinematics)


def sample_times(model, until, step, times, start, question):
    """Sample times as simulate takes them; times= alone says where it ends."""
    try:
        found = _times(model, start, until, step, times)
    except SimulationError as error:
        raise AnalysisError(str(error).replace("simulate", question).replace("simulation", "analysis")) from None
    return found


def begin(model, start, state, question):
    """A consistent start whose drives fix the motion."""
    try:
        state = assemble(model, start) if state is None else adopt(model, state)
    except AssemblyError as error:
        free, drives = _without_drives(model, start)
        if free is not None and len(drives) > free:
            raise AnalysisError(overdriven(f"{question} of '{model.name}': ", len(drives) - free, drives, free)
                                + f" ({error})") from None
        _singular_start(model, start, drives, question)
        raise
    driven_state(model, state, question)
    return state


def _singular_start(model, start, drives, question) -> None:
    """When the pose can be had but not the velocities, because it is a toggle pose: say so."""
    try:
        _, rest = stopped(model, start)
    except AssemblyError:
        return
    w = workspace(rest)
    if null_space(w).shape[1] and drives:
        pose = describe(model, w, "toggle")
        raise AnalysisError(f"{question} of '{model.name}': the start is a singular pose, from which {', '.join(drives)} cannot "
                            f"move it; {pose}. Start from another pose, or drive another coordinate.") from None


def _without_drives(model, start):
    """Degrees of freedom without the drives (None when even that cannot be assembled), and the drives."""
    drives = [e.name for e in model.elements.values() if e.kind == "drive"]
    other = model.copy()
    for name in drives:
        other.remove(name)
    other.initials = {}
    try:
        state = assemble(other, start)
    except AssemblyError:
        return None, drives
    w = state.system.workspace()
    w.set(state.t, state.q, state.v)
    return null_space(w).shape[1], drives


def follow(model, until, step, times, start, state, question, kind):
    """The loop behind kinematics and inverse dynamics; ``kind`` is the class of the result."""
    found = sample_times(model, until, step, times, start, question)
    if times is not None and start == 0.0:
        start = min(start, float(found[0]))
    state = begin(model, start, state, question)
    refuse_jumps(state.system, (min(state.t, float(found[0])), found[-1]), question == "inverse dynamics")
    if any(r.level == 1 for r in state.system.rows):
        return _integrated(model, state, found, kind)
    clock = time.perf_counter()
    lead = int(found[0] > state.t)
    steps = np.concatenate([[state.t], found]) if lead else found
    w = state.system.workspace()
    w.set(state.t, state.q, state.v)
    w.options[3] = 8
    path = paths.new_path(w, steps, _floor(state.system))
    w.work[:] = 0.0
    status = w.run("configure")
    path.kept_q[:], path.kept_v[:], path.kept_a[:] = w.q, w.v, w.vdot
    status = status or paths.FOLLOW.bind(w.arrays, path)()
    seconds = time.perf_counter() - clock
    done = int(path.count[paths.DONE])
    stats = {"method": "newton", "steps": int(path.count[paths.STEPS]), "refused": int(path.count[paths.REFUSED]),
             "configurations": done - lead, "seconds": seconds}
    nq, nv = state.system.nq, state.system.nv
    q, v = path.q.reshape(-1, nq)[lead:done], path.v.reshape(-1, nv)[lead:done]
    complete = status == 0
    run = kind(model, state.system, steps[lead:done], q, v, stats, status="complete" if complete else "partial",
               message="complete" if complete else "partial", versions=versions(), model_hash=model_hash(model))
    run._vdot = path.a.reshape(-1, nv)[lead:done]
    run.singular = _passed(model, w, path, done)
    if not complete:
        raise _stopped(model, w, path, run, question)
    return run


def _integrated(model, state, times, kind):
    """Positions of a driven mechanism that rolls: by integration."""
    first = simulate(model, float(times[-1]), times=times, start=state.t, state=state, rtol=1e-10, atol=1e-12)
    stats = dict(first.stats, configurations=len(times), refused=first.stats.get("rejected"))
    run = kind(model, first.system, first._t, first._q, first._v, stats, versions=versions(), model_hash=model_hash(model))
    run._vdot = run.observed.vdot
    return run


def _floor(system) -> float:
    """Movement (sum over all coordinates) so small that it is never another branch: a hundredth of the drawing."""
    n = system.kind.SIZE_Q
    r = system.q_drawn[: n * system.nb].reshape(-1, n)[:, : system.dim]
    return 0.01 * (float(np.ptp(r, axis=0).max(initial=0.0)) + 0.1 * system.nb)


def _passed(model, w, path, done) -> list[SingularPose]:
    """Singular poses between the samples: where the smallest pivot touches zero."""
    usual = path.dropped[:done].min(initial=np.inf)
    pivot = np.where(path.dropped[:done] > usual, 0.0, path.pivot[:done])
    found: list[SingularPose] = []
    nq, nv = w.q.size, w.v.size
    before, after = np.concatenate([pivot[:1], pivot[:-1]]), np.concatenate([pivot[1:], [np.inf]])
    for k in np.flatnonzero((pivot < NEAR) & (pivot <= before) & (pivot < after) | (pivot == 0.0)):
        left, right = max(k - 1, 0), min(k + 1, done - 1)
        if found and found[-1].t >= path.times[left]:
            continue
        q, v = path.q.reshape(-1, nq), path.v.reshape(-1, nv)
        t, least = _smallest(w, path.times, q, v, path.a.reshape(-1, nv), k, left, right, usual)
        if least < SINGULAR:
            found.append(describe(model, w, "toggle"))
    return found


def _smallest(w, times, q, v, a, k, left, right, usual):
    """Time between two samples at which the smallest pivot is least (golden section), and that pivot."""

    def at(t):
        h = t - times[k]
        w.set(times[k], q[k], v[k])
        w.vdot[:] = h * (v[k] + 0.5 * h * a[k])
        w.run("move")
        w.t[0] = t
        w.v[:] = v[k] + h * a[k]
        w.work[: len(a[k])] = a[k]
        if w.run("configure"):
            return 1.0
        return 0.0 if w.reported("dropped") > usual else w.reported("pivot")

    low, high, ratio = times[left], times[right], 0.5 * (5**0.5 - 1)
    there = at(times[k])
    best = (there, times[k])
    x, y = high - ratio * (high - low), low + ratio * (high - low)
    fx, fy = at(x), at(y)
    for turn in range(60):
        best = min(best, (fx, x), (fy, y))
        if turn == 12 and best[0] > 1e-2 * there:  # towards a zero it would have fallen a hundred thousand times
            break
        if fx < fy:
            high, y, fy = y, x, fx
            x = high - ratio * (high - low)
            fx = at(x)
        else:
            low, x, fx = x, y, fy
            y = low + ratio * (high - low)
            fy = at(y)
        if high - low < 1e-13 * max(abs(high), times[-1] - times[0]):
            break
    t, least = best[1], best[0]
    if least < SINGULAR:  # the sine is |c (t − t*)| beside the pose: its zero from both sides, closer and closer
        away = 0.1 * (times[right] - times[left])
        for _ in range(4):
            f, g = at(t - away) ** 0.5, at(t + away) ** 0.5
            if not (0.0 < f < 1.0 and 0.0 < g < 1.0):
                break
            t += away * (f - g) / (f + g)
            away *= min(1.0, 2e-4 / (f + g))
    at(t)
    return t, least


def _stopped(model, w, path, run, question) -> AnalysisError:
    """The message for a motion that cannot be followed to its end; what was found rides along as .run."""
    reached = float(path.real[paths.TIME])
    w.set(reached, path.kept_q, path.kept_v)
    span = float(path.times[-1] - path.times[0])
    pose = turning_point(model, w, span)
    if pose is not None:
        run.singular.append(pose)
        held = [(r.group, model.elements[r.group].of) for r in w.system.rows if r.driver]
        asked = ", ".join(f"'{d}' on {getattr(of, 'name', of)}" for d, of in held)
        text = (f"{pose}. The drive asks for more than the links allow ({asked}): end at t = {pose.t:.6g}, let the law turn back "
                "before, or change lengths.")
    else:
        text = (f"no configuration near t = {reached:.9g} continues the motion. A law that jumps, or one that is not a number, "
                "does this; so do links that must pass through each other's singular pose.")
    error = SimulationError(f"{question} of '{model.name}' stopped at t = {reached:.9g} of {path.times[-1]:g}: {text} The part "
                            "computed so far is in the exception's .run")
    error.run = run
    return error
