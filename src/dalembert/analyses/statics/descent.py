"""Going downhill to a pose at rest (see equilibrium.py for the equations).

Each step is r/|κ| in the eigenvectors of K_r: Newton's near a stable pose, away from a saddle.  It stays inside a trust radius
and turns of half a radian, and is taken back when the force along it has turned round by the end (the valley was passed).

It ends when, along every eigenvector, the force left is rounding (measured: thresholds.py) or 1e-12 of the forces that act, or
when a whole step of Newton's is 1e-11 of the mechanism's size: then also where no force is left to compare with (relaxed
springs) and where the stiffness vanishes too (a quartic minimum, approached by a third of the way in each step).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dalembert.algebra.null_space import kernel, unit_rows
from dalembert.analyses.statics.at_rest import acting, workspace_at
from dalembert.analyses.statics.balance import unbalanced
from dalembert.analyses.statics.stability import judge
from dalembert.analyses.toolbox.closing import close, metric
from dalembert.analyses.toolbox.exact import SAMPLES, tangent
from dalembert.analyses.toolbox.stateless import refuse_felt, refuse_friction, refuse_states
from dalembert.analyses.toolbox.tangents import Tangent, damping, halved, noise, softness, stiffness
from dalembert.analyses.toolbox.thresholds import EPS, SAFETY, Noise, Sampled, drowned
from dalembert.equations.spinless import regular
from dalembert.errors import AnalysisError

TOLERANCE = 1e-12  # of the forces, in the metric of the masses
STEP = 1e-11  # of the mechanism's size: a whole step that is nothing
PLAIN = 1e-4  # of what acts, and of what a displacement of the mechanism's size would wake: no rounding is that large
FAR = 1e3  # of the mechanism's size: further away nothing holds it
STEPS = 400
STIFF = 30.0  # of the stiffness that would stop the force within the step
RELAXED = 8  # steps of what is stiff
NUDGES = 3  # pushes away from unstable poses
WASTED = 60  # Newton's steps without a smaller force: it goes round and round
CLOSING = 20  # steps that close the loops after a displacement: one that needs more was too long, and is taken shorter


@dataclass
class Point:
    """Everything about one pose of the search; the free motions N and the forces r along them where they are asked for."""

    D: np.ndarray
    Q: np.ndarray
    a: np.ndarray  # N r by the factors at hand: what the search goes by on its way, good to their rounding only
    scale: float
    weight: np.ndarray
    lengths: np.ndarray | None  # the weight's diagonal, where it has nothing else

    @cached_property
    def N(self) -> np.ndarray:
        if self.lengths is not None:
            return self.lengths[:, None] * kernel(unit_rows(self.D * self.lengths)[0])
        return self.weight @ kernel(unit_rows(self.D @ self.weight)[0])

    @cached_property
    def r(self) -> np.ndarray:
        return self.N.T @ self.Q

    @property
    def sound(self) -> bool:
        return bool(np.all(np.isfinite(self.Q)))


class Search:
    def __init__(self, model, state, states=False):
        """``states``: whether those of differentials are solved for beside the pose (settled.py)."""
        regular(state.system, f"equilibrium of '{model.name}'")
        if not states:
            refuse_states(state.system, f"equilibria of '{model.name}'")
        refuse_friction(model, f"equilibrium of '{model.name}'",
                        advice=": where friction holds, poses at rest are many; da.equilibrium(m) says whether the pose as drawn "
                               "is one, and da.hold(m, unknown) for which loads")
        refuse_felt(state.system, f"equilibrium of '{model.name}'")
        self.model, self.state, self.w = model, state, workspace_at(state)
        self.weight, self.size = metric(self.w), state.system.size
        self.mask = np.array([row.level == 0 for row in state.system.rows], dtype=bool)
        lengths = np.diagonal(self.weight)
        square = self.weight.shape == (len(lengths), len(lengths))
        self.lengths = lengths if square and np.count_nonzero(self.weight) == len(lengths) else None
        self.M, self.inverse = self.w.mass(), self.weight @ self.weight.T if self.lengths is None else np.diag(lengths**2)

    def look(self) -> Point:
        w = self.w
        w.v[:] = 0.0
        w.run("generalized_forces")
        Q = w.Q.copy()
        scale = acting(w, self.weight)
        w.run("rows")
        D = w.jacobian()
        w.lam[:] = w.solve(D @ (self.inverse @ Q))
        w.vdot[:] = 0.0
        return Point(D, Q, self.inverse @ (Q - D.T @ w.lam), scale, self.weight, self.lengths)

    def freed(self, point, force) -> np.ndarray:
        """N Nᵀ force at the pose last looked at, by its factors."""
        return self.inverse @ (force - point.D.T @ self.w.solve(point.D @ (self.inverse @ force)))

    def stiffness(self, point) -> np.ndarray:
        K = point.N.T @ stiffness(tangent(self.w).suit(point.N), point.N)
        if np.all(np.isfinite(K)):
            return K
        return point.N.T @ stiffness(Tangent(self.w).suit(point.N), point.N)  # an endless slope here: differences see past it

    def judged(self, point) -> tuple:
        """K_r, and the verdict on the pose."""
        found = tangent(self.w).suit(point.N)
        N = point.N
        K = N.T @ stiffness(found, N)
        if found.exact and np.all(np.isfinite(K)):
            C = N.T @ damping(found, N)
            of_K: Noise = Sampled(found.sampled(lambda: N.T @ stiffness(found, N)))
            of_C: Noise = Sampled(found.sampled(lambda: N.T @ damping(found, N)) if C.any() else [np.zeros_like(C)] * SAMPLES)
        else:
            found = Tangent(self.w).suit(N)
            K, missed = halved(found, lambda: N.T @ stiffness(found, N))
            C, of_K = N.T @ damping(found, N), noise(found, N, missed)
            of_C = Noise(of_K.samples, np.array([np.abs(y / found.unit).max() for y in N.T]) / (5 * found.reach * found.speed))
        verdict = judge(K, C, of_K, of_C)
        lost = self._lost_in_rounding(point, found, verdict)
        if lost:
            verdict.doubts.append(lost)
        if N.shape[1] and not all(self.mask):
            verdict.notes.append("velocity-level constraints: one of a family of poses at rest")
        return K, verdict

    def _lost_in_rounding(self, point, tangent, verdict) -> str:
        """Zeros that are zero only because something soft is drowned by the rounding of something stiff."""
        zero = np.abs(verdict.eigenvalues) <= verdict.bounds
        if not np.any(zero):
            return ""
        bound = float(verdict.bounds[zero].max())
        soft = softness(tangent, point.N, self.weight)
        names = drowned(soft, bound)
        return (f"{int(zero.sum())} eigenvalue(s) of the reduced stiffness are zero within ±{bound:.1g}; what "
                f"{', '.join(names[:3])} add to it (about {min(soft[n] for n in names):.1g}) "
                "is of that size: the stiffnesses are too different for a "
                "verdict") if names else ""

    def left(self, point, K) -> float:
        """What is unbalanced, beside all forces that act and what a displacement of the mechanism's size would wake."""
        size = point.scale + self.size * (float(np.linalg.norm(K, 2)) if K.size else 0.0)
        return float(np.linalg.norm(point.r)) / size if size > 0 else 0.0

    def balanced(self, point, values, vectors) -> bool:
        """Whether the force left is nothing along each of these directions (eigenvectors of K, with their values)."""
        left = float(np.linalg.norm(point.r))
        if left <= TOLERANCE * point.scale or not np.any(point.r):
            return True
        if left > PLAIN * (point.scale + self.size * float(np.abs(values).max(initial=0.0))):
            return False
        tangent = Tangent(self.w)
        still = np.zeros(len(tangent.v))
        noise = point.N.T @ tangent.rounding(tangent.forces, still, 2)[: len(still)]
        if np.linalg.norm(point.r) > FAR * SAFETY * np.linalg.norm(noise) > 0.0:  # far from it: two samples are enough to tell
            return False
        rounding = point.N.T @ tangent.rounding(tangent.forces, still)[: len(still)]
        along = np.abs(vectors.T @ rounding).max(axis=1, initial=0.0)
        return bool(np.all(np.abs(vectors.T @ point.r) <= 0.5 * SAFETY * along))

    def move(self, x) -> bool:
        """By the displacement x, then back onto the constraints; whether that worked."""
        w = self.w
        w.v[:] = 0.0
        w.move(x)
        loose = w.options.loose
        w.options.iterations, w.options.loose = 25, 0.0
        status = w.run("project")
        w.options.loose = loose
        w.v[:] = 0.0
        w.run("rows")
        if not (np.all(np.isfinite(w.q)) and np.all(np.isfinite(w.D))):
            return False
        return status == 0 or close(w, self.mask, CLOSING, weight=self.weight) <= 1e-10 * self.size

    def turn(self, x) -> float:
        """Largest rotation in a displacement."""
        s = self.w.system
        return float(np.abs(s.each_v(x)[:, s.dim:]).max(initial=0.0))


