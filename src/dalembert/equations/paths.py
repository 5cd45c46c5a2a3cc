"""Loops over many states in compiled code: follow a driven mechanism through time, and evaluate everything at given states.

    follow    from time to time: predict q ⊕ (h v + h² v̇/2), v + h v̇, then ``configure`` (equations/driven.py).  No body turns
              by more than 0.6 rad in a step.  A step is taken back and halved when Newton's method fails, or when it moves the
              bodies by more than a quarter of what was predicted: then it may have found another branch.  The step that
              shrinks to nothing is reported, not forced.
    record    ``observe`` at every given state (``inverse`` when accelerations are given too), all that it computes copied into
              arrays over the samples

Both reach the equations through bound entries (``call``), so one compiled loop serves plane and space.
"""

from __future__ import annotations

import math

import numpy as np

from dalembert._jit import call, entry, kernel, struct
from dalembert.system.arrays import REPORT, Arrays

Path = struct("Path", {
    "times": "f8",  # m, increasing
    "q": "f8", "v": "f8", "a": "f8",  # m × nq, m × nv, m × nv
    "pivot": "f8", "dropped": "f8",  # m: how far from singular; dependent rows
    "kept_q": "f8", "kept_v": "f8", "kept_a": "f8", "guess": "f8",  # the last good configuration; the prediction
    "real": "f8",  # SMALLEST ...
    "count": "i8",  # DONE ...
    "shape": "i8",  # velocities per body, dimension
    "handle": "i8",  # MOVE ...
})
SMALLEST, FLOOR, TIME = range(3)  # smallest step, movement that is always trusted, time reached
DONE, STEPS, REFUSED, FRESH = range(4)  # FRESH: the factors at hand are those of the kept configuration
MOVE, CONFIGURE, RECONFIGURE = range(3)
TURN = 0.6  # rad, predicted turn of a body in one step at most
TRUST = 0.25  # a correction larger than this part of the prediction may be another branch
NOT_CONVERGED = 2

FIELDS = ("vdot", "lam", "reaction", "measured", "phi", "nu", "gamma", "Q", "missing", "pose", "twist", "power", "report",
          "strength", "residual", "speed")
Samples = struct("Samples", {"t": "f8", "q": "f8", "v": "f8", "a": "f8", "status": "i8", "handle": "i8"} | dict.fromkeys(
    [f"o_{f}" for f in FIELDS], "f8") | {"o_report": REPORT})


@kernel
def copy(source, start, out, to, size):
    for k in range(size):
        out[to + k] = source[start + k]


@kernel
def note(report, out):
    """The report of one sample."""
    out.dropped, out.residual, out.fallback = report.dropped, report.residual, report.fallback
    out.position, out.velocity, out.rank = report.position, report.velocity, report.rank
    out.kinetic, out.potential = report.kinetic, report.potential
    out.pivot, out.left_out = report.pivot, report.left_out


@kernel
def turn(p, h):
    """Largest turn of a body predicted for a step h."""
    size = p.shape[0]
    most = 0.0
    for at in range(0, p.kept_v.size, size):
        for c in range(p.shape[1], size):
            most = max(most, math.fabs(h * (p.kept_v[at + c] + 0.5 * h * p.kept_a[at + c])))
    return most


@kernel
def advance(w, p, h):
    """One step of length h from the kept configuration.  Status 0, 2 refused, 3 not finite."""
    nq, nv = w.q.size, w.v.size
    copy(p.kept_q, 0, w.q, 0, nq)
    copy(p.kept_v, 0, w.v, 0, nv)
    for k in range(nv):
        w.shift[k] = h * (p.kept_v[k] + 0.5 * h * p.kept_a[k])
    call(p.handle[MOVE])
    for k in range(nv):
        w.v[k] += h * p.kept_a[k]
        w.predicted[k] = p.kept_a[k]
    copy(w.q, 0, p.guess, 0, nq)
    w.t[0] = p.real[TIME] + h
    status = call(p.handle[RECONFIGURE if p.count[FRESH] else CONFIGURE])
    p.count[FRESH] = 0
    if status != 0:
        return status
    moved = 0.0
    mended = 0.0
    for k in range(nq):
        moved += math.fabs(p.guess[k] - p.kept_q[k])
        mended += math.fabs(w.q[k] - p.guess[k])
    if not mended <= TRUST * moved + p.real[FLOOR]:
        return NOT_CONVERGED
    return 0


