"""Rows of surfaces that rub, and what presses them: the geometry of joints with friction.

With e the axis of i (a slide's in the plane: along; a hinge's: z), F and M the reaction on j at its marker, r radius, L length:

    kind       slides                       pressed by (N: sum of the lengths)
    hinge      r ω·e                        plane: F;  space: F_⊥/2 ∓ e × M/L, F·e
    slide      ṡ = velocity of j's point along e against i
                                            plane: F_⊥/2 ± M/L (two numbers);  space: F_⊥/2 ∓ e × M/L, (M·e)/r
    sleeve     ṡ, r ω·e                     F_⊥/2 ∓ e × M/L
    ball       r ω                          F
    arm        r ω·e, e the arm of i or j   F/2 ∓ e × M/L
    thread     ṡ sin β + r ω·e cos β        F_⊥/2 ∓ e × M/L, (F·e)/cos β           tan β = lead/r

Two edges at ± e L/2 carry F_⊥ and M: F₊ + F₋ = F_⊥, (L/2) e × (F₊ − F₋) = M_⊥, so F± = F_⊥/2 ∓ e × M/L.

Rates: with ω = ω_j − ω_i, d/dt (ω·e) = (ω̇_j − ω̇_i)·e + ω·(ω_e × e);   s = e·(r_j − r_i) has
s̈ = e·(r̈_j − r̈_i) + 2 ė·(ṙ_j − ṙ_i) + ë·(r_j − r_i); the terms without v̇ are the bias.
"""

import math

from dalembert._jit import dispatch, kernel
from dalembert.algebra import planar as pl
from dalembert.algebra import spatial as sp
from dalembert.contacts.rubbing.tables import (
    ARM_I,
    ARM_J,
    BALL,
    HINGE,
    KIND,
    LEAD,
    LENGTH,
    LINK,
    NV,
    PRESS,
    RADIUS,
    REAL,
    SLEEVE,
    SLIDE,
    THREAD,
    I,
    J,
)
from dalembert.elements.bodies import planar, spatial
from dalembert.elements.bodies.markers import bias, point, point_velocity, spun
from dalembert.elements.signals import felt


@kernel
def _plane_put(s, w, to, at, b, sign, fx, fy, m):
    if b < s.bodies.size:
        o = at + planar.at_v(s, b)
        to[o] += sign * fx
        to[o + 1] += sign * fy
        to[o + 2] += sign * m


@kernel
def _space_put(s, w, to, at, b, sign, f, m):
    if b < s.bodies.size:
        o = at + spatial.at_v(s, b)
        bar = sp.turn_to_body(spatial.rotation(s, w, b), m)
        for c in range(3):
            to[o + c] += sign * f[c]
            to[o + 3 + c] += sign * bar[c]


@kernel
def _plane_row(s, w, r, k, c, row):
    """Row of direction c of surface k into J; its bias."""
    i, j = r.link[LINK * k + I], r.link[LINK * k + J]
    at = r.size[NV] * row
    bi, bj = s.markers[i].body, s.markers[j].body
    if r.link[LINK * k + KIND] == HINGE:
        _plane_put(s, w, r.J, at, bj, 1.0, 0.0, 0.0, r.real[REAL * k + RADIUS])
        _plane_put(s, w, r.J, at, bi, -1.0, 0.0, 0.0, r.real[REAL * k + RADIUS])
        return 0.0
    ai, aj = planar.arm(s, w, i), planar.arm(s, w, j)
    e = planar.axis(s, w, i, 0)
    p = point(s, w, j, aj)
    from_i = pl.sub(p, planar.position(s, w, bi))
    _plane_put(s, w, r.J, at, bj, 1.0, e[0], e[1], pl.moment(aj, e)[0])
    _plane_put(s, w, r.J, at, bi, -1.0, e[0], e[1], pl.moment(from_i, e)[0])
    d = pl.sub(p, point(s, w, i, ai))
    rate = pl.sub(point_velocity(s, w, j, aj), point_velocity(s, w, i, ai))
    own = pl.dot(e, pl.sub(bias(s, w, j, aj), bias(s, w, i, ai)))
    return own + 2.0 * pl.dot(spun(s, w, i, e), rate) + pl.dot(bias(s, w, i, e), d)


@kernel
def _turning(s, w, r, at, i, j, e, rate, factor):
    """Turning about e, whose rate is ``rate``; the bias."""
    bi, bj = s.markers[i].body, s.markers[j].body
    m, none = sp.scale(e, factor), (0.0, 0.0, 0.0)
    _space_put(s, w, r.J, at, bj, 1.0, none, m)
    _space_put(s, w, r.J, at, bi, -1.0, none, m)
    return factor * sp.dot(sp.sub(spatial.omega(s, w, bj), spatial.omega(s, w, bi)), rate)


