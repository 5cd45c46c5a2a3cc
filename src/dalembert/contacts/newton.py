"""All points of an island at once, where sweeps do not converge: towers, heavy on light.

The law is r = P(r − (u + bound)/ε) for any ε > 0, with P the projection onto r_n ≥ 0, |r_t| ≤ μ r_n.  With the state of every
point (open, sticking, sliding) taken from the last linear solution, its proximal step is linear,

    r = r₀ − (C v + bound)/ε      closed: along the normal; sticking: all three;  sliding: r_t = μ r_n d as it was
    (M + Σ Cᵀ C/ε) v = M v̂ + Σ Cᵀ (r₀ − bound/ε)

which is symmetric, positive and as sparse as the island: one Cholesky factorisation within its envelope, bodies in the order of
Cuthill and McKee.  Then r is projected, v = v̂ + M⁻¹ Cᵀ r, and the next state is read off.  ε is a small part of K, so that a few
iterations are enough also where masses differ by 10⁴; where forces are not unique (four feet), the ones nearest to the last are
found.  Islands that do not get below the tolerance keep the better of the two: what they had, or what was found; they are left to
the sweeps the next time they are asked, after a second failure the next three times, then seven … (``waits``: what tumbles and
slides fails again and again, what comes to rest is tried soon enough).
"""

import math

from dalembert._jit import inline, kernel
from dalembert.contacts import blocks
from dalembert.contacts.blocks import OPEN, PROXIMAL, SLIDE, STICK
from dalembert.contacts.envelope import factored, substituted
from dalembert.contacts.sweep import push, relative, rest_of_law, slip
from dalembert.contacts.tables import GRIP, LINK, MN, MT, MU, RN, ROW, RT

MOST = 40  # iterations
LONGEST = 63  # tries that an island is passed over, after it failed six times running


@inline
def _both_move(w, a, b):
    return a < w.rules.bodies and b < w.rules.bodies and w.frozen[a] == 0 and w.frozen[b] == 0


@inline
def _root(w, a, b):
    """The island of two bodies that touch, of which one may stand still or be frozen."""
    return w.root[a if a < w.rules.bodies and w.frozen[a] == 0 else b]


@kernel
def survey(w):
    """Islands of at most ``rules.direct`` bodies that fit into the matrix: their bodies, manifolds and envelopes.

    Roots are those of all points, also open ones (islands.py).
    """
    nb, number = w.rules.bodies, w.report.active
    for b in range(nb + 2):
        w.near_at[b] = 0
        w.bond_at[b] = 0
    for m in range(number):  # neighbours of every body, and manifolds of every root
        a, b = w.link[LINK * m], w.link[LINK * m + 1]
        if _both_move(w, a, b):
            w.near_at[a + 1] += 1
            w.near_at[b + 1] += 1
        w.bond_at[_root(w, a, b) + 1] += 1
    for b in range(nb):
        w.near_at[b + 1] += w.near_at[b]
        w.bond_at[b + 1] += w.bond_at[b]
    for b in range(nb):
        w.fill[b], w.fill_bond[b] = w.near_at[b], w.bond_at[b]
    for m in range(number):
        a, b = w.link[LINK * m], w.link[LINK * m + 1]
        if _both_move(w, a, b):
            w.near[w.fill[a]] = b
            w.near[w.fill[b]] = a
            w.fill[a] += 1
            w.fill[b] += 1
        r = _root(w, a, b)
        w.bond[w.fill_bond[r]] = m
        w.fill_bond[r] += 1
    w.report.islands, w.report.covered = 0, 0
    at = 0
    for b in range(nb):
        w.place_of[b] = -1
    for r in range(nb):
        if w.root[r] == r and w.bond_at[r + 1] > w.bond_at[r] and w.frozen[r] == 0:
            n = _ordered(w, r, at)
            if n > 0:
                w.island[2 * w.report.islands], w.island[2 * w.report.islands + 1] = at, n
                w.report.islands += 1
                w.report.covered += w.bond_at[r + 1] - w.bond_at[r]
                at += n


