"""Where a driven mechanism locks, and the singular poses it passes.

The configurations of a driven mechanism are a curve (q(s), t(s)) with Φ(q, t) = 0.  Its tangent obeys D q′ = ν t′.  The mechanism
locks where time turns back along the curve, t′ = 0: there D q′ = 0 with q′ ≠ 0 (a toggle pose), the drive can go no further,
and reactions grow without bound.  The curve itself goes on smoothly, so it is followed by its arc length and the turning point
is found to rounding.  The motion q′ that is left there names the joint: the one that turns fastest while the drives stand still.

A toggle that is passed (the law turns back in time, or both branches touch) shows as a pose in which D has a smaller rank.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert.analyses.toolbox.closing import metric
from dalembert.analyses.toolbox.mobility import coordinates

STEPS = 400


@dataclass(frozen=True)
class SingularPose:
    """A pose in which the drives do not fix the motion: when, which joints can move while the drives stand, which drives.

    Attributes
    ----------
    t : number [s]
        When.
    joints, drives : names
        What can still move, and which drives stand.
    """

    t: float
    kind: str  # "locks" or "toggle"
    joints: tuple[str, ...]
    drives: tuple[str, ...]

    def __str__(self):
        joints = f"joint {self.joints[0]}" if self.joints else "a body"
        more = f" (then {', '.join(self.joints[1:])})" if self.joints[1:] else ""
        what = "the mechanism locks" if self.kind == "locks" else "toggle pose"
        return f"{what} at t = {self.t:.12g}: {joints}{more} can still move"


def describe(model, work, kind) -> SingularPose:
    """Names at the workspace's (nearly) singular pose."""
    s = work.system
    weight = metric(work)
    work.run("rows")
    D = work.jacobian() @ weight
    length = np.linalg.norm(D, axis=1)
    D = D / np.where(length > 0, length, 1.0)[:, None]
    _, _, vt = np.linalg.svd(D)
    motion = weight @ vt[-1]
    G = work.gradients()
    rates = {n: abs(float(G[k] @ motion)) for n, k in coordinates(model, s).items()}
    largest = max(rates.values(), default=0.0)
    joints = sorted((n for n in rates if rates[n] > 1e-4 * largest), key=lambda n: -round(rates[n] / largest, 6))
    return SingularPose(float(work.t[0]), kind, tuple(joints[:4]), tuple(dict.fromkeys(r.group for r in s.rows if r.driver)))


class _Curve:
    """The curve (q, t) of a driven mechanism, in the metric of the masses."""

    def __init__(self, work, span):
        self.w, self.weight, self.span = work, metric(work), span
        self.size = work.system.size

    def rows(self):
        """Φ and [D, −ν] with t counted in spans."""
        self.w.run("rows")
        D = self.w.jacobian() @ self.weight * self.size
        length = np.linalg.norm(D, axis=1)
        scale = 1.0 / np.where(length > 0, length, 1.0)
        J = np.column_stack([D, -self.w.nu * self.span])
        return self.w.phi * scale, J * scale[:, None]

    def tangent(self, before=None):
        _, _, vt = np.linalg.svd(self.rows()[1])
        x = vt[-1]
        return -x if (before is not None and x @ before < 0) or (before is None and x[-1] < 0) else x

    def move(self, x):
        self.w.t[0] += self.span * x[-1]
        self.w.move(self.size * (self.weight @ x[:-1]))

    def step(self, tangent, ds) -> bool:
        """Along the tangent by ds, then back to the curve at right angles; whether it converged."""
        self.move(ds * tangent)
        last = np.inf
        for _ in range(12):
            phi, J = self.rows()
            error = np.abs(phi).max(initial=0.0)
            if not np.isfinite(error):
                return False
            if error <= 1e-15 or (error < 1e-11 and error > 0.5 * last):
                return True
            last = error
            x = np.linalg.lstsq(np.vstack([J, tangent]), np.append(-phi, 0.0), rcond=1e-13)[0]
            self.move(x)
        return False

    def place(self):
        return float(self.w.t[0]), self.w.q.copy()

    def back(self, place):
        self.w.t[0], self.w.q[:] = place


def turning_point(model, work, span) -> SingularPose | None:
    """Follow the curve from the workspace's pose to where time turns back; None when it does not within reach."""
    curve = _Curve(work, span)
    v = work.v.copy()
    tangent, ds = curve.tangent(), 1e-5
    found = None
    for _ in range(STEPS):
        start = curve.place()
        if not curve.step(tangent, ds):
            curve.back(start)
            ds *= 0.25
            if ds < 1e-12:
                break
            continue
        after = curve.tangent(tangent)
        if after[-1] < 0.0:
            found = _bisect(curve, start, tangent, ds)
            break
        if curve.w.t[0] > start[0] + span:
            break
        tangent, ds = after, min(1.6 * ds, 0.02)
    work.v[:] = v
    return describe(model, work, "locks") if found else None


def _bisect(curve, start, tangent, ds) -> bool:
    """Arc length at which t′ = 0, between start and start + ds (secant steps inside a shrinking bracket)."""
    low, high = 0.0, ds
    f_low, f_high = tangent[-1], None
    for k in range(80):
        s = 0.5 * (low + high) if f_high is None or k % 3 == 2 else low + (high - low) * f_low / (f_low - f_high)
        curve.back(start)
        if not curve.step(tangent, s):
            return False
        f = curve.tangent(tangent)[-1]
        if f > 0:
            low, f_low = s, f
        else:
            high, f_high = s, f
        if abs(f) < 1e-13 or high - low < 1e-15:
            break
    return True
