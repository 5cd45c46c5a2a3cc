"""Is the motion steady: do its linearised equations stay the same along it, for an observer who turns with some Ω?

Asked of the equations themselves, not of velocities.  The motion is followed for a while (until the fastest body has turned by
TURN), there A is computed once more, its vectors along axes that have turned by Ω meanwhile, and compared entry by entry:

    A(t + h; exp(Ω× h)) = A(t)     for steady motions, and only for these: axes of hinges, bushings and uneven inertias that turn
    and the same for the inertia   otherwise, a pendulum that passes its lowest point, drives that speed up: all change it

A fast wheel or a stiff spring beside a slow motion would hide it in A: it sets h, and the scale.  So the rates of the states are
compared too, each with itself, at a later time that suits the slowest of them (at most LONGER · h).

Candidates for Ω: r̈ = Ω × ṙ and α = Ω × ω hold for all bodies (least squares); when all velocities are parallel, Ω along them is
open, and that of each body is tried.

Laws may change with time although nothing moves (a stiffness 4 + 3 cos 4t at its zero): forces, constraint rates and their change
along a mixture of the free motions, also while these move, are compared at a few other times, in the same state.
"""

from __future__ import annotations

import numpy as np

from dalembert.algebra.null_space import kernel
from dalembert.analyses.assemble import Own
from dalembert.analyses.linear.perturbation import STEADY, Perturbation
from dalembert.analyses.statics.at_rest import acting
from dalembert.analyses.toolbox.independent import rotation, skew
from dalembert.errors import DalembertError

TURN = 0.7  # rad
LONGER = 1000.0  # times as long, for slow rates beside fast ones
GROWTH = 2.0  # what is unstable may grow by exp(2) meanwhile: of rounding nothing is seen yet
FLOOR = 1e-3  # of the fastest rate: STEADY of this is rounding
STILL = 1e-9  # of the mechanism's own rate: slower is rest
TIMES = (0.113, 0.937, 7.31, 59.3)  # other times to look at, in units of the mechanism's own time
SAME = 1e-9  # of forces, or of rates: less is rounding


def judge(p: Perturbation, balanced=False) -> None:
    """Choose ``turning`` of a perturbation, and say how steadiness is found where it is asked for (``judged``).

    ``balanced``: it is known to stay at rest.  Where one Ω alone can do, nothing has to be followed to choose it.
    """
    values = np.linalg.eigvals(p.matrix())
    own, fastest = float(np.abs(values).max(initial=0.0)), _fastest(p)
    if fastest <= STILL * own or fastest == 0.0:
        p.later = lambda: (0.0 if balanced or p.static else 1.0, _changing(p, max(own, fastest)))
        return
    found = _candidates(p)
    p.turning = found[0]
    p.later = lambda: (_unsteady(p, found, values, fastest), _changing(p, max(own, fastest)))
    if len(found) > 1:
        p.judged  # noqa: B018  (A is that of the Ω which does best)


def _unsteady(p, candidates, values, fastest) -> float:
    """The change of A along the motion for the Ω that keeps it best, which becomes ``turning``."""
    own, grows = float(np.abs(values).max(initial=0.0)), float(values.real.max(initial=0.0))
    most = GROWTH / grows if grows > 0 else np.inf
    slow = _slowest(p, fastest, np.abs(values))
    h = min(TURN / fastest, most)
    spans = (h, max(h, min(TURN / slow, LONGER * h, most)))
    later = _followed(p, spans)
    if later is None:
        return 1.0
    tried = []
    for turning in candidates:
        p.turning = turning
        change = _change(p, later[0], spans[0], max(own, fastest))
        tried.append((change if change >= STEADY else max(change, _drift(p, later[1], spans[1], fastest)), turning))
        if tried[-1][0] < STEADY:
            break
    least, p.turning = min(tried, key=lambda x: x[0])
    return least


def _fastest(p) -> float:
    return float(np.abs(p.tangent.v / p.tangent.unit).max(initial=0.0))


def _rates(p) -> np.ndarray:
    """Rates of the states, along the axes."""
    p.tangent.restore()
    found = p.split(p._motion())[0][p.rate]
    p.tangent.restore()
    return found


def _unit(p) -> np.ndarray:
    """What counts as one of each coordinate."""
    return np.abs(p.G * p.tangent.unit).max(axis=1)


def _slowest(p, fastest, own) -> float:
    """The slowest rate that moves something, or would."""
    rates = np.concatenate([np.abs(_rates(p)) / _unit(p)[p.rate], own])
    return float(rates[rates > STEADY * fastest].min(initial=fastest))


def _drift(p, later, h, fastest) -> float:
    """Largest change of a rate along the motion, each beside itself."""
    p.w.set(*later)
    then, now = _rates(p.elsewhere(_turned(p.turning * h))), _rates(p)
    size = np.maximum(np.abs(now), np.abs(then)) + FLOOR * fastest * _unit(p)[p.rate]
    return float((np.abs(then - now) / size).max(initial=0.0))