@kernel
def _sliding(s, w, r, at, i, j, e, factor):
    """Sliding of j's point along e, which is fixed on i; the bias."""
    bi, bj = s.markers[i].body, s.markers[j].body
    ai, aj = spatial.arm(s, w, i), spatial.arm(s, w, j)
    p = point(s, w, j, aj)
    f = sp.scale(e, factor)
    _space_put(s, w, r.J, at, bj, 1.0, f, sp.moment(aj, f))
    _space_put(s, w, r.J, at, bi, -1.0, f, sp.moment(sp.sub(p, spatial.position(s, w, bi)), f))
    d = sp.sub(p, point(s, w, i, ai))
    rate = sp.sub(point_velocity(s, w, j, aj), point_velocity(s, w, i, ai))
    own = sp.dot(e, sp.sub(bias(s, w, j, aj), bias(s, w, i, ai)))
    return factor * (own + 2.0 * sp.dot(spun(s, w, i, e), rate) + sp.dot(bias(s, w, i, e), d))


@kernel
def _space_row(s, w, r, k, c, row):
    i, j, kind = r.link[LINK * k + I], r.link[LINK * k + J], r.link[LINK * k + KIND]
    at, radius = r.size[NV] * row, r.real[REAL * k + RADIUS]
    if kind == ARM_J:
        a = spatial.axis(s, w, j, 2)
        return _turning(s, w, r, at, i, j, a, spun(s, w, j, a), radius)
    e = spatial.axis(s, w, i, c if kind == BALL else 2)
    if kind == SLIDE or (kind == SLEEVE and c == 0):
        return _sliding(s, w, r, at, i, j, e, 1.0)
    if kind == THREAD:
        beta = math.atan2(r.real[REAL * k + LEAD], radius)
        first = _sliding(s, w, r, at, i, j, e, math.sin(beta))
        return first + _turning(s, w, r, at, i, j, e, spun(s, w, i, e), radius * math.cos(beta))
    return _turning(s, w, r, at, i, j, e, spun(s, w, i, e), radius)


row = dispatch(_plane_row, _space_row)


@kernel
def _plane_press(s, w, r, k, out, at):
    """What presses surface k, from the reaction in w.wrench."""
    x, y, m = w.wrench[0], w.wrench[1], w.wrench[3]
    if r.link[LINK * k + KIND] == HINGE:
        out[at] = x
        out[at + 1] = y
        return
    n = planar.axis(s, w, r.link[LINK * k + I], 1)
    across, edge = x * n[0] + y * n[1], m / r.real[REAL * k + LENGTH]
    out[at] = 0.5 * across + edge
    out[at + 3] = 0.5 * across - edge


@kernel
def _space_press(s, w, r, k, out, at):
    i, j, kind = r.link[LINK * k + I], r.link[LINK * k + J], r.link[LINK * k + KIND]
    F, M = (w.wrench[0], w.wrench[1], w.wrench[2]), (w.wrench[3], w.wrench[4], w.wrench[5])
    if kind == BALL:
        for c in range(3):
            out[at + c] = F[c]
        return
    e = spatial.axis(s, w, j, 2) if kind == ARM_J else spatial.axis(s, w, i, 2)
    axial = sp.dot(F, e)
    across = F if kind in (ARM_I, ARM_J) else sp.sub(F, sp.scale(e, axial))
    edge = sp.scale(sp.moment(e, M), 1.0 / r.real[REAL * k + LENGTH])
    for c in range(3):
        out[at + c] = 0.5 * across[c] - edge[c]
        out[at + 3 + c] = 0.5 * across[c] + edge[c]
    if kind == HINGE:
        out[at + 6] = axial
    elif kind == SLIDE:
        out[at + 6] = sp.dot(M, e) / r.real[REAL * k + RADIUS]
    elif kind == THREAD:
        out[at + 6] = axial / math.cos(math.atan2(r.real[REAL * k + LEAD], r.real[REAL * k + RADIUS]))


_press = dispatch(_plane_press, _space_press)


@kernel
def press(s, w, r, k, lam, at):
    """What presses surface k where the multipliers are ``lam``, into press[at:]."""
    for c in range(PRESS):
        r.press[at + c] = 0.0
    felt.wrench(s, w, r.felt[k], lam)
    _press(s, w, r, k, r.press, at)