def descend(search, kind, steps, answer):
    """From the search's pose to a pose at rest; ``answer(point, K, verdict, count)`` makes of it what is asked for."""
    point, radius, nudged = search.look(), 0.1 * search.size, 0
    if not point.sound:  # a spring drawn with its ends together has no direction
        search.move(1e-6 * search.size * search.weight @ np.cos(1.0 + 1.7 * np.arange(search.weight.shape[1])))
        point = search.look()
    start, path, done = search.w.q.copy(), 0.0, False
    best, wasted = np.inf, 0
    for count in range(steps):
        K = search.stiffness(point)
        values, vectors = np.linalg.eigh(0.5 * (K + K.T))
        if done or search.balanced(point, values, vectors):
            point = _polished(search, point, values, vectors)
            K, verdict = search.judged(point)
            if kind == "any" or verdict.word != "unstable" or verdict.down is None or nudged >= NUDGES:
                return answer(point, K, verdict, count)
            search.move(point.N @ (0.02 * search.size * verdict.down / np.linalg.norm(verdict.down)))
            point, nudged, done = search.look(), nudged + 1, False
            continue
        before = float(np.linalg.norm(point.r))
        best, wasted = (before, 0) if before < best else (best, wasted + 1)
        if kind == "any" and wasted > WASTED:
            raise AnalysisError(_lost(search, point, count, "Newton's steps go round and round; start nearer, with state="))
        y, positive = _direction(K, values, vectors, point.r, kind, search.size)
        after, x, short, length = _step(search, point, y, radius, kind, values, vectors)
        if after is None:
            point = search.look()
            if search.left(point, K) < 1e-9 and np.linalg.norm(point.r) <= 1e-9 * point.scale:
                return answer(point, *search.judged(point), count)
            raise AnalysisError(_lost(search, point, count, "the search cannot go on: a force jumps, or the pose is singular"))
        left = float(np.linalg.norm(after.r))
        rounding = short == 1.0 and left < 1e-9 * after.scale and left > 0.5 * before  # no better pose can be told apart
        done = rounding or (positive and short == 1.0 and length <= STEP * search.size)
        path += search.turn(short * x)
        radius = 2.0 * short * length if short < 1.0 else max(radius, length)
        point = after
        if _gone(search, start):
            raise AnalysisError(_lost(search, point, count, "it moves away without end"))
    raise AnalysisError(_lost(search, point, steps, "it goes round and round" if path > 60 else "no pose was found"))


