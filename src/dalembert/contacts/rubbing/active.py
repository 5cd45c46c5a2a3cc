"""Friction of joints in the equations of motion: rates, event functions, projection.

With v̇₀, λ₀ of the equations as they are, rows J of the surfaces (rows.py), and the responses of both to a unit of each force f,

    v̇ = v̇₀ + A f,    λ = λ₀ + L f,    rates of sliding  z = right + W f,   W = J A,   right = J v̇₀ + bias

    slides   f = −μ(|u|) (N(λ) + N₀) d − σ u          d = ± u/|u|, − where u points back; d₀ of the start of the stretch
    sticks   z = 0
    full     f = −μ_s (N(λ) + N₀) d₀                  held by others, at its limit
    given    f as it was                              held by others

N is a sum of lengths of vectors affine in λ (of what can only press, a wheel, a band, a rope: one number, none where it is below
zero), so convex in f; Newton's method on f, from f = 0 where it slides, is exact for what
is solved: it ends when nothing but rounding is left.  The start does not depend on the step before: the right-hand side is a
function of the state and the modes.  As for laws that feel reactions (equations/feedback.py): a determinant of another sign at
the answer than at the start is a fold, so there are several answers or none (SEVERAL); no convergence is NONE.  Both: status 3.

Ledger: what is lost is −f·u; drives give −ν·(L f) more.  Event functions, falling: sticks μ_s (N + N₀) − |f|; slides u·d₀, of
several components u·d₀ − |u|/2: it ends sliding at u = 0, and takes a new d₀ where the direction has turned by 60°, so that what
points back (by more than 104°) has gone through zero and has not turned.

A surface that others prescribe has J = L·D, D v = ν: its u is J v − L·(D v − ν), free of the error of v; at rest its event
function is a least speed − |u|: whatever begins to move rubs.
"""

import math

from dalembert._jit import call, inline, kernel
from dalembert.algebra import dense
from dalembert.contacts.rubbing.rows import prepare, press, row, wrapped
from dalembert.contacts.rubbing.tables import (
    BAND,
    BASE,
    BASE_EVENTS,
    BASE_PROJECT,
    BASE_RHS,
    COULOMB,
    CREEP,
    DIR,
    DIRS,
    FULL,
    GIVEN,
    KIND,
    LINK,
    MODE,
    MU_D,
    MU_S,
    NC,
    NO,
    NONE,
    NORMAL,
    NQ,
    NV,
    OWN,
    PREFER,
    PRELOAD,
    PRESS,
    REAL,
    ROLL,
    ROPE,
    ROW,
    ROWS,
    SEVERAL,
    SIGN,
    SLACK,
    SLIP,
    SOLVED,
    STATIC,
    STICK,
    STRIBECK,
    SURFACES,
    TIED,
    VISCOUS,
    WHY,
)
from dalembert.elements.bodies.markers import at_v, weigh
from dalembert.equations.saddle import by_factors, multiply, spread

MOST = 60
CLOSE, POOR = 4e-16, 1e-11
TURNED, BACK = 0.5, 0.25  # cosines: the direction has turned; it points back


@kernel
def to_base(r):
    for c in range(r.size[BASE]):
        r.base_y[c] = r.y[c]


