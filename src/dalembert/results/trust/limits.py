"""Samples on or beside a singular pose: the limit along the motion, from regular states on both sides.

Where a row of D becomes dependent on others (a parallelogram that lies flat) one pose leaves v and v̇ open, and next to it
rounding is divided by ε, ε², ε³ (ε the sine between the rows) in q, v, v̇.  The motion itself is smooth there.  So q, v, v̇ are
taken from polynomials through states at NODES on both sides of the sample, where ε is large.

    λ      has a pole where a force that some row must carry has no arm left:  λ ≈ c/(t − t*).  With t* from the zero of the
           smallest singular value of D along the polynomial of q,  g = (t − t*) λ  is smooth and λ = g/(t − t*) beside the pose,
           not a number on it.  Components that are smooth as they are (c = 0) have their limit: a pole would part the sides.
    error  what leaving out the inner pair of nodes changes, and how far the sides differ when each is continued alone; the
           window shrinks until both are small.  When they do not become small there is no limit: not a number.
    ends   where the motion begins or ends (or locks) one side must do.

A pose counts as singular only when the smallest sine (singular value of D, rows of length one) beside it is much larger.  Small
pivots alone may come of masses that differ much, so sines are those of shape.py, which knows no masses.  Beside it are samples
that lie in the outer half of the window, where they leave no doubt; else the outermost nodes.

The window is where the motion turns the mechanism by TURN.  A motion at rest does not say how long that takes; then it is the
time in which its other samples, or the forces from rest, would do so, and a pose found singular has no limit: from rest a motion
may leave it on any of its branches.
"""

from __future__ import annotations

import numpy as np

from dalembert.algebra.null_space import decided
from dalembert.equations.paths import FIELDS, observe_all
from dalembert.equations.workspace import workspace
from dalembert.records import field, record
from dalembert.results.trust.shape import Shape, singular_values, unit_rows

NODES = np.array([0.2, 0.3, 0.42, 0.56, 0.7, 0.84, 1.0])  # of the window, each side
TURN = 0.6  # rad (or lengths of the mechanism): half width of the widest window
WINDOWS = (1.0, 0.5, 0.25, 0.125)
SMOOTH = 1e-7  # accepted change when the inner nodes are left out, of the largest value at the nodes
SIDES = 1e-4  # accepted difference of the two sides
NEAR = 5e-3  # below it a pose that no motion leaves or reaches is singular
SINE = 1e-3  # below it a pose is singular for all that needs reactions in it
DEEP = 0.2  # of the smallest sine beside a sample: a larger one at it is no singular pose
CLEAR = 0.4  # the same, beside other samples: not even nearly
RESTING = 300.0  # times what other samples or forces need for TURN: a motion that needs longer is at rest


@record(frozen=False)
class Limit:
    """What replaces a sample; None where it stays as it is.  ``lost``: blocks of reactions without a limit."""

    sample: int
    q: np.ndarray
    v: np.ndarray
    vdot: np.ndarray
    lam: np.ndarray
    reaction: np.ndarray
    lost: list[str] = field(default_factory=list)
    moves: bool = True  # v and v̇ have limits


def suspects(report, below) -> np.ndarray:
    """Samples that may be on or beside a singular pose: a pivot below, or more dependent rows than elsewhere."""
    dropped, pivot = report.dropped, report.pivot
    return np.flatnonzero((pivot < below) | (dropped > dropped.min(initial=np.inf)) | (dropped > 0) & (len(dropped) < 2))


def near(system, report, below, t, q) -> tuple[np.ndarray, Shape]:
    """The suspects among the samples whose shape is near a singular one, and what compares shapes."""
    flagged, shape = suspects(report, below), Shape(system, t, q)
    return (flagged[~shape.plain(flagged)] if len(flagged) else flagged), shape


