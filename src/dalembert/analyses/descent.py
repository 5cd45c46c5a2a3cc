"""Going downhill to a pose at rest (see equilibrium.py for the equations).

Each step is r/|κ| in the eigenvectors of K_r: Newton's near a stable pose, away from a saddle.  It stays inside a trust radius
and turns of half a radian, and is taken back when the force along it has turned round by the end (the valley was passed).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert.analyses.closing import close, metric
from dalembert.analyses.hold import unbalanced
from dalembert.analyses.mobility import null_space
from dalembert.analyses.rest import acting, workspace
from dalembert.analyses.tangents import Tangent, stiffness
from dalembert.errors import AnalysisError

TOLERANCE = 1e-12  # of the forces, in the metric of the masses
FAR = 1e3  # of the mechanism's size: further away nothing holds it
STEPS = 400
NUDGES = 3  # pushes away from unstable poses


@dataclass
class Point:
    """Everything about one pose of the search."""

    N: np.ndarray
    r: np.ndarray
    scale: float


class Search:
    def __init__(self, model, state):
        self.model, self.state, self.w = model, state, workspace(state)
        self.weight, self.size = metric(self.w), state.system.size
        self.mask = np.array([row.level == 0 for row in state.system.rows])
        self.M = self.w.mass()

    def look(self) -> Point:
        w = self.w
        w.v[:] = 0.0
        N = null_space(w, self.weight)
        w.lam[:] = 0.0
        w.run("unbalanced")
        Q = w.Q.copy()
        scale = acting(w, self.weight)
        w.run("rows")
        w.lam[:] = w.jacobian() @ (self.weight @ (self.weight @ Q))
        w.run("solve")
        w.vdot[:] = 0.0
        return Point(N, N.T @ Q, scale)

    def stiffness(self, point) -> np.ndarray:
        return point.N.T @ stiffness(Tangent(self.w).suit(point.N), point.N)

    def move(self, x) -> bool:
        """By the displacement x, then back onto the constraints; whether that worked."""
        w = self.w
        w.v[:] = 0.0
        w.vdot[:] = x
        w.run("move")
        loose = w.options[4]
        w.options[3], w.options[4] = 25, 0.0
        status = w.run("project")
        w.options[4] = loose
        w.v[:] = 0.0
        w.run("rows")
        if not (np.all(np.isfinite(w.q)) and np.all(np.isfinite(w.D))):
            return False
        return status == 0 or close(w, self.mask, weight=self.weight) <= 1e-10 * self.size

    def turn(self, x) -> float:
        """Largest rotation in a displacement."""
        n, d = self.w.system.kind.SIZE_V, self.w.system.dim
        return float(np.abs(x.reshape(-1, n)[:, d:]).max(initial=0.0))


def descend(search, kind, steps, judge):
    """From the search's pose to a pose at rest; ``judge(point, K, count)`` makes the answer and says whether it is unstable."""
    point, radius, nudged = search.look(), 0.1 * search.size, 0
    start, path = search.w.q.copy(), 0.0
    for count in range(steps):
        K = search.stiffness(point)
        if np.linalg.norm(point.r) <= TOLERANCE * max(point.scale, 1e-300):
            found = judge(point, K, count)
            if kind == "any" or found.stability != "unstable" or nudged >= NUDGES:
                return found
            search.move(point.N @ _away(K, search.size))
            point, nudged = search.look(), nudged + 1
            continue
        before = float(np.linalg.norm(point.r))
        after, x, short, length = _step(search, point, _direction(K, point.r, kind, search.size), radius, kind)
        if after is None:
            found = judge(search.look(), K, count)
            if found.residual < 1e-9:
                return found
            raise AnalysisError(_lost(search, point, count, "the search cannot go on: a force jumps, or the pose is singular"))
        left = float(np.linalg.norm(after.r))
        if after.scale == 0.0 or (short == 1.0 and left < 1e-9 * after.scale and left > 0.5 * before):
            return judge(after, search.stiffness(after), count + 1)  # rounding: no better pose can be told apart
        path += search.turn(short * x)
        radius = 2.0 * short * length if short < 1.0 else max(radius, length)
        point = after
        if _gone(search, start):
            raise AnalysisError(_lost(search, point, count, "it moves away without end"))
    raise AnalysisError(_lost(search, point, steps, "it goes round and round" if path > 60 else "no pose was found"))