@kernel
def measure(s, w, r):
    """Rows, responses, W, right and what presses, at the state that the equations were solved at."""
    m, nv, nc = r.size[ROWS], r.size[NV], r.size[NC]
    for c in range(m * nv):
        r.J[c] = 0.0
    for k in range(r.size[SURFACES]):
        prepare(s, w, r, k)
        for c in range(r.link[LINK * k + DIRS]):
            o = r.link[LINK * k + ROW] + c
            r.bias[o] = row(s, w, r, k, c, o)
    for o in range(m):
        a = r.answer[nv * o:nv * (o + 1)]
        y = r.reply[nc * o:nc * (o + 1)]
        for b in range(s.bodies.size):
            weigh(s, b, True, r.J, nv * o + at_v(s, b), a, at_v(s, b))
        for c in range(nc):
            y[c] = 0.0
        for _ in range(2):  # the second time mends the rounding of the first
            multiply(s, w, a, r.mu)
            by_factors(s, w, w.wide, r.mu)
            spread(s, w, r.mu, a)
            for c in range(nc):
                y[c] += r.mu[c]
    for o in range(m):
        speed = 0.0
        rate = r.bias[o]
        for c in range(nv):
            speed += r.J[nv * o + c] * w.v[c]
            rate += r.J[nv * o + c] * w.vdot[c]
        r.speed[o] = speed
        r.right[o] = rate
        for p in range(m):
            total = 0.0
            for c in range(nv):
                total += r.J[nv * o + c] * r.answer[nv * p + c]
            r.matrix[m * o + p] = total
    multiply(s, w, w.v, r.mu)
    for k in range(r.size[SURFACES]):
        if r.link[LINK * k + TIED] != 0:
            o = r.link[LINK * k + ROW]
            for c in range(nc):
                r.speed[o] -= r.reply[nc * o + c] * (r.mu[c] - w.nu[c])
        at = PRESS * (m + 1) * k
        press(s, w, r, k, w.lam, at, NO)
        for o in range(m):
            press(s, w, r, k, r.reply[nc * o:nc * (o + 1)], at + PRESS * (o + 1), o)


@inline
def coefficient(r, k, u):
    """μ at the speed u."""
    o = REAL * k
    mu, us = r.real[o + COULOMB], r.real[o + STRIBECK]
    if us > 0.0:
        part = math.exp(-(u / us) * (u / us))
        if r.link[LINK * k + KIND] in (BAND, ROPE):
            low = r.own[OWN * k + MU_D]
            mu = wrapped(r, k, low + (r.own[OWN * k + MU_S] - low) * part)
        else:
            mu += (r.real[o + STATIC] - mu) * part
    return mu


@kernel
def normal(r, k):
    """N + N₀ of surface k at the forces in f; its slopes in each of them into ``slope``."""
    m = r.size[ROWS]
    at = PRESS * (m + 1) * k
    total = r.real[REAL * k + PRELOAD]
    sided = r.link[LINK * k + KIND] in (BAND, ROLL, ROPE)
    for o in range(m):
        r.slope[o] = 0.0
    for part in range(0, PRESS, 3):
        x, y, z = r.press[at + part], r.press[at + part + 1], r.press[at + part + 2]
        for o in range(m):
            i = at + PRESS * (o + 1) + part
            x += r.press[i] * r.f[o]
            y += r.press[i + 1] * r.f[o]
            z += r.press[i + 2] * r.f[o]
        size = max(x, 0.0) if sided else math.sqrt(x * x + y * y + z * z)
        total += size
        if size > 0.0:
            for o in range(m):
                i = at + PRESS * (o + 1) + part
                r.slope[o] += (x * r.press[i] + y * r.press[i + 1] + z * r.press[i + 2]) / size
    return total


@kernel
def direction(r, k):
    """d of a surface that slides into ``rest`` at its rows; its speed, below zero where it has turned round."""
    o, n, at = r.link[LINK * k + ROW], r.link[LINK * k + DIRS], REAL * k + DIR
    size, dot = 0.0, 0.0
    for c in range(n):
        size += r.speed[o + c] * r.speed[o + c]
        dot += r.speed[o + c] * r.real[at + c]
    size = math.sqrt(size)
    far = n > 1 and size > r.real[REAL * k + CREEP]
    sign = -1.0 if dot < (-BACK * size if n > 1 else 0.0) else 1.0
    for c in range(n):
        r.rest[o + c] = sign * r.speed[o + c] / size if far else r.real[at + c]
    return sign * size


