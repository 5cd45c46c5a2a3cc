"""The first moments of sliding that begins from rest under loads that grow: directions of slip far faster than the motion.

Friction turns with the velocity, r_t = −μ r_n u/|u|, at a rate of μ g/|u|.  Where loads grow through the limit of friction the
speed is ½ c τ² after a time τ, so this rate is ∝ 1/τ²: explicit steps h < |u|/(μ g) crawl, some 2 μ g/(c τ) of them however they
begin.  But v/τ² is smooth in τ, down to τ = 0: collocation at the S points of Radau (order 2 S − 1) over one long step asks
for f at points where directions exist, and nowhere else.

    V_j = v₀ + h Σ a_jk v̇(t_k, Y_k)        Newton's method on V, ∂v̇/∂v by differences; positions and sums by substitution
    first  v₀ + ½ v¨ τ², the motion that the law gave to loads a little beyond the limit (leading.py)

A step is believed where the polynomial's rate misses f between its points by less than the tolerance; else it is cut in half.
What rounding leaves there is allowed besides: accelerations a are right to ε a, velocities to ε a h, so directions where the
motion is Δv to ε a h/|Δv|, and rates to a times that.  With Δv = ½ c (θh)² the miss h a · ε a h/|Δv| does not depend on h: a
tolerance below it would refuse the shortest step as well.
Steps end before anything else happens: an event function that changes its sign at a point refuses the step, too.  What is left to
explicit steps begins where directions turn slowly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert.contacts.events.tables import NQ

S = 6
ROUNDS = 12
SHORTEST = 1e-5  # of the way: shorter steps gain nothing
ROUNDING, UNSURE = 1e-15, 1e-8  # of accelerations; of directions: more is not put down to rounding
DIFFERENCE = 1e-5  # of the change of velocities: for the tangent


def _points():
    """Points c of Radau on (0, 1], and coefficients that integrate the polynomial through them (powers of θ)."""
    P = np.polynomial.legendre.Legendre
    zeros = np.sort((P.basis(S) - P.basis(S - 1)).roots().real)  # the last one is 1
    c = 0.5 * (zeros + 1.0)
    c[-1] = 1.0
    powers = np.linalg.inv(np.vander(c, S, increasing=True))  # row p: coefficients of θ^p by values
    return c, powers


C, POWERS = _points()
BETWEEN = np.array([0.5 * C[0], *(0.5 * (C[:-1] + C[1:]))])


def weights(theta: float) -> np.ndarray:
    """∫₀^θ of the polynomial through values at the points."""
    return (theta ** np.arange(1, S + 1) / np.arange(1, S + 1)) @ POWERS


A = np.array([weights(c) for c in C])


@dataclass
class Piece:
    """A step of the launch: y at its times."""

    t: float
    h: float
    y: np.ndarray
    rates: np.ndarray  # at the points

    def at(self, t: float) -> np.ndarray:
        return self.y + self.h * (weights((t - self.t) / self.h) @ self.rates)


def launch(m, way: float, jerk: np.ndarray, rtol: float, atol: float) -> list[Piece]:
    """From (t, y) of the machine, at rest and with v¨ = ``jerk`` to begin with, over at most ``way``.

    It is left at the end of what was gone."""
    pieces: list[Piece] = []
    h, end = way, float(m.t[0]) + way
    while float(m.t[0]) < end - 1e-3 * SHORTEST * way and h > SHORTEST * way:
        piece = _step(m, min(h, end - float(m.t[0])), None if pieces else jerk, rtol, atol)
        if piece is None:
            h *= 0.5
            continue
        pieces.append(piece)
        h *= 2.0
    return pieces


def _f(m, t, y):
    m.t[0], m.y[:] = t, y
    return None if m.rhs() else m.ydot.copy()


def _step(m, h, jerk, rtol, atol) -> Piece | None:
    t, y = float(m.t[0]), m.y.copy()
    signs = _signs(m)
    found = _collocated(m, t, y, h, jerk)
    piece = None if found is None else Piece(t, h, y, found)
    if piece is not None and _believed(m, piece, signs, rtol, atol):
        m.t[0], m.y[:] = t + h, piece.at(t + h)
        m.project()
        return piece
    m.t[0], m.y[:] = t, y
    return None


def _signs(m):
    m.events()
    return np.sign(m.g)


def _believed(m, piece, signs, rtol, atol) -> bool:
    nq, nv = int(m.a["size"][NQ]), m.system.nv
    v = slice(nq, nq + nv)
    pull = m.pace()**2 / m.size
    fast = piece.h * pull * max(1.0, 1.0 / m.size)  # of turning as well
    for theta in BETWEEN:
        t = piece.t + theta * piece.h
        there = piece.at(t)
        rate = _f(m, t, there)
        if rate is None:
            return False
        miss = piece.h * np.abs(theta ** np.arange(S) @ POWERS @ piece.rates[:, v] - rate[v])
        moved = float(np.abs(there[v] - piece.y[v]).max())
        rounding = fast * min(UNSURE, ROUNDING * piece.h * pull / moved) if moved > 0.0 else 0.0
        if np.any(miss > rounding + atol + rtol * np.abs(piece.at(piece.t + piece.h)[v]).max()):
            return False
    for c in C:
        m.t[0], m.y[:] = piece.t + c * piece.h, piece.at(piece.t + c * piece.h)
        if np.any(_signs(m) * signs < 0.0):
            return False
    return True


def _collocated(m, t, y, h, jerk):
    """Rates at the points, or None."""
    nq, nv = int(m.a["size"][NQ]), m.system.nv
    v = slice(nq, nq + nv)
    rates = _f(m, t, y)
    if rates is None:
        return None
    Y = y + h * np.outer(C, rates)
    if jerk is not None:
        Y[:, v] = y[v] + 0.5 * h**2 * np.outer(C**2, jerk)
    before = np.inf
    for _ in range(ROUNDS):
        rates = _all(m, t, y, h, Y)
        if rates is None:
            return None
        rest = Y - y - h * (A @ rates)
        J = np.zeros((S * nv, S * nv))
        for k in range(S):
            block = _tangent(m, t + C[k] * h, Y[k], rates[k], v, float(np.abs(Y[k, v] - y[v]).max()))
            if block is None:
                return None
            for j in range(S):
                J[j * nv:(j + 1) * nv, k * nv:(k + 1) * nv] = -h * A[j, k] * block
        J[np.diag_indices(S * nv)] += 1.0
        step = np.linalg.solve(J, -rest[:, v].ravel()).reshape(S, nv)
        new = y + h * (A @ rates)
        new[:, v] = Y[:, v] + step
        moved, change = float(np.abs(step).max()), float(np.abs(Y[:, v] - y[v]).max())
        Y = new
        if not np.isfinite(moved) or moved > 1e3 * max(change, 1e-300):
            return None
        if moved <= 1e-12 * change:
            return _all(m, t, y, h, Y)
        if moved > 0.5 * before and moved < 1e-9 * change:  # rounding
            return _all(m, t, y, h, Y)
        before = moved
    return None


def _all(m, t, y, h, Y):
    rates = [_f(m, t + c * h, Y[k]) for k, c in enumerate(C)]
    return None if any(r is None or not np.all(np.isfinite(r)) for r in rates) else np.array(rates)


def _tangent(m, t, y, rate, v, change):
    d = DIFFERENCE * change
    if d == 0.0:
        return None
    columns = []
    for i in range(v.start, v.stop):
        moved = y.copy()
        moved[i] += d
        new = _f(m, t, moved)
        if new is None:
            return None
        columns.append((new[v] - rate[v]) / d)
    return np.array(columns).T