@kernel
def follow(w, p):
    """All configurations from times[DONE] on; the kept configuration is that at real[TIME].  Status 0 or why it ended."""
    nq, nv = w.q.size, w.v.size
    h = 0.0
    for k in range(p.count[DONE], p.times.size):
        while p.real[TIME] < p.times[k]:
            left = p.times[k] - p.real[TIME]
            if h <= 0.0 or h > left:
                h = left
            while turn(p, h) > TURN and h > p.real[SMALLEST]:
                h *= 0.5
            status = advance(w, p, h)
            p.count[STEPS] += 1
            if status != 0:
                p.count[REFUSED] += 1
                h *= 0.5
                if h < p.real[SMALLEST] or (status == 3 and h < 1e3 * p.real[SMALLEST]):
                    return status
                continue
            p.count[FRESH] = 1
            copy(w.q, 0, p.kept_q, 0, nq)
            copy(w.v, 0, p.kept_v, 0, nv)
            copy(w.vdot, 0, p.kept_a, 0, nv)
            if h >= left:
                p.real[TIME] = p.times[k]
            else:
                p.real[TIME] += h
            h *= 2.0
        copy(p.kept_q, 0, p.q, nq * k, nq)
        copy(p.kept_v, 0, p.v, nv * k, nv)
        copy(p.kept_a, 0, p.a, nv * k, nv)
        p.pivot[k] = w.report.pivot
        p.dropped[k] = w.report.dropped
        p.count[DONE] = k + 1
    return 0


@kernel
def record(w, o):
    """Everything about every sample; speed is D v − ν, residual D v̇ − γ."""
    nq, nv = w.q.size, w.v.size
    for k in range(o.t.size):
        w.t[0] = o.t[k]
        copy(o.q, nq * k, w.q, 0, nq)
        copy(o.v, nv * k, w.v, 0, nv)
        if o.a.size > 0:
            copy(o.a, nv * k, w.vdot, 0, nv)
        o.status[k] = call(o.handle[0])
        copy(w.vdot, 0, o.o_vdot, nv * k, nv)
        copy(w.Q, 0, o.o_Q, nv * k, nv)
        copy(w.missing, 0, o.o_missing, nv * k, nv)
        n = w.lam.size
        copy(w.lam, 0, o.o_lam, n * k, n)
        copy(w.phi, 0, o.o_phi, n * k, n)
        copy(w.nu, 0, o.o_nu, n * k, n)
        copy(w.gamma, 0, o.o_gamma, n * k, n)
        copy(w.residual, 0, o.o_residual, n * k, n)
        copy(w.reaction, 0, o.o_reaction, w.reaction.size * k, w.reaction.size)
        copy(w.measured, 0, o.o_measured, w.measured.size * k, w.measured.size)
        copy(w.pose, 0, o.o_pose, w.pose.size * k, w.pose.size)
        copy(w.twist, 0, o.o_twist, w.twist.size * k, w.twist.size)
        copy(w.power, 0, o.o_power, w.power.size * k, w.power.size)
        note(w.report, o.o_report[k])
        copy(w.strength, 0, o.o_strength, w.strength.size * k, w.strength.size)
        call(o.handle[1])
        copy(w.speed, 0, o.o_speed, n * k, n)
    return 0


FOLLOW = entry("paths", "follow", follow, Arrays, Path, module=__name__)
RECORD = entry("paths", "record", record, Arrays, Samples, module=__name__)


def observe_all(work, t, q, v, a=None) -> dict[str, np.ndarray]:
    """Arrays over the samples, by the names in FIELDS, and status; with accelerations ``a`` only multipliers are solved for."""
    n = len(t)
    sizes = {f: getattr(work.arrays, f).size for f in FIELDS}
    out = {f: np.zeros(n * size, getattr(work.arrays, f).dtype) for f, size in sizes.items()}
    status = np.zeros(n, dtype=np.int64)
    handles = np.array([work.bound("observe" if a is None else "inverse").handle, work.bound("speeds").handle], dtype=np.int64)
    samples = Samples(np.ascontiguousarray(t, dtype=float), np.ascontiguousarray(q, dtype=float).ravel(),
                      np.ascontiguousarray(v, dtype=float).ravel(),
                      np.zeros(0) if a is None else np.ascontiguousarray(a, dtype=float).ravel(), status, handles, *out.values())
    RECORD.bind(work.arrays, samples)()
    return {f: x.view(np.recarray) if x.dtype.names else x.reshape(n, sizes[f]) for f, x in out.items()} | {"status": status}


def new_path(work, times, floor):
    """Arrays for ``follow`` on a workspace."""
    nq, nv, m = work.q.size, work.v.size, len(times)
    span = max(times[-1] - times[0], 1e-300)
    handles = np.array([work.bound(name).handle for name in ("move", "configure", "reconfigure")], dtype=np.int64)
    return Path(np.ascontiguousarray(times, dtype=float), np.zeros(m * nq), np.zeros(m * nv), np.zeros(m * nv), np.zeros(m),
                np.zeros(m), np.zeros(nq), np.zeros(nv), np.zeros(nv), np.zeros(nq),
                np.array([1e-10 * span, floor, times[0]]), np.zeros(4, dtype=np.int64),
                np.array([work.system.kind.SIZE_V, work.system.dim], dtype=np.int64), handles)
