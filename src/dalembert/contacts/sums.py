"""Impulses since the start, by contact: on its second bodies, with their moment about the origin.

Impulses of a substep are counted when the next one begins (begin.py), those of a detection's last substep when it is put aside.
"""

from dalembert._jit import inline, kernel
from dalembert.contacts.tables import LINK, RA, RN, ROW, RT, TRACE

SUM = 13  # numbers per contact: force, torque, power of the last substep (certify.py); impulse, its moment


@inline
def facing(w, m):
    """1 where the second body of a manifold is on side b of its contact, else −1."""
    return w.facing[w.groups[0] * w.group[w.link[LINK * m + 5]] + w.group[w.link[LINK * m + 6]]]


@kernel
def add(w, m, times, px, py, pz, mx, my, mz):
    """The impulse p of a manifold's points on its second body, with the moment m about the first's centre, so many times."""
    a, o = w.link[LINK * m], SUM * w.link[LINK * m + 4] + 7
    side = times * facing(w, m)
    x, y, z = w.x[3 * a], w.x[3 * a + 1], w.x[3 * a + 2]
    w.sum[o] += side * px
    w.sum[o + 1] += side * py
    w.sum[o + 2] += side * pz
    w.sum[o + 3] += side * (mx + y * pz - z * py)
    w.sum[o + 4] += side * (my + z * px - x * pz)
    w.sum[o + 5] += side * (mz + x * py - y * px)


@kernel
def count(w, m, times):
    """The impulses of a manifold's points, so many times, to those of its contact since the start."""
    row = w.row
    nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
    sx, sy, sz, mx, my, mz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    first = w.link[LINK * m + 2]
    for c in range(first, first + w.link[LINK * m + 3]):
        k = ROW * c
        n = row[k + RN]
        if n > TRACE:
            px, py, pz = n * nx + row[k + RT], n * ny + row[k + RT + 1], n * nz + row[k + RT + 2]
            x, y, z = row[k + RA], row[k + RA + 1], row[k + RA + 2]
            sx, sy, sz = sx + px, sy + py, sz + pz
            mx, my, mz = mx + y * pz - z * py, my + z * px - x * pz, mz + x * py - y * px
    add(w, m, times, sx, sy, sz, mx, my, mz)