@kernel
def forces(s, w, r):
    """f of all rows with the modes at hand, after ``measure``; N by surface.  Status 0 or 3."""
    m = r.size[ROWS]
    r.size[WHY] = SOLVED
    for o in range(m):
        r.f[o] = 0.0
    for k in range(r.size[SURFACES]):
        mode, o, n = r.link[LINK * k + MODE], r.link[LINK * k + ROW], r.link[LINK * k + DIRS]
        if mode in (STICK, GIVEN):
            for c in range(n):
                r.f[o + c] = r.real[REAL * k + PREFER + c]
        elif r.probe[0] != 0.0:
            direction(r, k)
            N = normal(r, k)
            for c in range(n):
                r.f[o + c] = -r.probe[0] * r.real[REAL * k + STATIC] * N * r.rest[o + c]
    first, sign, before = 0.0, 0.0, math.inf
    for turn in range(MOST):
        worst = 0.0
        for k in range(r.size[SURFACES]):
            mode, o, n = r.link[LINK * k + MODE], r.link[LINK * k + ROW], r.link[LINK * k + DIRS]
            N = normal(r, k)
            if not math.isfinite(N):
                r.size[WHY] = NONE
                return 3
            r.real[REAL * k + NORMAL] = N
            if mode == STICK:
                for c in range(n):
                    i = o + c
                    rest, size = r.right[i], abs(r.right[i])
                    for p in range(m):
                        x = r.matrix[m * i + p]
                        r.jac[m * i + p] = x
                        rest += x * r.f[p]
                        size = max(size, abs(x * r.f[p]))
                    r.rest[i] = rest
                    if abs(rest) > 0.0:
                        worst = max(worst, abs(rest) / size)
                continue
            mu = 0.0
            if mode == SLIP:
                speed = direction(r, k)
                mu = coefficient(r, k, speed)
            elif mode == FULL:
                mu = r.real[REAL * k + STATIC]
                for c in range(n):
                    r.rest[o + c] = r.real[REAL * k + DIR + c]
            for c in range(n):
                i = o + c
                d = r.rest[i] if mode != GIVEN else 0.0
                own = r.real[REAL * k + VISCOUS] * r.speed[i] if mode == SLIP else 0.0
                wanted = -mu * N * d - own if mode != GIVEN else r.real[REAL * k + PREFER + c]
                for p in range(m):
                    r.jac[m * i + p] = (1.0 if p == i else 0.0) + mu * d * r.slope[p]
                r.rest[i] = r.f[i] - wanted
                size = max(abs(r.f[i]), mu * N)
                if abs(r.rest[i]) > 0.0:
                    worst = max(worst, abs(r.rest[i]) / size if size > 0.0 else 1.0)
        if turn > 0 and (worst <= CLOSE or (worst <= POOR and worst >= 0.5 * before)):
            r.size[SIGN] = 1 if sign > 0.0 else -1
            if r.probe[0] == 0.0 and sign * first <= 0.0:
                r.size[WHY] = SEVERAL
                return 3
            return 0
        before = worst
        sign = factored(r, m)
        if sign == 0.0:
            r.size[WHY] = NONE
            return 3
        if turn == 0:
            first = sign
        dense.solve(r.jac, m, r.order, r.rest)
        for i in range(m):
            r.f[i] -= r.rest[i]
    r.size[WHY] = NONE
    return 3


@kernel
def factored(r, m):
    """The Jacobian factored; the sign of its determinant, 0 where it is singular."""
    if dense.factor(r.jac, m, r.order) != 0:
        return 0.0
    sign = 1.0
    for k in range(m):
        if (r.jac[m * k + k] < 0.0) != (r.order[k] != k):
            sign = -sign
    return sign


