"""Points that share a load in many ways, as the feet of a table: which share is taken.

The equations G x = −b of the points that stick or slide leave a null space, x + Z y, and the law asks each share to lie in
its cone, |r_t| ≤ μ r_n.  Between two events shares follow the load by the least change, so a share near the edge of a cone is
an event soon, however far the whole is from slipping.  Therefore one well inside is taken: the least shares, led into cones a
tenth narrower by going to and fro between cones and equations; where that does not end, the shares farthest inside,

    max s   with   μ r_n − d · r_t ≥ s   for all directions d of sticking points,   r_n ≥ s of sliding ones,

a linear problem in (y, s).  In the plane d = ±1.  In space a cone has infinitely many sides: eight are taken to begin with, and
the one at which a solution leaves its cone is added until none does (cutting planes, Kelley 1960: each cut touches the cone, so
few are needed).  What cannot be shared comes out with s < 0, and the law refuses it.
"""

from __future__ import annotations

import numpy as np

OPEN, SLIP, STICK = range(3)
SINGULAR, ROUNDS, INSIDE, CUTS, GLASS = 1e-11, 60, 0.9, 60, 1e-6
_OPTIONS = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
_EIGHT = np.array([[np.cos(a), np.sin(a)] for a in np.arange(8) * np.pi / 4])


def shared(modes, mu, n, rows, G, b, x):
    """Of many solutions x of G x = −b one within all cones, if there is one; ``rows``: the number of each equation."""
    back, at = np.linalg.pinv(G, rcond=SINGULAR), {row: k for k, row in enumerate(rows)}
    points = [(at[n * i], mode, mu[i]) for i, mode in enumerate(modes) if mode != OPEN]
    least = x
    for _ in range(ROUNDS):
        y = x.copy()
        for k, mode, m in points:
            if mode == STICK:
                y[k:k + n] = into(y[k:k + n], INSIDE * m)
            else:
                y[k] = max(y[k], 0.0)
        if np.abs(y - x).max() <= 1e-12 * np.abs(x).max():
            return x
        x = y - back @ (G @ y + b)
    return _innermost(points, n, G, least)


def _innermost(points, n, G, x):
    """The solution farthest inside the cones: coarsely, then about what was found with a glass, for the program that solves
    linear problems leaves 1e-10, and next to slipping there is no more room than that."""
    _, s, V = np.linalg.svd(G)
    Z, size = V[np.sum(s > SINGULAR * s[0]):].T, float(np.abs(x).max())
    ways = _EIGHT if n == 3 else np.array([[1.0], [-1.0]])
    sides = [_side(len(x), k, m, d) for k, mode, m in points for d in (ways if mode == STICK else [None])]
    for room in (size, GLASS * size):
        for _ in range(CUTS):
            found = _solved(np.array(sides), Z, x, room)
            if found is None:
                return x
            y, inside = found
            if inside < -1e-9 * size:  # there is none
                return y
            cut = []
            for k, mode, m in points if n == 3 else ():
                across = np.linalg.norm(y[k + 1:k + 3])
                if mode == STICK and m * y[k] - across < 0.9 * inside - 1e-10 * room:
                    cut.append(_side(len(x), k, m, y[k + 1:k + 3] / across))
            if not cut:
                break
            sides += cut
        x = y
        if not abs(inside) < 0.01 * GLASS * size:
            return x
    return x


def _solved(S, Z, x, room):
    """(x + Z y, s) with the largest s; moves up to a hundred times ``room``."""
    from scipy.optimize import linprog

    found = linprog([*np.zeros(Z.shape[1]), -1.0], A_ub=np.hstack([-S @ Z, np.ones((len(S), 1))]),
                    b_ub=np.minimum(S @ x / room, 1e4), bounds=[*[(-100.0, 100.0)] * Z.shape[1], (None, 1.0)], options=_OPTIONS)
    return (x + room * (Z @ found.x[:-1]), room * found.x[-1]) if found.status == 0 else None


def _side(length, k, mu, d):
    """μ r_n − d · r_t of the point at k, or its r_n, as a row."""
    row = np.zeros(length)
    row[k] = 1.0 if d is None else mu
    if d is not None:
        row[k + 1:k + 1 + len(d)] = -d
    return row


def columns(modes, mu, d, n):
    """Numbers of the rows that are held with these modes; columns of the forces that hold them, with friction of sliding."""
    k = len(modes)
    rows, out = [], []
    for i in range(k):
        if modes[i] == OPEN:
            continue
        rows.append(n * i)
        column = np.zeros(n * k)
        column[n * i] = 1.0
        if modes[i] == SLIP:
            column[n * i + 1:n * i + n] = -mu[i] * d[i]
        out.append(column)
        if modes[i] == STICK:
            for c in range(1, n):
                rows.append(n * i + c)
                column = np.zeros(n * k)
                column[n * i + c] = 1.0
                out.append(column)
    return rows, np.array(out).reshape(len(out), n * k).T


def moved_by_shares(WK, G) -> bool:
    """Whether forces that leave what is held as it is (null space of G) move something else: friction of sliding differs."""
    _, s, V = np.linalg.svd(G)
    Z = V[np.sum(s > SINGULAR * s[0]):].T
    return bool(np.abs(WK @ Z).max(initial=0.0) > 1e-7 * np.abs(WK).max(initial=0.0))


def into(r, mu):
    """The nearest point of the cone |r_t| ≤ μ r_n."""
    across = np.linalg.norm(r[1:])
    if across <= mu * r[0]:
        return r
    if mu * across <= -r[0]:
        return np.zeros_like(r)
    normal = (r[0] + mu * across) / (1.0 + mu * mu)
    return np.array([normal, *(mu * normal * r[1:] / across)])