def _polished(search, point, values, vectors):
    """One more step of Newton's where all is stiff: what is left is rounding, the smaller of the two is kept."""
    if not len(values) or not values.min() > 1e-6 * values.max() or not np.any(point.r):
        return point
    kept = search.w.q.copy()
    after = search.look() if search.move(point.N @ (vectors @ ((vectors.T @ point.r) / values))) else None
    if after is not None and np.all(np.isfinite(after.r)) and np.linalg.norm(after.r) < np.linalg.norm(point.r):
        return after
    search.w.q[:] = kept
    return search.look()


def _step(search, point, y, radius, kind, values, vectors):
    """One accepted step: the point after it, the full step, the part of it taken, its length; None when there is none."""
    x, length = point.N @ y, float(np.linalg.norm(y))
    while True:
        short = min(1.0, radius / max(length, 1e-300), 0.5 / max(search.turn(x), 1e-300))
        kept = search.w.q.copy()
        after = search.look() if search.move(short * x) else None
        if after is not None and not after.sound:  # just there a direction is missing: stop short
            search.w.q[:] = kept
            after = search.look() if search.move(short * (1 - 1e-6) * x) else None
        if after is not None and after.sound:
            if kind != "any" and short * length > 1e-6 * search.size:
                after = _relaxed(search, point, after, values, vectors, short * length)
            along = (after.N.T @ (search.M @ x)) @ after.r  # the force along the step, where it ends
            if kind == "any" or along >= -0.6 * (y @ point.r) or short * length < 1e-9 * search.size:
                return after, x, short, length
        search.w.q[:] = kept
        radius = 0.3 * short * length
        if not radius >= 1e-13 * search.size:
            return None, x, short, length