@kernel
def rhs(s, w, r):
    """Rates with friction; f and N are left for who samples."""
    to_base(r)
    status = call(r.handle[BASE_RHS])
    if status != 0:
        return status
    measure(s, w, r)
    status = forces(s, w, r)
    if status != 0:
        return status
    n, nq, nv, nc, m = r.size[BASE], r.size[NQ], r.size[NV], r.size[NC], r.size[ROWS]
    for c in range(n):
        r.ydot[c] = r.base_ydot[c]
    drives, lost = 0.0, 0.0
    for o in range(m):
        f = r.f[o]
        for c in range(nv):
            r.ydot[nq + c] += r.answer[nv * o + c] * f
        for c in range(nc):
            drives -= w.nu[c] * r.reply[nc * o + c] * f
    for k in range(r.size[SURFACES]):
        own = 0.0
        for c in range(r.link[LINK * k + DIRS]):
            o = r.link[LINK * k + ROW] + c
            own -= r.f[o] * r.speed[o]
        r.ydot[n + 1 + k] = own
        lost += own
    r.ydot[n - 2] += lost
    r.ydot[n - 1] += drives
    r.ydot[n] = lost
    return 0


@kernel
def events(s, w, r):
    """Event functions of the surfaces, and of the equations behind them."""
    status = rhs(s, w, r)
    if status != 0:
        return status
    if r.handle[BASE_EVENTS] != 0:
        status = call(r.handle[BASE_EVENTS])
    count = r.size[SURFACES]
    for k in range(count):
        mode, o, at = r.link[LINK * k + MODE], r.link[LINK * k + ROW], REAL * k
        total = 0.0
        if mode == SLIP:
            size = 0.0
            for c in range(r.link[LINK * k + DIRS]):
                total += r.speed[o + c] * r.real[at + DIR + c]
                size += r.speed[o + c] * r.speed[o + c]
            if r.link[LINK * k + DIRS] > 1:
                total -= TURNED * math.sqrt(size)
            r.g[k] = total + r.real[at + SLACK]
        elif mode == GIVEN and r.link[LINK * k + TIED] != 0:
            r.g[k] = r.real[at + SLACK] - abs(r.speed[o])
        else:
            for c in range(r.link[LINK * k + DIRS]):
                total += r.f[o + c] * r.f[o + c]
            r.g[k] = r.real[at + STATIC] * r.real[at + NORMAL] - math.sqrt(total) + r.real[at + SLACK]
        if mode == FULL or r.real[at + STATIC] == 0.0:
            r.g[k] = 1.0
    for c in range(r.base_g.size):
        r.g[count + c] = r.base_g[c]
    return status


@kernel
def project(s, w, r):
    """y onto the joints, and sliding that is held out of the velocities."""
    to_base(r)
    status = 0
    if r.handle[BASE_PROJECT] != 0:
        status = call(r.handle[BASE_PROJECT])
    m, held = r.size[ROWS], 0
    for k in range(r.size[SURFACES]):
        held += r.link[LINK * k + MODE] == STICK
    if status == 0 and held > 0:
        status = call(r.handle[BASE_RHS])
        if status == 0:
            measure(s, w, r)
            for k in range(r.size[SURFACES]):
                for c in range(r.link[LINK * k + DIRS]):
                    o = r.link[LINK * k + ROW] + c
                    stuck = r.link[LINK * k + MODE] == STICK
                    for p in range(m):
                        r.jac[m * o + p] = r.matrix[m * o + p] if stuck else (1.0 if p == o else 0.0)
                    r.rest[o] = -r.speed[o] if stuck else 0.0
            if dense.factor(r.jac, m, r.order) == 0:
                dense.solve(r.jac, m, r.order, r.rest)
                for o in range(m):
                    for c in range(r.size[NV]):
                        w.v[c] += r.answer[r.size[NV] * o + c] * r.rest[o]
    for c in range(r.size[BASE]):
        r.y[c] = r.base_y[c]
    return status


@kernel
def survey(s, w, r):
    """Rows, responses and what presses at (t, y)."""
    to_base(r)
    status = call(r.handle[BASE_RHS])
    if status == 0:
        measure(s, w, r)
    return status