def find(shape, system, t, q, v, k, along, first, guard, pull) -> Limit | None:
    """The limit at sample k, or None when the pose is not singular.

    ``along(times)`` gives states (times, q, v, v̇ or None) of the motion at increasing times, as far as it goes; ``first`` is the
    earliest time it can begin at; ``guard``: distance from a pole, in windows, below which its value is not trusted; ``pull``:
    accelerations that would set it going from rest.
    """
    w = workspace(system)
    base, resting = _window(system, v, k, pull)
    if not np.isfinite(base) or _clear(shape, k, base):
        return None
    best = None
    for part in WINDOWS:
        h = part * base
        left = t[k] - h * NODES[::-1] if t[k] - h >= first else np.zeros(0)
        x = np.concatenate([left, t[k] + h * NODES])
        at, nq, nv, na = along(x)
        if len(at) < len(x) and len(left) and len(at) < len(left):
            continue
        if len(at) < len(x):
            at, nq, nv, na = at[:len(left)], nq[:len(left)], nv[:len(left)], None if na is None else na[:len(left)]
        if len(at) < len(NODES):
            continue
        seen = observe_all(workspace(system), at, nq, nv, na)
        if not shape.least(k, [shape.sines(at[i], nq[i]) for i in (0, len(at) - 1)]) < DEEP:
            return None
        if resting:
            return _nothing(system, q[k], k)
        fit = _Fit(at, t[k], h)
        motion = np.hstack([nv, seen["vdot"]])
        value, error = fit.value(motion)
        size = _size(motion, system)
        worst = float((error / size).max(initial=0.0))
        if best is None or worst < best[0]:
            best = (worst, fit, nq, value, seen, h)
        if worst <= SMOOTH:
            break
    if best is None:
        return _nothing(system, q[k], k) if shape.alone(k, NEAR) else None
    worst, fit, nq, value, seen, h = best
    pose = _unit(system, fit.value(nq)[0])
    if worst > 100 * SMOOTH:
        return _nothing(system, pose, k)
    nv = system.nv
    lam, reaction = _forces(w, fit, nq, (seen["lam"], seen["reaction"]), t[k], guard)
    on = reaction.reshape(len(system.tables.blocks), -1)  # per block of D
    lost = [g.name for g in system.groups.values() if np.isnan(lam[g.start:g.stop]).any()
            or any(np.isnan(on[k]).any() for k in g.blocks.values())]
    return Limit(k, pose, value[:nv], value[nv:], lam, reaction, lost)


def apply(system, t, limit, observed) -> None:
    """Put a limit into the arrays of what was observed."""
    k = limit.sample
    if limit.moves:
        seen = observe_all(workspace(system), t[k:k + 1], limit.q[None, :], limit.v[None, :])
        for name in FIELDS:
            getattr(observed, name)[k] = seen[name][0]
    observed.vdot[k], observed.lam[k], observed.reaction[k] = limit.vdot, limit.lam, limit.reaction
    if not limit.moves:
        observed.residual[k], observed.power[k, 2] = np.nan, np.nan
        return
    w = workspace(system)
    w.set(t[k], limit.q, limit.v)
    w.run("terms")
    w.vdot[:] = limit.vdot
    w.run("remainder")
    observed.residual[k] = w.residual
    observed.report.residual[k] = w.report.residual
    moving = observed.nu[k] != 0.0
    observed.power[k, 2] = -(limit.lam[moving] @ observed.nu[k, moving])
    observed.missing[k] = 0.0  # M v̇ = Q + Σ reactions holds in the limit, whatever single ones do


def told(t, limits) -> tuple[list[str], list[str]]:
    """Samples without a limit, in words: of the motion, of reactions alone."""
    found: list[str] = []
    forces: list[str] = []
    for x in limits:
        if not x.moves:
            found.append(f"singular pose at the sample t = {t[x.sample]:.9g}: the motion has no limit there; accelerations and "
                         f"reactions (velocities too, if drives fix them) are not numbers ({', '.join(x.lost)} depend on each "
                         "other)")
        elif x.lost:
            forces.append(f"singular pose at the sample t = {t[x.sample]:.9g}: reactions of {', '.join(x.lost)} have no limit "
                         "along the motion there and are not numbers; ask for samples beside it")
    return found, forces


class _Fit:
    """Polynomials through the nodes, evaluated at x."""

    def __init__(self, at, x, h):
        self.at, self.x, self.h = (at - x) / h, 0.0, h
        self.left = self.at < 0.0

    def weights(self, x, use):
        at = self.at[use]
        out = np.zeros(len(self.at))
        spread = at[:, None] - at[None, :] + np.eye(len(at))
        near = x - at[None, :] + 0.0 * spread
        np.fill_diagonal(near, 1.0)
        out[use] = (near / spread).prod(axis=1)
        return out

    def at_place(self, x, values):
        return self.weights(x, np.ones(len(self.at), dtype=bool)) @ values

    def value(self, values, x=0.0):
        """Value at x, and an estimate of its error; without an agreement of the sides the error is their difference."""
        every = np.ones(len(self.at), dtype=bool)
        inner = every.copy()
        inner[np.argsort(np.abs(self.at))[: 2 if self.left.any() and not self.left.all() else 1]] = False
        value = self.weights(x, every) @ values
        error = np.abs(value - self.weights(x, inner) @ values)
        if self.left.any() and not self.left.all():
            sides = np.abs(self.weights(x, self.left) @ values - self.weights(x, ~self.left) @ values)
            wide = sides > SIDES * np.abs(values).max(axis=0, initial=0.0) + SIDES * SMOOTH * np.abs(values).max(initial=0.0)
            error = np.where(wide, np.maximum(error, sides), error)
        return value, error


def _forces(w, fit, nodes, forces, t, guard) -> list[np.ndarray]:
    """Values at the sample of what may have a simple pole beside or on it; not a number where there is no limit."""
    out, star = [], None
    for values in forces:
        most = np.abs(values).max(axis=0, initial=0.0)
        most = 100 * SMOOTH * np.maximum(most, 1e-9 * most.max(initial=0.0) + 1e-300)
        value, error = fit.value(values)
        pole = error > most
        if pole.any():
            star = _crossing(w, fit, nodes, t, fit.h) if star is None else star  # in windows from the sample
            there, loose = fit.value((fit.at - star)[:, None] * values)
            known = (loose <= most) & (abs(star) > guard)
            value = np.where(pole, np.where(known, there / (-star or 1.0), np.nan), value)
        out.append(value)
    return out


