"""A pose at rest of a mechanism with states of its own: forces and rates vanish together.

    r(q, z) = Nᵀ Q(q, 0, z) = 0        N: motions that the constraints allow, orthonormal in the metric of the masses
    ż(q, 0, z) = 0                     pressures, currents, integrals of controllers

Neither can be solved for alone: the integral of a PID is fixed by the pose it must carry, the pose by what the integral demands.
Newton's method on both, with exact derivatives (duals, λ of the balance held, as for K):

    ⎡ Nᵀ ∂u/∂q N   Nᵀ ∂u/∂z ⎤ ⎡ a ⎤     ⎡ r ⎤
    ⎣ ∂ż/∂q N      ∂ż/∂z    ⎦ ⎣ δz⎦ = − ⎣ ż ⎦        rows and columns brought to size one first

Steps are shortened until what is left falls; it is a rest when forces and rates are nothing beside what makes them up, never
because a step is short.  Where the matrix does not fix a direction (a state that counts turns), the shortest
step is taken, and that direction stays as it was: a zero eigenvalue tells of it.  A pose with a controller has no potential whose
valley could be looked for: stability is that of the motion with its states (linearize), and what is found unstable is refused
unless any pose was asked for.
"""

from __future__ import annotations

import numpy as np

from dalembert._jit.duals import WIDTH
from dalembert.analyses.linearize import linearize
from dalembert.analyses.statics.at_rest import Rest
from dalembert.analyses.statics.stability import Verdict
from dalembert.errors import AnalysisError
from dalembert.formulations.augmented.derivatives import derivatives_of

MOST, SHORTEST, TURN, SINGULAR = 100, 1e-4, 0.5, 1e-13
CLOSE, LEFT = 1e-12, 1e-11  # of the mechanism's size; of what makes up forces and rates
NUDGES, NUDGE = 3, 0.02  # away from a pose in which the matrix is singular, and nothing balances


class Balance:
    """Forces and rates at a pose of a search, their derivatives, and steps along both."""

    def __init__(self, search):
        self.search, self.w = search, search.w
        self.names, self.places = list(self.w.system.states), list(self.w.system.states.values())
        self._duals = derivatives_of(self.w)

    def look(self):
        """The point, and r, ż there in one column; None where it is not finite."""
        w = self.w
        point = self.search.look()
        w.held[:] = 0.0
        w.run("unbalanced")
        left = np.concatenate([point.r, w.qdot[self.places]]) if point.sound else np.full(1, np.nan)
        return (point, left) if np.all(np.isfinite(left)) else (point, None)

    def slopes(self, point) -> np.ndarray:
        N, nz = point.N, len(self.places)
        return np.hstack([self._along(N, N.shape[1], self._displaced), self._along(N, nz, self._changed)])

    def _displaced(self, N, a, b):
        self._duals.seeds(N[:, a:b], None)

    def _changed(self, N, a, b):
        for k in range(a, b):
            self._duals.found["q"][self.places[k], k - a] = 1.0

    def _along(self, N, count, seed) -> np.ndarray:
        d, out = self._duals, [np.zeros((N.shape[1] + len(self.places), 0))]
        for first in range(0, count, WIDTH):
            n = min(WIDTH, count - first)
            d.still()
            seed(N, first, first + n)
            d.run("balanced")
            out.append(np.vstack([N.T @ d.found["u"][:, :n], d.found["qdot"][self.places][:, :n]]))
        d.still()
        return np.hstack(out)

    def move(self, point, x) -> bool:
        """By displacements and changes of the states."""
        free = point.N.shape[1]
        self.w.q[self.places] += x[free:]
        return self.search.move(point.N @ x[:free])


def settle(search, kind, steps):
    """From the search's pose and states to a rest of both: point, K, verdict, count."""
    balance, nudged = Balance(search), 0
    point, left = balance.look()
    if left is None:
        raise AnalysisError(f"equilibrium of '{search.model.name}': forces or rates of states are not finite where it begins")
    for count in range(min(steps, MOST)):
        J = balance.slopes(point)
        if not np.all(np.isfinite(J)):
            raise AnalysisError(f"equilibrium of '{search.model.name}': slopes of forces or rates are not finite on the way")
        rows, columns = _sizes(J)
        x = -columns * np.linalg.lstsq(rows[:, None] * J * columns, rows * left, rcond=SINGULAR * len(J))[0]
        free = point.N.shape[1]
        short, after = _shortened(balance, point, left, x, rows)
        small = _small(search, balance, point, left, J)
        if after is not None and not small and not (short == 1.0 and _tiny(search, x[:free])):
            point, left = after
            continue
        if small:
            point, left = (point, left) if after is None else after
            return _judged(search, point, J, kind, count + 1)
        if nudged >= NUDGES or not free:  # nothing is left to do here, and yet it does not balance
            break
        nudged += 1
        search.move(point.N @ (NUDGE * nudged * search.size * np.cos(1.0 + 1.7 * np.arange(free))))
        point, left = balance.look()
        if left is None:
            break
    raise AnalysisError(_lost(search, balance, point, left))


