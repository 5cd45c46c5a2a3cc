"""equilibrium: a pose in which forces do no work in any displacement the constraints allow; equilibria: several of them.

    r(q) = Nᵀ Q(q) = 0,   Φ(q, t) = 0                      N: free displacements, Nᵀ M N = 1, drives held
    K_r = Nᵀ (∂(Dᵀλ − Q)/∂q) N                             reduced stiffness, geometric part included; Dᵀ λ = Q
    stable when all eigenvalues of K_r are positive (they are squared frequencies, rad²/s², because Nᵀ M N = 1)

The search goes downhill: in the eigenvectors of K_r each step is r/|κ|, so near a stable pose it is Newton's, and from a saddle it
moves away.  Steps are kept inside a trust radius and taken back when the force along them has turned round.  kind="any" takes
Newton's steps as they are and finds unstable poses too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert.analyses.closing import close, metric
from dalembert.analyses.hold import _unbalanced
from dalembert.analyses.mobility import null_space
from dalembert.analyses.rest import Rest, stopped, workspace
from dalembert.analyses.tangents import Tangent, stiffness
from dalembert.errors import AnalysisError, AssemblyError
from dalembert.results.motion import State

TOLERANCE = 1e-12  # of the forces, in the metric of the masses
NEUTRAL = 1e-7  # eigenvalue of K_r, of the largest (or of weight over size), that counts as none
FAR = 1e3  # of the mechanism's size: further away nothing holds it
STEPS = 400


class Equilibrium(Rest):
    """A pose at rest: ``stable``, ``stability`` in a word, ``residual``, ``stiffness`` and its eigenvalues, reactions by name."""

    def __init__(self, model, system, t, q, v, residual, K, steps):
        super().__init__(model, system, t, q, v)
        self.residual, self.stiffness, self.steps = residual, K, steps
        self.eigenvalues = np.sort(np.linalg.eigvals(K).real) if len(K) else np.zeros(0)

    @property
    def _zero(self) -> float:
        s = self.system
        weight = float(np.linalg.norm(s.tables.gravity)) / max(s.size / np.sqrt(float(s.tables.bodies["mass"].sum())), 1e-300)
        return NEUTRAL * max(float(np.abs(self.eigenvalues).max(initial=0.0)), weight, 1e-300)

    @property
    def stability(self) -> str:
        if not self.eigenvalues.size:
            return "fixed"
        least = self.eigenvalues[0]
        return "stable" if least > self._zero else "neutral" if least >= -self._zero else "unstable"

    @property
    def stable(self) -> bool:
        return self.stability in ("stable", "fixed")

    @property
    def potential(self) -> float:
        """Potential energy of gravity and springs."""
        return float(self.observed.report[0, 7])

    def __repr__(self):
        values = ", ".join(f"{x:.6g}" for x in self.eigenvalues[:6]) + (", …" if self.eigenvalues.size > 6 else "")
        lines = [f"equilibrium of '{self.model.name}' at t = {self.t:g}: {self.stability}, unbalanced {self.residual:.1e}, "
                 f"{self.steps} steps"]
        if self.eigenvalues.size:
            lines.append(f"  eigenvalues of the reduced stiffness (squared frequencies): {values}")
        return "\n".join(lines + super().__repr__().splitlines()[1:])


@dataclass
class _Point:
    """Everything about one pose of the search."""

    N: np.ndarray
    r: np.ndarray
    scale: float


class _Search:
    def __init__(self, model, state):
        self.model, self.state, self.w = model, state, workspace(state)
        self.weight, self.size = metric(self.w), state.system.size
        self.mask = np.array([row.level == 0 for row in state.system.rows])
        self.M = self.w.mass()

    def look(self) -> _Point:
        w = self.w
        w.v[:] = 0.0
        N = null_space(w, self.weight)
        w.lam[:] = 0.0
        w.run("unbalanced")
        Q = w.Q.copy()
        scale = float(np.linalg.norm(self.weight @ Q))
        w.run("rows")
        w.lam[:] = w.jacobian() @ (self.weight @ (self.weight @ Q))
        w.run("solve")
        w.vdot[:] = 0.0
        return _Point(N, N.T @ Q, scale)

    def stiffness(self, point) -> np.ndarray:
        return point.N.T @ stiffness(Tangent(self.w), point.N)

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
        if status == 0 and np.all(np.isfinite(w.q)):
            return True
        return close(w, self.mask, weight=self.weight) <= 1e-10 * self.size

    def turn(self, x) -> float:
        """Largest rotation in a displacement."""
        n, d = self.w.system.kind.SIZE_V, self.w.system.dim
        return float(np.abs(x.reshape(-1, n)[:, d:]).max(initial=0.0))


def equilibrium(model, state=None, *, t=0.0, kind="stable", steps=STEPS) -> Equilibrium:
    """The stable equilibrium downhill from the drawn pose (or a given state); kind="any": the one Newton's method finds nearest."""
    if kind not in ("stable", "any"):
        raise AnalysisError(f"equilibrium: kind is 'stable' or 'any', not {kind!r}")
    still, rest = stopped(model, t, state)
    return _find(_Search(still, rest), kind, steps)