@kernel
def _ordered(w, r, at):
    """Bodies of the island of root r in breadth-first order from one with few neighbours; their number, 0 if it is not for us."""
    nb = w.rules.bodies
    start = r
    for b in range(r, nb):
        if w.root[b] == r and w.near_at[b + 1] - w.near_at[b] < w.near_at[start + 1] - w.near_at[start]:
            start = b
    w.order[at] = start
    w.place_of[start] = 0
    n, done = 1, 0
    while done < n:
        b = w.order[at + done]
        if w.jointed[b] == 1 or n > w.rules.direct:
            return 0
        for k in range(w.near_at[b], w.near_at[b + 1]):
            o = w.near[k]
            if w.place_of[o] < 0:
                w.place_of[o] = n
                w.order[at + n] = o
                n += 1
        done += 1
    if n > w.rules.direct:
        return 0
    size, work = 0, 0
    for p in range(n):
        b, low = w.order[at + p], p
        for k in range(w.near_at[b], w.near_at[b + 1]):
            low = min(low, w.place_of[w.near[k]])
        w.low[at + p], w.offset[at + p] = low, size
        size += 36 * (p - low + 1)
        work += 36 * (p - low + 1) * 6 * (p - low + 1)
    return n if size <= w.matrix.size and work <= w.rules.effort else 0


@kernel
def islands_at_once(w, bound):
    """Every surveyed island whose points miss the law by more than a millionth of the tolerance.  How many still do."""
    left = 0
    for k in range(w.report.islands):
        left += _solve(w, w.island[2 * k], w.island[2 * k + 1], bound)
    return left


@kernel
def worst(w, bound):
    """The largest residual of all islands that were surveyed."""
    found = 0.0
    for k in range(w.report.islands):
        found = max(found, _miss(w, w.root[w.order[w.island[2 * k]]], bound))
    return found


@kernel
def aside(w, back):
    """Impulses and velocities of all islands aside, or as they were."""
    for k in range(w.report.islands):
        at = w.island[2 * k]
        _store(w, w.root[w.order[at]], at, w.island[2 * k + 1], back)


@kernel
def _miss(w, r, bound):
    """The largest residual of the island of root r (certify.py), with the bound in use."""
    worst = 0.0
    for i in range(w.bond_at[r], w.bond_at[r + 1]):
        m = w.bond[i]
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            normal, across = rest_of_law(w, m, ROW * c, bound)
            worst = max(worst, max(normal, across))
    return worst


@kernel
def _solve(w, at, n, bound):
    """One island, unless it failed of late: 1 if it is left to the sweeps."""
    r = w.root[w.order[at]]
    aim = 1e-9 * w.rules.tolerance
    best = _miss(w, r, bound)
    if best <= 1e3 * aim:
        return 0
    if w.waits[2 * r] > 0:
        w.waits[2 * r] -= 1
        return 1
    w.report.solved += 1
    _store(w, r, at, n, 0)
    _first(w, r, bound)
    changed = True
    for _ in range(MOST):
        w.report.iterations += 1
        if changed:
            blocks.matrix(w, r, at, n)
            if not factored(w, at, n):
                break
        blocks.right(w, r, at, n, bound)
        substituted(w, at, n)
        changed = _impulses(w, r, at, n, bound, aim)
        miss = _miss(w, r, bound)
        stuck = best <= 1e3 * aim and miss > 0.5 * best  # as good as rounding lets it be
        if miss < best:
            best = miss
            _store(w, r, at, n, 0)
        if miss <= aim or stuck:
            break
    _store(w, r, at, n, 1)
    if best <= 1e3 * aim:
        w.waits[2 * r + 1] = 0
        return 0
    w.report.failed += 1
    w.waits[2 * r + 1] = min(2 * w.waits[2 * r + 1] + 1, LONGEST)
    w.waits[2 * r] = w.waits[2 * r + 1]
    return 1


