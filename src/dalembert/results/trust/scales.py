"""What is large and what is small for a mechanism: the measures its certificate compares errors with.

Nothing here has a unit of its own: a mechanism written in mm, km, t or ms has the same errors relative to these scales.

    L   length         distance of the drawn centres, points of bodies and joints from their middle; where they all coincide, the
                       radius of gyration; for a single point, how far it travels
    C   coordinates    max |r|, L max |θ|: numbers of that size are known to ε C, however small the mechanism is
    F   loads          max over the samples of Σ |Q_r| + |Q_θ|/L, over all bodies, and of contact forces beside them
    E   own energy     F L + kinetic: what its loads would do over its own size
    V   speed          max |v|, L |ω|; at rest √(E / mass)
    A   acceleration   max |v̇|, L |ω̇|, V²/L, E/(mass L)

An error of row k of the constraints becomes a displacement by the length of its gradient, |Φ_k| / |g_k| with
|g_k|² = Σ |D_r|² + |D_θ/L|²: so rows in m, rad, m² or 1 are compared alike, and however a user scales an equation.

Rounding, which no method can undercut (n ε with n = ROUNDING): of a displacement n ε C, of a velocity n ε (V + C ω), of an
acceleration n ε (A + C (ω² + ω̇)), of an energy n ε (F C + kinetic + work).
"""

from __future__ import annotations

import numpy as np

from dalembert.algebra.rotations import apart
from dalembert.equations.workspace import workspace
from dalembert.records import record
from dalembert.system import poses

ROUNDING = 64 * float(np.finfo(float).eps)
POSES = 8  # samples at which the gradients of the rows are taken


@record
class Scales:
    """Sizes of a motion, of its mechanism, and of rounding in it."""

    length: float
    speed: float
    acceleration: float
    energy: float  # the mechanism's own
    travel: float  # largest displacement from the first sample, turns times length
    gradients: np.ndarray  # per row
    rounding: tuple[float, float, float, float]  # of a displacement, a velocity, an acceleration, an energy

    def displacement(self, rows) -> float:
        """The largest error of rows (samples × rows), as a displacement, a velocity or an acceleration."""
        return float((np.abs(rows) / self.gradients).max(initial=0.0)) if np.size(rows) else 0.0


def scales(run) -> Scales:
    """Of a motion with everything that was observed in it."""
    s, o = run.system, run.observed
    d = s.dim
    mass = float(s.tables.bodies["mass"].sum())
    r, turns = _poses(s, run._q)
    shift, turn = _most(np.linalg.norm(r - r[:1], axis=2)), _most(np.abs(turns))
    w = workspace(s)
    length = _length(s, w) or shift or 1.0
    (v, omega), (a, alpha), (f, m) = (_parts(s.each_v(x), d) for x in (run._v, o.vdot, o.Q))
    if getattr(run, "touching", None) is not None:  # Q has the contact forces in it: at rest both cancel, each is as large
        push, twist = _parts(run.touching.wrench, 3)
        f, m = f + push, m + twist
    loads = _most((f + m / length).sum(axis=1))
    kinetic, work = _most(np.abs(o.report.kinetic)), _most(np.abs(run._ledger))
    energy = loads * length + kinetic
    coordinates = max(_most(np.abs(r)), length * _most(np.abs(_running(s, run._q))))
    speed = max(_most(v), length * _most(omega))
    speed = max(speed, 0.0 if speed > 0.0 and loads == 0.0 else float(np.sqrt(loads * length / mass)))
    acceleration = max(_most(a), length * _most(alpha), speed**2 / length, loads / mass)
    spin, twist = _most(omega), _most(omega) ** 2 + _most(alpha)
    rounding = (ROUNDING * coordinates, ROUNDING * (speed + coordinates * spin),
                ROUNDING * (acceleration + coordinates * twist), ROUNDING * (loads * coordinates + kinetic + work))
    return Scales(length, speed, acceleration, energy, max(shift, length * turn), _gradients(run, w, length),
                  rounding)


def _most(x) -> float:
    """The largest, samples without a number left out."""
    return float(np.fmax.reduce(np.asarray(x), axis=None, initial=0.0))


def _poses(s, q):
    """Centres over the samples (samples, bodies, dim), and how far bodies have turned since the first one."""
    k = s.each_q(q)
    if s.dim == 2:
        return k[..., :2], k[..., 2] - k[:1, :, 2]
    return k[..., :3], apart(k[..., 3:], k[:1, :, 3:])


def _running(s, q):
    """Coordinates that count turns: angles of the plane, running angles of joints."""
    running = q[:, s.running]
    return np.hstack([running, s.each_q(q)[..., 2]]) if s.dim == 2 else running


def _parts(x, d):
    """Lengths of the translational and the rotational part per sample and body."""
    return np.linalg.norm(x[..., :d], axis=2), np.linalg.norm(x[..., d:], axis=2)


def _length(s, w) -> float:
    """Of the drawing: centres, the points of bodies at which something is attached, and those of the ground in joints."""
    w.run("rates")
    points = [poses.all_bodies(s, w.pose)[: s.nb, : s.dim]]
    at = s.tables.markers
    joints = np.array([k for g in s.groups.values() if not any(row.level for row in s.rows[g.start:g.stop])
                       for k in g.markers or ()], int)  # where something rolls or slides on the ground is no place of a joint
    at = at[(at["body"] < s.nb) | np.isin(np.arange(at.size), joints)]
    if at.size:
        points.append(poses.points(s, w.pose, at))
    p = np.concatenate(points)
    extent = float(np.linalg.norm(p - p.mean(axis=0), axis=1).max())
    bodies = s.tables.bodies
    inertia = bodies["inertia"] if s.dim == 2 else bodies["inertia"][:, [0, 4, 8]].max(axis=1)
    inertia = np.where(np.isin(np.arange(s.nb), s.particles), 0.0, inertia)
    gyration = float(np.sqrt((inertia / bodies["mass"]).max()))
    return extent if extent > 1e-6 * gyration else gyration or 1.0


def _gradients(run, w, length):
    """Length of the gradient of every row: the largest over a few samples."""
    s = run.system
    if not s.nc or not len(run._t):
        return np.ones(s.nc)
    d, n = s.dim, s.kind.SIZE_V
    weight = np.concatenate([np.ones(d), np.full(n - d, 1.0 / length)])
    most = np.zeros(s.nc)
    for k in np.unique(np.linspace(0, len(run._t) - 1, POSES).astype(int)):
        w.set(run._t[k], run._q[k], run._v[k])
        w.run("speeds")
        square = np.zeros(s.nc)
        for b in s.tables.blocks:
            at, size, row = int(b["at"]), int(b["count"]), int(b["row"])
            square[row:row + size] += ((w.D[at:at + n * size].reshape(size, n) * weight) ** 2).sum(axis=1)
        most = np.fmax(most, square)
    return np.where(most > 0.0, np.sqrt(most), 1.0 / length)
