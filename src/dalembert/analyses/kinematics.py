"""kinematics: positions, velocities and accelerations of a driven mechanism, from its constraints alone.

    Φ(q, t) = 0,   D v = ν,   D v̇ = γ          as many independent rows as velocities: nothing is left free

The configurations are followed in time in compiled code (equations/paths.py): the branch of the drawing is kept.  Velocity-level
rows (rolling, blades) do not fix positions: with them the motion is integrated in time (tolerance 1e-10).
"""

from __future__ import annotations

import time

import numpy as np

from dalembert.analyses.assemble import adopt, assemble
from dalembert.analyses.assembly.moved import moved
from dalembert.analyses.driven.driving import driven_state, overdriven
from dalembert.analyses.driven.lockup import SingularPose, describe, turning_point
from dalembert.analyses.dynamics import simulate
from dalembert.analyses.simulation.law_breaks import refuse_jumps
from dalembert.analyses.simulation.sample_times import output_times
from dalembert.analyses.statics.at_rest import stopped, workspace_at
from dalembert.analyses.toolbox.mobility import null_space
from dalembert.analyses.toolbox.origin import model_hash, versions
from dalembert.analyses.toolbox.stateless import refuse_friction, refuse_states
from dalembert.elements.given import Times
from dalembert.equations import paths
from dalembert.equations.workspace import workspace
from dalembert.errors import AnalysisError, AssemblyError, SimulationError
from dalembert.model.model import Model
from dalembert.results.driven import Driven
from dalembert.results.motion import State
from dalembert.results.trust import limits
from dalembert.results.trust.certificate import say
from dalembert.system.arrays import REPORT

NEAR = 0.05  # squared sine below which a sample may be next to a singular pose
SINGULAR = 1e-9  # squared sine that counts as singular
BESIDE = 1e-4  # squared sine below which a sample is taken from states on both sides of it
MANY = 20  # steps beside singular poses that are always put aside
ROUNDS = 6  # of following the motion without steps that were found beside singular poses
GUARD = 1e-6  # of the window: nearer to a pole of a reaction its value is not a number


class Kinematics(Driven):
    """Motion of a driven mechanism: run["piston"].acceleration, run["A"].coordinate, run.singular."""

    label = "kinematics"


def kinematics(model: Model, until: float | None = None, *, step: float | None = None, times: Times | None = None,
               start: float = 0.0, state: State | None = None) -> Kinematics:
    """Follow the driven mechanism from ``start`` to ``until``.

    Parameters
    ----------
    model : Model
        All its degrees of freedom are driven.
    until : number [s], optional
        The end; left out: the last of ``times``.
    step : number [s], optional
        Between samples; left out: 200 samples.
    times : numbers [s], optional
        Samples at these times instead.
    start : number [s], default 0.0
        The beginning.
    state : State, optional
        The beginning's pose; left out: the assembled drawing.

    Returns
    -------
    Kinematics
        Positions, velocities and accelerations over time; ``singular`` lists where it locks.
    """
    return follow(model, until, step, times, start, state, "kinematics", Kinematics)


def sample_times(model, until, step, times, start, question):
    """Sample times as simulate takes them; times= alone says where it ends."""
    try:
        found = output_times(model, start, until, step, times)
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
    w = workspace_at(rest)
    if null_space(w).shape[1] and drives:
        pose = describe(model, w, "toggle")
        raise AnalysisError(f"{question} of '{model.name}': the start is a singular pose, from which {', '.join(drives)} cannot "
                            f"move it; {pose}. Start from another pose, or drive another coordinate.") from None


def _without_drives(model, start):
    """Degrees of freedom without the drives (None when even that cannot be assembled), and the drives."""
    drives = list(dict.fromkeys(r.group for r in model.compile().rows if r.driver))
    other = model.copy()
    for name in drives:
        other.remove(name)
    other.initials = {}
    try:
        state = assemble(other, start)
    except AssemblyError:
        return None, drives
    w = workspace(state.system)
    w.set(state.t, state.q, state.v)
    return null_space(w).shape[1], drives