def _crossing(w, fit, nodes, t, h) -> float:
    """Where the smallest singular value of D passes zero along the polynomial of q, in windows from the sample."""
    def turned(x):
        w.t[0] = t + h * x
        w.q[:] = _unit(w.system, fit.at_place(x, nodes))
        w.v[:] = 0.0
        return unit_rows(w)

    x, rank = 0.0, decided(singular_values(turned(0.5)))
    for _ in range(5):
        u, _, vt = np.linalg.svd(turned(x))
        a, b = u[:, rank - 1], vt[rank - 1]
        d = 1e-4
        f, slope = a @ turned(x) @ b, (a @ turned(x + d) @ b - a @ turned(x - d) @ b) / (2 * d)
        if slope == 0.0 or not abs(f / slope) < 0.3:
            break
        x -= f / slope
        if abs(f / slope) < 1e-9:  # the next one would be its square
            break
    return x


def unbound(system, Q) -> np.ndarray:
    """M⁻¹Q: how the bodies would be accelerated by the forces if nothing held them."""
    b, d = system.tables.bodies, system.dim
    out = system.each_v(Q).astype(float)
    inverse = b["inverse_inertia"].reshape(len(b), out.shape[1] - d, -1)
    out[:, :d] *= b["inverse_mass"][:, None]
    out[:, d:] = np.einsum("bij,bj->bi", inverse, out[:, d:])
    return out.ravel()


def _window(system, v, k, pull) -> tuple[float, bool]:
    """Half the width of the widest window at sample k, and whether the motion is at rest there."""
    own = TURN / max(_rate(system, v[k]), 1e-300)
    most = max((_rate(system, x) for x in v), default=0.0)
    from_rest = _rate(system, pull) if np.isfinite(pull).all() else 0.0
    usual = min(TURN / most if most > 0.0 else np.inf, np.sqrt(2 * TURN / from_rest) if from_rest > 0.0 else np.inf)
    return (usual, True) if not own < min(RESTING * usual, 1e150) else (own, False)


def _clear(shape, k, base) -> bool:
    """Whether samples beside sample k leave no doubt that it is regular."""
    far = np.abs(shape.t - shape.t[k]) / base
    beside = np.flatnonzero((far >= 0.5) & (far <= 1.0))
    if not len(beside):
        return False
    return shape.least(k, [shape.at(int(i)) for i in {beside[0], beside[-1]}]) > CLEAR


def _rate(system, v) -> float:
    """How fast the motion is, in radians and lengths of the mechanism per second."""
    d = system.dim
    x = system.each_v(v)
    mass = float(system.tables.bodies["mass"].sum())
    length = max(system.size / np.sqrt(mass), 1e-300)
    return float(np.linalg.norm(x[:, d:], axis=1).max(initial=0.0) + np.linalg.norm(x[:, :d], axis=1).max(initial=0.0) / length)


def _size(motion, system):
    """Scale of each velocity and acceleration: the largest of its kind (translations, turns) at the nodes, and what the speed of
    the motion as a whole makes of it (rate, rate²)."""
    d, nv = system.dim, system.nv
    most = np.abs(motion).max(axis=0)
    rate = max(_rate(system, x[:nv]) for x in motion)
    length = system.size / np.sqrt(float(system.tables.bodies["mass"].sum()))
    out = np.empty_like(most)
    for part, usual in ((slice(0, nv), rate), (slice(nv, 2 * nv), rate * rate)):
        x = system.each_v(most[part])
        y = np.empty_like(x)
        y[:, :d], y[:, d:] = max(x[:, :d].max(initial=0.0), usual * length), max(x[:, d:].max(initial=0.0), usual)
        out[part] = y.ravel()
    return out + 1e-300


def _unit(system, q):
    """Quaternions of length one."""
    if system.dim == 3:
        q = q.copy()
        e = system.each_q(q)[:, 3:]
        e /= np.linalg.norm(e, axis=1)[:, None]
    return q


def _nothing(system, q, k) -> Limit:
    """A sample without a limit."""
    w = workspace(system)
    w.q[:] = q
    D = unit_rows(w)
    if np.isfinite(D).all():
        u, sigma, _ = np.linalg.svd(D)
        weight = np.abs(u[:, len(sigma) - 1])
    else:  # a pose so far off that rows overflow: nothing of it holds
        weight = np.ones(len(D))
    lost = list(dict.fromkeys(system.rows[i].group for i in np.flatnonzero(weight > 0.1 * weight.max())))
    n = system.nv
    return Limit(k, q, np.full(n, np.nan), np.full(n, np.nan), np.full(system.nc, np.nan),
                 np.full(w.reaction.size, np.nan), lost, False)
