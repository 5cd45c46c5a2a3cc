"""The linearised motion next to a state, in coordinates with names.

Along a small change (x: twists that displace the bodies, y: change of v) everything is a directional derivative
(toolbox/tangents.py).  With the coordinates' rates R(q, v) and accelerations G v̇ + h (joint measures; a body's
reference point and turn, ground axes):

    positions    x = P a          D_h P = 0 (position rows), the chosen coordinates change by a
    velocities   y = V a + N b    D y + δ(D v − ν) = 0, the chosen rates change by b
    ȧ            δR, plus ω × δθ for turns: δω = δθ̇ − ω × δθ
    ḃ            G δv̇ + δ(G v̇ + h),     [M Dᵀ; D 0] [δv̇; δλ] = [δu; −δρ]

A steady motion turns with a constant Ω: vectors of bodies are then taken along axes that turn with Ω, where the linearised
equations do not depend on time (−Ω × added to their rates).  Which Ω, and whether any will do: steadiness.py.  ``axes`` are the
turning axes at this state (columns, ground); at the state that is asked about they are the ground's.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import cached_property

import numpy as np

from dalembert.algebra.null_space import RANK_TOLERANCE
from dalembert.analyses.linear.references import reference_motions
from dalembert.analyses.statics.at_rest import acting
from dalembert.analyses.toolbox.closing import metric
from dalembert.analyses.toolbox.exact import tangent
from dalembert.analyses.toolbox.independent import all_coordinates, body_rows, choose, rotation, rows, skew
from dalembert.analyses.toolbox.mobility import null_space
from dalembert.analyses.toolbox.tangents import Tangent, damping, halved, softness, stiffness
from dalembert.analyses.toolbox.thresholds import COARSE, Noise, Sampled
from dalembert.system import poses

STRAIGHT = np.eye(3)
STEADY = 1e-6  # of A, per step along the motion: more is not steady


class Perturbation:
    """Bases and derivatives at the state of a workspace."""

    def __init__(self, model, work, wanted, like=None, axes=None):
        """``wanted``: coordinates to take first; or those of the perturbation ``like``, along ``axes``."""
        self.model, self.w, s = model, work, work.system
        self.axes, self.turning = STRAIGHT if axes is None else axes, np.zeros(3)
        self.restless = False  # a state beside the motion changes
        self.later: Callable[[], tuple[float, list[str]]] = lambda: (0.0, [])  # what steadiness.py finds when it is asked for
        self._kept: tuple = (None, np.zeros(s.nb * s.kind.TWIST))  # the twist of v̇, and where
        self._known: tuple | None = None  # the state of the last answers, and what they are made of
        work.run("accelerations")
        work.held[:] = work.vdot
        self.vdot, self.tangent = work.vdot.copy(), tangent(work)
        work.run("rows")
        self.weight, self.D = metric(work), work.jacobian()
        self.level0 = np.array([r.level == 0 for r in s.rows], dtype=bool)
        self.found = all_coordinates(model, s) if like is None else like.found
        self.tangent.restore()
        self.G = self._along_axes(rows(work, self.found))
        self.tangent.restore()
        self.omegas = [self._omega(b) for b in range(s.nb)]
        Nh, N = null_space(work, self.weight, self.level0), null_space(work, self.weight)
        self.tangent.restore()
        self.tangent.suit(Nh)
        if like is not None:
            self.pick, self.rate = like.pick, like.rate
        else:
            prefer = [self.found.index(c) for c in wanted]
            self.pick = choose(self.found, self.G, Nh, self.weight, prefer)
            self.rate = self._rates(N, [*prefer, *(k for k in self.pick if k not in prefer)])
        self.P = Nh @ np.linalg.inv(self.G[self.pick] @ Nh) if self.pick else Nh
        self.N = N @ np.linalg.inv(self.G[self.rate] @ N) if self.rate else N
        self.Nh, self.free = Nh, N  # Nᵀ M N = 1
        self.bodies = {self.found[k].body for k in (*self.pick, *self.rate)} - {None}  # those whose coordinates are asked for
        hat = self.D @ self.weight
        self._inverse = self.weight @ np.linalg.pinv(hat, rcond=RANK_TOLERANCE) if len(hat) else np.zeros((s.nv, 0))

    @cached_property
    def judged(self) -> tuple[float, list[str]]:
        """How much A changes along the motion, and what changes in time by itself: found when first asked for."""
        return self.later()

    @property
    def unsteady(self) -> float:
        return 1.0 if self.restless else self.judged[0]

    @property
    def changing(self) -> list[str]:
        return self.judged[1]

    def elsewhere(self, axes) -> Perturbation:
        """What the rates of the same coordinates are told by, at the state that the workspace has now."""
        other = copy(self)
        other.axes, other.tangent = axes, Tangent(self.w)
        return other

    def _rates(self, N, order):
        """Coordinates whose rates are independent: those of the positions first, as far as they go."""
        if N.shape[1] == len(order):
            return list(order)
        d = self.w.system.dim
        order = sorted(order, key=lambda k: 0 if self.found[k].measure is not None else 1 if self.found[k].part >= d else 2)
        short = [self.found[k] for k in order]
        chosen = choose(short, self.G[order], N, self.weight) if order else []
        return [order[k] for k in chosen]

    def _omega(self, b):
        _, omega = poses.motion(self.w.system, self.w.twist, b)
        return omega.copy() if self.w.system.dim == 3 else np.array([0.0, 0.0, omega])

    def _along_axes(self, values):
        """The components of bodies' vectors among ``values`` (one row per coordinate of ``found``) along the axes."""
        s = self.w.system
        d, n = s.dim, s.kind.SIZE_V
        base = len(self.found) - s.nv
        if self.axes is STRAIGHT or np.array_equal(self.axes, STRAIGHT):
            return values
        out = np.array(values, dtype=float)
        for at in range(base, len(self.found), n):
            for k in (at, at + d)[: d - 1]:  # in the plane a turn has one component
                out[k:k + d] = self.axes[:d, :d].T @ out[k:k + d]
        return out

    def reasons(self) -> list[str]:
        """Why A belongs to this instant only, in words."""
        out = []
        if self.changing:
            out.append(f"{', '.join(self.changing[:3])} change(s) in time: the eigenvalues belong to this instant and do not say "
                       "whether the motion is stable")
        elif self.unsteady >= STEADY:
            out.append("the motion is not steady: the eigenvalues belong to this instant and do not say whether it is stable")
        return out

    # ------------------------------------------------------------------------------------------ one direction

    def _motion(self):
        """Rates R of all coordinates, then G v̇ + h with v̇ kept: measures, then bodies."""
        w, s, v = self.w, self.w.system, self.w.v.copy()
        values = self.tangent.measures()
        m = s.tables.measures.size
        measured = values[:3 * m]
        rates, accelerations = measured[1::3], values[3 * m:] + measured[2::3]
        own = np.zeros((2, *s.each_v(v).shape))
        for b in self.bodies:
            B = body_rows(w, b)
            own[0, b], own[1, b] = B @ v, B @ self.vdot + self._bias(b, v)
        return np.concatenate([rates, own[0].ravel(), accelerations, own[1].ravel()])

    def _bias(self, b, v):
        """ω × (ω × arm) of the reference point (ground axes); turns have none."""
        s = self.w.system
        d = s.dim
        out = np.zeros_like(v[s.at_v(b)])
        A = rotation(self.w, b)
        arm = -A @ np.asarray(s.tables.bodies["com"][b])
        if d == 2:
            out[:2] = -v[s.at_v(b)][2] ** 2 * arm
        else:
            omega = A @ v[s.at_v(b)][3:]
            out[:3] = np.cross(omega, np.cross(omega, arm))
        return out

    def split(self, array):
        """Rates and accelerations per coordinate of ``found``, from what ``_motion`` gives."""
        half = len(array) // 2
        return [self._along_axes(part) for part in array.reshape(2, half, *array.shape[1:])[:, self._places]]

    @cached_property
    def _places(self) -> np.ndarray:
        """Where the coordinates of ``found`` are among measures and bodies."""
        s = self.w.system
        m = s.tables.measures.size
        places = [c.measure if c.measure is not None else m + s.at_v(c.body).start + c.part for c in self.found]
        return np.array(places, dtype=int)

    def displaced(self, x):
        """δ of all coordinates for a displacement x."""
        return self.G @ x

    def velocities(self, X):
        """V: the changes of v that go with displacements (columns) when the chosen rates keep their values."""
        if not np.any(self.tangent.v) or not X.shape[1]:
            return np.zeros_like(X)
        T = self.tangent
        exact = T.columns(X, None, "speeds", "speed")[0] if T.exact else None
        gaps = np.column_stack([T.along(x, None, T.speeds) for x in X.T]) if exact is None else exact
        rates = self.split(self._motions(X, None, rates=True))[0][self.rate]
        closed = -self._inverse @ gaps  # D y = −gaps; then along N, G N = 1, until the rates are kept
        return closed - self.N @ (rates + self.G[self.rate] @ closed)

    def _motions(self, X, Y, rates=False, first=None):
        """δ of what ``_motion`` gives, along all columns of (X, Y); with ``rates`` the accelerations are left at zero.

        ``first``: the columns X begins with, where the others are zero.
        """
        T = self.tangent
        if not T.exact:
            pairs = [(None if X is None else X[:, k], None if Y is None else Y[:, k])
                     for k in range((Y if X is None else X).shape[1])]
            return np.column_stack([T.along(x, y, self._motion) for x, y in pairs])
        names = ("measured", "pose", "twist")
        now, pose, twist = T.columns(X, Y, "measured", *names, v=T.v)
        w = T.d.values
        values = w.pose.copy(), w.twist.copy()
        then, carried = np.zeros_like(now), np.zeros_like(twist)
        if not rates and X is not None:
            displaced = X if first is None else first
            count = displaced.shape[1]
            then[:, :count], _, carried[:, :count] = T.columns(displaced, None, "measured", *names, v=self.vdot)
            self._kept = (T.q, w.twist.copy())
        elif not rates and self._kept[0] is not T.q:  # nothing is displaced: with v̇ in the place of v nothing changes
            T.columns(np.zeros((len(T.v), 1)), None, "measured", v=self.vdot)
            self._kept = (T.q, w.twist.copy())
        after = None if rates else (self._kept[1], carried)
        own = reference_motions(self.w.system, self.bodies, values, (pose, twist), after)
        return np.vstack([now[1::3], own[0], then[1::3] + now[2::3], own[1]])

    def _changes(self, X, Y, first=None):
        """Displacements of all coordinates, changes of forces and of rates, per column."""
        changes, motions = self.tangent.changes(X, Y), self._motions(X, Y, first=first)
        return np.zeros((len(self.found), changes.shape[1])) if X is None else self.displaced(X), changes, motions

    def answered(self, place, change, motion):
        """The same from the changes of forces and rates."""
        nv = len(self.vdot)
        dv = self.accelerate(change[:nv]) - (self._inverse @ change[nv:] if len(change) > nv else 0.0)
        rates, second = self.split(motion)
        return self._turned(place, rates, second + self.G @ dv)

    def accelerate(self, force):
        """δv̇ under a change of the forces."""
        return self.free @ (self.free.T @ force)

    def _turned(self, place, rates, second):
        """Rates of the coordinates as the turning axes see them, then rates of their rates."""
        s = self.w.system
        first, then = rates.copy(), second.copy()
        if s.dim == 2 and not np.any(self.turning):
            return place, rates, first, then
        n, d = s.kind.SIZE_V, s.dim
        base = len(self.found) - s.nv
        turning = skew(self.axes.T @ self.turning)
        for b in self.bodies:  # of the others nothing is asked
            at = base + s.at_v(b).start
            for part, size in ((slice(at, at + d), d), (slice(at + d, at + n), n - d)):
                if size == 1:
                    continue
                carried = -turning[:size, :size] @ place[part]
                if part.start == at + d:  # turns
                    carried = carried + skew(self.axes.T @ self.omegas[b])[:size, :size] @ place[part]
                first[part] += carried
                then[part] -= turning[:size, :size] @ rates[part]
        return place, rates, first, then

    # ---------------------------------------------------------------------------------- along displacements of unit length

    @property
    def static(self) -> bool:
        """Nothing moves and nothing is about to."""
        w = self.w
        self.tangent.restore()
        scale = acting(w, self.weight)
        self.tangent.restore()
        return not np.any(self.tangent.v) and float(np.sqrt(max(self.vdot @ (w.mass() @ self.vdot), 0.0))) <= 1e-8 * scale

    @cached_property
    def soft(self) -> dict[str, float]:
        """What single parts of the model add to the stiffness."""
        return softness(self.tangent, self.Nh, self.weight) if self.Nh.shape[1] else {}

    def natural(self, A) -> tuple[np.ndarray, Noise, np.ndarray]:
        """A along displacements and velocities of unit length (metric of the masses), its noise, and the states per unit of
        these.

        A pose at rest needs no coordinates for that; a motion takes those of A.
        """
        T, N, Nh, nv = self.tangent, self.free, self.Nh, len(self.vdot)
        states = np.zeros((len(A), len(A)))
        n = len(self.pick)
        states[:n, :n], states[n:, n:] = self.G[self.pick] @ Nh, self.G[self.rate] @ N
        mixed = Nh @ np.cos(1.0 + 1.7 * np.arange(n))
        cut = nv + len(self.D)
        if T.exact:
            out, matrices = self._sampled(A, states, n)
            return out, Sampled(matrices), states
        if self.static:
            out = np.zeros_like(A)
            out[:n, n:] = Nh.T @ (self.w.mass() @ N)
            missed = np.zeros_like(A)
            out[n:, :n], missed[n:, :n] = halved(T, lambda: -N.T @ stiffness(T, Nh))
            out[n:, n:] = -N.T @ damping(T, N)
            values = T.rounding(T.forces, mixed)[:nv]
            samples = np.vstack([np.zeros((n, values.shape[1])), N.T @ values])
        else:
            T.reach *= 0.5
            inverse, half = np.linalg.inv(states), self.matrix()
            out, missed = inverse @ half @ states, inverse @ ((A - half) / COARSE) @ states
            values = T.rounding(lambda: np.concatenate([T.forces(), self._motion()]), mixed)
            answers = [self.answered(np.zeros(len(self.found)), x[:cut], x[cut:]) for x in values.T]
            rows = [np.concatenate([a[2][self.pick], a[3][self.rate]]) for a in answers]
            samples = inverse @ np.array(rows).reshape(values.shape[1], len(A)).T
        paces = [float(np.abs(y / T.unit).max()) / (5 * T.reach * T.speed) for y in N.T]
        steps = np.array([T.slope(x) for x in Nh.T] + paces)
        T.reach *= 2
        return out, Noise(samples, steps, missed), states

    def _sampled(self, A, states, n) -> tuple:
        """The same by exact derivatives: A along unit displacements, and samples of what rounding does to it."""
        T, N, Nh = self.tangent, self.free, self.Nh

        def at_rest():
            out = np.zeros_like(A)
            out[:n, n:] = Nh.T @ (self.w.mass() @ N)
            out[n:, :n], out[n:, n:] = -N.T @ stiffness(T, Nh), -N.T @ damping(T, N)
            return out

        if self.static:
            return at_rest(), T.sampled(at_rest)
        inverse = np.linalg.inv(states)
        return inverse @ A @ states, T.sampled(lambda: inverse @ self.matrix() @ states)

    def matrix(self) -> np.ndarray:
        """A in the chosen coordinates, with the steps of the tangent."""
        return self.assembled(self.answers())

    def answers(self) -> tuple:
        """δ of all coordinates, of their rates, and the same as the turning axes see it with δ(accelerations): a column each."""
        T = self.tangent
        state = (T.q, T.v, T.reach, frozenset(self.bodies))
        if self._known is None or any(a is not b for a, b in zip(self._known[0][:2], state, strict=False)) or (
                self._known[0][2:] != state[2:]):
            Y = np.hstack([self.velocities(self.P), self.N])
            self._known = (state, self._changes(T.widened(self.P, self.N.shape[1]), Y, self.P))
        return self.answered(*self._known[1])  # the axes may turn otherwise than before

    def assembled(self, answers) -> np.ndarray:
        return np.vstack([answers[2][self.pick], answers[3][self.rate]])