def follow(model, until, step, times, start, state, question, kind):
    """The loop behind kinematics and inverse dynamics; ``kind`` is the class of the result."""
    refuse_friction(model, f"{question} of '{model.name}'")
    found = sample_times(model, until, step, times, start, question)
    if times is not None and start == 0.0:
        start = min(start, float(found[0]))
    drawn = state is None
    state = begin(model, start, state, question)
    told = moved(model, state) if drawn else None
    notes = {"notes": [str(told)]} if told else {}
    refuse_states(state.system, f"{question} of '{model.name}'")
    refuse_jumps(state.system, (min(state.t, float(found[0])), found[-1]), question == "inverse dynamics")
    if any(r.level == 1 for r in state.system.rows):
        return _integrated(model, state, found, kind, notes)
    clock = time.perf_counter()
    lead = int(found[0] > state.t)
    steps = np.concatenate([[state.t], found]) if lead else found
    w = workspace(state.system)
    w.set(state.t, state.q, state.v)
    w.options.iterations = 8
    path, status, done = _skirting(w, state, steps)
    seconds = time.perf_counter() - clock
    stats = {"method": "newton", "steps": int(path.count[paths.STEPS]), "refused": int(path.count[paths.REFUSED]),
             "configurations": done - lead, "seconds": seconds, **notes}
    nq, nv = state.system.nq, state.system.nv
    q, v = path.q.reshape(-1, nq)[lead:done], path.v.reshape(-1, nv)[lead:done]
    complete = status == 0
    run = kind(model, state.system, steps[lead:done], q, v, stats, status="complete" if complete else "partial",
               message="complete" if complete else "partial", versions=versions(), model_hash=model_hash(model))
    run._vdot = path.a.reshape(-1, nv)[lead:done]
    run.singular = _passed(model, w, path, done)
    _take_limits(run, path, done, lead)
    if not complete:
        raise _stopped(model, w, path, run, question)
    return run


def _skirting(w, state, steps):
    """Follow the motion over all steps.  A state on or beside a singular pose is no ground to go on from (its velocities are open
    or rounding): such steps are put aside, and the others followed once more without them."""
    nq, nv = w.q.size, w.v.size
    aside: dict[int, tuple] = {}
    for _ in range(ROUNDS):
        taken = np.array([k for k in range(len(steps)) if k not in aside])
        w.set(state.t, state.q, state.v)
        path = paths.new_path(w, steps[taken], _floor(state.system))
        w.predicted[:] = 0.0
        status = w.run("configure")
        path.kept_q[:], path.kept_v[:], path.kept_a[:] = w.q, w.v, w.vdot
        status = status or paths.FOLLOW.bind(w.arrays, path)()
        done = int(path.count[paths.DONE])
        q, v, a = path.q.reshape(-1, nq), path.v.reshape(-1, nv), path.a.reshape(-1, nv)
        near, _ = limits.near(w.system, _report(path, done), BESIDE, path.times[:done], q[:done])
        new = [k for k in near if k]
        if not new or len(new) > max(MANY, 0.5 * done):  # all of it nearly singular: there is nothing to skirt
            break
        aside |= {int(taken[k]): (q[k], v[k], a[k], path.pivot[k], path.dropped[k]) for k in new}
    if not aside:
        return path, status, done
    whole = paths.new_path(w, steps, path.real[paths.FLOOR])
    for name in ("kept_q", "kept_v", "kept_a", "real", "count"):
        getattr(whole, name)[:] = getattr(path, name)
    found = aside | {int(k): (q[i], v[i], a[i], path.pivot[i], path.dropped[i]) for i, k in enumerate(taken[:done])}
    done = next((k for k in range(len(steps)) if k not in found), len(steps))
    for k in range(done):
        whole.q[nq * k:nq * k + nq], whole.v[nv * k:nv * k + nv], whole.a[nv * k:nv * k + nv] = found[k][:3]
        whole.pivot[k], whole.dropped[k] = found[k][3:]
    return whole, status, done


def _report(path, done):
    out = np.zeros(done, REPORT).view(np.recarray)
    out.dropped, out.pivot = path.dropped[:done], path.pivot[:done]
    return out