def _relaxed(search, point, after, values, vectors, length):
    """The end of a step with what is stiff relaxed: a valley with steep walls is curved, a straight step runs up its wall."""
    stiff = values > STIFF * float(np.linalg.norm(point.r)) / length
    if not np.any(stiff) or np.all(stiff):
        return after
    walls = search.M @ (point.N @ vectors[:, stiff])
    for _ in range(RELAXED):
        push = walls.T @ after.a
        if np.linalg.norm(push) <= 0.1 * np.linalg.norm(point.r):
            break
        kept = search.w.q.copy()
        better = search.look() if search.move(search.freed(after, walls @ (push / values[stiff]))) else None
        if better is None or not np.linalg.norm(walls.T @ better.a) < np.linalg.norm(push):
            search.w.q[:] = kept
            return search.look()
        after = better
    return after


def _direction(K, values, vectors, r, kind, size) -> tuple[np.ndarray, bool]:
    """Downhill step: Newton's where K is positive, along the force elsewhere; whether K is nowhere negative."""
    least = 10 * len(values) * EPS * float(np.abs(values).max(initial=0.0))
    floor = max(least, 1e-2 * float(np.linalg.norm(r)) / size)  # at most 100 sizes
    if kind != "any" and values[0] > floor:
        return np.linalg.solve(K, r), True
    if kind == "any":
        return np.linalg.lstsq(K, r, rcond=EPS * len(values))[0], True
    return vectors @ ((vectors.T @ r) / np.maximum(np.abs(values), floor)), bool(values[0] >= -least)


def _gone(search, start) -> bool:
    s = search.state.system
    r = s.each_q(search.w.q - start)[:, : s.dim]
    length = s.size / np.sqrt(float(s.tables.bodies["mass"].sum()))
    return bool(np.abs(r).max(initial=0.0) > FAR * length)


def _lost(search, point, steps, reason) -> str:
    """Why there is no equilibrium: which body goes where, under which force."""
    s, w = search.state.system, search.w
    d = s.dim
    x = s.each_v(point.N @ point.r)
    b = int(np.argmax(np.abs(s.each_v(search.M @ x.ravel())).max(axis=1)))
    way = x[b, :d] if np.abs(x[b, :d]).max() > 1e-9 * np.abs(x).max() else None
    w.run("generalized_forces")
    left = unbalanced(search.model, w, point.N, search.weight, w.Q)
    where = "" if way is None else f" along ({', '.join(f'{v / np.linalg.norm(way):.3g}' for v in way)})"
    return (f"equilibrium of '{search.model.name}': none was found after {steps} steps, {reason}. Body '{s.bodies[b]}' is still "
            f"pushed{where}; unbalanced: {left}. Nothing holds this motion: add a spring, a stop or a drive, or remove the load.")


def wander(search, random, far=False) -> bool:
    """To a random pose: small steps along a direction that changes slowly (far: more of them, and straighter)."""
    y, turning = None, 0.05 if far else 0.2
    for _ in range(int(random.integers(10, 80) if far else random.integers(1, 40))):
        N = search.look().N
        if not N.shape[1]:
            return True
        push = random.standard_normal(N.shape[1])
        y = push if y is None else N.T @ (search.M @ x) + turning * push  # noqa: F821
        x = N @ y
        step = min(0.3 / max(search.turn(x), 1e-300), 0.3 * search.size / np.linalg.norm(y))
        if not search.move(step * x):
            return False
        x = x / np.linalg.norm(y)
    return True
