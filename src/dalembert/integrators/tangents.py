"""When implicit methods take a tangent, and how they find it again.

``k`` of the State keeps the point of the tangent in row ``row``: a run that goes on later takes it there once more and has the
same bits.
"""

from __future__ import annotations

from .._jit import call, kernel
from .layout import CALLS, FRESH, H_FACTORED, RHS, T_TANGENT, TANGENTS
from .stages import copy


@kernel
def tangent_at(p, t, y, differentiate):
    """Right-hand side and tangent at (t, y); a status."""
    p.t[0] = t
    copy(p.y, y)
    status = call(p.handle[RHS])
    return status if status != 0 else call(differentiate)


@kernel
def renew(p, s, differentiate, row, t):
    """Tangent at (t, y); its factors are to be made."""
    n = s.x.size
    s.count[CALLS] += 1
    here = s.k[row * n:(row + 1) * n]
    copy(here, p.y)
    status = tangent_at(p, t, here, differentiate)
    if status != 0:
        return status
    s.count[TANGENTS] += 1
    s.count[FRESH] = 1
    s.real[T_TANGENT] = t
    s.real[H_FACTORED] = 0.0
    return 0


@kernel
def find_again(p, s, differentiate, row):
    """The tangent of a saved state, from the point where it was taken."""
    n = s.x.size
    return tangent_at(p, s.real[T_TANGENT], s.k[row * n:(row + 1) * n], differentiate)
