"""Impulses since the start, by contact: on its second bodies, with their moment about the origin.

Impulses of a substep are counted when the next one begins (sweep.py), those of a detection's last substep when it is put aside.
"""

from dalembert._jit import inline, kernel
from dalembert.contacts.tables import LINK, RA, RN, ROW, RT

SUM = 13  # numbers per contact: force, torque, power of the last substep (certify.py); impulse, its moment


@inline
def facing(w, m):
    """1 where the second body of a manifold is on side b of its contact, else −1."""
    return w.facing[w.groups[0] * w.group[w.link[LINK * m + 5]] + w.group[w.link[LINK * m + 6]]]


@kernel
def count(w, m, times):
    """The impulses of a manifold's points, so many times, to those of its contact since the start."""
    row, a, o = w.row, w.link[LINK * m], SUM * w.link[LINK * m + 4] + 7
    side = times * facing(w, m)
    nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
    first = w.link[LINK * m + 2]
    for c in range(first, first + w.link[LINK * m + 3]):
        k = ROW * c
        n = row[k + RN]
        if n == 0.0:
            continue
        px, py, pz = side * (n * nx + row[k + RT]), side * (n * ny + row[k + RT + 1]), side * (n * nz + row[k + RT + 2])
        x, y, z = row[k + RA] + w.x[3 * a], row[k + RA + 1] + w.x[3 * a + 1], row[k + RA + 2] + w.x[3 * a + 2]
        w.sum[o] += px
        w.sum[o + 1] += py
        w.sum[o + 2] += pz
        w.sum[o + 3] += y * pz - z * py
        w.sum[o + 4] += z * px - x * pz
        w.sum[o + 5] += x * py - y * px