def _step(search, point, y, radius, kind):
    """One accepted step: the point after it, the full step, the part of it taken, its length; None when there is none."""
    x, length = point.N @ y, float(np.linalg.norm(y))
    while True:
        short = min(1.0, radius / max(length, 1e-300), 0.5 / max(search.turn(x), 1e-300))
        kept = search.w.q.copy()
        after = search.look() if search.move(short * x) else None
        if after is not None and np.all(np.isfinite(after.r)):
            along = (after.N.T @ (search.M @ x)) @ after.r  # the force along the step, where it ends
            if kind == "any" or along >= -0.6 * (y @ point.r) or short * length < 1e-9 * search.size:
                return after, x, short, length
        search.w.q[:] = kept
        radius = 0.3 * short * length
        if not radius >= 1e-13 * search.size:
            return None, x, short, length


def _direction(K, r, kind, size) -> np.ndarray:
    """Downhill step: Newton's where K is positive, along the force elsewhere."""
    values, vectors = np.linalg.eigh(0.5 * (K + K.T))
    floor = max(1e-9 * float(np.abs(values).max(initial=0.0)), 1e-2 * float(np.linalg.norm(r)) / size)  # at most 100 sizes
    if kind == "any" or values[0] > floor:
        return np.linalg.lstsq(K, r, rcond=1e-12)[0]
    return vectors @ ((vectors.T @ r) / np.maximum(np.abs(values), floor))


def _away(K, size) -> np.ndarray:
    """A push along the most unstable direction."""
    values, vectors = np.linalg.eigh(0.5 * (K + K.T))
    return 0.02 * size * vectors[:, 0]


def _gone(search, start) -> bool:
    s = search.state.system
    n = s.kind.SIZE_Q
    r = (search.w.q - start)[: n * s.nb].reshape(-1, n)[:, : s.dim]
    length = s.size / np.sqrt(float(s.tables.bodies["mass"].sum()))
    return bool(np.abs(r).max(initial=0.0) > FAR * length)


def _lost(search, point, steps, reason) -> str:
    """Why there is no equilibrium: which body goes where, under which force."""
    s, w = search.state.system, search.w
    n, d = s.kind.SIZE_V, s.dim
    x = (point.N @ point.r).reshape(-1, n)
    b = int(np.argmax((search.M @ x.ravel()).reshape(-1, n).__abs__().max(axis=1)))
    way = x[b, :d] if np.abs(x[b, :d]).max() > 1e-9 * np.abs(x).max() else None
    w.run("generalized_forces")
    left = unbalanced(search.model, w, point.N, search.weight, w.Q)
    where = "" if way is None else f" along ({', '.join(f'{v / np.linalg.norm(way):.3g}' for v in way)})"
    return (f"equilibrium of '{search.model.name}': none was found after {steps} steps, {reason}. Body '{s.bodies[b]}' is still "
            f"pushed{where}; unbalanced: {left}. Nothing holds this motion: add a spring, a stop or a drive, or remove the load.")


def wander(search, random) -> bool:
    """To a random pose: small steps along a direction that changes slowly."""
    y = None
    for _ in range(int(random.integers(1, 40))):
        N = search.look().N
        if not N.shape[1]:
            return True
        push = random.standard_normal(N.shape[1])
        y = push if y is None else N.T @ (search.M @ x) + 0.2 * push  # noqa: F821
        x = N @ y
        step = min(0.3 / max(search.turn(x), 1e-300), 0.3 * search.size / np.linalg.norm(y))
        if not search.move(step * x):
            return False
        x = x / np.linalg.norm(y)
    return True
