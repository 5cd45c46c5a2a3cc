"""What measures of the offset d of two points have in common: d = r_j + s_j − r_i − s_i, arms s fixed on their bodies.

For c = F(d) with p = ∂F/∂d, force σ p and moment σ s × p on either body (σ = 1 on j, −1 on i).  F̈ has ∂/∂d = p̈, ∂/∂ḋ = 2 ṗ and
∂/∂d̈ = p, so with s·p for the product of turned.py

    ∂ċ/∂(r, φ) = σ (ṗ, ∂(s·p)˙/∂φ)       ∂c̈/∂(r, φ) = σ (p̈, ∂(s·p)¨/∂φ)       ∂c̈/∂(ṙ, ω) = σ (2 ṗ, ∂(s·p)¨/∂ω)

and K, where p changes by (α + β p pᵀ) δd, δd = Σ σ (δr + φ × s), between bodies e and f, g = σ (p, s × p) the gradient of c,

    σ_e σ_f α [1, −s̃_f; s̃_e, −s̃_e s̃_f] + β g_e g_fᵀ    and on the diagonal  σ (p̄ s̄ᵀ − (s·p) 1)        (rotations in body axes)

The file of each measure gives p, ṗ, p̈, α, β (``direction``).  An axis on i (dot_offset.py) is p too; its own turns come on top.
"""

from dalembert._jit import inline, kernel
from dalembert.algebra.vectors import add, moment, scale, sub
from dalembert.elements.bodies.markers import NONE, arm, block, omega, point, point_velocity
from dalembert.elements.measures.table import number

from . import component, distance, dot_offset, square_distance
from .turned import (
    acceleration,
    add_row,
    add_turn,
    arm_of,
    cross,
    cross_own,
    curve,
    drifting,
    dyad,
    lever,
    moving,
    push_of,
    spun,
    turned,
)

AXIS, FIXED, SQUARE = number("dot_offset"), number("component"), number("square_distance")


@inline
def offset(s, w, row):
    """d and ḋ."""
    si, sj = arm(s, w, row.i), arm(s, w, row.j)
    return (sub(point(s, w, row.j, sj), point(s, w, row.i, si)),
            sub(point_velocity(s, w, row.j, sj), point_velocity(s, w, row.i, si)))


@inline
def offset_acceleration(s, w, row):
    """d̈, with v̇."""
    bi, bj = s.markers[row.i].body, s.markers[row.j].body
    di, ddi = moving(s, w, bi, arm(s, w, row.i))
    dj, ddj = moving(s, w, bj, arm(s, w, row.j))
    return sub(add(acceleration(s, w, bj), ddj), add(acceleration(s, w, bi), ddi))


@inline
def direction(s, w, row, d, dd, ddd):
    """p, ṗ, p̈, α, β."""
    if row.kind == AXIS:
        return dot_offset.direction(s, w, row, d, dd, ddd)
    if row.kind == FIXED:
        return component.direction(s, w, row, d, dd, ddd)
    if row.kind == SQUARE:
        return square_distance.direction(s, w, row, d, dd, ddd)
    return distance.direction(s, w, row, d, dd, ddd)


@kernel
def change(s, w, n, k, at_i, at_j, f):
    row = s.measures[k]
    d, dd = offset(s, w, row)
    ddd = offset_acceleration(s, w, row)
    p, dp, ddp, alpha, beta = direction(s, w, row, d, dd, ddd)
    for side in range(2):
        at, m, sign = (at_i, row.i, -f) if side == 0 else (at_j, row.j, f)
        if at != NONE:
            b, a = s.markers[m].body, arm(s, w, m)
            da, dda = moving(s, w, b, a)
            add_row(s, w, n.Gq, at, b, sign, ddp, turned(a, da, dda, p, dp, ddp))
            add_row(s, w, n.Gv, at, b, sign, scale(dp, 2.0), spun(omega(s, w, b), a, da, p, dp))
    if row.kind == AXIS and at_i != NONE:
        b = s.markers[row.i].body
        add_turn(s, w, n.Gq, at_i, b, f, turned(p, dp, ddp, d, dd, ddd))
        add_turn(s, w, n.Gv, at_i, b, f, spun(omega(s, w, b), p, dp, d, dd))


@kernel
def drift(s, w, to, k, at_i, at_j):
    row = s.measures[k]
    d, dd = offset(s, w, row)
    p, dp, ddp, alpha, beta = direction(s, w, row, d, dd, d)
    for side in range(2):
        at, m, sign = (at_i, row.i, -1.0) if side == 0 else (at_j, row.j, 1.0)
        if at != NONE:
            b, a = s.markers[m].body, arm(s, w, m)
            da, dda = moving(s, w, b, a)
            add_row(s, w, to, at, b, sign, dp, drifting(a, da, p, dp))
    if row.kind == AXIS and at_i != NONE:
        add_turn(s, w, to, at_i, s.markers[row.i].body, 1.0, drifting(p, dp, d, dd))


@kernel
def bend(s, w, n, c, k, y):
    row, q, size = s.measures[k], c.measures[k], block(s)
    bi, bj = s.markers[row.i].body, s.markers[row.j].body
    si, sj = arm(s, w, row.i), arm(s, w, row.j)
    d, dd = offset(s, w, row)
    p, dp, ddp, alpha, beta = direction(s, w, row, d, dd, d)
    if q.ii != NONE:
        curve(s, w, n.K, q.ii, bi, si, p, -y)
    if q.jj != NONE:
        curve(s, w, n.K, q.jj, bj, sj, p, y)
    if alpha == 0.0:
        return
    x = alpha * y
    at = n.Gq.size - 2 * size  # behind the rows: the gradients
    for i in range(2 * size):
        n.Gq[at + i] = 0.0
    add_row(s, w, n.Gq, at, bi, -1.0, p, moment(si, p))
    add_row(s, w, n.Gq, at + size, bj, 1.0, p, moment(sj, p))
    for side in range(4):
        to = q.ii if side == 0 else q.ij if side == 1 else q.ji if side == 2 else q.jj
        if to == NONE:
            continue
        rows, columns = (bi if side < 2 else bj), (bi if side % 2 == 0 else bj)
        z = x if side == 0 or side == 3 else -x
        push_of(s, n.K, to, z)
        lever(s, w, n.K, to, columns, si if side % 2 == 0 else sj, z)
        arm_of(s, w, n.K, to, rows, si if side < 2 else sj, z)
        if beta != 0.0:
            dyad(n.K, to, size, n.Gq, at if side < 2 else at + size, n.Gq, at if side % 2 == 0 else at + size, beta * y)
    if q.ii != NONE:
        cross_own(s, w, n.K, q.ii, bi, si, x)
    if q.jj != NONE:
        cross_own(s, w, n.K, q.jj, bj, sj, x)
    if q.ij != NONE:
        cross(s, w, n.K, q.ij, q.ji, bi, bj, si, sj, -x)