def _find(search, kind, steps) -> Equilibrium:
    point, radius, nudged = search.look(), 0.1 * search.size, 0
    start, path = search.w.q.copy(), 0.0
    for count in range(steps):
        small = np.linalg.norm(point.r) <= TOLERANCE * max(point.scale, 1e-300)
        K = search.stiffness(point)
        if small:
            found = _result(search, point, K, count)
            if kind == "any" or found.stability != "unstable" or nudged >= 3:
                return found
            y, nudged = _away(K, search.size), nudged + 1
            search.move(point.N @ y)
            point = search.look()
            continue
        y = _direction(K, point.r, kind, search.size)
        best = np.linalg.norm(point.r)
        while True:
            x = point.N @ y
            length = float(np.linalg.norm(y))
            short = min(1.0, radius / max(length, 1e-300), 0.5 / max(search.turn(x), 1e-300))
            kept = search.w.q.copy()
            moved = search.move(short * x)
            after = search.look() if moved else None
            if after is not None and np.all(np.isfinite(after.r)):
                along = (after.N.T @ (search.M @ x)) @ after.r  # the force along the step, where it ends
                if kind == "any" or along >= -0.6 * (y @ point.r) or short * length < 1e-9 * search.size:
                    break
            search.w.q[:] = kept
            radius = 0.3 * short * length
            if radius < 1e-13 * search.size:
                found = _result(search, search.look(), K, count)
                if found.residual < 1e-9:
                    return found
                raise AnalysisError(_lost(search, point, count, "the search cannot go on: a force jumps, or the pose is singular"))
        path += search.turn(short * x)
        if after.scale == 0.0 or np.linalg.norm(after.r) < 1e-9 * after.scale and np.linalg.norm(after.r) > 0.5 * best and short == 1.0:
            point = after  # rounding: no better pose can be told apart
            return _result(search, point, search.stiffness(point), count + 1)
        point, radius = after, max(radius, 2.0 * short * length) if short < 1.0 else max(radius, length)
        if _gone(search, start):
            raise AnalysisError(_lost(search, point, count, "it moves away without end"))
    reason = "it goes round and round" if path > 60 else "no pose was found"
    raise AnalysisError(_lost(search, point, steps, reason))


def _direction(K, r, kind, size) -> np.ndarray:
    """Downhill step: Newton's where K is positive, along the force elsewhere."""
    values, vectors = np.linalg.eigh(0.5 * (K + K.T))
    floor = max(1e-9 * float(np.abs(values).max(initial=0.0)), 1e-2 * float(np.linalg.norm(r)) / size)  # no further than 100 sizes
    if kind == "any" or values[0] > floor:
        return np.linalg.lstsq(K, r, rcond=1e-12)[0]
    return vectors @ ((vectors.T @ r) / np.maximum(np.abs(values), floor))


def _away(K, size) -> np.ndarray:
    """A push along the most unstable direction."""
    values, vectors = np.linalg.eigh(0.5 * (K + K.T))
    return 0.02 * size * vectors[:, 0]


def _result(search, point, K, steps) -> Equilibrium:
    s = search.state
    return Equilibrium(search.model, s.system, s.t, search.w.q.copy(), np.zeros_like(s.v),
                       float(np.linalg.norm(point.r)) / max(point.scale, 1e-300) if point.scale > 0 else 0.0, K, steps)


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
    left = _unbalanced(search.model, w, point.N, search.weight, w.Q)
    where = "" if way is None else f" along ({', '.join(f'{v / np.linalg.norm(way):.3g}' for v in way)})"
    return (f"equilibrium of '{search.model.name}': none was found after {steps} steps, {reason}. Body '{s.bodies[b]}' is still "
            f"pushed{where}; unbalanced: {left}. Nothing holds this motion: add a spring, a stop or a drive, or remove the load.")


def equilibria(model, *, t=0.0, tries=40, kind="stable", seed=0) -> list[Equilibrium]:
    """Different equilibria, found from random poses the mechanism can reach; lowest potential energy first."""
    still, rest = stopped(model, t)
    random = np.random.default_rng(seed)
    found: list[Equilibrium] = []
    for k in range(tries):
        search = _Search(still, rest)
        if k and not _wander(search, random):
            continue
        try:
            new = _find(search, kind, STEPS)
        except (AnalysisError, AssemblyError, np.linalg.LinAlgError):
            continue
        if new.residual < 1e-8 and (kind == "any" or new.stability != "unstable") and not any(_same(new, old) for old in found):
            found.append(new)
    if not found:
        equilibrium(model, t=t, kind=kind)  # says why
    return sorted(found, key=lambda e: e.potential)


def _wander(search, random) -> bool:
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


def _same(a: State, b: State) -> bool:
    """The same pose, full turns apart."""
    pa, pb = a.observed.pose[0], b.observed.pose[0]
    return bool(np.abs(pa - pb).max() < 1e-6 * max(1.0, np.abs(pa).max()))
