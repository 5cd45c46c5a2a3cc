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
    clutch     r ω·e                        n F(t)                    given, in N₀
    band       r ω·e                        F(t) ∓ f/2                the mean of both tensions, F that of the pulled end
    roll       r ω·e, e the axis of j       −λ of the normal          below zero (it is pulled): nothing presses
    rope       along the rope (plane)       λ, its tension without friction      below zero (it pushes): nothing presses

Bands and ropes with the angle β have the coefficient 2 tanh(μβ/2) (elements/forces/band_brake.py, constraints/capstan.py).

Two edges at ± e L/2 carry F_⊥ and M: F₊ + F₋ = F_⊥, (L/2) e × (F₊ − F₋) = M_⊥, so F± = F_⊥/2 ∓ e × M/L.

Rates: with ω = ω_j − ω_i, d/dt (ω·e) = (ω̇_j − ω̇_i)·e + ω·(ω_e × e);   s = e·(r_j − r_i) has
s̈ = e·(r̈_j − r̈_i) + 2 ė·(ṙ_j − ṙ_i) + ë·(r_j − r_i); the terms without v̇ are the bias.  A free part of a rope, of length l, turns
with ė·w = w_⊥²/l, w the velocity of its end against the drum's centre.
"""

import math

from dalembert._jit import dispatch, inline, kernel
from dalembert.algebra import planar as pl
from dalembert.algebra import spatial as sp
from dalembert.contacts.rubbing.tables import (
    ARM_I,
    ARM_J,
    BALL,
    BAND,
    BEGUN,
    CLUTCH,
    COULOMB,
    DRUM,
    FACES,
    HINGE,
    KIND,
    LAW,
    LEAD,
    LENGTH,
    LINK,
    MORE,
    MU_D,
    MU_S,
    NO,
    NV,
    OWN,
    PRELOAD,
    PRESS,
    PULL,
    RADIUS,
    REAL,
    ROLL,
    ROPE,
    ROW,
    SIDE,
    SLEEVE,
    SLIDE,
    STATIC,
    THREAD,
    WAY_I,
    WAY_J,
    WRAP,
    I,
    J,
)
from dalembert.elements.bodies import planar, spatial
from dalembert.elements.bodies.markers import bias, point, point_velocity, spun
from dalembert.elements.laws import law_value
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
def _free_part(s, w, r, k, end, centre, sign):
    """Of a rope, to its end at j (sign 1) or i (−1): its direction away from the drum, its length."""
    c = pl.sub(point(s, w, end, planar.arm(s, w, end)), point(s, w, centre, planar.arm(s, w, centre)))
    radius, side = r.real[REAL * k + RADIUS], sign * r.own[OWN * k + SIDE]
    square = pl.dot(c, c)
    length = math.sqrt(max(square - radius * radius, 0.0))
    # c = r n + side l t with t = n turned left and e = side t:  e = (l c + side r (c turned left))/c²
    e = ((length * c[0] - side * radius * c[1]) / square, (length * c[1] + side * radius * c[0]) / square)
    return e, length


@kernel
def _plane_part(s, w, r, k, at, end, centre, sign):
    """Half a free part of a rope into J: its lengthening, ± at the two ends; twice its bias."""
    e, length = _free_part(s, w, r, k, end, centre, sign)
    ae, ac = planar.arm(s, w, end), planar.arm(s, w, centre)
    f = pl.scale(e, 0.5 * sign)
    _plane_put(s, w, r.J, at, s.markers[end].body, 1.0, f[0], f[1], pl.moment(ae, f)[0])
    _plane_put(s, w, r.J, at, s.markers[centre].body, -1.0, f[0], f[1], pl.moment(ac, f)[0])
    speed = pl.sub(point_velocity(s, w, end, ae), point_velocity(s, w, centre, ac))
    across = speed[1] * e[0] - speed[0] * e[1]
    return pl.dot(e, pl.sub(bias(s, w, end, ae), bias(s, w, centre, ac))) + across * across / length


@kernel
def _plane_row(s, w, r, k, c, row):
    """Row of direction c of surface k into J; its bias."""
    i, j = r.link[LINK * k + I], r.link[LINK * k + J]
    at = r.size[NV] * row
    bi, bj = s.markers[i].body, s.markers[j].body
    kind = r.link[LINK * k + KIND]
    if kind == ROPE:
        centre = r.more[MORE * k + DRUM]
        own = 0.5 * _plane_part(s, w, r, k, at, j, centre, 1.0) - 0.5 * _plane_part(s, w, r, k, at, i, centre, -1.0)
        _plane_put(s, w, r.J, at, s.markers[centre].body, -r.own[OWN * k + SIDE], 0.0, 0.0, r.real[REAL * k + RADIUS])
        return own
    if kind != SLIDE:
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
    if kind in (ARM_J, ROLL):
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
def _plane_covered(s, w, r, k):
    """The angle of the drum that a rope covers."""
    o, i, j, centre = OWN * k, r.link[LINK * k + I], r.link[LINK * k + J], r.more[MORE * k + DRUM]
    middle = point(s, w, centre, planar.arm(s, w, centre))
    angle = r.own[o + BEGUN]
    for n in range(2):
        end, way, sign = (i, r.own[o + WAY_I], -1.0) if n == 0 else (j, r.own[o + WAY_J], 1.0)
        c = pl.sub(point(s, w, end, planar.arm(s, w, end)), middle)
        ahead, aside = c[0] * math.cos(way) + c[1] * math.sin(way), c[1] * math.cos(way) - c[0] * math.sin(way)
        e, length = _free_part(s, w, r, k, end, centre, sign)
        angle += sign * r.own[o + SIDE] * math.atan2(aside, ahead) - math.atan(length / r.real[REAL * k + RADIUS])
    return angle


@kernel
def _space_covered(s, w, r, k):
    return 0.0  # ropes are of the plane


_covered = dispatch(_plane_covered, _space_covered)


@kernel
def prepare(s, w, r, k):
    """What presses surface k by a law, and the coefficients of bands and ropes, at the state at hand."""
    o, kind = OWN * k, r.link[LINK * k + KIND]
    if r.more[MORE * k + LAW] != NO:
        force = law_value(s, w, r.more[MORE * k + LAW], w.t[0], 0.0, 0.0)
        if force < 0.0:
            force = 0.0
        r.own[o + PULL] = force
        if kind == CLUTCH:
            r.real[REAL * k + PRELOAD] = r.own[o + FACES] * force + r.own[o + BEGUN]
    if kind == ROPE:
        r.own[o + WRAP] = _covered(s, w, r, k)
    if kind in (BAND, ROPE):
        r.real[REAL * k + COULOMB] = wrapped(r, k, r.own[o + MU_D])
        r.real[REAL * k + STATIC] = wrapped(r, k, r.own[o + MU_S])


@inline
def wrapped(r, k, mu):
    """Coefficient of a band or rope with the mean of its tensions; where it covers nothing, next to none."""
    return max(2.0 * math.tanh(0.5 * mu * r.own[OWN * k + WRAP]), 1e-300) if mu > 0.0 else 0.0


@kernel
def press(s, w, r, k, lam, at, row):
    """What presses surface k where the multipliers are ``lam``, into press[at:]; ``row``: of a unit of that row, NO: as it is."""
    for c in range(PRESS):
        r.press[at + c] = 0.0
    kind = r.link[LINK * k + KIND]
    if kind == BAND:
        mine = row == r.link[LINK * k + ROW]
        r.press[at] = r.own[OWN * k + PULL] if row == NO else (-0.5 * r.own[OWN * k + SIDE] if mine else 0.0)
    if kind in (ROLL, ROPE):
        r.press[at] = (-1.0 if kind == ROLL else 1.0) * r.felt[k].factor * lam[r.felt[k].first]
    if kind in (CLUTCH, BAND, ROLL, ROPE):
        return
    felt.wrench(s, w, r.felt[k], lam)
    _press(s, w, r, k, r.press, at)