def _tiny(search, a) -> bool:
    return bool(np.linalg.norm(a) <= CLOSE * search.size)


def _small(search, balance, point, left, J) -> bool:
    """Whether forces and rates are nothing beside what makes them up."""
    free, z = point.N.shape[1], search.w.q[balance.places]
    size = np.abs(J[free:, free:]) @ np.abs(z) + search.size * np.linalg.norm(J[free:, :free], axis=1)
    stiff = float(np.linalg.norm(J[:free, :free], 2)) if free else 0.0
    balanced = np.linalg.norm(left[:free]) <= LEFT * (point.scale + search.size * stiff)
    return bool(balanced and np.all(np.abs(left[free:]) <= LEFT * size))


def _sizes(J) -> tuple[np.ndarray, np.ndarray]:
    """Factors of rows and columns that bring the entries to size one."""
    rows, columns = np.ones(len(J)), np.ones(J.shape[1])
    for _ in range(3):
        rows /= np.sqrt(_size(np.abs(rows[:, None] * J * columns).max(axis=1, initial=0.0)))
        columns /= np.sqrt(_size(np.abs(rows[:, None] * J * columns).max(axis=0, initial=0.0)))
    return rows, columns


def _size(x) -> np.ndarray:
    return np.where(x > 0.0, x, 1.0)


def _shortened(balance, point, left, x, rows):
    """The part of the step after which less is left, and the point there; none: where it was."""
    search, free = balance.search, point.N.shape[1]
    kept, before = search.w.q.copy(), float(np.linalg.norm(rows * left))
    far = max(search.turn(point.N @ x[:free]) / TURN, float(np.linalg.norm(x[:free])) / search.size, 1.0)
    short = 1.0 / far
    while short >= SHORTEST / far:
        after, now = balance.look() if balance.move(point, short * x) else (None, None)
        if now is not None and len(now) == len(left) and np.linalg.norm(rows * now) < (1.0 - 0.1 * short) * before:
            return short, (after, now)
        search.w.q[:] = kept
        short *= 0.5
    balance.look()
    return 0.0, None


def _judged(search, point, J, kind, count):
    """The verdict on a rest that was found."""
    s = search.state
    rest = Rest(search.model, s.system, s.t, search.w.q.copy(), np.zeros_like(s.v))
    free = point.N.shape[1]
    K = -J[:free, :free]
    if free:
        linear = linearize(search.model, rest, inputs=(), outputs=())
        values, doubts, notes, stable = linear.eigenvalues, linear.doubts, linear.notes, linear.stable
    else:
        values, doubts, notes = np.linalg.eigvals(J), [], []
        stable = bool(np.all(values.real <= 1e-12 * np.abs(values).max(initial=0.0)))
    word = "unstable" if not stable else "neutral" if np.any(values == 0.0) else "stable"
    growth = values[np.lexsort((-values.imag, -values.real))]
    waving = not stable and abs(growth[0].imag) > 1e-9 * abs(growth[0])
    manner = "" if stable else "flutter" if waving else "divergence"
    if word == "unstable" and kind == "stable":
        raise AnalysisError(f"equilibrium of '{search.model.name}': at rest with its states there is a pose, and it is unstable "
                            f"({manner}: an eigenvalue of the motion is {growth[0]:.4g}). kind=\"any\" gives it; for another one "
                            "begin elsewhere, with state=, or simulate until it rests")
    spectrum = np.linalg.eigvals(K) if free else np.zeros(0)
    spectrum = np.sort_complex(spectrum) if np.iscomplexobj(spectrum) else np.sort(spectrum)
    verdict = Verdict(word, spectrum, np.zeros(len(spectrum)), growth, manner, doubts, notes)
    return point, K, verdict, count


def _lost(search, balance, point, left) -> str:
    free = point.N.shape[1]
    J = balance.slopes(point)
    part = np.abs(left) * _sizes(J)[0]
    worst = int(np.argmax(part))
    who = (f"the rate of '{balance.names[worst - free]}' stays at {left[worst]:.4g} per second" if worst >= free
           else "forces stay unbalanced")
    return (f"equilibrium of '{search.model.name}' with its states {', '.join(balance.names[:4])}: none was found, {who}. "
            "Either there is none (an integral whose error cannot vanish), or it is far: begin nearer, with state=, or simulate "
            "until it rests")