def _take_limits(run, path, done, lead) -> None:
    """Samples on or beside singular poses get the limits along the motion (results/trust/limits.py)."""
    system = run.system
    q, v, a = path.q.reshape(-1, system.nq)[:done], path.v.reshape(-1, system.nv)[:done], path.a.reshape(-1, system.nv)[:done]
    times, found = path.times[:done], []
    flagged, shape = limits.near(system, _report(path, done), BESIDE, times, q)
    regular = np.setdiff1d(np.arange(done), flagged)
    if not len(regular):
        regular = np.array([0])
    for k in flagged:
        def along(at, k=k):
            before = regular[times[regular] <= at[0]]
            i = int(before[-1]) if len(before) else 0
            return _between(system, times[i], q[i], v[i], a[i], at)

        speeds = np.where(np.isin(np.arange(done), flagged)[:, None], v[regular[np.argmin(abs(regular - k))]], v)
        limit = limits.find(shape, system, times, q, speeds, int(k), along, times[0], GUARD, a[k])
        if limit is None:
            continue
        q[k], v[k], a[k] = limit.q, limit.v, limit.vdot
        if k >= lead:
            limit.sample = k - lead
            found.append(limit)
    run.limits = found
    motion, forces = limits.told(run._t, found)
    say(run.stats, "doubts", motion)
    say(run.stats, "doubts" if run.label != "kinematics" else "notes", forces)  # kinematics is asked for the motion


def _between(system, t, q, v, a, at):
    """States of the driven mechanism at the times ``at``, followed from a regular one; as many as are reached."""
    w = workspace(system)
    w.set(t, q, v)
    w.options.iterations = 8
    steps = at if at[0] == t else np.concatenate([[t], at])
    lead = len(steps) - len(at)
    path = paths.new_path(w, steps, _floor(system))
    w.predicted[:] = a
    w.run("configure")
    path.kept_q[:], path.kept_v[:], path.kept_a[:] = q, v, a
    paths.FOLLOW.bind(w.arrays, path)()
    done = int(path.count[paths.DONE])
    return (steps[lead:done], path.q.reshape(-1, system.nq)[lead:done], path.v.reshape(-1, system.nv)[lead:done],
            path.a.reshape(-1, system.nv)[lead:done])


def _asks(element) -> str:
    """A driver in words; only drives name what they drive."""
    of = getattr(element, "of", None)
    return f"'{element.name}'" if of is None else f"'{element.name}' on {getattr(of, 'name', of)}"


def _integrated(model, state, times, kind, notes):
    """Positions of a driven mechanism that rolls: by integration."""
    first = simulate(model, float(times[-1]), times=times, start=state.t, state=state, rtol=1e-10, atol=1e-12)
    stats = dict(first.stats, configurations=len(times), refused=first.stats.get("rejected"), **notes)
    run = kind(model, first.system, first._t, first._q, first._v, stats, versions=versions(), model_hash=model_hash(model))
    run._vdot = run.observed.vdot
    return run


def _floor(system) -> float:
    """Movement (sum over all coordinates) so small that it is never another branch: a hundredth of the drawing."""
    r = system.each_q(system.q_drawn)[:, : system.dim]
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
        w.move(h * (v[k] + 0.5 * h * a[k]))
        w.t[0] = t
        w.v[:] = v[k] + h * a[k]
        w.predicted[:] = a[k]
        if w.run("configure"):
            return 1.0
        return 0.0 if w.report.dropped > usual else w.report.pivot

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
        asked = ", ".join(_asks(model.elements[r.group]) for r in w.system.rows if r.driver)
        text = (f"{pose}. The drive asks for more than the links allow ({asked}): end at t = {pose.t:.6g}, let the law turn back "
                "before, or change lengths.")
    else:
        text = (f"no configuration near t = {reached:.9g} continues the motion. A law that jumps, or one that is not a number, "
                "does this; so do links that must pass through each other's singular pose.")
    error = SimulationError(f"{question} of '{model.name}' stopped at t = {reached:.9g} of {path.times[-1]:g}: {text} The part "
                            "computed so far is in the exception's .run")
    error.run = run
    return error