def _candidates(p) -> list[np.ndarray]:
    """Ω with r̈ = Ω × ṙ, α = Ω × ω: the smallest, then those of bodies along directions that are open."""
    s, d = p.w.system, p.w.system.dim
    left, right = [], []
    p.tangent.restore()
    p.w.run("rows")
    for b in range(s.nb):
        A = rotation(p.w, b)
        v, a = np.zeros(3), np.zeros(3)
        rate = p.vdot[s.at_v(b)]
        v[:d], a[:d] = p.tangent.v[s.at_v(b)][:d], rate[:d]
        alpha = A @ rate[3:] if d == 3 else np.array([0.0, 0.0, rate[2]])
        for vector, rate, unit in ((v, a, 1.0 / p.tangent.length), (p.omegas[b], alpha, 1.0)):
            left.append(-skew(vector) * unit)
            right.append(rate * unit)
    matrix, vector = np.vstack(left), np.concatenate(right)
    if d == 2:
        matrix = matrix * np.array([0.0, 0.0, 1.0])
    speed = float(np.abs(matrix).max(initial=0.0))
    smallest = np.linalg.lstsq(matrix, vector, rcond=1e-9)[0] if speed > 0 else np.zeros(3)
    smallest = np.where(np.abs(smallest) < 1e-10 * _fastest(p), 0.0, smallest)
    open_axes = kernel(matrix / max(float(np.linalg.norm(matrix, 2)), 1e-300)).T
    found = [smallest]
    for omega in p.omegas:
        other = smallest + open_axes.T @ (open_axes @ (omega - smallest))
        if d == 2:
            other = np.array([0.0, 0.0, omega[2]]) if speed == 0 or not np.any(matrix) else smallest
        if all(np.abs(other - x).max() > 1e-9 * _fastest(p) for x in found):
            found.append(other)
    return found


def _followed(p, spans):
    """The states (t, q, v) after these times, or None when the motion does not go on."""
    from dalembert.analyses.dynamics import simulate

    T, s = p.tangent, p.w.system
    state = Own(p.model, s, T.t, T.q.copy(), T.v.copy())
    times = sorted({T.t, *(T.t + h for h in spans)})
    try:
        run = simulate(p.model, times[-1], start=T.t, state=state, times=times, rtol=1e-10, atol=1e-12, progress=False)
    except DalembertError:
        return None
    return [(float(run.t[k]), run._q[k], run._v[k]) for k in (1, len(times) - 1)]


def _change(p, later, h, rate) -> float:
    """Largest change of an entry of A along the motion, lengths over the mechanism's size and times in units of its own."""
    turn = _turned(p.turning * h)
    p.w.set(*later)
    try:
        other = Perturbation(p.model, p.w, (), like=p, axes=turn)
        other.turning = p.turning
        B = other.matrix()
    except np.linalg.LinAlgError:
        return 1.0
    finally:
        p.tangent.restore()
    unit = _unit(p)
    unit = np.concatenate([unit[p.pick], rate * unit[p.rate]])
    A = p.matrix()
    change = np.abs(B - A) * unit / unit[:, None]
    size = max(float((np.abs(A) * unit / unit[:, None]).max(initial=0.0)), rate)
    return max(float(change.max(initial=0.0)) / size, _uneven(p, other))


def _uneven(p, other) -> float:
    """Change of the inverse of the mass matrix of the rates: equations may keep A while the inertia behind them turns away."""
    first, then = ((x.G[x.rate] @ x.free) for x in (p, other))
    first, then = first @ first.T, then @ then.T
    scale = np.sqrt(np.diag(first))
    return float((np.abs(then - first) / scale / scale[:, None]).max(initial=0.0))


def _turned(a) -> np.ndarray:
    """exp(a×)."""
    angle = float(np.linalg.norm(a))
    if angle == 0.0:
        return np.eye(3)
    K = skew(a / angle)
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * (K @ K)


def _changing(p, rate) -> list[str]:
    """Names of what depends on time by itself: force elements, and constraints whose rates are not constant."""
    T, s = p.tangent, p.w.system
    rate = rate if rate > 0.0 else 1.0  # nothing pulls it back: any time will do
    x = p.Nh @ np.cos(1.0 + 1.7 * np.arange(p.Nh.shape[1]))
    size = np.abs(x / T.unit).max(initial=0.0)
    x = 0.1 / size * x if size > 0 else np.zeros(s.nv)
    y = p.free @ np.cos(1.0 + 1.7 * np.arange(p.free.shape[1]))
    size = np.abs(y / T.unit).max(initial=0.0)
    y = 0.1 * rate / size * y if size > 0 else np.zeros(s.nv)
    now, looked = T.t, []
    try:
        for k in (0.0, *TIMES):
            T.t = now + k / rate
            looked.append(_looked(p, x, y))
    finally:
        T.t = now
        T.restore()
    found = []
    for name in looked[0][0]:
        values = np.array([forces[name] for forces, _, _ in looked])
        if np.ptp(values, axis=0).max(initial=0.0) > SAME * np.abs(values).max(initial=0.0):
            found.append(name)
    reach = np.abs(p.D) @ T.unit  # of a row, per unit of rate
    for level, scale in ((1, rate), (2, rate**2)):
        values = np.array([x[level] for x in looked])
        for row in np.flatnonzero(np.ptp(values, axis=0) > SAME * scale * reach):
            if s.rows[row].group not in found:
                found.append(s.rows[row].group)
    return found


def _looked(p, x, y):
    """Beside the state, moving a little otherwise: forces of each element, D v − ν and D v̇ − γ."""
    T, w = p.tangent, p.w
    T.place(x, y, 1.0)
    speeds = np.array(T.speeds())
    T.place(x, y, 1.0)
    balance = np.array(T.forces())[w.v.size:]
    T.place(x, y, 1.0)
    return acting(w, p.weight, each=True), speeds, balance
