"""Contacts that give way: a spring and a damper along the normal of every point, k in N/m and d in N s/m.

    r_n/h = −k (gap + ¼ h (u₀ + u₁)) − ½ d (u₀ + u₁) ≥ 0           both at mid-step, u = u_n: second order, and without d the
                                                                    energy ½ k gap² and the bodies' energy are exchanged exactly

which is the law of a rigid point with a bound and a softness of its own (sweep.py),

    0 ≤ u₁ + bound + γ r_n  ⊥  r_n ≥ 0,     γ = 1/(h c),   bound = u₀ + k gap/c,   c = ¼ k h + ½ d

A point that is still open is not damped (d = 0 there).  Such points neither bounce (the damper says what is lost) nor are they
pushed out: what they give way is the law's.  They are visited one by one, and never solved at once.
"""

from dalembert._jit import kernel
from dalembert.contacts.stiffness import across
from dalembert.contacts.sweep import relative
from dalembert.contacts.tables import GAP, GIVES, GRIP, HOLD, KN, LINK, MN, MU, PUSH, ROW, SOFT

ALSO = -4.0  # of ``hit``: it touches what is rigid as well


@kernel
def bounds(w, h):
    """γ and bounds of all points that give way, after those of the others (begin.begin)."""
    row = w.row
    for m in range(w.report.active):
        a, b = w.link[LINK * m], w.link[LINK * m + 1]
        soft = w.link[LINK * m + 7] != 0
        for body in (a, b):
            if soft and w.hit[body] == -1.0:
                w.hit[body] = GIVES
            elif not soft and (w.hit[body] == -1.0 or w.hit[body] == GIVES):
                w.hit[body] = ALSO
        if not soft:
            continue
        g = w.groups[0] * w.group[w.link[LINK * m + 5]] + w.group[w.link[LINK * m + 6]]
        nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
        first = w.link[LINK * m + 2]
        for i in range(first, first + w.link[LINK * m + 3]):
            k = ROW * i
            gap = row[k + GAP]
            c = 0.25 * w.stiffness[g] * h + (0.5 * w.damping[g] if gap <= 0.0 else 0.0)
            x, y, z = relative(w, w.before, a, b, k)
            row[k + PUSH] = row[k + HOLD] = x * nx + y * ny + z * nz + w.stiffness[g] * gap / c
            row[k + SOFT] = 1.0 / (h * c)
            nn = row[k + KN] * nx + row[k + KN + 1] * ny + row[k + KN + 2] * nz + row[k + SOFT]
            row[k + MN] = across(row, k, nx, ny, nz, nn, w.grip[GRIP * m + MU])
    return 0
