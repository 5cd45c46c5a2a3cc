"""When implicit methods take a tangent, and how they find it again.

``k`` of the State keeps the point of the tangent in row ``row``, ``then`` (contract.py) what the equations remembered there: a
run that goes on later takes it there once more and has the same bits.  One that is to be renewed before it is used (SLOW) is
left out.
"""

from __future__ import annotations

from .._jit import call, kernel
from .layout import CALLS, FRESH, H_FACTORED, RHS, T_TANGENT, TANGENTS
from .stages import copy


@kernel
def solve_at(p, t, y):
    """Right-hand side at (t, y): also multipliers and factors of the equations are those there.  A status."""
    p.t[0] = t
    copy(p.y, y)
    return call(p.handle[RHS])


@kernel
def tangent_at(p, t, y, differentiate):
    """Right-hand side and tangent at (t, y); a status."""
    status = solve_at(p, t, y)
    return status if status != 0 else call(differentiate)


@kernel
def renew(p, s, owner, row, t):
    """Tangent at (t, y); its factors are to be made.  ``owner``: choice, then, and first of its handles the differentiation."""
    n = s.x.size
    s.count[CALLS] += 1
    here = s.k[row * n:(row + 1) * n]
    copy(here, p.y)
    copy(owner.then, owner.choice)
    status = tangent_at(p, t, here, owner.handle[0])
    if status != 0:
        return status
    s.count[TANGENTS] += 1
    s.count[FRESH] = 1
    s.real[T_TANGENT] = t
    s.real[H_FACTORED] = 0.0
    return 0


@kernel
def find_again(p, s, owner, row):
    """The tangent of a saved state, from the point where it was taken and what was remembered there."""
    n = s.x.size
    swap(owner.choice, owner.then)
    status = tangent_at(p, s.real[T_TANGENT], s.k[row * n:(row + 1) * n], owner.handle[0])
    swap(owner.choice, owner.then)
    return status


@kernel
def swap(a, b):
    for i in range(a.size):
        a[i], b[i] = b[i], a[i]