@kernel
def _first(w, r, bound):
    """States to begin with: what carries something, or would, sticks."""
    row = w.row
    for i in range(w.bond_at[r], w.bond_at[r + 1]):
        m = w.bond[i]
        nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            k = ROW * c
            x, y, z = relative(w, w.free, w.link[LINK * m], w.link[LINK * m + 1], k)
            near = row[k + bound] <= 0.0 and row[k + RN] >= 0.0
            w.state[c] = STICK if near or row[k + RN] > 0.0 or x * nx + y * ny + z * nz + row[k + bound] < 0.0 else OPEN


@kernel
def _store(w, r, at, n, back):
    """Impulses and velocities of the island aside (back = 0), or as they were stored."""
    row = w.row
    for i in range(w.bond_at[r], w.bond_at[r + 1]):
        m = w.bond[i]
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            for e in range(4):
                if back == 0:
                    w.kept[4 * c + e] = row[ROW * c + RN + e]
                else:
                    row[ROW * c + RN + e] = w.kept[4 * c + e]
    for p in range(n):
        b = w.order[at + p]
        for e in range(6):
            if back == 0:
                w.slip[6 * b + e] = w.v[6 * b + e]
            else:
                w.v[6 * b + e] = w.slip[6 * b + e]


@kernel
def _impulses(w, r, at, n, bound, aim):
    """r of the proximal step, projected, and the next states; then v = v̂ + M⁻¹ Cᵀ r.  Whether a state changed."""
    row, changed = w.row, False
    for p in range(n):
        b = w.order[at + p]
        for e in range(6):
            w.v[6 * b + e] = w.right[6 * p + e]
    for i in range(w.bond_at[r], w.bond_at[r + 1]):
        m = w.bond[i]
        a, b = w.link[LINK * m], w.link[LINK * m + 1]
        nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            k = ROW * c
            rho = row[k + MN] / PROXIMAL
            x, y, z = slip(w, a, b, k)
            un = x * nx + y * ny + z * nz
            if w.state[c] == OPEN:
                row[k + RN] = row[k + RT] = row[k + RT + 1] = row[k + RT + 2] = 0.0
                if un + row[k + bound] < -1e-3 * aim:
                    w.state[c], changed = STICK, True
                continue
            new = row[k + RN] - rho * (un + row[k + bound])
            if new <= 0.0:
                row[k + RN] = row[k + RT] = row[k + RT + 1] = row[k + RT + 2] = 0.0
                w.state[c], changed = OPEN, True
                continue
            f = rho if w.state[c] == STICK else row[k + MT]
            tx, ty, tz = (row[k + RT] - f * (x - un * nx), row[k + RT + 1] - f * (y - un * ny),
                          row[k + RT + 2] - f * (z - un * nz))
            size, limit = math.sqrt(tx * tx + ty * ty + tz * tz), w.grip[GRIP * m + MU] * new
            state = STICK
            if size > limit:
                f = limit / size
                tx, ty, tz = f * tx, f * ty, f * tz
                state = SLIDE
            changed = changed or w.state[c] != state
            w.state[c] = state
            row[k + RN], row[k + RT], row[k + RT + 1], row[k + RT + 2] = new, tx, ty, tz
    for p in range(n):
        b = w.order[at + p]
        for e in range(6):
            w.v[6 * b + e] = w.free[6 * b + e]
    for i in range(w.bond_at[r], w.bond_at[r + 1]):
        m = w.bond[i]
        nx, ny, nz = w.normal[3 * m], w.normal[3 * m + 1], w.normal[3 * m + 2]
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            k = ROW * c
            s = row[k + RN]
            if s > 0.0:
                push(w, w.link[LINK * m], w.link[LINK * m + 1], k, s * nx + row[k + RT], s * ny + row[k + RT + 1],
                     s * nz + row[k + RT + 2])
    return changed
