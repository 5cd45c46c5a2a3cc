"""The first moments of sliding that begins from rest under loads that grow: directions of slip far faster than the motion.

Friction turns with the velocity, r_t = −μ r_n u/|u|, at a rate of μ g/|u|.  Where loads grow through the limit of friction the
speed is ½ c τ² after a time τ, so this rate is ∝ 1/τ²: explicit steps h < |u|/(μ g) crawl, some 2 μ g/(c τ) of them however they
begin.  But v/τ² is smooth in τ, down to τ = 0: collocation at the S points of Radau (order 2 S − 1) over one long step asks
for f at points where directions exist, and nowhere else.

    V_j = v₀ + h Σ a_jk v̇(t_k, Y_k)        Newton's method on V, ∂v̇/∂v by differences; positions and sums by substitution
    first  v₀ + v̇₀ τ + ½ v¨ τ², the motion that the law gave to loads a little beyond the limit (leading.py)

A step is believed where the polynomial's rate misses f between its points by less than the tolerance; else it is cut in half.
What it misses moves v by less than the time for which it lasts: with ∂v̇/∂v = J by (1/h − J)⁻¹ times that, for directions that
rounding turned turn back within |u|/(μ g).  Steps end before anything else happens: a function of contacts that is below zero at
a point, or one of others that changes its sign, refuses the step, too.  What is left to explicit steps begins where directions
turn slowly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert.contacts.events.tables import MU, NQ, SLIP, N, U

S = 6
ROUNDS = 12
SHORTEST = 1e-5  # of the way: shorter steps gain nothing
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


def launch(m, way: float, rate: np.ndarray, jerk: np.ndarray, rtol: float, atol: float) -> list[Piece]:
    """From (t, y) of the machine, with v̇ = ``rate`` and v¨ = ``jerk`` to begin with, over at most ``way``.

    It is left at the end of what was gone."""
    pieces: list[Piece] = []
    h, end = way, float(m.t[0]) + way
    while float(m.t[0]) < end - 1e-3 * SHORTEST * way and h > SHORTEST * way:
        piece = _step(m, min(h, end - float(m.t[0])), None if pieces else (rate, jerk), rtol, atol)
        if piece is None:
            h *= 0.5
            continue
        pieces.append(piece)
        h *= 2.0
    return pieces


def _f(m, t, y):
    m.t[0], m.y[:] = t, y
    return None if m.rhs() else m.ydot.copy()


def _step(m, h, begins, rtol, atol) -> Piece | None:
    t, y = float(m.t[0]), m.y.copy()
    signs = _signs(m)
    found = _collocated(m, t, y, h, begins)
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
    nq, nv, lever = int(m.a["size"][NQ]), m.system.nv, _levers(m)
    v = slice(nq, nq + nv)
    for theta in BETWEEN:
        t = piece.t + theta * piece.h
        rate = _f(m, t, piece.at(t))
        J = None if rate is None else _tangent(m, t, piece.at(t), rate, v, piece.y)
        if J is None:
            return False
        miss = theta ** np.arange(S) @ POWERS @ piece.rates[:, v] - rate[v]
        miss = lever * np.abs(np.linalg.solve(np.eye(len(J)) / piece.h - J, miss))
        if np.any(miss > atol + rtol * np.abs(lever * piece.at(piece.t + piece.h)[v]).max()):
            return False
    for c in C:
        m.t[0], m.y[:] = piece.t + c * piece.h, piece.at(piece.t + c * piece.h)
        now, own = _signs(m), m.events_of
        if np.any(now[:own] < 0.0) or np.any(now[own:] * signs[own:] < 0.0):
            return False
    return True


def _collocated(m, t, y, h, begins):
    """Rates at the points, or None."""
    nq, nv, lever = int(m.a["size"][NQ]), m.system.nv, _levers(m)
    v = slice(nq, nq + nv)
    rates = _f(m, t, y)
    if rates is None:
        return None
    Y = y + h * np.outer(C, rates)
    if begins is not None:
        Y[:, v] = y[v] + h * np.outer(C, begins[0]) + 0.5 * h**2 * np.outer(C**2, begins[1])
        for _ in range(2):  # places are as far on as velocities are: sliding is of second order in τ itself
            rates = _all(m, t, y, h, Y)
            if rates is None:
                return None
            Y[:, :nq] = y[:nq] + h * (A @ rates[:, :nq])
    before = np.inf
    for _ in range(ROUNDS):
        rates = _all(m, t, y, h, Y)
        if rates is None:
            return None
        rest = Y - y - h * (A @ rates)
        J = np.zeros((S * nv, S * nv))
        for k in range(S):
            block = _tangent(m, t + C[k] * h, Y[k], rates[k], v, y)
            if block is None:
                return None
            for j in range(S):
                J[j * nv:(j + 1) * nv, k * nv:(k + 1) * nv] = -h * A[j, k] * block
        J[np.diag_indices(S * nv)] += 1.0
        step = np.linalg.solve(J, -rest[:, v].ravel()).reshape(S, nv)
        new = y + h * (A @ rates)
        new[:, v] = Y[:, v] + step
        moved, change = float(np.abs(lever * step).max()), float(np.abs(lever * (Y[:, v] - y[v])).max())
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


def _levers(m) -> np.ndarray:
    """What makes speeds of places of each component of v: 1, and the size for those of turning."""
    lever = np.ones(m.system.nv)
    m.system.each_v(lever)[:, 3:] = m.size
    return lever


def _slowest(m) -> float:
    """The least speed of sliding where f was asked last."""
    speed = np.linalg.norm(m.geo[:, U:U + 3] - m.normal_speed()[:, None] * m.geo[:, N:N + 3], axis=1)
    return float(np.min(speed[(m.modes == SLIP) & (m.real[:, MU] > 0.0)], initial=np.inf))


def _tangent(m, t, y, rate, v, first):
    """∂v̇/∂v by differences small against what changed since ``first`` and against the slowest sliding."""
    if _f(m, t, y) is None:
        return None
    lever = _levers(m)
    size = DIFFERENCE * min(float(np.abs(lever * (y[v] - first[v])).max()), _slowest(m))
    if size == 0.0:
        return None
    columns = []
    for i, d in enumerate(size / lever, start=v.start):
        moved = y.copy()
        moved[i] += d
        new = _f(m, t, moved)
        if new is None:
            return None
        columns.append((new[v] - rate[v]) / d)
    return np.array(columns).T
